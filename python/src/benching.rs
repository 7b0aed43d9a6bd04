//! `bench`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield::eval::Inputs;
use cranfield::io::{Code, Problem, check_outputs};
use cranfield::lab::bench::{
    BenchError, BenchResult, BenchSettings, IndexBenchResult, IndexBenchSettings, Indexing, Judged,
    Load, bench as measure, bench_indexing, cores,
};
use cranfield::lab::duration::parse_duration;
use cranfield::lab::engine::{ColdIndex, Engine, EnginePath, EngineSettings};
use cranfield::lab::inputs;
use cranfield::render::Render;
use cranfield::report::plot::{PlotFormat, Sheet};
use cranfield::search::{Feedback, Model};
use cranfield::{Judgements, Plan, Qrels, Request, plots};
use pyo3::prelude::*;

use crate::arguments::paths;
use crate::ask::Asked;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::objects::{QrelsSource, TopicSource};
use crate::output::{Printed, PyOutput};
use crate::searching::{EngineSource, query_fields};
use crate::work::watched;

/// The exit code of an inconclusive benchmark.
const INCONCLUSIVE: u8 = 4;

/// Quality without `measures`.
const MEASURES: &str = "nDCG@10";

/// Measured engines.
struct Measured(BenchResult);

impl Printed for Measured {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// Measured indexing.
struct MeasuredIndexing(IndexBenchResult);

impl Printed for MeasuredIndexing {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// Engines that are open, with their paths.
type Opened<'a> = Vec<(&'a Path, Box<dyn Engine>)>;

/// The engines and their settings.
struct Engines {
    sources: Vec<EngineSource>,
    models: Vec<Model>,
    feedback: Option<Feedback>,
    similarity: cranfield::search::dense::Similarity,
    is_cold: bool,
}

impl Engines {
    fn read(sources: Vec<EngineSource>, given: &Given<'_>) -> PyResult<Self> {
        let models = given.strings("models")?.into_iter();
        let models = models.map(|model| model.parse()).collect::<Result<_, _>>();
        Ok(Self {
            sources,
            models: models.or_raise(given.py())?,
            feedback: given.named("feedback")?,
            similarity: given.parsed("similarity")?.unwrap_or_default(),
            is_cold: given.flag("cold")?,
        })
    }

    /// Opens them; an index once for each model.
    fn open(&self) -> Result<Opened<'_>, Failure> {
        let mut engines = Opened::new();
        for source in &self.sources {
            let is_index = match source {
                EngineSource::Index(_) => true,
                EngineSource::Path(path) => matches!(EnginePath::new(path), EnginePath::Index(_)),
            };
            let usual = [Model::default()];
            let models = match &self.models[..] {
                models if is_index && !models.is_empty() => models,
                _ => &usual,
            };
            for model in models {
                let settings = EngineSettings {
                    model: model.clone(),
                    feedback: self.feedback.clone().filter(|_| is_index),
                    similarity: self.similarity,
                };
                let engine: Box<dyn Engine> = match source {
                    EngineSource::Path(path) if self.is_cold && is_index => {
                        Box::new(ColdIndex::open(path, &settings)?)
                    }
                    _ if self.is_cold => {
                        let message = "cold needs paths of indexes; an open index stays in memory";
                        return Err(Failure::Usage(message.into()));
                    }
                    _ => source.open(&settings)?,
                };
                if engines
                    .iter()
                    .any(|(_, other)| other.name() == engine.name())
                {
                    let name = engine.name();
                    let message =
                        format!("two engines are named `{name}`; set `name` in one of the files");
                    return Err(Failure::Usage(message));
                }
                engines.push((source.path(), engine));
            }
        }
        Ok(engines)
    }
}

/// The judgements, and the plan of the measures.
fn judgements(source: QrelsSource, asked: &Asked) -> Result<(Arc<Qrels>, Plan), Failure> {
    let path = source.path().map(Path::to_owned).unwrap_or_default();
    let request = Request::new(path, Vec::<PathBuf>::new(), asked.measures.clone());
    let inputs = match source {
        QrelsSource::Memory(qrels) => {
            Inputs::of_judgements(Arc::new(Judgements::Grades(qrels)), Vec::new())
        }
        QrelsSource::Path(_) => Inputs::open(&request)?,
    };
    let plan = inputs.plan(&request)?;
    let no_grades = || Failure::Usage("expected judgements with grades".into());
    Ok((Arc::clone(inputs.qrels().ok_or_else(no_grades)?), plan))
}

/// Measures the cost of engines on the same topics.
#[pyfunction]
pub(crate) fn bench(
    engines: Vec<EngineSource>,
    topics: TopicSource,
    qrels: Option<QrelsSource>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let engines = Engines::read(engines, &given)?;
    // Before the measures, which would take `depth` for a policy.
    let settings = settings(&given)?;
    let asked = Asked::among(&given, measures, MEASURES)?;
    let (fields, strict) = (query_fields(&given)?, given.flag("strict")?);
    let figure = given.path("figure")?;
    let format = figure.as_deref().map(figure_format).transpose();
    let format = format.or_raise(given.py())?;
    if figure.is_some() && qrels.is_none() {
        let message = "figure shows quality against latency; pass qrels";
        return Err(Failure::Usage(message.into()).raise(given.py()));
    }
    given.done()?;
    let mut files: Vec<&Path> = engines.sources.iter().map(EngineSource::path).collect();
    files.extend(topics.path());
    files.extend(qrels.as_ref().and_then(QrelsSource::path));
    check_outputs(&Vec::from_iter(&figure), &files).or_raise(given.py())?;
    watched(given.py(), None, watch, move |progress| {
        let opened = engines.open()?;
        let (queries, _) = inputs::queries(&topics.open()?, &fields);
        let judged = qrels.map(|qrels| judgements(qrels, &asked)).transpose()?;
        let judged = judged.as_ref().map(|(qrels, plan)| Judged { qrels, plan });
        let references: Vec<&dyn Engine> = opened.iter().map(|(_, engine)| &**engine).collect();
        let settings = BenchSettings {
            progress,
            ..settings
        };
        let result = measure(&references, &queries, judged, &settings);
        let result = result.map_err(|error| located(error, &opened))?;
        let mut notes = Vec::new();
        if let (Some(figure), Some(format)) = (&figure, format) {
            match result.pareto() {
                Some(plot) => plots::save(&plot.render(format, &Sheet::default())?, figure)?,
                None => notes.push("no figure: no topic is judged".into()),
            }
        }
        let is_sound = result.is_sound();
        let output = PyOutput::new("bench", notes, Measured(result));
        Ok(if strict && !is_sound {
            output.with_code(INCONCLUSIVE)
        } else {
            output
        })
    })
}

/// Measures the cost of indexing. `program` starts the command line.
#[pyfunction]
pub(crate) fn bench_index(
    #[pyo3(from_py_with = paths)] inputs: Vec<PathBuf>,
    program: Vec<OsString>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let usual = settings(&given)?;
    let strict = given.flag("strict")?;
    let (mut analyzers, mut threads) = (given.strings("analyzer")?, given.wholes("threads")?);
    if analyzers.is_empty() {
        analyzers.push("english".into());
    }
    if threads.is_empty() {
        threads.push(cores());
    }
    let ways = analyzers.iter().flat_map(|analyzer| {
        threads.iter().map(|threads| Indexing {
            analyzer: analyzer.clone(),
            threads: *threads,
        })
    });
    let settings = IndexBenchSettings {
        program,
        inputs,
        ways: ways.collect(),
        fields: given.strings("fields")?,
        text: given.flag("text")?,
        repetitions: usual.repetitions,
        seed: usual.seed,
        progress: usual.progress,
    };
    given.done()?;
    watched(given.py(), None, watch, move |progress| {
        let result = bench_indexing(&IndexBenchSettings {
            progress,
            ..settings
        })?;
        let is_sound = result.is_sound();
        let output = PyOutput::new("bench", Vec::new(), MeasuredIndexing(result));
        Ok(if strict && !is_sound {
            output.with_code(INCONCLUSIVE)
        } else {
            output
        })
    })
}

pub(crate) fn figure_format(path: &Path) -> Result<PlotFormat, Failure> {
    let unknown = || Failure::Usage(format!("cannot infer the format from `{}`", path.display()));
    PlotFormat::of_file(&path.to_string_lossy()).ok_or_else(unknown)
}

/// An engine's failure, with its path.
fn located(error: BenchError, engines: &[(&Path, Box<dyn Engine>)]) -> Failure {
    let BenchError::Engine { engine, error } = &error else {
        return error.into();
    };
    let path = engines.iter().find(|(_, found)| found.name() == engine);
    let path = path.map_or_else(|| engine.clone(), |(path, _)| path.display().to_string());
    Problem::file(Code::FailedTopics, &path, error.to_string()).into()
}

fn settings(given: &Given<'_>) -> PyResult<BenchSettings> {
    let usual = if given.flag("quick")? {
        BenchSettings::quick()
    } else {
        BenchSettings::default()
    };
    let mut loads = Vec::new();
    for load in given.strings("load")? {
        let load = load
            .parse::<Load>()
            .map_err(|why| Failure::Usage(format!("load: {why}")));
        loads.push(load.or_raise(given.py())?);
    }
    Ok(BenchSettings {
        depth: given.whole("depth")?.unwrap_or(usual.depth),
        loads: if loads.is_empty() {
            usual.loads.clone()
        } else {
            loads
        },
        repetitions: given.whole("repetitions")?.unwrap_or(usual.repetitions),
        length: given
            .read("length", parse_duration)?
            .unwrap_or(usual.length),
        clients: given.whole("clients")?,
        find_rate: given.parsed("find_rate")?,
        seed: given.whole("seed")?.unwrap_or(usual.seed),
        ..usual
    })
}
