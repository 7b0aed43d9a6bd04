//! Settings of comparisons.

use std::str::FromStr;

use cranfield_core::grammar::nearest_name;
use cranfield_core::measure::Range;
use cranfield_core::setting::{Message, Setting};
use cranfield_eval::{Labels, Progress};
use cranfield_stats::bootstrap::{MOST_KEPT, replicates_for};
use cranfield_stats::corrections::Correction;
use cranfield_stats::random::Resampling;

use super::CompareError;
use super::family::MOST_RAISED;
use super::scores::ScoreTable;
use super::significance_test::Test;
use crate::limits::{
    by_name, check_alpha, check_replicates, check_size, check_within, out_of_range,
};

/// The tests that p-values are corrected for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// The tests of the same measure.
    #[default]
    Measure,
    /// The tests of all measures. Tests that correct for all pairs do so within a measure; their p-values are multiplied by the
    /// number of measures.
    All,
}

impl FromStr for Family {
    type Err = CompareError;

    fn from_str(text: &str) -> Result<Self, CompareError> {
        let known = [("measure", Self::Measure), ("all", Self::All)];
        by_name("family", text, &known).map_err(CompareError::Settings)
    }
}

/// The method of intervals of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalMethod {
    /// By Student's t.
    T,
    /// Percentiles of means of resampled topics.
    Percentile,
    /// Percentiles, mirrored at the observed difference.
    Basic,
    /// Percentiles, corrected for bias and acceleration.
    Bca,
}

impl IntervalMethod {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::T, Self::Percentile, Self::Basic, Self::Bca];

    /// The name in options and plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Percentile => "percentile",
            Self::Basic => "basic",
            Self::Bca => "bca",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Bca => "BCa",
            other => other.name(),
        }
    }

    /// Whether it resamples topics.
    pub fn is_resampled(self) -> bool {
        self != Self::T
    }
}

impl FromStr for IntervalMethod {
    type Err = CompareError;

    fn from_str(text: &str) -> Result<Self, CompareError> {
        let known = Self::ALL.map(|method| (method.name(), method));
        by_name("interval", text, &known).map_err(CompareError::Settings)
    }
}

/// Standardisation of scores by those of all compared runs on the same topic, before tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standardisation {
    /// Distance from the mean of the runs, in standard deviations.
    Z,
    /// The normal distribution function of z, from 0 to 1.
    Cdf,
    /// 0.15 z + 0.5, clipped to 0 and 1.
    StdAb,
    /// The proportion of runs with at most this score.
    Ecdf,
}

impl Standardisation {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Z, Self::Cdf, Self::StdAb, Self::Ecdf];

    /// The name in options and plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::Z => "z",
            Self::Cdf => "cdf",
            Self::StdAb => "std-ab",
            Self::Ecdf => "ecdf",
        }
    }

    /// The range of standardised scores; `None` if it is unbounded.
    pub(super) fn range(self) -> Option<Range> {
        (self != Self::Z).then_some(Range::UNIT)
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Z => "z-scores",
            Self::Cdf => "the normal distribution function of z-scores",
            Self::StdAb => "std-AB, 0.15 z + 0.5 between 0 and 1",
            Self::Ecdf => "the proportion of runs with at most this score",
        }
    }
}

impl FromStr for Standardisation {
    type Err = CompareError;

    fn from_str(text: &str) -> Result<Self, CompareError> {
        let known = Self::ALL.map(|how| (how.name(), how));
        by_name("standardisation", text, &known).map_err(CompareError::Settings)
    }
}

/// Settings of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The test of a pair.
    pub test: Test,
    /// Correction of p-values; the default is Holm's method, and none for tests that correct for all pairs.
    pub correction: Option<Correction>,
    /// The tests that form a family.
    pub family: Family,
    /// Significance level; intervals have the confidence 1 - alpha.
    pub alpha: f64,
    /// Number of replicates and seed of tests that draw random numbers, and of ranks.
    pub resampling: Resampling,
    /// Whether to raise the number of replicates, up to a million, if no test of the family could be significant otherwise.
    pub raise_replicates: bool,
    /// Names of the baselines; all pairs are compared if empty.
    pub baselines: Vec<String>,
    /// Differences up to this, in units of the measure, are practically equivalent.
    pub margin: Option<f64>,
    /// Half width of a region of practical equivalence, for an additional Bayesian signed-rank test of each pair.
    pub rope: Option<f64>,
    /// Method of intervals of differences; the default depends on the test.
    pub interval: Option<IntervalMethod>,
    /// Standardisation of scores, if any.
    pub standardise: Option<Standardisation>,
    /// Titles of topics; with any, the topics on which each pair differs most are shown.
    pub labels: Labels,
    /// Receives the progress of tests, intervals and ranks.
    pub progress: Progress,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            test: Test::default(),
            correction: None,
            family: Family::default(),
            alpha: 0.05,
            resampling: Resampling::default(),
            raise_replicates: true,
            baselines: Vec::new(),
            margin: None,
            rope: None,
            interval: None,
            standardise: None,
            labels: Labels::default(),
            progress: Progress::default(),
        }
    }
}

/// Maximum number of replicates for ranks unless a small alpha needs more. 10,000 are enough for two digits.
const RANK_REPLICATES: usize = 10_000;

impl Settings {
    /// Confidence of intervals.
    pub fn level(&self) -> f64 {
        1.0 - self.alpha
    }

    /// The correction in force.
    pub fn correction(&self) -> Correction {
        let default = if self.test.corrects_itself() {
            Correction::None
        } else {
            Correction::Holm
        };
        self.correction.unwrap_or(default)
    }

    /// The method of intervals of differences, unless the test has simultaneous intervals: the requested one, or Student's t if
    /// the resamples of the topics are too few for alpha.
    pub fn interval_method(&self) -> IntervalMethod {
        match self.lacking_resamples() {
            Some(_) => IntervalMethod::T,
            None => self.requested_interval(),
        }
    }

    /// The requested method of intervals, or the default of the test.
    pub fn requested_interval(&self) -> IntervalMethod {
        let usual = match self.test {
            Test::Bootstrap => IntervalMethod::Bca,
            _ => IntervalMethod::T,
        };
        self.interval.unwrap_or(usual)
    }

    /// The correction of equivalence tests: that of the tests, or Holm's if they correct for all pairs.
    pub fn equivalence_correction(&self) -> Correction {
        if self.test.corrects_itself() {
            Correction::Holm
        } else {
            self.correction()
        }
    }

    /// Replicates and seed for ranks and bootstrap intervals of differences: up to 10,000, or as many as alpha needs if that many are
    /// given or may be raised.
    pub fn rank_resampling(&self) -> Resampling {
        let (given, needed) = (self.resampling.replicates, self.resamples_needed());
        let usual = given.min(RANK_REPLICATES);
        let replicates = match () {
            () if !self.raise_replicates => given.min(RANK_REPLICATES.max(needed)).min(MOST_KEPT),
            () if needed <= MOST_RAISED => usual.max(needed),
            () => usual,
        };
        Resampling {
            replicates,
            ..self.resampling
        }
    }

    /// The number of resamples of the topics before it was raised for a small alpha.
    pub(super) fn resamples_raised_from(&self) -> Option<usize> {
        let usual = self.resampling.replicates.min(RANK_REPLICATES);
        let is_raised = self.raise_replicates && self.rank_resampling().replicates > usual;
        is_raised.then_some(usual)
    }

    /// The number of resamples of the topics that intervals at this alpha need, if there are fewer.
    pub fn lacking_resamples(&self) -> Option<usize> {
        let needed = self.resamples_needed();
        (self.rank_resampling().replicates < needed).then_some(needed)
    }

    fn resamples_needed(&self) -> usize {
        replicates_for(self.level())
    }

    pub(super) fn baselines_among(&self, runs: &[String]) -> Result<Vec<usize>, CompareError> {
        let place = |name: &String| {
            runs.iter()
                .position(|run| run == name)
                .ok_or_else(|| CompareError::UnknownBaseline {
                    name: name.clone(),
                    hint: hint(name, runs),
                })
        };
        let mut places = self
            .baselines
            .iter()
            .map(place)
            .collect::<Result<Vec<_>, _>>()?;
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    /// Rejects a margin or region that contains all possible differences of a measure.
    pub(super) fn check_tables(&self, tables: &[ScoreTable]) -> Result<(), CompareError> {
        let one = |table: &ScoreTable| self.check_range(&table.measure, table.range);
        let checked = tables.iter().try_for_each(one);
        checked.map_err(CompareError::Settings)
    }

    /// Rejects a margin or region that contains all possible differences of a measure.
    pub(super) fn check_range(&self, measure: &str, range: Option<Range>) -> Result<(), Message> {
        let regions = [
            ("a margin", self.margin),
            ("a region of practical equivalence (rope)", self.rope),
        ];
        let mut given = regions
            .into_iter()
            .filter_map(|(what, value)| Some((what, value?)));
        given.try_for_each(|(what, value)| check_within(what, value, measure, range))
    }

    pub(super) fn check(&self, baselines: usize) -> Result<(), CompareError> {
        let reject = |why: Message| Err(CompareError::Settings(why));
        check_alpha(self.alpha).or_else(reject)?;
        if let Some(margin) = self.margin {
            check_size(Setting::Margin, margin).or_else(reject)?;
        }
        if let Some(rope) = self.rope {
            check_size(Setting::Rope, rope).or_else(reject)?;
        }
        if self.margin.is_some() && self.alpha == 0.5 {
            let expected = "a smaller number to test for equivalence";
            return reject(out_of_range(Setting::Alpha, "0.5", expected));
        }
        check_replicates(self.resampling.replicates).or_else(reject)?;
        if let (Some(interval), true) = (self.interval, self.test.has_own_intervals()) {
            let title = self.test.title();
            let message = Message::from(format!("{title} has simultaneous intervals; omit "))
                .then(Setting::Interval.to(interval.name()))
                .then(", or choose another test");
            return reject(message);
        }
        match (self.test, baselines) {
            (Test::Dunnett, 1) => {}
            (Test::Dunnett, _) => {
                let message =
                    Message::from("Dunnett's test needs exactly one baseline; name it with ");
                return reject(message.then(Setting::Baseline));
            }
            _ => {}
        }
        if self.test.corrects_itself() && self.correction.is_some_and(|it| it != Correction::None) {
            let title = self.test.title();
            let message = format!("{title} already corrects for all comparisons; omit ");
            return reject(Message::from(message).then(Setting::Correction));
        }
        Ok(())
    }
}

/// A hint for a name that no run has: the run of a file with that name, the nearest name, or the names of some runs.
fn hint(name: &str, runs: &[String]) -> String {
    const SHOWN: usize = 10;
    let names: Vec<&str> = runs.iter().map(String::as_str).collect();
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let of_file = |run: &&&str| {
        let end = file.strip_prefix(**run);
        end.is_some_and(|end| end.starts_with('.'))
    };
    let near = names.iter().find(of_file).copied();
    if let Some(near) = near.or_else(|| nearest_name(name, &names)) {
        return format!("did you mean `{near}`?");
    }
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("the runs are {}{more}", shown.join(", "))
}
