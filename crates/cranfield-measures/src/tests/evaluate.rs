//! Evaluation of topics under policies.

use std::collections::BTreeMap;

use cranfield_core::evaluate::*;
use cranfield_core::policy::*;
use cranfield_core::qrels::Qrels;
use cranfield_core::topic::Label;
use proptest::prelude::*;

use crate::spec::{Conventions, parse_measures};

/// Documents in the order of a file: a score of few, so that many are tied, and a grade, if they were judged.
fn documents() -> impl Strategy<Value = Vec<(u8, Option<u8>)>> {
    prop::collection::vec((0..12u8, prop::option::weighted(0.7, 0..3u8)), 0..60)
}

/// A topic with a repeated document is arranged but not measured; its notes are its own.
#[test]
fn a_topic_before_one_with_a_duplicate_leaves_no_trace() {
    let judged = ["a", "b", "c"].map(|doc| ("q", doc, 1.0));
    let qrels = Qrels::from_judgements(judged);
    let plan = Plan {
        measures: parse_measures("P@2", &Conventions::default()).unwrap(),
        ..Plan::default()
    };
    let mut evaluator = TopicEvaluator::new(&plan);
    let topic = qrels.get(b"q");
    for (docs, is_fine) in [(["a", "b", "c"], true), (["b", "b", "c"], false)] {
        evaluator.clear();
        for doc in docs {
            evaluator.push(qrels.hasher(), doc.as_bytes(), 1.0);
        }
        assert_eq!(evaluator.arrange(topic).is_ok(), is_fine);
        let mut unjudged = Vec::new();
        if is_fine {
            evaluator.measure(topic, &mut [0.0]);
        }
        let notes = evaluator.notes(&mut unjudged);
        // Nothing was measured, so that nothing counts as judged.
        assert_eq!(unjudged, [if is_fine { 0 } else { 2 }]);
        assert_eq!((notes.tie_groups, notes.mixed_groups), (1, 0));
    }
}

proptest! {
    /// Whether the hits must be sorted depends on the rule for ties and on the order of the file; notes do not.
    #[test]
    fn notes_tell_of_ties_and_of_documents_that_nobody_judged(
        mut documents in documents(),
        ties in prop::sample::select(vec![TieBreak::DocidDesc, TieBreak::DocidAsc, TieBreak::InputOrder]),
        sorted in any::<bool>(),
    ) {
        if sorted {
            documents.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        }
        let ids: Vec<String> = (0..documents.len()).map(|at| format!("d{}", at * 7 % 64)).collect();
        let judged = ids.iter().zip(&documents).filter_map(|(id, (_, grade))| Some(("q", id, f64::from((*grade)?))));
        let qrels = Qrels::from_judgements(judged.chain([("q", &"elsewhere".to_owned(), 1.0)]));
        let plan = Plan {
            measures: parse_measures("P@1 P@5 P@30", &Conventions::default()).unwrap(),
            policies: Policies { ties, ..Policies::default() },
            ..Plan::default()
        };
        let mut evaluator = TopicEvaluator::new(&plan);
        for (id, (score, _)) in ids.iter().zip(&documents) {
            evaluator.push(qrels.hasher(), id.as_bytes(), f64::from(*score));
        }
        let topic = qrels.get(b"q");
        prop_assert_eq!(evaluator.arrange(topic), Ok(()));
        evaluator.measure(topic, &mut [0.0; 3]);
        let mut unjudged = Vec::new();
        let notes = evaluator.notes(&mut unjudged);

        let mut groups: BTreeMap<u8, Vec<Option<u8>>> = BTreeMap::new();
        for (score, grade) in &documents {
            groups.entry(*score).or_default().push(*grade);
        }
        groups.retain(|_, grades| grades.len() > 1);
        let mixed = groups.values().filter(|grades| grades.iter().any(|grade| *grade != grades[0]));
        prop_assert_eq!(notes.tie_groups as usize, groups.len());
        prop_assert_eq!(notes.mixed_groups as usize, mixed.count());
        let labels: Vec<Label> = evaluator.documents().map(|(_, _, label)| label).collect();
        let above = |cutoff: usize| labels.iter().take(cutoff).filter(|label| **label == Label::Unjudged).count() as u32;
        prop_assert_eq!(unjudged, plan.cutoffs().into_iter().map(above).collect::<Vec<_>>());
    }
}
