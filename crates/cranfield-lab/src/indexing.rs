//! Indexing a collection.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use cranfield_collection::{DocumentOptions, ReadReport};
use cranfield_eval::{Progress, Step};
use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table};
use cranfield_search::{Description, Error, Index, IndexOptions};
use serde_json::{Value, json};

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
    /// What the reader of documents found.
    pub report: ReadReport,
    /// Bytes of the index.
    pub bytes: u64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Builds an index.
pub fn index(request: &IndexRequest) -> Result<Indexed, Error> {
    let start = Instant::now();
    let progress = request.progress.clone();
    let documents = inputs::documents(&request.inputs, request.reading.clone())?;
    let mut documents = documents.with_progress(Arc::new(move |done, total| {
        let (done, total) = (done as usize, total as usize);
        progress.report(Step {
            measure: "",
            what: "indexing",
            done,
            total,
        });
    }));
    let description =
        cranfield_search::build(&request.output, documents.by_ref(), &request.options)?;
    Ok(Indexed {
        path: request.output.clone(),
        report: documents.report().clone(),
        bytes: Index::open(&request.output)?.bytes(),
        description,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl Indexed {
    /// Doubtful documents, and what became of them.
    pub fn notes(&self) -> Vec<String> {
        let has_problems = self.report.problems().next().is_some();
        has_problems
            .then(|| self.report.to_string())
            .into_iter()
            .collect()
    }

    fn rows(&self) -> Vec<(&'static str, Cell)> {
        let description = &self.description;
        let megabytes = |bytes: u64| Cell::text(format!("{:.1} MB", bytes as f64 / 1e6));
        vec![
            ("documents", Cell::Int(description.documents.cast_signed())),
            ("empty", Cell::Int(description.empty.cast_signed())),
            ("terms", Cell::Int(description.terms.cast_signed())),
            ("tokens", Cell::Int(description.tokens.cast_signed())),
            ("postings", Cell::Int(description.postings.cast_signed())),
            ("text", megabytes(description.text_bytes)),
            ("index", megabytes(self.bytes)),
            ("analyser", Cell::text(&description.analyzer)),
            ("fields", Cell::text(description.fields.join(", "))),
            ("seconds", Cell::text(format!("{:.2}", self.seconds))),
        ]
    }
}

impl Render for Indexed {
    fn content(&self) -> Content {
        let mut table = Table::new([
            Column::text("index"),
            Column::text(self.path.display().to_string()),
        ]);
        for (name, cell) in self.rows() {
            table.push([Cell::text(name), cell]);
        }
        Content::Sections(vec![Section {
            title: String::new(),
            table,
        }])
    }

    fn records(&self) -> Records<'_> {
        Records::named(
            ["name", "value"],
            self.rows()
                .into_iter()
                .map(|(name, cell)| vec![Cell::text(name), cell]),
        )
    }

    fn json(&self) -> Value {
        let tallies = self
            .report
            .problems()
            .map(|(what, tally)| (what.to_owned(), json!(tally.count)));
        json!({
            "path": self.path,
            "index": self.description,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "problems": Value::Object(tallies.collect()),
        })
    }
}
