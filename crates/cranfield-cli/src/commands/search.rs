//! `cranfield search`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use cranfield::collection::QueryFields;
use cranfield::io::RunFormat;
use cranfield::lab::{self, SearchRequest, Searched};
use cranfield::report::plural;
use cranfield::search::{Feedback, Index, Model};

use crate::exit_code;
use crate::lazy::whole_number;
use crate::output::notes;

/// Searches an index for every topic and writes a run. A topic is text: there is no query language. Documents with equal
/// scores are in descending order of their ids.
#[derive(Debug, Args)]
#[command(after_help = "Models:
  BM25(k1=0.9, b=0.4), with idf='lucene', 'atire', 'robertson', 'robertson-zero',
  'robertson-mean' or 'terrier', and lengths='exact' or 'byte'
  BM25+(k1=1.2, b=0.75, delta=1)   BM25L(k1=1.2, b=0.75, delta=0.5)
  TF_IDF(k1=1.2, b=0.75)           VSM('lnc.ltc'), log=10 or 2
  QL(mu=1000)  QL(lambda=0.1), with form='full' or 'lucene'
  Pivoted(s=0.2)  DPH  PL2(c=1)  InL2(c=1)

Feedback:
  RM3(docs=10, terms=10, weight=0.5)
  Rocchio(docs=10, terms=10, alpha=1, beta=0.75, gamma=0)
  Bo1(docs=3, terms=10)

Examples:
  cranfield search index topics.txt -o bm25.run
  cranfield search index collection.toml -o runs -m 'BM25(k1=1.2, b=0.75)' -m \"VSM('lnc.ltc')\"
  cranfield search index topics.txt -o rm3.run --feedback RM3 --query title+desc")]
pub struct SearchArgs {
    /// Folder of the index
    pub index: PathBuf,
    /// Topics: a file, or a collection file
    pub topics: PathBuf,
    /// The run, or a folder if there are several models; - for standard output
    #[arg(short, long, value_name = "RUN")]
    pub output: PathBuf,
    /// Model; repeat for several runs
    #[arg(short, long = "model", value_name = "MODEL", default_value = "BM25")]
    pub models: Vec<Model>,
    /// Expand queries by the terms of the best documents
    #[arg(long, value_name = "METHOD")]
    pub feedback: Option<Feedback>,
    /// Fields of the topic to search for, such as title+desc
    #[arg(long, value_name = "FIELDS", default_value = "title")]
    pub query: QueryFields,
    /// Documents per topic
    #[arg(short, long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>)]
    pub depth: usize,
    /// Tag of the run [default: made from the model]
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Suppress notes on standard error
    #[arg(long)]
    pub quiet: bool,
}

pub(crate) fn run(args: &SearchArgs, _: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    let several = args.models.len() > 1;
    ensure!(
        !(several && (args.tag.is_some() || args.output.as_os_str() == "-")),
        "several models need a folder as output and have tags of their own"
    );
    let topics = lab::inputs::topics(&args.topics)?;
    let index = Index::open(&args.index).map_err(error)?;
    if !args.quiet {
        for note in &topics.notes {
            writeln!(
                err,
                "{}",
                note.line(cranfield::core::setting::SettingStyle::CommandLine)
            )?;
        }
    }
    for model in &args.models {
        let request = SearchRequest {
            index: args.index.clone(),
            topics: topics.clone(),
            query: args.query.clone(),
            model: model.clone(),
            feedback: args.feedback.clone(),
            depth: args.depth,
            tag: args.tag.clone(),
        };
        let searched = lab::search(&index, &request).map_err(error)?;
        let path = path(args, &searched, several)?;
        if !args.quiet {
            notes::write_all(notes_of(&searched, topics.len()), err)?;
        }
        let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
        cranfield::io::save_run(&searched.run, format, &path)?;
    }
    Ok(exit_code::OK)
}

/// The errors of the library, with their own exit codes.
pub(super) fn error(error: cranfield::search::Error) -> anyhow::Error {
    use cranfield::search::Error::{Input, Name};
    match error {
        Input(error) => error.into(),
        Name(error) => error.into(),
        error => error.into(),
    }
}

fn path(args: &SearchArgs, searched: &Searched, several: bool) -> anyhow::Result<PathBuf> {
    if !several {
        return Ok(args.output.clone());
    }
    let folder: &Path = &args.output;
    std::fs::create_dir_all(folder)
        .map_err(|why| anyhow::anyhow!("cannot create the folder `{}`: {why}", folder.display()))?;
    Ok(folder.join(format!("{}.run", searched.run.tag())))
}

fn notes_of(searched: &Searched, topics: usize) -> Vec<String> {
    let mut notes = vec![format!(
        "{}: {} in {:.2} s",
        searched.run.tag(),
        plural(topics, "topic"),
        searched.seconds
    )];
    let mut list = |ids: &[String], what: &str| {
        if !ids.is_empty() {
            notes.push(format!(
                "{} {what}: {}",
                plural(ids.len(), "topic"),
                ids.join(", ")
            ));
        }
    };
    list(&searched.empty, "without results");
    list(
        &searched.without_query,
        "without the fields of the query, not in the run",
    );
    notes
}
