//! `cranfield similarity`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::core::setting::Message;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::render::{Content, Records, Render, Section};
use cranfield::report::{Cell, Column, Table};
use cranfield::similarity::{Comparison, ListMeasure, Ties};
use cranfield::{
    Against, ComparedRuns, SimilarityRequest, VERSION, similarity_of_files, similarity_of_pairs,
};
use serde_json::{Map, Value, json};

use crate::exit_code;
use crate::lazy::whole_number;
use crate::names::one_of;
use crate::output::file_hash;
use crate::output::notes::{self, plural};
use crate::output::topic_rows::{all_name, name as topic_name};
use crate::output_args::{OutputArgs, check_output};

/// Computes rank-biased overlap, or a related measure, for each topic in both runs, and its mean over topics. Documents
/// with equal scores are tied. More than two runs give a matrix. With --ideal, compares one run with the ideal rankings
/// of the judgements.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield similarity bm25.run dense.run
  cranfield similarity bm25.run dense.run --p 0.98 --depth 100 -q -f csv
  cranfield similarity 'runs/*.run' --measure rba
  cranfield similarity bm25.run --ideal qrels.txt")]
pub struct SimilarityArgs {
    /// Two or more runs: files, quoted globs, folders, or - for standard input; one run with --ideal
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// Compare the run with the ideal rankings of these judgements: highest grades first, equal grades tied
    #[arg(long, value_name = "QRELS")]
    pub ideal: Option<PathBuf>,
    /// Measure: rbo (rank-biased overlap), rba (rank-biased alignment), rbr (rank-biased recall of the first
    /// run's documents, as a set), ao (average overlap)
    #[arg(short, long, value_name = "NAME", default_value = "rbo", value_parser = one_of(ListMeasure::ALL, ListMeasure::name), hide_possible_values = true)]
    pub measure: ListMeasure,
    /// Persistence, between 0 and 1; higher values give lower ranks more weight
    #[arg(short, long, value_name = "P", default_value_t = 0.9)]
    pub p: f64,
    /// Treatment of ties in rbo and ao: w (tied documents share a rank), a (expected value over all orders), b (as a,
    /// but 1 for a ranking and itself)
    #[arg(long, value_name = "VARIANT", default_value = "b", value_parser = one_of(Ties::ALL, Ties::name), hide_possible_values = true)]
    pub ties: Ties,
    /// Compare only the first N documents of each ranking, and any tied with the last
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub depth: Option<usize>,
    /// Also print each topic
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub(crate) fn run(
    args: &SimilarityArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let runs = cranfield::io::expand_paths(&args.runs)?;
    let inputs = runs.iter().chain(&args.ideal).map(PathBuf::as_path);
    check_output(args.output.output.as_deref(), inputs.clone())?;
    let stdin = inputs.filter(|path| path.as_os_str() == "-").count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    let pairs = compare(args, &runs)?;
    let digits = usize::from(args.output.digits);
    let pairs = SimilarPairs::new(pairs, args.per_topic, digits, args.ideal.is_some());
    if !args.output.quiet {
        notes::write_all(pairs.notes(), err)?;
    }
    args.output.print(&pairs, out)?;
    Ok(exit_code::OK)
}

/// Compares every two of the runs, or a run with the ideal rankings.
fn compare(args: &SimilarityArgs, runs: &[PathBuf]) -> anyhow::Result<Vec<ComparedRuns>> {
    let comparison = Comparison::new(args.measure, args.p, args.ties, args.depth)?;
    let against = match (runs, &args.ideal) {
        ([_], Some(qrels)) => Against::Ideal(qrels.clone()),
        (_, Some(_)) => anyhow::bail!("--ideal takes one run, not {}", runs.len()),
        ([_], None) => anyhow::bail!("expected two or more runs, or one run and --ideal QRELS"),
        ([_, second], None) => Against::Run(second.clone()),
        (runs, None) => return Ok(similarity_of_pairs(runs, args.run_format, &comparison)?),
    };
    let request = SimilarityRequest {
        run_format: args.run_format,
        qrels_format: args.qrels_format,
        comparison,
        ..SimilarityRequest::new(&runs[0], against)
    };
    Ok(vec![similarity_of_files(&request)?])
}

fn has_topic(pairs: &[ComparedRuns], name: &str) -> bool {
    let mut topics = pairs.iter().flat_map(|pair| &pair.similarity.topics);
    topics.any(|topic| *topic.id == *name.as_bytes())
}

fn notes_of(pairs: &[ComparedRuns]) -> Vec<String> {
    match pairs {
        [pair] => pair_notes(pair),
        pairs => {
            let comparison = pairs.first().map(|pair| &pair.similarity.comparison);
            let settings = comparison.map(settings).unwrap_or_default();
            let topics = pairs.iter().map(|pair| pair.similarity.topics.len());
            let topics = match (topics.clone().min(), topics.max()) {
                (Some(least), Some(most)) if least != most => format!("{least} to {most} topics"),
                (_, most) => plural(most.unwrap_or(0), "topic"),
            };
            vec![format!("{topics} compared per pair; {settings}")]
        }
    }
}

fn pair_notes(compared: &ComparedRuns) -> Vec<String> {
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

/// Pairs of runs, ready to be written.
#[derive(Debug)]
pub struct SimilarPairs {
    pairs: Vec<ComparedRuns>,
    /// Name of the mean over topics.
    all: String,
    measure: ListMeasure,
    per_topic: bool,
    digits: usize,
    is_ideal: bool,
}

impl SimilarPairs {
    /// Pairs of runs, or a run and the ideal.
    pub fn new(pairs: Vec<ComparedRuns>, per_topic: bool, digits: usize, is_ideal: bool) -> Self {
        let first = pairs.first().map(|pair| &pair.similarity.comparison);
        Self {
            all: all_name(|name| has_topic(&pairs, name)),
            measure: first.map_or_else(|| Comparison::default().measure(), Comparison::measure),
            pairs,
            per_topic,
            digits,
            is_ideal,
        }
    }

    /// Notes on the comparison.
    pub fn notes(&self) -> Vec<Message> {
        let notes = notes_of(&self.pairs).into_iter();
        notes.map(Message::from).collect()
    }
}

/// A topic, or all, and its values.
type Row = (String, Vec<Option<f64>>);

impl SimilarPairs {
    fn values(&self) -> &'static [&'static str] {
        self.measure.values()
    }

    fn topic_rows(&self, compared: &ComparedRuns) -> Vec<Row> {
        let topics = compared.similarity.topics.iter();
        let rows = topics.filter(|_| self.per_topic).map(|topic| {
            let values = match &topic.values {
                Some(values) => values.iter().copied().map(Some).collect(),
                None => vec![None; self.values().len()],
            };
            (topic_name(&topic.id), values)
        });
        rows.collect()
    }

    fn means(compared: &ComparedRuns) -> Vec<Option<f64>> {
        let similarity = &compared.similarity;
        let values = similarity.comparison.measure().values().len();
        (0..values).map(|value| similarity.mean(value)).collect()
    }

    /// Topics if they are shown, and the mean.
    fn rows(&self, compared: &ComparedRuns) -> Vec<Row> {
        let mut rows = self.topic_rows(compared);
        rows.push((self.all.clone(), Self::means(compared)));
        rows
    }

    /// One row per topic, one column per value; with several pairs, a row also names its runs.
    fn by_topic(&self) -> Table {
        let names = ["run", "other"].map(Column::text);
        let names = names.into_iter().filter(|_| self.pairs.len() > 1);
        let keys = names.chain([Column::text("topic")]);
        let values = self.values().iter().map(|name| Column::number(*name));
        let mut table = Table::new(keys.chain(values));
        for pair in &self.pairs {
            for (topic, values) in self.rows(pair) {
                let names = pair.names.iter().filter(|_| self.pairs.len() > 1);
                let keys = names.map(Cell::text).chain([Cell::text(topic)]);
                table.push(keys.chain(values.into_iter().map(Cell::real)));
            }
        }
        table.keys = if self.pairs.len() > 1 { 3 } else { 1 };
        table
    }

    /// The mean of the first value for every two runs.
    fn matrix(&self) -> Table {
        let mut names: Vec<&str> = Vec::new();
        let all = self.pairs.iter().flat_map(|pair| &pair.names);
        for name in all.map(String::as_str) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let columns = names.iter().map(|name| Column::number(*name));
        let mut table = Table::new([Column::text("run")].into_iter().chain(columns));
        for run in &names {
            let cells = names.iter().map(|other| self.mean_of(run, other));
            table.push([Cell::text(*run)].into_iter().chain(cells));
        }
        table
    }

    fn mean_of(&self, run: &str, other: &str) -> Cell {
        let is_symmetric = self.measure.is_symmetric();
        let pair = self.pairs.iter().find(|pair| {
            let [first, second] = pair.names.each_ref().map(String::as_str);
            (first, second) == (run, other) || is_symmetric && (second, first) == (run, other)
        });
        pair.map_or(Cell::Missing, |pair| Cell::real(pair.similarity.mean(0)))
    }

    fn object(&self, values: &[Option<f64>]) -> Value {
        let named = self.values().iter().zip(values);
        let members = named.map(|(name, value)| ((*name).to_owned(), json!(value)));
        Value::Object(members.collect())
    }

    /// The members that describe one pair.
    fn pair_members(&self, compared: &ComparedRuns) -> Map<String, Value> {
        let similarity = &compared.similarity;
        let files = compared.names.iter().zip(&compared.files);
        let files = files.map(
            |(name, file)| json!({"run": name, "path": file.path, "blake3": file_hash(&file.path)}),
        );
        let counted = json!({
            "topics": similarity.topics.len(),
            "only_first": similarity.only_first,
            "only_second": similarity.only_second,
            "undefined": similarity.undefined(),
        });
        let mut members = Map::new();
        members.insert("files".into(), files.collect());
        members.insert("counted".into(), counted);
        members.insert("aggregate".into(), self.object(&Self::means(compared)));
        if self.per_topic {
            let topics = self.topic_rows(compared).into_iter();
            let topics = topics.map(|(topic, values)| (topic, self.object(&values)));
            members.insert("topics".into(), Value::Object(topics.collect()));
        }
        members
    }
}

impl Render for SimilarPairs {
    fn content(&self) -> Content {
        let is_matrix = self.pairs.len() > 1 && !self.per_topic;
        let (title, mut table) = if is_matrix {
            let name = self.values().first().copied().unwrap_or_default();
            (format!("{name}, mean over topics"), self.matrix())
        } else {
            (String::new(), self.by_topic())
        };
        table.digits = self.digits;
        Content::Sections(vec![Section { title, table }])
    }

    fn records(&self) -> Records<'_> {
        let rows = self.pairs.iter().flat_map(move |pair| {
            self.rows(pair)
                .into_iter()
                .flat_map(move |(topic, values)| {
                    let named = self.values().iter().zip(values);
                    named.map(move |(name, value)| {
                        let [run, other] = &pair.names;
                        let names = [run.as_str(), other, &topic, name].map(Cell::text);
                        names.into_iter().chain([Cell::real(value)]).collect()
                    })
                })
        });
        Records::named(["run", "other", "topic", "measure", "value"], rows)
    }

    fn json(&self) -> Value {
        let ideal = self.is_ideal;
        let Some(comparison) = self.pairs.first().map(|pair| &pair.similarity.comparison) else {
            return Value::Null;
        };
        let mut document = json!({
            "cranfield": VERSION,
            "measure": comparison.measure().name(),
            "p": comparison.p(),
            "ties": comparison.ties().name(),
            "depth": comparison.depth(),
            "against": if ideal { "ideal" } else { "run" },
        });
        if let Some(members) = document.as_object_mut() {
            match self.pairs.as_slice() {
                [pair] => members.extend(self.pair_members(pair)),
                pairs => {
                    let pairs = pairs.iter().map(|pair| self.pair_members(pair).into());
                    members.insert("pairs".into(), Value::Array(pairs.collect()));
                }
            }
        }
        document
    }

    /// Lines of value, topic and number with four decimals; with several pairs, a line that names the two runs comes first.
    fn trec(&self) -> Option<String> {
        let mut text = String::new();
        for pair in &self.pairs {
            if self.pairs.len() > 1 {
                let [run, other] = &pair.names;
                text.push_str(&format!("{:<22}\tall\t{run} {other}\n", "runid"));
            }
            for (topic, values) in self.rows(pair) {
                for (name, value) in self.values().iter().zip(values) {
                    let value = value.unwrap_or(0.0);
                    text.push_str(&format!("{name:<22}\t{topic}\t{value:6.4}\n"));
                }
            }
        }
        Some(text)
    }
}
