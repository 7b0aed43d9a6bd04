//! The comparison behind plots of all pairs and of ranks.

use cranfield_core::setting::{Message, Setting};
use cranfield_render::plot::PlotKind;
use cranfield_render::plural;
use cranfield_stats::{StatsError, short};

use super::{Drawing, DrawingError};
use cranfield_compare::compare::scores::{ScoreTable, Selection};
use cranfield_compare::compare::{CompareError, Comparison, MeasureTable, Test, compare};
use cranfield_eval::Evaluation;

/// The comparison of the runs, and their scores.
pub(super) struct Compared {
    pub(super) comparison: Comparison,
    pub(super) scores: ScoreTable,
}

impl Compared {
    pub(super) fn of(drawing: &Drawing, evaluation: &Evaluation) -> Result<Self, DrawingError> {
        if drawing.tests.test == Test::Dunnett || !drawing.tests.baselines.is_empty() {
            let kind = drawing.kind;
            let message =
                format!("{kind} shows all pairs of runs; use a test of all pairs, such as ");
            let message = Message::from(message)
                .then(Setting::Test.to(Test::Tukey.name()))
                .then(", and no baseline");
            return Err(DrawingError::new(message));
        }
        let comparison = compare(evaluation, &drawing.tests);
        let comparison = comparison.map_err(|error| of_compare(&error))?;
        let scores = score_table(evaluation)?;
        Ok(Self { comparison, scores })
    }

    /// The comparison by the only measure.
    pub(super) fn table(&self) -> &MeasureTable {
        &self.comparison.measures[0]
    }

    pub(super) fn name(&self, run: usize) -> String {
        self.comparison.runs[run].clone()
    }

    /// Says that topics are left out, if so.
    pub(super) fn left_out(&self) -> Option<String> {
        left_out(&self.scores)
    }

    /// The test, its correction and alpha.
    pub(super) fn test(&self) -> String {
        let words = self.comparison.test_in_a_sentence(self.table().family);
        format!("{words}, alpha {}", short(self.comparison.settings.alpha))
    }
}

/// The scores of all runs by the first measure.
pub(super) fn score_table(evaluation: &Evaluation) -> Result<ScoreTable, DrawingError> {
    if evaluation.plan.measures.is_empty() {
        return Err(DrawingError::new("the evaluation has no measure to plot"));
    }
    let scores = Selection::all(evaluation).measure(0);
    scores.map_err(|error| of_compare(&error))
}

/// Says that topics are left out, if so.
pub(super) fn left_out(scores: &ScoreTable) -> Option<String> {
    let count = scores.topics.left_out;
    let topics = plural(count, "topic");
    (count > 0).then(|| format!("{topics} left out, where a run has no value"))
}

/// A single topic is an error, as in `compare`.
pub(super) fn check_topics(scores: &ScoreTable) -> Result<(), DrawingError> {
    if scores.matrix.topics() > 1 {
        return Ok(());
    }
    let measure = scores.measure.clone();
    Err(of_compare(&CompareError::OneTopic { measure }))
}

fn of_compare(error: &CompareError) -> DrawingError {
    DrawingError::new(error.message())
}

/// An error of statistics, with the kind of plot.
pub(super) fn failed(kind: PlotKind, error: &StatsError) -> DrawingError {
    DrawingError::new(format!("{kind}: {error}"))
}
