//! Limits of claims: what the data do not show, and why.

use cranfield_render::plural;
use cranfield_stats::short;

use super::super::wording::{bare_p, figure};
use super::super::{Importance, Role, Test};
use super::{Verdict, Writer};

impl Writer<'_> {
    pub(super) fn does_not_say(&self, verdict: Verdict) -> String {
        let importance = match self.pair.importance {
            Some(Importance::NotNoticeable) => "Users hardly notice differences below 5 %. ",
            Some(Importance::Noticeable) => {
                "Users notice differences of 5 % to 10 %, but they are not large. "
            }
            Some(Importance::Material) | None => "",
        };
        let detectable = self.detectable();
        let exploratory = match self.comparison.role {
            Some(Role::Exploratory) => " It was not planned and needs confirmation on new data.",
            _ => "",
        };
        let equality = match self.comparison.settings.margin {
            Some(margin) => format!("Equivalence within ±{} is not shown either.", short(margin)),
            None => "This does not show that the runs are equal.".into(),
        };
        let text = match verdict {
            Verdict::Better | Verdict::Worse => format!(
                "{}{importance}This holds only for {} on topics like these.",
                self.interval_conflict(),
                self.table.measure
            ),
            Verdict::Contrary => self.disagreement(),
            Verdict::Open if self.table.lacking_replicates.is_some() => {
                let lacks = self.comparison.lacks(self.table);
                format!(
                    "{}{equality} No difference could be significant: {lacks}.",
                    self.interval_conflict()
                )
            }
            Verdict::Open if self.pair.p <= self.comparison.settings.alpha => {
                format!("{} {equality}{detectable}", self.only_alone())
            }
            Verdict::Open => format!("{}{equality}{detectable}", self.interval_conflict()),
            Verdict::Equivalent => format!(
                "{}The margin defines equivalence and should be set before the data are seen.",
                self.interval_conflict()
            ),
            Verdict::Identical => "Identical scores do not imply identical rankings.".into(),
        };
        text + exploratory
    }

    /// The minimum detectable difference, by the t test.
    fn detectable(&self) -> String {
        let (pair, settings) = (self.pair, &self.comparison.settings);
        let topics = self.table.topics.count;
        match (pair.detectable, settings.test) {
            _ if pair.least_adjusted.is_some_and(|p| p > settings.alpha) => self.never(),
            (None, _) => String::new(),
            (Some(least), Test::T) => {
                let least = self.number(least);
                format!(
                    " With {topics} topics, the minimum detectable difference is {least} (80 % power, one test)."
                )
            }
            (Some(least), _) => format!(
                " With {topics} topics, the minimum detectable difference is {} (80 % power, one paired t test).",
                self.number(least)
            ),
        }
    }

    /// States that no difference on these topics could be significant, alone or corrected.
    fn never(&self) -> String {
        let (pair, alpha) = (self.pair, self.comparison.settings.alpha);
        let (Some(alone), Some(corrected)) = (pair.least_p, pair.least_adjusted) else {
            return String::new();
        };
        let differing = pair.wins.wins + pair.wins.losses;
        let corrected = if alone <= alpha {
            let corrected = bare_p(corrected, alpha);
            format!(
                ", and at least {corrected} after correction for {} tests",
                self.table.family
            )
        } else {
            String::new()
        };
        format!(
            " No difference could be significant: with {} that {}, the p-value of this test is at least {}{corrected}.",
            plural(differing, "topic"),
            if differing == 1 { "differs" } else { "differ" },
            bare_p(alone, alpha),
        )
    }

    /// States that a p-value is significant only before correction.
    fn only_alone(&self) -> String {
        let table = self.table;
        if self.bound_by_friedman().is_some() {
            return "The pair is significant on its own, but Friedman's test of all runs, on which it depends, is not.".into();
        }
        if self.comparison.settings.test.corrects_itself() {
            return format!(
                "Significant for {} alone, but not after correction for {} measures.",
                table.measure, table.measures_in_family
            );
        }
        format!(
            "Significant on its own, but not after correction for {} tests.",
            table.family
        )
    }

    /// The mean and the statistic of a test that favours the run with the worse mean.
    fn disagreement(&self) -> String {
        let ([first, second], pair) = (self.runs(), self.pair);
        let test = self.comparison.settings.test;
        let Some((leaning, what)) = pair.compared(test).zip(test.compares()) else {
            return String::new();
        };
        let either = |is_first: bool| if is_first { first } else { second };
        let [a, b] = self.means();
        let [x, y] = [leaning.first, leaning.second].map(figure);
        let by_mean = if pair.difference.abs() <= 1e-12 * a.abs().max(b.abs()) {
            format!("The means are equal ({})", self.number(a))
        } else {
            let better = either(self.table.is_better(pair.difference));
            let [a, b] = [a, b].map(|mean| self.number(mean));
            format!("{better} has the better mean ({b} to {a})")
        };
        let by_test = either(self.table.favoured(pair) == Some(pair.first));
        let article = if test.title().contains("'s ") {
            ""
        } else {
            "the "
        };
        format!(
            "{by_mean}, but {article}{} favours {by_test} ({what} {y} to {x}). A few topics with large differences may \
             outweigh many with small ones: report both, or test the mean, as t and randomisation do.",
            test.title(),
        )
    }
}
