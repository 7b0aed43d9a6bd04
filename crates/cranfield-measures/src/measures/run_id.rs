//! # What it measures
//! The run's tag, which identifies the run in a report. Not a number.
//!
//! # User model
//! None: a diagnostic of the judgements or the run.
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
//! `trec_eval` prints it only in the summary (`runid`), from the last line of the file; other tools use the
//! first line or the file name.
//!
//! # References
//! trec_eval.

use cranfield_core::error::Error;
use cranfield_core::measure::{Aggregate, Computation, Direction, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, Params};

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "RunId",
    summary: "the run's tag",
    page: crate::page::page!("run_id.rs"),
    cutoff: CutoffRule::None,
    range: Range::ANY,
    aggregate: Aggregate::None,
    direction: Direction::Neutral,
    references: &[
        "C. Buckley and the National Institute of Standards and Technology: trec_eval, https://github.com/usnistgov/trec_eval",
    ],
    build,
    ..MeasureInfo::DEFAULT
};

fn build(_params: &Params) -> Result<Computation, Error> {
    Ok(Computation::RunId)
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::measure;

    use cranfield_core::measure::{Aggregate, Computation};

    #[test]
    fn worked_example() {
        let measure = measure("runid");
        assert!(matches!(measure.computation, Computation::RunId));
        assert_eq!(measure.info.aggregate, Aggregate::None);
    }
}
