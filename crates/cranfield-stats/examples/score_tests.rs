//! Runs one test on a table of scores and says how long it took: `score_tests JOB FILE REPLICATES`.
//!
//! The file has a line of names, then one line per topic with the scores of all systems, between commas. Jobs are `exact` (Fisher's
//! test of the first two systems over all signs), `pairs` (randomisation tests of all pairs) and `tukey` (randomised Tukey). Prints
//! the seconds of the test alone, the number of pairs, and the first p-value. Used by `benches/stats.py`.

#![expect(clippy::print_stdout, reason = "the result goes to standard output")]

use std::time::Instant;

use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::{Method, randomisation, randomisation_of_pairs};
use cranfield_stats::{Alternative, ScoreMatrix, randomised_tukey};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

const SIDES: Alternative = Alternative::TwoSided;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [job, file, replicates] = arguments.as_slice() else {
        return Err("usage: score_tests exact|pairs|tukey FILE REPLICATES".into());
    };
    let scores = read(&std::fs::read_to_string(file)?)?;
    let resampling = Resampling {
        replicates: replicates.parse()?,
        seed: 42,
    };
    let start = Instant::now();
    let p = run(job, &scores, resampling)?;
    let seconds = start.elapsed().as_secs_f64();
    let first = p.first().copied().unwrap_or(f64::NAN);
    println!("{seconds} {} {first}", p.len());
    Ok(())
}

fn read(text: &str) -> Fallible<ScoreMatrix> {
    let rows = text.lines().skip(1);
    let row = |line: &str| {
        line.split(',')
            .map(str::parse)
            .collect::<Result<Vec<f64>, _>>()
    };
    let topics = rows.map(row).collect::<Result<Vec<_>, _>>()?;
    let systems = topics.first().map_or(0, Vec::len);
    let column = |at: usize| topics.iter().filter_map(move |row| row.get(at).copied());
    let columns: Vec<Vec<f64>> = (0..systems).map(|at| column(at).collect()).collect();
    Ok(ScoreMatrix::new(&columns)?)
}

fn run(job: &str, scores: &ScoreMatrix, resampling: Resampling) -> Fallible<Vec<f64>> {
    Ok(match job {
        "exact" => {
            let (a, b) = (scores.row(0), scores.row(1));
            vec![randomisation(a, b, Method::Exact, SIDES)?.p]
        }
        "pairs" => {
            let pairs = randomisation_of_pairs(scores, resampling, SIDES)?;
            pairs.iter().map(|pair| pair.p).collect()
        }
        "tukey" => {
            let all = randomised_tukey::compare(scores, resampling)?;
            all.pairs.iter().map(|pair| pair.p).collect()
        }
        other => return Err(format!("unknown job `{other}`").into()),
    })
}
