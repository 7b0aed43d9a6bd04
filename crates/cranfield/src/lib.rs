//! Cranfield evaluates rankings against relevance judgements.
//!
//! From files, with everything that a result needs to be trusted:
//!
//! ```no_run
//! use cranfield::{Conventions, Evaluation, Request, parse_measures};
//!
//! let measures = parse_measures("nDCG@10 AP", &Conventions::default())?;
//! let request = Request::new("qrels.txt", ["bm25.run", "dense.run.gz"], measures);
//! let evaluation = Evaluation::of_files(request)?;
//! for run in &evaluation.runs {
//!     println!("{} {:?}", run.scores.name, run.scores.aggregate(0));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From memory:
//!
//! ```
//! use cranfield::{Conventions, Plan, Qrels, Run, evaluate_run, parse_measures};
//!
//! let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 0.0)]);
//! let run = Run::from_scores("mine", [("q1", "d2", 2.0), ("q1", "d1", 1.0)]);
//! let plan = Plan { measures: parse_measures("RR", &Conventions::default())?, ..Plan::default() };
//! assert_eq!(evaluate_run(&run, &qrels, &plan).row(0), [0.5]);
//! # Ok::<(), cranfield::core::error::Error>(())
//! ```

pub use cranfield_collection as collection;
pub use cranfield_core as core;
pub use cranfield_eval as eval;
pub use cranfield_fusion as fusion;
pub use cranfield_io as io;
pub use cranfield_judge as judge;
pub use cranfield_lab as lab;
pub use cranfield_measures as measures;
pub use cranfield_pool as pool;
pub use cranfield_render as render;
pub use cranfield_search as search;
pub use cranfield_stats as stats;

pub use cranfield_compare::{assessors, compare, discriminate, gate, power};
pub use cranfield_core::evaluate::Plan;
pub use cranfield_core::policy::Policies;
pub use cranfield_core::qrels::Qrels;
pub use cranfield_core::run::Run;
pub use cranfield_eval::{
    Against, AgreementRequest, ComparedQrels, ComparedRuns, DEFAULT_MEASURES, DocumentLabel,
    EvaluatedRun, Evaluation, InputFile, Inputs, Judgements, Labels, MergeRule, Reading, Request,
    RosettaRow, RunContent, RunData, RunInput, RunScores, ScenarioColumn, SimilarityRequest,
    UnlistedGrades, VERSION, agreement, agreement_of_files, bytes_hash, engine, evaluate_run,
    explain, file_hash, merge_qrels, merging, provenance, rosetta, run_names, scenario_columns,
    similarity, similarity_of_files, similarity_of_pairs, whence,
};
pub use cranfield_measures::profiles::Profile;
pub use cranfield_measures::scenario::Scenario;
pub use cranfield_measures::spec::{Conventions, parse_measures};
pub use cranfield_measures::vectors::parse_vectors;
pub use cranfield_report::plots;

/// Reports, and the tables, pages and figures that they are made of.
pub mod report {
    pub use cranfield_render::*;
    pub use cranfield_report::{Report, ReportError, ReportRequest};
}

/// The pages with Rust code, so that their examples are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct LibraryPage;

/// Examples of statistics.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/statistics.md")]
struct StatisticsPage;

/// Examples of statistics of several systems.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/statistics-systems.md")]
struct StatisticsOfSystemsPage;

/// Examples of vectors.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/vectors.md")]
struct VectorsPage;

/// Examples of collections.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/collections.md")]
struct CollectionsPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/fusing.md")]
struct FusingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/agreeing.md")]
struct AgreeingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/comparing-rankings.md")]
struct ComparingRankingsPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/plotting.md")]
struct PlottingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/profiles.md")]
struct ProfilesPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/whence.md")]
struct WhencePage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/comparing.md")]
struct ComparingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/pooling.md")]
struct PoolingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/power.md")]
struct PowerPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/discriminating.md")]
struct DiscriminatingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/gating.md")]
struct GatingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/reporting.md")]
struct ReportingPage;
