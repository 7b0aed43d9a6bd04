//! The rates of the gate: those of its page are what the example prints, and agree with theory.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "../examples/gate_rates.rs"]
mod gate_rates;

use std::path::Path;

/// Quantile of the normal distribution for bands that hold in 99 % of cases for all 54 rates together: 1 - 0.005 / 54.
const WIDE: f64 = 3.74;

#[test]
fn rates_agree_with_theory_and_with_the_page() {
    let rows = gate_rates::rows().unwrap();
    let samples = gate_rates::samples() as f64;
    for row in &rows {
        let (found, expected) = (&row.found, &row.expected);
        for (found, expected) in [
            (found.pass, expected.pass),
            (found.inconclusive, expected.inconclusive),
            (found.fail, expected.fail),
        ] {
            let error = (expected * (1.0 - expected) / samples).sqrt();
            // A rate that theory has as nearly 0 or 1 may still be seen once.
            let band = WIDE * error + 1.5 / samples;
            assert!(
                (found - expected).abs() <= band,
                "{:?} {}x: {found}, expected {expected}",
                row.design,
                row.times
            );
        }
        match row.times {
            0 => assert!(
                found.fail <= row.design.alpha_drop + 0.008,
                "{}",
                found.fail
            ),
            1 => assert!(
                (found.fail - 0.8).abs() < 0.02 && found.pass < 0.05,
                "{}",
                found.fail
            ),
            _ => assert!(found.fail > 0.98 && found.pass < 0.001, "{}", found.fail),
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/gate-rates.md");
    if std::env::var_os("CRANFIELD_BLESS").is_some() {
        std::fs::write(&page, gate_rates::page(&rows)).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(page).unwrap(),
        gate_rates::page(&rows)
    );
}
