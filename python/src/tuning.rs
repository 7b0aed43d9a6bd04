//! `tune`.

use std::path::Path;
use std::sync::Arc;

use cranfield::Qrels;
use cranfield::compare;
use cranfield::io::{QrelsFormat, RunFormat, Source, check_outputs, read_qrels, save_run};
use cranfield::lab::inputs;
use cranfield::lab::tune::{
    Folding, IndexCandidate, QrelsJudge, Settings, Space, TuneError, Tuned, Tuner, read_assignments,
};
use cranfield::render::Render;
use cranfield::search::Index;
use cranfield::stats::random::Resampling;
use cranfield_cli::results::tune_notes;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::indexes::model;
use crate::objects::{QrelsSource, TopicSource};
use crate::output::{Printed, PyOutput};
use crate::run::PyRun;
use crate::searching::{EngineSource, query_fields};
use crate::work::watched;

/// The result of tuning.
pub(crate) struct TunedSystem(pub(crate) Tuned);

impl Printed for TunedSystem {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.0.clone())
    }
}

/// The judgements, or those of the collection with the topics.
fn judgements(
    qrels: Option<&QrelsSource>,
    topics: &TopicSource,
    format: Option<QrelsFormat>,
) -> Result<Arc<Qrels>, Failure> {
    match (qrels, topics.path()) {
        (Some(QrelsSource::Memory(qrels)), _) => return Ok(Arc::clone(qrels)),
        (Some(QrelsSource::Path(path)), _) => {
            return Ok(read_qrels(&Source::open(path)?, format)?.into());
        }
        (None, Some(path)) => {
            if let Some(collection) = inputs::collection(path)? {
                return Ok(collection.qrels()?.into());
            }
        }
        (None, None) => {}
    }
    let message = "expected relevance judgements after the topics, or a collection file as topics";
    Err(Failure::Usage(message.into()))
}

/// Tunes parameters by cross-validation; the result, and the run in which every topic is answered by the point that was chosen
/// without it.
#[pyfunction]
pub(crate) fn tune(
    index: EngineSource,
    topics: TopicSource,
    qrels: Option<QrelsSource>,
    given: Given<'_>,
) -> PyResult<(PyOutput, PyRun)> {
    let py = given.py();
    let qrels_format = given.parsed("qrels_format")?;
    let space: Space = given.strings("space")?.join(";").parse().or_raise(py)?;
    let measure = given.text("measure")?.unwrap_or_else(|| "AP".into());
    let (model, feedback) = model(&given)?;
    let fields = query_fields(&given)?;
    let depth = given.whole("depth")?.unwrap_or(1000);
    let (splits, groups) = (given.path("splits")?, given.path("groups")?);
    let output = given.path("output")?;
    let mut settings = settings(&given)?;
    given.done()?;
    let read = [
        topics.path(),
        qrels.as_ref().and_then(QrelsSource::path),
        splits.as_deref(),
        groups.as_deref(),
    ];
    let read: Vec<&Path> = read.into_iter().flatten().collect();
    check_outputs(&Vec::from_iter(&output), &read).or_raise(py)?;
    watched(py, None, None, move |_| {
        settings.folding = folding(settings.folding, splits.as_deref(), groups.as_deref())?;
        let judge = QrelsJudge::new(judgements(qrels.as_ref(), &topics, qrels_format)?, &measure)?;
        let (queries, without) = inputs::queries(&topics.open()?, &fields);
        let ids: Vec<String> = queries.iter().map(|query| query.topic.clone()).collect();
        let index = match index {
            EngineSource::Index(index) => index,
            EngineSource::Path(path) => Arc::new(Index::open(path)?),
        };
        let queries = queries.into_iter().map(|query| (query.topic, query.text));
        let candidate = IndexCandidate::new(index, model, feedback, queries, depth);
        let default = candidate.default_point(space.names())?;
        let judged = judge.judged(&ids);
        let notes = tune_notes(ids.len() - judged.len(), &without, &default);
        let mut tuner = Tuner::new(&candidate, &judge, judged, space, default)?;
        let tuned = tuner.tune(&settings)?;
        let run = tuner.answers(&tuned, &ids, "tuned")?;
        if let Some(path) = &output {
            let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
            save_run(&run, format, path)?;
        }
        let notes = notes.into_iter().map(Into::into).collect();
        let result = PyOutput::new("tune", notes, TunedSystem(tuned));
        Ok((result, PyRun::new(run, "tuned".into())))
    })
}

pub(crate) fn folding(
    folding: Folding,
    splits: Option<&Path>,
    groups: Option<&Path>,
) -> Result<Folding, Failure> {
    let read = |path: &Path| -> Result<_, Failure> { Ok(read_assignments(&Source::open(path)?)?) };
    Ok(match (splits, groups, folding) {
        (Some(_), Some(_), _) => {
            let message = "splits and groups cannot be combined; omit one of them";
            return Err(Failure::Usage(message.into()));
        }
        (Some(splits), None, _) => Folding::Given(read(splits)?),
        (None, Some(groups), Folding::Stratified { folds }) => Folding::Grouped {
            folds,
            groups: read(groups)?,
        },
        (_, _, folding) => folding,
    })
}

pub(crate) fn settings(given: &Given<'_>) -> PyResult<Settings> {
    let usual = Settings::of_folds(given.whole("folds")?.unwrap_or(5));
    let py = given.py();
    let parsed = |name: &str| given.text(name);
    let search = parsed("search")?.map(|text| text.parse());
    let choice = parsed("choice")?.map(|text| text.parse());
    let seed = given.whole("seed")?.unwrap_or(usual.seed);
    Ok(Settings {
        search: search
            .unwrap_or(Ok::<_, TuneError>(usual.search))
            .or_raise(py)?,
        choice: choice
            .unwrap_or(Ok::<_, TuneError>(usual.choice))
            .or_raise(py)?,
        folding: usual.folding,
        seed,
        comparison: compare::Settings {
            alpha: given.number("alpha")?.unwrap_or(usual.comparison.alpha),
            resampling: Resampling {
                seed,
                ..usual.comparison.resampling
            },
            ..usual.comparison
        },
    })
}
