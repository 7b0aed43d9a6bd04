//! Parsing and formatting of numbers.

use std::fmt;

/// Why text is not a valid number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    NotNumber,
    NotFinite,
}

/// Parses a finite number; surrounding white space is ignored.
pub(crate) fn parse(bytes: &[u8]) -> Result<f64, Unusable> {
    let text = std::str::from_utf8(bytes.trim_ascii()).map_err(|_| Unusable::NotNumber)?;
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(Unusable::NotFinite),
        Err(_) => Err(Unusable::NotNumber),
    }
}

/// Formats a number with the fewest digits that parse back to it, with an exponent if it is very small or very large.
pub(crate) struct Shortest(pub(crate) f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed_and_formatted() {
        assert_eq!(parse(b" 1e-05 "), Ok(1e-5));
        assert_eq!(parse(b"+3"), Ok(3.0));
        assert_eq!(parse(b"nan"), Err(Unusable::NotFinite));
        assert_eq!(parse(b"-Infinity"), Err(Unusable::NotFinite));
        assert_eq!(parse(b"1e999"), Err(Unusable::NotFinite));
        assert_eq!(parse(b"1,5"), Err(Unusable::NotNumber));
        assert_eq!(parse(b""), Err(Unusable::NotNumber));
        let shown = [2.0, 0.1, 1e-7, -3e300, 0.0, 123_456.75].map(|x| Shortest(x).to_string());
        assert_eq!(shown, ["2", "0.1", "1e-7", "-3e300", "0", "123456.75"]);
    }
}
