//! All documents of a topic, and their places in the runs.

use cranfield_core::doc_hash::DocNumbers;

/// The documents of one topic in all runs.
#[derive(Debug, Default)]
pub(crate) struct Candidates<'a> {
    /// All documents, numbered in the order in which they are first met.
    pub(crate) numbers: DocNumbers<'a>,
    /// A list for each run; empty if the run lacks the topic.
    pub(crate) lists: Vec<List>,
}

/// The documents of one run.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Numbers of documents in rank order; then those that have a score though the run lacks them.
    pub(crate) docs: Vec<u32>,
    /// Normalised scores.
    pub(crate) scores: Vec<f64>,
    /// Number of documents that the run has.
    pub(crate) retrieved: usize,
}

impl List {
    /// Numbers of the documents that the run has, in rank order.
    pub(crate) fn ranked(&self) -> &[u32] {
        &self.docs[..self.retrieved]
    }

    /// All documents with a score.
    pub(crate) fn scored(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let docs = self.docs.iter().map(|doc| *doc as usize);
        docs.zip(self.scores.iter().copied())
    }

    /// Gives a score to the documents that the run lacks.
    pub(crate) fn complete(&mut self, candidates: usize, score: f64) {
        let mut has = vec![false; candidates];
        for doc in &self.docs {
            has[*doc as usize] = true;
        }
        let lacking = (0..candidates as u32).filter(|doc| !has[*doc as usize]);
        self.docs.extend(lacking);
        self.scores.resize(self.docs.len(), score);
    }
}

impl Candidates<'_> {
    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.numbers.docs().len()
    }

    /// Adds `score(run, place, documents of the run)` to each document at each place (from 0) of each run.
    pub(crate) fn add_by_place(&self, score: impl Fn(usize, usize, usize) -> f64) -> Vec<f64> {
        let mut totals = vec![0.0; self.len()];
        for (run, list) in self.lists.iter().enumerate() {
            for (place, doc) in list.ranked().iter().enumerate() {
                totals[*doc as usize] += score(run, place, list.retrieved);
            }
        }
        totals
    }

    /// Number of runs that have each document.
    pub(crate) fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        for doc in self.lists.iter().flat_map(List::ranked) {
            counts[*doc as usize] += 1;
        }
        counts
    }
}
