//! How well measures tell runs apart: discriminative power, swap rates, and errors of comparisons on fewer topics.
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

use std::str::FromStr;

use cranfield_stats::discriminative::{
    DiscriminativePower, Stability, Swaps, discriminative_power, stability, swap_rates,
};
use cranfield_stats::random::Resampling;
use cranfield_stats::{ScoreMatrix, StatsError, randomised_tukey, short, tukey};

use crate::compare::scores::{Selection, matrix};
use crate::compare::{CompareError, TopicTable, failed};
use crate::limits::{by_name, check_alpha, check_replicates};
use cranfield_eval::Evaluation;

/// The test of all pairs of runs, with one error rate for all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Tukey's HSD with the residual of topics and runs.
    #[default]
    Tukey,
    /// The same by permuting scores within topics.
    RandomisedTukey,
}

impl Test {
    /// All tests.
    pub const ALL: [Self; 2] = [Self::Tukey, Self::RandomisedTukey];

    /// The name on the command line.
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

/// How measures are examined.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The test of all pairs of runs.
    pub test: Test,
    /// Significance level.
    pub alpha: f64,
    /// Topics of each of two sets that are drawn; half of all unless given.
    pub half: Option<usize>,
    /// Differences are counted in bins of this width, in units of the measure.
    pub bin: f64,
    /// The swap rate that a sure difference has at most.
    pub rate: f64,
    /// Means that differ by at most this share of the larger one are tied.
    pub fuzziness: f64,
    /// Number of sets that are drawn, and of permutations; seed of both.
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

/// What some measures make of the same runs.
#[derive(Clone, Debug)]
pub struct Discrimination {
    /// How they were examined.
    pub settings: Settings,
    /// Number of runs.
    pub runs: usize,
    /// The measures, in the order of the evaluation.
    pub measures: Vec<Discriminated>,
}

/// What one measure makes of the runs.
#[derive(Clone, Debug)]
pub struct Discriminated {
    /// Name of the measure.
    pub measure: String,
    /// Topics, and what became of undefined values.
    pub topics: TopicTable,
    /// Pairs that the test tells apart, and the p-values of all.
    pub power: DiscriminativePower,
    /// How often two sets of topics order a pair differently, by the size of the difference.
    pub swaps: Swaps,
    /// How often a set of topics orders a pair as most sets do not, or not at all.
    pub stability: Stability,
}

impl Discrimination {
    /// What the measures of an evaluation make of its runs.
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

    /// What a measure makes of runs, given their scores on the same topics.
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
        let refuse = |why: String| Err(CompareError::Settings(why));
        check_alpha(self.alpha).or_else(refuse)?;
        check_replicates(self.resampling.replicates).or_else(refuse)?;
        if !(0.0..1.0).contains(&self.rate) {
            return refuse(format!(
                "the swap rate is {}; give a number from 0, below 1",
                short(self.rate)
            ));
        }
        Ok(())
    }

    /// The permutations without which no pair can be told apart, where there are fewer.
    pub fn lacking_replicates(&self) -> Option<usize> {
        // The least p-value of B permutations is 1 / (B + 1); one more than needed on paper, so that nothing is lost in rounding.
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

    /// The three systems of Sakai's book on twenty topics, in tenths.
    const TENTHS: [[u8; 20]; 3] = [
        [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
        [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
        [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
    ];

    fn found(settings: &Settings) -> Discriminated {
        let row = |row: &[u8; 20]| row.map(|tenths| f64::from(tenths) / 10.0).to_vec();
        let scores: Vec<Vec<f64>> = TENTHS.iter().map(row).collect();
        let mut all = Discrimination::of_scores("AP", &scores, settings).unwrap();
        all.measures.remove(0)
    }

    /// The p-values of the paired Tukey test, as statsmodels' residual and scipy's studentised range give them: AB 0.2567,
    /// AC 0.0957, BC 0.8550. At alpha 0.1 one pair of three is told apart, that with the largest difference, 0.1.
    #[test]
    fn pairs_told_apart() {
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
    fn the_same_by_permutations() {
        let shuffled = found(&Settings {
            test: Test::RandomisedTukey,
            ..Settings::default()
        });
        let expected = [0.890, 0.302, 0.109];
        for (found, expected) in shuffled.power.curve.iter().zip(expected) {
            assert!((found - expected).abs() < 0.025, "{found}");
        }
    }

    /// A run that wins by 0.1 on every topic is never swapped, and two that are equal on every topic are always tied.
    #[test]
    fn what_is_sure_and_what_is_equal() {
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

    #[test]
    fn few_replicates_are_told() {
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
            let scores = [[0.5, 0.3, 0.2, 0.4], [0.4, 0.2, 0.3, 0.1]];
            let found = Discrimination::of_scores("AP", &scores, &settings).unwrap();
            found.notes()
        };
        assert!(notes(Test::Tukey, 1000, 0.05).is_empty());
        let one = notes(Test::Tukey, 1, 0.05);
        assert_eq!(
            one,
            [
                "rates of swaps, errors and ties are over 1 draw of topics, which are few; 1000 would do"
            ]
        );
        assert_eq!(
            notes(Test::RandomisedTukey, 1000, 1e-6),
            [
                "1000 permutations are too few for a p-value that is significant at alpha 1e-6; 1000000 would do"
            ]
        );
    }

    #[test]
    fn sets_of_one_topic_are_told() {
        let notes = |half| {
            let settings = Settings {
                half,
                ..Settings::default()
            };
            let scores = [[0.5, 0.3, 0.2, 0.4], [0.4, 0.2, 0.3, 0.1]];
            let found = Discrimination::of_scores("AP", &scores, &settings).unwrap();
            found.notes().join(" ")
        };
        let note = notes(Some(1));
        assert!(
            note.starts_with("rates of swaps, errors and ties are over sets of 1 topic"),
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
        let (title, _) = &found.sections(4, false)[0];
        assert!(title.contains(" at alpha 1e-6;"), "{title}");
    }

    #[test]
    fn refusals_say_what_to_do() {
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
        let (title, _) = &found.sections(4, false)[0];
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
