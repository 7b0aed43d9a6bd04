//! Programs and functions of Python as assessors, and the judgements of a folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cranfield::Qrels;
use cranfield::core::policy::TieBreak;
use cranfield::core::setting::Message;
use cranfield::eval::MergeRule;
use cranfield::io::{Source, read_qrels, read_run};
use cranfield::judge::machine::{Asked, FinishedGrading, OpenGrading, Outcome};
use cranfield::judge::{
    GivenSettings, Graded, GradingRequest, JudgeError, Limits, Live, OutputFiles, Pair, Program,
    Scale, Settings, Sources, candidates, export, pairs_of,
};
use cranfield::lab::engine::command::Argv;
use cranfield::pool::{PoolSettings, Rankings, Strategy, named_runs};
use cranfield::render::Render;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::output::{Printed, PyOutput};
use crate::qrels::PyQrels;
use crate::run::PyRun;
use crate::work::{watched, work};

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Self {
        match error {
            JudgeError::Input(error) => error.into(),
            JudgeError::Name(error) => error.into(),
            other => Self::Usage(other.to_string()),
        }
    }
}

/// A pool: a run in memory, or a file. Or runs, from which a strategy chooses.
pub(crate) enum Pool {
    Run(Py<PyRun>),
    Path(PathBuf),
    Runs(Py<PyInputs>),
}

impl<'py> FromPyObject<'_, 'py> for Pool {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(run) = object.cast::<PyRun>() {
            return Ok(Self::Run(run.to_owned().unbind()));
        }
        match object.cast::<PyInputs>() {
            Ok(runs) => Ok(Self::Runs(runs.to_owned().unbind())),
            Err(_) => Ok(Self::Path(crate::arguments::path(&object)?)),
        }
    }
}

impl Pool {
    /// The files that are read.
    fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Run(_) => Vec::new(),
            Self::Path(path) => vec![path.clone()],
            Self::Runs(inputs) => inputs
                .get()
                .source
                .files()
                .into_iter()
                .map(Path::to_owned)
                .collect(),
        }
    }

    /// The documents to judge, and the strategy that chooses among them.
    fn candidates(
        &self,
        choice: Option<Choice>,
        seed: u64,
    ) -> Result<(Vec<Pair>, Option<Live>), Failure> {
        let inputs = match self {
            Self::Run(run) => return Ok((pairs_of(run.get().data().run())?, None)),
            Self::Path(path) => {
                let pool = read_run(&Source::open(path)?, None)?;
                return Ok((pairs_of(&pool)?, None));
            }
            Self::Runs(inputs) => inputs.get().source.open()?.load()?,
        };
        let missing = || Failure::Usage("several runs need a strategy".into());
        let Choice { settings, depth } = choice.ok_or_else(missing)?;
        let depth = Some(depth);
        let runs = named_runs(inputs.runs())?;
        let rankings = Rankings::new(&runs, TieBreak::default(), depth)?;
        Ok(candidates(
            &rankings,
            depth,
            &PoolSettings { seed, ..settings },
        )?)
    }
}

/// How documents are chosen from runs.
struct Choice {
    settings: PoolSettings,
    depth: usize,
}

impl Choice {
    fn take(given: &Given<'_>) -> PyResult<Option<Self>> {
        let strategy: Option<Strategy> = given.named("strategy")?;
        let budget = given.within("budget", 1, usize::MAX)?;
        let depth = given.within("depth", 1, usize::MAX)?.unwrap_or(100);
        let level = given.number("level")?.unwrap_or(1.0);
        Ok(strategy.map(|strategy| Self {
            settings: PoolSettings {
                budget,
                level,
                ..PoolSettings::new(strategy)
            },
            depth,
        }))
    }
}

struct Printable(Graded);

impl Printed for Printable {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(Wrapped(&self.0))
    }
}

/// A summary by reference.
struct Wrapped<'a>(&'a Graded);

impl Render for Wrapped<'_> {
    fn content(&self) -> cranfield::render::Content {
        self.0.content()
    }

    fn records(&self) -> cranfield::render::Records<'_> {
        self.0.records()
    }

    fn json(&self) -> serde_json::Value {
        self.0.json()
    }
}

fn merge_rule(given: &Given<'_>) -> PyResult<MergeRule> {
    let rule = given.read("merge", |text| {
        let mut known = MergeRule::ALL.iter();
        let found = known.find(|rule| rule.name() == text);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = MergeRule::ALL.iter().map(|rule| rule.name()).collect();
            format!("expected one of {}", names.join(", "))
        })
    })?;
    Ok(rule.unwrap_or(MergeRule::Majority))
}

/// The request of a call, and the file that it reads.
fn request(
    pool: &Pool,
    (output, who): (PathBuf, String),
    given: &Given<'_>,
) -> PyResult<GradingRequest> {
    let py = given.py();
    let scale = given.path("scale")?;
    let holes = given.path("fill_holes")?;
    let filled = given.path("export")?;
    let sources = Sources {
        collection: given.path("collection")?,
        index: given.path("index")?,
        topics: given.path("topics")?,
    };
    let audit = given.whole("audit")?;
    let mut read = pool.files();
    // Runs that were read into memory.
    let files = given.strings("files")?;
    read.extend(files.into_iter().map(PathBuf::from));
    let inputs = scale.iter().chain(&holes).chain(&read);
    let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
    let files = OutputFiles {
        folder: &output,
        who: Some(&who),
        export: filled.as_deref(),
        is_filled: holes.is_some(),
        is_audited: audit.is_some(),
    };
    let checked = files.check(&inputs, &sources);
    checked.map_err(Failure::from).or_raise(py)?;
    let scale = scale.map(|path| Scale::open(&path)).transpose();
    let holes = holes.map(|path| -> Result<Qrels, cranfield::io::Error> {
        read_qrels(&Source::open(&path)?, None)
    });
    let settings = GivenSettings {
        seed: given.whole("seed")?,
        scale: scale.map_err(Failure::from).or_raise(py)?,
        ..GivenSettings::default()
    };
    let resolved = Settings::resolve(&output, &settings);
    let seed = resolved.map_err(Failure::from).or_raise(py)?.seed;
    let chosen = pool.candidates(Choice::take(given)?, seed);
    let (pool, live) = chosen.or_raise(py)?;
    Ok(GradingRequest {
        folder: output,
        who,
        pool,
        live,
        sources,
        settings,
        prompt: given.text("prompt")?,
        votes: given.within("votes", 1, 100)?.unwrap_or(1) as u32,
        merge: merge_rule(given)?,
        audit,
        holes: holes.transpose().or_raise(py)?,
        filled,
    })
}

fn output(finished: FinishedGrading) -> PyOutput {
    let notes = finished.notes.into_iter().map(Message::from).collect();
    PyOutput::new("judge", notes, Printable(finished.graded))
}

/// Lets a program judge a pool.
#[pyfunction]
pub(crate) fn judge(
    pool: Pool,
    folder: PathBuf,
    who: String,
    command: Vec<String>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let limits = Limits {
        in_flight: given.within("in_flight", 1, 10_000)?,
        restarts: given.whole("restarts")?.unwrap_or(3),
        timeout: timeout(&given)?,
        ..Limits::default()
    };
    let plain = given.flag("plain")?;
    let request = request(&pool, (folder, who), &given)?;
    given.done()?;
    let argv = Argv::new(command).ok_or_else(|| Failure::Usage("with_ names no program".into()));
    let argv = argv.or_raise(given.py())?;
    let finished = watched(given.py(), None, watch, move |progress| {
        let program = Program {
            argv,
            limits,
            plain,
            progress,
        };
        let mut open = request.open()?;
        let asked = program.ask(&mut open.grading)?;
        Ok(open.finish(asked)?)
    })?;
    Ok(output(finished))
}

fn timeout(given: &Given<'_>) -> PyResult<Duration> {
    let Some(seconds) = given.number("timeout")? else {
        return Ok(Limits::default().timeout);
    };
    let timeout = Duration::try_from_secs_f64(seconds).ok();
    let timeout = timeout.filter(|timeout| !timeout.is_zero() && timeout.as_secs() < 1_000_000);
    let message = "timeout must be a positive number of seconds";
    timeout
        .ok_or_else(|| Failure::Usage(message.into()))
        .or_raise(given.py())
}

/// A pool that a function of Python judges.
#[pyclass(frozen, module = "cranfield._core", name = "Judging")]
pub(crate) struct PyJudging(Mutex<Option<OpenGrading>>);

impl PyJudging {
    fn open(&self) -> MutexGuard<'_, Option<OpenGrading>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_over() -> Failure {
    Failure::Usage("judging has ended".into())
}

#[pymethods]
impl PyJudging {
    #[new]
    fn new(
        pool: Pool,
        folder: PathBuf,
        who: String,
        version: Option<String>,
        given: Given<'_>,
    ) -> PyResult<Self> {
        let request = request(&pool, (folder, who), &given)?;
        given.done()?;
        let open = work(given.py(), true, None, move || {
            let mut open = request.open()?;
            open.grading.set_version(version);
            Ok(open)
        })?;
        Ok(Self(Mutex::new(Some(open))))
    }

    /// Numbers of the questions that are not answered.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let open = self.open();
        let open = open.as_ref().ok_or_else(is_over).or_raise(py)?;
        Ok(open.grading.missing())
    }

    /// The number of the next question that a strategy chooses, if there is one.
    fn choose(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let mut open = self.open();
        let open = open.as_mut().ok_or_else(is_over).or_raise(py)?;
        let chosen = open.grading.choose(&HashSet::new());
        chosen.map_err(Failure::from).or_raise(py)
    }

    /// Number of questions that are not answered.
    fn left(&self, py: Python<'_>) -> PyResult<usize> {
        let open = self.open();
        let open = open.as_ref().ok_or_else(is_over).or_raise(py)?;
        Ok(open.grading.left())
    }

    /// A question as JSON.
    fn question(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        let open = self.open();
        let open = open.as_ref().ok_or_else(is_over).or_raise(py)?;
        let question = open.grading.question(number);
        let question = question.map_err(Failure::from).or_raise(py)?;
        let json = serde_json::to_string(&question);
        json.map_err(|error| Failure::Internal(error.to_string()))
            .or_raise(py)
    }

    /// Keeps a grade, or a reason for not giving one.
    fn record(
        &self,
        py: Python<'_>,
        number: usize,
        grade: Option<f64>,
        reason: Option<String>,
        ms: u64,
    ) -> PyResult<()> {
        let mut open = self.open();
        let open = open.as_mut().ok_or_else(is_over).or_raise(py)?;
        let outcome = match grade {
            None => Outcome::Skip(reason.unwrap_or_default()),
            Some(number) => {
                let grade = open.grading.scale().grade(number);
                let wrong = || Failure::Input(format!("the grade {number} is not on the scale"));
                Outcome::Grade {
                    grade: grade.ok_or_else(wrong).or_raise(py)?,
                    reason,
                    confidence: None,
                    model: None,
                    usage: None,
                }
            }
        };
        let recorded = open.grading.record(vec![(number, outcome, ms)]);
        recorded.map_err(Failure::from).or_raise(py)
    }

    /// Ends judging; the summary.
    fn finish(&self, py: Python<'_>, asked: usize) -> PyResult<PyOutput> {
        let open = self.open().take().ok_or_else(is_over).or_raise(py)?;
        let asked = Asked {
            questions: asked,
            ..Asked::default()
        };
        let finished = open.finish(asked).map_err(Failure::from).or_raise(py)?;
        Ok(output(finished))
    }
}

/// The judgements of one assessor of a folder, or of all merged; and the names of the assessors.
#[pyfunction]
pub(crate) fn read_judgements(
    folder: PathBuf,
    who: Option<String>,
    given: Given<'_>,
) -> PyResult<(PyQrels, Vec<String>)> {
    let rule = merge_rule(&given)?;
    given.done()?;
    work(given.py(), true, None, move || {
        let exported = export(&folder, who.as_deref(), rule)?;
        let qrels = PyQrels {
            qrels: Arc::new(exported.qrels),
            name: "judgements".into(),
        };
        Ok((qrels, exported.assessors))
    })
}
