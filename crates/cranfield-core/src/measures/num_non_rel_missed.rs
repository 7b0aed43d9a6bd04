//! # What it measures
//! Number of documents rightly left out: neither relevant nor retrieved, the fourth cell of the contingency
//! table.
//!
//! # User model
//! None: a count, which says nothing of how anybody reads.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelMissed@}k = D - R - (\min(k, n) - H_k)
//! ```
//! NumNonRelMissed@k = D − R − (documents among the first k that are not relevant), where D is the number of
//! documents in the collection (`docs`) and R the number of relevant ones in the qrels. Without `docs` only
//! judged documents count: those judged not relevant that are not among the first k.
//!
//! # Worked example
//! Relevant, not, unjudged; three relevant and two other documents in the qrels: NumNonRelMissed = 2 − 1 = 1;
//! with `docs=10`: 10 − 3 − 2 = 5.
//!
//! # Undefined when
//! `docs` is less than the number of documents known: the relevant ones and the others retrieved.
//!
//! # Differences between tools
//! No program prints it; together with NumRelRet it is the contingency table of the textbooks.
//!
//! # References
//! van Rijsbergen 1979.

use std::sync::Arc;

use super::common::{Contingency, depth, is_judged_nonrelevant};
use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, Measure, MeasureInfo, Range};
use crate::params::{Cutoff, CutoffRule, ParamInfo, ParamKind, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// Number of documents rightly left out.
#[derive(Clone, Debug)]
pub(super) struct NumNonRelMissed {
    level: f64,
    docs: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for NumNonRelMissed {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let table = Contingency::of(topic, self.level, depth(self.cutoff), self.docs)?;
        Some(table.nonrelevant_missed)
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
    name: "NumNonRelMissed",
    aliases: &["num_nonrel_missed"],
    summary: "number of documents rightly left out",
    source: include_str!("num_non_rel_missed.rs"),
    params: &[DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::Optional,
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::HigherIsBetter,
    references: &["C. J. van Rijsbergen: Information Retrieval, 2nd edition. Butterworths, 1979"],
    build,
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
    let measure = NumNonRelMissed {
        level: params.level(),
        docs: params.real("docs"),
        cutoff: params.cutoff(),
    };
    Ok(Computation::Ranked(Arc::new(measure)))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, -1], &[1, 1, 1, 0, 0]);
        check("NumNonRelMissed", ranking, judged, 1.0);
        check("NumNonRelMissed(docs=10)", ranking, judged, 5.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelMissed", &[], &[], 0.0);
        check("NumNonRelMissed@1", &[1, 0], &[1, 0], 1.0);
        undefined("NumNonRelMissed(docs=1)", &[-1, -1], &[1]);
    }
}
