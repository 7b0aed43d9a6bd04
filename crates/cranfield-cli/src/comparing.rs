//! Options of significance tests, which several commands share.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "doc comments are help, which have no backticks"
)]

use std::str::FromStr;

use clap::{Args, ValueEnum};
use cranfield::compare::{CompareError, Family, IntervalMethod, Settings, Standardisation, Test};
use cranfield::stats::corrections::Correction;
use cranfield::stats::random::Resampling;

use crate::lazy::whole_number;

/// Options of comparisons of runs.
#[derive(Debug, Args)]
pub struct ComparisonArgs {
    /// Compare the other runs with this one only; may be repeated [default: all pairs]
    #[arg(long, value_name = "RUN")]
    pub baseline: Vec<String>,
    #[command(flatten)]
    pub tests: TestArgs,
    /// Correct p-values within each measure, or over all measures; tests with a built-in correction then add
    /// Bonferroni's [default: measure]
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "measure|all"
    )]
    pub family: Option<FamilyArg>,
    /// Equivalence margin: also test whether two runs differ by less than D
    #[arg(long, value_name = "D")]
    pub margin: Option<f64>,
    /// Region of practical equivalence: also estimate the probabilities that a run is better, equivalent (within D) or
    /// worse
    #[arg(long, value_name = "D")]
    pub rope: Option<f64>,
    /// Confidence interval of a difference: t, percentile, basic or bca [default: t; bca for bootstrap; simultaneous
    /// for tukey and dunnett]
    #[arg(long, value_name = "METHOD", value_parser = named::<IntervalMethod>)]
    pub interval: Option<IntervalMethod>,
    /// Standardise scores within each topic, over all runs: z, cdf, std-ab or ecdf
    #[arg(long, value_name = "METHOD", value_parser = named::<Standardisation>)]
    pub standardise: Option<Standardisation>,
}

/// Options of significance tests.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Significance test: t, randomisation, bootstrap, wilcoxon, sign, tukey, randomised-tukey, dunnett, conover, nemenyi,
    /// siegel or dunn [default: t; nemenyi for plot cd]
    #[arg(long, value_name = "TEST", value_parser = test)]
    pub test: Option<Test>,
    /// Correction for multiple tests: none, bonferroni, sidak, holm, holm-sidak, hochberg, hommel, bh or by [default:
    /// holm; none for tukey, randomised-tukey, dunnett and nemenyi, which correct themselves]
    #[arg(long, value_name = "METHOD", value_parser = correction)]
    pub correction: Option<Correction>,
    /// Significance level; intervals have confidence 1 - alpha [default: 0.05]
    #[arg(long, value_name = "A")]
    pub alpha: Option<f64>,
    /// Number of random permutations or resamples; rank intervals use at most 10000 [default: 100000, raised to up to
    /// 1000000 if significance needs more]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub replicates: Option<usize>,
    /// Seed of the random numbers [default: 42]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>)]
    pub seed: Option<u64>,
}

/// Tests over which p-values are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FamilyArg {
    /// The tests of each measure
    Measure,
    /// The tests of all measures
    All,
}

/// Parses a name with the library.
pub(crate) fn named<T: FromStr<Err = CompareError>>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|error: CompareError| error.to_string())
}

fn test(text: &str) -> Result<Test, String> {
    named(text).map_err(|error| test_hint(text).unwrap_or(error))
}

/// A hint for other common names of tests.
pub(crate) fn test_hint(text: &str) -> Option<String> {
    let name = match text.to_ascii_lowercase().as_str() {
        "student" | "students" | "student-t" | "ttest" | "t-test" | "paired-t" => "t",
        "fisher" | "permutation" | "randomization" | "random" => "randomisation",
        "tukey-hsd" | "hsd" => "tukey",
        "signed-rank" | "wilcoxon-signed-rank" => "wilcoxon",
        _ => return None,
    };
    Some(format!("unknown test `{text}`; did you mean `{name}`?"))
}

fn correction(text: &str) -> Result<Correction, String> {
    Correction::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = Correction::ALL.iter().map(|one| one.name()).collect();
        format!("expected one of {}", names.join(", "))
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
}

impl TestArgs {
    /// Settings of a comparison of all pairs, measure by measure.
    pub(crate) fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            test: self.test.unwrap_or(default.test),
            correction: self.correction,
            alpha: self.alpha.unwrap_or(default.alpha),
            resampling: Resampling {
                replicates: self.replicates.unwrap_or(default.resampling.replicates),
                seed: self.seed.unwrap_or(default.resampling.seed),
            },
            raise_replicates: self.replicates.is_none(),
            ..default
        }
    }
}
