//! Means of runs over the topics that all of them have.

use cranfield_report::picture::PictureError;
use cranfield_report::plural;

use super::agreement::oriented;
use super::topics::table;
use crate::Evaluation;

/// The value of each run by one measure, as it is aggregated, over the same topics.
pub(super) struct Means {
    /// By run.
    pub(super) values: Vec<f64>,
    /// The same, of which larger ones are better.
    pub(super) oriented: Vec<f64>,
    name: String,
    left_out: usize,
}

impl Means {
    /// By the measure at this place. A topic on which a run has no value is left out for all of them, as `compare` does: a run
    /// would else be better for lacking its hard topics.
    pub(super) fn of(evaluation: &Evaluation, at: usize) -> Result<Self, PictureError> {
        let measure = &evaluation.plan.measures[at];
        let all = table(evaluation, at);
        let topics = all.len();
        let common: Vec<Vec<f64>> = all
            .into_iter()
            .filter_map(|(_, row)| row.into_iter().collect())
            .collect();
        let left_out = topics - common.len();
        let aggregate = measure.info.aggregate;
        let values: Option<Vec<f64>> = (0..evaluation.runs.len())
            .map(|run| match left_out {
                0 => evaluation.runs[run].scores.aggregate(at),
                _ => aggregate.of(common.iter().map(|row| row[run])),
            })
            .collect();
        let name = measure.name_in(evaluation.profile);
        let values = values.ok_or_else(|| {
            PictureError::new(format!(
                "no topic has a value of {name} in every run; leave the measure out, or the runs that lack topics"
            ))
        })?;
        Ok(Self {
            oriented: oriented(&values, measure.info.direction),
            values,
            name,
            left_out,
        })
    }

    /// Topics that are left out, if there are any.
    pub(super) fn note(&self) -> Option<String> {
        let (name, topics) = (&self.name, plural(self.left_out, "topic"));
        (self.left_out > 0).then(|| format!("{name}: {topics} left out, where a run has no value"))
    }
}
