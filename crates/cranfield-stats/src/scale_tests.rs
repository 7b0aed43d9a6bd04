//! Multiplying all scores by the same factor changes no p-value, standardised effect or rank.

use crate::anova::{one_way, two_way};
use crate::bootstrap::{self, Statistic, bootstrap_mean, bootstrap_test, rank_intervals};
use crate::effect::effect_sizes;
use crate::equivalence::{PRIOR, bayesian_signed_rank, tost};
use crate::matrix::ScoreMatrix;
use crate::non_inferiority::{DropNull, drop_test};
use crate::paired_t::paired_t;
use crate::random::Resampling;
use crate::randomisation::randomisation_of_statistic;
use crate::randomisation::{Method, ShiftedTests, randomisation, randomisation_of_pairs};
use crate::rank_correlation::{kendall, pearson, spearman, tau_ap};
use crate::sample::Differences;
use crate::sign::sign_test;
use crate::standardise::{Divisor, factors, standardise};
use crate::testing::{A, B, C};
use crate::wilcoxon::{Method as RankMethod, ZeroRule, wilcoxon};
use crate::wins::Tolerance;
use crate::{Alternative, dunnett, friedman, randomised_tukey, standardise, tukey};

const SIDES: Alternative = Alternative::TwoSided;
const RESAMPLING: Resampling = Resampling {
    replicates: 500,
    seed: 4,
};

/// A figure without a unit, by name.
type Figures = Vec<(&'static str, f64)>;

fn scaled(scores: [f64; 20], by: f64) -> [f64; 20] {
    scores.map(|score| score * by)
}

/// Tests of two systems.
fn of_pair(by: f64) -> Figures {
    let (a, b) = (scaled(A, by), scaled(B, by));
    let t = paired_t(&a, &b, SIDES, 0.95).unwrap();
    let signed = |zeros| wilcoxon(&a, &b, zeros, RankMethod::Auto, SIDES).unwrap().p;
    let drawn = randomisation(&a, &b, Method::MonteCarlo(RESAMPLING), SIDES).unwrap();
    let medians = |a: &[f64], b: &[f64]| Some(median(a) - median(b));
    let of_medians = randomisation_of_statistic(&a[..12], &b[..12], medians, Method::Exact, SIDES);
    let shift = |statistic| {
        bootstrap_test(&a, &b, statistic, SIDES, RESAMPLING)
            .unwrap()
            .p
    };
    let d = Differences::of(&a, &b).unwrap();
    let bca = bootstrap_mean(d.values(), bootstrap::Method::Bca, 0.95, RESAMPLING);
    let bca = bca.unwrap().interval.unwrap();
    let posterior = bayesian_signed_rank(&a, &b, 0.05 * by, PRIOR, RESAMPLING).unwrap();
    let sizes = effect_sizes(&a, &b, 0.95, RESAMPLING).unwrap();
    vec![
        ("t", t.p),
        ("low of t", t.interval.low / by),
        ("deviation", t.standard_deviation / by),
        ("low of BCa", bca.low / by),
        ("high of BCa", bca.high / by),
        ("Wilcoxon", signed(ZeroRule::Wilcox)),
        ("Pratt", signed(ZeroRule::Pratt)),
        (
            "signs",
            sign_test(&a, &b, SIDES, Tolerance::default()).unwrap().p,
        ),
        (
            "all signs",
            randomisation(&a, &b, Method::Exact, SIDES).unwrap().p,
        ),
        ("random signs", drawn.p),
        ("medians", of_medians.unwrap().p),
        ("shifted t", shift(Statistic::Studentised)),
        ("shifted mean", shift(Statistic::PlainMean)),
        (
            "equality",
            tost(&a, &b, -0.1 * by, 0.1 * by, 0.05).unwrap().p,
        ),
        ("region", posterior.equivalent),
        ("shares", posterior.mean_shares[1]),
        ("d_z", sizes.d_z.value.unwrap()),
        ("d_av", sizes.d_av.value.unwrap()),
        ("g", sizes.hedges_g.value.unwrap()),
        ("Glass", sizes.glass.value.unwrap()),
        ("Cliff", sizes.cliff.value.unwrap()),
        ("low of d_z", sizes.d_z.interval.unwrap().low),
        ("rank-biserial", sizes.rank_biserial.value.unwrap()),
    ]
}

/// Tests with a tolerated drop.
fn of_drops(by: f64) -> Figures {
    let d = Differences::of(&scaled(A, by), &scaled(B, by)).unwrap();
    let drop = drop_test(&d, 0.01 * by, DropNull::Tolerance, 0.05).unwrap();
    let tests = ShiftedTests::new(&d, Method::Exact, &|_, _| ());
    let low = tests.lower_bound(0.05, -0.01 * by);
    vec![
        ("drop", drop.p_drop),
        ("within", drop.p_within),
        ("low of signs", low.unwrap().unwrap() / by),
    ]
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    0.5 * (sorted[sorted.len() / 2] + sorted[(sorted.len() - 1) / 2])
}

/// Tests of all systems.
fn of_systems(by: f64) -> Figures {
    let scores = ScoreMatrix::new(&[A, B, C].map(|row| scaled(row, by))).unwrap();
    let two = two_way(&scores).unwrap();
    let ranks = rank_intervals(&scores, 0.95, RESAMPLING).unwrap();
    let signs = randomisation_of_pairs(&scores, RESAMPLING, SIDES).unwrap();
    let z = factors(&scores, Divisor::Sample).unwrap();
    let z = standardise(&scores, &z, standardise::Method::Z).unwrap();
    vec![
        ("one way", one_way(&scores).unwrap().test.p),
        ("two ways", two.system_test.p),
        ("share", two.system_share.eta2.unwrap()),
        ("Tukey", tukey::paired(&scores, 0.95).unwrap().pairs[0].p),
        (
            "randomised",
            randomised_tukey::compare(&scores, RESAMPLING)
                .unwrap()
                .pairs[0]
                .p,
        ),
        (
            "Dunnett",
            dunnett::paired(&scores, 0, SIDES, 0.95).unwrap().tests[0].p,
        ),
        ("Friedman", friedman::test(&scores).unwrap().p),
        ("Nemenyi", friedman::nemenyi(&scores).unwrap()[0].p),
        ("Conover", friedman::conover(&scores).unwrap()[0].p),
        ("Siegel", friedman::siegel(&scores).unwrap()[0].p),
        ("Dunn", friedman::dunn(&scores).unwrap()[0].p),
        ("best", ranks[0].best),
        ("signs", signs[0].p),
        ("z", z.row(1)[3]),
    ]
}

fn of_lists(by: f64) -> Figures {
    let (x, y) = (scaled(A, by), scaled(C, by));
    vec![
        ("tau", kendall(&x, &y).unwrap().tau_b.unwrap()),
        ("tau-AP", tau_ap(&x, &y).unwrap().tau_ap_b.unwrap()),
        ("rho", spearman(&x, &y).unwrap().coefficient.unwrap()),
        ("r", pearson(&x, &y).unwrap().coefficient.unwrap()),
    ]
}

#[track_caller]
fn same(figures: fn(f64) -> Figures, sizes: &[f64]) {
    let usual = figures(1.0);
    for &size in sizes {
        for ((name, expected), (_, found)) in usual.iter().zip(figures(size)) {
            let near = (found - expected).abs() <= 1e-9 * expected.abs();
            assert!(near, "{name} times {size}: {found}, expected {expected}");
        }
    }
}

#[test]
fn pairs_of_any_size() {
    same(
        of_pair,
        &[
            1e-280, 1e-200, 1e-120, 1e-30, 1e-13, 1e-6, 1e-3, 1e3, 1e30, 1e120, 1e280,
        ],
    );
}

#[test]
fn drops_of_any_size() {
    same(of_drops, &[1e-90, 1e-30, 1e-13, 1e-6, 1e3, 1e30, 1e90]);
}

#[test]
fn systems_of_any_size() {
    same(of_systems, &[1e-130, 1e-30, 1e-13, 1e-6, 1e3, 1e30, 1e130]);
}

#[test]
fn lists_of_any_size() {
    same(of_lists, &[1e-280, 1e-30, 1e-13, 1e-6, 1e3, 1e30, 1e280]);
}

/// Scores whose squares overflow or vanish are errors that say what to do.
#[test]
fn systems_whose_squares_overflow_are_errors() {
    for size in [1e-200, 1e200] {
        let scores = ScoreMatrix::new(&[A, B, C].map(|row| scaled(row, size))).unwrap();
        let results = [
            one_way(&scores).err(),
            two_way(&scores).err(),
            tukey::paired(&scores, 0.95).err(),
            dunnett::paired(&scores, 0, SIDES, 0.95).err(),
            factors(&scores, Divisor::Sample).err(),
            friedman::dunn(&scores).err(),
        ];
        for result in results {
            let text = result.map(|why| why.to_string()).unwrap_or_default();
            assert!(text.contains("multiply all scores"), "{size}: {text}");
        }
    }
}
