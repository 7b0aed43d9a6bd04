//! # What it measures
//! Average search length: the mean rank of the relevant documents.
//!
//! # User model
//! Looks for one of the relevant documents, each equally likely, and reads from the top until it is found. The
//! value is the expected number of documents read.
//!
//! # Formula
//! ```math
//! \mathrm{ASL} = \frac{1}{R} \sum_{j=1}^{R} \mathrm{rank}_j
//! ```
//! ASL = (1 / R) · Σ over the relevant documents of their rank. Relevant documents that were not retrieved take
//! the last ranks of the collection. Its size is `docs`, or the number of retrieved documents plus missed
//! relevant ones if that is larger. With `missed='skip'` only the relevant documents retrieved are averaged.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, non-relevant, relevant; three relevant documents in the qrels: the third is
//! at rank 5, so ASL = 11 / 3 = 3.666667. With `missed='skip'` it is 6 / 2 = 3, and in a collection of 100
//! documents 106 / 3 = 35.333333.
//!
//! # Undefined when
//! The topic has no relevant document; nothing was retrieved and `docs` is not given; with `missed='skip'`,
//! also if no relevant document was retrieved.
//!
//! # Differences between tools
//! Losee defines it for a ranking of all documents. Papers treat documents that were not retrieved differently;
//! skipping them rewards rankings that stop early. Without `docs` the ranks of missed documents are lower
//! bounds, which favours shorter rankings; set `docs` to compare rankings of different length.
//!
//! # References
//! Losee 1998; Järvelin and Kekäläinen 2002.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::completed::{Completed, DOCS};

/// Average search length.
#[derive(Clone, Debug)]
pub(super) struct Asl {
    level: f64,
    docs: f64,
    skip: bool,
}

impl Measure for Asl {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let order = Completed::located(topic, &relevant, self.docs)?;
        let count = if self.skip {
            relevant.ranks.len()
        } else {
            order.relevant()
        };
        let mut sum = 0.0;
        for rank in order.ranks().take(count) {
            sum += rank;
        }
        (count > 0).then(|| sum / count as f64)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "ASL",
    aliases: &["average_search_length"],
    summary: "average search length: mean rank of the relevant documents",
    page: crate::page::page!("asl.rs"),
    params: &[MISSED, DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range {
        min: 1.0,
        max: f64::INFINITY,
    },
    direction: Direction::LowerIsBetter,
    references: &[
        "R. M. Losee: Text Retrieval and Filtering: Analytic Models of Performance. Kluwer, 1998",
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
    ],
    build: |params| {
        Ok(Computation::ranked(Asl {
            level: params.level(),
            docs: params.real("docs"),
            skip: params.word("missed") == "skip",
        }))
    },
    ..MeasureInfo::DEFAULT
};

const MISSED: ParamInfo = ParamInfo {
    name: "missed",
    kind: ParamKind::Word(&["last", "skip"]),
    default: "last",
    help: "relevant documents that were not retrieved: placed at the last ranks of the collection, or skipped",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[0, 1, 0, 1], &[1, 1, 1, 0, 0]);
        check("ASL", ranking, judged, 11.0 / 3.0);
        check("ASL(missed='skip')", ranking, judged, 3.0);
        check("ASL(docs=100)", ranking, judged, 106.0 / 3.0);
    }

    #[test]
    fn edges() {
        check("ASL(docs=10)", &[], &[1, 1], 9.5);
        undefined("ASL", &[], &[1, 1]);
        check("ASL", &[1], &[1], 1.0);
        check("ASL(rel=2)", &[1, 2], &[1, 2], 2.0);
        check("ASL(docs=1)", &[-1, -3, 1], &[1, -3], 3.0);
        undefined("ASL", &[0], &[0]);
        undefined("ASL(missed='skip')", &[0], &[1, 0]);
    }
}
