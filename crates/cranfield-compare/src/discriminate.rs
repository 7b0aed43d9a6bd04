//! Discriminative power of measures: significant pairs, swap rates, and errors of comparisons on fewer topics.
//!
//! ```
//! use cranfield_compare::discriminate::{Discrimination, Settings};
//!
//! // Of the means 2, 5 and 7/3 only 2 and 7/3 do not differ.
//! let scores = [[1.0, 2.0, 3.0], [3.0, 4.0, 8.0], [1.0, 2.0, 4.0]];
//! let found = Discrimination::of_scores("AP", &scores, &Settings::default())?;
//! let power = &found.measures[0].power;
//! assert_eq!((power.pairs, power.significant), (3, 2));
//! # Ok::<(), cranfield_compare::compare::CompareError>(())
//! ```

mod page;

pub use page::DiscriminationOutput;

use std::str::FromStr;

use cranfield_core::setting::{Message, Setting};
use cranfield_stats::discriminative::{
    DiscriminativePower, Stability, Swaps, discriminative_power, stability, swap_rates,
};
use cranfield_stats::random::Resampling;
use cranfield_stats::{ScoreMatrix, StatsError, randomised_tukey, short, tukey};

use crate::compare::scores::{Selection, matrix};
use crate::compare::{CompareError, TopicTable, failed};
use crate::limits::{by_name, check_alpha, check_replicates, out_of_range};
use cranfield_eval::Evaluation;

/// The test of all pairs of runs, with one error rate for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Tukey's HSD with the residual of topics and runs.
    #[default]
    Tukey,
    /// Tukey's HSD with permutations of scores within topics.
    RandomisedTukey,
}

impl Test {
    /// All tests.
    pub const ALL: [Self; 2] = [Self::Tukey, Self::RandomisedTukey];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tukey => "tukey",
            Self::RandomisedTukey => "randomised-tukey",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tukey => "Tukey's HSD",
            Self::RandomisedTukey => "randomised Tukey HSD",
        }
    }
}

impl FromStr for Test {
    type Err = CompareError;

    fn from_str(text: &str) -> Result<Self, CompareError> {
        let known = Self::ALL.map(|test| (test.name(), test));
        by_name("test", text, &known).map_err(CompareError::Settings)
    }
}

/// Settings of the analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The test of all pairs of runs.
    pub test: Test,
    /// Significance level.
    pub alpha: f64,
    /// Number of topics in each of two random sets; half of all topics if `None`.
    pub half: Option<usize>,
    /// Width of the bins of differences, in units of the measure.
    pub bin: f64,
    /// Maximum swap rate of a reliable difference.
    pub rate: f64,
    /// Means whose difference relative to the larger one is at most this are tied.
    pub fuzziness: f64,
    /// Number and seed of random sets and permutations.
    pub resampling: Resampling,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            test: Test::default(),
            alpha: 0.05,
            half: None,
            bin: 0.01,
            rate: 0.05,
            fuzziness: 0.05,
            resampling: Resampling {
                replicates: 10_000,
                ..Resampling::default()
            },
        }
    }
}

/// Discriminative power of measures on the same runs.
#[derive(Clone, Debug)]
pub struct Discrimination {
    /// The settings.
    pub settings: Settings,
    /// Number of runs.
    pub runs: usize,
    /// The measures, in the order of the evaluation.
    pub measures: Vec<Discriminated>,
}

/// Discriminative power of one measure.
#[derive(Clone, Debug)]
pub struct Discriminated {
    /// Name of the measure.
    pub measure: String,
    /// Topics, and the treatment of undefined values.
    pub topics: TopicTable,
    /// The significant pairs, and the p-values of all pairs.
    pub power: DiscriminativePower,
    /// Rate at which two sets of topics order a pair differently, by the size of the difference.
    pub swaps: Swaps,
    /// Rates at which a set of topics contradicts the majority order of a pair, or leaves it tied.
    pub stability: Stability,
}

impl Discrimination {
    /// Analyses the measures of an evaluation.
    pub fn of(evaluation: &Evaluation, settings: &Settings) -> Result<Self, CompareError> {
        settings.check()?;
        let selection = Selection::all(evaluation);
        let one = |at: usize| {
            let table = selection.measure(at)?;
            Discriminated::of(table.measure, &table.matrix, table.topics, settings)
        };
        let measures = 0..evaluation.plan.measures.len();
        Ok(Self {
            settings: settings.clone(),
            runs: evaluation.runs.len(),
            measures: measures.map(one).collect::<Result<_, _>>()?,
        })
    }

    /// Analyses a measure, given the scores of runs on the same topics.
    pub fn of_scores<R: AsRef<[f64]>>(
        measure: &str,
        scores: &[R],
        settings: &Settings,
    ) -> Result<Self, CompareError> {
        settings.check()?;
        let matrix = matrix(measure, scores)?;
        let topics = TopicTable::of(matrix.topics());
        let found = Discriminated::of(measure.into(), &matrix, topics, settings)?;
        Ok(Self {
            settings: settings.clone(),
            runs: matrix.systems(),
            measures: vec![found],
        })
    }
}

impl Settings {
    fn check(&self) -> Result<(), CompareError> {
        let reject = |why: Message| Err(CompareError::Settings(why));
        check_alpha(self.alpha).or_else(reject)?;
        check_replicates(self.resampling.replicates).or_else(reject)?;
        if !(0.0..1.0).contains(&self.rate) {
            let expected = "a number from 0, below 1";
            return reject(out_of_range(Setting::Rate, short(self.rate), expected));
        }
        Ok(())
    }

    /// The number of permutations that significance needs, if there are fewer.
    pub fn lacking_replicates(&self) -> Option<usize> {
        // The smallest p-value of B permutations is 1 / (B + 1). Rounding must not make the number too small.
        let needed = ((1.0 - 1e-12) / self.alpha).ceil() as usize;
        let lacks = self.test == Test::RandomisedTukey && self.resampling.replicates < needed;
        lacks.then_some(needed)
    }
}

impl Discriminated {
    fn of(
        measure: String,
        scores: &ScoreMatrix,
        topics: TopicTable,
        settings: &Settings,
    ) -> Result<Self, CompareError> {
        if scores.systems() < 2 {
            return Err(CompareError::OneRun);
        }
        let found = examine(scores, settings);
        let (power, swaps, stability) = found.map_err(|why| failed(&measure, why))?;
        Ok(Self {
            measure,
            topics,
            power,
            swaps,
            stability,
        })
    }
}

fn examine(
    scores: &ScoreMatrix,
    settings: &Settings,
) -> Result<(DiscriminativePower, Swaps, Stability), StatsError> {
    let (alpha, resampling) = (settings.alpha, settings.resampling);
    let tests = match settings.test {
        Test::Tukey => tukey::paired(scores, 1.0 - alpha)?.pairs,
        Test::RandomisedTukey => randomised_tukey::compare(scores, resampling)?.pairs,
    };
    let half = settings.half.unwrap_or(scores.topics() / 2);
    Ok((
        discriminative_power(&tests, alpha)?,
        swap_rates(scores, half, settings.bin, resampling)?,
        stability(scores, half, settings.fuzziness, resampling)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::sakai_scores;

    fn found(settings: &Settings) -> Discriminated {
        let mut all = Discrimination::of_scores("AP", &sakai_scores(), settings).unwrap();
        all.measures.remove(0)
    }

    /// The p-values of the paired Tukey test, as statsmodels' residual and scipy's studentised range give them: AB 0.2567,
    /// AC 0.0957, BC 0.8550. At alpha 0.1 one pair of three is significant, that with the largest difference, 0.1.
    #[test]
    fn significant_pairs() {
        let usual = found(&Settings::default());
        let expected = [0.854_963_181_1, 0.256_697_746_4, 0.095_686_847_1];
        for (found, expected) in usual.power.curve.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found}");
        }
        assert_eq!((usual.power.pairs, usual.power.significant), (3, 0));
        let lenient = found(&Settings {
            alpha: 0.1,
            ..Settings::default()
        });
        assert_eq!(lenient.power.significant, 1);
        let least = lenient.power.smallest_significant.unwrap();
        assert!((least - 0.1).abs() < 1e-12, "{least}");
    }

    /// Shuffled within topics: AB 0.302, AC 0.109, BC 0.890, by a loop in numpy, each within five standard errors.
    #[test]
    fn significant_pairs_by_permutation() {
        let shuffled = found(&Settings {
            test: Test::RandomisedTukey,
            ..Settings::default()
        });
        let expected = [0.890, 0.302, 0.109];
        for (found, expected) in shuffled.power.curve.iter().zip(expected) {
            assert!((found - expected).abs() < 0.025, "{found}");
        }
    }

    /// A run that is better by 0.1 on every topic is never swapped, and identical runs are always tied.
    #[test]
    fn constant_differences() {
        let scores = [
            [0.5, 0.3, 0.2, 0.9],
            [0.4, 0.2, 0.1, 0.8],
            [0.4, 0.2, 0.1, 0.8],
        ];
        let all = Discrimination::of_scores("AP", &scores, &Settings::default()).unwrap();
        let found = &all.measures[0];
        assert_eq!(found.swaps.size, 2);
        assert_eq!(found.swaps.overall(), Some(0.0));
        assert_eq!(found.swaps.sure_difference(0.05), Some(0.0));
        assert_eq!(found.stability.error_rate, 0.0);
        assert!((found.stability.tie_rate - 1.0 / 3.0).abs() < 1e-12);
    }

    fn notes_of(settings: &Settings) -> Vec<String> {
        let scores = [[0.5, 0.3, 0.2, 0.4], [0.4, 0.2, 0.3, 0.1]];
        let found = Discrimination::of_scores("AP", &scores, settings).unwrap();
        found.notes().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn few_replicates_have_a_note() {
        let notes = |test, replicates, alpha| {
            let settings = Settings {
                test,
                alpha,
                resampling: Resampling {
                    replicates,
                    seed: 1,
                },
                ..Settings::default()
            };
            notes_of(&settings)
        };
        assert!(notes(Test::Tukey, 1000, 0.05).is_empty());
        let one = notes(Test::Tukey, 1, 0.05);
        assert_eq!(
            one,
            [
                "rates of swaps, errors and ties are from only 1 draw of topics; use replicates=1000 or more"
            ]
        );
        assert_eq!(
            notes(Test::RandomisedTukey, 1000, 1e-6),
            [
                "1000 permutations are too few for a significant p-value at alpha 1e-6; use replicates=1000000 or more"
            ]
        );
    }

    #[test]
    fn sets_of_one_topic_have_a_note() {
        let notes = |half| {
            let settings = Settings {
                half,
                ..Settings::default()
            };
            notes_of(&settings).concat()
        };
        let note = notes(Some(1));
        assert!(
            note.starts_with("rates of swaps, errors and ties are from sets of 1 topic"),
            "{note}"
        );
        assert_eq!(notes(None), "");
    }

    #[test]
    fn alpha_has_one_spelling() {
        let settings = Settings {
            alpha: 1e-6,
            ..Settings::default()
        };
        let scores = [[0.5, 0.3, 0.2, 0.4], [0.4, 0.2, 0.3, 0.1]];
        let found = Discrimination::of_scores("AP", &scores, &settings).unwrap();
        let title = found.title();
        assert!(title.contains(" at alpha 1e-6;"), "{title}");
    }

    #[test]
    fn errors_suggest_a_remedy() {
        let with = |settings: Settings| {
            let scores = [[0.5, 0.3, 0.2], [0.4, 0.2, 0.3]];
            let error = Discrimination::of_scores("AP", &scores, &settings).unwrap_err();
            error.to_string()
        };
        let usual = Settings::default;
        let alpha = with(Settings {
            alpha: 0.7,
            ..usual()
        });
        assert_eq!(alpha, "alpha is 0.7; give a number from 1e-9 to 0.5");
        let half = with(Settings {
            half: Some(2),
            ..usual()
        });
        assert!(half.contains("half the number of topics"), "{half}");
        let bin = with(Settings {
            bin: 1e-9,
            ..usual()
        });
        assert!(bin.starts_with("AP: width of a bin"), "{bin}");
        let fuzzy = with(Settings {
            fuzziness: 1.0,
            ..usual()
        });
        assert!(fuzzy.contains("from 0 to less than 1"), "{fuzzy}");
        let small = Settings {
            half: Some(1),
            ..usual()
        };
        let scores = [[0.5, 0.3, 0.1], [0.4, 0.6, 0.2]];
        let found = Discrimination::of_scores("AP", &scores, &small).unwrap();
        let title = found.title();
        assert!(title.contains("; sets of 1 topic, drawn "), "{title}");
        let one = Discrimination::of_scores("AP", &[[0.5, 0.3]], &usual()).unwrap_err();
        assert!(matches!(one, CompareError::OneRun));
        assert!(
            "t".parse::<Test>()
                .unwrap_err()
                .to_string()
                .contains("tukey, randomised-tukey")
        );
    }
}
