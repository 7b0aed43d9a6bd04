//! # What it measures
//! O-measure: reciprocal rank for graded relevance.
//!
//! # User model
//! Wants one relevant document and stops at the first; higher grades are worth more.
//!
//! # Formula
//! ```math
//! \mathrm{OMeasure} = \mathrm{BR}_r, \quad r = \min \{ i\ \mathrm{rel} \}, \quad \mathrm{BR}_r = \frac{H_r + \beta\, \mathrm{cg}_r}{r + \beta\, \mathrm{cg}^*_r}
//! ```
//! OMeasure = BR(r) at the rank r of the first relevant document, and 0 if none was retrieved. BR(r) = (H(r) +
//! β · cg(r)) / (r + β · cg*(r)) is the blended ratio: H(r) relevant documents and the gain cg(r) among the
//! first r, against r documents and the gain cg*(r) of the first r of the ideal ranking, which has all judged
//! documents in descending order of gain. A document is relevant if its gain is positive. β is `beta`; with 0
//! it is RR. OMeasure@k considers the first k documents only.
//!
//! # Worked example
//! Grades 0, 3, unjudged, 2; judged: three documents with grade 3, three with 2, four with 1, one with 0, so R
//! = 10. cg* is 3, 6, 9, 11, …: BR(2) = (1 + 3) / (2 + 6) = 0.5. The first relevant document has rank 2:
//! OMeasure = 0.5, OMeasure@1 = 0.
//!
//! # Undefined when
//! No judged document has a positive gain, or a sum of gains overflows.
//!
//! # Differences between tools
//! Same as `O-measure` in NTCIREVAL, which has no cutoff.
//!
//! # References
//! Sakai 2006, 2007.

use cranfield_core::measure::MeasureInfo;

use super::blended::{self, ONE_DOCUMENT};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "OMeasure",
    aliases: &["o-measure", "o_measure"],
    summary: "blended ratio at the first relevant document (O-measure)",
    page: crate::page::page!("o_measure.rs"),
    references: &[
        "T. Sakai: On the task of finding one highly relevant document with high precision. Information and Media Technologies 1(2), 2006",
        "T. Sakai: On the properties of evaluation metrics for finding one highly relevant document. IPSJ Digital Courier 3, 2007. doi:10.2197/ipsjdc.3.643",
    ],
    build: |params| {
        Ok(blended::one_document(params, |found| {
            found.next().map_or(0.0, |document| document.blended)
        }))
    },
    ..ONE_DOCUMENT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::{check, undefined};

    const RANKING: &[i32] = &[0, 3, -1, 2];
    const JUDGED: &[i32] = &[3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0];

    #[test]
    fn worked_example() {
        check("OMeasure", RANKING, JUDGED, (1.0 + 3.0) / (2.0 + 6.0));
        check("O-measure@1", RANKING, JUDGED, 0.0);
        check("OMeasure(beta=0)", RANKING, JUDGED, 0.5);
        check("OMeasure", &[0, 1], &[3, 1], (1.0 + 1.0) / (2.0 + 4.0));
    }

    #[test]
    fn edges() {
        check("OMeasure", &[], &[1], 0.0);
        check("OMeasure", &[-1, -2, 0], &[1, 0], 0.0);
        undefined("OMeasure", &[0], &[0]);
        undefined("OMeasure(beta=1e308)", &[3], &[3]);
    }
}
