//! From files to scores: opens, reads in parallel, evaluates, and refuses what would change a number silently.

mod checks;
mod gains;
mod judgements;
mod memory;
mod notes;
mod request;
mod runs;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::{RunScores, TopicScores};
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::Input;
use cranfield_core::policy::{End, Policies, Profile, Undefined};
use cranfield_io::{Code, Error, Problem, Source};

use crate::progress::{Step, StepWatcher};

pub use gains::UnlistedGrades;
pub use judgements::{Judgements, ReadJudgements};
pub use memory::{Evaluator, NamedRun};
pub use request::{InputFile, Request};
pub use runs::names_of as run_names;
pub(crate) use runs::{names_of, names_of_two};

/// A run and its scores.
#[derive(Clone, Debug)]
pub struct EvaluatedRun {
    /// Where it came from.
    pub file: InputFile,
    /// The scores; where a policy says `bounds`, the least ones.
    pub scores: RunScores,
    /// Where a policy says `bounds`, the greatest ones.
    pub upper: Option<RunScores>,
}

impl EvaluatedRun {
    /// Number of topics where this measure (by its place in the plan) is an estimate, because there were too many orders
    /// of ties or readings of unjudged documents.
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
    /// What was computed.
    pub plan: Plan,
    /// Whose conventions.
    pub profile: Profile,
    /// The judgements' file.
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
    /// Whether they are grades, of topics or of sessions.
    pub graded: bool,
    /// Grades above zero that they have, ascending; empty unless a measure has a table of gains.
    pub grades: Vec<f64>,
    /// The runs, in the order given.
    pub runs: Vec<EvaluatedRun>,
}

impl Evaluation {
    /// Reads and evaluates files.
    pub fn of_files(request: Request) -> Result<Self, Error> {
        Self::of_files_watched(request, &|_| ())
    }

    /// The same, telling how many runs are evaluated.
    pub fn of_files_watched(request: Request, watcher: StepWatcher<'_>) -> Result<Self, Error> {
        let evaluated = {
            let threads = request.threads;
            crate::engine::with_threads(threads, || evaluate_files(request, watcher))
        };
        evaluated.unwrap_or_else(|why| {
            Err(Problem::file(Code::CannotRead, "threads", why.to_string()).into())
        })
    }

    /// The file of known documents, if no measure looks at it.
    pub fn unused_known(&self) -> Option<&InputFile> {
        let mut measures = self.plan.measures.iter();
        let used = measures.any(|measure| measure.computation.input() == Input::Known);
        self.known.as_ref().filter(|_| !used)
    }
}

/// Evaluates each of several runs in parallel, telling how many are done.
pub fn evaluate_each<T: Sync, R: Send>(
    runs: &[T],
    watcher: StepWatcher<'_>,
    evaluate: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    let done = AtomicUsize::new(0);
    crate::engine::in_parallel(runs, |run| {
        let evaluated = evaluate(run);
        watcher(Step {
            measure: "",
            what: "runs",
            done: done.fetch_add(1, Ordering::Relaxed) + 1,
            total: runs.len(),
        });
        evaluated
    })
}

/// Whether undefined values are the numbers that the profile's program has for them: where it does not leave them
/// out. `trec_eval` never does.
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

fn evaluate_files(request: Request, watcher: StepWatcher<'_>) -> Result<Evaluation, Error> {
    let (read, single) = crate::engine::both(
        || ReadJudgements::of(&request),
        || runs::open_single(&request.runs),
    );
    let read = read?;
    read.judgements.check_vectors(&request, &read.source)?;
    let ReadJudgements {
        judgements,
        source,
        intents,
        known,
    } = read;
    let (known, known_file) = known.unzip();
    let sessions = match &judgements {
        Judgements::Sessions(_, _, file) => Some(file.clone()),
        _ => None,
    };
    let plan = Plan {
        measures: request.measures,
        vectors: request.vectors,
        topic_vectors: request.topic_vectors,
        reference_values: has_reference_values(request.profile, &request.policies),
        policies: request.policies,
        missing_document: None,
        end: End::default(),
        known: known.map(Arc::new),
    };
    let (format, profile) = (request.run_format, request.profile);
    let evaluate =
        |source: &Source| runs::evaluate_file(source, format, &judgements, profile, &plan);
    let single = single.transpose()?;
    let mut runs = if let Some(source) = &single {
        vec![evaluate(source)?]
    } else {
        let evaluated = evaluate_each(&request.runs, watcher, |path| {
            evaluate(&Source::open(path)?)
        });
        evaluated.into_iter().collect::<Result<Vec<_>, _>>()?
    };
    name_runs(&mut runs);
    let qrels = judgements.qrels();
    let repeated = qrels.and_then(|qrels| judgements::repeated_judgements(&source, qrels));
    let (topics, count) = judgements.size();
    let mut qrels = InputFile::of(&source);
    qrels.notes.extend(repeated);
    let evaluation = Evaluation {
        qrels,
        intents,
        known: known_file,
        sessions,
        topics,
        judgements: count,
        graded: judgements.qrels().is_some(),
        grades: gains::grades(&plan, judgements.qrels()),
        plan,
        profile,
        runs,
    };
    // Giving back the memory of a file takes a while, too.
    crate::engine::both(|| drop((judgements, source)), || drop(single));
    Ok(evaluation)
}

fn name_runs(runs: &mut [EvaluatedRun]) {
    let paths: Vec<&str> = runs.iter().map(|run| run.file.path.as_str()).collect();
    let names = names_of(&paths);
    for (run, name) in runs.iter_mut().zip(names) {
        run.scores.name = name;
    }
}
