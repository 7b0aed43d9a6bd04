//! `Inputs`: judgements and runs, from files or from memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield::core::groups::{GroupedQrels, GroupedQrelsBuilder};
use cranfield::core::policy::TieBreak;
use cranfield::io::{self, QrelsFormat, RunFormat};
use cranfield::{Evaluation, Inputs, Judgements, Request, RunInput, bytes_hash};
use pyo3::prelude::*;

use crate::arguments::{optional_path, optional_text, path};
use crate::ask::Asked;
use crate::data::named;
use crate::dicts::Role;
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
        let in_memory = runs.iter().filter_map(|run| run.cast::<PyRun>().ok());
        let in_memory: Vec<RunInput> = in_memory.map(|run| input(run.get())).collect();
        let is_memory = in_memory.len() == runs.len() && !runs.is_empty();
        let (judgements, file) = match qrels.cast::<PyQrels>() {
            Ok(qrels) => {
                let grades = Judgements::Grades(Arc::clone(&qrels.get().qrels));
                (Some(Arc::new(grades)), PathBuf::new())
            }
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
            judgements,
            runs: is_memory.then_some(in_memory),
        };
        Ok(Self { source })
    }

    /// Judgements by topic, group and document, each once, and runs in memory.
    #[staticmethod]
    fn of_groups(
        py: Python<'_>,
        judgements: Vec<(String, String, String, f64)>,
        runs: Vec<Bound<'_, PyRun>>,
    ) -> PyResult<Self> {
        let groups = groups_of(&judgements).or_raise(py)?;
        let runs: Vec<RunInput> = runs.iter().map(|run| input(run.get())).collect();
        let names: Vec<PathBuf> = runs.iter().map(|run| PathBuf::from(&run.name)).collect();
        let source = Source {
            request: Request::new(PathBuf::new(), names, Vec::new()),
            judgements: Some(Arc::new(Judgements::Groups(groups))),
            runs: Some(runs),
        };
        Ok(Self { source })
    }
}

fn groups_of(judgements: &[(String, String, String, f64)]) -> Result<GroupedQrels, Failure> {
    let mut groups = GroupedQrelsBuilder::default();
    for (topic, group, doc, grade) in judgements {
        let (topic, doc) = (topic.as_bytes(), doc.as_bytes());
        if !grade.is_finite() {
            return Err(Role::Qrels.not_finite((topic, doc), *grade, None));
        }
        groups.push(topic, group.as_bytes(), doc, *grade);
    }
    let twice = "a group judges a document twice; give each judgement once";
    groups.finish().map_err(|_| Failure::Usage(twice.into()))
}

/// A run in memory.
fn input(run: &PyRun) -> RunInput {
    run.data().input(&run.name)
}

/// Where inputs come from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Files and formats. Runs in memory have their names there.
    request: Request,
    judgements: Option<Arc<Judgements>>,
    runs: Option<Vec<RunInput>>,
}

impl Source {
    /// The inputs, opened.
    pub(crate) fn open(&self) -> Result<Inputs, Failure> {
        match (&self.judgements, &self.runs) {
            (Some(judgements), Some(runs)) => {
                let judgements = Arc::clone(judgements);
                Ok(Inputs::of_judgements(judgements, runs.clone()))
            }
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
        self.judgements.is_none() && self.runs.is_none()
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
        let qrels = match &self.judgements {
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
        if let Some(Judgements::Grades(qrels)) = self.judgements.as_deref() {
            evaluation.qrels.hash = Some(bytes_hash(&state::write(&rows(qrels))));
        }
        let runs = self.runs.iter().flatten();
        for (run, evaluated) in runs.zip(&mut evaluation.runs) {
            evaluated.file.hash = Some(bytes_hash(&state::write(&*run.run()?)));
        }
        Ok(())
    }
}
