//! Settings of a gate.

use std::fmt;
use std::str::FromStr;

use cranfield_core::setting::{Message, Setting};
use cranfield_eval::Progress;
use cranfield_stats::random::Resampling;
use cranfield_stats::short;

use super::GateError;
use crate::limits::{by_name, check_alpha, check_replicates, out_of_range};

/// Power for which detectable drops and numbers of topics are computed.
pub const POWER: f64 = 0.8;

/// Upper limit of tolerances and ratchets.
const LARGEST: f64 = 1e50;

/// The form of a tolerance.
const TOLERANCES: &str =
    "expected a number such as 0.01 or a percentage such as 2%, at least 0 and below 1e50";

/// A drop that is tolerated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// In units of the measure.
    Absolute(f64),
    /// A share of the baseline's mean; 0.02 is 2 %.
    Relative(f64),
}

impl Tolerance {
    /// In units of the measure, for a baseline with this mean.
    pub fn of(self, baseline: f64) -> f64 {
        match self {
            Self::Absolute(drop) => drop,
            Self::Relative(share) => share * baseline.abs(),
        }
    }

    fn makes_sense(self) -> bool {
        let (Self::Absolute(number) | Self::Relative(number)) = self;
        (0.0..LARGEST).contains(&number)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(drop) => f.write_str(&short(*drop)),
            // Two digits more than a percentage has, so that 0.07 is not 7.000000000000001.
            Self::Relative(share) => write!(f, "{}%", (share * 1e12).round() / 1e10),
        }
    }
}

impl FromStr for Tolerance {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let number = text.strip_suffix('%').unwrap_or(text).trim();
        let wrong =
            || GateError::Settings(format!("invalid tolerance `{text}`; {TOLERANCES}").into());
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let tolerance = if text.ends_with('%') {
            Self::Relative(number / 100.0)
        } else {
            Self::Absolute(number)
        };
        Some(tolerance)
            .filter(|tolerance| tolerance.makes_sense())
            .ok_or_else(wrong)
    }
}

/// The significance test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Test {
    /// Student's paired t test, one-sided.
    #[default]
    T,
    /// Fisher's randomisation test, one-sided; a tolerance is added to the differences first.
    Randomisation,
}

impl Test {
    /// All tests.
    pub const ALL: [Self; 2] = [Self::T, Self::Randomisation];

    /// The name that options have.
    pub fn name(self) -> &'static str {
        match self {
            Self::T => "t",
            Self::Randomisation => "randomisation",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::T => "one-sided paired t test",
            Self::Randomisation => "one-sided randomisation test",
        }
    }
}

impl FromStr for Test {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let known = Self::ALL.map(|test| (test.name(), test));
        by_name("test", text, &known).map_err(GateError::Settings)
    }
}

impl FromStr for Inconclusive {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let known = [
            ("own", Self::Own),
            ("pass", Self::Pass),
            ("fail", Self::Fail),
        ];
        by_name("outcome", text, &known).map_err(GateError::Settings)
    }
}

/// How INCONCLUSIVE counts where only two outcomes are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inconclusive {
    /// An outcome of its own.
    #[default]
    Own,
    /// Counts as passing.
    Pass,
    /// Counts as failing.
    Fail,
}

/// Settings of a gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The tolerated drop.
    pub tolerance: Tolerance,
    /// The test.
    pub test: Test,
    /// Significance level of failing and of passing.
    pub alpha: f64,
    /// Number of replicates and seed of tests that draw random numbers.
    pub resampling: Resampling,
    /// Largest drop of a single topic.
    pub ratchet: Option<f64>,
    /// Topics exempt from the ratchet.
    pub excused: Vec<String>,
    /// Receives the progress of tests and self-tests.
    pub progress: Progress,
}

impl Default for Settings {
    /// A tolerance of 0.01, a t test at 0.05, no ratchet.
    fn default() -> Self {
        Self {
            tolerance: Tolerance::Absolute(0.01),
            test: Test::T,
            alpha: 0.05,
            resampling: Resampling::default(),
            ratchet: None,
            excused: Vec::new(),
            progress: Progress::default(),
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), GateError> {
        let invalid = |why: Message| Err(GateError::Settings(why));
        let tolerance = self.tolerance;
        if !tolerance.makes_sense() {
            return invalid(format!("invalid tolerance {tolerance}; {TOLERANCES}").into());
        }
        check_alpha(self.alpha).or_else(invalid)?;
        check_replicates(self.resampling.replicates).or_else(invalid)?;
        if self.alpha == 0.5 {
            let message = " is 0.5, at which every change is significant; give a smaller number";
            return invalid(Message::from(Setting::Alpha).then(message));
        }
        if let Some(ratchet) = self.ratchet
            && !(0.0..LARGEST).contains(&ratchet)
        {
            let expected = "a number of at least 0 and below 1e50";
            return invalid(out_of_range(Setting::Ratchet, short(ratchet), expected));
        }
        if self.ratchet.is_none() && !self.excused.is_empty() {
            return invalid("topics are exempt from the ratchet, but there is no ratchet".into());
        }
        Ok(())
    }
}
