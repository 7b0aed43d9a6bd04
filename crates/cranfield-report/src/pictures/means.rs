//! Means of runs over the topics that all of them have.

use cranfield_core::measure::Aggregate;
use cranfield_render::picture::PictureError;
use cranfield_render::plural;

use super::agreement::oriented;
use super::topics::table;
use cranfield_eval::Evaluation;

/// The value of each run by one measure, as it is aggregated, over the same topics; of counts the mean.
pub(super) struct Means {
    /// By run.
    pub(super) values: Vec<f64>,
    /// The same, of which larger ones are better.
    pub(super) oriented: Vec<f64>,
    name: String,
    left_out: usize,
    is_count: bool,
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
        // Counts, which are summed elsewhere, are compared by their means.
        let is_count = aggregate == Aggregate::Sum;
        let values: Option<Vec<f64>> = (0..evaluation.runs.len())
            .map(|run| match left_out {
                _ if is_count => Aggregate::Mean.of(common.iter().map(|row| row[run])),
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
            is_count,
        })
    }

    /// That counts are means here, and the topics that are left out, if there are any.
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
