//! SMART's letters for the weights of the vector space model.

use std::fmt;

use cranfield_core::error::Error;

use cranfield_core::arguments::{Arguments, write};

/// Weights of documents and queries in SMART's notation, such as `lnc.ltc`.
///
/// Term frequency: `n` f, `l` 1 + ln f, `b` 1, `a` 0.5 + 0.5·f/max f, `L` (1 + ln f)/(1 + ln mean f). Document frequency: `n` 1,
/// `t` ln(N/n), `p` max(0, ln((N - n)/n)). Normalisation: `n` none, `c` cosine, `u` pivoted by the number of distinct terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Smart {
    pub(super) document: Letters,
    pub(super) query: Letters,
    /// The base of logarithms of frequencies and of document frequencies.
    pub(super) base: f64,
    /// The slope of the pivoted normalisation.
    pub(super) slope: f64,
}

/// The three letters of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) tf: char,
    pub(super) df: char,
    pub(super) norm: char,
}

impl Letters {
    fn parse(text: &str) -> Option<Self> {
        let [tf, df, norm] = text.chars().collect::<Vec<_>>().try_into().ok()?;
        let known = "nlbaL".contains(tf) && "ntp".contains(df) && "ncu".contains(norm);
        known.then_some(Self { tf, df, norm })
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.tf, self.df, self.norm)
    }
}

impl Smart {
    pub(super) fn read(arguments: &mut Arguments) -> Result<Self, Error> {
        let weights = arguments
            .text("weights")
            .unwrap_or_else(|| "lnc.ltc".into());
        let sides = weights.split_once('.');
        let sides = sides.and_then(|(document, query)| {
            Some((Letters::parse(document)?, Letters::parse(query)?))
        });
        let (document, query) = sides.ok_or_else(|| {
            Error::parameter(format!(
                "weights of VSM must be three letters for documents and three for queries, such as lnc.ltc (frequency n, l, b, a or L; \
                 document frequency n, t or p; normalisation n, c or u), found `{weights}`"
            ))
        })?;
        let base = arguments.choice(
            "log",
            &[("e", std::f64::consts::E), ("2", 2.0), ("10", 10.0)],
        )?;
        Ok(Self {
            document,
            query,
            base: base.unwrap_or(std::f64::consts::E),
            slope: arguments.real("slope", 0.2, 0.0..=1.0)?,
        })
    }

    pub(super) fn log(&self, x: f64) -> f64 {
        if self.base == 10.0 {
            x.log10()
        } else if self.base == 2.0 {
            x.log2()
        } else {
            x.ln()
        }
    }

    pub(super) fn idf(&self, letters: Letters, documents: f64, with_term: f64) -> f64 {
        match letters.df {
            't' => self.log(documents / with_term),
            'p' => self.log((documents - with_term) / with_term).max(0.0),
            _ => 1.0,
        }
    }

    /// The weight of a frequency; `greatest` and `mean` are those of the document or query.
    pub(super) fn tf(&self, letters: Letters, frequency: f64, greatest: f64, mean: f64) -> f64 {
        match letters.tf {
            'l' => 1.0 + self.log(frequency),
            'b' => 1.0,
            'a' => 0.5 + 0.5 * frequency / greatest,
            'L' => (1.0 + self.log(frequency)) / (1.0 + self.log(mean)),
            _ => frequency,
        }
    }
}

impl fmt::Display for Smart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = vec![("weights", format!("'{}.{}'", self.document, self.query))];
        if self.base != std::f64::consts::E {
            all.push(("log", self.base.to_string()));
        }
        if self.slope != 0.2 {
            all.push(("slope", self.slope.to_string()));
        }
        write(f, "VSM", &all)
    }
}
