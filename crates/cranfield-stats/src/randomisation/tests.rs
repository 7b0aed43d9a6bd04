//! Tests of all parts.

use super::*;
use crate::matrix::ScoreMatrix;
use crate::testing::{A, B, C, on_threads, within};
use proptest::prelude::*;

fn exact(d: &[f64], alternative: Alternative) -> f64 {
    let d = Differences::alone(d).unwrap();
    randomisation_of_differences(&d, Method::Exact, alternative)
        .unwrap()
        .p
}

#[test]
fn sakai_20_topics() {
    let p = |count: usize| {
        let d = Differences::of(&A[..count], &B[..count]).unwrap();
        exact(d.values(), Alternative::TwoSided)
    };
    assert_eq!(p(20), 0.065_917_968_75);
    assert_eq!(p(12), 0.070_312_5);
}

#[test]
fn meeting_in_the_middle_is_the_distribution() {
    let d = Differences::of(&A, &B).unwrap();
    let grid = Quantised::of_differences(&d).unwrap();
    let flips = Flips::of(&grid, Alternative::TwoSided);
    let sizes: Vec<i64> = flips.nonzero.iter().map(|unit| unit.abs()).collect();
    let met = met_tail(&sizes, flips.least);
    assert_eq!(Some(met), coarse_tail(&sizes, flips.least));
    assert_eq!(2.0 * met, 0.065_917_968_75);
}

#[test]
fn random_signs_come_near() {
    let resampling = Resampling::default();
    let test = randomisation(
        &A,
        &B,
        Method::MonteCarlo(resampling),
        Alternative::TwoSided,
    );
    let test = test.unwrap();
    let Signs::Random { standard_error, .. } = test.signs else {
        panic!("asked for random signs")
    };
    within(test.p, 0.065_917_968_75, 4.0 * standard_error);
}

#[test]
fn pairs_are_single_tests() {
    let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
    let resampling = Resampling {
        replicates: 10_001,
        seed: 5,
    };
    let rows = [A, B, C];
    for alternative in [
        Alternative::TwoSided,
        Alternative::Greater,
        Alternative::Less,
    ] {
        let pairs = randomisation_of_pairs(&scores, resampling, alternative).unwrap();
        for pair in pairs {
            let method = Method::MonteCarlo(resampling);
            let (a, b) = (&rows[pair.first], &rows[pair.second]);
            let single = randomisation(a, b, method, alternative).unwrap();
            assert_eq!(single.p, pair.p);
            assert_eq!(single.signs, pair.signs);
        }
    }
}

#[test]
fn a_statistic_of_choice() {
    let mean = |a: &[f64], b: &[f64]| crate::sample::mean(Differences::of(a, b).ok()?.values());
    let run = |count: usize, method| {
        let (a, b) = (&A[..count], &B[..count]);
        randomisation_of_statistic(a, b, mean, method, Alternative::TwoSided)
    };
    let all = run(12, Method::default()).unwrap();
    assert_eq!((all.p, all.signs), (0.070_312_5, Signs::All));
    let some = run(20, Method::default()).unwrap();
    within(some.p, 0.065_917_968_75, 0.004);
    within(some.signs.share().unwrap(), some.p, 1e-4);
    assert!(run(20, Method::Exact).is_err());
    let nothing = |_: &[f64], _: &[f64]| None;
    let undefined = randomisation_of_statistic(&A, &B, nothing, Method::Exact, Alternative::Less);
    assert!(undefined.is_err());
}

#[test]
fn results_do_not_depend_on_threads() {
    let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
    let pairs = || randomisation_of_pairs(&scores, Resampling::default(), Alternative::TwoSided);
    assert_eq!(on_threads(1, pairs), on_threads(2, pairs));
}

/// More topics than are drawn at a time, one of which decides: the others differ by less than a unit.
#[test]
fn many_topics() {
    let mut d = vec![1e-14; 2000];
    d[1500] = 1.0;
    let d = Differences::alone(&d).unwrap();
    let method = Method::MonteCarlo(Resampling::default());
    let p = |alternative| {
        randomisation_of_differences(&d, method, alternative)
            .unwrap()
            .p
    };
    assert_eq!(p(Alternative::TwoSided), 1.0);
    within(p(Alternative::Greater), 0.5, 0.01);
}

#[test]
fn identical_systems_and_errors() {
    let none = Resampling {
        replicates: 0,
        seed: 1,
    };
    for method in [Method::default(), Method::Exact] {
        let test = randomisation(&A, &A, method, Alternative::TwoSided).unwrap();
        assert_eq!((test.p, test.zeros), (1.0, 20));
        assert_eq!(test.degenerate, Some(Degenerate::Identical));
    }
    assert!(randomisation(&A, &B, Method::MonteCarlo(none), Alternative::Less).is_err());
    let irregular: Vec<f64> = (1..60).map(|i| f64::from(i).sqrt()).collect();
    let irregular = Differences::alone(&irregular).unwrap();
    let test = |method| randomisation_of_differences(&irregular, method, Alternative::Less);
    assert!(matches!(
        test(Method::Exact),
        Err(StatsError::TooMany { .. })
    ));
    assert!(matches!(
        test(Method::default()).unwrap().signs,
        Signs::Random { .. }
    ));
}

/// Half of all signs are positive: with an odd number of irrational differences no sum is zero.
#[test]
fn fifty_differences() {
    let d: Vec<f64> = (1..=49)
        .map(|i| f64::from(i).sqrt())
        .chain([1e-13])
        .collect();
    let p = exact(&d, Alternative::Greater);
    assert_eq!(p, 2.0_f64.powi(-49));
}

proptest! {
    #[test]
    fn exact_is_the_share_of_all_signs(
        d in prop::collection::vec(prop_oneof![(-5..=5).prop_map(|x| f64::from(x) / 7.0), -1.0..1.0], 1..=12),
    ) {
        let observed: f64 = d.iter().sum();
        let sum = |signs: u32| -> f64 {
            let sign = |at: usize| if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
            d.iter().enumerate().map(|(at, d)| sign(at) * d).sum()
        };
        let all = 1_u32 << d.len();
        let share = |reaches: &dyn Fn(f64) -> bool| {
            (0..all).filter(|&signs| reaches(sum(signs))).count() as f64 / f64::from(all)
        };
        let slack = 1e-11;
        let two = share(&|sum| sum.abs() >= observed.abs() - slack);
        prop_assert_eq!(exact(&d, Alternative::TwoSided), two);
        prop_assert_eq!(exact(&d, Alternative::Greater), share(&|sum| sum >= observed - slack));
        prop_assert_eq!(exact(&d, Alternative::Less), share(&|sum| sum <= observed + slack));
    }
}
