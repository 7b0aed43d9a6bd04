//! Scoring: from the terms of a query to the best documents.
//!
//! Two algorithms give the same documents and scores, to the last bit: [`exhaustive`] scores every document that has a term of the
//! query, [`maxscore`] skips those that cannot be among the best. Internal document numbers never decide: documents with equal scores
//! are in descending order of their ids, also at the end of the ranking.

mod exhaustive;
mod explain;
mod maxscore;
mod top;
mod window;

use std::sync::Arc;

use cranfield_core::small_sort::SmallSort;

use crate::error::Error;
use crate::index::{Index, TermPostings};
use crate::model::{BoundModel, Model, TermStats, TermWeight};
pub use explain::{Explanation, TermScore};
use top::Top;

/// A document in a ranking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The number of the document in the index.
    pub doc: u32,
    /// The score.
    pub score: f64,
}

/// Terms of a query with their weights, in the order of the query.
pub type Query = Vec<(String, f64)>;

/// How to find the best documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Whichever is faster.
    #[default]
    Auto,
    /// Score all documents that have a term of the query.
    Exhaustive,
    /// Skip documents that cannot be among the best, if the model allows it.
    MaxScore,
}

/// A term of a query, found in the index.
struct Term {
    /// Its place in the query.
    place: usize,
    postings: TermPostings,
    weight: TermWeight,
}

/// A model bound to an index.
#[derive(Debug)]
pub struct Scorer {
    index: Arc<Index>,
    model: BoundModel,
    strategy: Strategy,
}

impl Scorer {
    /// Binds a model to an index.
    pub fn new(index: Arc<Index>, model: &Model) -> Result<Self, Error> {
        let model = BoundModel::new(model, &index)?;
        Ok(Self {
            index,
            model,
            strategy: Strategy::Auto,
        })
    }

    /// Chooses the algorithm, which does not change the result.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// The index.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }

    /// The terms of a text, each once, with the number of its occurrences.
    pub fn query(&self, text: &str) -> Query {
        let mut query: Query = Vec::new();
        for term in self.index.analyzer().terms(text) {
            match query.iter_mut().find(|(other, _)| *other == term) {
                Some((_, count)) => *count += 1.0,
                None => query.push((term, 1.0)),
            }
        }
        query
    }

    /// The best documents for a query, best first.
    pub fn search(&self, query: &[(String, f64)], depth: usize) -> Result<Vec<Hit>, Error> {
        if depth == 0 {
            return Ok(Vec::new());
        }
        let (terms, rest) = self.terms(query)?;
        let mut top = Top::new(&self.index, depth);
        for part in 0..self.index.parts().len() {
            match self.bounds(&terms, part)? {
                Some(bounds) => maxscore::search(self, &terms, part, &bounds, &mut top)?,
                None => exhaustive::search(self, &terms, &rest, part, &mut top)?,
            }
        }
        Ok(top.finish())
    }

    /// The terms of a query that are in the index, with their weights.
    ///
    /// They are in descending order of their weights, and rare terms before frequent ones, because scores are added up in this order
    /// by every algorithm.
    fn terms(&self, query: &[(String, f64)]) -> Result<(Vec<Term>, crate::model::Rest), Error> {
        let (mut stats, mut found) = (Vec::new(), Vec::new());
        for (place, (term, weight)) in query.iter().enumerate() {
            let Some(postings) = self.index.term(term)? else {
                continue;
            };
            let occurrences = if self.model.needs_occurrences() {
                self.index.occurrences(&postings)?
            } else {
                0
            };
            stats.push(TermStats {
                documents: postings.documents,
                occurrences,
                query: *weight,
            });
            found.push((place, postings));
        }
        let (weights, rest) = self.model.weigh(&stats);
        let mut terms: Vec<Term> = found
            .into_iter()
            .zip(weights)
            .map(|((place, postings), weight)| Term {
                place,
                postings,
                weight,
            })
            .collect();
        terms.small_sort_by(|a, b| {
            let by_weight = b.weight.value().total_cmp(&a.weight.value());
            by_weight.then(a.postings.documents.cmp(&b.postings.documents))
        });
        Ok((terms, rest))
    }

    /// Whether skipping documents takes less time than scoring every posting of a query.
    fn is_skipping_faster(&self, postings: u64) -> bool {
        /// Fewer postings are scored before bounds are known.
        const FEW: u64 = 2_000;
        /// So many are scored faster if every eighth document has a term of the query, and hardly any can be skipped.
        const MANY: u64 = 20_000;
        let is_dense = postings * 8 >= self.index.lengths().len() as u64;
        postings > if is_dense { MANY } else { FEW }
    }

    /// Upper bounds of the terms' scores in one segment if documents can be skipped.
    fn bounds(&self, terms: &[Term], part: usize) -> Result<Option<Vec<f64>>, Error> {
        let documents: u64 = terms.iter().map(|term| term.postings.documents).sum();
        let is_worthwhile = match self.strategy {
            Strategy::Auto => self.is_skipping_faster(documents),
            Strategy::Exhaustive => false,
            Strategy::MaxScore => true,
        };
        if !is_worthwhile {
            return Ok(None);
        }
        let mut bounds = Vec::with_capacity(terms.len());
        for term in terms {
            match maxscore::bound(self, term, part)? {
                Some(bound) => bounds.push(bound),
                None => return Ok(None),
            }
        }
        Ok(Some(bounds))
    }
}
