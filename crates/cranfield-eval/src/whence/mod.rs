//! Which settings give a published number: a search among the conventions that programs and papers have.

mod published;
mod search;
mod steps;

#[cfg(test)]
mod tests;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{Policies, Profile};
use cranfield_core::setting::SettingStyle;
use cranfield_core::variants::Change;
use cranfield_io::{Code, Error, Problem};

use crate::inputs::Inputs;
use crate::rosetta::{check_judgements, check_number};

pub use published::{Agreement, NotPublished, Published};

/// Most changes that a search goes through.
pub const MAX_CHANGES: usize = 4;

/// A question: where does this number come from?
#[derive(Clone, Debug)]
pub struct Question {
    /// The measure that was named.
    pub measure: BoundMeasure,
    /// Whose conventions are the start.
    pub profile: Profile,
    /// The policies that are the start.
    pub policies: Policies,
    /// The number.
    pub published: Published,
    /// Settings that may differ from the start at once.
    pub changes: usize,
}

impl Question {
    /// The measure as it is asked of other programs: a name that is a program's own leaves open what is Cranfield's default.
    pub fn canonical(&self) -> BoundMeasure {
        let measure = self.measure.clone();
        BoundMeasure {
            params: measure.params.as_canonical(),
            ..measure
        }
    }
}

/// Settings, and what they give.
#[derive(Clone, Debug)]
pub struct Setting {
    /// What differs from the start.
    pub changes: Vec<Change>,
    /// The measure.
    pub measure: BoundMeasure,
    /// The policies.
    pub policies: Policies,
    /// The run's value.
    pub value: f64,
    /// How it agrees with the published number, if it does.
    pub agreement: Option<Agreement>,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Number of settings that were evaluated.
    pub tried: usize,
    /// Settings that give the number, fewest changes first. One that holds another one's changes and more is left out,
    /// unless it gives the number when rounded and the other one only when cut.
    pub found: Vec<Setting>,
    /// If none does, those that come nearest.
    pub nearest: Vec<Setting>,
    /// Whether the search ended before all settings were tried.
    pub cut_short: bool,
}

/// Looks for the settings that give a published number.
///
/// All settings with at most so many changes are tried: parameters of the measure, its cutoff, measures that are
/// taken for it, and policies. A policy that alone changes nothing is not combined with others, and those that try
/// many orders (best, worst and expected ties, unjudged documents as relevant) with one change of the measure at most.
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
/// If the measure's value is a text, if the policies to begin with give an interval, or if the judgements are not those that
/// the measure needs.
pub fn whence(inputs: &Inputs, question: &Question) -> Result<Answer, Error> {
    check_number(&question.measure)?;
    check_judgements(inputs)?;
    check_policies(inputs, &question.policies)?;
    search::run(inputs, question)
}

/// Refuses policies that give no number, or none for these judgements.
fn check_policies(inputs: &Inputs, policies: &Policies) -> Result<(), Error> {
    let refuse = |message: String, help: &str| {
        let problem = Problem::file(Code::UnknownFormat, "<policies>", message);
        Err(problem.with_help(help).into())
    };
    match policies.of_several_rankings() {
        Some(policy) if policies.are_bounds() => refuse(
            format!(
                "{} gives an interval, and a published number is one number",
                policy.option.render(SettingStyle::CommandLine)
            ),
            "leave it out: other orders of ties and readings of unjudged documents are tried anyway",
        ),
        Some(policy) if inputs.qrels().is_none() => refuse(
            format!(
                "{} needs judgements that are grades, which these are not",
                policy.option.render(SettingStyle::CommandLine)
            ),
            &format!(
                "choose {}",
                policy.instead.render(SettingStyle::CommandLine)
            ),
        ),
        _ => Ok(()),
    }
}
