//! # What it measures
//! Normalised discounted cumulative gain: the fraction of the ideal ranking's gain that this ranking achieves,
//! with gains discounted by rank.
//!
//! # User model
//! That of DCG, relative to the best possible ranking.
//!
//! # Formula
//! ```math
//! \mathrm{nDCG@}k = \frac{\sum_{i \le k} g_i / \log_2(i + 1)}{\sum_{i \le k} g^*_i / \log_2(i + 1)}
//! ```
//! nDCG@k = DCG@k / IDCG@k, DCG@k = Σ over ranks i ≤ k of gain(i) / d(i), d(i) = log2(i + 1); IDCG@k is the
//! same sum over all judged documents of the topic in descending order of gain, positive gains only. Without
//! `@k` both sums are complete, so a short ranking is compared with the whole recall base. With
//! `ideal='ranking'` IDCG@k is over all documents of the ranking, not only the first k; with `ideal='uncut'` it
//! is the sum over all judged documents, including those beyond k. With `discount='jk'` d(i) is 1 before rank b
//! and log_b(i) from rank b on, where b is `base`; with 'zipf' it is i, with 'none' 1 (nCG).
//!
//! # Worked example
//! Grades 3, 0, 2 in rank order, judged 3, 2, 1: DCG = 3/1 + 0 + 2/2 = 4, ideal = 3/1 + 2/log2(3) + 1/2 =
//! 4.76186, nDCG = 0.84001. With `discount='jk'`: (3 + 2/log2(3)) / (3 + 2 + 1/log2(3)) = 0.756866. With
//! `ideal='ranking'`: 4 / (3 + 2/log2(3)) = 0.938557. nDCG@1 is 3/3 = 1, with `ideal='uncut'` 3 / 4.76186 = 0.630006.
//!
//! # Undefined when
//! No document of the ideal ranking has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `ndcg` and `ndcg_cut` in `trec_eval`, `nDCG` in `ir_measures` and `ndcg` in ranx. If gains differ by
//! less than 1, `trec_eval` sorts the ideal ranking incorrectly; `ideal='trec_eval'` reproduces that. The gain
//! 2^grade − 1, the other common convention, is `gains='exp'`: gdeval's `ndcg`, `ir_measures`'
//! `nDCG(dcg='exp-log2')`, ranx's `ndcg_burges`. NTCIREVAL's `nDCG` is `discount='jk'` with a table of gains,
//! its `MSnDCG` is this measure with that table. Some courses and learning-to-rank libraries build the ideal
//! from the retrieved documents only: `ideal='ranking'`, which lets a run that misses documents score 1.
//! Quepid's `NDCG@10` is `gains='exp', ideal='uncut'`, its `NDCG_CUT@10` is `gains='exp'`.
//!
//! # References
//! Järvelin and Kekäläinen 2002; Burges et al. 2005.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::boards;
use super::dcg::{CumulatedGain, Part};
use super::discount::Discount;
use super::gain_model::Ideal;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "nDCG",
    aliases: &["normalized_dcg"],
    summary: "normalised discounted cumulative gain",
    page: crate::page::page!("ndcg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM, Discount::PARAM, Discount::BASE],
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
        "C. Burges et al.: Learning to rank using gradient descent. ICML 2005. doi:10.1145/1102351.1102363",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(CumulatedGain::build(params, Part::Normalised, boards::DCG))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        check(
            "nDCG",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            4.0 / (3.0 + 2.0 / 3f64.log2() + 0.5),
        );
        check(
            "nDCG@2",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            3.0 / (3.0 + 2.0 / 3f64.log2()),
        );
        for exponential in ["nDCG(gains='0,1,3,7')", "nDCG(gains='exp')"] {
            check(
                exponential,
                &[3, 0, 2],
                &[3, 2, 1, 0],
                (7.0 + 3.0 / 2.0) / (7.0 + 3.0 / 3f64.log2() + 0.5),
            );
        }
        check(
            "nDCG(discount='jk')",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            (3.0 + 2.0 / 3f64.log2()) / (3.0 + 2.0 + 1.0 / 3f64.log2()),
        );
        check(
            "nDCG(ideal='uncut')@1",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            3.0 / (3.0 + 2.0 / 3f64.log2() + 0.5),
        );
        check(
            "nDCG(ideal='ranking')",
            &[3, 0, 2],
            &[3, 2, 1, 0],
            4.0 / (3.0 + 2.0 / 3f64.log2()),
        );
    }

    #[test]
    fn edges() {
        check("nDCG", &[], &[1], 0.0);
        check("nDCG@100", &[-1, 1], &[1], 1.0 / 3f64.log2());
        check("nDCG", &[-1, -2, -1], &[2], 0.0);
        undefined("nDCG", &[0, 0], &[0, 0]);
        undefined("nDCG@5", &[], &[]);
        undefined("nDCG(gains='0,0')", &[1], &[1]);
        undefined("nDCG(gains='exp')", &[1], &[5000, 5000]);
        undefined("nDCG(ideal='ranking')", &[0, -1], &[1]);
    }

    #[test]
    fn fractional_gains_are_sorted_as_in_trec_eval() {
        let (ranking, judged) = (&[1, 2, -1, -1], &[1, 2, 2, 0]);
        undefined("ndcg.1=0.5,2=0.9", ranking, judged);
        prints("ndcg.0=0,1=0.5,2=0.9", ranking, judged, "0.6216");
        prints("ndcg.1=3,1=5", ranking, judged, "0.8100");
        prints("ndcg.-1=5", ranking, judged, "1.8383");
        prints("ndcg.7=100", ranking, judged, "0.6013");
        prints("nDCG(gains='1=0.5,2=0.9')", ranking, judged, "0.6216");
    }

    #[test]
    fn values_of_trec_eval() {
        prints("ndcg", &[1, 2, -1, -1], &[1, 2, 3, 0], "0.4750");
        prints("ndcg", &[0, 2, 1], &[1, 2, 0], "0.6697");
        prints("ndcg_cut_2", &[0, 2, 1], &[1, 2, 0], "0.4796");
    }
}
