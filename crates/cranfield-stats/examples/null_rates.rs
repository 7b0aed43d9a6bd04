//! Prints `docs/reference/type-one-error.md`: how often each test rejects at 0.05 where there is no difference.

#![expect(clippy::print_stdout, reason = "the page goes to standard output")]

use cranfield_stats::anova::two_way;
use cranfield_stats::bootstrap::{Statistic, bootstrap_test};
use cranfield_stats::corrections::{Correction, adjust};
use cranfield_stats::dunnett::ManyToOne;
use cranfield_stats::null_simulation::{
    NullSource, RejectionRate, family_rejection_rates, rejection_rates,
};
use cranfield_stats::paired_t::paired_t;
use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::{Method as Signs, randomisation};
use cranfield_stats::sign::sign_test;
use cranfield_stats::studentised_range::StudentisedRange;
use cranfield_stats::wilcoxon::{Method, ZeroRule, wilcoxon};
use cranfield_stats::wins::Tolerance;
use cranfield_stats::{Alternative, Result, ScoreMatrix, friedman, randomised_tukey};

type Test = fn(&[f64], &[f64], u64) -> Result<f64>;

const SIDES: Alternative = Alternative::TwoSided;
const ALPHA: f64 = 0.05;
const COMPARISONS: usize = 2000;
/// Systems of a family.
const SYSTEMS: usize = 5;

const TESTS: [(&str, Test); 7] = [
    ("paired t", |a, b, _| Ok(paired_t(a, b, SIDES, 0.95)?.p)),
    ("randomisation", |a, b, number| {
        Ok(randomisation(a, b, Signs::Auto(draws(2000, number)), SIDES)?.p)
    }),
    ("bootstrap, t", |a, b, number| {
        Ok(bootstrap_test(a, b, Statistic::Studentised, SIDES, draws(2000, number))?.p)
    }),
    ("bootstrap, mean", |a, b, number| {
        Ok(bootstrap_test(a, b, Statistic::Mean, SIDES, draws(2000, number))?.p)
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
];

/// A test of a family: the least p of its pairs.
type FamilyTest = Box<dyn Fn(&ScoreMatrix, u64) -> Result<f64> + Sync>;

/// The tests of families of so many topics. Those of which p is an integral compare the largest statistic with the critical value,
/// which is the same decision, and give 0 or 1.
fn family_tests(topics: u32) -> Result<[(&'static str, FamilyTest); 4]> {
    let df = (SYSTEMS as f64 - 1.0) * (f64::from(topics) - 1.0);
    let range = StudentisedRange::new(SYSTEMS, df)?.critical(ALPHA);
    let many = ManyToOne::new(SYSTEMS - 1, df, SIDES)?.critical(ALPHA);
    let ranks = friedman::critical_difference(SYSTEMS, topics as usize, ALPHA)?;
    Ok([
        (
            "Tukey",
            Box::new(move |scores, _| {
                let table = two_way(scores)?;
                let error = (table.residual.mean_square / scores.topics() as f64).sqrt();
                Ok(decided(spread(&table.means) >= range * error))
            }),
        ),
        (
            "randomised Tukey",
            Box::new(|scores, number| {
                let all = randomised_tukey::compare(scores, draws(1000, number))?;
                Ok(least(all.pairs.iter().map(|pair| pair.p)))
            }),
        ),
        (
            "Dunnett",
            Box::new(move |scores, _| {
                let table = two_way(scores)?;
                let error = (2.0 * table.residual.mean_square / scores.topics() as f64).sqrt();
                let distances = table.means[1..]
                    .iter()
                    .map(|mean| (mean - table.means[0]).abs());
                Ok(decided(distances.fold(0.0, f64::max) >= many * error))
            }),
        ),
        (
            "Nemenyi",
            Box::new(move |scores, _| {
                let all = friedman::test(scores)?;
                Ok(decided(spread(&all.mean_ranks) >= ranks))
            }),
        ),
    ])
}

fn spread(values: &[f64]) -> f64 {
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    greatest - values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn decided(rejects: bool) -> f64 {
    if rejects { 0.0 } else { 1.0 }
}

/// The comparisons of a column: each has random numbers of its own, so that chance does not strike them all alike.
fn comparisons(column: usize) -> Resampling {
    draws(COMPARISONS, 2026 + column as u64)
}

fn draws(replicates: usize, seed: u64) -> Resampling {
    Resampling { replicates, seed }
}

fn least(p: impl Iterator<Item = f64>) -> f64 {
    p.fold(1.0, f64::min)
}

/// The least p of paired t tests of all pairs, corrected.
fn corrected(scores: &ScoreMatrix, correction: Correction) -> Result<f64> {
    let test = |(a, b)| Ok(paired_t(scores.row(a), scores.row(b), SIDES, 0.95)?.p);
    let p = scores.pairs().map(test).collect::<Result<Vec<f64>>>()?;
    Ok(least(adjust(&p, correction)?.into_iter()))
}

/// The least and the greatest number of rejections that a rate of alpha has with a probability of 99 %.
fn band() -> (usize, usize) {
    let count = COMPARISONS;
    let mut probability = (1.0 - ALPHA).powf(count as f64);
    let (mut below, mut low, mut high) = (0.0, None, count);
    for number in 0..count {
        below += probability;
        if low.is_none() && below >= 0.005 {
            low = Some(number);
        }
        if below >= 0.995 {
            high = number;
            break;
        }
        let odds = ALPHA / (1.0 - ALPHA);
        probability *= (count - number) as f64 / (number + 1) as f64 * odds;
    }
    (low.unwrap_or(0), high)
}

/// A rate with a mark where it lies outside the band.
fn shown(rate: &RejectionRate) -> String {
    let (low, high) = band();
    let mark = match rate.rejected {
        rejected if rejected < low => " −",
        rejected if rejected > high => " +",
        _ => "",
    };
    format!("{:.4}{mark}", rate.rate)
}

fn sources(topics: [u32; 3]) -> Vec<NullSource<'static>> {
    let precision = topics.map(|topics| NullSource::Precision { topics, depth: 10 });
    let normal = topics.map(|topics| NullSource::Normal { topics });
    precision.into_iter().chain(normal).collect()
}

fn row(name: &str, rates: impl Iterator<Item = Result<Vec<RejectionRate>>>) -> Result<()> {
    let mut row = format!("| {name} |");
    for rate in rates {
        row += &format!(" {} |", shown(&rate?[0]));
    }
    println!("{row}");
    Ok(())
}

fn heading(first: &str, topics: [u32; 3]) {
    let columns = ["P@10", "normal"].map(|source| {
        let texts = topics.map(|topics| format!(" {source}, {topics} topics |"));
        texts.concat()
    });
    println!("| {first} |{}", columns.concat());
    println!("|---|{}", "---:|".repeat(6));
}

fn main() -> Result<()> {
    let (low, high) = band();
    let count = COMPARISONS;
    let share = |number: usize| number as f64 / count as f64;
    println!("# Type I error of the tests\n");
    println!(
        "Written by `cargo run --release -p cranfield-stats --example null_rates > docs/reference/type-one-error.md`; the same \
         bytes every time.\n"
    );
    println!(
        "The share of {count} simulated comparisons without a difference in which p is at most {ALPHA}.\n\
         A test of exactly this level lies between {:.4} and {:.4} with a probability of 99 % (binomial distribution).\n\
         Rates above are marked +: the test rejects too often.\n\
         Rates below are marked −: the test is conservative there.\n\
         Of a hundred rates of an exact test about one is marked by chance, and those of a column are of the same scores.\n\
         With normal scores and more comparisons, the paired t test has rates from 0.049 to 0.051 (100,000 comparisons), and \
         randomised Tukey has 0.049 (20,000 families on 25 topics).\n",
        share(low),
        share(high)
    );
    println!(
        "Scores are of two kinds: P@10 of systems that find relevant documents equally well, which is coarse and has many ties; \
         and normal scores around the level of each topic.\n"
    );
    println!("## Two systems\n");
    let topics = [10, 25, 50];
    heading("test", topics);
    for (name, test) in TESTS {
        let rates = sources(topics).into_iter().enumerate();
        row(
            name,
            rates.map(|(at, source)| rejection_rates(&source, test, &[ALPHA], comparisons(at))),
        )?;
    }
    println!(
        "\nRandomisation, Wilcoxon's exact test and the sign test have p-values with steps, which are coarse with few topics and many \
         ties; they are conservative there.\n\
         So is the bootstrap of t with 10 topics.\n\
         The bootstrap of the mean rejects too often with few topics; `compare` has the bootstrap of t.\n"
    );
    println!("## Families of {SYSTEMS} systems\n");
    println!(
        "The family-wise error: at least one of the pairs, or of the {} comparisons with a baseline for Dunnett's test, is found to differ.\n\
         Corrections are those of the paired t tests of all {} pairs.\n",
        SYSTEMS - 1,
        SYSTEMS * (SYSTEMS - 1) / 2
    );
    heading("method", topics);
    let family = |test: &(dyn Fn(&ScoreMatrix, u64) -> Result<f64> + Sync), name: &str| {
        let rates = sources(topics).into_iter().enumerate();
        row(
            name,
            rates.map(|(at, source)| {
                family_rejection_rates(&source, SYSTEMS, test, &[ALPHA], comparisons(at))
            }),
        )
    };
    for correction in Correction::ALL {
        family(
            &|scores, _| corrected(scores, correction),
            correction.name(),
        )?;
    }
    // By test, then by number of topics.
    let tests = topics.map(family_tests);
    let tests = tests.into_iter().collect::<Result<Vec<_>>>()?;
    for (at, (name, _)) in tests[0].iter().enumerate() {
        let rates = sources(topics)
            .into_iter()
            .enumerate()
            .map(|(place, source)| {
                let (_, test) = &tests[place % topics.len()][at];
                family_rejection_rates(&source, SYSTEMS, test, &[ALPHA], comparisons(place))
            });
        row(name, rates)?;
    }
    println!(
        "\nWithout a correction (none) a false difference is found in every third or fourth family.\n\
         Bonferroni, Sidak, Holm, Holm-Sidak, Hochberg and Hommel are conservative, because the tests of pairs depend on each other; \
         bh and by bound the share of false findings, which is the family-wise error where nothing differs, and by more strictly than needed.\n\
         Tukey's test and Dunnett's are exact for normal scores.\n\
         Randomised Tukey holds for any scores.\n\
         Nemenyi's test, of ranks, is conservative where there are many ties."
    );
    Ok(())
}
