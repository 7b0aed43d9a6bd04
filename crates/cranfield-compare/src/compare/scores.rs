//! Scores of runs on the same topics, from an evaluation.

use cranfield_core::measure::{Aggregate, BoundMeasure, Direction, Range};
use cranfield_core::policy::{TopicPolicy, Undefined};
use cranfield_core::setting::{Message, Setting};
use cranfield_stats::standardise::{Divisor, Method, empirical, factors, standardise};
use cranfield_stats::{ScoreMatrix, StatsError};

use super::settings::Standardisation;
use super::{CompareError, failed};
use crate::flattered::{is_flattered, says};
use cranfield_eval::{EvaluatedRun, Evaluation, ScenarioColumn};

/// The topics behind a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicTable {
    /// Topics on which the runs are compared.
    pub count: usize,
    /// Topics excluded for all runs, because a run has no value.
    pub left_out: usize,
    /// Undefined values that count as 0.
    pub zeros: usize,
    /// Ids of the topics on which the runs are compared; empty if only their number is known.
    pub ids: Vec<Box<[u8]>>,
}

impl TopicTable {
    /// Topics without undefined values.
    pub fn of(count: usize) -> Self {
        Self {
            count,
            left_out: 0,
            zeros: 0,
            ids: Vec::new(),
        }
    }
}

/// Scores by one measure.
pub struct ScoreTable {
    /// The name of the measure.
    pub measure: String,
    /// Which scores are better.
    pub direction: Direction,
    /// The range of its values, if known.
    pub range: Option<Range>,
    /// The topics behind the scores.
    pub topics: TopicTable,
    /// The scores.
    pub matrix: ScoreMatrix,
}

impl ScoreTable {
    /// 1, or −1 if smaller scores are better.
    pub fn sign(&self) -> f64 {
        match self.direction {
            Direction::LowerIsBetter => -1.0,
            Direction::HigherIsBetter | Direction::Neutral => 1.0,
        }
    }

    /// The name of the measure, with its direction if smaller is better.
    pub fn directed_name(&self) -> String {
        directed(&self.measure, self.direction)
    }

    /// The scores, negated if smaller ones are better.
    pub fn oriented(&self) -> Result<ScoreMatrix, StatsError> {
        let sign = self.sign();
        let row = |row: &[f64]| row.iter().map(|value| sign * value).collect();
        let rows: Vec<Vec<f64>> = self.matrix.rows().map(row).collect();
        ScoreMatrix::new(&rows)
    }
}

/// The name of a measure, with its direction if smaller is better.
pub fn directed(measure: &str, direction: Direction) -> String {
    match direction {
        Direction::LowerIsBetter => format!("{measure} (smaller is better)"),
        Direction::HigherIsBetter | Direction::Neutral => measure.into(),
    }
}

/// The scores of systems on the same topics.
pub fn matrix<R: AsRef<[f64]>>(measure: &str, scores: &[R]) -> Result<ScoreMatrix, CompareError> {
    ScoreMatrix::new(scores).map_err(|why| failed(measure, why))
}

/// Standardises the scores of each topic by those of all runs.
pub(super) fn standardised(
    tables: &[ScoreTable],
    how: Standardisation,
) -> Result<Vec<ScoreTable>, CompareError> {
    let one = |table: &ScoreTable| {
        let matrix = standard_scores(&table.matrix, how);
        Ok(ScoreTable {
            measure: format!("{} ({})", table.measure, how.name()),
            direction: table.direction,
            range: how.range(),
            topics: table.topics.clone(),
            matrix: matrix.map_err(|why| failed(&table.measure, why))?,
        })
    };
    tables.iter().map(one).collect()
}

fn standard_scores(scores: &ScoreMatrix, how: Standardisation) -> Result<ScoreMatrix, StatsError> {
    let method = match how {
        Standardisation::Z => Method::Z,
        Standardisation::Cdf => Method::NormalCdf,
        Standardisation::StdAb => Method::STD_AB,
        Standardisation::Ecdf => return empirical(scores, scores),
    };
    standardise(scores, &factors(scores, Divisor::Sample)?, method)
}

/// Runs and measures of an evaluation.
pub struct Selection<'a> {
    evaluation: &'a Evaluation,
    pub(super) runs: Vec<&'a EvaluatedRun>,
}

impl<'a> Selection<'a> {
    /// All runs.
    pub fn all(evaluation: &'a Evaluation) -> Self {
        Self {
            evaluation,
            runs: evaluation.runs.iter().collect(),
        }
    }

    /// The runs with these names.
    pub(super) fn of(evaluation: &'a Evaluation, is_wanted: impl Fn(&str) -> bool) -> Self {
        let runs = evaluation.runs.iter();
        Self {
            evaluation,
            runs: runs.filter(|run| is_wanted(&run.scores.name)).collect(),
        }
    }

    /// Names of the runs.
    pub(super) fn names(&self) -> Vec<String> {
        self.runs
            .iter()
            .map(|run| run.scores.name.clone())
            .collect()
    }

    /// The scores of the runs by a measure, given by its index in the plan.
    pub fn measure(&self, at: usize) -> Result<ScoreTable, CompareError> {
        let plan = &self.evaluation.plan;
        let measure = &plan.measures[at];
        let name = self.evaluation.profile.name_of(measure);
        check_mean(&name, measure)?;
        let skips = plan.leaves_out_undefined(measure);
        let values = |run: &EvaluatedRun, topic: usize| run.scores.row(topic)[at];
        let kind = (measure.info.direction, Some(measure.info.range));
        self.table(name, kind, skips, values)
    }

    /// The scores of the runs by a column of a scenario.
    pub(super) fn column(&self, column: &ScenarioColumn) -> Result<ScoreTable, CompareError> {
        let plan = &self.evaluation.plan;
        let name = match &*column.scenario {
            "" => column.name.clone(),
            scenario => format!("{} ({scenario})", column.name),
        };
        let (kind, skips) = match column.measure(plan) {
            Some(measure) => {
                check_mean(&name, measure)?;
                let kind = (measure.info.direction, Some(measure.info.range));
                (kind, plan.leaves_out_undefined(measure))
            }
            None => (
                (Direction::HigherIsBetter, None),
                plan.policies.undefined == Undefined::Skip,
            ),
        };
        let values = |run: &EvaluatedRun, topic: usize| {
            column
                .of_topic(plan, &run.scores, topic)
                .unwrap_or(f64::NAN)
        };
        self.table(name, kind, skips, values)
    }

    fn table(
        &self,
        measure: String,
        (direction, range): (Direction, Option<Range>),
        skips: bool,
        values: impl Fn(&EvaluatedRun, usize) -> f64,
    ) -> Result<ScoreTable, CompareError> {
        let (rows, topics, places) = self.rows(skips, values);
        self.check_ran(&measure, direction, &rows, &places)?;
        let matrix = matrix(&measure, &rows)?;
        Ok(ScoreTable {
            measure,
            direction,
            range,
            topics,
            matrix,
        })
    }

    /// Rejects a run that would benefit from missing topics, given the values of each run and the indices of its topics.
    fn check_ran(
        &self,
        measure: &str,
        direction: Direction,
        rows: &[Vec<f64>],
        places: &[Vec<usize>],
    ) -> Result<(), CompareError> {
        let column = |topic: usize| rows.iter().map(move |row| row[topic]);
        let greatest = |topic: usize| column(topic).fold(f64::NEG_INFINITY, f64::max);
        let greatest: Vec<f64> = (0..places.len()).map(greatest).collect();
        for (at, run) in self.runs.iter().enumerate() {
            let lacking = places.iter().enumerate().filter_map(|(topic, places)| {
                let found = &run.scores.topics[places[at]];
                let is_lacking =
                    is_flattered(direction, found.in_run, rows[at][topic], greatest[topic]);
                is_lacking.then(|| String::from_utf8_lossy(&found.id))
            });
            let lacking: Vec<_> = lacking.collect();
            if !lacking.is_empty() {
                let topics: Vec<&str> = lacking.iter().map(AsRef::as_ref).collect();
                let why = says(&run.scores.name, &topics, measure);
                let message = format!("{why}; complete the run, omit {measure}, or use ");
                let message = Message::from(message)
                    .then(Setting::Topics.to(TopicPolicy::Both))
                    .then(" to compare on the topics that all runs have");
                return Err(CompareError::Flattered(message));
            }
        }
        Ok(())
    }

    /// Values by run and topic, and the indices of these topics by run. A topic that is excluded from the mean of one run is excluded for
    /// all, because tests are paired by topic.
    fn rows(
        &self,
        skips: bool,
        value: impl Fn(&EvaluatedRun, usize) -> f64,
    ) -> (Vec<Vec<f64>>, TopicTable, Vec<Vec<usize>>) {
        let ids = self.common_topics();
        let mut table = TopicTable::of(0);
        table.left_out = self.topic_ids().len() - ids.len();
        let mut rows = vec![Vec::with_capacity(ids.len()); self.runs.len()];
        let mut kept = Vec::with_capacity(ids.len());
        for places in ids {
            let values = places.iter().zip(&self.runs);
            let values: Vec<f64> = values.map(|(place, run)| value(run, *place)).collect();
            let undefined = values.iter().filter(|value| value.is_nan()).count();
            if undefined > 0 && skips {
                table.left_out += 1;
                continue;
            }
            table.count += 1;
            table.zeros += undefined;
            if let (Some(run), Some(place)) = (self.runs.first(), places.first()) {
                table.ids.push(run.scores.topics[*place].id.clone());
            }
            for (row, value) in rows.iter_mut().zip(values) {
                row.push(if value.is_nan() { 0.0 } else { value });
            }
            kept.push(places);
        }
        (rows, table, kept)
    }

    /// The indices of each topic that all runs have, by run.
    fn common_topics(&self) -> Vec<Vec<usize>> {
        let Some((first, others)) = self.runs.split_first() else {
            return Vec::new();
        };
        let topics = first.scores.topics.iter().enumerate();
        let places = topics.filter_map(|(place, topic)| {
            let found = others.iter().map(|run| {
                let topics = &run.scores.topics;
                topics
                    .binary_search_by(|other| other.id.cmp(&topic.id))
                    .ok()
            });
            std::iter::once(Some(place)).chain(found).collect()
        });
        places.collect()
    }

    /// The topics that any run has, ascending.
    pub(super) fn topic_ids(&self) -> Vec<&'a [u8]> {
        let topics = self.runs.iter().flat_map(|run| &run.scores.topics);
        let mut ids: Vec<&[u8]> = topics.map(|topic| &*topic.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// Rejects a measure whose value for a run is not a mean over topics.
pub fn check_mean(name: &str, measure: &BoundMeasure) -> Result<(), CompareError> {
    let instead = match measure.info.aggregate {
        Aggregate::Mean | Aggregate::Sum => return Ok(()),
        Aggregate::GeometricMean => "compare the measure whose geometric mean it is, such as AP",
        Aggregate::None => "its value is a string",
    };
    Err(CompareError::NotAMean {
        measure: name.into(),
        instead,
    })
}
