//! Errors in a topic's preferences.

use std::fmt;

/// Preferences that are contradictory or too many.
///
/// Topic, group and documents are given as in the file; an `id` is the number that `trec_eval` gives to a judged
/// document of a topic: from 0, retrieved ones in rank order, then the others by document id.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreferenceError {
    /// The only sub-group of a group puts a document at two levels.
    TwoLevels {
        /// The topic.
        topic: Vec<u8>,
        /// The judgement group.
        group: Vec<u8>,
        /// The document.
        doc: Vec<u8>,
        /// The document's number.
        id: usize,
    },
    /// Sub-groups of one group put a document at level 0 and at a level above 0.
    ZeroAndPositive {
        /// The topic.
        topic: Vec<u8>,
        /// The judgement group.
        group: Vec<u8>,
        /// The document.
        doc: Vec<u8>,
    },
    /// In one group two documents are each preferred to the other, directly or through others.
    Conflict {
        /// The topic.
        topic: Vec<u8>,
        /// The judgement group.
        group: Vec<u8>,
        /// The two documents.
        docs: [Vec<u8>; 2],
        /// Their numbers.
        ids: [usize; 2],
    },
    /// A group with several sub-groups has too many documents to follow preferences from one to the next.
    TooManyDocuments {
        /// The topic.
        topic: Vec<u8>,
        /// The judgement group.
        group: Vec<u8>,
        /// The number of documents.
        docs: usize,
        /// The maximum.
        limit: usize,
    },
}

impl PreferenceError {
    /// The message of `trec_eval` 10 on standard error for this mistake, each line with its newline; `None` if it has no
    /// such limit.
    ///
    /// It then names the measure that failed and exits with 4; after [`Conflict`](Self::Conflict) it aborts.
    pub fn trec_eval_text(&self) -> Option<Vec<u8>> {
        let mut text = b"trec_eval.form_prefs_counts: ".to_vec();
        match self {
            Self::TwoLevels { id, .. } => {
                let rest =
                    format!("Internal docid {id} occurs with different rel_level in same jsg\n");
                text.extend_from_slice(rest.as_bytes());
            }
            Self::ZeroAndPositive { doc, .. } => {
                text.extend_from_slice(b"doc '");
                text.extend_from_slice(doc);
                text.extend_from_slice(b"' has both 0 and non-0 rel_level assigned\n");
            }
            Self::Conflict {
                ids: [first, second],
                ..
            } => {
                let ranks =
                    format!("internal rank {first} and internal rank {second} are conflicted");
                text.extend_from_slice(
                    format!("Pref inconsistency found\n      {ranks}\n").as_bytes(),
                );
            }
            Self::TooManyDocuments { .. } => return None,
        }
        Some(text)
    }

    fn place(&self) -> (&[u8], &[u8]) {
        match self {
            Self::TwoLevels { topic, group, .. }
            | Self::ZeroAndPositive { topic, group, .. }
            | Self::Conflict { topic, group, .. }
            | Self::TooManyDocuments { topic, group, .. } => (topic, group),
        }
    }
}

impl fmt::Display for PreferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (topic, group) = self.place();
        write!(
            f,
            "preferences of topic `{}`, judgement group `{}`: ",
            lossy(topic),
            lossy(group)
        )?;
        match self {
            Self::TwoLevels { doc, .. } => {
                write!(
                    f,
                    "document `{}` is at two levels of one sub-group",
                    lossy(doc)
                )
            }
            Self::ZeroAndPositive { doc, .. } => {
                let doc = lossy(doc);
                write!(
                    f,
                    "document `{doc}` is at level 0 in one sub-group and above 0 in another"
                )
            }
            Self::Conflict {
                docs: [first, second],
                ..
            } => {
                let (first, second) = (lossy(first), lossy(second));
                write!(
                    f,
                    "`{first}` is preferred to `{second}`, and `{second}` to `{first}`"
                )
            }
            Self::TooManyDocuments { docs, limit, .. } => {
                write!(
                    f,
                    "{docs} documents in a group with several sub-groups, the limit is {limit}"
                )
            }
        }
    }
}

impl std::error::Error for PreferenceError {}

fn lossy(text: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(text)
}
