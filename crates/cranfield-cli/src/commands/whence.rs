//! `cranfield whence`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::core::measure::Range;
use cranfield::core::policy::{Overrides, TieBreak, Unjudged};
use cranfield::core::setting::{Message, Setting};
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::measures::profiles::Profile;
use cranfield::render::{Content, Records, Render};
use cranfield::report::{Cell, Column, Table, rounded};
use cranfield::whence::{Agreement, Answer, Candidate, MAX_CHANGES, Published, Question, whence};
use cranfield::{Conventions, Inputs, VERSION, parse_measures};
use serde_json::{Map, Value, json};

use super::rosetta::{check_stdin, count, one_measure};
use crate::args::{PolicyArgs, ResultFormat};
use crate::exit_code;
use crate::inputs::{policies, release};
use crate::lazy::whole_number;
use crate::names::one_of;
use crate::output::notes::{self, plural};
use crate::output::{terminal_width, wrapped};
use crate::output_args::without_trec;

/// Tries other parameters and cutoffs of the measure, measures that are often confused with it, and other policies, a
/// few changes at a time. Prints the options of `cranfield eval` whose value rounds or truncates to the number, fewest
/// changes first. If there are none, prints the nearest values.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield whence qrels.txt bm25.run -m nDCG@10 0.4312
  cranfield whence qrels.txt bm25.run -m P_10 0.3040 --profile trec_eval-9
  cranfield whence qrels.txt bm25.run -m MAP 25.1% --changes 2"
)]
pub struct WhenceArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Run that was evaluated
    pub run: PathBuf,
    /// Published number with all its digits, such as 0.4312 or 43.12%
    #[arg(allow_negative_numbers = true)]
    pub value: Published,
    /// Measure as named in the publication
    #[arg(short, long, value_name = "NAME")]
    pub measure: String,
    /// Program whose conventions to start from
    #[arg(long, default_value = "cranfield", value_name = "PROFILE", value_parser = one_of(Profile::ALL, Profile::name))]
    pub profile: Profile,
    /// Maximum number of changes at a time
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=MAX_CHANGES as i64))]
    pub changes: u8,
    /// Maximum number of settings to print
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<usize>)]
    pub show: usize,
    /// Output format; csv, tsv, json and jsonl have full precision
    #[arg(short, long, value_enum, default_value_t = ResultFormat::Table)]
    pub format: ResultFormat,
    /// Lowest grade that counts as relevant, for measures without rel= [default: 1]
    #[arg(short, long, value_name = "GRADE")]
    pub level: Option<f64>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    /// Format of the run [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    /// Suppress notes on standard error
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
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
    check_bounds(&args.policies)?;
    release(std::slice::from_mut(&mut measure), &args.policies);
    let profile = measure.overrides.over(&args.profile.policies());
    measure.overrides = Overrides::NONE;
    let range = measure.info.range;
    let question = Question {
        measure,
        profile: args.profile,
        policies: policies(&profile, &args.policies),
        published: as_percent(args.value, range),
        changes: usize::from(args.changes),
    };
    check_stdin(&args.qrels, &args.run)?;
    let inputs = Inputs::read(&args.qrels, args.qrels_format, &args.run, args.run_format)?;
    let answer = whence(&inputs, &question)?;
    let settings = FoundSettings {
        qrels: &args.qrels.to_string_lossy(),
        run: &args.run.to_string_lossy(),
        given: args.value,
        question: &question,
        answer: &answer,
        show: args.show,
    };
    if !args.quiet {
        notes::write_all(settings.notes(), err)?;
    }
    let text = settings.render(args.format, terminal_width())?;
    out.write_all(text.as_bytes())?;
    Ok(exit_code::OK)
}

/// A number beyond a measure's range that is within it as a percentage is read as one.
pub fn as_percent(published: Published, range: Range) -> Published {
    let percent = Published {
        value: published.value / 100.0,
        digits: published.digits + 2,
    };
    let contains = |value: f64| (range.min..=range.max).contains(&value);
    if contains(published.value) || !contains(percent.value) {
        return published;
    }
    percent
}

/// Rejects policies that give an interval.
fn check_bounds(policies: &PolicyArgs) -> anyhow::Result<()> {
    let ties = policies.ties == Some(TieBreak::Bounds);
    let unjudged = policies.unjudged == Some(Unjudged::Bounds);
    let option = if ties { "--ties" } else { "--unjudged" };
    anyhow::ensure!(
        !ties && !unjudged,
        "{option} bounds gives an interval, not a number; omit it, as all rules are tried"
    );
    Ok(())
}

/// The settings that were found, ready to be written.
#[derive(Debug)]
pub struct FoundSettings<'a> {
    /// The file of judgements.
    pub qrels: &'a str,
    /// The file of the run.
    pub run: &'a str,
    /// The number as given.
    pub given: Published,
    /// The search.
    pub question: &'a Question,
    /// Its result.
    pub answer: &'a Answer,
    /// Settings to show.
    pub show: usize,
}

/// Columns of a record.
const NAMES: [&str; 4] = ["value", "agreement", "changes", "options"];

impl FoundSettings<'_> {
    /// Notes on the search.
    pub fn notes(&self) -> Vec<Message> {
        let published = self.question.published;
        let number = rounded(published.value, published.digits as usize);
        let mut notes = Vec::new();
        if published != self.given {
            let given = rounded(self.given.value, self.given.digits as usize);
            notes.push(
                format!(
                    "{} is never {given}; did you mean {given}%? Searching for {number}",
                    self.question.measure
                )
                .into(),
            );
        }
        let tried = plural(self.answer.tried, "setting");
        notes.push(match self.answer.found.len() {
            0 => format!("tried {tried}, none gives {number}; nearest:").into(),
            count => {
                let verb = if count == 1 { "gives" } else { "give" };
                let note = Message::from(format!("tried {tried}, {count} {verb} {number}"));
                match count.saturating_sub(self.show) {
                    0 => note,
                    left => note
                        .then(format!("; {left} not shown ("))
                        .then(Setting::Show.to(count))
                        .then(")"),
                }
            }
        });
        if self.answer.cut_short {
            let fewer = self.question.changes.saturating_sub(1);
            let note = Message::from("stopped before all settings were tried; ")
                .then(Setting::Changes.to(fewer))
                .then(" tries fewer");
            notes.push(note);
        }
        notes
    }

    /// The settings to print.
    fn shown(&self) -> &[Candidate] {
        let all = if self.answer.found.is_empty() {
            &self.answer.nearest
        } else {
            &self.answer.found
        };
        &all[..all.len().min(self.show)]
    }

    /// Decimals of values: two more than were published.
    fn digits(&self) -> usize {
        self.question.published.digits as usize + 2
    }

    fn cells(&self, setting: &Candidate) -> Vec<Cell> {
        let agreement = setting.agreement.map(Agreement::name);
        vec![
            Cell::Real(setting.value),
            agreement.map_or(Cell::Missing, Cell::text),
            count(setting.changes.len()),
            Cell::text(options(self.question, setting)),
        ]
    }
}

impl Render for FoundSettings<'_> {
    fn content(&self) -> Content {
        let mut table = Table::new(NAMES.map(|name| match name {
            "value" | "changes" => Column::number(name),
            _ => Column::text(name),
        }));
        table.digits = self.digits();
        for setting in self.shown() {
            table.push(self.cells(setting));
        }
        table.into()
    }

    fn records(&self) -> Records<'_> {
        Records::named(
            NAMES,
            self.shown().iter().map(|setting| self.cells(setting)),
        )
    }

    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        let settings = self.shown().iter();
        Box::new(settings.map(|setting| Value::Object(object(self.question, setting))))
    }

    fn json(&self) -> Value {
        json!({
            "cranfield": VERSION,
            "qrels": self.qrels,
            "run": self.run,
            "measure": self.question.measure.said(),
            "published": self.question.published.value,
            "digits": self.question.published.digits,
            "tried": self.answer.tried,
            "found": !self.answer.found.is_empty(),
            "settings": self.objects().collect::<Vec<_>>(),
        })
    }

    /// One line per setting: the value, how it agrees, and options for `cranfield eval`.
    fn terminal(&self) -> Option<String> {
        let lines = self.shown().iter().map(|setting| {
            let how = setting.agreement.map_or("", Agreement::name);
            let start = format!("{}  {how:<7}  ", rounded(setting.value, self.digits()));
            let indent = start.chars().count();
            wrapped(&(start + &options(self.question, setting)), indent)
        });
        Some(lines.collect())
    }
}

/// Options of `cranfield eval` for a setting.
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

/// Quotes a name for the shell if needed.
fn quoted(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "@._-".contains(letter);
    if name.chars().all(plain) {
        name.into()
    } else {
        format!("\"{name}\"")
    }
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
