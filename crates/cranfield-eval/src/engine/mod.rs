//! Evaluates runs in parallel: reads files, evaluates each topic with `cranfield-core`, and collects the scores in a fixed order.
//!
//! Results never depend on the number of threads: pieces of work are collected by index, and sums are taken in the order of topic
//! ids.

mod judged;
mod memory;
mod noted;
mod pieces;
mod qrels;
mod rankings;
mod rows;
mod scores;
mod sessions;
mod text;
mod threads;
mod vectors;

pub use judged::{
    EvaluatedJudgements, ExplainFault, RunSource, evaluate_groups, evaluate_preferences,
    evaluate_prels, evaluate_strata, explain_groups, explain_preferences, explain_prels,
    explain_strata,
};
pub use memory::{JudgedTopic, evaluate_run, judged_topics};
pub use qrels::{ReadQrels, read_qrels};
pub use rankings::{Rankings, evaluate_rankings};
pub use scores::{Aggregated, CutoffNotes, RunNotes, RunScores, TopicScores, Values};
pub use sessions::{evaluate_sessions, explain_session};
pub use text::{DuplicateLine, EvaluatedText, evaluate_text};
pub use threads::{
    both, convert_in_parallel, fill_in_parallel, in_parallel, with_threads, work_on_this_thread,
};
