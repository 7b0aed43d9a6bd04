//! Many short byte strings in one buffer.

use std::cmp::Ordering;

/// The place of a string in an [`Arena`].
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
    /// Adds a string.
    pub(crate) fn add(&mut self, text: &[u8]) -> Span {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        Span {
            start,
            end: self.bytes.len(),
        }
    }

    /// Adds a string, or reuses the one before if it is equal.
    pub(crate) fn add_after(&mut self, before: Option<Span>, text: &[u8]) -> Span {
        match before {
            Some(span) if self.get(span) == text => span,
            _ => self.add(text),
        }
    }

    /// The string.
    pub(crate) fn get(&self, span: Span) -> &[u8] {
        &self.bytes[span.start..span.end]
    }

    /// Compares two strings by bytes.
    pub(crate) fn compare(&self, a: Span, b: Span) -> Ordering {
        if a == b {
            Ordering::Equal
        } else {
            self.get(a).cmp(self.get(b))
        }
    }

    /// Whether two strings are equal.
    pub(crate) fn same(&self, a: Span, b: Span) -> bool {
        self.compare(a, b).is_eq()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_strings_are_stored_once() {
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
