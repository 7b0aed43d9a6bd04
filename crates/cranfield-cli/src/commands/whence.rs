//! `cranfield whence`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::core::policy::{Overrides, Profile, TieBreak, Unjudged};
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::report::{Cell, Column, Format, Table, rounded};
use cranfield::whence::{Agreement, Answer, Candidate, MAX_CHANGES, Published, Question, whence};
use cranfield::{Conventions, Inputs, VERSION, parse_measures};
use serde_json::{Map, Value, json};

use super::rosetta::{check_format, check_stdin, count, one_measure};
use crate::args::{PolicyArgs, ResultFormat};
use crate::exit_code;
use crate::inputs::{policies, release};
use crate::lazy::whole_number;
use crate::output::notes::plural;
use crate::output::wrapped;

/// Parameters of the measure, its cutoff, measures that are taken for it, and policies are changed, a few at a time. Settings whose
/// value rounds to the number at its digits are printed, fewest changes first, and also those that give it when cut, not rounded.
/// Each is a line of options for `cranfield eval`. If none gives it, the nearest values are printed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield whence qrels.txt bm25.run -m nDCG@10 0.4312
  cranfield whence qrels.txt bm25.run -m P_10 0.3040 --profile trec_eval-9
  cranfield whence qrels.txt bm25.run -m MAP 25.1% --changes 2")]
pub struct WhenceArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// A run
    pub run: PathBuf,
    /// The number, with all its digits: 0.4312 or 43.12%
    #[arg(allow_negative_numbers = true)]
    pub value: Published,
    /// The measure that the number is said to be
    #[arg(short, long, value_name = "NAME")]
    pub measure: String,
    /// Whose conventions and policies to begin with
    #[arg(long, default_value = "cranfield", value_name = "PROFILE")]
    pub profile: Profile,
    /// Settings that may differ at once
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=MAX_CHANGES as i64))]
    pub changes: u8,
    /// Settings to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub show: usize,
    /// Format of the result; csv, tsv, json and jsonl have full precision
    #[arg(short, long, value_enum, default_value_t = ResultFormat::Table)]
    pub format: ResultFormat,
    /// Least grade that counts as relevant, where the name has no rel= [default: 1]
    #[arg(short, long, value_name = "GRADE")]
    pub level: Option<f64>,
    /// Format of the judgements [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub qrels_format: Option<QrelsFormat>,
    /// Format of the run [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub run_format: Option<RunFormat>,
    /// No notes on standard error
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub policies: PolicyArgs,
}

pub(crate) fn run(
    args: &WhenceArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let conventions = Conventions {
        profile: args.profile,
        level: args.level,
    };
    let mut measure = one_measure(&args.measure, &conventions)?;
    check_format(args.format)?;
    check_bounds(&args.policies)?;
    release(std::slice::from_mut(&mut measure), &args.policies);
    let profile = measure.overrides.over(&args.profile.policies());
    measure.overrides = Overrides::NONE;
    let question = Question {
        measure,
        profile: args.profile,
        policies: policies(&profile, &args.policies),
        published: args.value,
        changes: usize::from(args.changes),
    };
    check_stdin(&args.qrels, &args.run)?;
    let inputs = Inputs::read(&args.qrels, args.qrels_format, &args.run, args.run_format)?;
    let answer = whence(&inputs, &question)?;
    if !args.quiet {
        notes(args, &answer, err)?;
    }
    out.write_all(render(args, &question, &answer)?.as_bytes())?;
    Ok(exit_code::OK)
}

/// Refuses policies that give an interval.
fn check_bounds(policies: &PolicyArgs) -> anyhow::Result<()> {
    let ties = policies.ties == Some(TieBreak::Bounds);
    let unjudged = policies.unjudged == Some(Unjudged::Bounds);
    let option = if ties { "--ties" } else { "--unjudged" };
    anyhow::ensure!(
        !ties && !unjudged,
        "{option} bounds gives no one number; leave it out, all rules are tried"
    );
    Ok(())
}

fn notes(args: &WhenceArgs, answer: &Answer, err: &mut dyn Write) -> std::io::Result<()> {
    let tried = plural(answer.tried, "setting");
    match answer.found.len() {
        0 => writeln!(
            err,
            "note: {tried} tried, none gives {}; the nearest:",
            shown(args)
        )?,
        count => {
            let left = count.saturating_sub(args.show);
            let verb = if count == 1 { "gives" } else { "give" };
            write!(err, "note: {tried} tried, {count} {verb} {}", shown(args))?;
            if left > 0 {
                write!(err, ", {left} of them not shown (--show {count})")?;
            }
            writeln!(err)?;
        }
    }
    if answer.cut_short {
        writeln!(
            err,
            "note: not all settings were tried; --changes {} has fewer",
            args.changes.saturating_sub(1)
        )?;
    }
    Ok(())
}

fn shown(args: &WhenceArgs) -> String {
    rounded(args.value.value, args.value.digits as usize)
}

/// The settings to print.
fn settings<'a>(args: &WhenceArgs, answer: &'a Answer) -> &'a [Candidate] {
    let all = if answer.found.is_empty() {
        &answer.nearest
    } else {
        &answer.found
    };
    &all[..all.len().min(args.show)]
}

fn render(args: &WhenceArgs, question: &Question, answer: &Answer) -> anyhow::Result<String> {
    let settings = settings(args, answer);
    let table = |format| {
        let mut table = table(question, settings);
        table.digits = args.value.digits as usize + 2;
        table.render(format)
    };
    Ok(match args.format {
        // The last one is refused before anything is read.
        ResultFormat::Table | ResultFormat::Trec => for_terminal(args, question, settings),
        ResultFormat::Md => table(Format::Markdown),
        ResultFormat::Latex => table(Format::Latex),
        ResultFormat::Html => table(Format::Html),
        ResultFormat::Csv => table(Format::Csv),
        ResultFormat::Tsv => table(Format::Tsv),
        ResultFormat::Jsonl => {
            let lines = settings
                .iter()
                .map(|setting| Value::Object(object(question, setting)).to_string() + "\n");
            lines.collect()
        }
        ResultFormat::Json => {
            let document = json!({
                "cranfield": VERSION,
                "qrels": args.qrels,
                "run": args.run,
                "measure": question.measure.said(),
                "published": args.value.value,
                "digits": args.value.digits,
                "tried": answer.tried,
                "found": !answer.found.is_empty(),
                "settings": settings.iter().map(|setting| object(question, setting)).collect::<Vec<_>>(),
            });
            serde_json::to_string_pretty(&document)? + "\n"
        }
    })
}

/// One line per setting: the value with two digits more, how it agrees, and options for `cranfield eval`.
fn for_terminal(args: &WhenceArgs, question: &Question, settings: &[Candidate]) -> String {
    let digits = args.value.digits as usize + 2;
    let mut text = String::new();
    for setting in settings {
        let how = setting.agreement.map_or("", Agreement::name);
        let start = format!("{}  {how:<7}  ", rounded(setting.value, digits));
        let indent = start.chars().count();
        text.push_str(&wrapped(&(start + &options(question, setting)), indent));
    }
    text
}

/// What `cranfield eval` is to be asked for.
fn options(question: &Question, setting: &Candidate) -> String {
    let of_program = setting
        .changes
        .iter()
        .find(|change| change.what == "profile");
    if let Some(change) = of_program {
        let name = quoted(&question.canonical().said());
        return format!("--profile {} -m {name}", change.to);
    }
    let name = setting.measure.to_string();
    let profile = profile_of(question, setting, &name);
    let mut text = match profile {
        Profile::Cranfield => String::new(),
        profile => format!("--profile {profile} "),
    };
    text.push_str(&format!("-m {}", quoted(&name)));
    for (policy, value) in setting.policies.differing(&profile.policies()) {
        text.push_str(&format!(" --{policy} {value}"));
    }
    text
}

/// The profile of the question, if the measure's canonical name means this measure there too; else Cranfield's.
fn profile_of(question: &Question, setting: &Candidate, name: &str) -> Profile {
    let read = parse_measures(name, &Conventions::of(question.profile));
    let same =
        read.is_ok_and(|read| matches!(read.as_slice(), [one] if one.same_as(&setting.measure)));
    if same {
        question.profile
    } else {
        Profile::Cranfield
    }
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@._-".contains(letter);
    if name.chars().all(plain) {
        name.into()
    } else {
        format!("\"{name}\"")
    }
}

fn table(question: &Question, settings: &[Candidate]) -> Table {
    let mut table = Table::new([
        Column::number("value"),
        Column::text("agreement"),
        Column::number("changes"),
        Column::text("options"),
    ]);
    for setting in settings {
        table.push([
            Cell::Real(setting.value),
            setting
                .agreement
                .map_or(Cell::Missing, |agreement| Cell::text(agreement.name())),
            count(setting.changes.len()),
            Cell::text(options(question, setting)),
        ]);
    }
    table
}

fn object(question: &Question, setting: &Candidate) -> Map<String, Value> {
    let changes: Map<String, Value> = setting
        .changes
        .iter()
        .map(|change| (change.what.clone(), json!(change.to)))
        .collect();
    let policies = setting
        .policies
        .named()
        .map(|(name, value)| (name.to_owned(), json!(value)));
    let mut object = Map::new();
    object.insert("value".into(), json!(setting.value));
    object.insert(
        "agreement".into(),
        json!(setting.agreement.map(Agreement::name)),
    );
    object.insert("changes".into(), Value::Object(changes));
    object.insert("measure".into(), json!(setting.measure.to_string()));
    object.insert(
        "policies".into(),
        Value::Object(policies.into_iter().collect()),
    );
    object.insert("options".into(), json!(options(question, setting)));
    object
}
