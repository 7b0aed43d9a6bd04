//! Minimal test collections: the document whose judgement moves the differences in average precision between runs most.
//!
//! With x = 1 for relevant documents and r for ranks, R · AP = Σ over i and j ≤ i of `x_i` · `x_j` / max(`r_i`, `r_j`). For a pair of
//! runs, let `c_ij` be the difference of these coefficients. If document i turns out to be relevant, the difference with all other
//! unjudged documents as not relevant changes by the sum of `c_ij` over i and the relevant j. If not, the difference with all unjudged
//! documents as relevant changes by the sum over i, the relevant j and the unjudged j. The document with the largest of the two changes, added
//! up over pairs of runs, is next. It stops when the sign of every difference is settled: the interval in which each
//! coefficient that is still open counts only if it lowers the difference, or only if it raises it, does not contain 0.

use super::Asking;
use crate::rankings::TopicRankings;

/// Ranks of runs that lack a document.
const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unjudged,
    Relevant,
    NotRelevant,
}

#[derive(Debug)]
pub(super) struct Mtc {
    topic: TopicRankings,
    /// Ranks (from 1) by run, then by document.
    ranks: Vec<Vec<u32>>,
    states: Vec<State>,
    /// Pairs of runs whose order is not settled.
    pairs: Vec<Pair>,
    current: Option<u32>,
}

/// A pair of runs and the bounds of the difference of their sums.
#[derive(Debug)]
struct Pair {
    runs: (usize, usize),
    least: f64,
    most: f64,
}

impl Mtc {
    pub(super) fn new(topic: &TopicRankings) -> Self {
        let ranks = topic.runs().iter().map(|run| {
            let mut ranks = vec![ABSENT; topic.len()];
            for (rank, doc) in run.iter().enumerate() {
                ranks[*doc as usize] = rank as u32 + 1;
            }
            ranks
        });
        let mut mtc = Self {
            ranks: ranks.collect(),
            states: vec![State::Unjudged; topic.len()],
            pairs: Vec::new(),
            topic: topic.clone(),
            current: None,
        };
        for second in 0..mtc.ranks.len() {
            for first in 0..second {
                let pair = mtc.pair((first, second));
                mtc.pairs.extend((!pair.is_settled()).then_some(pair));
            }
        }
        mtc
    }

    /// Documents of either run, each once.
    fn shared_out(&self, (first, second): (usize, usize)) -> Vec<usize> {
        let runs = self.topic.runs();
        let only_second = runs[second].iter();
        let only_second = only_second.filter(|doc| self.ranks[first][**doc as usize] == ABSENT);
        let docs = runs[first].iter().chain(only_second);
        docs.map(|doc| *doc as usize).collect()
    }

    fn pair(&self, runs: (usize, usize)) -> Pair {
        let (mut least, mut most) = (0.0, 0.0);
        let docs = self.shared_out(runs);
        for (at, &i) in docs.iter().enumerate() {
            for &j in &docs[..=at] {
                let difference = self.difference(runs, i, j);
                least += difference.min(0.0);
                most += difference.max(0.0);
            }
        }
        Pair { runs, least, most }
    }

    fn difference(&self, (first, second): (usize, usize), i: usize, j: usize) -> f64 {
        let coefficient = |ranks: &[u32]| match ranks[i].max(ranks[j]) {
            ABSENT => 0.0,
            rank => 1.0 / f64::from(rank),
        };
        coefficient(&self.ranks[first]) - coefficient(&self.ranks[second])
    }

    /// Sums of coefficients of each document with itself and those of a kind, for one run.
    fn sums(&self, run: usize, is_counted: impl Fn(State) -> bool) -> Vec<f64> {
        let ranking = &self.topic.runs()[run];
        let mut sums = vec![0.0; self.topic.len()];
        // Counted documents further down contribute 1 / their rank; those above, and the document, 1 / its rank.
        let mut below = 0.0;
        let counted = |doc: u32| is_counted(self.states[doc as usize]);
        let mut above = ranking.iter().filter(|doc| counted(**doc)).count() as f64;
        for (place, &doc) in ranking.iter().enumerate().rev() {
            let rank = (place + 1) as f64;
            let is_counted = counted(doc);
            let itself = f64::from(u8::from(!is_counted));
            sums[doc as usize] = (above + itself) / rank + below;
            if is_counted {
                above -= 1.0;
                below += 1.0 / rank;
            }
        }
        sums
    }
}

impl Pair {
    /// Whether the sign of the difference is known. Small sums of rounding errors do not count.
    fn is_settled(&self) -> bool {
        const ROUNDING: f64 = 1e-9;
        let is_equal = self.most < ROUNDING && self.least > -ROUNDING;
        is_equal || self.least > ROUNDING || self.most < -ROUNDING
    }
}

impl Asking for Mtc {
    fn next(&mut self) -> Option<u32> {
        if self.pairs.is_empty() {
            return None;
        }
        let runs = 0..self.ranks.len();
        let relevant = runs
            .clone()
            .map(|run| self.sums(run, |state| state == State::Relevant));
        let relevant: Vec<Vec<f64>> = relevant.collect();
        let possible = runs.map(|run| self.sums(run, |state| state != State::NotRelevant));
        let possible: Vec<Vec<f64>> = possible.collect();
        let mut best: Option<(f64, u32)> = None;
        for doc in 0..self.topic.len() {
            if self.states[doc] != State::Unjudged {
                continue;
            }
            let changes = self.pairs.iter().map(|pair| {
                let (first, second) = pair.runs;
                let if_relevant = relevant[first][doc] - relevant[second][doc];
                let if_not = possible[first][doc] - possible[second][doc];
                if_relevant.abs().max(if_not.abs())
            });
            let sum = (changes.sum::<f64>() * 1e12).round();
            if best.is_none_or(|(most, _)| sum > most) {
                best = Some((sum, doc as u32));
            }
        }
        self.current = best.map(|(_, doc)| doc);
        self.current
    }

    fn answer(&mut self, relevant: bool) {
        let Some(doc) = self.current.map(|doc| doc as usize) else {
            return;
        };
        let mut pairs = std::mem::take(&mut self.pairs);
        for pair in &mut pairs {
            let is_held = self.ranks[pair.runs.0][doc].min(self.ranks[pair.runs.1][doc]) < ABSENT;
            if !is_held {
                continue;
            }
            for other in self.shared_out(pair.runs) {
                let difference = self.difference(pair.runs, doc, other);
                match self.states[other] {
                    State::NotRelevant => {}
                    // The coefficient is certain now.
                    State::Relevant if relevant => {
                        pair.least += difference.max(0.0);
                        pair.most += difference.min(0.0);
                    }
                    State::Unjudged if relevant && other == doc => {
                        pair.least += difference.max(0.0);
                        pair.most += difference.min(0.0);
                    }
                    State::Unjudged if relevant => {}
                    // The coefficient is 0 now.
                    _ => {
                        pair.least -= difference.min(0.0);
                        pair.most -= difference.max(0.0);
                    }
                }
            }
        }
        pairs.retain(|pair| !pair.is_settled());
        self.pairs = pairs;
        self.states[doc] = if relevant {
            State::Relevant
        } else {
            State::NotRelevant
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const DOCS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

    /// R · AP by its definition: the sum of the precisions at the relevant documents.
    fn precisions(ranking: &[u32], is_relevant: impl Fn(u32) -> bool) -> f64 {
        let mut found = 0.0;
        let mut sum = 0.0;
        for (doc, rank) in ranking.iter().zip(1..) {
            if is_relevant(*doc) {
                found += 1.0;
                sum += found / f64::from(rank);
            }
        }
        sum
    }

    /// The bounds of a difference, with each coefficient of each pair of documents taken by itself.
    fn bounds(runs: [&[u32]; 2], states: &[State]) -> (f64, f64) {
        let place = |run: &[u32], doc: usize| run.iter().position(|at| *at as usize == doc);
        let coefficient = |run: &[u32], i: usize, j: usize| match (place(run, i), place(run, j)) {
            (Some(i), Some(j)) => 1.0 / (i.max(j) as f64 + 1.0),
            _ => 0.0,
        };
        let (mut least, mut most) = (0.0, 0.0);
        for i in 0..states.len() {
            for j in 0..=i {
                let c = coefficient(runs[0], i, j) - coefficient(runs[1], i, j);
                match (states[i], states[j]) {
                    (State::NotRelevant, _) | (_, State::NotRelevant) => {}
                    (State::Relevant, State::Relevant) => {
                        least += c;
                        most += c;
                    }
                    _ => {
                        least += c.min(0.0);
                        most += c.max(0.0);
                    }
                }
            }
        }
        (least, most)
    }

    proptest! {
        /// Each document that is asked for has the largest effect, computed from AP itself, on the pairs of runs whose brute-force bounds still
        /// contain 0; and the strategy stops when no such pair is left.
        #[test]
        fn each_document_moves_the_differences_most(
            orders in proptest::collection::vec(Just((0..7).collect::<Vec<usize>>()).prop_shuffle(), 3),
            lengths in proptest::collection::vec(2..7usize, 3),
            grades in proptest::collection::vec(any::<bool>(), 7),
        ) {
            let lists = orders.iter().zip(&lengths);
            let lists: Vec<Vec<&str>> = lists
                .map(|(order, length)| order[..*length].iter().map(|doc| DOCS[*doc]).collect())
                .collect();
            let topic = TopicRankings::new("1", &lists, 100);
            let runs = topic.runs();
            let mut states = vec![State::Unjudged; topic.len()];
            let mut open = vec![(0, 1), (0, 2), (1, 2)];
            let mut mtc = Mtc::new(&topic);
            loop {
                open.retain(|(first, second)| {
                    let (least, most) = bounds([&runs[*first], &runs[*second]], &states);
                    let is_equal = most < 1e-9 && least > -1e-9;
                    !(is_equal || least > 1e-9 || most < -1e-9)
                });
                let effect = |doc: usize| -> f64 {
                    let difference = |pair: &(usize, usize), relevant: &dyn Fn(u32) -> bool| {
                        precisions(&runs[pair.0], relevant) - precisions(&runs[pair.1], relevant)
                    };
                    let changes = open.iter().map(|pair| {
                        let known = |at: u32| states[at as usize] == State::Relevant;
                        let with = |at: u32| known(at) || at as usize == doc;
                        let possible = |at: u32| states[at as usize] != State::NotRelevant;
                        let without = |at: u32| possible(at) && at as usize != doc;
                        let if_relevant = difference(pair, &with) - difference(pair, &known);
                        let if_not = difference(pair, &possible) - difference(pair, &without);
                        if_relevant.abs().max(if_not.abs())
                    });
                    changes.sum()
                };
                let Some(asked) = mtc.next() else {
                    prop_assert!(open.is_empty() || !states.contains(&State::Unjudged));
                    break;
                };
                prop_assert!(!open.is_empty());
                let unjudged = (0..topic.len()).filter(|doc| states[*doc] == State::Unjudged);
                let most = unjudged.map(&effect).fold(0.0, f64::max);
                prop_assert!((effect(asked as usize) - most).abs() < 1e-9);
                let relevant = grades[asked as usize];
                mtc.answer(relevant);
                states[asked as usize] = if relevant { State::Relevant } else { State::NotRelevant };
            }
        }
    }
}
