//! # What it measures
//! The run's own name, its tag. Not a number: it says which run the lines of a report belong to.
//!
//! # User model
//! None: a diagnostic of the judgements or of the run, not of a user's success.
//!
//! # Formula
//! The sixth column of the run's last line.
//!
//! # Worked example
//! A run file whose last line ends in `STANDARD`: RunId = STANDARD.
//!
//! # Undefined when
//! Never.
//!
//! # Differences between tools
//! `trec_eval` prints it in the summary only (`runid`), from the last line of the file; other tools take the
//! first line or the file name.
//!
//! # References
//! trec_eval.

use crate::error::Error;
use crate::measure::{Aggregate, Computation, Direction, MeasureInfo, Range};
use crate::params::{CutoffRule, Params};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RunId",
    aliases: &[],
    summary: "the run's tag",
    source: include_str!("run_id.rs"),
    params: &[],
    cutoff: CutoffRule::None,
    range: Range::ANY,
    aggregate: Aggregate::None,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build,
};

fn build(_params: &Params) -> Result<Computation, Error> {
    Ok(Computation::RunId)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;

    use crate::measure::{Aggregate, Computation};

    #[test]
    fn worked_example() {
        let measure = measure("runid");
        assert!(matches!(measure.computation, Computation::RunId));
        assert_eq!(measure.info.aggregate, Aggregate::None);
    }
}
