//! Sentences that say what the data justify, and what they do not.

use cranfield_stats::corrections::Correction;
use cranfield_stats::{Degenerate, Interval};

use super::{Comparison, Importance, MeasureTable, Pair, Role};

/// What may be said about two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// The outcome.
    pub verdict: Verdict,
    /// The difference and what it means: how [`says`](Self::says) begins.
    pub headline: String,
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

impl Claim {
    /// The claim in three lines: what it is, the numbers, and what is not claimed.
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

    /// The difference first, then what it means.
    fn headline(&self, verdict: Verdict) -> String {
        let ([first, second], measure) = (self.runs(), &self.table.measure);
        let topics = self.table.topics.count;
        let role = match self.comparison.role {
            Some(Role::Exploratory) => "Exploratory: ",
            _ => "",
        };
        let means = match verdict {
            Verdict::Identical => {
                return format!(
                    "{role}0 {measure} from {second} to {first}: the same value on each of the {topics} topics."
                );
            }
            Verdict::Better => format!("{first} is better"),
            Verdict::Worse => format!("{first} is worse"),
            Verdict::Equivalent => {
                let margin = self.comparison.settings.margin.unwrap_or_default();
                let p = self.pair.equivalence.as_ref().map_or(1.0, |tost| tost.p);
                let p = p_text("p", p);
                format!("equal within ±{margin} (two one-sided tests, {p})")
            }
            Verdict::Open => "no difference is shown".into(),
        };
        let pair = self.pair;
        let [a, b] = [pair.first, pair.second].map(|run| self.table.systems[run].mean);
        let relative = pair
            .relative
            .map_or(String::new(), |share| format!(", {:+.1} %", 100.0 * share));
        format!(
            "{role}{:+.4} {measure} from {second} to {first} ({b:.4} to {a:.4}{relative}): {means}.",
            pair.difference
        )
    }

    /// The numbers behind every claim.
    fn figures(&self) -> String {
        let (pair, wins) = (self.pair, self.pair.wins);
        let equal = match wins.ties {
            0 => String::new(),
            ties => format!(", {ties} equal"),
        };
        format!(
            "{}. {}.{} Topics: {} higher, {} lower{equal}.",
            interval_text(&pair.interval, 4),
            self.p_values(),
            self.effect(),
            wins.wins,
            wins.losses,
        )
    }

    fn p_values(&self) -> String {
        let (settings, pair) = (&self.comparison.settings, self.pair);
        let title = settings.test.title();
        let family = self.table.family;
        let alone = p_text("p", pair.p);
        if settings.test.corrects_itself() {
            return format!("{alone} for {family} pairs together ({title})");
        }
        match settings.correction() {
            _ if family == 1 => format!("{alone} ({title})"),
            Correction::None => format!("{alone} ({title}, not corrected for {family} tests)"),
            correction => {
                let (corrected, method) =
                    (p_text("p", pair.adjusted), correction_title(correction));
                let alone = p_text("", pair.p).replace("= ", "").trim().to_owned();
                format!("{corrected} ({title}, {method} for {family} tests; alone {alone})")
            }
        }
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

    fn does_not_say(&self, verdict: Verdict) -> String {
        let importance = match self.pair.importance {
            Importance::NotNoticeable => "Below 5 %, users hardly notice it. ",
            Importance::Noticeable => "Between 5 % and 10 %, users notice it; it is not large. ",
            Importance::Material => "",
        };
        let topics = self.table.topics.count;
        let detectable = self.pair.detectable.map_or(String::new(), |least| {
            format!(" {topics} topics can show {least:.4} (80 % power, a single test).")
        });
        let exploratory = match self.comparison.role {
            Some(Role::Exploratory) => " It was not planned, and needs other data to be confirmed.",
            _ => "",
        };
        let text = match verdict {
            Verdict::Better | Verdict::Worse => format!(
                "{importance}That holds for {} on topics like these, and no further.",
                self.table.measure
            ),
            Verdict::Open if self.pair.p <= self.comparison.settings.alpha => format!(
                "Alone it would be significant; as one of {} tests it is not. Equality is not shown either.{detectable}",
                self.table.family
            ),
            Verdict::Open => format!("Equality is not shown either.{detectable}"),
            Verdict::Equivalent => {
                "The margin decides what counts as equal; it should be set before the data are seen.".into()
            }
            Verdict::Identical => "Equal values do not mean equal rankings.".into(),
        };
        text + exploratory
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
