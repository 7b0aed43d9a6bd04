//! # What it measures
//! Yet another average precision: the logarithm of the odds of average precision, smoothed. It separates topics
//! near 0 and near 1 better than average precision does, and its mean over topics behaves like that of a
//! normally distributed variable.
//!
//! # User model
//! That of AP.
//!
//! # Formula
//! ```math
//! \mathrm{yaap} = \ln \frac{1 + S}{1 + R - S}, \quad S = \sum_{i\ \mathrm{rel}} \frac{H_i}{i}
//! ```
//! yaap = ln((1 + S) / (1 + R − S)), S = Σ over relevant ranks i of H(i) / i, where R is the number of relevant
//! documents in the qrels.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: S = 1/1 + 2/3, yaap =
//! ln((1 + S) / (4 − S)) = 0.133531.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! Only `trec_eval` computes it, outside its measure groups.
//!
//! # References
//! Robertson 2012.

use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::precision_sum;

/// Log odds of average precision.
#[derive(Clone, Debug)]
pub(super) struct Yaap {
    level: f64,
}

impl Measure for Yaap {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let sum = precision_sum(&relevant, None);
        (relevant.total > 0).then(|| ((1.0 + sum) / (1.0 + relevant.total as f64 - sum)).ln())
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "yaap",
    summary: "log odds of average precision",
    page: crate::page::page!("yaap.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::ANY,
    references: &[
        "S. Robertson: On smoothing average precision. ECIR 2012. doi:10.1007/978-3-642-28997-2_14",
    ],
    build: |params| {
        Ok(Computation::ranked(Yaap {
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let s: f64 = 1.0 / 1.0 + 2.0 / 3.0;
        check(
            "yaap",
            &[1, 0, 1],
            &[1, 1, 1, 0],
            ((1.0 + s) / (4.0 - s)).ln(),
        );
    }

    #[test]
    fn edges() {
        check("yaap", &[], &[1, 1], (1.0f64 / 3.0).ln());
        check("yaap", &[1], &[1], 2f64.ln());
        undefined("yaap", &[0], &[0]);
    }
}
