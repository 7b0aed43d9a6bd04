//! The pool of the runs of an experiment.

use cranfield_core::policy::TieBreak;
use cranfield_eval::{Inputs, Request};
use cranfield_io::RunFormat;
use cranfield_pool::{PoolSettings, Rankings, make, named_runs};

use super::{Experiment, Made};
use crate::error::Error;
use crate::experiment::file::PoolPart;
use crate::experiment::state::State;

impl PoolPart {
    pub(super) fn what(&self) -> String {
        let runs = self.runs.as_ref();
        let runs = runs.map_or("all runs".into(), |runs| runs.join(", "));
        format!("{} of {runs}", self.strategy)
    }
}

impl Experiment {
    /// The names of the runs that are pooled.
    pub(super) fn pooled(&self) -> Vec<&String> {
        let named = self.parts.pool.as_ref().and_then(|part| part.runs.as_ref());
        named.map_or_else(
            || self.parts.run_names().collect(),
            |runs| runs.iter().collect(),
        )
    }

    /// Writes the pool of the runs.
    pub(super) fn pool(&self, state: &State) -> Result<Made, Error> {
        let Some(part) = &self.parts.pool else {
            return Ok(Made::default());
        };
        let names = self.pooled().into_iter();
        let runs = names.filter(|name| !state.has_failed(name));
        let runs = runs.map(|name| self.run_path(name));
        let inputs = Inputs::open(&Request::new(self.qrels_path(), runs, Vec::new()))?.load()?;
        let runs = named_runs(inputs.runs())?;
        let rankings = Rankings::new(&runs, TieBreak::default(), Some(part.depth))?;
        part.strategy.check(&rankings, Some(part.depth))?;
        let settings = PoolSettings {
            budget: part.budget,
            seed: self.parts.seed,
            ..PoolSettings::new(part.strategy.clone())
        };
        // Adaptive strategies need answers.
        let judged = inputs.qrels().filter(|_| part.strategy.is_adaptive());
        let pool = make(&rankings, &settings, judged.map(AsRef::as_ref));
        let path = self.in_output("pool.run");
        cranfield_io::save_run(&pool.to_run(), RunFormat::Trec, &path)?;
        let notes = pool.notes().into_iter();
        Ok(Made {
            files: vec![path],
            notes: notes.map(|note| format!("pool: {note}")).collect(),
        })
    }
}
