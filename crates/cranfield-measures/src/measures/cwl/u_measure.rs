//! # What it measures
//! The U-measure: the gain of a user who reads a summary of every document and part of each useful one, with
//! gains discounted by the amount of text read before.
//!
//! # User model
//! Reads a summary of every document and part of each useful one, and values a gain less the more text was read
//! before it.
//!
//! # Formula
//! ```math
//! \mathrm{U} = \frac{1}{\mathrm{norm}} \sum_i g_i\, \max\left(0, 1 - \frac{\mathrm{pos}_i}{L}\right)
//! ```
//! U = Σ over ranks i of gain(i) · max(0, 1 − pos(i) / L) / norm. pos(i) is the number of characters read by
//! the end of rank i: `summary` for every rank down to i, and `read` for each of them with a gain.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged documents have gain 0.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, with `L=10000, read=1000`: the gains are at 1200 and 2600
//! characters, so U = 0.88 + 0.74 = 1.62.
//!
//! # Undefined when
//! No judged document of the topic has a gain.
//!
//! # Differences between tools
//! The authors derive the text read from document lengths and observed clicks. A judged ranking contains
//! neither, so here all documents are alike, and `summary` and `read` are arbitrary choices. L is the authors'.
//! The norm is user-defined, 1 by default, as in the paper. CWL_U is the form of `cwl_eval`, with weights that
//! sum to 1.
//!
//! # References
//! Sakai and Dou 2013.

use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{ParamInfo, ParamKind};
use cranfield_core::topic::{JudgedRanking, Label};

use super::{CWL, GainRule, MAX_REL, MIN_REL};

/// The U-measure.
#[derive(Clone, Copy, Debug)]
struct UMeasure {
    rule: GainRule,
    length: f64,
    summary: f64,
    read: f64,
    norm: f64,
}

impl Measure for UMeasure {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (mut sum, mut useful) = (0.0, 0.0);
        for hit in topic.hits() {
            let gain = self.rule.of_label(hit.label);
            if gain > 0.0 {
                useful += 1.0;
                let position = f64::from(hit.rank) * self.summary + useful * self.read;
                sum += gain * (1.0 - position / self.length).max(0.0);
            }
        }
        let mut known = topic.base().grades().iter();
        known
            .any(|level| self.rule.of_grade(level.grade) > 0.0)
            .then_some(sum / self.norm)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(self.rule.of_label(label))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "UMeasure",
    aliases: &["u_measure"],
    summary: "gain discounted linearly by the amount of text read",
    page: crate::page::page!("u_measure.rs"),
    params: &[
        LENGTH,
        SUMMARY,
        READ,
        NORM,
        ParamInfo::LEVEL,
        MIN_REL,
        MAX_REL,
    ],
    range: Range::COUNT,
    references: &[
        "T. Sakai and Z. Dou: Summaries, ranked retrieval and sessions: a unified framework for information access evaluation. SIGIR 2013. doi:10.1145/2484028.2484031",
    ],
    build: |params| {
        Ok(Computation::ranked(UMeasure {
            rule: GainRule::of(params),
            length: params.real("L"),
            summary: params.real("summary"),
            read: params.real("read"),
            norm: params.real("norm"),
        }))
    },
    ..CWL
};

const LENGTH: ParamInfo = ParamInfo {
    name: "L",
    kind: ParamKind::Real {
        min: 1.0,
        max: 1e12,
    },
    default: "132000",
    help: "characters after which a gain is worth 0",
};

const SUMMARY: ParamInfo = ParamInfo {
    name: "summary",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "200",
    help: "characters of each document's summary",
};

const READ: ParamInfo = ParamInfo {
    name: "read",
    kind: ParamKind::Real { min: 0.0, max: 1e9 },
    default: "1000",
    help: "characters read of each document with a gain",
};

const NORM: ParamInfo = ParamInfo {
    name: "norm",
    kind: ParamKind::Real {
        min: 0.001,
        max: 1e9,
    },
    default: "1",
    help: "divisor of the sum",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;
    use crate::measures::tests::undefined;

    #[test]
    fn worked_example() {
        check("UMeasure(L=10000, read=1000)", &[1, 0, 1], &[1, 1, 0], 1.62);
    }

    #[test]
    fn edges() {
        check("UMeasure", &[], &[1], 0.0);
        check("UMeasure(L=1)", &[1], &[1], 0.0);
        check(
            "UMeasure(summary=0, read=0, max_rel=2, norm=2)",
            &[-1, 1, 2],
            &[1, 2],
            0.75,
        );
        undefined("UMeasure", &[0, -1], &[0]);
        undefined("UMeasure(max_rel=3, min_rel=2)", &[1, 2], &[1, 2]);
    }
}
