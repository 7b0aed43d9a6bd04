//! Scales of grades, and suspicions that their distribution raises.

use std::fmt;
use std::str::FromStr;

use cranfield_core::small_sort::SmallSort;

use crate::number::{self, Shortest};

/// Maximum number of distinct grades that are counted separately.
const MAX_DISTINCT: usize = 32;
/// Minimum number of judgements for a suspicion about the scale.
const MIN_JUDGEMENTS: u64 = 20;
/// Highest grade of a scale that may be reversed; higher ones are gains rather than ranks of relevance.
const MAX_GRADE: f64 = 10.0;

/// The allowed grades.
///
/// ```
/// use cranfield_io::doctor::Scale;
///
/// let scale: Scale = "0..3".parse()?;
/// assert!(scale.contains(2.0) && !scale.contains(4.0));
/// let list: Scale = "0,1,3".parse()?;
/// assert!(!list.contains(2.0));
/// # Ok::<(), cranfield_io::doctor::BadScale>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// All grades in a closed range.
    Range(f64, f64),
    /// Only these grades.
    List(Vec<f64>),
}

impl Scale {
    /// Whether a grade is allowed.
    pub fn contains(&self, grade: f64) -> bool {
        match self {
            Self::Range(min, max) => (*min..=*max).contains(&grade),
            Self::List(grades) => grades.contains(&grade),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(min, max) => write!(f, "{} to {}", Shortest(*min), Shortest(*max)),
            Self::List(grades) => {
                let grades: Vec<String> = grades.iter().map(|g| Shortest(*g).to_string()).collect();
                write!(f, "one of {}", grades.join(", "))
            }
        }
    }
}

/// The error for text that is not a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadScale;

impl fmt::Display for BadScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a range such as 0..3, or a list such as 0,1,2,4")
    }
}

impl std::error::Error for BadScale {}

impl FromStr for Scale {
    type Err = BadScale;

    fn from_str(text: &str) -> Result<Self, BadScale> {
        let grade = |text: &str| number::parse(text.as_bytes()).map_err(|_| BadScale);
        if let Some((min, max)) = text.split_once("..") {
            let (min, max) = (grade(min)?, grade(max.trim_start_matches('='))?);
            return if min <= max {
                Ok(Self::Range(min, max))
            } else {
                Err(BadScale)
            };
        }
        text.split(',')
            .map(grade)
            .collect::<Result<_, _>>()
            .map(Self::List)
    }
}

/// Number of judgements per grade.
#[derive(Clone, Debug, Default)]
pub(super) struct Distribution {
    /// In the order of first occurrence.
    counts: Vec<(f64, u64)>,
    /// Number of judgements with further grades.
    others: u64,
    has_relevant: bool,
}

impl Distribution {
    pub(super) fn add(&mut self, grade: f64) {
        self.has_relevant |= grade > 0.0;
        if let Some((_, count)) = self.counts.iter_mut().find(|(known, _)| *known == grade) {
            *count += 1;
        } else if self.counts.len() < MAX_DISTINCT {
            self.counts.push((grade, 1));
        } else {
            self.others += 1;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(super) fn has_relevant(&self) -> bool {
        self.has_relevant
    }

    pub(super) fn total(&self) -> u64 {
        self.others + self.counts.iter().map(|(_, count)| count).sum::<u64>()
    }

    /// Grades above 0 with their counts, ascending; empty if there are too many distinct grades.
    fn positive(&self) -> Vec<(f64, u64)> {
        let mut positive: Vec<(f64, u64)> = self
            .counts
            .iter()
            .copied()
            .filter(|(g, _)| *g > 0.0)
            .collect();
        positive.small_sort_by(|a, b| a.0.total_cmp(&b.0));
        if self.others > 0 {
            Vec::new()
        } else {
            positive
        }
    }

    /// Whether some grade is 0.
    pub(super) fn has_zero(&self) -> bool {
        self.counts.iter().any(|(grade, _)| *grade == 0.0)
    }

    /// Whether grades look like ranks of relevance with 1 as the best, as in the original Cranfield collection (1 to 4, and -1).
    ///
    /// The rule: at least 20 judgements, none of them 0; the grades above 0 are consecutive integers from 1, at least three and
    /// at most ten; and 1 is the rarest of them. On a normal scale the highest grade is the rarest.
    pub(super) fn looks_reversed(&self) -> bool {
        let positive = self.positive();
        let are_ranks = positive
            .iter()
            .zip(1u32..)
            .all(|((grade, _), n)| *grade == f64::from(n));
        let is_scale = positive.len() >= 3 && positive.len() as f64 <= MAX_GRADE && are_ranks;
        let is_rarest = |first: u64| positive[1..].iter().all(|(_, count)| first < *count);
        is_scale && !self.has_zero() && self.total() >= MIN_JUDGEMENTS && is_rarest(positive[0].1)
    }
}

impl fmt::Display for Distribution {
    /// Formats grades in ascending order with their counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = self.counts.clone();
        counts.small_sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut shown: Vec<String> = counts
            .iter()
            .map(|(grade, count)| {
                format!(
                    "{} ({})",
                    Shortest(*grade),
                    super::findings::grouped(*count)
                )
            })
            .collect();
        if self.others > 0 {
            shown.push(format!(
                "others ({})",
                super::findings::grouped(self.others)
            ));
        }
        f.write_str(&shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(counts: &[(f64, u64)]) -> Distribution {
        let mut distribution = Distribution::default();
        for (grade, count) in counts {
            (0..*count).for_each(|_| distribution.add(*grade));
        }
        distribution
    }

    #[test]
    fn scales_are_parsed_and_printed() {
        assert_eq!("-1..4".parse(), Ok(Scale::Range(-1.0, 4.0)));
        assert_eq!("0,1,0.5".parse(), Ok(Scale::List(vec![0.0, 1.0, 0.5])));
        assert_eq!("3..0".parse::<Scale>(), Err(BadScale));
        assert_eq!("a".parse::<Scale>(), Err(BadScale));
        assert_eq!(Scale::Range(0.0, 3.0).to_string(), "0 to 3");
        assert_eq!(Scale::List(vec![0.0, 2.0]).to_string(), "one of 0, 2");
    }

    #[test]
    fn the_original_cranfield_scale_is_suspected() {
        let cranfield = [(-1.0, 225), (1.0, 128), (2.0, 387), (3.0, 734), (4.0, 363)];
        assert!(distribution(&cranfield).looks_reversed());
    }

    #[test]
    fn usual_scales_are_not_suspected() {
        let with_zero = [(0.0, 100), (1.0, 5), (2.0, 10), (3.0, 20)];
        let falling = [(1.0, 50), (2.0, 20), (3.0, 10)];
        let binary = [(1.0, 5), (2.0, 50)];
        let few = [(1.0, 1), (2.0, 3), (3.0, 5)];
        let gains = [(1.0, 5), (10.0, 20), (100.0, 30)];
        for counts in [&with_zero[..], &falling, &binary, &few, &gains] {
            assert!(!distribution(counts).looks_reversed(), "{counts:?}");
        }
        assert_eq!(distribution(&binary).to_string(), "1 (5), 2 (50)");
    }
}
