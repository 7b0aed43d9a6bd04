//! The candidates of one topic, and the ranking that a run makes of them.

use crate::rng::Rng;
use crate::shape::{Judging, Shape};

/// The standard deviation of [`Rng::bell`].
const DEVIATION: u64 = 37_837;

/// A document that runs may retrieve.
pub struct Candidate {
    pub document: u64,
    pub grade: Option<u64>,
    shared_score: u64,
}

/// One line of a ranking.
pub struct Entry {
    pub document: u64,
    /// In millionths.
    pub score: u64,
}

/// The candidates of a topic, in the order of their numbers; the same for all runs.
pub fn candidates(shape: &Shape, seed: u64, topic: u64) -> Vec<Candidate> {
    let mut rng = Rng::new(&[seed, shape.number, topic, 1]);
    let documents = rng.spread(shape.candidates, shape.ids.space());
    let mut pool: Vec<Candidate> = documents
        .into_iter()
        .map(|document| Candidate {
            document,
            grade: None,
            shared_score: rng.bell(),
        })
        .collect();
    judge(shape, &mut rng, &mut pool);
    pool
}

/// Gives grades to candidates drawn without replacement.
fn judge(shape: &Shape, rng: &mut Rng, pool: &mut [Candidate]) {
    let mut order: Vec<usize> = (0..pool.len()).collect();
    for drawn in 0..judgements(shape, rng) {
        let other = drawn + rng.below((order.len() - drawn) as u64) as usize;
        order.swap(drawn, other);
        let candidate = &mut pool[order[drawn]];
        // Every topic has a relevant document: the first one drawn.
        let grade = grade(shape.judging, rng).max(u64::from(drawn == 0));
        candidate.grade = Some(grade);
        if shape.judging == Judging::Deep {
            // Deep judgements come from pooled runs, so the judged documents score higher.
            candidate.shared_score += DEVIATION;
        }
    }
}

fn judgements(shape: &Shape, rng: &mut Rng) -> usize {
    if shape.judging != Judging::Sparse {
        return shape.judged;
    }
    match rng.below(1000) {
        0..=944 => 1,
        945..=992 => 2,
        993..=997 => 3,
        _ => 4,
    }
}

fn grade(judging: Judging, rng: &mut Rng) -> u64 {
    let limits = match judging {
        Judging::Deep => [950, 980, 994],
        Judging::Shallow => [500, 750, 900],
        Judging::Sparse => return 1,
    };
    let draw = rng.below(1000);
    limits.iter().filter(|&&limit| draw >= limit).count() as u64
}

/// The ranking of run `run` for a topic, best first.
pub fn ranking(shape: &Shape, seed: u64, topic: u64, run: u64, pool: &[Candidate]) -> Vec<Entry> {
    let bonus = bonus(shape, seed, topic, run);
    let mut rng = Rng::new(&[seed, shape.number, topic, 2, run]);
    let mut entries: Vec<Entry> = pool
        .iter()
        .map(|candidate| Entry {
            document: candidate.document,
            score: 60
                * (candidate.shared_score + rng.bell() + bonus * candidate.grade.unwrap_or(0)),
        })
        .collect();
    entries.sort_unstable_by_key(|entry| (u64::MAX - entry.score, entry.document));
    entries.truncate(shape.depth);
    for rank in 1..entries.len() {
        if rng.below(10) == 0 {
            entries[rank].score = entries[rank - 1].score;
        }
    }
    entries
}

/// The effect of one grade on a score, which depends on the quality of the run and on how easy the topic is.
fn bonus(shape: &Shape, seed: u64, topic: u64, run: u64) -> u64 {
    let quality = match shape.runs {
        1 => 100,
        _ => 40 + Rng::new(&[seed, shape.number, 3, run]).below(120),
    };
    let ease = 60 + Rng::new(&[seed, shape.number, topic, 4]).below(80);
    let weight = if shape.judging == Judging::Sparse {
        3
    } else {
        1
    };
    weight * quality * ease * DEVIATION / 10_000
}
