//! What pictures of comparisons share.

use cranfield_render::picture::{PictureError, PictureKind};
use cranfield_render::plural;
use cranfield_stats::{StatsError, short};

use super::Drawing;
use cranfield_compare::compare::scores::{ScoreTable, Selection};
use cranfield_compare::compare::{
    CompareError, Comparison, MeasureTable, StepWatcher, Test, compare_watched,
};
use cranfield_eval::Evaluation;

/// The runs compared by the picture's measure, and their scores.
pub(super) struct Compared {
    pub(super) comparison: Comparison,
    pub(super) scores: ScoreTable,
}

impl Compared {
    pub(super) fn of(
        drawing: &Drawing,
        evaluation: &Evaluation,
        watcher: StepWatcher<'_>,
    ) -> Result<Self, PictureError> {
        if drawing.tests.test == Test::Dunnett || !drawing.tests.baselines.is_empty() {
            let kind = drawing.kind;
            return Err(PictureError::new(format!(
                "{kind} shows all pairs of runs, not those with a baseline; choose a test of all pairs, such as tukey"
            )));
        }
        let comparison = compare_watched(evaluation, &drawing.tests, watcher);
        let comparison = comparison.map_err(|error| refused(&error))?;
        let scores = score_table(evaluation)?;
        Ok(Self { comparison, scores })
    }

    /// The comparison by the only measure, of which there are scores.
    pub(super) fn table(&self) -> &MeasureTable {
        &self.comparison.measures[0]
    }

    pub(super) fn name(&self, run: usize) -> String {
        self.comparison.runs[run].clone()
    }

    /// Topics that are left out, if there are any.
    pub(super) fn left_out(&self) -> Option<String> {
        left_out(&self.scores)
    }

    /// The test that p-values are of, with its correction and the level.
    pub(super) fn test(&self) -> String {
        let words = self.comparison.test_in_a_sentence(self.table().family);
        format!("{words}, alpha {}", short(self.comparison.settings.alpha))
    }
}

/// The scores of all runs by the picture's measure.
pub(super) fn score_table(evaluation: &Evaluation) -> Result<ScoreTable, PictureError> {
    if evaluation.plan.measures.is_empty() {
        return Err(PictureError::new("the evaluation has no measure to draw"));
    }
    let scores = Selection::all(evaluation).measure(0);
    scores.map_err(|error| refused(&error))
}

/// Topics that are left out, if there are any.
pub(super) fn left_out(scores: &ScoreTable) -> Option<String> {
    let count = scores.topics.left_out;
    let topics = plural(count, "topic");
    (count > 0).then(|| format!("{topics} left out, where a run has no value"))
}

/// Refuses one topic, as `compare` does.
pub(super) fn check_topics(scores: &ScoreTable) -> Result<(), PictureError> {
    if scores.matrix.topics() > 1 {
        return Ok(());
    }
    let measure = scores.measure.clone();
    Err(refused(&CompareError::OneTopic { measure }))
}

fn refused(error: &CompareError) -> PictureError {
    PictureError::new(error.to_string())
}

/// A failure of statistics, with the kind of picture.
pub(super) fn failed(kind: PictureKind, error: &StatsError) -> PictureError {
    PictureError::new(format!("{kind}: {error}"))
}
