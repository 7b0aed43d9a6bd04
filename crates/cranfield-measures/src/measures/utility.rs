//! # What it measures
//! Linear utility of the retrieved set: a weighted sum of the numbers of true positives, false positives, false
//! negatives and true negatives. Used for filtering, where a system decides how many documents to return.
//!
//! # User model
//! Sees the documents as an unordered set and assigns a fixed value to each true positive, false positive,
//! false negative and true negative.
//!
//! # Formula
//! ```math
//! \mathrm{Utility} = c_1 a + c_2 (n - a) + c_3 (R - a) + c_4 (D + a - n - R)
//! ```
//! Utility = c1 · a + c2 · (n − a) + c3 · (R − a) + c4 · (D + a − n − R), where a relevant documents are among
//! the n retrieved, R are in the qrels, D is the number of documents in the collection (`docs`), and c1 to c4
//! are the `coefficients`.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: Utility = 1 · 2 − 1 · 1 =
//! 1. With `coefficients='1,-1,-1,1', docs=10`: 2 − 1 − 1 + (10 + 2 − 3 − 3) = 6.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! Same as `utility` in `trec_eval`; `docs` is its option `-N`, 0 by default, so the fourth term is usually
//! negative.
//!
//! # References
//! Lewis 1995; trec_eval.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

/// Linear utility.
#[derive(Clone, Debug)]
pub(super) struct Utility {
    level: f64,
    coefficients: [f64; 4],
    docs: f64,
}

impl Measure for Utility {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let (found, total) = (relevant.retrieved as f64, relevant.total as f64);
        let retrieved = topic.retrieved() as f64;
        let [c1, c2, c3, c4] = self.coefficients;
        let left_out = self.docs + found - retrieved - total;
        Some(c1 * found + c2 * (retrieved - found) + c3 * (total - found) + c4 * left_out)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, _label: Label) -> Option<f64> {
        Some(0.0)
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        topic.additive(|order| self.evaluate(order))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "Utility",
    summary: "linear utility of the retrieved set",
    page: crate::page::page!("utility.rs"),
    params: &[COEFFICIENTS, DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::None,
    range: Range::ANY,
    references: &[
        "D. Lewis: The TREC-4 filtering track. TREC-4, 1995",
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

const COEFFICIENTS: ParamInfo = ParamInfo {
    name: "coefficients",
    kind: ParamKind::Reals,
    default: "1,-1,0,0",
    help: "value of a true positive, false positive, false negative and true negative",
};

const DOCS: ParamInfo = ParamInfo {
    name: "docs",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "0",
    help: "number of documents in the collection",
};

fn build(params: &Params) -> Result<Computation, Error> {
    let given = params.reals("coefficients");
    let coefficients = given.try_into().map_err(|_| {
        Error::parameter(format!(
            "Utility needs 4 coefficients, such as '1,-1,0,0', not {}",
            given.len()
        ))
    })?;
    Ok(Computation::ranked(Utility {
        level: params.level(),
        coefficients,
        docs: params.real("docs"),
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    use crate::spec::{Conventions, parse_measure};

    #[test]
    fn worked_example() {
        check("Utility", &[1, 0, 1], &[1, 1, 1, 0], 2.0 - 1.0);
        let all = "Utility(coefficients='1,-1,-1,1', docs=10)";
        check(all, &[1, 0, 1], &[1, 1, 1, 0], 2.0 - 1.0 - 1.0 + 6.0);
    }

    #[test]
    fn edges() {
        check("Utility", &[], &[1], 0.0);
        check("utility.1,-1,0,1", &[-1], &[1], -1.0 - 2.0);
        let error =
            parse_measure("Utility(coefficients='1,2')", &Conventions::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Utility needs 4 coefficients, such as '1,-1,0,0', not 2"
        );
    }
}
