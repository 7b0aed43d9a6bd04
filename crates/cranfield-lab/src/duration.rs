//! Durations as users write and read them.

use std::time::Duration;

/// Parses a duration such as `500us`, `50ms`, `1.5s`, `10m` or `1h`.
///
/// ```
/// use cranfield_lab::duration::parse_duration;
/// use std::time::Duration;
///
/// assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
/// assert_eq!(parse_duration("10m"), Ok(Duration::from_secs(600)));
/// assert!(parse_duration("10").is_err() && parse_duration("-1s").is_err());
/// ```
///
/// # Errors
/// If the text is not a number of at least 0 with a unit, or is more than a year.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let bad = || format!("found `{text}`, expected a duration such as 50ms, 1.5s or 10m");
    let end = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ');
    let (number, unit) = text.split_at(end.ok_or_else(bad)?);
    let scale = match unit {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(bad()),
    };
    let seconds = number.trim().parse::<f64>().map_err(|_| bad())? * scale;
    if !(0.0..=366.0 * 86_400.0).contains(&seconds) {
        return Err(bad());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A number of seconds with three significant digits and a fitting unit: `1.52 s`, `948 µs`.
///
/// ```
/// use cranfield_lab::duration::seconds;
///
/// assert_eq!([1.5213, 0.00948, 0.000_012_34, 90.0, 0.0].map(seconds), ["1.52 s", "9.48 ms", "12.3 µs", "90.0 s", "0 s"]);
/// ```
pub fn seconds(value: f64) -> String {
    let (scaled, unit) = match value {
        0.0 => return "0 s".into(),
        value if value.abs() < 0.999_5e-3 => (value * 1e6, "µs"),
        value if value.abs() < 0.9995 => (value * 1e3, "ms"),
        value => (value, "s"),
    };
    format!("{} {unit}", significant(scaled))
}

/// A number with three significant digits, without an exponent.
pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
