//! Checks before the evaluation: measures, policies and vectors that the judgements do not support.

use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{BoundMeasure, Computation, Input};
use cranfield_core::policy::TopicPolicy;
use cranfield_core::setting::{Message, Setting};
use cranfield_core::vectors::BoundVector;
use cranfield_io::trec::{Dialect, RunLines};
use cranfield_io::{Code, Error, Problem, QrelsFormat, Source};

use super::{Judgements, Request};

/// An error with a hint.
fn rejected(file: &str, message: impl Into<Message>, help: impl Into<Message>) -> Error {
    let problem = Problem::file(Code::UnknownFormat, file, message);
    problem.with_help(help).into()
}

/// Rejects measures and intents that need judgement groups, before the judgements are read as grades: a file of groups then has many
/// contradictions, which would hide the cause.
pub(super) fn groups(request: &Request, source: &Source) -> Result<(), Error> {
    let is_grouped =
        |measure: &&BoundMeasure| matches!(measure.computation, Computation::Grouped(_));
    let message = match request.measures.iter().find(is_grouped) {
        _ if request.qrels_format == Some(QrelsFormat::Groups) => return Ok(()),
        Some(measure) => format!("{measure} needs judgement groups, such as subtopics"),
        None if request.intents.is_some() => "intents need judgement groups".into(),
        None => return Ok(()),
    };
    let help = Message::from("if the second column names the groups, use ")
        .then(Setting::QrelsFormat.to(QrelsFormat::Groups));
    Err(rejected(source.name(), message, help))
}

/// Rejects policies under which measures or vectors have no value.
pub(crate) fn policies(
    judgements: &Judgements,
    request: &Request,
    name: &str,
) -> Result<(), Error> {
    if let (Some(vector), Some(policy)) = (
        request.vectors.first(),
        request.policies.of_several_rankings(),
    ) {
        let message = format!("the vector {vector} has no value with ");
        let message = Message::from(message).then(policy.option);
        let help = Message::from("vectors need a single ranking: use ").then(policy.instead);
        return Err(rejected(name, message, help));
    }
    for measure in &request.measures {
        let policies = measure.overrides.over(&request.policies);
        let input = match judgements {
            Judgements::Grades(_) => measure.computation.input(),
            _ => judgements.input(),
        };
        if let Some(policy) = policies.refused_by(input) {
            let message = format!("{measure} cannot be computed with ");
            let message = Message::from(message).then(policy.option);
            let help = Message::from("use ")
                .then(policy.instead)
                .then(", or measures that need only grades");
            return Err(rejected(name, message, help));
        }
    }
    Ok(())
}

impl Judgements {
    /// The kind of the judgements, and a hint on the measures for them.
    fn kind(&self) -> (&'static str, Message) {
        let (kind, help) = match self {
            Self::Grades(_) => {
                let help = Message::from("for other judgements, set ")
                    .then(Setting::QrelsFormat)
                    .then(" to qrels_jg, prefs or qrels_prefs");
                return ("grades", help);
            }
            Self::Sessions(..) => {
                let help = Message::from("sessions support SessionDCG and nsDCG; omit ")
                    .then(Setting::Sessions)
                    .then(" for other measures");
                return ("judgements of sessions", help);
            }
            Self::Groups(_) => (
                "judgement groups",
                "measures of judgement groups are in the group `qrels_jg`",
            ),
            Self::Preferences(_) => (
                "preferences",
                "measures of preferences are in the group `all_prefs`",
            ),
            Self::Strata(_) => (
                "a sample by strata",
                "its measures are xinfAP, infNDCG, iP@k, iNumRel and iNumRelRet",
            ),
            Self::Prels(_) => (
                "a sample with probabilities",
                "its measures are statAP, statP@k and statNumRel",
            ),
        };
        (kind, help.into())
    }

    /// Rejects measures that these judgements do not support.
    pub fn check(&self, measures: &[BoundMeasure], file: &str, known: bool) -> Result<(), Error> {
        let needs = |input: Input| {
            measures
                .iter()
                .find(move |m| m.computation.input() == input)
        };
        if let (Some(measure), false) = (needs(Input::Known), known) {
            let message =
                format!("{measure} needs the documents that users knew before the search");
            let help =
                Message::from("pass a file of lines `topic document` as ").then(Setting::Known);
            return Err(rejected(file, message, help));
        }
        if let (Some(measure), Self::Grades(_)) = (needs(Input::Sessions), self) {
            let message = format!("{measure} needs sessions of topics");
            let help =
                Message::from("pass a file of lines `session topic` as ").then(Setting::Sessions);
            return Err(rejected(file, message, help));
        }
        let Some(wrong) = measures.iter().find(|measure| !self.gives(measure)) else {
            return Ok(());
        };
        let (what, help) = self.kind();
        let help = match (self, wrong.computation.input()) {
            (Self::Grades(_), input @ (Input::Strata | Input::Prels)) => {
                let format = input.option().map(Message::from);
                Message::from("use ").then(format.unwrap_or_default())
            }
            _ => help,
        };
        let message = format!("{wrong} cannot be computed from {what}");
        Err(rejected(file, message, help))
    }

    fn gives(&self, measure: &BoundMeasure) -> bool {
        match (&measure.computation, self) {
            (Computation::TopicCount | Computation::RunId, _) => true,
            (computation, Self::Grades(_)) => {
                matches!(computation.input(), Input::Grades | Input::Known)
            }
            (computation, _) => computation.input() == self.input(),
        }
    }

    /// Rejects vectors that these judgements do not support, or that need too much memory.
    pub(crate) fn check_vectors(&self, request: &Request, file: &str) -> Result<(), Error> {
        let vectors = &request.vectors;
        let Some(first) = vectors.first() else {
            return Ok(());
        };
        let Self::Grades(qrels) = self else {
            let message = format!("the vector {first} needs graded judgements");
            let help = "use judgements with one grade per document";
            return Err(rejected(file, message, help));
        };
        let columns = vectors.iter().map(BoundVector::columns).sum();
        size(file, qrels.len(), columns)
    }
}

/// Maximum number of vector components of one run: 2 GiB.
const MAX_NUMBERS: usize = 1 << 28;

fn size(file: &str, topics: usize, columns: usize) -> Result<(), Error> {
    if topics.saturating_mul(columns) <= MAX_NUMBERS {
        return Ok(());
    }
    let message =
        format!("{topics} topics with vectors of {columns} numbers do not fit into 2 GiB");
    let problem = Problem::file(Code::ExpandsTooFar, file, message);
    Err(problem
        .with_help("request a smaller depth or fewer vectors")
        .into())
}

/// Rejects a run whose vectors need too much memory, if the topics of the run are the ones that count.
pub(super) fn topics(file: &str, plan: &Plan, topics: impl FnOnce() -> usize) -> Result<(), Error> {
    if plan.vectors.is_empty() || plan.policies.topics != TopicPolicy::Run {
        return Ok(());
    }
    size(file, topics(), plan.width())
}

/// An upper bound of the number of topics of a TREC run, exact unless topics are interleaved.
pub(super) fn changes_of_topic(source: &Source) -> usize {
    let mut last = None;
    let lines = RunLines::new(source.bytes(), Dialect::Strict).flatten();
    lines
        .filter(|line| last.replace(line.topic) != Some(line.topic))
        .count()
}
