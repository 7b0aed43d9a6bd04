//! # What it measures
//! nDCG at the rank of each document with a positive gain, averaged over these documents as average precision
//! averages precision.
//!
//! # User model
//! Stops at a document with a positive gain, each equally likely. The value is the expected nDCG at that rank.
//!
//! # Formula
//! ```math
//! \mathrm{nDCGrel} = \frac{1}{q} \left( \sum_{i : g_i > 0} \frac{\mathrm{DCG}_i}{\mathrm{IDCG}_i} + (q - h) \frac{\mathrm{DCG}}{\mathrm{IDCG}} \right)
//! ```
//! nDCGrel = (1 / q) · (Σ over retrieved documents with positive gain at rank i of DCG(i) / IDCG(i) + (q − h) ·
//! DCG / IDCG), where q is the number of documents with positive gain in the qrels, h the number retrieved, and
//! DCG(i) and IDCG(i) are the sums up to rank i.
//!
//! # Worked example
//! Grades 0, 2, 1 in rank order, judged 2, 1, 0: IDCG = 2 + 1/log2(3); at rank 2 DCG = 2/log2(3), at rank 3 DCG
//! = 2/log2(3) + 1/2; nDCGrel = (0.479625 + 0.669672) / 2 = 0.574649.
//!
//! # Undefined when
//! No judged document has a positive gain.
//!
//! # Differences between tools
//! Only `trec_eval` computes it (`ndcg_rel`), as an experimental measure.
//!
//! # References
//! Järvelin and Kekäläinen 2002; trec_eval.

use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::topic::JudgedRanking;

use super::discount::Discount;
use super::gain_model::{GainModel, Ideal};

/// Mean nDCG at the documents with gain.
#[derive(Clone, Debug)]
pub(super) struct NdcgRel {
    gains: GainModel,
}

impl Measure for NdcgRel {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        let sums = gains.dcg_sums();
        let (mut sum, mut found) = (0.0, 0usize);
        for document in sums.found().iter().filter(|document| document.gains) {
            sum += document.dcg / sums.ideal(document.rank as usize);
            found += 1;
        }
        let (dcg, whole) = (sums.dcg(usize::MAX), sums.ideal(usize::MAX));
        let wanted = sums.ideal_len();
        // As in trec_eval: with gains for unjudged documents, more can be found than expected.
        sum += (wanted as f64 - found as f64) * dcg / whole;
        (wanted > 0).then(|| if sum > 0.0 { sum / wanted as f64 } else { 0.0 })
    }

    fn shares_dcg(&self) -> bool {
        self.gains.shares_dcg(Discount::Log2)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "nDCGrel",
    aliases: &["ndcg_rel"],
    summary: "nDCG at the ranks of documents with positive gain, averaged",
    page: crate::page::page!("ndcg_rel.rs"),
    params: &[Gains::PARAM, Ideal::PARAM],
    cutoff: CutoffRule::None,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build: |params| {
        Ok(Computation::ranked(NdcgRel {
            gains: GainModel::of(params),
        }))
    },
    ..MeasureInfo::DEFAULT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        let ideal = 2.0 + 1.0 / 3f64.log2();
        let second = 2.0 / 3f64.log2();
        let third = second + 1.0 / 2.0;
        check(
            "nDCGrel",
            &[0, 2, 1],
            &[2, 1, 0],
            (second / ideal + third / ideal) / 2.0,
        );
        prints("ndcg_rel", &[0, 2, 1], &[2, 1, 0], "0.5746");
    }

    #[test]
    fn edges() {
        check("nDCGrel", &[], &[1], 0.0);
        check("nDCGrel", &[2, 1], &[2, 1], 1.0);
        check("nDCGrel(gains='1=-1')", &[1], &[2, 1], 0.0);
        undefined("nDCGrel", &[0], &[0]);
        undefined("ndcg_rel.1=0.5", &[1], &[1, 0]);
    }
}
