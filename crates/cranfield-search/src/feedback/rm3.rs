//! RM3.
//!
//! Each document's most frequent terms are divided by their sum and added up, weighted by the document's score. The best terms of the
//! sum, scaled to add up to 1, are mixed with the query.

use super::Vector;
use crate::error::Error;
use crate::score::{Hit, Query};

/// Letters from a to z and digits.
pub(super) fn is_term(term: &str) -> bool {
    term.bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

pub(super) fn expand(
    query: &[(String, f64)],
    hits: &[Hit],
    terms_of: impl Fn(&Hit) -> Result<Vector, Error>,
    terms: usize,
    weight: f64,
) -> Result<Query, Error> {
    let mut model = Vector::default();
    for hit in hits {
        let mut document = terms_of(hit)?;
        document.keep(terms);
        let sum = document.sum();
        model.add(&document.divided(sum), hit.score);
    }
    model.keep(terms);
    let sum = model.sum();
    let model = model.divided(sum);
    let query = Vector::of_query(query);
    let sum = query.sum();
    let query = query.divided(sum);
    let mut mixed = Vector::default();
    mixed.add(&query, weight);
    mixed.add(&model, 1.0 - weight);
    Ok(mixed.into_query())
}
