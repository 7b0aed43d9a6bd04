//! Formats of topics, and their detection.

use std::fmt;
use std::str::FromStr;

/// A format of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopicFormat {
    /// Tags such as `<top>`, `<topic>` or `<query>`.
    Trec,
    /// `.I` and `.W`.
    Smart,
    /// A JSON object in each line, or one JSON value.
    Jsonl,
    /// An id and a query, separated by a tab, or columns with a header.
    Tsv,
    /// Comma-separated columns with a header.
    Csv,
    /// `id:query` or `id:priority:query`.
    Colon,
}

impl TopicFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Trec,
        Self::Smart,
        Self::Jsonl,
        Self::Tsv,
        Self::Csv,
        Self::Colon,
    ];

    /// The name that is parsed and printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trec => "trec",
            Self::Smart => "smart",
            Self::Jsonl => "jsonl",
            Self::Tsv => "tsv",
            Self::Csv => "csv",
            Self::Colon => "colon",
        }
    }

    /// Detects the format from the text and the name of the file.
    pub(super) fn detect(text: &str, name: &str) -> Option<Self> {
        let text = text.trim_start();
        let first = text.lines().next()?;
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        if text.starts_with(['{', '[']) {
            Some(Self::Jsonl)
        } else if text.starts_with('<') {
            Some(Self::Trec)
        } else if first.starts_with(".I ") || first.starts_with(".I\t") {
            Some(Self::Smart)
        } else if lines.clone().all(|line| line.contains('\t')) {
            Some(Self::Tsv)
        } else if name.to_lowercase().contains(".csv") && first.contains(',') {
            Some(Self::Csv)
        } else if lines.all(has_colon) {
            Some(Self::Colon)
        } else {
            // Text in front of the first topic, such as a licence.
            text.to_ascii_lowercase()
                .contains("<top")
                .then_some(Self::Trec)
        }
    }
}

/// Whether a line begins with a word and a colon.
fn has_colon(line: &str) -> bool {
    let id = line.split_once(':').map_or("", |(id, _)| id.trim());
    !id.is_empty() && !id.contains(char::is_whitespace)
}

impl fmt::Display for TopicFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TopicFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name);
        let known = Self::ALL.into_iter().find(|format| format.name() == text);
        known.ok_or_else(|| {
            format!(
                "unknown format of topics `{text}`; expected one of {}",
                names.join(", ")
            )
        })
    }
}
