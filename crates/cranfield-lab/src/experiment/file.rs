//! Experiment files.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cranfield_collection::QueryFields;
use cranfield_io::{Code, Error, Problem, Source};
use cranfield_search::dense::Similarity;
use cranfield_search::{Analyzer, Feedback, Model};
use serde::Deserialize;
use toml::Spanned;

use crate::bench::Load;

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
    evaluate: EvaluateTable,
    bench: Option<BenchTable>,
    report: Option<ReportTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexTable {
    analyzer: Option<Spanned<String>>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunTable {
    base: Option<Spanned<String>>,
    index: Option<Spanned<String>>,
    vectors: Option<String>,
    engine: Option<String>,
    model: Option<Spanned<String>>,
    feedback: Option<Spanned<String>>,
    similarity: Option<Spanned<String>>,
    query: Option<Spanned<String>>,
    depth: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvaluateTable {
    measures: Option<Vec<String>>,
    baseline: Option<String>,
    digits: Option<usize>,
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
    pub(super) measures: Vec<String>,
    pub(super) baseline: Option<String>,
    pub(super) digits: usize,
    pub(super) bench: Option<BenchPart>,
    pub(super) report: Option<ReportPart>,
}

/// A run and the engine that makes it.
#[derive(Clone, Debug)]
pub(super) struct RunPart {
    pub(super) engine: EnginePart,
    pub(super) model: Model,
    pub(super) feedback: Option<Feedback>,
    pub(super) similarity: Similarity,
    pub(super) query: QueryFields,
    pub(super) depth: usize,
}

/// Where the engine of a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EnginePart {
    /// An index of the experiment.
    Index(String),
    /// A folder of vectors.
    Vectors(PathBuf),
    /// A file that describes an engine.
    File(PathBuf),
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
            let analyzer = match &index.analyzer {
                Some(name) => self.parsed(name, Analyzer::named)?,
                None => Self::english(),
            };
            indexes.insert(name.clone(), analyzer);
        }
        if indexes.is_empty() {
            indexes.insert("english".into(), Self::english());
        }
        let mut runs = BTreeMap::new();
        for (name, run) in &table.run {
            runs.insert(name.clone(), self.run(run, &table.run, &indexes)?);
        }
        if runs.is_empty() {
            return Err(problem(
                self.source,
                0..0,
                "no runs; expected a table such as [run.bm25]",
            ));
        }
        let bench = table
            .bench
            .map(|bench| self.bench(bench, &runs))
            .transpose()?;
        if let Some(baseline) = &table.evaluate.baseline
            && !runs.contains_key(baseline)
        {
            return Err(problem(
                self.source,
                0..0,
                &format!("the baseline `{baseline}` is not one of the runs"),
            ));
        }
        Ok(Parts {
            seed: table.seed.unwrap_or(1),
            collection: self.folder.join(table.collection),
            output: self.folder.join(table.output.as_deref().unwrap_or("out")),
            indexes,
            runs,
            measures: table
                .evaluate
                .measures
                .unwrap_or_else(|| vec!["nDCG@10".into(), "AP".into()]),
            baseline: table.evaluate.baseline,
            digits: table.evaluate.digits.unwrap_or(4),
            bench,
            report: table.report.map(|report| ReportPart {
                file: report.file.unwrap_or_else(|| "report.html".into()),
                title: report.title,
            }),
        })
    }

    fn english() -> Analyzer {
        Analyzer::named("english")
            .unwrap_or_else(|error| unreachable!("a built-in analyser: {error}"))
    }

    fn parsed<T, E: std::fmt::Display>(
        &self,
        text: &Spanned<String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, Error> {
        parse(text.get_ref()).map_err(|error| problem(self.source, text.span(), &error.to_string()))
    }

    fn run(
        &self,
        run: &Spanned<RunTable>,
        all: &BTreeMap<String, Spanned<RunTable>>,
        indexes: &BTreeMap<String, Analyzer>,
    ) -> Result<RunPart, Error> {
        let table = self.with_base(run, all)?;
        let parse_or = |text: &Option<Spanned<String>>| -> Result<Model, Error> {
            text.as_ref().map_or_else(
                || Ok(Model::default()),
                |text| self.parsed(text, str::parse),
            )
        };
        let feedback = table
            .feedback
            .as_ref()
            .map(|text| self.parsed(text, str::parse))
            .transpose()?;
        let query = table
            .query
            .as_ref()
            .map(|text| self.parsed(text, str::parse))
            .transpose()?;
        let similarity = table
            .similarity
            .as_ref()
            .map(|text| self.parsed(text, str::parse))
            .transpose()?;
        Ok(RunPart {
            engine: self.engine(&table, run.span(), indexes)?,
            model: parse_or(&table.model)?,
            feedback,
            similarity: similarity.unwrap_or_default(),
            query: query.unwrap_or_default(),
            depth: table.depth.unwrap_or(1000),
        })
    }

    /// The table with what it takes over from its base.
    fn with_base(
        &self,
        run: &Spanned<RunTable>,
        all: &BTreeMap<String, Spanned<RunTable>>,
    ) -> Result<RunTable, Error> {
        let mut table = run.get_ref().clone();
        let mut steps = 0;
        while let Some(name) = table.base.take() {
            let base = all.get(name.get_ref()).filter(|_| steps < all.len());
            let base = base.ok_or_else(|| {
                problem(
                    self.source,
                    name.span(),
                    &format!("`{}` is not another run", name.get_ref()),
                )
            })?;
            let base = base.get_ref().clone();
            let has_engine =
                table.index.is_some() || table.vectors.is_some() || table.engine.is_some();
            table = RunTable {
                base: base.base,
                index: table.index.or(base.index.filter(|_| !has_engine)),
                vectors: table.vectors.or(base.vectors.filter(|_| !has_engine)),
                engine: table.engine.or(base.engine.filter(|_| !has_engine)),
                model: table.model.or(base.model),
                feedback: table.feedback.or(base.feedback),
                similarity: table.similarity.or(base.similarity),
                query: table.query.or(base.query),
                depth: table.depth.or(base.depth),
            };
            steps += 1;
        }
        Ok(table)
    }

    fn engine(
        &self,
        table: &RunTable,
        span: Range<usize>,
        indexes: &BTreeMap<String, Analyzer>,
    ) -> Result<EnginePart, Error> {
        match (&table.index, &table.vectors, &table.engine) {
            (Some(name), None, None) if indexes.contains_key(name.get_ref()) => {
                Ok(EnginePart::Index(name.get_ref().clone()))
            }
            (Some(name), None, None) => {
                let known: Vec<&str> = indexes.keys().map(String::as_str).collect();
                let message = format!("no index `{}`; known: {}", name.get_ref(), known.join(", "));
                Err(problem(self.source, name.span(), &message))
            }
            (None, Some(folder), None) => Ok(EnginePart::Vectors(self.folder.join(folder))),
            (None, None, Some(file)) => Ok(EnginePart::File(self.folder.join(file))),
            (None, None, None) => match indexes.keys().next() {
                Some(only) if indexes.len() == 1 => Ok(EnginePart::Index(only.clone())),
                _ => Err(problem(
                    self.source,
                    span,
                    "expected `index`, because there are several",
                )),
            },
            _ => Err(problem(
                self.source,
                span,
                "expected one of `index`, `vectors` and `engine`",
            )),
        }
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
