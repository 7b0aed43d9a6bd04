//! Prints the table of `docs/guide/statistics.md`: how often tests reject at 0.05 where there is no difference.

#![expect(clippy::print_stdout, reason = "the table goes to standard output")]

use cranfield_stats::bootstrap::{Statistic, bootstrap_test};
use cranfield_stats::null_simulation::{NullSource, rejection_rates};
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::{Method as Signs, randomisation};
use cranfield_stats::sign::sign_test;
use cranfield_stats::wilcoxon::{Method, ZeroRule, wilcoxon};
use cranfield_stats::wins::Tolerance;
use cranfield_stats::{Alternative, Result};

type Test = fn(&[f64], &[f64], u64) -> Result<f64>;

const SIDES: Alternative = Alternative::TwoSided;
const TESTS: [(&str, Test); 7] = [
    ("paired t", |a, b, _| Ok(paired_t(a, b, SIDES, 0.95)?.p)),
    ("randomisation", |a, b, number| {
        Ok(randomisation(a, b, Signs::Auto(draws(number)), SIDES)?.p)
    }),
    ("Wilcoxon, exact", |a, b, _| {
        Ok(wilcoxon(a, b, ZeroRule::Wilcox, Method::Exact, SIDES)?.p)
    }),
    ("Wilcoxon, normal", |a, b, _| {
        let method = Method::Normal { continuity: false };
        Ok(wilcoxon(a, b, ZeroRule::Wilcox, method, SIDES)?.p)
    }),
    ("sign", |a, b, _| {
        Ok(sign_test(a, b, SIDES, Tolerance::default())?.p)
    }),
    ("bootstrap, t", |a, b, number| {
        Ok(bootstrap_test(a, b, Statistic::Studentised, SIDES, draws(number))?.p)
    }),
    ("bootstrap, mean", |a, b, number| {
        Ok(bootstrap_test(a, b, Statistic::Mean, SIDES, draws(number))?.p)
    }),
];

fn draws(seed: u64) -> Resampling {
    Resampling {
        replicates: 2000,
        seed,
    }
}

fn main() -> Result<()> {
    println!("| test | 10 topics | 25 topics | 50 topics |");
    println!("|---|---|---|---|");
    for (name, test) in TESTS {
        let mut row = format!("| {name} |");
        for topics in [10, 25, 50] {
            let source = NullSource::Precision { topics, depth: 10 };
            let comparisons = Resampling {
                replicates: 2000,
                seed: 2026,
            };
            let rates = rejection_rates(&source, test, &[0.05], comparisons)?;
            row += &format!(" {:.3} |", rates[0].rate);
        }
        println!("{row}");
    }
    Ok(())
}
