//! Numbers against the standard library and against C.

use cranfield_io::Limits;
use cranfield_io::trec::{Dialect, RunLines, atof, atol, strict};

use super::{Target, strings};
use crate::reference::{self, number, same, strtod, strtol};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "numbers",
        property: "strict numbers are the standard library's; `atof` and `atol` are C's, bit by bit",
        run: numbers,
        seeds: number_seeds,
        dictionary: DICTIONARY,
        max_len: 48,
        smoke: 2_000_000,
    },
    Target {
        name: "decimals",
        property: "every plain decimal is read as the standard library reads it, alone and inside of lines",
        run: decimals,
        seeds: decimal_seeds,
        dictionary: &[
            "0000000000",
            "9999999",
            "4503599627370496.5",
            "9007199254740993",
            ".",
            "-",
        ],
        max_len: 48,
        smoke: 600_000,
    },
    Target {
        name: "limits",
        property: "a limit of bytes is a number times a power of 1024, or refused",
        run: limits,
        seeds: || {
            strings(&[
                "64G",
                "16 MiB",
                "1024",
                "0b",
                "18446744073709551615",
                "99999999T",
            ])
        },
        dictionary: &["K", "M", "G", "T", "KiB", "B", "18446744073709551615", " "],
        max_len: 40,
        smoke: 300_000,
    },
];

const DICTIONARY: &[&str] = &[
    "nan",
    "NaN(",
    "inf",
    "infinity",
    "-INF",
    "0x",
    "0x1p",
    "0x.8p-1",
    "p+1023",
    "p-1074",
    "p-1075",
    "1e308",
    "1e309",
    "1e-324",
    "e-",
    "E+",
    "2.2250738585072011e-308",
    "4503599627370496.5",
    "9007199254740993",
    "9223372036854775807",
    "\x0b",
    " ",
    "0000000000000000000000000000000000000001",
];

fn number_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "12.345678",
        "-3.5",
        ".5",
        "5.",
        "1e-05",
        "+2",
        "NaN",
        "-infinityx",
        "0x1.8p1",
        "1e",
        "1e400",
        "12abc",
        "-7",
        "99999999999999999999",
        "0x1.fffffffffffff8p1023",
        "0x0.00000000000008p-1022",
        "179769313486231580793e289",
        "",
        " 1",
        "\x0b1",
        "0x1p99999999999999999999",
    ])
}

fn numbers(token: &[u8]) {
    let (found, expected) = (strict(token), number(token));
    let agree = match (found, expected) {
        (Some(found), Some(expected)) => same(found, expected),
        (found, expected) => found.is_none() && expected.is_none(),
    };
    assert!(
        agree,
        "strict: {found:?}, the standard library: {expected:?}"
    );
    let (found, expected) = (atof(token), strtod(token));
    // The C library here rounds some hexadecimal numbers below the normal range to the wrong neighbour:
    // `0x.34071992547409p-1022` lies nearer to what we read, as Python agrees.
    let neighbours = found.is_subnormal() && found.to_bits().abs_diff(expected.to_bits()) <= 1;
    assert!(
        same(found, expected) || neighbours,
        "atof: {found:e}, C: {expected:e}"
    );
    assert_eq!(atol(token), strtol(token), "atol and C");
}

fn decimal_seeds() -> Vec<Vec<u8>> {
    let decimals = "12.345678 -3.5 0.1 9007199254740991 123456789012345.6 .5 5. -0 0.12345678 1.000000001 00012.50";
    strings(&decimals.split(' ').collect::<Vec<_>>())
}

/// Makes a decimal from any bytes: at most one sign and one point.
fn decimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'-' if text.is_empty() => text.push('-'),
            b'.' if !text.contains('.') => text.push('.'),
            _ => text.push(char::from(b'0' + byte % 16 % 10)),
        }
    }
    if !text.contains(|c: char| c.is_ascii_digit()) {
        text.push('0');
    }
    text
}

fn decimals(bytes: &[u8]) {
    let text = decimal(bytes);
    let expected: f64 = text
        .parse()
        .expect("digits with a sign and a point are a number");
    let found = strict(text.as_bytes());
    assert!(
        found.is_some_and(|found| same(found, expected)),
        "strict: {found:?}, expected {expected:e}"
    );
    assert!(same(atof(text.as_bytes()), expected));
    // The second and third line are read the quick way, and what follows the number differs.
    let lines = format!(
        "1 Q0 a 1 7 tag\n1 Q0 b 2 {text} tag\n1 Q0 c 3 {text} tag\n1 Q0 d 4 {text} t\n1 Q0 e 5 {text}\tt\n"
    );
    for dialect in [Dialect::Strict, Dialect::TrecEval] {
        let scores: Vec<f64> = RunLines::new(lines.as_bytes(), dialect)
            .flatten()
            .map(|line| line.score)
            .collect();
        let wanted = if expected.is_finite() || dialect == Dialect::TrecEval {
            5
        } else {
            1
        };
        assert_eq!(scores.len(), wanted);
        assert!(
            scores[1..].iter().all(|score| same(*score, expected)),
            "{scores:?}"
        );
    }
}

fn limits(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(Limits { max_expanded }) = Limits::parse(&text) else {
        return;
    };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let number: u64 = digits
        .parse()
        .expect("a limit that is read has a number that fits");
    let is_power = [0, 10, 20, 30, 40]
        .iter()
        .any(|shift| number.checked_mul(1 << shift) == Some(max_expanded));
    assert!(is_power, "{max_expanded}");
    let printed = Limits::parse(&max_expanded.to_string()).map(|limits| limits.max_expanded);
    assert_eq!(printed, Ok(max_expanded));
    let _ = reference::digest(bytes);
}
