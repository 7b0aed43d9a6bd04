//! Judgements and runs, opened once for everything that a command asks of them.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_core::evaluate::Plan;
use cranfield_core::known::KnownDocuments;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{End, Policies};
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{Error, QrelsFormat, RunFormat, Source};
use cranfield_measures::profiles::Profile;

use crate::engine::{self, RunScores};
use crate::evaluation::{
    EvaluatedRun, Evaluation, InputFile, Judgements, JudgementsOfRequest, Request, by_policies,
    checks, evaluate_each, gains, has_reference_values, names_of, scores_of,
};

/// A run that a caller keeps in a form of its own.
pub trait RunData: fmt::Debug + Send + Sync {
    /// Evaluates the rankings where they are.
    fn evaluate(&self, qrels: &Qrels, plan: &Plan) -> RunScores;

    /// The rankings as a run. It may be asked for often, so that a copy is worth keeping.
    fn to_run(&self) -> Arc<Run>;
}

/// The content of a run.
#[derive(Clone, Debug)]
pub enum RunContent {
    /// A file that is opened when it is evaluated.
    File(PathBuf, Option<RunFormat>),
    /// A file that is open.
    Open(Arc<Source>, Option<RunFormat>),
    /// A run in memory.
    Parsed(Arc<Run>),
    /// A run that the caller keeps.
    Data(Arc<dyn RunData>),
}

impl From<Run> for RunContent {
    fn from(run: Run) -> Self {
        Self::Parsed(Arc::new(run))
    }
}

impl From<Arc<Run>> for RunContent {
    fn from(run: Arc<Run>) -> Self {
        Self::Parsed(run)
    }
}

/// A run among the inputs.
#[derive(Clone, Debug)]
pub struct RunInput {
    /// Its name in results.
    pub name: String,
    /// Where it comes from.
    pub file: InputFile,
    /// Its rankings.
    pub content: RunContent,
}

impl RunInput {
    /// A run that is in memory.
    pub fn new(name: impl Into<String>, content: impl Into<RunContent>) -> Self {
        let name = name.into();
        Self {
            file: InputFile::in_memory(&name),
            name,
            content: content.into(),
        }
    }

    /// The run. A file is read each time, unless the inputs were [loaded](Inputs::load).
    ///
    /// # Errors
    /// If the file is invalid.
    pub fn run(&self) -> Result<Arc<Run>, Error> {
        match &self.content {
            RunContent::Parsed(run) => Ok(Arc::clone(run)),
            RunContent::Data(data) => Ok(data.to_run()),
            RunContent::File(path, format) => read_run(&Source::open(path)?, *format),
            RunContent::Open(source, format) => read_run(source, *format),
        }
    }

    /// The run in memory.
    fn loaded(&self, hashes: bool) -> Result<Self, Error> {
        let (source, format) = match &self.content {
            RunContent::File(path, format) => (Arc::new(Source::open(path)?), *format),
            RunContent::Open(source, format) => (Arc::clone(source), *format),
            RunContent::Parsed(_) | RunContent::Data(_) => return Ok(self.clone()),
        };
        Ok(Self {
            name: self.name.clone(),
            file: InputFile::of(&source, hashes),
            content: cranfield_io::read_run(&source, format)?.into(),
        })
    }
}

fn read_run(source: &Source, format: Option<RunFormat>) -> Result<Arc<Run>, Error> {
    cranfield_io::read_run(source, format).map(Arc::new)
}

/// The runs of a request. A single one is opened, unless it is standard input, which may hold the judgements.
fn run_inputs(request: &Request) -> Result<Vec<RunInput>, Error> {
    let format = request.run_format;
    let paths: Vec<Cow<'_, str>> = request.runs.iter().map(|path| shown(path)).collect();
    let paths: Vec<&str> = paths.iter().map(AsRef::as_ref).collect();
    let named = names_of(&paths).into_iter().zip(&request.runs);
    let mut runs = Vec::with_capacity(request.runs.len());
    for (name, path) in named {
        let content = match &*request.runs {
            [single] if single.as_os_str() != "-" => {
                RunContent::Open(Arc::new(Source::open(single)?), format)
            }
            _ => RunContent::File(path.clone(), format),
        };
        runs.push(RunInput {
            name,
            file: InputFile::named(&shown(path)),
            content,
        });
    }
    Ok(runs)
}

/// A path as results show it.
fn shown(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some("-") => Cow::Borrowed("<stdin>"),
        _ => path.to_string_lossy(),
    }
}

/// Judgements and runs, opened once.
///
/// ```
/// use cranfield_eval::{Conventions, Inputs, Qrels, Request, Run, RunInput, parse_measures};
///
/// let qrels = Qrels::from_judgements([("q1", "d1", 1.0), ("q1", "d2", 0.0)]);
/// let run = Run::from_scores("mine", [("q1", "d2", 2.0), ("q1", "d1", 1.0)]);
/// let inputs = Inputs::in_memory(qrels, [RunInput::new("mine", run)]);
/// let request = Request::of_measures(parse_measures("RR", &Conventions::default())?);
/// assert_eq!(inputs.evaluate(&request)?.runs[0].scores.row(0), [0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Inputs {
    judgements: Arc<Judgements>,
    qrels: InputFile,
    intents: Option<InputFile>,
    known: Option<(Arc<KnownDocuments>, InputFile)>,
    runs: Vec<RunInput>,
    hashes: bool,
}

impl Inputs {
    /// Reads the judgements of a request and names its runs. A run is opened when it is evaluated, and then closed: a
    /// caller that needs runs more than once [loads](Self::load) them.
    ///
    /// # Errors
    /// If a file is invalid.
    pub fn open(request: &Request) -> Result<Self, Error> {
        let (judgements, runs) = engine::both(
            || JudgementsOfRequest::read(request),
            || run_inputs(request),
        );
        let read = judgements?;
        Ok(Self {
            judgements: Arc::new(read.judgements),
            qrels: read.qrels,
            intents: read.intents,
            known: read.known,
            runs: runs?,
            hashes: request.hashes,
        })
    }

    /// Judgements and runs that are in memory.
    pub fn in_memory(
        qrels: impl Into<Arc<Qrels>>,
        runs: impl IntoIterator<Item = RunInput>,
    ) -> Self {
        Self::of_judgements(Judgements::Grades(qrels.into()), runs)
    }

    /// Judgements of any kind and runs, in memory.
    pub fn of_judgements(
        judgements: impl Into<Arc<Judgements>>,
        runs: impl IntoIterator<Item = RunInput>,
    ) -> Self {
        Self {
            judgements: judgements.into(),
            qrels: InputFile::in_memory("qrels"),
            intents: None,
            known: None,
            runs: runs.into_iter().collect(),
            hashes: false,
        }
    }

    /// The judgements with other runs.
    #[must_use]
    pub fn with_runs(self, runs: impl IntoIterator<Item = RunInput>) -> Self {
        Self {
            runs: runs.into_iter().collect(),
            ..self
        }
    }

    /// Judgements and one run that are in memory.
    pub fn new(qrels: Qrels, run: Run) -> Self {
        Self::in_memory(qrels, [RunInput::new("run", run)])
    }

    /// Reads judgements and a run.
    ///
    /// # Errors
    /// If a file is invalid.
    pub fn read(
        qrels: &Path,
        qrels_format: Option<QrelsFormat>,
        run: &Path,
        run_format: Option<RunFormat>,
    ) -> Result<Self, Error> {
        let request = Request {
            qrels_format,
            run_format,
            ..Request::new(qrels, [run], Vec::new())
        };
        Self::open(&request)?.load()
    }

    /// Reads all runs into memory, so that each file is opened once however often it is used.
    ///
    /// # Errors
    /// If a file is invalid.
    pub fn load(self) -> Result<Self, Error> {
        let runs = engine::in_parallel(&self.runs, |run| run.loaded(self.hashes));
        Ok(Self {
            runs: runs.into_iter().collect::<Result<_, _>>()?,
            ..self
        })
    }

    /// Names files in results by their paths below a folder, so that results do not depend on where it is. Runs should be
    /// [loaded](Self::load), because they are not found under these names.
    #[must_use]
    pub fn relative_to(mut self, folder: &Path) -> Self {
        let files = self.runs.iter_mut().map(|run| &mut run.file);
        for file in files.chain([&mut self.qrels]) {
            if let Ok(rest) = Path::new(&file.path).strip_prefix(folder) {
                file.path = rest.to_string_lossy().into_owned();
            }
        }
        self
    }

    /// Some of the runs, by place, with the same judgements.
    #[must_use]
    pub fn select(&self, runs: &[usize]) -> Self {
        Self {
            runs: runs.iter().map(|run| self.runs[*run].clone()).collect(),
            ..self.clone()
        }
    }

    /// The judgements.
    pub fn judgements(&self) -> &Judgements {
        &self.judgements
    }

    /// The judgements, if they are grades.
    pub fn qrels(&self) -> Option<&Arc<Qrels>> {
        match &*self.judgements {
            Judgements::Grades(qrels) => Some(qrels),
            _ => None,
        }
    }

    /// The name of the file of judgements.
    pub fn qrels_path(&self) -> &str {
        &self.qrels.path
    }

    /// The runs.
    pub fn runs(&self) -> &[RunInput] {
        &self.runs
    }

    /// The grades that the judgements have, ascending.
    pub fn grades(&self) -> Vec<f64> {
        let mut grades = Vec::new();
        for topic in self.qrels().into_iter().flat_map(|qrels| qrels.topics()) {
            let counted = topic.base(Policies::OWN.negative).grades();
            grades.extend(counted.iter().map(|level| level.grade));
            grades.sort_unstable_by(f64::total_cmp);
            grades.dedup();
        }
        grades
    }

    /// The plan of a request for these judgements. The files of the request are ignored.
    ///
    /// # Errors
    /// If the judgements do not allow the measures, vectors or policies.
    pub fn plan(&self, request: &Request) -> Result<Plan, Error> {
        let name = &self.qrels.path;
        let (judgements, known) = (&self.judgements, self.known.as_ref());
        judgements.check(&request.measures, name, known.is_some())?;
        checks::policies(judgements, request, name)?;
        judgements.check_vectors(request, name)?;
        Ok(Plan {
            measures: request.measures.clone(),
            vectors: request.vectors.clone(),
            topic_vectors: request.topic_vectors,
            reference_values: has_reference_values(request.profile, &request.policies),
            policies: request.policies.clone(),
            missing_document: None,
            end: End::default(),
            known: known.map(|(known, _)| Arc::clone(known)),
        })
    }

    /// Evaluates all runs. The files of the request are ignored.
    ///
    /// # Errors
    /// If a run is invalid, or the judgements do not allow the measures, vectors or policies.
    pub fn evaluate(&self, request: &Request) -> Result<Evaluation, Error> {
        let plan = self.plan(request)?;
        let runs = evaluate_each(&self.runs, &request.progress, |run| {
            self.evaluate_run(run, &plan, request.profile)
        });
        let runs = runs.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(self.evaluation(plan, request.profile, runs))
    }

    /// Evaluates a run, which need not be one of the inputs, by a plan that was [made](Self::plan) for them.
    ///
    /// # Errors
    /// If the run is invalid.
    pub fn evaluate_run(
        &self,
        run: &RunInput,
        plan: &Plan,
        profile: Profile,
    ) -> Result<EvaluatedRun, Error> {
        let run = match &run.content {
            RunContent::File(path, format) => &RunInput {
                content: RunContent::Open(Arc::new(Source::open(path)?), *format),
                ..run.clone()
            },
            _ => run,
        };
        let evaluate = |plan: &Plan| {
            let scores = by_policies(profile, plan, |plan| scores_of(run, &self.judgements, plan))?;
            Ok::<_, Error>(RunScores {
                name: run.name.clone(),
                ..scores
            })
        };
        let file = match &run.content {
            RunContent::Open(source, _) => InputFile::of(source, self.hashes),
            _ => run.file.clone(),
        };
        let (scores, upper) = if plan.policies.are_bounds() {
            let least = evaluate(&plan.at(End::Least))?;
            (least, Some(evaluate(&plan.at(End::Greatest))?))
        } else {
            (evaluate(plan)?, None)
        };
        Ok(EvaluatedRun {
            file,
            scores,
            upper,
        })
    }

    /// The evaluation of runs that were evaluated one by one.
    pub fn evaluation(&self, plan: Plan, profile: Profile, runs: Vec<EvaluatedRun>) -> Evaluation {
        let (topics, judgements) = self.judgements.size();
        let qrels = self.judgements.qrels();
        Evaluation {
            qrels: self.qrels.clone(),
            intents: self.intents.clone(),
            known: self.known.as_ref().map(|(_, file)| file.clone()),
            sessions: self.judgements.session_file().cloned(),
            topics,
            judgements,
            graded: qrels.is_some(),
            grades: gains::grades(&plan, qrels),
            plan,
            profile,
            runs,
        }
    }

    /// The scores of the first run by measures as a program defines them.
    ///
    /// # Errors
    /// If there is no run, or if the judgements do not allow the measures.
    pub(crate) fn scores(
        &self,
        measures: &[BoundMeasure],
        profile: Profile,
        policies: &Policies,
    ) -> Result<RunScores, Error> {
        let name = &self.qrels.path;
        self.judgements
            .check(measures, name, self.known.is_some())?;
        let plan = Plan {
            measures: measures.to_vec(),
            policies: policies.clone(),
            reference_values: has_reference_values(profile, policies),
            ..Plan::default()
        };
        let Some(run) = self.runs.first() else {
            return Ok(RunScores::default());
        };
        by_policies(profile, &plan, |plan| {
            scores_of(run, &self.judgements, plan)
        })
    }

    /// Frees the memory on two threads: giving back a large file takes a while.
    pub(crate) fn close(self) {
        let Self {
            judgements, runs, ..
        } = self;
        engine::both(|| drop(judgements), || drop(runs));
    }
}

#[cfg(test)]
mod tests;
