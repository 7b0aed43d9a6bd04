//! The ideal ranking of measures of novelty.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::judged::Documents;

/// The ideal ranking of measures of novelty, computed lazily.
///
/// Each step takes the document with the highest gain, which is the sum of the worth of its subtopics; then the worth
/// of these is multiplied by 1 − α. Ties are broken by the larger id. The optimal ranking is NP-hard to find; this one has at
/// least 1 − 1/e of its gain at every depth.
///
/// Documents that are relevant to the same subtopics always have the same gain, so only the sets of subtopics compete.
/// Gains never grow: a gain that was computed earlier is an upper bound, and most sets need not be looked at.
#[derive(Debug)]
pub(super) struct Ideal {
    level: f64,
    alpha: f64,
    /// The worth of a further document on each subtopic.
    worth: Vec<f64>,
    classes: Vec<Class>,
    heap: BinaryHeap<Candidate>,
    /// Gains of the ranks made so far.
    gains: Vec<f64>,
}

/// The documents that are relevant to the same subtopics.
#[derive(Debug)]
struct Class {
    subtopics: Vec<u32>,
    /// In ascending order of ids; the last is the next to be taken.
    documents: Vec<u32>,
}

/// The next document of a class, with its gain or an upper bound of it.
#[derive(Debug)]
struct Candidate {
    gain: f64,
    document: u32,
    class: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.total_cmp(&other.gain);
        by_gain.then_with(|| self.document.cmp(&other.document))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

impl Ideal {
    pub(super) fn new(documents: &Documents, groups: usize, level: f64, alpha: f64) -> Self {
        let mut sets: Vec<(Vec<u32>, u32)> = Vec::new();
        for (labels, document) in documents.all().zip(0u32..) {
            let relevant = labels.iter().filter(|(_, label)| label.is_relevant(level));
            let set: Vec<u32> = relevant.map(|(group, _)| *group).collect();
            if !set.is_empty() {
                sets.push((set, document));
            }
        }
        sets.sort_unstable();
        let classes: Vec<Class> = sets
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| Class {
                subtopics: same[0].0.clone(),
                documents: same.iter().map(|(_, document)| *document).collect(),
            })
            .collect();
        let first = classes.iter().enumerate().filter_map(|(class, found)| {
            Some(Candidate {
                gain: found.subtopics.len() as f64,
                document: *found.documents.last()?,
                class,
            })
        });
        Self {
            level,
            alpha,
            worth: vec![1.0; groups],
            heap: first.collect(),
            classes,
            gains: Vec::new(),
        }
    }

    /// Whether this is the ideal ranking for these parameters.
    pub(super) fn is_for(&self, level: f64, alpha: f64) -> bool {
        self.level == level && self.alpha == alpha
    }

    /// Σ of gain times weight over the first `depth` ranks. The weight must not grow with the rank.
    pub(super) fn sum(&mut self, depth: usize, weight: impl Fn(u32) -> f64) -> f64 {
        let mut sum = 0.0;
        for at in 0..depth {
            let Some(gain) = self.gain(at) else { break };
            let next = sum + gain * weight(at as u32 + 1);
            // Terms never grow, so none of those that follow could change the sum either.
            if next == sum {
                break;
            }
            sum = next;
        }
        sum
    }

    /// The gain at a rank from 0; `None` where there is none.
    fn gain(&mut self, at: usize) -> Option<f64> {
        while self.gains.len() <= at {
            let gain = self.take().filter(|gain| *gain > 0.0)?;
            self.gains.push(gain);
        }
        self.gains.get(at).copied()
    }

    /// Takes the best remaining document and returns its gain.
    fn take(&mut self) -> Option<f64> {
        loop {
            let mut best = self.heap.peek_mut()?;
            let class = &mut self.classes[best.class];
            let mut gain = 0.0;
            for subtopic in &class.subtopics {
                gain += self.worth[*subtopic as usize];
            }
            if gain < best.gain {
                best.gain = gain;
                continue;
            }
            for subtopic in &class.subtopics {
                self.worth[*subtopic as usize] *= 1.0 - self.alpha;
            }
            class.documents.pop();
            match class.documents.last() {
                Some(document) => best.document = *document,
                None => drop(PeekMut::pop(best)),
            }
            return Some(gain);
        }
    }
}
