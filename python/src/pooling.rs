//! Pools, and what they hold, miss and favour.

use std::collections::BTreeMap;

use cranfield::core::policy::{Policies, TieBreak};
use cranfield::io::{RunFormat, Source, check_outputs, save_run, save_text};
use cranfield::plots;
use cranfield::pool::missing::{
    MissingSettings, missing, strata_of, stratified_tables, stratified_total,
};
use cranfield::pool::{
    Coverage, Groups, PoolSettings, PoolStats, Rankings, Strategy, Tables, VoteSettings, bias,
    make, named_runs, settle, votes,
};
use cranfield::report::plot::{Plot, Sheet};
use cranfield::{Conventions, Inputs, Judgements, Request, parse_measures};
use cranfield_cli::args::ResultFormat;
use pyo3::prelude::*;

use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::output::{NamedColumn, PyOutput, Rendered, record_columns, rendered};
use crate::run::PyRun;
use crate::work::watched;

impl Rendered for Tables {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        rendered(self, format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(record_columns(self))
    }
}

/// Settings that all functions share.
struct Shared {
    depth: Option<usize>,
    ties: TieBreak,
    level: Option<f64>,
    measure: String,
    seed: u64,
    digits: usize,
    per_topic: bool,
    groups: GroupSource,
    figure: Option<std::path::PathBuf>,
}

/// Groups of runs: a file, or a dict.
enum GroupSource {
    None,
    File(std::path::PathBuf),
    Named(BTreeMap<String, String>),
}

impl GroupSource {
    fn read(&self, runs: &[String]) -> Result<Groups, Failure> {
        match self {
            Self::None => Ok(Groups::single(runs)),
            Self::File(path) => Ok(Groups::read(&Source::open(path)?, runs)?),
            Self::Named(groups) => match groups.keys().find(|run| !runs.contains(run)) {
                Some(run) => Err(Failure::Usage(format!(
                    "unknown run `{run}`; the runs are {}",
                    runs.join(", ")
                ))),
                None => Ok(Groups::new(runs, groups)),
            },
        }
    }
}

impl Shared {
    fn take(given: &Given<'_>, measure: &str) -> PyResult<Self> {
        let groups = match given.take("groups")? {
            None => GroupSource::None,
            Some(groups) => match groups.extract() {
                Ok(groups) => GroupSource::Named(groups),
                Err(_) => GroupSource::File(crate::arguments::path(&groups)?),
            },
        };
        Ok(Self {
            depth: given.within("depth", 1, 1_000_000)?,
            ties: given.parsed("ties")?.unwrap_or_default(),
            level: given.number("level")?,
            measure: given.text("measure")?.unwrap_or_else(|| measure.into()),
            seed: given.whole("seed")?.unwrap_or(42),
            digits: given.digits()?,
            per_topic: given.flag("per_topic")?,
            groups,
            figure: given.path("figure")?,
        })
    }

    /// Writes the figure, if it is asked for.
    fn save(&self, plot: impl FnOnce() -> Plot) -> Result<(), Failure> {
        let Some(path) = &self.figure else {
            return Ok(());
        };
        let format = crate::benching::figure_format(path)?;
        plots::save(&plot().render(format, &Sheet::default())?, path)?;
        Ok(())
    }

    fn level(&self) -> f64 {
        self.level.unwrap_or(1.0)
    }

    fn rankings(&self, inputs: &Inputs) -> Result<Rankings, Failure> {
        let runs = named_runs(inputs.runs())?;
        Ok(Rankings::new(&runs, self.ties, Some(self.depth()))?)
    }

    /// Cuts runs at the depth to which they are judged.
    fn judged_rankings(&self, inputs: &Inputs) -> Result<(Rankings, Coverage), Failure> {
        let runs = named_runs(inputs.runs())?;
        let qrels = inputs.qrels();
        let qrels =
            qrels.ok_or_else(|| Failure::Usage("expected one grade per document".into()))?;
        Ok(Coverage::cut(&runs, self.ties, self.depth, qrels)?)
    }

    fn depth(&self) -> usize {
        self.depth.unwrap_or(100)
    }

    fn request(&self) -> Result<Request, Failure> {
        let conventions = Conventions {
            level: self.level,
            ..Conventions::default()
        };
        let measures = parse_measures(&self.measure, &conventions)?;
        if measures.len() != 1 {
            let found = measures.len();
            return Err(Failure::Usage(format!(
                "expected one measure, found {found}"
            )));
        }
        let request = Request {
            policies: Policies {
                ties: self.ties,
                ..Policies::default()
            },
            ..Request::of_measures(measures)
        };
        request.check_levels(self.level)?;
        Ok(request)
    }

    fn output(&self, command: &'static str, tables: Tables) -> PyOutput {
        let notes = [tables.warnings(), tables.notes()].concat();
        PyOutput::new(command, notes, tables.with_digits(self.digits))
    }
}

/// A pool as a run, and notes on it.
#[pyfunction]
pub(crate) fn pool(
    inputs: &Bound<'_, PyInputs>,
    is_judged: bool,
    given: Given<'_>,
) -> PyResult<(PyRun, Vec<String>)> {
    let shared = Shared::take(&given, "AP")?;
    let strategy: Option<Strategy> = given.named("strategy")?;
    let settings = PoolSettings {
        strategy: strategy.unwrap_or(Strategy::Depth(10)),
        budget: given.within("budget", 1, 1_000_000)?,
        level: shared.level(),
        seed: shared.seed,
    };
    let (sample, output) = (given.path("sample")?, given.path("output")?);
    given.done()?;
    let source = inputs.get().source.clone();
    let outputs: Vec<_> = sample.iter().chain(&output).collect();
    check_outputs(&outputs, &source.files()).or_raise(given.py())?;
    if sample.is_some() && !(is_judged && settings.strategy.is_sample()) {
        let why = "sample needs qrels, and a strategy that draws a sample: strata or pps";
        return Err(Failure::Usage(why.into())).or_raise(given.py());
    }
    watched(given.py(), None, None, move |_| {
        let inputs = source.open()?.load()?;
        let rankings = shared.rankings(&inputs)?;
        settings.strategy.check(&rankings, Some(shared.depth()))?;
        let judged = inputs.qrels().filter(|_| is_judged).map(AsRef::as_ref);
        let pool = make(&rankings, &settings, judged);
        let mut notes = pool.notes();
        if is_judged && let Some(tau) = pool.tau(&inputs, &shared.request()?)? {
            notes.push(format!(
                "tau of the runs' order by {} with and without the other judgements: {tau:.4}",
                shared.measure
            ));
        }
        if let (Some(path), Some(sample)) = (&sample, &pool.sample) {
            save_text(sample, path)?;
        }
        let run = pool.to_run();
        if let Some(path) = &output {
            let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
            save_run(&run, format, path)?;
        }
        let name = run.tag().to_owned();
        Ok((PyRun::new(run, name), notes))
    })
}

/// Statistics of a pool.
#[pyfunction]
pub(crate) fn pool_stats(
    inputs: &Bound<'_, PyInputs>,
    is_judged: bool,
    given: Given<'_>,
) -> PyResult<PyOutput> {
    let shared = Shared::take(&given, "AP")?;
    let seconds = given.number("seconds")?.unwrap_or(30.0);
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, None, move |_| {
        if !(seconds > 0.0 && seconds.is_finite()) {
            let why = format!("seconds is {seconds}; give a number above 0");
            return Err(Failure::Usage(why));
        }
        let inputs = source.open()?.load()?;
        let rankings = shared.rankings(&inputs)?;
        let groups = shared.groups.read(&rankings.names)?;
        let judged = inputs.qrels().filter(|_| is_judged).map(AsRef::as_ref);
        let stats = PoolStats::new(&rankings, &groups, judged, shared.level());
        shared.save(|| stats.figure())?;
        Ok(shared.output("pool stats", stats.tables(shared.per_topic, seconds)))
    })
}

/// Scores of runs that did not contribute.
#[pyfunction]
pub(crate) fn pool_bias(inputs: &Bound<'_, PyInputs>, given: Given<'_>) -> PyResult<PyOutput> {
    let shared = Shared::take(&given, "AP")?;
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, None, move |_| {
        let inputs = source.open()?.load()?;
        let (rankings, coverage) = shared.judged_rankings(&inputs)?;
        let groups = shared.groups.read(&rankings.names)?;
        let request = shared.request()?;
        let found = bias(&inputs, &request, &rankings, &groups, shared.level())?;
        shared.save(|| found.figure())?;
        Ok(shared.output("pool bias", found.tables().with_coverage(&coverage)))
    })
}

/// Estimates of missing relevant documents.
#[pyfunction]
pub(crate) fn pool_missing(inputs: &Bound<'_, PyInputs>, given: Given<'_>) -> PyResult<PyOutput> {
    let shared = Shared::take(&given, "AP")?;
    let settings = MissingSettings {
        level: shared.level(),
        to: given.whole("to")?.unwrap_or(1000),
        replicates: given.whole("replicates")?.unwrap_or(1000),
        seed: shared.seed,
    };
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, None, move |_| {
        let inputs = source.open()?.load()?;
        if let Judgements::Strata(sampled) = inputs.judgements() {
            let strata = strata_of(sampled, settings.level);
            let tables = stratified_tables(&strata, &stratified_total(&strata));
            return Ok(shared.output("pool missing", tables));
        }
        let (rankings, coverage) = shared.judged_rankings(&inputs)?;
        if rankings.names.is_empty() {
            let why = "expected runs, or qrels_format='strata'";
            return Err(Failure::Usage(why.into()));
        }
        let groups = shared.groups.read(&rankings.names)?;
        let judged = inputs.qrels();
        let judged =
            judged.ok_or_else(|| Failure::Usage("expected one grade per document".into()))?;
        let found = missing(&rankings, &groups, judged, &settings);
        shared.save(|| found.figure())?;
        let tables = found.tables(shared.per_topic).with_coverage(&coverage);
        Ok(shared.output("pool missing", tables))
    })
}

/// Scores of runs without judgements.
#[pyfunction]
pub(crate) fn pool_votes(
    inputs: &Bound<'_, PyInputs>,
    is_judged: bool,
    given: Given<'_>,
) -> PyResult<PyOutput> {
    let shared = Shared::take(&given, "AP")?;
    let settings = VoteSettings {
        rate: given.number("rate")?.unwrap_or(0.1),
        draws: given.within("draws", 1, 1_000_000)?.unwrap_or(50),
        seed: shared.seed,
    };
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, None, move |_| {
        if !(settings.rate > 0.0 && settings.rate <= 1.0) {
            let why = format!(
                "rate is {}; give a number above 0 and at most 1",
                settings.rate
            );
            return Err(Failure::Usage(why));
        }
        let inputs = source.open()?.load()?;
        let rankings = shared.rankings(&inputs)?;
        let request = shared.request()?;
        let truth = is_judged.then(|| (inputs.clone(), &request));
        let found = votes(&inputs, &rankings, &settings, truth)?;
        Ok(shared.output("pool votes", found.tables()))
    })
}

/// The documents that would settle a comparison, and the list as a run.
#[pyfunction]
pub(crate) fn pool_settle(
    inputs: &Bound<'_, PyInputs>,
    given: Given<'_>,
) -> PyResult<(PyOutput, PyRun)> {
    let shared = Shared::take(&given, "nDCG@10")?;
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, None, move |_| {
        let inputs = source.open()?.load()?;
        let settled = settle(&inputs, &shared.request()?)?.ok_or_else(|| {
            let measure = &shared.measure;
            Failure::Usage(format!(
                "both runs have the same {measure}, so there is no order to settle"
            ))
        })?;
        let run = PyRun::new(settled.to_run(), "settle".into());
        Ok((shared.output("pool settle", settled.tables()), run))
    })
}
