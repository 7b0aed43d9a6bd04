//! Lines of output.

/// Width of the column of names; longer names are not cut.
const NAME_WIDTH: usize = 22;

/// A value to print.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    Real(f64),
    Whole(f64),
    Text(&'a [u8]),
    Quoted(&'a str),
}

/// Whether numbers are z-scores, which are marked and printed as reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Raw,
    ZScores,
}

/// Appends a line.
pub(super) fn line(out: &mut Vec<u8>, scale: Scale, name: &str, topic: &[u8], cell: Cell<'_>) {
    let is_number = matches!(cell, Cell::Real(_) | Cell::Whole(_));
    if scale == Scale::ZScores && is_number {
        out.push(b'Z');
    }
    out.extend_from_slice(name.as_bytes());
    out.resize(out.len() + NAME_WIDTH.saturating_sub(name.len()), b' ');
    out.push(b'\t');
    out.extend_from_slice(topic);
    out.push(b'\t');
    match cell {
        Cell::Whole(value) if scale == Scale::Raw => {
            out.extend_from_slice((value as i64).to_string().as_bytes());
        }
        Cell::Real(value) | Cell::Whole(value) => push_real(out, value),
        Cell::Text(text) => out.extend_from_slice(text),
        Cell::Quoted(text) => {
            out.push(b'\'');
            out.extend_from_slice(text.as_bytes());
            out.push(b'\'');
        }
    }
    out.push(b'\n');
}

/// Appends C's `%6.4f`.
fn push_real(out: &mut Vec<u8>, value: f64) {
    if let Some(ten_thousandths) = ten_thousandths(value) {
        push_decimal(out, ten_thousandths);
    } else {
        out.extend_from_slice(real(value).as_bytes());
    }
}

/// The number of ten-thousandths that a value rounds to, unless it is so close to a tie that the multiplication may decide it.
fn ten_thousandths(value: f64) -> Option<u64> {
    let is_plain = value.is_sign_positive() && value < 1e5;
    let scaled = value * 1e4;
    let whole = scaled.floor();
    let rest = scaled - whole;
    (is_plain && (rest - 0.5).abs() > 1e-5).then(|| whole as u64 + u64::from(rest > 0.5))
}

fn push_decimal(out: &mut Vec<u8>, ten_thousandths: u64) {
    let digits = ten_thousandths.to_string();
    let mut padded = [b'0'; 24];
    let start = padded.len() - digits.len();
    padded[start..].copy_from_slice(digits.as_bytes());
    let (whole, decimals) = padded.split_at(padded.len() - 4);
    out.extend_from_slice(&whole[start.min(whole.len() - 1)..]);
    out.push(b'.');
    out.extend_from_slice(decimals);
}

/// C's `%6.4f`.
fn real(value: f64) -> String {
    if value.is_nan() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{:>6}", format!("{sign}nan"));
    }
    // C and Rust print infinities alike.
    format!("{value:>6.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_in_c() {
        let cases = [
            (0.5, "0.5000"),
            (1e10, "10000000000.0000"),
            (-1e-9, "-0.0000"),
            (-0.0, "-0.0000"),
            (f64::INFINITY, "   inf"),
            (f64::NEG_INFINITY, "  -inf"),
            (f64::NAN, "   nan"),
            (-f64::NAN, "  -nan"),
            (1.0 / 32.0, "0.0312"),
            (3.0 / 32.0, "0.0938"),
            (5.0 / 32.0, "0.1562"),
        ];
        for (value, expected) in cases {
            assert_eq!(real(value), expected);
            assert_eq!(shortcut(value), expected);
        }
    }

    fn shortcut(value: f64) -> String {
        let mut out = Vec::new();
        push_real(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    proptest::proptest! {
        #[test]
        fn the_short_way_is_the_long_way(value in -2.0..2e5f64, n in 0u32..4096) {
            proptest::prop_assert_eq!(shortcut(value), real(value));
            let fraction = f64::from(n) / 1024.0;
            proptest::prop_assert_eq!(shortcut(fraction), real(fraction));
            let tie = (f64::from(n) + 0.5) / 1e4;
            proptest::prop_assert_eq!(shortcut(tie), real(tie));
        }
    }

    #[test]
    fn lines_are_padded_and_marked() {
        let shown = |scale, name, cell| {
            let mut out = Vec::new();
            line(&mut out, scale, name, b"q1", cell);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            shown(Scale::Raw, "map", Cell::Real(0.25)),
            "map                   \tq1\t0.2500\n"
        );
        assert_eq!(
            shown(Scale::Raw, "num_ret", Cell::Whole(3.9)),
            "num_ret               \tq1\t3\n"
        );
        assert_eq!(
            shown(Scale::ZScores, "num_ret", Cell::Whole(0.0)),
            "Znum_ret               \tq1\t0.0000\n"
        );
        assert_eq!(
            shown(Scale::ZScores, "relstring", Cell::Quoted("10")),
            "relstring             \tq1\t'10'\n"
        );
        assert_eq!(
            shown(Scale::Raw, "prefs_num_prefs_ful_ret", Cell::Whole(3.0)),
            "prefs_num_prefs_ful_ret\tq1\t3\n"
        );
    }
}
