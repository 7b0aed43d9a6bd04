//! `fuse`, `normalize` and `tune_fuse`, and the formulas behind `cranfield.compat.ranx`.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield::core::policy::TieBreak;
use cranfield::fusion::{
    Error, Fusion, Method, Missing, Norm, Profile, Trained, fuse_runs, fuse_topic,
    log_odds_by_place, normalise_run, train,
};
use cranfield::io::{RunFormat, check_outputs, save_run};
use cranfield::lab::tune::{FusionCandidate, QrelsJudge, Space, Tuner};
use cranfield::{Qrels, Run};
use cranfield_cli::results::tune_notes;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise, STYLE};
use crate::given::Given;
use crate::output::PyOutput;
use crate::qrels::PyQrels;
use crate::run::PyRun;
use crate::tuning::{TunedSystem, folding, settings};
use crate::work::watched;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Input(error) => error.into(),
            Error::Setting(error) => error.into(),
            error => Self::Usage(error.render(STYLE)),
        }
    }
}

/// The settings of a fusion.
fn fusion(given: &Given<'_>) -> PyResult<Fusion> {
    let norms = given.strings("norm")?;
    let norms = norms.iter().map(|norm| norm.parse());
    Ok(Fusion {
        method: given.named::<Method>("method")?.unwrap_or_default(),
        norms: norms
            .collect::<Result<Vec<Norm>, _>>()
            .or_raise(given.py())?,
        weights: given.numbers("weights")?,
        input_depth: given.within("input_depth", 1, 1_000_000_000)?,
        depth: given.within("depth", 1, 1_000_000_000)?,
        missing: given.named::<Missing>("missing")?.unwrap_or_default(),
        profile: given.named::<Profile>("profile")?.unwrap_or_default(),
        ties: given.named::<TieBreak>("ties")?.unwrap_or_default(),
        trained: None,
    })
}

fn runs_of(runs: &[PyRef<'_, PyRun>]) -> Vec<Arc<Run>> {
    let named = |run: &PyRef<'_, PyRun>| (Arc::clone(run.data().run()), run.name.clone());
    let runs = runs.iter().map(named);
    runs.map(|(run, name)| {
        if run.tag() == name {
            run
        } else {
            Arc::new(Run::clone(&run).with_tag(name))
        }
    })
    .collect()
}

/// Fuses runs; the fused run, and notes.
#[pyfunction]
pub(crate) fn fuse(
    runs: Vec<PyRef<'_, PyRun>>,
    train_on: Option<PyRef<'_, PyQrels>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(PyRun, Vec<String>)> {
    let mut fusion = fusion(&given)?;
    let tag = given.text("tag")?;
    let threads = given.within("threads", 1, 1024)?;
    let output = given.path("output")?;
    given.done()?;
    let runs = runs_of(&runs);
    let qrels: Option<Arc<Qrels>> = train_on.map(|qrels| Arc::clone(&qrels.qrels));
    watched(given.py(), threads, watch, move |progress| {
        let runs: Vec<&Run> = runs.iter().map(AsRef::as_ref).collect();
        if let Some(qrels) = qrels.filter(|_| fusion.method.is_trained()) {
            fusion.trained = Some(train(&fusion, &runs, &qrels)?);
        }
        let tag = tag.unwrap_or_else(|| fusion.method.name().into());
        let (run, summary) = fuse_runs(&fusion, &runs, &tag, &progress)?;
        save_to(&run, output)?;
        Ok((PyRun::new(run, tag), summary.notes()))
    })
}

fn save_to(run: &Run, output: Option<PathBuf>) -> Result<(), Failure> {
    if let Some(path) = output {
        let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
        save_run(run, format, path)?;
    }
    Ok(())
}

/// A run with normalised scores.
#[pyfunction]
pub(crate) fn normalize(run: PyRef<'_, PyRun>, given: Given<'_>) -> PyResult<PyRun> {
    let fusion = fusion(&given)?;
    given.done()?;
    let name = run.name.clone();
    let run = normalise_run(run.data().run(), &fusion).or_raise(given.py())?;
    Ok(PyRun::new(run, name))
}

/// Tunes weights and parameters of a fusion by cross-validation; the result, and the run in which every topic is fused by the point that was
/// chosen without it.
#[pyfunction]
pub(crate) fn tune_fuse(
    qrels: PyRef<'_, PyQrels>,
    runs: Vec<PyRef<'_, PyRun>>,
    given: Given<'_>,
) -> PyResult<(PyOutput, PyRun)> {
    let py = given.py();
    let space: Space = given.strings("space")?.join(";").parse().or_raise(py)?;
    let measure = given.text("measure")?.unwrap_or_else(|| "AP".into());
    let fusion = Fusion {
        depth: Some(given.whole("depth")?.unwrap_or(1000)),
        ..fusion(&given)?
    };
    let (splits, groups) = (given.path("splits")?, given.path("groups")?);
    let output = given.path("output")?;
    let mut settings = settings(&given)?;
    given.done()?;
    let read = [splits.as_deref(), groups.as_deref()];
    let read: Vec<_> = read.into_iter().flatten().collect();
    check_outputs(&Vec::from_iter(&output), &read).or_raise(py)?;
    let runs: Vec<Run> = runs_of(&runs).iter().map(|run| Run::clone(run)).collect();
    let qrels = Arc::clone(&qrels.qrels);
    watched(py, None, None, move |_| {
        settings.folding = folding(settings.folding, splits.as_deref(), groups.as_deref())?;
        let judge = QrelsJudge::new(qrels, &measure)?;
        let candidate = FusionCandidate::new(runs, fusion)?;
        let default = candidate.default_point(space.names())?;
        let topics = candidate.topics();
        let judged = judge.judged(&topics);
        let notes = tune_notes(topics.len() - judged.len(), &[], &default);
        let mut tuner = Tuner::new(&candidate, &judge, judged, space, default)?;
        let tuned = tuner.tune(&settings)?;
        let run = tuner.answers(&tuned, &topics, "tuned")?;
        save_to(&run, output)?;
        let notes = notes.into_iter().map(Into::into).collect();
        let result = PyOutput::new("tune_fuse", notes, TunedSystem(tuned));
        Ok((result, PyRun::new(run, "tuned".into())))
    })
}

/// The edge cases of ranx, for runs whose documents are in rank order.
fn ranx(method: Method, norms: Vec<Norm>) -> Fusion {
    Fusion {
        norms,
        ties: TieBreak::FileOrder,
        profile: Profile::Ranx,
        ..Fusion::new(method)
    }
}

/// Documents by number, and their scores, in rank order.
type Numbered = (Vec<u32>, Vec<f64>);

/// Fuses lists as ranx does: for each topic, the scores of documents by number. Of equal documents, that with the lower number is first.
#[pyfunction]
pub(crate) fn ranx_fuse(
    py: Python<'_>,
    topics: Vec<Vec<Numbered>>,
    method: &str,
    weights: Vec<f64>,
    trained: Option<Vec<Vec<f64>>>,
) -> PyResult<Vec<Vec<f64>>> {
    let mut fusion = ranx(method.parse().or_raise(py)?, vec![Norm::None]);
    fusion.weights = weights;
    fusion.trained = trained.map(Trained::from_numbers);
    let fused = topics.iter().map(|lists| fuse_numbered(lists, &fusion));
    fused.collect::<Result<_, _>>().or_raise(py)
}

fn fuse_numbered(lists: &[Numbered], fusion: &Fusion) -> Result<Vec<f64>, Error> {
    let last = lists.iter().flat_map(|(docs, _)| docs).max();
    let count = last.map_or(0, |last| *last as usize + 1);
    // Ids that descend where numbers ascend.
    let ids: Vec<[u8; 4]> = (0..count as u32).map(|doc| (!doc).to_be_bytes()).collect();
    let lists: Vec<Vec<(&[u8], f64)>> = lists
        .iter()
        .map(|(docs, scores)| {
            let docs = docs.iter().map(|doc| &ids[*doc as usize][..]);
            docs.zip(scores.iter().copied()).collect()
        })
        .collect();
    let lists: Vec<&[(&[u8], f64)]> = lists.iter().map(Vec::as_slice).collect();
    let mut scores = vec![0.0; count];
    for (id, score) in fuse_topic(&lists, fusion)? {
        let number = id.try_into().map(u32::from_be_bytes);
        if let Some(place) = number
            .ok()
            .and_then(|number| scores.get_mut(!number as usize))
        {
            *place = score;
        }
    }
    Ok(scores)
}

/// Lists of scores, and the scores of missing documents.
type Normalised = (Vec<Vec<f64>>, Vec<Option<f64>>);

/// Normalises lists of scores, which are in rank order, as ranx does. `candidates` are the numbers of documents that any run has. Also returns
/// the scores of missing documents.
#[pyfunction]
pub(crate) fn ranx_normalize(
    py: Python<'_>,
    lists: Vec<Vec<f64>>,
    norm: &str,
    candidates: Vec<usize>,
) -> PyResult<Normalised> {
    let norm: Norm = norm.parse().or_raise(py)?;
    let mut normalised = lists;
    let mut missing = Vec::new();
    for (scores, all) in normalised.iter_mut().zip(candidates) {
        norm.normalise(scores, all, Profile::Ranx).or_raise(py)?;
        missing.push(norm.of_missing(scores.len(), all));
    }
    Ok((normalised, missing))
}

/// The log odds of relevance by place, from lists of hits and the ends of bins.
#[pyfunction]
pub(crate) fn ranx_log_odds(hits: Vec<Vec<f64>>, ends: Vec<usize>) -> Vec<f64> {
    let lists = hits
        .iter()
        .map(|list| list.iter().map(|hit| *hit > 0.0).collect());
    log_odds_by_place(&lists.collect::<Vec<_>>(), &ends)
}

/// What a method of ranx learns from judgements, for each run.
#[pyfunction]
pub(crate) fn ranx_train(
    py: Python<'_>,
    qrels: PyRef<'_, PyQrels>,
    runs: Vec<PyRef<'_, PyRun>>,
    method: &str,
) -> PyResult<Vec<Vec<f64>>> {
    let fusion = ranx(method.parse().or_raise(py)?, Vec::new());
    let runs = runs_of(&runs);
    let runs: Vec<&Run> = runs.iter().map(AsRef::as_ref).collect();
    let trained = train(&fusion, &runs, &qrels.qrels).or_raise(py)?;
    Ok(trained.by_run().to_vec())
}
