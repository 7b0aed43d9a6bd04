//! Checks of answers, whichever way they arrive.

use std::collections::HashSet;

use super::{EngineError, Hit};

/// Longest part of an answer that a message quotes, in characters.
const MAX_QUOTED: usize = 80;

/// Checks that every document occurs once, with a finite score, and cuts the answer at `depth`.
pub(super) fn checked(mut hits: Vec<Hit>, depth: usize) -> Result<Vec<Hit>, EngineError> {
    let mut docs = HashSet::with_capacity(hits.len());
    for hit in &hits {
        if hit.doc.is_empty() {
            return Err(EngineError::malformed("a document has an empty id"));
        }
        if !hit.score.is_finite() {
            let message = format!("the score of document `{}` is not finite", hit.doc);
            return Err(EngineError::malformed(message));
        }
        if !docs.insert(hit.doc.as_str()) {
            let message = format!("document `{}` occurs twice", hit.doc);
            return Err(EngineError::malformed(message));
        }
    }
    hits.truncate(depth);
    Ok(hits)
}

/// The beginning of a text as messages quote it, on one line.
pub(super) fn quoted(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(MAX_QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineErrorKind;

    fn hit(doc: &str, score: f64) -> Hit {
        let doc = doc.into();
        Hit { doc, score }
    }

    #[test]
    fn answers_are_cut_and_checked() {
        let two = checked(vec![hit("a", 2.0), hit("b", 1.0), hit("c", 0.5)], 2);
        assert_eq!(two.map(|hits| hits.len()), Ok(2));
        for bad in [
            vec![hit("a", f64::NAN)],
            vec![hit("", 1.0)],
            vec![hit("a", 2.0), hit("a", 1.0)],
        ] {
            let error = checked(bad, 10).expect_err("the answer is malformed");
            assert_eq!(error.kind(), EngineErrorKind::Malformed);
        }
    }

    #[test]
    fn quotes_are_short_and_on_one_line() {
        assert_eq!(quoted(" a\nb "), "a b");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), MAX_QUOTED + 1);
    }
}
