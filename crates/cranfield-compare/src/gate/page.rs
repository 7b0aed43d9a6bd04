//! A gate as tables and sentences.

use cranfield_render::{Cell, Column, Page, Table, plural, rounded};
use cranfield_stats::corrections::Correction;
use cranfield_stats::non_inferiority::exceeds;
use cranfield_stats::{Degenerate, short};

use super::{DropNull, Gate, GatedMeasure, Ratchet, SelfTest, Test, Verdict};
use crate::compare::{correction_title, p_text, percent};

/// Most topics of the ratchet that a page shows.
const SHOWN_FALLS: usize = 20;

impl Gate {
    /// The verdict for people: at most so many of the worst topics for each measure that did not pass.
    pub fn page(&self, digits: usize, worst: usize) -> Page {
        let mut page = Page::new("Gate");
        page.heading(self.title());
        page.table(self.table(digits));
        page.lines(self.measures.iter().map(|measure| self.says(measure)));
        if let Some(ratchet) = &self.ratchet {
            page.heading(ratchet_title(ratchet));
            page.table(falls(ratchet, digits));
        }
        let table = self.worst(digits, worst);
        if !table.is_empty() {
            page.heading("Topics that lost most");
            page.table(table);
        }
        page.paragraph(self.rule());
        page
    }

    /// The verdict in a line.
    pub fn title(&self) -> String {
        format!(
            "{}: {} against {}",
            self.verdict.name(),
            self.run,
            self.baseline
        )
    }

    /// The measures.
    pub fn table(&self, digits: usize) -> Table {
        let mut table = Table::new([
            Column::text("measure"),
            Column::text("verdict"),
            Column::number("baseline"),
            Column::number("run"),
            Column::number("better by"),
            Column::number("at least"),
            Column::number("tolerated"),
        ]);
        (table.digits, table.shrink) = (digits, vec![0]);
        for measure in &self.measures {
            table.push([
                Cell::text(&*measure.measure),
                Cell::text(measure.verdict.name()),
                Cell::Real(measure.baseline_mean),
                Cell::Real(measure.run_mean),
                Cell::Real(measure.change),
                Cell::real(measure.low),
                Cell::Real(measure.tolerance),
            ]);
        }
        table
    }

    /// All verdicts: those of the measures, that of the ratchet, and the one over all.
    pub fn verdicts(&self, digits: usize) -> Table {
        let mut table = self.table(digits);
        let mut push = |name: &str, verdict: Verdict, tolerated: Option<f64>| {
            let mut row = vec![Cell::text(name), Cell::text(verdict.name())];
            row.extend([Cell::Missing, Cell::Missing, Cell::Missing, Cell::Missing]);
            row.push(Cell::real(tolerated));
            table.push(row);
        };
        if let Some(ratchet) = &self.ratchet {
            push("ratchet", ratchet.verdict(), Some(ratchet.limit));
        }
        push("overall", self.verdict, None);
        table
    }

    /// What the data say about a measure, and what they can say.
    pub fn says(&self, measure: &GatedMeasure) -> String {
        let found = format!("{}{}", self.finding(measure), self.no_variance(measure));
        let power = measure
            .power
            .map_or(String::new(), |power| match measure.verdict {
                Verdict::Inconclusive => power.says(),
                Verdict::Pass | Verdict::Fail => power.sees(),
            });
        let unknown = measure.no_power.as_ref();
        let unknown = unknown.map_or(String::new(), |why| {
            format!("What so many topics can show is not told: {why}.")
        });
        format!("{found} {power}{unknown}").trim_end().to_owned()
    }

    /// That p is a convention, where Student's t has no variance to divide by.
    fn no_variance(&self, measure: &GatedMeasure) -> &'static str {
        let is_constant = measure.degenerate == Some(Degenerate::Constant);
        if is_constant && self.settings.test == Test::T {
            " All topics changed by the same amount: without any variance, p is 0 or 1 by convention, however few they are."
        } else {
            ""
        }
    }

    /// How far the bound of the change is, behind the change.
    fn bound_in_words(&self, measure: &GatedMeasure) -> String {
        let confidence = percent(1.0 - self.settings.alpha);
        let Some(low) = measure.low else {
            return format!(
                "without a bound of {confidence} % confidence, for which {} are too few",
                plural(measure.topics, "topic")
            );
        };
        let bound = match (measure.is_unchanged(), low < 0.0) {
            (true, true) => format!("worse by at most {}", rounded(-low, 4)),
            (false, true) if measure.change < 0.0 => format!("at most {}", rounded(-low, 4)),
            _ => format!("at least {}", rounded(low, 4)),
        };
        format!("{bound} ({confidence} % confidence)")
    }

    fn finding(&self, measure: &GatedMeasure) -> String {
        let (name, change) = (&measure.measure, measure.change);
        let tolerance = rounded(measure.tolerance, 4);
        let confidence = percent(1.0 - self.settings.alpha);
        match (measure.verdict, measure.degenerate) {
            (_, Some(Degenerate::Identical)) => {
                format!(
                    "{name}: the same value on each of the {} topics.",
                    measure.topics
                )
            }
            (Verdict::Fail, _) => format!(
                "{name}: worse by {}, and {tolerance} is tolerated. The drop is shown: {}.",
                rounded(-change, 4),
                self.p_values(measure)
            ),
            (Verdict::Pass, _) => match measure.low {
                Some(low) if low < 0.0 => format!(
                    "{name}: worse by at most {} ({confidence} % confidence), and {tolerance} is tolerated.",
                    rounded(-low, 4)
                ),
                // A measure that passes has a bound.
                low => format!(
                    "{name}: better by at least {} ({confidence} % confidence).",
                    rounded(low.unwrap_or(0.0), 4)
                ),
            },
            (Verdict::Inconclusive, _) => {
                let [size, bound] = [measure.change_in_words(), self.bound_in_words(measure)];
                let shown = if self.shows_drop(measure) {
                    "a drop is shown, but neither that it is tolerated nor that it is not"
                } else {
                    "neither a drop nor its absence is shown"
                };
                format!(
                    "{name}: {shown}. {size}, {bound}, and a drop of {tolerance} is tolerated. Of a drop, {}.",
                    self.p_values(measure)
                )
            }
        }
    }

    /// Whether the test shows that there is a drop at all, however large.
    fn shows_drop(&self, measure: &GatedMeasure) -> bool {
        let is_of_any = self.settings.null == DropNull::Zero;
        is_of_any && measure.p_drop_corrected <= self.settings.alpha
    }

    fn p_values(&self, measure: &GatedMeasure) -> String {
        let p_text = |p: f64| p_text("p", p, self.settings.alpha);
        let (title, alone) = (self.settings.test.title(), p_text(measure.p_drop));
        match (self.measures.len(), self.settings.correction) {
            (1, _) => format!("{alone} ({title})"),
            (count, Correction::None) => {
                format!("{alone} ({title}, not corrected for {count} measures)")
            }
            (count, correction) => {
                let corrected = p_text(measure.p_drop_corrected);
                let method = correction_title(correction);
                let alone = alone.replace("p = ", "").replace("p ", "");
                format!("{corrected} ({title}, {method} for {count} measures; alone {alone})")
            }
        }
    }

    fn worst(&self, digits: usize, worst: usize) -> Table {
        let mut table = topic_table(digits);
        let measures = self.measures.iter();
        for measure in measures.filter(|measure| measure.verdict != Verdict::Pass) {
            let fallen = measure
                .changes
                .iter()
                .take_while(|topic| topic.change < 0.0);
            for topic in fallen.take(worst) {
                push_topic(&mut table, &measure.measure, topic);
            }
        }
        table
    }

    /// The rule, in words.
    pub fn rule(&self) -> String {
        let settings = &self.settings;
        let against = match settings.null {
            DropNull::Zero => "against no drop",
            DropNull::Tolerance => "against the tolerated drop",
        };
        let corrected = match (self.measures.len(), settings.correction) {
            (1, _) | (_, Correction::None) => String::new(),
            (count, correction) => {
                format!(
                    ", corrected for {count} measures by {}",
                    correction_title(correction)
                )
            }
        };
        format!(
            "A measure fails if it drops by more than is tolerated ({}) and the drop is significant ({}, {against}, alpha {}{corrected}); it passes if the {} % confidence bound (at least) is within the tolerated drop.",
            settings.tolerance,
            settings.test.title(),
            short(settings.alpha),
            percent(1.0 - settings.alpha),
        )
    }
}

impl SelfTest {
    /// The self-test for people.
    pub fn page(&self) -> Page {
        let mut page = Page::new("Self-test of the gate");
        page.heading(if self.holds() {
            "The gate sees what it claims to see"
        } else {
            "The gate does not see what it claims to see"
        });
        page.table(self.table());
        page.paragraph(format!(
            "Each row: {} samples (seed {}) of the topics' differences, centred, less the planted drop: 0, 1 and 2 times the least drop that the gate claims to see. In brackets, the rates for normal differences. A row holds if an unchanged run fails no more often than alpha, and a planted drop fails as often as claimed and does not pass, up to chance and 5 %.",
            self.samples, self.seed
        ));
        page
    }

    /// The rows.
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("measure"),
            Column::number("planted drop"),
            Column::number("PASS"),
            Column::number("INCONCLUSIVE"),
            Column::number("FAIL"),
            Column::text("holds"),
        ]);
        table.shrink = vec![0];
        for row in &self.rows {
            let cell = |found: f64, expected: f64| {
                Cell::text(format!("{:.1} % ({:.1})", 100.0 * found, 100.0 * expected))
            };
            let (found, expected) = (&row.found, &row.expected);
            table.push([
                Cell::text(&*row.measure),
                Cell::text(format!("{}x  {}", row.times, rounded(row.drop, 4))),
                cell(found.pass, expected.pass),
                cell(found.inconclusive, expected.inconclusive),
                cell(found.fail, expected.fail),
                Cell::text(if row.holds { "yes" } else { "NO" }),
            ]);
        }
        table
    }
}

impl GatedMeasure {
    /// Whether the mean is the same up to rounding.
    fn is_unchanged(&self) -> bool {
        !exceeds(-self.change.abs(), 0.0, self.size)
    }

    fn change_in_words(&self) -> String {
        let size = rounded(self.change.abs(), 4);
        match () {
            () if self.is_unchanged() => "The same mean".into(),
            () if self.change < 0.0 => format!("Worse by {size}"),
            () => format!("Better by {size}"),
        }
    }
}

fn ratchet_title(ratchet: &Ratchet) -> String {
    let mut title = format!("{}: ratchet", ratchet.verdict().name());
    let limit = ratchet.limit;
    match ratchet.fallen.len() {
        0 => title.push_str(&format!(", no topic got worse by more than {limit}")),
        1 => title.push_str(&format!(", a topic got worse by more than {limit}")),
        count => title.push_str(&format!(
            ", {count} times a topic got worse by more than {limit}"
        )),
    }
    let hidden = ratchet.fallen.len().saturating_sub(SHOWN_FALLS);
    if hidden > 0 {
        title.push_str(&format!("; the {SHOWN_FALLS} greatest drops of them"));
    }
    match ratchet.excused.len() {
        0 => {}
        count => title.push_str(&format!(" ({count} excused)")),
    }
    title
}

fn falls(ratchet: &Ratchet, digits: usize) -> Table {
    let mut table = topic_table(digits);
    for fall in ratchet.fallen.iter().take(SHOWN_FALLS) {
        push_topic(&mut table, &fall.measure, &fall.topic);
    }
    table
}

fn topic_table(digits: usize) -> Table {
    let mut table = Table::new([
        Column::text("topic"),
        Column::text("measure"),
        Column::number("baseline"),
        Column::number("run"),
        Column::number("better by"),
    ]);
    (table.digits, table.shrink) = (digits, vec![0]);
    table
}

fn push_topic(table: &mut Table, measure: &str, topic: &super::TopicChange) {
    table.push([
        Cell::text(&*topic.topic),
        Cell::text(measure),
        Cell::Real(topic.baseline),
        Cell::Real(topic.run),
        Cell::Real(topic.change),
    ]);
}
