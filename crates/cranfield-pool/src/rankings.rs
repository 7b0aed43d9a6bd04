//! Rankings of several runs, topic by topic, cut at a depth.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::error::Error;
use cranfield_core::policy::TieBreak;
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::setting::{Message, Setting};
use cranfield_core::small_sort::SmallSort;
use cranfield_eval::RunInput;

/// The rankings of one topic, which clones share. Documents are numbered in ascending order of their ids, so that the smaller number is
/// the smaller id.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicRankings {
    topic: Arc<[u8]>,
    docs: Arc<[Box<[u8]>]>,
    runs: Arc<[Vec<u32>]>,
    /// Scores, by run and rank.
    scores: Arc<[Vec<f64>]>,
    depth: usize,
}

impl TopicRankings {
    /// Rankings of a topic, one list of documents per run, of which the first `depth` count. A repeated document counts once, at its
    /// first rank.
    ///
    /// ```
    /// use cranfield_pool::TopicRankings;
    ///
    /// let topic = TopicRankings::new("301", &[vec!["c", "a"], vec!["b", "c"]], 2);
    /// assert_eq!(topic.doc(0), b"a");
    /// assert_eq!(topic.runs(), [[2, 0], [1, 2]]);
    /// ```
    pub fn new<D: AsRef<[u8]>>(topic: impl AsRef<[u8]>, runs: &[Vec<D>], depth: usize) -> Self {
        let scored = runs.iter().map(|run| {
            let scores = (1..=run.len()).rev().map(|score| score as f64);
            run.iter().map(AsRef::as_ref).zip(scores).collect()
        });
        Self::with_scores(topic, &scored.collect::<Vec<_>>(), depth)
    }

    /// Rankings of a topic with scores, in rank order.
    pub fn with_scores(topic: impl AsRef<[u8]>, runs: &[Vec<(&[u8], f64)>], depth: usize) -> Self {
        let runs: Vec<Vec<(&[u8], f64)>> = runs.iter().map(|run| cut(run, depth)).collect();
        let mut docs: Vec<&[u8]> = runs.iter().flatten().map(|(doc, _)| *doc).collect();
        docs.sort_unstable();
        docs.dedup();
        let number = |doc: &[u8]| docs.partition_point(|other| *other < doc) as u32;
        let numbers = |run: &Vec<(&[u8], f64)>| run.iter().map(|(doc, _)| number(doc)).collect();
        let scores = |run: &Vec<(&[u8], f64)>| run.iter().map(|(_, score)| *score).collect();
        Self {
            topic: topic.as_ref().into(),
            runs: runs.iter().map(numbers).collect(),
            scores: runs.iter().map(scores).collect(),
            docs: docs.into_iter().map(Box::from).collect(),
            depth,
        }
    }

    /// The topic's id.
    pub fn topic(&self) -> &[u8] {
        &self.topic
    }

    /// Number of documents in all rankings together.
    pub fn len(&self) -> usize {
        self.docs.len()
    }

    /// Whether no run has a document.
    pub fn is_empty(&self) -> bool {
        self.docs.is_empty()
    }

    /// The id of a document.
    ///
    /// # Panics
    /// If there is no document with this number.
    pub fn doc(&self, number: u32) -> &[u8] {
        &self.docs[number as usize]
    }

    /// The number of a document, if any ranking has it.
    pub fn number(&self, doc: &[u8]) -> Option<u32> {
        let at = self.docs.binary_search_by(|other| (**other).cmp(doc));
        at.ok().map(|at| at as u32)
    }

    /// The ids of all documents, ascending.
    pub fn docs(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.docs.iter().map(AsRef::as_ref)
    }

    /// Documents in rank order, by run.
    pub fn runs(&self) -> &[Vec<u32>] {
        &self.runs
    }

    /// Documents and scores in rank order, by run.
    pub(crate) fn scored(&self) -> impl Iterator<Item = Vec<(&[u8], f64)>> {
        let runs = self.runs.iter().zip(self.scores.iter());
        runs.map(|(run, scores)| {
            let docs = run.iter().map(|doc| self.doc(*doc));
            docs.zip(scores.iter().copied()).collect()
        })
    }

    /// The depth at which the rankings were cut; the length of the longest one if that is less.
    pub fn depth(&self) -> usize {
        let longest = self.runs.iter().map(Vec::len).max().unwrap_or(0);
        self.depth.min(longest.max(1))
    }

    /// The depth that was asked for.
    pub(crate) fn asked_depth(&self) -> usize {
        match self.depth {
            usize::MAX => self.depth(),
            depth => depth,
        }
    }

    /// Best rank (from 1) and number of runs, by document.
    pub(crate) fn places(&self) -> Vec<(usize, usize)> {
        let mut places = vec![(usize::MAX, 0); self.len()];
        for run in self.runs.iter() {
            for (rank, doc) in run.iter().enumerate() {
                let (best, runs) = &mut places[*doc as usize];
                *best = (rank + 1).min(*best);
                *runs += 1;
            }
        }
        places
    }

    /// Documents by best rank, then by the number of runs, descending, then by id.
    pub(crate) fn by_best_rank(&self) -> Vec<u32> {
        let places = self.places();
        let mut docs: Vec<u32> = (0..self.len() as u32).collect();
        docs.small_sort_by_key(|doc| {
            let (best, runs) = places[*doc as usize];
            (best, usize::MAX - runs, *doc)
        });
        docs
    }
}

/// Runs by name.
pub type NamedRuns = Vec<(String, Arc<Run>)>;

/// Reads runs.
///
/// # Errors
/// If a run is invalid.
pub fn named_runs(runs: &[RunInput]) -> Result<NamedRuns, cranfield_io::Error> {
    let read = |run: &RunInput| Ok((run.name.clone(), run.run()?));
    let runs = cranfield_eval::in_parallel(runs, read);
    runs.into_iter().collect()
}

/// Runs and their rankings.
#[derive(Clone, Debug)]
pub struct Rankings {
    /// Names of the runs.
    pub names: Vec<String>,
    /// Topics of any run, in ascending order of their ids.
    pub topics: Vec<TopicRankings>,
}

impl Rankings {
    /// Cuts runs at a depth. Ties must have one order.
    ///
    /// # Errors
    /// If the rule for ties gives more than one order.
    pub fn new(
        runs: &[(String, Arc<Run>)],
        ties: TieBreak,
        depth: Option<usize>,
    ) -> Result<Self, Error> {
        Ok(RankedRuns::new(runs, ties)?.cut(depth.unwrap_or(usize::MAX)))
    }

    /// The topic with this id.
    pub fn get(&self, id: &[u8]) -> Option<&TopicRankings> {
        let at = self.topics.binary_search_by(|topic| topic.topic().cmp(id));
        at.ok().map(|at| &self.topics[at])
    }
}

/// Runs in rank order, before they are cut.
pub(crate) struct RankedRuns<'r> {
    names: Vec<String>,
    /// Topics of any run in ascending order of their ids, with the documents and scores of each run, which may repeat documents.
    pub(crate) topics: Vec<(&'r [u8], Vec<Ranked<'r>>)>,
}

/// Documents of a topic in rank order, with their scores.
type Ranked<'r> = Vec<(&'r [u8], f64)>;

impl<'r> RankedRuns<'r> {
    pub(crate) fn new(runs: &'r [(String, Arc<Run>)], ties: TieBreak) -> Result<Self, Error> {
        use TieBreak::{Best, Bounds, Expected, Worst};
        if matches!(ties, Best | Bounds | Expected | Worst) {
            let message = Message::from(Setting::Ties.to(ties))
                .then(" gives no order of documents; use docid-desc, docid-asc or input-order");
            return Err(Error::parameter(message));
        }
        let ids: BTreeSet<&[u8]> = runs
            .iter()
            .flat_map(|(_, run)| run.topics().map(|topic| topic.id()))
            .collect();
        let ids: Vec<&[u8]> = ids.into_iter().collect();
        let topics = cranfield_eval::in_parallel(&ids, |id| {
            let mut ranking = Ranking::default();
            let ranked = runs.iter().map(|(_, run)| match run.get(id) {
                Some(topic) => arranged(&mut ranking, &topic, ties),
                None => Vec::new(),
            });
            (*id, ranked.collect())
        });
        Ok(Self {
            names: runs.iter().map(|(name, _)| name.clone()).collect(),
            topics,
        })
    }

    /// The first documents of all runs.
    pub(crate) fn cut(self, depth: usize) -> Rankings {
        let topics = cranfield_eval::in_parallel(&self.topics, |(id, runs)| {
            TopicRankings::with_scores(id, runs, depth)
        });
        Rankings {
            names: self.names,
            topics,
        }
    }
}

/// The first documents of a ranking, each once.
fn cut<'r>(run: &[(&'r [u8], f64)], depth: usize) -> Ranked<'r> {
    let mut seen = HashSet::with_capacity(run.len().min(depth));
    let first = run.iter().filter(|(doc, _)| seen.insert(*doc));
    first.take(depth).copied().collect()
}

/// The documents of a topic in rank order, with their scores. `ranking` is scratch space.
fn arranged<'r>(
    ranking: &mut Ranking<'r>,
    topic: &RunTopic<'r>,
    ties: TieBreak,
) -> Vec<(&'r [u8], f64)> {
    let hasher = DocHasher::default();
    ranking.clear();
    let mut scores = Vec::new();
    for (place, entry) in topic.entries().enumerate() {
        let hash = hasher.hash(entry.doc);
        let rank = entry.rank.unwrap_or(place as f64 + 1.0);
        ranking.push_ranked(entry.doc, hash, entry.score, rank);
        scores.push(entry.score);
    }
    ranking.arrange(ties, |_| 0.0);
    let order = ranking.order().iter().map(|at| *at as usize);
    order.map(|at| (ranking.doc(at), scores[at])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_united_and_ties_ordered() {
        let a = Run::from_scores("a", [("2", "x", 1.0), ("2", "y", 1.0), ("2", "z", 0.5)]);
        let b = Run::from_scores("b", [("1", "y", 1.0)]);
        let runs = [("a".to_owned(), Arc::new(a)), ("b".to_owned(), Arc::new(b))];
        let rankings = Rankings::new(&runs, TieBreak::DocidDesc, Some(2)).unwrap();
        assert_eq!(rankings.topics.len(), 2);
        assert_eq!(rankings.get(b"2").unwrap().runs(), [vec![1, 0], vec![]]);
        assert_eq!(rankings.get(b"1").unwrap().runs(), [vec![], vec![0]]);
        assert!(rankings.get(b"3").is_none());
        let error = Rankings::new(&runs, TieBreak::Expected, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "ties=expected gives no order of documents; use docid-desc, docid-asc or input-order"
        );
    }

    #[test]
    fn repeated_documents_count_once() {
        let topic = TopicRankings::new("1", &[vec!["a", "a", "b"]], 2);
        assert_eq!(topic.runs(), [[0, 1]]);
    }
}
