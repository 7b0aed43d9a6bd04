//! Claims: sentences that state what the data support, and what they do not.

mod caveats;

use cranfield_core::measure::Direction;
use cranfield_render::{plural, rounded, with_exponent};
use cranfield_stats::{Degenerate, Interval, short};

use super::wording::{bare_p, corrected_p, p_text, percent};
use super::{Comparison, Importance, IntervalMethod, MeasureTable, Pair, Role, Test};

/// A claim about two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The outcome.
    pub verdict: Verdict,
    /// The difference and the verdict: the beginning of [`says`](Self::says).
    pub headline: String,
    /// The supported part, with the numbers behind it.
    pub says: String,
    /// The part that the data do not support.
    pub does_not_say: String,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The first run is significantly better.
    Better,
    /// The first run is significantly worse.
    Worse,
    /// The test is significant but favours the run with the worse mean, so there is no winner.
    Contrary,
    /// The runs are equivalent within the margin.
    Equivalent,
    /// Neither a difference nor equivalence is significant.
    #[default]
    Open,
    /// The runs have identical scores on every topic.
    Identical,
}

impl Claim {
    /// The claim in three lines: the headline, the numbers, and what is not claimed.
    pub fn lines(&self) -> String {
        let figures = self.says.strip_prefix(&self.headline).unwrap_or_default();
        let lines = [&*self.headline, figures.trim(), &*self.does_not_say];
        let lines = lines.into_iter().filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Verdict {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Contrary => "contrary",
            Self::Equivalent => "equivalent",
            Self::Open => "open",
            Self::Identical => "identical",
        }
    }
}

pub(super) fn claim(comparison: &Comparison, table: &MeasureTable, pair: &Pair) -> Claim {
    let writer = Writer {
        comparison,
        table,
        pair,
    };
    let verdict = writer.verdict();
    let headline = writer.headline(verdict);
    let figures = match verdict {
        Verdict::Identical => String::new(),
        _ => format!(" {}", writer.figures()),
    };
    Claim {
        verdict,
        says: format!("{headline}{figures}"),
        headline,
        does_not_say: writer.does_not_say(verdict),
    }
}

struct Writer<'a> {
    comparison: &'a Comparison,
    table: &'a MeasureTable,
    pair: &'a Pair,
}

impl Writer<'_> {
    fn verdict(&self) -> Verdict {
        let pair = self.pair;
        match () {
            () if pair.degenerate == Some(Degenerate::Identical) => Verdict::Identical,
            () if pair.significant && pair.is_contrary => Verdict::Contrary,
            () if pair.significant && self.table.is_better(pair.difference) => Verdict::Better,
            () if pair.significant => Verdict::Worse,
            () if self.is_equivalent() => Verdict::Equivalent,
            () => Verdict::Open,
        }
    }

    /// Whether the runs are equivalent within the margin; they may also differ significantly.
    fn is_equivalent(&self) -> bool {
        let alpha = self.comparison.settings.alpha;
        let p = self.pair.equivalence_adjusted;
        p.is_some_and(|p| p <= alpha)
    }

    fn runs(&self) -> [&str; 2] {
        [self.pair.first, self.pair.second].map(|run| self.comparison.runs[run].as_str())
    }

    /// The difference, followed by the verdict.
    fn headline(&self, verdict: Verdict) -> String {
        let ([first, second], measure) = (self.runs(), self.table.directed_name());
        let topics = self.table.topics.count;
        let role = match self.comparison.role {
            Some(Role::Exploratory) => "Exploratory: ",
            _ => "",
        };
        let means = match verdict {
            Verdict::Identical => {
                return format!(
                    "{role}0 {measure} from {second} to {first}: identical scores on all {topics} topics."
                );
            }
            Verdict::Better => format!("{first} is better{}", self.within_margin()),
            Verdict::Worse => format!("{first} is worse{}", self.within_margin()),
            Verdict::Contrary => "no winner, because mean and test disagree".into(),
            Verdict::Equivalent => {
                let margin = self.comparison.settings.margin.unwrap_or_default();
                format!("equivalent within ±{}", short(margin))
            }
            Verdict::Open => "no significant difference".into(),
        };
        let pair = self.pair;
        let [a, b] = self.means().map(|mean| self.number(mean));
        let sign = if pair.difference.is_sign_negative() {
            ""
        } else {
            "+"
        };
        let relative = pair
            .relative
            .map_or(String::new(), |share| format!(", {:+.1} %", 100.0 * share));
        format!(
            "{role}{sign}{} {measure} from {second} to {first} ({b} to {a}{relative}): {means}.",
            self.number(pair.difference)
        )
    }

    /// Means of both runs.
    fn means(&self) -> [f64; 2] {
        [self.pair.first, self.pair.second].map(|run| self.table.systems[run].mean)
    }

    /// A number in units of the measure: four decimals, or four significant digits for very small or large scores.
    fn number(&self, value: f64) -> String {
        let Interval { low, high, .. } = self.pair.interval;
        let [a, b] = self.means();
        let sizes = [a, b, self.pair.difference, low, high].map(f64::abs);
        let sizes = sizes.into_iter().filter(|size| size.is_finite());
        let size = sizes.fold(0.0, f64::max);
        if size == 0.0 || (1e-3..1e7).contains(&size) {
            rounded(value, 4)
        } else {
            with_exponent(value, 4)
        }
    }

    /// States that a significant difference is within the margin, if it is.
    fn within_margin(&self) -> String {
        match self.comparison.settings.margin {
            Some(margin) if self.is_equivalent() => {
                format!(", by less than the margin of {}", short(margin))
            }
            _ => String::new(),
        }
    }

    /// The numbers behind every claim.
    fn figures(&self) -> String {
        let wins = self.pair.wins;
        let (higher, lower) = match self.table.direction {
            Direction::LowerIsBetter => (wins.losses, wins.wins),
            Direction::HigherIsBetter | Direction::Neutral => (wins.wins, wins.losses),
        };
        let equal = match wins.ties {
            0 => String::new(),
            ties => format!(", {ties} equal"),
        };
        format!(
            "{}. {}.{}{}{}{} Topics: {higher} higher, {lower} lower{equal}.{}",
            self.interval(),
            self.p_values(),
            self.no_variance(),
            self.equivalence(),
            self.chances(),
            self.effect(),
            self.size(),
        )
    }

    fn interval(&self) -> String {
        let Interval { low, high, level } = self.pair.interval;
        let [low, high] = [low, high].map(|end| self.number(end));
        let method = self.comparison.shown_method_of(self.pair);
        let name = method.map_or(String::new(), |method| format!("{} ", method.title()));
        let narrow = if self.is_too_narrow() {
            format!(", too narrow for {} topics", self.table.topics.count)
        } else {
            String::new()
        };
        format!(
            "{} % {name}interval {low} to {high}{narrow}",
            percent(level)
        )
    }

    /// Whether the interval comes from resamples of too few topics.
    fn is_too_narrow(&self) -> bool {
        let method = self.pair.interval_method;
        self.comparison.has_short_intervals(self.table)
            && method.is_some_and(IntervalMethod::is_resampled)
    }

    /// Explains why test and interval disagree; empty if they agree.
    fn interval_conflict(&self) -> String {
        let (pair, Interval { low, high, .. }) = (self.pair, self.pair.interval);
        let has_zero = (low..=high).contains(&0.0);
        let is_odd = if has_zero {
            pair.significant
        } else {
            pair.p > self.comparison.settings.alpha
        };
        match self.why_interval_differs().filter(|_| is_odd) {
            None => String::new(),
            Some(_) if !has_zero && self.is_too_narrow() => {
                "The interval excludes 0 only because it is too narrow, which is no evidence of a difference. "
                    .into()
            }
            Some(why) if has_zero => {
                format!("The interval contains 0, but the verdict follows the test: {why}. ")
            }
            Some(why) => format!(
                "The interval excludes 0, but the verdict follows the test, which is not significant: {why}. "
            ),
        }
    }

    /// Why test and interval may disagree; `None` if both are the same calculation.
    fn why_interval_differs(&self) -> Option<String> {
        let test = self.comparison.settings.test;
        let method = self.pair.interval_method?;
        if let Some(what) = test.compares() {
            return Some(format!(
                "it compares {what}, while the interval is of the mean difference"
            ));
        }
        if test.corrects_itself() {
            return Some(
                "its p-value is for all pairs jointly, the interval for this pair alone".into(),
            );
        }
        let title = match method {
            IntervalMethod::T if test == Test::T => return None,
            IntervalMethod::T => "Student's t",
            other => other.title(),
        };
        Some(format!("the interval uses another method ({title})"))
    }

    fn p_values(&self) -> String {
        let (settings, pair) = (&self.comparison.settings, self.pair);
        let title = settings.test.title();
        let family = self.table.family;
        let alone = self.p(pair.p);
        if settings.test.corrects_itself() {
            let pairs = plural(family, "pair");
            return match self.table.measures_in_family {
                1 => format!("{alone} for {pairs} jointly ({title})"),
                measures => format!(
                    "{} for {pairs} jointly ({title}, Bonferroni for {measures} measures; within the measure {})",
                    self.p(pair.adjusted),
                    bare_p(pair.p, settings.alpha)
                ),
            };
        }
        if let Some(bound) = self.bound_by_friedman() {
            let p = self.p(bound);
            return format!(
                "{p}, from Friedman's test ({title} alone {})",
                bare_p(pair.p, settings.alpha)
            );
        }
        let p = (pair.p, pair.adjusted);
        corrected_p(title, p, settings.correction(), family, settings.alpha)
    }

    /// A p-value with enough digits to compare it with alpha.
    fn p(&self, p: f64) -> String {
        p_text("p", p, self.comparison.settings.alpha)
    }

    /// The p-value of Friedman's test, if it replaces a smaller one of the pair.
    fn bound_by_friedman(&self) -> Option<f64> {
        let bound = self.table.friedman_p()?;
        let is_bound = self.pair.adjusted <= bound && self.pair.p < bound;
        (self.comparison.settings.test.is_behind_friedman() && is_bound).then_some(bound)
    }

    /// States that p is a convention, if a test that divides by the variance has none.
    fn no_variance(&self) -> &'static str {
        let divides = matches!(self.comparison.settings.test, Test::T | Test::Bootstrap);
        if divides && self.pair.degenerate == Some(Degenerate::Constant) {
            " All topics differ by the same amount: the variance is 0, so p is 0 by convention, however few the topics are."
        } else {
            ""
        }
    }

    /// The p-value of equivalence within the margin, if there is one.
    fn equivalence(&self) -> String {
        let (settings, pair) = (&self.comparison.settings, self.pair);
        let (Some(margin), Some(tost), Some(adjusted)) = (
            settings.margin,
            &pair.equivalence,
            pair.equivalence_adjusted,
        ) else {
            return String::new();
        };
        let (p, count) = ((tost.p, adjusted), self.table.equivalence_family);
        let correction = settings.equivalence_correction();
        let p = corrected_p("two one-sided tests", p, correction, count, settings.alpha);
        format!(" Equivalence within ±{}: {p}.", short(margin))
    }

    /// The probabilities of the region of practical equivalence, if there is one.
    fn chances(&self) -> String {
        let (Some(rope), Some(chances)) =
            (self.comparison.settings.rope, self.pair.chances(self.table))
        else {
            return String::new();
        };
        let [better, equal, worse] = chances.map(|chance| format!("{chance:.2}"));
        format!(
            " Bayesian signed-rank test with a region of ±{}: better with probability {better}, equivalent {equal}, worse {worse}.",
            short(rope)
        )
    }

    /// The size of the observed difference by the rule of 5 % and 10 %.
    fn size(&self) -> String {
        let size = |importance: Importance| {
            let (name, share) = (importance.name(), importance.share());
            format!(" Observed size: {name} ({share} of the smaller mean).")
        };
        self.pair.importance.map(size).unwrap_or_default()
    }

    fn effect(&self) -> String {
        let Some(value) = self.pair.effect.value else {
            return String::new();
        };
        match &self.pair.effect.interval {
            Some(Interval { low, high, .. }) => {
                format!(" Effect d_z = {value:.2} ({low:.2} to {high:.2}).")
            }
            None => format!(" Effect d_z = {value:.2}."),
        }
    }
}
