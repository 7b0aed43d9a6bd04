//! Prints `docs/reference/type-one-error.md`: how often each test rejects at 0.05 where there is no difference. Fails if a test
//! that is to keep its level does not.

#![expect(clippy::print_stdout, reason = "the page goes to standard output")]

mod band;
mod tests;

use cranfield_stats::Result;
use cranfield_stats::null_simulation::{NullSource, RejectionRate, family_rejection_rates};

use band::Band;
use tests::{FAMILIES, OTHER_PAIRS, PAIRS, Row, UNCORRECTED, draws};

const ALPHA: f64 = 0.05;
const COMPARISONS: usize = 2000;
/// Comparisons of a second look, and what is added to the seed for them: none of the first is among them.
const AGAIN: usize = 20_000;
const OTHER_SEEDS: u64 = 1_000_000;
/// Systems of a family.
const SYSTEMS: usize = 5;

/// Where the scores of a column are from, and the seed of its comparisons: each column has its own, so that chance does not strike
/// them all alike.
const COLUMNS: [(NullSource<'static>, u64); 8] = [
    (precision(5), 2032),
    (precision(10), 2026),
    (precision(25), 2027),
    (precision(50), 2028),
    (normal(5), 2033),
    (normal(10), 2029),
    (normal(25), 2030),
    (normal(50), 2031),
];

const fn precision(topics: u32) -> NullSource<'static> {
    NullSource::Precision { topics, depth: 10 }
}

const fn normal(topics: u32) -> NullSource<'static> {
    NullSource::Normal { topics }
}

/// The heading of a column, and its number of topics.
fn column((source, _): &(NullSource<'_>, u64)) -> (String, u32) {
    let (scores, topics) = match source {
        NullSource::Precision { topics, depth } => (format!("P@{depth}"), *topics),
        NullSource::Normal { topics } => ("normal".to_owned(), *topics),
        NullSource::Exchanged { topics, .. } => ("exchanged".to_owned(), *topics),
    };
    (format!("{scores}, {topics} topics"), topics)
}

/// The rate of a test in a column.
fn rate(row: &Row, at: usize, comparisons: usize, other_seeds: u64) -> Result<RejectionRate> {
    let (source, seed) = &COLUMNS[at];
    let (_, topics) = column(&COLUMNS[at]);
    let test = (row.test)(topics)?;
    let comparisons = draws(comparisons, seed + other_seeds);
    let rates = family_rejection_rates(source, row.systems, test, &[ALPHA], comparisons)?;
    rates
        .first()
        .copied()
        .ok_or(cranfield_stats::StatsError::Empty)
}

/// Prints a table, and gives the places of the rates that are above the band, or of the greatest if none is.
fn table(first: &str, rows: &[Row], band: Band) -> Result<Vec<(usize, usize)>> {
    let heads = COLUMNS.iter().map(|one| format!(" {} |", column(one).0));
    println!("| {first} |{}", heads.collect::<String>());
    println!("|---|{}", "---:|".repeat(COLUMNS.len()));
    let (mut above, mut greatest) = (Vec::new(), (0, (0, 0)));
    for (at, row) in rows.iter().enumerate() {
        let mut line = format!("| {} |", row.name);
        for place in 0..COLUMNS.len() {
            let found = rate(row, place, COMPARISONS, 0)?;
            let mark = match () {
                () if band.is_above(&found) => " +",
                () if band.is_below(&found) => " −",
                () => "",
            };
            line += &format!(" {:.4}{mark} |", found.rate);
            if band.is_above(&found) {
                above.push((at, place));
            }
            if found.rejected > greatest.0 {
                greatest = (found.rejected, (at, place));
            }
        }
        println!("{line}");
    }
    if above.is_empty() {
        above.push(greatest.1);
    }
    Ok(above)
}

/// Prints a second look at rates that were high, and gives the names of tests that are again.
fn second_look(rows: &[&Row], above: &[(usize, usize)], band: Band) -> Result<Vec<String>> {
    println!("| test | scores | rate of {AGAIN} |");
    println!("|---|---|---:|");
    let mut failed = Vec::new();
    for (at, place) in above {
        let (row, (scores, _)) = (rows[*at], column(&COLUMNS[*place]));
        let found = rate(row, *place, AGAIN, OTHER_SEEDS)?;
        let mark = if band.is_above(&found) {
            failed.push(format!("{} ({scores})", row.name));
            " +"
        } else {
            ""
        };
        println!("| {} | {scores} | {:.4}{mark} |", row.name, found.rate);
    }
    Ok(failed)
}

fn introduction(band: Band) {
    println!("# Type I error of the tests\n");
    println!(
        "Written by `cargo run --release -p cranfield-stats --example null_rates > docs/reference/type-one-error.md`; the same \
         bytes every time.\n"
    );
    println!(
        "The share of {COMPARISONS} simulated comparisons without a difference in which p is at most {ALPHA}.\n\
         A test of exactly this level lies between {} with a probability of 99 % (binomial distribution), and all {} rates of \
         a row together lie between {} (Bonferroni).\n\
         Rates below the first band are marked −: the test is conservative there.\n\
         Rates above it are marked +.\n\
         Of two hundred rates of exact tests about one is marked + by chance, and those of a column are of the same scores.\n\
         So every test that is to keep its level and has a + is looked at [a second time](#second-look), with ten times as many new \
         comparisons; the command fails if it is above the band again.\n",
        band.ends(),
        COLUMNS.len(),
        Band::new(COMPARISONS, COLUMNS.len()).ends()
    );
    println!(
        "Scores are of two kinds: P@10 of systems that find relevant documents equally well, which is coarse and has many ties; \
         and normal scores around the level of each topic.\n"
    );
}

fn two_systems(band: Band) -> Result<Vec<(usize, usize)>> {
    println!("## Two systems\n");
    println!("The tests of two systems that `cranfield compare` has.\n");
    let above = table("test", &PAIRS, band)?;
    println!(
        "\nRandomisation, Wilcoxon's exact test and the sign test have p-values with steps, which are coarse with few topics and many \
         ties; they are conservative there.\n\
         With 5 topics their least p is 0.0625.\n\
         The bootstrap of t is conservative with up to about 10 topics, and the paired t test with 5 topics of coarse scores.\n"
    );
    Ok(above)
}

fn families(band: Band) -> Result<Vec<(usize, usize)>> {
    println!("## Families of {SYSTEMS} systems\n");
    println!(
        "The family-wise error: at least one of the pairs, or of the {} comparisons with a baseline for Dunnett's test, is found to differ.\n\
         Corrections are those of the paired t tests of all {} pairs; Conover's tests, Siegel's and Dunn's, which need one, have Holm's.\n\
         Friedman's is one test of all systems, exact where they and the topics are few; no pair differs by Conover's where it is not significant.\n",
        SYSTEMS - 1,
        SYSTEMS * (SYSTEMS - 1) / 2
    );
    let above = table("method", &FAMILIES, band)?;
    println!(
        "\nBonferroni, Sidak, Holm, Holm-Sidak, Hochberg and Hommel are conservative, because the tests of pairs depend on each other; \
         bh and by bound the share of false findings, which is the family-wise error where nothing differs, and by more strictly than needed.\n\
         Tukey's test and Dunnett's are exact for normal scores.\n\
         Randomised Tukey holds for any scores, and is conservative where they are few and coarse.\n\
         Tests with Holm's correction are conservative; so is Dunn's, which takes no notice of topics.\n\
         Nemenyi's test, of ranks, is conservative where there are many ties or few topics.\n"
    );
    Ok(above)
}

fn others(band: Band) -> Result<()> {
    println!("## What does not keep the level\n");
    println!(
        "`cranfield compare` offers none of these, except tests without a correction on request.\n\
         The bootstrap of the plain mean (`Statistic::PlainMean` in Rust) is there to reproduce published results: the mean of \
         a resample varies less than a mean of new topics, so that it rejects too often with up to about 50 topics and far too often \
         with few.\n\
         Wilcoxon's test by the normal distribution is an approximation for many topics; `compare` has the exact test with up to 100 \
         topics with a difference.\n"
    );
    table("test", &OTHER_PAIRS, band)?;
    println!(
        "\nWithout a correction (`--correction none`), a false difference is found in every third to fifth family of {SYSTEMS} systems:\n"
    );
    table("method", &UNCORRECTED, band)?;
    Ok(())
}

fn main() -> Result<std::process::ExitCode> {
    let (band, wide) = (Band::new(COMPARISONS, 1), Band::new(AGAIN, 1));
    introduction(band);
    let mut above = two_systems(band)?;
    let of_families = families(band)?.into_iter();
    above.extend(of_families.map(|(at, place)| (PAIRS.len() + at, place)));
    println!("## Second look\n");
    println!(
        "Rates that are marked + above, or the greatest of a table that has none, with {AGAIN} other comparisons.\n\
         A test of exactly this level lies between {} with a probability of 99 %.\n",
        wide.ends()
    );
    let rows: Vec<&Row> = PAIRS.iter().chain(&FAMILIES).collect();
    let failed = second_look(&rows, &above, wide)?;
    println!();
    others(band)?;
    if failed.is_empty() {
        return Ok(std::process::ExitCode::SUCCESS);
    }
    println!("\nAbove the band twice: {}.", failed.join(", "));
    Ok(std::process::ExitCode::FAILURE)
}
