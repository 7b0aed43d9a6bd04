//! The function that is optimised: the scores of topics at a point, each computed once.

use std::collections::BTreeMap;

use cranfield_core::run::Run;
use cranfield_eval::in_parallel;

use super::error::TuneError;
use super::judge::Judge;
use super::point::Point;

/// A system with parameters.
pub trait Candidate: Sync {
    /// The rankings of topics at a point.
    fn run(&self, point: &Point, topics: &[&str]) -> Result<Run, TuneError>;
}

impl<F: Fn(&Point, &[&str]) -> Result<Run, TuneError> + Sync> Candidate for F {
    fn run(&self, point: &Point, topics: &[&str]) -> Result<Run, TuneError> {
        self(point, topics)
    }
}

/// Scores by point and topic.
pub(super) struct Objective<'a> {
    candidate: &'a dyn Candidate,
    judge: &'a dyn Judge,
    topics: Vec<String>,
    /// By the name of the point; `None` where nobody asked yet.
    known: BTreeMap<String, Vec<Option<f64>>>,
}

impl<'a> Objective<'a> {
    pub(super) fn new(
        candidate: &'a dyn Candidate,
        judge: &'a dyn Judge,
        topics: Vec<String>,
    ) -> Self {
        Self {
            candidate,
            judge,
            topics,
            known: BTreeMap::new(),
        }
    }

    pub(super) fn topics(&self) -> &[String] {
        &self.topics
    }

    pub(super) fn candidate(&self) -> &'a dyn Candidate {
        self.candidate
    }

    pub(super) fn measure(&self) -> &'a str {
        self.judge.measure()
    }

    /// Number of points that were scored.
    pub(super) fn points(&self) -> usize {
        self.known.len()
    }

    /// The scores of some topics at a point.
    pub(super) fn scores(
        &mut self,
        point: &Point,
        topics: &[usize],
    ) -> Result<Vec<f64>, TuneError> {
        self.fill(std::slice::from_ref(point), topics)?;
        let known = self.known.get(&point.to_string());
        let score = |at: &usize| known.and_then(|known| known[*at]).unwrap_or(0.0);
        Ok(topics.iter().map(score).collect())
    }

    /// Computes the scores of some topics that are not known yet, on all cores.
    pub(super) fn fill(&mut self, points: &[Point], topics: &[usize]) -> Result<(), TuneError> {
        let work: Vec<(&Point, Vec<usize>)> = points
            .iter()
            .map(|point| (point, self.missing(point, topics)))
            .filter(|(_, missing)| !missing.is_empty())
            .collect();
        let found = in_parallel(&work, |(point, missing)| {
            let topics: Vec<&str> = missing.iter().map(|at| self.topics[*at].as_str()).collect();
            let run = self.candidate.run(point, &topics)?;
            self.judge.scores(&run, &topics)
        });
        for ((point, missing), scores) in work.into_iter().zip(found) {
            let known = self.known.entry(point.to_string());
            let known = known.or_insert_with(|| vec![None; self.topics.len()]);
            for (at, score) in missing.into_iter().zip(scores?) {
                known[at] = Some(score);
            }
        }
        Ok(())
    }

    fn missing(&self, point: &Point, topics: &[usize]) -> Vec<usize> {
        let known = self.known.get(&point.to_string());
        let is_missing = |at: &usize| known.is_none_or(|known| known[*at].is_none());
        topics.iter().copied().filter(is_missing).collect()
    }
}
