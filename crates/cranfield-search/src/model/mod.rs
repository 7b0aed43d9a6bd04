//! Ranking functions by name.
//!
//! Notation in the formulas: `N` documents, `n` of them with the term, `F` occurrences of the term, `T` terms in all documents, `l`
//! terms in the document, `a = T / N`, `f` occurrences in the document, `q` occurrences in the query. A score is the sum over the
//! terms of the query that are in the document, in the order of the query.

mod smart;
mod weight;

pub use smart::Smart;
pub(crate) use weight::{BoundModel, Rest, TermStats, TermWeight};

use std::fmt;
use std::str::FromStr;

use cranfield_core::error::Error;

use cranfield_core::arguments::{Arguments, write};

/// Inverse document frequency of BM25.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idf {
    /// `ln(1 + (N - n + 0.5) / (n + 0.5))`, as in Lucene; the frequency part has no factor `k1 + 1`.
    #[default]
    Lucene,
    /// `ln(N / n)`, as in ATIRE.
    Atire,
    /// `ln((N - n + 0.5) / (n + 0.5))`, negative for a term in more than half of the documents.
    Robertson,
    /// As `Robertson`, but 0 if negative.
    RobertsonZero,
    /// As `Robertson`, but a quarter of the mean over all terms if negative, as in `rank_bm25`.
    RobertsonMean,
    /// `log2((N - n + 0.5) / (n + 0.5))` and `k3 = 8` for repeated terms of the query, as in Terrier.
    Terrier,
}

const IDFS: [(&str, Idf); 6] = [
    ("lucene", Idf::Lucene),
    ("atire", Idf::Atire),
    ("robertson", Idf::Robertson),
    ("robertson-zero", Idf::RobertsonZero),
    ("robertson-mean", Idf::RobertsonMean),
    ("terrier", Idf::Terrier),
];

/// Document lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengths {
    /// The number of terms.
    #[default]
    Exact,
    /// Rounded down to one of 256 values, as Lucene stores them.
    Byte,
}

const LENGTHS: [(&str, Lengths); 2] = [("exact", Lengths::Exact), ("byte", Lengths::Byte)];

/// How query likelihood treats terms that a document lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Likelihood {
    /// Every term of the query counts, which is query likelihood.
    #[default]
    Full,
    /// Only terms in the document count, and none lowers the score, as in Lucene.
    Lucene,
}

const LIKELIHOODS: [(&str, Likelihood); 2] =
    [("full", Likelihood::Full), ("lucene", Likelihood::Lucene)];

/// A ranking function with its parameters.
///
/// ```
/// use cranfield_search::Model;
///
/// let model: Model = "bm25(b=0.75)".parse()?;
/// assert_eq!(model.to_string(), "BM25(k1=0.9, b=0.75)");
/// let error = "BM25(k2=1)".parse::<Model>().unwrap_err();
/// assert_eq!(error.to_string(), "BM25 has no parameter `k2`; did you mean `k1`?");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Model {
    /// `q·idf·f / (f + k1·(1 - b + b·l/a))`, with a factor `k1 + 1` for every [`Idf`] but Lucene's.
    Bm25 {
        /// Saturation of term frequency.
        k1: f64,
        /// Strength of length normalisation.
        b: f64,
        /// Inverse document frequency.
        idf: Idf,
        /// Document lengths.
        lengths: Lengths,
    },
    /// BM25+: `q·ln((N + 1)/n)·(f·(k1 + 1)/(f + K) + delta)`, where `K = k1·(1 - b + b·l/a)`.
    Bm25Plus {
        /// Saturation of term frequency.
        k1: f64,
        /// Strength of length normalisation.
        b: f64,
        /// The least contribution of a term that occurs.
        delta: f64,
    },
    /// BM25L: `q·ln((N + 1)/(n + 0.5))·(k1 + 1)·(c + delta)/(k1 + c + delta)`, where `c = f/(1 - b + b·l/a)`.
    Bm25L {
        /// Saturation of term frequency.
        k1: f64,
        /// Strength of length normalisation.
        b: f64,
        /// Shift of the normalised frequency.
        delta: f64,
    },
    /// Terrier's `TF_IDF`: `q'·k1·f/(f + K)·log2(N/n + 1)`, where `q'` is `q` divided by its maximum in the query.
    TfIdf {
        /// Saturation of term frequency.
        k1: f64,
        /// Strength of length normalisation.
        b: f64,
    },
    /// The vector space model with SMART's weights.
    Vsm(Smart),
    /// Pivoted length normalisation: `q·(1 + ln(1 + ln f))/(1 - s + s·l/a)·ln((N + 1)/n)`.
    Pivoted {
        /// The slope.
        s: f64,
    },
    /// Query likelihood with Dirichlet smoothing: `q·ln((f + mu·F/T)/(l + mu))` over all terms of the query.
    Dirichlet {
        /// Size of the prior.
        mu: f64,
        /// Treatment of terms that the document lacks.
        form: Likelihood,
    },
    /// Query likelihood with Jelinek-Mercer smoothing: `q·ln((1 - lambda)·f/l + lambda·F/T)` over all terms of the query.
    JelinekMercer {
        /// Weight of the collection.
        lambda: f64,
        /// Treatment of terms that the document lacks.
        form: Likelihood,
    },
    /// Divergence from randomness, hypergeometric, without parameters: with `r = f/l`,
    /// `q·(1 - r)²/(f + 1)·(f·log2(f·a/l·N/F) + 0.5·log2(2π·f·(1 - r)))`.
    Dph,
    /// Divergence from randomness, Poisson: with `t = f·log2(1 + c·a/l)` and `x = F/N`,
    /// `q/(t + 1)·(t·log2(1/x) + x·log2 e + 0.5·log2(2π·t) + t·(log2 t - log2 e))`.
    Pl2 {
        /// Strength of length normalisation.
        c: f64,
    },
    /// Divergence from randomness, inverse document frequency: `q·t/(t + 1)·log2((N + 1)/(n + 0.5))`.
    InL2 {
        /// Strength of length normalisation.
        c: f64,
    },
}

const NAMES: [&str; 10] = [
    "BM25", "BM25+", "BM25L", "TF_IDF", "VSM", "Pivoted", "QL", "DPH", "PL2", "InL2",
];

impl Default for Model {
    fn default() -> Self {
        Self::Bm25 {
            k1: 0.9,
            b: 0.4,
            idf: Idf::Lucene,
            lengths: Lengths::Exact,
        }
    }
}

impl Model {
    /// Names of all models.
    pub const NAMES: &'static [&'static str] = &NAMES;
}

impl FromStr for Model {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut arguments = Arguments::parse(text, "model", &NAMES, "weights")?;
        let model = read(&mut arguments)?;
        arguments.finish()?;
        Ok(model)
    }
}

fn read(arguments: &mut Arguments) -> Result<Model, Error> {
    const ANY: std::ops::RangeInclusive<f64> = 0.0..=f64::MAX;
    let positive = f64::MIN_POSITIVE..=f64::MAX;
    Ok(match arguments.name() {
        "BM25" => Model::Bm25 {
            k1: arguments.real("k1", 0.9, ANY)?,
            b: arguments.real("b", 0.4, 0.0..=1.0)?,
            idf: arguments.choice("idf", &IDFS)?.unwrap_or_default(),
            lengths: arguments.choice("lengths", &LENGTHS)?.unwrap_or_default(),
        },
        "BM25+" => Model::Bm25Plus {
            k1: arguments.real("k1", 1.2, ANY)?,
            b: arguments.real("b", 0.75, 0.0..=1.0)?,
            delta: arguments.real("delta", 1.0, ANY)?,
        },
        "BM25L" => Model::Bm25L {
            k1: arguments.real("k1", 1.2, ANY)?,
            b: arguments.real("b", 0.75, 0.0..=1.0)?,
            delta: arguments.real("delta", 0.5, ANY)?,
        },
        "TF_IDF" => Model::TfIdf {
            k1: arguments.real("k1", 1.2, ANY)?,
            b: arguments.real("b", 0.75, 0.0..=1.0)?,
        },
        "VSM" => Model::Vsm(Smart::read(arguments)?),
        "Pivoted" => Model::Pivoted {
            s: arguments.real("s", 0.2, 0.0..=1.0)?,
        },
        "QL" if arguments.has("lambda") => Model::JelinekMercer {
            lambda: arguments.real("lambda", 0.1, f64::MIN_POSITIVE..=1.0)?,
            form: arguments.choice("form", &LIKELIHOODS)?.unwrap_or_default(),
        },
        "QL" => Model::Dirichlet {
            mu: arguments.real("mu", 1000.0, positive)?,
            form: arguments.choice("form", &LIKELIHOODS)?.unwrap_or_default(),
        },
        "DPH" => Model::Dph,
        "PL2" => Model::Pl2 {
            c: arguments.real("c", 1.0, positive)?,
        },
        _ => Model::InL2 {
            c: arguments.real("c", 1.0, positive)?,
        },
    })
}

/// The name of a choice, as a parameter if it is not the default.
fn choice<T: PartialEq + Default + Copy>(
    key: &'static str,
    value: T,
    all: &[(&'static str, T)],
) -> Option<(&'static str, String)> {
    let (name, _) = all.iter().find(|(_, other)| *other == value)?;
    (value != T::default()).then(|| (key, format!("'{name}'")))
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let real = |key: &'static str, value: &f64| (key, value.to_string());
        match self {
            Self::Bm25 {
                k1,
                b,
                idf,
                lengths,
            } => {
                let mut all = vec![real("k1", k1), real("b", b)];
                all.extend(choice("idf", *idf, &IDFS));
                all.extend(choice("lengths", *lengths, &LENGTHS));
                write(f, "BM25", &all)
            }
            Self::Bm25Plus { k1, b, delta } => write(
                f,
                "BM25+",
                &[real("k1", k1), real("b", b), real("delta", delta)],
            ),
            Self::Bm25L { k1, b, delta } => write(
                f,
                "BM25L",
                &[real("k1", k1), real("b", b), real("delta", delta)],
            ),
            Self::TfIdf { k1, b } => write(f, "TF_IDF", &[real("k1", k1), real("b", b)]),
            Self::Vsm(smart) => smart.fmt(f),
            Self::Pivoted { s } => write(f, "Pivoted", &[real("s", s)]),
            Self::Dirichlet { mu, form } => {
                let mut all = vec![real("mu", mu)];
                all.extend(choice("form", *form, &LIKELIHOODS));
                write(f, "QL", &all)
            }
            Self::JelinekMercer { lambda, form } => {
                let mut all = vec![real("lambda", lambda)];
                all.extend(choice("form", *form, &LIKELIHOODS));
                write(f, "QL", &all)
            }
            Self::Dph => f.write_str("DPH"),
            Self::Pl2 { c } => write(f, "PL2", &[real("c", c)]),
            Self::InL2 { c } => write(f, "InL2", &[real("c", c)]),
        }
    }
}
