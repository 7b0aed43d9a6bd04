//! Type I error rates of tests, and family-wise error rates of tests of several pairs, by simulation.

use rayon::prelude::*;

use crate::error::{Result, StatsError};
use crate::matrix::ScoreMatrix;
use crate::pool;
use crate::random::{MOST_REPLICATES, Resampling, Stream};

/// Source of scores of systems that do not differ.
#[derive(Clone, Debug)]
pub enum NullSource<'a> {
    /// Systems and topics drawn from these scores, topics with replacement; on each topic the scores are assigned to the systems in
    /// random order.
    Exchanged {
        /// Scores of real systems.
        scores: &'a ScoreMatrix,
        /// Topics of a comparison.
        topics: u32,
    },
    /// Precision at `depth` of systems that find relevant documents equally well: on each topic all find a document
    /// relevant with the same probability, which is the square of a uniform random number.
    Precision {
        /// Topics of a comparison.
        topics: u32,
        /// Cutoff; small numbers give coarse scores with many ties.
        depth: u32,
    },
    /// Scores that are the sum of a normally distributed topic effect and normal noise.
    Normal {
        /// Topics of a comparison.
        topics: u32,
    },
}

impl NullSource<'_> {
    fn check(&self, systems: usize) -> Result<()> {
        if systems < 2 {
            return Err(StatsError::TooFew {
                what: "systems",
                found: systems,
                least: 2,
            });
        }
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
                scores.at_least(systems, 1)?;
                positive("topics", *topics)
            }
            Self::Precision { topics, depth } => {
                positive("topics", *topics)?;
                positive("depth", *depth)
            }
            Self::Normal { topics } => positive("topics", *topics),
        }
    }

    /// Draws the scores of `systems` systems, topic by topic.
    fn draw(&self, systems: usize, stream: &mut Stream) -> Vec<Vec<f64>> {
        let mut scores = vec![Vec::new(); systems];
        let mut add = |topic: Vec<f64>| {
            for (row, score) in scores.iter_mut().zip(topic) {
                row.push(score);
            }
        };
        match self {
            Self::Exchanged { scores, topics } => {
                let drawn = drawn_systems(scores.systems(), systems, stream);
                for _ in 0..*topics {
                    let topic = stream.index(scores.topics() as u32);
                    let mut topic: Vec<f64> =
                        drawn.iter().map(|&at| scores.row(at)[topic]).collect();
                    shuffle(&mut topic, stream);
                    add(topic);
                }
            }
            Self::Precision { topics, depth } => {
                for _ in 0..*topics {
                    let probability = stream.unit().powi(2);
                    let mut precision = || {
                        let found = (0..*depth).filter(|_| stream.unit() < probability).count();
                        found as f64 / f64::from(*depth)
                    };
                    add((0..systems).map(|_| precision()).collect());
                }
            }
            Self::Normal { topics } => {
                for _ in 0..*topics {
                    let level = stream.normal();
                    add((0..systems).map(|_| level + stream.normal()).collect());
                }
            }
        }
        scores
    }
}

/// Places of different systems, drawn at random.
fn drawn_systems(all: usize, wanted: usize, stream: &mut Stream) -> Vec<usize> {
    let mut places: Vec<usize> = (0..all).collect();
    shuffle(&mut places, stream);
    places.truncate(wanted);
    places
}

fn shuffle<T>(values: &mut [T], stream: &mut Stream) {
    for last in (1..values.len()).rev() {
        values.swap(last, stream.index(last as u32 + 1));
    }
}

/// Rejection rate of a test at one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RejectionRate {
    /// Level of the test.
    pub alpha: f64,
    /// Comparisons with p <= alpha.
    pub rejected: usize,
    /// Total number of comparisons.
    pub comparisons: usize,
    /// rejected / comparisons: should not be greater than alpha.
    pub rate: f64,
    /// Standard error of a rate of alpha: sqrt(alpha (1 - alpha) / comparisons).
    pub standard_error: f64,
}

/// Rejection rates of a test over simulated comparisons without a difference.
///
/// The test takes the scores of two systems and the number of the comparison, which may serve as its seed, and returns p.
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
    let of_two = |scores: &ScoreMatrix, number| test(scores.row(0), scores.row(1), number);
    family_rejection_rates(source, 2, of_two, alphas, comparisons)
}

/// Rejection rates of a test of several systems that do not differ.
///
/// The test returns the smallest corrected p of all its pairs, so that the rate is its family-wise error rate.
///
/// ```
/// use cranfield_stats::null_simulation::{NullSource, family_rejection_rates};
/// use cranfield_stats::{ScoreMatrix, random::Resampling, tukey};
/// let least = |scores: &ScoreMatrix, _| {
///     let pairs = tukey::paired(scores, 0.95)?.pairs;
///     Ok(pairs.iter().map(|pair| pair.p).fold(1.0, f64::min))
/// };
/// let source = NullSource::Normal { topics: 20 };
/// let comparisons = Resampling { replicates: 1000, seed: 1 };
/// let rates = family_rejection_rates(&source, 4, least, &[0.05], comparisons)?;
/// assert!((rates[0].rate - 0.05).abs() < 4.0 * rates[0].standard_error);
/// # Ok::<(), cranfield_stats::StatsError>(())
/// ```
pub fn family_rejection_rates(
    source: &NullSource<'_>,
    systems: usize,
    test: impl Fn(&ScoreMatrix, u64) -> Result<f64> + Sync,
    alphas: &[f64],
    comparisons: Resampling,
) -> Result<Vec<RejectionRate>> {
    source.check(systems)?;
    let Resampling { replicates, seed } = comparisons.checked(MOST_REPLICATES)?;
    let compare = |number: usize| {
        let scores = source.draw(systems, &mut Stream::new(seed, number as u64));
        let p = test(&ScoreMatrix::new(&scores)?, number as u64)?;
        Ok(alphas
            .iter()
            .map(|&alpha| usize::from(p <= alpha))
            .collect())
    };
    let none = || Ok(vec![0; alphas.len()]);
    let compared = (0..replicates).into_par_iter().map(compare);
    let rejected: Result<Vec<usize>> =
        pool::run(|| compared.reduce(none, |left, right| Ok(added(left?, &right?))));
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
    use crate::bootstrap::{Statistic, bootstrap_test};
    use crate::common::Alternative;
    use crate::corrections::{Correction, adjust};
    use crate::paired_t::paired_t;
    use crate::pairs::PairTest;
    use crate::randomisation::{Method, randomisation};
    use crate::randomised_tukey;
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

    /// The bootstrap of t keeps its level on few topics, where many resamples draw one value alone; that of the mean does not.
    #[test]
    fn the_bootstrap_keeps_its_level_on_few_topics() {
        let rate = |source: &NullSource<'_>, statistic, alpha| {
            let test = |a: &[f64], b: &[f64], seed| {
                let resampling = Resampling {
                    replicates: 200,
                    seed,
                };
                Ok(bootstrap_test(a, b, statistic, Alternative::TwoSided, resampling)?.p)
            };
            rejection_rates(source, test, &[alpha], COMPARISONS).unwrap()[0]
        };
        for topics in [3, 4, 6] {
            for source in [
                NullSource::Precision { topics, depth: 10 },
                NullSource::Normal { topics },
            ] {
                for alpha in [0.01, 0.05] {
                    let rate = rate(&source, Statistic::Studentised, alpha);
                    let most = alpha + 3.0 * rate.standard_error;
                    assert!(rate.rate <= most, "{source:?}: {rate:?}");
                }
                let mean = rate(&source, Statistic::PlainMean, 0.05);
                assert!(mean.rate > 0.08, "{source:?}: {mean:?}");
            }
        }
    }

    /// Family-wise errors of four systems are not above the level, by more than chance.
    #[test]
    fn families_keep_their_level() {
        let least = |p: Vec<f64>| p.into_iter().fold(1.0, f64::min);
        let t = |scores: &ScoreMatrix, correction| {
            let one = |(a, b)| {
                paired_t(scores.row(a), scores.row(b), Alternative::TwoSided, 0.95).map(|t| t.p)
            };
            let p = scores.pairs().map(one).collect::<Result<Vec<f64>>>()?;
            Ok(least(adjust(&p, correction)?))
        };
        let comparisons = Resampling {
            replicates: 400,
            seed: 3,
        };
        let rate = |source: &NullSource<'_>,
                    test: &(dyn Fn(&ScoreMatrix, u64) -> Result<f64> + Sync)| {
            family_rejection_rates(source, 4, test, &[0.05], comparisons).unwrap()[0]
        };
        let precision = NullSource::Precision {
            topics: 20,
            depth: 10,
        };
        for source in [precision, NullSource::Normal { topics: 20 }] {
            let keeps = |test: &(dyn Fn(&ScoreMatrix, u64) -> Result<f64> + Sync)| {
                let rate = rate(&source, test);
                assert!(
                    rate.rate <= 0.05 + 3.5 * rate.standard_error,
                    "{source:?}: {rate:?}"
                );
            };
            for correction in Correction::ALL {
                if correction != Correction::None {
                    keeps(&|scores, _| t(scores, correction));
                }
            }
            let of = |pairs: &[PairTest]| least(pairs.iter().map(|pair| pair.p).collect());
            keeps(&|scores, seed| {
                let resampling = Resampling {
                    replicates: 200,
                    seed,
                };
                Ok(of(&randomised_tukey::compare(scores, resampling)?.pairs))
            });
            // Six tests at 0.05 without a correction: far above.
            assert!(rate(&source, &|scores, _| t(scores, Correction::None)).rate > 0.1);
        }
    }

    #[test]
    fn invalid_sources_are_errors() {
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
