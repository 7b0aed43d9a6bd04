//! `cranfield similarity`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::similarity::{Comparison, ListMeasure, Ties};
use cranfield::{Against, ComparedRuns, SimilarityRequest, VERSION, similarity_of_files};
use serde_json::{Map, Value, json};

use crate::args::ResultFormat;
use crate::exit_code;
use crate::lazy::whole_number;
use crate::output::notes::plural;
use crate::output::{file_hash, terminal_width};
use crate::output_args::{OutputArgs, check_output};

/// Rank-biased overlap and its relatives, topic by topic and on average over the topics that both runs have. Equal scores are
/// ties. With --ideal a run is compared with the best rankings that judgements allow.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield similarity bm25.run dense.run
  cranfield similarity bm25.run dense.run --p 0.98 --depth 100 -q -f csv
  cranfield similarity bm25.run dense.run --measure rba
  cranfield similarity bm25.run --ideal qrels.txt")]
pub struct SimilarityArgs {
    /// A run; - is standard input
    #[arg(value_name = "RUN")]
    pub first: PathBuf,
    /// The run to compare it with
    #[arg(
        value_name = "RUN",
        required_unless_present = "ideal",
        conflicts_with = "ideal"
    )]
    pub second: Option<PathBuf>,
    /// Compare with the ideal rankings of these judgements instead of a second run: the highest grade
    /// first, equal grades tied
    #[arg(long, value_name = "QRELS")]
    pub ideal: Option<PathBuf>,
    /// rbo (rank-biased overlap), rba (rank-biased alignment), rbr (rank-biased recall: the first run's
    /// documents as a set), ao (average overlap)
    #[arg(short, long, value_name = "NAME", default_value = "rbo")]
    pub measure: ListMeasure,
    /// Persistence, above 0 and below 1: the larger, the more the lower ranks count
    #[arg(short, long, value_name = "P", default_value_t = 0.9)]
    pub p: f64,
    /// What equal scores mean, for rbo and ao: w (the same rank), a (unknown order, expected value), b (as a,
    /// corrected so that a ranking is wholly like itself)
    #[arg(long, value_name = "LETTER", default_value = "b")]
    pub ties: Ties,
    /// Only the first N documents of each ranking; a group of equal scores that begins there is kept whole
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub depth: Option<usize>,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Format of the runs [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub run_format: Option<RunFormat>,
    /// Format of the judgements [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub qrels_format: Option<QrelsFormat>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
}

/// The topic name of means.
const ALL: &str = "all";

pub(crate) fn run(
    args: &SimilarityArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let others = [&args.second, &args.ideal].into_iter().flatten();
    let inputs = std::iter::once(&args.first).chain(others);
    check_output(args.output.output.as_deref(), inputs.map(PathBuf::as_path))?;
    let compared = similarity_of_files(&request(args)?)?;
    if !args.output.quiet {
        crate::output::notes::write_all(notes(&compared), err)?;
    }
    let text = render(&compared, args)?;
    args.output.write(&text, out)?;
    Ok(exit_code::OK)
}

fn request(args: &SimilarityArgs) -> anyhow::Result<SimilarityRequest> {
    let against = match (&args.second, &args.ideal) {
        (Some(run), None) => Against::Run(run.clone()),
        (None, Some(qrels)) => Against::Ideal(qrels.clone()),
        _ => anyhow::bail!("give a second run, or judgements with --ideal"),
    };
    let other = args.second.as_ref().or(args.ideal.as_ref());
    let stdin = [Some(&args.first), other];
    let stdin = stdin
        .iter()
        .flatten()
        .filter(|path| path.as_os_str() == "-");
    anyhow::ensure!(
        stdin.count() <= 1,
        "standard input (-) can be read only once"
    );
    Ok(SimilarityRequest {
        run_format: args.run_format,
        qrels_format: args.qrels_format,
        comparison: Comparison::new(args.measure, args.p, args.ties, args.depth)?,
        ..SimilarityRequest::new(&args.first, against)
    })
}

fn notes(compared: &ComparedRuns) -> Vec<String> {
    let similarity = &compared.similarity;
    let topics = plural(similarity.topics.len(), "topic");
    let mut notes = vec![format!(
        "{topics} compared; {}",
        settings(&similarity.comparison)
    )];
    let files = compared.files.iter();
    notes.extend(files.flat_map(|file| file.notes.iter().map(ToString::to_string)));
    let only = [similarity.only_first, similarity.only_second];
    for (count, name) in only.into_iter().zip(&compared.names) {
        if count > 0 {
            let topics = plural(count, "topic");
            notes.push(format!("{topics} only in {name}, not compared"));
        }
    }
    if similarity.undefined() > 0 {
        let topics = plural(similarity.undefined(), "topic");
        notes.push(format!("{topics} with an empty ranking, not in the mean"));
    }
    notes
}

fn settings(comparison: &Comparison) -> String {
    let measure = comparison.measure();
    let mut text = measure.to_string();
    if measure != ListMeasure::AverageOverlap {
        text.push_str(&format!(", p {}", comparison.p()));
    }
    if matches!(measure, ListMeasure::Overlap | ListMeasure::AverageOverlap) {
        text.push_str(&format!(", ties {}", comparison.ties()));
    }
    if let Some(depth) = comparison.depth() {
        text.push_str(&format!(", depth {depth}"));
    }
    text
}

/// A topic's values, the mean last.
type Row = (String, Vec<Option<f64>>);

fn rows(compared: &ComparedRuns, per_topic: bool) -> Vec<Row> {
    let similarity = &compared.similarity;
    let width = similarity.comparison.measure().values().len();
    let mut rows: Vec<Row> = Vec::new();
    for topic in similarity.topics.iter().filter(|_| per_topic) {
        let values = match &topic.values {
            Some(values) => values.iter().copied().map(Some).collect(),
            None => vec![None; width],
        };
        rows.push((String::from_utf8_lossy(&topic.id).into_owned(), values));
    }
    let means = (0..width).map(|value| similarity.mean(value));
    rows.push((ALL.into(), means.collect()));
    rows
}

fn render(compared: &ComparedRuns, args: &SimilarityArgs) -> anyhow::Result<String> {
    let rows = rows(compared, args.per_topic);
    let names = compared.similarity.comparison.measure().values();
    let table = |format: Format| {
        let mut table = wide(names, &rows);
        table.digits = usize::from(args.output.digits);
        table.width = terminal_width();
        table.render(format)
    };
    Ok(match args.output.format {
        ResultFormat::Table => table(Format::Text),
        ResultFormat::Md => table(Format::Markdown),
        ResultFormat::Latex => table(Format::Latex),
        ResultFormat::Html => table(Format::Html),
        ResultFormat::Csv => records(compared, names, &rows).render(Format::Csv),
        ResultFormat::Tsv => records(compared, names, &rows).render(Format::Tsv),
        ResultFormat::Jsonl => jsonl(compared, names, &rows),
        ResultFormat::Json => {
            serde_json::to_string_pretty(&document(compared, names, &rows, args))? + "\n"
        }
        ResultFormat::Trec => trec(names, &rows),
    })
}

/// One row per topic, one column per value.
fn wide(names: &[&str], rows: &[Row]) -> Table {
    let columns = names.iter().map(|name| Column::number(*name));
    let mut table = Table::new([Column::text("topic")].into_iter().chain(columns));
    for (topic, values) in rows {
        let values = values.iter().map(|value| Cell::real(*value));
        table.push([Cell::text(topic.clone())].into_iter().chain(values));
    }
    table
}

/// One row per topic and value.
fn records(compared: &ComparedRuns, names: &[&str], rows: &[Row]) -> Table {
    let columns = ["run", "other", "topic", "measure"].map(Column::text);
    let mut table = Table::new(columns.into_iter().chain([Column::number("value")]));
    let [run, other] = &compared.names;
    for (topic, values) in rows {
        for (name, value) in names.iter().zip(values) {
            let texts = [run.as_str(), other, topic, name].map(Cell::text);
            table.push(texts.into_iter().chain([Cell::real(*value)]));
        }
    }
    table
}

fn jsonl(compared: &ComparedRuns, names: &[&str], rows: &[Row]) -> String {
    let [run, other] = &compared.names;
    let mut text = String::new();
    for (topic, values) in rows {
        for (name, value) in names.iter().zip(values) {
            let record = json!({"run": run, "other": other, "topic": topic, "measure": name, "value": value});
            text.push_str(&format!("{record}\n"));
        }
    }
    text
}

/// The values with everything that is needed to compute them again.
fn document(compared: &ComparedRuns, names: &[&str], rows: &[Row], args: &SimilarityArgs) -> Value {
    let similarity = &compared.similarity;
    let comparison = &similarity.comparison;
    let object = |values: &[Option<f64>]| -> Map<String, Value> {
        let named = names.iter().zip(values);
        named
            .map(|(name, value)| ((*name).into(), json!(value)))
            .collect()
    };
    let files = compared.names.iter().zip(&compared.files);
    let files: Vec<Value> = files
        .map(
            |(name, file)| json!({"run": name, "path": file.path, "blake3": file_hash(&file.path)}),
        )
        .collect();
    let mut all = json!({
        "cranfield": VERSION,
        "measure": comparison.measure().name(),
        "p": comparison.p(),
        "ties": comparison.ties().name(),
        "depth": comparison.depth(),
        "against": if args.ideal.is_some() { "ideal" } else { "run" },
        "files": files,
        "counted": {
            "topics": similarity.topics.len(),
            "only_first": similarity.only_first,
            "only_second": similarity.only_second,
            "undefined": similarity.undefined(),
        },
    });
    if let (Some((_, means)), Some(all)) = (rows.last(), all.as_object_mut()) {
        all.insert("aggregate".into(), Value::Object(object(means)));
        if args.per_topic {
            let topics = rows[..rows.len() - 1].iter();
            let topics: Map<String, Value> = topics
                .map(|(topic, values)| (topic.clone(), Value::Object(object(values))))
                .collect();
            all.insert("topics".into(), Value::Object(topics));
        }
    }
    all
}

/// As `trec_eval` prints: name, topic, four decimals.
fn trec(names: &[&str], rows: &[Row]) -> String {
    let mut text = String::new();
    for (topic, values) in rows {
        for (name, value) in names.iter().zip(values) {
            let value = value.unwrap_or(0.0);
            text.push_str(&format!("{name:<22}\t{topic}\t{value:6.4}\n"));
        }
    }
    text
}
