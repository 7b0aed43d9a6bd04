//! Fusion methods by name.

use std::fmt;
use std::str::FromStr;

use cranfield_core::arguments::{Arguments, write};
use cranfield_core::error::Error;

/// A fusion method with its parameters.
///
/// Notation: `s` and `r` are the normalised score and the rank (from 1) of a document in one run, `w` the weight of that run, `n` the number
/// of runs that retrieved the document. Sums are over these runs.
///
/// ```
/// use cranfield_fusion::Method;
///
/// let method: Method = "RRF(k=10)".parse()?;
/// assert_eq!(method.to_string(), "rrf(k=10)");
/// let error = "rrf(c=1)".parse::<Method>().unwrap_err();
/// assert_eq!(error.to_string(), "rrf has no parameter `c`; it has k");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// The lowest score (Fox and Shaw 1993).
    Min,
    /// The highest score.
    Max,
    /// The median of the scores.
    Med,
    /// `Σ s`.
    Sum,
    /// `Σ s / n`.
    Anz,
    /// `n·Σ s`.
    Mnz,
    /// `n^gamma·Σ s` (Lee 1997).
    Gmnz {
        /// Importance of the number of runs: 0 is `sum`, 1 is `mnz`.
        gamma: f64,
    },
    /// `Σ w·s`.
    Wsum,
    /// `Σ s·Σ w` (Wu and Crestani 2002).
    Wmnz,
    /// `sqrt(n)·Σ w·s` (Wu and Crestani 2002).
    Mixed,
    /// `n·Σ 1/r²` (Mourão et al. 2014).
    Isr,
    /// `ln(n)·Σ 1/r²`; 0 for documents of one run.
    LogIsr,
    /// `ln(n + sigma)·Σ 1/r²`.
    LognIsr {
        /// Keeps documents of one run apart.
        sigma: f64,
    },
    /// Reciprocal rank fusion: `Σ w/(k + r)` (Cormack et al. 2009).
    Rrf {
        /// How little the first ranks count.
        k: f64,
    },
    /// Rank-biased centroids: `Σ w·(1 - phi)·phi^(r - 1)` (Bailey et al. 2017).
    Rbc {
        /// Persistence.
        phi: f64,
    },
    /// Borda's count (Aslam and Montague 2001): of `C` documents, `C - r + 1` points; those that a run with `m` documents lacks share
    /// what is left, `(C - m + 1)/2` each.
    Borda,
    /// Weighted Borda count.
    WeightedBorda,
    /// Condorcet fusion (Montague and Aslam 2002): documents sorted by pairwise majority.
    Condorcet,
    /// Condorcet fusion with weighted votes.
    WeightedCondorcet,
    /// Copeland's rule: pairwise victories minus defeats.
    Copeland,
    /// `PosFuse` (Lillis et al. 2010): `Σ P(r)`, where `P(r)` is the share of training topics with a relevant document at rank `r`.
    Pos,
    /// `ProbFuse` (Lillis et al. 2006): `Σ P(x)/x`, where `x` is the number of the document's segment.
    Prob {
        /// Number of segments of a ranking, all of one length.
        segments: usize,
    },
    /// `SegFuse` (Shokouhi 2007): `Σ P(x)·(1 + s)`, with segments that double in length.
    Seg,
    /// `SlideFuse` (Lillis et al. 2008): `Σ` of the mean of `P` over ranks `r - w` to `r + w`.
    Slide {
        /// Ranks to each side.
        w: usize,
    },
    /// `MAPFuse` (Lillis et al. 2010): `Σ MAP/r`, where MAP is the mean average precision of the run.
    Map,
    /// `BayesFuse` (Aslam and Montague 2001): the sum of the logarithms of the odds of relevance, by bins of ranks.
    Bayes,
}

/// Whether a method has weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// It has none.
    None,
    /// All weights are 1 unless they are given.
    Optional,
    /// They must be given.
    Required,
}

/// All names, as they are printed.
pub const METHODS: [&str; 26] = [
    "min",
    "max",
    "med",
    "sum",
    "anz",
    "mnz",
    "gmnz",
    "wsum",
    "wmnz",
    "mixed",
    "isr",
    "log_isr",
    "logn_isr",
    "rrf",
    "rbc",
    "bordafuse",
    "w_bordafuse",
    "condorcet",
    "w_condorcet",
    "copeland",
    "posfuse",
    "probfuse",
    "segfuse",
    "slidefuse",
    "mapfuse",
    "bayesfuse",
];

impl Method {
    /// The methods that learn from judgements.
    pub fn is_trained(self) -> bool {
        matches!(
            self,
            Self::Pos
                | Self::Prob { .. }
                | Self::Seg
                | Self::Slide { .. }
                | Self::Map
                | Self::Bayes
        )
    }

    /// The methods whose result depends on scores, so that normalisation matters.
    pub fn uses_scores(self) -> bool {
        use Method::{Anz, Gmnz, Max, Med, Min, Mixed, Mnz, Seg, Sum, Wmnz, Wsum};
        matches!(
            self,
            Min | Max | Med | Sum | Anz | Mnz | Gmnz { .. } | Wsum | Wmnz | Mixed | Seg
        )
    }

    /// Whether the method has weights.
    pub fn weighting(self) -> Weighting {
        match self {
            Self::Wsum
            | Self::Wmnz
            | Self::Mixed
            | Self::WeightedBorda
            | Self::WeightedCondorcet => Weighting::Required,
            Self::Rrf { .. } | Self::Rbc { .. } | Self::Copeland => Weighting::Optional,
            _ => Weighting::None,
        }
    }

    /// The name without parameters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::Med => "med",
            Self::Sum => "sum",
            Self::Anz => "anz",
            Self::Mnz => "mnz",
            Self::Gmnz { .. } => "gmnz",
            Self::Wsum => "wsum",
            Self::Wmnz => "wmnz",
            Self::Mixed => "mixed",
            Self::Isr => "isr",
            Self::LogIsr => "log_isr",
            Self::LognIsr { .. } => "logn_isr",
            Self::Rrf { .. } => "rrf",
            Self::Rbc { .. } => "rbc",
            Self::Borda => "bordafuse",
            Self::WeightedBorda => "w_bordafuse",
            Self::Condorcet => "condorcet",
            Self::WeightedCondorcet => "w_condorcet",
            Self::Copeland => "copeland",
            Self::Pos => "posfuse",
            Self::Prob { .. } => "probfuse",
            Self::Seg => "segfuse",
            Self::Slide { .. } => "slidefuse",
            Self::Map => "mapfuse",
            Self::Bayes => "bayesfuse",
        }
    }

    /// Name and value of the parameters.
    pub fn parameters(self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Gmnz { gamma } => vec![("gamma", gamma)],
            Self::LognIsr { sigma } => vec![("sigma", sigma)],
            Self::Rrf { k } => vec![("k", k)],
            Self::Rbc { phi } => vec![("phi", phi)],
            Self::Prob { segments } => vec![("segments", segments as f64)],
            Self::Slide { w } => vec![("w", w as f64)],
            _ => Vec::new(),
        }
    }
}

impl Default for Method {
    /// `rrf(k=60)`, which needs neither comparable scores nor training.
    fn default() -> Self {
        Self::Rrf { k: 60.0 }
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let first = match text.split('(').next().map(str::trim) {
            Some(name) if name.eq_ignore_ascii_case("gmnz") => "gamma",
            Some(name) if name.eq_ignore_ascii_case("logn_isr") => "sigma",
            Some(name) if name.eq_ignore_ascii_case("rbc") => "phi",
            Some(name) if name.eq_ignore_ascii_case("probfuse") => "segments",
            Some(name) if name.eq_ignore_ascii_case("slidefuse") => "w",
            _ => "k",
        };
        let mut given = Arguments::parse(text, "fusion method", &METHODS, first)?;
        let method = match given.name() {
            "min" => Self::Min,
            "max" => Self::Max,
            "med" => Self::Med,
            "sum" => Self::Sum,
            "anz" => Self::Anz,
            "mnz" => Self::Mnz,
            "gmnz" => Self::Gmnz {
                gamma: given.real("gamma", 0.5, -1e3..=1e3)?,
            },
            "wsum" => Self::Wsum,
            "wmnz" => Self::Wmnz,
            "mixed" => Self::Mixed,
            "isr" => Self::Isr,
            "log_isr" => Self::LogIsr,
            "logn_isr" => Self::LognIsr {
                sigma: given.real("sigma", 0.01, 0.0..=1.0)?,
            },
            "rbc" => Self::Rbc {
                phi: given.real("phi", 0.8, 0.0..=1.0)?,
            },
            "bordafuse" => Self::Borda,
            "w_bordafuse" => Self::WeightedBorda,
            "condorcet" => Self::Condorcet,
            "w_condorcet" => Self::WeightedCondorcet,
            "copeland" => Self::Copeland,
            "posfuse" => Self::Pos,
            "probfuse" => Self::Prob {
                segments: given.count("segments", 25)?,
            },
            "segfuse" => Self::Seg,
            "slidefuse" => Self::Slide {
                w: given.count("w", 5)?,
            },
            "mapfuse" => Self::Map,
            "bayesfuse" => Self::Bayes,
            _ => Self::Rrf {
                k: given.real("k", 60.0, 0.0..=1e9)?,
            },
        };
        given.finish()?;
        Ok(method)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.parameters();
        let parameters: Vec<_> = parameters
            .iter()
            .map(|(key, value)| (*key, value.to_string()))
            .collect();
        write(f, self.name(), &parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_names_parse_back() {
        for name in METHODS {
            let method: Method = name.parse().unwrap();
            assert_eq!(method.name(), name);
            assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
        }
        let given = [
            "rrf(10)",
            "gmnz(gamma=0.25)",
            "rbc(phi=0.95)",
            "probfuse(7)",
        ];
        for name in given {
            let method: Method = name.parse().unwrap();
            assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
        }
        assert_eq!("rrf(10)".parse(), Ok(Method::Rrf { k: 10.0 }));
    }

    #[test]
    fn wrong_names_and_parameters_are_errors() {
        let message = |name: &str| name.parse::<Method>().unwrap_err().to_string();
        assert!(message("rff").starts_with("unknown fusion method `rff`; one of: min, max"));
        assert_eq!(
            message("rbc(phi=2)"),
            "phi of rbc must be a number from 0 to 1, found `2`"
        );
        assert_eq!(message("mnz(k=2)"), "mnz has no parameter `k`; it has none");
        assert!(message("rrf@10").contains("has a cutoff"));
    }
}
