//! `cranfield rosetta`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use cranfield::core::measure::BoundMeasure;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::measures::profiles::{NotThere, Profile};
use cranfield::render::{Content, Records, Render};
use cranfield::report::{Cell, Column, Format, Table};
use cranfield::{Conventions, Inputs, RosettaRow, VERSION, parse_measures, rosetta};
use serde_json::{Map, Value, json};

use crate::exit_code;
use crate::names::one_of;
use crate::output::{terminal_width, wrapped};
use crate::output_args::{OutputArgs, check_output, without_trec};

/// Evaluates the measure under each profile, and lists the policies and definitions that make a value differ from
/// Cranfield's. Parameters in the name apply to every program: nDCG(gains='grade')@10 has no value in a program with
/// other gains. For parameters not in the name, each program uses its default.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield rosetta qrels.txt bm25.run -m nDCG@10
  cranfield rosetta qrels.txt bm25.run -m RBP -f md"
)]
pub struct RosettaArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Run to evaluate
    pub run: PathBuf,
    /// Measure, such as nDCG@10
    #[arg(short, long, value_name = "NAME")]
    pub measure: String,
    /// Profile to include; may be repeated [default: all]
    #[arg(long, value_name = "PROFILE", value_parser = one_of(Profile::ALL, Profile::name))]
    pub profile: Vec<Profile>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    /// Format of the run [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    #[command(flatten)]
    pub output: OutputArgs,
}

pub(crate) fn run(args: &RosettaArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let measure = one_measure(&args.measure, &Conventions::default())?;
    check_stdin(&args.qrels, &args.run)?;
    check_output(
        args.output.output.as_deref(),
        [args.qrels.as_path(), &args.run],
    )?;
    let inputs = Inputs::read(&args.qrels, args.qrels_format, &args.run, args.run_format)?;
    let profiles = match args.profile.as_slice() {
        [] => Profile::ALL,
        chosen => chosen,
    };
    let rows = rosetta(&inputs, &measure, profiles)?;
    let programs = Programs {
        qrels: &args.qrels.to_string_lossy(),
        run: &args.run.to_string_lossy(),
        measure: &measure,
        rows: &rows,
        digits: usize::from(args.output.digits),
    };
    args.output.print(&programs, out)?;
    Ok(exit_code::OK)
}

/// Rejects standard input for both files.
pub(crate) fn check_stdin(qrels: &Path, run: &Path) -> anyhow::Result<()> {
    let both = [qrels, run].iter().all(|path| path.as_os_str() == "-");
    anyhow::ensure!(!both, "standard input (-) can be read only once");
    Ok(())
}

/// The measure with this name, which must be one and have a number as its value.
///
/// # Errors
/// If it names none or several, or one whose value is text.
pub fn one_measure(name: &str, conventions: &Conventions) -> anyhow::Result<BoundMeasure> {
    let mut measures = parse_measures(name, conventions)?;
    anyhow::ensure!(
        measures.len() < 2,
        "`{name}` names {} measures; give one, such as -m '{}'",
        measures.len(),
        measures[0]
    );
    let measure = measures
        .pop()
        .context("no measure given; name one with -m, such as -m nDCG@10")?;
    anyhow::ensure!(
        !measure.is_text(),
        "the value of {measure} is text; choose a measure with a number, such as -m nDCG@10"
    );
    Ok(measure)
}

/// The numbers of all programs, ready to be written.
#[derive(Debug)]
pub struct Programs<'a> {
    /// The file of judgements.
    pub qrels: &'a str,
    /// The file of the run.
    pub run: &'a str,
    /// The measure.
    pub measure: &'a BoundMeasure,
    /// A row for each program.
    pub rows: &'a [RosettaRow],
    /// Decimals of tables.
    pub digits: usize,
}

impl Render for Programs<'_> {
    fn content(&self) -> Content {
        let mut table = Table::new(NAMES.map(|name| match name {
            "value" | "topics" => Column::number(name),
            _ => Column::text(name),
        }));
        table.digits = self.digits;
        for row in self.rows {
            table.push(cells(row));
        }
        table.into()
    }

    fn records(&self) -> Records<'_> {
        Records::named(NAMES, self.rows.iter().map(cells))
    }

    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.rows.iter().map(|row| Value::Object(object(row))))
    }

    fn json(&self) -> Value {
        json!({
            "cranfield": VERSION,
            "qrels": self.qrels,
            "run": self.run,
            "measure": self.measure.said(),
            "programs": self.objects().collect::<Vec<_>>(),
        })
    }

    fn terminal(&self) -> Option<String> {
        Some(for_terminal(self.digits, self.rows))
    }
}

/// A cell with a count.
pub(crate) fn count(things: usize) -> Cell {
    Cell::Int(i64::try_from(things).unwrap_or(i64::MAX))
}

/// A table of the numbers, and the reasons below it.
fn for_terminal(digits: usize, rows: &[RosettaRow]) -> String {
    let mut table = Table::new([
        Column::text("profile"),
        Column::number("value"),
        Column::number("topics"),
        Column::text("measure"),
    ]);
    table.digits = digits;
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
    let matter: Vec<String> = matter
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    matter.join(", ")
}

/// Columns of a record.
const NAMES: [&str; 6] = [
    "profile", "value", "topics", "measure", "policies", "reason",
];

fn cells(row: &RosettaRow) -> Vec<Cell> {
    let measure = row.measure.as_ref().ok().map(ToString::to_string);
    let topics = measure
        .as_ref()
        .map_or(Cell::Missing, |_| count(row.topics));
    vec![
        Cell::text(row.profile.name()),
        Cell::real(row.value),
        topics,
        measure.map_or(Cell::Missing, Cell::text),
        Cell::text(policies(row)),
        Cell::text(row.reasons.join("; ")),
    ]
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
