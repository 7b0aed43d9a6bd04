//! Evaluation of a run in memory.

use cranfield_core::evaluate::{Plan, TopicEvaluator};
use cranfield_core::policy::{IdenticalIds, TieBreak, Unjudged};
use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::topic::Label;

use crate::engine::rows::{Rows, collect};
use crate::engine::scores::RunScores;
use crate::engine::threads::{ALONE, pieces_in_parallel, shared_out, topics_per_piece};

/// Evaluates a run in memory. A topic whose ranking repeats a document has no values, see
/// [`TopicScores::duplicate`](crate::TopicScores::duplicate).
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_measures::spec::{Conventions, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 0.0), ("q2", "d3", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "d2", 9.0), ("q1", "d1", 8.0)]);
/// let plan = Plan { measures: parse_measures("AP RR", &Conventions::default())?, ..Plan::default() };
/// let scores = cranfield_eval::evaluate_run(&run, &qrels, &plan);
/// assert_eq!(scores.row(0), [0.5, 0.5]);
/// // The run lacks q2, which counts as 0.
/// assert_eq!(scores.aggregate(0), Some(0.25));
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn evaluate_run(run: &Run, qrels: &Qrels, plan: &Plan) -> RunScores {
    let topics: Vec<RunTopic<'_>> = run.topics().collect();
    let parts = shared_out(
        &topics,
        topics_per_piece(topics.len()),
        ALONE,
        || Rows::new(qrels, plan),
        |rows, _, topics| evaluate_topics(rows, topics),
    );
    RunScores {
        tag: run.tag().into(),
        ..collect(parts, qrels, plan)
    }
}

fn evaluate_topics<'a>(rows: &mut Rows<'a, '_>, topics: &[RunTopic<'a>]) {
    for topic in topics {
        for (place, entry) in topic.entries().enumerate() {
            match rows.ties() {
                // Without a rank column, ranks are positions.
                TieBreak::RankColumn => {
                    rows.push_ranked(
                        entry.doc,
                        entry.score,
                        entry.rank.unwrap_or(place as f64 + 1.0),
                    );
                }
                _ => rows.push(entry.doc, entry.score),
            }
        }
        rows.end_topic(topic.id());
    }
}

/// A topic of a run: its id, and its documents in rank order with their judgements.
pub type JudgedTopic<'a> = (&'a [u8], Vec<(&'a [u8], Label)>);

/// The documents of a run's topics that measures see, in their order. Where the policy leaves the order of ties open, ties keep the
/// order of the run. A topic whose ranking repeats a document has no documents.
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_core::topic::Label;
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0)]);
/// let run = Run::from_scores("mine", [("q1", "d1", 8.0), ("q1", "d2", 9.0)]);
/// let topics = cranfield_eval::judged_topics(&run, &qrels, &Plan::default());
/// let documents = vec![(&b"d2"[..], Label::Unjudged), (&b"d1"[..], Label::Judged(1.0))];
/// assert_eq!(topics, [(&b"q1"[..], documents)]);
/// ```
pub fn judged_topics<'a>(run: &'a Run, qrels: &Qrels, plan: &Plan) -> Vec<JudgedTopic<'a>> {
    let topics: Vec<RunTopic<'a>> = run.topics().collect();
    let judged = pieces_in_parallel(&topics, topics_per_piece(topics.len()), |topics| {
        let mut evaluator = TopicEvaluator::new(plan);
        let judged = topics.iter().map(|topic| {
            let ranked = plan.policies.ties == TieBreak::RankColumn;
            for (place, entry) in topic.entries().enumerate() {
                if ranked {
                    let rank = entry.rank.unwrap_or(place as f64 + 1.0);
                    let hash = qrels.hasher().hash(entry.doc);
                    let ranking = &mut evaluator.ranking;
                    ranking.push_ranked(entry.doc, hash, entry.score, rank);
                } else {
                    evaluator.push(qrels.hasher(), entry.doc, entry.score);
                }
            }
            if plan.policies.identical == IdenticalIds::Drop {
                evaluator.ranking.remove(topic.id());
            }
            let judged = qrels.get(topic.id());
            let seen = match evaluator.arrange(judged) {
                Ok(()) => seen(&evaluator, judged, plan),
                Err(_) => Vec::new(),
            };
            evaluator.clear();
            (topic.id(), seen)
        });
        judged.collect::<Vec<_>>()
    });
    judged.into_iter().flatten().collect()
}

/// The documents that measures see of the topic arranged last.
fn seen<'a>(
    evaluator: &TopicEvaluator<'a, '_>,
    judged: Option<QrelsTopic<'_>>,
    plan: &Plan,
) -> Vec<(&'a [u8], Label)> {
    let (ranking, policies) = (&evaluator.ranking, &plan.policies);
    let kept = policies.depth.unwrap_or(usize::MAX);
    let documents = ranking.order().iter().take(kept).map(|at| {
        let document = ranking.doc(*at as usize);
        let label = judged.map(|topic| topic.label(document, policies.negative));
        (document, label.unwrap_or(Label::Unjudged))
    });
    let condensed = policies.unjudged == Unjudged::Condensed;
    documents
        .filter(|(_, label)| !condensed || matches!(label, Label::Judged(_)))
        .collect()
}
