//! The options that say how runs are compared, which several commands share.

#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, where backticks disturb"
)]

use std::str::FromStr;

use clap::{Args, ValueEnum};
use cranfield::compare::{CompareError, Family, IntervalMethod, Settings, Standardisation, Test};
use cranfield::stats::corrections::Correction;
use cranfield::stats::random::Resampling;

use crate::lazy::whole_number;
#[cfg(feature = "pictures")]
use crate::uses::Given;

/// How runs are compared.
#[derive(Debug, Args)]
pub struct ComparisonArgs {
    /// Compare the other runs with this one only, by its name; may be given again [default: all pairs]
    #[arg(long, value_name = "RUN")]
    pub baseline: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub tests: TestArgs,
    /// What p-values are corrected for; over all measures, tests that correct themselves by Bonferroni [default: measure]
    #[arg(long, value_enum)]
    pub family: Option<FamilyArg>,
    /// Differences up to this do not matter in practice: tests also whether runs are equal within it
    #[arg(long, value_name = "D")]
    pub margin: Option<f64>,
    /// Region of practical equivalence: adds the probabilities that a run is better, equal within it, or worse
    #[arg(long, value_name = "D")]
    pub rope: Option<f64>,
    /// How intervals of differences are made: t, percentile, basic, bca
    /// [default: t; bca for bootstrap; simultaneous for tukey and dunnett]
    #[arg(long, value_name = "METHOD", value_parser = named::<IntervalMethod>)]
    pub interval: Option<IntervalMethod>,
    /// Standardise the scores of each topic by those of all compared runs: z, cdf, std-ab, ecdf
    #[arg(long, value_name = "HOW", value_parser = named::<Standardisation>)]
    pub standardise: Option<Standardisation>,
}

/// How pairs of runs are tested.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Test: t, randomisation, bootstrap, wilcoxon, sign, tukey, randomised-tukey, dunnett, conover, nemenyi, siegel,
    /// dunn
    /// [default: t; nemenyi for plot cd]
    #[arg(long, value_name = "TEST", value_parser = named::<Test>)]
    pub test: Option<Test>,
    /// Correction of p-values: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel, bh, by
    /// [default: holm; none for tukey, randomised-tukey, dunnett and nemenyi, which correct themselves]
    #[arg(long, value_name = "METHOD", value_parser = correction)]
    pub correction: Option<Correction>,
    /// Significance level; intervals have the confidence 1 - alpha [default: 0.05]
    #[arg(long, value_name = "A")]
    pub alpha: Option<f64>,
    /// Random signs, permutations or resamples of a test, and up to 10000 of intervals of ranks and shares of being best
    /// [default: 100000, or as many as the family of tests needs, up to 1000000]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub replicates: Option<usize>,
    /// Seed of random numbers [default: 42]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>)]
    pub seed: Option<u64>,
}

/// Which tests are a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FamilyArg {
    /// The tests of the same measure
    Measure,
    /// The tests of all measures
    All,
}

/// A value by its name, as the library reads it.
pub(crate) fn named<T: FromStr<Err = CompareError>>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|error: CompareError| error.to_string())
}

pub(crate) fn correction(text: &str) -> Result<Correction, String> {
    Correction::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Correction::ALL.iter().map(|one| one.name()).collect();
        format!("there are {}", names.join(", "))
    })
}

impl From<FamilyArg> for Family {
    fn from(family: FamilyArg) -> Self {
        match family {
            FamilyArg::Measure => Self::Measure,
            FamilyArg::All => Self::All,
        }
    }
}

impl ComparisonArgs {
    /// What the user asks for.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            family: self.family.map_or(Family::default(), Family::from),
            baselines: self.baseline.clone(),
            margin: self.margin,
            rope: self.rope,
            interval: self.interval,
            standardise: self.standardise,
            ..self.tests.settings()
        }
    }

    #[cfg(feature = "pictures")]
    /// The options that say which runs are compared, by what and how they are tested, and which of them are given.
    pub(crate) fn of_pairs(&self) -> [Given; 8] {
        [
            ("--test", self.tests.test.is_some()),
            ("--correction", self.tests.correction.is_some()),
            ("--family", self.family.is_some()),
            ("--margin", self.margin.is_some()),
            ("--rope", self.rope.is_some()),
            ("--interval", self.interval.is_some()),
            ("--standardise", self.standardise.is_some()),
            ("--baseline", !self.baseline.is_empty()),
        ]
    }
}

impl TestArgs {
    #[cfg(feature = "pictures")]
    /// The options of intervals, and which of them are given.
    pub(crate) fn of_intervals(&self) -> [Given; 3] {
        [
            ("--alpha", self.alpha.is_some()),
            ("--replicates", self.replicates.is_some()),
            ("--seed", self.seed.is_some()),
        ]
    }

    /// What the user asks for: all pairs, measure by measure.
    pub(crate) fn settings(&self) -> Settings {
        let usual = Settings::default();
        Settings {
            test: self.test.unwrap_or(usual.test),
            correction: self.correction,
            alpha: self.alpha.unwrap_or(usual.alpha),
            resampling: Resampling {
                replicates: self.replicates.unwrap_or(usual.resampling.replicates),
                seed: self.seed.unwrap_or(usual.resampling.seed),
            },
            raise_replicates: self.replicates.is_none(),
            ..usual
        }
    }
}
