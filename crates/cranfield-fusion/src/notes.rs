//! Notes on a fusion: what a reader of the fused run should know.

use crate::runs::Summary;

/// Runs that a note names.
const NAMED: usize = 3;

impl Summary {
    /// Sentences on topics that runs lack, ties and training, without a full stop.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = vec![format!(
            "fused {} of {}: {} in all",
            count(self.topics, "topic"),
            count(self.runs.len(), "run"),
            count(self.documents, "document")
        )];
        let lacking: Vec<String> = self
            .runs
            .iter()
            .filter(|(_, topics)| *topics < self.topics)
            .map(|(name, topics)| format!("{name} ({})", self.topics - topics))
            .collect();
        if !lacking.is_empty() {
            let more = lacking.len().saturating_sub(NAMED);
            let named = lacking[..lacking.len() - more].join(", ");
            let rest = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!(
                "runs that lack topics, which count as empty lists: {named}{rest}"
            ));
        }
        if self.tied > 0 {
            notes.push(format!(
                "{} in {} have the fused score of another one; they are in descending order of their ids",
                count(self.tied, "document"),
                count(self.tied_topics, "topic")
            ));
        }
        if let Some(method) = self.without_norms {
            notes.push(format!(
                "normalisation has no effect with {method}, which uses ranks only"
            ));
        }
        if self.trained_on > 0 {
            notes.push(format!(
                "trained on {}; evaluate the fused run on other topics",
                count(self.trained_on, "topic")
            ));
        }
        notes
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
