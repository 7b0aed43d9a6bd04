//! # What it measures
//! Discounted cumulative gain of the ideal ranking: the highest DCG that the topic's judgements allow. It
//! depends on the run only with `ideal='ranking'`.
//!
//! # User model
//! That of DCG, reading the best possible ranking.
//!
//! # Formula
//! ```math
//! \mathrm{IDCG@}k = \sum_{i \le k} \frac{g^*_i}{\log_2(i + 1)}
//! ```
//! IDCG@k = Σ over i ≤ k of g*(i) / d(i), d(i) = log2(i + 1) or another `discount` of DCG, where g*(1) ≥ g*(2)
//! ≥ … are the positive gains of all judged documents of the topic. Without `@k` all of them count. With
//! `ideal='ranking'` only the gains of retrieved documents count, so the value depends on the run.
//!
//! # Worked example
//! Judged 3, 2, 1, 0: IDCG = 3/1 + 2/log2(3) + 1/2 = 4.761860, IDCG@1 = 3.
//!
//! # Undefined when
//! Never: a topic without positive gains scores 0.
//!
//! # Differences between tools
//! Same as `ideal_dcg` in `trec_eval` 10. If gains differ by less than 1, `trec_eval` sorts the ideal ranking
//! incorrectly; `ideal='trec_eval'` reproduces that. ranx uses judgements in the given order unless they were
//! sorted.
//!
//! # References
//! Järvelin and Kekäläinen 2002.

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Direction, MeasureInfo, Range};
use cranfield_core::params::Params;

use super::boards;
use super::dcg::{CumulatedGain, Part};
use super::discount::Discount;
use super::gain_model::Ideal;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "IDCG",
    aliases: &["ideal_dcg"],
    summary: "discounted cumulative gain of the ideal ranking",
    page: crate::page::page!("idcg.rs"),
    params: &[Gains::PARAM, Ideal::PARAM, Discount::PARAM, Discount::BASE],
    range: Range::COUNT,
    direction: Direction::Neutral,
    references: &[
        "K. Järvelin and J. Kekäläinen: Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4), 2002. doi:10.1145/582415.582418",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(CumulatedGain::build(params, Part::Ideal, boards::DCG))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check(
            "IDCG",
            &[],
            &[3, 2, 1, 0],
            3.0 / 1.0 + 2.0 / 3f64.log2() + 1.0 / 2.0,
        );
        check("IDCG@1", &[], &[3, 2, 1, 0], 3.0);
    }

    #[test]
    fn edges() {
        check("IDCG", &[1], &[], 0.0);
        check("IDCG", &[], &[0, 0], 0.0);
        check(
            "IDCG(gains='1=0.5,2=0.9')",
            &[],
            &[2, 1],
            0.9 + 0.5 / 3f64.log2(),
        );
        check("ideal_dcg.1=0.5,2=0.9", &[], &[2, 1], 0.0);
        check("IDCG(ideal='ranking')", &[0, 1, -1], &[2, 1, 0], 1.0);
        check("IDCG(discount='none')", &[], &[2, 1, 0], 3.0);
    }
}
