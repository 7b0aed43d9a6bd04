//! Bo1, divergence from randomness with Bose-Einstein statistics.
//!
//! The weight of a term is `x·log2((1 + p)/p) + log2(1 + p)`, with `x` its frequency in the feedback documents and `p = F/N`. Terms in
//! one of the documents only, and not in the query, have no weight.

use std::collections::BTreeMap;

use super::Vector;
use crate::error::Error;
use crate::index::Index;
use crate::score::{Hit, Query};

fn weight(frequency: f64, p: f64) -> f64 {
    frequency * ((1.0 + p) / p).log2() + (1.0 + p).log2()
}

pub(super) fn expand(
    index: &Index,
    query: &[(String, f64)],
    hits: &[Hit],
    terms: usize,
) -> Result<Query, Error> {
    let documents = index.description().counted() as f64;
    let mut sum = Vector::default();
    let mut containing: BTreeMap<String, usize> = BTreeMap::new();
    for hit in hits {
        let vector = Vector::all_of(index, hit)?;
        sum.add(&vector, 1.0);
        for term in vector.0.into_keys() {
            *containing.entry(term).or_default() += 1;
        }
    }
    let is_in_query = |term: &str| query.iter().any(|(other, _)| other == term);
    let mut weights = Vector::default();
    for (term, frequency) in &sum.0 {
        if containing[term] < 2 && !is_in_query(term) {
            continue;
        }
        let Some(found) = index.term(term)? else {
            continue;
        };
        let p = index.occurrences(&found)? as f64 / documents;
        weights.0.insert(term.clone(), weight(*frequency, p));
    }
    weights.keep(terms.max(query.len()));
    let greatest = weights
        .0
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)));
    // The same expression with the frequency of the best term in place of `F`.
    let divisor = greatest.map_or(1.0, |(term, _)| {
        weight(sum.0[term], sum.0[term] / documents)
    });
    let most = query
        .iter()
        .fold(0.0, |most: f64, (_, count)| most.max(*count));
    let mut expanded = Vector::of_query(query).divided(most);
    expanded.add(&weights, 1.0 / divisor);
    Ok(expanded.into_query())
}
