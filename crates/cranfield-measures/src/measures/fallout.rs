//! # What it measures
//! Fallout: the fraction of the non-relevant documents that were retrieved, by the whole ranking or its first
//! k.
//!
//! # User model
//! Sees the documents as an unordered set and is bothered by each non-relevant one.
//!
//! # Formula
//! ```math
//! \mathrm{Fallout@}k = \frac{\min(k, n) - H_k}{D - R}
//! ```
//! Fallout@k = (non-relevant documents among the first k) / (D − R), where D is the number of documents in the
//! collection (`docs`) and R the number of relevant ones in the qrels. Without `docs`, only judged documents
//! count: (judged non-relevant documents among the first k) / (non-relevant documents in the qrels).
//!
//! # Worked example
//! Ranking: relevant, non-relevant, unjudged; two relevant and three non-relevant documents in the qrels:
//! Fallout = 1/3; with `docs=10`: 2 / (10 − 2) = 0.25.
//!
//! # Undefined when
//! No non-relevant document is known, or `docs` is less than the number of known documents: the relevant ones
//! and the non-relevant ones retrieved.
//!
//! # Differences between tools
//! `trec_eval` had `fallout_recall` until version 8, which used the collection size. No current tool computes
//! it.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Direction, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::{Contingency, depth, is_judged_nonrelevant};

/// Computes a value from the counts of non-relevant documents; `None` where it is undefined.
type Formula = fn(&Contingency) -> Option<f64>;

/// A measure of these counts that improves as fewer of them are retrieved.
#[derive(Clone, Debug)]
struct OfContingency {
    level: f64,
    docs: f64,
    cutoff: Option<Cutoff>,
    formula: Formula,
}

impl Measure for OfContingency {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let table = Contingency::of(topic, self.level, depth(self.cutoff), self.docs)?;
        (self.formula)(&table)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        if self.docs > 0.0 {
            return Some(label.relevance(self.level));
        }
        Some(-f64::from(u8::from(is_judged_nonrelevant(
            label, self.level,
        ))))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Fallout",
    summary: "fraction of the non-relevant documents that were retrieved",
    page: crate::page::page!("fallout.rs"),
    params: &[DOCS, ParamInfo::LEVEL],
    direction: Direction::LowerIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
    ..MeasureInfo::DEFAULT
};

const DOCS: ParamInfo = ParamInfo {
    name: "docs",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "0",
    help: "number of documents in the collection; 0 counts judged documents only",
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(of_contingency(params, |table| {
        let nonrelevant = table.nonrelevant_retrieved + table.nonrelevant_missed;
        (nonrelevant > 0.0).then(|| table.nonrelevant_retrieved / nonrelevant)
    }))
}

/// Builds the measure with this formula and the parameters declared by [`INFO`].
pub(super) fn of_contingency(params: &Params, formula: Formula) -> Computation {
    Computation::ranked(OfContingency {
        level: params.level(),
        docs: params.real("docs"),
        cutoff: params.cutoff(),
        formula,
    })
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check("Fallout", &[1, 0, -1], &[1, 1, 0, 0, 0], 1.0 / 3.0);
        check("Fallout(docs=10)", &[1, 0, -1], &[1, 1, 0, 0, 0], 2.0 / 8.0);
    }

    #[test]
    fn edges() {
        check("Fallout", &[], &[0], 0.0);
        check("Fallout@1", &[1, 0], &[1, 0], 0.0);
        check("Fallout(rel=2)@100", &[1, 2], &[1, 2], 1.0);
        check("Fallout", &[-1, -2], &[1, 0], 0.0);
        undefined("Fallout", &[1], &[1]);
        undefined("Fallout(docs=3)", &[-1, -1, -1], &[1]);
        undefined("Fallout(docs=1)", &[], &[1]);
    }
}
