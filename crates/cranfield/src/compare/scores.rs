//! Scores of runs on the same topics, from an evaluation.

use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{Aggregate, BoundMeasure, Direction};
use cranfield_stats::ScoreMatrix;

use super::{CompareError, failed};
use crate::Evaluation;

/// The topics behind a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicTable {
    /// Topics on which the runs are compared.
    pub count: usize,
    /// Topics left out for all runs, because one of them has no value there.
    pub left_out: usize,
    /// Undefined values that count as 0.
    pub zeros: usize,
}

impl TopicTable {
    pub(super) fn of(count: usize) -> Self {
        Self {
            count,
            left_out: 0,
            zeros: 0,
        }
    }
}

/// Scores by one measure.
pub(super) struct ScoreTable {
    pub(super) measure: String,
    pub(super) direction: Direction,
    pub(super) topics: TopicTable,
    pub(super) matrix: ScoreMatrix,
}

/// The scores of all runs by each measure.
pub(super) fn tables(evaluation: &Evaluation) -> Result<Vec<ScoreTable>, CompareError> {
    let measures = evaluation.plan.measures.iter().enumerate();
    measures
        .map(|(at, measure)| table(evaluation, at, measure))
        .collect()
}

fn table(
    evaluation: &Evaluation,
    at: usize,
    measure: &BoundMeasure,
) -> Result<ScoreTable, CompareError> {
    let name = measure.name_in(evaluation.profile);
    check_mean(&name, measure)?;
    let (rows, topics) = rows(evaluation, at, &evaluation.plan);
    let matrix = ScoreMatrix::new(&rows).map_err(|why| failed(&name, why))?;
    Ok(ScoreTable {
        measure: name,
        direction: measure.info.direction,
        topics,
        matrix,
    })
}

pub(crate) fn check_mean(name: &str, measure: &BoundMeasure) -> Result<(), CompareError> {
    let instead = match measure.info.aggregate {
        Aggregate::Mean | Aggregate::Sum => return Ok(()),
        Aggregate::GeometricMean => "compare the measure whose geometric mean it is, such as AP",
        Aggregate::None => "it is a text",
    };
    Err(CompareError::NotAMean {
        measure: name.into(),
        instead,
    })
}

/// Values by run and topic. A topic that is left out of one run's mean is left out for all, since pairs are compared
/// topic by topic.
fn rows(evaluation: &Evaluation, at: usize, plan: &Plan) -> (Vec<Vec<f64>>, TopicTable) {
    let ids = common_topics(evaluation);
    let skips = plan.leaves_out_undefined(&plan.measures[at]);
    let mut table = TopicTable::of(0);
    table.left_out = topic_count(evaluation) - ids.len();
    let mut rows = vec![Vec::with_capacity(ids.len()); evaluation.runs.len()];
    for places in ids {
        let values = places.iter().zip(&evaluation.runs);
        let values: Vec<f64> = values
            .map(|(place, run)| run.scores.row(*place)[at])
            .collect();
        let undefined = values.iter().filter(|value| value.is_nan()).count();
        if undefined > 0 && skips {
            table.left_out += 1;
            continue;
        }
        table.count += 1;
        table.zeros += undefined;
        for (row, value) in rows.iter_mut().zip(values) {
            row.push(if value.is_nan() { 0.0 } else { value });
        }
    }
    (rows, table)
}

/// The places of each topic that all runs have, by run.
fn common_topics(evaluation: &Evaluation) -> Vec<Vec<usize>> {
    let Some((first, others)) = evaluation.runs.split_first() else {
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

/// Number of topics that any run has.
fn topic_count(evaluation: &Evaluation) -> usize {
    let topics = evaluation.runs.iter().flat_map(|run| &run.scores.topics);
    let mut ids: Vec<&[u8]> = topics.map(|topic| &*topic.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}
