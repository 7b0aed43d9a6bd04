//! Comparison of runs: tests, intervals and the claims that they support.
//!
//! ```
//! use cranfield_compare::compare::{Settings, compare_scores};
//!
//! let scores = [vec![0.4, 0.5, 0.6, 0.7, 0.5], vec![0.3, 0.4, 0.4, 0.6, 0.4]];
//! let table = compare_scores("AP", &["new", "old"], &scores, &Settings::default())?;
//! let pair = &table.pairs[0];
//! assert!((pair.difference - 0.12).abs() < 1e-12);
//! assert!(pair.significant);
//! assert!(pair.claim.says.starts_with("+0.1200 AP from old to new (0.4200 to 0.5400, +28.6 %): new is better."));
//! # Ok::<(), cranfield_compare::compare::CompareError>(())
//! ```

mod claims;
mod data;
mod differing;
mod family;
mod latex;
mod methods;
mod model;
mod notes;
mod omnibus;
mod output;
mod page;
mod pairs;
mod plan;
mod plan_entries;
mod plan_file;
pub mod scores;
mod settings;
mod setup;
mod significance_test;
mod weightings;
mod wording;

use cranfield_core::measure::Direction;
use cranfield_core::small_sort::SmallSort;
use cranfield_stats::bootstrap::{RankInterval, rank_intervals};
use cranfield_stats::paired_t::t_of_differences;
use cranfield_stats::random::Resampling;
use cranfield_stats::sample::{Differences, mean};
use cranfield_stats::{Alternative, StatsError};

pub use claims::{Claim, Verdict};
pub use cranfield_eval::{Labels, Progress, Step};
pub use differing::DifferingTopic;
pub use model::{Comparison, Importance, MeasureTable, Pair, Role, System};
pub use notes::{FEW_RESAMPLES, topic_notes};
pub use output::{By, Compared, ComparisonOutput};
pub use page::Parts;
pub use pairs::Leaning;
pub use plan::{ComparisonPlan, Planned, PlannedPolicies, PlannedTopics, compare_planned};
pub use scores::TopicTable;
pub use scores::check_mean;
pub use settings::{Family, IntervalMethod, Settings, Standardisation};
pub use setup::Setup;
pub use significance_test::Test;
pub use weightings::Weightings;
pub use wording::share_in_percent;
pub use wording::{bare_p, p_text, percent};

use cranfield_core::policy::Policies;
use cranfield_core::setting::{Message, SettingStyle};
use cranfield_eval::{Evaluation, ScenarioColumn};
use family::{Count, Families};

/// Why runs cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The scores or settings do not allow a test.
    #[error("{measure}: {why}")]
    Scores {
        /// The measure.
        measure: String,
        /// The reason.
        why: StatsError,
    },
    /// There is only one run.
    #[error("there is one run; a comparison needs two or more")]
    OneRun,
    /// There is only one topic.
    #[error("{measure}: all runs have a value for only one topic; a comparison needs two or more")]
    OneTopic {
        /// The measure.
        measure: String,
    },
    /// No run has this name.
    #[error("no run is named `{name}`; {hint}")]
    UnknownBaseline {
        /// The name.
        name: String,
        /// The nearest name, or the names of the runs.
        hint: String,
    },
    /// A measure whose value is not a mean of topics.
    #[error("{measure} is not a mean over topics, so its difference cannot be tested; {instead}")]
    NotAMean {
        /// The measure.
        measure: String,
        /// Suggestion.
        instead: &'static str,
    },
    /// A run would benefit from missing topics.
    #[error("{0}")]
    Flattered(Message),
    /// Invalid settings.
    #[error("{0}")]
    Settings(Message),
}

impl CompareError {
    /// The message.
    pub fn message(&self) -> Message {
        match self {
            Self::Flattered(message) | Self::Settings(message) => message.clone(),
            other => other.to_string().into(),
        }
    }

    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        self.message().render(style)
    }
}

/// Rejects policies under which values are intervals.
pub fn check_values(policies: &Policies) -> Result<(), CompareError> {
    match policies.bounds() {
        None => Ok(()),
        Some(bounds) => Err(CompareError::Settings(
            bounds.as_interval("cannot be compared"),
        )),
    }
}

/// Compares the runs of an evaluation by all of its measures.
pub fn compare(evaluation: &Evaluation, settings: &Settings) -> Result<Comparison, CompareError> {
    let selection = scores::Selection::all(evaluation);
    let measures = 0..evaluation.plan.measures.len();
    let tables = measures.map(|at| selection.measure(at));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let scope = Scope::of(evaluation);
    compare_tables(selection.names(), &tables, settings, &scope)
}

/// Compares the runs of an evaluation by the columns of scenarios, such as a measure under several tables of gains. Means of
/// vectors need [`Request::topic_vectors`](cranfield_eval::Request::topic_vectors).
pub fn compare_scenarios(
    evaluation: &Evaluation,
    columns: &[ScenarioColumn],
    settings: &Settings,
) -> Result<Comparison, CompareError> {
    let selection = scores::Selection::all(evaluation);
    let tables = columns.iter().map(|column| selection.column(column));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let scope = Scope::of(evaluation);
    compare_tables(selection.names(), &tables, settings, &scope)
}

/// Compares systems by one measure of which larger values are better, given the scores of each on the same topics.
pub fn compare_scores<N: ToString, R: AsRef<[f64]>>(
    measure: &str,
    runs: &[N],
    scores: &[R],
    settings: &Settings,
) -> Result<MeasureTable, CompareError> {
    let matrix = scores::matrix(measure, scores)?;
    let names = runs.iter().map(ToString::to_string).collect();
    let table = scores::ScoreTable {
        measure: measure.into(),
        direction: Direction::HigherIsBetter,
        range: None,
        topics: TopicTable::of(matrix.topics()),
        matrix,
    };
    let mut comparison = compare_tables(names, &[table], settings, &Scope::default())?;
    // There is one table, so there is one result.
    Ok(comparison.measures.remove(0))
}

/// An error for scores that do not allow a test.
pub fn failed(measure: &str, why: StatsError) -> CompareError {
    CompareError::Scores {
        measure: measure.into(),
        why,
    }
}

/// Whether to compare two runs by a measure, all given by index.
type IsInScope<'a> = dyn Fn(usize, usize, usize) -> bool + 'a;

/// The pairs to compare, and the role of the comparison.
#[derive(Default)]
struct Scope<'a> {
    role: Option<Role>,
    /// How the runs were evaluated.
    setup: Option<Setup>,
    /// Selects pairs; all pairs if `None`.
    pairs: Option<Box<IsInScope<'a>>>,
}

/// Reports progress by a measure.
fn report(progress: &Progress, measure: &str, what: &str, (done, total): (usize, usize)) {
    progress.report(Step {
        measure,
        what,
        done,
        total,
    });
}

fn compare_tables(
    runs: Vec<String>,
    tables: &[scores::ScoreTable],
    settings: &Settings,
    scope: &Scope<'_>,
) -> Result<Comparison, CompareError> {
    if runs.len() < 2 {
        return Err(CompareError::OneRun);
    }
    let baselines = settings.baselines_among(&runs)?;
    settings.check(baselines.len())?;
    let standardised = settings
        .standardise
        .map(|how| scores::standardised(tables, how));
    let standardised = standardised.transpose()?;
    let tables = standardised.as_deref().unwrap_or(tables);
    settings.check_tables(tables)?;
    let wanted = scope.of_tables(tables, &baselines, settings.test);
    check_topics(tables, &wanted)?;
    let counts = wanted.iter().zip(tables).map(|(wanted, table)| Count {
        asked: wanted.pairs.len(),
        all: wanted.all,
        topics: pairs::most_differing(table, &wanted.pairs, settings.test),
    });
    let counts: Vec<Count> = counts.collect();
    let given = settings.resampling.replicates;
    let replicates = Families::new(settings, &counts).replicates();
    let mut comparison = Comparison {
        settings: Settings {
            resampling: Resampling {
                replicates,
                ..settings.resampling
            },
            // A result does not keep the caller's function.
            progress: Progress::default(),
            ..settings.clone()
        },
        runs,
        baselines,
        measures: Vec::with_capacity(tables.len()),
        raised_from: (replicates > given).then_some(given),
        setup: scope.setup.clone(),
        role: scope.role,
    };
    comparison.measures = comparison.tables(tables, &wanted, &counts, &settings.progress)?;
    Ok(comparison)
}

/// Checks that all measures with pairs to test have two or more topics.
fn check_topics(
    tables: &[scores::ScoreTable],
    wanted: &[pairs::Wanted],
) -> Result<(), CompareError> {
    let mut tested = tables.iter().zip(wanted);
    let lacks = |(table, wanted): &(&scores::ScoreTable, &pairs::Wanted)| {
        table.matrix.topics() < 2 && !wanted.pairs.is_empty()
    };
    match tested.find(lacks) {
        None => Ok(()),
        Some((table, _)) => Err(CompareError::OneTopic {
            measure: table.measure.clone(),
        }),
    }
}

impl Scope<'_> {
    /// All pairs of an evaluation.
    fn of(evaluation: &Evaluation) -> Self {
        Self {
            setup: Some(Setup::of(evaluation)),
            ..Self::default()
        }
    }

    /// The pairs of each measure.
    fn of_tables(
        &self,
        tables: &[scores::ScoreTable],
        baselines: &[usize],
        test: Test,
    ) -> Vec<pairs::Wanted> {
        let is_in_scope = self.pairs.as_deref();
        let one = |(at, table)| {
            let wanted =
                |a: usize, b: usize| is_in_scope.is_none_or(|is_in_scope| is_in_scope(at, a, b));
            pairs::wanted(table, baselines, test, wanted)
        };
        tables.iter().enumerate().map(one).collect()
    }
}

/// Corrected p-values of the tests and equivalence tests of each measure.
fn adjusted(
    tested: &[Vec<pairs::Tested>],
    families: &Families<'_>,
) -> Result<Vec<Vec<pairs::Adjusted>>, CompareError> {
    let p = |of: fn(&pairs::Tested) -> Option<f64>| -> Vec<Vec<f64>> {
        let one = |tests: &Vec<pairs::Tested>| tests.iter().filter_map(of).collect();
        tested.iter().map(one).collect()
    };
    let tests = families.of_tests(&p(|test| Some(test.p)))?;
    let equal = families.of_equivalence(&p(|test| Some(test.equivalence.as_ref()?.p)))?;
    // Corrections are monotone in all p-values, so these are the smallest possible values.
    let least = families.of_tests(&p(|test| test.least_p))?;
    let join = |((p, equal), least): ((Vec<f64>, Vec<f64>), Vec<f64>)| {
        let one = |(at, p)| pairs::Adjusted {
            p,
            equivalence: equal.get(at).copied(),
            least_p: least.get(at).copied(),
        };
        p.into_iter().enumerate().map(one).collect()
    };
    Ok(tests.into_iter().zip(equal).zip(least).map(join).collect())
}

impl Comparison {
    /// Tests and corrects all measures.
    fn tables(
        &self,
        tables: &[scores::ScoreTable],
        wanted: &[pairs::Wanted],
        counts: &[Count],
        progress: &Progress,
    ) -> Result<Vec<MeasureTable>, CompareError> {
        let settings = &self.settings;
        let test = |(table, wanted): (&scores::ScoreTable, &pairs::Wanted)| {
            let what = settings.test.title();
            let watcher = |done, total| report(progress, &table.measure, what, (done, total));
            pairs::test(table, &wanted.pairs, settings, &watcher)
        };
        let tested = tables.iter().zip(wanted).map(test);
        let tested = tested.collect::<Result<Vec<_>, _>>()?;
        let families = Families::new(settings, counts);
        let adjusted = adjusted(&tested, &families)?;
        let tests = tested.iter().zip(&adjusted);
        let measure = |(at, (table, tests)): (usize, (&scores::ScoreTable, _))| {
            let systems = systems(table, settings, progress);
            let systems = systems.map_err(|why| failed(&table.measure, why))?;
            let mut result = self.empty_table(table, systems);
            result.family = families.size(at);
            result.measures_in_family = families.measures();
            result.equivalence_family = families.asked(at);
            result.lacking_replicates = families.lacking(at);
            self.add_pairs(&mut result, table, tests, progress)?;
            Ok(result)
        };
        tables.iter().zip(tests).enumerate().map(measure).collect()
    }

    /// The table of a measure without pairs.
    fn empty_table(&self, table: &scores::ScoreTable, systems: Vec<System>) -> MeasureTable {
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.small_sort_by(|a, b| {
            let rank = |at: usize| systems[at].rank.rank;
            rank(*a)
                .cmp(&rank(*b))
                .then_with(|| self.runs[*a].cmp(&self.runs[*b]))
        });
        MeasureTable {
            measure: table.measure.clone(),
            direction: table.direction,
            topics: table.topics.clone(),
            systems,
            order,
            pairs: Vec::new(),
            family: 0,
            measures_in_family: 1,
            equivalence_family: 0,
            lacking_replicates: None,
            groups: Vec::new(),
            anova: None,
            one_way: None,
            too_many_groups: false,
            friedman: None,
            friedman_exact: None,
        }
    }

    /// Adds pairs and groups to the table of a measure.
    fn add_pairs(
        &self,
        result: &mut MeasureTable,
        table: &scores::ScoreTable,
        (tested, adjusted): (&Vec<pairs::Tested>, &Vec<pairs::Adjusted>),
        progress: &Progress,
    ) -> Result<(), CompareError> {
        let settings = &self.settings;
        let fail = |why| failed(&table.measure, why);
        (result.anova, result.friedman) = self.omnibus(&table.matrix).map_err(fail)?;
        if result.anova.is_some() {
            result.one_way = Some(cranfield_stats::anova::one_way(&table.matrix).map_err(fail)?);
        }
        if result.friedman.is_some() {
            result.friedman_exact =
                cranfield_stats::friedman::exact_p(&table.matrix).map_err(fail)?;
        }
        let bound = result
            .friedman_p()
            .filter(|_| settings.test.is_behind_friedman());
        let effect = pairs::detectable_effect(table, settings).map_err(fail)?;
        for (test, adjusted) in tested.iter().zip(adjusted) {
            let adjusted = pairs::Adjusted {
                p: adjusted.p.max(bound.unwrap_or(0.0)),
                ..*adjusted
            };
            let pair = pairs::pair(table, test, adjusted, effect, settings);
            let mut pair = pair.map_err(fail)?;
            pair.claim = claims::claim(self, result, &pair);
            result.pairs.push(pair);
            let done = (result.pairs.len(), tested.len());
            report(progress, &table.measure, "intervals", done);
        }
        let runs = self.runs.len();
        if self.baselines.is_empty() && result.pairs.len() == runs * (runs - 1) / 2 {
            result.find_groups();
        }
        Ok(())
    }
}

fn systems(
    table: &scores::ScoreTable,
    settings: &Settings,
    progress: &Progress,
) -> Result<Vec<System>, StatsError> {
    let watcher = |done, total| report(progress, &table.measure, "ranks", (done, total));
    let resampling = settings.rank_resampling().watched(&watcher);
    let ranks = rank_intervals(&table.oriented()?, settings.level(), resampling)?;
    let system = |(row, mut rank): (&[f64], RankInterval)| {
        rank.mean = mean(row).unwrap_or(0.0);
        let interval = if row.len() > 1 {
            let row = Differences::alone(row)?;
            Some(t_of_differences(&row, Alternative::TwoSided, settings.level())?.interval)
        } else {
            None
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
mod claims_tests;
#[cfg(test)]
mod limits_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wording_tests;
