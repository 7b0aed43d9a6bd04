//! Tests of pairs of runs.

use cranfield_stats::bootstrap::{
    Method as IntervalMethod, Statistic, bootstrap_mean, bootstrap_test,
};
use cranfield_stats::corrections::adjust;
use cranfield_stats::effect::d_z;
use cranfield_stats::equivalence::tost;
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::pairs::PairTest;
use cranfield_stats::power::minimum_detectable_effect;
use cranfield_stats::progress::Watcher;
use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::{
    self, AUTO_EXACT, randomisation, randomisation_of_pairs_watched,
};
use cranfield_stats::sample::{differences, levels};
use cranfield_stats::sign::sign_test;
use cranfield_stats::wilcoxon::{Method as RankMethod, ZeroRule, wilcoxon};
use cranfield_stats::wins::{Tolerance, wins};
use cranfield_stats::{
    Alternative, Interval, Result as Stats, ScoreMatrix, StatsError, dunnett, friedman,
    randomised_tukey, tukey,
};

use super::claims::Claim;
use super::scores::ScoreTable;
use super::settings::{Family, Settings, Test};
use super::{CompareError, Importance, Pair, failed};

/// Power for which the least detectable difference is given.
const POWER: f64 = 0.8;

/// Most replicates of the interval of one difference by bootstrap.
const INTERVAL_REPLICATES: usize = 10_000;

/// The outcome of one test.
pub(super) struct Tested {
    first: usize,
    second: usize,
    p: f64,
    /// Set if the test has intervals of its own.
    interval: Option<Interval>,
}

/// The tests of one measure.
pub(super) struct TestedPairs {
    pub(super) tests: Vec<Tested>,
    /// Number of pairs that a test of all of them corrects for, also if not all are asked for.
    all: usize,
}

/// Corrected p-values of one measure, and for how many tests they are corrected.
pub(super) struct Adjusted {
    pub(super) p: Vec<f64>,
    pub(super) family: usize,
}

/// Tests all pairs that are asked for, the run with the better mean first, or all other runs against each baseline.
pub(super) fn test(
    table: &ScoreTable,
    baselines: &[usize],
    settings: &Settings,
    is_asked: impl Fn(usize, usize) -> bool,
    watcher: Watcher<'_>,
) -> Result<TestedPairs, CompareError> {
    let mut pairs = if baselines.is_empty() {
        all_pairs(table)
    } else {
        against(baselines, table.matrix.systems())
    };
    let all = pairs.len();
    pairs.retain(|(first, second)| is_asked(*first, *second));
    let tests = tested(&table.matrix, &pairs, settings, watcher)
        .map_err(|why| failed(&table.measure, why))?;
    Ok(TestedPairs { tests, all })
}

fn all_pairs(table: &ScoreTable) -> Vec<(usize, usize)> {
    let sign = table.sign();
    let means: Vec<f64> = table
        .matrix
        .rows()
        .map(|row| sign * row.iter().sum::<f64>() / row.len().max(1) as f64)
        .collect();
    let levels = levels(&means);
    let better = |a: usize, b: usize| levels[a] >= levels[b];
    let pairs = table.matrix.pairs();
    pairs
        .map(|(a, b)| if better(a, b) { (a, b) } else { (b, a) })
        .collect()
}

fn against(baselines: &[usize], runs: usize) -> Vec<(usize, usize)> {
    let others = |baseline: usize| {
        // Of two baselines one is compared with the other once.
        let is_done = move |run: usize| baselines.contains(&run) && run > baseline;
        (0..runs).filter(move |run| *run != baseline && !is_done(*run))
    };
    let pairs = baselines
        .iter()
        .flat_map(|baseline| others(*baseline).map(|run| (run, *baseline)));
    pairs.collect()
}

fn tested(
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<Vec<Tested>> {
    match settings.test {
        Test::Tukey => of_all_pairs(scores, pairs, &by_tukey(scores, settings)?),
        Test::RandomisedTukey => {
            let all = by_randomised_tukey(scores, settings, watcher)?;
            of_all_pairs(scores, pairs, &all)
        }
        Test::Conover => of_all_pairs(scores, pairs, &bare(&friedman::conover(scores)?)),
        Test::Nemenyi => of_all_pairs(scores, pairs, &bare(&friedman::nemenyi(scores)?)),
        Test::Randomisation if scores.topics() > AUTO_EXACT => {
            let all = by_random_signs(scores, settings, watcher)?;
            of_all_pairs(scores, pairs, &all)
        }
        Test::Dunnett => by_dunnett(scores, pairs, settings),
        _ => {
            let one = |(at, &(first, second)): (usize, &(usize, usize))| {
                let p = p_of_pair(scores.row(first), scores.row(second), settings)?;
                watcher(at + 1, pairs.len());
                Ok(Tested {
                    first,
                    second,
                    p,
                    interval: None,
                })
            };
            pairs.iter().enumerate().map(one).collect()
        }
    }
}

fn p_of_pair(a: &[f64], b: &[f64], settings: &Settings) -> Stats<f64> {
    let (sides, resampling) = (Alternative::TwoSided, settings.resampling);
    Ok(match settings.test {
        Test::Randomisation => {
            randomisation(a, b, randomisation::Method::Auto(resampling), sides)?.p
        }
        Test::Bootstrap => bootstrap_test(a, b, Statistic::Studentised, sides, resampling)?.p,
        Test::Wilcoxon => wilcoxon(a, b, ZeroRule::default(), RankMethod::Auto, sides)?.p,
        Test::Sign => sign_test(a, b, sides, Tolerance::default())?.p,
        _ => paired_t(a, b, sides, settings.level())?.p,
    })
}

/// p and perhaps an interval of the difference of each of all pairs, in the order of the matrix.
type OfPairs = Vec<(f64, Option<Interval>)>;

/// Of a test of all pairs at once, those that are asked for.
fn of_all_pairs(
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    all: &[(f64, Option<Interval>)],
) -> Stats<Vec<Tested>> {
    let systems = scores.systems();
    let one = |&(first, second): &(usize, usize)| {
        let found = all.get(place(systems, first.min(second), first.max(second)));
        let (p, interval) = *found.ok_or(StatsError::Empty)?;
        let interval = interval.map(|it| if first > second { mirrored(it) } else { it });
        Ok(Tested {
            first,
            second,
            p,
            interval,
        })
    };
    pairs.iter().map(one).collect()
}

fn mirrored(interval: Interval) -> Interval {
    Interval {
        low: -interval.high,
        high: -interval.low,
        ..interval
    }
}

/// The place of a pair among all pairs of so many systems, the first before the second.
fn place(systems: usize, first: usize, second: usize) -> usize {
    first * (2 * systems - first - 1) / 2 + second - first - 1
}

fn by_tukey(scores: &ScoreMatrix, settings: &Settings) -> Stats<OfPairs> {
    let all = tukey::paired(scores, settings.level())?;
    let pairs = all.pairs.iter();
    Ok(pairs
        .map(|pair| (pair.p, Some(all.interval(pair))))
        .collect())
}

/// Tests that have no intervals.
fn bare(all: &[PairTest]) -> OfPairs {
    all.iter().map(|pair| (pair.p, None)).collect()
}

fn by_randomised_tukey(
    scores: &ScoreMatrix,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<OfPairs> {
    let all = randomised_tukey::compare_watched(scores, settings.resampling, watcher)?;
    Ok(bare(&all.pairs))
}

fn by_random_signs(
    scores: &ScoreMatrix,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<OfPairs> {
    let sides = Alternative::TwoSided;
    let all = randomisation_of_pairs_watched(scores, settings.resampling, sides, watcher)?;
    Ok(all.iter().map(|pair| (pair.p, None)).collect())
}

/// Against one baseline, which all pairs have as their second.
fn by_dunnett(
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    settings: &Settings,
) -> Stats<Vec<Tested>> {
    let control = pairs.first().map_or(0, |pair| pair.1);
    let all = dunnett::paired(scores, control, Alternative::TwoSided, settings.level())?;
    let tests = all.tests.into_iter().map(|test| Tested {
        first: test.system,
        second: control,
        p: test.p,
        interval: Some(test.interval),
    });
    Ok(tests
        .filter(|test| pairs.contains(&(test.first, control)))
        .collect())
}

/// Corrects the p-values of each measure for the tests of its family.
pub(super) fn adjusted(
    tested: &[TestedPairs],
    settings: &Settings,
) -> Result<Vec<Adjusted>, CompareError> {
    let correct = |p: &[f64]| {
        let adjusted = adjust(p, settings.correction());
        adjusted.map_err(|why| failed("correction", why))
    };
    let p = |pairs: &TestedPairs| pairs.tests.iter().map(|test| test.p).collect::<Vec<f64>>();
    if settings.family == Family::Measure {
        let one = |pairs: &TestedPairs| {
            let by_itself = settings.test.corrects_itself();
            Ok(Adjusted {
                p: correct(&p(pairs))?,
                family: if by_itself {
                    pairs.all
                } else {
                    pairs.tests.len()
                },
            })
        };
        return tested.iter().map(one).collect();
    }
    let all: Vec<f64> = tested.iter().flat_map(p).collect();
    let corrected = correct(&all)?;
    let mut rest = corrected.as_slice();
    let parts = tested.iter().map(|pairs| {
        let (part, others) = rest.split_at(pairs.tests.len());
        rest = others;
        Adjusted {
            p: part.to_vec(),
            family: all.len(),
        }
    });
    Ok(parts.collect())
}

/// Everything about a pair but its claim; `effect` is what [`detectable_effect`] finds.
pub(super) fn pair(
    table: &ScoreTable,
    tested: &Tested,
    adjusted: f64,
    effect: f64,
    settings: &Settings,
) -> Stats<Pair> {
    let &Tested {
        first,
        second,
        p,
        interval,
    } = tested;
    let (a, b) = (table.matrix.row(first), table.matrix.row(second));
    let d = differences(a, b)?;
    let t = paired_t(a, b, Alternative::TwoSided, settings.level())?;
    let [mean_a, mean_b] = [a, b].map(|row| row.iter().sum::<f64>() / row.len() as f64);
    let interval = match (interval, settings.test) {
        (Some(interval), _) => interval,
        (None, Test::Bootstrap) => bootstrap_interval(&d, settings)?.unwrap_or(t.interval),
        (None, _) => t.interval,
    };
    let margin = settings.margin;
    Ok(Pair {
        first,
        second,
        difference: t.mean_difference,
        relative: (mean_b != 0.0).then(|| t.mean_difference / mean_b.abs()),
        interval,
        p,
        adjusted,
        significant: adjusted <= settings.alpha,
        effect: d_z(&d, settings.level())?,
        wins: wins(a, b, Tolerance::default())?,
        importance: Importance::of(mean_a, mean_b),
        // Differences that are all the same have no deviation but rounding.
        detectable: t
            .degenerate
            .is_none()
            .then_some(effect * t.standard_deviation),
        equivalence: margin
            .map(|margin| tost(a, b, -margin, margin, settings.alpha))
            .transpose()?,
        degenerate: t.degenerate,
        claim: Claim::default(),
    })
}

fn bootstrap_interval(d: &[f64], settings: &Settings) -> Stats<Option<Interval>> {
    let resampling = Resampling {
        replicates: settings.resampling.replicates.min(INTERVAL_REPLICATES),
        ..settings.resampling
    };
    let made = bootstrap_mean(d, IntervalMethod::Bca, settings.level(), resampling)?;
    Ok(made.interval)
}

/// The effect size that so many topics can show: the same for all pairs, and slow to find.
pub(super) fn detectable_effect(table: &ScoreTable, settings: &Settings) -> Stats<f64> {
    let topics = table.matrix.topics();
    minimum_detectable_effect(topics, POWER, settings.alpha, Alternative::TwoSided)
}
