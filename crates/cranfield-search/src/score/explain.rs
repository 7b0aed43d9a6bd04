//! The score of one document, term by term.

use super::Scorer;
use crate::error::Error;

/// A term of a query and its share in the score of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct TermScore {
    /// The term as it is in the index.
    pub term: String,
    /// Its weight in the query, after feedback.
    pub weight: f64,
    /// The number of documents with the term.
    pub documents: u64,
    /// The number of its occurrences in the document.
    pub frequency: u32,
    /// What it adds to the score.
    pub score: f64,
}

/// The score of one document for one query.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Terms of the query that are in the index, in the order in which they are added.
    pub terms: Vec<TermScore>,
    /// The part of the score that depends on no single term, such as the length in query likelihood.
    pub rest: f64,
    /// The score that a search computes.
    pub score: f64,
    /// The length of the document.
    pub length: u32,
}

impl Scorer {
    /// Breaks the score of a document down by the terms of a query.
    pub fn explain(&self, query: &[(String, f64)], doc: u32) -> Result<Explanation, Error> {
        let (found, rest) = self.terms(query)?;
        let mut terms = Vec::with_capacity(found.len());
        let mut sum = 0.0;
        for term in &found {
            let frequency = self.frequency(term, doc)?;
            let score = if frequency > 0 {
                self.model.score(&term.weight, doc, frequency)
            } else {
                0.0
            };
            sum += score;
            let (name, weight) = &query[term.place];
            terms.push(TermScore {
                term: name.clone(),
                weight: *weight,
                documents: term.postings.documents,
                frequency,
                score,
            });
        }
        let score = self.model.finish(&rest, doc, sum);
        let length = self.index.lengths().get(doc as usize);
        Ok(Explanation {
            terms,
            rest: score - sum,
            score,
            length: length.copied().unwrap_or(0),
        })
    }

    /// The number of occurrences of a term in a document.
    fn frequency(&self, term: &super::Term, doc: u32) -> Result<u32, Error> {
        for (part, segment) in self.index.parts().iter().enumerate() {
            let Some(wanted) = doc.checked_sub(segment.first) else {
                continue;
            };
            if wanted >= segment.documents {
                continue;
            }
            let Some(mut postings) = self.index.postings(&term.postings, part)? else {
                return Ok(0);
            };
            while postings.docs().last().is_some_and(|last| *last < wanted) {
                postings.advance();
            }
            let at = postings.docs().binary_search(&wanted);
            return Ok(at.map_or(0, |at| postings.freqs()[at]));
        }
        Ok(0)
    }
}
