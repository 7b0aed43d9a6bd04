//! The paragraph on methods for a paper.

use cranfield_report::plural;
use cranfield_stats::corrections::Correction;

use super::claims::{correction_title, p_text, percent};
use super::{Comparison, Family, MeasureTable, Plan, Planned, PlannedTopics, Test};

impl Comparison {
    /// What was done, in the words of a paper's section on methods.
    pub fn methods(&self) -> String {
        let sentences = [
            self.what(),
            self.test_sentence(),
            self.correction_sentence(),
            self.interval_sentence(),
            self.rank_sentence(),
        ];
        let sentences = sentences
            .into_iter()
            .filter(|sentence| !sentence.is_empty());
        sentences.collect::<Vec<_>>().join(" ")
    }

    fn what(&self) -> String {
        let names: Vec<&str> = self
            .measures
            .iter()
            .map(|table| table.measure.as_str())
            .collect();
        let mut counts: Vec<usize> = self
            .measures
            .iter()
            .map(|table| table.topics.count)
            .collect();
        counts.dedup();
        let topics: Vec<String> = counts.iter().map(ToString::to_string).collect();
        format!(
            "We compare {} runs by {}, as means over {} topics.",
            self.runs.len(),
            list(&names),
            topics.join(" or ")
        )
    }

    fn test_sentence(&self) -> String {
        let settings = &self.settings;
        let against = match self.baselines.as_slice() {
            [] => "all pairs of runs".to_owned(),
            baselines => {
                let names: Vec<&str> = baselines
                    .iter()
                    .map(|run| self.runs[*run].as_str())
                    .collect();
                format!("all runs with {}", list(&names))
            }
        };
        let replicates = if settings.test.is_random() {
            format!(
                " with up to {} replicates (seed {})",
                settings.resampling.replicates, settings.resampling.seed
            )
        } else {
            String::new()
        };
        let test = match settings.test {
            Test::T => "Student's paired t test",
            Test::Randomisation => "Fisher's randomisation test of the mean difference",
            Test::Bootstrap => "the bootstrap test of the t statistic (shift method)",
            Test::Wilcoxon => "Wilcoxon's signed-rank test",
            Test::Sign => "the sign test",
            Test::Tukey => {
                "Tukey's honestly significant difference with the residual of topics and runs"
            }
            Test::RandomisedTukey => {
                "the randomised version of Tukey's honestly significant difference"
            }
            Test::Dunnett => "Dunnett's test with the residual of topics and runs",
            Test::Conover => "Conover's comparisons of rank sums behind Friedman's test",
            Test::Nemenyi => "Nemenyi's comparisons of mean ranks behind Friedman's test",
        };
        format!(
            "We compare {against} by {test}{replicates}, two-sided, at a significance level of {}.",
            settings.alpha
        )
    }

    /// The test and its correction in a few words, for a caption.
    pub fn test_in_words(&self, family: usize) -> String {
        let settings = &self.settings;
        let title = settings.test.title();
        match settings.correction() {
            _ if family == 1 => title.into(),
            _ if settings.test.corrects_itself() => {
                format!("{title}, which holds for all {family} pairs together")
            }
            Correction::None => format!("{title}, not corrected for {family} tests"),
            correction => format!(
                "{title}, corrected for {family} tests ({})",
                correction_title(correction)
            ),
        }
    }

    fn correction_sentence(&self) -> String {
        let settings = &self.settings;
        if settings.test.corrects_itself() {
            return "Its p-values hold for all comparisons of a measure together.".into();
        }
        let family = self.measures.first().map_or(0, |table| table.family);
        let of = match settings.family {
            Family::Measure => "of a measure",
            Family::All => "of all measures",
        };
        let family = plural(family, "comparison");
        match settings.correction() {
            Correction::None => format!("p-values are not corrected for the {family} {of}."),
            correction => format!(
                "p-values are corrected for the {family} {of} by the method of {}.",
                correction_title(correction)
            ),
        }
    }

    fn interval_sentence(&self) -> String {
        let percent = percent(self.settings.level());
        let how = match self.settings.test {
            Test::Tukey | Test::Dunnett => "are simultaneous",
            Test::Bootstrap => "are BCa bootstrap intervals",
            _ => "are by Student's t",
        };
        format!(
            "Intervals of differences have a confidence of {percent} % and {how}; those of means are by Student's t. Effect sizes are d_z, the mean of the differences over their standard deviation."
        )
    }

    fn rank_sentence(&self) -> String {
        let resampling = self.settings.rank_resampling();
        format!(
            "Intervals of ranks and probabilities of being best are over {} bootstrap samples of the topics (seed {}).",
            resampling.replicates, resampling.seed
        )
    }
}

/// Names in a sentence: "a", "a and b", "a, b and c".
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

impl Plan {
    /// What it fixes, in a sentence or two.
    pub fn says(&self) -> String {
        let measures: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        let others = self
            .runs
            .iter()
            .filter(|run| !self.settings.baselines.contains(run));
        let runs: Vec<&str> = others.map(String::as_str).collect();
        let of = match runs.as_slice() {
            [] => "all runs".to_owned(),
            runs => list(runs),
        };
        let baselines: Vec<&str> = self.settings.baselines.iter().map(String::as_str).collect();
        let with = match baselines.as_slice() {
            [] => String::new(),
            baselines => format!(" with {}", list(baselines)),
        };
        let topics = match &self.topics {
            PlannedTopics::Any => String::new(),
            PlannedTopics::Count(count) => format!(" on {count} topics"),
            PlannedTopics::Ids(ids) => format!(" on {} topics by name", ids.len()),
        };
        let hash = self
            .blake3
            .as_ref()
            .map_or(String::new(), |hash| format!(" (BLAKE3 {hash})"));
        format!(
            "The plan{hash} compares {of}{with} by {}{topics}; these comparisons are confirmatory, and everything else is exploratory.",
            list(&measures)
        )
    }
}

impl Planned {
    /// What was done, in the words of a paper's section on methods.
    pub fn methods(&self) -> String {
        let exploratory = self.exploratory.as_ref().map_or(String::new(), |part| {
            let measures: Vec<&str> = part.measures.iter().map(|table| &*table.measure).collect();
            format!(
                " Exploratory comparisons, of {} runs by {}, were not planned; they are tested in the same way, and corrected on their own.",
                part.runs.len(),
                list(&measures)
            )
        });
        format!(
            "What is compared, and how, was fixed in a plan. {} {}{exploratory}",
            self.plan.says(),
            self.confirmatory.methods()
        )
    }
}

impl MeasureTable {
    /// Friedman's test of all runs, where pairs are compared by ranks.
    pub(super) fn friedman_sentence(&self) -> String {
        let Some(test) = &self.friedman else {
            return String::new();
        };
        let statistic = test.chi_square.map_or(String::new(), |value| {
            format!(
                "chi-square = {value:.2} with {} degrees of freedom, ",
                test.df
            )
        });
        let agreement = test
            .kendall_w
            .map_or(String::new(), |w| format!("; Kendall's W = {w:.2}"));
        let p = p_text("p", test.p);
        format!("Friedman's test over all runs: {statistic}{p}{agreement}.")
    }
}
