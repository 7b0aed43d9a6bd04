//! Models bound to an index: from frequencies and lengths to scores.

use std::f64::consts::{LOG2_E, PI};
use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;

use super::smart::Smart;
use super::{Idf, Lengths, Likelihood, Model};
use crate::error::Error;
use crate::index::{Index, Pair};

/// What a collection knows of a term.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct TermStats {
    /// Documents with the term.
    pub(crate) documents: u64,
    /// Occurrences in all documents; 0 unless the model needs it.
    pub(crate) occurrences: u64,
    /// Weight in the query.
    pub(crate) query: f64,
}

/// The part of a term's score that does not depend on the document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TermWeight {
    weight: f64,
    /// A second constant: the inverse of the smoothed collection probability, or a ratio of frequencies.
    extra: f64,
}

impl TermWeight {
    /// What the score is a multiple of.
    pub(crate) fn value(self) -> f64 {
        self.weight
    }
}

/// The part of a score that depends on the document's length but on no single term: `constant - logs·ln(l + mu)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rest {
    constant: f64,
    logs: f64,
    mu: f64,
}

/// A formula with constants that depend on the collection.
#[derive(Debug)]
enum Formula {
    /// `w·(scale·f/(f + c0 + c1·l) + delta)`
    Saturated {
        scale: f64,
        c0: f64,
        c1: f64,
        delta: f64,
    },
    Bm25L {
        k1: f64,
        c0: f64,
        c1: f64,
        delta: f64,
    },
    Pivoted {
        c0: f64,
        c1: f64,
    },
    /// `w·ln(1 + f·x)`, and [`Rest`]
    DirichletFull,
    DirichletLucene {
        mu: f64,
    },
    /// `w·ln(1 + x·f/l)`, and [`Rest`]
    JelinekMercer,
    Dph {
        a: f64,
    },
    Pl2 {
        ca: f64,
    },
    InL2 {
        ca: f64,
    },
    Vector(Vectors),
}

/// Statistics of documents for the vector space model.
#[derive(Debug)]
struct Vectors {
    smart: Smart,
    /// What a document's weights are divided by.
    norms: Vec<f64>,
    greatest: Vec<f64>,
    means: Vec<f64>,
    mean_unique: f64,
}

/// A model with the statistics of a collection.
#[derive(Debug)]
pub(crate) struct BoundModel {
    model: Model,
    formula: Formula,
    lengths: Arc<[u32]>,
    documents: f64,
    tokens: f64,
    /// The value that replaces a negative inverse document frequency.
    floor: f64,
}

impl BoundModel {
    pub(crate) fn new(model: &Model, index: &Index) -> Result<Self, Error> {
        let description = index.description();
        let documents = description.counted() as f64;
        let tokens = description.tokens as f64;
        let a = if documents > 0.0 {
            tokens / documents
        } else {
            1.0
        };
        let a = if a > 0.0 { a } else { 1.0 };
        let lengths = match model {
            Model::Bm25 {
                lengths: Lengths::Byte,
                ..
            } => index
                .lengths()
                .iter()
                .map(|length| rounded(*length))
                .collect(),
            _ => index.shared_lengths(),
        };
        let formula = formula(model, index, a)?;
        let floor = match model {
            Model::Bm25 {
                idf: Idf::RobertsonMean,
                ..
            } => 0.25 * mean_idf(index, documents)?,
            _ => 0.0,
        };
        Ok(Self {
            model: model.clone(),
            formula,
            lengths,
            documents,
            tokens,
            floor,
        })
    }

    /// Whether the model needs the number of occurrences of terms.
    pub(crate) fn needs_occurrences(&self) -> bool {
        use Model::{Dirichlet, Dph, JelinekMercer, Pl2};
        matches!(
            self.model,
            Dirichlet { .. } | JelinekMercer { .. } | Dph | Pl2 { .. }
        )
    }

    /// The weights of a query's terms, and the rest of the score.
    pub(crate) fn weigh(&self, terms: &[TermStats]) -> (Vec<TermWeight>, Rest) {
        if let Formula::Vector(vectors) = &self.formula {
            return (vectors.weigh(terms, self.documents), Rest::default());
        }
        let greatest = terms
            .iter()
            .fold(0.0, |most: f64, term| most.max(term.query));
        let weights = terms
            .iter()
            .map(|term| self.term_weight(term, greatest))
            .collect();
        (weights, self.rest(terms))
    }

    fn term_weight(&self, term: &TermStats, greatest: f64) -> TermWeight {
        let (big_n, n, q) = (self.documents, term.documents as f64, term.query);
        let probability = term.occurrences as f64 / self.tokens;
        // Lucene adds 1 to both, so that no probability is 0.
        let lucene = (term.occurrences as f64 + 1.0) / (self.tokens + 1.0);
        let of = |form: Likelihood| match form {
            Likelihood::Full => probability,
            Likelihood::Lucene => lucene,
        };
        let (weight, extra) = match &self.model {
            Model::Bm25 { idf, .. } => (self.bm25_idf(*idf, n, q, greatest), 0.0),
            Model::Bm25Plus { .. } | Model::Pivoted { .. } => (q * ((big_n + 1.0) / n).ln(), 0.0),
            Model::Bm25L { .. } => (q * ((big_n + 1.0) / (n + 0.5)).ln(), 0.0),
            Model::TfIdf { .. } => (q / greatest * (big_n / n + 1.0).log2(), 0.0),
            Model::Dirichlet { mu, form } => (q, 1.0 / (mu * of(*form))),
            Model::JelinekMercer { lambda, form } => (q, (1.0 - lambda) / (lambda * of(*form))),
            Model::Dph => (q, big_n / term.occurrences as f64),
            Model::Pl2 { .. } => (q, term.occurrences as f64 / big_n),
            Model::InL2 { .. } => (q * ((big_n + 1.0) / (n + 0.5)).log2(), 0.0),
            Model::Vsm(_) => (q, 0.0),
        };
        TermWeight { weight, extra }
    }

    fn bm25_idf(&self, idf: Idf, n: f64, q: f64, greatest: f64) -> f64 {
        let big_n = self.documents;
        let odds = (big_n - n + 0.5) / (n + 0.5);
        match idf {
            Idf::Lucene => q * (1.0 + odds).ln(),
            Idf::Atire => q * (big_n / n).ln(),
            Idf::RobertsonZero | Idf::RobertsonMean if odds < 1.0 => q * self.floor,
            Idf::Robertson | Idf::RobertsonZero | Idf::RobertsonMean => q * odds.ln(),
            Idf::Terrier => {
                let q = q / greatest;
                9.0 * q / (8.0 + q) * odds.log2()
            }
        }
    }

    fn rest(&self, terms: &[TermStats]) -> Rest {
        let present = terms.iter().filter(|term| term.occurrences > 0);
        let probability = |term: &TermStats| term.occurrences as f64 / self.tokens;
        match &self.model {
            Model::Dirichlet {
                mu,
                form: Likelihood::Full,
            } => Rest {
                constant: present
                    .clone()
                    .map(|term| term.query * (mu * probability(term)).ln())
                    .sum(),
                logs: present.map(|term| term.query).sum(),
                mu: *mu,
            },
            Model::JelinekMercer {
                lambda,
                form: Likelihood::Full,
            } => Rest {
                constant: present
                    .map(|term| term.query * (lambda * probability(term)).ln())
                    .sum(),
                logs: 0.0,
                mu: 1.0,
            },
            _ => Rest::default(),
        }
    }

    /// The score of a term that occurs `frequency` times in a document.
    #[inline]
    pub(crate) fn score(&self, term: &TermWeight, doc: u32, frequency: u32) -> f64 {
        let length = self.lengths.get(doc as usize).copied().unwrap_or(1);
        self.score_at(term, doc, frequency, length)
    }

    /// The scores of a term in several documents of a segment that begins with the document `first`.
    pub(crate) fn score_all(
        &self,
        term: &TermWeight,
        first: u32,
        docs: &[u32],
        frequencies: &[u32],
        scores: &mut [f64],
    ) {
        let postings = docs.iter().zip(frequencies).zip(&mut *scores);
        let Formula::Saturated {
            scale,
            c0,
            c1,
            delta,
        } = self.formula
        else {
            for ((doc, frequency), score) in postings {
                *score = self.score(term, first + doc, *frequency);
            }
            return;
        };
        // Lengths are fetched first, so that the rest is done for several documents at a time.
        for ((doc, _), length) in postings {
            let at = (first + doc) as usize;
            *length = f64::from(self.lengths.get(at).copied().unwrap_or(1));
        }
        for (frequency, score) in frequencies.iter().zip(scores) {
            let (f, l) = (f64::from(*frequency), *score);
            *score = term.weight * (scale * f / (f + c0 + c1 * l) + delta);
        }
    }

    #[inline]
    fn score_at(&self, term: &TermWeight, doc: u32, frequency: u32, length: u32) -> f64 {
        let (w, x) = (term.weight, term.extra);
        let (f, l) = (f64::from(frequency), f64::from(length));
        match &self.formula {
            Formula::Saturated {
                scale,
                c0,
                c1,
                delta,
            } => w * (scale * f / (f + c0 + c1 * l) + delta),
            Formula::Bm25L { k1, c0, c1, delta } => {
                let shifted = f / (c0 + c1 * l) + delta;
                w * (k1 + 1.0) * shifted / (k1 + shifted)
            }
            Formula::Pivoted { c0, c1 } => w * (1.0 + (1.0 + f.ln()).ln()) / (c0 + c1 * l),
            Formula::DirichletFull => w * (f * x).ln_1p(),
            Formula::DirichletLucene { mu } => {
                w * ((f * x).ln_1p() + (mu / (l + mu)).ln()).max(0.0)
            }
            Formula::JelinekMercer => w * (x * f / l).ln_1p(),
            Formula::Dph { a } => w * dph(f, l, *a, x),
            Formula::Pl2 { ca } => w * pl2(f * (1.0 + ca / l).log2(), x),
            Formula::InL2 { ca } => {
                let t = f * (1.0 + ca / l).log2();
                w * t / (t + 1.0)
            }
            Formula::Vector(vectors) => w * vectors.weight(doc, f),
        }
    }

    /// Adds the part of the score that depends on no single term.
    #[inline]
    pub(crate) fn finish(&self, rest: &Rest, doc: u32, sum: f64) -> f64 {
        if *rest == Rest::default() {
            return sum;
        }
        let length = self.lengths.get(doc as usize).copied().unwrap_or(0);
        sum + rest.constant - rest.logs * (f64::from(length) + rest.mu).ln()
    }

    /// An upper bound of a term's score, for models that grow with the frequency and shrink with the length.
    pub(crate) fn bound(&self, term: &TermWeight, pairs: &[Pair]) -> Option<f64> {
        use Formula::{Bm25L, DirichletLucene, InL2, Pivoted, Saturated};
        let is_monotone = match &self.formula {
            Saturated { .. }
            | Bm25L { .. }
            | Pivoted { .. }
            | DirichletLucene { .. }
            | InL2 { .. } => true,
            Formula::JelinekMercer => matches!(
                self.model,
                Model::JelinekMercer {
                    form: Likelihood::Lucene,
                    ..
                }
            ),
            _ => false,
        };
        if !is_monotone || term.weight < 0.0 {
            return None;
        }
        let is_byte = matches!(
            self.model,
            Model::Bm25 {
                lengths: Lengths::Byte,
                ..
            }
        );
        let scores = pairs.iter().map(|(frequency, length)| {
            let length = if is_byte { rounded(*length) } else { *length };
            self.score_at(term, 0, *frequency, length)
        });
        Some(scores.fold(0.0, f64::max) * (1.0 + 1e-9))
    }
}

/// The largest of Lucene's 256 lengths that is not above this one.
fn rounded(length: u32) -> u32 {
    FieldNormReader::id_to_fieldnorm(FieldNormReader::fieldnorm_to_id(length))
}

fn formula(model: &Model, index: &Index, a: f64) -> Result<Formula, Error> {
    let saturated = |scale, k1: f64, b: f64, delta| Formula::Saturated {
        scale,
        c0: k1 * (1.0 - b),
        c1: k1 * b / a,
        delta,
    };
    Ok(match model {
        Model::Bm25 { k1, b, idf, .. } => {
            let scale = if *idf == Idf::Lucene { 1.0 } else { k1 + 1.0 };
            saturated(scale, *k1, *b, 0.0)
        }
        Model::Bm25Plus { k1, b, delta } => saturated(k1 + 1.0, *k1, *b, *delta),
        Model::TfIdf { k1, b } => saturated(*k1, *k1, *b, 0.0),
        Model::Bm25L { k1, b, delta } => Formula::Bm25L {
            k1: *k1,
            c0: 1.0 - b,
            c1: b / a,
            delta: *delta,
        },
        Model::Pivoted { s } => Formula::Pivoted {
            c0: 1.0 - s,
            c1: s / a,
        },
        Model::Dirichlet {
            form: Likelihood::Full,
            ..
        } => Formula::DirichletFull,
        Model::Dirichlet { mu, .. } => Formula::DirichletLucene { mu: *mu },
        Model::JelinekMercer { .. } => Formula::JelinekMercer,
        Model::Dph => Formula::Dph { a },
        Model::Pl2 { c } => Formula::Pl2 { ca: c * a },
        Model::InL2 { c } => Formula::InL2 { ca: c * a },
        Model::Vsm(smart) => Formula::Vector(Vectors::new(smart, index)?),
    })
}

fn dph(f: f64, l: f64, a: f64, documents_per_occurrence: f64) -> f64 {
    let r = f / l;
    if r >= 1.0 {
        return 0.0;
    }
    let norm = (1.0 - r).powi(2) / (f + 1.0);
    norm * (f * (f * a / l * documents_per_occurrence).log2()
        + 0.5 * (2.0 * PI * f * (1.0 - r)).log2())
}

fn pl2(t: f64, x: f64) -> f64 {
    let randomness =
        t * (1.0 / x).log2() + x * LOG2_E + 0.5 * (2.0 * PI * t).log2() + t * (t.log2() - LOG2_E);
    randomness / (t + 1.0)
}

/// The mean of `ln((N - n + 0.5) / (n + 0.5))` over all terms.
fn mean_idf(index: &Index, documents: f64) -> Result<f64, Error> {
    let (mut sum, mut terms) = (0.0, 0.0);
    index.each_term(|_, with_term| {
        sum += ((documents - with_term as f64 + 0.5) / (with_term as f64 + 0.5)).ln();
        terms += 1.0;
    })?;
    Ok(if terms > 0.0 { sum / terms } else { 0.0 })
}

impl Vectors {
    fn new(smart: &Smart, index: &Index) -> Result<Self, Error> {
        let count = index.lengths().len();
        let (mut unique, mut greatest) = (vec![0.0; count], vec![0.0; count]);
        index.each_posting(|_, doc, frequency| {
            let doc = doc as usize;
            unique[doc] += 1.0;
            greatest[doc] = f64::from(frequency).max(greatest[doc]);
        })?;
        let means: Vec<f64> = index
            .lengths()
            .iter()
            .zip(&unique)
            .map(|(length, unique)| f64::from(*length) / unique)
            .collect();
        let mean_unique = unique.iter().sum::<f64>() / count.max(1) as f64;
        let letters = smart.document;
        let norms = match letters.norm {
            'c' => {
                let documents = index.description().counted() as f64;
                let mut squares = vec![0.0; count];
                index.each_posting(|with_term, doc, frequency| {
                    let doc = doc as usize;
                    let tf = smart.tf(letters, frequency.into(), greatest[doc], means[doc]);
                    squares[doc] += (tf * smart.idf(letters, documents, with_term as f64)).powi(2);
                })?;
                squares.into_iter().map(f64::sqrt).collect()
            }
            'u' => unique
                .iter()
                .map(|unique| pivoted(smart.slope, *unique, mean_unique))
                .collect(),
            _ => vec![1.0; count],
        };
        Ok(Self {
            smart: smart.clone(),
            norms,
            greatest,
            means,
            mean_unique,
        })
    }

    #[inline]
    fn weight(&self, doc: u32, frequency: f64) -> f64 {
        let doc = doc as usize;
        let tf = self.smart.tf(
            self.smart.document,
            frequency,
            self.greatest[doc],
            self.means[doc],
        );
        tf / self.norms[doc]
    }

    fn weigh(&self, terms: &[TermStats], documents: f64) -> Vec<TermWeight> {
        let smart = &self.smart;
        let frequencies = terms.iter().map(|term| term.query);
        let greatest = frequencies.clone().fold(0.0, f64::max);
        let mean = frequencies.sum::<f64>() / terms.len().max(1) as f64;
        let query: Vec<f64> = terms
            .iter()
            .map(|term| {
                smart.tf(smart.query, term.query, greatest, mean)
                    * smart.idf(smart.query, documents, term.documents as f64)
            })
            .collect();
        let norm = match smart.query.norm {
            'c' => query
                .iter()
                .map(|weight| weight * weight)
                .sum::<f64>()
                .sqrt(),
            'u' => pivoted(smart.slope, terms.len() as f64, self.mean_unique),
            _ => 1.0,
        };
        let norm = if norm > 0.0 { norm } else { 1.0 };
        query
            .iter()
            .zip(terms)
            .map(|(weight, term)| TermWeight {
                weight: weight / norm * smart.idf(smart.document, documents, term.documents as f64),
                extra: 0.0,
            })
            .collect()
    }
}

fn pivoted(slope: f64, unique: f64, mean_unique: f64) -> f64 {
    1.0 - slope + slope * unique / mean_unique
}
