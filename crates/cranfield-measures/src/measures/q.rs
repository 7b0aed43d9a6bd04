//! # What it measures
//! Q-measure: average precision for graded relevance. At each relevant document, precision is blended with the
//! cumulative gain relative to the ideal ranking.
//!
//! # User model
//! That of AP, with documents valued by grade.
//!
//! # Formula
//! ```math
//! \mathrm{Q@}k = \frac{1}{\min(R, k)} \sum_{r \le k,\ \mathrm{rel}} \mathrm{BR}_r, \quad \mathrm{BR}_r = \frac{H_r + \beta\, \mathrm{cg}_r}{r + \beta\, \mathrm{cg}^*_r}
//! ```
//! Q@k = (1 / min(R, k)) · Σ over relevant ranks r ≤ k of BR(r), and without `@k` divided by R, the number of
//! relevant documents in the qrels. BR(r) = (H(r) + β · cg(r)) / (r + β · cg*(r)) is the blended ratio: H(r)
//! relevant documents and the gain cg(r) among the first r, against r documents and the gain cg*(r) of the
//! first r of the ideal ranking, which has all judged documents in descending order of gain. A document is
//! relevant if its gain is positive. β is `beta`; with 0 Q is AP.
//!
//! # Worked example
//! Grades 0, 3, unjudged, 2; judged: three documents with grade 3, three with 2, four with 1, one with 0, so R
//! = 10. cg* is 3, 6, 9, 11, …: BR(2) = (1 + 3) / (2 + 6) = 0.5, BR(4) = (2 + 5) / (4 + 11) = 0.466667, Q =
//! (0.5 + 0.466667) / 10 = 0.0966667, Q@2 = 0.5 / 2 = 0.25.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `Q-measure` and `Q@k` in NTCIREVAL. Its option `-j`, which drops unjudged documents first, is the
//! unjudged policy here and applies to every measure.
//!
//! # References
//! Sakai 2007.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::blended::{self, expected_blend, found};
use super::common::{depth, quotient};
use super::gain_model::GainModel;

/// Q-measure.
#[derive(Clone, Debug)]
pub(super) struct Q {
    gains: GainModel,
    beta: f64,
    cutoff: Option<Cutoff>,
}

impl Measure for Q {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (gains, depth) = (self.gains.read(topic), depth(self.cutoff));
        let mut sum = 0.0;
        for document in found(&gains, self.beta, depth) {
            sum += document.blended;
        }
        quotient(sum, gains.ideal_len().min(depth) as f64)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit_by_rule(label)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let order = topic.order();
        let (gains, depth) = (self.gains.read(&order), depth(self.cutoff));
        let sum = expected_blend(topic, &gains, self.beta, depth, |_| 1.0)?;
        quotient(sum, gains.ideal_len().min(depth) as f64)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let (gains, depth) = (self.gains.read(topic), depth(self.cutoff));
        blended::board(&gains, self.beta, depth)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Q",
    aliases: &["q-measure", "q_measure"],
    summary: "average precision blended with cumulative gain (Q-measure)",
    page: crate::page::page!("q.rs"),
    params: &[blended::GAINS, blended::BETA],
    references: &[
        "T. Sakai: On the reliability of information retrieval metrics based on graded relevance. Information Processing and Management 43(2), 2007. doi:10.1016/j.ipm.2006.07.020",
    ],
    build: |params| {
        Ok(Computation::ranked(Q {
            gains: GainModel::by_gain(params),
            beta: params.real("beta"),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    const RANKING: &[i32] = &[0, 3, -1, 2];
    const JUDGED: &[i32] = &[3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0];

    #[test]
    fn worked_example() {
        check("Q", RANKING, JUDGED, (0.5 + 7.0 / 15.0) / 10.0);
        check("Q@2", RANKING, JUDGED, 0.5 / 2.0);
    }

    #[test]
    fn without_gains_it_is_average_precision() {
        check("Q(beta=0)", RANKING, JUDGED, (0.5 + 2.0 / 4.0) / 10.0);
        check("Q(gains='0,0,1', beta=0)", &[1, 2], &[1, 2], 0.5);
    }

    #[test]
    fn edges() {
        check("Q", &[], &[1], 0.0);
        check("Q@100", &[-1, 1], &[1], (1.0 + 1.0) / (2.0 + 1.0));
        undefined("Q", &[0, -2], &[0]);
        undefined("Q@5", &[], &[]);
        undefined("Q(beta=1e308)", &[3], &[3]);
    }
}
