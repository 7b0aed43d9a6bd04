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

pub use cranfield_core as core;
pub use cranfield_engine as engine;
pub use cranfield_io as io;
pub use cranfield_stats as stats;

pub use cranfield_core::evaluate::Plan;
pub use cranfield_core::policy::{Policies, Profile};
pub use cranfield_core::qrels::Qrels;
pub use cranfield_core::run::Run;
pub use cranfield_core::scenario::Scenario;
pub use cranfield_core::spec::{Conventions, parse_measures};
pub use cranfield_core::vectors::parse_vectors;
pub use cranfield_engine::{RunScores, evaluate_run};

mod agreement;
pub mod compare;
pub mod discriminate;
mod evaluation;
pub mod explain;
mod flattered;
pub mod gate;
mod hash;
mod inputs;
mod latex;
mod limits;
#[cfg(feature = "pictures")]
pub mod pictures;
pub mod power;
pub mod provenance;
pub mod report;
mod rosetta;
mod scenarios;
mod similarity;
mod vectors;
pub mod whence;

pub use agreement::{AgreementRequest, ComparedQrels, agreement_of_files};
pub use evaluation::{
    EvaluatedRun, Evaluation, Evaluator, InputFile, NamedRun, Request, UnlistedGrades,
    evaluate_each, run_names,
};
pub use hash::file_hash;
pub use inputs::Inputs;
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

/// The pages with Rust code, so that their examples are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/library.md")]
struct LibraryPage;

/// The same for statistics.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/statistics.md")]
struct StatisticsPage;

/// The same for statistics of several systems.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/statistics-systems.md")]
struct StatisticsOfSystemsPage;

/// The same for vectors.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/vectors.md")]
struct VectorsPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/agreeing.md")]
struct AgreeingPage;

#[cfg(all(doctest, feature = "pictures"))]
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
#[doc = include_str!("../../../docs/guide/power.md")]
struct PowerPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/discriminating.md")]
struct DiscriminatingPage;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/gating.md")]
struct GatingPage;

#[cfg(all(doctest, feature = "pictures"))]
#[doc = include_str!("../../../docs/guide/reporting.md")]
struct ReportingPage;
