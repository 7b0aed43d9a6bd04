//! The cost of engines in a report, from the JSON document of a benchmark, so that reports can be written again without measuring.

use cranfield_render::plot::Plot;
use cranfield_report::Cost;
use cranfield_report::plots::{ParetoPoint, pareto};
use serde_json::Value;

use crate::duration::{seconds, significant};

/// The section of a report.
pub fn cost_section(result: &Value) -> Cost {
    let columns = ["engine", "load", "median", "p99", "queries per second"];
    let mut rows = Vec::new();
    for engine in list(&result["engines"]) {
        for load in list(&engine["loads"]) {
            let quantile = |name: &str| {
                let value = load["latencies"][0]["quantiles"][name]["value"].as_f64();
                value.map_or("–".into(), seconds)
            };
            let rate = load["requests_per_second"]["value"].as_f64();
            rows.push(vec![
                text(&engine["name"]),
                text(&load["load"]),
                quantile("p50"),
                quantile("p99"),
                rate.map_or("–".into(), significant),
            ]);
        }
    }
    let introduction = format!(
        "Time of a query, measured with {} topics, {} documents each, {} repetitions of {}.",
        result["topics"],
        result["depth"],
        result["repetitions"],
        seconds(result["seconds"].as_f64().unwrap_or(0.0))
    );
    Cost {
        introduction,
        columns: columns.map(str::to_owned).to_vec(),
        rows,
        figure: cost_figure(result),
        notes: list(&result["warnings"]).iter().map(text).collect(),
    }
}

/// The figure of quality against the median latency under the first load, with intervals. `None` without judgements.
pub(super) fn cost_figure(result: &Value) -> Option<Plot> {
    let engines = list(&result["engines"]);
    let measure = text(&engines.first()?["quality"].get(0)?["measure"]);
    let load = text(&engines.first()?["loads"].get(0)?["load"]);
    let limits = |estimate: &Value, factor: f64| {
        let limits = list(&estimate["interval"]);
        let limit = |at: usize| Some(factor * limits.get(at)?.as_f64()?);
        Some([limit(0)?, limit(1)?])
    };
    let point = |engine: &Value| {
        let quality = &engine["quality"][0]["mean"];
        let latency = &engine["loads"][0]["latencies"][0]["quantiles"]["p50"];
        Some(ParetoPoint {
            name: text(&engine["name"]),
            cost: 1e3 * latency["value"].as_f64()?,
            cost_interval: limits(latency, 1e3),
            quality: quality["value"].as_f64()?,
            quality_interval: limits(quality, 1.0),
        })
    };
    let points: Vec<ParetoPoint> = engines.iter().filter_map(point).collect();
    let caption = format!(
        "Median latency under {load} and mean {measure} of {} topics, with 95 % intervals over repetitions and over topics.",
        result["topics"]
    );
    Some(pareto(&points, "median latency (ms)", &measure, &caption))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().into()
}
