//! Tables and sentences of a gate.

use cranfield_core::setting::Message;
use cranfield_render::{Cell, Column, Page, Table, plural, rounded};
use cranfield_stats::non_inferiority::exceeds;
use cranfield_stats::{Degenerate, short};

use super::{Gate, GatedMeasure, Ratchet, SelfTest, Test, TopicChange, Verdict};
use crate::compare::{TopicTable, bare_p, p_text, percent, topic_notes};

/// Most topics of the ratchet that a page shows.
const SHOWN_FALLS: usize = 20;

/// Worst topics shown for each measure that did not pass.
const WORST: usize = 5;

impl Gate {
    /// The verdict as a page, with the worst topics of each measure that did not pass.
    pub fn page(&self, digits: usize) -> Page {
        let mut page = Page::new("Gate");
        page.heading(self.title());
        page.table(self.table(digits));
        page.lines(self.measures.iter().map(|measure| self.says(measure)));
        if let Some(ratchet) = &self.ratchet {
            page.heading(ratchet_title(ratchet));
            page.table(falls(ratchet, digits));
        }
        let table = self.worst(digits);
        if !table.is_empty() {
            page.heading("Worst topics");
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

    /// The finding on a measure, and the power of the test.
    pub fn says(&self, measure: &GatedMeasure) -> String {
        let found = format!("{}{}", self.finding(measure), self.no_variance(measure));
        let power = measure
            .power
            .map_or(String::new(), |power| match measure.verdict {
                Verdict::Inconclusive => power.says(),
                Verdict::Pass | Verdict::Fail => power.sees(),
            });
        let unknown = measure.no_power.as_ref();
        let unknown = unknown.map_or(String::new(), |why| format!("The power is unknown: {why}."));
        format!("{found} {power}{unknown}").trim_end().to_owned()
    }

    /// A warning where Student's t has no variance to divide by.
    fn no_variance(&self, measure: &GatedMeasure) -> &'static str {
        let is_constant = measure.degenerate == Some(Degenerate::Constant);
        if is_constant && self.settings.test == Test::T {
            " All topics changed by the same amount: without variance, p is 0 or 1 by convention."
        } else {
            ""
        }
    }

    /// Notes on excluded topics, undefined values and needless exemptions from the ratchet.
    pub fn notes(&self) -> Vec<Message> {
        let measures = self.measures.iter();
        let mut notes: Vec<Message> = measures.flat_map(GatedMeasure::topic_notes).collect();
        let unneeded = self.ratchet.iter().flat_map(|ratchet| &ratchet.unneeded);
        let unneeded: Vec<&str> = unneeded.map(String::as_str).collect();
        if !unneeded.is_empty() {
            let topics = unneeded.join(", ");
            notes.push(format!("exempt from the ratchet without need: {topics}").into());
        }
        notes
    }

    fn finding(&self, measure: &GatedMeasure) -> String {
        let name = &measure.measure;
        match (measure.verdict, measure.degenerate) {
            (_, Some(Degenerate::Identical)) => {
                format!("{name}: the same value on all {} topics.", measure.topics)
            }
            (Verdict::Fail, _) => format!(
                "{name}: worse by {}, and {} is tolerated. The drop is significant: {}.",
                rounded(-measure.change, 4),
                rounded(measure.tolerance, 4),
                self.p_values(measure)
            ),
            (Verdict::Pass, _) => self.passed(measure),
            (Verdict::Inconclusive, _) => self.inconclusive(measure),
        }
    }

    fn passed(&self, measure: &GatedMeasure) -> String {
        let (name, confidence) = (&measure.measure, self.confidence());
        // A measure that passes has a bound.
        let low = measure.low.unwrap_or(0.0);
        if low < 0.0 {
            let [most, tolerated] = [-low, measure.tolerance].map(|value| rounded(value, 4));
            format!("{name}: worse by at most {most} ({confidence}), and {tolerated} is tolerated.")
        } else {
            let least = rounded(low, 4);
            format!("{name}: better by at least {least} ({confidence}).")
        }
    }

    fn inconclusive(&self, measure: &GatedMeasure) -> String {
        let finding = if measure.p_drop_corrected <= self.settings.alpha {
            "the drop is significant, but may be within the tolerance"
        } else {
            "neither a drop nor its absence is significant"
        };
        format!(
            "{}: {finding}. {}, {}; a drop of {} is tolerated. For a drop, {}.",
            measure.measure,
            measure.change_in_words(),
            self.bound_in_words(measure),
            rounded(measure.tolerance, 4),
            self.p_values(measure)
        )
    }

    /// The bound of the change, as it follows the change.
    fn bound_in_words(&self, measure: &GatedMeasure) -> String {
        let confidence = self.confidence();
        let Some(low) = measure.low else {
            let topics = plural(measure.topics, "topic");
            return format!("without a bound ({topics} are too few for {confidence})");
        };
        let bound = match (measure.is_unchanged(), low < 0.0) {
            (true, true) => format!("worse by at most {}", rounded(-low, 4)),
            (false, true) if measure.change < 0.0 => format!("at most {}", rounded(-low, 4)),
            _ => format!("at least {}", rounded(low, 4)),
        };
        format!("{bound} ({confidence})")
    }

    fn confidence(&self) -> String {
        format!("{} % confidence", percent(1.0 - self.settings.alpha))
    }

    fn p_values(&self, measure: &GatedMeasure) -> String {
        let alpha = self.settings.alpha;
        let (title, alone) = (
            self.settings.test.title(),
            p_text("p", measure.p_drop, alpha),
        );
        match self.measures.len() {
            1 => format!("{alone} ({title})"),
            count => {
                let corrected = p_text("p", measure.p_drop_corrected, alpha);
                let alone = bare_p(measure.p_drop, alpha);
                format!("{corrected} ({title}, Holm for {count} measures; uncorrected {alone})")
            }
        }
    }

    fn worst(&self, digits: usize) -> Table {
        let mut table = topic_table(digits);
        let measures = self.measures.iter();
        for measure in measures.filter(|measure| measure.verdict != Verdict::Pass) {
            let fallen = measure
                .changes
                .iter()
                .take_while(|topic| topic.change < 0.0);
            for topic in fallen.take(WORST) {
                push_topic(&mut table, &measure.measure, topic);
            }
        }
        table
    }

    /// The rule in a sentence.
    pub fn rule(&self) -> String {
        let settings = &self.settings;
        let corrected = match self.measures.len() {
            1 => String::new(),
            count => format!(", corrected for {count} measures by Holm"),
        };
        format!(
            "A measure fails if its mean drops by more than the tolerance ({}) and the drop is significant ({}, alpha {}{corrected}). It passes if the {} % confidence bound of the change (column \"at least\") is within the tolerance.",
            settings.tolerance,
            settings.test.title(),
            short(settings.alpha),
            percent(1.0 - settings.alpha),
        )
    }

    /// The measure and the topic that explain a FAIL: the largest drop of the first measure that failed, or of the ratchet.
    pub fn to_explain(&self) -> Option<(&str, &TopicChange)> {
        let mut measures = self.measures.iter();
        if let Some(failed) = measures.find(|measure| measure.verdict == Verdict::Fail) {
            return Some((&failed.measure, failed.changes.first()?));
        }
        let fall = self.ratchet.as_ref()?.fallen.first()?;
        Some((&fall.measure, &fall.topic))
    }
}

impl SelfTest {
    /// The self-test as a page.
    pub fn page(&self) -> Page {
        let mut page = Page::new("Self-test of the gate");
        page.heading(if self.holds() {
            "The gate detects what it claims to detect"
        } else {
            "The gate does not detect what it claims to detect"
        });
        page.table(self.table());
        page.paragraph(format!(
            "Each row: {} samples (seed {}) of the topics' differences, centred, minus a planted drop of 0, 1 or 2 times the minimum detectable drop. In parentheses: the rates expected for normal differences. A row holds if an unchanged run fails no more often than alpha, and a planted drop fails with the nominal power and passes no more often than alpha, up to chance and 5 percentage points.",
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
    fn topic_notes(&self) -> Vec<Message> {
        let topics = TopicTable {
            left_out: self.left_out,
            zeros: self.zeros,
            ..TopicTable::of(self.topics)
        };
        topic_notes(&self.measure, &topics)
    }

    /// Whether the mean is the same up to rounding.
    fn is_unchanged(&self) -> bool {
        !exceeds(-self.change.abs(), 0.0, self.size)
    }

    fn change_in_words(&self) -> String {
        let size = rounded(self.change.abs(), 4);
        if self.is_unchanged() {
            "The same mean".into()
        } else if self.change < 0.0 {
            format!("Worse by {size}")
        } else {
            format!("Better by {size}")
        }
    }
}

fn ratchet_title(ratchet: &Ratchet) -> String {
    let mut title = format!("{}: ratchet", ratchet.verdict().name());
    let limit = ratchet.limit;
    match ratchet.fallen.len() {
        0 => title.push_str(&format!(", no topic got worse by more than {limit}")),
        count => {
            let values = plural(count, "topic value");
            title.push_str(&format!(", {values} got worse by more than {limit}"));
        }
    }
    let hidden = ratchet.fallen.len().saturating_sub(SHOWN_FALLS);
    if hidden > 0 {
        title.push_str(&format!("; the {SHOWN_FALLS} largest drops are shown"));
    }
    match ratchet.excused.len() {
        0 => {}
        count => title.push_str(&format!(" ({count} exempt)")),
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
