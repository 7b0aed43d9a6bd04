//! Omnibus tests of all runs: analysis of variance and Friedman's test.

use cranfield_stats::anova::{FTest, OneWay, Source, TwoWay, two_way};
use cranfield_stats::friedman::{self, Friedman};
use cranfield_stats::pairs::MOST_SYSTEMS;
use cranfield_stats::{ScoreMatrix, StatsError};
use serde_json::{Value, json};

use super::wording::p_text;
use super::{Comparison, MeasureTable, Role};

/// Minimum number of runs for a test of all runs.
const LEAST_RUNS: usize = 3;

impl Comparison {
    /// The tests of all runs by one measure: for three or more runs, and Friedman's test for comparisons of ranks. Confirmatory
    /// comparisons have only the tests of the plan, and Friedman's test if they depend on it.
    pub(super) fn omnibus(
        &self,
        scores: &ScoreMatrix,
    ) -> Result<(Option<TwoWay>, Option<Friedman>), StatsError> {
        let enough = (LEAST_RUNS..=MOST_SYSTEMS).contains(&scores.systems()) && scores.topics() > 1;
        let is_free = enough && self.role != Some(Role::Confirmatory);
        let anova = is_free.then(|| two_way(scores)).transpose()?;
        let test = self.settings.test;
        let by_ranks = match self.role {
            Some(Role::Confirmatory) => test.is_behind_friedman(),
            _ => is_free || test.is_by_ranks(),
        };
        let friedman = by_ranks.then(|| friedman::test(scores)).transpose()?;
        Ok((anova, friedman))
    }

    /// The omnibus tests of all measures, for a caption; empty if there are none.
    pub(super) fn omnibus_caption(&self) -> String {
        let one = |table: &MeasureTable| {
            let test = table.anova.as_ref()?.system_test;
            let test = f_text(&test, self.settings.alpha);
            Some(format!("{} {test}", table.measure))
        };
        let all: Vec<String> = self.measures.iter().filter_map(one).collect();
        match all.as_slice() {
            [] => String::new(),
            all => format!(" Two-way ANOVA of all runs: {}.", all.join("; ")),
        }
    }
}

impl MeasureTable {
    /// The results of the tests of all runs, in sentences; empty if there are none.
    pub fn omnibus_says(&self, alpha: f64) -> String {
        let anova = self.anova.as_ref();
        let anova = anova.map(|table| anova_sentence(table, alpha));
        let sentences = [anova.unwrap_or_default(), self.friedman_sentence(alpha)];
        let sentences = sentences
            .into_iter()
            .filter(|sentence| !sentence.is_empty());
        sentences.collect::<Vec<_>>().join(" ")
    }

    /// The tests of all runs as JSON; null if there are none.
    pub(super) fn omnibus_object(&self) -> Value {
        if self.anova.is_none() && self.friedman.is_none() {
            return Value::Null;
        }
        json!({
            "anova": self.anova.as_ref().map(anova_object),
            "one_way_anova": self.one_way.as_ref().map(one_way_object),
            "friedman": self.friedman.as_ref().map(|test| friedman_object(test, self.friedman_exact)),
        })
    }
}

/// Proportions of runs, topics and residual in the sum of squares; `None` if all scores are the same.
fn shares(table: &TwoWay) -> Option<[f64; 3]> {
    let squares = [&table.systems, &table.topics, &table.residual];
    let squares = squares.map(|source| source.sum_of_squares);
    let total: f64 = squares.iter().sum();
    (total > 0.0).then(|| squares.map(|part| part / total))
}

fn f_text(test: &FTest, alpha: f64) -> String {
    let p = p_text("p", test.p, alpha);
    match test.statistic {
        Some(f) => format!("F({}, {}) = {f:.2}, {p}", test.df1, test.df2),
        None => format!("no residual variance, {p}"),
    }
}

fn anova_sentence(table: &TwoWay, alpha: f64) -> String {
    let shares = shares(table).map_or(String::new(), |shares| {
        let [runs, topics, residual] = shares.map(|share| format!("{:.1} %", 100.0 * share));
        format!(
            "; {runs} of the variance is due to runs, {topics} to topics and {residual} to the residual"
        )
    });
    let test = f_text(&table.system_test, alpha);
    format!("Two-way ANOVA over all runs: {test}{shares}.")
}

fn source_object(source: &Source, share: Option<f64>) -> Value {
    json!({
        "sum_of_squares": source.sum_of_squares,
        "degrees_of_freedom": source.df,
        "mean_square": source.mean_square,
        "share": share,
    })
}

fn tested_object(source: &Source, share: Option<f64>, test: &FTest) -> Value {
    let mut object = source_object(source, share);
    object["f"] = json!(test.statistic);
    object["p"] = json!(test.p);
    object
}

fn anova_object(table: &TwoWay) -> Value {
    let shares = shares(table);
    let share = |at: usize| shares.map(|shares| shares[at]);
    json!({
        "runs": tested_object(&table.systems, share(0), &table.system_test),
        "topics": tested_object(&table.topics, share(1), &table.topic_test),
        "residual": source_object(&table.residual, share(2)),
    })
}

fn one_way_object(table: &OneWay) -> Value {
    let share = table.share.eta2;
    json!({
        "runs": tested_object(&table.systems, share, &table.test),
        "residual": source_object(&table.residual, share.map(|share| 1.0 - share)),
    })
}

fn friedman_object(test: &Friedman, exact: Option<f64>) -> Value {
    let f = &test.iman_davenport;
    json!({
        "chi_square": test.chi_square,
        "degrees_of_freedom": test.df,
        "p": test.p,
        "exact_p": exact,
        "kendall_w": test.kendall_w,
        "iman_davenport": {"f": f.statistic, "degrees_of_freedom": [f.df1, f.df2], "p": f.p},
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Settings, Test, compare_scores};
    use super::*;
    use crate::test_data::sakai_scores;

    fn table(runs: usize, test: Test) -> MeasureTable {
        let scores = &sakai_scores()[..runs];
        let names = &["a", "b", "c"][..runs];
        let settings = Settings {
            test,
            ..Settings::default()
        };
        compare_scores("AP", names, scores, &settings).unwrap()
    }

    #[track_caller]
    fn near(object: &Value, pointer: &str, expected: f64) {
        let found = object.pointer(pointer).and_then(Value::as_f64).unwrap();
        assert!((found - expected).abs() < 1e-9, "{pointer}: {found}");
    }

    /// statsmodels 0.15.0, `anova_lm(ols("y ~ C(s) + C(t)"))`; scipy 1.17.1, `friedmanchisquare`; W is chi-square / 40, and the F of
    /// Iman and Davenport is 19 chi-square / (40 - chi-square).
    #[test]
    fn values_of_statsmodels_and_scipy() {
        let object = table(3, Test::T).omnibus_object();
        near(&object, "/anova/runs/f", 2.474_949_899_8);
        near(&object, "/anova/runs/p", 0.097_635_418_280);
        near(&object, "/anova/topics/f", 2.475_350_701_403);
        near(&object, "/anova/topics/p", 0.008_558_658_153);
        near(&object, "/anova/residual/mean_square", 0.021_885_964_912);
        near(&object, "/anova/runs/share", 0.055_010_155_721);
        near(&object, "/anova/topics/share", 0.522_681_110_359);
        near(&object, "/anova/residual/share", 0.422_308_733_920);
        near(&object, "/one_way_anova/runs/f", 1.659_054_271_9);
        near(&object, "/one_way_anova/runs/p", 0.199_376_296_5);
        near(&object, "/friedman/chi_square", 2.238_805_970_149_253_5);
        near(&object, "/friedman/p", 0.326_474_646_689_285_66);
        near(&object, "/friedman/kendall_w", 0.055_970_149_253_731);
        near(&object, "/friedman/iman_davenport/f", 1.126_482_213_438_735);
    }

    #[test]
    fn one_sentence_for_each_test() {
        let says = table(3, Test::T).omnibus_says(0.05);
        assert_eq!(
            says,
            "Two-way ANOVA over all runs: F(2, 38) = 2.47, p = 0.0976; 5.5 % of the variance is due to runs, 52.3 % to topics and \
             42.2 % to the residual. Friedman's test over all runs: chi-square = 2.24 with 2 degrees of freedom, exact p = 0.3408; \
             Kendall's W = 0.06."
        );
    }

    #[test]
    fn two_runs_are_one_pair() {
        let pair = table(2, Test::T);
        assert_eq!(pair.omnibus_says(0.05), "");
        assert_eq!(pair.omnibus_object(), Value::Null);
        let by_ranks = table(2, Test::Nemenyi).omnibus_object();
        assert!(by_ranks["anova"].is_null() && by_ranks["friedman"].is_object());
    }

    /// Constant scores have no F, no proportions and no chi-square, but are not an error.
    #[test]
    fn constant_scores() {
        let scores = [[0.5, 0.5, 0.5]; 3];
        let same = compare_scores("AP", &["a", "b", "c"], &scores, &Settings::default()).unwrap();
        assert_eq!(
            same.omnibus_says(0.05),
            "Two-way ANOVA over all runs: no residual variance, p = 1.0000. Friedman's test over all runs: exact p = 1.0000."
        );
    }
}
