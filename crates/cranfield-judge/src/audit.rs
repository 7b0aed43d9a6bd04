//! A sample of a program's judgements for a person to check.

use std::collections::BTreeMap;

use cranfield_core::run::Run;
use cranfield_eval::merging::MergeRule;

use crate::assessor::Assessor;
use crate::queue::{Blind, Pair, Queue};
use crate::settings::Settings;

/// Draws a pool of documents that a program graded: as many of each grade as there are and as the size allows, so that rare grades
/// are checked too. The seed decides which, and the pool is in an order that does not reveal the grades.
pub fn audit_pool(assessor: &Assessor, rule: MergeRule, size: usize, settings: &Settings) -> Run {
    let mut strata: BTreeMap<u64, Vec<Pair>> = BTreeMap::new();
    let qrels = assessor.qrels(rule);
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            // Grades are not negative, so their bits are in their order.
            strata.entry(grade.to_bits()).or_default().push(Pair {
                topic: String::from_utf8_lossy(topic.id()).into_owned(),
                doc: String::from_utf8_lossy(doc).into_owned(),
            });
        }
    }
    let mut drawn = Vec::new();
    let mut strata: Vec<Vec<Pair>> = strata
        .into_values()
        .map(|pairs| shuffled(&pairs, settings))
        .collect();
    while drawn.len() < size && strata.iter().any(|pairs| !pairs.is_empty()) {
        for pairs in &mut strata {
            if drawn.len() < size {
                drawn.extend(pairs.pop());
            }
        }
    }
    drawn.sort_unstable();
    let order = Blind::new(&drawn, "audit", settings);
    let total = drawn.len();
    let scored = order.pairs().iter().enumerate();
    Run::from_scores(
        "audit",
        scored.map(|(at, pair)| (&pair.topic, &pair.doc, (total - at) as f64)),
    )
}

/// The pairs in an order that depends on the seed alone. Topics are mixed, because each pair is its own topic here.
fn shuffled(pairs: &[Pair], settings: &Settings) -> Vec<Pair> {
    let joined: Vec<Pair> = pairs
        .iter()
        .enumerate()
        .map(|(at, pair)| Pair {
            topic: String::new(),
            doc: format!("{at} {} {}", pair.topic, pair.doc),
        })
        .collect();
    let order = Blind::new(&joined, "sample", settings);
    let place = |pair: &Pair| pair.doc.split(' ').next()?.parse::<usize>().ok();
    order
        .pairs()
        .iter()
        .filter_map(|joined| pairs.get(place(joined)?).cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Kind};

    #[test]
    fn every_grade_is_drawn_alike() {
        let event = |at: usize| Event {
            seq: 0,
            time: String::new(),
            who: "ann".into(),
            kind: Kind::Grade,
            topic: (at % 7).to_string(),
            doc: format!("d{at}"),
            grade: Some(if at < 5 { 3 } else { (at % 2) as u8 }),
            ms: 0,
            note: None,
            machine: None,
            prev: String::new(),
        };
        let events: Vec<Event> = (0..300).map(event).collect();
        let assessor = Assessor::of("ann", &events);
        let settings = Settings::default();
        let pool = audit_pool(&assessor, MergeRule::Majority, 45, &settings);
        let mut counts = BTreeMap::new();
        for pair in crate::queue::pairs_of(&pool).unwrap() {
            *counts.entry(assessor.grade(&pair).unwrap()).or_insert(0) += 1;
        }
        assert_eq!(
            counts.into_iter().collect::<Vec<_>>(),
            [(0, 20), (1, 20), (3, 5)]
        );
        assert_eq!(
            pool,
            audit_pool(&assessor, MergeRule::Majority, 45, &settings)
        );
        let everything = audit_pool(&assessor, MergeRule::Majority, 1000, &settings);
        assert_eq!(crate::queue::pairs_of(&everything).unwrap().len(), 300);
    }
}
