//! Formats of documents, and their detection from the start of a file.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A format of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = unknown)]
pub enum DocumentFormat {
    /// SGML or XML with `<DOC>` elements.
    Trec,
    /// `.I`, `.T`, `.W` and other markers.
    Smart,
    /// A JSON object in each line.
    Jsonl,
    /// Tab-separated columns without a header: id and text, or id, URL, title and text.
    MsMarco,
    /// Tab-separated columns with a header.
    Tsv,
    /// Comma-separated columns with a header.
    Csv,
    /// Each file is a document, plain text or HTML, and its name is the id.
    Files,
}

impl DocumentFormat {
    /// All formats.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name that is parsed and printed.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Detects the format from the start of a file and its name; `None` if it is some other text.
    pub(crate) fn detect(start: &[u8], name: &str) -> Option<Self> {
        let text = start.trim_ascii_start();
        if text.starts_with(b"{") {
            return Some(Self::Jsonl);
        }
        if text.starts_with(b".I ") || text.starts_with(b".I\t") {
            return Some(Self::Smart);
        }
        if text.starts_with(b"<") && has_doc_tag(text) {
            return Some(Self::Trec);
        }
        if text.starts_with(b"<") {
            return None;
        }
        table(text, name).or_else(|| has_doc_tag(text).then_some(Self::Trec))
    }
}

fn has_doc_tag(text: &[u8]) -> bool {
    memchr::memchr_iter(b'<', text).any(|at| {
        let rest = &text[at + 1..];
        let is_doc = rest
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case(b"doc"));
        is_doc
            && rest
                .get(3)
                .is_some_and(|end| *end == b'>' || end.is_ascii_whitespace())
    })
}

/// The format of a table. Its first lines have the same columns, and the name of the file must not contradict it.
fn table(text: &[u8], name: &str) -> Option<DocumentFormat> {
    let mut first_lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    let first = first_lines.next()?;
    let count = |line: &[u8], separator: u8| memchr::memchr_iter(separator, line).count();
    let tabs = count(first, b'\t');
    let name = name.to_ascii_lowercase();
    if tabs > 0 && super::delimited::is_header(first, b'\t') {
        return Some(DocumentFormat::Tsv);
    }
    if count(first, b',') > 0 && name.contains(".csv") && super::delimited::is_header(first, b',') {
        return Some(DocumentFormat::Csv);
    }
    // The last line may be incomplete, and texts may have tabs of their own.
    let lines: Vec<&[u8]> = first_lines.take(10).collect();
    let complete = lines.len().saturating_sub(1);
    let has_tabs = lines[..complete]
        .iter()
        .all(|line| count(line, b'\t') >= tabs.min(1));
    (matches!(tabs, 1 | 3) && has_tabs && !name.contains(".txt")).then_some(DocumentFormat::MsMarco)
}

fn unknown(text: &str) -> String {
    let names: Vec<&str> = DocumentFormat::ALL
        .iter()
        .map(|format| format.name())
        .collect();
    format!(
        "unknown format of documents `{text}`; expected one of {}",
        names.join(", ")
    )
}
