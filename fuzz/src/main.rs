//! The driver without coverage: seeds, and mutations of seeds that are the same on every machine.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{fs, io, panic, thread};

use cranfield_fuzz::targets::{self, Target};
use cranfield_fuzz::{Random, listen, message, mutate, quietly};

const USAGE: &str = "\
usage: cranfield-fuzz [--smoke] [--target NAME]... [--runs N] [--seed N] [--jobs N]
                      [--corpus FOLDER]              adds the files of FOLDER/NAME to the seeds
       cranfield-fuzz --list
       cranfield-fuzz --target NAME --input FILE     runs one input
       cranfield-fuzz --seeds FOLDER                 writes seeds and dictionaries for libFuzzer

Without --target all targets run. --smoke is the bounded run: a number of executions that each target sets.";

/// Executions of a target when nothing is said.
const RUNS: u64 = 100_000;
/// Mutated inputs that stay in play, so that changes add up.
const POOL: usize = 256;

#[derive(Debug)]
struct Options {
    targets: Vec<Target>,
    /// `None` is the smoke run.
    runs: Option<u64>,
    seed: u64,
    jobs: usize,
    corpus: Option<PathBuf>,
    action: Action,
}

#[derive(Debug, PartialEq)]
enum Action {
    Fuzz,
    List,
    Input(PathBuf),
    Seeds(PathBuf),
    Help,
}

fn main() -> ExitCode {
    let options = match parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    listen();
    match act(&options) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let mut options = Options {
        targets: Vec::new(),
        runs: Some(RUNS),
        seed: 1,
        jobs,
        corpus: None,
        action: Action::Fuzz,
    };
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        let number = |text: String| text.parse().map_err(|_| format!("{text} is not a number"));
        match arg.as_str() {
            "--smoke" => options.runs = None,
            "--runs" => options.runs = Some(number(value()?)?),
            "--seed" => options.seed = number(value()?)?,
            "--jobs" => options.jobs = number(value()?)? as usize,
            "--corpus" => options.corpus = Some(value()?.into()),
            "--list" => options.action = Action::List,
            "--input" => options.action = Action::Input(value()?.into()),
            "--seeds" => options.action = Action::Seeds(value()?.into()),
            "--help" | "-h" => options.action = Action::Help,
            "--target" => {
                let name = value()?;
                let target = targets::find(&name)
                    .ok_or_else(|| format!("no target `{name}`; --list shows all"))?;
                options.targets.push(target);
            }
            _ => return Err(format!("unknown option {arg}")),
        }
    }
    if options.targets.is_empty() {
        options.targets = targets::all();
    }
    Ok(options)
}

fn act(options: &Options) -> io::Result<ExitCode> {
    match &options.action {
        Action::Help => println!("{USAGE}"),
        Action::List => options
            .targets
            .iter()
            .for_each(|target| println!("{:18} {}", target.name, target.property)),
        Action::Input(path) => {
            let input = fs::read(path)?;
            options
                .targets
                .iter()
                .for_each(|target| (target.run)(&input));
            println!("held");
        }
        Action::Seeds(folder) => options
            .targets
            .iter()
            .try_for_each(|target| write_seeds(target, folder))?,
        Action::Fuzz => return Ok(fuzz_all(options)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the targets, as many at a time as there are jobs.
fn fuzz_all(options: &Options) -> ExitCode {
    let next = AtomicUsize::new(0);
    let failed = AtomicUsize::new(0);
    let printing = Mutex::new(());
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, options.targets.len()) {
            scope.spawn(|| {
                while let Some(target) = options.targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = Instant::now();
                    let runs = options.runs.unwrap_or(target.smoke);
                    let outcome = seeds_of(target, options.corpus.as_deref())
                        .and_then(|seeds| fuzz(target, runs, options.seed, &seeds));
                    let _guard = printing.lock();
                    let seconds = started.elapsed().as_secs_f64();
                    match outcome {
                        Ok(()) => println!(
                            "{:18} {runs:>9} executions  {seconds:6.1} s  ok",
                            target.name
                        ),
                        Err(failure) => {
                            failed.fetch_add(1, Ordering::Relaxed);
                            println!("{:18} FAILED: {failure}", target.name);
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner();
    println!(
        "{} passed, {failed} failed in {:.1} s",
        options.targets.len() - failed,
        started.elapsed().as_secs_f64()
    );
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The target's own seeds, inputs that once failed, and the corpus that an earlier run left.
fn seeds_of(target: &Target, corpus: Option<&Path>) -> Result<Vec<Vec<u8>>, String> {
    let mut seeds = (target.seeds)();
    let regressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    for folder in [Some(regressions.as_path()), corpus].into_iter().flatten() {
        let folder = folder.join(target.name);
        if folder.exists() {
            let read = files(&folder).map_err(|error| format!("{}: {error}", folder.display()));
            seeds.append(&mut read?);
        }
    }
    Ok(seeds)
}

/// The contents of a folder's files, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Runs all seeds, then mutations of them.
fn fuzz(target: &Target, runs: u64, seed: u64, seeds: &[Vec<u8>]) -> Result<(), String> {
    let name_number = target.name.bytes().fold(0u64, |number, byte| {
        number.wrapping_mul(31).wrapping_add(u64::from(byte))
    });
    let mut random = Random::new(seed ^ name_number);
    let mut pool = seeds.to_vec();
    for run in 0..runs {
        let mut input = match seeds.get(run as usize) {
            Some(seed) => seed.clone(),
            None => random.pick(&pool).cloned().unwrap_or_default(),
        };
        if run as usize >= seeds.len() {
            mutate::mutate(
                &mut random,
                &mut input,
                seeds,
                target.dictionary,
                target.max_len,
            );
        }
        if !holds(target, &input) {
            return Err(report(target, input));
        }
        keep(&mut random, &mut pool, seeds.len(), input);
    }
    Ok(())
}

/// Lets one input in 64 stay, in place of an earlier one that is no seed.
fn keep(random: &mut Random, pool: &mut Vec<Vec<u8>>, seeds: usize, input: Vec<u8>) {
    if random.below(64) != 0 {
        return;
    }
    if pool.len() < seeds + POOL {
        pool.push(input);
    } else {
        let at = seeds + random.below(POOL);
        pool[at] = input;
    }
}

fn holds(target: &Target, input: &[u8]) -> bool {
    panic::catch_unwind(|| (target.run)(input)).is_ok()
}

/// Shortens an input that fails, writes it to a file and reports the path.
fn report(target: &Target, input: Vec<u8>) -> String {
    let text = message();
    let input = shortened(target, input);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    let path = folder.join(format!(
        "{}-{:016x}",
        target.name,
        Random::new(
            input
                .iter()
                .fold(0, |sum, byte| sum * 31 % 0xffff_ffff + u64::from(*byte))
        )
        .number()
    ));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &input));
    let place = match written {
        Ok(()) => format!("--target {} --input {}", target.name, path.display()),
        Err(error) => error.to_string(),
    };
    format!(
        "{text}\n  input: {:?}\n  again: {place}",
        String::from_utf8_lossy(&input)
    )
}

/// Takes pieces out as long as the property stays violated.
fn shortened(target: &Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut width = input.len() / 2;
    while width > 0 {
        let mut at = 0;
        while at + width <= input.len() {
            let shorter = [&input[..at], &input[at + width..]].concat();
            if quietly(|| holds(target, &shorter)) {
                at += width;
            } else {
                input = shorter;
            }
        }
        width /= 2;
    }
    input
}

/// Writes the seeds to `folder/NAME` and the dictionary to `folder/NAME.dict`.
fn write_seeds(target: &Target, folder: &Path) -> io::Result<()> {
    let seeds = folder.join(target.name);
    fs::create_dir_all(&seeds)?;
    let all = seeds_of(target, None).map_err(io::Error::other)?;
    for (at, seed) in all.iter().enumerate() {
        fs::write(seeds.join(format!("seed-{at:02}")), seed)?;
    }
    // libFuzzer refuses an empty dictionary.
    let entries = target.dictionary.iter().chain(&["\n"]).map(|entry| {
        let bytes: Vec<String> = entry.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        format!("\"{}\"\n", bytes.concat())
    });
    fs::write(
        folder.join(format!("{}.dict", target.name)),
        entries.collect::<String>(),
    )?;
    fs::write(
        folder.join(format!("{}.max_len", target.name)),
        target.max_len.to_string(),
    )
}
