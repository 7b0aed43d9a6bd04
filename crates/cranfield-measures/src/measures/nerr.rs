//! # What it measures
//! Normalised expected reciprocal rank: the ERR of the ranking as a fraction of the ERR of the ideal one.
//!
//! # User model
//! That of ERR, compared with the best ranking.
//!
//! # Formula
//! ```math
//! \mathrm{nERR@}k = \frac{\mathrm{ERR@}k}{\mathrm{ERR}^*\mathrm{@}k}
//! ```
//! nERR@k = ERR@k / ERR@k of the ideal ranking, which has all judged documents of the topic in descending order
//! of gain. See ERR for its formula and for `gains`, `max` and `scale`.
//!
//! # Worked example
//! Grades 3, 0, 2, judged 3, 2, 1, 0; r of the grades 3, 2, 1 is 7/16, 3/16, 1/16: ERR = 0.472656, ideal =
//! 7/16 + (1/2) · (3/16) · (9/16) + (1/3) · (1/16) · (9/16) · (13/16) = 0.499756, nERR = 0.945774.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! Same as `nERR` in NTCIREVAL, with `gains='grade', max=3` for its default gains. The NERR measures of
//! cwl_eval have no ideal ranking and are different measures.
//!
//! # References
//! Chapelle et al. 2009; Sakai and Song 2011.

use cranfield_core::explain::Board;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::Cutoff;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::cascade::Cascade;
use super::common::{depth, quotient};

/// Normalised expected reciprocal rank.
#[derive(Clone, Debug)]
pub(super) struct Nerr {
    cascade: Cascade,
    cutoff: Option<Cutoff>,
}

impl Measure for Nerr {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (cascade, depth) = (self.cascade.read(topic), depth(self.cutoff));
        quotient(cascade.err(depth), cascade.ideal_err(depth))
    }

    fn merit(&self, label: Label) -> Option<f64> {
        self.cascade.merit(label)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        let order = topic.order();
        let (cascade, depth) = (self.cascade.read(&order), depth(self.cutoff));
        quotient(
            cascade.expected_err(topic, depth)?,
            cascade.ideal_err(depth),
        )
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let (cascade, depth) = (self.cascade.read(topic), depth(self.cutoff));
        cascade.normalised_board(depth)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "nERR",
    aliases: &["normalized_err"],
    summary: "expected reciprocal rank as a fraction of the ideal ranking's",
    page: crate::page::page!("nerr.rs"),
    params: &[Cascade::GAINS, Cascade::MAX, Cascade::SCALE],
    references: &[
        "O. Chapelle, D. Metzler, Y. Zhang and P. Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009. doi:10.1145/1645953.1646033",
        "T. Sakai and R. Song: Evaluating diversified search results using per-intent graded relevance. SIGIR 2011. doi:10.1145/2009916.2010055",
    ],
    build: |params| {
        Ok(Computation::ranked(Nerr {
            cascade: Cascade::of(params),
            cutoff: params.cutoff(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let found = 7.0 / 16.0 + (9.0 / 16.0) * (3.0 / 16.0) / 3.0;
        let (second, third) = (9.0 / 16.0, (9.0 / 16.0) * (13.0 / 16.0));
        let ideal = 7.0 / 16.0 + second * (3.0 / 16.0) / 2.0 + third * (1.0 / 16.0) / 3.0;
        check("nERR", &[3, 0, 2], &[3, 2, 1, 0], found / ideal);
        check("nERR@1", &[3, 0, 2], &[3, 2, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("nERR", &[], &[1], 0.0);
        check("nERR@100", &[-1, 1], &[1], 0.5);
        check("nERR(scale='topic')", &[2, 1], &[2, 1], 1.0);
        undefined("nERR", &[0, -2], &[0]);
        undefined("nERR@5", &[], &[]);
    }
}
