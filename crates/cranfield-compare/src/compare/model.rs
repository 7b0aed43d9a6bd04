//! What a comparison consists of.

use cranfield_core::measure::Direction;
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
use super::{Claim, IntervalMethod, Leaning, Settings, Setup, Test, TopicTable, Verdict};

/// Most groups that have letters; more of them say nothing to a reader.
const MOST_GROUPS: usize = 26;

/// Runs compared by measures.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// How they were compared.
    pub settings: Settings,
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Places of the runs that the others are compared with; empty if all pairs are compared.
    pub baselines: Vec<usize>,
    /// The measures, in the order of the evaluation.
    pub measures: Vec<MeasureTable>,
    /// Replicates that were asked for, where there are more now.
    pub raised_from: Option<usize>,
    /// How the runs were evaluated; `None` for scores from elsewhere.
    pub setup: Option<Setup>,
    /// Whether the comparison was planned, if there is a plan.
    pub role: Option<Role>,
}

/// What a comparison is, where a plan was made beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The plan names it.
    Confirmatory,
    /// It was asked for beside the plan.
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
    /// Topics, and what became of undefined values.
    pub topics: TopicTable,
    /// The runs, in their order.
    pub systems: Vec<System>,
    /// Places of the runs, best first.
    pub order: Vec<usize>,
    /// The pairs that were tested.
    pub pairs: Vec<Pair>,
    /// Number of tests that p-values were corrected for.
    pub family: usize,
    /// Number of measures that these tests are of.
    pub measures_in_family: usize,
    /// Number of tests of equality that theirs were corrected for.
    pub equivalence_family: usize,
    /// The replicates without which no test of the family can be significant, where there are fewer.
    pub lacking_replicates: Option<usize>,
    /// Sets of runs of which none is shown to be better than another, each best first; empty unless all pairs were tested, and
    /// where there are more than 26.
    pub groups: Vec<Vec<usize>>,
    /// Whether there are more groups than that.
    pub too_many_groups: bool,
    /// Analysis of variance of three runs and more, with the topics taken out; none in what a plan confirms.
    pub anova: Option<TwoWay>,
    /// The same with the topics left in, as if each run had topics of its own.
    pub one_way: Option<OneWay>,
    /// Friedman's test of all runs, where there are three and more, or pairs are compared by ranks; in what a plan confirms, where
    /// its pairs stand behind it.
    pub friedman: Option<Friedman>,
    /// Its exact p, where runs and topics are few enough.
    pub friedman_exact: Option<f64>,
}

/// One run by one measure.
#[derive(Clone, Debug)]
pub struct System {
    /// Mean over topics.
    pub mean: f64,
    /// Interval of the mean by Student's t; `None` with one topic.
    pub interval: Option<Interval>,
    /// Rank, its interval and the probability of being best, over resampled topics.
    pub rank: RankInterval,
    /// Letters of the groups that it belongs to; two runs share a letter if neither is shown to be better.
    pub letters: String,
}

/// Two runs by one measure.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The run in question.
    pub first: usize,
    /// The run that it is compared with.
    pub second: usize,
    /// Mean of the first minus mean of the second.
    pub difference: f64,
    /// The difference as a share of the second's mean, if that is not 0 and scores are not standardised.
    pub relative: Option<f64>,
    /// Interval of the difference.
    pub interval: Interval,
    /// How it was made; `None` where it is the test's own, which holds for all pairs of the measure together.
    pub interval_method: Option<IntervalMethod>,
    /// p-value of the test alone.
    pub p: f64,
    /// p-value corrected for the other tests of the family.
    pub adjusted: f64,
    /// Whether the corrected p-value is at most alpha.
    pub significant: bool,
    /// What the test compares, if that is not the mean: sums of ranks, topics won, mean ranks.
    pub leaning: Option<Leaning>,
    /// Whether that is in favour of another run than the difference of the means.
    pub is_contrary: bool,
    /// Mean of the differences over their standard deviation.
    pub effect: Effect,
    /// Topics on which the first has a better value, the same, a worse one; of a measure without a direction, a larger is better.
    pub wins: Wins,
    /// How large the observed difference is for practice; `None` for standardised scores, of which shares mean nothing.
    pub importance: Option<Importance>,
    /// The least difference that this test finds with a probability of 80 % on so many topics, before correction.
    pub detectable: Option<f64>,
    /// Whether the runs are equal within the margin, if there is one.
    pub equivalence: Option<Tost>,
    /// p-value of that, corrected for the other pairs of the family.
    pub equivalence_adjusted: Option<f64>,
    /// The least p that a test of signs can have with so many topics that differ; `None` for other tests.
    pub least_p: Option<f64>,
    /// The same corrected, if all other tests of the family have their least p too.
    pub least_adjusted: Option<f64>,
    /// Probabilities of being better and equal in practice, if there is a region of practical equivalence.
    pub posterior: Option<SignedRankPosterior>,
    /// Set when all differences are the same.
    pub degenerate: Option<Degenerate>,
    /// What may be said.
    pub claim: Claim,
}

/// Size of a difference as a share of the smaller of both means, by the rule of thumb of Sparck Jones and Bates (1977):
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
    /// By the rule, for two means.
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

    /// The share that it stands for.
    pub fn share(self) -> &'static str {
        match self {
            Self::NotNoticeable => "below 5 %",
            Self::Noticeable => "5 % to 10 %",
            Self::Material => "10 % or more",
        }
    }

    /// The share that is reached, in percent, for a narrow column of a table.
    pub fn least_share(self) -> &'static str {
        match self {
            Self::NotNoticeable => "0",
            Self::Noticeable => "5",
            Self::Material => "10",
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
    /// How the intervals of differences are made, by name.
    pub fn interval_name(&self) -> &'static str {
        if self.settings.test.has_own_intervals() {
            "simultaneous"
        } else {
            self.settings.interval_method().name()
        }
    }

    /// How they are made, if resamples of the topics were asked for, or are usual with the test; else it goes without saying.
    pub(super) fn told_method(&self) -> Option<IntervalMethod> {
        let settings = &self.settings;
        let is_told =
            !settings.test.has_own_intervals() && settings.interval_asked().is_resampled();
        is_told.then(|| settings.interval_method())
    }

    /// How the interval of a pair was made, where that does not go without saying.
    pub fn told_for(&self, pair: &Pair) -> Option<IntervalMethod> {
        self.told_method().and(pair.interval_method)
    }

    /// Whether intervals of differences are over resamples of so few topics that they are too short.
    pub fn has_short_intervals(&self, table: &MeasureTable) -> bool {
        let is_resampled = |method: IntervalMethod| method.is_resampled();
        self.told_method().is_some_and(is_resampled) && table.topics.count < LEAST_TOPICS
    }

    /// Pairs whose interval is by Student's t, because resamples of the topics have none.
    pub(super) fn pairs_by_t<'a>(&self, table: &'a MeasureTable) -> impl Iterator<Item = &'a Pair> {
        let told = self.told_method();
        let is_other = move |pair: &&Pair| told.is_some() && pair.interval_method != told;
        table.pairs.iter().filter(is_other)
    }
}

impl MeasureTable {
    /// The pair of these runs, in whichever order it was tested.
    pub fn pair(&self, a: usize, b: usize) -> Option<&Pair> {
        let mut pairs = self.pairs.iter();
        pairs.find(|pair| [(a, b), (b, a)].contains(&(pair.first, pair.second)))
    }

    /// The pairs in the order of the runs, best first.
    pub fn ordered_pairs(&self) -> Vec<&Pair> {
        let place = |run: usize| self.order.iter().position(|other| *other == run);
        let mut pairs: Vec<&Pair> = self.pairs.iter().collect();
        pairs.sort_by_key(|pair| (place(pair.first), place(pair.second)));
        pairs
    }

    /// Places of the runs that this one is significantly better than.
    pub fn beaten_by(&self, run: usize) -> Vec<usize> {
        let beats = |pair: &Pair| match pair.winner() {
            Some((winner, loser)) if winner == run => Some(loser),
            _ => None,
        };
        let mut beaten: Vec<usize> = self.pairs.iter().filter_map(beats).collect();
        beaten.sort_unstable();
        beaten
    }

    /// The name of the measure, with its direction where smaller is better.
    pub fn directed_name(&self) -> String {
        directed(&self.measure, self.direction)
    }

    /// Whether a difference of this sign is in favour of the first run.
    pub fn is_better(&self, difference: f64) -> bool {
        match self.direction {
            Direction::LowerIsBetter => difference < 0.0,
            Direction::HigherIsBetter | Direction::Neutral => difference > 0.0,
        }
    }

    /// The run of a pair that the test is in favour of: by the means, or by what it compares in their place; `None` if by neither.
    pub fn favoured(&self, pair: &Pair) -> Option<usize> {
        let of_leaning = |leaning: Leaning| leaning.first - leaning.second;
        let difference = pair.leaning.map_or(pair.difference, of_leaning);
        match () {
            () if self.is_better(difference) => Some(pair.first),
            () if self.is_better(-difference) => Some(pair.second),
            () => None,
        }
    }

    /// p of Friedman's test: the exact one where there is one, else that of chi-square.
    pub fn friedman_p(&self) -> Option<f64> {
        let approximate = self.friedman.as_ref().map(|test| test.p);
        self.friedman_exact.or(approximate)
    }

    /// The same in a sentence; empty where there is no such test.
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

    /// That there are no letters of groups, where there would be too many; else empty.
    pub fn groups_left_out(&self) -> String {
        if self.too_many_groups {
            format!(
                "There are more than {MOST_GROUPS} groups of runs of which none is shown to be better, too many for letters; the pairs say which runs differ."
            )
        } else {
            String::new()
        }
    }
}

impl Pair {
    /// What the test compares, if that is not the mean: topics won are those on which a run has the better value.
    pub fn compared(&self, test: Test) -> Option<Leaning> {
        if test == Test::Sign {
            let [first, second] = [self.wins.wins, self.wins.losses].map(|count| count as f64);
            return Some(Leaning { first, second });
        }
        self.leaning
    }

    /// Probabilities that the first run is better, that both are equal in practice, and that the first is worse, if there is a
    /// region of practical equivalence.
    pub fn chances(&self, table: &MeasureTable) -> Option<[f64; 3]> {
        let found = self.posterior.as_ref()?;
        let (better, worse) = if table.is_better(1.0) {
            (found.greater, found.less)
        } else {
            (found.less, found.greater)
        };
        Some([better, found.equivalent, worse])
    }

    /// The run that is shown to be better, and the other one; `None` where no such claim is made.
    pub fn winner(&self) -> Option<(usize, usize)> {
        match self.claim.verdict {
            Verdict::Better => Some((self.first, self.second)),
            Verdict::Worse => Some((self.second, self.first)),
            Verdict::Contrary | Verdict::Equivalent | Verdict::Open | Verdict::Identical => None,
        }
    }
}
