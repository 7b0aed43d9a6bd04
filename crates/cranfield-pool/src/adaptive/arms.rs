//! Runs as the arms of a bandit.

use crate::rankings::TopicRankings;
use crate::strategy::Update;

/// Runs that are asked for their highest document that is not judged.
#[derive(Debug)]
pub(super) struct Arms {
    topic: TopicRankings,
    update: Update,
    /// Place of the highest document that may not be judged, by run.
    at: Vec<usize>,
    judged: Vec<bool>,
    /// Number of the question that the run was asked last, from 1; 0 if it was never asked.
    asked: Vec<usize>,
    questions: usize,
    current: Option<(usize, u32)>,
}

impl Arms {
    pub(super) fn new(topic: &TopicRankings, update: Update) -> Self {
        let runs = topic.runs().len();
        Self {
            topic: topic.clone(),
            update,
            at: vec![0; runs],
            judged: vec![false; topic.len()],
            asked: vec![0; runs],
            questions: 0,
            current: None,
        }
    }

    /// Number of runs.
    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// Number of documents asked for.
    pub(super) fn questions(&self) -> usize {
        self.questions
    }

    /// Asks the open run with the largest value; of equals, the one asked least recently, then the one given first.
    pub(super) fn ask(&mut self, mut value: impl FnMut(usize) -> f64) -> Option<u32> {
        let mut best: Option<(f64, usize)> = None;
        for run in 0..self.len() {
            let judged = |doc: &u32| self.judged[*doc as usize];
            let ranking = &self.topic.runs()[run];
            self.at[run] += ranking[self.at[run]..]
                .iter()
                .take_while(|doc| judged(doc))
                .count();
            // Drawn for closed runs, too, so that the stream does not depend on them.
            let value = value(run);
            let is_better = |(most, other): (f64, usize)| {
                value > most || value == most && self.asked[run] < self.asked[other]
            };
            if self.at[run] < ranking.len() && best.is_none_or(is_better) {
                best = Some((value, run));
            }
        }
        let (_, run) = best?;
        let doc = self.topic.runs()[run][self.at[run]];
        self.questions += 1;
        self.asked[run] = self.questions;
        self.judged[doc as usize] = true;
        self.current = Some((run, doc));
        Some(doc)
    }

    /// The run asked last.
    pub(super) fn current(&self) -> Option<usize> {
        self.current.map(|(run, _)| run)
    }

    /// The runs that learn from the answer.
    pub(super) fn learning(&self) -> Vec<usize> {
        let Some((asked, doc)) = self.current else {
            return Vec::new();
        };
        match self.update {
            Update::Asked => vec![asked],
            Update::All => {
                let runs = self.topic.runs().iter().enumerate();
                let holding = runs.filter(|(_, run)| run.contains(&doc));
                holding.map(|(run, _)| run).collect()
            }
        }
    }
}
