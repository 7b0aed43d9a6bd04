//! Topics as commands receive them.

use std::fmt;

use serde::Deserialize;
use serde_json::json;

use crate::engine::Query;

/// Format of the topics that a command reads.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum TopicsFormat {
    /// A line per topic: id, tab, text.
    #[default]
    Tsv,
    /// A JSON object per line, with `topic` and `query`.
    Jsonl,
    /// TREC's tagged format.
    Trec,
}

impl TopicsFormat {
    /// The printed name, which is also the extension of the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tsv => "tsv",
            Self::Jsonl => "jsonl",
            Self::Trec => "trec",
        }
    }
}

impl fmt::Display for TopicsFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Topics as text. Line breaks and tabs in queries become spaces where the format has no way to write them.
///
/// ```
/// use cranfield_lab::engine::Query;
/// use cranfield_lab::engine::command::{TopicsFormat, topics_text};
///
/// let query = Query { topic: "7".into(), text: "wing\nflow".into() };
/// assert_eq!(topics_text(&[query.clone()], TopicsFormat::Tsv), "7\twing flow\n");
/// assert_eq!(topics_text(&[query], TopicsFormat::Jsonl), "{\"topic\":\"7\",\"query\":\"wing\\nflow\"}\n");
/// ```
pub fn topics_text(queries: &[Query], format: TopicsFormat) -> String {
    queries.iter().map(|query| record(query, format)).collect()
}

fn record(query: &Query, format: TopicsFormat) -> String {
    let Query { topic, text } = query;
    match format {
        TopicsFormat::Tsv => format!("{topic}\t{}\n", on_one_line(text)),
        TopicsFormat::Jsonl => format!("{}\n", json!({"topic": topic, "query": text})),
        TopicsFormat::Trec => {
            let text = on_one_line(text);
            format!("<top>\n<num> Number: {topic}\n<title> {text}\n</top>\n\n")
        }
    }
}

fn on_one_line(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}
