//! `Inputs`: judgements and runs, from files or from memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield::core::policy::TieBreak;
use cranfield::io::{self, QrelsFormat, RunFormat};
use cranfield::{Evaluation, Inputs, Qrels, Request, RunInput, bytes_hash};
use pyo3::prelude::*;

use crate::arguments::{optional_path, optional_text, path};
use crate::ask::Asked;
use crate::data::named;
use crate::errors::{Failure, OrRaise};
use crate::qrels::{PyQrels, rows};
use crate::run::PyRun;
use crate::state;

/// Judgements and runs.
#[pyclass(frozen, module = "cranfield._core", name = "Inputs")]
#[derive(Debug)]
pub(crate) struct PyInputs {
    pub(crate) source: Source,
}

#[pymethods]
impl PyInputs {
    /// Judgements, a path or `Qrels`, and runs, all paths or all `Run`s. Files are read when they are evaluated.
    #[new]
    #[pyo3(signature = (qrels, runs, *, qrels_format = None, run_format = None, intents = None, known = None, sessions = None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are the keywords of a Python call"
    )]
    fn new(
        py: Python<'_>,
        qrels: &Bound<'_, PyAny>,
        runs: Vec<Bound<'_, PyAny>>,
        #[pyo3(from_py_with = optional_text)] qrels_format: Option<&str>,
        #[pyo3(from_py_with = optional_text)] run_format: Option<&str>,
        #[pyo3(from_py_with = optional_path)] intents: Option<PathBuf>,
        #[pyo3(from_py_with = optional_path)] known: Option<PathBuf>,
        #[pyo3(from_py_with = optional_path)] sessions: Option<PathBuf>,
    ) -> PyResult<Self> {
        let qrels_format: Option<QrelsFormat> = named(py, qrels_format)?;
        let run_format: Option<RunFormat> = named(py, run_format)?;
        let in_memory: Vec<RunInput> = runs.iter().filter_map(input).collect();
        let is_memory = in_memory.len() == runs.len() && !runs.is_empty();
        let (grades, file) = match qrels.cast::<PyQrels>() {
            Ok(qrels) => (Some(Arc::clone(&qrels.get().qrels)), PathBuf::new()),
            Err(_) => (None, path(qrels)?),
        };
        let files = if is_memory {
            let names = in_memory.iter().map(|run| PathBuf::from(&run.name));
            names.collect()
        } else {
            let files = runs.iter().map(path).collect::<PyResult<Vec<_>>>()?;
            io::expand_paths(&files).or_raise(py)?
        };
        let request = Request {
            qrels_format,
            run_format,
            intents,
            known,
            sessions,
            ..Request::new(file, files, Vec::new())
        };
        let source = Source {
            request,
            qrels: grades,
            runs: is_memory.then_some(in_memory),
        };
        Ok(Self { source })
    }
}

/// A run in memory.
fn input(run: &Bound<'_, PyAny>) -> Option<RunInput> {
    let run = run.cast::<PyRun>().ok()?.get();
    Some(run.data().input(&run.name))
}

/// Where inputs come from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Files and formats. Runs in memory have their names there.
    request: Request,
    qrels: Option<Arc<Qrels>>,
    runs: Option<Vec<RunInput>>,
}

impl Source {
    /// The inputs, opened.
    pub(crate) fn open(&self) -> Result<Inputs, Failure> {
        match (&self.qrels, &self.runs) {
            (Some(qrels), Some(runs)) => Ok(Inputs::in_memory(Arc::clone(qrels), runs.clone())),
            (Some(_), None) => Err(Failure::Internal(
                "runs of files, judgements in memory".into(),
            )),
            (None, Some(runs)) => {
                let judgements = Request {
                    runs: Vec::new(),
                    ..self.request.clone()
                };
                Ok(Inputs::open(&judgements)?.with_runs(runs.clone()))
            }
            (None, None) => Ok(Inputs::open(&self.request)?),
        }
    }

    /// Whether everything is in files.
    fn is_files(&self) -> bool {
        self.qrels.is_none() && self.runs.is_none()
    }

    /// The number of runs.
    pub(crate) fn len(&self) -> usize {
        self.request.runs.len()
    }

    /// The files that are read.
    pub(crate) fn files(&self) -> Vec<&Path> {
        let mut files = self.request.files();
        if self.runs.is_some() {
            files.retain(|file| !self.request.runs.iter().any(|run| run == file));
        }
        files
    }

    /// The request for what is asked of these inputs.
    pub(crate) fn request(&self, asked: &Asked) -> Request {
        let request = self.request.clone();
        let mut policies = asked.policies.clone();
        let is_preferences = matches!(
            request.qrels_format,
            Some(QrelsFormat::Prefs | QrelsFormat::QrelsPrefs)
        );
        let has_ties = asked.words.policies.iter().any(|(name, _)| name == "ties");
        // trec_eval breaks ties the other way round if the judgements are preferences.
        if is_preferences && asked.profile.prints_trec_names() && !has_ties {
            policies.ties = TieBreak::DocidAsc;
        }
        Request {
            measures: asked.measures.clone(),
            // Results name their files by hash, also where these change before the result is rendered.
            hashes: true,
            profile: asked.profile,
            policies,
            ..request
        }
    }

    /// Evaluates all runs.
    pub(crate) fn evaluate(&self, request: Request) -> Result<Evaluation, Failure> {
        if self.is_files() {
            return Ok(Evaluation::of_files(request)?);
        }
        Ok(self.open()?.evaluate(&request)?)
    }

    /// The names of the judgements and of the first run.
    pub(crate) fn names(&self) -> (String, String) {
        let qrels = match &self.qrels {
            Some(_) => "qrels".into(),
            None => self.request.qrels.to_string_lossy().into_owned(),
        };
        let run = self.request.runs.first();
        (
            qrels,
            run.map_or(String::new(), |run| run.to_string_lossy().into_owned()),
        )
    }

    /// Adds hashes of what is in memory, by which lock files know it again.
    pub(crate) fn identify(&self, evaluation: &mut Evaluation) -> Result<(), Failure> {
        if let Some(qrels) = &self.qrels {
            evaluation.qrels.hash = Some(bytes_hash(&state::write(&rows(qrels))));
        }
        let runs = self.runs.iter().flatten();
        for (run, evaluated) in runs.zip(&mut evaluation.runs) {
            evaluated.file.hash = Some(bytes_hash(&state::write(&*run.run()?)));
        }
        Ok(())
    }
}
