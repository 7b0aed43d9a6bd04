//! Normalisations: the scores of a topic in one run, on a scale that runs share.

use std::fmt;
use std::str::FromStr;

use cranfield_core::arguments::{Arguments, write};
use cranfield_core::error::Error;

use crate::settings::Profile;

/// A normalisation of the scores of one topic in one run.
///
/// Notation: `s` is a score, `min`, `max`, `mean` and `sd` are over the scores of the list, `n` is their number, `r` the rank from 1.
/// A list whose scores are all equal has no spread to divide by; the last column of the guide's table says what it becomes.
///
/// ```
/// use cranfield_fusion::Norm;
///
/// let norm: Norm = "zmuv(shift=2)".parse()?;
/// assert_eq!(norm, Norm::Zmuv { shift: 2.0 });
/// assert_eq!(norm.to_string(), "zmuv(shift=2)");
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Norm {
    /// `(s - min)/(max - min)`; 1 if all are equal.
    #[default]
    MinMax,
    /// `(max - s)/(max - min)`, for distances: the lowest score is the best; 1 if all are equal.
    MinMaxInverted,
    /// `s/max`, for scores whose maximum is above 0.
    Max,
    /// `(s - min)/Σ(s - min)`; `1/n` if all are equal.
    Sum,
    /// `(s - mean)/sd + shift`, with the standard deviation of the population; `shift` if all are equal.
    Zmuv {
        /// Added to every score, so that documents of the list are above those that it lacks. 2 gives 2MUV.
        shift: f64,
    },
    /// `1 - (r - 1)/n`.
    Rank,
    /// `1 - (r - 1)/C`, where `C` is the number of documents that any run has; the others share `1/2 - (n - 1)/(2C)`.
    Borda,
    /// Distribution-based: `(s - (mean - 3 sd))/(6 sd)`, with the standard deviation of a sample; 1/2 if all are equal.
    Dbsf,
    /// `1/(1 + e^-s)`.
    Sigmoid,
    /// `(s - min)/(max - min)`, where `min` is the lowest score that the system can give; 1 if `max` is `min`.
    TheoreticalMinMax {
        /// The lowest possible score: 0 for BM25, -1 for a cosine.
        min: f64,
    },
    /// The score itself.
    None,
}

/// All names, as they are printed.
pub const NORMS: [&str; 11] = [
    "min-max",
    "min-max-inverted",
    "max",
    "sum",
    "zmuv",
    "rank",
    "borda",
    "dbsf",
    "sigmoid",
    "tmm",
    "none",
];

/// The least divisor of ranx.
const RANX_FLOOR: f64 = 1e-9;

/// The highest score of a list is not above 0, so that dividing by it would reverse or distort the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NotPositive(pub(crate) f64);

impl Norm {
    /// The name without parameters.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinMax => "min-max",
            Self::MinMaxInverted => "min-max-inverted",
            Self::Max => "max",
            Self::Sum => "sum",
            Self::Zmuv { .. } => "zmuv",
            Self::Rank => "rank",
            Self::Borda => "borda",
            Self::Dbsf => "dbsf",
            Self::Sigmoid => "sigmoid",
            Self::TheoreticalMinMax { .. } => "tmm",
            Self::None => "none",
        }
    }

    /// Whether low scores are good, so that the list is ranked by ascending score.
    pub fn is_inverted(self) -> bool {
        self == Self::MinMaxInverted
    }

    /// Normalises the scores of a list, which are in rank order. `candidates` is the number of documents that any run has, for
    /// [`Borda`](Self::Borda).
    ///
    /// # Errors
    /// For [`Max`](Self::Max), if no score is above 0.
    ///
    /// ```
    /// use cranfield_fusion::{Norm, Profile};
    ///
    /// let mut scores = [4.0, 3.0, 2.0];
    /// Norm::MinMax.normalise(&mut scores, 3, Profile::Cranfield)?;
    /// assert_eq!(scores, [1.0, 0.5, 0.0]);
    /// # Ok::<(), cranfield_fusion::Error>(())
    /// ```
    pub fn normalise(
        self,
        scores: &mut [f64],
        candidates: usize,
        profile: Profile,
    ) -> Result<(), crate::Error> {
        let applied = self.apply(scores, candidates, profile);
        applied.map_err(|max| crate::Error::not_positive("", b"", max.0))
    }

    /// Normalises the scores of a list, which are in rank order. `candidates` is the number of documents that any run has.
    pub(crate) fn apply(
        self,
        scores: &mut [f64],
        candidates: usize,
        profile: Profile,
    ) -> Result<(), NotPositive> {
        if scores.is_empty() {
            return Ok(());
        }
        let n = scores.len() as f64;
        let min = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = Scale { profile, scores };
        match self {
            Self::None => {}
            Self::MinMax => scale.divide(max - min, 1.0, |s| s - min),
            Self::MinMaxInverted => scale.divide(max - min, 1.0, |s| max - s),
            Self::Max if max <= 0.0 && profile != Profile::Ranx => return Err(NotPositive(max)),
            Self::Max => scale.divide(max, 1.0, |s| s),
            Self::Sum => {
                let total = match profile {
                    Profile::Ranx => scale.sum(|s| s) - min * n,
                    Profile::Cranfield => scale.sum(|s| s - min),
                };
                scale.divide(total, 1.0 / n, |s| s - min);
            }
            Self::Zmuv { shift } => {
                let mean = scale.sum(|s| s) / n;
                let sd = (scale.sum(|s| (s - mean) * (s - mean)) / n).sqrt();
                scale.divide(sd, 0.0, |s| s - mean);
                for score in scores {
                    *score += shift;
                }
            }
            Self::Rank => scale.by_place(n),
            Self::Borda => scale.by_place(candidates as f64),
            Self::Dbsf => {
                let mean = scale.sum(|s| s) / n;
                let sd = (scale.sum(|s| (s - mean) * (s - mean)) / (n - 1.0).max(1.0)).sqrt();
                scale.divide(6.0 * sd, 0.5, |s| s - (mean - 3.0 * sd));
            }
            Self::Sigmoid => {
                for score in scores {
                    *score = 1.0 / (1.0 + (-*score).exp());
                }
            }
            Self::TheoreticalMinMax { min } => scale.divide(max - min, 1.0, |s| s - min),
        }
        Ok(())
    }

    /// The score of the documents that a list of `retrieved` documents lacks, if the normalisation gives them one.
    pub fn of_missing(self, retrieved: usize, candidates: usize) -> Option<f64> {
        (self == Self::Borda).then(|| 0.5 - (retrieved as f64 - 1.0) / (2.0 * candidates as f64))
    }
}

/// The scores of a list under a profile.
struct Scale<'s> {
    profile: Profile,
    scores: &'s mut [f64],
}

impl Scale<'_> {
    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        // From plus zero: the sum of no numbers is minus zero.
        self.scores.iter().fold(0.0, |sum, s| sum + of(*s))
    }

    /// Divides all numerators by the divisor, or makes all scores `constant` if it is 0.
    fn divide(self, divisor: f64, constant: f64, numerator: impl Fn(f64) -> f64) {
        let divisor = match self.profile {
            Profile::Ranx if divisor < RANX_FLOOR => RANX_FLOOR,
            _ => divisor,
        };
        for score in self.scores {
            *score = if divisor == 0.0 {
                constant
            } else {
                numerator(*score) / divisor
            };
        }
    }

    fn by_place(self, n: f64) {
        for (place, score) in self.scores.iter_mut().enumerate() {
            *score = 1.0 - place as f64 / n;
        }
    }
}

impl FromStr for Norm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        // ranx spells some names with underscores.
        let text = &text.replace("min_max", "min-max").replace("x_inv", "x-inv");
        let first = if text.starts_with("tmm") {
            "min"
        } else {
            "shift"
        };
        let mut given = Arguments::parse(text, "normalisation", &NORMS, first)?;
        let norm = match given.name() {
            "min-max" => Self::MinMax,
            "min-max-inverted" => Self::MinMaxInverted,
            "max" => Self::Max,
            "sum" => Self::Sum,
            "zmuv" => Self::Zmuv {
                shift: given.real("shift", 0.0, -1e9..=1e9)?,
            },
            "rank" => Self::Rank,
            "borda" => Self::Borda,
            "dbsf" => Self::Dbsf,
            "sigmoid" => Self::Sigmoid,
            "tmm" => Self::TheoreticalMinMax {
                min: given.real("min", 0.0, -1e300..=1e300)?,
            },
            _ => Self::None,
        };
        given.finish()?;
        Ok(norm)
    }
}

impl fmt::Display for Norm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zmuv { shift } if *shift != 0.0 => {
                write(f, "zmuv", &[("shift", shift.to_string())])
            }
            Self::TheoreticalMinMax { min } => write(f, "tmm", &[("min", min.to_string())]),
            _ => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(norm: &str, profile: Profile, scores: &[f64], expected: &[f64]) {
        let norm: Norm = norm.parse().unwrap();
        assert_eq!(norm.to_string().parse::<Norm>().unwrap(), norm);
        let mut found = scores.to_vec();
        norm.apply(&mut found, 8, profile).unwrap();
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() < 1e-12,
                "{norm}: {found} {expected}"
            );
        }
    }

    #[test]
    fn every_normalisation_by_hand() {
        let scores = [4.0, 3.0, 2.0, 1.0];
        let ours = Profile::Cranfield;
        check("min-max", ours, &scores, &[1.0, 2.0 / 3.0, 1.0 / 3.0, 0.0]);
        check("min_max_inverted", ours, &[1.0, 3.0], &[1.0, 0.0]);
        check("max", ours, &scores, &[1.0, 0.75, 0.5, 0.25]);
        check("sum", ours, &scores, &[0.5, 2.0 / 6.0, 1.0 / 6.0, 0.0]);
        let sd = 1.25f64.sqrt();
        check(
            "zmuv",
            ours,
            &scores,
            &[1.5 / sd, 0.5 / sd, -0.5 / sd, -1.5 / sd],
        );
        check("zmuv(shift=2)", ours, &[3.0, 1.0], &[3.0, 1.0]);
        check("rank", ours, &scores, &[1.0, 0.75, 0.5, 0.25]);
        check("borda", ours, &scores, &[1.0, 0.875, 0.75, 0.625]);
        check("none", ours, &scores, &scores);
        check("sigmoid", ours, &[0.0], &[0.5]);
        check("tmm(min=-4)", ours, &scores, &[1.0, 0.875, 0.75, 0.625]);
        // Mean 2, sample deviation sqrt(2): (3 - 2 + 3·sqrt(2))/(6·sqrt(2)).
        let shift = 1.0 / (6.0 * 2f64.sqrt());
        check("dbsf", ours, &[3.0, 1.0], &[0.5 + shift, 0.5 - shift]);
        assert_eq!(Norm::Borda.of_missing(4, 8), Some(0.5 - 3.0 / 16.0));
    }

    #[test]
    fn lists_of_equal_scores() {
        let (ours, ranx) = (Profile::Cranfield, Profile::Ranx);
        for (norm, expected, in_ranx) in [
            ("min-max", 1.0, 0.0),
            ("min-max-inverted", 1.0, 0.0),
            ("max", 1.0, 1.0),
            ("sum", 0.5, 0.0),
            ("zmuv", 0.0, 0.0),
            ("dbsf", 0.5, 0.0),
        ] {
            check(norm, ours, &[7.0, 7.0], &[expected; 2]);
            check(norm, ranx, &[7.0, 7.0], &[in_ranx; 2]);
        }
    }

    #[test]
    fn a_maximum_of_zero_or_less_is_no_divisor() {
        let applied = Norm::Max.apply(&mut [-1.0, -2.0], 2, Profile::Cranfield);
        assert_eq!(applied, Err(NotPositive(-1.0)));
        check("max", Profile::Ranx, &[-1.0], &[-1.0 / 1e-9]);
        assert_eq!(Norm::Max.apply(&mut [], 0, Profile::Cranfield), Ok(()));
    }
}
