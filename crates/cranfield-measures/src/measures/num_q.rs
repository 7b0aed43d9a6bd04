//! # What it measures
//! The number of topics evaluated, over which every mean in the report is taken.
//!
//! # User model
//! None: a count.
//!
//! # Formula
//! ```math
//! \mathrm{NumQ} = \sum_{t} 1
//! ```
//! Each topic counts 1; the run's value is the sum.
//!
//! # Worked example
//! Topics 301, 302 and 303 evaluated: NumQ = 1 + 1 + 1 = 3.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it only in the summary (`num_q`). The topic policy decides which topics count: with `-c`,
//! `trec_eval` counts all topics of the qrels, without it those that are also in the run (version 9).
//!
//! # References
//! trec_eval.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::Params;

use super::counts::COUNT;

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "NumQ",
    aliases: &["num_q"],
    summary: "number of topics evaluated",
    page: crate::page::page!("num_q.rs"),
    params: &[],
    build,
    ..COUNT
};

fn build(_params: &Params) -> Result<Computation, Error> {
    Ok(Computation::TopicCount)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;

    use cranfield_core::measure::Computation;

    #[test]
    fn worked_example() {
        let measure = measure("NumQ");
        assert!(matches!(measure.computation, Computation::TopicCount));
        assert_eq!(measure.info.aggregate.of([1.0, 1.0, 1.0]), Some(3.0));
    }
}
