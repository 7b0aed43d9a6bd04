//! Evaluates sessions: several topics of a run are one session's rankings.

use std::collections::{BTreeMap, BTreeSet};

use cranfield_core::evaluate::{Plan, TopicNotes};
use cranfield_core::measure::Computation;
use cranfield_core::policy::{TieBreak, TopicPolicy, Unjudged};
use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::session::{JudgedSession, Session, Sessions};
use cranfield_core::topic::Label;
use rayon::prelude::*;

use crate::scores::{RunScores, TopicScores, Values};

/// Evaluates the sessions of a run in memory. Each session stands in the scores where a topic would.
///
/// A ranking is judged by the qrels of its topic or, where they have none, by those under the session's id. A topic that
/// the run lacks is an empty ranking. Ties, depth, negative grades and whether sessions that the run lacks count are the
/// plan's; unjudged documents have no gain, or are dropped where the plan says so.
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_core::session::Sessions;
/// use cranfield_core::spec::{Conventions, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "a", 1.0), ("q2", "b", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "a", 9.0), ("q1", "x", 8.0), ("q2", "b", 1.0)]);
/// let mut sessions = Sessions::default();
/// sessions.push(b"s1", b"q1").unwrap();
/// sessions.push(b"s1", b"q2").unwrap();
/// let plan = Plan { measures: parse_measures("nsDCG", &Conventions::default())?, ..Plan::default() };
/// let scores = cranfield_engine::evaluate_sessions(&run, &qrels, &sessions, &plan);
/// assert!((scores.row(0)[0] - 0.875).abs() < 1e-12);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn evaluate_sessions(run: &Run, qrels: &Qrels, sessions: &Sessions, plan: &Plan) -> RunScores {
    let all: Vec<Session<'_>> = sessions.iter().collect();
    let evaluated: Vec<(TopicScores, Vec<f64>)> = all
        .par_iter()
        .map(|session| evaluate(&View::new(run, qrels, plan, session), plan))
        .collect();
    let mut scores = RunScores {
        values: Values::new(plan.measures.len(), Vec::new()),
        tag: run.tag().into(),
        extra_topics: extra_topics(run, &all),
        ..RunScores::default()
    };
    for (session, values) in evaluated {
        if session.in_run || plan.policies.topics == TopicPolicy::Judged {
            scores.topics.push(session);
            scores.values.push(values);
        }
    }
    scores.add_up(plan);
    scores.unjudged = vec![0; scores.topics.len() * plan.cutoffs().len()];
    scores
}

/// Topics of the run that are in no session.
fn extra_topics(run: &Run, sessions: &[Session<'_>]) -> usize {
    let known: BTreeSet<&[u8]> = sessions
        .iter()
        .flat_map(|session| session.topics())
        .collect();
    run.topics()
        .filter(|topic| !known.contains(topic.id()))
        .count()
}

/// A session's rankings with their judgements.
struct View<'a> {
    id: &'a [u8],
    in_run: bool,
    in_qrels: bool,
    retrieved: u32,
    duplicate: Option<Box<[u8]>>,
    rankings: Vec<Vec<Label>>,
    judged: Vec<f64>,
}

impl<'a> View<'a> {
    fn new(run: &Run, qrels: &Qrels, plan: &Plan, session: &Session<'a>) -> Self {
        let mut view = View {
            id: session.id,
            in_run: false,
            in_qrels: false,
            retrieved: 0,
            duplicate: None,
            rankings: Vec::new(),
            judged: Vec::new(),
        };
        let mut grades: BTreeMap<&[u8], f64> = BTreeMap::new();
        for topic in session.topics() {
            let judgements = qrels.get(topic).or_else(|| qrels.get(session.id));
            for (doc, grade) in judgements.iter().flat_map(QrelsTopic::judgements) {
                let best = grades.entry(doc).or_insert(grade);
                *best = best.max(grade);
            }
            view.in_qrels |= judgements.is_some();
            view.add_ranking(run.get(topic), judgements, qrels, plan);
        }
        view.judged = grades.into_values().collect();
        view
    }

    /// Adds the ranking of a topic; one that the run lacks is empty.
    fn add_ranking(
        &mut self,
        topic: Option<RunTopic<'_>>,
        judgements: Option<QrelsTopic<'_>>,
        qrels: &Qrels,
        plan: &Plan,
    ) {
        let policies = &plan.policies;
        let mut ranking = Ranking::default();
        let entries = topic.iter().flat_map(RunTopic::entries);
        for (entry, place) in entries.zip(1u32..) {
            let score = match policies.ties {
                TieBreak::DocidDescF32 => f64::from(entry.score as f32),
                _ => entry.score,
            };
            let rank = entry.rank.unwrap_or(f64::from(place));
            let hash = qrels.hasher().hash(entry.doc);
            ranking.push_ranked(entry.doc, hash, score, rank);
        }
        let label_of = |doc: &[u8]| {
            judgements.map_or(Label::Unjudged, |topic| topic.label(doc, policies.negative))
        };
        let labels: Vec<Label> = (0..ranking.len())
            .map(|at| label_of(ranking.doc(at)))
            .collect();
        ranking.arrange(policies.ties, |at| labels[at].gain());
        let kept = policies.depth.unwrap_or(usize::MAX).min(ranking.len());
        if let Some((first, _)) = ranking.duplicate(kept) {
            self.duplicate = Some(ranking.doc(first).into());
        }
        let condensed = policies.unjudged == Unjudged::Condensed;
        let shown = ranking.order()[..kept].iter();
        let shown = shown.map(|at| labels[*at as usize]);
        let shown = shown.filter(|label| !condensed || matches!(label, Label::Judged(_)));
        self.rankings.push(shown.collect());
        self.in_run |= topic.is_some();
        self.retrieved += ranking.len() as u32;
    }
}

/// The values of a session, one per measure; NaN is undefined.
fn evaluate(view: &View<'_>, plan: &Plan) -> (TopicScores, Vec<f64>) {
    let session = JudgedSession {
        rankings: &view.rankings,
        judged: &view.judged,
    };
    let undefined = if plan.reference_values { 0.0 } else { f64::NAN };
    let value = |computation: &Computation| match computation {
        _ if view.duplicate.is_some() => f64::NAN,
        Computation::Session(measure) => measure.evaluate(&session).unwrap_or(undefined),
        Computation::TopicCount => 1.0,
        _ => f64::NAN,
    };
    let measures = plan.measures.iter();
    let values = measures
        .map(|measure| value(&measure.computation))
        .collect();
    let scores = TopicScores {
        id: view.id.into(),
        in_run: view.in_run,
        in_qrels: view.in_qrels,
        notes: TopicNotes {
            retrieved: view.retrieved,
            ..TopicNotes::default()
        },
        duplicate: view.duplicate.clone(),
    };
    (scores, values)
}

#[cfg(test)]
mod tests {
    use cranfield_core::policy::Policies;
    use cranfield_core::spec::{Conventions, parse_measures};

    use super::*;

    fn sessions(lines: &[(&str, &str)]) -> Sessions {
        let mut sessions = Sessions::default();
        for (session, topic) in lines {
            sessions
                .push(session.as_bytes(), topic.as_bytes())
                .expect("each topic is there once");
        }
        sessions
    }

    fn plan(measures: &str, policies: Policies) -> Plan {
        Plan {
            measures: parse_measures(measures, &Conventions::default()).expect("known measures"),
            policies,
            ..Plan::default()
        }
    }

    #[test]
    fn judgements_may_stand_under_the_session() {
        let qrels = Qrels::from_judgements([("s", "a", 1.0), ("s", "b", 2.0)]);
        let run = Run::from_scores("r", [("1", "a", 2.0), ("1", "x", 1.0), ("2", "b", 1.0)]);
        let plan = plan("SessionDCG nsDCG", Policies::default());
        let sessions = sessions(&[("s", "1"), ("s", "2")]);
        let scores = evaluate_sessions(&run, &qrels, &sessions, &plan);
        let expected = [1.0 + 2.0 / 1.5, 0.875];
        for (value, expected) in scores.row(0).iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{value}");
        }
    }

    #[test]
    fn missing_and_extra_topics() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("3", "a", 1.0)]);
        let run = Run::from_scores("r", [("1", "a", 1.0), ("9", "a", 1.0)]);
        let sessions = sessions(&[("s", "1"), ("s", "2"), ("t", "3")]);
        let judged = plan("nsDCG", Policies::default());
        let scores = evaluate_sessions(&run, &qrels, &sessions, &judged);
        let in_run: Vec<_> = scores.topics.iter().map(|topic| topic.in_run).collect();
        assert_eq!(in_run, [true, false]);
        assert_eq!((scores.row(0), scores.row(1)), (&[1.0][..], &[0.0][..]));
        assert_eq!((scores.extra_topics, scores.aggregate(0)), (1, Some(0.5)));
        let both = Policies {
            topics: TopicPolicy::Both,
            ..Policies::default()
        };
        let scores = evaluate_sessions(&run, &qrels, &sessions, &plan("nsDCG", both));
        assert_eq!(scores.topics.len(), 1);
    }

    #[test]
    fn policies_hold_in_every_ranking() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("1", "c", 0.0)]);
        let run = Run::from_scores("r", [("1", "a", 1.0), ("1", "b", 1.0), ("1", "c", 1.0)]);
        let sessions = sessions(&[("s", "1")]);
        let value = |policies| {
            let scores = evaluate_sessions(&run, &qrels, &sessions, &plan("SessionDCG", policies));
            scores.row(0)[0]
        };
        let ties = |ties| Policies {
            ties,
            ..Policies::default()
        };
        assert_eq!(value(ties(TieBreak::Best)), 1.0);
        assert!((value(ties(TieBreak::Worst)) - 1.0 / (1.0 + 3f64.log2())).abs() < 1e-12);
        let condensed = Policies {
            unjudged: Unjudged::Condensed,
            ..Policies::default()
        };
        assert_eq!(value(condensed), 0.5);
        let short = Policies {
            depth: Some(2),
            ..Policies::default()
        };
        assert_eq!(value(short), 0.0);
    }
}
