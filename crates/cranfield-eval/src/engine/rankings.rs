//! Evaluation of rankings in memory in other forms than a `Run`, without copying them.

use cranfield_core::evaluate::Plan;
use cranfield_core::qrels::Qrels;

use crate::engine::rows::{Rows, collect};
use crate::engine::scores::RunScores;
use crate::engine::threads::{ALONE, shared_out, topics_per_piece};

/// Rankings by topic, each topic once. They have no rank column.
pub trait Rankings: Sync {
    /// Number of topics.
    fn topics(&self) -> usize;

    /// Id of the topic at this place.
    fn id(&self, topic: usize) -> &[u8];

    /// Calls `visit` with the documents and scores of the topic at this place, in order.
    fn each<'a>(&'a self, topic: usize, visit: impl FnMut(&'a [u8], f64));
}

/// Evaluates rankings as [`evaluate_run`](crate::evaluate_run) does, except that with `rank-column` ranks are positions.
pub fn evaluate_rankings(
    tag: &str,
    rankings: &impl Rankings,
    qrels: &Qrels,
    plan: &Plan,
) -> RunScores {
    let topics: Vec<usize> = (0..rankings.topics()).collect();
    let parts = shared_out(
        &topics,
        topics_per_piece(topics.len()),
        ALONE,
        || Rows::new(qrels, plan),
        |rows, _, topics| {
            for &topic in topics {
                rankings.each(topic, |doc, score| rows.push(doc, score));
                rows.end_topic(rankings.id(topic));
            }
        },
    );
    RunScores {
        tag: tag.into(),
        ..collect(parts, qrels, plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::policy::{Policies, TieBreak};
    use cranfield_core::run::Run;
    use cranfield_measures::spec::{Conventions, parse_measures};

    struct Lists(Vec<(&'static str, Vec<(&'static str, f64)>)>);

    impl Rankings for Lists {
        fn topics(&self) -> usize {
            self.0.len()
        }

        fn id(&self, topic: usize) -> &[u8] {
            self.0[topic].0.as_bytes()
        }

        fn each<'a>(&'a self, topic: usize, mut visit: impl FnMut(&'a [u8], f64)) {
            for (doc, score) in &self.0[topic].1 {
                visit(doc.as_bytes(), *score);
            }
        }
    }

    #[test]
    fn lists_have_the_scores_of_a_run() {
        let lists = Lists(vec![
            ("q2", vec![("d1", 1.0), ("d2", 1.0), ("d3", 0.5)]),
            ("q1", vec![("d9", 3.0), ("d1", 2.0)]),
            ("q7", vec![]),
        ]);
        let rows = lists.0.iter().flat_map(|(topic, docs)| {
            let row = |(doc, score): &(&'static str, f64)| (*topic, *doc, *score);
            docs.iter().map(row).collect::<Vec<_>>()
        });
        let run = Run::from_scores("mine", rows);
        let judged = [("q1", "d1", 1.0), ("q2", "d1", 2.0), ("q2", "d3", 1.0)];
        let qrels = Qrels::from_judgements(judged);
        let plan = Plan {
            measures: parse_measures("AP nDCG@2 RR", &Conventions::default()).unwrap(),
            ..Plan::default()
        };
        let scores = evaluate_rankings("mine", &lists, &qrels, &plan);
        let expected = crate::evaluate_run(&run, &qrels, &plan);
        assert_eq!(scores.values, expected.values);
        assert_eq!(scores.topics, expected.topics);
        assert_eq!(scores.row(0), [0.5, 0.630_929_753_571_457_5, 0.5]);
    }

    #[test]
    fn ranks_are_the_order_of_the_list() {
        let lists = Lists(vec![("q1", vec![("d1", 1.0), ("d2", 2.0), ("d3", 3.0)])]);
        let qrels = Qrels::from_judgements([("q1", "d2", 1.0)]);
        let plan = Plan {
            measures: parse_measures("RR", &Conventions::default()).unwrap(),
            policies: Policies {
                ties: TieBreak::RankColumn,
                ..Policies::default()
            },
            ..Plan::default()
        };
        let scores = evaluate_rankings("mine", &lists, &qrels, &plan);
        assert_eq!(scores.row(0), [0.5]);
    }

    #[test]
    fn replaced_values_are_aggregated_again() {
        let lists = Lists(vec![("q2", vec![("d1", 1.0)]), ("q1", vec![("d1", 2.0)])]);
        let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q2", "d1", 1.0)]);
        let plan = Plan {
            measures: parse_measures("AP RR", &Conventions::default()).unwrap(),
            ..Plan::default()
        };
        let mut scores = evaluate_rankings("mine", &lists, &qrels, &plan);
        scores.replace(1, &[0.25, f64::NAN], &plan);
        assert_eq!(scores.row(0), [1.0, 0.25]);
        assert!(scores.row(1)[1].is_nan());
        // An undefined value counts as 0.
        assert_eq!(scores.aggregate(1), Some(0.125));
        assert_eq!(
            (scores.totals[1].undefined, scores.aggregate(0)),
            (1, Some(1.0))
        );
        scores.replace(1, &[0.5], &plan);
        assert_eq!(scores.row(0), [1.0, 0.5]);
    }
}
