//! Simulations of estimators.

use cranfield_stats::random::Stream;

use super::Estimate;

/// Checks over 1,000 draws that the mean of an estimate is within two standard errors of the truth, and that 93 % to 97 % of the intervals
/// contain the truth.
pub(crate) fn check(truth: f64, mut draw: impl FnMut(&mut Stream) -> Estimate) {
    const DRAWS: u64 = 1_000;
    let (mut sum, mut squares, mut covered) = (0.0, 0.0, 0);
    for number in 0..DRAWS {
        let estimate = draw(&mut Stream::new(42, number));
        sum += estimate.total;
        squares += estimate.total * estimate.total;
        let (low, high) = estimate.interval.unwrap();
        covered += u32::from((low..=high).contains(&truth));
    }
    let draws = DRAWS as f64;
    let mean = sum / draws;
    let error = ((squares / draws - mean * mean) / draws).sqrt();
    assert!(
        (mean - truth).abs() <= 2.0 * error,
        "{mean} not {truth} +- {error}"
    );
    assert!((930..=970).contains(&covered), "covered {covered}");
}
