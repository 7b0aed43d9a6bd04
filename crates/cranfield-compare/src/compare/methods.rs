//! The methods paragraph of a paper.

use cranfield_render::plural;
use cranfield_stats::bootstrap::LEAST_TOPICS;
use cranfield_stats::corrections::Correction;
use cranfield_stats::random::Resampling;
use cranfield_stats::randomisation::AUTO_EXACT;
use cranfield_stats::short;

use super::wording::{correction_title, percent};
use super::{
    Comparison, ComparisonPlan, Family, MeasureTable, Planned, PlannedTopics, Setup,
    Standardisation, Test,
};

impl Comparison {
    /// The methods, as a paragraph for a paper.
    pub fn methods(&self) -> String {
        let sentences = [
            self.what(),
            self.setup.as_ref().map_or(String::new(), Setup::says),
            self.standard_sentence(),
            self.test_sentence(),
            self.correction_sentence(),
            self.equality_sentence(),
            self.region_sentence(),
            self.interval_sentence(),
            self.rank_sentence(),
        ];
        let sentences = sentences
            .into_iter()
            .filter(|sentence| !sentence.is_empty());
        sentences.collect::<Vec<_>>().join(" ")
    }

    fn what(&self) -> String {
        let names = self.measures.iter().map(MeasureTable::directed_name);
        let names: Vec<String> = names.collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut counts: Vec<usize> = self
            .measures
            .iter()
            .map(|table| table.topics.count)
            .collect();
        counts.sort_unstable();
        counts.dedup();
        let topics: Vec<String> = counts.iter().map(ToString::to_string).collect();
        format!(
            "We compare {} runs by the mean of {} over {} topics.",
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
                format!("all runs against {}", list(&names))
            }
        };
        let Resampling { replicates, seed } = settings.resampling;
        let replicates = match settings.test {
            Test::Randomisation => format!(
                ", exact if at most {AUTO_EXACT} topics differ, and otherwise with {replicates} random sign assignments (seed {seed})"
            ),
            test if test.is_random() => format!(" with {replicates} replicates (seed {seed})"),
            _ => String::new(),
        };
        let test = match settings.test {
            Test::T => "Student's paired t test",
            Test::Randomisation => "Fisher's randomisation test of the mean difference",
            Test::Bootstrap => "the bootstrap test of the t statistic (shift method)",
            Test::Wilcoxon => {
                "Wilcoxon's signed-rank test, exact for up to 100 nonzero differences, with zero differences discarded"
            }
            Test::Sign => "the sign test",
            Test::Tukey => {
                "Tukey's honestly significant difference with the residual of a two-way layout of topics and runs"
            }
            Test::RandomisedTukey => {
                "the randomised version of Tukey's honestly significant difference"
            }
            Test::Dunnett => {
                "Dunnett's test with the residual of a two-way layout of topics and runs"
            }
            Test::Conover => {
                "Conover's comparisons of rank sums after Friedman's test, whose p-value is a lower bound of theirs"
            }
            Test::Nemenyi => "Nemenyi's comparisons of mean ranks after Friedman's test",
            Test::Siegel => "Siegel and Castellan's comparisons of mean ranks within topics",
            Test::Dunn => {
                "Dunn's comparisons of ranks over all topics, which ignore the pairing by topic"
            }
        };
        format!(
            "We test {against} with {test}{replicates}, two-sided, at a significance level of {}.",
            settings.alpha
        )
    }

    /// The test and its correction, for a caption.
    pub fn test_in_words(&self, family: usize) -> String {
        let settings = &self.settings;
        let title = settings.test.title();
        match settings.correction() {
            _ if family == 1 => title.into(),
            _ if settings.test.corrects_itself() => {
                format!("{title}, jointly for all {family} pairs")
            }
            Correction::None => format!("{title}, not corrected for {family} tests"),
            correction => format!(
                "{title}, corrected for {family} tests ({})",
                correction_title(correction)
            ),
        }
    }

    /// The test and its correction within a sentence, with an article if it needs one.
    pub fn test_in_a_sentence(&self, family: usize) -> String {
        let words = self.test_in_words(family);
        let article = if words.contains("'s") { "" } else { "the " };
        format!("{article}{words}")
    }

    fn correction_sentence(&self) -> String {
        let settings = &self.settings;
        let comparisons = self.comparisons(|table| table.family);
        if settings.test.corrects_itself() {
            let measures = self.measures.first();
            let together = if self.corrects_for_others() {
                "all pairs of runs, including those not compared here,"
            } else {
                "all comparisons"
            };
            return match measures.map_or(1, |table| table.measures_in_family) {
                1 => format!("Its p-values are corrected jointly for {together} of a measure."),
                measures => format!(
                    "Its p-values are corrected jointly for {together} of a measure, and multiplied by the number of measures, {measures} (Bonferroni), to correct for {comparisons}."
                ),
            };
        }
        match settings.correction() {
            _ if self.measures.iter().all(|table| table.family <= 1) => {
                "There is one comparison, so p-values need no correction.".into()
            }
            Correction::None => format!("p-values are not corrected for {comparisons}."),
            correction => {
                let bounds = match correction {
                    Correction::BenjaminiHochberg | Correction::BenjaminiYekutieli => {
                        ", which controls the false discovery rate"
                    }
                    _ => "",
                };
                let method = correction_title(correction);
                format!(
                    "p-values are corrected for {comparisons} by the method of {method}{bounds}."
                )
            }
        }
    }

    /// Describes the family of each measure.
    fn comparisons(&self, size: impl Fn(&MeasureTable) -> usize) -> String {
        let mut sizes: Vec<usize> = self.measures.iter().map(size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        let of = match self.settings.family {
            Family::Measure => "of a measure",
            Family::All => "of all measures",
        };
        let unit = match sizes.as_slice() {
            [1] => "comparison",
            _ => "comparisons",
        };
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        format!("the {} {unit} {of}", sizes.join(" or "))
    }

    fn equality_sentence(&self) -> String {
        let Some(margin) = self.settings.margin else {
            return String::new();
        };
        let comparisons = self.comparisons(|table| table.equivalence_family);
        let corrected = match self.settings.equivalence_correction() {
            _ if self
                .measures
                .iter()
                .all(|table| table.equivalence_family <= 1) =>
            {
                String::new()
            }
            Correction::None => format!(", whose p-values are not corrected for {comparisons}"),
            correction => format!(
                ", whose p-values are corrected for {comparisons} by the method of {}",
                correction_title(correction)
            ),
        };
        format!(
            "Equivalence within ±{} is tested with two one-sided t tests{corrected}.",
            short(margin)
        )
    }

    fn standard_sentence(&self) -> String {
        let Some(how) = self.settings.standardise else {
            return String::new();
        };
        let by = match how {
            Standardisation::Ecdf => "the scores",
            _ => "the mean and standard deviation",
        };
        format!(
            "The scores of each topic are standardised by {by} of the {} compared runs on it ({}).",
            self.runs.len(),
            how.title()
        )
    }

    fn region_sentence(&self) -> String {
        let Some(rope) = self.settings.rope else {
            return String::new();
        };
        let Resampling { replicates, seed } = self.settings.rank_resampling();
        format!(
            "Probabilities of being better, equivalent within ±{} and worse are from the Bayesian signed-rank test (Benavoli et al., 2017), with a prior weight of 0.5 on no difference and {replicates} draws (seed {seed}), where pairs of topics on the boundary of the region count half inside and half outside; they are not corrected for the number of pairs of runs.",
            short(rope)
        )
    }

    fn interval_sentence(&self) -> String {
        let percent = percent(self.settings.level());
        let how = if self.settings.test.has_own_intervals() {
            "are simultaneous for all pairs of a measure".into()
        } else {
            self.intervals_in_words()
        };
        format!(
            "Intervals of differences have a confidence level of {percent} % and {how}; intervals of means use Student's t. Effect sizes are d_z, the mean of the differences divided by their standard deviation."
        )
    }

    /// The method of intervals of differences, and its limits.
    fn intervals_in_words(&self) -> String {
        let method = self.settings.interval_method();
        if !method.is_resampled() {
            return "use Student's t".into();
        }
        let samples = plural(self.settings.rank_resampling().replicates, "sample");
        let tables = self.measures.iter();
        let by_t: usize = tables.map(|table| self.pairs_by_t(table).count()).sum();
        let by_t = match by_t {
            0 => String::new(),
            pairs => format!(
                ", or use Student's t where the bootstrap gives none ({})",
                plural(pairs, "pair")
            ),
        };
        let mut tables = self.measures.iter();
        let narrow = if tables.any(|table| self.has_short_intervals(table)) {
            format!(", which are too narrow on fewer than {LEAST_TOPICS} topics")
        } else {
            String::new()
        };
        format!(
            "are {} bootstrap intervals from {samples}{by_t}{narrow}",
            method.title()
        )
    }

    fn rank_sentence(&self) -> String {
        let resampling = self.settings.rank_resampling();
        let mut tables = self.measures.iter();
        let few = if tables.any(|table| !table.rank_warning().is_empty()) {
            format!(", and are overconfident on fewer than {LEAST_TOPICS}")
        } else {
            String::new()
        };
        format!(
            "Rank intervals and probabilities of being best are from {} of the topics (seed {}){few}.",
            plural(resampling.replicates, "bootstrap sample"),
            resampling.seed
        )
    }
}

/// Names in a sentence: "a", "a and b", "a, b and c".
pub(super) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

impl ComparisonPlan {
    /// Describes what the plan fixes.
    pub fn says(&self) -> String {
        let measures: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        let others = self
            .runs
            .iter()
            .filter(|run| !self.settings.baselines.contains(run));
        let runs: Vec<&str> = others.map(String::as_str).collect();
        let runs = match runs.as_slice() {
            [] => "all runs".to_owned(),
            runs => list(runs),
        };
        let baselines: Vec<&str> = self.settings.baselines.iter().map(String::as_str).collect();
        let against = match baselines.as_slice() {
            [] => String::new(),
            baselines => format!(" against {}", list(baselines)),
        };
        let topics = match &self.topics {
            PlannedTopics::Any => String::new(),
            PlannedTopics::Count(count) => format!(" on {count} topics"),
            PlannedTopics::Ids(ids) => format!(" on {} named topics", ids.len()),
        };
        let policies = self.policies.named();
        let under = match policies.as_slice() {
            [] => String::new(),
            policies => format!(" under {}", policies.join(", ")),
        };
        let hash = self
            .blake3
            .as_ref()
            .map_or(String::new(), |hash| format!(" (BLAKE3 {hash})"));
        format!(
            "The plan{hash} compares {runs}{against} by {}{topics}{under}; these comparisons are confirmatory, and all others are exploratory.",
            list(&measures)
        )
    }
}

impl Planned {
    /// The methods, as a paragraph for a paper.
    pub fn methods(&self) -> String {
        let exploratory = self.exploratory.as_ref().map_or(String::new(), |part| {
            let measures: Vec<&str> = part.measures.iter().map(|table| &*table.measure).collect();
            format!(
                " Exploratory comparisons, of {} runs by {}, were not planned; they are tested in the same way{}, and corrected separately.",
                part.runs.len(),
                list(&measures),
                self.other_replicates(part)
            )
        });
        format!(
            "The comparisons and methods were fixed in a plan. {} {}{exploratory}",
            self.plan.says(),
            self.confirmatory.methods()
        )
    }
}

impl Planned {
    /// The number of replicates, if a larger family needs more than the plan has.
    fn other_replicates(&self, exploratory: &Comparison) -> String {
        let [planned, explored] =
            [&self.confirmatory, exploratory].map(|part| part.settings.resampling.replicates);
        if planned == explored || !exploratory.settings.test.is_random() {
            return String::new();
        }
        format!(", with up to {explored} replicates")
    }
}

impl MeasureTable {
    /// Friedman's test of all runs, if there is one.
    pub(super) fn friedman_sentence(&self, alpha: f64) -> String {
        let Some(test) = &self.friedman else {
            return String::new();
        };
        let statistic = test.chi_square.map_or(String::new(), |value| {
            let degrees = plural(test.df as usize, "degree");
            format!("chi-square = {value:.2} with {degrees} of freedom, ")
        });
        let agreement = test
            .kendall_w
            .map_or(String::new(), |w| format!("; Kendall's W = {w:.2}"));
        let p = self.friedman_p_text(alpha);
        format!("Friedman's test over all runs: {statistic}{p}{agreement}.")
    }
}
