//! `cranfield rosetta`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use cranfield::core::measure::BoundMeasure;
use cranfield::core::policy::Profile;
use cranfield::core::profiles::NotThere;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{Conventions, Inputs, RosettaRow, VERSION, parse_measures, rosetta};
use serde_json::{Map, Value, json};

use crate::args::ResultFormat;
use crate::exit_code;
use crate::output::{terminal_width, wrapped};
use crate::output_args::{check_output, write_text};

/// Every profile's program is asked for the measure. What the name says holds everywhere: nDCG(gains='grade')@10 has no number in
/// a program that has other gains. What the name leaves open is as the program has it. Policies and definitions that make a
/// number differ from Cranfield's are told.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield rosetta qrels.txt bm25.run -m nDCG@10
  cranfield rosetta qrels.txt bm25.run -m RBP -f md")]
pub struct RosettaArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// A run
    pub run: PathBuf,
    /// The measure's name
    #[arg(short, long, value_name = "NAME")]
    pub measure: String,
    /// Programs to ask, by their profiles [default: all]
    #[arg(long, value_name = "PROFILE")]
    pub profile: Vec<Profile>,
    /// Format of the result; csv, tsv, json and jsonl have full precision
    #[arg(short, long, value_enum, default_value_t = ResultFormat::Table)]
    pub format: ResultFormat,
    /// Decimals in table, md, latex and html
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// Format of the judgements [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub qrels_format: Option<QrelsFormat>,
    /// Format of the run [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub run_format: Option<RunFormat>,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

pub(crate) fn run(args: &RosettaArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let measure = one_measure(&args.measure, &Conventions::default())?;
    check_format(args.format)?;
    check_stdin(&args.qrels, &args.run)?;
    check_output(args.output.as_deref(), [args.qrels.as_path(), &args.run])?;
    let inputs = Inputs::read(&args.qrels, args.qrels_format, &args.run, args.run_format)?;
    let profiles = match args.profile.as_slice() {
        [] => Profile::ALL,
        chosen => chosen,
    };
    let rows = rosetta(&inputs, &measure, profiles)?;
    let text = render(args, &measure, &rows)?;
    write_text(&text, args.output.as_deref(), out)?;
    Ok(exit_code::OK)
}

/// Only one of two files can be standard input.
pub(crate) fn check_stdin(qrels: &Path, run: &Path) -> anyhow::Result<()> {
    let both = [qrels, run].iter().all(|path| path.as_os_str() == "-");
    anyhow::ensure!(!both, "standard input (-) can be read only once");
    Ok(())
}

/// `trec_eval`'s format has lines of a measure, a topic and a value, and nothing else.
pub(crate) fn check_format(format: ResultFormat) -> anyhow::Result<()> {
    anyhow::ensure!(
        format != ResultFormat::Trec,
        "trec_eval's format does not fit here; use csv, tsv, json or jsonl"
    );
    Ok(())
}

/// The one measure that a name stands for, whose value is a number.
pub(crate) fn one_measure(name: &str, conventions: &Conventions) -> anyhow::Result<BoundMeasure> {
    let mut measures = parse_measures(name, conventions)?;
    anyhow::ensure!(
        measures.len() < 2,
        "`{name}` stands for {} measures; ask for one, such as -m '{}'",
        measures.len(),
        measures[0]
    );
    let measure = measures
        .pop()
        .context("no measure is asked for; give one with -m, such as -m nDCG@10")?;
    anyhow::ensure!(
        !measure.is_text(),
        "{measure} is a text; ask for a measure that is a number, such as -m nDCG@10"
    );
    Ok(measure)
}

fn render(
    args: &RosettaArgs,
    measure: &BoundMeasure,
    rows: &[RosettaRow],
) -> anyhow::Result<String> {
    let table = |format| {
        let mut table = full_table(rows);
        table.digits = usize::from(args.digits);
        table.render(format)
    };
    Ok(match args.format {
        // The last one is refused before anything is read.
        ResultFormat::Table | ResultFormat::Trec => for_terminal(args, rows),
        ResultFormat::Md => table(Format::Markdown),
        ResultFormat::Latex => table(Format::Latex),
        ResultFormat::Html => table(Format::Html),
        ResultFormat::Csv => table(Format::Csv),
        ResultFormat::Tsv => table(Format::Tsv),
        ResultFormat::Jsonl => {
            let lines = rows
                .iter()
                .map(|row| Value::Object(object(row)).to_string() + "\n");
            lines.collect()
        }
        ResultFormat::Json => {
            let document = json!({
                "cranfield": VERSION,
                "qrels": args.qrels,
                "run": args.run,
                "measure": measure.said(),
                "programs": rows.iter().map(object).collect::<Vec<_>>(),
            });
            serde_json::to_string_pretty(&document)? + "\n"
        }
    })
}

/// A number of things.
pub(crate) fn count(things: usize) -> Cell {
    Cell::Int(i64::try_from(things).unwrap_or(i64::MAX))
}

/// Numbers in a table, and below it the reasons.
fn for_terminal(args: &RosettaArgs, rows: &[RosettaRow]) -> String {
    let mut table = Table::new([
        Column::text("profile"),
        Column::number("value"),
        Column::number("topics"),
        Column::text("measure"),
    ]);
    table.digits = usize::from(args.digits);
    table.width = terminal_width();
    for row in rows {
        table.push(match &row.measure {
            Err(why) => vec![
                Cell::text(row.profile.name()),
                Cell::Missing,
                Cell::Missing,
                Cell::text(match why {
                    NotThere::NoMeasure => "not in this program",
                    NotThere::NotSo(_) => "no number; see below",
                }),
            ],
            Ok(measure) => vec![
                Cell::text(row.profile.name()),
                Cell::real(row.value),
                count(row.topics),
                Cell::text(measure.to_string()),
            ],
        });
    }
    let mut text = table.render(Format::Text);
    let differing = rows.iter().filter(|row| {
        let absent = matches!(row.measure, Err(NotThere::NoMeasure));
        !row.reasons.is_empty() && !absent
    });
    for (place, row) in differing.enumerate() {
        if place == 0 {
            text.push('\n');
        }
        text.push_str(&wrapped(
            &format!("{}: {}", row.profile, row.reasons.join("; ")),
            2,
        ));
    }
    text
}

/// The policies that matter, as options.
fn policies(row: &RosettaRow) -> String {
    let named = row.policies.named();
    let matter = named.iter().filter(|(name, _)| row.matter.contains(name));
    let texts: Vec<String> = matter
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    texts.join(", ")
}

fn full_table(rows: &[RosettaRow]) -> Table {
    let mut table = Table::new([
        Column::text("profile"),
        Column::number("value"),
        Column::number("topics"),
        Column::text("measure"),
        Column::text("policies"),
        Column::text("reason"),
    ]);
    for row in rows {
        let measure = row.measure.as_ref().ok().map(ToString::to_string);
        let topics = measure
            .as_ref()
            .map_or(Cell::Missing, |_| count(row.topics));
        table.push([
            Cell::text(row.profile.name()),
            Cell::real(row.value),
            topics,
            measure.map_or(Cell::Missing, Cell::text),
            Cell::text(policies(row)),
            Cell::text(row.reasons.join("; ")),
        ]);
    }
    table
}

fn object(row: &RosettaRow) -> Map<String, Value> {
    let named = row
        .policies
        .named()
        .map(|(name, value)| (name.to_owned(), json!(value)));
    let mut object = Map::new();
    object.insert("profile".into(), json!(row.profile.name()));
    object.insert("value".into(), json!(row.value));
    object.insert("topics".into(), json!(row.topics));
    object.insert(
        "measure".into(),
        json!(row.measure.as_ref().ok().map(ToString::to_string)),
    );
    object.insert(
        "policies".into(),
        Value::Object(named.into_iter().collect()),
    );
    object.insert("matter".into(), json!(row.matter));
    object.insert("reasons".into(), json!(row.reasons));
    object
}
