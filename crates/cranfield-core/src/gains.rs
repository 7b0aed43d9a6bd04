//! Conversion of grades to gains.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, shown};
use crate::params::{ParamInfo, ParamKind};
use crate::small_sort::SmallSort;
use crate::topic::{GradeCount, Label, RecallBase};

/// The rule that converts grades to gains.
///
/// Written `'grade'` (the grade itself), `'exp'` (2^grade − 1), `'binary'` (1 for every grade above zero; in a
/// measure that has a relevance level, for every relevant document), `'0,1,10,100'` (gains of the grades 0, 1,
/// 2, 3), or `'1=3,2=9'` (gains of these grades). Grades that are not in a table keep their own number as gain; a grade
/// of zero or below gains nothing unless the table says so.
///
/// ```
/// use cranfield_core::gains::Gains;
///
/// let gains: Gains = "0,1,10,100".parse()?;
/// assert_eq!(gains.of_grade(2.0), 10.0);
/// assert_eq!(gains.to_string(), "0,1,10,100");
/// assert_eq!(Gains::default().to_string(), "grade");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gains(Rule);

#[derive(Clone, Debug, Default, PartialEq)]
enum Rule {
    #[default]
    Grade,
    Exponential,
    Binary,
    /// Grade and gain, in the order given; not empty.
    Table(Vec<(f64, f64)>),
}

impl Gains {
    /// The parameter of measures whose gain is the grade unless the user says otherwise.
    pub const PARAM: ParamInfo = ParamInfo {
        name: "gains",
        kind: ParamKind::Gains,
        default: "grade",
        help: "gain of each grade: 'grade', 'exp' (2^grade - 1), 'binary', '0,1,10' for grades 0, 1, 2, or '1=3,2=9'",
    };

    /// A table of (grade, gain) pairs; the first pair of a grade counts. Without pairs the gain is the grade.
    pub fn new(pairs: Vec<(f64, f64)>) -> Self {
        Self(if pairs.is_empty() {
            Rule::Grade
        } else {
            Rule::Table(pairs)
        })
    }

    /// Gain 1 for every grade above zero.
    pub fn binary() -> Self {
        Self(Rule::Binary)
    }

    /// The pairs given, if this is a table.
    pub fn pairs(&self) -> &[(f64, f64)] {
        match &self.0 {
            Rule::Table(pairs) => pairs,
            Rule::Grade | Rule::Exponential | Rule::Binary => &[],
        }
    }

    /// Whether every grade's gain is the grade itself.
    pub fn is_identity(&self) -> bool {
        self.0 == Rule::Grade
    }

    /// Whether every gain is 0 or 1 by relevance alone.
    pub fn is_binary(&self) -> bool {
        self.0 == Rule::Binary
    }

    /// The gain of a grade.
    pub fn of_grade(&self, grade: f64) -> f64 {
        match &self.0 {
            Rule::Grade => grade.max(0.0),
            // Larger gains are limited to the largest number, so that quotients of gains stay finite.
            Rule::Exponential => (grade.max(0.0).exp2() - 1.0).min(f64::MAX),
            Rule::Binary => f64::from(u8::from(grade > 0.0)),
            Rule::Table(pairs) => {
                let listed = pairs.iter().find(|(known, _)| *known == grade);
                listed.map_or(grade.max(0.0), |(_, gain)| *gain)
            }
        }
    }

    /// The gain of a retrieved document: zero if it was not judged.
    pub fn of_label(&self, label: Label) -> f64 {
        match label {
            Label::Judged(grade) => self.of_grade(grade),
            Label::Pooled | Label::Unjudged => 0.0,
        }
    }

    /// The ideal ranking: positive gains in descending order, each with the number of judged documents that
    /// have it.
    pub fn ideal<'a>(&self, base: RecallBase<'a>) -> Cow<'a, [GradeCount]> {
        if self.is_identity() {
            return Cow::Borrowed(base.positive());
        }
        let gains = base.grades().iter().map(|level| GradeCount {
            grade: self.of_grade(level.grade),
            ..*level
        });
        let mut ideal: Vec<_> = gains.filter(|step| step.grade > 0.0).collect();
        ideal.small_sort_by(|a, b| b.grade.total_cmp(&a.grade));
        Cow::Owned(ideal)
    }
}

impl FromStr for Gains {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "grade" => return Ok(Self::default()),
            "exp" => return Ok(Self(Rule::Exponential)),
            "binary" => return Ok(Self::binary()),
            _ => {}
        }
        let pairs = text.split(',').enumerate().map(|(position, item)| {
            pair(position, item).ok_or_else(|| {
                Error::parameter(format!(
                    "gains `{}`: expected 'grade', 'exp', 'binary', '0,1,10,100' (gain of grade 0, 1, 2, 3) or \
                     '1=3,2=9', found `{}`",
                    shown(text),
                    shown(item)
                ))
            })
        });
        Ok(Self(Rule::Table(pairs.collect::<Result<_, _>>()?)))
    }
}

/// Grade and gain of one item of a table; an item without `=` is the gain of the grade that equals its
/// position.
fn pair(position: usize, item: &str) -> Option<(f64, f64)> {
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
            .map(|v| v + 0.0)
    };
    match item.split_once('=') {
        Some((grade, gain)) => number(grade).zip(number(gain)),
        None => number(item).map(|gain| (position as f64, gain)),
    }
}

/// A number as it is read, with an exponent where it would have many zeros.
fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

impl fmt::Display for Gains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = match &self.0 {
            Rule::Grade => return f.write_str("grade"),
            Rule::Exponential => return f.write_str("exp"),
            Rule::Binary => return f.write_str("binary"),
            Rule::Table(pairs) => pairs,
        };
        let by_position = pairs
            .iter()
            .zip(0u32..)
            .all(|((grade, _), at)| *grade == f64::from(at));
        let items = pairs.iter().map(|(grade, gain)| {
            if by_position {
                short(*gain)
            } else {
                format!("{grade}={}", short(*gain))
            }
        });
        f.write_str(&items.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gains(text: &str) -> Gains {
        text.parse().unwrap()
    }

    #[test]
    fn tables_print_in_one_form() {
        for (text, printed) in [
            ("0, 1,10", "0,1,10"),
            ("0=0,1=1", "0,1"),
            ("1=3,2=9", "1=3,2=9"),
            ("-0,5=3", "0=0,5=3"),
            ("binary", "binary"),
            ("exp", "exp"),
            ("1e1", "10"),
            ("0,1e99,1e-9", "0,1e99,1e-9"),
            ("3=-1e300,5=12345678", "3=-1e300,5=12345678"),
        ] {
            assert_eq!(gains(text).to_string(), printed);
            assert_eq!(gains(printed), gains(text));
        }
    }

    #[test]
    fn grades_outside_of_a_table_gain_themselves() {
        let table = gains("1=3,1=5");
        assert_eq!(
            [-1.0, 0.0, 1.0, 2.0].map(|grade| table.of_grade(grade)),
            [0.0, 0.0, 3.0, 2.0]
        );
        assert_eq!(
            [-1.0, 0.0, 0.5, 2.0].map(|grade| Gains::binary().of_grade(grade)),
            [0.0, 0.0, 1.0, 1.0]
        );
        assert_eq!(
            [-1.0, 0.0, 1.0, 3.0, 5000.0].map(|grade| gains("exp").of_grade(grade)),
            [0.0, 0.0, 1.0, 7.0, f64::MAX]
        );
        assert_eq!(Gains::new(Vec::new()), Gains::default());
    }

    #[test]
    fn mistakes_are_named() {
        let error = "0,x".parse::<Gains>().unwrap_err().to_string();
        assert!(
            error.starts_with("gains `0,x`: expected ") && error.ends_with("found `x`"),
            "{error}"
        );
        assert!("1=inf".parse::<Gains>().is_err());
        assert!("".parse::<Gains>().is_err());
    }

    #[test]
    fn the_ideal_is_sorted_by_gain() {
        let grades = [3.0, 2.0, 1.0, 0.0].map(|grade| GradeCount { grade, count: 2 });
        let base = RecallBase::new(&grades);
        let order = |text: &str| {
            gains(text)
                .ideal(base)
                .iter()
                .map(|step| step.grade)
                .collect::<Vec<_>>()
        };
        assert_eq!(order("grade"), [3.0, 2.0, 1.0]);
        assert_eq!(order("0,0.9,0.5,-1"), [0.9, 0.5]);
    }
}
