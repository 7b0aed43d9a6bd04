//! Significance tests by name.

use std::fmt;
use std::str::FromStr;

use super::CompareError;
use crate::limits::by_name;

/// A test of two runs.
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
    /// Tukey's honestly significant difference for runs on the same topics, which corrects for all pairs.
    Tukey,
    /// Tukey's HSD with permutations of scores within topics.
    RandomisedTukey,
    /// Dunnett's test of all runs against one baseline, which corrects for all of them.
    Dunnett,
    /// Conover's comparisons of rank sums after Friedman's test: no pair is significant unless that test is.
    Conover,
    /// Nemenyi's comparisons of mean ranks after Friedman's test, which correct for all pairs.
    Nemenyi,
    /// Comparisons of mean ranks by Siegel and Castellan, as normal deviates.
    Siegel,
    /// Dunn's comparisons of ranks over all topics, as if each run had its own topics.
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

    /// The name in options and plans.
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

    /// Whether its p-values are already corrected for all comparisons of a measure.
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

    /// Whether its p-values are at least that of Friedman's test.
    pub fn is_behind_friedman(self) -> bool {
        self == Self::Conover
    }

    /// Whether it has simultaneous intervals for all pairs of a measure.
    pub fn has_own_intervals(self) -> bool {
        matches!(self, Self::Tukey | Self::Dunnett)
    }

    /// The statistics that it compares instead of the means.
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

    /// Whether the test assigns random signs to topics, ranks or differences, so that few topics that differ limit the smallest p-value.
    pub fn counts_signs(self) -> bool {
        matches!(self, Self::Sign | Self::Wilcoxon | Self::Randomisation)
    }

    /// Whether it draws random numbers.
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
