//! `cranfield compare`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use cranfield::compare::{Comparison, Family, Parts, Settings, Test, compare};
use cranfield::core::policy::{TieBreak, Unjudged};
use cranfield::report::{Format, PageFormat};
use cranfield::stats::corrections::Correction;
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request};

use crate::args::ResultFormat;
use crate::exit_code;
use crate::inputs::InputArgs;
use crate::output::{comparison, notes, terminal_width};
use crate::output_args::OutputArgs;

/// Means with intervals, ranks that resampled topics allow, groups of runs that cannot be told apart, and for each pair
/// the difference, its interval, effect size, corrected p-value and a sentence that says what may be claimed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield compare qrels.txt 'runs/*.run' -m 'nDCG@10 AP'
  cranfield compare qrels.txt new.run old.run -m AP --baseline old
  cranfield compare qrels.txt 'runs/*.run' -m AP --test tukey --pairs
  cranfield compare qrels.txt 'runs/*.run' -m AP -f latex -o table.tex")]
pub struct CompareArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`. Without it: nDCG@10 AP
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Compare the other runs with this one only, by its name; may be given again [default: all pairs]
    #[arg(long, value_name = "RUN")]
    pub baseline: Vec<String>,
    /// Test: t, randomisation, bootstrap, wilcoxon, sign, tukey, randomised-tukey, dunnett
    #[arg(long, value_name = "TEST", default_value = "t", value_parser = test)]
    pub test: Test,
    /// Correction of p-values: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel, bh, by
    /// [default: holm; none for tukey, randomised-tukey and dunnett, which correct themselves]
    #[arg(long, value_name = "METHOD", value_parser = correction)]
    pub correction: Option<Correction>,
    /// What p-values are corrected for
    #[arg(long, value_enum, default_value_t = FamilyArg::Measure)]
    pub family: FamilyArg,
    /// Significance level; intervals have the confidence 1 - alpha
    #[arg(long, value_name = "A", default_value_t = 0.05)]
    pub alpha: f64,
    /// Differences up to this do not matter in practice: tests also whether runs are equal within it
    #[arg(long, value_name = "D")]
    pub margin: Option<f64>,
    /// Random signs, permutations or resamples of a test
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub replicates: usize,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub seed: u64,
    /// Show all pairs, however many
    #[arg(long)]
    pub pairs: bool,
    /// Show all claims, however many
    #[arg(long)]
    pub claims: bool,
    /// Add a paragraph on methods, for a paper
    #[arg(long)]
    pub methods: bool,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub output: OutputArgs,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub inputs: InputArgs,
}

/// Which tests are a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FamilyArg {
    /// The tests of the same measure
    Measure,
    /// The tests of all measures
    All,
}

fn test(text: &str) -> Result<Test, String> {
    text.parse()
        .map_err(|error: cranfield::compare::CompareError| error.to_string())
}

pub(super) fn correction(text: &str) -> Result<Correction, String> {
    Correction::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Correction::ALL.iter().map(|one| one.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

/// The measures where the user asks for none.
const DEFAULT_MEASURES: &str = "nDCG@10 AP";

pub(crate) fn run(
    args: &CompareArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    anyhow::ensure!(
        args.output.format != ResultFormat::Trec,
        "trec_eval prints no comparisons; choose another format"
    );
    let request = request(args)?;
    let policies = &request.policies;
    anyhow::ensure!(
        policies.unjudged != Unjudged::Bounds && policies.ties != TieBreak::Bounds,
        "bounds are intervals, which cannot be compared; choose a rule that gives one value"
    );
    let evaluation = Evaluation::of_files(request)?;
    let threads = args.inputs.threads.map(usize::from);
    let comparison =
        cranfield::engine::with_threads(threads, || compare(&evaluation, &settings(args)))??;
    if !args.output.quiet {
        notes::write(&evaluation, err)?;
        write_notes(&comparison, args, err)?;
    }
    let text = render(&evaluation, &comparison, args)?;
    args.output.write(&text, out)?;
    Ok(exit_code::OK)
}

fn request(args: &CompareArgs) -> anyhow::Result<Request> {
    let names = match args.measures.as_slice() {
        [] => DEFAULT_MEASURES.to_owned(),
        names => names.join(" "),
    };
    let request = Request {
        measures: args.inputs.measures(&names)?,
        ..args.inputs.request(&args.qrels, &args.runs)?
    };
    args.inputs.check_levels(&request)?;
    Ok(request)
}

fn settings(args: &CompareArgs) -> Settings {
    Settings {
        test: args.test,
        correction: args.correction,
        family: match args.family {
            FamilyArg::Measure => Family::Measure,
            FamilyArg::All => Family::All,
        },
        alpha: args.alpha,
        resampling: Resampling {
            replicates: args.replicates,
            seed: args.seed,
        },
        baselines: args.baseline.clone(),
        margin: args.margin,
    }
}

fn write_notes(
    comparison: &Comparison,
    args: &CompareArgs,
    err: &mut dyn Write,
) -> std::io::Result<()> {
    for table in &comparison.measures {
        let topics = &table.topics;
        if topics.left_out > 0 {
            let (measure, topics) = (&table.measure, notes::plural(topics.left_out, "topic"));
            writeln!(
                err,
                "note: {measure}: {topics} left out, where a run has no value"
            )?;
        }
        if topics.zeros > 0 {
            let (measure, values) = (
                &table.measure,
                notes::plural(topics.zeros, "undefined value"),
            );
            writeln!(err, "note: {measure}: {values} counted as 0")?;
        }
    }
    let hidden = comparison.hidden_pairs();
    let is_page = matches!(
        args.output.format,
        ResultFormat::Table | ResultFormat::Md | ResultFormat::Html
    );
    if hidden > 0 && is_page && !(args.pairs && args.claims) {
        writeln!(
            err,
            "note: {hidden} pairs were tested; --pairs shows them, --claims what may be said"
        )?;
    }
    Ok(())
}

fn render(
    evaluation: &Evaluation,
    comparison: &Comparison,
    args: &CompareArgs,
) -> anyhow::Result<String> {
    let digits = usize::from(args.output.digits);
    let parts = Parts {
        pairs: args.pairs,
        claims: args.claims,
        methods: args.methods,
        digits,
    };
    let page = |format| comparison.page(&parts).render(format, terminal_width());
    Ok(match args.output.format {
        ResultFormat::Table => page(PageFormat::Text),
        ResultFormat::Md => page(PageFormat::Markdown),
        ResultFormat::Html => page(PageFormat::Html),
        ResultFormat::Latex | ResultFormat::Trec => comparison.latex(&parts),
        ResultFormat::Csv => comparison::records(comparison).render(Format::Csv),
        ResultFormat::Tsv => comparison::records(comparison).render(Format::Tsv),
        ResultFormat::Jsonl => comparison::jsonl(comparison),
        ResultFormat::Json => {
            serde_json::to_string_pretty(&comparison::document(evaluation, comparison))? + "\n"
        }
    })
}
