//! Formatting of numbers, percentages, p-values and corrections in sentences and tables.

use cranfield_render::{plural, with_exponent};
use cranfield_stats::corrections::Correction;

/// A statistic of a test: an integer, or two decimals.
pub(super) fn figure(value: f64) -> String {
    if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

/// A corrected p-value, its correction and the uncorrected p-value.
pub(super) fn corrected_p(
    title: &str,
    (alone, corrected): (f64, f64),
    correction: Correction,
    count: usize,
    alpha: f64,
) -> String {
    let tests = plural(count, "test");
    let p_text = |p: f64| p_text("p", p, alpha);
    match correction {
        _ if count == 1 => format!("{} ({title})", p_text(alone)),
        Correction::None => {
            let p = p_text(alone);
            format!("{p} ({title}, not corrected for {tests})")
        }
        correction => {
            let (p, method) = (p_text(corrected), correction_title(correction));
            format!(
                "{p} ({title}, {method} for {tests}; uncorrected {})",
                bare_p(alone, alpha)
            )
        }
    }
}

/// A p-value without its name.
pub fn bare_p(p: f64, alpha: f64) -> String {
    let text = p_text("", p, alpha);
    text.replace(" = ", "").trim().to_owned()
}

/// A confidence level as a percentage without trailing zeros.
pub fn percent(level: f64) -> String {
    let text = format!("{:.10}", 100.0 * level);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A proportion as a percentage with this number of decimals, such as `<0.1 %` if it would be rounded to 0.
pub fn share_in_percent(share: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", 100.0 * share);
    let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
    match is_zero {
        true if share > 0.0 => format!("<{} %", least_shown(decimals)),
        true => "0 %".into(),
        false => text + " %",
    }
}

/// The smallest positive number with this number of decimals.
fn least_shown(decimals: usize) -> String {
    match decimals {
        0 => "1".into(),
        decimals => format!("0.{:0>decimals$}", 1),
    }
}

/// Smaller p-values are written as `p < 0.0001`, unless alpha is smaller still.
const SMALL_P: f64 = 0.0001;

/// Number of digits that distinguishes any two numbers.
const MOST_DIGITS: usize = 17;

/// A p-value in a sentence, with four decimals, or more if they are needed to see on which side of alpha it is.
pub fn p_text(name: &str, p: f64, alpha: f64) -> String {
    if p < SMALL_P && alpha >= SMALL_P {
        return format!("{name} < {SMALL_P}");
    }
    let has_exponent = p < 10.0 * SMALL_P && alpha < SMALL_P;
    let written = |digits: usize| match has_exponent {
        true if p == 0.0 => "0".into(),
        true => with_exponent(p, digits),
        false => format!("{p:.digits$}"),
    };
    let is_right = |text: &String| {
        let read = text.parse::<f64>();
        read.is_ok_and(|read| (read <= alpha) == (p <= alpha))
    };
    let found = (4..=MOST_DIGITS).map(written).find(is_right);
    format!("{name} = {}", found.unwrap_or_else(|| written(MOST_DIGITS)))
}

/// A correction in a sentence.
pub(super) fn correction_title(correction: Correction) -> &'static str {
    match correction {
        Correction::None => "none",
        Correction::Bonferroni => "Bonferroni",
        Correction::Sidak => "Sidak",
        Correction::Holm => "Holm",
        Correction::HolmSidak => "Holm-Sidak",
        Correction::Hochberg => "Hochberg",
        Correction::Hommel => "Hommel",
        Correction::BenjaminiHochberg => "Benjamini-Hochberg",
        Correction::BenjaminiYekutieli => "Benjamini-Yekutieli",
    }
}
