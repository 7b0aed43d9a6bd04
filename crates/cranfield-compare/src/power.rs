//! Power analysis: the number of topics that an experiment needs, and the minimum difference that it can detect.
//!
//! Power depends on the variance of the differences of two runs over topics. It is estimated from a pilot, a set of runs evaluated on
//! some topics, or given as a standard deviation.
//!
//! ```
//! use cranfield_compare::power::{Power, Settings};
//!
//! let settings = Settings { differences: vec![0.1], ..Settings::default() };
//! let power = Power::of_sd(0.1_f64.sqrt(), &settings)?;
//! let needed = &power.designs[0].needed[0];
//! assert_eq!((needed.t.topics, needed.anova), (81, 80));
//! # Ok::<(), cranfield_compare::compare::CompareError>(())
//! ```

mod page;

use cranfield_stats::anova::{Components, one_way, two_way};
use cranfield_stats::pairs::MOST_SYSTEMS;
use cranfield_stats::power::{
    MOST_TOPICS, SampleSize, anova_topics, interval_topics, minimum_detectable_effect, t_design,
    t_power,
};
use cranfield_stats::{Alternative, ScoreMatrix, StatsError};

use crate::compare::scores::{ScoreTable, Selection, matrix};
use crate::compare::{CompareError, TopicTable, failed};
use crate::limits::{check_alpha, check_size, check_within};
use cranfield_eval::Evaluation;

/// Default numbers of topics.
const USUAL_SIZES: [usize; 4] = [25, 50, 100, 200];

/// Settings of a power analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The power: the probability of detecting a difference.
    pub power: f64,
    /// Significance level; intervals have the confidence level 1 - alpha.
    pub alpha: f64,
    /// Numbers of topics; that of the pilot and 25, 50, 100 and 200 if empty.
    pub sizes: Vec<usize>,
    /// Differences of means to detect.
    pub differences: Vec<f64>,
    /// Widths of the interval of a difference.
    pub widths: Vec<f64>,
    /// Number of runs in an analysis of variance; that of the pilot or two if `None`.
    pub among: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            power: 0.8,
            alpha: 0.05,
            sizes: Vec::new(),
            differences: Vec::new(),
            widths: Vec::new(),
            among: None,
        }
    }
}

/// Designs for the measures of a pilot, or one design without a pilot.
#[derive(Clone, Debug)]
pub struct Power {
    /// The settings.
    pub settings: Settings,
    /// Whether differences are in units of the standard deviation of the differences over topics.
    pub is_standardised: bool,
    /// The designs.
    pub designs: Vec<Design>,
}

/// An experimental design.
#[derive(Clone, Debug)]
pub struct Design {
    /// The pilot, if there is one.
    pub pilot: Option<Pilot>,
    /// Variance of the differences of two runs over topics.
    pub difference_variance: f64,
    /// Variance of the scores of a run over topics, for an analysis of variance of unpaired scores.
    pub score_variance: f64,
    /// Number of runs of the analysis of variance.
    pub among: usize,
    /// Minimum detectable differences by number of topics.
    pub shown: Vec<Sensitivity>,
    /// Numbers of topics needed for the differences.
    pub needed: Vec<Needed>,
    /// Numbers of topics needed for the widths.
    pub intervals: Vec<Narrow>,
}

/// Runs whose scores estimate the variance.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// Name of the measure.
    pub measure: String,
    /// Number of runs.
    pub runs: usize,
    /// Topics, and the treatment of undefined values.
    pub topics: TopicTable,
    /// Variance components of runs, topics and the residual.
    pub components: Components,
}

/// The sensitivity of a paired t test on some topics.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// Number of topics.
    pub topics: usize,
    /// The minimum detectable difference.
    pub detectable: f64,
    /// The power for each of the differences.
    pub powers: Vec<f64>,
}

/// Numbers of topics needed to detect a difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needed {
    /// The difference of two means; for the analysis of variance, that of the best and the worst.
    pub difference: f64,
    /// For a paired t test.
    pub t: SampleSize,
    /// For a one-way analysis of variance, as if every run had its own topics.
    pub anova: usize,
}

/// Number of topics needed for an interval of an expected width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Narrow {
    /// The width.
    pub width: f64,
    /// The topics.
    pub topics: usize,
}

/// Variances over topics.
struct Spread {
    difference: f64,
    score: f64,
}

impl Power {
    /// Analyses the runs of an evaluation as a pilot, by each of its measures.
    pub fn of_pilot(evaluation: &Evaluation, settings: &Settings) -> Result<Self, CompareError> {
        let selection = Selection::all(evaluation);
        let one = |at: usize| {
            let table = selection.measure(at)?;
            settings.check_range(&table)?;
            Design::of_scores(&table.measure, &table.matrix, table.topics, settings)
        };
        settings.check("a difference")?;
        let measures = 0..evaluation.plan.measures.len();
        Ok(Self {
            settings: settings.clone(),
            is_standardised: false,
            designs: measures.map(one).collect::<Result<_, _>>()?,
        })
    }

    /// Analyses scores of runs on the same topics as a pilot.
    ///
    /// ```
    /// use cranfield_compare::power::{Power, Settings};
    /// let scores = [[0.5, 0.1, 0.6], [0.4, 0.2, 0.3]];
    /// let power = Power::of_scores("AP", &scores, &Settings::default())?;
    /// // The differences 0.1, -0.1 and 0.3 have the variance 0.04.
    /// assert!((power.designs[0].difference_variance - 0.04).abs() < 1e-12);
    /// # Ok::<(), cranfield_compare::compare::CompareError>(())
    /// ```
    pub fn of_scores<R: AsRef<[f64]>>(
        measure: &str,
        scores: &[R],
        settings: &Settings,
    ) -> Result<Self, CompareError> {
        settings.check("a difference")?;
        let matrix = matrix(measure, scores)?;
        let topics = TopicTable::of(matrix.topics());
        Ok(Self {
            settings: settings.clone(),
            is_standardised: false,
            designs: vec![Design::of_scores(measure, &matrix, topics, settings)?],
        })
    }

    /// Analyses the standard deviation of the differences of two runs over topics, without a pilot. The scores of a run are assumed to
    /// have half the variance of a difference, as for uncorrelated runs.
    pub fn of_sd(sd: f64, settings: &Settings) -> Result<Self, CompareError> {
        check_size("the standard deviation", sd).map_err(CompareError::Settings)?;
        settings.check("a difference")?;
        Self::of_checked(sd, settings)
    }

    fn of_checked(sd: f64, settings: &Settings) -> Result<Self, CompareError> {
        let spread = Spread {
            difference: sd * sd,
            score: sd * sd / 2.0,
        };
        let sizes = settings.sizes_with(None);
        let among = settings.among.unwrap_or(2);
        let design = Design::of_spread(None, &spread, &sizes, among, settings);
        Ok(Self {
            settings: settings.clone(),
            is_standardised: false,
            designs: vec![design.map_err(|why| CompareError::Settings(why.to_string()))?],
        })
    }

    /// Analyses effect sizes `d_z`, without a pilot: the differences of the settings are in units of the standard deviation of the
    /// differences of two runs over topics.
    pub fn of_effects(settings: &Settings) -> Result<Self, CompareError> {
        settings.check("an effect")?;
        let power = Self::of_checked(1.0, settings)?;
        Ok(Self {
            is_standardised: true,
            ..power
        })
    }
}

impl Settings {
    /// Checks the settings; `difference` is the name of a difference in messages.
    fn check(&self, difference: &str) -> Result<(), CompareError> {
        let reject = |why: String| Err(CompareError::Settings(why));
        let (power, alpha) = (self.power, self.alpha);
        check_alpha(alpha).or_else(reject)?;
        if !(power > alpha && power < 1.0) {
            return reject(format!(
                "the power is {power}; give a number above alpha, which is {alpha}, and below 1"
            ));
        }
        for (name, values) in [(difference, &self.differences), ("a width", &self.widths)] {
            let mut values = values.iter();
            let checked = values.try_for_each(|value| check_size(name, *value));
            checked.or_else(reject)?;
        }
        if let Some(size) = self
            .sizes
            .iter()
            .find(|size| !(2..=MOST_TOPICS).contains(size))
        {
            return reject(format!(
                "a number of topics is {size}; give a whole number from 2 to {MOST_TOPICS}"
            ));
        }
        match self.among {
            Some(among) if !(2..=MOST_SYSTEMS).contains(&among) => reject(format!(
                "the number of runs to compare is {among}; give a whole number from 2 to {MOST_SYSTEMS}"
            )),
            _ => Ok(()),
        }
    }

    /// Rejects differences that a measure cannot have.
    fn check_range(&self, table: &ScoreTable) -> Result<(), CompareError> {
        let mut differences = self.differences.iter();
        let check = |value: &f64| check_within("one", *value, &table.measure, table.range);
        differences
            .try_for_each(check)
            .map_err(CompareError::Settings)
    }

    /// The numbers of topics, ascending.
    fn sizes_with(&self, pilot: Option<usize>) -> Vec<usize> {
        let mut sizes = self.sizes.clone();
        if sizes.is_empty() {
            sizes.extend(USUAL_SIZES);
            sizes.extend(pilot);
        }
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

impl Design {
    fn of_scores(
        measure: &str,
        scores: &ScoreMatrix,
        topics: TopicTable,
        settings: &Settings,
    ) -> Result<Self, CompareError> {
        if scores.systems() < 2 {
            let why = "a pilot needs two or more runs to estimate the variance of differences";
            return Err(CompareError::Settings(why.into()));
        }
        let fail = |why| failed(measure, why);
        let table = two_way(scores).map_err(fail)?;
        let components = table.components();
        if table.system_test.degenerate.is_some() {
            return Err(CompareError::Settings(format!(
                "{measure}: the runs differ by the same amount on every topic, so the pilot has no variance to plan with; \
                 omit the measure, or use other runs"
            )));
        }
        let spread = Spread {
            // The mean, over all pairs of runs, of the variance of their differences.
            difference: 2.0 * components.residual,
            score: one_way(scores).map_err(fail)?.residual.mean_square,
        };
        let pilot = Pilot {
            measure: measure.into(),
            runs: scores.systems(),
            topics,
            components,
        };
        let sizes = settings.sizes_with(Some(scores.topics()));
        let among = settings.among.unwrap_or(scores.systems());
        Self::of_spread(Some(pilot), &spread, &sizes, among, settings).map_err(fail)
    }

    fn of_spread(
        pilot: Option<Pilot>,
        spread: &Spread,
        sizes: &[usize],
        among: usize,
        settings: &Settings,
    ) -> Result<Self, StatsError> {
        let (power, alpha) = (settings.power, settings.alpha);
        let (two, sd) = (Alternative::TwoSided, spread.difference.sqrt());
        let shown = |&topics: &usize| {
            let power_of = |difference: &f64| t_power(difference / sd, topics as f64, alpha, two);
            let detectable = sd * minimum_detectable_effect(topics, power, alpha, two)?;
            let powers = settings.differences.iter().map(power_of);
            Ok(Sensitivity {
                topics,
                detectable,
                powers: powers.collect::<Result<_, _>>()?,
            })
        };
        let needed = |&difference: &f64| {
            Ok(Needed {
                difference,
                t: t_design(difference, spread.difference, power, alpha)?,
                anova: anova_topics(difference, spread.score, among, power, alpha)?,
            })
        };
        let narrow = |&width: &f64| {
            let topics = interval_topics(width, spread.difference, 1.0 - alpha)?;
            Ok(Narrow { width, topics })
        };
        let differences = settings.differences.iter();
        Ok(Self {
            pilot,
            difference_variance: spread.difference,
            score_variance: spread.score,
            among,
            shown: sizes.iter().map(shown).collect::<Result<_, StatsError>>()?,
            needed: differences.map(needed).collect::<Result<_, StatsError>>()?,
            intervals: settings
                .widths
                .iter()
                .map(narrow)
                .collect::<Result<_, StatsError>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::sakai_scores;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
    }

    /// statsmodels 0.15.0: `anova_lm` for the variances, `TTestPower` for the t test; scipy 1.17.1, `ncf`, for the analysis of
    /// variance, whose power is 0.7938 with 63 topics and 0.8005 with 64.
    #[test]
    fn a_pilot_as_statsmodels_has_it() {
        let settings = Settings {
            differences: vec![0.1],
            ..Settings::default()
        };
        let power = Power::of_scores("AP", &sakai_scores(), &settings).unwrap();
        let design = &power.designs[0];
        near(design.difference_variance, 0.043_771_929_824);
        near(design.score_variance, 0.032_649_122_807);
        let sizes: Vec<usize> = design.shown.iter().map(|shown| shown.topics).collect();
        assert_eq!(sizes, [20, 25, 50, 100, 200]);
        let sd = 0.209_217_422_373;
        near(design.shown[0].detectable, 0.660_441_654_438 * sd);
        near(design.shown[2].detectable, 0.404_182_999_737 * sd);
        near(design.shown[0].powers[0], 0.527_543_841_387);
        near(design.shown[2].powers[0], 0.911_949_232_173);
        let needed = design.needed[0];
        near(needed.t.exact, 36.323_521_083);
        assert_eq!((needed.t.topics, needed.anova), (37, 64));
    }

    /// The designs of Sakai's paper: a range of 0.1, a variance of 0.05 of scores and so 0.1 of differences. The t test by the root of
    /// the power that scipy 1.17.1 has (`nct`, `brentq`).
    #[test]
    fn designs_without_a_pilot() {
        let needed = |among: usize| {
            let settings = Settings {
                differences: vec![0.1],
                widths: vec![0.1, 0.2],
                among: Some(among),
                ..Settings::default()
            };
            Power::of_sd(0.1_f64.sqrt(), &settings)
                .unwrap()
                .designs
                .remove(0)
        };
        let anova = [2, 10, 50].map(|among| needed(among).needed[0].anova);
        assert_eq!(anova, [80, 158, 301]);
        let design = needed(2);
        near(design.needed[0].t.exact, 80.430_476_751_2);
        let narrow: Vec<usize> = design.intervals.iter().map(|one| one.topics).collect();
        assert_eq!(narrow, [156, 41]);
    }

    /// The number of topics needed for the minimum detectable difference is the original number.
    #[test]
    fn detectable_and_needed_are_inverse() {
        let sizes = vec![5, 30, 400];
        let first = Settings {
            sizes: sizes.clone(),
            ..Settings::default()
        };
        let shown = Power::of_sd(0.25, &first).unwrap().designs.remove(0).shown;
        let second = Settings {
            differences: shown.iter().map(|shown| shown.detectable).collect(),
            ..first
        };
        let design = Power::of_sd(0.25, &second).unwrap().designs.remove(0);
        for (at, (needed, size)) in design.needed.iter().zip(&sizes).enumerate() {
            near(needed.t.exact, *size as f64);
            near(design.shown[at].powers[at], 0.8);
        }
    }

    #[test]
    fn errors_suggest_a_remedy() {
        let with = |settings: Settings| Power::of_sd(0.2, &settings).unwrap_err().to_string();
        let usual = Settings::default;
        let errors = [
            with(Settings {
                alpha: 0.0,
                ..usual()
            }),
            with(Settings {
                power: 1.0,
                ..usual()
            }),
            with(Settings {
                power: f64::NAN,
                ..usual()
            }),
            with(Settings {
                differences: vec![-0.1],
                ..usual()
            }),
            with(Settings {
                widths: vec![f64::INFINITY],
                ..usual()
            }),
            with(Settings {
                sizes: vec![1],
                ..usual()
            }),
            with(Settings {
                among: Some(1),
                ..usual()
            }),
            Power::of_sd(0.0, &usual()).unwrap_err().to_string(),
        ];
        assert!(
            errors.iter().all(|text| text.contains("give a ")),
            "{errors:?}"
        );
        let tiny = with(Settings {
            differences: vec![1e-9],
            ..usual()
        });
        let expected =
            "more than 10000000 topics are needed; choose a lower power or a larger difference";
        assert_eq!(tiny, expected);
        let none = with(Settings {
            differences: vec![1e-300],
            ..usual()
        });
        assert_eq!(
            none,
            "a difference is 1e-300; give a number from 1e-50 to 1e50"
        );
        let effects = Settings {
            differences: vec![-1.0],
            ..usual()
        };
        let effect = Power::of_effects(&effects).unwrap_err().to_string();
        assert_eq!(effect, "an effect is -1; give a number above 0");
        let flat = Power::of_scores("AP", &[[0.5, 0.4], [0.3, 0.2]], &usual()).unwrap_err();
        assert!(
            flat.to_string().contains("no variance to plan with"),
            "{flat}"
        );
        let one = Power::of_scores("AP", &[[0.5, 0.4]], &usual()).unwrap_err();
        assert!(one.to_string().contains("two or more runs"), "{one}");
    }
}
