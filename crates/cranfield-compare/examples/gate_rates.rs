//! Prints the page `docs/reference/gate-rates.md`: how often the gate passes, fails or stays inconclusive, for drops of 0, 1 and
//! 2 times the least that it claims to see.

use cranfield_compare::gate::{DropNull, GateError, Rates, normal_rates};
use cranfield_render::{Cell, Column, Format, Table};
use cranfield_stats::non_inferiority::DropDesign;

/// Samples of each row, and their seed.
const SAMPLES: usize = 10_000;
const SEED: u64 = 42;

/// Power for which a drop is claimed to be seen.
const POWER: f64 = 0.8;

/// Topics, tolerance, what a drop is tested against, number of measures.
const CASES: [(usize, f64, DropNull, u32); 6] = [
    (50, 0.0, DropNull::Zero, 1),
    (50, 0.01, DropNull::Zero, 1),
    (50, 0.04, DropNull::Zero, 1),
    (50, 0.01, DropNull::Tolerance, 1),
    (200, 0.02, DropNull::Zero, 1),
    (50, 0.01, DropNull::Zero, 4),
];

/// One row: a design, a planted drop, and rates as they were found and as theory has them.
pub(crate) struct Row {
    /// The design.
    pub(crate) design: DropDesign,
    /// Number of measures.
    pub(crate) measures: u32,
    /// The drop as a multiple of the least that is claimed to be seen.
    pub(crate) times: u32,
    /// The drop.
    pub(crate) drop: f64,
    /// Rates of the samples.
    pub(crate) found: Rates,
    /// Rates by theory.
    pub(crate) expected: Rates,
}

/// All rows.
pub(crate) fn rows() -> Result<Vec<Row>, GateError> {
    let mut rows = Vec::new();
    for (topics, tolerance, null, measures) in CASES {
        let design = DropDesign {
            topics,
            deviation: 0.1,
            tolerance,
            null,
            alpha_drop: 0.05 / f64::from(measures),
            alpha_within: 0.05,
        };
        let stated = |why: cranfield_stats::StatsError| GateError::Settings(why.to_string().into());
        let detectable = design.detectable(POWER).map_err(stated)?;
        for times in 0..3 {
            let drop = f64::from(times) * detectable;
            rows.push(Row {
                found: normal_rates(&design, drop, SAMPLES, SEED + rows.len() as u64)?,
                expected: Rates::expected(&design, drop).map_err(stated)?,
                design,
                measures,
                times,
                drop,
            });
        }
    }
    Ok(rows)
}

/// Number of samples of each row.
#[allow(dead_code, reason = "the test that includes this file asks for it")]
pub(crate) fn samples() -> usize {
    SAMPLES
}

/// The page.
pub(crate) fn page(rows: &[Row]) -> String {
    let mut table = Table::new([
        Column::number("topics"),
        Column::number("tolerance"),
        Column::text("tested against"),
        Column::number("measures"),
        Column::text("drop"),
        Column::number("PASS"),
        Column::number("INCONCLUSIVE"),
        Column::number("FAIL"),
    ]);
    for row in rows {
        let rate = |found: f64, expected: f64| {
            Cell::text(format!("{:.1} % ({:.1})", 100.0 * found, 100.0 * expected))
        };
        table.push([
            Cell::text(row.design.topics.to_string()),
            Cell::text(row.design.tolerance.to_string()),
            Cell::text(match row.design.null {
                DropNull::Zero => "no drop",
                DropNull::Tolerance => "the tolerance",
            }),
            Cell::Int(i64::from(row.measures)),
            Cell::text(format!("{}x: {:.4}", row.times, row.drop)),
            rate(row.found.pass, row.expected.pass),
            rate(row.found.inconclusive, row.expected.inconclusive),
            rate(row.found.fail, row.expected.fail),
        ]);
    }
    format!(
        "# Error rates of the gate\n\n\
         The table shows how often [`cranfield gate`](../guide/gating.md) gives each verdict, for true drops of 0, 1 and 2 times the smallest drop that it claims to detect with a power of 80 %.\n\
         Differences of topics are normal with a standard deviation of 0.1. Alpha is 0.05, divided by the number of measures for drops.\n\
         Each row has {SAMPLES} samples; expected rates are in parentheses.\n\n\
         {}\n\
         An unchanged run (0x) fails in at most alpha of cases.\n\
         It rarely passes if the tolerance is small for the number of topics: the verdict is then INCONCLUSIVE, with the number of topics that would be enough.\n\
         A drop of the claimed size (1x) fails in 80 % of cases and hardly ever passes; twice that drop nearly always fails.\n\n\
         `cargo run --release -p cranfield --example gate_rates` prints this page, and a test compares it with the theory.\n\
         `cranfield gate --self-test` makes such a table from your own runs and topics.\n",
        table.render(Format::Markdown)
    )
}

#[allow(
    dead_code,
    clippy::print_stdout,
    reason = "the page goes to standard output; the test that includes this file does not"
)]
fn main() -> Result<(), GateError> {
    print!("{}", page(&rows()?));
    Ok(())
}
