//! Without documents that cannot be among the best.
//!
//! Terms are in descending order of their weights. While the upper bounds of the last terms together stay below the score of the last
//! document kept so far, a document that has only those terms cannot be among the best. So the postings of the others, the essential
//! ones, are added up over windows of documents, and the last terms are looked up for the documents that may still reach that score.

use super::top::Top;
use super::window::{Cursor, Window, cursors};
use super::{Scorer, Term};
use crate::error::Error;
use crate::index::Pair;

/// Documents in a window.
const WINDOW: usize = 1 << 13;

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
    bounds: &[f64],
    top: &mut Top<'_>,
) -> Result<(), Error> {
    if let Some(score) = score_of_one_term(scorer, terms, part, top.depth())? {
        top.raise(score);
    }
    let mut cursors = cursors(scorer, terms, part)?;
    // Terms that the segment does not have are not among the cursors, and have no bound.
    let is_here = |(term, _): &(&Term, &f64)| term.postings.is_in(part);
    let bounds: Vec<f64> = terms
        .iter()
        .zip(bounds)
        .filter(is_here)
        .map(|(_, bound)| *bound)
        .collect();
    // Entry i: the most that the terms from the i-th on can add.
    let mut rests = vec![0.0; bounds.len() + 1];
    for (at, bound) in bounds.iter().enumerate().rev() {
        rests[at] = rests[at + 1] + bound;
    }
    let segment = &scorer.index.parts()[part];
    let mut window = Window::new(WINDOW.min(segment.documents as usize));
    let mut essential = cursors.len();
    for first in (0..segment.documents).step_by(WINDOW) {
        while essential > 0 && rests[essential - 1] < least(top) {
            essential -= 1;
        }
        if essential == 0 {
            break;
        }
        let (essentials, others) = cursors.split_at_mut(essential);
        if let [only] = essentials {
            search_postings(scorer, only, others, &rests, segment.first, top);
            break;
        }
        window.move_to(first);
        for cursor in essentials {
            cursor.add_to(&mut window, scorer, segment.first);
        }
        window.drain(|doc, sum| {
            if let Some(score) = complete(
                scorer,
                others,
                &rests[essential..],
                segment.first,
                doc,
                sum,
                least(top),
            ) {
                top.push(segment.first + doc, score);
            }
        });
    }
    Ok(())
}

/// Searches the documents of one term, and adds nothing up.
fn search_postings(
    scorer: &Scorer,
    only: &mut Cursor,
    others: &mut [Cursor],
    rests: &[f64],
    first_doc: u32,
    top: &mut Top<'_>,
) {
    only.each_block(scorer, first_doc, |docs, scores| {
        for (doc, sum) in docs.iter().zip(scores) {
            let score = complete(
                scorer,
                others,
                &rests[1..],
                first_doc,
                *doc,
                *sum,
                least(top),
            );
            if let Some(score) = score {
                top.push(first_doc + doc, score);
            }
        }
        rests[0] >= least(top)
    });
}

/// A score that enough documents have by one term alone, which the last of the best documents reaches, too, because terms add
/// nothing negative. It is computed from a rare term, whose postings cost little to read twice.
fn score_of_one_term(
    scorer: &Scorer,
    terms: &[Term],
    part: usize,
    depth: usize,
) -> Result<Option<f64>, Error> {
    let all: u64 = terms.iter().map(|term| term.postings.documents).sum();
    let is_rare = |term: &&Term| {
        let documents = term.postings.documents;
        documents >= depth as u64 && documents * 4 <= all
    };
    let Some(term) = terms.iter().find(is_rare) else {
        return Ok(None);
    };
    let Some(mut cursor) = cursors(scorer, std::slice::from_ref(term), part)?.pop() else {
        return Ok(None);
    };
    let mut scores = cursor.scores(scorer, scorer.index.parts()[part].first);
    if scores.len() < depth {
        return Ok(None);
    }
    let (_, last, _) = scores.select_nth_unstable_by(depth - 1, |a, b| b.total_cmp(a));
    Ok(Some(*last))
}

/// Adds the scores of the other terms; `None` if the document cannot be among the best.
#[inline]
fn complete(
    scorer: &Scorer,
    others: &mut [Cursor],
    rests: &[f64],
    first_doc: u32,
    doc: u32,
    mut sum: f64,
    least: f64,
) -> Option<f64> {
    for (cursor, rest) in others.iter_mut().zip(rests) {
        if sum + rest < least {
            return None;
        }
        sum += cursor.score_of(doc, scorer, first_doc);
    }
    Some(sum)
}

/// What an estimate must reach: a little less than the score of the last document kept, because sums have rounding errors.
#[inline]
fn least(top: &Top<'_>) -> f64 {
    top.threshold() * (1.0 - 1e-12)
}
