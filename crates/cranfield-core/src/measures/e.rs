//! # What it measures
//! E-measure: the loss in precision and recall together; 0 is perfect and 1 is the worst.
//!
//! # User model
//! Gets the documents as a set; b says how many times as much recall is worth to the user as precision.
//!
//! # Formula
//! ```math
//! \mathrm{E@}k = 1 - \frac{1 + \beta^2}{\beta^2 / R + 1 / P}
//! ```
//! E@k = 1 − (1 + b²) / (b² / R + 1 / P) = 1 − F@k with β = b, and 1 if nothing relevant was found. P is
//! precision, the relevant documents among the first k over k (without `@k`, over the number retrieved), R
//! recall, over the relevant documents in the qrels. b is `beta`: 0 gives 1 − P, a large one 1 − R.
//!
//! # Worked example
//! Relevant, not; four relevant documents in the qrels: P = 0.5, R = 0.25, E = 1 − 2 / (4 + 2) = 0.666667,
//! E(beta=0) = 0.5, E(beta=2) = 1 − 5 / (16 + 2) = 0.722222.
//!
//! # Undefined when
//! The topic has no relevant document; without a cutoff also if the ranking is empty.
//!
//! # Differences between tools
//! Some texts let b > 1 emphasise precision; here, as van Rijsbergen has it, it emphasises recall.
//!
//! # References
//! van Rijsbergen 1979.

use super::f::{self, Form, alpha, of_f};
use crate::error::Error;
use crate::measure::{Computation, Direction, MeasureInfo};
use crate::params::Params;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "E",
    aliases: &["e-measure", "e_measure"],
    summary: "loss in precision and recall together, 1 - F (E-measure)",
    source: include_str!("e.rs"),
    direction: Direction::LowerIsBetter,
    build,
    ..f::INFO
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(of_f(params, alpha(params), Form::E))
}

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
