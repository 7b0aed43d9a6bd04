//! Evaluation of sessions, whose rankings are several topics of a run.

use std::collections::{BTreeMap, BTreeSet};

use cranfield_core::evaluate::Plan;
use cranfield_core::explain::{SessionExplanation, SessionRanking, explain_session as explain_one};
use cranfield_core::measure::Computation;
use cranfield_core::policy::{IdenticalIds, Policies, TieBreak, TopicPolicy, Unjudged};
use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::session::{JudgedSession, Session, Sessions};
use cranfield_core::topic::Label;

use crate::engine::judged::ExplainFault;
use crate::engine::noted::{Mark, Noted};
use crate::engine::scores::{RunScores, TopicScores, Values};
use crate::engine::threads::in_parallel;

/// Evaluates the sessions of a run in memory. The topics of the scores are the sessions.
///
/// A ranking is judged by the qrels of its topic or, if there are none, by those of the session's id. A topic that is missing from the
/// run is an empty ranking. The plan decides on ties, depth, negative grades, documents with the topic's id and the sessions that
/// count; unjudged documents have no gain, or are dropped if the plan says so.
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_core::session::Sessions;
/// use cranfield_measures::spec::{Conventions, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "a", 1.0), ("q2", "b", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "a", 9.0), ("q1", "x", 8.0), ("q2", "b", 1.0)]);
/// let mut sessions = Sessions::default();
/// sessions.push(b"s1", b"q1").unwrap();
/// sessions.push(b"s1", b"q2").unwrap();
/// let plan = Plan { measures: parse_measures("nsDCG", &Conventions::default())?, ..Plan::default() };
/// let scores = cranfield_eval::evaluate_sessions(&run, &qrels, &sessions, &plan);
/// assert!((scores.row(0)[0] - 0.875).abs() < 1e-12);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn evaluate_sessions(run: &Run, qrels: &Qrels, sessions: &Sessions, plan: &Plan) -> RunScores {
    let all: Vec<Session<'_>> = sessions.iter().collect();
    let cutoffs = plan.cutoffs();
    let views: Vec<(View<'_>, Vec<f64>)> = in_parallel(&all, |session| {
        let view = View::new(run, qrels, plan, &cutoffs, session);
        let values = evaluate(&view, plan);
        (view, values)
    });
    let mut scores = RunScores {
        values: Values::new(plan.measures.len(), Vec::new()),
        tag: run.tag().into(),
        extra_topics: extra_topics(run, &all),
        ..RunScores::default()
    };
    for (view, values) in views {
        let counts = match plan.policies.topics {
            TopicPolicy::Judged => true,
            TopicPolicy::Both | TopicPolicy::Run => view.in_run,
            TopicPolicy::Relevant => view.in_run && view.has_relevant(),
        };
        if counts {
            view.append_to(&mut scores);
            scores.values.push(values);
        } else if view.in_run {
            scores.left_out += 1;
        }
    }
    scores.add_up(plan);
    scores
}

/// Explains the values of a plan's session measures for one session of a run in memory.
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_core::session::Sessions;
/// use cranfield_measures::spec::{Conventions, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "a", 1.0), ("q2", "b", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "a", 9.0), ("q1", "x", 8.0), ("q2", "b", 1.0)]);
/// let mut sessions = Sessions::default();
/// sessions.push(b"s1", b"q1").unwrap();
/// sessions.push(b"s1", b"q2").unwrap();
/// let session = sessions.get(b"s1").unwrap();
/// let plan = Plan { measures: parse_measures("SessionDCG", &Conventions::default())?, ..Plan::default() };
/// let explained = cranfield_eval::explain_session(&run, &qrels, &session, &plan).unwrap();
/// assert_eq!(explained[0].rankings[1].value, Some(2.0 / 1.5));
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn explain_session(
    run: &Run,
    qrels: &Qrels,
    session: &Session<'_>,
    plan: &Plan,
) -> Result<Vec<SessionExplanation>, ExplainFault> {
    let view = View::new(run, qrels, plan, &[], session);
    if let Some(doc) = view.duplicate {
        return Err(ExplainFault::Duplicate(doc));
    }
    let seen = session.topics().zip(&view.rankings).zip(&view.docs);
    let rankings = seen.map(|((topic, labels), docs)| SessionRanking {
        topic,
        in_run: run.get(topic).is_some(),
        documents: docs.iter().copied().zip(labels.iter().copied()).collect(),
    });
    let rankings: Vec<SessionRanking<'_>> = rankings.collect();
    let undefined = plan.reference_values.then_some(0.0);
    let measures = plan.measures.iter();
    let explained = measures
        .map(|measure| explain_one(measure, session.id, &rankings, &view.judged, undefined));
    Ok(explained.collect())
}

/// Topics of the run that are in no session.
fn extra_topics(run: &Run, sessions: &[Session<'_>]) -> usize {
    let mut known: BTreeSet<&[u8]> = BTreeSet::new();
    for session in sessions {
        known.extend(session.topics());
    }
    run.topics()
        .filter(|topic| !known.contains(topic.id()))
        .count()
}

/// A session's rankings with their judgements.
struct View<'a> {
    id: &'a [u8],
    in_run: bool,
    in_qrels: bool,
    noted: Noted,
    duplicate: Option<Box<[u8]>>,
    /// The labels of each ranking that measures see.
    rankings: Vec<Vec<Label>>,
    /// The documents of these labels.
    docs: Vec<Vec<&'a [u8]>>,
    judged: Vec<f64>,
}

impl<'a> View<'a> {
    fn new(
        run: &'a Run,
        qrels: &Qrels,
        plan: &Plan,
        cutoffs: &[usize],
        session: &Session<'a>,
    ) -> Self {
        let mut view = View {
            id: session.id,
            in_run: false,
            in_qrels: false,
            noted: Noted::new(cutoffs.len()),
            duplicate: None,
            rankings: Vec::new(),
            docs: Vec::new(),
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
            view.in_run |= run.get(topic).is_some();
            let ranking = ranking_of(topic, run.get(topic), qrels, &plan.policies);
            view.add_ranking(ranking, judgements, &plan.policies, cutoffs);
        }
        view.judged = grades.into_values().collect();
        view
    }

    fn has_relevant(&self) -> bool {
        self.judged.iter().any(|grade| *grade > 0.0)
    }

    /// Orders, judges and adds the ranking of a topic.
    fn add_ranking(
        &mut self,
        mut ranking: Ranking<'a>,
        judgements: Option<QrelsTopic<'_>>,
        policies: &Policies,
        cutoffs: &[usize],
    ) {
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
        let ranked = ranking.order().iter().map(|at| labels[*at as usize]);
        let marks: Vec<Mark> = ranked.map(mark).collect();
        self.noted.add(&ranking, kept, &marks, condensed, cutoffs);
        let shown = ranking.order()[..kept].iter().map(|at| *at as usize);
        let shown = shown.map(|at| (labels[at], ranking.doc(at)));
        let shown = shown.filter(|(label, _)| !condensed || matches!(label, Label::Judged(_)));
        let (labels, docs) = shown.unzip();
        self.rankings.push(labels);
        self.docs.push(docs);
    }

    fn append_to(self, scores: &mut RunScores) {
        scores.unjudged.extend(self.noted.unjudged);
        scores.shown.extend(self.noted.shown);
        scores.topics.push(TopicScores {
            id: self.id.into(),
            in_run: self.in_run,
            in_qrels: self.in_qrels,
            notes: self.noted.notes,
            duplicate: self.duplicate,
        });
    }
}

fn mark(label: Label) -> Mark {
    Mark {
        judged: label != Label::Unjudged,
        key: match label {
            Label::Unjudged => Vec::new(),
            Label::Pooled => vec![u64::MAX],
            Label::Judged(grade) => vec![grade.to_bits()],
        },
    }
}

/// The unordered documents of a topic; none if it is missing from the run.
fn ranking_of<'a>(
    id: &[u8],
    topic: Option<RunTopic<'a>>,
    qrels: &Qrels,
    policies: &Policies,
) -> Ranking<'a> {
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
    if policies.identical == IdenticalIds::Drop {
        ranking.remove(id);
    }
    ranking
}

/// The values of a session, one per measure; NaN is undefined.
fn evaluate(view: &View<'_>, plan: &Plan) -> Vec<f64> {
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
    measures
        .map(|measure| value(&measure.computation))
        .collect()
}

#[cfg(test)]
mod tests {
    use cranfield_core::policy::Policies;
    use cranfield_measures::spec::{Conventions, parse_measures};

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
    fn judgements_may_belong_to_the_session() {
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
    fn policies_apply_to_every_ranking() {
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

    #[test]
    fn the_policy_leaves_out_sessions_without_a_relevant_document() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("2", "a", 0.0)]);
        let run = Run::from_scores("r", [("1", "a", 1.0), ("2", "a", 1.0)]);
        let sessions = sessions(&[("s", "1"), ("t", "2"), ("u", "3")]);
        let counted = |topics| {
            let policies = Policies {
                topics,
                ..Policies::default()
            };
            let scores = evaluate_sessions(&run, &qrels, &sessions, &plan("nsDCG", policies));
            (scores.topics.len(), scores.left_out)
        };
        assert_eq!(counted(TopicPolicy::Both), (2, 0));
        assert_eq!(counted(TopicPolicy::Relevant), (1, 1));
    }

    #[test]
    fn documents_with_the_id_of_their_topic_can_be_dropped() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0)]);
        let run = Run::from_scores("r", [("1", "1", 2.0), ("1", "a", 1.0)]);
        let sessions = sessions(&[("s", "1")]);
        let value = |identical| {
            let policies = Policies {
                identical,
                ..Policies::default()
            };
            evaluate_sessions(&run, &qrels, &sessions, &plan("SessionDCG", policies)).row(0)[0]
        };
        assert_eq!(value(IdenticalIds::Keep), 0.5);
        assert_eq!(value(IdenticalIds::Drop), 1.0);
    }

    #[test]
    fn ties_and_unjudged_documents_of_all_rankings_are_noted() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("2", "a", 1.0)]);
        let run = Run::from_scores("r", [("1", "a", 1.0), ("1", "x", 1.0), ("2", "y", 1.0)]);
        let sessions = sessions(&[("s", "1"), ("s", "2")]);
        let plan = plan("nsDCG@1 nsDCG@5", Policies::default());
        let notes = evaluate_sessions(&run, &qrels, &sessions, &plan).notes(&plan);
        assert_eq!((notes.mixed_topics, notes.retrieved), (1, 3));
        let cutoffs = notes.cutoffs.iter();
        let at: Vec<_> = cutoffs
            .map(|at| (at.straddled, at.unjudged, at.shown))
            .collect();
        assert_eq!(at, [(1, 2, 2), (0, 2, 3)]);
    }

    #[test]
    fn explanations_add_up_to_the_values() {
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("2", "b", 2.0), ("2", "c", 1.0)]);
        let run = Run::from_scores("r", [("1", "x", 2.0), ("1", "a", 1.0), ("2", "b", 1.0)]);
        let sessions = sessions(&[("s", "1"), ("s", "2"), ("s", "3")]);
        let session = sessions.get(b"s").expect("it is there");
        let plan = plan("nsDCG SessionDCG NumQ", Policies::default());
        let scores = evaluate_sessions(&run, &qrels, &sessions, &plan);
        let explained = explain_session(&run, &qrels, &session, &plan).expect("no document twice");
        for (explained, value) in explained.iter().zip(scores.row(0)) {
            assert_eq!(explained.value, Some(*value));
            assert!((explained.total() - value).abs() < 1e-12);
            assert_eq!(explained.rankings.len(), 3);
        }
        assert!(!explained[0].rankings[2].in_run);
    }
}
