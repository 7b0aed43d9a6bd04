//! A run in memory: for each topic the documents that a system returned, with scores.
//!
//! The order of documents is not decided here; see [`crate::ranking`].

use std::collections::HashMap;
use std::ops::Range;

/// One retrieved document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'a> {
    /// Document id.
    pub doc: &'a [u8],
    /// Score; larger is better.
    pub score: f64,
    /// The rank that the file gave, if it has one.
    pub rank: Option<f64>,
}

/// Documents by topic. Topics are in the order of their first line, documents in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    tag: String,
    bytes: Vec<u8>,
    topics: Vec<(Range<usize>, Range<usize>)>,
    rows: Vec<Row>,
    by_id: HashMap<Box<[u8]>, u32, foldhash::fast::FixedState>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    topic: u32,
    len: u32,
    offset: u64,
    score: f64,
    rank: Option<f64>,
}

impl Run {
    /// A run from (topic, document, score) in any order.
    ///
    /// ```
    /// use cranfield_core::run::Run;
    ///
    /// let run = Run::from_scores("bm25", [("q1", "d1", 2.5), ("q2", "d9", 1.0), ("q1", "d2", 0.5)]);
    /// assert_eq!(run.topics().len(), 2);
    /// assert_eq!(run.get(b"q1").unwrap().entries().len(), 2);
    /// ```
    pub fn from_scores<T: AsRef<[u8]>, D: AsRef<[u8]>>(
        tag: &str,
        scores: impl IntoIterator<Item = (T, D, f64)>,
    ) -> Self {
        let mut builder = RunBuilder::default();
        for (topic, doc, score) in scores {
            builder.push(topic.as_ref(), doc.as_ref(), score, None);
        }
        builder.set_tag(tag);
        builder.finish()
    }

    /// The run's name as its file gives it.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Replaces the name.
    #[must_use]
    pub fn with_tag(self, tag: String) -> Self {
        Self { tag, ..self }
    }

    /// All topics in the order of the file.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = RunTopic<'_>> {
        (0..self.topics.len()).map(|at| RunTopic { run: self, at })
    }

    /// The topic with this id.
    pub fn get(&self, id: &[u8]) -> Option<RunTopic<'_>> {
        self.by_id.get(id).map(|at| RunTopic {
            run: self,
            at: *at as usize,
        })
    }
}

/// The documents of one topic.
#[derive(Clone, Copy, Debug)]
pub struct RunTopic<'a> {
    run: &'a Run,
    at: usize,
}

impl<'a> RunTopic<'a> {
    /// The topic's id.
    pub fn id(&self) -> &'a [u8] {
        &self.run.bytes[self.run.topics[self.at].0.clone()]
    }

    /// The documents, in the order of the file.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry<'a>> + use<'a> {
        let run = self.run;
        run.rows[run.topics[self.at].1.clone()]
            .iter()
            .map(move |row| {
                let start = row.offset as usize;
                let doc = &run.bytes[start..start + row.len as usize];
                Entry {
                    doc,
                    score: row.score,
                    rank: row.rank,
                }
            })
    }
}

/// Collects the lines of a run.
#[derive(Debug, Default)]
pub struct RunBuilder {
    run: Run,
    /// Topic of the last line, since files are mostly grouped by topic.
    last: Option<u32>,
}

impl RunBuilder {
    /// Adds a line.
    pub fn push(&mut self, topic: &[u8], doc: &[u8], score: f64, rank: Option<f64>) {
        let topic = self.topic(topic);
        let offset = self.run.bytes.len() as u64;
        self.run.bytes.extend_from_slice(doc);
        self.run.rows.push(Row {
            topic,
            len: doc.len() as u32,
            offset,
            score,
            rank,
        });
    }

    /// Adds a topic, with or without documents.
    pub fn add_topic(&mut self, topic: &[u8]) {
        self.topic(topic);
    }

    /// Names the run.
    pub fn set_tag(&mut self, tag: &str) {
        self.run.tag = tag.into();
    }

    /// Groups the lines by topic.
    pub fn finish(mut self) -> Run {
        // Stable: lines of a topic keep the order of the file.
        self.run.rows.sort_by_key(|row| row.topic);
        let mut start = 0;
        for (at, (_, rows)) in self.run.topics.iter_mut().enumerate() {
            let length = self.run.rows[start..].partition_point(|row| row.topic as usize <= at);
            *rows = start..start + length;
            start += length;
        }
        self.run
    }

    fn topic(&mut self, id: &[u8]) -> u32 {
        if let Some(last) = self.last
            && self.run.bytes[self.run.topics[last as usize].0.clone()] == *id
        {
            return last;
        }
        let next = self.run.topics.len() as u32;
        let at = self.run.by_id.get(id).copied().unwrap_or(next);
        if at == next {
            let start = self.run.bytes.len();
            self.run.bytes.extend_from_slice(id);
            self.run.topics.push((start..start + id.len(), 0..0));
            self.run.by_id.insert(id.into(), next);
        }
        self.last = Some(at);
        at
    }
}

/// Powers of ten that 64-bit floats represent exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Rounds to nine significant digits, as scores in runs are, so that a run is the same after it was written and read again.
///
/// ```
/// use cranfield_core::run::nine_digits;
/// assert_eq!(nine_digits(1.0 / 61.0 + 1.0 / 62.0), 0.0325224749);
/// assert_eq!(nine_digits(-12_345_678_912.0), -12_345_678_900.0);
/// ```
pub fn nine_digits(score: f64) -> f64 {
    quick_nine_digits(score).unwrap_or_else(|| format!("{score:.8e}").parse().unwrap_or(score))
}

/// The rounded score if one multiplication and one division give it for certain, which is nearly always.
///
/// Digits and a power of ten up to 10^22 are exact, so that their quotient is the number nearest to the decimal. The product of the
/// score with the power is off by far less than the distance to a half that is asked for.
fn quick_nine_digits(score: f64) -> Option<f64> {
    let size = score.abs();
    let first = POWERS.partition_point(|power| *power <= size);
    let power = if first > 0 {
        POWERS[9usize.checked_sub(first)?]
    } else {
        let zeros = POWERS[..14].iter().position(|power| size * power >= 1.0)?;
        POWERS[8 + zeros]
    };
    let scaled = size * power;
    let digits = scaled.round();
    let is_clear = ((scaled - scaled.floor()) - 0.5).abs() > 1e-4;
    let is_nine = (99_999_999.5..999_999_999.0).contains(&scaled);
    (is_clear && is_nine).then(|| (digits / power).copysign(score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nine_digits_are_those_that_are_printed(mantissa in -1e9..1e9f64, exponent in -30..30i32) {
            let score = mantissa * 10f64.powi(exponent);
            let printed: f64 = format!("{score:.8e}").parse().unwrap();
            prop_assert_eq!(nine_digits(score), printed);
        }

        #[test]
        fn halves_round_as_they_are_printed(digits in 100_000_000..999_999_999u64, zeros in 0..12i32) {
            let score = (digits as f64 + 0.5) / 10f64.powi(zeros);
            let printed: f64 = format!("{score:.8e}").parse().unwrap();
            prop_assert_eq!(nine_digits(score), printed);
        }
    }

    #[test]
    fn interleaved_topics_are_grouped_in_file_order() {
        let mut builder = RunBuilder::default();
        builder.push(b"2", b"a", 1.0, Some(1.0));
        builder.push(b"1", b"b", 3.0, None);
        builder.add_topic(b"3");
        builder.push(b"2", b"c", 2.0, None);
        let run = builder.finish();
        let shape: Vec<_> = run
            .topics()
            .map(|t| (t.id().to_vec(), t.entries().len()))
            .collect();
        assert_eq!(
            shape,
            [(b"2".to_vec(), 2), (b"1".to_vec(), 1), (b"3".to_vec(), 0)]
        );
        let docs: Vec<_> = run
            .get(b"2")
            .unwrap()
            .entries()
            .map(|e| e.doc.to_vec())
            .collect();
        assert_eq!(docs, [b"a".to_vec(), b"c".to_vec()]);
        assert!(run.get(b"4").is_none());
    }
}
