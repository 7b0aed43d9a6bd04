//! Means of runs over their common topics.

use cranfield_core::measure::Aggregate;
use cranfield_render::plural;

use super::DrawingError;
use super::agreement::oriented;
use super::topics::table;
use cranfield_eval::Evaluation;

/// The aggregated value of each run by one measure, over the same topics; the mean for counts.
pub(super) struct Means {
    /// By run.
    pub(super) values: Vec<f64>,
    /// By run, negated if lower values are better.
    pub(super) oriented: Vec<f64>,
    name: String,
    left_out: usize,
    is_count: bool,
}

impl Means {
    /// Aggregates the measure at a position. A topic without a value for some run is left out for all runs, as in `compare`:
    /// otherwise a run would gain from lacking its hard topics.
    pub(super) fn of(evaluation: &Evaluation, at: usize) -> Result<Self, DrawingError> {
        let measure = &evaluation.plan.measures[at];
        let all = table(evaluation, at);
        let topics = all.len();
        let common: Vec<Vec<f64>> = all
            .into_iter()
            .filter_map(|(_, row)| row.into_iter().collect())
            .collect();
        let left_out = topics - common.len();
        let aggregate = measure.info.aggregate;
        // Counts, which are summed elsewhere, are compared by their means.
        let is_count = aggregate == Aggregate::Sum;
        let values: Option<Vec<f64>> = (0..evaluation.runs.len())
            .map(|run| match left_out {
                _ if is_count => Aggregate::Mean.of(common.iter().map(|row| row[run])),
                0 => evaluation.runs[run].scores.aggregate(at),
                _ => aggregate.of(common.iter().map(|row| row[run])),
            })
            .collect();
        let name = evaluation.profile.name_of(measure);
        let values = values.ok_or_else(|| {
            DrawingError::new(format!(
                "no topic has a value of {name} in every run; remove the measure, or the runs that lack topics"
            ))
        })?;
        Ok(Self {
            oriented: oriented(&values, measure.info.direction),
            values,
            name,
            left_out,
            is_count,
        })
    }

    /// Says that counts are averaged and topics are left out, if so.
    pub(super) fn note(&self) -> Option<String> {
        let topics = plural(self.left_out, "topic");
        let left_out = format!("{topics} left out, where a run has no value");
        let text = match (self.is_count, self.left_out) {
            (false, 0) => return None,
            (true, 0) => "mean over topics".to_owned(),
            (false, _) => left_out,
            (true, _) => format!("mean over topics; {left_out}"),
        };
        Some(format!("{}: {text}", self.name))
    }
}
