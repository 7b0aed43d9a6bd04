//! # What it measures
//! Inferred average precision: an estimate of average precision from a pool of which only a random sample was
//! judged. Unjudged documents of the pool have a negative grade in the qrels; documents outside the pool count
//! as non-relevant.
//!
//! # User model
//! That of AP; the value is an estimate from sampled judgements.
//!
//! # Formula
//! ```math
//! \mathrm{infAP} = \frac{1}{R} \sum_{i\ \mathrm{rel}} \left( \frac{1}{i} + \frac{i - 1}{i} \cdot \frac{d}{i - 1} \cdot \frac{r + \varepsilon}{r + n + 2\varepsilon} \right)
//! ```
//! infAP = (1 / R) · Σ over relevant documents at rank i of 1/i + ((i − 1) / i) · (d / (i − 1)) · ((r + ε) /
//! (r + n + 2ε)), where r, n and d are the numbers of documents above rank i that are relevant, judged
//! non-relevant, and in the pool; ε = 0.00001. At rank 1 the term is 1.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; two relevant documents in the qrels: the second term is 1/3 +
//! (2/3) · (2/2) · ((1 + ε) / (2 + 2ε)) = 2/3, so infAP = (1 + 2/3) / 2 = 0.833333.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! Same as `infAP` in `trec_eval`. The script `sample_eval.pl` computes the extended measure for stratified
//! samples, whose values differ. It requires negative grades to mean 'pooled, not judged'.
//!
//! # References
//! Yilmaz and Aslam 2006.

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::topic::{JudgedRanking, Label};

use super::boards::recall_base;

/// Inferred average precision.
#[derive(Clone, Debug)]
pub(super) struct InfAp {
    level: f64,
}

impl Measure for InfAp {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let (mut sum, mut relevant, mut nonrelevant, mut pooled) = (0.0, 0u32, 0u32, 0u32);
        for hit in topic.hits() {
            match hit.label {
                Label::Unjudged => {}
                Label::Pooled => pooled += 1,
                label if !label.is_relevant(self.level) => nonrelevant += 1,
                Label::Judged(_) => {
                    sum += expected_precision(hit.rank, relevant, nonrelevant, pooled);
                    relevant += 1;
                }
            }
        }
        let total = topic.base().relevant(self.level);
        (total > 0).then(|| sum / total as f64)
    }

    fn board(&self, topic: &JudgedRanking<'_>) -> Option<Board> {
        let (mut sum, mut relevant, mut nonrelevant, mut pooled) = (0.0, 0u32, 0u32, 0u32);
        let total = topic.base().relevant(self.level);
        let whole = (total > 0).then_some(total as f64)?;
        let mut rows = Vec::new();
        for hit in topic.hits() {
            match hit.label {
                Label::Unjudged => {}
                Label::Pooled => pooled += 1,
                label if !label.is_relevant(self.level) => nonrelevant += 1,
                Label::Judged(_) => {
                    let expected = expected_precision(hit.rank, relevant, nonrelevant, pooled);
                    sum += expected;
                    let above = [relevant, nonrelevant, pooled].map(f64::from);
                    let cells = above.into_iter().chain([expected, sum]);
                    rows.push(BoardRow::new(hit.rank, cells, expected / whole));
                    relevant += 1;
                }
            }
        }
        Some(Board {
            columns: vec!["rel", "nonrel", "pooled", "exp. P", "sum"],
            rows,
            steps: vec![
                Step::column(
                    "rel, nonrel, pooled",
                    "documents above that are relevant, non-relevant, pooled but not judged",
                ),
                Step::rule(
                    "exp. P",
                    "1/rank + (rank-1)/rank * (rel+nonrel+pooled)/(rank-1) * (rel+e)/(rel+nonrel+2e)",
                    "",
                    [],
                ),
                Step::given("e", "smoothing that avoids 0/0", EPSILON),
                recall_base(total),
                Step::result("sum / R", "{} / {}", [sum, whole], sum / whole),
            ],
        })
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "infAP",
    aliases: &["inferred_ap"],
    summary: "average precision inferred from a judged sample of the pool",
    page: crate::page::page!("inf_ap.rs"),
    params: &[ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    references: &[
        "E. Yilmaz and J. Aslam: Estimating average precision with incomplete and imperfect judgments. CIKM 2006. doi:10.1145/1183614.1183633",
    ],
    build: |params| {
        Ok(Computation::ranked(InfAp {
            level: params.level(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// Smoothing for a precision that would be 0/0.
const EPSILON: f64 = 0.00001;

/// Expected precision at a relevant document, given the numbers of documents above it.
fn expected_precision(rank: u32, relevant: u32, nonrelevant: u32, pooled: u32) -> f64 {
    if rank == 1 {
        return 1.0;
    }
    let (i, above) = (f64::from(rank), f64::from(rank - 1));
    let judged = f64::from(relevant + nonrelevant);
    let in_pool = f64::from(relevant + nonrelevant + pooled) / above;
    let precision = (f64::from(relevant) + EPSILON) / (judged + 2.0 * EPSILON);
    1.0 / i + (above / i) * in_pool * precision
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, prints, undefined};

    #[test]
    fn worked_example() {
        let e = 0.00001;
        let second = 1.0 / 3.0 + (2.0 / 3.0) * (2.0 / 2.0) * ((1.0 + e) / (2.0 + 2.0 * e));
        check("infAP", &[1, 0, 1], &[1, 1, 0], (1.0 + second) / 2.0);
        prints("infAP", &[1, 0, 1], &[1, 1, 0], "0.8333");
    }

    #[test]
    fn pooled_documents_count_by_the_sample() {
        prints("infAP", &[-2, 1, -2, -1], &[1, 1], "0.3750");
    }

    #[test]
    fn edges() {
        check("infAP", &[], &[1], 0.0);
        check("infAP", &[1], &[1], 1.0);
        check("infAP", &[-1, 1], &[1], 0.5 + 0.5 * 0.0);
        undefined("infAP", &[0], &[0]);
    }
}
