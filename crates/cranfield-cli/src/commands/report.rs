//! `cranfield report`.

#![allow(
    clippy::doc_markdown,
    reason = "the comments of options are shown on a terminal, where backticks disturb"
)]

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use cranfield::Request;
use cranfield::compare::{StepWatcher, Weightings};
use cranfield::core::measure::BoundMeasure;
use cranfield::report::{Report, ReportError, ReportRequest};

use super::eval::{scenario_files, scenarios_of};
use crate::comparing::ComparisonArgs;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::notes;
use crate::output_args::{check_output, write_text};
use crate::planned;
use crate::progress::Progress;
use crate::uses::{self, Given};

/// The page is one file that needs no network: runs with intervals and groups, every picture, each topic's rankings
/// with grades, two rankings side by side, how any value comes about, claims and methods, notes, provenance.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield report qrels.txt 'runs/*.run' -o report.html
  cranfield report qrels.txt 'runs/*.run' -m 'nDCG@10 AP' --baseline bm25 -o report.html
  cranfield report qrels.txt 'runs/*.run' -o report.tex
  cranfield report qrels.txt 'runs/*.run' -f csv")]
pub struct ReportArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, or folders
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`. Without it: nDCG@10 AP P@10 RR
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// A plan (TOML) that was written beforehand and names all runs and measures of the report
    #[arg(long, value_name = "FILE", conflicts_with_all = ["measures", "scenarios", "gains"])]
    pub plan: Option<PathBuf>,
    /// Report by the measures of scenarios, without their vectors: impatient, patient, or those of a TOML file; -m replaces
    /// their measures
    #[arg(long = "scenario", value_name = "NAME")]
    pub scenarios: Vec<String>,
    /// Report by each measure under each of these tables of gains, such as 0,1,10,100 for grades 0 to 3; may be given again
    #[arg(long, value_name = "GAINS", conflicts_with = "scenarios")]
    pub gains: Vec<String>,
    /// Format [default: by the file's extension, else html]
    #[arg(short, long, value_enum)]
    pub format: Option<PageFormat>,
    /// Write the report to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The heading; csv has none
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Ranks of each ranking that html shows; fewer if the page would be larger than 3 MB [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub depth_shown: Option<u16>,
    /// Decimals in html, md and latex
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub digits: u8,
    /// No notes on standard error
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub comparison: ComparisonArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
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
    /// The leaderboard, in full precision
    Csv,
    /// One object with everything, in full precision
    Json,
}

/// The measures where the user asks for none.
pub const DEFAULT_MEASURES: &str = "nDCG@10 AP P@10 RR";

pub(crate) fn run(
    args: &ReportArgs,
    watcher: Option<StepWatcher<'_>>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let format = format(args)?;
    check_format_uses(args, format)?;
    let request = request(args)?;
    check_run_uses(args, format, request.request.runs.len())?;
    let named = args
        .plan
        .as_deref()
        .into_iter()
        .chain(scenario_files(&args.scenarios));
    let files = request.request.files().into_iter().chain(named);
    check_output(args.output.as_deref(), files)?;
    let progress = Progress::new(watcher, args.quiet);
    let report = Report::of_files_watched(request, &|step| progress.tell(step)).map_err(error)?;
    drop(progress);
    if !args.quiet {
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

fn error(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Input(error) => error.into(),
        other => other.into(),
    }
}

/// Refuses what the format has no place for.
fn check_format_uses(args: &ReportArgs, format: PageFormat) -> anyhow::Result<()> {
    let depth: Given = ("--depth-shown", args.depth_shown.is_some());
    let name = format.to_possible_value();
    let name = name.as_ref().map_or("", PossibleValue::get_name);
    if format != PageFormat::Html {
        uses::refuse(name, [depth], "html alone shows rankings")?;
    }
    if format == PageFormat::Csv {
        let of_pairs = args.comparison.of_pairs().into_iter();
        let of_pairs = of_pairs.filter(|(name, _)| NOT_IN_CSV.contains(name));
        let title = [("--title", args.title.is_some())];
        let why = "it has the leaderboard alone, without a heading and without pairs of runs";
        uses::refuse(name, title.into_iter().chain(of_pairs), why)?;
    }
    Ok(())
}

/// Options of comparison that change pairs of runs, but nothing in the leaderboard.
const NOT_IN_CSV: [&str; 3] = ["--margin", "--rope", "--interval"];

/// Refuses what compares runs, where there is one alone. Curves of html have intervals in any case.
fn check_run_uses(args: &ReportArgs, format: PageFormat, runs: usize) -> anyhow::Result<()> {
    if runs > 1 {
        return Ok(());
    }
    let (what, why) = (
        "a report of one run",
        "there is nothing to compare it with; give another run for that",
    );
    uses::refuse(what, [("--plan", args.plan.is_some())], why)?;
    uses::refuse(what, args.comparison.of_pairs(), why)?;
    if format == PageFormat::Html {
        return Ok(());
    }
    uses::refuse(what, args.comparison.tests.of_intervals(), why)
}

/// The format asked for, or that of the file's name.
fn format(args: &ReportArgs) -> anyhow::Result<PageFormat> {
    let told = args.output.as_deref().map(by_extension);
    match (args.format, told) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(PageFormat::Html),
        (None, Some(format)) => format,
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
            "the extension of `{}` is none of .html, .md, .tex, .csv, .json; rename it, or say the format with --format",
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
            let (plan, inputs) = planned::read(path, &args.comparison, &args.inputs)?;
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
        ..usual
    })
}

/// The measures asked for; under scenarios and gains, with these in their names.
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
