//! The gate for continuous integration: may this run replace that one?
//!
//! For each measure, with the differences of the topics (run minus baseline, oriented so that more is better), their mean D
//! and a tolerated drop d:
//!
//! - **FAIL**: D is below -d, and a one-sided test against 0 shows a drop, its p-value corrected for the number of measures by Holm's
//!   method.
//! - **PASS**: a one-sided test shows that D is above -d; that is, the lower confidence bound of D is above -d
//!   (non-inferiority).
//! - **INCONCLUSIVE**: neither. [`Power`] has the drops that this number of topics can detect.
//!
//! FAIL needs D below -d and PASS needs D above it, so the two exclude each other.
//! Overall, the run fails if any measure does, and passes if all do. Failing is corrected, because with many measures one of
//! them falls by chance; passing is not, because it needs all of them at once, which chance makes rarer and not more
//! frequent (an intersection-union test: R. Berger, Technometrics 24, 1982).
//!
//! An unchanged run fails with a probability of at most alpha, a drop of the tolerance or more is found as soon as it is significant,
//! and a drop below the tolerance fails only where the estimate exceeds it.
//!
//! ```
//! use cranfield_compare::gate::{Settings, Tolerance, Verdict, gate_scores};
//!
//! let (old, new) = ([0.5, 0.4, 0.6, 0.7, 0.3], [0.3, 0.25, 0.4, 0.45, 0.2]);
//! let settings = Settings { tolerance: Tolerance::Relative(0.02), ..Settings::default() };
//! let gated = gate_scores("AP", &new, &old, &settings)?;
//! assert_eq!(gated.verdict, Verdict::Fail);
//! assert_eq!(gate_scores("AP", &old, &old, &settings)?.verdict, Verdict::Pass);
//! # Ok::<(), cranfield_compare::gate::GateError>(())
//! ```

mod arms;
mod junit;
mod lock;
mod lock_file;
mod output;
mod page;
mod paired;
mod power;
mod ratchet;
mod rule;
mod self_test;
mod settings;

use cranfield_core::measure::{BoundMeasure, Direction, Range};
use cranfield_core::setting::{Message, SettingStyle};
use cranfield_io::{Code, Problem, Source};
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::non_inferiority::exceeds;
use cranfield_stats::sample::differences;
use cranfield_stats::wins::Wins;
use cranfield_stats::{Degenerate, StatsError};

pub use cranfield_stats::non_inferiority::DropNull;
pub use lock::{VALUES_SINCE, lock};
pub use lock_file::{Lock, LockedFile, read_lock};
pub use output::GateOutput;
pub use power::Power;
pub use ratchet::{Fall, Ratchet};
pub use self_test::{Rates, SelfTest, SelfTestRow, normal_rates};
pub use settings::{Inconclusive, POWER, Settings, Test, Tolerance};

use crate::compare::{CompareError, check_mean};
use crate::limits::{check_within, range_in_words};
use arms::Arm;
use cranfield_eval::Evaluation;
use paired::Paired;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GateError {
    /// An input is invalid, or is not comparable with the baseline.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A measure that cannot be gated.
    #[error(transparent)]
    Measure(#[from] CompareError),
    /// The values of a measure allow no test.
    #[error("{measure}: {why}")]
    Scores {
        /// The measure.
        measure: String,
        /// The reason.
        why: StatsError,
    },
    /// Settings that make no sense.
    #[error("{0}")]
    Settings(Message),
}

impl GateError {
    /// The message in one line, with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Input(error) => error.line(style),
            Self::Measure(error) => error.render(style),
            Self::Settings(message) => message.render(style),
            Self::Scores { .. } => self.to_string(),
        }
    }
}

/// The outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The run is significantly better than the tolerance allows it to be worse.
    Pass,
    /// The run is significantly worse.
    Fail,
    /// Neither.
    Inconclusive,
}

impl Verdict {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Inconclusive => "INCONCLUSIVE",
        }
    }

    /// The verdict of several: FAIL if there is one, PASS if all are.
    pub fn of_all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts
            .into_iter()
            .fold(Self::Pass, |one, other| match (one, other) {
                (Self::Fail, _) | (_, Self::Fail) => Self::Fail,
                (Self::Pass, Self::Pass) => Self::Pass,
                _ => Self::Inconclusive,
            })
    }
}

/// A run compared with a baseline.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The settings.
    pub settings: Settings,
    /// Name of the run.
    pub run: String,
    /// Name of the baseline.
    pub baseline: String,
    /// The measures, in their order.
    pub measures: Vec<GatedMeasure>,
    /// Whether single topics fell too far, if that was asked for.
    pub ratchet: Option<Ratchet>,
    /// The verdict over all measures and the ratchet.
    pub verdict: Verdict,
}

/// A run compared with a baseline by one measure. Changes are oriented: above 0, the run is better.
#[derive(Clone, Debug)]
pub struct GatedMeasure {
    /// Name of the measure.
    pub measure: String,
    /// Number of topics.
    pub topics: usize,
    /// Topics left out because a value is undefined.
    pub left_out: usize,
    /// Undefined values that count as 0.
    pub zeros: usize,
    /// The largest absolute value of both runs, by which rounding errors are known.
    pub size: f64,
    /// Mean of the baseline.
    pub baseline_mean: f64,
    /// Mean of the run.
    pub run_mean: f64,
    /// How much better the run is: the mean of the changes.
    pub change: f64,
    /// Lower confidence bound of the change, by the same test; `None` with too few topics.
    pub low: Option<f64>,
    /// The tolerated drop, in units of the measure.
    pub tolerance: f64,
    /// p-value of a drop.
    pub p_drop: f64,
    /// p-value of a drop, corrected for the number of measures.
    pub p_drop_corrected: f64,
    /// p-value of being within the tolerance.
    pub p_within: f64,
    /// Topics on which the run has a better value, the same, a worse one.
    pub wins: Wins,
    /// Drops that this number of topics can detect; `None` where all changes are the same, or it cannot be computed.
    pub power: Option<Power>,
    /// Why the power cannot be computed, where the values allow only a verdict.
    pub no_power: Option<StatsError>,
    /// Set when all changes are the same.
    pub degenerate: Option<Degenerate>,
    /// The verdict.
    pub verdict: Verdict,
    /// The topics, the greatest drop first.
    pub changes: Vec<TopicChange>,
}

/// One topic by one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicChange {
    /// Id of the topic.
    pub topic: String,
    /// Value of the baseline.
    pub baseline: f64,
    /// Value of the run.
    pub run: f64,
    /// How much better the run is.
    pub change: f64,
}

/// The baseline of a gate.
#[derive(Clone, Copy, Debug)]
pub enum Baseline<'a> {
    /// The second run of the evaluation.
    Run,
    /// A lock file, by its name and content.
    Lock(&'a str, &'a Lock),
}

impl Gate {
    /// Compares the first run of an evaluation with a baseline.
    ///
    /// # Errors
    /// If the two cannot be compared: other topics, judgements, measures or policies than in the lock, a run without values.
    pub fn of(
        evaluation: &Evaluation,
        baseline: Baseline<'_>,
        settings: &Settings,
    ) -> Result<Self, GateError> {
        settings.check()?;
        for measure in &evaluation.plan.measures {
            check_measure(evaluation, measure)?;
            check_tolerance(evaluation, measure, settings.tolerance)?;
        }
        check_ratchet(evaluation, settings)?;
        let run = Arm::of_run(evaluation, 0)?;
        let other = match baseline {
            Baseline::Run => Arm::of_run(evaluation, 1)?,
            Baseline::Lock(name, found) => {
                lock::check(evaluation, name, found, &run)?;
                Arm::of_lock(name, found)?
            }
        };
        arms::check_topics(&run, &other)?;
        arms::check_values(evaluation, &run, &other)?;
        arms::check_defined(evaluation, &run, &other)?;
        arms::check_ran(evaluation, &run, &other)?;
        let paired = evaluation.plan.measures.iter().enumerate();
        let paired = paired.map(|(at, measure)| Paired::of(evaluation, at, measure, &run, &other));
        Self::of_paired(
            run.name.clone(),
            other.name.clone(),
            paired.collect(),
            settings,
        )
    }

    fn of_paired(
        run: String,
        baseline: String,
        paired: Vec<Paired>,
        settings: &Settings,
    ) -> Result<Self, GateError> {
        let family = paired.len();
        let tested = paired
            .into_iter()
            .map(|paired| paired.test(settings, family))
            .collect::<Result<Vec<_>, _>>()?;
        let p: Vec<f64> = tested.iter().map(|measure| measure.p_drop).collect();
        let corrected = adjust(&p, Correction::Holm);
        let corrected = corrected.map_err(|why| failed("correction", why))?;
        let measures: Vec<GatedMeasure> = tested
            .into_iter()
            .zip(corrected)
            .map(|(measure, p)| measure.judged(p, settings))
            .collect();
        let ratchet = settings
            .ratchet
            .map(|limit| Ratchet::of(&measures, limit, &settings.excused))
            .transpose()?;
        let verdicts = measures.iter().map(|measure| measure.verdict);
        let verdict = Verdict::of_all(verdicts.chain(ratchet.as_ref().map(Ratchet::verdict)));
        Ok(Self {
            settings: settings.clone(),
            run,
            baseline,
            measures,
            ratchet,
            verdict,
        })
    }

    /// Whether the run may become the baseline: it passed, no mean is worse, and one is better by more than rounding.
    pub fn is_better(&self) -> bool {
        let no_worse = self.measures.iter().all(|measure| measure.change >= 0.0);
        let is_better = |measure: &GatedMeasure| exceeds(-measure.change, 0.0, measure.size);
        let better = self.measures.iter().any(is_better);
        self.verdict == Verdict::Pass && no_worse && better
    }
}

/// Compares scores with those of a baseline, topic by topic, by one measure of which larger values are better.
pub fn gate_scores(
    measure: &str,
    run: &[f64],
    baseline: &[f64],
    settings: &Settings,
) -> Result<GatedMeasure, GateError> {
    settings.check()?;
    differences(run, baseline).map_err(|why| failed(measure, why))?;
    let values = baseline.iter().zip(run).enumerate();
    let paired = Paired {
        measure: measure.into(),
        sign: 1.0,
        values: values
            .map(|(at, (baseline, run))| ((at + 1).to_string(), *baseline, *run))
            .collect(),
        left_out: 0,
        zeros: 0,
    };
    let (run, baseline) = ("run".into(), "baseline".into());
    let mut gate = Gate::of_paired(run, baseline, vec![paired], settings)?;
    Ok(gate.measures.remove(0))
}

/// Reads the baseline if it is a lock file.
pub fn read_baseline_lock(path: &std::path::Path) -> Result<Option<Lock>, cranfield_io::Error> {
    let source = Source::open(path)?;
    if !lock_file::is_lock(&source) {
        return Ok(None);
    }
    read_lock(&source).map(Some)
}

/// Largest file of topics.
const MOST_BYTES_OF_TOPICS: usize = 1 << 24;

/// Reads ids of topics, one per line; `#` starts a comment.
///
/// # Errors
/// If the file cannot be read or has more than 16 MiB.
pub fn read_topics(path: &std::path::Path) -> Result<Vec<String>, cranfield_io::Error> {
    let source = Source::open(path)?;
    let found = source.bytes().len();
    if found > MOST_BYTES_OF_TOPICS {
        let message = format!(
            "a file of topics may have at most {MOST_BYTES_OF_TOPICS} bytes, found {found}"
        );
        return Err(Problem::file(Code::CannotRead, source.name(), message).into());
    }
    let text = String::from_utf8_lossy(source.bytes());
    let lines = text.lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let topics = lines.filter(|line| !line.is_empty());
    Ok(topics.map(str::to_owned).collect())
}

fn failed(measure: &str, why: StatsError) -> GateError {
    GateError::Scores {
        measure: measure.into(),
        why,
    }
}

fn check_measure(evaluation: &Evaluation, measure: &BoundMeasure) -> Result<(), GateError> {
    let name = evaluation.profile.name_of(measure);
    check_mean(&name, measure)?;
    if measure.info.direction == Direction::Neutral {
        let message =
            format!("{name} has no better or worse values, so it cannot be gated; remove it");
        return Err(GateError::Settings(message.into()));
    }
    Ok(())
}

/// Rejects a tolerance with which a measure can never fail.
fn check_tolerance(
    evaluation: &Evaluation,
    measure: &BoundMeasure,
    tolerance: Tolerance,
) -> Result<(), GateError> {
    let Range { min, max } = measure.info.range;
    let tolerates_all = match tolerance {
        Tolerance::Absolute(drop) => drop >= max - min,
        Tolerance::Relative(share) => {
            share >= 1.0 && min >= 0.0 && measure.info.direction == Direction::HigherIsBetter
        }
    };
    if !tolerates_all {
        return Ok(());
    }
    let name = evaluation.profile.name_of(measure);
    let range = range_in_words(Range { min, max });
    let message = format!(
        "{name} {range}, so it cannot fail with a tolerance of {tolerance}; pass a smaller one"
    );
    Err(GateError::Settings(message.into()))
}

/// Rejects a ratchet that exceeds the range of every measure.
fn check_ratchet(evaluation: &Evaluation, settings: &Settings) -> Result<(), GateError> {
    let Some(limit) = settings.ratchet else {
        return Ok(());
    };
    let mut checked = evaluation.plan.measures.iter().map(|measure| {
        let name = evaluation.profile.name_of(measure);
        check_within("a ratchet", limit, &name, Some(measure.info.range))
    });
    match checked.next() {
        Some(Err(why)) if checked.all(|other| other.is_err()) => Err(GateError::Settings(why)),
        _ => Ok(()),
    }
}

impl GatedMeasure {
    fn judged(mut self, p_drop_corrected: f64, settings: &Settings) -> Self {
        self.p_drop_corrected = p_drop_corrected;
        let exceeds = exceeds(self.change, self.tolerance, self.size);
        self.verdict = rule::verdict(exceeds, p_drop_corrected, self.p_within, settings.alpha);
        self
    }
}

#[cfg(test)]
mod tests;
