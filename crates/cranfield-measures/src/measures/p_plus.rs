//! # What it measures
//! P-plus: the mean blended ratio down to the best document. Unlike P-measure, it also credits the relevant
//! documents above the best one.
//!
//! # User model
//! Reads down to the best document of the ranking and gains from each relevant document on the way.
//!
//! # Formula
//! ```math
//! \mathrm{PPlus} = \frac{1}{H_m} \sum_{r \le m,\ \mathrm{rel}} \mathrm{BR}_r, \quad m = \min \{ i : g_i = \max_j g_j \}, \quad \mathrm{BR}_r = \frac{H_r + \beta\, \mathrm{cg}_r}{r + \beta\, \mathrm{cg}^*_r}
//! ```
//! PPlus = mean of BR(r) over the relevant ranks r up to and including the rank of the first document with the
//! highest gain in the ranking, and 0 if no relevant document was retrieved. BR(r) = (H(r) + β · cg(r)) / (r +
//! β · cg*(r)) is the blended ratio: H(r) relevant documents and the gain cg(r) among the first r, against r
//! documents and the gain cg*(r) of the first r of the ideal ranking, which has all judged documents in
//! descending order of gain. A document is relevant if its gain is positive. PPlus@k considers the first k
//! documents only, also for the highest gain. β is `beta`.
//!
//! # Worked example
//! Grades 1, 0, 2; judged 2, 1, 0. The best document has rank 3; cg* is 2, 3, 3: BR(1) = (1 + 1) / (1 + 2) =
//! 0.666667, BR(3) = (2 + 3) / (3 + 3) = 0.833333, PPlus = 0.75.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `P-plus` in NTCIREVAL, which has no cutoff.
//!
//! # References
//! Sakai 2007.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::blended::{self, ONE_DOCUMENT};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "PPlus",
    aliases: &["p-plus", "p_plus"],
    summary: "mean blended ratio up to the first document with the highest gain (P-plus)",
    page: crate::page::page!("p_plus.rs"),
    references: &[
        "T. Sakai: On the properties of evaluation metrics for finding one highly relevant document. IPSJ Digital Courier 3, 2007. doi:10.2197/ipsjdc.3.643",
    ],
    build,
    ..ONE_DOCUMENT
};

fn build(params: &Params) -> Result<Computation, Error> {
    Ok(blended::one_document(params, |found| {
        let (mut greatest, mut value) = (0.0, 0.0);
        let (mut sum, mut count) = (0.0, 0.0);
        for document in found {
            sum += document.blended;
            count += 1.0;
            if document.gain > greatest {
                (greatest, value) = (document.gain, sum / count);
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
        let first = (1.0 + 1.0) / (1.0 + 2.0);
        check("PPlus", &[1, 0, 2], &[2, 1, 0], (first + 5.0 / 6.0) / 2.0);
        check("P-plus@2", &[1, 0, 2], &[2, 1, 0], first);
    }

    #[test]
    fn edges() {
        check("PPlus", &[], &[1], 0.0);
        check("PPlus", &[0, 2, 1], &[2, 1], (1.0 + 2.0) / (2.0 + 3.0));
        check(
            "PPlus(beta=0)",
            &[0, 1, 2],
            &[2, 1, 0],
            (1.0 / 2.0 + 2.0 / 3.0) / 2.0,
        );
        undefined("PPlus", &[0, -2], &[0]);
        undefined("PPlus(beta=1e308)", &[3], &[3]);
    }
}
