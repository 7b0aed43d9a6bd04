//! Terrier's stop words.

/// The list, sorted.
pub(super) const STOP_WORDS: [&str; 1] = ["the"];
