//! Tests of all coefficients.

use super::*;
use crate::anova::tests::near;
use proptest::prelude::*;

const X: [f64; 7] = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
const Y: [f64; 7] = [0.85, 0.9, 0.6, 0.65, 0.5, 0.2, 0.3];
const X_TIES: [f64; 7] = [0.9, 0.8, 0.8, 0.6, 0.5, 0.4, 0.3];
const Y_TIES: [f64; 7] = [0.85, 0.9, 0.6, 0.6, 0.5, 0.2, 0.3];

/// scipy 1.17 `kendalltau`, `spearmanr`; trectools for `tau_ap`.
#[test]
fn values_of_scipy() {
    let tau = kendall(&X, &Y).unwrap();
    near(tau.tau_b.unwrap(), 0.714_285_7, 5e-8);
    assert_eq!(tau.tau_a, tau.tau_b.unwrap());
    near(tau.p.unwrap(), 0.030_158_7, 5e-8);
    assert!(tau.exact);
    near(
        spearman(&X, &Y).unwrap().coefficient.unwrap(),
        0.892_857_1,
        5e-8,
    );
    near(tau_ap(&X, &Y).unwrap().tau_ap.unwrap(), 0.5, 1e-15);
    let tied = kendall(&X_TIES, &Y_TIES).unwrap();
    near(tied.tau_b.unwrap(), 0.75, 1e-15);
    near(tied.tau_c.unwrap(), 0.734_693_9, 5e-8);
    near(tied.tau_a, 0.714_285_7, 5e-8);
    assert!(!tied.exact);
}

/// The test data of the R package ircor: x, y, x with ties, y with ties, then what its tests expect.
const IRCOR: [[[f64; 10]; 4]; 3] = [
    [
        [
            0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992,
        ],
        [
            0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988,
        ],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1.0],
        [0.8, 0.4, 0.8, 1.0, 0.7, 0.1, 0.4, 0.5, 0.6, 1.0],
    ],
    [
        [
            0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38,
        ],
        [
            0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644,
        ],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1.0, 0.6],
    ],
    [
        [
            0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445,
        ],
        [
            0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25,
        ],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1.0, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0.0, 0.2],
    ],
];

#[test]
fn values_of_ircor() {
    let close = |found: Option<f64>, expected: f64| near(found.unwrap(), expected, 5.1e-5);
    let taus = [[0.9111, 0.9398], [0.2889, 0.3765], [-0.6889, -0.6510]];
    let ties_of_y = [0.8889, 0.3333, -0.6222];
    let ap = [[0.8519, 0.7454], [0.2504, 0.2692], [-0.6971, -0.5558]];
    let ap_b = [[0.8333, 0.7321], [0.2880, 0.297], [-0.668, -0.7047]];
    for (at, [x, y, x_ties, y_ties]) in IRCOR.iter().enumerate() {
        close(kendall(x, y).unwrap().tau_b, taus[at][0]);
        close(kendall(x_ties, y_ties).unwrap().tau_b, taus[at][1]);
        close(Some(kendall(x, y_ties).unwrap().tau_a), ties_of_y[at]);
        close(tau_ap(x, y).unwrap().tau_ap, ap[at][0]);
        close(tau_ap(x, y).unwrap().tau_ap_a, ap[at][0]);
        close(tau_ap(x, y_ties).unwrap().tau_ap_a, ap[at][1]);
        close(tau_ap(x, y).unwrap().tau_ap_b, ap_b[at][0]);
        close(tau_ap(x_ties, y_ties).unwrap().tau_ap_b, ap_b[at][1]);
        close(tau_ap(y_ties, x_ties).unwrap().tau_ap_b, ap_b[at][1]);
        assert_eq!(tau_ap(x_ties, y).unwrap().tau_ap_a, None);
        assert_eq!(tau_ap(x, y_ties).unwrap().tau_ap, None);
    }
}

#[test]
fn nothing_to_correlate() {
    let tau = kendall(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!((tau.tau_b, tau.tau_c, tau.p), (None, None, None));
    assert_eq!(tau.tau_a, 0.0);
    assert_eq!(pearson(&[0.1, 0.1], &[1.0, 2.0]).unwrap().coefficient, None);
    assert_eq!(
        spearman(&[0.0, 0.0], &[0.0, 0.0]).unwrap().coefficient,
        None
    );
    assert_eq!(pearson(&[1.0, 2.0], &[1.0, 2.0]).unwrap().p, None);
    assert_eq!(
        pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]).unwrap().p,
        Some(0.0)
    );
    assert_eq!(tau_ap(&[1.0, 2.0], &[3.0, 3.0]).unwrap().tau_ap_b, None);
    let large = pearson(&[1e300, -1e300, 0.0], &[1e-300, -1e-300, 0.0]).unwrap();
    near(large.coefficient.unwrap(), 1.0, 1e-15);
}

#[test]
fn invalid_lists_are_errors() {
    assert!(kendall(&[1.0], &[1.0]).is_err());
    assert!(kendall(&[1.0, 2.0], &[1.0]).is_err());
    assert!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]).is_err());
    assert!(interval(Coefficient::Kendall, 0.5, 10, 1.5).is_err());
    assert_eq!(interval(Coefficient::Kendall, 0.5, 4, 0.95), Ok(None));
    assert_eq!(interval(Coefficient::Pearson, 1.0, 40, 0.95), Ok(None));
}

/// All pairs, one by one.
fn count_pairs(x: &[f64], y: &[f64]) -> (u64, u64) {
    let (mut concordant, mut discordant) = (0, 0);
    for i in 0..x.len() {
        for j in 0..i {
            match (x[i] - x[j]) * (y[i] - y[j]) {
                product if product > 0.0 => concordant += 1,
                product if product < 0.0 => discordant += 1,
                _ => {}
            }
        }
    }
    (concordant, discordant)
}

proptest! {
    #[test]
    fn pairs_are_counted(scores in prop::collection::vec((0..8_i32, 0..8_i32), 2..40)) {
        let x: Vec<f64> = scores.iter().map(|&(x, _)| f64::from(x)).collect();
        let y: Vec<f64> = scores.iter().map(|&(_, y)| f64::from(y)).collect();
        let tau = kendall(&x, &y).unwrap();
        prop_assert_eq!((tau.concordant, tau.discordant), count_pairs(&x, &y));
    }

    /// The mean over the orders of one tied pair is the mean of both orders.
    #[test]
    fn ties_of_y_are_averaged(order in Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle(), at in 0..7_usize) {
        let x: Vec<f64> = order.iter().map(|&value| value as f64).collect();
        let y: Vec<f64> = (0..8).map(f64::from).collect();
        let with = |first: f64, second: f64| {
            let mut y = y.clone();
            (y[at], y[at + 1]) = (first, second);
            tau_ap(&x, &y).unwrap().tau_ap_a.unwrap()
        };
        let (low, high) = (y[at], y[at + 1]);
        let mean = f64::midpoint(with(low, high), with(high, low));
        prop_assert!((with(low, low) - mean).abs() < 1e-12);
    }
}
