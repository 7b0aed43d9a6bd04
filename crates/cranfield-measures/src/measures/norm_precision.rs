//! # What it measures
//! Normalised precision: like normalised recall, but with logarithms of ranks, so that the first ranks matter
//! most.
//!
//! # User model
//! None: the logarithms of the ranks are compared with the best and worst rankings of the collection.
//!
//! # Formula
//! ```math
//! \mathrm{NormP} = 1 - \frac{\sum_{j=1}^{R} (\ln \mathrm{rank}_j - \ln j)}{\ln \binom{N}{R}}
//! ```
//! NormP = 1 − (Σ over relevant documents i = 1 to R of (ln rank(i) − ln i)) / ln(N! / ((N − R)! · R!)), with N
//! documents in the collection. Relevant documents that were not retrieved take the last ranks of the
//! collection. Its size is `docs`, or the number of retrieved documents plus missed relevant ones if that is
//! larger.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, non-relevant, relevant, with two relevant documents in the qrels: NormP = 1
//! − (ln 2/1 + ln 4/2) / ln 6 = 0.226294.
//!
//! # Undefined when
//! The topic has no relevant document, or the collection has no other documents.
//!
//! # Differences between tools
//! No common tool computes it. Values are only comparable for the same `docs`.
//!
//! # References
//! Rocchio 1966; Salton and McGill 1983.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::completed::of_order;
use super::norm_recall;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NormP",
    aliases: &["normalized_precision", "normalised_precision"],
    summary: "normalised precision: log-rank distance of the relevant documents from the top",
    page: crate::page::page!("norm_precision.rs"),
    build,
    ..norm_recall::INFO
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(of_order(params, |order| {
        let others = order.docs() - order.relevant() as f64;
        let (mut sum, mut worst) = (0.0, 0.0);
        for (rank, best) in order.ranks().zip(1u32..) {
            let best = f64::from(best);
            sum += rank.ln() - best.ln();
            worst += (others + best).ln() - best.ln();
        }
        (order.relevant() > 0 && others > 0.0).then(|| 1.0 - sum / worst)
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        prints("NormP", &[0, 1, 0, 1], &[1, 1, 0, 0], "0.2263");
        // 1 - ln 4 / ln 66
        prints("NormP(docs=12)", &[0, 1, 0, 1], &[1, 1, 0, 0], "0.6691");
    }

    #[test]
    fn best_and_worst_order() {
        check("NormP", &[1, 1, 0, 0, -1], &[1, 1, 0, 0], 1.0);
        check("NormP", &[0, 0, 0, 1, 1], &[1, 1, 0, 0, 0], 0.0);
        check("NormP", &[0, 0], &[1, 1, 0, 0], 0.0);
        check("NormP(docs=1e308)", &[0], &[1, 1, 0], 0.0);
    }

    #[test]
    fn edges() {
        undefined("NormP", &[], &[1]);
        undefined("NormP", &[1], &[1]);
        undefined("NormP", &[0], &[0]);
    }
}
