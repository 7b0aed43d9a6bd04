//! Classes of grades: single grades or merged ones.

use std::fmt;
use std::str::FromStr;

use cranfield_core::error::{Error, shown};

/// Maximum number of rows or columns of a table.
pub const MAX_CLASSES: usize = 128;

/// Grades that share a row or column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Class {
    /// One grade.
    Grade(f64),
    /// All grades below this.
    Below(f64),
    /// From the first to below the second.
    Between(f64, f64),
    /// This and all above.
    From(f64),
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grade(grade) => write!(f, "{grade}"),
            Self::Below(level) => write!(f, "<{level}"),
            Self::Between(from, below) => write!(f, "{from} to <{below}"),
            Self::From(level) => write!(f, ">={level}"),
        }
    }
}

/// Merges grades into classes: those below the first level, those from each level to below the next, and those
/// from the last level on. Without levels every grade is its own class.
///
/// ```
/// use cranfield_eval::agreement::Merging;
///
/// let binary: Merging = "1".parse()?;
/// assert_eq!(binary.levels(), [1.0]);
/// assert!("2,1".parse::<Merging>().is_err());
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merging {
    levels: Vec<f64>,
}

impl Merging {
    /// Creates classes that start at these levels, which must be finite and ascending.
    pub fn at(levels: Vec<f64>) -> Result<Self, Error> {
        let sound = levels.iter().all(|level| level.is_finite());
        if !sound || levels.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Error::parameter(
                "levels must be finite numbers in ascending order",
            ));
        }
        if levels.len() >= MAX_CLASSES {
            let most = MAX_CLASSES - 1;
            return Err(Error::parameter(format!("at most {most} levels")));
        }
        Ok(Self { levels })
    }

    /// The levels at which classes start.
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// Whether every grade is its own class.
    pub fn is_none(&self) -> bool {
        self.levels.is_empty()
    }
}

impl FromStr for Merging {
    type Err = Error;

    /// Parses comma-separated levels; an empty string means no merging.
    fn from_str(text: &str) -> Result<Self, Error> {
        let levels = text.split(',').filter(|_| !text.trim().is_empty());
        let levels = levels.map(|level| {
            level.trim().parse().map_err(|_| {
                let level = shown(level);
                Error::parameter(format!("`{level}` is not a number; levels look like 1,2"))
            })
        });
        Self::at(levels.collect::<Result<_, _>>()?)
    }
}

/// The classes of one side of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    merging: Merging,
    /// The grades that occur, ascending; empty if they are merged.
    grades: Vec<f64>,
    pub(super) classes: Vec<Class>,
}

impl Axis {
    /// The classes of these grades, which may contain duplicates; `None` if there are too many.
    pub(super) fn new(merging: &Merging, grades: impl Iterator<Item = f64>) -> Option<Self> {
        let mut seen: Vec<f64> = Vec::new();
        for grade in grades.filter(|_| merging.is_none()) {
            let grade = canonical(grade);
            if let Err(at) = seen.binary_search_by(|known| known.total_cmp(&grade)) {
                seen.insert(at, grade);
            }
            if seen.len() > MAX_CLASSES {
                return None;
            }
        }
        let levels = &merging.levels;
        let classes = match (levels.first(), levels.last()) {
            (Some(first), Some(last)) => {
                let between = levels.windows(2);
                let between = between.map(|pair| Class::Between(pair[0], pair[1]));
                let ends = (Class::Below(*first), Class::From(*last));
                std::iter::once(ends.0)
                    .chain(between)
                    .chain([ends.1])
                    .collect()
            }
            _ => seen.iter().copied().map(Class::Grade).collect(),
        };
        Some(Self {
            merging: merging.clone(),
            grades: seen,
            classes,
        })
    }

    /// The grades of the classes, or the numbers 0, 1, 2 and so on of merged ones.
    pub(super) fn values(&self) -> Vec<f64> {
        if self.merging.is_none() {
            return self.grades.clone();
        }
        (0..self.classes.len()).map(|place| place as f64).collect()
    }

    /// The class of a grade that occurs.
    pub(super) fn place(&self, grade: f64) -> usize {
        let (grade, levels) = (canonical(grade), &self.merging.levels);
        if !levels.is_empty() {
            return levels.partition_point(|level| *level <= grade);
        }
        self.grades
            .partition_point(|known| known.total_cmp(&grade).is_lt())
    }
}

/// Maps 0 and -0, and all NaNs, to the same bits; readers reject NaN.
fn canonical(grade: f64) -> f64 {
    if grade.is_nan() {
        f64::NAN
    } else {
        grade + 0.0
    }
}

/// The classes of both sides and their positions on the common scale, if there is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axes {
    pub(super) first: Axis,
    pub(super) second: Axis,
    pub(super) scale: Option<Scale>,
}

/// Positions of the classes of both sides on one scale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) first: Vec<usize>,
    pub(super) second: Vec<usize>,
    /// The grades of the positions, or the numbers 0, 1, 2 and so on of merged classes.
    pub(super) values: Vec<f64>,
}

impl Axes {
    pub(super) fn new(first: Axis, second: Axis) -> Self {
        let scale = (first.merging == second.merging).then(|| Scale::of(&first, &second));
        Self {
            first,
            second,
            scale,
        }
    }
}

impl Scale {
    /// The common scale of axes with the same merging: all grades of either, or the merged classes.
    fn of(first: &Axis, second: &Axis) -> Self {
        let mut grades = [first.grades.as_slice(), &second.grades].concat();
        grades.sort_unstable_by(f64::total_cmp);
        grades.dedup_by(|a, b| a.total_cmp(b).is_eq());
        let places = |axis: &Axis| {
            if axis.grades.is_empty() {
                return (0..axis.classes.len()).collect();
            }
            let grades = grades.as_slice();
            let place =
                |grade: &f64| grades.partition_point(|known| known.total_cmp(grade).is_lt());
            axis.grades.iter().map(place).collect()
        };
        Self {
            first: places(first),
            second: places(second),
            values: if first.merging.is_none() {
                grades.clone()
            } else {
                first.values()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read() {
        let read = |text: &str| text.parse::<Merging>();
        assert_eq!(read("-1, 0.5,2").expect("sound").levels(), [-1.0, 0.5, 2.0]);
        assert!(read("").expect("nothing is merged").is_none());
        for bad in ["1,1", "2,1", "nan", "inf", "1,", ",", "x", "1;2"] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let many: Vec<f64> = (0..MAX_CLASSES).map(|level| level as f64).collect();
        assert!(Merging::at(many[1..].to_vec()).is_ok());
        assert!(Merging::at(many).is_err());
    }

    #[test]
    fn grades_have_positions() {
        let axis = |levels: &str, grades: &[f64]| {
            let merging = levels.parse().expect("sound levels");
            Axis::new(&merging, grades.iter().copied()).expect("few grades")
        };
        let merged = axis("0,1.5", &[0.0]);
        let places = [-1.0, -0.0, 1.0, 1.5, 7.0].map(|grade| merged.place(grade));
        assert_eq!(places, [0, 1, 1, 2, 2]);
        let plain = axis("", &[3.0, -1.0, 0.0, 3.0, -0.0]);
        assert_eq!(plain.classes, [-1.0, 0.0, 3.0].map(Class::Grade));
        assert_eq!([-1.0, -0.0, 3.0].map(|grade| plain.place(grade)), [0, 1, 2]);
        // Scales contain the grades of both sides: 1 is between 0 and 3.
        let scale = Axes::new(plain.clone(), axis("", &[0.0, 1.0])).scale;
        let scale = scale.expect("both are plain");
        assert_eq!(scale.first, [0, 1, 3]);
        assert_eq!(scale.second, [1, 2]);
        assert_eq!(Axes::new(plain, axis("1", &[])).scale, None);
    }
}
