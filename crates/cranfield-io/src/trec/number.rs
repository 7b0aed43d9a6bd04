//! Numbers in TREC files: a fast path for plain decimals, a general parser, and C's rules for the drop-in `trec_eval`.

/// Powers of ten that are exact as 64-bit floats.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Powers of ten that fit into 64 bits.
const WHOLE_POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// Integers below this are exact as 64-bit floats.
const EXACT: u64 = 1 << 53;

/// Parses `[-]digits[.digits]` at the start of `text` and returns the value and its length, if one division gives the exact result.
///
/// A mantissa below 2^53 and a power of ten up to 22 are both exact, so the single rounding of the division is correct.
#[expect(
    clippy::inline_always,
    reason = "measured: called for every line of a run"
)]
#[inline(always)]
pub(super) fn plain_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let negative = *text.first()? == b'-';
    let sign = usize::from(negative);
    let (whole, count) = leading_digits(&text[sign..]);
    let mut end = sign + count;
    let (mut mantissa, mut decimals) = (whole, 0);
    if text.get(end) == Some(&b'.') {
        let fraction;
        (fraction, decimals) = leading_digits(&text[end + 1..]);
        end += 1 + decimals;
        let power = WHOLE_POWERS_OF_TEN.get(decimals)?;
        mantissa = whole.wrapping_mul(*power).wrapping_add(fraction);
    }
    // Nineteen digits cannot overflow the mantissa.
    let count = count + decimals;
    if count == 0 || count > 19 || mantissa >= EXACT {
        return None;
    }
    let value = mantissa as f64 / POWERS_OF_TEN[decimals];
    Some((if negative { -value } else { value }, end))
}

/// Parses the digits at the start of `text` as a number modulo 2^64, and counts them. Up to eight are read as one integer, further
/// ones singly.
#[inline(always)]
fn leading_digits(text: &[u8]) -> (u64, usize) {
    const HIGH_HALVES: u64 = 0xF0F0_F0F0_F0F0_F0F0;
    const SIXES: u64 = 0x0606_0606_0606_0606;
    const THREES: u64 = 0x3030_3030_3030_3030;
    let Some(word) = text.first_chunk().map(|word| u64::from_le_bytes(*word)) else {
        return further_digits(text, 0, 0);
    };
    // A byte is a digit if its high half is 3 and stays 3 when 6 is added.
    let other =
        ((word & HIGH_HALVES) ^ THREES) | ((word.wrapping_add(SIXES) & HIGH_HALVES) ^ THREES);
    let length = other.trailing_zeros() as usize / 8;
    if length == 0 {
        return (0, 0);
    }
    // Shift the digits to the high end; the zeros that enter below are leading zeros of the number.
    let value = eight_digits(word.wrapping_sub(THREES) << (64 - 8 * length));
    if length < 8 {
        return (value, length);
    }
    further_digits(text, value, 8)
}

/// Combines eight decimal digits, one per byte with the first in the lowest byte: in pairs, then fours, then all eight.
#[inline]
fn eight_digits(word: u64) -> u64 {
    let pairs = (word.wrapping_mul(10).wrapping_add(word >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100).wrapping_add(pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000).wrapping_add(fours >> 32)) & 0xFFFF_FFFF
}

/// Continues after the first `count` digits.
#[cold]
fn further_digits(text: &[u8], mut value: u64, mut count: usize) -> (u64, usize) {
    while let Some(digit @ 0..=9) = text.get(count).map(|byte| byte.wrapping_sub(b'0')) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    (value, count)
}

/// Parses a whole token as a number; NaN and infinities count as numbers.
pub fn strict(token: &[u8]) -> Option<f64> {
    match plain_decimal(token) {
        Some((value, end)) if end == token.len() => Some(value),
        _ => fast_float2::parse(token).ok(),
    }
}

/// C's `atof`: the longest numeric prefix, 0 for none. Decimal, hexadecimal, `inf`, `nan`.
pub fn atof(token: &[u8]) -> f64 {
    let token = without_leading_space(token);
    if let Some(value) = hexadecimal(token) {
        return value;
    }
    fast_float2::parse_partial::<f64, _>(token).map_or(0.0, |(value, _)| value)
}

/// C's `atol`: the longest integer prefix, 0 for none, clamped to 64 bits.
pub fn atol(token: &[u8]) -> i64 {
    let token = without_leading_space(token);
    let (negative, digits) = match token.first() {
        Some(b'-') => (true, &token[1..]),
        Some(b'+') => (false, &token[1..]),
        _ => (false, token),
    };
    let mut value: i64 = 0;
    for digit in digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .map(|byte| i64::from(byte - b'0'))
    {
        value = value.saturating_mul(10);
        value = if negative {
            value.saturating_sub(digit)
        } else {
            value.saturating_add(digit)
        };
    }
    value
}

/// Skips C's white space, which includes the vertical tab.
fn without_leading_space(token: &[u8]) -> &[u8] {
    let start = token
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t'..=b'\r'));
    &token[start.unwrap_or(token.len())..]
}

/// Parses `[sign]0x` hexadecimal digits with an optional point and binary exponent, as C does.
fn hexadecimal(token: &[u8]) -> Option<f64> {
    let (negative, rest) = match token.first()? {
        b'-' => (true, &token[1..]),
        b'+' => (false, &token[1..]),
        _ => (false, token),
    };
    let rest = rest
        .strip_prefix(b"0x")
        .or_else(|| rest.strip_prefix(b"0X"))?;
    let (mut mantissa, mut exponent) = (0u64, 0i64);
    let (mut at, mut seen, mut fraction, mut sticky) = (0, false, false, false);
    while let Some(&byte) = rest.get(at) {
        if byte == b'.' && !fraction {
            fraction = true;
        } else if let Some(digit) = (byte as char).to_digit(16) {
            seen = true;
            if mantissa >> 59 == 0 {
                mantissa = mantissa << 4 | u64::from(digit);
                exponent -= if fraction { 4 } else { 0 };
            } else {
                // Digits beyond the mantissa only affect rounding.
                sticky |= digit != 0;
                exponent += if fraction { 0 } else { 4 };
            }
        } else {
            break;
        }
        at += 1;
    }
    if !seen {
        // "0x" without digits: C reads the zero.
        return Some(if negative { -0.0 } else { 0.0 });
    }
    exponent += binary_exponent(&rest[at..]);
    let value = rounded(mantissa, sticky, exponent);
    Some(if negative { -value } else { value })
}

/// Parses the exponent after `p`; 0 if there is none.
fn binary_exponent(rest: &[u8]) -> i64 {
    let Some(rest) = rest.strip_prefix(b"p").or_else(|| rest.strip_prefix(b"P")) else {
        return 0;
    };
    let digits = rest
        .strip_prefix(b"-")
        .or_else(|| rest.strip_prefix(b"+"))
        .unwrap_or(rest);
    if digits.first().is_some_and(u8::is_ascii_digit) {
        atol(rest).clamp(-(1 << 40), 1 << 40)
    } else {
        0
    }
}

/// Computes `mantissa` times two to the `exponent`, rounded once to even; `sticky` means that the exact mantissa is slightly larger.
fn rounded(mantissa: u64, sticky: bool, exponent: i64) -> f64 {
    let exponent = exponent.clamp(-10_000, 10_000);
    let bits = i64::from(u64::BITS - mantissa.leading_zeros());
    // Exponent of the last bit that is kept; subnormal numbers have fewer than 53 bits.
    let last = (exponent + bits - 53).max(-1074);
    let dropped = last - exponent;
    if dropped <= 0 {
        return scale(mantissa as f64, exponent);
    }
    if dropped >= 64 {
        // Less than half of the smallest number, because a mantissa has at most 63 bits.
        return 0.0;
    }
    let (kept, rest, half) = (
        mantissa >> dropped,
        mantissa & ((1 << dropped) - 1),
        1 << (dropped - 1),
    );
    let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
    scale((kept + u64::from(up)) as f64, last)
}

/// Computes `value` times two to the `exponent`, in steps that neither overflow nor underflow early.
fn scale(mut value: f64, exponent: i64) -> f64 {
    let mut left = exponent.clamp(-10_000, 10_000);
    while left > 0 {
        let step = left.min(1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    while left < 0 {
        let step = (-left).min(1000);
        value *= 2f64.powi(-step as i32);
        left += step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_decimals_round_like_the_standard_library() {
        for text in [
            "0",
            "12.345678",
            "-3.5",
            "0.1",
            "9007199254740991",
            "123456789012345.6",
            ".5",
            "5.",
            "-0",
        ] {
            let (value, end) = plain_decimal(text.as_bytes()).unwrap();
            assert_eq!(
                (value.to_bits(), end),
                (text.parse::<f64>().unwrap().to_bits(), text.len()),
                "{text}"
            );
        }
        for text in [
            "",
            "-",
            ".",
            "x",
            "9007199254740993",
            "0.12345678901234567890123",
        ] {
            assert_eq!(plain_decimal(text.as_bytes()), None, "{text}");
        }
        assert_eq!(plain_decimal(b"1e5"), Some((1.0, 1)));
    }

    #[test]
    fn strict_parses_whole_tokens() {
        assert_eq!(strict(b"1e-05"), Some(1e-5));
        assert_eq!(strict(b"+2"), Some(2.0));
        assert!(strict(b"NaN").unwrap().is_nan());
        for text in ["1,5", "abc", "1.0x", "", "0x10", "1 2"] {
            assert_eq!(strict(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn c_parses_prefixes() {
        for (text, value) in [
            ("1.5x", 1.5),
            ("junk", 0.0),
            ("1e3", 1e3),
            ("1e", 1.0),
            ("0x1p0", 1.0),
            ("-0x1.8p1", -3.0),
            ("0x", 0.0),
            ("1e400", f64::INFINITY),
            ("inf", f64::INFINITY),
            ("-infinityx", f64::NEG_INFINITY),
            (" \t\n\x0b\x0c\r1.5", 1.5),
            // Rounded once, also for subnormal numbers.
            ("0x.90071992547409p-1022", 1.251_845_100_365_765e-308),
            ("0x1p-1074", 5e-324),
            ("0x1p-1075", 0.0),
            ("0x1.8p-1075", 5e-324),
            ("0x1.fffffffffffff8p1023", f64::INFINITY),
            ("0x1.fffffffffffff7p1023", f64::MAX),
            ("0x10000000000000080", 18_446_744_073_709_551_616.0),
        ] {
            assert_eq!(atof(text.as_bytes()), value, "{text}");
        }
        assert!(atof(b"nan").is_nan());
        for (text, value) in [
            ("12abc", 12),
            ("-7", -7),
            ("+2", 2),
            ("1.9", 1),
            ("abc", 0),
            ("0x10", 0),
            ("\x0b1", 1),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            assert_eq!(atol(text.as_bytes()), value, "{text}");
        }
    }
}
