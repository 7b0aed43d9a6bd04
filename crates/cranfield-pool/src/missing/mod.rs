//! How many relevant documents a pool misses.

mod capture;
mod growth;
#[cfg(test)]
pub(crate) mod simulation;
mod stratified;

pub use capture::{Captured, chao, chapman};
pub use growth::{Decline, Extrapolation, Growth};
pub use stratified::{StratumCount, strata_of, stratified_total};

use cranfield_core::qrels::Qrels;
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::distributions::normal_quantile;

use crate::groups::Groups;
use crate::rankings::Rankings;
use crate::stats::holders;
use crate::tables::{Tables, count, id};

/// An estimated number of relevant documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Relevant documents that are known.
    pub found: f64,
    /// Estimated number of all relevant documents.
    pub total: f64,
    /// Standard error, if it is known.
    pub error: Option<f64>,
    /// The 95 % interval, not below what was found.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// An estimate with a normal interval.
    fn normal(found: f64, total: f64, variance: f64) -> Self {
        let error = variance.max(0.0).sqrt();
        let z = normal_quantile(0.975);
        let (low, high) = (total - z * error, total + z * error);
        Self {
            found,
            total,
            error: Some(error),
            interval: Some((low.max(found), high.max(found))),
        }
    }
}

/// Estimates of the relevant documents that a pool misses.
#[derive(Clone, Debug, PartialEq)]
pub struct Missing {
    /// Relevant documents found by depth.
    pub growth: Growth,
    /// Two sets of runs as captures: every other group of the runs.
    pub two_captures: Estimate,
    /// Every run as a capture.
    pub many_captures: Estimate,
    /// Relevant documents of the judgements that no run has.
    pub elsewhere: usize,
}

/// Settings of the estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingSettings {
    /// Lowest grade of a relevant document.
    pub level: f64,
    /// Depth to which growth is extrapolated.
    pub to: usize,
    /// Number of bootstrap replicates.
    pub replicates: usize,
    /// Seed of the bootstrap.
    pub seed: u64,
}

impl Default for MissingSettings {
    /// Level 1, depth 1000, 1000 replicates, seed 42.
    fn default() -> Self {
        Self {
            level: 1.0,
            to: 1000,
            replicates: 1000,
            seed: 42,
        }
    }
}

/// Estimates how many relevant documents the pool of these rankings misses.
pub fn missing(
    rankings: &Rankings,
    groups: &Groups,
    qrels: &Qrels,
    settings: &MissingSettings,
) -> Missing {
    let level = settings.level;
    let growth = Growth::new(rankings, qrels, settings);
    let (mut two, mut many) = (Captured::default(), Captured::default());
    let mut elsewhere = 0;
    for judged in qrels.topics() {
        let relevant = judged.judgements().filter(|(_, grade)| *grade >= level);
        let Some(topic) = rankings.get(judged.id()) else {
            elsewhere += relevant.count();
            continue;
        };
        let holders = holders(topic);
        for (doc, _) in relevant {
            let Some(number) = topic.number(doc) else {
                elsewhere += 1;
                continue;
            };
            let runs = &holders[number as usize];
            many.add(runs.len());
            // Every other group is the first capture.
            let of_groups = runs.iter().map(|run| groups.of_run[*run] % 2);
            let first = of_groups.clone().any(|side| side == 0);
            let second = of_groups.into_iter().any(|side| side == 1);
            two.add_to_pair(first, second);
        }
    }
    Missing {
        growth,
        two_captures: two.chapman(),
        many_captures: many.chao(),
        elsewhere,
    }
}

impl Missing {
    /// The estimates as a table.
    pub fn estimates(&self) -> Table {
        let columns = ["found", "total", "sd", "low", "high"].map(Column::number);
        let mut table = Table::new([Column::text("estimate")].into_iter().chain(columns));
        let mut row = |name: String, estimate: &Estimate| {
            let (low, high) = estimate.interval.unzip();
            table.push([
                Cell::text(name),
                Cell::Real(estimate.found),
                Cell::Real(estimate.total),
                Cell::real(estimate.error),
                Cell::real(low),
                Cell::real(high),
            ]);
        };
        row("two captures (Chapman)".into(), &self.two_captures);
        row("many captures (Chao)".into(), &self.many_captures);
        if let Some(beyond) = &self.growth.extrapolation {
            row(format!("growth to depth {}", beyond.to), &beyond.estimate);
        }
        table
    }

    /// The estimates as tables; `per_topic` adds the topics.
    pub fn tables(&self, per_topic: bool) -> Tables {
        let growth = &self.growth;
        let found = growth.found().last().copied().unwrap_or(0);
        let mut tables = Tables::new("pool missing")
            .setting("found", found)
            .setting("elsewhere", self.elsewhere)
            .part(
                "estimates",
                "Relevant documents, with 95 % intervals",
                self.estimates(),
            )
            .part("growth", "Relevant documents found by depth", growth.table())
            .note(
                "runs find the same documents more often than independent captures would, so the estimates \
                 from captures are lower bounds",
            );
        if per_topic {
            tables = tables.part(
                "topics",
                "Relevant documents found, by topic",
                self.topics(),
            );
        }
        if self.elsewhere > 0 {
            let note = format!(
                "{} judged relevant documents are in no ranking, and in no estimate",
                self.elsewhere
            );
            tables = tables.note(note);
        }
        match &growth.extrapolation {
            Some(beyond) => tables.note(beyond.decline.to_string()),
            None => tables.note(format!(
                "no extrapolation: new relevant documents at fewer than {} depths",
                growth::FEWEST_POINTS
            )),
        }
    }

    fn topics(&self) -> Table {
        let growth = &self.growth;
        let depths = growth.shown();
        let columns = depths.iter().map(|depth| Column::number(depth.to_string()));
        let mut table = Table::new([Column::text("topic")].into_iter().chain(columns));
        for (topic, found) in growth.topics.iter().zip(&growth.by_topic) {
            let cells = depths.iter().map(|depth| count(found[depth - 1]));
            table.push([id(topic)].into_iter().chain(cells));
        }
        table
    }
}

/// The estimate of a stratified sample as tables.
pub fn stratified_tables(strata: &[StratumCount], relevant: &Estimate) -> Tables {
    let columns = ["found", "total", "sd", "low", "high"].map(Column::number);
    let mut table = Table::new([Column::text("estimate")].into_iter().chain(columns));
    let (low, high) = relevant.interval.unzip();
    table.push([
        Cell::text("strata"),
        Cell::Real(relevant.found),
        Cell::Real(relevant.total),
        Cell::real(relevant.error),
        Cell::real(low),
        Cell::real(high),
    ]);
    let drawn: usize = strata.iter().map(|stratum| stratum.drawn).sum();
    let documents: usize = strata.iter().map(|stratum| stratum.documents).sum();
    Tables::new("pool missing")
        .part(
            "estimates",
            "Relevant documents, with a 95 % interval",
            table,
        )
        .note(format!("{drawn} of {documents} documents judged"))
}
