//! Tests of pairs of runs.

use cranfield_stats::bootstrap::{
    Method as BootstrapMethod, Statistic, bootstrap_mean, bootstrap_test,
};
use cranfield_stats::effect::d_z;
use cranfield_stats::equivalence::{PRIOR, SignedRankPosterior, Tost, bayesian_signed_rank, tost};
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::pairs::PairTest;
use cranfield_stats::power::minimum_detectable_effect;
use cranfield_stats::progress::Watcher;
use cranfield_stats::randomisation::{self, AUTO_EXACT, randomisation, randomisation_of_pairs};
use cranfield_stats::sample::{Differences, levels, mean};
use cranfield_stats::sign::sign_test;
use cranfield_stats::wilcoxon::{Method as RankMethod, ZeroRule, wilcoxon};
use cranfield_stats::wins::{Tolerance, wins};
use cranfield_stats::{
    Alternative, Interval, Result as Stats, ScoreMatrix, StatsError, dunnett, friedman,
    randomised_tukey, tukey,
};

use super::claims::Claim;
use super::differing::topics_of_pair;
use super::scores::ScoreTable;
use super::settings::{IntervalMethod, Settings};
use super::significance_test::Test;
use super::{CompareError, Importance, Pair, failed};

/// Power of the minimum detectable difference.
const POWER: f64 = 0.8;

/// The outcome of one test.
pub(super) struct Tested {
    first: usize,
    second: usize,
    pub(super) p: f64,
    /// The statistics that the test compares instead of the means.
    leaning: Option<Leaning>,
    /// The interval of a test with simultaneous intervals.
    interval: Option<Interval>,
    /// The equivalence test, if there is a margin.
    pub(super) equivalence: Option<Tost>,
    /// The smallest possible p-value, for tests of signs.
    pub(super) least_p: Option<f64>,
}

/// The statistics of a pair that a test compares instead of the means. Larger statistics belong to larger scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaning {
    /// The statistic of the first run.
    pub first: f64,
    /// The statistic of the second run.
    pub second: f64,
}

impl Leaning {
    fn new(first: f64, second: f64) -> Self {
        Self { first, second }
    }
}

/// Corrected p-values of one test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Adjusted {
    pub(super) p: f64,
    /// Of the equivalence test, if there is a margin.
    pub(super) equivalence: Option<f64>,
    /// Of the smallest possible p-value, for tests of signs.
    pub(super) least_p: Option<f64>,
}

/// The pairs of a measure.
pub(super) struct Wanted {
    /// The pairs to test.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Number of pairs that a test of all pairs corrects for: those with the baseline for Dunnett's test, all pairs of runs for others.
    pub(super) all: usize,
}

/// The pairs to test: all pairs with the better mean first, or all runs against each baseline.
pub(super) fn wanted(
    table: &ScoreTable,
    baselines: &[usize],
    test: Test,
    is_wanted: impl Fn(usize, usize) -> bool,
) -> Wanted {
    let mut pairs = if baselines.is_empty() {
        all_pairs(table)
    } else {
        against(baselines, table.matrix.systems())
    };
    let all = match test {
        Test::Dunnett => pairs.len(),
        _ => table.matrix.pairs().count(),
    };
    pairs.retain(|(first, second)| is_wanted(*first, *second));
    Wanted { pairs, all }
}

/// Tests pairs of runs.
pub(super) fn test(
    table: &ScoreTable,
    pairs: &[(usize, usize)],
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Result<Vec<Tested>, CompareError> {
    let fail = |why| failed(&table.measure, why);
    let mut tests = tested(&table.matrix, pairs, settings, watcher).map_err(fail)?;
    if settings.test.counts_signs() {
        for test in &mut tests {
            let differing = differing(&table.matrix, (test.first, test.second)).map_err(fail)?;
            // Two of all sign assignments are the most extreme.
            test.least_p = Some((2.0 * 0.5_f64.powf(differing as f64)).min(1.0));
        }
    }
    if let Some(margin) = settings.margin {
        for test in &mut tests {
            let [a, b] = [test.first, test.second].map(|run| table.matrix.row(run));
            let found = tost(a, b, -margin, margin, settings.alpha).map_err(fail)?;
            test.equivalence = Some(found);
        }
    }
    Ok(tests)
}

fn all_pairs(table: &ScoreTable) -> Vec<(usize, usize)> {
    let sign = table.sign();
    let means: Vec<f64> = table
        .matrix
        .rows()
        .map(|row| sign * mean(row).unwrap_or(0.0))
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
        // Two baselines are compared with each other only once.
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
        Test::Conover => by_ranks(scores, pairs, &friedman::conover(scores)?),
        Test::Nemenyi => by_ranks(scores, pairs, &friedman::nemenyi(scores)?),
        Test::Siegel => by_ranks(scores, pairs, &friedman::siegel(scores)?),
        Test::Dunn => {
            let all = bare(&friedman::dunn(scores)?);
            let ranks = friedman::pooled_ranks(scores)?;
            Ok(leaning_on(of_all_pairs(scores, pairs, &all)?, &ranks))
        }
        Test::Randomisation if scores.topics() > AUTO_EXACT => {
            by_signs(scores, pairs, settings, watcher)
        }
        Test::Dunnett => by_dunnett(scores, pairs, settings),
        _ => {
            let one = |(at, &pair): (usize, &(usize, usize))| {
                // Progress is in replicates if the test has them, otherwise in pairs.
                let parts = if settings.test == Test::Bootstrap {
                    settings.resampling.replicates
                } else {
                    1
                };
                let total = pairs.len().saturating_mul(parts);
                let report = |done: usize, _: usize| watcher(at * parts + done, total);
                let tested = of_pair(scores, pair, settings, &report)?;
                report(parts, parts);
                Ok(tested)
            };
            pairs.iter().enumerate().map(one).collect()
        }
    }
}

fn of_pair(
    scores: &ScoreMatrix,
    (first, second): (usize, usize),
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<Tested> {
    let (a, b) = (scores.row(first), scores.row(second));
    let (sides, resampling) = (Alternative::TwoSided, settings.resampling);
    let (p, leaning) = match settings.test {
        Test::Randomisation => {
            let method = randomisation::Method::Auto(resampling);
            (randomisation(a, b, method, sides)?.p, None)
        }
        Test::Bootstrap => {
            let statistic = Statistic::Studentised;
            let test = bootstrap_test(a, b, statistic, sides, resampling.watched(watcher))?;
            (test.p, None)
        }
        Test::Wilcoxon => {
            let test = wilcoxon(a, b, ZeroRule::default(), RankMethod::Auto, sides)?;
            (test.p, Some(Leaning::new(test.positive, test.negative)))
        }
        Test::Sign => {
            let test = sign_test(a, b, sides, Tolerance::default())?;
            let [wins, losses] = [test.counts.wins, test.counts.losses].map(|count| count as f64);
            (test.p, Some(Leaning::new(wins, losses)))
        }
        _ => (paired_t(a, b, sides, settings.level())?.p, None),
    };
    Ok(Tested {
        first,
        second,
        p,
        leaning,
        interval: None,
        equivalence: None,
        least_p: None,
    })
}

/// p-value and optional interval of each pair, in the order of the matrix.
type OfPairs = Vec<(f64, Option<Interval>)>;

/// Selects the pairs to test from a test of all pairs.
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
            leaning: None,
            interval,
            equivalence: None,
            least_p: None,
        })
    };
    pairs.iter().map(one).collect()
}

/// Selects the pairs to test from comparisons of ranks after Friedman's test.
fn by_ranks(
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    all: &[PairTest],
) -> Stats<Vec<Tested>> {
    let ranks = friedman::test(scores)?.mean_ranks;
    Ok(leaning_on(of_all_pairs(scores, pairs, &bare(all))?, &ranks))
}

/// Adds the statistics that the tests compare.
fn leaning_on(mut tests: Vec<Tested>, figures: &[f64]) -> Vec<Tested> {
    for test in &mut tests {
        test.leaning = Some(Leaning::new(figures[test.first], figures[test.second]));
    }
    tests
}

fn mirrored(interval: Interval) -> Interval {
    Interval {
        low: -interval.high,
        high: -interval.low,
        ..interval
    }
}

/// The index of a pair among all pairs of systems, with `first < second`.
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

/// Tests without intervals.
fn bare(all: &[PairTest]) -> OfPairs {
    all.iter().map(|pair| (pair.p, None)).collect()
}

fn by_randomised_tukey(
    scores: &ScoreMatrix,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<OfPairs> {
    let all = randomised_tukey::compare(scores, settings.resampling.watched(watcher))?;
    Ok(bare(&all.pairs))
}

/// Exact for pairs with few topics that differ; the other pairs share the same random signs.
fn by_signs(
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<Vec<Tested>> {
    let has_few = |pair| Ok::<_, StatsError>(differing(scores, pair)? <= AUTO_EXACT);
    let few = pairs.iter().map(|pair| has_few(*pair));
    let few = few.collect::<Stats<Vec<bool>>>()?;
    let drawn = if few.contains(&false) {
        by_random_signs(scores, settings, watcher)?
    } else {
        Vec::new()
    };
    let one = |(&pair, &is_few): (&(usize, usize), &bool)| {
        if is_few {
            return of_pair(scores, pair, settings, &|_, _| ());
        }
        let mut found = of_all_pairs(scores, &[pair], &drawn)?;
        found.pop().ok_or(StatsError::Empty)
    };
    pairs.iter().zip(&few).map(one).collect()
}

/// The number of topics on which two runs differ.
fn differing(scores: &ScoreMatrix, (first, second): (usize, usize)) -> Stats<usize> {
    let counts = wins(scores.row(first), scores.row(second), Tolerance::default())?;
    Ok(counts.wins + counts.losses)
}

/// The largest number of topics on which a pair differs; the number of all topics if the test does not need it.
pub(super) fn most_differing(table: &ScoreTable, pairs: &[(usize, usize)], test: Test) -> usize {
    let topics = table.topics.count;
    if test != Test::Randomisation || topics <= AUTO_EXACT {
        return topics;
    }
    let counts = pairs.iter().map(|pair| differing(&table.matrix, *pair));
    counts
        .map(|count| count.unwrap_or(topics))
        .max()
        .unwrap_or(topics)
}

fn by_random_signs(
    scores: &ScoreMatrix,
    settings: &Settings,
    watcher: Watcher<'_>,
) -> Stats<OfPairs> {
    let sides = Alternative::TwoSided;
    let resampling = settings.resampling.watched(watcher);
    let all = randomisation_of_pairs(scores, resampling, sides)?;
    Ok(all.iter().map(|pair| (pair.p, None)).collect())
}

/// Compares with one baseline, the second run of all pairs.
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
        leaning: None,
        interval: Some(test.interval),
        equivalence: None,
        least_p: None,
    });
    Ok(tests
        .filter(|test| pairs.contains(&(test.first, control)))
        .collect())
}

/// All results of a pair but its claim; `effect` is the result of [`detectable_effect`].
pub(super) fn pair(
    table: &ScoreTable,
    tested: &Tested,
    adjusted: Adjusted,
    effect: f64,
    settings: &Settings,
) -> Stats<Pair> {
    let &Tested {
        first,
        second,
        p,
        leaning,
        interval,
        ref equivalence,
        least_p,
    } = tested;
    let (a, b) = (table.matrix.row(first), table.matrix.row(second));
    let d = Differences::of(a, b)?;
    let t = paired_t(a, b, Alternative::TwoSided, settings.level())?;
    let [mean_a, mean_b] = [a, b].map(|row| mean(row).unwrap_or(0.0));
    let (interval, interval_method) = match interval {
        Some(interval) => (interval, None),
        None => interval_of(d.values(), t.interval, settings)?,
    };
    let is_raw = settings.standardise.is_none();
    // A sum of differences that is exactly 0 may have a rounding error.
    let slack = 1e-12 * mean_a.abs().max(mean_b.abs());
    let is_contrary = leaning.is_some_and(|leaning| {
        side(leaning.first - leaning.second, 0.0) != side(t.mean_difference, slack)
    });
    Ok(Pair {
        first,
        second,
        difference: t.mean_difference,
        relative: Some(t.mean_difference / mean_b.abs())
            .filter(|share| is_raw && share.is_finite()),
        interval,
        interval_method,
        p,
        adjusted: adjusted.p,
        significant: adjusted.p <= settings.alpha,
        leaning,
        is_contrary,
        effect: d_z(&d, settings.level())?,
        wins: wins(a, b, Tolerance::default())?.of_better(table.sign()),
        importance: is_raw.then(|| Importance::of(mean_a, mean_b)),
        posterior: posterior(a, b, settings)?,
        // The deviation of constant differences is a rounding error.
        detectable: t
            .degenerate
            .is_none()
            .then_some(effect * t.standard_deviation),
        equivalence: equivalence.clone(),
        equivalence_adjusted: adjusted.equivalence,
        least_p,
        least_adjusted: adjusted.least_p,
        degenerate: t.degenerate,
        topics: if settings.labels.has_topics() {
            topics_of_pair(table, first, second)
        } else {
            Vec::new()
        },
        claim: Claim::default(),
    })
}

/// −1, 0 or 1.
fn side(difference: f64, slack: f64) -> i8 {
    i8::from(difference > slack) - i8::from(difference < -slack)
}

/// The interval of a test without simultaneous intervals, and its method: Student's t if the resamples of the topics give none.
fn interval_of(
    d: &[f64],
    t: Interval,
    settings: &Settings,
) -> Stats<(Interval, Option<IntervalMethod>)> {
    let by_t = (t, Some(IntervalMethod::T));
    let chosen = settings.interval_method();
    let method = match chosen {
        IntervalMethod::T => return Ok(by_t),
        IntervalMethod::Percentile => BootstrapMethod::Percentile,
        IntervalMethod::Basic => BootstrapMethod::Basic,
        IntervalMethod::Bca => BootstrapMethod::Bca,
    };
    let (level, resampling) = (settings.level(), settings.rank_resampling());
    let found = bootstrap_mean(d, method, level, resampling)?.interval;
    Ok(found.map_or(by_t, |interval| (interval, Some(chosen))))
}

/// Probabilities of being better and equivalent, if there is a region of practical equivalence.
fn posterior(a: &[f64], b: &[f64], settings: &Settings) -> Stats<Option<SignedRankPosterior>> {
    let resampling = settings.rank_resampling();
    let of = |rope: f64| bayesian_signed_rank(a, b, rope, PRIOR, resampling);
    settings.rope.map(of).transpose()
}

/// The minimum detectable effect size. It is the same for all pairs and expensive to compute.
pub(super) fn detectable_effect(table: &ScoreTable, settings: &Settings) -> Stats<f64> {
    let topics = table.matrix.topics();
    minimum_detectable_effect(topics, POWER, settings.alpha, Alternative::TwoSided)
}
