//! What the columns of a table, or the fields of a record, are called.

/// Whether a table is a run or judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Run,
    Qrels,
}

/// What a column means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Topic,
    Doc,
    /// The score of a run, the grade of judgements.
    Value,
    Rank,
    Tag,
}

/// Names of topic columns, the most telling first: in tables with both `qid` and `query` the latter holds text.
const TOPIC: &[&str] = &["topic", "topic_id", "query_id", "qid", "q_id", "query"];
/// Names of document columns: in tables with both `docno` and `docid` the latter is a number inside the engine.
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

    /// The names under which the column is read, in order of preference.
    pub(crate) fn names(self, role: Role) -> &'static [&'static str] {
        match (self, role) {
            (Self::Topic, _) => TOPIC,
            (Self::Doc, _) => DOC,
            (Self::Value, Role::Run) => SCORE,
            (Self::Value, Role::Qrels) => GRADE,
            (Self::Rank, Role::Run) => RANK,
            (Self::Tag, Role::Run) => TAG,
            (Self::Rank | Self::Tag, Role::Qrels) => &[],
        }
    }

    /// How far down the list of preference a name stands.
    pub(crate) fn preference(self, role: Role, name: &[u8]) -> Option<usize> {
        let same = |known: &&str| {
            known.len() == name.len() && known.bytes().zip(name).all(|(a, b)| a == folded(*b))
        };
        self.names(role).iter().position(same)
    }
}

/// Names are compared without regard to case, and `-` and blank are `_`.
fn folded(byte: u8) -> u8 {
    match byte {
        b'-' | b' ' => b'_',
        byte => byte.to_ascii_lowercase(),
    }
}

/// Where each column stands in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Topic ids.
    pub topic: usize,
    /// Document ids.
    pub doc: usize,
    /// Scores or grades. Only a run with ranks may lack it.
    pub value: Option<usize>,
    /// Ranks.
    pub rank: Option<usize>,
    /// The run's name.
    pub tag: Option<usize>,
}

impl Header {
    /// The columns of a run by their names, or a message for the one that is missing.
    pub fn of_run<N: AsRef<str>>(names: &[N]) -> Result<Self, String> {
        Self::told(Role::Run, names)
    }

    /// The columns of judgements by their names, or a message for the one that is missing.
    pub fn of_qrels<N: AsRef<str>>(names: &[N]) -> Result<Self, String> {
        Self::told(Role::Qrels, names)
    }

    fn told<N: AsRef<str>>(role: Role, names: &[N]) -> Result<Self, String> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        Self::find(role, &names).map_err(|column| {
            let found: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            missing(column, role, &found.join(", "))
        })
    }

    /// Finds the columns in a list of names, or tells the column that is missing.
    pub(crate) fn find<N: AsRef<[u8]>>(role: Role, names: &[N]) -> Result<Self, Column> {
        let place = |column: Column| {
            let known = names.iter().enumerate();
            let known = known.filter_map(|(at, name)| {
                Some((column.preference(role, name.as_ref().trim_ascii())?, at))
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
pub(crate) fn missing(column: Column, role: Role, found: &str) -> String {
    let what = match (column, role) {
        (Column::Topic, _) => "topics",
        (Column::Doc, _) => "documents",
        (_, Role::Run) => "scores or ranks",
        (_, Role::Qrels) => "grades",
    };
    let or_rank = if column == Column::Value {
        Column::Rank.names(role)
    } else {
        &[]
    };
    let names = column.names(role).iter().chain(or_rank);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    format!(
        "no column of {what}: found {found}, expected one of {}",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_telling_name_wins() {
        let header = Header::find(
            Role::Run,
            &["query", "docid", "qid", "docno", "rank", "Score"],
        )
        .unwrap();
        assert_eq!(
            (header.topic, header.doc, header.value, header.rank),
            (2, 3, Some(5), Some(4))
        );
    }

    #[test]
    fn names_are_folded_and_missing_ones_told() {
        assert!(Header::find(Role::Qrels, &["Query-ID", " corpus id ", "score"]).is_ok());
        assert_eq!(
            Header::find(Role::Run, &["qid", "docno"]),
            Err(Column::Value)
        );
        assert!(Header::find(Role::Run, &["qid", "docno", "rank"]).is_ok());
        assert_eq!(
            Header::find(Role::Qrels, &["qid", "docno", "rank"]),
            Err(Column::Value)
        );
        assert_eq!(
            Header::find(Role::Run, &["docno", "score"]),
            Err(Column::Topic)
        );
    }
}
