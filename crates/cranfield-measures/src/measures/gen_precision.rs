//! # What it measures
//! Generalised precision: precision for graded judgements. Each of the first k documents counts by its
//! relevance between 0 and 1.
//!
//! # User model
//! Reads exactly k documents and values each by its relevance between 0 and 1.
//!
//! # Formula
//! ```math
//! \mathrm{gP@}k = \frac{1}{k} \sum_{i \le k} \frac{g_i}{\mathrm{max}}
//! ```
//! gP@k = (1 / k) · Σ over the first k documents of gain / max, at most 1 each and at least 0. `max` is the
//! gain of full relevance; 0 selects the highest gain among the topic's judged documents. Without `@k` the sum
//! is over all documents retrieved and divided by their number.
//!
//! # Worked example
//! Grades 3, 0, 1 in rank order, highest grade 3: gP@2 = (1 + 0) / 2 = 0.5, gP = (1 + 0 + 1/3) / 3 =
//! 0.444444, gP(max=4)@2 = 0.75 / 2 = 0.375.
//!
//! # Undefined when
//! With `max=0`, no judged document has a positive gain.
//!
//! # Differences between tools
//! No common tool computes it under this name. Kekäläinen and Järvelin leave the mapping of grades to the unit
//! interval to the experimenter; here `gains` and `max` define it. With `max=0` a topic without documents of
//! the highest grade is scaled by its own highest gain.
//!
//! # References
//! Kekäläinen and Järvelin 2002.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::common::depth;

/// Generalised precision.
#[derive(Clone, Debug)]
pub(super) struct GenPrecision {
    gains: Gains,
    max: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for GenPrecision {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let max = if self.max > 0.0 {
            self.max
        } else {
            self.gains.ideal(topic.base()).first()?.grade
        };
        let mut sum = 0.0;
        for hit in topic.hits_at(depth(self.cutoff)) {
            sum += (self.gains.of_label(hit.label) / max).clamp(0.0, 1.0);
        }
        let read = self.cutoff.map_or(topic.retrieved(), Cutoff::get);
        Some(if read > 0 { sum / read as f64 } else { 0.0 })
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(self.gains.of_label(label))
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "gP",
    aliases: &["generalized_precision", "generalised_precision"],
    summary: "generalised precision: mean relevance of the first k, by grade",
    page: crate::page::page!("gen_precision.rs"),
    params: &[MAX, Gains::PARAM],
    references: &[
        "J. Kekäläinen and K. Järvelin: Using graded relevance assessments in IR evaluation. JASIST 53(13), 2002",
    ],
    build: |params| {
        Ok(Computation::ranked(GenPrecision {
            gains: params.gains("gains").clone(),
            max: params.real("max"),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

const MAX: ParamInfo = ParamInfo {
    name: "max",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "0",
    help: "gain of a fully relevant document; 0 for the highest gain among the topic's judged documents",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[3, 0, 1], &[3, 1, 0, 2]);
        check("gP@2", ranking, judged, 0.5);
        check("gP", ranking, judged, (1.0 + 1.0 / 3.0) / 3.0);
        check("gP(max=4)@2", ranking, judged, 0.375);
    }

    #[test]
    fn binary_grades_give_precision() {
        check("gP@5", &[1, 0, 1], &[1, 1, 1, 0], 2.0 / 5.0);
    }

    #[test]
    fn edges() {
        check("gP", &[], &[1], 0.0);
        check("gP@5", &[-1, -3], &[1, -3], 0.0);
        check("gP(max=1)@1", &[3], &[3], 1.0);
        check("gP(max=1)", &[0], &[0], 0.0);
        undefined("gP@5", &[0], &[0]);
    }
}
