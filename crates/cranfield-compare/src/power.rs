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

pub use page::PowerOutput;

use cranfield_core::setting::{Message, Setting};
use cranfield_stats::anova::{Components, one_way, two_way};
use cranfield_stats::pairs::MOST_SYSTEMS;
use cranfield_stats::power::{
    MOST_TOPICS, SampleSize, anova_topics, interval_topics, minimum_detectable_effect, t_design,
    t_power,
};
use cranfield_stats::{Alternative, ScoreMatrix, StatsError};

use crate::compare::scores::{ScoreTable, Selection, matrix};
use crate::compare::{CompareError, TopicTable, failed};
use crate::limits::{check_alpha, check_size, check_within, out_of_range};
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
        settings.check(Setting::Difference)?;
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
        settings.check(Setting::Difference)?;
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
        check_size(Setting::Sd, sd).map_err(CompareError::Settings)?;
        settings.check(Setting::Difference)?;
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
            designs: vec![design.map_err(|why| CompareError::Settings(why.to_string().into()))?],
        })
    }

    /// Analyses effect sizes `d_z`, without a pilot: the differences of the settings are in units of the standard deviation of the
    /// differences of two runs over topics.
    pub fn of_effects(settings: &Settings) -> Result<Self, CompareError> {
        settings.check(Setting::Effect)?;
        let power = Self::of_checked(1.0, settings)?;
        Ok(Self {
            is_standardised: true,
            ..power
        })
    }
}

impl Settings {
    /// Checks the settings; `difference` is the setting of the differences.
    fn check(&self, difference: Setting) -> Result<(), CompareError> {
        let reject = |why: Message| Err(CompareError::Settings(why));
        let (power, alpha) = (self.power, self.alpha);
        check_alpha(alpha).or_else(reject)?;
        if !(power > alpha && power < 1.0) {
            let expected = format!("a number above alpha, which is {alpha}, and below 1");
            return reject(out_of_range(Setting::Power, power, &expected));
        }
        let sizes = [
            (difference, &self.differences),
            (Setting::Width, &self.widths),
        ];
        for (setting, values) in sizes {
            let mut values = values.iter();
            let checked = values.try_for_each(|value| check_size(setting, *value));
            checked.or_else(reject)?;
        }
        if let Some(size) = self
            .sizes
            .iter()
            .find(|size| !(2..=MOST_TOPICS).contains(size))
        {
            let expected = format!("whole numbers from 2 to {MOST_TOPICS}");
            return reject(out_of_range(Setting::Sizes, size, &expected));
        }
        match self.among {
            Some(among) if !(2..=MOST_SYSTEMS).contains(&among) => {
                let expected = format!("a whole number from 2 to {MOST_SYSTEMS}");
                reject(out_of_range(Setting::Among, among, &expected))
            }
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
            let message = format!(
                "{measure}: the runs differ by the same amount on every topic, so the pilot has no variance to plan with; \
                 omit the measure, or use other runs"
            );
            return Err(CompareError::Settings(message.into()));
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
mod tests;
