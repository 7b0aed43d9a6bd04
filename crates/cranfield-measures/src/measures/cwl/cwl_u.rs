//! # What it measures
//! The U-measure as a C/W/L measure: gain per document if the value of a document falls linearly with the
//! amount of text read before it, reaching 0 at L.
//!
//! # User model
//! Values a document less the more text was read before it, falling linearly to 0.
//!
//! # Formula
//! ```math
//! \mathrm{EU} = \frac{\sum_i V_i\, g_i}{\sum_i V_i}, \quad V_{i+1} = V_i\, C_i, \quad C_i = \frac{w_{i+1}}{w_i}, \quad w_i = \max\left(0, 1 - \frac{(i - 1)\, \mathrm{cost}}{L}\right)
//! ```
//! C(i) = w(i + 1) / w(i), where w(i) = max(0, 1 − (i − 1) · cost / L), and w is 0 at `depth`.
//!
//! With V(1) = 1 and V(i + 1) = V(i) · C(i), EU = Σ V(i) · gain(i) / Σ V(i) over the ranks down to `depth`.
//! `figure` selects another quantity: ETU = Σ L(i) · (gain of ranks 1 to i) and ETC = Σ L(i) · (cost of ranks 1
//! to i), where L(i) = V(i) · (1 − C(i)); EC, the cost of one document, is `cost`; ED = Σ V(i) is the expected
//! number of documents read. EU is between 0 and 1; the others may exceed 1.
//!
//! The gain is 1 for a document that is relevant at `rel`; if `max_rel` is above `min_rel` it is (grade −
//! min_rel) / (max_rel − min_rel), clamped to the unit interval. Unjudged and missing documents have gain 0;
//! `residual='true'` is the increase if all of them had gain 1.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, L = 4, depth = 5: V = 1, 0.75, 0.5, 0.25, so CWL_U(L=4, depth=5)
//! = (1 + 0.5) / 2.5 = 0.6.
//!
//! # Undefined when
//! Never: missing documents have gain 0.
//!
//! # Differences between tools
//! Same as `UMeasureCWLMetric` in `cwl_eval`, whose name ends in a space, with one `cost` for all documents;
//! there costs per document type come from a file. UMeasure is the original measure. `ir_measures` provides
//! neither.
//!
//! # References
//! Sakai and Dou 2013; Azzopardi, Thomas and Moffat 2019.

use cranfield_core::measure::MeasureInfo;
use cranfield_core::params::{ParamInfo, ParamKind};

use super::{COST, CWL, Cwl, Figures, Reading, UserModel, walk};

/// The U-measure in the C/W/L framework.
#[derive(Clone, Copy, Debug)]
struct CwlU {
    length: f64,
}

impl UserModel for CwlU {
    fn read(&self, reading: &Reading<'_>) -> Option<Figures> {
        let weight = |before: f64| (1.0 - before / self.length).max(0.0);
        let end = f64::from(reading.depth);
        Some(walk(reading, |seen| {
            if seen.rank + 1.0 < end {
                weight(seen.total_cost) / weight(seen.total_cost - reading.cost)
            } else {
                0.0
            }
        }))
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "CWL_U",
    summary: "U-measure as a C/W/L measure",
    page: crate::page::page!("cwl_u.rs"),
    params: super::params![LENGTH, COST],
    references: &[
        "T. Sakai and Z. Dou: Summaries, ranked retrieval and sessions: a unified framework for information access evaluation. SIGIR 2013. doi:10.1145/2484028.2484031",
        super::PROGRAM,
    ],
    build: |params| {
        Ok(Cwl::computation(
            params,
            CwlU {
                length: params.real("L"),
            },
        ))
    },
    ..CWL
};

const LENGTH: ParamInfo = ParamInfo {
    name: "L",
    kind: ParamKind::Real {
        min: 1.0,
        max: 1e12,
    },
    default: "1000",
    help: "cost at which the value of a document reaches 0",
};

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;

    #[test]
    fn worked_example() {
        check("CWL_U(L=4, depth=5)", &[1, 0, 1], &[1, 1, 0], 1.5 / 2.5);
    }

    #[test]
    fn edges() {
        check("CWL_U", &[], &[1], 0.0);
        check("CWL_U(L=1)", &[1], &[1], 1.0);
        check("CWL_U(depth=1)", &[1], &[1], 1.0);
        check("CWL_U(cost=1000000000)", &[1, 1], &[1, 1], 1.0);
    }
}
