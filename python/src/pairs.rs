//! `similarity` of runs.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield::core::run::Run;
use cranfield::io::{Code, Problem};
use cranfield::similarity::{Comparison, ListMeasure, Similarity, Ties};
use cranfield::{Against, ComparedRuns, InputFile, Qrels, SimilarityRequest, similarity_of_files};
use cranfield_cli::args::ResultFormat;
use cranfield_cli::results::SimilarPairs;
use pyo3::prelude::*;

use crate::arguments::path;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::output::{NamedColumn, PyOutput, Rendered, record_columns, rendered};
use crate::qrels::PyQrels;
use crate::run::{Data, PyRun};
use crate::work::watched;

impl Rendered for SimilarPairs {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        rendered(self, format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(record_columns(self))
    }
}

/// A run or judgements: a file, or data in memory with a name.
enum Side {
    File(PathBuf),
    Run(Data, String),
    Qrels(Arc<Qrels>, String),
}

impl Side {
    fn read(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(run) = object.cast::<PyRun>() {
            return Ok(Self::Run(run.get().data().clone(), run.get().name.clone()));
        }
        if let Ok(qrels) = object.cast::<PyQrels>() {
            let qrels = qrels.get();
            return Ok(Self::Qrels(Arc::clone(&qrels.qrels), qrels.name.clone()));
        }
        Ok(Self::File(path(object)?))
    }
}

/// Names and files of results in memory.
fn in_memory(names: [String; 2]) -> ([String; 2], [InputFile; 2]) {
    let files = names.clone().map(|name| InputFile::in_memory(&name));
    (names, files)
}

/// Compares two runs, or one with the ideal rankings of judgements. Both are files, or both are in memory.
#[pyfunction]
pub(crate) fn similarity(
    run: &Bound<'_, PyAny>,
    other: &Bound<'_, PyAny>,
    is_ideal: bool,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let measure: Option<ListMeasure> = given.parsed("measures")?;
    let ties: Option<Ties> = given.parsed("ties")?;
    let default = Comparison::default();
    let comparison = Comparison::new(
        measure.unwrap_or(default.measure()),
        given.number("p")?.unwrap_or(default.p()),
        ties.unwrap_or(default.ties()),
        given.whole("depth")?,
    );
    let comparison = comparison.or_raise(given.py())?;
    let (per_topic, digits) = (given.flag("per_topic")?, given.digits()?);
    let run_format = given.parsed("run_format")?;
    let qrels_format = given.parsed("qrels_format")?;
    given.done()?;
    let sides = (Side::read(run)?, Side::read(other)?);
    watched(given.py(), None, watch, move |_| {
        let compared = match sides {
            (Side::File(run), Side::File(other)) => {
                let against = if is_ideal {
                    Against::Ideal(other)
                } else {
                    Against::Run(other)
                };
                similarity_of_files(&SimilarityRequest {
                    run_format,
                    qrels_format,
                    comparison,
                    ..SimilarityRequest::new(run, against)
                })?
            }
            (Side::Run(run, name), other) => of_memory(&comparison, (run.run(), name), other)?,
            _ => {
                return Err(Failure::Internal(
                    "a run is a file, the other is not".into(),
                ));
            }
        };
        let pairs = SimilarPairs::new(vec![compared], per_topic, digits, is_ideal);
        Ok(PyOutput::new("similarity", pairs.notes(), pairs))
    })
}

fn of_memory(
    comparison: &Comparison,
    (run, name): (&Run, String),
    other: Side,
) -> Result<ComparedRuns, Failure> {
    let (similarity, second) = match other {
        Side::Run(other, second) => (comparison.runs(run, other.run()), second),
        Side::Qrels(qrels, second) => (comparison.with_ideal(run, &qrels), second),
        Side::File(_) => return Err(Failure::Internal("a run in memory, and a file".into())),
    };
    let similarity: Similarity = similarity
        .map_err(|twice| Problem::file(Code::DuplicateDocument, &name, twice.to_string()))?;
    let (names, files) = in_memory([name, second]);
    Ok(ComparedRuns {
        names,
        files,
        similarity,
    })
}
