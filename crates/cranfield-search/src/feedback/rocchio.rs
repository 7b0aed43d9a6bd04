//! Rocchio's method.
//!
//! Query and documents are scaled to length 1. The best terms of the documents' mean, scaled to length 1 again, are added to the query;
//! those of the last documents may be subtracted.

use super::Vector;
use crate::error::Error;
use crate::score::{Hit, Query};

/// The mean of documents of length 1.
pub(super) fn mean(
    hits: &[Hit],
    terms_of: impl Fn(&Hit) -> Result<Vector, Error>,
) -> Result<Vector, Error> {
    let mut mean = Vector::default();
    for hit in hits {
        let document = terms_of(hit)?;
        let norm = document.euclidean();
        mean.add(&document.divided(norm), 1.0 / hits.len() as f64);
    }
    Ok(mean)
}

pub(super) fn expand(
    query: &[(String, f64)],
    best: Vector,
    last: Vector,
    terms: usize,
    [alpha, beta, gamma]: [f64; 3],
) -> Query {
    let scaled = |mut mean: Vector| {
        mean.keep(terms);
        let norm = mean.euclidean();
        mean.divided(norm)
    };
    let query = Vector::of_query(query);
    let norm = query.euclidean();
    let mut sum = Vector::default();
    sum.add(&query.divided(norm), alpha);
    sum.add(&scaled(best), beta);
    sum.add(&scaled(last), -gamma);
    sum.into_query()
}
