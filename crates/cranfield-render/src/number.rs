//! Numbers as tables, pages and plots show them.

/// From this size on, decimals say nothing, and digits before the point would swamp a column.
pub(crate) const LARGE: f64 = 1e7;

/// Outside of these, [`exact`] has an exponent, as JSON has.
const PLAIN: std::ops::Range<f64> = 1e-5..1e16;

/// A number for display: `digits` decimals, or that many digits and an exponent where decimals would show nothing but zeros, or the
/// number is so large that it would swamp its column. Without decimals, small numbers are 0. Zero has no sign.
///
/// ```
/// use cranfield_render::rounded;
///
/// assert_eq!(rounded(0.31249, 4), "0.3125");
/// assert_eq!(rounded(-0.0, 4), "0.0000");
/// assert_eq!(rounded(-1e-280, 4), "-1.000e-280");
/// assert_eq!(rounded(1e99, 4), "1.000e99");
/// ```
pub fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", unsigned_zero(value));
    let is_lost = value != 0.0 && !text.contains(|c| ('1'..='9').contains(&c));
    match value.is_finite() {
        true if is_lost && digits == 0 => "0".into(),
        true if is_lost || value.abs() >= LARGE => with_exponent(value, digits),
        _ => text,
    }
}

/// A number with `digits` digits and an exponent.
///
/// ```
/// assert_eq!(cranfield_render::with_exponent(0.000123456, 4), "1.235e-4");
/// ```
pub fn with_exponent(value: f64, digits: usize) -> String {
    let decimals = digits.saturating_sub(1);
    format!("{value:.decimals$e}")
}

/// [`rounded`] with a sign before numbers that are not negative, too.
pub fn signed(value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "" } else { "+" };
    sign.to_owned() + &rounded(value, digits)
}

/// A number for programs: the shortest text that reads back to it.
pub(crate) fn exact(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !PLAIN.contains(&size) {
        format!("{value:e}")
    } else {
        unsigned_zero(value).to_string()
    }
}

fn unsigned_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_where_they_say_something() {
        assert_eq!(rounded(0.0, 4), "0.0000");
        assert_eq!(rounded(5.001e-5, 4), "0.0001");
        assert_eq!(rounded(-4e-5, 4), "-4.000e-5");
        assert_eq!(rounded(9_999_999.0, 2), "9999999.00");
        assert_eq!(rounded(1e7, 2), "1.0e7");
        assert_eq!(
            [0.2, -0.4, 1e-280, -0.6].map(|value| rounded(value, 0)),
            ["0", "0", "0", "-1"]
        );
        assert_eq!(rounded(1e7, 0), "1e7");
        assert_eq!(rounded(f64::NAN, 4), "NaN");
        assert_eq!(rounded(f64::NEG_INFINITY, 4), "-inf");
    }

    #[test]
    fn signs() {
        assert_eq!(signed(0.25, 2), "+0.25");
        assert_eq!(signed(-0.25, 2), "-0.25");
        assert_eq!(signed(-0.0, 2), "+0.00");
        assert_eq!(signed(1e-9, 2), "+1.0e-9");
    }

    proptest! {
        #[test]
        fn no_number_is_lost_or_long(bits: u64, digits in 0_usize..8) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = rounded(value, digits);
            prop_assert!(text.len() <= digits + 10, "{text}");
            let read: f64 = text.parse().unwrap();
            let is_zero = value == 0.0 || (digits == 0 && value.abs() <= 0.5);
            prop_assert_eq!(read == 0.0, is_zero, "{}", text);
            prop_assert!(!is_zero || !text.starts_with('-'));
        }

        #[test]
        fn exact_numbers_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let text = exact(value);
            prop_assert!(text.len() <= 25, "{text}");
            prop_assert_eq!(text.parse::<f64>().unwrap(), value);
        }
    }
}
