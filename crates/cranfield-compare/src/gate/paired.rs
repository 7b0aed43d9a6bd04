//! Values of a run and its baseline, topic by topic, and their tests.

use cranfield_core::measure::{BoundMeasure, Direction};
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plural;
use cranfield_stats::StatsError;
use cranfield_stats::progress::Watcher;
use cranfield_stats::sample::{Differences, mean};
use cranfield_stats::wins::{Tolerance as Tie, wins};

use super::arms::Arm;
use super::{GateError, GatedMeasure, Power, Settings, TopicChange, Verdict, failed, rule};
use crate::compare::Step;
use cranfield_eval::Evaluation;

/// Fewer have no standard deviation.
const LEAST_TOPICS: usize = 2;

/// Values of both runs by one measure.
pub(super) struct Paired {
    pub(super) measure: String,
    /// -1 where smaller is better.
    pub(super) sign: f64,
    /// Topic, baseline, run.
    pub(super) values: Vec<(String, f64, f64)>,
    pub(super) left_out: usize,
    pub(super) zeros: usize,
}

impl Paired {
    pub(super) fn of(
        evaluation: &Evaluation,
        at: usize,
        measure: &BoundMeasure,
        run: &Arm,
        baseline: &Arm,
    ) -> Self {
        let skips = evaluation.plan.leaves_out_undefined(measure);
        let sign = match measure.info.direction {
            Direction::LowerIsBetter => -1.0,
            Direction::HigherIsBetter | Direction::Neutral => 1.0,
        };
        let mut paired = Self {
            measure: evaluation.profile.name_of(measure),
            sign,
            values: Vec::with_capacity(run.topics.len()),
            left_out: 0,
            zeros: 0,
        };
        for ((topic, run), baseline) in run.topics.iter().zip(&run.values).zip(&baseline.values) {
            let values = [baseline[at], run[at]];
            let undefined = values.iter().filter(|value| value.is_nan()).count();
            if undefined > 0 && skips {
                paired.left_out += 1;
                continue;
            }
            paired.zeros += undefined;
            let [baseline, run] = values.map(|value| if value.is_nan() { 0.0 } else { value });
            paired.values.push((topic.clone(), baseline, run));
        }
        paired
    }

    pub(super) fn test(
        self,
        settings: &Settings,
        family: usize,
    ) -> Result<GatedMeasure, GateError> {
        let measure = self.measure.clone();
        if self.values.len() < LEAST_TOPICS {
            let message = format!(
                "{measure} has values on {}; a verdict needs at least {LEAST_TOPICS}",
                plural(self.values.len(), "topic")
            );
            return Err(GateError::Settings(message.into()));
        }
        let report = |done, total| {
            settings.progress.report(Step {
                measure: &measure,
                what: settings.test.title(),
                done,
                total,
            });
        };
        self.tested(settings, family, &report)
            .map_err(|why| failed(&measure, why))
    }

    /// Everything but what depends on the correction.
    fn tested(
        self,
        settings: &Settings,
        family: usize,
        watcher: Watcher<'_>,
    ) -> Result<GatedMeasure, StatsError> {
        let [baseline, run]: [Vec<f64>; 2] = [
            self.values.iter().map(|value| value.1).collect(),
            self.values.iter().map(|value| value.2).collect(),
        ];
        let changes = if self.sign < 0.0 {
            Differences::of(&baseline, &run)?
        } else {
            Differences::of(&run, &baseline)?
        };
        let baseline_mean = mean(&baseline).ok_or(StatsError::Empty)?;
        let tolerance = settings.tolerance.of(baseline_mean);
        let tests = rule::tests(&changes, tolerance, settings, watcher)?;
        // Advice that cannot be given takes no verdict away.
        let power = Power::of(&tests.t, (tolerance, changes.size()), family, settings);
        let (power, no_power) = match power {
            Ok(power) => (power, None),
            Err(why) => (None, Some(why)),
        };
        let mut topics: Vec<TopicChange> = self
            .values
            .into_iter()
            .zip(changes.values())
            .map(|((topic, baseline, run), change)| TopicChange {
                topic,
                baseline,
                run,
                change: *change,
            })
            .collect();
        topics.small_sort_by(|a, b| a.change.total_cmp(&b.change).then(a.topic.cmp(&b.topic)));
        Ok(GatedMeasure {
            measure: self.measure,
            topics: topics.len(),
            left_out: self.left_out,
            zeros: self.zeros,
            size: changes.size(),
            baseline_mean,
            run_mean: mean(&run).ok_or(StatsError::Empty)?,
            change: tests.t.mean_difference,
            low: tests.low,
            tolerance,
            p_drop: tests.p_drop,
            p_drop_corrected: tests.p_drop,
            p_within: tests.p_within,
            wins: wins(&run, &baseline, Tie::default())?.of_better(self.sign),
            power,
            no_power,
            degenerate: tests.t.degenerate,
            verdict: Verdict::Inconclusive,
            changes: topics,
        })
    }
}
