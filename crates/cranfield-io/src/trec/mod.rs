//! TREC text: runs with six columns and qrels with four, read in pieces and without allocation.

mod columns;
mod intents;
mod judgements;
mod lines;
mod lists;
mod number;
mod qrels_line;
mod read;
mod run_line;
mod sampled;

pub use crate::write::push_run_lines;
pub use intents::{read_intents, with_intents};
pub use judgements::{read_groups, read_preferences, read_qrels_as_preferences};
pub use lines::{Dialect, FaultyLine, LineFault, Lines, TopicLine, offset_in};
pub use lists::{read_known, read_sessions};
pub use number::{atof, atol, strict};
pub use qrels_line::{QrelsLine, QrelsLines};
pub use read::{qrels_problem, run_problem};
pub(crate) use read::{read_qrels, read_run};
pub use run_line::{RunLine, RunLines};
pub use sampled::{read_prels, read_strata};
