//! From files to scores: reads and evaluates in parallel, and rejects input that would silently change a number.

pub(crate) mod checks;
pub(crate) mod gains;
mod judgements;
mod notes;
mod request;
mod runs;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::{RunScores, TopicScores};
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{BoundMeasure, Input};
use cranfield_core::policy::{Overrides, Policies, Undefined};
use cranfield_io::{Code, Error, Problem};
use cranfield_measures::profiles::Profile;

use crate::inputs::Inputs;
use crate::progress::{Progress, Step};

pub use gains::UnlistedGrades;
pub use judgements::Judgements;
pub(crate) use judgements::JudgementsOfRequest;
pub use request::{InputFile, Request};
pub use runs::names_of as run_names;
pub(crate) use runs::{names_of, names_of_two, scores_of};

/// A run and its scores.
#[derive(Clone, Debug)]
pub struct EvaluatedRun {
    /// Its file.
    pub file: InputFile,
    /// The scores; the lower bounds if a policy is `bounds`.
    pub scores: RunScores,
    /// The upper bounds, if a policy is `bounds`.
    pub upper: Option<RunScores>,
}

impl EvaluatedRun {
    /// Number of topics for which a measure, given by its index in the plan, is an estimate, because there are too many orders of
    /// ties or assignments of grades to unjudged documents.
    pub fn inexact_topics(&self, measure: usize) -> usize {
        let is_inexact = |topic: &TopicScores| topic.notes.inexact.contains(measure);
        let upper = self.upper.as_ref().map(|scores| scores.topics.as_slice());
        let lower = self.scores.topics.iter().enumerate();
        let inexact = lower.filter(|(at, topic)| {
            let other = upper.and_then(|topics| topics.get(*at));
            is_inexact(topic) || other.is_some_and(is_inexact)
        });
        inexact.count()
    }
}

/// Scores of runs, with the plan and the files behind them.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The plan of the evaluation.
    pub plan: Plan,
    /// The program whose conventions apply.
    pub profile: Profile,
    /// The file of judgements.
    pub qrels: InputFile,
    /// The file of intents, if one was given.
    pub intents: Option<InputFile>,
    /// The file of known documents.
    pub known: Option<InputFile>,
    /// The file of sessions.
    pub sessions: Option<InputFile>,
    /// Number of topics with judgements, or of sessions.
    pub topics: usize,
    /// Number of judgements.
    pub judgements: usize,
    /// Whether the judgements are grades, of topics or of sessions.
    pub graded: bool,
    /// Their positive grades, ascending; empty unless a measure has a table of gains.
    pub grades: Vec<f64>,
    /// The runs, in the order given.
    pub runs: Vec<EvaluatedRun>,
}

impl Evaluation {
    /// Reads and evaluates files.
    ///
    /// # Errors
    /// If a file is invalid, or the judgements do not allow the measures, vectors or policies.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a request is made for one call"
    )]
    pub fn of_files(request: Request) -> Result<Self, Error> {
        on_threads(request.threads, || {
            let inputs = Inputs::open(&request)?;
            let evaluation = inputs.evaluate(&request)?;
            inputs.close();
            Ok(evaluation)
        })
    }

    /// The evaluation that a request would give for some of the runs, if this one has all of its numbers.
    pub fn select(&self, runs: &[usize], request: &Request) -> Option<Self> {
        let own = &self.plan;
        // A measure with its own policies may count other topics than the rest of the plan.
        let is_plain = |measure: &BoundMeasure| measure.overrides == Overrides::NONE;
        let fits = request.policies == own.policies
            && (own.topic_vectors || !request.topic_vectors)
            && own.measures.iter().all(is_plain)
            && !own.measures.iter().any(BoundMeasure::is_text)
            && runs.iter().all(|run| self.runs[*run].upper.is_none());
        let measures = request.measures.iter();
        let measures = measures.map(|wanted| own.measures.iter().position(|m| m.same_as(wanted)));
        let vectors = request.vectors.iter().map(|wanted| {
            let name = wanted.to_string();
            own.vectors.iter().position(|v| v.to_string() == name)
        });
        let measures: Vec<usize> = measures.collect::<Option<_>>().filter(|_| fits)?;
        let vectors: Vec<usize> = vectors.collect::<Option<_>>()?;
        let plan = Plan {
            measures: request.measures.clone(),
            vectors: request.vectors.clone(),
            topic_vectors: request.topic_vectors,
            ..own.clone()
        };
        let runs = runs.iter().map(|run| EvaluatedRun {
            file: self.runs[*run].file.clone(),
            scores: self.runs[*run]
                .scores
                .select(own, &plan, (&measures, &vectors)),
            upper: None,
        });
        Some(Self {
            runs: runs.collect(),
            plan,
            qrels: self.qrels.clone(),
            intents: self.intents.clone(),
            known: self.known.clone(),
            sessions: self.sessions.clone(),
            grades: self.grades.clone(),
            ..*self
        })
    }

    /// The file of known documents, if no measure uses it.
    pub fn unused_known(&self) -> Option<&InputFile> {
        let mut measures = self.plan.measures.iter();
        let used = measures.any(|measure| measure.computation.input() == Input::Known);
        self.known.as_ref().filter(|_| !used)
    }
}

/// Evaluates runs in parallel, and reports how many are done.
pub(crate) fn evaluate_each<T: Sync, R: Send>(
    runs: &[T],
    progress: &Progress,
    evaluate: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    let done = AtomicUsize::new(0);
    crate::engine::in_parallel(runs, |run| {
        let evaluated = evaluate(run);
        progress.report(Step {
            measure: "",
            what: "runs",
            done: done.fetch_add(1, Ordering::Relaxed) + 1,
            total: runs.len(),
        });
        evaluated
    })
}

/// Whether undefined values are replaced by the numbers that the program of the profile reports for them, that is, unless they are
/// skipped. `trec_eval` never skips them.
pub fn has_reference_values(profile: Profile, policies: &Policies) -> bool {
    let skips = !profile.prints_trec_names() && policies.undefined == Undefined::Skip;
    profile != Profile::Cranfield && !skips
}

/// Evaluates a plan under the policies of each of its measures.
pub(crate) fn by_policies(
    profile: Profile,
    plan: &Plan,
    evaluate: impl Fn(&Plan) -> Result<RunScores, Error>,
) -> Result<RunScores, Error> {
    let mut groups: Vec<(Policies, Vec<usize>)> = Vec::new();
    for (at, measure) in plan.measures.iter().enumerate() {
        let policies = measure.overrides.over(&plan.policies);
        match groups.iter_mut().find(|(known, _)| *known == policies) {
            Some((_, measures)) => measures.push(at),
            None => groups.push((policies, vec![at])),
        }
    }
    if groups
        .iter()
        .all(|(policies, _)| *policies == plan.policies)
    {
        return evaluate(plan);
    }
    let evaluated = groups.into_iter().map(|(policies, measures)| {
        let plan = Plan {
            reference_values: has_reference_values(profile, &policies),
            policies,
            ..plan.clone()
        };
        Ok((evaluate(&plan)?, measures))
    });
    let parts = evaluated.collect::<Result<Vec<_>, Error>>()?;
    Ok(RunScores::joined(&parts, plan))
}

/// Runs the work of a request on its number of threads.
pub(crate) fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let done = crate::engine::with_threads(threads, work);
    done.map_err(|why| Problem::file(Code::CannotRead, "threads", why.to_string()))?
}
