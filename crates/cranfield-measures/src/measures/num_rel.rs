//! # What it measures
//! R: the number of relevant documents in the topic's qrels, retrieved or not.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumRel} = \sum_{t} R_t
//! ```
//! R = number of judged documents with a grade of at least `rel`. The run's value is the sum over topics.
//!
//! # Worked example
//! Judged 2, 1, 1, 0: NumRel = 3, NumRel(rel=2) = 1.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval -c` recounts the sum over all topics of the qrels with grades above 0, whatever `-l` is;
//! per-topic values follow `-l`. `ir_measures` supports only `rel=1`.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::MeasureInfo;

use super::counts::{COUNT, Wants, count};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRel",
    aliases: &["num_rel"],
    summary: "number of relevant documents in the qrels",
    page: crate::page::page!("num_rel.rs"),
    build: |params| {
        Ok(count(params, Wants::Relevant, |_, relevant, _| {
            relevant.total
        }))
    },
    ..COUNT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRel", &[], &[2, 1, 1, 0], 3.0);
        check("NumRel(rel=2)", &[], &[2, 1, 1, 0], 1.0);
    }

    #[test]
    fn edges() {
        check("NumRel", &[-1], &[], 0.0);
        check("NumRel(rel=-1)", &[-1], &[1, 0], 2.0);
    }
}
