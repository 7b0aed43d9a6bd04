//! The result of a comparison.

use cranfield_core::measure::Direction;
use cranfield_core::small_sort::SmallSort;
use cranfield_stats::anova::{OneWay, TwoWay};
use cranfield_stats::bootstrap::{LEAST_TOPICS, RankInterval};
use cranfield_stats::effect::Effect;
use cranfield_stats::equivalence::{SignedRankPosterior, Tost};
use cranfield_stats::friedman::Friedman;
use cranfield_stats::groups::{groups, letters};
use cranfield_stats::wins::Wins;
use cranfield_stats::{Degenerate, Interval};

use super::scores::directed;
use super::wording::p_text;
use super::{
    Claim, DifferingTopic, IntervalMethod, Leaning, Settings, Setup, Test, TopicTable, Verdict,
};

/// Maximum number of groups with letters; more are unreadable.
const MOST_GROUPS: usize = 26;

/// Runs compared by measures.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The settings of the comparison.
    pub settings: Settings,
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Indices of the baselines; empty if all pairs are compared.
    pub baselines: Vec<usize>,
    /// The measures, in the order of the evaluation.
    pub measures: Vec<MeasureTable>,
    /// The requested number of replicates, if it was raised.
    pub raised_from: Option<usize>,
    /// How the runs were evaluated; `None` for scores from elsewhere.
    pub setup: Option<Setup>,
    /// Whether the comparison was planned, if there is a plan.
    pub role: Option<Role>,
}

/// The role of a comparison with respect to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Part of the plan.
    Confirmatory,
    /// Not part of the plan.
    Exploratory,
}

impl Role {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmatory => "confirmatory",
            Self::Exploratory => "exploratory",
        }
    }
}

/// Runs compared by one measure.
#[derive(Clone, Debug)]
pub struct MeasureTable {
    /// Name of the measure.
    pub measure: String,
    /// Whether larger is better.
    pub direction: Direction,
    /// Topics, and the treatment of undefined values.
    pub topics: TopicTable,
    /// The runs, in their order.
    pub systems: Vec<System>,
    /// Indices of the runs, best first.
    pub order: Vec<usize>,
    /// The tested pairs.
    pub pairs: Vec<Pair>,
    /// Number of tests that p-values were corrected for.
    pub family: usize,
    /// Number of measures of these tests.
    pub measures_in_family: usize,
    /// Number of equivalence tests that their p-values were corrected for.
    pub equivalence_family: usize,
    /// The number of replicates that significance needs, if there are fewer.
    pub lacking_replicates: Option<usize>,
    /// Sets of runs without significant differences, each best first; empty unless all pairs were tested, or if there are more than
    /// 26.
    pub groups: Vec<Vec<usize>>,
    /// Whether there are more than 26 groups.
    pub too_many_groups: bool,
    /// Two-way analysis of variance of three or more runs and the topics; none for confirmatory comparisons.
    pub anova: Option<TwoWay>,
    /// One-way analysis of variance, as if each run had its own topics.
    pub one_way: Option<OneWay>,
    /// Friedman's test of all runs, for three or more runs or for tests by ranks; for confirmatory comparisons only if the test of pairs
    /// depends on it.
    pub friedman: Option<Friedman>,
    /// Its exact p-value, for few runs and topics.
    pub friedman_exact: Option<f64>,
}

/// One run by one measure.
#[derive(Clone, Debug)]
pub struct System {
    /// Mean over topics.
    pub mean: f64,
    /// Interval of the mean by Student's t; `None` with one topic.
    pub interval: Option<Interval>,
    /// Rank, its interval and the probability of being best, from resampled topics.
    pub rank: RankInterval,
    /// Letters of its groups; runs that share a letter do not differ significantly.
    pub letters: String,
}

/// Two runs by one measure.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Index of the run.
    pub first: usize,
    /// Index of the run that it is compared with.
    pub second: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// The difference relative to the mean of the second, if that is not 0 and scores are not standardised.
    pub relative: Option<f64>,
    /// Interval of the difference.
    pub interval: Interval,
    /// Its method; `None` for the simultaneous intervals of a test.
    pub interval_method: Option<IntervalMethod>,
    /// p-value of the test alone.
    pub p: f64,
    /// p-value corrected for the other tests of the family.
    pub adjusted: f64,
    /// Whether the corrected p-value is at most alpha.
    pub significant: bool,
    /// The statistics that the test compares instead of the means: rank sums, topics won or mean ranks.
    pub leaning: Option<Leaning>,
    /// Whether they favour another run than the difference of the means.
    pub is_contrary: bool,
    /// Mean of the differences divided by their standard deviation.
    pub effect: Effect,
    /// Number of topics on which the first is better, equal or worse; larger is better for measures without a direction.
    pub wins: Wins,
    /// Practical importance of the observed difference; `None` for standardised scores, which have no meaningful ratios.
    pub importance: Option<Importance>,
    /// The minimum detectable difference with a power of 80 % on these topics, before correction.
    pub detectable: Option<f64>,
    /// Test of equivalence within the margin, if there is one.
    pub equivalence: Option<Tost>,
    /// p-value of the equivalence test, corrected for the other pairs of the family.
    pub equivalence_adjusted: Option<f64>,
    /// The smallest possible p-value with this number of topics that differ, for tests of signs; `None` for other tests.
    pub least_p: Option<f64>,
    /// The smallest possible p-value, corrected as if all other tests of the family had their smallest p-values too.
    pub least_adjusted: Option<f64>,
    /// Probabilities of being better and equivalent, if there is a region of practical equivalence.
    pub posterior: Option<SignedRankPosterior>,
    /// Set if all differences are the same.
    pub degenerate: Option<Degenerate>,
    /// The topics with the largest differences, if topics have titles to show.
    pub topics: Vec<DifferingTopic>,
    /// The claim that the data support.
    pub claim: Claim,
}

/// Size of a difference relative to the smaller of both means, by the rule of thumb of Sparck Jones and Bates (1977):
/// differences below 5 % are not noticeable, those of 10 % and more are material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// Below 5 %.
    NotNoticeable,
    /// From 5 % to 10 %.
    Noticeable,
    /// 10 % or more.
    Material,
}

impl Importance {
    /// Classifies the difference of two means.
    pub fn of(first: f64, second: f64) -> Self {
        let (difference, base) = ((first - second).abs(), first.abs().min(second.abs()));
        // A little slack: 0.105 - 0.1 is a little less than 5 % of 0.1 in floating point.
        let reaches = |share: f64| difference > 0.0 && difference * (1.0 + 1e-9) >= share * base;
        match (reaches(0.10), reaches(0.05)) {
            (true, _) => Self::Material,
            (_, true) => Self::Noticeable,
            _ => Self::NotNoticeable,
        }
    }

    /// The range of relative differences.
    pub fn share(self) -> &'static str {
        match self {
            Self::NotNoticeable => "below 5 %",
            Self::Noticeable => "5 % to 10 %",
            Self::Material => "10 % or more",
        }
    }

    /// The range of relative differences, for a narrow column of a table.
    pub fn short_share(self) -> &'static str {
        match self {
            Self::NotNoticeable => "<5%",
            Self::Noticeable => "5%+",
            Self::Material => "10%+",
        }
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotNoticeable => "not noticeable",
            Self::Noticeable => "noticeable",
            Self::Material => "material",
        }
    }
}

impl Comparison {
    /// The name of the method of intervals of differences.
    pub fn interval_name(&self) -> &'static str {
        if self.settings.test.has_own_intervals() {
            "simultaneous"
        } else {
            self.settings.interval_method().name()
        }
    }

    /// The method of intervals, if it is by resampling or replaces such a method; `None` for the default.
    pub(super) fn shown_method(&self) -> Option<IntervalMethod> {
        let settings = &self.settings;
        let is_shown =
            !settings.test.has_own_intervals() && settings.requested_interval().is_resampled();
        is_shown.then(|| settings.interval_method())
    }

    /// The method of the interval of a pair, unless it is the default.
    pub fn shown_method_of(&self, pair: &Pair) -> Option<IntervalMethod> {
        self.shown_method().and(pair.interval_method)
    }

    /// Whether intervals of differences are from resamples of too few topics, and therefore too narrow.
    pub fn has_short_intervals(&self, table: &MeasureTable) -> bool {
        let is_resampled = |method: IntervalMethod| method.is_resampled();
        self.shown_method().is_some_and(is_resampled) && table.topics.count < LEAST_TOPICS
    }

    /// Pairs whose intervals use Student's t because resamples of the topics give none.
    pub(super) fn pairs_by_t<'a>(&self, table: &'a MeasureTable) -> impl Iterator<Item = &'a Pair> {
        let method = self.shown_method();
        let is_other = move |pair: &&Pair| method.is_some() && pair.interval_method != method;
        table.pairs.iter().filter(is_other)
    }
}

impl MeasureTable {
    /// The pair of two runs, in any order.
    pub fn pair(&self, a: usize, b: usize) -> Option<&Pair> {
        let mut pairs = self.pairs.iter();
        pairs.find(|pair| [(a, b), (b, a)].contains(&(pair.first, pair.second)))
    }

    /// The pairs in the order of the runs, best first.
    pub fn ordered_pairs(&self) -> Vec<&Pair> {
        let place = |run: usize| self.order.iter().position(|other| *other == run);
        let mut pairs: Vec<&Pair> = self.pairs.iter().collect();
        pairs.small_sort_by_key(|pair| (place(pair.first), place(pair.second)));
        pairs
    }

    /// Indices of the runs that this one is significantly better than.
    pub fn beaten_by(&self, run: usize) -> Vec<usize> {
        let beats = |pair: &Pair| match pair.winner() {
            Some((winner, loser)) if winner == run => Some(loser),
            _ => None,
        };
        let mut beaten: Vec<usize> = self.pairs.iter().filter_map(beats).collect();
        beaten.sort_unstable();
        beaten
    }

    /// The name of the measure, with its direction if smaller is better.
    pub fn directed_name(&self) -> String {
        directed(&self.measure, self.direction)
    }

    /// Whether a difference of this sign favours the first run.
    pub fn is_better(&self, difference: f64) -> bool {
        match self.direction {
            Direction::LowerIsBetter => difference < 0.0,
            Direction::HigherIsBetter | Direction::Neutral => difference > 0.0,
        }
    }

    /// The run of a pair that the test favours, by the statistics that it compares; `None` if they are equal.
    pub fn favoured(&self, pair: &Pair) -> Option<usize> {
        let of_leaning = |leaning: Leaning| leaning.first - leaning.second;
        let difference = pair.leaning.map_or(pair.difference, of_leaning);
        match () {
            () if self.is_better(difference) => Some(pair.first),
            () if self.is_better(-difference) => Some(pair.second),
            () => None,
        }
    }

    /// p-value of Friedman's test: exact if available, otherwise by the chi-square approximation.
    pub fn friedman_p(&self) -> Option<f64> {
        let approximate = self.friedman.as_ref().map(|test| test.p);
        self.friedman_exact.or(approximate)
    }

    /// The p-value of Friedman's test in a sentence; empty if there is no such test.
    pub fn friedman_p_text(&self, alpha: f64) -> String {
        let name = self.friedman_exact.map_or("p", |_| "exact p");
        let text = self.friedman_p().map(|p| p_text(name, p, alpha));
        text.unwrap_or_default()
    }

    pub(super) fn find_groups(&mut self) {
        let runs = self.systems.len();
        let mut differ = vec![false; runs * runs];
        for (winner, loser) in self.pairs.iter().filter_map(Pair::winner) {
            differ[winner * runs + loser] = true;
            differ[loser * runs + winner] = true;
        }
        let found = groups(&self.order, MOST_GROUPS, |a, b| differ[a * runs + b]);
        let Some(found) = found else {
            self.too_many_groups = true;
            return;
        };
        let letters = letters(&found, self.systems.len());
        for (system, letters) in self.systems.iter_mut().zip(letters) {
            system.letters = letters;
        }
        self.groups = found;
    }

    /// A note that letters are omitted because there are too many groups; otherwise empty.
    pub fn groups_left_out(&self) -> String {
        if self.too_many_groups {
            format!(
                "There are more than {MOST_GROUPS} groups of runs without significant differences, too many for letters; the pairs show which runs differ."
            )
        } else {
            String::new()
        }
    }
}

impl Pair {
    /// The statistics that the test compares instead of the means. Topics won are those on which a run is better.
    pub fn compared(&self, test: Test) -> Option<Leaning> {
        if test == Test::Sign {
            let [first, second] = [self.wins.wins, self.wins.losses].map(|count| count as f64);
            return Some(Leaning { first, second });
        }
        self.leaning
    }

    /// Probabilities that the first run is better, equivalent or worse, if there is a region of practical equivalence.
    pub fn chances(&self, table: &MeasureTable) -> Option<[f64; 3]> {
        let found = self.posterior.as_ref()?;
        let (better, worse) = if table.is_better(1.0) {
            (found.greater, found.less)
        } else {
            (found.less, found.greater)
        };
        Some([better, found.equivalent, worse])
    }

    /// The significantly better run and the other one; `None` if there is no such claim.
    pub fn winner(&self) -> Option<(usize, usize)> {
        match self.claim.verdict {
            Verdict::Better => Some((self.first, self.second)),
            Verdict::Worse => Some((self.second, self.first)),
            Verdict::Contrary | Verdict::Equivalent | Verdict::Open | Verdict::Identical => None,
        }
    }
}
