//! Experiment files.

mod fuse;
mod pool;
mod run;
mod tune;

pub(super) use fuse::FusePart;
pub(super) use pool::PoolPart;
pub(super) use run::{EnginePart, RunPart};
pub(super) use tune::TunePart;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cranfield_compare::compare::ComparisonPlan;
use cranfield_core::policy::IdenticalIds;
use cranfield_io::{Code, Error, Problem, Source};
use cranfield_measures::spec::Conventions;
use cranfield_search::Analyzer;
use serde::Deserialize;
use toml::Spanned;

use crate::bench::Load;
use fuse::FuseTable;
use pool::PoolTable;
use run::RunTable;
use tune::TuneTable;

/// Experiment files are small.
const MAX_BYTES: usize = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    seed: Option<u64>,
    collection: String,
    output: Option<String>,
    #[serde(default)]
    index: BTreeMap<String, IndexTable>,
    #[serde(default)]
    run: BTreeMap<String, Spanned<RunTable>>,
    #[serde(default)]
    tune: BTreeMap<String, Spanned<TuneTable>>,
    #[serde(default)]
    fuse: BTreeMap<String, Spanned<FuseTable>>,
    pool: Option<PoolTable>,
    #[serde(default)]
    evaluate: EvaluateTable,
    bench: Option<BenchTable>,
    report: Option<ReportTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexTable {
    analyzer: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvaluateTable {
    measures: Option<Vec<String>>,
    baseline: Option<Spanned<String>>,
    digits: Option<usize>,
    identical: Option<Spanned<String>>,
    plan: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BenchTable {
    engines: Option<Vec<String>>,
    load: Option<Vec<Spanned<String>>>,
    repetitions: Option<usize>,
    seconds: Option<f64>,
    depth: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportTable {
    file: Option<String>,
    title: Option<String>,
}

/// The content of an experiment file.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) seed: u64,
    pub(super) collection: PathBuf,
    pub(super) output: PathBuf,
    pub(super) indexes: BTreeMap<String, Analyzer>,
    pub(super) runs: BTreeMap<String, RunPart>,
    pub(super) tunes: BTreeMap<String, TunePart>,
    pub(super) fuses: BTreeMap<String, FusePart>,
    pub(super) pool: Option<PoolPart>,
    pub(super) measures: Vec<String>,
    /// The plan of the comparison.
    pub(super) plan: Option<ComparisonPlan>,
    pub(super) baseline: Option<String>,
    pub(super) digits: usize,
    /// What becomes of a document with the id of the topic.
    pub(super) identical: IdenticalIds,
    pub(super) bench: Option<BenchPart>,
    pub(super) report: Option<ReportPart>,
}

#[derive(Clone, Debug)]
pub(super) struct BenchPart {
    pub(super) runs: Vec<String>,
    pub(super) loads: Vec<Load>,
    pub(super) repetitions: usize,
    pub(super) seconds: f64,
    pub(super) depth: usize,
}

#[derive(Clone, Debug)]
pub(super) struct ReportPart {
    pub(super) file: String,
    pub(super) title: Option<String>,
}

impl Parts {
    /// The names of all runs.
    pub(super) fn run_names(&self) -> impl Iterator<Item = &String> {
        let made = self.runs.keys().chain(self.tunes.keys());
        made.chain(self.fuses.keys())
    }
}

/// Reads an experiment file. Paths in it are relative to its folder.
pub(super) fn read(path: &Path) -> Result<Parts, Error> {
    let source = Source::open(path)?;
    let text = source.text(MAX_BYTES, "an experiment file", Code::BadExperiment)?;
    let table: FileTable = toml::from_str(text)
        .map_err(|error| problem(&source, error.span().unwrap_or_default(), error.message()))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Reader {
        source: &source,
        folder,
    }
    .parts(table)
}

fn problem(source: &Source, span: Range<usize>, message: &str) -> Error {
    Problem::at(
        Code::BadExperiment,
        source.name(),
        source.bytes(),
        span,
        message,
    )
    .into()
}

struct Reader<'a> {
    source: &'a Source,
    folder: &'a Path,
}

impl Reader<'_> {
    fn parts(&self, table: FileTable) -> Result<Parts, Error> {
        let mut indexes = BTreeMap::new();
        for (name, index) in &table.index {
            self.check_name(name, 0..0)?;
            let analyzer = match &index.analyzer {
                Some(name) => self.parsed(name, Analyzer::named)?,
                None => Analyzer::default(),
            };
            indexes.insert(name.clone(), analyzer);
        }
        if indexes.is_empty() {
            indexes.insert("english".into(), Analyzer::default());
        }
        let mut runs = BTreeMap::new();
        for (name, run) in &table.run {
            runs.insert(name.clone(), self.run(name, run, &table.run, &indexes)?);
        }
        if runs.is_empty() {
            return Err(problem(
                self.source,
                0..0,
                "no runs; expected a table such as [run.bm25]",
            ));
        }
        let mut tunes = BTreeMap::new();
        for (name, tune) in &table.tune {
            tunes.insert(name.clone(), self.tune(name, tune, &runs)?);
        }
        let mut fuses = BTreeMap::new();
        for (name, fuse) in &table.fuse {
            fuses.insert(name.clone(), self.fuse(name, fuse, &runs, &tunes)?);
        }
        let bench = table
            .bench
            .map(|bench| self.bench(bench, &runs))
            .transpose()?;
        let known: Vec<&String> = runs
            .keys()
            .chain(tunes.keys())
            .chain(fuses.keys())
            .collect();
        let pool = table.pool.as_ref();
        let pool = pool.map(|pool| self.pool(pool, &known)).transpose()?;
        let plan = self.plan(&table.evaluate)?;
        if let Some(baseline) = &table.evaluate.baseline
            && !known.contains(&baseline.get_ref())
        {
            let message = format!(
                "the baseline `{}` is not one of the runs",
                baseline.get_ref()
            );
            return Err(problem(self.source, baseline.span(), &message));
        }
        let identical = match &table.evaluate.identical {
            Some(name) => self.parsed(name, str::parse)?,
            None => IdenticalIds::Keep,
        };
        Ok(Parts {
            seed: table.seed.unwrap_or(1),
            collection: self.folder.join(table.collection),
            output: self.folder.join(table.output.as_deref().unwrap_or("out")),
            indexes,
            runs,
            tunes,
            fuses,
            pool,
            measures: match (table.evaluate.measures, &plan) {
                (Some(measures), _) => measures,
                (None, Some(plan)) => plan.measures.clone(),
                (None, None) => vec!["nDCG@10".into(), "AP".into()],
            },
            plan,
            baseline: table.evaluate.baseline.map(Spanned::into_inner),
            digits: table.evaluate.digits.unwrap_or(4),
            identical,
            bench,
            report: table.report.map(|report| ReportPart {
                file: report.file.unwrap_or_else(|| "report.html".into()),
                title: report.title,
            }),
        })
    }

    /// The plan of the comparison. Its path is relative to the folder of the file, so that results do not depend on where that is.
    fn plan(&self, table: &EvaluateTable) -> Result<Option<ComparisonPlan>, Error> {
        let Some(path) = &table.plan else {
            return Ok(None);
        };
        if table.baseline.is_some() {
            let message = "the plan names the baseline; remove `baseline`";
            return Err(problem(self.source, path.span(), message));
        }
        let whole = self.folder.join(path.get_ref());
        let mut plan = ComparisonPlan::read(&whole, &Conventions::default())?;
        plan.path.clone_from(path.get_ref());
        Ok(Some(plan))
    }

    /// Names are those of files and folders of the output.
    fn check_name(&self, name: &str, span: Range<usize>) -> Result<(), Error> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        if name.chars().all(is_plain) && !name.starts_with('.') && !name.is_empty() {
            return Ok(());
        }
        let message =
            format!("the name `{name}` is not one of letters, digits, `-`, `_`, `.` and `+`");
        Err(problem(self.source, span, &message))
    }

    fn parsed<T, E: std::fmt::Display>(
        &self,
        text: &Spanned<String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, Error> {
        parse(text.get_ref()).map_err(|error| problem(self.source, text.span(), &error.to_string()))
    }

    fn parsed_or_default<T, E>(&self, text: Option<&Spanned<String>>) -> Result<T, Error>
    where
        T: std::str::FromStr<Err = E> + Default,
        E: std::fmt::Display,
    {
        text.map_or_else(|| Ok(T::default()), |text| self.parsed(text, str::parse))
    }

    fn bench(
        &self,
        table: BenchTable,
        runs: &BTreeMap<String, RunPart>,
    ) -> Result<BenchPart, Error> {
        let names = table
            .engines
            .unwrap_or_else(|| runs.keys().cloned().collect());
        if let Some(unknown) = names.iter().find(|name| !runs.contains_key(*name)) {
            return Err(problem(
                self.source,
                0..0,
                &format!("`{unknown}` of [bench] is not one of the runs"),
            ));
        }
        let loads = table.load.unwrap_or_default();
        let loads: Result<Vec<Load>, Error> = loads
            .iter()
            .map(|load| self.parsed(load, str::parse))
            .collect();
        let loads = match loads? {
            none if none.is_empty() => vec![Load::Closed { clients: 1 }],
            loads => loads,
        };
        Ok(BenchPart {
            runs: names,
            loads,
            repetitions: table.repetitions.unwrap_or(5).max(1),
            seconds: table.seconds.unwrap_or(1.0).clamp(0.01, 3600.0),
            depth: table.depth.unwrap_or(10),
        })
    }
}
