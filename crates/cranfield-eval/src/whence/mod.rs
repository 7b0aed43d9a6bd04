//! Searches for the settings that reproduce a published number, among the conventions of programs and papers.

mod published;
mod search;
mod steps;

#[cfg(test)]
mod tests;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_core::setting::Message;
use cranfield_io::{Code, Error, Problem};
use cranfield_measures::profiles::Profile;
use cranfield_measures::variants::Change;

use crate::inputs::Inputs;
use crate::rosetta::{check_judgements, check_number};

pub use published::{Agreement, NotPublished, Published};

/// Maximum number of changes in a search.
pub const MAX_CHANGES: usize = 4;

/// A published number and the settings from which the search starts.
#[derive(Clone, Debug)]
pub struct Question {
    /// The measure that the number is said to be.
    pub measure: BoundMeasure,
    /// The program whose conventions the search starts from.
    pub profile: Profile,
    /// The policies that the search starts from.
    pub policies: Policies,
    /// The published number.
    pub published: Published,
    /// Maximum number of settings that may differ from the start at once.
    pub changes: usize,
}

impl Question {
    /// The measure to look up in other programs. A program's own name for a measure does not fix the parameters that Cranfield sets
    /// by default.
    pub fn canonical(&self) -> BoundMeasure {
        let measure = self.measure.clone();
        BoundMeasure {
            params: measure.params.as_canonical(),
            ..measure
        }
    }
}

/// Settings, and the value they give.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The changes from the start.
    pub changes: Vec<Change>,
    /// The measure.
    pub measure: BoundMeasure,
    /// The policies.
    pub policies: Policies,
    /// The run's value.
    pub value: f64,
    /// Whether the value rounds or truncates to the published number; `None` if neither.
    pub agreement: Option<Agreement>,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Number of settings that were evaluated.
    pub tried: usize,
    /// Settings that give the number, fewest changes first. Settings that contain all changes of another match are omitted, unless
    /// they match by rounding and the other one only by truncation.
    pub found: Vec<Candidate>,
    /// The settings with the nearest values, if none matches.
    pub nearest: Vec<Candidate>,
    /// Whether the search stopped before all settings were tried. Settings with the fewest changes are tried first.
    pub cut_short: bool,
}

/// Searches for the settings that give a published number.
///
/// The search varies the parameters of the measure, its cutoff, measures that are often confused with it, and policies, fewest
/// changes first and up to [`Question::changes`] at once. A policy without an effect of its own is not combined with others. Policies
/// that evaluate many orders per topic (best, worst and expected ties, unjudged documents as relevant) are combined with at most one
/// change of the measure. On large collections the search stops after a fixed number of evaluated rankings, see
/// [`Answer::cut_short`].
///
/// ```
/// use cranfield_eval::whence::{Question, whence};
/// use cranfield_eval::{Conventions, Inputs, Policies, Profile, Qrels, Run, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 2.0), ("q2", "d3", 1.0)]);
/// let run = Run::from_scores("mine", [("q1", "d1", 2.0), ("q1", "d2", 1.0)]);
/// let question = Question {
///     measure: parse_measures("RR", &Conventions::default())?.remove(0),
///     profile: Profile::Cranfield,
///     policies: Policies::OWN,
///     published: "1.000".parse()?,
///     changes: 2,
/// };
/// let answer = whence(&Inputs::new(qrels, run), &question)?;
/// assert_eq!(answer.found[0].policies.topics.name(), "both");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the value of the measure is a string, if the initial policies give an interval, or if the measure needs other judgements.
pub fn whence(inputs: &Inputs, question: &Question) -> Result<Answer, Error> {
    check_number(&question.measure)?;
    check_judgements(inputs)?;
    check_policies(inputs, &question.policies)?;
    search::run(inputs, question, search::MAX_RANKINGS)
}

/// Rejects policies that do not give a single number for these judgements.
fn check_policies(inputs: &Inputs, policies: &Policies) -> Result<(), Error> {
    let reject = |message: Message, help: Message| {
        let problem = Problem::file(Code::UnknownFormat, "<policies>", message);
        Err(problem.with_help(help).into())
    };
    match policies.of_several_rankings() {
        Some(policy) if policies.are_bounds() => reject(
            Message::from(policy.option).then(" gives an interval, not a number"),
            "omit it: the search varies these policies".into(),
        ),
        Some(policy) if inputs.qrels().is_none() => reject(
            Message::from(policy.option).then(" needs graded judgements"),
            Message::from("use ").then(policy.instead),
        ),
        _ => Ok(()),
    }
}
