//! From runs and judgements to scores.
//!
//! [`Inputs`] are judgements and runs, from files or from memory, opened once. [`Inputs::evaluate`] hands their topics to
//! `cranfield-core` on all cores and gathers the scores in a fixed order; explanations, figures and reports start from the
//! same inputs.
//!
//! Results never depend on the number of threads: pieces of work are gathered by index, and sums are taken in the order of
//! topic ids.

pub mod agreement;
pub mod engine;
mod evaluation;
pub mod explain;
mod hash;
mod inputs;
mod labels;
pub mod merging;
mod progress;
pub mod provenance;
mod rosetta;
mod scenarios;
pub mod similarity;
mod vectors;
pub mod whence;

pub use cranfield_core::evaluate::Plan;
pub use cranfield_core::policy::Policies;
pub use cranfield_core::qrels::Qrels;
pub use cranfield_core::run::Run;
pub use cranfield_measures::profiles::Profile;
pub use cranfield_measures::scenario::Scenario;
pub use cranfield_measures::spec::{Conventions, parse_measures};

pub use agreement::{AgreementRequest, ComparedQrels, agreement_of_files};
pub use engine::*;
pub use evaluation::{
    EvaluatedRun, Evaluation, InputFile, Judgements, Request, UnlistedGrades, has_reference_values,
    run_names,
};
pub use hash::{bytes_hash, file_hash, hash_of_read};
pub use inputs::{Inputs, RunContent, RunData, RunInput};
pub use labels::{DocumentLabel, Labels};
pub use merging::{MergeRule, merge_qrels};
pub use progress::{Progress, Step};
pub use rosetta::{RosettaRow, rosetta};
pub use scenarios::{ScenarioColumn, scenario_columns};
pub use similarity::{
    Against, ComparedRuns, SimilarityRequest, similarity_of_files, similarity_of_pairs,
};
pub use vectors::Reading;

/// The measures for judgements that are grades, where the user asks for none.
pub const DEFAULT_MEASURES: &str = "nDCG@10 AP P@10 RR R@1000";

/// This version of Cranfield.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
