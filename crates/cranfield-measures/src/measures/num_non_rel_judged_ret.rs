//! # What it measures
//! The number of retrieved documents that were judged non-relevant. Together with NumRelRet it shows how much
//! of a ranking was judged.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumNonRelJudgedRet} = J_n - H_n
//! ```
//! J(n) − H(n): judged documents retrieved minus the relevant ones. The run's value is the sum over topics.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, unjudged, non-relevant: NumNonRelJudgedRet = 3 − 1 = 2.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it as `num_nonrel_judged_ret`; there documents with a negative grade count as unjudged,
//! as they do here if negative grades mean 'pooled'.
//!
//! # References
//! trec_eval.

use cranfield_core::measure::MeasureInfo;

use super::counts::{COUNT, Wants, count};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumNonRelJudgedRet",
    aliases: &["num_nonrel_judged_ret"],
    summary: "number of retrieved documents judged non-relevant",
    page: crate::page::page!("num_non_rel_judged_ret.rs"),
    build: |params| {
        Ok(count(params, Wants::Nothing, |topic, relevant, _| {
            topic.judged_at(usize::MAX) - relevant.retrieved
        }))
    },
    ..COUNT
};

#[cfg(test)]
mod tests {
    use crate::measures::tests::check;

    #[test]
    fn worked_example() {
        check("NumNonRelJudgedRet", &[1, 0, -1, 0], &[1, 0, 0], 2.0);
    }

    #[test]
    fn edges() {
        check("NumNonRelJudgedRet", &[], &[1], 0.0);
        check("NumNonRelJudgedRet", &[-2, 1, -2, -1], &[1, 1], 0.0);
        check("NumNonRelJudgedRet(rel=2)", &[1, 2], &[1, 2], 1.0);
        check("NumNonRelJudgedRet(rel=-1)", &[0, -1], &[0], 0.0);
    }
}
