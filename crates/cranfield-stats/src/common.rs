//! Types that tests share: alternatives, intervals and degenerate cases.

use crate::error::{Result, StatsError};

/// The alternative to the hypothesis that a and b do not differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alternative {
    /// There is a difference.
    #[default]
    TwoSided,
    /// a is greater than b.
    Greater,
    /// a is less than b.
    Less,
}

impl Alternative {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoSided => "two-sided",
            Self::Greater => "greater",
            Self::Less => "less",
        }
    }
}

/// A confidence interval. A one-sided interval has an infinite end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level, for example 0.95.
    pub level: f64,
}

/// The reason why a test has no statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degenerate {
    /// All differences are zero. p is 1 and effects are 0.
    Identical,
    /// All differences are equal and not zero, so that there is no variance. p is 0 on the side of the difference and 1 on the
    /// other; standardised effects are undefined.
    Constant,
}

impl Degenerate {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Identical => "all differences are zero",
            Self::Constant => "all differences are equal",
        }
    }
}

/// Checks that a confidence level is strictly between 0 and 1.
pub fn check_level(level: f64) -> Result<f64> {
    if level > 0.0 && level < 1.0 {
        return Ok(level);
    }
    Err(StatsError::Setting {
        name: "level",
        value: level,
        expected: "a number between 0 and 1, for example 0.95",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels() {
        assert_eq!(check_level(0.95), Ok(0.95));
        for level in [0.0, 1.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(check_level(level).is_err(), "{level}");
        }
    }
}
