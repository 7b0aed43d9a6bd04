//! How runs are compared.

use std::fmt;
use std::str::FromStr;

use cranfield_core::measure::Range;
use cranfield_core::spec::nearest_name;
use cranfield_stats::bootstrap::{MOST_KEPT, replicates_for};
use cranfield_stats::corrections::Correction;
use cranfield_stats::random::Resampling;

use super::CompareError;
use super::family::MOST_RAISED;
use super::scores::ScoreTable;
use crate::limits::{by_name, check_alpha, check_replicates, check_size, check_within};

/// The tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Student's paired t test.
    #[default]
    T,
    /// Fisher's randomisation test: exact up to 40 topics with a difference, by random signs beyond.
    Randomisation,
    /// Bootstrap test of the t statistic by the shift method.
    Bootstrap,
    /// Wilcoxon's signed-rank test: exact up to 100 topics with a difference.
    Wilcoxon,
    /// Sign test.
    Sign,
    /// Tukey's honestly significant difference for runs on the same topics, which corrects for all pairs itself.
    Tukey,
    /// The same by permuting scores within topics.
    RandomisedTukey,
    /// Dunnett's test of all runs against one baseline, which corrects for all of them itself.
    Dunnett,
    /// Conover's comparisons of rank sums, behind Friedman's test: no pair differs where that test is not significant.
    Conover,
    /// Nemenyi's comparisons of mean ranks, behind Friedman's test, which correct for all pairs themselves.
    Nemenyi,
    /// Comparisons of mean ranks by Siegel and Castellan, as normal deviates.
    Siegel,
    /// Dunn's comparisons of ranks over all topics, as if each run had topics of its own.
    Dunn,
}

impl Test {
    /// All tests.
    pub const ALL: [Self; 12] = [
        Self::T,
        Self::Randomisation,
        Self::Bootstrap,
        Self::Wilcoxon,
        Self::Sign,
        Self::Tukey,
        Self::RandomisedTukey,
        Self::Dunnett,
        Self::Conover,
        Self::Nemenyi,
        Self::Siegel,
        Self::Dunn,
    ];

    /// The name that options have.
    pub fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Randomisation => "randomisation",
            Self::Bootstrap => "bootstrap",
            Self::Wilcoxon => "wilcoxon",
            Self::Sign => "sign",
            Self::Tukey => "tukey",
            Self::RandomisedTukey => "randomised-tukey",
            Self::Dunnett => "dunnett",
            Self::Conover => "conover",
            Self::Nemenyi => "nemenyi",
            Self::Siegel => "siegel",
            Self::Dunn => "dunn",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::T => "paired t test",
            Self::Randomisation => "randomisation test",
            Self::Bootstrap => "bootstrap test",
            Self::Wilcoxon => "Wilcoxon signed-rank test",
            Self::Sign => "sign test",
            Self::Tukey => "Tukey's HSD",
            Self::RandomisedTukey => "randomised Tukey HSD",
            Self::Dunnett => "Dunnett's test",
            Self::Conover => "Conover's test",
            Self::Nemenyi => "Nemenyi's test",
            Self::Siegel => "Siegel's test",
            Self::Dunn => "Dunn's test",
        }
    }

    /// Whether its p-values are corrected for all comparisons of a measure already.
    pub fn corrects_itself(self) -> bool {
        matches!(
            self,
            Self::Tukey | Self::RandomisedTukey | Self::Dunnett | Self::Nemenyi
        )
    }

    /// Whether it compares ranks within topics, as Friedman's test does.
    pub fn is_by_ranks(self) -> bool {
        matches!(self, Self::Conover | Self::Nemenyi | Self::Siegel)
    }

    /// Whether its pairs differ only where Friedman's test does: p is never below that test's.
    pub fn is_behind_friedman(self) -> bool {
        self == Self::Conover
    }

    /// Whether it has intervals of its own, which hold for all pairs of a measure together.
    pub fn has_own_intervals(self) -> bool {
        matches!(self, Self::Tukey | Self::Dunnett)
    }

    /// What it compares, if that is not the mean.
    pub fn compares(self) -> Option<&'static str> {
        match self {
            Self::Wilcoxon => Some("rank sums"),
            Self::Sign => Some("topics won"),
            Self::Conover | Self::Nemenyi | Self::Siegel => Some("mean ranks"),
            Self::Dunn => Some("mean ranks over all topics"),
            Self::T
            | Self::Randomisation
            | Self::Bootstrap
            | Self::Tukey
            | Self::RandomisedTukey
            | Self::Dunnett => None,
        }
    }

    /// Whether p depends on signs only, or on signs of ranks or values: so few topics that differ can show so much and no more.
    pub fn counts_signs(self) -> bool {
        matches!(self, Self::Sign | Self::Wilcoxon | Self::Randomisation)
    }

    /// Whether it draws random numbers, for so many topics.
    pub fn is_random(self) -> bool {
        matches!(
            self,
            Self::Randomisation | Self::Bootstrap | Self::RandomisedTukey
        )
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Test {
    type Err = CompareError;

    fn from_str(text: &str) -> Result<Self, CompareError> {
        let known = Self::ALL.map(|test| (test.name(), test));
        by_name("test", text, &known).map_err(CompareError::Settings)
    }
}

/// Which tests p-values are corrected for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// Those of the same measure.
    #[default]
    Measure,
    /// Those of all measures. Tests that correct themselves do so within a measure; their p-values are multiplied by the number
    /// of measures.
    All,
}

/// How the intervals of differences are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntervalMethod {
    /// By Student's t.
    T,
    /// Percentiles of means of resampled topics.
    Percentile,
    /// The same, mirrored at the observed difference.
    Basic,
    /// Percentiles, corrected for bias and acceleration.
    Bca,
}

impl IntervalMethod {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::T, Self::Percentile, Self::Basic, Self::Bca];

    /// The name that options have.
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

    /// Whether topics are resampled for it.
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

/// How scores are put in relation to those of all compared runs on the same topic, before anything else is done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standardisation {
    /// Distance from the mean of the runs, in standard deviations.
    Z,
    /// The normal distribution function of that, from 0 to 1.
    Cdf,
    /// 0.15 z + 0.5, cut off at 0 and 1.
    StdAb,
    /// The share of runs with a score of at most this one.
    Ecdf,
}

impl Standardisation {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Z, Self::Cdf, Self::StdAb, Self::Ecdf];

    /// The name that options have.
    pub fn name(self) -> &'static str {
        match self {
            Self::Z => "z",
            Self::Cdf => "cdf",
            Self::StdAb => "std-ab",
            Self::Ecdf => "ecdf",
        }
    }

    /// The values that standardised scores have; `None` where they have no limit.
    pub(super) fn range(self) -> Option<Range> {
        (self != Self::Z).then_some(Range::UNIT)
    }

    /// What it is, in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Z => "z-scores",
            Self::Cdf => "the normal distribution function of z-scores",
            Self::StdAb => "std-AB, 0.15 z + 0.5 between 0 and 1",
            Self::Ecdf => "the share of runs with at most this score",
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

/// How runs are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The test of a pair.
    pub test: Test,
    /// How p-values are corrected; the default is Holm's method, and none for tests that correct themselves.
    pub correction: Option<Correction>,
    /// Which tests are a family.
    pub family: Family,
    /// Significance level; intervals have the confidence 1 - alpha.
    pub alpha: f64,
    /// Number of replicates and seed of tests that draw random numbers, and of ranks.
    pub resampling: Resampling,
    /// Whether there may be more replicates, up to a million, where with these no test of the family could be significant.
    pub raise_replicates: bool,
    /// Names of the runs that the others are compared with; all pairs if there are none.
    pub baselines: Vec<String>,
    /// Differences up to this, in units of the measure, do not matter in practice.
    pub margin: Option<f64>,
    /// Half width of a region of practical equivalence, for the Bayesian signed-rank test of each pair beside the others.
    pub rope: Option<f64>,
    /// How intervals of differences are made; the default is that of the test.
    pub interval: Option<IntervalMethod>,
    /// How scores are standardised by those of all compared runs; they are left as they are without it.
    pub standardise: Option<Standardisation>,
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
        }
    }
}

/// Most replicates for ranks, of which 10,000 are enough for two digits, unless a small alpha needs more.
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

    /// How intervals of differences are made, where the test has none of its own: as asked for, but by Student's t where the
    /// resamples of the topics are too few for alpha.
    pub fn interval_method(&self) -> IntervalMethod {
        match self.lacking_resamples() {
            Some(_) => IntervalMethod::T,
            None => self.interval_asked(),
        }
    }

    /// How they are asked for, or as is usual with the test.
    pub fn interval_asked(&self) -> IntervalMethod {
        let usual = match self.test {
            Test::Bootstrap => IntervalMethod::Bca,
            _ => IntervalMethod::T,
        };
        self.interval.unwrap_or(usual)
    }

    /// The correction of tests of equality: that of the tests, and Holm's where they correct themselves.
    pub fn equivalence_correction(&self) -> Correction {
        if self.test.corrects_itself() {
            Correction::Holm
        } else {
            self.correction()
        }
    }

    /// Replicates and seed for ranks, and for intervals of differences by bootstrap: up to 10,000, or as many as alpha needs if so
    /// many are given, or if there may be more than are given.
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

    /// Resamples of the topics that some were raised from, where alpha needs more.
    pub(super) fn resamples_raised_from(&self) -> Option<usize> {
        let usual = self.resampling.replicates.min(RANK_REPLICATES);
        let is_raised = self.raise_replicates && self.rank_resampling().replicates > usual;
        is_raised.then_some(usual)
    }

    /// The resamples of the topics that intervals at this alpha need, where there are fewer.
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

    /// Refuses a margin or region that no difference of some measure can leave.
    pub(super) fn check_tables(&self, tables: &[ScoreTable]) -> Result<(), CompareError> {
        let one = |table: &ScoreTable| self.check_range(&table.measure, table.range);
        let checked = tables.iter().try_for_each(one);
        checked.map_err(CompareError::Settings)
    }

    /// Refuses a margin or region that no difference of a measure's means can leave.
    pub(super) fn check_range(&self, measure: &str, range: Option<Range>) -> Result<(), String> {
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
        let refuse = |why: String| Err(CompareError::Settings(why));
        check_alpha(self.alpha).or_else(refuse)?;
        if let Some(margin) = self.margin {
            check_size("the margin", margin).or_else(refuse)?;
        }
        if let Some(rope) = self.rope {
            check_size("the region of practical equivalence (rope)", rope).or_else(refuse)?;
        }
        if self.margin.is_some() && self.alpha == 0.5 {
            return refuse("alpha is 0.5; give a smaller number to test for equality".into());
        }
        check_replicates(self.resampling.replicates).or_else(refuse)?;
        if let (Some(interval), true) = (self.interval, self.test.has_own_intervals()) {
            let (name, title) = (interval.name(), self.test.title());
            return refuse(format!(
                "{title} has simultaneous intervals of its own; leave out the interval {name}, or choose another test"
            ));
        }
        match (self.test, baselines) {
            (Test::Dunnett, 1) => {}
            (Test::Dunnett, _) => {
                return refuse("Dunnett's test compares with one baseline; name one run with --baseline, or in a plan as `baseline`".into());
            }
            _ => {}
        }
        if self.test.corrects_itself() && self.correction.is_some_and(|it| it != Correction::None) {
            let title = self.test.title();
            return refuse(format!(
                "{title} corrects for all comparisons itself; leave the correction out"
            ));
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
