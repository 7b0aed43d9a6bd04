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
        "Written by `cargo run --release -p cranfield-stats --example null_rates > docs/reference/type-one-error.md`; the output is reproducible.\n"
    );
    println!(
        "The tables show the fraction of {COMPARISONS} simulated comparisons without a true difference in which p is at most {ALPHA}.\n\
         The rate of a test with exactly this level is between {} with a probability of 99 % (binomial distribution), and all {} rates of a row are between {} (Bonferroni).\n\
         Rates below the first range are marked − (the test is conservative there), rates above it +.\n\
         About one of two hundred exact tests is marked + by chance, and the rates of a column share the same scores.\n\
         Every test that should keep its level and has a + is therefore [repeated](#second-look) with ten times as many new comparisons; the command fails if its rate is too high again.\n",
        band.ends(),
        COLUMNS.len(),
        Band::new(COMPARISONS, COLUMNS.len()).ends()
    );
    println!(
        "Scores are P@10 of equally good systems, which is coarse and has many ties, or normal around the mean of each topic.\n"
    );
}

fn two_systems(band: Band) -> Result<Vec<(usize, usize)>> {
    println!("## Two systems\n");
    println!("These are the tests of two systems in `cranfield compare`.\n");
    let above = table("test", &PAIRS, band)?;
    println!(
        "\nThe randomisation test, Wilcoxon's exact test and the sign test have discrete p-values, so they are conservative with few topics and many ties.\n\
         With 5 topics, their smallest p is 0.0625.\n\
         The bootstrap of t is conservative up to about 10 topics, and the paired t test with coarse scores on 5 topics.\n"
    );
    Ok(above)
}

fn families(band: Band) -> Result<Vec<(usize, usize)>> {
    println!("## Families of {SYSTEMS} systems\n");
    println!(
        "The family-wise error is the probability of at least one significant pair, or for Dunnett's test one of the {} comparisons with a baseline.\n\
         Corrections apply to the paired t tests of all {} pairs; the tests of Conover, Siegel and Dunn use Holm's correction.\n\
         Friedman's is one test of all systems, exact for few systems and topics; Conover's finds no pair unless it is significant.\n",
        SYSTEMS - 1,
        SYSTEMS * (SYSTEMS - 1) / 2
    );
    let above = table("method", &FAMILIES, band)?;
    println!(
        "\nBonferroni, Sidak, Holm, Holm-Sidak, Hochberg and Hommel are conservative, because the tests of pairs depend on each other; \
         bh and by bound the false discovery rate, which equals the family-wise error if nothing differs, and by is stricter than needed.\n\
         Tukey's test and Dunnett's are exact for normal scores.\n\
         Randomised Tukey is valid for any scores, and conservative if they are few and coarse.\n\
         Tests with Holm's correction are conservative, and so is Dunn's, which ignores topics.\n\
         Nemenyi's test uses ranks, and is conservative with many ties or few topics.\n"
    );
    Ok(above)
}

fn others(band: Band) -> Result<()> {
    println!("## Tests that reject too often\n");
    println!(
        "`cranfield compare` uses none of these, except on request tests without a correction.\n\
         The bootstrap of the plain mean (`Statistic::PlainMean` in Rust) exists to reproduce published results.\n\
         The mean of a resample varies less than the mean of new topics, so the test rejects too often up to about 50 topics, and far too often on few.\n\
         Wilcoxon's test with the normal distribution is an approximation for many topics; `compare` uses the exact test up to 100 topics with a difference.\n"
    );
    table("test", &OTHER_PAIRS, band)?;
    println!(
        "\nWithout a correction (`--correction none`), every third to fifth family of {SYSTEMS} systems has a false difference:\n"
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
        "Rates marked + above, or the largest of a table without any, with {AGAIN} other comparisons.\n\
         The rate of a test with exactly this level is between {} with a probability of 99 %.\n",
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
