//! How a run is held against a baseline.

use std::fmt;
use std::str::FromStr;

use cranfield_stats::corrections::Correction;
use cranfield_stats::random::Resampling;
use cranfield_stats::short;

use super::{DropNull, GateError};
use crate::limits::{by_name, check_alpha, check_replicates, check_size};

/// Tolerances are less; no measure has such values.
const LARGEST: f64 = 1e50;

/// What a tolerance may be.
const TOLERANCES: &str =
    "give a number such as 0.01, or a share such as 2%, of at least 0 and below 1e50";

/// A drop that does not matter.
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
        let wrong = || GateError::Settings(format!("the tolerance is `{text}`; {TOLERANCES}"));
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

/// The test of both questions.
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

/// What becomes of INCONCLUSIVE where only two outcomes are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inconclusive {
    /// An outcome of its own.
    #[default]
    Own,
    /// As good as passing.
    Pass,
    /// As bad as failing.
    Fail,
}

/// How a run is held against a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The drop that does not matter.
    pub tolerance: Tolerance,
    /// What a drop is tested against.
    pub null: DropNull,
    /// The test.
    pub test: Test,
    /// How p-values of drops are corrected for the number of measures.
    pub correction: Correction,
    /// Significance level of both questions.
    pub alpha: f64,
    /// Power for which detectable drops and numbers of topics are given.
    pub power: f64,
    /// A drop for which the number of topics is given; twice the tolerance if not named.
    pub see: Option<f64>,
    /// Number of replicates and seed of tests that draw random numbers.
    pub resampling: Resampling,
    /// No topic may fall by more than this.
    pub ratchet: Option<f64>,
    /// Topics that may.
    pub excused: Vec<String>,
}

impl Default for Settings {
    /// A tolerance of 0.01, a t test against 0 at 0.05, Holm's correction, 80 % power, no ratchet.
    fn default() -> Self {
        Self {
            tolerance: Tolerance::Absolute(0.01),
            null: DropNull::Zero,
            test: Test::T,
            correction: Correction::Holm,
            alpha: 0.05,
            power: 0.8,
            see: None,
            resampling: Resampling::default(),
            ratchet: None,
            excused: Vec::new(),
        }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<(), GateError> {
        let refuse = |why: String| Err(GateError::Settings(why));
        let tolerance = self.tolerance;
        if !tolerance.makes_sense() {
            return refuse(format!("the tolerance is {tolerance}; {TOLERANCES}"));
        }
        check_alpha(self.alpha).or_else(refuse)?;
        check_replicates(self.resampling.replicates).or_else(refuse)?;
        if self.alpha == 0.5 {
            return refuse(
                "alpha is 0.5, at which every drop and every gain is shown; give a smaller number"
                    .into(),
            );
        }
        if !(self.power >= 0.5 && self.power < 1.0) {
            return refuse(format!(
                "the power is {}; give a number from 0.5, below 1",
                self.power
            ));
        }
        if let Some(see) = self.see {
            check_size("the drop to see", see).or_else(refuse)?;
        }
        if let Some(ratchet) = self.ratchet
            && !(0.0..LARGEST).contains(&ratchet)
        {
            return refuse(format!(
                "the ratchet is {}; give a number of at least 0 and below 1e50",
                short(ratchet)
            ));
        }
        if self.ratchet.is_none() && !self.excused.is_empty() {
            return refuse(
                "topics are excused from the ratchet, and there is none; give --ratchet too".into(),
            );
        }
        Ok(())
    }
}
