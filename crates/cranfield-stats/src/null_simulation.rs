//! How often a test finds a difference where there is none.

use rayon::prelude::*;

use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::random::{MOST_REPLICATES, Resampling, Stream};

/// Where pairs of systems without a difference come from.
#[derive(Clone, Debug)]
pub enum NullSource<'a> {
    /// Two systems of these scores and as many topics as asked for, drawn with replacement; on each topic the two scores
    /// are exchanged with probability one half.
    Exchanged {
        /// Scores of real systems.
        scores: &'a ScoreMatrix,
        /// Topics of a comparison.
        topics: u32,
    },
    /// Precision at `depth` of two systems that find relevant documents equally well: on each topic both find a document
    /// relevant with the same probability, which is the square of a uniform random number.
    Precision {
        /// Topics of a comparison.
        topics: u32,
        /// Documents that are looked at; small numbers make coarse scores with many ties.
        depth: u32,
    },
}

impl NullSource<'_> {
    fn check(&self) -> Result<()> {
        let positive = |name, value: u32| {
            let error = StatsError::Setting {
                name,
                value: f64::from(value),
                expected: "a number of at least 1",
            };
            (value > 0).then_some(()).ok_or(error)
        };
        match self {
            Self::Exchanged { scores, topics } => {
                scores.at_least(2, 1)?;
                positive("topics", *topics)
            }
            Self::Precision { topics, depth } => {
                positive("topics", *topics)?;
                positive("depth", *depth)
            }
        }
    }

    /// Scores of two systems.
    fn draw(&self, stream: &mut Stream) -> (Vec<f64>, Vec<f64>) {
        match self {
            Self::Exchanged { scores, topics } => {
                let systems = scores.systems() as u32;
                let first = stream.index(systems);
                let second = (first + 1 + stream.index(systems - 1)) % systems as usize;
                let (first, second) = (scores.row(first), scores.row(second));
                let pair = |_| {
                    let topic = stream.index(scores.topics() as u32);
                    let (one, other) = (first[topic], second[topic]);
                    if stream.bits() & 1 == 0 {
                        (one, other)
                    } else {
                        (other, one)
                    }
                };
                (0..*topics).map(pair).unzip()
            }
            Self::Precision { topics, depth } => {
                let pair = |_| {
                    let probability = stream.unit().powi(2);
                    let mut precision = || {
                        let found = (0..*depth).filter(|_| stream.unit() < probability).count();
                        found as f64 / f64::from(*depth)
                    };
                    (precision(), precision())
                };
                (0..*topics).map(pair).unzip()
            }
        }
    }
}

/// Share of comparisons that a test rejects at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RejectionRate {
    /// Level of the test.
    pub alpha: f64,
    /// Comparisons with p <= alpha.
    pub rejected: usize,
    /// Comparisons in all.
    pub comparisons: usize,
    /// rejected / comparisons: should not be greater than alpha.
    pub rate: f64,
    /// Standard error of a rate of alpha: sqrt(alpha (1 - alpha) / comparisons).
    pub standard_error: f64,
}

/// Rejection rates of a test over simulated comparisons without a difference.
///
/// The test gets the scores of two systems and the number of the comparison, which may serve as its seed, and gives p.
/// 2,000 comparisons show a rate of 0.05 with a standard error of 0.005.
///
/// ```
/// use cranfield_stats::null_simulation::{NullSource, rejection_rates};
/// use cranfield_stats::{Alternative, paired_t::paired_t, random::Resampling};
/// let source = NullSource::Precision { topics: 30, depth: 10 };
/// let t = |a: &[f64], b: &[f64], _| Ok(paired_t(a, b, Alternative::TwoSided, 0.95)?.p);
/// let comparisons = Resampling { replicates: 2000, seed: 1 };
/// let rates = rejection_rates(&source, t, &[0.05], comparisons)?;
/// assert!((rates[0].rate - 0.05).abs() < 4.0 * rates[0].standard_error);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn rejection_rates(
    source: &NullSource<'_>,
    test: impl Fn(&[f64], &[f64], u64) -> Result<f64> + Sync,
    alphas: &[f64],
    comparisons: Resampling,
) -> Result<Vec<RejectionRate>> {
    source.check()?;
    let Resampling { replicates, seed } = comparisons.checked(MOST_REPLICATES)?;
    let compare = |number: usize| {
        let (a, b) = source.draw(&mut Stream::new(seed, number as u64));
        let p = test(&a, &b, number as u64)?;
        Ok(alphas
            .iter()
            .map(|&alpha| usize::from(p <= alpha))
            .collect())
    };
    let none = || Ok(vec![0; alphas.len()]);
    let rejected: Result<Vec<usize>> = (0..replicates)
        .into_par_iter()
        .map(compare)
        .reduce(none, |left, right| Ok(added(left?, &right?)));
    let rate = |(&alpha, rejected): (&f64, usize)| RejectionRate {
        alpha,
        rejected,
        comparisons: replicates,
        rate: rejected as f64 / replicates as f64,
        standard_error: (alpha * (1.0 - alpha) / replicates as f64).sqrt(),
    };
    Ok(alphas.iter().zip(rejected?).map(rate).collect())
}

fn added(mut left: Vec<usize>, right: &[usize]) -> Vec<usize> {
    for (sum, more) in left.iter_mut().zip(right) {
        *sum += more;
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::Alternative;
    use crate::paired_t::paired_t;
    use crate::randomisation::{Method, randomisation};
    use crate::testing::{A, B, C};
    use crate::wilcoxon::{self, ZeroRule};

    type Test = fn(&[f64], &[f64], u64) -> Result<f64>;

    const COMPARISONS: Resampling = Resampling {
        replicates: 2000,
        seed: 11,
    };

    #[test]
    fn tests_keep_their_level() {
        let scores = ScoreMatrix::new(&[A, B, C]).unwrap();
        let sources = [
            NullSource::Exchanged {
                scores: &scores,
                topics: 20,
            },
            NullSource::Precision {
                topics: 20,
                depth: 5,
            },
        ];
        let tests: [Test; 3] = [
            |a, b, _| Ok(paired_t(a, b, Alternative::TwoSided, 0.95)?.p),
            |a, b, _| Ok(randomisation(a, b, Method::default(), Alternative::TwoSided)?.p),
            |a, b, _| {
                let (rule, method) = (ZeroRule::Wilcox, wilcoxon::Method::Exact);
                Ok(wilcoxon::wilcoxon(a, b, rule, method, Alternative::TwoSided)?.p)
            },
        ];
        for source in &sources {
            for (number, test) in tests.iter().enumerate() {
                let rates = rejection_rates(source, test, &[0.01, 0.05], COMPARISONS).unwrap();
                for rate in rates {
                    let most = rate.alpha + 4.0 * rate.standard_error;
                    assert!(rate.rate <= most, "{source:?} {number}: {rate:?}");
                    assert!(rate.rate > 0.0, "{source:?} {number}: {rate:?}");
                }
            }
        }
    }

    #[test]
    fn refused() {
        let one = ScoreMatrix::new(&[A]).unwrap();
        let test = |_: &[f64], _: &[f64], _| Ok(1.0);
        let rates = |source: NullSource<'_>| rejection_rates(&source, test, &[0.05], COMPARISONS);
        let alone = NullSource::Exchanged {
            scores: &one,
            topics: 5,
        };
        assert!(rates(alone).is_err());
        let nothing = NullSource::Precision {
            topics: 0,
            depth: 5,
        };
        assert!(rates(nothing).is_err());
        let failing = |_: &[f64], _: &[f64], _| Err(StatsError::Empty);
        let source = NullSource::Precision {
            topics: 2,
            depth: 5,
        };
        assert!(rejection_rates(&source, failing, &[0.05], COMPARISONS).is_err());
    }
}
