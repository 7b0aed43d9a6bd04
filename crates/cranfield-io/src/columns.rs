//! Names of the columns of a table, or the fields of a record.

use crate::kind::Kind;

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Topic,
    Doc,
    /// The score of a run, the grade of judgements.
    Value,
    Rank,
    Tag,
}

/// Names of topic columns, the most specific first: in tables with both `qid` and `query`, the latter is the query text.
const TOPIC: &[&str] = &["topic", "topic_id", "query_id", "qid", "q_id", "query"];
/// Names of document columns: in tables with both `docno` and `docid`, the latter is an internal number.
const DOC: &[&str] = &[
    "doc",
    "doc_id",
    "docno",
    "document",
    "document_id",
    "corpus_id",
    "docid",
    "did",
    "pid",
    "passage_id",
];
const SCORE: &[&str] = &["score", "sim", "similarity"];
const GRADE: &[&str] = &["rel", "relevance", "grade", "label", "score"];
const RANK: &[&str] = &["rank"];
const TAG: &[&str] = &["tag", "run_id", "run", "run_tag", "system", "name"];

impl Column {
    pub(crate) const ALL: [Self; 5] = [Self::Topic, Self::Doc, Self::Value, Self::Rank, Self::Tag];

    /// The names of the column in order of preference.
    pub(crate) fn names(self, kind: Kind) -> &'static [&'static str] {
        match (self, kind) {
            (Self::Topic, _) => TOPIC,
            (Self::Doc, _) => DOC,
            (Self::Value, Kind::Run) => SCORE,
            (Self::Value, Kind::Qrels) => GRADE,
            (Self::Rank, Kind::Run) => RANK,
            (Self::Tag, Kind::Run) => TAG,
            (Self::Rank | Self::Tag, Kind::Qrels) => &[],
        }
    }

    /// Returns the position of a name in the order of preference.
    pub(crate) fn preference(self, kind: Kind, name: &[u8]) -> Option<usize> {
        let same = |known: &&str| {
            known.len() == name.len() && known.bytes().zip(name).all(|(a, b)| a == folded(*b))
        };
        self.names(kind).iter().position(same)
    }
}

/// Names are compared without case, and `-` and space equal `_`.
fn folded(byte: u8) -> u8 {
    match byte {
        b'-' | b' ' => b'_',
        byte => byte.to_ascii_lowercase(),
    }
}

/// The index of each column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Topic ids.
    pub topic: usize,
    /// Document ids.
    pub doc: usize,
    /// Scores or grades; only a run with ranks may lack them.
    pub value: Option<usize>,
    /// Ranks.
    pub rank: Option<usize>,
    /// Tag of the run.
    pub tag: Option<usize>,
}

impl Header {
    /// Finds the columns of a run by name; the error is a message about the missing one.
    pub fn of_run<N: AsRef<str>>(names: &[N]) -> Result<Self, String> {
        Self::find_named(Kind::Run, names)
    }

    /// Finds the columns of judgements by name; the error is a message about the missing one.
    pub fn of_qrels<N: AsRef<str>>(names: &[N]) -> Result<Self, String> {
        Self::find_named(Kind::Qrels, names)
    }

    fn find_named<N: AsRef<str>>(kind: Kind, names: &[N]) -> Result<Self, String> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        Self::find(kind, &names).map_err(|column| {
            let found: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            missing(column, kind, &found.join(", "))
        })
    }

    /// Finds the columns in a list of names; the error is the missing column.
    pub(crate) fn find<N: AsRef<[u8]>>(kind: Kind, names: &[N]) -> Result<Self, Column> {
        let place = |column: Column| {
            let known = names.iter().enumerate();
            let known = known.filter_map(|(at, name)| {
                Some((column.preference(kind, name.as_ref().trim_ascii())?, at))
            });
            known.min().map(|(_, at)| at)
        };
        let header = Self {
            topic: place(Column::Topic).ok_or(Column::Topic)?,
            doc: place(Column::Doc).ok_or(Column::Doc)?,
            value: place(Column::Value),
            rank: place(Column::Rank),
            tag: place(Column::Tag),
        };
        if header.value.is_none() && header.rank.is_none() {
            Err(Column::Value)
        } else {
            Ok(header)
        }
    }
}

/// The message for a missing column.
pub(crate) fn missing(column: Column, kind: Kind, found: &str) -> String {
    let what = match (column, kind) {
        (Column::Topic, _) => "topic",
        (Column::Doc, _) => "document",
        (_, Kind::Run) => "score or rank",
        (_, Kind::Qrels) => "grade",
    };
    let or_rank = if column == Column::Value {
        Column::Rank.names(kind)
    } else {
        &[]
    };
    let names = column.names(kind).iter().chain(or_rank);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    format!(
        "missing {what} column: found {found}, expected one of {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_specific_name_wins() {
        let header = Header::find(
            Kind::Run,
            &["query", "docid", "qid", "docno", "rank", "Score"],
        )
        .unwrap();
        assert_eq!(
            (header.topic, header.doc, header.value, header.rank),
            (2, 3, Some(5), Some(4))
        );
    }

    #[test]
    fn names_are_folded_and_missing_columns_reported() {
        assert!(Header::find(Kind::Qrels, &["Query-ID", " corpus id ", "score"]).is_ok());
        assert_eq!(
            Header::find(Kind::Run, &["qid", "docno"]),
            Err(Column::Value)
        );
        assert!(Header::find(Kind::Run, &["qid", "docno", "rank"]).is_ok());
        assert_eq!(
            Header::find(Kind::Qrels, &["qid", "docno", "rank"]),
            Err(Column::Value)
        );
        assert_eq!(
            Header::find(Kind::Run, &["docno", "score"]),
            Err(Column::Topic)
        );
    }
}
