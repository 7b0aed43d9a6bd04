//! The least difference of two runs over the relevance of open documents, which is the same in both runs.
//!
//! With x = 1 for relevant documents, n of them open, the difference is `c(n)` · (q + Σ `a_i` · `x_i`). Precision, recall, gains and
//! rank-biased precision have constant `a_i`: for each n, the n documents with the smallest `a_i` give the least value. The factor c is that
//! of the number of relevant documents, such as 1 / R of recall or 1 / ideal of nDCG. It is found by evaluating the measure itself.
//!
//! For AP, the sum also has terms `c_ij` · `x_i` · `x_j` with the differences of 1 / max(`r_i`, `r_j`). Half of those that are
//! negative count for each of the two documents, whether or not the other one is relevant. This gives a value below the least one.

use cranfield_core::measure::Measure;
use cranfield_core::topic::{Hit, Label};

use super::search::Open;
use super::topic::Topic;

/// Largest error of sums that are equal.
const ROUNDING: f64 = 1e-9;

/// A measure as a sum over documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A sum of the gains of documents, times a factor of the recall base.
    Sum,
    /// Average precision: a sum over pairs of documents.
    Pairs,
}

impl Form {
    /// The form of a measure by its name.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "P" | "R" | "RBP" | "CG" | "DCG" | "nCG" | "nDCG" | "SDCG" => Some(Self::Sum),
            "AP" => Some(Self::Pairs),
            _ => None,
        }
    }
}

/// The open documents of a topic and their weights.
pub(super) struct Joint {
    /// Part of the sum that is known.
    known: f64,
    /// By the number of relevant open documents.
    factors: Vec<f64>,
    /// By place among the open documents of the topic.
    weights: Vec<f64>,
    is_open: Vec<bool>,
    pairs: Option<Pairs>,
    /// Places by weight, ascending; empty if the weights have changed.
    order: Vec<usize>,
}

impl Joint {
    /// `None` if the measure does not have the form.
    pub(super) fn new(topic: &Topic, measure: &dyn Measure, form: Form) -> Option<Self> {
        // Factors need one relevant document.
        let first = usize::from(
            topic
                .base(0, 0)
                .first()
                .is_none_or(|known| known.grade <= 0.0),
        );
        let reference = topic.base(first, 0);
        let top = |base: &[_]| {
            let hit = Hit {
                rank: 1,
                label: Label::Judged(topic.grade),
            };
            let run = usize::from(topic.runs[0].is_empty());
            topic.of_hits(measure, run, &[hit], base)
        };
        let scale = top(&reference);
        let factor = |n: usize| match scale {
            0.0 => 1.0,
            scale => top(&topic.base(n, 0)) / scale,
        };
        let mut factors: Vec<f64> = (0..=topic.open.len()).map(factor).collect();
        if first == 1 {
            // Without relevant documents, both values are 0.
            factors[0] = 0.0;
        }
        let alone = |run: usize, rank: u32, label: Label| match rank {
            0 => 0.0,
            rank => topic.of_hits(measure, run, &[Hit { rank, label }], &reference),
        };
        let ranks = [topic.ranks(0), topic.ranks(1)];
        let weight = |doc: u32, label: Label| {
            let of = |run: usize| alone(run, ranks[run][doc as usize], label);
            of(0) - of(1)
        };
        let weights = topic.open.iter();
        let weights: Vec<f64> = weights
            .map(|doc| weight(*doc, Label::Judged(topic.grade)))
            .collect();
        let judged = (0..ranks[0].len() as u32).filter_map(|doc| match topic.label(doc) {
            label @ Label::Judged(_) => Some(weight(doc, label)),
            _ => None,
        });
        let known = judged.sum();
        let nothing = |run: usize| {
            alone(
                run,
                u32::from(!topic.runs[run].is_empty()),
                Label::Judged(0.0),
            )
        };
        let mut joint = Self {
            known,
            factors,
            is_open: vec![true; weights.len()],
            weights,
            pairs: None,
            order: Vec::new(),
        };
        if form == Form::Pairs {
            joint.add_pairs(topic, &ranks, measure.level().unwrap_or(1.0), scale);
        }
        joint.sort();
        let is_right = nothing(0) == 0.0
            && nothing(1) == 0.0
            && [false, true].into_iter().all(|are_relevant| {
                let [first, second] = [0, 1].map(|run| topic.value(measure, run, are_relevant));
                (joint.reading(are_relevant) - (first - second)).abs() < ROUNDING
            });
        is_right.then_some(joint)
    }

    /// Adds the terms of two documents. `scale` is the value of a relevant document alone at rank 1.
    fn add_pairs(&mut self, topic: &Topic, ranks: &[Vec<u32>; 2], level: f64, scale: f64) {
        let places = |doc: u32| ranks.each_ref().map(|ranks| ranks[doc as usize]);
        let docs = 0..ranks[0].len() as u32;
        let is_relevant =
            |doc: &u32| matches!(topic.label(*doc), Label::Judged(grade) if grade >= level);
        let relevant: Vec<[u32; 2]> = docs.filter(is_relevant).map(places).collect();
        for (at, first) in relevant.iter().enumerate() {
            let terms = relevant[..at].iter().map(|second| term(*first, *second));
            self.known += scale * terms.sum::<f64>();
        }
        let open: Vec<[u32; 2]> = topic.open.iter().map(|doc| places(*doc)).collect();
        for (weight, own) in self.weights.iter_mut().zip(&open) {
            let terms = relevant.iter().map(|other| term(*own, *other));
            *weight += scale * terms.sum::<f64>();
        }
        let mut pairs = Pairs {
            open,
            scale,
            halves: Vec::new(),
        };
        pairs.halves = (0..self.weights.len())
            .map(|at| pairs.halves_of(at).sum())
            .collect();
        self.pairs = Some(pairs);
    }

    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.weights.len()).collect();
        order.sort_unstable_by(|a, b| self.weight(*a).total_cmp(&self.weight(*b)).then(a.cmp(b)));
        self.order = order;
    }

    fn weight(&self, at: usize) -> f64 {
        self.weights[at] + self.pairs.as_ref().map_or(0.0, |pairs| pairs.halves[at])
    }

    /// The value if none or all of the open documents are relevant.
    fn reading(&self, are_relevant: bool) -> f64 {
        if !are_relevant {
            return self.factors[0] * self.known;
        }
        let pairs = self.pairs.as_ref().map_or(0.0, Pairs::sum);
        let last = self.factors.last().copied().unwrap_or(1.0);
        last * (self.known + self.weights.iter().sum::<f64>() + pairs)
    }
}

impl Open for Joint {
    fn set(&mut self, at: usize, is_open: bool) {
        self.is_open[at] = is_open;
        if let Some(pairs) = &mut self.pairs {
            let sign = if is_open { 1.0 } else { -1.0 };
            pairs.add(at, sign);
            self.order.clear();
        }
    }

    fn lead(&mut self) -> f64 {
        if self.order.is_empty() {
            self.sort();
        }
        let mut sum = self.known;
        let mut least = self.factors[0] * sum;
        let open = self.order.iter().filter(|at| self.is_open[**at]);
        for (at, factor) in open.zip(&self.factors[1..]) {
            sum += self.weight(*at);
            least = least.min(factor * sum);
        }
        least
    }

    fn order(&self) -> Vec<usize> {
        self.order.clone()
    }
}

/// Terms of pairs of open documents.
struct Pairs {
    /// Ranks in both runs; 0 if a run lacks the document.
    open: Vec<[u32; 2]>,
    scale: f64,
    /// Half the sum of the negative terms of each document.
    halves: Vec<f64>,
}

impl Pairs {
    fn halves_of(&self, at: usize) -> impl Iterator<Item = f64> {
        let others = self.open.iter().enumerate();
        others.map(move |(other, ranks)| {
            if other == at {
                return 0.0;
            }
            0.5 * (self.scale * term(self.open[at], *ranks)).min(0.0)
        })
    }

    /// Adds the terms of a document to those of the others, or takes them away.
    fn add(&mut self, at: usize, sign: f64) {
        let more: Vec<f64> = self.halves_of(at).collect();
        for (half, more) in self.halves.iter_mut().zip(more) {
            *half += sign * more;
        }
    }

    fn sum(&self) -> f64 {
        let mut sum = 0.0;
        for (at, first) in self.open.iter().enumerate() {
            let terms = self.open[..at].iter().map(|second| term(*first, *second));
            sum += self.scale * terms.sum::<f64>();
        }
        sum
    }
}

fn inverse(rank: u32) -> f64 {
    match rank {
        0 => 0.0,
        rank => 1.0 / f64::from(rank),
    }
}

/// The difference of 1 / max of the ranks in both runs.
fn term(first: [u32; 2], second: [u32; 2]) -> f64 {
    let of = |run: usize| match first[run].min(second[run]) {
        0 => 0.0,
        _ => inverse(first[run].max(second[run])),
    };
    of(0) - of(1)
}
