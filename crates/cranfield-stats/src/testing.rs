//! Data that tests share: three systems of T. Sakai on 20 topics, as in the tests of elinor 0.4.

use crate::random::Resampling;

pub(crate) const A: [f64; 20] = [
    0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0.0, 0.7, 0.1, 0.3, 0.5, 0.4, 0.0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2,
    0.1,
];
pub(crate) const B: [f64; 20] = [
    0.5, 0.1, 0.0, 0.2, 0.4, 0.3, 0.0, 0.5, 0.3, 0.3, 0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3,
    0.2,
];
pub(crate) const C: [f64; 20] = [
    0.0, 0.0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4,
    0.3,
];

pub(crate) const RESAMPLING: Resampling = Resampling {
    replicates: 20_000,
    seed: 42,
};

/// Computes something on that many threads.
pub(crate) fn on_threads<T: Send>(threads: usize, compute: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(compute)
}

/// Equal to the ten decimals that are published.
#[track_caller]
pub(crate) fn near(found: f64, expected: f64) {
    within(found, expected, 1e-10);
}

#[track_caller]
pub(crate) fn within(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "found {found}, expected {expected}"
    );
}
