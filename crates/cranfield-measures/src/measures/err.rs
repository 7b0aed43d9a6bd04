//! # What it measures
//! Expected reciprocal rank: the mean of 1 / (rank where the user stops), for a user who reads from the top and
//! stops at the first satisfying document. The better the documents above it, the less a document counts.
//!
//! # User model
//! Reads from the top and stops at the first satisfying document; the probability of being satisfied grows with
//! the grade. The value is the expected 1 / (stopping rank).
//!
//! # Formula
//! ```math
//! \mathrm{ERR@}k = \sum_{i \le k} \frac{r_i}{i} \prod_{j < i} (1 - r_j), \quad r_i = \frac{2^{\mathrm{grade}_i} - 1}{2^{\mathrm{max}}}
//! ```
//! ERR@k = Σ over ranks i ≤ k of (1 / i) · r(i) · Π over j < i of (1 − r(j)), r(i) = gain(i) / (gain(max) +
//! 1), at most 1. With the default gains, 2^grade − 1, r(i) = (2^grade − 1) / 2^max. `max` is the highest
//! grade of the scale; with `scale='topic'` it is the highest one in the topic's qrels.
//!
//! # Worked example
//! Grades 3, 0, 2: r = 7/16, 0, 3/16; ERR = 7/16 + (1/3) · (3/16) · (9/16) = 0.472656, ERR@2 = 7/16 = 0.4375.
//! With `max=3`: r = 7/8, 0, 3/8, ERR = 7/8 + (1/3) · (3/8) · (1/8) = 0.890625. With `gains='grade', max=3`: r
//! = 3/4, 0, 2/4, ERR = 3/4 + (1/3) · (2/4) · (1/4) = 0.791667.
//!
//! # Undefined when
//! Never: a ranking without gains scores 0.
//!
//! # Differences between tools
//! gdeval, and so `ir_measures`, uses the default `max=4` for every collection. gdeval prints five digits,
//! rejects grades above 4, and leaves out topics without a positive grade. The paper sets `max` to the highest
//! grade of the scale. NTCIREVAL's `ERR` is `gains='grade', max=3` for its default gains 1, 2, 3, and
//! `gains='0,1,4,9', max=3` for gains 1, 4, 9. The ERR of cwl_eval is a different measure of this family.
//!
//! # References
//! Chapelle et al. 2009.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::cascade::Cascade;
use super::common::depth;

/// Expected reciprocal rank.
#[derive(Clone, Debug)]
pub(super) struct Err {
    cascade: Cascade,
    cutoff: Option<Cutoff>,
}

impl Measure for Err {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.cascade.read(topic).err(depth(self.cutoff)))
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.cascade.merit(label)
    }

    fn grows_with_merit(&self) -> bool {
        true
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let order = topic.order();
        self.cascade
            .read(&order)
            .expected_err(topic, depth(self.cutoff))
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        self.cascade.read(topic).board(depth(self.cutoff))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "ERR",
    aliases: &["expected_reciprocal_rank"],
    summary: "expected reciprocal rank of the first satisfying document",
    page: crate::page::page!("err.rs"),
    params: &[Cascade::GAINS, Cascade::MAX, Cascade::SCALE],
    references: &[
        "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009. doi:10.1145/1645953.1646033",
    ],
    build: |params| {
        Ok(Computation::ranked(Err {
            cascade: Cascade::of(params),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[3, 0, 2], &[3, 2, 1, 0]);
        let value = 7.0 / 16.0 + (9.0 / 16.0) * (3.0 / 16.0) / 3.0;
        check("ERR", ranking, judged, value);
        check("ERR@2", ranking, judged, 7.0 / 16.0);
        let value = 7.0 / 8.0 + (1.0 / 8.0) * (3.0 / 8.0) / 3.0;
        check("ERR(max=3)", ranking, judged, value);
        check("ERR(scale='topic')", ranking, judged, value);
        let value = 3.0 / 4.0 + (1.0 / 4.0) * (2.0 / 4.0) / 3.0;
        check("ERR(gains='grade', max=3)", ranking, judged, value);
    }

    #[test]
    fn edges() {
        check("ERR", &[], &[1], 0.0);
        check("ERR", &[-1, -2, 0], &[0], 0.0);
        check("ERR(scale='topic')", &[0], &[], 0.0);
        check("ERR@100", &[-1, 1], &[1], 1.0 / 16.0 / 2.0);
        check("ERR(gains='1=-5')", &[1, 2], &[1, 2], 2.0 / 5.0 / 2.0);
    }

    #[test]
    fn a_grade_above_the_scale_always_satisfies() {
        check("ERR(max=1)", &[0, 3, 3], &[3, 3], 0.5);
        check("ERR(scale='topic')", &[5000], &[5000], 1.0);
        check("ERR(max=5000)", &[1], &[1], 1.0 / f64::MAX);
    }
}
