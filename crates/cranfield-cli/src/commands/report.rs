//! `cranfield report`.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "doc comments of options are help, which have no backticks"
)]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::DateTime;
use clap::{Args, ValueEnum};
use cranfield::agreement::read_assessors;
use cranfield::compare::{ComparisonPlan, Progress, Weightings};
use cranfield::core::measure::BoundMeasure;
use cranfield::report::{Report, ReportError, ReportRequest};
use cranfield::{Labels, Request};

use super::eval::{scenario_files, scenarios_of};
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::notes;
use crate::output_args::{check_output, write_text};
use crate::planned;
use crate::progress::ProgressLine;
use crate::titles::{TitleArgs, Titles, topics_of};

/// The page is a single file that works offline. It has a leaderboard with intervals and groups, all plots, every topic
/// with its rankings and grades, the computation of each value, claims, methods, notes and provenance.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield report qrels.txt 'runs/*.run' -o report.html
  cranfield report qrels.txt 'runs/*.run' -m 'nDCG@10 AP' \\
    --baseline bm25 -o report.html
  cranfield report qrels.txt 'runs/*.run' \\
    --assessor ann.qrels bob.qrels -o report.html
  cranfield report qrels.txt 'runs/*.run' -o report.tex
  cranfield report qrels.txt 'runs/*.run' -f csv")]
pub struct ReportArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, or folders
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by commas or spaces; see `cranfield measures` [default: nDCG@10,AP,P@10,RR]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Analysis plan (TOML), written before the experiment; it must name all runs and measures of the report
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ComparisonPlan::FIXED,
        conflicts_with_all = ["measures", "scenarios", "gains"]
    )]
    pub plan: Option<PathBuf>,
    /// Report a scenario, without its vectors: impatient, patient, or those in a TOML file; -m replaces its measures
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Gains of the grades 0, 1, 2 and so on, such as 0,1,10,100; repeat to report several tables
    #[arg(long, value_name = "GAINS", conflicts_with = "scenarios")]
    pub gains: Vec<String>,
    /// Judgements of other assessors: agreement, and conclusions that depend on the assessor, in html
    #[arg(long = "assessor", value_name = "QRELS", num_args = 1..)]
    pub assessors: Vec<PathBuf>,
    /// Format [default: from the output's extension, or html]
    #[arg(short, long, value_enum, help_heading = "Output")]
    pub format: Option<PageFormat>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Title of the page
    #[arg(long, value_name = "TEXT", help_heading = "Output")]
    pub title: Option<String>,
    /// Number of documents to show per ranking in html; fewer if the page would exceed 3 MB [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Output")]
    pub depth_shown: Option<u16>,
    /// Decimal places in html, md and latex
    #[arg(long, help_heading = "Output", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// Suppress notes and progress on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
    #[command(flatten, next_help_heading = "Output")]
    pub titles: TitleArgs,
    #[command(flatten, next_help_heading = "Statistics")]
    pub comparison: ComparisonArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub inputs: InputArgs,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PageFormat {
    /// One page for a browser, with everything
    Html,
    /// Markdown
    Md,
    /// A LaTeX document
    Latex,
    /// The leaderboard, at full precision
    Csv,
    /// One JSON object with everything, at full precision
    Json,
}

/// Measures without `-m`.
pub const DEFAULT_MEASURES: &str = "nDCG@10 AP P@10 RR";

pub(crate) fn run(
    args: &ReportArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let format = format(args)?;
    let mut request = request(args)?;
    let named = args
        .plan
        .as_deref()
        .into_iter()
        .chain(scenario_files(&args.scenarios))
        .chain(args.titles.file())
        .chain(args.assessors.iter().map(PathBuf::as_path));
    let files = request.request.files().into_iter().chain(named);
    check_output(args.output.as_deref(), files)?;
    let titles = args.titles.open()?;
    let line = ProgressLine::new(progress, args.quiet);
    request.request.progress = line.progress.clone();
    let mut report = Report::of_files(request).map_err(error)?;
    drop(line);
    if titles.are_given() {
        report.labels = labels(&titles, &report, format)?;
    }
    if !args.quiet {
        titles.write_note(&report.labels, err)?;
        notes::write(&report.evaluation, err)?;
        if let Some(why) = report.why_not_compared() {
            notes::line(err, why)?;
        }
    }
    let text = match format {
        PageFormat::Html => report.to_html().map_err(error)?,
        PageFormat::Md => report.to_markdown(),
        PageFormat::Latex => report.to_latex(),
        PageFormat::Csv => report.to_csv(),
        PageFormat::Json => report.to_json(),
    };
    write_text(&text, args.output.as_deref(), out)?;
    Ok(exit_code::OK)
}

/// Titles of all topics; and of documents, if the format shows them.
pub fn labels(titles: &Titles, report: &Report, format: PageFormat) -> anyhow::Result<Labels> {
    let documents = match format {
        PageFormat::Html => report.documents().map_err(error)?,
        _ => BTreeSet::new(),
    };
    let documents = documents.iter().map(|id| &**id).collect();
    Ok(titles.labels(&topics_of(&report.evaluation), &documents)?)
}

fn error(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Input(error) => error.into(),
        other => other.into(),
    }
}

/// The format of `--format`, or of the extension of the output.
fn format(args: &ReportArgs) -> anyhow::Result<PageFormat> {
    match (args.format, &args.output) {
        (Some(format), _) => Ok(format),
        (None, Some(path)) => by_extension(path),
        (None, None) => Ok(PageFormat::Html),
    }
}

/// The format of a file name.
///
/// # Errors
/// If its extension is none of a report's.
pub fn by_extension(path: &Path) -> anyhow::Result<PageFormat> {
    let name = path.to_string_lossy().to_ascii_lowercase();
    let compressions = [".gz", ".zst", ".bz2", ".xz", ".lz4"];
    let bare = compressions.iter().find_map(|end| name.strip_suffix(end));
    let end = bare.unwrap_or(&name).rsplit_once('.').map(|(_, end)| end);
    Ok(match end {
        Some("html" | "htm") => PageFormat::Html,
        Some("md" | "markdown") => PageFormat::Md,
        Some("tex") => PageFormat::Latex,
        Some("csv") => PageFormat::Csv,
        Some("json") => PageFormat::Json,
        _ if name == "-" => PageFormat::Html,
        _ => anyhow::bail!(
            "cannot infer the format from `{}`; use .html, .md, .tex, .csv or .json, or pass --format",
            path.display()
        ),
    })
}

fn request(args: &ReportArgs) -> anyhow::Result<ReportRequest> {
    let names = match args.measures.as_slice() {
        [] => DEFAULT_MEASURES.to_owned(),
        names => names.join(" "),
    };
    let (plan, inputs) = match &args.plan {
        None => (None, args.inputs.clone()),
        Some(path) => {
            let (plan, inputs) = planned::read(path, &args.inputs)?;
            (Some(plan), inputs)
        }
    };
    let measures = match &plan {
        Some(plan) => inputs.measures(&plan.measures.join(" "))?,
        None => measures(args, &names)?,
    };
    let request = Request {
        measures,
        ..inputs.request(&args.qrels, &args.runs)?
    };
    inputs.check_levels(&request)?;
    let settings = plan.as_ref().map(|plan| plan.settings.clone());
    let usual = ReportRequest::new(request);
    Ok(ReportRequest {
        settings: settings.unwrap_or_else(|| args.comparison.settings()),
        plan,
        conventions: inputs.conventions(),
        depth: args.depth_shown.map_or(usual.depth, usize::from),
        digits: usize::from(args.digits),
        title: args.title.clone(),
        assessors: read_assessors(&args.assessors, inputs.qrels_format)?,
        command: command_line("report"),
        date: today(),
        ..usual
    })
}

/// This command as the user typed it, without the path of the program and without the number of threads, on which nothing in a
/// report depends.
pub(super) fn command_line(command: &str) -> Option<String> {
    let arguments = std::env::args_os().skip_while(|argument| argument != command);
    let arguments = arguments.map(|argument| quoted(&argument.to_string_lossy()));
    let mut arguments: Vec<String> = arguments.collect();
    if let Some(at) = arguments.iter().position(|one| one == "--threads") {
        arguments.drain(at..(at + 2).min(arguments.len()));
    }
    arguments.retain(|argument| !argument.starts_with("--threads="));
    (!arguments.is_empty()).then(|| format!("cranfield {}", arguments.join(" ")))
}

/// An argument as a shell reads it.
fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@%+=:,./_-".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        return argument.into();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// The day in UTC, or that of `SOURCE_DATE_EPOCH`, which makes reports reproducible.
fn today() -> Option<String> {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    let fixed = fixed.and_then(|seconds| seconds.parse().ok());
    let now = || {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        i64::try_from(now.ok()?.as_secs()).ok()
    };
    let date = DateTime::from_timestamp(fixed.or_else(now)?, 0)?;
    Some(date.format("%Y-%m-%d").to_string())
}

/// The measures, once for each scenario or table of gains.
fn measures(args: &ReportArgs, names: &str) -> anyhow::Result<Vec<BoundMeasure>> {
    let asked = (!args.measures.is_empty()).then_some(names);
    let scenarios = if args.gains.is_empty() {
        scenarios_of(&args.scenarios, asked)?
    } else {
        Weightings::of(&args.gains, names)?.scenarios
    };
    if scenarios.is_empty() {
        return args.inputs.measures(names);
    }
    let conventions = args.inputs.conventions();
    let (mut measures, mut known) = (Vec::new(), BTreeSet::new());
    for scenario in scenarios {
        let bound = scenario.bind(&conventions)?.measures.into_iter();
        let bound = bound.map(|(_, measure)| measure);
        measures.extend(bound.filter(|measure| known.insert(measure.to_string())));
    }
    Ok(measures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("runs/a.run"), "runs/a.run");
        assert_eq!(quoted("nDCG@10 AP"), "'nDCG@10 AP'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
