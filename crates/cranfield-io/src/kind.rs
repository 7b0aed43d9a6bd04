//! The two kinds of files.

use crate::format::plain_extension;

/// Whether a file is a run or judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A run: documents that a system retrieved.
    Run,
    /// Relevance judgements.
    Qrels,
}

impl Kind {
    /// The name that is parsed and printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Qrels => "qrels",
        }
    }

    /// Returns the kind that the extension `run`, `qrels` or `qrel` names, ignoring an extension of compression.
    ///
    /// ```
    /// use cranfield_io::doctor::Kind;
    ///
    /// assert_eq!(Kind::of_name("bm25.run.gz"), Some(Kind::Run));
    /// assert_eq!(Kind::of_name("bm25.json"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        match plain_extension(name)?.as_str() {
            "run" => Some(Self::Run),
            "qrels" | "qrel" => Some(Self::Qrels),
            _ => None,
        }
    }

    /// The name of the number that each document has.
    pub(crate) fn value_name(self) -> &'static str {
        match self {
            Self::Run => "score",
            Self::Qrels => "grade",
        }
    }

    /// The number of columns of TREC text.
    pub(crate) fn columns(self) -> usize {
        match self {
            Self::Run => 6,
            Self::Qrels => 4,
        }
    }

    /// The message for a wrong number of columns of TREC text.
    pub(crate) fn wrong_columns(self, found: usize) -> String {
        let names = match self {
            Self::Run => "topic Q0 document rank score tag",
            Self::Qrels => "topic iteration document grade",
        };
        wrong_columns(found, self.columns(), names)
    }
}

/// The message for a wrong number of columns.
pub(crate) fn wrong_columns(found: usize, expected: usize, names: &str) -> String {
    let plural = if found == 1 { "" } else { "s" };
    format!("found {found} column{plural}, expected {expected}: {names}")
}
