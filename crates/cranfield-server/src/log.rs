//! The log: one JSON object per line on standard error. It has no names, values, tokens, bodies or query strings.

use std::fmt::Display;
use std::io::Write;

use serde_json::{Map, Value, json};

/// Writes a line. A log that cannot be written is no reason to stop.
pub(crate) fn line(level: &str, event: &str, facts: &[(&str, Value)]) {
    let mut object = Map::new();
    object.insert("time".into(), json!(jiff::Timestamp::now().to_string()));
    object.insert("level".into(), json!(level));
    object.insert("event".into(), json!(event));
    for (name, value) in facts {
        object.insert((*name).into(), value.clone());
    }
    let text = format!("{}\n", Value::Object(object));
    #[cfg(test)]
    KEPT.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .push_str(&text);
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

pub(crate) fn error(event: &str, cause: &dyn Display) {
    line("error", event, &[("cause", json!(cause.to_string()))]);
}

/// What tests have logged.
#[cfg(test)]
static KEPT: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());

#[cfg(test)]
pub(crate) fn kept() -> String {
    KEPT.lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .clone()
}
