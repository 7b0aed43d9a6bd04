//! Numbers in claims: decimals, percentages and p-values.

use super::*;

#[test]
fn confidences_are_not_rounded_to_certainty() {
    for (alpha, expected) in [
        (0.05, "95"),
        (0.001, "99.9"),
        (0.0001, "99.99"),
        (0.000_05, "99.995"),
    ] {
        assert_eq!(wording::percent(1.0 - alpha), expected);
    }
}

#[test]
fn shares_are_not_rounded_to_nothing() {
    for (share, whole, tenths) in [
        (0.0, "0 %", "0 %"),
        (1e-9, "<1 %", "<0.1 %"),
        (0.0004, "<1 %", "<0.1 %"),
        (0.004, "<1 %", "0.4 %"),
        (0.006, "1 %", "0.6 %"),
        (1.0, "100 %", "100.0 %"),
    ] {
        assert_eq!(wording::share_in_percent(share, 0), whole);
        assert_eq!(wording::share_in_percent(share, 1), tenths);
    }
}

/// A p-value is written so that a reader can hold it against alpha.
#[test]
fn p_values_are_on_their_side_of_alpha() {
    for (p, alpha, expected) in [
        (0.012_34, 0.05, "p = 0.0123"),
        (0.000_012, 0.05, "p < 0.0001"),
        (0.000_012, 0.0001, "p < 0.0001"),
        (0.000_012, 1e-6, "p = 1.200e-5"),
        (0.0, 1e-6, "p = 0"),
        (0.000_123_4, 1e-6, "p = 1.234e-4"),
        (0.25, 1e-6, "p = 0.2500"),
        // Rounded to four decimals, these would seem to be on the other side, or neither.
        (0.050_04, 0.05, "p = 0.05004"),
        (0.05, 0.05, "p = 0.0500"),
        (0.000_14, 0.0001, "p = 0.00014"),
        (0.001_04, 0.001, "p = 0.00104"),
        (1.000_04e-6, 1e-6, "p = 1.00004e-6"),
        (0.9999, 0.5, "p = 0.9999"),
    ] {
        assert_eq!(wording::p_text("p", p, alpha), expected);
    }
}

/// All three claims can be checked where alpha is below what four decimals show.
#[test]
fn a_small_alpha_has_p_values_to_compare() {
    let second: Vec<f64> = (0..30).map(|at| 0.01 * f64::from(at)).collect();
    let wave = |at: usize| 0.001 * (at % 7) as f64;
    let first = second.iter().enumerate();
    let first: Vec<f64> = first.map(|(at, value)| value + 0.004 + wave(at)).collect();
    let settings = Settings {
        alpha: 1e-9,
        ..Settings::default()
    };
    let table = compare_scores("AP", &["a", "b"], &[first, second], &settings).unwrap();
    let (pair, says) = (&table.pairs[0], &table.pairs[0].claim.says);
    assert!(pair.significant && pair.p < 1e-9);
    let p = cranfield_render::with_exponent(pair.p, 4);
    assert!(says.contains(&format!("p = {p} (paired t test)")), "{says}");
}

/// Means and difference may be small by chance: the interval says how large scores are, and its ends have decimals.
#[test]
fn small_means_of_usual_scores_have_decimals() {
    // Sums of four topics: 0.0008 and 0.0012, of scores up to 2. The differences have squares of 39.984: the interval is
    // 0.0001 ± 3.18245 sqrt(39.984 / 12).
    let scores = [vec![1.0, -1.0, 2.0, -1.9992], vec![-1.0, 1.0, -1.9988, 2.0]];
    let table = compare_scores("AP", &["a", "b"], &scores, &Settings::default()).unwrap();
    let says = &table.pairs[0].claim.says;
    assert!(says.contains("from a to b (0.0002 to 0.0003, "), "{says}");
    assert!(says.contains("interval -5.8091 to 5.8093. "), "{says}");
}

/// z-scores of two runs are ±sqrt(1/2): where each wins half of the topics, the means are 0, and so is what is printed.
#[test]
fn a_mean_of_rounding_errors_is_zero() {
    let first: Vec<f64> = (0..12).map(|at| [0.1, 0.7][at % 2]).collect();
    let second: Vec<f64> = (0..12).map(|at| 0.3 + 0.01 * f64::from(at)).collect();
    let settings = Settings {
        standardise: Some(Standardisation::Z),
        ..Settings::default()
    };
    let table = compare_scores("AP", &["a", "b"], &[first, second], &settings).unwrap();
    assert_eq!(table.systems.iter().map(|it| it.mean).sum::<f64>(), 0.0);
    let pair = &table.pairs[0];
    assert_eq!(pair.difference, 0.0);
    let says = &pair.claim.says;
    assert!(says.contains("(0.0000 to 0.0000)"), "{says}");
    assert!(says.contains("interval -0.9385 to 0.9385"), "{says}");
    let text = &pair.claim.does_not_say;
    assert!(
        text.contains("With 12 topics, the minimum detectable difference is 1.31"),
        "{text}"
    );
    assert!(!(says.clone() + text).contains("e-"), "{says} {text}");
}
