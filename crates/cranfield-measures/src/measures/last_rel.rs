//! # What it measures
//! The rank of the last relevant document: how many documents must be read to find all relevant ones, the
//! effort of a complete review.
//!
//! # User model
//! Must see every relevant document and reads until the last one.
//!
//! # Formula
//! ```math
//! \mathrm{LastRel} = \max_j \mathrm{rank}_j
//! ```
//! LastRel = the highest rank number of a relevant document. Relevant documents that were not retrieved take
//! the last ranks of the collection. Its size is `docs`, or the number of retrieved documents plus missed
//! relevant ones if that is larger.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, non-relevant, with both relevant documents retrieved: LastRel =
//! 3. If the qrels contain a third, LastRel = 5, and LastRel(docs=100) = 100.
//!
//! # Undefined when
//! The topic has no relevant document, or nothing was retrieved and `docs` is not given.
//!
//! # Differences between tools
//! The script of the CLEF task on technologically assisted reviews (`last_rel`) uses the last relevant document
//! in the run; the two agree if the run contains every relevant document. Without `docs` the ranks of missed
//! documents are lower bounds, which favours shorter rankings; set `docs` to compare rankings of different
//! length.
//!
//! # References
//! Kanoulas et al. 2017.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::completed::{Completed, DOCS};

/// Rank of the last relevant document.
#[derive(Clone, Debug)]
pub(super) struct LastRel {
    level: f64,
    docs: f64,
}

impl Measure for LastRel {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let order = Completed::located(topic, &relevant, self.docs)?;
        order.rank_of(order.relevant())
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let all = topic.order();
        let relevant = all.relevant(self.level);
        let order = Completed::located(&all, &relevant, self.docs)?;
        order.expected_rank_of(topic, self.level, order.relevant())
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "LastRel",
    aliases: &["last_rel"],
    summary: "rank of the last relevant document",
    page: crate::page::page!("last_rel.rs"),
    params: &[DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range {
        min: 1.0,
        max: f64::INFINITY,
    },
    direction: Direction::LowerIsBetter,
    references: &[
        "E. Kanoulas, D. Li, L. Azzopardi and R. Spijker: CLEF 2017 technologically assisted reviews in empirical medicine overview. CLEF working notes, 2017",
    ],
    build: |params| {
        Ok(Computation::ranked(LastRel {
            level: params.level(),
            docs: params.real("docs"),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("LastRel", &[1, 0, 1, 0], &[1, 1, 0, 0], 3.0);
        check("LastRel", &[1, 0, 1, 0], &[1, 1, 1, 0, 0], 5.0);
        check("LastRel(docs=100)", &[1, 0, 1, 0], &[1, 1, 1, 0, 0], 100.0);
    }

    #[test]
    fn edges() {
        check("LastRel(docs=10)", &[], &[1], 10.0);
        undefined("LastRel", &[], &[1]);
        check("LastRel(rel=2)", &[2, 1], &[1, 2], 1.0);
        undefined("LastRel", &[0], &[0]);
    }
}
