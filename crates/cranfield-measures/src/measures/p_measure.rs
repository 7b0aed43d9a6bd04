//! # What it measures
//! P-measure: how well a single highly relevant document is found.
//!
//! # User model
//! Stops at the best document of the ranking.
//!
//! # Formula
//! ```math
//! \mathrm{PMeasure} = \mathrm{BR}_r, \quad r = \min \{ i : g_i = \max_j g_j \}, \quad \mathrm{BR}_r = \frac{H_r + \beta\, \mathrm{cg}_r}{r + \beta\, \mathrm{cg}^*_r}
//! ```
//! PMeasure = BR(r) at the rank r of the first document with the highest gain in the ranking, and 0 if no
//! relevant document was retrieved. BR(r) = (H(r) + β · cg(r)) / (r + β · cg*(r)) is the blended ratio: H(r)
//! relevant documents and the gain cg(r) among the first r, against r documents and the gain cg*(r) of the
//! first r of the ideal ranking, which has all judged documents in descending order of gain. A document is
//! relevant if its gain is positive. PMeasure@k considers the first k documents only, also for the highest
//! gain. β is `beta`.
//!
//! # Worked example
//! Grades 1, 0, 2; judged 2, 1, 0. The best document has rank 3; cg* is 2, 3, 3: PMeasure = (2 + 3) / (3 + 3)
//! = 0.833333, PMeasure@2 = BR(1) = (1 + 1) / (1 + 2) = 0.666667.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `P-measure` in NTCIREVAL, which has no cutoff.
//!
//! # References
//! Sakai 2006, 2007.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::blended::{self, ONE_DOCUMENT};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "PMeasure",
    aliases: &["p-measure", "p_measure"],
    summary: "blended ratio at the first document with the highest gain (P-measure)",
    page: crate::page::page!("p_measure.rs"),
    references: &[
        "T. Sakai: Give me just one highly relevant document: P-measure. SIGIR 2006",
        "T. Sakai: On the properties of evaluation metrics for finding one highly relevant document. IPSJ Digital Courier 3, 2007. doi:10.2197/ipsjdc.3.643",
    ],
    build,
    ..ONE_DOCUMENT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(blended::one_document(params, |found| {
        let (mut greatest, mut value) = (0.0, 0.0);
        for document in found {
            if document.gain > greatest {
                (greatest, value) = (document.gain, document.blended);
            }
        }
        value
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    #[test]
    fn worked_example() {
        check(
            "PMeasure",
            &[1, 0, 2],
            &[2, 1, 0],
            (2.0 + 3.0) / (3.0 + 3.0),
        );
        check(
            "P-measure@2",
            &[1, 0, 2],
            &[2, 1, 0],
            (1.0 + 1.0) / (1.0 + 2.0),
        );
    }

    #[test]
    fn edges() {
        check("PMeasure", &[], &[1], 0.0);
        check("PMeasure", &[1, 1], &[1, 1], 1.0);
        check("PMeasure(beta=0)", &[1, 0, 2], &[2, 1, 0], 2.0 / 3.0);
        undefined("PMeasure", &[0, -2], &[0]);
        undefined("PMeasure(beta=1e308)", &[3], &[3]);
    }
}
