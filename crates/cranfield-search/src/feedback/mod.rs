//! Relevance feedback without judgements: the best documents of a first search expand the query of a second one.
//!
//! Terms are taken from the stored text of documents, analysed again, so an index needs no special option. Equal terms are in
//! ascending order.

mod bo1;
mod rm3;
mod rocchio;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use cranfield_core::error::Error as NameError;

use crate::error::Error;
use crate::index::Index;
use crate::score::{Hit, Query};
use cranfield_core::arguments::{Arguments, write};

/// A method of feedback with its parameters.
///
/// ```
/// use cranfield_search::Feedback;
///
/// let feedback: Feedback = "rm3(docs=5)".parse()?;
/// assert_eq!(feedback.to_string(), "RM3(docs=5, terms=10, weight=0.5)");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Feedback {
    /// A relevance model mixed with the query, as in Anserini.
    Rm3 {
        /// Number of documents.
        docs: usize,
        /// Number of terms.
        terms: usize,
        /// Weight of the original query.
        weight: f64,
        /// Terms in a larger share of the documents are left out.
        max_df: f64,
    },
    /// The query moved towards the mean of the documents, as in Anserini.
    Rocchio {
        /// Number of documents.
        docs: usize,
        /// Number of terms.
        terms: usize,
        /// Weight of the original query.
        alpha: f64,
        /// Weight of the best documents.
        beta: f64,
        /// Weight of the last documents, which are subtracted.
        gamma: f64,
        /// Terms in a larger share of the documents are left out.
        max_df: f64,
    },
    /// Bose-Einstein statistics, as in Terrier.
    Bo1 {
        /// Number of documents.
        docs: usize,
        /// Number of terms.
        terms: usize,
    },
}

const NAMES: [&str; 3] = ["RM3", "Rocchio", "Bo1"];

impl FromStr for Feedback {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let mut arguments = Arguments::parse(text, "feedback", &NAMES, "docs")?;
        let feedback = match arguments.name() {
            "RM3" => Self::Rm3 {
                docs: arguments.count("docs", 10)?,
                terms: arguments.count("terms", 10)?,
                weight: arguments.real("weight", 0.5, 0.0..=1.0)?,
                max_df: arguments.real("max_df", 0.1, 0.0..=1.0)?,
            },
            "Rocchio" => Self::Rocchio {
                docs: arguments.count("docs", 10)?,
                terms: arguments.count("terms", 10)?,
                alpha: arguments.real("alpha", 1.0, 0.0..=f64::MAX)?,
                beta: arguments.real("beta", 0.75, 0.0..=f64::MAX)?,
                gamma: arguments.real("gamma", 0.0, 0.0..=f64::MAX)?,
                max_df: arguments.real("max_df", 0.1, 0.0..=1.0)?,
            },
            _ => Self::Bo1 {
                docs: arguments.count("docs", 3)?,
                terms: arguments.count("terms", 10)?,
            },
        };
        arguments.finish()?;
        Ok(feedback)
    }
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let max_df = |all: &mut Vec<(&'static str, String)>, value: f64| {
            if value != 0.1 {
                all.push(("max_df", value.to_string()));
            }
        };
        match self {
            Self::Rm3 {
                docs,
                terms,
                weight,
                max_df: df,
            } => {
                let mut all = vec![
                    ("docs", docs.to_string()),
                    ("terms", terms.to_string()),
                    ("weight", weight.to_string()),
                ];
                max_df(&mut all, *df);
                write(f, "RM3", &all)
            }
            Self::Rocchio {
                docs,
                terms,
                alpha,
                beta,
                gamma,
                max_df: df,
            } => {
                let mut all = vec![
                    ("docs", docs.to_string()),
                    ("terms", terms.to_string()),
                    ("alpha", alpha.to_string()),
                    ("beta", beta.to_string()),
                ];
                if *gamma != 0.0 {
                    all.push(("gamma", gamma.to_string()));
                }
                max_df(&mut all, *df);
                write(f, "Rocchio", &all)
            }
            Self::Bo1 { docs, terms } => write(
                f,
                "Bo1",
                &[("docs", docs.to_string()), ("terms", terms.to_string())],
            ),
        }
    }
}

impl Feedback {
    /// The number of documents that the first search must find.
    pub fn depth(&self) -> usize {
        match self {
            Self::Rocchio { gamma, .. } if *gamma > 0.0 => 1000,
            Self::Rm3 { docs, .. } | Self::Rocchio { docs, .. } | Self::Bo1 { docs, .. } => *docs,
        }
    }

    /// The expanded query.
    ///
    /// # Errors
    /// If the index has no stored text.
    pub fn expand(
        &self,
        index: &Index,
        query: &[(String, f64)],
        hits: &[Hit],
    ) -> Result<Query, Error> {
        if !index.description().text {
            let message = "feedback needs the text of documents, which this index does not store; build it again with text";
            return Err(Error::index(index.path(), message));
        }
        match self {
            Self::Rm3 {
                docs,
                terms,
                weight,
                max_df,
            } => {
                let terms_of = |hit: &Hit| Vector::of(index, hit, *max_df, rm3::is_term);
                rm3::expand(
                    query,
                    &hits[..hits.len().min(*docs)],
                    terms_of,
                    *terms,
                    *weight,
                )
            }
            Self::Rocchio {
                docs,
                terms,
                alpha,
                beta,
                gamma,
                max_df,
            } => {
                let mean = |hits: &[Hit]| {
                    rocchio::mean(hits, |hit| Vector::of(index, hit, *max_df, |_| true))
                };
                let best = mean(&hits[..hits.len().min(*docs)])?;
                let last = if *gamma > 0.0 {
                    mean(&hits[hits.len().saturating_sub(*docs)..])?
                } else {
                    Vector::default()
                };
                Ok(rocchio::expand(
                    query,
                    best,
                    last,
                    *terms,
                    [*alpha, *beta, *gamma],
                ))
            }
            Self::Bo1 { docs, terms } => {
                bo1::expand(index, query, &hits[..hits.len().min(*docs)], *terms)
            }
        }
    }
}

/// Weights of terms.
#[derive(Clone, Debug, Default, PartialEq)]
struct Vector(BTreeMap<String, f64>);

impl Vector {
    /// Frequencies of the terms of a document that pass the filters.
    fn of(
        index: &Index,
        hit: &Hit,
        max_df: f64,
        is_term: impl Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let mut vector = Self::all_of(index, hit)?;
        let documents = index.description().counted() as f64;
        let mut failure = None;
        vector.0.retain(|term, _| {
            let length = term.chars().count();
            let keep = || -> Result<bool, Error> {
                let with_term = index.term(term)?.map_or(0, |term| term.documents) as f64;
                Ok(with_term / documents <= max_df)
            };
            (2..=20).contains(&length)
                && is_term(term)
                && keep().unwrap_or_else(|error| {
                    failure = Some(error);
                    false
                })
        });
        failure.map_or(Ok(vector), Err)
    }

    /// Frequencies of the terms of a document.
    fn all_of(index: &Index, hit: &Hit) -> Result<Self, Error> {
        let text = index.document(hit.doc)?.text();
        let mut vector = Self::default();
        for term in index.analyzer().terms(&text) {
            *vector.0.entry(term).or_default() += 1.0;
        }
        Ok(vector)
    }

    /// Keeps the terms with the highest weights.
    fn keep(&mut self, terms: usize) {
        if self.0.len() > terms {
            let mut all: Vec<(String, f64)> = std::mem::take(&mut self.0).into_iter().collect();
            all.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            self.0 = all.into_iter().take(terms).collect();
        }
    }

    fn sum(&self) -> f64 {
        self.0.values().map(|weight| weight.abs()).sum()
    }

    fn euclidean(&self) -> f64 {
        self.0
            .values()
            .map(|weight| weight * weight)
            .sum::<f64>()
            .sqrt()
    }

    /// Divides by a norm, unless it is 0.
    fn divided(mut self, norm: f64) -> Self {
        if norm > 0.0 {
            self.0.values_mut().for_each(|weight| *weight /= norm);
        }
        self
    }

    fn add(&mut self, other: &Self, factor: f64) {
        for (term, weight) in &other.0 {
            *self.0.entry(term.clone()).or_default() += weight * factor;
        }
    }

    fn of_query(query: &[(String, f64)]) -> Self {
        Self(query.iter().cloned().collect())
    }

    fn into_query(self) -> Query {
        self.0
            .into_iter()
            .filter(|(_, weight)| *weight > 0.0)
            .collect()
    }
}
