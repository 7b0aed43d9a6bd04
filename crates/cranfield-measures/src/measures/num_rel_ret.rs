//! # What it measures
//! The number of relevant documents retrieved for the topic.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumRelRet} = \sum_{t} H_{t,n}
//! ```
//! H(n): number of retrieved documents with a grade of at least `rel`. The run's value is the sum over topics.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant; three relevant documents in the qrels: NumRelRet = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it as `num_rel_ret`; `ir_measures` also writes `NumRet(rel=1)`. `hits` in ranx is the
//! same count, averaged over topics instead of summed. With a level below zero unjudged documents still do not
//! count, unlike in ranked measures.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::{Direction, MeasureInfo};

use super::counts::{COUNT, Wants, count};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumRelRet",
    aliases: &["num_rel_ret"],
    summary: "number of relevant documents retrieved",
    page: crate::page::page!("num_rel_ret.rs"),
    direction: Direction::HigherIsBetter,
    build: |params| {
        Ok(count(params, Wants::Relevant, |_, relevant, _| {
            relevant.retrieved
        }))
    },
    ..COUNT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumRelRet", &[1, 0, 1], &[1, 1, 1, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumRelRet", &[], &[1], 0.0);
        check("NumRelRet(rel=2)", &[1, 2], &[2, 1], 1.0);
        check("NumRelRet(rel=-1)", &[-1, 1, -2, 0], &[1, 0], 2.0);
    }
}
