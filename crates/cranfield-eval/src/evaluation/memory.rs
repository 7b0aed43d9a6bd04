//! Judgements and runs that are in memory.

use std::sync::Arc;

use crate::engine::{RunScores, evaluate_run};
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{End, Policies, Profile};
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{Code, Error, Problem, quoted};

use super::{
    EvaluatedRun, Evaluation, InputFile, Judgements, Request, by_policies, checks,
    has_reference_values,
};

/// What judgements without a file are called in messages.
const QRELS: &str = "<qrels>";

/// Judgements, measures and policies that are checked once, for any number of runs in memory.
///
/// ```
/// use std::sync::Arc;
/// use cranfield_eval::{Conventions, Evaluator, Policies, Profile, Qrels, Run, parse_measures};
///
/// let qrels = Arc::new(Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 0.0)]));
/// let measures = parse_measures("RR", &Conventions::default())?;
/// let evaluator = Evaluator::new(qrels, measures, Profile::Cranfield, Policies::OWN)?;
/// let run = Run::from_scores("mine", [("q1", "d2", 2.0), ("q1", "d1", 1.0)]);
/// assert_eq!(evaluator.evaluate("mine", &run)?.scores.row(0), [0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Evaluator {
    qrels: Arc<Qrels>,
    plan: Plan,
    profile: Profile,
}

/// A run in memory, by the name that results have for it.
pub type NamedRun = (String, Arc<Run>);

impl Evaluator {
    /// Checks that the measures can be had from grades, under these policies.
    pub fn new(
        qrels: Arc<Qrels>,
        measures: Vec<BoundMeasure>,
        profile: Profile,
        policies: Policies,
    ) -> Result<Self, Error> {
        let judgements = Judgements::Grades(Arc::clone(&qrels));
        let request = Request {
            policies,
            profile,
            ..Request::new(QRELS, [QRELS; 0], measures)
        };
        judgements.check(&request.measures, QRELS, false)?;
        checks::policies(&judgements, &request, QRELS)?;
        let plan = Plan {
            reference_values: has_reference_values(profile, &request.policies),
            measures: request.measures,
            policies: request.policies,
            ..Plan::default()
        };
        Ok(Self {
            qrels,
            plan,
            profile,
        })
    }

    /// What is computed.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whose conventions.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// The judgements.
    pub fn qrels(&self) -> &Arc<Qrels> {
        &self.qrels
    }

    /// Evaluates a run; at both ends where values are intervals. A document that is twice in a ranking is an error.
    pub fn evaluate(&self, name: &str, run: &Run) -> Result<EvaluatedRun, Error> {
        self.evaluate_with(name, |plan| evaluate_run(run, &self.qrels, plan))
    }

    /// The same, by a function that evaluates a plan.
    pub fn evaluate_with(
        &self,
        name: &str,
        evaluate: impl Fn(&Plan) -> RunScores,
    ) -> Result<EvaluatedRun, Error> {
        let evaluate = |plan: &Plan| {
            let scores = by_policies(self.profile, plan, |plan| {
                without_duplicates(name, evaluate(plan))
            })?;
            Ok::<_, Error>(RunScores {
                name: name.into(),
                ..scores
            })
        };
        let file = InputFile {
            path: format!("<{name}>"),
            notes: Vec::new(),
        };
        if !self.plan.policies.are_bounds() {
            return Ok(EvaluatedRun {
                file,
                scores: evaluate(&self.plan)?,
                upper: None,
            });
        }
        Ok(EvaluatedRun {
            file,
            scores: evaluate(&self.plan.at(End::Least))?,
            upper: Some(evaluate(&self.plan.at(End::Greatest))?),
        })
    }

    /// Runs that were evaluated, as one evaluation.
    pub fn evaluation(&self, runs: Vec<EvaluatedRun>) -> Evaluation {
        Evaluation {
            plan: self.plan.clone(),
            profile: self.profile,
            qrels: InputFile {
                path: QRELS.into(),
                notes: Vec::new(),
            },
            intents: None,
            known: None,
            sessions: None,
            topics: self.qrels.len(),
            judgements: self.qrels.judgements(),
            graded: true,
            grades: super::gains::grades(&self.plan, Some(&self.qrels)),
            runs,
        }
    }

    /// Evaluates runs on so many threads, or on one per core.
    pub fn evaluate_all(
        &self,
        runs: &[NamedRun],
        threads: Option<usize>,
    ) -> Result<Evaluation, Error> {
        let work = || crate::engine::in_parallel(runs, |(name, run)| self.evaluate(name, run));
        let evaluated = crate::engine::with_threads(threads, work)
            .map_err(|why| Problem::file(Code::CannotRead, "threads", why.to_string()))?;
        let runs = evaluated.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(self.evaluation(runs))
    }
}

/// Files are refused for a document twice in a ranking while they are read; what is in memory is when it is evaluated.
fn without_duplicates(name: &str, scores: RunScores) -> Result<RunScores, Error> {
    let mut twice = scores.topics.iter().filter_map(|topic| {
        let document = topic.duplicate.as_ref()?;
        Some(format!(
            "document {} is in topic {} twice; keep it once, usually with its best score",
            quoted(document),
            quoted(&topic.id)
        ))
    });
    match twice.next() {
        None => drop(twice),
        Some(message) => {
            return Err(Problem::file(Code::DuplicateDocument, name, message).into());
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::spec::{Conventions, parse_measures};

    fn evaluator(measures: &str, profile: Profile, policies: Policies) -> Result<Evaluator, Error> {
        let judgements = [("q1", "d1", 1.0), ("q1", "d2", 0.0), ("q2", "d3", 1.0)];
        let measures = parse_measures(measures, &Conventions::of(profile)).unwrap();
        let qrels = Arc::new(Qrels::from_judgements(judgements));
        Evaluator::new(qrels, measures, profile, policies)
    }

    #[test]
    fn runs_in_memory_have_both_ends() {
        let policies = Policies {
            ties: cranfield_core::policy::TieBreak::Bounds,
            ..Policies::OWN
        };
        let evaluator = evaluator("RR", Profile::Cranfield, policies).unwrap();
        let run = Arc::new(Run::from_scores("", [("q1", "d1", 1.0), ("q1", "d2", 1.0)]));
        let evaluated = evaluator
            .evaluate_all(&[("a".into(), run)], Some(1))
            .unwrap();
        let run = &evaluated.runs[0];
        assert_eq!(run.scores.name, "a");
        assert_eq!(run.scores.row(0), [0.5]);
        assert_eq!(run.upper.as_ref().unwrap().row(0), [1.0]);
        assert_eq!((evaluated.topics, evaluated.judgements), (2, 3));
    }

    #[test]
    fn what_cannot_be_computed_is_refused() {
        let own = || Policies::OWN;
        let refused = evaluator("nsDCG@10", Profile::Cranfield, own()).unwrap_err();
        assert!(refused.to_string().contains("a session"), "{refused}");
        let evaluator = evaluator("RR", Profile::Cranfield, own()).unwrap();
        let run = Run::from_scores("", [("q1", "d1", 1.0), ("q1", "d1", 0.5)]);
        let refused = evaluator.evaluate("mine", &run).unwrap_err();
        let message = "mine: document `d1` is in topic `q1` twice; keep it once, usually with its best score [IR030]";
        assert_eq!(refused.to_string(), message);
    }
}
