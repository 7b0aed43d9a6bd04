//! The ids that explanations name.

use std::collections::BTreeSet;

use cranfield_core::explain::Explanation;

use super::{Explained, Explanations};

impl Explanations {
    /// The ids of topics.
    pub fn topic_ids(&self) -> BTreeSet<&[u8]> {
        self.explained.iter().flat_map(topics).collect()
    }

    /// The ids of documents.
    pub fn document_ids(&self) -> BTreeSet<&[u8]> {
        let rankings = self.explained.iter().flat_map(rankings);
        let documents = rankings.flat_map(|ranking| &ranking.documents);
        documents.map(|document| &*document.doc).collect()
    }
}

fn topics(explained: &Explained) -> Vec<&[u8]> {
    match explained {
        Explained::Mean { explanation, .. } => {
            let topics = explanation.topics.iter();
            topics.map(|topic| &*topic.id).collect()
        }
        Explained::MeanDifference { difference, .. } => {
            let topics = difference.topics.iter();
            topics.map(|topic| &*topic.id).collect()
        }
        other => rankings(other).into_iter().map(|one| &*one.topic).collect(),
    }
}

fn rankings(explained: &Explained) -> Vec<&Explanation> {
    match explained {
        Explained::Topic { explanation, .. } => vec![explanation],
        Explained::TopicDifference { difference, .. } => difference.runs.iter().collect(),
        Explained::Session { explanation, .. } => explanation.rankings.iter().collect(),
        Explained::SessionDifference { difference, .. } => {
            let runs = difference.runs.iter();
            runs.flat_map(|run| &run.rankings).collect()
        }
        Explained::Mean { .. } | Explained::MeanDifference { .. } => Vec::new(),
    }
}
