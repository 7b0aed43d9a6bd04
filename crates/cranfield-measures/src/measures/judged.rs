//! # What it measures
//! The fraction of the first k documents that are in the qrels: how well the judgements cover what the user
//! sees.
//!
//! # User model
//! None: a diagnostic of the judgements or the run.
//!
//! # Formula
//! ```math
//! \mathrm{Judged@}k = \frac{J_k}{\min(k, n)}
//! ```
//! Judged@k = (number of documents among the first k that are in the qrels) / min(k, n), where n is the number
//! retrieved. Without `@k` the whole ranking counts.
//!
//! # Worked example
//! Ranking: relevant, unjudged, non-relevant: Judged@2 = 1/2, Judged = 2/3 = 0.666667, Judged@10 = 2/3.
//!
//! # Undefined when
//! The ranking is empty.
//!
//! # Differences between tools
//! Same as `Judged` in `ir_measures`: any document in the qrels counts, whatever its grade, including one that
//! `trec_eval` reads as pooled but not judged. `unj` in `trec_eval` is Unjudged@k, which divides by k.
//!
//! # References
//! MacAvaney, Macdonald and Ounis 2022.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::{found_board, found_of};
use super::common::{depth, ratio};

/// Fraction of documents in the qrels.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    depth: usize,
}

impl Measure for Judged {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let depth = topic.retrieved().min(self.depth);
        ratio(topic.hits_at(depth).len(), depth)
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

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let depth = topic.retrieved().min(self.depth);
        let hits = topic.hits_at(depth);
        let value = ratio(hits.len(), depth)?;
        let step = found_of("judged / shown", hits.len(), depth, value);
        let ranks = hits.iter().map(|hit| hit.rank);
        Some(found_board(ranks, 1.0 / depth as f64, vec![step]))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Judged",
    summary: "fraction of the first k documents that are in the qrels",
    page: crate::page::page!("judged.rs"),
    direction: Direction::Neutral,
    references: &[
        "S. MacAvaney, C. Macdonald and I. Ounis: Streamlining evaluation with ir-measures. ECIR 2022. doi:10.1007/978-3-030-99739-7_38",
    ],
    build: |params| {
        let depth = depth(params.cutoff());
        Ok(Computation::ranked(Judged { depth }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("Judged@2", &[1, -1, 0], &[1, 0], 1.0 / 2.0);
        check("Judged", &[1, -1, 0], &[1, 0], 2.0 / 3.0);
        check("Judged@10", &[1, -1, 0], &[1, 0], 2.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("Judged", &[-1], &[1], 0.0);
        check("Judged", &[-2], &[], 1.0);
        undefined("Judged", &[], &[1]);
    }
}
