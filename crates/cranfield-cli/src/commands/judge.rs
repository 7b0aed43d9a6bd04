//! `cranfield judge` and `cranfield fake-grader`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::{self, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use cranfield::Qrels;
use cranfield::compare::Progress;
use cranfield::core::policy::TieBreak;
use cranfield::eval::MergeRule;
use cranfield::io::{QrelsFormat, Source, read_qrels, read_run};
use cranfield::judge::machine::{Confusion, FakeGrader};
use cranfield::judge::{
    Blind, Estimate, GivenSettings, GradingRequest, JudgeError, Limits, Live, Log, Materials,
    OutputFiles, Pair, PoolTopics, Program, Queue, Scale, Session, Settings, Sources, candidates,
    export, pairs_of, save_judgements, terminal,
};
use cranfield::lab::engine::command::Argv;
use cranfield::pool::{PoolSettings, Rankings, Strategy, named_runs};
use cranfield::render::Render;

use crate::args::ResultFormat;
use crate::exit_code;
use crate::names::one_of;
use crate::output::notes::{self, plural};
use crate::output::terminal_width;
use crate::output_args::without_trec;
use crate::progress::ProgressLine;

/// Shows the documents of a pool one after the other, next to their topics, in an order that does not reveal their ranks. A digit
/// grades the document, saves the judgement and shows the next document; ? lists the other keys. Run the command again to go on.
///
/// Every assessor has an append-only audit file, NAME.jsonl, in the folder. The judgements derived from it are in NAME.qrels, and
/// --export merges those of all assessors.
///
/// With --with, a program judges: it reads a question per line and writes an answer per line, both in JSON. Answers are kept, and
/// only missing ones are asked for when the command is run again.
#[derive(Debug, Args)]
#[command(
    mut_arg("format", without_trec),
    after_help = "Examples:
  cranfield judge pool.run -o judgements --as ann --collection vaswani
  cranfield judge pool.run -o judgements --as ann --hours \\
    --index index --topics topics.txt
  cranfield judge 'runs/*.run' -o judgements --as ann --collection vaswani \\
    --strategy mtf --budget 100
  cranfield judge pool.run -o judgements --as ann --collection vaswani \\
    --assessors ann,bob --overlap 0.1
  cranfield judge -o judgements --export qrels.txt --merge majority
  cranfield judge pool.run -o judgements --as gpt --collection vaswani \\
    --with 'python3 grader.py'"
)]
pub struct JudgeArgs {
    /// Documents to judge: any run; with --strategy, one or more runs to choose them from
    #[arg(required_unless_present = "export")]
    pub pool: Vec<PathBuf>,
    /// Folder of the judgements
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Name of the assessor [default with --with: the name of the program]
    #[arg(long = "as", value_name = "NAME")]
    pub who: Option<String>,
    /// Documents, and topics unless --topics names others: a collection file, folder or name, or a file of documents
    #[arg(long, value_name = "PATH", conflicts_with = "index")]
    pub collection: Option<PathBuf>,
    /// Documents: an index
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,
    /// Topics: a file, or a collection
    #[arg(long, value_name = "FILE")]
    pub topics: Option<PathBuf>,
    /// Grades: a TOML file with a line such as 0 = "not relevant" for each [default: 0 to 3]
    #[arg(long, value_name = "FILE")]
    pub scale: Option<PathBuf>,
    /// Seed of the order and of assignments [default: 42]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Assessors who divide the pool [default: everyone judges everything]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub assessors: Option<Vec<String>>,
    /// Share of the documents that all assessors judge
    #[arg(long, value_name = "SHARE")]
    pub overlap: Option<f64>,
    /// Print how long the rest will take, and do not judge
    #[arg(long, conflicts_with = "with")]
    pub hours: bool,
    /// Write the judgements of all assessors to a file, or those of --as; - is standard output
    #[arg(long, value_name = "QRELS")]
    pub export: Option<PathBuf>,
    /// Merging of assessors, and of votes: majority (ties: the lower grade), max, min, mean, median
    #[arg(long, value_name = "RULE", default_value = "majority", value_parser = one_of(MergeRule::ALL, MergeRule::name), hide_possible_values = true)]
    pub merge: MergeRule,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Output format of the summary
    #[arg(short, long, value_enum, default_value = "table")]
    pub format: ResultFormat,
    /// Suppress notes and progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

/// Options of strategies.
#[derive(Debug, Args)]
#[command(next_help_heading = "Choosing documents while they are judged")]
pub struct ChoiceArgs {
    /// Choose documents from the runs by a strategy of pool make: with mtf, mm, thompson, ucb, hedge or mtc, each grade decides about the next document
    #[arg(long, value_name = "NAME", requires = "pool")]
    pub strategy: Option<Strategy>,
    /// Most documents per topic
    #[arg(long, value_name = "N", requires = "strategy", value_parser = crate::args::at_least_one)]
    pub budget: Option<usize>,
    /// Use only the first N documents of each ranking
    #[arg(long, value_name = "N", default_value_t = 100, requires = "strategy", value_parser = crate::args::at_least_one)]
    pub depth: usize,
    /// Lowest grade that counts as relevant for the strategy
    #[arg(long, value_name = "GRADE", default_value_t = 1, requires = "strategy")]
    pub level: u8,
}

/// Options of programs that judge.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs as assessors")]
pub struct ProgramArgs {
    /// Program that judges, with its arguments; quotes group words, but there is no shell
    #[arg(long, value_name = "COMMAND", requires = "pool")]
    pub with: Option<String>,
    /// File with the prompt; {title}, {description}, {narrative}, {text} and {scale} are replaced [default: built in]
    #[arg(long, value_name = "FILE", requires = "with")]
    pub prompt: Option<PathBuf>,
    /// Ask for each document this many times, and merge the answers
    #[arg(long, value_name = "N", default_value_t = 1, requires = "with", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub votes: u32,
    /// Draw this many of the program's documents, of each grade alike, for a person: writes the pool NAME.audit.run
    #[arg(long, value_name = "N", requires = "with")]
    pub audit: Option<usize>,
    /// Judge only documents that these judgements lack; --export then writes both, with NAME in the second column
    #[arg(long, value_name = "QRELS", requires = "with")]
    pub fill_holes: Option<PathBuf>,
    /// Answers are text that ends with a line such as `grade: 2`, one question at a time
    #[arg(long, requires = "with")]
    pub plain: bool,
    /// Seconds to wait for an answer
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 120.0,
        requires = "with"
    )]
    pub timeout: f64,
    /// Questions on their way at the same time [default: the number that the program gives, or 1]
    #[arg(long, value_name = "N", requires = "with", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub in_flight: Option<u32>,
    /// Restarts of a program that ends or hangs
    #[arg(long, value_name = "N", default_value_t = 3, requires = "with")]
    pub restarts: u32,
}

/// The documents to judge, and the strategy that chooses among them.
type Candidates = (Vec<Pair>, Option<Live>);

impl ChoiceArgs {
    fn candidates(&self, files: &[PathBuf], seed: u64) -> anyhow::Result<Candidates> {
        let Some(strategy) = &self.strategy else {
            let [pool] = files else {
                bail!(
                    "expected one pool, found {}; to choose documents from runs, use --strategy",
                    files.len()
                );
            };
            let pool = read_run(&Source::open(pool)?, None)?;
            return Ok((pairs_of(&pool).map_err(error)?, None));
        };
        let runs = named_runs(&super::pool::read_runs(files, None)?)?;
        let depth = Some(self.depth);
        let rankings = Rankings::new(&runs, TieBreak::DocidDesc, depth)?;
        let settings = PoolSettings {
            strategy: strategy.clone(),
            budget: self.budget,
            level: self.level.into(),
            seed,
        };
        candidates(&rankings, depth, &settings).map_err(error)
    }
}

pub(crate) fn run(
    args: &JudgeArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let pool = cranfield::io::expand_paths(&args.pool)?;
    let inputs = [
        &args.topics,
        &args.scale,
        &args.program.prompt,
        &args.program.fill_holes,
    ];
    let inputs = inputs.into_iter().flatten().chain(&pool);
    let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
    let program = args.program.open()?;
    let name = program.as_ref().map(|program| program.argv.program());
    let name = name.and_then(|name| Path::new(name).file_stem());
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let who = args.who.clone().or(name);
    let files = OutputFiles {
        folder: &args.output,
        who: who.as_deref(),
        export: args.export.as_deref(),
        is_filled: args.program.fill_holes.is_some(),
        is_audited: args.program.audit.is_some(),
    };
    files.check(&inputs, &sources(args)).map_err(error)?;
    let mut code = exit_code::OK;
    let mut is_exported = false;
    if !pool.is_empty() {
        let given = given(args)?;
        let settings = Settings::resolve(&args.output, &given).map_err(error)?;
        let candidates = args.choice.candidates(&pool, settings.seed)?;
        match program.zip(who) {
            Some(grader) => {
                let done = by_program(args, grader, (candidates, given), progress, out, err)?;
                (code, is_exported) = done;
            }
            None => by_hand(args, candidates, &settings, out, err)?,
        }
    }
    if let Some(path) = args
        .export
        .as_deref()
        .filter(|_| !is_exported && !args.hours)
    {
        let exported = export(&args.output, args.who.as_deref(), args.merge).map_err(error)?;
        cranfield::io::save_qrels(&exported.qrels, format_of(path), path)?;
        if !args.quiet {
            notes::line(err, exported.summary(args.merge))?;
        }
    }
    Ok(code)
}

/// The format of judgements with this name: TREC's unless the extension says another.
fn format_of(path: &Path) -> QrelsFormat {
    QrelsFormat::of_name(&path.to_string_lossy()).unwrap_or(QrelsFormat::Trec)
}

/// The errors of the library, with their own exit codes.
pub(crate) fn error(error: JudgeError) -> anyhow::Error {
    match error {
        JudgeError::Input(error) => error.into(),
        JudgeError::Name(error) => error.into(),
        JudgeError::NoTerminal => no_terminal(),
        other => other.into(),
    }
}

fn no_terminal() -> anyhow::Error {
    anyhow::anyhow!(
        "judging by hand needs a terminal as standard input and output; to let a program judge, use --with COMMAND"
    )
}

fn given(args: &JudgeArgs) -> anyhow::Result<GivenSettings> {
    let scale = args.scale.as_deref().map(Scale::open).transpose();
    Ok(GivenSettings {
        seed: args.seed,
        overlap: args.overlap,
        assessors: args.assessors.clone(),
        scale: scale.map_err(error)?,
    })
}

fn sources(args: &JudgeArgs) -> Sources {
    Sources {
        collection: args.collection.clone(),
        index: args.index.clone(),
        topics: args.topics.clone(),
    }
}

fn named_sources(args: &JudgeArgs) -> anyhow::Result<Sources> {
    ensure!(
        args.collection.is_some() || args.index.is_some(),
        "name the documents with --collection or --index"
    );
    ensure!(
        args.collection.is_some() || args.topics.is_some(),
        "name the topics with --topics"
    );
    Ok(sources(args))
}

fn by_hand(
    args: &JudgeArgs,
    (mut pairs, live): Candidates,
    settings: &Settings,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<()> {
    let who = args.who.as_deref().context("name the assessor with --as")?;
    Log::path(&args.output, who).map_err(error)?;
    let has_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !args.hours && !has_terminal {
        return Err(no_terminal());
    }
    if !args.hours {
        named_sources(args)?;
    }
    let names = &settings.assessors;
    if !names.is_empty() && !names.iter().any(|name| name == who) {
        let (folder, names) = (args.output.display(), names.join(", "));
        bail!("`{who}` is not one of the assessors of `{folder}`: {names}");
    }
    let sources = sources(args);
    // The estimate alone needs no topics.
    let are_named = sources.topics.is_some() || sources.collection.is_some();
    let topics = (are_named || !args.hours).then(|| PoolTopics::open(&sources, &mut pairs));
    let topics = topics.transpose().map_err(error)?;
    let note = topics.as_ref().and_then(|topics| topics.note.clone());
    if let Some(note) = note.filter(|_| !args.quiet) {
        notes::line(err, note)?;
    }
    let mut queue: Box<dyn Queue> = match live {
        Some(live) => Box::new(live.with_topics_of(&pairs).assigned_to(who, settings)),
        None => Box::new(Blind::new(&pairs, who, settings)),
    };
    let Some(topics) = topics.filter(|_| !args.hours) else {
        let estimate = Estimate::read(&args.output, who, &mut *queue).map_err(error)?;
        writeln!(out, "{estimate}")?;
        return Ok(());
    };
    let materials = Materials::open(&sources, topics, queue.pairs()).map_err(error)?;
    let session = Session::open(&args.output, who, queue, settings.clone());
    let mut session = session.map_err(error)?;
    let judged = terminal::judge(&mut session, &materials, &settings.scale);
    // Whatever happened, what was judged is exported.
    save_judgements(&args.output, session.judged(), args.merge).map_err(error)?;
    judged.map_err(error)?;
    if !args.quiet {
        notes::line(
            err,
            format!(
                "{who}: {} judged",
                plural(session.judged().len(), "document")
            ),
        )?;
        notes::line(err, session.estimate().to_string())?;
    }
    Ok(())
}

/// Lets a program judge; also returns whether the judgements were exported.
fn by_program(
    args: &JudgeArgs,
    (program, who): (Program, String),
    ((pool, live), settings): (Candidates, GivenSettings),
    progress: Option<Progress>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<(u8, bool)> {
    let path = args.program.prompt.as_deref();
    let prompt = path.map(|path| {
        let text = std::fs::read_to_string(path);
        text.with_context(|| format!("cannot read the prompt `{}`", path.display()))
    });
    let holes = args.program.fill_holes.as_deref().map(qrels).transpose()?;
    let is_exported = holes.is_some() && args.export.is_some();
    let request = GradingRequest {
        folder: args.output.clone(),
        who,
        pool,
        live,
        sources: named_sources(args)?,
        settings,
        prompt: prompt.transpose()?,
        votes: args.program.votes,
        merge: args.merge,
        audit: args.program.audit,
        holes,
        filled: args.export.clone(),
    };
    let mut open = request.open().map_err(error)?;
    let line = ProgressLine::new(progress, args.quiet);
    let program = Program {
        progress: line.progress.clone(),
        ..program
    };
    let asked = program.ask(&mut open.grading).map_err(error)?;
    drop(line);
    let finished = open.finish(asked).map_err(error)?;
    if !args.quiet {
        notes::write_all(finished.notes, err)?;
    }
    let text = finished.graded.render(args.format, terminal_width())?;
    out.write_all(text.as_bytes())?;
    let code = if finished.graded.left == 0 {
        exit_code::OK
    } else {
        exit_code::INVALID_INPUT
    };
    Ok((code, is_exported))
}

impl ProgramArgs {
    /// The program of --with.
    fn open(&self) -> anyhow::Result<Option<Program>> {
        let Some(command) = &self.with else {
            return Ok(None);
        };
        let argv = shlex::split(command)
            .with_context(|| format!("--with `{command}` has a quote that does not end"))?;
        let seconds = self.timeout;
        let timeout = Duration::try_from_secs_f64(seconds).ok();
        let timeout = timeout.filter(|timeout| !timeout.is_zero() && timeout.as_secs() < 1_000_000);
        let timeout = timeout.with_context(|| {
            format!("--timeout must be a positive number of seconds, not {seconds}")
        })?;
        Ok(Some(Program {
            argv: Argv::new(argv).context("--with names no program")?,
            limits: Limits {
                in_flight: self.in_flight.map(|count| count as usize),
                timeout,
                restarts: self.restarts,
                ..Limits::default()
            },
            plain: self.plain,
            progress: Progress::default(),
        }))
    }
}

fn qrels(path: &Path) -> anyhow::Result<Qrels> {
    Ok(read_qrels(&Source::open(path)?, None)?)
}

/// Reads questions of `judge --with` and answers them without a model, for tests and for trying things out. Grades follow from known
/// judgements, with errors by a table of confusion, or from the words that topic and document share. The same seed gives the same
/// grades.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield judge pool.run -o judgements --collection vaswani \\
    --with 'cranfield fake-grader --overlap'
  cranfield judge pool.run -o judgements --collection vaswani \\
    --with 'cranfield fake-grader --truth qrels.txt --confusion 0:.9,.1;1:.2,.8'")]
pub struct FakeGraderArgs {
    /// True grades; documents without one have grade 0
    #[arg(long, value_name = "QRELS", required_unless_present = "overlap")]
    pub truth: Option<PathBuf>,
    /// Errors: for each true grade, the probabilities of answering 0, 1, 2, ... [default: none]
    #[arg(long, value_name = "ROWS", requires = "truth")]
    pub confusion: Option<Confusion>,
    /// Seed of the errors
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub seed: u64,
    /// Grade by the share of the title's terms that are in the document
    #[arg(long, conflicts_with = "truth")]
    pub overlap: bool,
    /// Seconds for each answer
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    pub delay: f64,
    /// Questions to take at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub in_flight: usize,
    /// End after N answers
    #[arg(long, value_name = "N")]
    pub die_after: Option<usize>,
    /// Write a line that is not JSON before every Nth answer
    #[arg(long, value_name = "N", value_parser = crate::args::at_least_one)]
    pub garbage_every: Option<usize>,
    /// Give every Nth answer twice
    #[arg(long, value_name = "N", value_parser = crate::args::at_least_one)]
    pub twice_every: Option<usize>,
    /// Answer in another order
    #[arg(long)]
    pub shuffle: bool,
}

pub(crate) fn run_fake(args: &FakeGraderArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let delay = Duration::try_from_secs_f64(args.delay);
    let grader = FakeGrader {
        truth: args.truth.as_deref().map(qrels).transpose()?,
        confusion: args.confusion.clone().unwrap_or_default(),
        seed: args.seed,
        overlap: args.overlap,
        delay: delay
            .ok()
            .filter(|delay| delay.as_secs() < 3600)
            .with_context(|| {
                format!(
                    "--delay must be a number of seconds below 3600, not {}",
                    args.delay
                )
            })?,
        in_flight: args.in_flight,
        die_after: args.die_after,
        garbage_every: args.garbage_every,
        twice_every: args.twice_every,
        shuffle: args.shuffle,
    };
    let is_over = grader.run(BufReader::new(io::stdin()), out)?;
    Ok(if is_over {
        exit_code::OK
    } else {
        exit_code::FAILED
    })
}
