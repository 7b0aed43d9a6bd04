//! Formats of topics, and their detection.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A format of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = unknown)]
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
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name that is parsed and printed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Detects the format from the text and the name of the file.
    pub(crate) fn detect(text: &str, name: &str) -> Option<Self> {
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

fn unknown(text: &str) -> String {
    let names: Vec<&str> = TopicFormat::ALL
        .iter()
        .map(|format| format.name())
        .collect();
    format!(
        "unknown format of topics `{text}`; expected one of {}",
        names.join(", ")
    )
}
