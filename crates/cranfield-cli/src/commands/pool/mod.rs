//! `cranfield pool`.

mod args;

pub use args::PoolArgs;

use std::io::Write;
use std::path::{Path, PathBuf};

use cranfield::core::policy::{Policies, TieBreak};
use cranfield::io::{RunFormat, Source};
use cranfield::pool::missing::{
    MissingSettings, missing, strata_of, stratified_tables, stratified_total,
};
use cranfield::pool::{
    Coverage, Groups, PoolSettings, PoolStats, Rankings, SettleError, Tables, VoteSettings, bias,
    make, named_runs, settle, votes,
};
use cranfield::report::plot::{Plot, Sheet};
use cranfield::{Conventions, Inputs, Judgements, Qrels, Request, RunInput, parse_measures};

use args::{
    BiasArgs, GroupArgs, JudgedArgs, MakeArgs, MissingArgs, PoolCommand, RunArgs, SettleArgs,
    StatsArgs, VotesArgs,
};

use crate::exit_code;
use crate::lazy::Lazy;
use crate::output::notes;

impl GroupArgs {
    fn read(&self, runs: &[String]) -> anyhow::Result<Groups> {
        Ok(match &self.groups {
            Some(path) => Groups::read(&Source::open(path)?, runs)?,
            None => Groups::single(runs),
        })
    }
}

impl JudgedArgs {
    fn level(&self) -> f64 {
        self.level.unwrap_or(1.0)
    }
}

/// Judgements, if any, and runs.
struct Opened {
    inputs: Inputs,
    rankings: Rankings,
}

impl RunArgs {
    /// Opens the files, none of which may be an output.
    fn open(
        &self,
        qrels: Option<&Path>,
        judged: &JudgedArgs,
        extra: Option<&Path>,
        outputs: &[Option<&Path>],
    ) -> anyhow::Result<Opened> {
        let paths = cranfield::io::expand_paths(&self.runs)?;
        let inputs = open(&paths, self.run_format, qrels, judged, extra, outputs)?;
        let runs = named_runs(inputs.runs())?;
        let rankings = Rankings::new(&runs, self.ties, Some(self.depth()))?;
        Ok(Opened { inputs, rankings })
    }

    /// Opens the files, and cuts the runs at the depth to which they are judged.
    fn open_judged(
        &self,
        qrels: &Path,
        judged: &JudgedArgs,
        extra: Option<&Path>,
        outputs: &[Option<&Path>],
    ) -> anyhow::Result<(Opened, Coverage)> {
        let paths = cranfield::io::expand_paths(&self.runs)?;
        let inputs = open(&paths, self.run_format, Some(qrels), judged, extra, outputs)?;
        let runs = named_runs(inputs.runs())?;
        let none = Qrels::from_judgements([("", "", 0.0); 0]);
        let known = inputs.qrels().map_or(&none, |qrels| qrels);
        let (rankings, coverage) = Coverage::cut(&runs, self.ties, self.depth, known)?;
        Ok((Opened { inputs, rankings }, coverage))
    }

    fn depth(&self) -> usize {
        self.depth.unwrap_or(100)
    }
}

fn open(
    runs: &[PathBuf],
    run_format: Option<RunFormat>,
    qrels: Option<&Path>,
    judged: &JudgedArgs,
    extra: Option<&Path>,
    outputs: &[Option<&Path>],
) -> anyhow::Result<Inputs> {
    let files = runs.iter().map(PathBuf::as_path).chain(qrels).chain(extra);
    let files: Vec<&Path> = files.collect();
    let outputs: Vec<&Path> = outputs.iter().copied().flatten().collect();
    cranfield::io::check_outputs(&outputs, &files)?;
    let stdin = files.iter().filter(|path| path.as_os_str() == "-").count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    let Some(qrels) = qrels else {
        let none = Qrels::from_judgements([("", "", 0.0); 0]);
        return Ok(Inputs::in_memory(none, read_runs(runs, run_format)?));
    };
    let request = Request {
        judged: crate::inputs::judged(qrels)?,
        qrels_format: judged.qrels_format,
        run_format,
        ..Request::new(qrels, runs, Vec::new())
    };
    Ok(Inputs::open(&request)?.load()?)
}

/// Reads runs, with names from those of their files.
pub(super) fn read_runs(
    runs: &[PathBuf],
    run_format: Option<RunFormat>,
) -> Result<Vec<RunInput>, cranfield::io::Error> {
    let shown: Vec<_> = runs.iter().map(|path| path.to_string_lossy()).collect();
    let names = cranfield::run_names(&shown.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    let runs = names.into_iter().zip(runs).map(|(name, path)| {
        let run = cranfield::io::read_run(&Source::open(path)?, run_format)?;
        Ok(RunInput::new(name, run))
    });
    runs.collect()
}

/// A request for one measure.
fn request(measure: &str, judged: &JudgedArgs, ties: TieBreak) -> anyhow::Result<Request> {
    let conventions = Conventions {
        level: judged.level,
        ..Conventions::default()
    };
    let measures = parse_measures(measure, &conventions)?;
    anyhow::ensure!(
        measures.len() == 1,
        "expected one measure, found {}",
        measures.len()
    );
    let policies = Policies {
        ties,
        ..Policies::default()
    };
    let request = Request {
        policies,
        ..Request::of_measures(measures)
    };
    request.check_levels(judged.level)?;
    Ok(request)
}

pub(crate) fn run(
    command: &PoolCommand,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let (tables, output) = match command {
        PoolCommand::Make(Lazy(args)) => return make_pool(args, out, err),
        PoolCommand::Stats(Lazy(args)) => (stats_tables(args)?, &args.output),
        PoolCommand::Bias(Lazy(args)) => (bias_tables(args)?, &args.output),
        PoolCommand::Missing(Lazy(args)) => (missing_tables(args)?, &args.output),
        PoolCommand::Votes(Lazy(args)) => (votes_tables(args)?, &args.output),
        PoolCommand::Settle(Lazy(args)) => (settle_tables(args)?, &args.output),
    };
    if !output.quiet {
        notes::warn_all(tables.warnings().to_vec(), err)?;
        notes::write_all(tables.notes().to_vec(), err)?;
    }
    let tables = tables.with_digits(usize::from(output.digits));
    output.print(&tables, out)?;
    Ok(exit_code::OK)
}

fn make_pool(args: &MakeArgs, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<u8> {
    anyhow::ensure!(
        args.sample.is_none() || args.strategy.is_sample(),
        "--sample needs a strategy that draws a sample: strata or pps"
    );
    let qrels = args.qrels.as_deref();
    let outputs = [args.output.as_deref(), args.sample.as_deref()];
    let Opened { inputs, rankings } = args.runs.open(qrels, &args.judged, None, &outputs)?;
    args.strategy.check(&rankings, Some(args.runs.depth()))?;
    let settings = PoolSettings {
        strategy: args.strategy.clone(),
        budget: args.budget,
        level: args.judged.level(),
        seed: args.seed,
    };
    let judged = qrels.and(inputs.qrels()).map(AsRef::as_ref);
    let pool = make(&rankings, &settings, judged);
    let mut shown = pool.notes();
    if qrels.is_some() {
        let request = request(&args.measure, &args.judged, args.runs.ties)?;
        if let Some(tau) = pool.tau(&inputs, &request)? {
            shown.push(format!(
                "tau of the runs' order by {} with and without the other judgements: {tau:.4}",
                args.measure
            ));
        }
    }
    if !args.quiet {
        notes::write_all(shown, err)?;
    }
    if let (Some(path), Some(sample)) = (&args.sample, &pool.sample) {
        cranfield::io::save_text(sample, path)?;
    }
    let run = pool.to_run();
    if let Some(path) = &args.output {
        save(&run, path)?;
    } else {
        let mut text = Vec::new();
        cranfield::io::write_run(&run, RunFormat::Trec, &mut text)?;
        out.write_all(&text)?;
    }
    Ok(exit_code::OK)
}

fn save(run: &cranfield::Run, path: &Path) -> anyhow::Result<()> {
    let format = RunFormat::of_name(&path.to_string_lossy()).unwrap_or(RunFormat::Trec);
    Ok(cranfield::io::save_run(run, format, path)?)
}

/// Writes a figure in the format of its extension.
fn save_figure(path: Option<&Path>, plot: impl FnOnce() -> Plot) -> anyhow::Result<()> {
    if let Some(path) = path {
        let format = super::bench::figure_format(path)?;
        cranfield::plots::save(&plot().render(format, &Sheet::default())?, path)?;
    }
    Ok(())
}

fn stats_tables(args: &StatsArgs) -> anyhow::Result<Tables> {
    anyhow::ensure!(
        args.seconds > 0.0 && args.seconds.is_finite(),
        "--seconds is {}; give a number above 0",
        args.seconds
    );
    let (qrels, groups) = (args.qrels.as_deref(), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let opened = args.runs.open(qrels, &args.judged, groups, &outputs)?;
    let groups = args.groups.read(&opened.rankings.names)?;
    let judged = qrels.and(opened.inputs.qrels()).map(AsRef::as_ref);
    let stats = PoolStats::new(&opened.rankings, &groups, judged, args.judged.level());
    save_figure(args.figure.as_deref(), || stats.figure())?;
    Ok(stats.tables(args.per_topic, args.seconds))
}

fn bias_tables(args: &BiasArgs) -> anyhow::Result<Tables> {
    let request = request(&args.measure, &args.judged, args.runs.ties)?;
    let (qrels, groups) = (args.qrels.as_path(), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let (opened, coverage) = args
        .runs
        .open_judged(qrels, &args.judged, groups, &outputs)?;
    let groups = args.groups.read(&opened.rankings.names)?;
    let level = args.judged.level();
    let found = bias(&opened.inputs, &request, &opened.rankings, &groups, level)?;
    save_figure(args.figure.as_deref(), || found.figure())?;
    Ok(found.tables().with_coverage(&coverage))
}

fn missing_tables(args: &MissingArgs) -> anyhow::Result<Tables> {
    let (qrels, groups) = (args.qrels.as_path(), args.groups.groups.as_deref());
    let outputs = [args.output.output.as_deref(), args.figure.as_deref()];
    let (opened, coverage) = args
        .runs
        .open_judged(qrels, &args.judged, groups, &outputs)?;
    let level = args.judged.level();
    if let Judgements::Strata(sampled) = opened.inputs.judgements() {
        let strata = strata_of(sampled, level);
        return Ok(stratified_tables(&strata, &stratified_total(&strata)));
    }
    anyhow::ensure!(
        !opened.rankings.names.is_empty(),
        "expected runs after the judgements, or --qrels-format strata"
    );
    let groups = args.groups.read(&opened.rankings.names)?;
    let settings = MissingSettings {
        level,
        to: args.to,
        replicates: args.replicates,
        seed: args.seed,
    };
    let judged = opened.inputs.qrels();
    let judged = judged.ok_or_else(|| anyhow::anyhow!("expected one grade per document"))?;
    let found = missing(&opened.rankings, &groups, judged, &settings);
    save_figure(args.figure.as_deref(), || found.figure())?;
    Ok(found.tables(args.per_topic).with_coverage(&coverage))
}

fn votes_tables(args: &VotesArgs) -> anyhow::Result<Tables> {
    anyhow::ensure!(
        args.rate > 0.0 && args.rate <= 1.0,
        "--rate is {}; give a number above 0 and at most 1",
        args.rate
    );
    anyhow::ensure!(args.draws > 0, "--draws is 0; give a number of at least 1");
    let request = request(&args.measure, &args.judged, args.runs.ties)?;
    let outputs = [args.output.output.as_deref()];
    let qrels = args.qrels.as_deref();
    let opened = args.runs.open(qrels, &args.judged, None, &outputs)?;
    let settings = VoteSettings {
        rate: args.rate,
        draws: args.draws,
        seed: args.seed,
    };
    let truth = qrels.map(|_| (opened.inputs.clone(), &request));
    Ok(votes(&opened.inputs, &opened.rankings, &settings, truth)?.tables())
}

fn settle_tables(args: &SettleArgs) -> anyhow::Result<Tables> {
    let request = request(&args.measure, &args.judged, args.ties)?;
    let runs = [args.run.clone(), args.other.clone()];
    let outputs = [args.output.output.as_deref(), args.pool.as_deref()];
    let qrels = Some(args.qrels.as_path());
    let inputs = open(&runs, args.run_format, qrels, &args.judged, None, &outputs)?;
    let settled = settle(&inputs, &request).map_err(|error| match error {
        SettleError::Input(error) => anyhow::Error::from(error),
        SettleError::Setting(error) => error.into(),
        other => other.into(),
    })?;
    let Some(settled) = settled else {
        anyhow::bail!(
            "both runs have the same {}, so there is no order to settle",
            args.measure
        );
    };
    if let Some(path) = &args.pool {
        save(&settled.to_run(), path)?;
    }
    Ok(settled.tables())
}
