//! Indexing a collection.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_collection::{DocumentOptions, Documents, ReadReport, TextFields};
use cranfield_core::setting::SettingStyle;
use cranfield_eval::{Progress, Step};
use cranfield_io::Problem;
use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table};
use cranfield_search::{Description, Error, Index, IndexOptions};
use serde_json::{Value, json};

use crate::bench::Cost;
use crate::duration::significant;
use crate::inputs;

/// What to index, and where to.
#[derive(Clone, Debug)]
pub struct IndexRequest {
    /// A collection file, or files and folders of documents.
    pub inputs: Vec<PathBuf>,
    /// How documents are read.
    pub reading: DocumentOptions,
    /// How they are indexed.
    pub options: IndexOptions,
    /// The folder of the index.
    pub output: PathBuf,
    /// Receives the progress.
    pub progress: Progress,
}

/// An index that was built.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The folder.
    pub path: PathBuf,
    /// The description.
    pub description: Description,
    /// What was assumed of a collection without a file that describes it.
    pub assumed: Vec<Problem>,
    /// What the reader of documents found.
    pub report: ReadReport,
    /// Bytes of the files that were read, as compressed as they are; 0 of documents in memory.
    pub input_bytes: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// What it cost.
    pub cost: Cost,
}

/// The fields that names stand for.
pub fn text_fields(names: &[String]) -> TextFields {
    match names {
        [] => TextFields::Usual,
        [all] if all == "all" => TextFields::All,
        names => TextFields::Named(names.iter().map(|name| name.to_lowercase()).collect()),
    }
}

/// Builds an index.
pub fn index(request: &IndexRequest) -> Result<Indexed, Error> {
    let (documents, assumed) = inputs::documents(&request.inputs, request.reading.clone())?;
    let indexed = index_documents(
        documents,
        &request.output,
        &request.options,
        &request.progress,
    )?;
    Ok(Indexed { assumed, ..indexed })
}

/// Builds an index of documents that are opened already, such as those in memory.
pub fn index_documents(
    documents: Documents,
    output: &Path,
    options: &IndexOptions,
    progress: &Progress,
) -> Result<Indexed, Error> {
    let progress = progress.clone();
    let mut documents = documents.with_progress(Arc::new(move |done, total| {
        let (done, total) = (done as usize, total as usize);
        progress.report(Step {
            measure: "",
            what: "indexing",
            done,
            total,
        });
    }));
    let (description, cost) =
        Cost::of(|| cranfield_search::build(output, documents.by_ref(), options))?;
    Ok(Indexed {
        path: output.into(),
        report: documents.report().clone(),
        assumed: Vec::new(),
        input_bytes: documents.input_bytes(),
        bytes: Index::open(output)?.bytes(),
        description,
        cost,
    })
}

impl Indexed {
    /// What was assumed, and doubtful documents and what became of them.
    pub fn notes(&self) -> Vec<String> {
        let has_problems = self.report.problems().next().is_some();
        let assumed = self
            .assumed
            .iter()
            .map(|note| note.line(SettingStyle::Neutral));
        assumed
            .chain(has_problems.then(|| self.report.to_string()))
            .collect()
    }

    /// Documents per second.
    pub fn documents_per_second(&self) -> f64 {
        self.description.documents as f64 / self.cost.seconds
    }

    /// Megabytes (10^6 bytes) of text per second.
    pub fn megabytes_per_second(&self) -> f64 {
        self.description.text_bytes as f64 / 1e6 / self.cost.seconds
    }

    /// Bytes of the index for each byte of text.
    pub fn overhead(&self) -> Option<f64> {
        ratio(self.bytes, self.description.text_bytes)
    }

    /// Bytes of the index for each posting.
    pub fn bytes_per_posting(&self) -> Option<f64> {
        ratio(self.bytes, self.description.postings)
    }

    fn rows(&self) -> Vec<Row> {
        let description = &self.description;
        let count = |name, count: u64| Row::whole(name, Some(count), |count| count.to_string());
        let bytes = |name, bytes| Row::whole(name, bytes, |bytes| megabytes(bytes as f64));
        vec![
            count("documents", description.documents),
            count("empty", description.empty),
            count("terms", description.terms),
            count("tokens", description.tokens),
            count("postings", description.postings),
            bytes("text", Some(description.text_bytes)),
            bytes("index", Some(self.bytes)),
            Row::real("index / text", self.overhead(), thousandths),
            Row::real("bytes/posting", self.bytes_per_posting(), significant),
            Row::text("analyser", description.analyzer.clone()),
            Row::text("fields", description.fields.join(", ")),
            Row::real("seconds", Some(self.cost.seconds), thousandths),
            Row::real("CPU seconds", self.cost.cpu, thousandths),
            Row::real("documents/s", Some(self.documents_per_second()), |rate| {
                format!("{rate:.0}")
            }),
            Row::real(
                "MB/s of text",
                Some(self.megabytes_per_second()),
                significant,
            ),
            bytes("peak memory", self.cost.peak_memory),
            bytes("written", self.cost.written),
            Row::real("joules", self.cost.energy, significant),
        ]
    }
}

/// A name, and a value for programs and for people.
struct Row {
    name: &'static str,
    value: Cell,
    shown: String,
}

impl Row {
    fn whole(name: &'static str, value: Option<u64>, shown: impl Fn(u64) -> String) -> Self {
        Self {
            name,
            value: value.map_or(Cell::Missing, |value| Cell::Int(value.cast_signed())),
            shown: value.map(shown).unwrap_or_default(),
        }
    }

    fn real(name: &'static str, value: Option<f64>, shown: impl Fn(f64) -> String) -> Self {
        Self {
            name,
            value: Cell::real(value),
            shown: value.map(shown).unwrap_or_default(),
        }
    }

    fn text(name: &'static str, value: String) -> Self {
        Self {
            name,
            value: Cell::text(&value),
            shown: value,
        }
    }
}

pub(crate) fn ratio(a: u64, b: u64) -> Option<f64> {
    (b > 0).then(|| a as f64 / b as f64)
}

pub(crate) fn thousandths(value: f64) -> String {
    format!("{value:.3}")
}

pub(crate) fn megabytes(bytes: f64) -> String {
    format!("{} MB", significant(bytes / 1e6))
}

impl Render for Indexed {
    fn content(&self) -> Content {
        let mut table = Table::new([
            Column::text("index"),
            Column::text(self.path.display().to_string()),
        ]);
        // What is not known is not shown to people.
        for row in self.rows().into_iter().filter(|row| !row.shown.is_empty()) {
            table.push([Cell::text(row.name), Cell::text(row.shown)]);
        }
        Content::Sections(vec![Section {
            title: String::new(),
            table,
        }])
    }

    fn records(&self) -> Records<'_> {
        let rows = self.rows().into_iter();
        let rows = rows.map(|row| vec![Cell::text(row.name), row.value]);
        Records::named(["name", "value"], rows)
    }

    fn json(&self) -> Value {
        let tallies = self
            .report
            .problems()
            .map(|(what, tally)| (what.to_owned(), json!(tally.count)));
        json!({
            "path": self.path,
            "index": self.description,
            "input_bytes": self.input_bytes,
            "bytes": self.bytes,
            "cost": self.cost,
            "documents_per_second": self.documents_per_second(),
            "megabytes_per_second": self.megabytes_per_second(),
            "overhead": self.overhead(),
            "bytes_per_posting": self.bytes_per_posting(),
            "problems": Value::Object(tallies.collect()),
        })
    }
}
