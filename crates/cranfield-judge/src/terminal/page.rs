//! A topic and a document as they are shown.

use std::collections::HashSet;

use super::text::{reflowed, safe, safe_line};
use crate::error::JudgeError;
use crate::materials::Materials;
use crate::queue::Pair;

/// A topic and a document, made safe.
pub(super) struct Page {
    pub(super) pair: Pair,
    pub(super) topic: String,
    /// The bytes of the title in `topic`.
    pub(super) title: usize,
    pub(super) document: String,
    pub(super) terms: HashSet<String>,
}

impl Page {
    pub(super) fn new(pair: &Pair, materials: &Materials) -> Result<Self, JudgeError> {
        let topic = materials.topic(&pair.topic);
        let title = safe_line(topic.title());
        let (mut text, mut all) = (title.clone(), topic.title().to_owned());
        for name in ["description", "narrative"] {
            if let Some(field) = topic.field(name).filter(|field| !field.trim().is_empty()) {
                text += &format!("\n\n{}", reflowed(&safe(field.trim())));
                if name == "description" {
                    all += &format!(" {field}");
                }
            }
        }
        let document = materials.document(&pair.doc)?.text();
        let document = match document.trim() {
            "" => "(empty document)".into(),
            text => reflowed(&safe(text)),
        };
        Ok(Self {
            pair: pair.clone(),
            topic: text,
            title: title.len(),
            document,
            terms: materials.analyzer.terms(&all).into_iter().collect(),
        })
    }
}
