//! A slow evaluation of a few measures by their definitions.

use std::collections::{HashMap, HashSet};

use cranfield_core::evaluate::Plan;
use cranfield_core::policy::{NegativeGrades, Policies, TieBreak, TopicPolicy, Unjudged};
use cranfield_core::qrels::Qrels;
use cranfield_eval::RunScores;
use cranfield_io::trec::{RunLines, strict};

use super::Input;
use crate::reference::close;

/// The measures, which come first in the plan.
pub(super) const CHECKED: &str = "P@5 R@10 RR AP nDCG nDCG@3";

/// A document of the slow evaluation.
struct Doc<'a> {
    id: &'a [u8],
    score: f64,
    rank: f64,
    grade: Option<f64>,
}

/// Evaluates a few measures by their definitions.
pub(super) fn slowly(input: &Input<'_>, qrels: &Qrels, plan: &Plan, scores: &RunScores) {
    let policies = &input.policies;
    let mut topics: HashMap<&[u8], Vec<Doc<'_>>> = HashMap::new();
    for line in RunLines::new(input.run, input.dialect).flatten() {
        let grade = qrels
            .get(line.topic)
            .and_then(|topic| topic.grade(line.doc));
        let score = if policies.ties == TieBreak::DocidDescF32 {
            f64::from(line.score as f32)
        } else {
            line.score
        };
        let doc = Doc {
            id: line.doc,
            score,
            rank: strict(line.rank).unwrap_or(0.0),
            grade,
        };
        topics.entry(line.topic).or_default().push(doc);
    }
    for (at, topic) in scores.topics.iter().enumerate() {
        assert_eq!(topic.in_run, topics.contains_key(&topic.id[..]));
        assert_eq!(topic.in_qrels, qrels.get(&topic.id).is_some());
        let Some(docs) = topics.remove(&topic.id[..]) else {
            continue;
        };
        if topic.duplicate.is_some() {
            let mut seen = HashSet::new();
            assert!(
                docs.iter().any(|doc| !seen.insert(doc.id)),
                "no document is twice"
            );
            continue;
        }
        // The best order for one measure is that of grades only where neither a depth nor the reading of unjudged documents
        // has a say in it.
        let plain = policies.unjudged == Unjudged::NonRelevant && policies.depth.is_none();
        let open = match policies.ties {
            TieBreak::Expected | TieBreak::Bounds => has_ties(&docs),
            TieBreak::Best | TieBreak::Worst => !plain && has_ties(&docs),
            _ => false,
        };
        if !open && !docs.iter().any(|doc| doc.score.is_nan()) {
            check_topic(
                docs,
                &topic.id,
                qrels,
                policies,
                &scores.row(at)[..CHECKED.split(' ').count()],
            );
        }
    }
    let left = topics
        .keys()
        .filter(|id| policies.topics == TopicPolicy::Run || qrels.get(id).is_some());
    assert_eq!(left.count(), 0, "topics that were not evaluated");
    assert!(plan.measures.len() > 6);
}

fn has_ties(docs: &[Doc<'_>]) -> bool {
    let mut scores: Vec<f64> = docs.iter().map(|doc| doc.score + 0.0).collect();
    scores.sort_by(f64::total_cmp);
    scores.windows(2).any(|pair| pair[0] == pair[1])
}

fn check_topic(
    mut docs: Vec<Doc<'_>>,
    id: &[u8],
    qrels: &Qrels,
    policies: &Policies,
    found: &[f64],
) {
    let gain = |doc: &Doc<'_>| doc.grade.map_or(0.0, |grade| grade.max(0.0));
    docs.sort_by(|a, b| {
        let by_score = b.score.partial_cmp(&a.score).expect("no score is NaN");
        match policies.ties {
            TieBreak::RankColumn => a.rank.total_cmp(&b.rank),
            TieBreak::FileOrder => std::cmp::Ordering::Equal,
            TieBreak::InputOrder => by_score,
            TieBreak::DocidAsc => by_score.then(a.id.cmp(b.id)),
            TieBreak::Best => by_score
                .then(gain(b).total_cmp(&gain(a)))
                .then(b.id.cmp(a.id)),
            TieBreak::Worst => by_score
                .then(gain(a).total_cmp(&gain(b)))
                .then(b.id.cmp(a.id)),
            _ => by_score.then(b.id.cmp(a.id)),
        }
    });
    docs.truncate(policies.depth.unwrap_or(usize::MAX));
    let lowest = if policies.negative == NegativeGrades::Pooled {
        0.0
    } else {
        f64::NEG_INFINITY
    };
    let is_judged = |grade: &f64| *grade >= lowest;
    if policies.unjudged == Unjudged::Condensed {
        docs.retain(|doc| doc.grade.as_ref().is_some_and(is_judged));
    }
    let mut judged: Vec<f64> = qrels.get(id).map_or(Vec::new(), |topic| {
        topic.judgements().map(|(_, grade)| grade).collect()
    });
    if policies.unjudged == Unjudged::Relevant {
        let highest = judged.iter().copied().fold(0.0, f64::max);
        let grade = if highest > 0.0 { highest } else { 1.0 };
        for doc in docs
            .iter_mut()
            .filter(|doc| !doc.grade.as_ref().is_some_and(is_judged))
        {
            doc.grade = Some(grade);
            judged.push(grade);
        }
    }
    let relevant = judged.iter().filter(|grade| **grade >= 1.0).count() as f64;
    let is_relevant = |doc: &&Doc<'_>| doc.grade.is_some_and(|grade| grade >= 1.0);
    let at = |k: usize| docs.iter().take(k).filter(is_relevant).count() as f64;
    let ranks = docs
        .iter()
        .zip(1usize..)
        .filter(|(doc, _)| is_relevant(doc))
        .map(|(_, rank)| rank);
    let first = ranks.clone().next();
    let ap = ranks.map(|rank| at(rank) / rank as f64).sum::<f64>() / relevant;
    let mut ideal = judged.clone();
    ideal.sort_by(|a, b| b.total_cmp(a));
    let dcg = |gains: &mut dyn Iterator<Item = f64>| {
        gains
            .zip(2u32..)
            .map(|(gain, rank)| gain.max(0.0) / f64::from(rank).log2())
            .sum::<f64>()
    };
    let ndcg = |k: usize| {
        dcg(&mut docs.iter().take(k).map(gain)) / dcg(&mut ideal.iter().take(k).copied())
    };
    let expected = [
        at(5) / 5.0,
        at(10) / relevant,
        first.map_or(0.0, |rank| 1.0 / rank as f64),
        ap,
        ndcg(usize::MAX),
        ndcg(3),
    ];
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        // What is undefined is tested with each measure.
        let known = !found.is_nan() && expected.is_finite();
        assert!(
            !known || close(*found, expected),
            "measure {place} of {CHECKED}: {found:e}, expected {expected:e}"
        );
        assert!(
            relevant == 0.0 || docs.is_empty() || !found.is_nan() || place > 3,
            "measure {place} is undefined"
        );
    }
}
