//! What is refused before anything is computed: measures, policies and vectors that the judgements cannot give.

use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{BoundMeasure, Computation, Input};
use cranfield_core::policy::TopicPolicy;
use cranfield_core::setting::SettingStyle;
use cranfield_core::vectors::BoundVector;
use cranfield_io::trec::{Dialect, RunLines};
use cranfield_io::{Code, Error, Problem, QrelsFormat, Source};

use super::{Judgements, Request};

/// A refusal, with a way out.
fn refused(file: &str, message: impl Into<String>, help: impl Into<String>) -> Error {
    let problem = Problem::file(Code::UnknownFormat, file, message);
    problem.with_help(help).into()
}

/// Refuses what only judgement groups have, before other judgements are read: a file of groups that is read as grades is full of
/// contradictions, which would hide the real mistake.
pub(super) fn groups(request: &Request, source: &Source) -> Result<(), Error> {
    let is_grouped =
        |measure: &&BoundMeasure| matches!(measure.computation, Computation::Grouped(_));
    let message = match request.measures.iter().find(is_grouped) {
        _ if request.qrels_format == Some(QrelsFormat::Groups) => return Ok(()),
        Some(measure) => format!("{measure} needs judgement groups, such as subtopics"),
        None if request.intents.is_some() => "intents need judgement groups".into(),
        None => return Ok(()),
    };
    let help = "if the second column names them, add --qrels-format qrels_jg";
    Err(refused(source.name(), message, help))
}

/// Refuses policies under which measures or vectors have no value.
pub(crate) fn policies(
    judgements: &Judgements,
    request: &Request,
    name: &str,
) -> Result<(), Error> {
    if let (Some(vector), Some(policy)) = (
        request.vectors.first(),
        request.policies.of_several_rankings(),
    ) {
        let option = policy.option.render(SettingStyle::CommandLine);
        let message = format!("the vector {vector} has no value under {option}");
        let instead = policy.instead.render(SettingStyle::CommandLine);
        let help = format!("vectors are of one ranking: choose {instead}");
        return Err(refused(name, message, help));
    }
    for measure in &request.measures {
        let policies = measure.overrides.over(&request.policies);
        let input = match judgements {
            Judgements::Grades(_) => measure.computation.input(),
            _ => judgements.input(),
        };
        if let Some(policy) = policies.refused_by(input) {
            let option = policy.option.render(SettingStyle::CommandLine);
            let message = format!("{measure} cannot be computed under {option}");
            let instead = policy.instead.render(SettingStyle::CommandLine);
            let help = format!("choose {instead}, or ask for measures that need grades only");
            return Err(refused(name, message, help));
        }
    }
    Ok(())
}

impl Judgements {
    /// What they are, and which measures there are for them.
    fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Grades(_) => (
                "grades",
                "name the file's format with --qrels-format qrels_jg, prefs or qrels_prefs",
            ),
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
            Self::Sessions(..) => (
                "those of sessions",
                "with --sessions there are SessionDCG and nsDCG; leave it out for other measures",
            ),
        }
    }

    /// Refuses measures that these judgements cannot give.
    pub fn check(&self, measures: &[BoundMeasure], file: &str, known: bool) -> Result<(), Error> {
        let needs = |input: Input| {
            measures
                .iter()
                .find(move |m| m.computation.input() == input)
        };
        if let (Some(measure), false) = (needs(Input::Known), known) {
            let message = format!("{measure} needs the documents that users knew before");
            let help = "give a file of lines `topic document` with --known";
            return Err(refused(file, message, help));
        }
        if let (Some(measure), Self::Grades(_)) = (needs(Input::Sessions), self) {
            let message = format!("{measure} needs to know which topics are a session");
            let help = "give a file of lines `session topic` with --sessions";
            return Err(refused(file, message, help));
        }
        let Some(wrong) = measures.iter().find(|measure| !self.gives(measure)) else {
            return Ok(());
        };
        let (what, help) = self.kind();
        let help = match (self, wrong.computation.input()) {
            (Self::Grades(_), Input::Strata) => "name the file's format with --qrels-format strata",
            (Self::Grades(_), Input::Prels) => "name the file's format with --qrels-format prels",
            _ => help,
        };
        let message = format!("the judgements are {what}, from which {wrong} cannot be computed");
        Err(refused(file, message, help))
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

    /// Refuses vectors that these judgements cannot give, or that would fill the memory.
    pub(crate) fn check_vectors(&self, request: &Request, file: &str) -> Result<(), Error> {
        let vectors = &request.vectors;
        let Some(first) = vectors.first() else {
            return Ok(());
        };
        let Self::Grades(qrels) = self else {
            let message =
                format!("the vector {first} needs grades, and these are other judgements");
            let help = "vectors need judgements with one grade per document";
            return Err(refused(file, message, help));
        };
        let columns = vectors.iter().map(BoundVector::columns).sum();
        size(file, qrels.len(), columns)
    }
}

/// Most numbers that the vectors of one run may have: 2 GiB of them.
const MAX_NUMBERS: usize = 1 << 28;

fn size(file: &str, topics: usize, columns: usize) -> Result<(), Error> {
    if topics.saturating_mul(columns) <= MAX_NUMBERS {
        return Ok(());
    }
    let message =
        format!("{topics} topics with vectors of {columns} numbers do not fit into 2 GiB");
    let problem = Problem::file(Code::ExpandsTooFar, file, message);
    Err(problem
        .with_help("ask for a smaller depth, or for fewer vectors at a time")
        .into())
}

/// Refuses a run whose topics have too long vectors, where it is the run that says which topics count.
pub(super) fn topics(file: &str, plan: &Plan, topics: impl FnOnce() -> usize) -> Result<(), Error> {
    if plan.vectors.is_empty() || plan.policies.topics != TopicPolicy::Run {
        return Ok(());
    }
    size(file, topics(), plan.width())
}

/// The number of topics of a TREC run; more if they are interleaved.
pub(super) fn changes_of_topic(source: &Source) -> usize {
    let mut last = None;
    let lines = RunLines::new(source.bytes(), Dialect::Strict).flatten();
    lines
        .filter(|line| last.replace(line.topic) != Some(line.topic))
        .count()
}
