//! A benchmark in every format.

use cranfield_render::{Cell, Column, Content, Page, Records, Render, Table};
use serde_json::{Value, json};

use super::calibration::Noise;
use super::estimate::Estimate;
use super::load::Load;
use super::machine::Machine;
use super::result::{BenchResult, EngineResult};
use super::summary::{LatencySummary, LoadResult, QUANTILES};
use crate::duration::{seconds, significant};

impl BenchResult {
    fn latency_table(&self) -> Table {
        let names = QUANTILES.iter().map(|(name, _)| *name);
        let columns = ["engine", "load", "time"].map(Column::text).into_iter();
        let columns = columns.chain(names.chain(["max"]).map(Column::number));
        let intervals = ["p50 95 %", "p99 95 %"].map(Column::number);
        let mut table = Table::new(columns.chain(intervals));
        for (engine, load) in self.all_loads() {
            for latency in &load.latencies {
                let names = [engine.name.clone(), load.load.to_string()];
                let names = names.into_iter().chain([latency.kind.name().to_owned()]);
                let values = latency
                    .quantiles
                    .iter()
                    .map(|estimate| seconds(estimate.value));
                let max = [seconds(latency.max)];
                let intervals = [0, 2].map(|at| interval(latency.quantiles.get(at), seconds));
                let cells = names.chain(values).chain(max).chain(intervals);
                table.push(cells.map(Cell::text));
            }
        }
        table.keys = 3;
        table
    }

    fn cost_table(&self) -> Table {
        let names = ["engine", "load"].map(Column::text).into_iter();
        let numbers = [
            "requests",
            "failed",
            "per second",
            "95 %",
            "CPU per request",
            "energy",
        ];
        let mut table = Table::new(names.chain(numbers.map(Column::number)));
        for (engine, load) in self.all_loads() {
            let cpu = load.cpu.map(|cpu| seconds(cpu.value));
            let energy = load
                .energy
                .map(|joules| format!("{} J", significant(joules.value)));
            let unavailable = || "unavailable".to_owned();
            let rate = load.throughput;
            table.push([
                Cell::text(&engine.name),
                Cell::text(load.load.to_string()),
                whole(load.requests()),
                whole(load.failed()),
                Cell::text(rate.map_or("–".into(), |rate| significant(rate.value))),
                Cell::text(interval(rate.as_ref(), significant)),
                Cell::text(cpu.unwrap_or_else(unavailable)),
                Cell::text(energy.unwrap_or_else(unavailable)),
            ]);
        }
        table
    }

    fn quality_table(&self) -> Table {
        let names = ["engine", "measure"].map(Column::text).into_iter();
        let mut table = Table::new(names.chain(["mean", "95 %"].map(Column::number)));
        for engine in &self.engines {
            for quality in &engine.answers.quality {
                table.push([
                    Cell::text(&engine.name),
                    Cell::text(&quality.measure),
                    Cell::Real(quality.mean.value),
                    Cell::text(interval(Some(&quality.mean), |value| format!("{value:.4}"))),
                ]);
            }
        }
        table
    }

    fn answers_table(&self) -> Table {
        let names = ["engine", "other"].map(Column::text).into_iter();
        let numbers = ["topics", "overlap@10", "RBO(0.9)", "score difference"].map(Column::number);
        let mut table = Table::new(names.chain(numbers).chain([Column::text("answers")]));
        for pair in &self.same {
            table.push([
                Cell::text(&pair.first),
                Cell::text(&pair.second),
                whole(pair.topics),
                Cell::Real(pair.overlap),
                Cell::real(pair.rbo),
                Cell::real(pair.score_difference),
                Cell::text(if pair.are_same() { "same" } else { "different" }),
            ]);
        }
        table
    }

    fn rates_table(&self) -> Table {
        let mut table = Table::new([Column::text("engine"), Column::text("highest rate")]);
        for engine in &self.engines {
            if let Some(found) = &engine.found_rate {
                table.push([Cell::text(&engine.name), Cell::text(found.to_string())]);
            }
        }
        table
    }

    fn all_loads(&self) -> impl Iterator<Item = (&EngineResult, &LoadResult)> {
        let engines = self.engines.iter();
        engines.flat_map(|engine| engine.loads.iter().map(move |load| (engine, load)))
    }

    fn introduction(&self) -> String {
        let closed = "A closed loop measures service times: from sending to the answer.";
        let open =
            "An open loop also measures response times: from the planned time to the answer.";
        let has = |is_open: bool| {
            let mut loads = self.all_loads();
            loads.any(|(_, load)| matches!(load.load, Load::Open { .. }) == is_open)
        };
        let mut text = format!(
            "{} topics, {} documents each, {} repetitions of {}, seed {}.",
            self.topics,
            self.depth,
            self.repetitions,
            seconds(self.length.as_secs_f64()),
            self.seed
        );
        for (is_open, sentence) in [(false, closed), (true, open)] {
            if has(is_open) {
                text = format!("{text} {sentence}");
            }
        }
        if self.engines.iter().any(|engine| engine.is_cold) {
            text += " Cold: before each pass over the topics, the files of the index are removed from the system's cache.";
        }
        text
    }
}

/// Facts about the machine, and what disturbed a benchmark.
pub(super) fn machine_table(machine: &Machine, noise: &Noise) -> Table {
    let mut table = Table::new([Column::text("machine"), Column::text("value")]);
    for (name, value) in machine.rows() {
        table.push([Cell::text(name), Cell::text(value)]);
    }
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    for (when, calibration) in [("before", &noise.before), ("after", &noise.after)] {
        if let Some(calibration) = calibration {
            let name = format!("variation {when}");
            table.push([Cell::text(name), Cell::text(percent(calibration.variation))]);
        }
    }
    let stolen = noise.stolen.map_or("unavailable".into(), percent);
    table.push([Cell::text("stolen time"), Cell::text(stolen)]);
    table
}

/// A count.
fn whole(count: usize) -> Cell {
    Cell::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

/// An interval for reading.
pub(super) fn interval(estimate: Option<&Estimate>, shown: impl Fn(f64) -> String) -> String {
    let limits = estimate.and_then(|estimate| estimate.interval);
    limits.map_or("–".into(), |[low, high]| {
        format!("{} to {}", shown(low), shown(high))
    })
}

impl Render for BenchResult {
    fn content(&self) -> Content {
        let mut page = Page::new("Benchmark");
        page.paragraph(self.introduction());
        page.table(self.latency_table());
        page.table(self.cost_table());
        page.table(self.quality_table());
        page.table(self.answers_table());
        page.table(self.rates_table());
        page.lines(self.claims());
        page.lines(self.warnings());
        page.table(machine_table(&self.machine, &self.noise));
        Content::Page(page)
    }

    fn records(&self) -> Records<'_> {
        let rows = self.all_loads().flat_map(|(engine, load)| {
            let values = values_of(load).into_iter();
            values.map(move |(name, estimate)| {
                let names = [engine.name.clone(), load.load.to_string(), name];
                let limits = estimate
                    .interval
                    .map_or([None, None], |limits| limits.map(Some));
                let numbers = [Some(estimate.value), limits[0], limits[1]].map(Cell::real);
                names.map(Cell::text).into_iter().chain(numbers).collect()
            })
        });
        Records::named(["engine", "load", "name", "value", "low", "high"], rows)
    }

    fn json(&self) -> Value {
        json!({
            "cranfield": env!("CARGO_PKG_VERSION"),
            "machine": self.machine,
            "noise": self.noise,
            "is_sound": self.is_sound(),
            "topics": self.topics,
            "depth": self.depth,
            "repetitions": self.repetitions,
            "seconds": self.length.as_secs_f64(),
            "seed": self.seed,
            "level": super::LEVEL,
            "engines": self.engines.iter().map(engine_json).collect::<Vec<_>>(),
            "answers": self.same,
            "ratios": self.ratios.iter().map(|ratio| json!({
                "faster": ratio.faster,
                "slower": ratio.slower,
                "load": ratio.load.to_string(),
                "ratio": ratio.ratio,
            })).collect::<Vec<_>>(),
            "claims": self.claims(),
            "warnings": self.warnings(),
        })
    }
}

/// Names and values of a load, in seconds.
fn values_of(load: &LoadResult) -> Vec<(String, Estimate)> {
    let mut values = Vec::new();
    for latency in &load.latencies {
        let kind = latency.kind.name();
        let named = QUANTILES.iter().zip(&latency.quantiles);
        values.extend(named.map(|((name, _), estimate)| (format!("{kind} {name}"), *estimate)));
        let max = Estimate {
            value: latency.max,
            interval: None,
        };
        values.push((format!("{kind} max"), max));
    }
    let others = [
        ("requests per second", load.throughput),
        ("CPU seconds per request", load.cpu),
        ("joules per request", load.energy),
    ];
    let others = others
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    values.extend(others);
    values
}

fn engine_json(engine: &EngineResult) -> Value {
    let run = &engine.answers.run;
    let failed = run.failed.iter().map(|(topic, error)| {
        json!({"topic": topic, "kind": error.kind().name(), "message": error.message()})
    });
    let settings = engine.settings.iter().cloned();
    let settings = settings.map(|(name, value)| (name, Value::from(value)));
    json!({
        "name": engine.name,
        "is_cold": engine.is_cold,
        "settings": settings.collect::<serde_json::Map<_, _>>(),
        "quality": engine.answers.quality,
        "failed_topics": failed.collect::<Vec<_>>(),
        "topics_without_documents": run.empty,
        "topics_cut_in_ties": run.cut_in_ties,
        "warm_ups": engine.warm_ups,
        "loads": engine.loads.iter().map(load_json).collect::<Vec<_>>(),
        "find_rate": engine.found_rate.as_ref().map(|found| json!({
            "target": found.target.to_string(),
            "rate": found.rate,
            "probes": found.probes.iter().map(|probe| json!({
                "rate": probe.rate, "latency": probe.latency, "is_met": probe.is_met,
            })).collect::<Vec<_>>(),
        })),
    })
}

fn load_json(load: &LoadResult) -> Value {
    let latency = |latency: &LatencySummary| {
        let named = QUANTILES.iter().zip(&latency.quantiles);
        let quantiles = named.map(|((name, _), estimate)| ((*name).to_owned(), json!(estimate)));
        json!({
            "time": latency.kind.name(),
            "quantiles": quantiles.collect::<serde_json::Map<_, _>>(),
            "max": latency.max,
        })
    };
    let repetition = |one: &super::Measurement| {
        json!({
            "requests": one.requests,
            "failed": one.failed,
            "seconds": one.seconds,
            "clients": one.clients,
            "waited": one.waited,
            "late_p99": one.late,
            "cpu_seconds": one.cpu,
            "joules": one.energy,
            "bytes_read": one.read,
            "service_histogram": one.service.to_base64(),
            "response_histogram": one.response.as_ref().map(super::Latencies::to_base64),
        })
    };
    json!({
        "load": load.load.to_string(),
        "latencies": load.latencies.iter().map(latency).collect::<Vec<_>>(),
        "requests_per_second": load.throughput,
        "cpu_seconds_per_request": load.cpu,
        "joules_per_request": load.energy,
        "is_late": load.is_late(),
        "hidden_stalls": load.hidden_stalls(),
        "histogram_format": "HdrHistogram V2, compressed, base64, nanoseconds",
        "repetitions": load.repetitions.iter().map(repetition).collect::<Vec<_>>(),
    })
}
