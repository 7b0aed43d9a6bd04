//! The tests, as functions from scores to p-values.

use cranfield_stats::anova::two_way;
use cranfield_stats::bootstrap::{Statistic, bootstrap_test};
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::dunnett::ManyToOne;
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::pairs::PairTest;
use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::{Method as Signs, randomisation};
use cranfield_stats::sign::sign_test;
use cranfield_stats::studentised_range::StudentisedRange;
use cranfield_stats::wilcoxon::{Method, ZeroRule, wilcoxon};
use cranfield_stats::wins::Tolerance;
use cranfield_stats::{Alternative, Result, ScoreMatrix, friedman, randomised_tukey};

use crate::{ALPHA, SYSTEMS};

const SIDES: Alternative = Alternative::TwoSided;

/// A test of the scores of a comparison, with the comparison's number: p, or the least p of its pairs.
pub(crate) type Test = Box<dyn Fn(&ScoreMatrix, u64) -> Result<f64> + Sync>;

/// A row of a table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) systems: usize,
    /// The test, given the number of topics.
    pub(crate) test: fn(u32) -> Result<Test>,
}

/// The tests of two systems that `compare` has.
pub(crate) const PAIRS: [Row; 5] = [
    of_two("paired t", |_| {
        Ok(Box::new(|scores, _| paired_t_p(scores, (0, 1))))
    }),
    of_two("randomisation", |_| {
        Ok(Box::new(|scores, number| {
            let signs = Signs::Auto(draws(2000, number));
            Ok(randomisation(scores.row(0), scores.row(1), signs, SIDES)?.p)
        }))
    }),
    of_two("bootstrap, t", |_| {
        Ok(Box::new(|scores, number| {
            shifted(scores, Statistic::Studentised, number)
        }))
    }),
    of_two("Wilcoxon, exact", |_| {
        Ok(Box::new(|scores, _| ranked(scores, Method::Exact)))
    }),
    of_two("sign", |_| {
        Ok(Box::new(|scores, _| {
            Ok(sign_test(scores.row(0), scores.row(1), SIDES, Tolerance::default())?.p)
        }))
    }),
];

/// Those that `compare` does not have, as they may reject too often.
pub(crate) const OTHER_PAIRS: [Row; 2] = [
    of_two("bootstrap, plain mean", |_| {
        Ok(Box::new(|scores, number| {
            shifted(scores, Statistic::PlainMean, number)
        }))
    }),
    of_two("Wilcoxon, normal", |_| {
        Ok(Box::new(|scores, _| {
            ranked(scores, Method::Normal { continuity: false })
        }))
    }),
];

/// Paired t tests of all pairs without a correction.
pub(crate) const UNCORRECTED: [Row; 1] = [of_family("none", |_| Ok(corrected(Correction::None)))];

/// The corrections, of paired t tests of all pairs, and the tests of families. Those of which p is an integral compare the largest
/// statistic with the critical value, which is the same decision, and give 0 or 1.
pub(crate) const FAMILIES: [Row; 16] = [
    of_family("bonferroni", |_| Ok(corrected(Correction::Bonferroni))),
    of_family("sidak", |_| Ok(corrected(Correction::Sidak))),
    of_family("holm", |_| Ok(corrected(Correction::Holm))),
    of_family("holm-sidak", |_| Ok(corrected(Correction::HolmSidak))),
    of_family("hochberg", |_| Ok(corrected(Correction::Hochberg))),
    of_family("hommel", |_| Ok(corrected(Correction::Hommel))),
    of_family("bh", |_| Ok(corrected(Correction::BenjaminiHochberg))),
    of_family("by", |_| Ok(corrected(Correction::BenjaminiYekutieli))),
    of_family("Tukey", tukey),
    of_family("randomised Tukey", |_| {
        Ok(Box::new(|scores, number| {
            let all = randomised_tukey::compare(scores, draws(1000, number))?;
            Ok(least(p_values(&all.pairs)))
        }))
    }),
    of_family("Dunnett", dunnett),
    of_family("Friedman", |_| Ok(Box::new(|scores, _| of_all(scores)))),
    of_family("Conover, Holm", |_| {
        Ok(Box::new(|scores, _| {
            let pairs = by_holm(&friedman::conover(scores)?)?;
            // Post-hoc test of Friedman's test, which is computed only if a pair differs.
            Ok(if pairs > ALPHA {
                pairs
            } else {
                pairs.max(of_all(scores)?)
            })
        }))
    }),
    of_family("Siegel, Holm", |_| {
        Ok(Box::new(|scores, _| by_holm(&friedman::siegel(scores)?)))
    }),
    of_family("Dunn, Holm", |_| {
        Ok(Box::new(|scores, _| by_holm(&friedman::dunn(scores)?)))
    }),
    of_family("Nemenyi", nemenyi),
];

const fn of_two(name: &'static str, test: fn(u32) -> Result<Test>) -> Row {
    let systems = 2;
    Row {
        name,
        systems,
        test,
    }
}

const fn of_family(name: &'static str, test: fn(u32) -> Result<Test>) -> Row {
    let systems = SYSTEMS;
    Row {
        name,
        systems,
        test,
    }
}

pub(crate) fn draws(replicates: usize, seed: u64) -> Resampling {
    Resampling { replicates, seed }
}

fn paired_t_p(scores: &ScoreMatrix, (a, b): (usize, usize)) -> Result<f64> {
    Ok(paired_t(scores.row(a), scores.row(b), SIDES, 0.95)?.p)
}

fn shifted(scores: &ScoreMatrix, statistic: Statistic, number: u64) -> Result<f64> {
    let (a, b) = (scores.row(0), scores.row(1));
    Ok(bootstrap_test(a, b, statistic, SIDES, draws(2000, number))?.p)
}

fn ranked(scores: &ScoreMatrix, method: Method) -> Result<f64> {
    let (a, b) = (scores.row(0), scores.row(1));
    Ok(wilcoxon(a, b, ZeroRule::Wilcox, method, SIDES)?.p)
}

fn corrected(correction: Correction) -> Test {
    Box::new(move |scores, _| {
        let p = scores.pairs().map(|pair| paired_t_p(scores, pair));
        let p = p.collect::<Result<Vec<f64>>>()?;
        Ok(least(adjust(&p, correction)?.into_iter()))
    })
}

fn tukey(topics: u32) -> Result<Test> {
    let range = StudentisedRange::new(SYSTEMS, residual_df(topics))?.critical(ALPHA);
    Ok(Box::new(move |scores, _| {
        let table = two_way(scores)?;
        let error = (table.residual.mean_square / scores.topics() as f64).sqrt();
        Ok(decided(spread(&table.means) >= range * error))
    }))
}

fn dunnett(topics: u32) -> Result<Test> {
    let many = ManyToOne::new(SYSTEMS - 1, residual_df(topics), SIDES)?.critical(ALPHA);
    Ok(Box::new(move |scores, _| {
        let table = two_way(scores)?;
        let error = (2.0 * table.residual.mean_square / scores.topics() as f64).sqrt();
        let others = table.means[1..].iter();
        let distances = others.map(|mean| (mean - table.means[0]).abs());
        Ok(decided(distances.fold(0.0, f64::max) >= many * error))
    }))
}

fn nemenyi(topics: u32) -> Result<Test> {
    let ranks = friedman::critical_difference(SYSTEMS, topics as usize, ALPHA)?;
    Ok(Box::new(move |scores, _| {
        let all = friedman::test(scores)?;
        Ok(decided(spread(&all.mean_ranks) >= ranks))
    }))
}

/// p of Friedman's test, exact where it may be.
fn of_all(scores: &ScoreMatrix) -> Result<f64> {
    match friedman::exact_p(scores)? {
        Some(p) => Ok(p),
        None => Ok(friedman::test(scores)?.p),
    }
}

fn by_holm(pairs: &[PairTest]) -> Result<f64> {
    let p: Vec<f64> = p_values(pairs).collect();
    Ok(least(adjust(&p, Correction::Holm)?.into_iter()))
}

fn residual_df(topics: u32) -> f64 {
    (SYSTEMS as f64 - 1.0) * (f64::from(topics) - 1.0)
}

fn p_values(pairs: &[PairTest]) -> impl Iterator<Item = f64> {
    pairs.iter().map(|pair| pair.p)
}

fn spread(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    greatest - values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn decided(rejects: bool) -> f64 {
    if rejects { 0.0 } else { 1.0 }
}

fn least(p: impl Iterator<Item = f64>) -> f64 {
    p.fold(1.0, f64::min)
}
