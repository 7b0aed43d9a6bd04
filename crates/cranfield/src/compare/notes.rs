//! What must be known of a comparison beside its numbers.

use cranfield_report::plural;
use cranfield_stats::corrections::Correction;

use super::claims::correction_title;
use super::{Comparison, MeasureTable, Test, TopicTable};

/// Resamples below which ranks are rough.
const FEW_RESAMPLES: usize = 1000;

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
    pub(crate) fn method_notes(&self) -> Vec<String> {
        let mut notes = self.replicate_notes();
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
            2 => ", and of two runs they only say which is better on a topic",
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
        let resamples = self.settings.rank_resampling().replicates;
        if resamples < FEW_RESAMPLES {
            notes.push(format!(
                "intervals of ranks and shares of being best are over {resamples} resamples of the topics, which are few"
            ));
        }
        let lacking = self
            .measures
            .iter()
            .filter(|table| table.lacking_replicates.is_some());
        notes.extend(lacking.map(|table| format!("{}: {}", table.measure, self.lacks(table))));
        notes
    }

    /// That there are too few replicates for anything to be significant, and how many would do; empty if there are enough.
    pub(super) fn lacks(&self, table: &MeasureTable) -> String {
        let Some(needed) = table.lacking_replicates else {
            return String::new();
        };
        let there = plural(self.settings.resampling.replicates, "replicate");
        let method = self.settings.correction();
        let among = match method {
            _ if self.settings.test.corrects_itself() => {
                let measures = plural(table.measures_in_family, "measure");
                format!("among {measures} (Bonferroni)")
            }
            Correction::None => format!("at alpha {}", self.settings.alpha),
            method => {
                let tests = plural(table.family, "test");
                format!("among {tests} ({})", correction_title(method))
            }
        };
        format!("{there} are too few for a p-value that is significant {among}; {needed} would do")
    }
}

/// Topics that were left out, and undefined values.
pub(crate) fn topic_notes(measure: &str, topics: &TopicTable) -> Vec<String> {
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
