//! Events of an audit file.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::queue::Pair;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A document receives a grade.
    Grade,
    /// The last grade or deferral that is still valid is taken back.
    Undo,
    /// A document is set aside for later.
    Later,
    /// A document is flagged, for example as broken.
    Flag,
    /// A flag is removed.
    Unflag,
    /// A note on a document replaces an earlier one.
    Note,
    /// A program declines to grade a document; the note says why.
    Skip,
    /// A program begins, or begins again, with other instructions; its judgements are the answers to these.
    Task,
}

/// A line of an audit file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The number of the line, from 1.
    pub seq: u64,
    /// The time in UTC.
    pub time: String,
    /// The assessor.
    pub who: String,
    /// The kind.
    pub kind: Kind,
    /// The topic.
    pub topic: String,
    /// The document.
    pub doc: String,
    /// The grade, of events that give one.
    pub grade: Option<u8>,
    /// Milliseconds since the document was shown, or since the question was sent.
    pub ms: u64,
    /// A note of a person, or the reason of a program.
    pub note: Option<String>,
    /// What a program adds to its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineAnswer>,
    /// The BLAKE3 hash of the line before; empty on the first line.
    pub prev: String,
}

/// What a program adds to its answer, and which question it answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineAnswer {
    /// Hash of the assessor's name, the prompt template and the scale.
    pub task: String,
    /// The name and version of the program, if it gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The id of the question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The number of the sample, from 0.
    #[serde(default)]
    pub sample: u32,
    /// How sure the program is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What the answer cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Value>,
}

/// An event before it is numbered.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    pub(crate) pair: Pair,
    pub(crate) grade: Option<u8>,
    pub(crate) ms: u64,
    pub(crate) note: Option<String>,
    pub(crate) machine: Option<MachineAnswer>,
}

impl Draft {
    /// An event without a grade, a note or a duration.
    pub(crate) fn new(kind: Kind, pair: Pair) -> Self {
        Self {
            kind,
            pair,
            grade: None,
            ms: 0,
            note: None,
            machine: None,
        }
    }
}

impl Event {
    /// The topic and the document.
    pub fn pair(&self) -> Pair {
        Pair {
            topic: self.topic.clone(),
            doc: self.doc.clone(),
        }
    }
}
