//! Notes and warnings of a comparison.

use cranfield_core::setting::{Message, Setting};
use cranfield_render::plural;
use cranfield_stats::bootstrap::MOST_KEPT;
use cranfield_stats::corrections::Correction;
use cranfield_stats::random::MOST_REPLICATES;
use cranfield_stats::short;

use super::wording::{correction_title, share_in_percent};
use super::{Comparison, MeasureTable, Test, TopicTable};
use crate::limits::{OVERCONFIDENT, few_topics, few_topics_for_ranks, would_do};

/// Number of resamples below which ranks and rates are imprecise.
pub const FEW_RESAMPLES: usize = 1000;

impl Comparison {
    /// All notes: excluded topics, undefined values, groups without letters, needless correction for other pairs, and raised or
    /// insufficient replicates.
    pub fn notes(&self) -> Vec<Message> {
        let mut notes = Vec::new();
        for table in &self.measures {
            notes.extend(topic_notes(&table.measure, &table.topics));
        }
        notes.extend(self.method_notes());
        notes
    }

    /// All notes but those on topics.
    pub fn method_notes(&self) -> Vec<Message> {
        let mut notes = self.replicate_notes();
        let intervals = self.interval_note().into_iter();
        let intervals = intervals.chain(self.few_topics_note());
        let tables = self.measures.iter();
        let tables = tables.flat_map(|table| self.table_notes(table));
        notes.extend(intervals.chain(tables).map(Message::from));
        let tables = self.measures.iter().filter(|table| table.too_many_groups);
        notes.extend(
            tables.map(|table| format!("{}: {}", table.measure, table.groups_left_out()).into()),
        );
        notes.extend(self.test_note());
        notes.extend(self.standard_note().map(Message::from));
        notes
    }

    /// Whether the test also corrects for pairs that are not compared, as tests of all pairs do if there is a baseline.
    pub(super) fn corrects_for_others(&self) -> bool {
        let test = self.settings.test;
        !self.baselines.is_empty() && test.corrects_itself() && test != Test::Dunnett
    }

    fn test_note(&self) -> Option<Message> {
        let title = self.settings.test.title();
        if self.settings.test == Test::Dunn {
            let note = format!(
                "{title} ranks the scores of all topics together, as if each run had its own topics; "
            );
            return Some(
                Message::from(note)
                    .then(Setting::Test.to(Test::Conover.name()))
                    .then(", nemenyi and siegel compare runs within topics"),
            );
        }
        self.corrects_for_others().then(|| {
            Message::from(format!("{title} corrects for all pairs of runs; "))
                .then(Setting::Test.to(Test::Dunnett.name()))
                .then(" corrects only for comparisons with one baseline")
        })
    }

    /// The note on standardised scores.
    fn standard_note(&self) -> Option<String> {
        let how = self.settings.standardise?;
        let runs = self.runs.len();
        let few = match runs {
            2 => {
                "; with two runs they show only which is better on a topic, so tests see nothing but signs: compare at least three runs"
            }
            _ => "",
        };
        Some(format!(
            "scores are standardised by the {runs} compared runs ({}) and depend on them{few}",
            how.title()
        ))
    }

    /// Notes on replicates that were raised, or that are too few for significance.
    fn replicate_notes(&self) -> Vec<Message> {
        let mut notes = Vec::new();
        if let Some(given) = self.raised_from {
            let there = self.settings.resampling.replicates;
            let how = format!(" from {given} to {there}; fewer cannot reach significance");
            notes.push(Message::from("raised ").then(Setting::Replicates).then(how));
        }
        notes.extend(self.resample_note());
        let lacking = self
            .measures
            .iter()
            .filter(|table| table.lacking_replicates.is_some());
        notes.extend(
            lacking
                .map(|table| Message::from(table.measure.clone() + ": ").then(self.lacks(table))),
        );
        notes
    }

    /// The note on resamples of the topics that were raised, or that are too few.
    fn resample_note(&self) -> Option<Message> {
        let settings = &self.settings;
        let (there, alpha) = (settings.rank_resampling().replicates, short(settings.alpha));
        if let Some(usual) = settings.resamples_raised_from() {
            let note = format!(
                "raised resamples of the topics from {usual} to {there}; fewer are not enough for intervals at alpha {alpha}"
            );
            return Some(note.into());
        }
        let too_few = settings.lacking_resamples().map(|needed| {
            Message::from(format!(", too few for intervals at alpha {alpha}; "))
                .then(would_do(needed, MOST_KEPT))
        });
        let few = (there < FEW_RESAMPLES).then(|| ", which is a small number".into());
        let resamples = plural(there, "resample");
        too_few.or(few).map(|few| {
            let note = format!(
                "rank intervals and probabilities of being best are from {resamples} of the topics"
            );
            Message::from(note).then(few)
        })
    }

    /// The note on intervals by Student's t instead of the requested method.
    fn interval_note(&self) -> Option<String> {
        let (asked, method) = (self.settings.requested_interval(), self.shown_method()?);
        (asked != method).then(|| {
            let asked = asked.title();
            format!("intervals of differences use Student's t, because there are too few resamples of the topics for {asked}")
        })
    }

    /// The warning on resamples of few topics, in one note for all measures.
    fn few_topics_note(&self) -> Option<String> {
        let tables = self.measures.iter();
        let few: Vec<&MeasureTable> = tables
            .filter(|table| !table.rank_warning().is_empty())
            .collect();
        let least = few.iter().map(|table| table.topics.count).min()?;
        let names: Vec<&str> = few.iter().map(|table| table.measure.as_str()).collect();
        let names = if names.len() < self.measures.len() {
            names.join(", ") + ": "
        } else {
            String::new()
        };
        let method = self.shown_method().filter(|method| method.is_resampled());
        let note = match method {
            None => few_topics_for_ranks(least),
            Some(method) => {
                let what = format!("intervals of ranks and differences ({})", method.title());
                few_topics(&what, least, OVERCONFIDENT).map(|note| note + NOT_BY_T)
            }
        };
        note.map(|note| names + &note)
    }

    /// Notes on the intervals of a measure that use another method, and on pairs of topics on the boundary of the region.
    fn table_notes(&self, table: &MeasureTable) -> Vec<String> {
        let name = &table.measure;
        let mut notes = Vec::new();
        notes.extend(self.edge_note(table));
        let by_t = self.pairs_by_t(table).count();
        if let (1.., Some(method)) = (by_t, self.shown_method()) {
            notes.push(format!(
                "{name}: intervals of {} use Student's t, because the {} method gives none",
                plural(by_t, "pair"),
                method.title()
            ));
        }
        notes
    }

    /// The warning on intervals from resamples of few topics; empty if there are enough.
    pub(super) fn short_intervals(&self, table: &MeasureTable) -> String {
        let method = self
            .shown_method()
            .filter(|_| self.has_short_intervals(table));
        let note = method.and_then(|method| {
            let what = format!("intervals of differences ({})", method.title());
            few_topics(&what, table.topics.count, "")
        });
        note.map_or(String::new(), |note| note + NOT_BY_T)
    }

    /// The note on pairs of topics on the boundary of the region, which count half.
    fn edge_note(&self, table: &MeasureTable) -> Option<String> {
        let rope = short(self.settings.rope?);
        let posteriors = table
            .pairs
            .iter()
            .filter_map(|pair| pair.posterior.as_ref());
        let share = posteriors.map(|found| found.edge_share).fold(0.0, f64::max);
        (share > 0.0).then(|| {
            format!(
                "{}: pairs of topics lie exactly on the boundary of ±{rope} (up to {} of them) and count half inside, half outside; a \
                 slightly larger or smaller region avoids this",
                table.measure,
                share_in_percent(share, 0)
            )
        })
    }

    /// The warning on replicates that are too few for significance, with a remedy; empty if there are enough.
    pub(super) fn lacks(&self, table: &MeasureTable) -> Message {
        let Some(needed) = table.lacking_replicates else {
            return Message::default();
        };
        let there = plural(self.settings.resampling.replicates, "replicate");
        let method = self.settings.correction();
        let among = match method {
            _ if table.measures_in_family > 1 && self.settings.test.corrects_itself() => {
                format!("among {} measures (Bonferroni)", table.measures_in_family)
            }
            method if table.family > 1 && method != Correction::None => {
                let method = correction_title(method);
                format!("among {} tests ({method})", table.family)
            }
            _ => format!("at alpha {}", short(self.settings.alpha)),
        };
        let note = format!("{there} are too few for a significant p-value {among}; ");
        Message::from(note).then(would_do(needed, MOST_REPLICATES))
    }
}

impl MeasureTable {
    /// The warning on ranks from resamples of few topics; empty if there are enough.
    pub(super) fn rank_warning(&self) -> String {
        few_topics_for_ranks(self.topics.count).unwrap_or_default()
    }
}

/// The exception from the warning on few topics.
const NOT_BY_T: &str = "; intervals by Student's t are not affected";

/// Notes on excluded topics and undefined values.
pub fn topic_notes(measure: &str, topics: &TopicTable) -> Vec<Message> {
    let mut notes = Vec::new();
    if topics.left_out > 0 {
        let left_out = plural(topics.left_out, "topic");
        notes.push(format!("{measure}: {left_out} excluded because a run has no value").into());
    }
    if topics.zeros > 0 {
        let values = plural(topics.zeros, "undefined value");
        notes.push(format!("{measure}: {values} counted as 0").into());
    }
    notes
}
