//! Evaluates a run that is in memory.

use cranfield_core::evaluate::Plan;
use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunTopic};
use rayon::prelude::*;

use crate::rows::{Rows, collect};
use crate::scores::RunScores;

/// Topics that one thread takes at a time.
const TOPICS_PER_PIECE: usize = 64;

/// Evaluates a run in memory. A document that is in a topic's ranking twice leaves that topic without values, see
/// [`TopicScores::duplicate`](crate::TopicScores::duplicate).
///
/// ```
/// use cranfield_core::evaluate::Plan;
/// use cranfield_core::qrels::Qrels;
/// use cranfield_core::run::Run;
/// use cranfield_core::spec::{Conventions, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 0.0), ("q2", "d3", 2.0)]);
/// let run = Run::from_scores("mine", [("q1", "d2", 9.0), ("q1", "d1", 8.0)]);
/// let plan = Plan { measures: parse_measures("AP RR", &Conventions::default())?, ..Plan::default() };
/// let scores = cranfield_engine::evaluate_run(&run, &qrels, &plan);
/// assert_eq!(scores.row(0), [0.5, 0.5]);
/// // The run lacks q2, which counts as 0.
/// assert_eq!(scores.aggregate(0), Some(0.25));
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn evaluate_run(run: &Run, qrels: &Qrels, plan: &Plan) -> RunScores {
    let topics: Vec<RunTopic<'_>> = run.topics().collect();
    let pieces = topics.par_chunks(TOPICS_PER_PIECE);
    let parts: Vec<Rows<'_, '_>> = pieces
        .map(|topics| evaluate_topics(topics, qrels, plan))
        .collect();
    RunScores {
        tag: run.tag().into(),
        ..collect(parts, qrels, plan)
    }
}

fn evaluate_topics<'a, 'p>(
    topics: &[RunTopic<'a>],
    qrels: &'p Qrels,
    plan: &'p Plan,
) -> Rows<'a, 'p> {
    let mut rows = Rows::new(qrels, plan);
    for topic in topics {
        for (place, entry) in topic.entries().enumerate() {
            match rows.ties() {
                // A format without a rank column has its order for ranks.
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
    rows
}
