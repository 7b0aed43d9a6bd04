//! # What it measures
//! F-measure parameterised by α: the weighted harmonic mean of precision and recall, for the whole retrieved
//! set or the first k.
//!
//! # User model
//! Sees the documents as an unordered set; alpha is the relative weight of precision.
//!
//! # Formula
//! ```math
//! \mathrm{FAlpha@}k = \frac{1}{\alpha / P + (1 - \alpha) / R}
//! ```
//! FAlpha@k = 1 / (α / P + (1 − α) / R), and 0 if nothing relevant was found. P is precision, the relevant
//! documents among the first k over k (without `@k`, over the number retrieved), R recall, over the relevant
//! documents in the qrels. α is `alpha`, the weight of precision.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; four relevant documents in the qrels: P = 2/3, R = 2/4, FAlpha =
//! 0.571429 (F with β = 1), FAlpha(alpha=0.2) = 1 / (0.2 · 3/2 + 0.8 · 2) = 0.526316 (F with β = 2).
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! With α = 1 / (1 + β²) it equals F(beta=β). Textbooks use either form.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::f::{self, Form, of_f};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "FAlpha",
    aliases: &["f_alpha"],
    summary: "weighted harmonic mean of precision and recall, given the weight of precision",
    page: crate::page::page!("f_alpha.rs"),
    params: &[ALPHA, ParamInfo::LEVEL],
    build: |params| Ok(of_f(params, params.real("alpha"), Form::F)),
    ..f::INFO
};

const ALPHA: ParamInfo = ParamInfo {
    name: "alpha",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "weight of precision",
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0, 1], &[1, 1, 1, 1, 0]);
        check("FAlpha", ranking, judged, 2.0 / (0.5 * 3.0 + 0.5 * 4.0));
        let value = 2.0 / (0.2 * 3.0 + 0.8 * 4.0);
        check("FAlpha(alpha=0.2)", ranking, judged, value);
    }

    #[test]
    fn edges() {
        check("FAlpha(alpha=1)@4", &[1], &[1, 1], 0.25);
        check("FAlpha(alpha=0)@4", &[1], &[1, 1], 0.5);
        check("FAlpha", &[-1], &[1], 0.0);
        undefined("FAlpha", &[], &[1]);
        undefined("FAlpha@5", &[0], &[0]);
    }
}
