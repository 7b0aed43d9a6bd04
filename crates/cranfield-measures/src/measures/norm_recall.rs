//! # What it measures
//! Normalised recall: how far the relevant documents are from the top ranks, between the best ranking of the
//! collection (1) and the worst (0).
//!
//! # User model
//! None: ranks are compared with the best and worst rankings of the collection.
//!
//! # Formula
//! ```math
//! \mathrm{NormR} = 1 - \frac{\sum_{j=1}^{R} (\mathrm{rank}_j - j)}{R\, (N - R)}
//! ```
//! NormR = 1 − (Σ over relevant documents i = 1 to R of (rank(i) − i)) / (R · (N − R)), with N documents in the
//! collection. Relevant documents that were not retrieved take the last ranks of the collection. Its size is
//! `docs`, or the number of retrieved documents plus missed relevant ones if that is larger.
//!
//! # Worked example
//! Ranking: non-relevant, relevant, non-relevant, relevant, with two relevant documents in the qrels: NormR = 1
//! − ((2 − 1) + (4 − 2)) / (2 · 2) = 0.25. In a collection of 12 documents: 1 − 3 / (2 · 10) = 0.85.
//!
//! # Undefined when
//! The topic has no relevant document, or the collection has no other documents.
//!
//! # Differences between tools
//! No common tool computes it. Values are only comparable for the same `docs`: in a large collection nearly
//! every ranking is close to 1.
//!
//! # References
//! Rocchio 1966; Salton and McGill 1983.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo, Params};

use super::completed::{DOCS, of_order};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NormR",
    aliases: &["normalized_recall", "normalised_recall"],
    summary: "normalised recall: distance of the relevant documents from the top",
    page: crate::page::page!("norm_recall.rs"),
    params: &[DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "J. J. Rocchio: Document Retrieval Systems: Optimization and Evaluation. Doctoral thesis, Harvard University, 1966",
        "G. Salton and M. J. McGill: Introduction to Modern Information Retrieval. McGraw-Hill, 1983",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(of_order(params, |order| {
        let count = order.relevant() as f64;
        let others = order.docs() - count;
        let mut sum = 0.0;
        for (rank, best) in order.ranks().zip(1u32..) {
            sum += (rank - f64::from(best)) / others;
        }
        (count > 0.0 && others > 0.0).then(|| 1.0 - sum / count)
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::measures::tests::{TestTopic, check, measure, undefined};
    use cranfield_core::measure::Computation;

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[0, 1, 0, 1], &[1, 1, 0, 0]);
        check("NormR", ranking, judged, 0.25);
        check("NormR(docs=12)", ranking, judged, 1.0 - (0.1 + 0.2) / 2.0);
    }

    #[test]
    fn best_and_worst_order() {
        check("NormR", &[1, 1, 0, 0, -1], &[1, 1, 0, 0], 1.0);
        check("NormR", &[0, 0, 0, 1, 1], &[1, 1, 0, 0, 0], 0.0);
        check("NormR", &[0, 0], &[1, 1, 0, 0], 0.0);
        check("NormR(docs=1e300)", &[1, 0], &[1, 0], 1.0);
        check("NormR(docs=1e308)", &[0], &[1, 1, 0], 0.0);
    }

    #[test]
    fn edges() {
        undefined("NormR", &[], &[1]);
        undefined("NormR", &[1], &[1]);
        undefined("NormR", &[0], &[0]);
        check("NormR", &[1, -3, 0], &[1, -3, 0], 1.0);
    }

    proptest! {
        #[test]
        fn it_is_the_share_of_pairs_in_the_right_order(ranking in prop::collection::vec(0..2, 1..25)) {
            // If every document is retrieved: pairs with the relevant document ranked above the non-relevant
            // one.
            let (mut right, mut pairs) = (0.0, 0.0);
            for (at, first) in ranking.iter().enumerate() {
                for second in ranking[at + 1..].iter().filter(|second| *second != first) {
                    right += f64::from(first - second).max(0.0);
                    pairs += 1.0;
                }
            }
            if pairs == 0.0 {
                undefined("NormR", &ranking, &ranking);
            } else {
                near("NormR", &ranking, right / pairs);
            }
        }
    }

    fn near(name: &str, ranking: &[i32], expected: f64) {
        let topic = TestTopic::new(ranking, ranking);
        let value = match measure(name).computation {
            Computation::Ranked(measure) => measure.evaluate(&topic.ranking()),
            _ => None,
        };
        let difference = (value.unwrap_or(f64::NAN) - expected).abs();
        assert!(
            difference < 1e-12,
            "{name} of {ranking:?}: {value:?}, not {expected}"
        );
    }
}
