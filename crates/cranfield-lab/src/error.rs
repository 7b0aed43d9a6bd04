//! Why an experiment fails.

use cranfield_compare::compare::CompareError;
use cranfield_report::ReportError;

use crate::bench::BenchError;
use crate::engine::EngineError;
use crate::tune::TuneError;

/// Why an experiment, or a part of it, fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file is invalid, or cannot be read or written.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A measure, model or analyser is unknown or has a wrong parameter.
    #[error(transparent)]
    Name(#[from] cranfield_core::error::Error),
    /// An engine does not start or does not answer.
    #[error("{step}: {source}")]
    Engine {
        /// The step of the experiment.
        step: String,
        /// Its failure.
        source: EngineError,
    },
    /// Parameters cannot be tuned.
    #[error("{step}: {source}")]
    Tune {
        /// The step of the experiment.
        step: String,
        /// Why not.
        source: TuneError,
    },
    /// Runs cannot be fused.
    #[error("{step}: {source}")]
    Fuse {
        /// The step of the experiment.
        step: String,
        /// Why not.
        source: cranfield_fusion::Error,
    },
    /// Engines cannot be benchmarked.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// Runs cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// A report cannot be made.
    #[error(transparent)]
    Report(#[from] ReportError),
}

impl From<cranfield_search::Error> for Error {
    fn from(error: cranfield_search::Error) -> Self {
        match error {
            cranfield_search::Error::Name(error) => Self::Name(error),
            cranfield_search::Error::Input(error) => Self::Input(error),
        }
    }
}
