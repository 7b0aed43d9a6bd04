//! Arguments of a request.

use cranfield_stats::common::{Alternative, Interval};
use cranfield_stats::random::Resampling;
use serde_json::{Value, json};

pub(crate) type Answer = Result<Value, String>;

/// An error as text; by value, as `map_err` gives it.
#[expect(clippy::needless_pass_by_value, reason = "the argument of map_err")]
pub(crate) fn text(error: impl ToString) -> String {
    error.to_string()
}

pub(crate) fn number(request: &Value, name: &str) -> Result<f64, String> {
    request[name]
        .as_f64()
        .ok_or_else(|| format!("no number {name}"))
}

pub(crate) fn count(request: &Value, name: &str) -> Result<u64, String> {
    request[name]
        .as_u64()
        .ok_or_else(|| format!("no count {name}"))
}

pub(crate) fn word<'a>(request: &'a Value, name: &str) -> Result<&'a str, String> {
    request[name]
        .as_str()
        .ok_or_else(|| format!("no word {name}"))
}

pub(crate) fn numbers(request: &Value, name: &str) -> Result<Vec<f64>, String> {
    let list = request[name]
        .as_array()
        .ok_or_else(|| format!("no list {name}"))?;
    let number = |value: &Value| value.as_f64().ok_or_else(|| format!("no number in {name}"));
    list.iter().map(number).collect()
}

/// Two-sided unless the request says otherwise.
pub(crate) fn alternative(request: &Value) -> Result<Alternative, String> {
    match request["alternative"].as_str() {
        None | Some("two-sided") => Ok(Alternative::TwoSided),
        Some("greater") => Ok(Alternative::Greater),
        Some("less") => Ok(Alternative::Less),
        Some(other) => Err(format!("unknown alternative {other}")),
    }
}

pub(crate) fn resampling(request: &Value) -> Result<Resampling, String> {
    Ok(Resampling {
        replicates: count(request, "replicates")? as usize,
        seed: count(request, "seed")?,
    })
}

/// Ends of an interval; infinite ends are `null`, as JSON has no infinity.
pub(crate) fn ends(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}
