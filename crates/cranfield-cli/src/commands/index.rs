//! `cranfield index`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use cranfield::collection::{DocumentFormat, DocumentOptions};
use cranfield::compare::Progress;
use cranfield::lab::{IndexRequest, index, text_fields};
use cranfield::render::Render;
use cranfield::search::{Analyzer, IndexOptions};

use crate::args::ResultFormat;
use crate::exit_code;
use crate::names::one_of;
use crate::output::notes;
use crate::output::terminal_width;
use crate::output_args::without_trec;
use crate::progress::ProgressLine;

/// Reads documents as a stream and writes an index, which `cranfield search` reads. The folder appears when the index is
/// complete; an index of the same name is replaced.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield index collection.toml -o index
  cranfield index 'disk4/*/*.gz' -o index --analyzer lucene
  cranfield index corpus.jsonl.gz -o index --fields title,text
  cranfield index --analyzers"
)]
pub struct IndexArgs {
    /// A collection file, the folder of a collection, or documents: files, folders or quoted globs
    #[arg(value_name = "COLLECTION", required_unless_present = "analyzers")]
    pub inputs: Vec<PathBuf>,
    /// Folder of the index
    #[arg(short, long, value_name = "DIR", required_unless_present = "analyzers")]
    pub output: Option<PathBuf>,
    /// Analyser of documents and queries; see --analyzers
    #[arg(short, long, value_name = "NAME", default_value = "english")]
    pub analyzer: String,
    /// List the analysers
    #[arg(long)]
    pub analyzers: bool,
    /// Fields to index, or all [default: those of the collection file, or the usual ones, such as title and text]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub fields: Vec<String>,
    /// Format of the documents [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(DocumentFormat::ALL, DocumentFormat::name))]
    pub document_format: Option<DocumentFormat>,
    /// Do not store the text of documents, which feedback and explanations need
    #[arg(long)]
    pub no_text: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Output format
    #[arg(short, long, value_enum, default_value = "table")]
    pub format: ResultFormat,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

pub(crate) fn run(
    args: &IndexArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    if args.analyzers {
        for (name, what) in Analyzer::list() {
            writeln!(out, "{name:<12}{what}")?;
        }
        return Ok(exit_code::OK);
    }
    let line = ProgressLine::new(progress, args.quiet);
    let request = request(args, line.progress.clone())?;
    let indexed = index(&request).map_err(super::search::error)?;
    drop(line);
    if !args.quiet {
        notes::write_all(indexed.notes(), err)?;
    }
    out.write_all(indexed.render(args.format, terminal_width())?.as_bytes())?;
    Ok(exit_code::OK)
}

fn request(args: &IndexArgs, progress: Progress) -> anyhow::Result<IndexRequest> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    Ok(IndexRequest {
        inputs: args.inputs.clone(),
        reading: DocumentOptions {
            format: args.document_format,
            text: text_fields(&args.fields),
            ..DocumentOptions::default()
        },
        options: IndexOptions {
            text: !args.no_text,
            threads: args.threads.map_or(cores, NonZeroUsize::get),
            ..IndexOptions::new(Analyzer::named(&args.analyzer)?)
        },
        output: args.output.clone().unwrap_or_default(),
        progress,
    })
}
