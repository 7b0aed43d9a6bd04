//! Comparison of the vectors of several runs at equal levels.

use cranfield_core::vectors::{Ideal, reach};

use crate::{EvaluatedRun, Evaluation, Request};

/// The name of the ideal among runs.
const IDEAL: &str = "ideal";

/// The number of documents that a run needs to reach the level of another run, or of the ideal, at a rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The run.
    pub run: String,
    /// The run whose level is the target, or `ideal`.
    pub target: String,
    /// The rank at which the target has the level.
    pub rank: usize,
    /// The level; `None` if undefined.
    pub level: Option<f64>,
    /// The first rank at which the run has at least that level; `None` if it is not within the vector.
    pub needed: Option<usize>,
}

impl Request {
    /// Appends the ideal vectors that [`Evaluation::sideways`] needs.
    #[must_use]
    pub fn with_ideals(mut self) -> Self {
        for at in 0..self.vectors.len() {
            if let Ideal::Vector(ideal) = self.vectors[at].ideal().clone() {
                let name = ideal.to_string();
                if !self.vectors.iter().any(|known| known.to_string() == name) {
                    self.vectors.push(*ideal);
                }
            }
        }
        self
    }
}

impl Evaluation {
    /// Compares the mean vectors at an index of the plan horizontally: for each run, the number of documents that reach the level of
    /// each run, and of the ideal if it is known, at `rank`.
    ///
    /// The ideal of CG and DCG must be among the plan's vectors, see [`Request::with_ideals`]; that of normalised vectors
    /// is 1.
    pub fn sideways(&self, vector: usize, rank: usize) -> Vec<Reading> {
        let vectors: Vec<_> = self
            .runs
            .iter()
            .map(|run| run.scores.mean_vector(&self.plan, vector))
            .collect();
        let level = |vector: &[Option<f64>]| *vector.get(rank.checked_sub(1)?)?;
        let mut readings = Vec::new();
        for (run, read) in self.runs.iter().zip(&vectors) {
            let targets = self.runs.iter().zip(&vectors);
            let targets =
                targets.map(|(target, wanted)| (target.scores.name.as_str(), level(wanted)));
            let ideal = self
                .ideal(run, vector, rank)
                .map(|level| (IDEAL, Some(level)));
            readings.extend(targets.chain(ideal).map(|(target, level)| Reading {
                run: run.scores.name.clone(),
                target: target.into(),
                rank,
                level,
                needed: level.and_then(|level| reach(read, level)),
            }));
        }
        readings
    }

    /// The ideal level of a run's vector at a rank.
    fn ideal(&self, run: &EvaluatedRun, vector: usize, rank: usize) -> Option<f64> {
        let requested = self.plan.vectors.get(vector)?;
        match requested.ideal() {
            Ideal::Vector(ideal) => {
                let name = ideal.to_string();
                let mut known = self.plan.vectors.iter();
                let place = known.position(|known| known.to_string() == name)?;
                let ideal = run.scores.mean_vector(&self.plan, place);
                *ideal.get(rank.checked_sub(1)?)?
            }
            Ideal::One => requested
                .depth()
                .filter(|depth| *depth >= rank)
                .map(|_| 1.0),
            Ideal::Unknown => None,
        }
    }
}
