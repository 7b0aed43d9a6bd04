//! Sentences that say what the data justify, and what they do not.

use cranfield_core::measure::Direction;
use cranfield_stats::corrections::Correction;
use cranfield_stats::{Degenerate, Interval};

use super::{Comparison, Importance, MeasureTable, Pair};

/// What may be said about two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The outcome.
    pub verdict: Verdict,
    /// What the data justify, with the numbers to check it.
    pub says: String,
    /// What they do not justify.
    pub does_not_say: String,
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The first run has a significantly better value.
    Better,
    /// The first run has a significantly worse value.
    Worse,
    /// The runs are equal within the margin.
    Equivalent,
    /// No difference is shown, and no equality.
    #[default]
    Open,
    /// The runs have the same value on every topic.
    Identical,
}

impl Verdict {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
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
    Claim {
        verdict,
        says: writer.says(verdict),
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
        let is_equal = pair
            .equivalence
            .as_ref()
            .is_some_and(|tost| tost.p <= self.comparison.settings.alpha);
        match () {
            () if pair.degenerate == Some(Degenerate::Identical) => Verdict::Identical,
            () if pair.significant && self.table.is_better(pair.difference) => Verdict::Better,
            () if pair.significant => Verdict::Worse,
            () if is_equal => Verdict::Equivalent,
            () => Verdict::Open,
        }
    }

    fn runs(&self) -> [&str; 2] {
        [self.pair.first, self.pair.second].map(|run| self.comparison.runs[run].as_str())
    }

    fn says(&self, verdict: Verdict) -> String {
        let ([first, second], measure) = (self.runs(), &self.table.measure);
        let topics = self.table.topics.count;
        match verdict {
            Verdict::Identical => {
                format!(
                    "{first} and {second} have the same {measure} on each of the {topics} topics."
                )
            }
            Verdict::Better | Verdict::Worse => {
                let sign = if self.pair.difference > 0.0 {
                    "higher"
                } else {
                    "lower"
                };
                let hint = match (self.table.direction, verdict) {
                    (Direction::LowerIsBetter, Verdict::Better) => " (which is better)",
                    (Direction::LowerIsBetter, _) => " (which is worse)",
                    _ => "",
                };
                format!(
                    "{first} has a {sign} {measure} than {second}{hint}: {}",
                    self.figures()
                )
            }
            Verdict::Equivalent => {
                let margin = self.comparison.settings.margin.unwrap_or_default();
                let p = self.pair.equivalence.as_ref().map_or(1.0, |tost| tost.p);
                format!(
                    "{first} and {second} are equal in {measure} within ±{margin} (two one-sided tests, {}): {}",
                    p_text("p", p),
                    self.figures()
                )
            }
            Verdict::Open => format!(
                "A difference in {measure} between {first} and {second} is not shown: {}",
                self.figures()
            ),
        }
    }

    /// The numbers behind every claim.
    fn figures(&self) -> String {
        let pair = self.pair;
        let [a, b] = [pair.first, pair.second].map(|run| self.table.systems[run].mean);
        let relative = pair
            .relative
            .map_or(String::new(), |share| format!(" ({:+.1} %)", 100.0 * share));
        let wins = pair.wins;
        format!(
            "{a:.4} against {b:.4} on {} topics, a difference of {:+.4}{relative}, {}; {}; {}larger on {}, equal on {}, smaller on {} of them.",
            self.table.topics.count,
            pair.difference,
            interval_text(&pair.interval, 4),
            self.p_values(),
            self.effect(),
            wins.wins,
            wins.ties,
            wins.losses,
        )
    }

    fn p_values(&self) -> String {
        let (settings, pair) = (&self.comparison.settings, self.pair);
        let title = settings.test.title();
        let family = self.table.family;
        if settings.test.corrects_itself() {
            return format!(
                "{title}, {} for {family} comparisons together",
                p_text("p", pair.p)
            );
        }
        let alone = format!("{title}, {}", p_text("p", pair.p));
        match settings.correction() {
            _ if family == 1 => alone,
            Correction::None => format!("{alone}, not corrected for {family} tests"),
            correction => format!(
                "{alone}, {} corrected for {family} tests ({})",
                p_text("p", pair.adjusted),
                correction_title(correction)
            ),
        }
    }

    fn effect(&self) -> String {
        let Some(value) = self.pair.effect.value else {
            return String::new();
        };
        match &self.pair.effect.interval {
            Some(interval) => format!("effect d_z = {value:.2}, {}; ", interval_text(interval, 2)),
            None => format!("effect d_z = {value:.2}; "),
        }
    }

    fn does_not_say(&self, verdict: Verdict) -> String {
        let importance = match self.pair.importance {
            Importance::NotNoticeable => "A difference below 5 % is hardly noticed by users. ",
            Importance::Noticeable => {
                "A difference between 5 % and 10 % is noticeable, not large. "
            }
            Importance::Material => "",
        };
        let detectable = self.pair.detectable.map_or(String::new(), |least| {
            format!(" On so many topics, a single test finds a difference of {least:.4} with a probability of 80 %.")
        });
        match verdict {
            Verdict::Better | Verdict::Worse => format!(
                "{importance}It holds for topics like these and for {} alone; other measures, collections and users may differ.",
                self.table.measure
            ),
            Verdict::Open if self.pair.p <= self.comparison.settings.alpha => format!(
                "It would be significant as the only test, but is one of {}, of which some look so by chance. That does not show that the runs are equal.{detectable}",
                self.table.family
            ),
            Verdict::Open => format!(
                "That does not show that the runs are equal: every difference within the interval agrees with the data.{detectable}"
            ),
            Verdict::Equivalent => {
                "The margin decides what counts as equal; it should be set before the data are seen.".into()
            }
            Verdict::Identical => "Equal values do not mean equal rankings.".into(),
        }
    }
}

/// An interval in a sentence.
fn interval_text(interval: &Interval, digits: usize) -> String {
    let Interval { low, high, level } = interval;
    format!(
        "{} % interval {low:.digits$} to {high:.digits$}",
        percent(*level)
    )
}

/// A confidence as a percentage without needless decimals.
pub(super) fn percent(level: f64) -> String {
    let text = format!("{:.1}", 100.0 * level);
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A p-value in a sentence.
pub(crate) fn p_text(name: &str, p: f64) -> String {
    match p {
        p if p < 0.0001 => format!("{name} < 0.0001"),
        p => format!("{name} = {p:.4}"),
    }
}

/// A correction in a sentence.
pub(crate) fn correction_title(correction: Correction) -> &'static str {
    match correction {
        Correction::None => "none",
        Correction::Bonferroni => "Bonferroni",
        Correction::Sidak => "Sidak",
        Correction::Holm => "Holm",
        Correction::HolmSidak => "Holm-Sidak",
        Correction::Hochberg => "Hochberg",
        Correction::Hommel => "Hommel",
        Correction::BenjaminiHochberg => "Benjamini-Hochberg",
        Correction::BenjaminiYekutieli => "Benjamini-Yekutieli",
    }
}
