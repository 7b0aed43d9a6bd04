//! # What it measures
//! E-measure: the combined loss in precision and recall; 0 is best and 1 is worst.
//!
//! # User model
//! Sees the documents as an unordered set; recall is worth b times as much to the user as precision.
//!
//! # Formula
//! ```math
//! \mathrm{E@}k = 1 - \frac{1 + \beta^2}{\beta^2 / R + 1 / P}
//! ```
//! E@k = 1 − (1 + b²) / (b² / R + 1 / P) = 1 − F@k with β = b, and 1 if nothing relevant was found. P is
//! precision, the relevant documents among the first k over k (without `@k`, over the number retrieved), R
//! recall, over the relevant documents in the qrels. b is `beta`: 0 gives 1 − P, and large values approach 1 −
//! R.
//!
//! # Worked example
//! Ranking: relevant, non-relevant; four relevant documents in the qrels: P = 0.5, R = 0.25, E = 1 − 2 / (4 +
//! 2) = 0.666667, E(beta=0) = 0.5, E(beta=2) = 1 − 5 / (16 + 2) = 0.722222.
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! In some textbooks b > 1 emphasises precision; here, as in van Rijsbergen, it emphasises recall.
//!
//! # References
//! van Rijsbergen 1979.

use cranfield_core::measure::{Direction, MeasureInfo};

use super::f::{self, Form, alpha, of_f};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "E",
    aliases: &["e-measure", "e_measure"],
    summary: "combined loss in precision and recall, 1 - F (E-measure)",
    page: crate::page::page!("e.rs"),
    direction: Direction::LowerIsBetter,
    build: |params| Ok(of_f(params, alpha(params), Form::E)),
    ..f::INFO
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        let (ranking, judged) = (&[1, 0], &[1, 1, 1, 1]);
        check("E", ranking, judged, 1.0 - 1.0 / (0.5 * 2.0 + 0.5 * 4.0));
        check("E(beta=0)", ranking, judged, 0.5);
        let value = 1.0 - 1.0 / (0.2 * 2.0 + 0.8 * 4.0);
        check("E-measure(beta=2)@2", ranking, judged, value);
    }

    #[test]
    fn edges() {
        check("E", &[0], &[1, 0], 1.0);
        check("E@5", &[], &[1], 1.0);
        check("E(beta=1e300)", &[1, 0], &[1, 1, 1, 1], 0.75);
        undefined("E", &[], &[1]);
        undefined("E", &[0], &[0]);
    }
}
