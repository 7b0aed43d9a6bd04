//! `cranfield plot`.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(clippy::doc_markdown, reason = "help on a terminal has no Markdown")]

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use cranfield::Evaluation;
use cranfield::compare::{Progress, Settings};
use cranfield::plots::{Bands, BarOrder, Drawing, Ideals, kind_named};
use cranfield::report::plot::{PlotFormat, PlotKind, Sheet, is_writable};
use cranfield::report::visible;

use crate::comparing::TestArgs;
use crate::exit_code;
use crate::inputs::{InputArgs, release};
use crate::output::notes;
use crate::output_args::check_output;
use crate::progress::ProgressLine;

/// By rank or recall: pr (precision-recall), cg, dcg, ncg, ndcg (with ideal curves), precision, recall, unjudged.
///
/// By topic: histogram or diff (second run minus first), deviation (of one run from the median of all), box, heatmap.
///
/// By measure: scatter, slope, tau (agreement on the order of runs).
///
/// Comparisons: significance (all pairs), cd (critical difference diagram), ranks (with intervals).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield plot pr qrels.txt 'runs/*.run' -o pr.svg
  cranfield plot pr qrels.txt bm25.run --topic 301 -o topic-301.svg
  cranfield plot dcg qrels.txt bm25.run --cutoff 30 -o dcg.pdf --size one-column
  cranfield plot histogram qrels.txt bm25.run dense.run -m Rprec -o diff.html
  cranfield plot slope qrels.txt 'runs/*.run' -m 'AP nDCG@10' \\
    -o slope.png --dpi 300
  cranfield plot heatmap qrels.txt 'runs/*.run' -m AP -o - --format csv
  cranfield plot significance qrels.txt 'runs/*.run' -m AP --test tukey -o p.svg
  cranfield plot cd qrels.txt 'runs/*.run' -m nDCG@10 -o cd.pdf")]
pub struct PlotArgs {
    /// Kind of plot: pr, cg, dcg, ncg, ndcg, precision, recall, histogram, deviation, box, heatmap, scatter, slope,
    /// unjudged, significance, cd, ranks or tau
    #[arg(value_parser = kind_named)]
    pub kind: PlotKind,
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// File to write, or - for standard output; the extension selects the format
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Format: svg, png, pdf, html, vega (Vega-Lite) or csv (the data) [default: from the extension]
    #[arg(short, long, value_name = "FORMAT")]
    pub format: Option<PlotFormat>,
    /// Measures; for a curve, a vector with its cutoff [default: Rprec for histogram; nDCG@10 for box and heatmap; AP and
    /// nDCG@10 for scatter and slope; seven measures for tau; AP for other kinds]
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Deepest rank of a curve [default: 100, or 1000 for pr --raw]
    #[arg(long, value_name = "K", conflicts_with = "measures", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub cutoff: Option<u32>,
    /// Recall levels of pr, separated by commas [default: 0,0.1,...,1]
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    pub levels: Vec<f64>,
    /// Plot precision and recall at each rank in pr, without interpolation
    #[arg(long, conflicts_with_all = ["levels", "measures"])]
    pub raw: bool,
    /// Plot the curve of this topic only; pr is then not interpolated
    #[arg(short, long, value_name = "ID")]
    pub topic: Option<String>,
    /// Bands around curves: bootstrap (interval of the mean), se (standard error), none, or auto (bootstrap for up to 2
    /// runs) [default: auto]
    #[arg(long, value_name = "KIND")]
    pub band: Option<Bands>,
    /// Reference curves of gain: judged (ideal ranking), retrieved (retrieved documents in the best order), both, none,
    /// or auto (both for up to 2 runs, else judged) [default: auto]
    #[arg(long, value_name = "KIND")]
    pub ideal: Option<Ideals>,
    /// Order of topics in histogram and deviation: difference or topic [default: difference]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<BarOrder>,
    /// Run to show in deviation [default: the first]
    #[arg(long, value_name = "NAME")]
    pub of: Option<String>,
    #[command(flatten)]
    pub tests: TestArgs,
    /// Size; one-column and two-column are the widths of ACM proceedings [default: two-column]
    #[arg(long, value_enum)]
    pub size: Option<Size>,
    /// Width in points, 72 to an inch
    #[arg(long, value_name = "POINTS")]
    pub width: Option<f64>,
    /// Height in points [default: as needed]
    #[arg(long, value_name = "POINTS")]
    pub height: Option<f64>,
    /// Resolution of PNG, in pixels per inch [default: 200]
    #[arg(long, value_name = "N")]
    pub dpi: Option<f64>,
    /// Omit title and caption
    #[arg(long)]
    pub bare: bool,
    /// Suppress notes and the caption on standard error
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub inputs: InputArgs,
}

/// Size of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Size {
    /// 3⅓ inches wide
    OneColumn,
    /// 7 inches wide
    TwoColumn,
    /// 10 inches wide, 16:9
    Slide,
}

pub(crate) fn run(
    args: &PlotArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let format = format(args)?;
    check_cutoff(args)?;
    let mut drawing = drawing(args);
    let inputs = &args.inputs;
    let request = inputs.request(&args.qrels, &args.runs)?;
    let mut request = drawing.prepare(request)?;
    release(&mut request.measures, &inputs.policies);
    inputs.check_levels(&request)?;
    check_output(Some(&args.output), request.files())?;
    let line = ProgressLine::new(progress, args.quiet);
    request.progress = line.progress.clone();
    drawing.tests.progress = line.progress.clone();
    let evaluation = Evaluation::of_files(request)?;
    let threads = inputs.threads.map(usize::from);
    let plot = cranfield::engine::with_threads(threads, || drawing.plot(&evaluation))??;
    drop(line);
    let bytes = plot.render(format, &sheet(args))?;
    if !args.quiet {
        notes::write(&evaluation, err)?;
        notes::write_all(drawing.notes(&evaluation), err)?;
        writeln!(err, "caption: {}", visible(&plot.caption))?;
        write_missing_glyphs(&evaluation, format, err)?;
    }
    if args.output.as_os_str() == "-" {
        out.write_all(&bytes)?;
    } else {
        cranfield::plots::save(&bytes, &args.output)?;
    }
    Ok(exit_code::OK)
}

/// Prints a note about runs whose names have characters that the font of a PNG or PDF lacks.
fn write_missing_glyphs(
    evaluation: &Evaluation,
    format: PlotFormat,
    err: &mut dyn Write,
) -> anyhow::Result<()> {
    if !matches!(format, PlotFormat::Png | PlotFormat::Pdf) {
        return Ok(());
    }
    let names = evaluation.runs.iter().map(|run| run.scores.name.as_str());
    let names: Vec<String> = names
        .filter(|name| !is_writable(name))
        .map(visible)
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let note = format_args!(
        "the font of {format} lacks characters of {}, which are shown as boxes; svg and html use the fonts of the browser",
        names.join(", ")
    );
    Ok(notes::line(err, note)?)
}

/// The given format, or that of the file's extension.
fn format(args: &PlotArgs) -> anyhow::Result<PlotFormat> {
    let name = args.output.to_string_lossy();
    let format = args.format.or_else(|| PlotFormat::of_file(&name));
    format.with_context(|| {
        let what = match &*name {
            "-" => "standard output needs --format".into(),
            name => format!("cannot infer the format from `{name}`; use --format"),
        };
        format!("{what}: svg, png, pdf, html, vega or csv")
    })
}

/// Only curves have a cutoff of their own; in other plots it is part of the measure.
fn check_cutoff(args: &PlotArgs) -> anyhow::Result<()> {
    use PlotKind::{Cg, Dcg, Ncg, Ndcg, Pr, Precision, Recall, Unjudged};
    let kind = args.kind;
    let has_cutoff = matches!(
        kind,
        Cg | Dcg | Ncg | Ndcg | Pr | Precision | Recall | Unjudged
    );
    match args.cutoff {
        Some(cutoff) if !has_cutoff => anyhow::bail!(
            "{kind} has no --cutoff; write it in the measure, such as -m nDCG@{cutoff}"
        ),
        _ => Ok(()),
    }
}

fn drawing(args: &PlotArgs) -> Drawing {
    let own = Drawing::new(args.kind);
    Drawing {
        measures: args.measures.join(" "),
        conventions: args.inputs.conventions(),
        cutoff: args.cutoff.map_or(own.cutoff, |cutoff| cutoff as usize),
        levels: (!args.levels.is_empty()).then(|| args.levels.clone()),
        raw: args.raw,
        topic: args.topic.clone(),
        bands: args.band.unwrap_or(own.bands),
        ideals: args.ideal.unwrap_or(own.ideals),
        order: args.order.unwrap_or(own.order),
        run: args.of.clone(),
        tests: Settings {
            test: args.tests.test.unwrap_or(own.tests.test),
            ..args.tests.settings()
        },
        ..own
    }
}

fn sheet(args: &PlotArgs) -> Sheet {
    let (width, height) = match args.size.unwrap_or(Size::TwoColumn) {
        Size::OneColumn => (Sheet::ONE_COLUMN, None),
        Size::TwoColumn => (Sheet::TWO_COLUMNS, None),
        Size::Slide => (Sheet::SLIDE, Some(Sheet::SLIDE_HEIGHT)),
    };
    Sheet {
        width: args.width.unwrap_or(width),
        height: args.height.or(height),
        dpi: args.dpi.unwrap_or(Sheet::default().dpi),
        bare: args.bare,
    }
}
