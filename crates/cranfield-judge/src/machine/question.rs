//! Questions to programs.

use cranfield_collection::{Document, Topic};
use cranfield_lab::engine::command::filled;
use serde::Serialize;

use crate::queue::Pair;
use crate::scale::Scale;

/// The prompt that programs receive unless there is another.
///
/// Placeholders are `{title}`, `{description}`, `{narrative}`, `{text}` and `{scale}`.
pub const PROMPT: &str = "\
You are a relevance assessor. Read the search request and the document, and grade how well the document serves the person \
who made the request. Judge the content alone: neither length nor style matters, and a document that repeats words of the \
request without addressing it is not relevant.

Request: {title}
{description}
{narrative}

Grades:
{scale}

Document:
{text}

Consider in one or two sentences what is being sought, and how much of it the document provides. Then write the grade on a \
line of its own, as the last line, in this form:
grade: N
";

/// A question to a program.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Question {
    /// Hash of everything that the answer may depend on.
    pub id: String,
    /// The topic.
    pub topic: String,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: String,
    /// Its narrative.
    pub narrative: String,
    /// The document.
    pub doc: String,
    /// Its text.
    pub text: String,
    /// The grades and what they mean.
    pub scale: Scale,
    /// The prompt with everything filled in.
    pub prompt: String,
    /// The number of the sample, from 0.
    pub sample: u32,
}

/// What the questions of a grading have in common.
#[derive(Clone, Debug)]
pub(super) struct Instructions {
    pub(super) who: String,
    pub(super) template: String,
    pub(super) scale: Scale,
}

impl Instructions {
    /// The hash of the instructions.
    pub(super) fn task(&self) -> String {
        short_hash(&[&self.who, &self.template, &self.scale_text()])
    }

    fn scale_text(&self) -> String {
        let lines = self.scale.grades();
        let lines: Vec<String> = lines
            .map(|(grade, text)| format!("{grade}: {text}"))
            .collect();
        lines.join("\n")
    }

    /// The id of a question.
    pub(super) fn id(&self, topic: &Topic, text: &str, pair: &Pair, sample: u32) -> String {
        let mut parts = vec![self.task(), pair.topic.clone(), pair.doc.clone()];
        for (name, field) in &topic.fields {
            parts.extend([name.clone(), field.clone()]);
        }
        parts.extend([text.to_owned(), sample.to_string()]);
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        short_hash(&parts)
    }

    /// The question about a pair.
    pub(super) fn question(
        &self,
        topic: &Topic,
        document: &Document,
        pair: &Pair,
        sample: u32,
    ) -> Question {
        let text = document.text();
        let field = |name: &str| topic.field(name).unwrap_or_default().trim().to_owned();
        let (title, description) = (topic.title().trim().to_owned(), field("description"));
        let narrative = field("narrative");
        let values = [
            ("title", title.clone()),
            ("description", description.clone()),
            ("narrative", narrative.clone()),
            ("scale", self.scale_text()),
            ("text", text.clone()),
        ];
        Question {
            id: self.id(topic, &text, pair, sample),
            topic: pair.topic.clone(),
            title,
            description,
            narrative,
            doc: pair.doc.clone(),
            prompt: filled(&self.template, &values),
            text,
            scale: self.scale.clone(),
            sample,
        }
    }
}

/// The first 128 bits of a hash of strings, in which no two lists of strings run together.
fn short_hash(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().chars().take(32).collect()
}
