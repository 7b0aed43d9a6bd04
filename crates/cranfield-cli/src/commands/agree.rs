//! `cranfield agree`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cranfield::agreement::{
    Agreement, AgreementPlan, CrossTable, Figure, Line, Merging, PercentOf,
};
use cranfield::core::setting::{Message, Setting};
use cranfield::io::QrelsFormat;
use cranfield::{AgreementRequest, ComparedQrels, agreement_of_files};

use crate::exit_code;
use crate::names::one_of;
use crate::output::agreement::{AgreementStyle, AgreementTables, View};
use crate::output::notes::plural;
use crate::output_args::{OutputArgs, check_output, without_trec};

/// Prints a cross table of grades, with a column per grade of the first file and a row per grade of the second. Below
/// it are agreement, Cohen's kappa (unweighted, linear, quadratic), the overlap of relevant documents, and positive and
/// negative agreement: over all documents (`all`), and averaged over topics (`mean`).
///
/// Only documents in both files are compared; the others are counted separately.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield agree trec.qrels crowd.qrels
  cranfield agree trec.qrels crowd.qrels --merge 1 -q
  cranfield agree binary.qrels graded.qrels --percent row -f latex
  cranfield agree trec.qrels crowd.qrels -t 301"
)]
pub struct AgreeArgs {
    /// Judgements for the columns of the table; - is standard input
    #[arg(value_name = "QRELS")]
    pub first: PathBuf,
    /// Judgements for the rows of the table
    #[arg(value_name = "QRELS")]
    pub second: PathBuf,
    /// Merge grades into classes that start at these levels: 1 makes the two classes <1 and >=1
    #[arg(
        long,
        value_name = "LEVEL,...",
        allow_hyphen_values = true,
        conflicts_with_all = ["merge_first", "merge_second"]
    )]
    pub merge: Option<Merging>,
    /// Merge grades of the first file only; agreement and kappa are then undefined
    #[arg(long, value_name = "LEVEL,...", allow_hyphen_values = true)]
    pub merge_first: Option<Merging>,
    /// Merge grades of the second file only
    #[arg(long, value_name = "LEVEL,...", allow_hyphen_values = true)]
    pub merge_second: Option<Merging>,
    /// Lowest grade that counts as relevant, for overlap and for positive and negative agreement
    #[arg(
        short,
        long,
        value_name = "GRADE",
        allow_negative_numbers = true,
        default_value_t = 1.0
    )]
    pub level: f64,
    /// Base of percentages
    #[arg(long, value_enum, default_value_t = Percent::Column)]
    pub percent: Percent,
    /// Print only this topic
    #[arg(short, long, value_name = "ID", conflicts_with = "per_topic")]
    pub topic: Option<String>,
    /// Also print the figures of each topic, and in csv, tsv, json and jsonl its counts
    #[arg(short = 'q', long)]
    pub per_topic: bool,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Base of percentages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Percent {
    /// The documents of the column
    Column,
    /// The documents of the row
    Row,
    /// All documents that both files judge
    All,
    /// No percentages
    None,
}

impl Percent {
    /// The base, if there is one.
    pub fn of(self) -> Option<PercentOf> {
        match self {
            Self::Column => Some(PercentOf::Column),
            Self::Row => Some(PercentOf::Row),
            Self::All => Some(PercentOf::All),
            Self::None => None,
        }
    }
}

pub(crate) fn run(
    args: &AgreeArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let output = args.output.output.as_deref();
    check_output(output, [args.first.as_path(), &args.second])?;
    let compared = agreement_of_files(&request(args)?)?;
    let view = View::of(&compared, args.topic.as_deref())?;
    let style = AgreementStyle {
        percent: args.percent.of(),
        per_topic: args.per_topic,
        digits: usize::from(args.output.digits),
    };
    let tables = AgreementTables {
        compared: &compared,
        view: &view,
        style: &style,
    };
    if !args.output.quiet {
        crate::output::notes::write_all(notes(&compared, &view), err)?;
    }
    args.output.print(&tables, out)?;
    Ok(exit_code::OK)
}

fn request(args: &AgreeArgs) -> anyhow::Result<AgreementRequest> {
    let stdin = [&args.first, &args.second].map(|path| path.as_os_str() == "-");
    anyhow::ensure!(
        stdin != [true, true],
        "standard input (-) can be read only once"
    );
    anyhow::ensure!(
        args.level.is_finite(),
        "--level must be a finite number, not {}",
        args.level
    );
    let merging = |own: &Option<Merging>| {
        let merging = own.as_ref().or(args.merge.as_ref());
        merging.cloned().unwrap_or_default()
    };
    Ok(AgreementRequest {
        qrels_format: args.qrels_format,
        plan: AgreementPlan {
            first: merging(&args.merge_first),
            second: merging(&args.merge_second),
            level: args.level,
        },
        ..AgreementRequest::new(&args.first, &args.second)
    })
}

/// Notes on a comparison.
pub fn notes(compared: &ComparedQrels, view: &View<'_>) -> Vec<Message> {
    let agreement = &compared.agreement;
    let mut notes: Vec<Message> = vec![counted(agreement, view).into()];
    let files = compared.files.iter();
    notes.extend(files.flat_map(|file| file.notes.iter().map(|note| note.to_string().into())));
    let only = [agreement.only_first, agreement.only_second];
    notes.extend(only_in(compared, only, "topic", "not compared"));
    let only = [
        view.table.count(Line::Unjudged, Line::Total),
        view.table.count(Line::Total, Line::Unjudged),
    ];
    let only = only.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    notes.extend(only_in(compared, only, "document", "not in the figures"));
    notes.extend(scale(compared, view.table));
    if view.topic.is_none() {
        notes.extend(undefined(agreement));
    }
    notes
}

fn counted(agreement: &Agreement, view: &View<'_>) -> String {
    let documents = view.table.count(Line::Total, Line::Total);
    let documents = plural(usize::try_from(documents).unwrap_or(usize::MAX), "document");
    let topics = match view.topic {
        Some(topic) => format!("topic {topic}"),
        None => format!("{} compared", plural(agreement.topics.len(), "topic")),
    };
    let level = agreement.plan.level;
    format!("{topics}, {documents} judged in both; relevant from grade {level}")
}

/// Notes on topics or documents that only one of the files has.
fn only_in(compared: &ComparedQrels, counts: [usize; 2], unit: &str, fate: &str) -> Vec<Message> {
    let counts = counts.into_iter().zip(&compared.names);
    let counts = counts.filter(|(count, _)| *count > 0);
    counts
        .map(|(count, name)| format!("{} only in {name}, {fate}", plural(count, unit)).into())
        .collect()
}

/// A note on grades that only one of the files has.
fn scale(compared: &ComparedQrels, table: &CrossTable) -> Option<Message> {
    if !table.has_one_scale() {
        let note = "agreement and kappa need the same classes in both files; use ";
        return Some(Message::from(note).then(Setting::Merge));
    }
    let (rows, columns) = (table.rows(), table.columns());
    let sides = [(rows, columns, 1), (columns, rows, 0)];
    let alone: Vec<String> = sides
        .into_iter()
        .filter_map(|(own, other, side)| {
            let alone = own.iter().filter(|class| !other.contains(class));
            let alone: Vec<String> = alone.take(5).map(ToString::to_string).collect();
            let name = &compared.names[side];
            (!alone.is_empty()).then(|| format!("{} only in {name}", alone.join(", ")))
        })
        .collect();
    let alone = (!alone.is_empty()).then(|| alone.join("; "))?;
    let note =
        format!("grades {alone}; agreement and kappa treat them as different from all others (");
    let note = Message::from(note).then(Setting::Merge.to(1));
    Some(note.then(" makes two classes)"))
}

/// A note on topics that the means leave out.
fn undefined(agreement: &Agreement) -> Option<Message> {
    let undefined: Vec<String> = Figure::ALL
        .iter()
        .map(|figure| (figure, agreement.undefined(*figure)))
        .filter(|(figure, count)| *count > 0 && agreement.mean(**figure).is_some())
        .map(|(figure, count)| format!("{figure} for {}", plural(count, "topic")))
        .collect();
    (!undefined.is_empty()).then(|| {
        format!(
            "undefined, and so left out of the mean: {}",
            undefined.join(", ")
        )
        .into()
    })
}
