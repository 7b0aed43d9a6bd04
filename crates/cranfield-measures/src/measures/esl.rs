//! # What it measures
//! Expected search length: the number of non-relevant documents a user reads before finding q relevant ones.
//!
//! # User model
//! Wants q relevant documents and reads from the top until they are found. The value is the number of wasted
//! reads.
//!
//! # Formula
//! ```math
//! \mathrm{ESL} = \mathrm{rank}_q - q
//! ```
//! ESL = (rank of relevant document number q) − q, the number of non-relevant documents above it; with
//! `count='all'` the rank itself. A fractional q is rounded up. Relevant documents that were not retrieved take
//! the last ranks of the collection. Its size is `docs`, or the number of retrieved documents plus missed
//! relevant ones if that is larger.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, non-relevant, non-relevant, relevant: ESL = 1, ESL(q=2) = 3, ESL(q=2,
//! count='all') = 5.
//!
//! # Undefined when
//! The topic has fewer than q relevant documents, or nothing was retrieved and `docs` is not given.
//!
//! # Differences between tools
//! Cooper defines the expectation over the orders of tied documents; here the ranking is strict, and the tie
//! policy `expected` gives that expectation. Korfhage and others count all documents read. Cooper's reduction
//! factor relative to a random order is not computed. Without `docs` the ranks of missed documents are lower
//! bounds, which favours shorter rankings; set `docs` to compare rankings of different length.
//!
//! # References
//! Cooper 1968; Korfhage 1997.

use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::completed::{Completed, DOCS};

/// Expected search length.
#[derive(Clone, Debug)]
pub(super) struct Esl {
    level: f64,
    docs: f64,
    wanted: usize,
    all: bool,
}

impl Measure for Esl {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        self.length(topic, |order| order.rank_of(self.wanted))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        self.length(&topic.order(), |order| {
            order.expected_rank_of(topic, self.level, self.wanted)
        })
    }
}

impl Esl {
    /// The search length, given the rank of the last wanted document.
    fn length(
        &self,
        topic: &JudgedRanking<'_>,
        rank: impl Fn(&Completed<'_>) -> Option<f64>,
    ) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let rank = rank(&Completed::located(topic, &relevant, self.docs)?)?;
        Some(if self.all {
            rank
        } else {
            rank - self.wanted as f64
        })
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "ESL",
    aliases: &["expected_search_length"],
    summary: "expected search length: non-relevant documents read before q relevant ones are found",
    page: crate::page::page!("esl.rs"),
    params: &[Q, COUNT, DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::COUNT,
    direction: Direction::LowerIsBetter,
    references: &[
        "W. S. Cooper: Expected search length: a single measure of retrieval effectiveness based on the weak ordering action of retrieval systems. American Documentation 19(1), 1968",
        "R. R. Korfhage: Information Storage and Retrieval. Wiley, 1997",
    ],
    build: |params| {
        Ok(Computation::ranked(Esl {
            level: params.level(),
            docs: params.real("docs"),
            wanted: params.real("q").ceil() as usize,
            all: params.word("count") == "all",
        }))
    },
    ..MeasureInfo::DEFAULT
};

const Q: ParamInfo = ParamInfo {
    name: "q",
    kind: ParamKind::Real {
        min: 1.0,
        max: f64::INFINITY,
    },
    default: "1",
    help: "number of relevant documents that the user wants",
};

const COUNT: ParamInfo = ParamInfo {
    name: "count",
    kind: ParamKind::Word(&["nonrelevant", "all"]),
    default: "nonrelevant",
    help: "documents counted: non-relevant ones, or all documents read",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[0, 1, 0, 0, 1], &[1, 1, 0, 0, 0]);
        check("ESL", ranking, judged, 1.0);
        check("ESL(q=2)", ranking, judged, 3.0);
        check("ESL(q=1.5)", ranking, judged, 3.0);
        check("ESL(q=2, count='all')", ranking, judged, 5.0);
    }

    #[test]
    fn edges() {
        check("ESL(docs=10)", &[], &[1], 9.0);
        undefined("ESL", &[], &[1]);
        check("ESL", &[0, -1], &[1, 0], 2.0);
        check("ESL(q=2, docs=50)", &[1, 0], &[1, 1, 0], 48.0);
        undefined("ESL(q=2)", &[1], &[1]);
        undefined("ESL(q=1e300)", &[1], &[1]);
        undefined("ESL", &[0], &[0]);
    }
}
