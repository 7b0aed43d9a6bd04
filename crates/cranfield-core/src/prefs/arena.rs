//! Many short texts in one buffer.

use std::cmp::Ordering;

/// Where a text is in an [`Arena`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

/// The buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    bytes: Vec<u8>,
}

impl Arena {
    /// Keeps a text.
    pub(crate) fn add(&mut self, text: &[u8]) -> Span {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        Span {
            start,
            end: self.bytes.len(),
        }
    }

    /// Keeps a text that is often the same as the one before it, which is then used again.
    pub(crate) fn add_after(&mut self, before: Option<Span>, text: &[u8]) -> Span {
        match before {
            Some(span) if self.get(span) == text => span,
            _ => self.add(text),
        }
    }

    /// The text.
    pub(crate) fn get(&self, span: Span) -> &[u8] {
        &self.bytes[span.start..span.end]
    }

    /// Order of two texts by bytes.
    pub(crate) fn compare(&self, a: Span, b: Span) -> Ordering {
        if a == b {
            Ordering::Equal
        } else {
            self.get(a).cmp(self.get(b))
        }
    }

    /// Whether two texts are the same.
    pub(crate) fn same(&self, a: Span, b: Span) -> bool {
        self.compare(a, b).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_texts_are_kept_once() {
        let mut arena = Arena::default();
        let first = arena.add_after(None, b"q1");
        let again = arena.add_after(Some(first), b"q1");
        let other = arena.add_after(Some(again), b"q2");
        assert_eq!(first, again);
        assert_eq!(arena.get(other), b"q2");
        assert_eq!(arena.compare(first, other), Ordering::Less);
        assert_eq!(arena.bytes.len(), 4);
    }
}
