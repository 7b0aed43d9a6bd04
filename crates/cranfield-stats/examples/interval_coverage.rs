//! Prints `docs/reference/interval-coverage.md`: how often intervals of 95 % cover the true difference on few topics.

#![expect(clippy::print_stdout, reason = "the page goes to standard output")]

use cranfield_stats::bootstrap::{LEAST_TOPICS, Method, bootstrap_mean};
use cranfield_stats::null_simulation::{NullSource, rejection_rates};
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::random::Resampling;
use cranfield_stats::sample::differences;
use cranfield_stats::{Alternative, Interval, Result};

const LEVEL: f64 = 0.95;
const COMPARISONS: usize = 10_000;
const RESAMPLES: usize = 1000;
const SEED: u64 = 2040;

/// How an interval is made; `None` is Student's t.
const METHODS: [(&str, Option<Method>); 4] = [
    ("t", None),
    ("percentile", Some(Method::Percentile)),
    ("basic", Some(Method::Basic)),
    ("BCa", Some(Method::Bca)),
];

/// The interval of the difference; the resamples of a comparison are its own.
fn interval(method: Option<Method>, a: &[f64], b: &[f64], number: u64) -> Result<Interval> {
    let t = paired_t(a, b, Alternative::TwoSided, LEVEL)?;
    let Some(method) = method else {
        return Ok(t.interval);
    };
    let resampling = Resampling {
        replicates: RESAMPLES,
        seed: number,
    };
    let found = bootstrap_mean(&differences(a, b)?, method, LEVEL, resampling)?;
    // As `compare` has it.
    Ok(found.interval.unwrap_or(t.interval))
}

/// Share of intervals with 0 in them, which is the true difference.
fn coverage(method: Option<Method>, source: &NullSource<'_>) -> Result<f64> {
    let p = |a: &[f64], b: &[f64], number| {
        let Interval { low, high, .. } = interval(method, a, b, number)?;
        Ok(f64::from(u8::from(low <= 0.0 && high >= 0.0)))
    };
    let comparisons = Resampling {
        replicates: COMPARISONS,
        seed: SEED,
    };
    let rates = rejection_rates(source, p, &[0.5], comparisons)?;
    Ok(1.0 - rates.first().map_or(0.0, |found| found.rate))
}

fn row(topics: u32) -> Result<String> {
    let sources = [
        NullSource::Normal { topics },
        NullSource::Precision { topics, depth: 10 },
    ];
    let mut line = format!("| {topics} |");
    for source in &sources {
        for (_, method) in METHODS {
            line += &format!(" {:.3} |", coverage(method, source)?);
        }
    }
    Ok(line)
}

fn main() -> Result<()> {
    println!("# Coverage of intervals on few topics\n");
    println!(
        "Written by `cargo run --release -p cranfield-stats --example interval_coverage > docs/reference/interval-coverage.md`; the output is reproducible.\n"
    );
    println!(
        "The table has the fraction of {COMPARISONS} simulated comparisons without a true difference whose 95 % interval contains 0. It should be 0.95; its standard error is 0.002.\n\
         Bootstrap intervals use {RESAMPLES} resamples.\n\
         Scores are normal around the mean of each topic, or P@10 of equally good systems.\n"
    );
    let heads = ["normal", "P@10"].map(|scores| {
        let heads = METHODS.map(|(name, _)| format!(" {scores}, {name} |"));
        heads.concat()
    });
    println!("| topics |{}", heads.concat());
    println!("|---:|{}", "---:|".repeat(2 * METHODS.len()));
    for topics in (2..=15).chain([20, 25, 50]) {
        println!("{}", row(topics)?);
    }
    println!(
        "\nBootstrap intervals are too short on few topics, because a resampled mean varies less than the mean of new topics.\n\
         Below {LEAST_TOPICS} topics, `cranfield compare` reports this with such intervals.\n\
         Student's t covers 0.95 for normal scores on any number of topics. For coarse scores it covers less on two topics, which often differ by the same amount, and more otherwise."
    );
    Ok(())
}
