//! The one error of this crate.

use thiserror::Error;

/// Results of this crate.
pub type Result<T> = std::result::Result<T, StatsError>;

/// What was wrong with the values or the settings of a statistic.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// There is nothing to compute from.
    #[error("there are no values")]
    Empty,
    /// Values that are paired by position do not have the same number.
    #[error("{left} values are paired with {right}; both systems need a value for every topic")]
    LengthsDiffer {
        /// Number of values on the left.
        left: usize,
        /// Number of values on the right.
        right: usize,
    },
    /// A value is infinite or not a number, or the difference of two values is.
    #[error("value {value} at position {position} is not a finite number")]
    NotFinite {
        /// The value.
        value: f64,
        /// Where it stands, counted from 0.
        position: usize,
    },
    /// There are values, but not enough of them.
    #[error("too few {what}: {found}, and at least {least} are needed")]
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        least: usize,
    },
    /// More than the method can take.
    #[error("there are {found} {what}, and at most {most} are possible; {instead}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
        /// What to do.
        instead: &'static str,
    },
    /// More topics are needed than are looked for.
    #[error("more than {most} topics are needed; {instead}")]
    OutOfReach {
        /// How many are looked for at most.
        most: usize,
        /// What to do.
        instead: &'static str,
    },
    /// A setting is outside its range.
    #[error("{name} is {}, expected {expected}", short(*value))]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
}

/// A number as a person writes it: without hundreds of zeros before or behind its digits.
///
/// ```
/// use cranfield_stats::short;
/// assert_eq!([0.05, 5.0, -1.0, 1e-300, 1e308].map(short), ["0.05", "5", "-1", "1e-300", "1e308"]);
/// ```
pub fn short(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
