//! # What it measures
//! Holes in the judgements: the documents among the first k that are not in the topic's qrels, as a fraction or
//! a count.
//!
//! # User model
//! None: a diagnostic of the judgements or the run.
//!
//! # Formula
//! ```math
//! \mathrm{Hole@}k = \frac{|\{ i \le k : d_i \notin \mathrm{qrels} \}|}{k}
//! ```
//! Hole@k = (documents among the first k that are not in the topic's qrels) / k; with `form='count'` the count
//! itself. A ranking shorter than k is still divided by k.
//!
//! # Worked example
//! Ranking: relevant, unjudged, non-relevant: Hole@2 = 1/2, Hole(form='count')@5 = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! BEIR counts a document as judged if it is in the qrels of any topic; here only the topic's own qrels count.
//! Unjudged@k also counts documents whose negative grade means 'not judged'.
//!
//! # References
//! Thakur et al. 2021.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

/// Documents among the first k that are not in the qrels.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    cutoff: usize,
    share: bool,
}

impl Measure for Hole {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let known = topic.hits_at(self.cutoff).len();
        let holes = topic.retrieved().min(self.cutoff) - known;
        let whole = if self.share { self.cutoff as f64 } else { 1.0 };
        Some(holes as f64 / whole)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(f64::from(u8::from(label != Label::Unjudged)))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Hole",
    summary: "documents among the first k that are not in the topic's qrels",
    page: crate::page::page!("hole.rs"),
    params: &[FORM],
    cutoff: CutoffRule::Required,
    range: Range::COUNT,
    direction: Direction::LowerIsBetter,
    references: &[
        "N. Thakur, N. Reimers, A. Rücklé, A. Srivastava and I. Gurevych: BEIR: A heterogeneous benchmark for zero-shot evaluation of information retrieval models. NeurIPS Datasets and Benchmarks 2021",
    ],
    build: |params| {
        Ok(Computation::ranked(Hole {
            cutoff: params.required_cutoff(),
            share: params.word("form") == "share",
        }))
    },
    ..MeasureInfo::DEFAULT
};

const FORM: ParamInfo = ParamInfo {
    name: "form",
    kind: ParamKind::Word(&["share", "count"]),
    default: "share",
    help: "fraction of k, or number of documents",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("Hole@2", &[1, -1, 0], &[1, 0], 0.5);
        check("Hole(form='count')@5", &[1, -1, 0], &[1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("Hole@5", &[], &[1], 0.0);
        check("Hole@2", &[-1, -1, -1], &[], 1.0);
        check("Hole@4", &[-1, -2, -3], &[-3], 0.25);
    }
}
