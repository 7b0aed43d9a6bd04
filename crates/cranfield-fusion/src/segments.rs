//! Where the topics of a TREC run begin and end, found without reading most of its lines.
//!
//! Files of runs are grouped by topic, so that the end of a topic is found by looking at lines further and further away, and then by
//! halving. Nothing is taken for granted: whoever reads a topic checks the topic of every line ([`Grouped::read`]).

use std::collections::HashMap;
use std::ops::Range;

use cranfield_io::trec::{Dialect, RunLines};

/// Distance of the first line that is looked at, about as long as a short list.
const FIRST_STEP: usize = 1 << 12;

/// A TREC run whose topics were located.
#[derive(Debug)]
pub(crate) struct Grouped<'a> {
    bytes: &'a [u8],
    topics: Vec<(&'a [u8], Range<usize>)>,
    by_id: HashMap<&'a [u8], usize>,
}

/// The lines of a file are not grouped by topic, or one of them is faulty.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotGrouped;

impl<'a> Grouped<'a> {
    /// Locates the topics of a file.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, NotGrouped> {
        let mut grouped = Self {
            bytes,
            topics: Vec::new(),
            by_id: HashMap::new(),
        };
        let mut start = 0;
        while start < bytes.len() {
            let mut lines = RunLines::new(bytes, Dialect::Strict);
            lines.seek(start..bytes.len());
            let Some(line) = lines.next() else {
                break;
            };
            let line = line.map_err(|_| NotGrouped)?;
            let end = end_of_topic(bytes, lines.offset(), line.topic);
            grouped.add(line.topic, start..end)?;
            start = end;
        }
        Ok(grouped)
    }

    fn add(&mut self, topic: &'a [u8], place: Range<usize>) -> Result<(), NotGrouped> {
        // A comment between two lines of a topic ends its place, too.
        if let Some((last, known)) = self.topics.last_mut()
            && *last == topic
        {
            known.end = place.end;
            return Ok(());
        }
        let is_new = self.by_id.insert(topic, self.topics.len()).is_none();
        self.topics.push((topic, place));
        is_new.then_some(()).ok_or(NotGrouped)
    }

    /// The topics in the order of the file.
    pub(crate) fn topics(&self) -> impl ExactSizeIterator<Item = &'a [u8]> + '_ {
        self.topics.iter().map(|(topic, _)| *topic)
    }

    /// Reads the documents of a topic, none if the run lacks it.
    pub(crate) fn read(
        &self,
        topic: &[u8],
        docs: &mut Vec<(&'a [u8], f64)>,
    ) -> Result<(), NotGrouped> {
        docs.clear();
        let Some(at) = self.by_id.get(topic) else {
            return Ok(());
        };
        let mut lines = RunLines::new(self.bytes, Dialect::Strict);
        lines.seek(self.topics[*at].1.clone());
        for line in lines {
            let line = line.map_err(|_| NotGrouped)?;
            if !line.same_topic && line.topic != topic {
                return Err(NotGrouped);
            }
            docs.push((line.doc, line.score));
        }
        Ok(())
    }
}

/// The start of the first line after `at`, found by steps that double and then by halving, whose topic differs.
fn end_of_topic(bytes: &[u8], at: usize, topic: &[u8]) -> usize {
    let is_same = |line: usize| first_field(&bytes[line..]) == topic;
    let (mut low, mut step) = (at, FIRST_STEP);
    if low >= bytes.len() || !is_same(low) {
        return low;
    }
    // `low` is a line of the topic, and `high` one of another, or the end.
    let mut high = loop {
        match line_after(bytes, low.saturating_add(step)) {
            None => break bytes.len(),
            Some(line) if !is_same(line) => break line,
            Some(line) => (low, step) = (line, step * 2),
        }
    };
    while let Some(middle) = line_after(bytes, low + (high - low) / 2).filter(|line| *line < high) {
        if is_same(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    // No line starts in the upper half of what is left; the lower half may have some.
    let mut line = line_after(bytes, low).unwrap_or(bytes.len());
    while line < high && is_same(line) {
        line = line_after(bytes, line).unwrap_or(bytes.len());
    }
    line
}

/// The start of the next line that begins after `at`.
fn line_after(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let newline = rest.iter().position(|byte| *byte == b'\n')?;
    Some(at + newline + 1).filter(|start| *start < bytes.len())
}

fn first_field(line: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| *byte <= b' ';
    let start = line.iter().position(|byte| !is_space(byte)).unwrap_or(0);
    let line = &line[start..];
    let end = line.iter().position(is_space).unwrap_or(line.len());
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(topics: &[(&str, usize)]) -> String {
        let lines = topics.iter().flat_map(|(topic, count)| {
            (0..*count).map(move |doc| format!("{topic} Q0 d{doc} 1 {} tag\n", 100 - doc))
        });
        lines.collect()
    }

    #[test]
    fn comments_and_missing_newlines_do_not_matter() {
        let text = "# a comment\n1 Q0 a 1 2 t\n# more\n1 Q0 b 2 1 t\n\n2 Q0 c 1 1 u";
        let grouped = Grouped::new(text.as_bytes()).unwrap();
        assert_eq!(grouped.topics().collect::<Vec<_>>(), [b"1", b"2"]);
        let mut docs = Vec::new();
        grouped.read(b"1", &mut docs).unwrap();
        assert_eq!(docs, [(&b"a"[..], 2.0), (&b"b"[..], 1.0)]);
        grouped.read(b"3", &mut docs).unwrap();
        assert!(docs.is_empty());
    }

    #[test]
    fn scattered_topics_are_noticed() {
        // Some are too far inside for the search to see, but not for a reader.
        let short = [("1", 2), ("2", 2), ("1", 1)];
        let long = [("1", 400), ("2", 1), ("1", 400)];
        let late = [("1", 400), ("2", 400), ("1", 1)];
        for topics in [short, long, late] {
            let text = text(&topics);
            let seen = Grouped::new(text.as_bytes());
            let read = seen.and_then(|grouped| grouped.read(b"1", &mut Vec::new()));
            assert_eq!(read.unwrap_err(), NotGrouped);
        }
        assert_eq!(Grouped::new(b"1 Q0 a 1 x t\n").unwrap_err(), NotGrouped);
    }

    proptest! {
        #[test]
        fn every_line_is_found(counts in prop::collection::vec(1..900usize, 1..12)) {
            let ids: Vec<String> = (1..=counts.len()).map(|id| id.to_string()).collect();
            let topics: Vec<(&str, usize)> = ids.iter().map(String::as_str).zip(counts.iter().copied()).collect();
            let text = text(&topics);
            let grouped = Grouped::new(text.as_bytes()).unwrap();
            prop_assert_eq!(grouped.topics().len(), counts.len());
            let mut docs = Vec::new();
            for (id, count) in &topics {
                grouped.read(id.as_bytes(), &mut docs).unwrap();
                prop_assert_eq!(docs.len(), *count);
            }
        }
    }
}
