//! `agree`ment of assessors, and merged judgements.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield::agreement::{Assessor, Merging, read_assessors};
use cranfield::assessors::EffectsRequest;
use cranfield::io::{QrelsFormat, Source, check_outputs, read_qrels};
use cranfield::{MergeRule, Qrels, Request};
use cranfield_cli::args::ResultFormat;
use cranfield_cli::results::{
    Agreed, AgreedSettings, AgreedWithEffects, AgreementStyle, COMPARED_MEASURES, Percent,
    agreement_intervals, effects_on_runs, merge_rules, save_agreement, write_merged,
};
use pyo3::prelude::*;

use crate::arguments::path;
use crate::ask::Asked;
use crate::benching::figure_format;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::output::{NamedColumn, PyOutput, Rendered, record_columns, rendered};
use crate::qrels::PyQrels;
use crate::settings;
use crate::work::watched;

impl Rendered for AgreedWithEffects {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        rendered(self, format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(record_columns(self))
    }
}

/// Judgements: files, or data in memory with names.
pub(crate) enum Sets {
    Files(Vec<PathBuf>),
    Memory(Vec<Assessor>),
}

impl Sets {
    fn read(assessors: &[Bound<'_, PyAny>]) -> PyResult<Self> {
        let memory = assessors
            .iter()
            .filter_map(|one| one.cast::<PyQrels>().ok());
        let memory: Vec<&Bound<'_, PyQrels>> = memory.collect();
        if memory.len() < assessors.len() {
            let files = assessors.iter().map(path).collect::<PyResult<_>>()?;
            return Ok(Self::Files(files));
        }
        let names: Vec<String> = match memory.len() {
            2 => vec!["first".into(), "second".into()],
            count => (1..=count).map(|at| format!("assessor{at}")).collect(),
        };
        let named = names.into_iter().zip(memory);
        let named =
            named.map(|(name, qrels)| Assessor::in_memory(name, Arc::clone(&qrels.get().qrels)));
        Ok(Self::Memory(named.collect()))
    }

    /// Judgements that a keyword has, one or several; none without it.
    pub(crate) fn given(given: &Given<'_>, name: &str) -> PyResult<Self> {
        let Some(value) = given.take(name)? else {
            return Ok(Self::Memory(Vec::new()));
        };
        match value.cast::<pyo3::types::PyList>() {
            Ok(list) => Self::read(&list.iter().collect::<Vec<_>>()),
            Err(_) => Self::read(&[value]),
        }
    }

    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            Self::Files(files) => files.iter().map(PathBuf::as_path).collect(),
            Self::Memory(_) => Vec::new(),
        }
    }

    pub(crate) fn open(self, format: Option<QrelsFormat>) -> Result<Vec<Assessor>, Failure> {
        match self {
            Self::Files(files) => Ok(read_assessors(&files, format)?),
            Self::Memory(assessors) => Ok(assessors),
        }
    }
}

/// Judgements that settle disputes: a file, or in memory.
enum Settled {
    File(PathBuf),
    Memory(Arc<Qrels>),
}

impl Settled {
    fn read(given: &Given<'_>) -> PyResult<Option<Self>> {
        let Some(object) = given.take("adjudicated")? else {
            return Ok(None);
        };
        Ok(Some(match object.cast::<PyQrels>() {
            Ok(qrels) => Self::Memory(Arc::clone(&qrels.get().qrels)),
            Err(_) => Self::File(path(&object)?),
        }))
    }

    fn open(self, format: Option<QrelsFormat>) -> Result<Arc<Qrels>, Failure> {
        match self {
            Self::File(path) => Ok(Arc::new(read_qrels(&Source::open(&path)?, format)?)),
            Self::Memory(qrels) => Ok(qrels),
        }
    }
}

/// Compares two or more sets of judgements, all in files or all in memory, and runs under each of them.
#[pyfunction]
pub(crate) fn agree(
    assessors: Vec<Bound<'_, PyAny>>,
    inputs: Option<&Bound<'_, PyInputs>>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let py = given.py();
    let has_replicates = given.has("replicates")?;
    let tests = settings::comparison(&given)?;
    let asked = Asked::among(&given, measures, COMPARED_MEASURES)?;
    let level = asked.words.level.unwrap_or(1.0);
    if !level.is_finite() {
        let message = format!("level is {level}; expected a finite number");
        return Err(Failure::Usage(message).raise(py));
    }
    let replicates = has_replicates.then_some(tests.resampling.replicates);
    let intervals = agreement_intervals(Some(tests.alpha), replicates, Some(tests.resampling.seed));
    let agreed = agreed(&given, level, intervals)?;
    let consensus: Option<MergeRule> = given.parsed("consensus")?;
    let settled = Settled::read(&given)?;
    let (merged, figure) = (given.path("merged")?, given.path("figure")?);
    let format = figure
        .as_deref()
        .map(figure_format)
        .transpose()
        .or_raise(py)?;
    let qrels_format = given.parsed("qrels_format")?;
    let threads = given.within("threads", 1, 1024)?;
    given.done()?;
    let sets = Sets::read(&assessors)?;
    let source = inputs.map(|inputs| inputs.get().source.clone());
    let request = source.as_ref().map(|source| source.request(&asked));
    let mut files = sets.files();
    files.extend(source.iter().flat_map(|source| source.files()));
    if let Some(Settled::File(path)) = &settled {
        files.push(path);
    }
    let outputs: Vec<&PathBuf> = [&merged, &figure].into_iter().flatten().collect();
    check_outputs(&outputs, &files).or_raise(py)?;
    watched(py, threads, watch, move |_| {
        let assessors = sets.open(qrels_format)?;
        let settled = settled
            .map(|settled| settled.open(qrels_format))
            .transpose()?;
        let mut result = AgreedWithEffects {
            agreed: Agreed::of(&assessors, agreed.clone())?,
            effects: None,
            digits: agreed.style.digits,
        };
        if let (Some(source), Some(request)) = (source, request) {
            let runs = source.open()?.load()?;
            result.effects = Some(effects_on_runs(&EffectsRequest {
                assessors: &assessors,
                rules: &merge_rules(consensus),
                adjudicated: settled.as_deref(),
                runs: runs.runs(),
                request: &Request {
                    hashes: false,
                    ..request
                },
                settings: &tests,
            })?);
        }
        let mut notes = result.notes();
        if let Some(path) = merged {
            let rule = consensus.unwrap_or_default();
            notes.push(write_merged(&assessors, rule, settled.as_deref(), &path)?);
        }
        if let (Some(path), Some(format)) = (figure, format) {
            save_agreement(&assessors, &agreed, &path, format)?;
        }
        Ok(PyOutput::new("agree", notes, result))
    })
}

fn agreed(
    given: &Given<'_>,
    level: f64,
    intervals: cranfield::agreement::Intervals,
) -> PyResult<AgreedSettings> {
    let merging: Option<Merging> = given.parsed("merge")?;
    let merging = merging.unwrap_or_default();
    let percent: Option<Percent> = given.chosen("percent")?;
    Ok(AgreedSettings {
        first: given
            .parsed("merge_first")?
            .unwrap_or_else(|| merging.clone()),
        second: given.parsed("merge_second")?.unwrap_or(merging),
        level,
        topic: given.text("topic")?,
        disputed: given.whole("disputed")?.unwrap_or(10),
        style: AgreementStyle {
            percent: percent.unwrap_or(Percent::Column).of(),
            per_topic: given.flag("per_topic")?,
            intervals,
            digits: given.digits()?,
        },
    })
}

/// Merges judgements by a rule.
#[pyfunction]
pub(crate) fn merge_qrels(
    py: Python<'_>,
    assessors: Vec<Bound<'_, PyQrels>>,
    rule: &str,
    adjudicated: Option<&Bound<'_, PyQrels>>,
) -> PyResult<PyQrels> {
    let rule: MergeRule = rule
        .parse()
        .map_err(|why: String| Failure::Usage(why).raise(py))?;
    let sets: Vec<Arc<Qrels>> = assessors
        .iter()
        .map(|qrels| Arc::clone(&qrels.get().qrels))
        .collect();
    let sets: Vec<&Qrels> = sets.iter().map(|qrels| &**qrels).collect();
    let settled = adjudicated.map(|qrels| Arc::clone(&qrels.get().qrels));
    let merged = cranfield::merge_qrels(&sets, rule, settled.as_deref());
    Ok(PyQrels {
        qrels: Arc::new(merged),
        name: rule.name().into(),
    })
}
