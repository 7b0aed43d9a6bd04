//! The error type of this crate.

use thiserror::Error;

/// Results of this crate.
pub type Result<T> = std::result::Result<T, StatsError>;

/// An invalid value or setting.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// No values were given.
    #[error("no values")]
    Empty,
    /// Values that are paired by position differ in number.
    #[error("cannot pair {left} values with {right}; both systems need a value for every topic")]
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
        /// Its position, counted from 0.
        position: usize,
    },
    /// There are too few values.
    #[error("too few {what}: found {found}, need at least {least}")]
    TooFew {
        /// Name of the values.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The minimum.
        least: usize,
    },
    /// There are more values than the method supports.
    #[error("too many {what}: found {found}, the limit is {most}; {instead}")]
    TooMany {
        /// Name of the values.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The maximum.
        most: usize,
        /// Advice.
        instead: &'static str,
    },
    /// The design needs more topics than the search covers.
    #[error("more than {most} topics are needed; {instead}")]
    OutOfReach {
        /// The upper limit of the search.
        most: usize,
        /// Advice.
        instead: &'static str,
    },
    /// A setting is outside its range.
    #[error("{name} is {}, expected {expected}", short(*value))]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
}

/// Checks that there are at most `most` values.
pub(crate) fn at_most(
    what: &'static str,
    found: usize,
    most: usize,
    instead: &'static str,
) -> Result<()> {
    if found <= most {
        return Ok(());
    }
    Err(StatsError::TooMany {
        what,
        found,
        most,
        instead,
    })
}

/// Formats a number in its shortest form, with an exponent where it would have many zeros.
///
/// ```
/// use cranfield_stats::short;
/// assert_eq!([0.05, 5.0, -1.0, 1e-300, 1e308].map(short), ["0.05", "5", "-1", "1e-300", "1e308"]);
/// ```
pub fn short(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
