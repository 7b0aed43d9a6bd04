//! Document by document, without those that cannot be among the best.
//!
//! Terms are ordered by the upper bound of their scores. While the bounds of the first terms together stay below the score of the last
//! document kept so far, a document that has only those terms cannot be among the best, so only the postings of the others, the
//! essential ones, are read one by one.

use tantivy::TERMINATED;
use tantivy::postings::BlockSegmentPostings;

use super::top::Top;
use super::{Scorer, Term};
use crate::error::Error;
use crate::index::Pair;
use crate::model::TermWeight;

struct Cursor {
    postings: BlockSegmentPostings,
    at: usize,
    doc: u32,
    weight: TermWeight,
    /// The place of the term in the query.
    place: usize,
    bound: f64,
    /// The sum of the bounds of this term and of those before it.
    bounds: f64,
}

impl Cursor {
    #[inline]
    fn advance(&mut self) {
        self.at += 1;
        if self.at == self.postings.block_len() {
            self.postings.advance();
            self.at = 0;
        }
        self.doc = self.postings.doc(self.at);
    }

    #[inline]
    fn seek(&mut self, doc: u32) {
        if self.doc < doc {
            self.at = self.postings.seek(doc);
            self.doc = self.postings.doc(self.at);
        }
    }

    #[inline]
    fn score(&self, scorer: &Scorer, first_doc: u32) -> f64 {
        let frequency = self.postings.freq(self.at);
        scorer
            .model
            .score(&self.weight, first_doc + self.doc, frequency)
    }
}

/// The upper bound of a term's score in a segment; `None` if the model has none.
pub(super) fn bound(scorer: &Scorer, term: &Term, part: usize) -> Result<Option<f64>, Error> {
    if let Some(pairs) = scorer.index.bounds(&term.postings, part) {
        return Ok(scorer.model.bound(&term.weight, pairs));
    }
    let Some(postings) = scorer.index.postings(&term.postings, part)? else {
        return Ok(scorer.model.bound(&term.weight, &[]));
    };
    // A term without stored bounds has few documents, all in the first block.
    let first = scorer.index.parts()[part].first;
    let length = |doc: u32| {
        scorer
            .index
            .lengths()
            .get((first + doc) as usize)
            .copied()
            .unwrap_or(1)
    };
    let docs = postings.docs().iter().zip(postings.freqs());
    let pairs: Vec<Pair> = docs
        .map(|(doc, frequency)| (*frequency, length(*doc)))
        .collect();
    Ok(scorer.model.bound(&term.weight, &pairs))
}

pub(super) fn search(
    scorer: &Scorer,
    terms: &[Term],
    part: usize,
    bounds: Vec<f64>,
    top: &mut Top<'_>,
) -> Result<(), Error> {
    let mut cursors = Vec::with_capacity(terms.len());
    for (place, (term, bound)) in terms.iter().zip(bounds).enumerate() {
        if let Some(postings) = scorer.index.postings(&term.postings, part)? {
            let doc = postings.doc(0);
            cursors.push(Cursor {
                postings,
                at: 0,
                doc,
                weight: term.weight,
                place,
                bound,
                bounds: 0.0,
            });
        }
    }
    cursors.sort_by(|a, b| a.bound.total_cmp(&b.bound));
    let mut sum = 0.0;
    for cursor in &mut cursors {
        sum += cursor.bound;
        cursor.bounds = sum;
    }
    walk(
        scorer,
        &mut cursors,
        scorer.index.parts()[part].first,
        terms.len(),
        top,
    );
    Ok(())
}

fn walk(scorer: &Scorer, cursors: &mut [Cursor], first_doc: u32, terms: usize, top: &mut Top<'_>) {
    // The score of each term of the query in the current document, to be added in the order of the query.
    let mut scores = vec![0.0; terms];
    let mut essential = 0;
    loop {
        let threshold = top.threshold();
        while essential < cursors.len() && cursors[essential].bounds < threshold {
            essential += 1;
        }
        let (others, essentials) = cursors.split_at_mut(essential);
        let doc = essentials
            .iter()
            .map(|cursor| cursor.doc)
            .min()
            .unwrap_or(TERMINATED);
        if doc == TERMINATED {
            return;
        }
        let mut sum = 0.0;
        for cursor in essentials.iter_mut().filter(|cursor| cursor.doc == doc) {
            let score = cursor.score(scorer, first_doc);
            sum += score;
            scores[cursor.place] = score;
            cursor.advance();
        }
        let mut is_possible = true;
        for cursor in others.iter_mut().rev() {
            // The bounds have some slack, the sum has rounding errors: both are smaller than the slack.
            if sum + cursor.bounds < threshold {
                is_possible = false;
                break;
            }
            cursor.seek(doc);
            if cursor.doc == doc {
                let score = cursor.score(scorer, first_doc);
                sum += score;
                scores[cursor.place] = score;
            }
        }
        if is_possible && sum >= threshold * (1.0 - 1e-9) {
            top.push(first_doc + doc, scores.iter().sum());
        }
        scores.fill(0.0);
    }
}
