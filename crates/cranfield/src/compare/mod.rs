//! From scores to claims: which differences between runs the topics justify.
//!
//! ```
//! use cranfield::compare::{Settings, compare_scores};
//!
//! let scores = [vec![0.4, 0.5, 0.6, 0.7, 0.5], vec![0.3, 0.4, 0.4, 0.6, 0.4]];
//! let table = compare_scores("AP", &["new", "old"], &scores, &Settings::default())?;
//! let pair = &table.pairs[0];
//! assert!((pair.difference - 0.12).abs() < 1e-12);
//! assert!(pair.significant);
//! assert!(pair.claim.says.starts_with("+0.1200 AP from old to new (0.4200 to 0.5400, +28.6 %): new is better."));
//! # Ok::<(), cranfield::compare::CompareError>(())
//! ```

mod claims;
mod data;
mod latex;
mod methods;
mod page;
mod pairs;
mod plan;
pub(crate) mod scores;
mod settings;

use cranfield_core::measure::Direction;
use cranfield_stats::bootstrap::{RankInterval, rank_intervals_watched};
use cranfield_stats::effect::Effect;
use cranfield_stats::equivalence::Tost;
use cranfield_stats::friedman::{self, Friedman};
use cranfield_stats::groups::{groups, letters};
use cranfield_stats::paired_t::t_of_differences;
use cranfield_stats::wins::Wins;
use cranfield_stats::{Alternative, Degenerate, Interval, ScoreMatrix, StatsError};

pub use claims::{Claim, Verdict};
pub(crate) use claims::{correction_title, p_text};
pub use page::Parts;
pub use plan::{Plan, Planned, PlannedTopics, compare_planned};
pub use scores::TopicTable;
pub(crate) use scores::check_mean;
pub use settings::{Family, Settings, Test};

use crate::{Evaluation, ScenarioColumn};

/// Why runs cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The scores or settings allow no test.
    #[error("{measure}: {why}")]
    Scores {
        /// The measure.
        measure: String,
        /// What is wrong.
        why: StatsError,
    },
    /// There is only one run.
    #[error("there is one run; a comparison needs two or more")]
    OneRun,
    /// No run has this name.
    #[error("no run is named `{name}`; the runs are {known}")]
    UnknownBaseline {
        /// The name.
        name: String,
        /// The names of the runs.
        known: String,
    },
    /// A measure whose value is not a mean of topics.
    #[error("{measure} is not a mean over topics, so its difference cannot be tested; {instead}")]
    NotAMean {
        /// The measure.
        measure: String,
        /// What to do.
        instead: &'static str,
    },
    /// A test that needs something else than was given.
    #[error("{0}")]
    Settings(String),
}

/// Runs compared by measures.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// How they were compared.
    pub settings: Settings,
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Places of the runs that the others are compared with; empty if all pairs are compared.
    pub baselines: Vec<usize>,
    /// The measures, in the order of the evaluation.
    pub measures: Vec<MeasureTable>,
    /// Whether the comparison was planned, if there is a plan.
    pub role: Option<Role>,
}

/// What a comparison is, where a plan was made beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The plan names it.
    Confirmatory,
    /// It was asked for beside the plan.
    Exploratory,
}

impl Role {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmatory => "confirmatory",
            Self::Exploratory => "exploratory",
        }
    }
}

/// Runs compared by one measure.
#[derive(Clone, Debug)]
pub struct MeasureTable {
    /// Name of the measure.
    pub measure: String,
    /// Whether larger is better.
    pub direction: Direction,
    /// Topics, and what became of undefined values.
    pub topics: TopicTable,
    /// The runs, in their order.
    pub systems: Vec<System>,
    /// Places of the runs, best first.
    pub order: Vec<usize>,
    /// The pairs that were tested.
    pub pairs: Vec<Pair>,
    /// Number of tests that p-values were corrected for.
    pub family: usize,
    /// Sets of runs that cannot be told apart, each best first; empty unless all pairs were tested.
    pub groups: Vec<Vec<usize>>,
    /// Friedman's test of all runs, where pairs are compared by ranks.
    pub friedman: Option<Friedman>,
}

/// One run by one measure.
#[derive(Clone, Debug)]
pub struct System {
    /// Mean over topics.
    pub mean: f64,
    /// Interval of the mean by Student's t; `None` with one topic.
    pub interval: Option<Interval>,
    /// Rank, its interval and the probability of being best, over resampled topics.
    pub rank: RankInterval,
    /// Letters of the groups that it belongs to; two runs share a letter if they cannot be told apart.
    pub letters: String,
}

/// Two runs by one measure.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The run in question.
    pub first: usize,
    /// The run that it is compared with.
    pub second: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// The difference as a share of the second's mean, if that is not 0.
    pub relative: Option<f64>,
    /// Interval of the difference.
    pub interval: Interval,
    /// p-value of the test alone.
    pub p: f64,
    /// p-value corrected for the other tests of the family.
    pub adjusted: f64,
    /// Whether the corrected p-value is at most alpha.
    pub significant: bool,
    /// Mean of the differences over their standard deviation.
    pub effect: Effect,
    /// Topics on which the first has a larger value, the same, a smaller one.
    pub wins: Wins,
    /// How large the difference is for practice.
    pub importance: Importance,
    /// The least difference that this test finds with a probability of 80 % on so many topics, before correction.
    pub detectable: Option<f64>,
    /// Whether the runs are equal within the margin, if there is one.
    pub equivalence: Option<Tost>,
    /// Set when all differences are the same.
    pub degenerate: Option<Degenerate>,
    /// What may be said.
    pub claim: Claim,
}

/// Size of a difference as a share of the smaller of both means, by the rule of thumb of Sparck Jones and Bates (1977):
/// differences below 5 % are not noticeable, those of 10 % and more are material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// Below 5 %.
    NotNoticeable,
    /// From 5 % to 10 %.
    Noticeable,
    /// 10 % or more.
    Material,
}

impl Importance {
    /// By the rule, for two means.
    pub fn of(first: f64, second: f64) -> Self {
        let (difference, base) = ((first - second).abs(), first.abs().min(second.abs()));
        // A little slack: 0.105 - 0.1 is a little less than 5 % of 0.1 in floating point.
        let reaches = |share: f64| difference > 0.0 && difference * (1.0 + 1e-9) >= share * base;
        match (reaches(0.10), reaches(0.05)) {
            (true, _) => Self::Material,
            (_, true) => Self::Noticeable,
            _ => Self::NotNoticeable,
        }
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotNoticeable => "not noticeable",
            Self::Noticeable => "noticeable",
            Self::Material => "material",
        }
    }
}

/// How far a comparison has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The measure.
    pub measure: &'a str,
    /// What is done.
    pub what: &'a str,
    /// How much of it is done, in replicates or pairs.
    pub done: usize,
    /// How much there is.
    pub total: usize,
}

/// Who is told how far a comparison has come. It is called from any thread, and changes nothing.
pub type StepWatcher<'a> = &'a (dyn Fn(Step<'_>) + Sync);

/// Compares the runs of an evaluation by all of its measures.
pub fn compare(evaluation: &Evaluation, settings: &Settings) -> Result<Comparison, CompareError> {
    compare_watched(evaluation, settings, &|_| ())
}

/// The same, telling how far it has come.
pub fn compare_watched(
    evaluation: &Evaluation,
    settings: &Settings,
    watcher: StepWatcher<'_>,
) -> Result<Comparison, CompareError> {
    let selection = scores::Selection::all(evaluation);
    let measures = 0..evaluation.plan.measures.len();
    let tables = measures
        .map(|at| selection.measure(at))
        .collect::<Result<Vec<_>, _>>()?;
    let asked = Asked {
        watcher: Some(watcher),
        ..Asked::default()
    };
    compare_tables(selection.names(), tables, settings, &asked)
}

/// Compares the runs of an evaluation by the numbers of scenarios, such as a measure under several tables of gains. Means of
/// vectors need [`Request::topic_vectors`](crate::Request::topic_vectors).
pub fn compare_scenarios(
    evaluation: &Evaluation,
    columns: &[ScenarioColumn],
    settings: &Settings,
) -> Result<Comparison, CompareError> {
    let selection = scores::Selection::all(evaluation);
    let tables = columns
        .iter()
        .map(|column| selection.column(column))
        .collect::<Result<Vec<_>, _>>()?;
    compare_tables(selection.names(), tables, settings, &Asked::default())
}

/// Compares systems by one measure of which larger values are better, given the scores of each on the same topics.
pub fn compare_scores<N: ToString, R: AsRef<[f64]>>(
    measure: &str,
    runs: &[N],
    scores: &[R],
    settings: &Settings,
) -> Result<MeasureTable, CompareError> {
    let matrix = ScoreMatrix::new(scores).map_err(|why| failed(measure, why))?;
    let names = runs.iter().map(ToString::to_string).collect();
    let table = scores::ScoreTable {
        measure: measure.into(),
        direction: Direction::HigherIsBetter,
        topics: TopicTable::of(matrix.topics()),
        matrix,
    };
    let mut comparison = compare_tables(names, vec![table], settings, &Asked::default())?;
    // There is one table, so there is one result.
    Ok(comparison.measures.remove(0))
}

fn failed(measure: &str, why: StatsError) -> CompareError {
    CompareError::Scores {
        measure: measure.into(),
        why,
    }
}

/// Whether a measure, by its place, and two runs are to be compared.
type IsAsked<'a> = dyn Fn(usize, usize, usize) -> bool + 'a;

/// Which pairs are compared, and why.
#[derive(Default)]
struct Asked<'a> {
    role: Option<Role>,
    /// All pairs without it.
    pairs: Option<Box<IsAsked<'a>>>,
    /// Who is told how far the tests have come.
    watcher: Option<StepWatcher<'a>>,
}

fn tell(
    watcher: Option<StepWatcher<'_>>,
    measure: &str,
    what: &str,
    (done, total): (usize, usize),
) {
    if let Some(watcher) = watcher {
        watcher(Step {
            measure,
            what,
            done,
            total,
        });
    }
}

fn compare_tables(
    runs: Vec<String>,
    tables: Vec<scores::ScoreTable>,
    settings: &Settings,
    asked: &Asked<'_>,
) -> Result<Comparison, CompareError> {
    if runs.len() < 2 {
        return Err(CompareError::OneRun);
    }
    let baselines = settings.baselines_among(&runs)?;
    settings.check(baselines.len())?;
    let test = |(at, table): (usize, &scores::ScoreTable)| {
        let is_asked = asked.pairs.as_deref();
        let wanted = |a: usize, b: usize| is_asked.is_none_or(|is_asked| is_asked(at, a, b));
        let (watcher, what) = (asked.watcher, settings.test.title());
        let tell = |done, total| tell(watcher, &table.measure, what, (done, total));
        pairs::test(table, &baselines, settings, wanted, &tell)
    };
    let tested = tables.iter().enumerate().map(test);
    let tested = tested.collect::<Result<Vec<_>, _>>()?;
    let adjusted = pairs::adjusted(&tested, settings)?;
    let mut comparison = Comparison {
        settings: settings.clone(),
        runs,
        baselines,
        measures: Vec::with_capacity(tables.len()),
        role: asked.role,
    };
    for ((table, tested), adjusted) in tables.into_iter().zip(tested).zip(adjusted) {
        let table = comparison.measure_table(&table, &tested.tests, &adjusted, asked.watcher)?;
        comparison.measures.push(table);
    }
    Ok(comparison)
}

impl Comparison {
    fn measure_table(
        &self,
        table: &scores::ScoreTable,
        tested: &[pairs::Tested],
        adjusted: &pairs::Adjusted,
        watcher: Option<StepWatcher<'_>>,
    ) -> Result<MeasureTable, CompareError> {
        let settings = &self.settings;
        let fail = |why| failed(&table.measure, why);
        let systems = systems(table, settings, watcher).map_err(fail)?;
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.sort_by(|a, b| {
            let rank = |at: usize| systems[at].rank.rank;
            rank(*a)
                .cmp(&rank(*b))
                .then_with(|| self.runs[*a].cmp(&self.runs[*b]))
        });
        let mut result = MeasureTable {
            measure: table.measure.clone(),
            direction: table.direction,
            topics: table.topics.clone(),
            systems,
            order,
            pairs: Vec::with_capacity(tested.len()),
            family: adjusted.family,
            groups: Vec::new(),
            friedman: None,
        };
        if settings.test.is_by_ranks() {
            result.friedman = Some(friedman::test(&table.matrix).map_err(fail)?);
        }
        let effect = pairs::detectable_effect(table, settings).map_err(fail)?;
        for (tested, p) in tested.iter().zip(&adjusted.p) {
            let mut pair = pairs::pair(table, tested, *p, effect, settings).map_err(fail)?;
            pair.claim = claims::claim(self, &result, &pair);
            result.pairs.push(pair);
        }
        let runs = self.runs.len();
        if self.baselines.is_empty() && result.pairs.len() == runs * (runs - 1) / 2 {
            result.find_groups().map_err(fail)?;
        }
        Ok(result)
    }
}

impl MeasureTable {
    /// The pair of these runs, in whichever order it was tested.
    pub fn pair(&self, a: usize, b: usize) -> Option<&Pair> {
        let mut pairs = self.pairs.iter();
        pairs.find(|pair| [(a, b), (b, a)].contains(&(pair.first, pair.second)))
    }

    /// The pairs in the order of the runs, best first.
    pub fn ordered_pairs(&self) -> Vec<&Pair> {
        let place = |run: usize| self.order.iter().position(|other| *other == run);
        let mut pairs: Vec<&Pair> = self.pairs.iter().collect();
        pairs.sort_by_key(|pair| (place(pair.first), place(pair.second)));
        pairs
    }

    /// Places of the runs that this one is significantly better than.
    pub fn beaten_by(&self, run: usize) -> Vec<usize> {
        let beats = |pair: &Pair| {
            let (winner, loser) = if self.is_better(pair.difference) {
                (pair.first, pair.second)
            } else {
                (pair.second, pair.first)
            };
            (pair.significant && winner == run).then_some(loser)
        };
        let mut beaten: Vec<usize> = self.pairs.iter().filter_map(beats).collect();
        beaten.sort_unstable();
        beaten
    }

    /// Whether a difference of this sign is in favour of the first run.
    pub fn is_better(&self, difference: f64) -> bool {
        match self.direction {
            Direction::LowerIsBetter => difference < 0.0,
            Direction::HigherIsBetter | Direction::Neutral => difference > 0.0,
        }
    }

    fn find_groups(&mut self) -> Result<(), StatsError> {
        let differ = |a: usize, b: usize| self.pair(a, b).is_some_and(|pair| pair.significant);
        let found = groups(&self.order, differ)?;
        let letters = letters(&found, self.systems.len());
        for (system, letters) in self.systems.iter_mut().zip(letters) {
            system.letters = letters;
        }
        self.groups = found;
        Ok(())
    }
}

fn systems(
    table: &scores::ScoreTable,
    settings: &Settings,
    watcher: Option<StepWatcher<'_>>,
) -> Result<Vec<System>, StatsError> {
    let sign = table.sign();
    let ranks = rank_intervals_watched(
        &table.oriented()?,
        settings.level(),
        settings.rank_resampling(),
        &|done, total| tell(watcher, &table.measure, "ranks", (done, total)),
    )?;
    let system = |(row, mut rank): (&[f64], RankInterval)| {
        rank.mean *= sign;
        let interval = match row.len() {
            1 => None,
            _ => Some(t_of_differences(row, Alternative::TwoSided, settings.level())?.interval),
        };
        Ok(System {
            mean: rank.mean,
            interval,
            rank,
            letters: String::new(),
        })
    };
    table.matrix.rows().zip(ranks).map(system).collect()
}

#[cfg(test)]
mod tests;
