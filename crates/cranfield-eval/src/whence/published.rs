//! Published numbers: a value with its digits, rounded or truncated.

use std::fmt;
use std::str::FromStr;

/// A published number, with its number of decimals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The number.
    pub value: f64,
    /// Number of decimals.
    pub digits: u32,
}

/// Error for a string that is not a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPublished(String);

impl fmt::Display for NotPublished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        write!(
            f,
            "`{text}` is not a number; write it with all its digits, such as 0.4312 or 43.12%"
        )
    }
}

impl std::error::Error for NotPublished {}

impl FromStr for Published {
    type Err = NotPublished;

    /// Reads `0.4312`, `.4312` or `43.12%`.
    fn from_str(text: &str) -> Result<Self, NotPublished> {
        let wrong = || NotPublished(text.chars().take(40).collect());
        let (number, percent) = match text.trim().strip_suffix('%') {
            Some(number) => (number.trim(), true),
            None => (text.trim(), false),
        };
        let plain = |letter: char| letter.is_ascii_digit() || "+-.".contains(letter);
        let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
        let value: f64 = number.parse().map_err(|_| wrong())?;
        if !number.chars().all(plain) || digits > 17 || !value.is_finite() {
            return Err(wrong());
        }
        let (scale, more) = if percent { (100.0, 2) } else { (1.0, 0) };
        Ok(Self {
            value: value / scale,
            digits: digits as u32 + more,
        })
    }
}

/// How a value agrees with a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// The value rounds to the number.
    Rounded,
    /// The value gives the number when truncated after its last digit.
    Cut,
}

impl Agreement {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounded => "rounded",
            Self::Cut => "cut",
        }
    }
}

impl Published {
    /// Checks whether a value rounds or truncates to this number.
    ///
    /// ```
    /// use cranfield_eval::whence::{Agreement, Published};
    ///
    /// let published: Published = "0.4312".parse()?;
    /// assert_eq!(published.agrees(0.43124), Some(Agreement::Rounded));
    /// assert_eq!(published.agrees(0.43128), Some(Agreement::Cut));
    /// assert_eq!(published.agrees(0.43131), None);
    /// # Ok::<(), cranfield_eval::whence::NotPublished>(())
    /// ```
    pub fn agrees(&self, value: f64) -> Option<Agreement> {
        // Tolerance for floating-point error, as a fraction of the last digit.
        let (scale, slack) = (10f64.powf(f64::from(self.digits)), 1e-7);
        let (value, wanted) = (value * scale, self.value * scale);
        if (value - wanted).abs() <= 0.5 + slack {
            return Some(Agreement::Rounded);
        }
        let cut = (value.abs() + slack).floor() * value.signum();
        ((cut - wanted).abs() <= slack).then_some(Agreement::Cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted() {
        let read = |text: &str| {
            text.parse::<Published>()
                .map(|read| (read.value, read.digits))
        };
        assert_eq!(read("0.4312"), Ok((0.4312, 4)));
        assert_eq!(read(".5"), Ok((0.5, 1)));
        assert_eq!(read("12"), Ok((12.0, 0)));
        assert_eq!(read(" 43.1% "), Ok((43.1 / 100.0, 3)));
        for wrong in [
            "",
            "x",
            "1e5",
            "nan",
            "inf",
            "0,43",
            "0.12345678901234567890",
            "%",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn agreement_depends_on_the_number_of_digits() {
        let published: Published = "0.43".parse().unwrap();
        assert_eq!(published.agrees(0.4349), Some(Agreement::Rounded));
        assert_eq!(published.agrees(0.435), Some(Agreement::Rounded));
        assert_eq!(published.agrees(0.4351), Some(Agreement::Cut));
        assert_eq!(published.agrees(0.4249), None);
        let negative: Published = "-0.43".parse().unwrap();
        assert_eq!(negative.agrees(-0.4351), Some(Agreement::Cut));
    }
}
