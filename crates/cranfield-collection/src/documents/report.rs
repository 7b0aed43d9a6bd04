//! Counts of what a reader of documents found.

use std::fmt;

use crate::document::DocumentPlace;

/// Maximum number of places that a count keeps.
const MAX_PLACES: usize = 5;

/// A number of occurrences, with the first places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of occurrences.
    pub count: u64,
    /// The first five places.
    pub first: Vec<DocumentPlace>,
    /// The ids of the documents at these places; empty if they have none.
    pub ids: Vec<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, place: &DocumentPlace, id: &str) {
        self.add_many(1, place, id);
    }

    pub(crate) fn add_many(&mut self, count: u64, place: &DocumentPlace, id: &str) {
        self.count += count;
        if self.first.len() < MAX_PLACES {
            self.first.push(place.clone());
            self.ids.push(id.to_owned());
        }
    }
}

/// Counts of documents and of what is wrong with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// Documents that the reader yielded, empty ones included.
    pub documents: u64,
    /// Bytes of their text.
    pub text_bytes: u64,
    /// Documents whose text has only white space.
    pub empty: Tally,
    /// Documents left out because an earlier one has the same id.
    pub duplicate: Tally,
    /// Documents left out because they have no id.
    pub without_id: Tally,
    /// Documents whose id has white space or control characters, so that no TREC run can name them; they are left as they are.
    pub spaced_id: Tally,
    /// Documents left out because they cannot be parsed.
    pub malformed: Tally,
    /// Characters that could not be decoded, and were replaced.
    pub replaced: Tally,
    /// Documents that look as if UTF-8 had been read as windows-1252; they are left as they are.
    pub mojibake: Tally,
    /// Files that were skipped: read-me files, descriptions of the format, runs, indexes and other outputs, and binary files.
    pub skipped_files: Tally,
    /// Files that were read.
    pub files: u64,
}

impl ReadReport {
    /// The counts that are not zero, by name.
    pub fn problems(&self) -> impl Iterator<Item = (&'static str, &Tally)> {
        let all = [
            ("empty", &self.empty),
            ("duplicate id", &self.duplicate),
            ("without id", &self.without_id),
            ("id with white space", &self.spaced_id),
            ("malformed", &self.malformed),
            ("replaced characters", &self.replaced),
            ("wrongly encoded", &self.mojibake),
            ("skipped files", &self.skipped_files),
        ];
        all.into_iter().filter(|(_, tally)| tally.count > 0)
    }
}

impl fmt::Display for ReadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} documents", self.documents)?;
        for (what, tally) in self.problems() {
            write!(f, "; {what}: {}", tally.count)?;
            let places = tally.first.iter().zip(&tally.ids);
            let places: Vec<String> = places
                .map(|(place, id)| match (place.line, id.as_str()) {
                    (0, _) => place.file.to_string(),
                    (_, "") => place.to_string(),
                    (_, id) => format!("`{id}` at {place}"),
                })
                .collect();
            write!(f, " ({})", places.join(", "))?;
        }
        Ok(())
    }
}
