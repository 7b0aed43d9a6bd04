//! Scores of consecutive documents, added up term by term.

use tantivy::postings::BlockSegmentPostings;

use super::{Scorer, Term};
use crate::error::Error;
use crate::model::TermWeight;

/// Postings in a block of tantivy's.
const BLOCK: usize = 128;

/// The postings of a term, read from the first to the last.
pub(super) struct Cursor {
    pub(super) postings: BlockSegmentPostings,
    /// The next posting in the current block.
    at: usize,
    weight: TermWeight,
}

/// The cursors of terms in one segment, in the order of the terms. Terms that the segment does not have are left out.
pub(super) fn cursors(scorer: &Scorer, terms: &[Term], part: usize) -> Result<Vec<Cursor>, Error> {
    let mut cursors = Vec::with_capacity(terms.len());
    for term in terms {
        if let Some(postings) = scorer.index.postings(&term.postings, part)? {
            cursors.push(Cursor {
                postings,
                at: 0,
                weight: term.weight,
            });
        }
    }
    Ok(cursors)
}

impl Cursor {
    /// Adds the scores of the postings in a window.
    pub(super) fn add_to(&mut self, window: &mut Window, scorer: &Scorer, first_doc: u32) {
        let end = window.end();
        if self
            .postings
            .docs()
            .get(self.at)
            .is_some_and(|doc| *doc < window.first)
        {
            self.at = self.postings.seek(window.first);
        }
        let mut scores = [0.0; BLOCK];
        loop {
            let docs = self.postings.docs();
            let inside = if docs.last().is_some_and(|last| *last < end) {
                docs.len()
            } else {
                docs.partition_point(|doc| *doc < end)
            };
            let from = self.at.min(inside);
            let docs_inside = &docs[from..inside];
            let frequencies = &self.postings.freqs()[from..inside];
            let model = &scorer.model;
            model.score_all(
                &self.weight,
                first_doc,
                docs_inside,
                frequencies,
                &mut scores,
            );
            for (doc, score) in docs_inside.iter().zip(&scores) {
                window.add((doc - window.first) as usize, *score);
            }
            self.at = inside;
            if inside < docs.len() || docs.is_empty() {
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// The scores of all postings.
    pub(super) fn scores(&mut self, scorer: &Scorer, first_doc: u32) -> Vec<f64> {
        let mut all = Vec::new();
        self.each_block(scorer, first_doc, |_, scores| {
            all.extend_from_slice(scores);
            true
        });
        all
    }

    /// Calls `each` with the documents of every block from here on, and their scores, until it returns false.
    pub(super) fn each_block(
        &mut self,
        scorer: &Scorer,
        first_doc: u32,
        mut each: impl FnMut(&[u32], &[f64]) -> bool,
    ) {
        let mut scores = [0.0; BLOCK];
        loop {
            let docs = self.postings.docs().get(self.at..).unwrap_or_default();
            if docs.is_empty() {
                return;
            }
            let (model, frequencies) = (&scorer.model, &self.postings.freqs()[self.at..]);
            model.score_all(&self.weight, first_doc, docs, frequencies, &mut scores);
            if !each(docs, &scores[..docs.len()]) {
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// The score of a document, which must not be before that of the last call; 0 if it does not have the term.
    #[inline]
    pub(super) fn score_of(&mut self, doc: u32, scorer: &Scorer, first_doc: u32) -> f64 {
        let mut here = self.postings.doc(self.at);
        if here < doc {
            self.at = self.postings.seek(doc);
            here = self.postings.doc(self.at);
        }
        if here == doc {
            let frequency = self.postings.freq(self.at);
            scorer.model.score(&self.weight, first_doc + doc, frequency)
        } else {
            0.0
        }
    }
}

/// Scores of a window of documents, and which documents have one.
pub(super) struct Window {
    first: u32,
    scores: Vec<f64>,
    has_score: Vec<u64>,
}

impl Window {
    pub(super) fn new(size: usize) -> Self {
        Self {
            first: 0,
            scores: vec![0.0; size],
            has_score: vec![0; size.div_ceil(64)],
        }
    }

    /// Moves an empty window.
    pub(super) fn move_to(&mut self, first: u32) {
        self.first = first;
    }

    fn end(&self) -> u32 {
        self.first.saturating_add(self.scores.len() as u32)
    }

    #[inline]
    fn add(&mut self, place: usize, score: f64) {
        self.scores[place] += score;
        self.has_score[place / 64] |= 1 << (place % 64);
    }

    /// Calls `each` with every document that has a score, and clears the window.
    #[inline]
    pub(super) fn drain(&mut self, mut each: impl FnMut(u32, f64)) {
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
