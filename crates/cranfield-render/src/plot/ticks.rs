//! Round numbers on axes.

use crate::number::{LARGE, with_exponent};

/// Steps between ticks, before a power of ten.
const STEPS: [f64; 4] = [1.0, 2.0, 2.5, 5.0];

/// The smallest round step that divides a range into at most `parts` parts; at least 1 for whole numbers.
fn step(range: f64, parts: usize, whole: bool) -> f64 {
    let least = range / parts.max(1) as f64;
    let least = if whole { least.max(1.0) } else { least };
    let power = 10f64.powf(least.log10().floor());
    let steps = STEPS.iter().map(|step| step * power);
    let mut round = steps.filter(|step| !whole || step.fract() == 0.0);
    // A hair of room, so that a range of exactly 5 steps of 0.2 has them.
    round
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// Ticks of an axis, ascending, with their labels.
pub(super) fn ticks(from: f64, to: f64, parts: usize, whole: bool) -> Vec<(f64, String)> {
    let (min, max) = (from.min(to), from.max(to));
    let range = max - min;
    if !range.is_finite() || range <= 0.0 {
        return vec![(min, text(min, 2))];
    }
    let step = step(range, parts, whole);
    let decimals = (0..12).find(|digits| {
        let scaled = step * 10f64.powi(*digits);
        (scaled - scaled.round()).abs() < 1e-6 * scaled
    });
    let largest = min.abs().max(max.abs());
    // Four digits must distinguish the ticks.
    let is_coarse = step > 1e-3 * largest;
    let exponents = is_coarse && (largest >= LARGE || decimals.is_none_or(|digits| digits > 6));
    let digits = if exponents {
        0
    } else {
        decimals.unwrap_or(12) as usize
    };
    let text = |value: f64, digits: usize| match value.abs() {
        size if exponents && size > 1e-9 * step => text_with_exponent(value),
        _ => text(value, digits),
    };
    let first = (min / step - 1e-9).ceil();
    let count = ((max / step + 1e-9).floor() - first).clamp(0.0, 1000.0) as usize;
    let mut ticks: Vec<(f64, String)> = (0..=count)
        .map(|nth| (first + nth as f64) * step)
        .map(|value| (value, text(value, digits)))
        .collect();
    let gap = ticks.first().map_or(0.0, |(first, _)| first - min);
    if whole && min.fract() == 0.0 && gap >= 0.45 * step {
        // Ranks begin at 1, which no round step meets.
        ticks.insert(0, (min, text(min, 0)));
    }
    ticks
}

/// A number with up to four digits and an exponent: `2.5e−9`.
fn text_with_exponent(value: f64) -> String {
    let text = with_exponent(value, 4);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e{exponent}").replace('-', "−")
}

fn text(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.into(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// Round limits around all these numbers; 0 to 1 if there are none.
pub(super) fn limits(values: impl IntoIterator<Item = f64>, zero: bool) -> (f64, f64) {
    let values = values.into_iter().filter(|value| value.is_finite());
    let (mut min, mut max) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
            (min.min(value), max.max(value))
        });
    if min > max {
        return (0.0, 1.0);
    }
    if zero {
        (min, max) = (min.min(0.0), max.max(0.0));
    }
    if max - min < 1e-12 * max.abs().max(1e-300) {
        let room = if max == 0.0 { 1.0 } else { max.abs() * 0.1 };
        (min, max) = (min - room, max + room);
        if zero {
            min = min.max(0.0);
        }
    }
    let step = step(max - min, 10, false);
    let low = (min / step + 1e-9).floor() * step;
    let high = (max / step - 1e-9).ceil() * step;
    // Sums of steps are not round in binary.
    (rounded(low, step), rounded(high, step))
}

fn rounded(value: f64, step: f64) -> f64 {
    let scale = 10f64.powf(3.0 - step.log10().floor());
    let round = (value * scale).round() / scale;
    if round.is_finite() { round } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: f64, to: f64, parts: usize, whole: bool) -> Vec<String> {
        let ticks = ticks(from, to, parts, whole);
        ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn huge_and_tiny_ticks_have_exponents() {
        assert_eq!(labels(0.0, 1e99, 2, false), ["0", "5e98", "1e99"]);
        assert_eq!(
            labels(-5e-281, 5e-281, 2, false),
            ["−5e−281", "0", "5e−281"]
        );
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            labels(0.0, 1.0, 5, false),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            labels(-0.5, 0.5, 4, false),
            ["−0.50", "−0.25", "0.00", "0.25", "0.50"]
        );
        assert_eq!(
            labels(1.0, 100.0, 5, true),
            ["1", "20", "40", "60", "80", "100"]
        );
        assert_eq!(labels(1.0, 5.0, 10, true), ["1", "2", "3", "4", "5"]);
        assert_eq!(labels(24.5, 0.5, 5, true), ["5", "10", "15", "20"]);
        assert_eq!(labels(3.0, 3.0, 5, false), ["3.00"]);
    }

    #[test]
    fn limits_hold_all_values_and_are_round() {
        assert_eq!(limits([0.12, 0.43], true), (0.0, 0.45));
        assert_eq!(limits([-0.31, 0.22], true), (-0.4, 0.3));
        assert_eq!(limits([0.5, 0.5], false), (0.45, 0.55));
        assert_eq!(limits([0.0], true), (0.0, 1.0));
        assert_eq!(limits([f64::NAN], true), (0.0, 1.0));
        assert_eq!(limits([1.0, 873.0], true), (0.0, 900.0));
    }
}
