//! `gate`: whether a run may replace a baseline.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield::compare::check_values;
use cranfield::gate::{
    Baseline, Gate, GateOutput, Inconclusive, Lock, SelfTest, Settings, Verdict, lock,
    read_baseline_lock, read_topics,
};
use cranfield::io::{self, Output, cannot_write, prepare_text};
use cranfield::render::{Render, ResultFormat};
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request};
use cranfield_cli::exit_code;
use cranfield_cli::results::COMPARED_MEASURES;
use pyo3::prelude::*;

use crate::arguments::path;
use crate::ask::Asked;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::{PyInputs, Source};
use crate::output::{NamedColumn, Printed, PyOutput, Rendered, record_columns, rendered};
use crate::work::watched;

/// A lock file.
#[pyclass(frozen, module = "cranfield._core", name = "Lock")]
pub(crate) struct PyLock {
    path: PathBuf,
    lock: Arc<Lock>,
}

#[pymethods]
impl PyLock {
    /// Reads a lock file; `None` if the file is something else.
    #[staticmethod]
    fn read(py: Python<'_>, #[pyo3(from_py_with = path)] path: PathBuf) -> PyResult<Option<Self>> {
        let lock = read_baseline_lock(&path).or_raise(py)?;
        Ok(lock.map(|lock| Self {
            path,
            lock: Arc::new(lock),
        }))
    }
}

/// A verdict.
struct Gated {
    evaluation: Evaluation,
    gate: Gate,
    lock: Option<Arc<Lock>>,
    digits: usize,
}

impl Printed for Gated {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(GateOutput {
            gate: &self.gate,
            evaluation: &self.evaluation,
            lock: self.lock.as_deref(),
            digits: self.digits,
        })
    }
}

impl Rendered for SelfTest {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        rendered(self, format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(record_columns(self))
    }
}

/// A lock file that was written, of which there is nothing to show.
struct Written;

impl Rendered for Written {
    fn render(&self, _format: ResultFormat) -> anyhow::Result<String> {
        Ok(String::new())
    }
}

/// Files that a gate writes, and what INCONCLUSIVE counts as.
struct Files {
    inconclusive: Inconclusive,
    junit: Option<PathBuf>,
    summary: Option<PathBuf>,
    update: bool,
}

/// Compares a run with a baseline: the second run, or a lock file.
#[pyfunction]
pub(crate) fn gate(
    inputs: &Bound<'_, PyInputs>,
    baseline: Option<&Bound<'_, PyLock>>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let baseline = baseline.map(|held| (held.get().path.clone(), Arc::clone(&held.get().lock)));
    let locked = baseline.as_ref().map(|(_, lock)| lock.measures.join(" "));
    let default = locked.as_deref().unwrap_or(COMPARED_MEASURES);
    let asked = Asked::among(&given, measures, default)?;
    if let (Some((path, lock)), None) = (&baseline, measures) {
        check_level(&asked, path, lock).or_raise(given.py())?;
    }
    let seed = baseline.as_ref().map(|(_, lock)| lock.seed);
    let settings = read_settings(&given, seed)?;
    let files = Files {
        inconclusive: given.parsed("inconclusive")?.unwrap_or_default(),
        junit: given.path("junit")?,
        summary: given.path("summary")?,
        update: given.flag("update")?,
    };
    let write_lock = given.path("write_lock")?;
    let self_test = given.flag("self_test")?;
    let digits = given.digits()?;
    let threads = given.within("threads", 1, 1024)?;
    given.done()?;
    let source = inputs.get().source.clone();
    let request = source.request(&asked);
    check(
        &source,
        &request,
        &files,
        write_lock.as_deref(),
        baseline.as_ref().map(|(path, _)| path.as_path()),
    )
    .or_raise(given.py())?;
    watched(given.py(), threads, watch, move |progress| {
        let settings = Settings {
            progress: progress.clone(),
            ..settings
        };
        let mut evaluation = source.evaluate(Request {
            progress,
            ..request
        })?;
        source.identify(&mut evaluation)?;
        if let Some(path) = write_lock {
            return written(&evaluation, &path, settings.resampling.seed);
        }
        let name = baseline.as_ref().map(|(path, _)| path.to_string_lossy());
        let against = match (&name, &baseline) {
            (Some(name), Some((_, lock))) => Baseline::Lock(name, lock),
            _ => Baseline::Run,
        };
        let gate = Gate::of(&evaluation, against, &settings)?;
        let mut notes = evaluation.notes();
        notes.extend(gate.notes());
        if self_test {
            let tested = gate.self_test()?;
            let code = if tested.holds() {
                exit_code::OK
            } else {
                exit_code::FAILED
            };
            return Ok(PyOutput::new("gate", notes, tested).with_code(code));
        }
        let gated = Gated {
            evaluation,
            gate,
            lock: baseline.as_ref().map(|(_, lock)| Arc::clone(lock)),
            digits,
        };
        let written = files.write(&gated, baseline.as_ref(), settings.resampling.seed)?;
        notes.extend(written.into_iter().map(Into::into));
        let code = exit_code::of_verdict(gated.gate.verdict, files.inconclusive);
        Ok(PyOutput::new("gate", notes, gated).with_code(code))
    })
}

fn read_settings(given: &Given<'_>, seed: Option<u64>) -> PyResult<Settings> {
    let default = Settings::default();
    let excused = match given.path("except_file")? {
        Some(path) => read_topics(&path).or_raise(given.py())?,
        None => Vec::new(),
    };
    Ok(Settings {
        tolerance: given.parsed("tolerance")?.unwrap_or(default.tolerance),
        test: given.parsed("test")?.unwrap_or(default.test),
        alpha: given.number("alpha")?.unwrap_or(default.alpha),
        resampling: Resampling {
            replicates: default.resampling.replicates,
            seed: given
                .whole("seed")?
                .or(seed)
                .unwrap_or(default.resampling.seed),
        },
        ratchet: given.number("ratchet")?,
        excused,
        progress: default.progress,
    })
}

/// Rejects a level that changes the measures of a lock.
fn check_level(asked: &Asked, path: &Path, lock: &Lock) -> Result<(), Failure> {
    let names: Vec<String> = asked.measures.iter().map(ToString::to_string).collect();
    match asked.words.level.filter(|_| names != lock.measures) {
        None => Ok(()),
        Some(level) => Err(Failure::Input(format!(
            "{} has the measures {}, but with level={level} they are {}; omit level, or write a new lock",
            path.display(),
            lock.measures.join(" "),
            names.join(" ")
        ))),
    }
}

/// Rejects what cannot be compared, and outputs that are inputs.
fn check(
    source: &Source,
    request: &Request,
    files: &Files,
    write_lock: Option<&Path>,
    lock: Option<&Path>,
) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.into()));
    let expected = if lock.is_some() || write_lock.is_some() {
        1
    } else {
        2
    };
    if source.len() != expected {
        let found = source.len();
        return usage(&format!(
            "expected one run and one baseline, found {found} runs"
        ));
    }
    if files.update && lock.is_none() {
        return usage("update needs a lock file as the baseline; create one with write_lock");
    }
    check_values(&request.policies)?;
    let outputs = [write_lock, files.junit.as_deref(), files.summary.as_deref()];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().collect();
    let mut inputs = source.files();
    inputs.extend(lock);
    Ok(io::check_outputs(&outputs, &inputs)?)
}

/// Writes a lock file.
fn written(evaluation: &Evaluation, path: &Path, seed: u64) -> Result<PyOutput, Failure> {
    let made = lock(evaluation, seed)?;
    io::save_text(&made.render(), path)?;
    let mut notes = evaluation.notes();
    notes.push(format!("wrote {}: {}", path.display(), made.summary()).into());
    Ok(PyOutput::new("gate", notes, Written))
}

impl Files {
    /// Writes all files, and returns notes. The lock is replaced last: if any file cannot be written, it stays as it was.
    fn write(
        &self,
        gated: &Gated,
        baseline: Option<&(PathBuf, Arc<Lock>)>,
        seed: u64,
    ) -> Result<Vec<String>, Failure> {
        let junit = self.junit.as_deref();
        let junit = junit.map(|path| prepare_text(&gated.gate.junit(self.inconclusive), path));
        let junit = junit.transpose()?;
        let baseline = baseline.filter(|_| self.update);
        let replaced = baseline.filter(|_| gated.gate.is_better());
        let replaced = replaced.map(|(path, _)| -> Result<(Lock, Output), Failure> {
            let made = lock(&gated.evaluation, seed)?;
            let file = prepare_text(&made.render(), path)?;
            Ok((made, file))
        });
        let replaced = replaced.transpose()?;
        if let Some(path) = &self.summary {
            append(path, &gated.render(ResultFormat::Md)?)?;
        }
        junit.into_iter().try_for_each(Output::finish)?;
        let Some((path, old)) = baseline else {
            return Ok(Vec::new());
        };
        let name = path.display();
        let Some((made, file)) = replaced else {
            let why = match gated.gate.verdict {
                Verdict::Pass => {
                    "the run passes, but no mean is higher without another being lower"
                }
                Verdict::Fail => "the run fails",
                Verdict::Inconclusive => "the verdict is inconclusive",
            };
            return Ok(vec![format!("{name} is kept: {why}")]);
        };
        file.finish()?;
        Ok(vec![
            format!("{name} was {}", old.summary()),
            format!("{name} is now {}", made.summary()),
        ])
    }
}

/// Appends text to a file.
fn append(path: &Path, text: &str) -> Result<(), io::Error> {
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let written = opened.and_then(|mut file| file.write_all(format!("{text}\n").as_bytes()));
    written.map_err(|error| cannot_write(&path.to_string_lossy(), &error))
}
