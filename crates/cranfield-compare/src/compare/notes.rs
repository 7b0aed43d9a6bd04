//! What must be known of a comparison beside its numbers.

use cranfield_render::plural;
use cranfield_stats::bootstrap::MOST_KEPT;
use cranfield_stats::corrections::Correction;
use cranfield_stats::random::MOST_REPLICATES;
use cranfield_stats::short;

use super::wording::{correction_title, share_in_percent};
use super::{Comparison, MeasureTable, Test, TopicTable};
use crate::limits::{TOO_SURE, few_topics, few_topics_for_ranks, would_do};

/// Resamples below which ranks and rates are rough.
pub const FEW_RESAMPLES: usize = 1000;

impl Comparison {
    /// All that must be known of the numbers: topics left out, undefined values, groups without letters, pairs that a test corrects
    /// for without need, and replicates that are raised or too few.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for table in &self.measures {
            notes.extend(topic_notes(&table.measure, &table.topics));
        }
        notes.extend(self.method_notes());
        notes
    }

    /// All but what is known of topics.
    pub fn method_notes(&self) -> Vec<String> {
        let mut notes = self.replicate_notes();
        notes.extend(self.interval_note());
        notes.extend(self.few_topics_note());
        notes.extend(
            self.measures
                .iter()
                .flat_map(|table| self.table_notes(table)),
        );
        let tables = self.measures.iter().filter(|table| table.too_many_groups);
        notes.extend(tables.map(|table| format!("{}: {}", table.measure, table.groups_left_out())));
        notes.extend(self.test_note());
        notes.extend(self.standard_note());
        notes
    }

    /// Whether the test corrects for pairs that nobody asks for, as those of all runs do where there is a baseline.
    pub(super) fn corrects_for_others(&self) -> bool {
        let test = self.settings.test;
        !self.baselines.is_empty() && test.corrects_itself() && test != Test::Dunnett
    }

    fn test_note(&self) -> Option<String> {
        let title = self.settings.test.title();
        if self.settings.test == Test::Dunn {
            return Some(format!(
                "{title} ranks the scores of all topics together, as if each run had topics of its own; conover, nemenyi and siegel compare runs topic by topic"
            ));
        }
        self.corrects_for_others().then(|| {
            format!("{title} corrects for all pairs of runs; dunnett is the test for those with one baseline")
        })
    }

    /// By what scores are standardised, if they are.
    fn standard_note(&self) -> Option<String> {
        let how = self.settings.standardise?;
        let runs = self.runs.len();
        let few = match runs {
            2 => {
                ", and of two runs they only say which is better on a topic, so that tests see nothing but signs; give at least three runs"
            }
            _ => "",
        };
        Some(format!(
            "scores are standardised by the {runs} runs that are compared ({}); with other runs they are others{few}",
            how.title()
        ))
    }

    /// That there are more replicates than were asked for, or too few for anything to be significant.
    fn replicate_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(given) = self.raised_from {
            let there = self.settings.resampling.replicates;
            notes.push(format!(
                "{there} replicates in place of {given}, with which none of so many tests could be significant"
            ));
        }
        notes.extend(self.resample_note());
        let lacking = self
            .measures
            .iter()
            .filter(|table| table.lacking_replicates.is_some());
        notes.extend(lacking.map(|table| format!("{}: {}", table.measure, self.lacks(table))));
        notes
    }

    /// That the topics are resampled more often than is usual, or too seldom.
    fn resample_note(&self) -> Option<String> {
        let settings = &self.settings;
        let (there, alpha) = (settings.rank_resampling().replicates, short(settings.alpha));
        if let Some(usual) = settings.resamples_raised_from() {
            return Some(format!(
                "{there} resamples of the topics in place of {usual}, which are too few for intervals at alpha {alpha}"
            ));
        }
        let too_few = settings.lacking_resamples().map(|needed| {
            format!(
                ", too few for intervals at alpha {alpha}; {}",
                would_do(needed, MOST_KEPT)
            )
        });
        let few = (there < FEW_RESAMPLES).then(|| ", which are few".to_owned());
        let resamples = plural(there, "resample");
        too_few.or(few).map(|few| {
            format!("intervals of ranks and shares of being best are over {resamples} of the topics{few}")
        })
    }

    /// That intervals are by Student's t in place of others.
    fn interval_note(&self) -> Option<String> {
        let (asked, method) = (self.settings.interval_asked(), self.told_method()?);
        (asked != method).then(|| {
            let asked = asked.title();
            format!("intervals of differences are by Student's t, as there are too few resamples of the topics for {asked}")
        })
    }

    /// That what resamples of few topics tell is too sure, in one note for all measures.
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
        let method = self.told_method().filter(|method| method.is_resampled());
        let note = match method {
            None => few_topics_for_ranks(least),
            Some(method) => {
                let what = format!("intervals of ranks and of differences ({})", method.title());
                few_topics(&what, least, TOO_SURE).map(|note| note + NOT_BY_T)
            }
        };
        note.map(|note| names + &note)
    }

    /// That intervals of a measure are not of the kind that was asked for, and that a region has an edge on which pairs lie.
    fn table_notes(&self, table: &MeasureTable) -> Vec<String> {
        let name = &table.measure;
        let mut notes = Vec::new();
        notes.extend(self.edge_note(table));
        let by_t = self.pairs_by_t(table).count();
        if let (1.., Some(method)) = (by_t, self.told_method()) {
            notes.push(format!(
                "{name}: the interval of {} is by Student's t, as resamples have none by {}",
                plural(by_t, "pair"),
                method.title()
            ));
        }
        notes
    }

    /// That intervals over resamples of few topics are too short; empty where they are not.
    pub(super) fn short_intervals(&self, table: &MeasureTable) -> String {
        let method = self
            .told_method()
            .filter(|_| self.has_short_intervals(table));
        let note = method.and_then(|method| {
            let what = format!("intervals of differences ({})", method.title());
            few_topics(&what, table.topics.count, "")
        });
        note.map_or(String::new(), |note| note + NOT_BY_T)
    }

    /// That pairs of topics lie on the edge of the region, where they count half.
    fn edge_note(&self, table: &MeasureTable) -> Option<String> {
        let rope = short(self.settings.rope?);
        let posteriors = table
            .pairs
            .iter()
            .filter_map(|pair| pair.posterior.as_ref());
        let share = posteriors.map(|found| found.edge_share).fold(0.0, f64::max);
        (share > 0.0).then(|| {
            format!(
                "{}: pairs of topics lie exactly on the edge of ±{rope} (up to {} of them) and count half within it, half outside; a \
                 region that is a little larger or smaller has none on its edge",
                table.measure,
                share_in_percent(share, 0)
            )
        })
    }

    /// That there are too few replicates for anything to be significant, and how many would do; empty if there are enough.
    pub(super) fn lacks(&self, table: &MeasureTable) -> String {
        let Some(needed) = table.lacking_replicates else {
            return String::new();
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
        format!(
            "{there} are too few for a p-value that is significant {among}; {}",
            would_do(needed, MOST_REPLICATES)
        )
    }
}

impl MeasureTable {
    /// That ranks over resamples of few topics are too sure; empty where they are not.
    pub(super) fn rank_warning(&self) -> String {
        few_topics_for_ranks(self.topics.count).unwrap_or_default()
    }
}

/// What holds on few topics too.
const NOT_BY_T: &str = "; intervals by Student's t are not";

/// Topics that were left out, and undefined values.
pub fn topic_notes(measure: &str, topics: &TopicTable) -> Vec<String> {
    let mut notes = Vec::new();
    if topics.left_out > 0 {
        let left_out = plural(topics.left_out, "topic");
        notes.push(format!(
            "{measure}: {left_out} left out, where a run has no value"
        ));
    }
    if topics.zeros > 0 {
        let values = plural(topics.zeros, "undefined value");
        notes.push(format!("{measure}: {values} counted as 0"));
    }
    notes
}
