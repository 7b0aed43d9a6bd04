//! Term by term, over windows of documents that fit into the cache.

use tantivy::postings::BlockSegmentPostings;

use super::top::Top;
use super::{Scorer, Term};
use crate::error::Error;
use crate::model::Rest;

/// Documents in a window.
const WINDOW: usize = 1 << 15;

struct Cursor<'t> {
    term: &'t Term,
    postings: BlockSegmentPostings,
    at: usize,
}

/// Scores of a window, and which documents have one.
struct Window {
    first: u32,
    scores: Vec<f64>,
    has_score: Vec<u64>,
}

pub(super) fn search(
    scorer: &Scorer,
    terms: &[Term],
    rest: &Rest,
    part: usize,
    top: &mut Top<'_>,
) -> Result<(), Error> {
    let mut cursors = Vec::with_capacity(terms.len());
    for term in terms {
        if let Some(postings) = scorer.index.postings(&term.postings, part)? {
            cursors.push(Cursor {
                term,
                postings,
                at: 0,
            });
        }
    }
    let segment = &scorer.index.parts()[part];
    let size = WINDOW.min(segment.documents as usize);
    let mut window = Window {
        first: 0,
        scores: vec![0.0; size],
        has_score: vec![0; size.div_ceil(64)],
    };
    for first in (0..segment.documents).step_by(WINDOW) {
        window.first = first;
        for cursor in &mut cursors {
            cursor.add_to(&mut window, scorer, segment.first);
        }
        window.drain(|doc, sum| {
            let doc = segment.first + doc;
            top.push(doc, scorer.model.finish(rest, doc, sum));
        });
    }
    Ok(())
}

impl Cursor<'_> {
    /// Adds the scores of the postings in a window.
    fn add_to(&mut self, window: &mut Window, scorer: &Scorer, first_doc: u32) {
        let end = window.first + window.scores.len() as u32;
        loop {
            let docs = self.postings.docs();
            let inside = if docs.last().is_some_and(|last| *last < end) {
                docs.len()
            } else {
                docs.partition_point(|doc| *doc < end)
            };
            let frequencies = self.postings.freqs();
            for (doc, frequency) in docs[self.at.min(inside)..inside]
                .iter()
                .zip(&frequencies[self.at.min(inside)..inside])
            {
                let place = (doc - window.first) as usize;
                window.scores[place] +=
                    scorer
                        .model
                        .score(&self.term.weight, first_doc + doc, *frequency);
                window.has_score[place / 64] |= 1 << (place % 64);
            }
            self.at = inside;
            if inside < docs.len() || docs.is_empty() {
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }
}

impl Window {
    /// Calls `each` with every document that has a score, and clears the window.
    fn drain(&mut self, mut each: impl FnMut(u32, f64)) {
        for (word, bits) in self.has_score.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                let place = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                each(
                    self.first + place as u32,
                    std::mem::take(&mut self.scores[place]),
                );
            }
        }
    }
}
