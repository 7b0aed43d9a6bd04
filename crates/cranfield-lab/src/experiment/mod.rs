//! Whole experiments from one file: a collection, indexes, runs, tuned parameters, fusions, the comparison of all runs, their cost and report.
//!
//! An experiment is a list of steps. Each has a key, the hash of all that it depends on, and a step whose key and outputs have not
//! changed is not repeated. Outputs appear when they are complete, so an experiment that was interrupted goes on where it stopped.

mod file;
mod initial;
mod means;
mod outcome;
mod state;
mod steps;

pub use means::Means;
pub use outcome::{Difference, Outcome, Status, StepOutcome};

use std::path::{Path, PathBuf};
use std::time::Instant;

use cranfield_collection::Collection;
use cranfield_eval::{Progress, Step as ProgressStep};
use cranfield_io::{Code, Problem};

use crate::error::Error;
use file::Parts;
use state::State;
use steps::Step;

/// An experiment.
#[derive(Debug)]
pub struct Experiment {
    path: PathBuf,
    parts: Parts,
    collection: Collection,
    /// Receives the progress.
    pub progress: Progress,
}

impl Experiment {
    /// Opens an experiment file and the collection that it names.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let parts = file::read(path)?;
        let collection = Collection::open(&parts.collection)?;
        Ok(Self {
            path: path.into(),
            parts,
            collection,
            progress: Progress::default(),
        })
    }

    /// The folder of the outputs.
    pub fn output(&self) -> &Path {
        &self.parts.output
    }

    /// The file of the report, if there is one.
    pub fn report(&self) -> Option<PathBuf> {
        let report = self.parts.report.as_ref()?;
        Some(self.parts.output.join(&report.file))
    }

    /// The means of the runs in the last comparison.
    pub fn means(&self) -> Option<Means> {
        let results = std::fs::read(self.parts.output.join(steps::RESULTS)).ok()?;
        Some(Means::of_results(&serde_json::from_slice(&results).ok()?))
    }

    /// What is to be done, without doing it.
    pub fn plan(&self) -> Result<Outcome, Error> {
        let state = State::read(&self.parts.output);
        let mut outcome = Outcome::default();
        for step in self.steps() {
            let key = self.key(&step, &state)?;
            let is_to_do = |name: &String| {
                let mut steps = outcome.steps.iter();
                steps.any(|step| step.name == *name && step.status == Status::ToDo)
            };
            let needs_more = step.needs(self).iter().any(is_to_do);
            let is_done = state.is_done(&step.name(), &key, &self.parts.output);
            let status = if is_done && !needs_more {
                Status::Unchanged
            } else {
                Status::ToDo
            };
            let step = StepOutcome::new(step.name(), step.what(self), status);
            outcome.steps.push(step);
        }
        Ok(outcome)
    }

    /// Does all steps that are not done yet, or one of them and those that it needs.
    pub fn run(&self, only: Option<&str>) -> Result<Outcome, Error> {
        let steps = self.selected(only)?;
        std::fs::create_dir_all(&self.parts.output).map_err(|error| self.cannot_create(&error))?;
        let mut state = State::read(&self.parts.output);
        let mut outcome = Outcome::default();
        let total = steps.len();
        for (done, step) in steps.into_iter().enumerate() {
            let name = step.name();
            self.progress.report(ProgressStep {
                measure: "",
                what: &name,
                done,
                total,
            });
            let key = self.key(&step, &state)?;
            if state.is_done(&name, &key, &self.parts.output) {
                outcome.notes.extend_from_slice(state.notes(&name));
                outcome
                    .steps
                    .push(StepOutcome::new(name, step.what(self), Status::Unchanged));
                continue;
            }
            let start = Instant::now();
            let made = match step.run(self, &state) {
                Ok(made) => made,
                Err(error) if self.goes_on_without(&step, &state) => {
                    let why = message_of(&error);
                    outcome.notes.push(why.clone());
                    state.fail(&name, why, &self.parts.output)?;
                    let failed = StepOutcome::new(name, step.what(self), Status::Failed);
                    outcome.steps.push(failed);
                    continue;
                }
                Err(error) => return Err(error),
            };
            state.finish(&name, key, &made, &self.parts.output)?;
            outcome.notes.extend(made.notes);
            let mut done = StepOutcome::new(name, step.what(self), Status::Done);
            done.seconds = Some(start.elapsed().as_secs_f64());
            outcome.steps.push(done);
        }
        state.write_manifest(&self.parts.output, &self.path)?;
        if only.is_none() {
            outcome.means = self.means();
        }
        Ok(outcome)
    }

    /// Does everything again in a temporary folder, and compares the files byte by byte. Times are left out.
    pub fn check(&self) -> Result<Vec<Difference>, Error> {
        let folder = tempfile::tempdir().map_err(|error| self.cannot_create(&error))?;
        let mut again = Self {
            path: self.path.clone(),
            parts: self.parts.clone(),
            collection: self.collection.clone(),
            progress: self.progress.clone(),
        };
        again.parts.output = folder.path().into();
        again.parts.bench = None;
        again.run(None)?;
        Ok(state::differences(&self.parts.output, folder.path()))
    }

    /// Whether a step may fail while others go on: a run that says so, and what is made of such a run.
    fn goes_on_without(&self, step: &Step, state: &State) -> bool {
        match step {
            Step::Run(name) => self.parts.runs[name].keep_going,
            Step::Fuse(name) => {
                let mut runs = self.parts.fuses[name].runs.iter();
                runs.any(|run| state.has_failed(run))
            }
            _ => false,
        }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps = vec![Step::Qrels];
        let indexes = self.parts.indexes.keys().filter(|name| self.is_used(name));
        steps.extend(indexes.map(|name| Step::Index(name.clone())));
        steps.extend(self.parts.runs.keys().map(|name| Step::Run(name.clone())));
        steps.extend(self.parts.tunes.keys().map(|name| Step::Tune(name.clone())));
        steps.extend(self.parts.fuses.keys().map(|name| Step::Fuse(name.clone())));
        steps.extend(self.parts.pool.iter().map(|_| Step::Pool));
        if self.parts.bench.is_some() {
            steps.push(Step::Bench);
        }
        steps.push(Step::Evaluate);
        steps
    }

    fn is_used(&self, index: &str) -> bool {
        let mut runs = self.parts.runs.values();
        runs.any(|run| run.index() == Some(index))
    }

    fn selected(&self, only: Option<&str>) -> Result<Vec<Step>, Error> {
        let steps = self.steps();
        let Some(only) = only else { return Ok(steps) };
        if !steps.iter().any(|step| step.name() == only) {
            let known: Vec<String> = steps.iter().map(Step::name).collect();
            let message = format!("no step `{only}`; the steps are {}", known.join(", "));
            return Err(self.problem(message));
        }
        let needed = steps
            .iter()
            .find(|step| step.name() == only)
            .map(|step| step.needs(self))
            .unwrap_or_default();
        Ok(steps
            .into_iter()
            // A report without cost is better than a measurement that was not asked for.
            .filter(|step| {
                let is_needed = needed.contains(&step.name()) && *step != Step::Bench;
                step.name() == only || is_needed
            })
            .collect())
    }

    fn key(&self, step: &Step, state: &State) -> Result<String, Error> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        for part in step.inputs(self)? {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        for needed in step.needs(self) {
            hasher.update(state.key(&needed).unwrap_or_default().as_bytes());
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// The folder of the experiment file, as the user names it. Paths in the file are relative to it.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    fn label(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn problem(&self, message: String) -> Error {
        let problem = Problem::file(Code::BadExperiment, &self.label(), message);
        Error::Input(problem.into())
    }

    fn cannot_create(&self, error: &std::io::Error) -> Error {
        let folder = self.parts.output.to_string_lossy();
        let message = format!("cannot create the folder: {error}");
        Error::Input(Problem::file(Code::CannotWrite, &folder, message).into())
    }
}

/// The message of an error, without its place.
fn message_of(error: &Error) -> String {
    let first = match error {
        Error::Input(error) => error.problems().first(),
        _ => None,
    };
    first.map_or_else(|| error.to_string(), |problem| problem.message.to_string())
}
