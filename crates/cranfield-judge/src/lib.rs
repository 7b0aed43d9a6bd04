//! Relevance judgements by people in a terminal, and by programs.
//!
//! A pool is a run whose documents are to be judged. Every assessor has an append-only audit file in one folder: a line per event,
//! each with the hash of the line before it. An event is on disk before the next document is shown. Judgements are derived from
//! these files and never edited.
//!
//! ```
//! use cranfield_judge::{Blind, Pair, Session, Settings, export};
//! use cranfield_eval::MergeRule;
//!
//! let pair = |doc: &str| Pair { topic: "1".into(), doc: doc.into() };
//! let settings = Settings::default();
//! let queue = Blind::new(&[pair("a"), pair("b")], "ann", &settings);
//! let folder = tempfile::tempdir()?;
//! let mut session = Session::open(folder.path(), "ann", Box::new(queue), settings)?;
//! while session.current().is_some() {
//!     session.grade(2, 1500)?;
//! }
//! session.undo()?;
//! drop(session);
//! let exported = export(folder.path(), Some("ann"), MergeRule::Majority)?;
//! assert_eq!(exported.qrels.judgements(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Session`] is one assessor's work on a pool, [`terminal::judge`] shows it. [`Grading`] is the same for a program, which
//! [`Program`] starts and asks; a [`GradingRequest`] opens one. [`export()`] merges the assessors of a folder.

mod assessor;
mod audit;
mod error;
mod event;
mod export;
mod live;
mod log;
pub mod machine;
mod materials;
mod outputs;
mod queue;
mod scale;
mod session;
mod settings;
pub mod terminal;

pub use assessor::{Assessor, Judgement};
pub use audit::audit_pool;
pub use error::JudgeError;
pub use event::{Event, Kind, MachineAnswer};
pub use export::{Exported, export, fill_holes, read_assessors, save_judgements};
pub use live::{Live, candidates};
pub use log::{Log, read_log};
pub use machine::{Graded, Grading, GradingRequest, Limits, Program};
pub use materials::{Materials, PoolTopics, Sources};
pub use outputs::OutputFiles;
pub use queue::{Blind, Pair, Queue, pairs_of};
pub use scale::Scale;
pub use session::{Estimate, Session};
pub use settings::{GivenSettings, Settings};
