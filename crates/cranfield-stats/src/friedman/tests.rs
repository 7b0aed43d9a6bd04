use super::*;
use crate::anova::tests::{near, sakai};

/// scipy 1.17 `friedmanchisquare`; scikit-posthocs 0.17.
#[test]
fn sakais_systems() {
    let friedman = test(&sakai()).unwrap();
    near(friedman.chi_square.unwrap(), 2.238_805_970_1, 1e-10);
    near(friedman.p, 0.326_474_646_7, 1e-10);
    near(friedman.kendall_w.unwrap(), 0.055_97, 5e-6);
    near(friedman.iman_davenport.statistic.unwrap(), 1.126_482, 5e-7);
    let [ab, _, bc] = nemenyi(&sakai()).unwrap()[..] else {
        panic!()
    };
    near(ab.p, 0.461_606, 5e-7);
    near(bc.p, 1.0, 0.0);
    near(conover(&sakai()).unwrap()[0].p, 0.201_468, 5e-7);
    near(siegel(&sakai()).unwrap()[0].p, 0.235_680, 5e-7);
}

/// Demšar's table of two-tailed critical values: q / sqrt(2) at 0.05 is 1.960, 2.343, 2.569, ..., 3.164 for 10 systems.
#[test]
fn critical_differences_of_demsar() {
    for (systems, q) in [(2, 1.960), (3, 2.343), (4, 2.569), (7, 2.949), (10, 3.164)] {
        let m = systems as f64;
        let difference = critical_difference(systems, 30, 0.05).unwrap();
        // The table rounds some and cuts others after three digits.
        near(difference / (m * (m + 1.0) / 180.0).sqrt(), q, 0.000_99);
    }
    assert!(critical_difference(1, 30, 0.05).is_err());
    assert!(critical_difference(3, 0, 0.05).is_err());
    assert!(critical_difference(3, 30, 0.0).is_err());
}

/// Friedman's exact table: m = 3, n = 4, sum of squared deviations 26 (chi-square 6.5) has p = 0.042; n = 3, 18 has 0.028;
/// m = 4, n = 2, 20 (chi-square 6) has 0.042.
#[test]
fn exact_tables() {
    let p = |rows: &[Vec<f64>]| exact_p(&ScoreMatrix::new(rows).unwrap()).unwrap().unwrap();
    let rows = [
        vec![1., 1., 1., 2.],
        vec![2., 2., 3., 1.],
        vec![3., 3., 2., 3.],
    ];
    // Rank sums 5, 8, 11: deviations 3, 0, 3: 18 and chi-square 4.5.
    near(p(&rows), 0.125, 0.0005);
    let rows = [
        vec![1., 1., 1., 1.],
        vec![2., 2., 2., 3.],
        vec![3., 3., 3., 2.],
    ];
    // 4, 9, 11: 16 + 1 + 9 = 26.
    near(p(&rows), 0.042, 0.0005);
    let rows = [vec![1., 1.], vec![2., 2.], vec![3., 3.], vec![4., 4.]];
    near(p(&rows), 0.042, 0.0005);
}

/// The search gives up after a quarter of 140 topics with this much work, not before.
#[test]
fn too_many_rank_sums_are_given_up_early() {
    assert!(is_hopeless(300_000, 35, (3, 140)));
    assert!(!is_hopeless(300_000, 34, (3, 140)));
    assert!(!is_hopeless(30_000, 35, (3, 140)));
}

/// With ties, and against chance: the exact p lies within five standard errors of the shuffled one.
#[test]
fn exact_and_shuffled_agree() {
    let exact = exact_p(&sakai()).unwrap().unwrap();
    let resampling = Resampling {
        replicates: 40_000,
        seed: 5,
    };
    let shuffled = permutation_p(&sakai(), resampling).unwrap();
    near(
        shuffled,
        exact,
        5.0 * (exact * (1.0 - exact) / 40_000.0).sqrt(),
    );
    // The chi-square is an approximation of the same.
    near(exact, test(&sakai()).unwrap().p, 0.03);
}

#[test]
fn permutations_with_ties_do_not_repeat() {
    assert_eq!(distinct_orders(&[1, 1]), [[1, 1]]);
    assert_eq!(distinct_orders(&[3, 1, 3]).len(), 3);
    assert_eq!(distinct_orders(&[1, 2, 2, 1]).len(), 6);
    assert_eq!(distinct_orders(&[1, 2, 3, 4]).len(), 24);
}

#[test]
fn nothing_to_test() {
    let tied = ScoreMatrix::new(&[[0.1 + 0.2, 0.5], [0.3, 0.5], [0.3, 0.5]]).unwrap();
    let friedman = test(&tied).unwrap();
    assert_eq!(
        (friedman.chi_square, friedman.kendall_w, friedman.p),
        (None, None, 1.0)
    );
    assert_eq!(
        friedman.iman_davenport.degenerate,
        Some(Degenerate::Identical)
    );
    assert_eq!(exact_p(&tied), Ok(Some(1.0)));
    assert!(conover(&tied).unwrap().iter().all(|pair| pair.p == 1.0));
    let agree = ScoreMatrix::new(&[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]).unwrap();
    let friedman = test(&agree).unwrap();
    near(friedman.chi_square.unwrap(), 4.0, 1e-12);
    assert_eq!(friedman.iman_davenport.statistic, None);
    assert_eq!(friedman.iman_davenport.p, 0.0);
    // Two topics agree on the order of two systems with probability one half.
    assert_eq!(conover(&agree).unwrap()[0].p, 0.5);
    let often = ScoreMatrix::new(&[[1.0; 6], [2.0; 6], [2.0; 6]]).unwrap();
    let p: Vec<f64> = conover(&often).unwrap().iter().map(|pair| pair.p).collect();
    assert_eq!(p, [1.0 / 32.0, 1.0 / 32.0, 1.0]);
    let equal = ScoreMatrix::new(&[[0.5, 0.5], [0.5, 0.5]]).unwrap();
    assert_eq!(dunn(&equal).unwrap()[0].p, 1.0);
}

#[test]
fn too_many_systems_for_all_assignments() {
    let rows: Vec<Vec<f64>> = (0..7).map(|row| vec![f64::from(row); 3]).collect();
    assert_eq!(exact_p(&ScoreMatrix::new(&rows).unwrap()), Ok(None));
}
