//! `cranfield search`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use cranfield::collection::QueryFields;
use cranfield::compare::Progress;
use cranfield::core::setting::SettingStyle;
use cranfield::io::{Code, Problem};
use cranfield::lab::engine::{EngineSettings, open_engine};
use cranfield::lab::searching::{
    EmptyTopics, SearchRequest, Searched, TestCollection, check_results, save, save_with_header,
    search,
};
use cranfield::lab::{self, RunSettings, explain_score};
use cranfield::render::Render;
use cranfield::report::plural;
use cranfield::search::dense::Similarity;
use cranfield::search::{Feedback, Model};

use crate::args::ResultFormat;
use crate::exit_code;
use crate::lazy::whole_number;
use crate::output::notes;
use crate::output::terminal_width;
use crate::output_args::{check_output, without_trec};
use crate::progress::ProgressLine;

/// Searches for every topic and writes a run, and next to it a file RUN.yaml that says how it was made. A topic is text: there is no query language. Documents with equal
/// scores are in descending order of their ids.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Models:
  BM25(k1=0.9, b=0.4), with lengths='exact' or 'byte', and idf='lucene',
  'atire', 'robertson', 'robertson-zero', 'robertson-mean' or 'terrier'
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
  cranfield search index collection.toml -o runs -m BM25 -m \"VSM('lnc.ltc')\"
  cranfield search index topics.txt -o rm3.run --feedback RM3 --query title+desc
  cranfield search index topics.txt --explain 301 FBIS3-10082"
)]
pub struct SearchArgs {
    /// Folder of an index or of vectors (vectors:DIR), or a file that describes another engine
    pub engine: PathBuf,
    /// Topics: a file, a collection file, or the folder of a collection
    pub topics: PathBuf,
    /// The run, or a folder if there are several models; - for standard output
    #[arg(short, long, value_name = "RUN", required_unless_present = "explain")]
    pub output: Option<PathBuf>,
    /// Show how the score of one document for one topic is computed from its terms, instead of writing a run
    #[arg(long, num_args = 2, value_names = ["TOPIC", "DOCUMENT"], conflicts_with = "output")]
    pub explain: Option<Vec<String>>,
    /// Output format of the explanation
    #[arg(short, long, value_enum, default_value = "table")]
    pub format: ResultFormat,
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
    /// Similarity of vectors: dot or cosine
    #[arg(long, value_name = "NAME", default_value = "dot")]
    pub similarity: Similarity,
    /// Topics without results: note or fail
    #[arg(long, value_name = "RULE", default_value = "note")]
    pub empty: EmptyTopics,
    /// Begin the run with its provenance, in lines that begin with #; other programs may not read it
    #[arg(long)]
    pub header: bool,
    /// Write the run even if the engine fails to answer some topics; notes and RUN.yaml list them
    #[arg(long)]
    pub keep_going: bool,
    /// Number of threads, or of concurrent requests to another engine [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

pub(crate) fn run(
    args: &SearchArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    if let Some([topic, document]) = args.explain.as_deref() {
        return explain(args, topic, document, out);
    }
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    let several = args.models.len() > 1;
    ensure!(
        !(several && (args.tag.is_some() || output.as_os_str() == "-")),
        "several models need a folder as output and have tags of their own"
    );
    let read = lab::inputs::files(&args.topics)?;
    let read = read.iter().map(PathBuf::as_path);
    check_output(
        Some(output),
        [args.engine.as_path()].into_iter().chain(read),
    )?;
    let topics = lab::inputs::topics(&args.topics)?;
    lab::inputs::check_fields(&topics, &args.query, &args.topics.to_string_lossy())?;
    if !args.quiet {
        let notes = topics.notes.iter();
        notes::write_all(notes.map(|note| note.line(SettingStyle::CommandLine)), err)?;
        notes::write_all(lab::inputs::lacking_fields(&topics, &args.query), err)?;
    }
    let line = ProgressLine::new(progress, args.quiet);
    let settings = RunSettings {
        depth: args.depth,
        threads: args
            .threads
            .map_or_else(lab::bench::cores, NonZeroUsize::get),
        keep_going: args.keep_going,
        progress: line.progress.clone(),
    };
    let request = SearchRequest {
        topics: &topics,
        fields: &args.query,
        tag: args.tag.as_deref(),
        command: super::report::command_line("search"),
        data: TestCollection::at(&args.topics)?,
    };
    for model in &args.models {
        let engine = EngineSettings {
            model: model.clone(),
            feedback: args.feedback.clone(),
            similarity: args.similarity,
        };
        let engine = open_engine(&args.engine, &engine).map_err(error)?;
        let searched = search(&*engine, &request, &settings);
        let searched = searched.map_err(|why| failed(&args.engine, why.to_string()))?;
        if !args.quiet {
            notes::write_all(notes_of(&searched, topics.len()), err)?;
        }
        if args.empty == EmptyTopics::Fail {
            check_results(&searched, &args.engine)?;
        }
        if searched.answers.is_complete() || args.keep_going {
            let path = path(output, &searched, several)?;
            if args.header {
                save_with_header(&searched, &path)?;
            } else {
                save(&searched, &path)?;
            }
        } else {
            let problem = incomplete(&searched, &args.engine);
            return Err(cranfield::io::Error::from(problem).into());
        }
    }
    Ok(exit_code::OK)
}

/// The failure of a whole engine.
fn failed(engine: &Path, why: String) -> cranfield::io::Error {
    Problem::file(Code::FailedTopics, &engine.to_string_lossy(), why).into()
}

/// The first failure of an engine, for which no run is written.
fn incomplete(searched: &Searched, engine: &Path) -> Problem {
    let first = searched.answers.failed.first();
    let message = first.map_or_else(
        || "the engine failed to answer some topics".into(),
        |(topic, why)| format!("topic {topic}: {why}"),
    );
    let help = "no run was written; with --keep-going, it is written without such topics";
    Problem::file(Code::FailedTopics, &engine.to_string_lossy(), message).with_help(help)
}

fn explain(
    args: &SearchArgs,
    topic: &str,
    document: &str,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let topics = lab::inputs::topics(&args.topics)?;
    for model in &args.models {
        let settings = EngineSettings {
            model: model.clone(),
            feedback: args.feedback.clone(),
            similarity: args.similarity,
        };
        let score = explain_score(
            &args.engine,
            &settings,
            &topics,
            &args.query,
            (topic, document),
        );
        let text = score
            .map_err(error)?
            .render(args.format, terminal_width())?;
        out.write_all(text.as_bytes())?;
    }
    Ok(exit_code::OK)
}

/// The errors of the library, with their own exit codes.
pub(super) fn error(error: cranfield::search::Error) -> anyhow::Error {
    use cranfield::search::Error::{Input, Name};
    match error {
        Input(error) => error.into(),
        Name(error) => error.into(),
    }
}

fn path(output: &Path, searched: &Searched, several: bool) -> anyhow::Result<PathBuf> {
    if !several {
        return Ok(output.into());
    }
    std::fs::create_dir_all(output)
        .map_err(|why| anyhow::anyhow!("cannot create the folder `{}`: {why}", output.display()))?;
    Ok(output.join(format!("{}.run", searched.answers.run.tag())))
}

/// Notes on a search for that many topics.
pub fn notes_of(searched: &Searched, topics: usize) -> Vec<String> {
    let mut notes = vec![format!(
        "{}: {} in {:.2} s",
        searched.answers.run.tag(),
        plural(topics, "topic"),
        searched.answers.elapsed.as_secs_f64()
    )];
    let mut failures = Vec::new();
    let mut list = |ids: &[String], what: &str| {
        if !ids.is_empty() {
            notes.push(format!(
                "{} {what}: {}",
                plural(ids.len(), "topic"),
                ids.join(", ")
            ));
        }
    };
    let mut failed = Vec::new();
    for (topic, why) in &searched.answers.failed {
        failed.push(topic.clone());
        failures.push(format!("topic {topic}: {why}"));
    }
    list(&failed, "without an answer, not in the run");
    list(&searched.answers.empty, "without results");
    list(
        &searched.without_query,
        "without the fields of the query, not in the run",
    );
    notes.extend(failures);
    notes
}
