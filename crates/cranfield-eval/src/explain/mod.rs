//! Explanations: the contributions of documents or topics to a value.
//!
//! ```no_run
//! use cranfield_eval::explain::{Explanations, Shown};
//! use cranfield_render::PageFormat;
//! use cranfield_eval::{Conventions, Request, parse_measures};
//!
//! let measures = parse_measures("nDCG@10", &Conventions::default())?;
//! let request = Request::new("qrels.txt", ["bm25.run", "dense.run"], measures);
//! let explained = Explanations::of_files(request, Some(b"101"))?;
//! println!("{}", explained.page(&Shown::default()).render(PageFormat::Text, 80));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ids;
mod page;

use std::fmt;

use crate::engine::{
    ExplainFault, explain_groups, explain_preferences, explain_prels, explain_session,
    explain_strata,
};
use cranfield_core::evaluate::Plan;
use cranfield_core::explain::{
    Explanation, MeanDifference, MeanExplanation, SessionDifference, SessionExplanation,
    TopicDifference, explain_topic_to,
};
use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::policy::TopicPolicy;
use cranfield_core::run::Run;
use cranfield_core::setting::{Message, Setting, SettingStyle};
use cranfield_io::{Code, Problem, quoted};
use cranfield_measures::profiles::Profile;

use crate::evaluation::{EvaluatedRun, Evaluation, Judgements, Request, has_reference_values};
use crate::inputs::{Inputs, RunInput};
use crate::labels::Labels;

pub use page::Shown;

/// Maximum number of topics that a message names.
const NAMED: usize = 5;

/// An explained value.
#[derive(Clone, Debug)]
pub enum Explained {
    /// One topic of one run, by documents.
    Topic {
        /// The run.
        run: String,
        /// Its value.
        explanation: Box<Explanation>,
    },
    /// One run, by topics.
    Mean {
        /// The run.
        run: String,
        /// Its value.
        explanation: MeanExplanation,
    },
    /// The difference of two runs in one topic, by documents.
    TopicDifference {
        /// The runs; the first is subtracted from the second.
        runs: [String; 2],
        /// The difference.
        difference: Box<TopicDifference>,
    },
    /// One session of one run, by the documents of its rankings.
    Session {
        /// The run.
        run: String,
        /// Its value.
        explanation: Box<SessionExplanation>,
    },
    /// The difference of two runs in one session, by the documents of its rankings.
    SessionDifference {
        /// The runs; the first is subtracted from the second.
        runs: [String; 2],
        /// The difference.
        difference: Box<SessionDifference>,
    },
    /// The difference of two runs, by topics.
    MeanDifference {
        /// The runs; the first is subtracted from the second.
        runs: [String; 2],
        /// The difference.
        difference: Box<MeanDifference>,
    },
}

/// Explained values, one for each measure, and their plan.
#[derive(Debug)]
pub struct Explanations {
    /// The plan of the evaluation.
    pub plan: Plan,
    /// The program whose conventions apply.
    pub profile: Profile,
    /// The explained values by measure.
    pub explained: Vec<Explained>,
    /// Titles that pages show beside ids.
    pub labels: Labels,
}

/// Why a value cannot be explained.
#[derive(Debug)]
pub enum ExplainError {
    /// A file is invalid.
    Input(cranfield_io::Error),
    /// The request is invalid.
    Request(Message),
}

impl fmt::Display for ExplainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Request(message) => message.fmt(f),
        }
    }
}

impl std::error::Error for ExplainError {}

impl ExplainError {
    /// The message in one line, with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Input(error) => error.line(style),
            Self::Request(message) => message.render(style),
        }
    }
}

impl From<cranfield_io::Error> for ExplainError {
    fn from(error: cranfield_io::Error) -> Self {
        Self::Input(error)
    }
}

impl Explanations {
    /// Explains the values of one run, or the difference of two: the second minus the first.
    ///
    /// The value of a topic, or of a session if the request has sessions, is explained by documents; without a topic, the mean is
    /// explained by topics. Values are bit for bit those of [`Evaluation::of_files`] with the same request.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a request is made for one call"
    )]
    pub fn of_files(request: Request, topic: Option<&[u8]>) -> Result<Self, ExplainError> {
        check(&request, request.runs.len(), topic.is_some())?;
        let inputs = Inputs::open(&request)?;
        Self::of(&inputs, &request, topic)
    }

    /// Explains the values of inputs. The files of the request are ignored.
    ///
    /// # Errors
    /// If a run is invalid, or if the request has values that cannot be explained.
    pub fn of(
        inputs: &Inputs,
        request: &Request,
        topic: Option<&[u8]>,
    ) -> Result<Self, ExplainError> {
        check(request, inputs.runs().len(), topic.is_some())?;
        let profile = request.profile;
        let (plan, explained) = if let Some(topic) = topic {
            explain_topics(&inputs.clone().load()?, request, topic)?
        } else {
            let evaluation = inputs.evaluate(request)?;
            let explained = explain_means(&evaluation);
            (evaluation.plan, explained)
        };
        Ok(Self {
            plan,
            profile,
            explained,
            labels: Labels::default(),
        })
    }
}

/// Rejects requests whose values cannot be explained.
fn check(request: &Request, runs: usize, of_topic: bool) -> Result<(), ExplainError> {
    let reject = |message: Message| Err(ExplainError::Request(message));
    if !(1..=2).contains(&runs) {
        return reject(format!("expected one run or two, not {runs}").into());
    }
    if let Some(bounds) = request.policies.bounds() {
        return reject(bounds.as_interval("cannot be explained"));
    }
    if !request.vectors.is_empty() {
        return reject(
            "a vector cannot be explained; explain a measure at one of its ranks".into(),
        );
    }
    let strings = request.measures.iter();
    let mut strings = strings.filter(|measure| is_text(&measure.computation));
    match strings.next() {
        Some(measure) if !of_topic => {
            let message = format!("{measure} is a string and has no mean; choose one topic with ");
            reject(Message::from(message).then(Setting::Topic))
        }
        Some(measure) if runs > 1 => {
            let message = "is a string, and strings have no difference; explain one run";
            reject(format!("{measure} {message}").into())
        }
        _ => Ok(()),
    }
}

fn is_text(computation: &Computation) -> bool {
    matches!(computation, Computation::Text(_) | Computation::RunId)
}

fn explain_means(evaluation: &Evaluation) -> Vec<Explained> {
    let plan = &evaluation.plan;
    let mean = |run: &EvaluatedRun, measure: usize| {
        let topics = run.scores.topics.iter().enumerate();
        let topics =
            topics.map(|(at, topic)| (&*topic.id, topic.in_run, run.scores.row(at)[measure]));
        let value = run.scores.aggregate(measure);
        let measure = &plan.measures[measure];
        let plan = alone(plan, evaluation.profile, measure);
        MeanExplanation::new(&plan, measure, value, topics)
    };
    let explained = (0..plan.measures.len()).filter_map(|measure| {
        let (first, others) = evaluation.runs.split_first()?;
        Some(match others.first() {
            Some(second) => Explained::MeanDifference {
                runs: [first, second].map(|run| run.scores.name.clone()),
                difference: Box::new(MeanDifference::new([
                    mean(first, measure),
                    mean(second, measure),
                ])),
            },
            None => Explained::Mean {
                run: first.scores.name.clone(),
                explanation: mean(first, measure),
            },
        })
    });
    explained.collect()
}

fn explain_topics(
    inputs: &Inputs,
    request: &Request,
    topic: &[u8],
) -> Result<(Plan, Vec<Explained>), ExplainError> {
    let (judgements, runs) = (inputs.judgements(), inputs.runs());
    let plan = inputs.plan(request)?;
    let plans: Vec<Plan> = plan
        .measures
        .iter()
        .map(|measure| alone(&plan, request.profile, measure))
        .collect();
    let explained = if let Judgements::Sessions(..) = judgements {
        let explained = by_run(runs, &plans, |run, plan| {
            explain_sessions(plan, judgements, topic, run)
        })?;
        joined(runs, explained, of_session, of_sessions)
    } else {
        let explained = by_run(runs, &plans, |run, plan| {
            explain_run(usize::MAX, plan, judgements, topic, run)
        })?;
        joined(runs, explained, of_topic, of_topics)
    };
    Ok((plan, explained))
}

/// The explanations of each run, by plan.
fn by_run<T>(
    runs: &[RunInput],
    plans: &[Plan],
    explain: impl Fn(&RunInput, &Plan) -> Result<Vec<T>, ExplainError>,
) -> Result<Vec<Vec<T>>, ExplainError> {
    let mut explained = Vec::new();
    for run in runs {
        let mut of_run = Vec::new();
        for plan in plans {
            of_run.extend(explain(run, plan)?);
        }
        explained.push(of_run);
    }
    Ok(explained)
}

/// A plan for one measure of a plan, under the policies of that measure.
pub fn alone(plan: &Plan, profile: Profile, measure: &BoundMeasure) -> Plan {
    let policies = measure.overrides.over(&plan.policies);
    Plan {
        measures: vec![measure.clone()],
        reference_values: has_reference_values(profile, &policies),
        policies,
        ..plan.clone()
    }
}

/// The explanations of one run, or the differences of two.
fn joined<T>(
    runs: &[RunInput],
    explained: Vec<Vec<T>>,
    alone: impl Fn(String, T) -> Explained,
    pair: impl Fn([String; 2], [T; 2]) -> Explained,
) -> Vec<Explained> {
    let name = |at: usize| runs.get(at).map_or(String::new(), |run| run.name.clone());
    let mut explained = explained.into_iter();
    let first = explained.next().unwrap_or_default().into_iter();
    match explained.next() {
        None => first.map(|one| alone(name(0), one)).collect(),
        Some(second) => {
            let pairs = first.zip(second);
            let pairs = pairs.map(|(one, other)| pair([name(0), name(1)], [one, other]));
            pairs.collect()
        }
    }
}

fn of_topic(run: String, explanation: Explanation) -> Explained {
    Explained::Topic {
        run,
        explanation: Box::new(explanation),
    }
}

fn of_topics(runs: [String; 2], explanations: [Explanation; 2]) -> Explained {
    Explained::TopicDifference {
        runs,
        difference: Box::new(TopicDifference::new(explanations)),
    }
}

fn of_session(run: String, explanation: SessionExplanation) -> Explained {
    Explained::Session {
        run,
        explanation: Box::new(explanation),
    }
}

fn of_sessions(runs: [String; 2], explanations: [SessionExplanation; 2]) -> Explained {
    Explained::SessionDifference {
        runs,
        difference: Box::new(SessionDifference::new(explanations)),
    }
}

fn explain_sessions(
    plan: &Plan,
    judgements: &Judgements,
    id: &[u8],
    run: &RunInput,
) -> Result<Vec<SessionExplanation>, ExplainError> {
    check_topic(plan, judgements, id, run)?;
    let Judgements::Sessions(qrels, sessions, _) = judgements else {
        return Ok(Vec::new());
    };
    let rankings = run.run()?;
    let session = sessions.get(id);
    let explained = session.map(|session| explain_session(&rankings, qrels, &session, plan));
    let explained = explained.unwrap_or(Ok(Vec::new()));
    explained.map_err(|fault| faulty(fault, judgements, id, run))
}

/// Converts a fault of a topic or session to an error.
fn faulty(fault: ExplainFault, judgements: &Judgements, id: &[u8], run: &RunInput) -> ExplainError {
    let (unit, id) = (unit(judgements), quoted(id));
    let (code, message) = match fault {
        ExplainFault::Duplicate(doc) => (
            Code::DuplicateDocument,
            format!("document {} is in {unit} {id} twice", quoted(&doc)),
        ),
        ExplainFault::Contradiction(why) => (
            Code::ConflictingJudgement,
            format!("preferences of {unit} {id}: {why}"),
        ),
    };
    ExplainError::Input(Problem::file(code, &run.file.path, message).into())
}

/// The unit of evaluation.
fn unit(judgements: &Judgements) -> &'static str {
    match judgements {
        Judgements::Sessions(..) => "session",
        _ => "topic",
    }
}

/// Explains the values of a plan for one topic of a run. If judgements are grades, at most the first `depth` documents are listed.
pub fn explain_run(
    depth: usize,
    plan: &Plan,
    judgements: &Judgements,
    topic: &[u8],
    run: &RunInput,
) -> Result<Vec<Explanation>, ExplainError> {
    let rankings = run.run()?;
    let found = rankings.get(topic);
    check_topic(plan, judgements, topic, run)?;
    let explained = match judgements {
        Judgements::Grades(qrels) => {
            explain_topic_to(depth, plan, qrels, topic, found).map_err(|twice| {
                let doc = found.and_then(|found| found.entries().nth(twice.first));
                ExplainFault::Duplicate(doc.map_or(&[][..], |entry| entry.doc).into())
            })
        }
        Judgements::Groups(groups) => explain_groups(plan, topic, groups.topic(topic), found),
        Judgements::Preferences(preferences) => {
            explain_preferences(plan, topic, preferences.topic(topic), found)
        }
        Judgements::Strata(sample) => explain_strata(plan, topic, sample.topic(topic), found),
        Judgements::Prels(sample) => explain_prels(plan, topic, sample.topic(topic), found),
        Judgements::Sessions(..) => Ok(Vec::new()),
    };
    let mut explained = explained.map_err(|fault| faulty(fault, judgements, topic, run))?;
    for explanation in &mut explained {
        if matches!(explanation.measure.computation, Computation::RunId) {
            explanation.text = Some(rankings.tag().to_owned());
        }
    }
    Ok(explained)
}

/// Rejects a topic or session that does not count in an evaluation.
fn check_topic(
    plan: &Plan,
    judgements: &Judgements,
    topic: &[u8],
    run: &RunInput,
) -> Result<(), ExplainError> {
    let (judged, retrieved) = (
        judgements.has(topic),
        is_retrieved(judgements, topic, &*run.run()?),
    );
    let policy = plan.policies.topics;
    let counted = match policy {
        TopicPolicy::Judged => judged,
        TopicPolicy::Both => judged && retrieved,
        TopicPolicy::Relevant => judged && retrieved && judgements.has_relevant(topic),
        TopicPolicy::Run => retrieved,
    };
    if counted {
        return Ok(());
    }
    let (unit, id, name) = (unit(judgements), quoted(topic), &run.file.path);
    let (why, instead, how) = match (judged, retrieved) {
        (false, false) => {
            let known = known_topics(judgements);
            let message =
                format!("{unit} {id} is neither in the judgements nor in {name}; {known}");
            return Err(ExplainError::Request(message.into()));
        }
        (false, true) => ("is not in the judgements".into(), TopicPolicy::Run, ""),
        (true, true) => ("has no relevant document".into(), TopicPolicy::Both, ""),
        (true, false) => (
            format!("is not in {name}"),
            TopicPolicy::Judged,
            " as an empty ranking",
        ),
    };
    let message = Message::from(format!("{unit} {id} {why}, so "))
        .then(Setting::Topics.to(policy))
        .then(" excludes it; ")
        .then(Setting::Topics.to(instead))
        .then(format!(" includes it{how}"));
    Err(ExplainError::Request(message))
}

/// Whether the run has a topic, or a topic of a session.
fn is_retrieved(judgements: &Judgements, id: &[u8], run: &Run) -> bool {
    match judgements {
        Judgements::Sessions(_, sessions, _) => sessions.get(id).is_some_and(|session| {
            let mut topics = session.topics();
            topics.any(|topic| run.get(topic).is_some())
        }),
        _ => run.get(id).is_some(),
    }
}

/// Names some topics or sessions of the judgements.
fn known_topics(judgements: &Judgements) -> String {
    let ids = judgements.first_ids(NAMED + 1);
    let shown: Vec<String> = ids.iter().take(NAMED).map(|id| quoted(id)).collect();
    let and_more = if ids.len() > NAMED { " and others" } else { "" };
    format!("there are {}{and_more}", shown.join(", "))
}
