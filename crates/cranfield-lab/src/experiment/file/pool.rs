//! The pool of an experiment.

use cranfield_io::Error;
use cranfield_pool::Strategy;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::{Reader, problem};

/// Documents of each run that are pooled.
const DEPTH: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoolTable {
    /// Names of runs, or `"*"` for all.
    runs: Option<Spanned<Value>>,
    strategy: Spanned<String>,
    budget: Option<usize>,
    depth: Option<usize>,
}

/// Documents of the runs to be judged.
#[derive(Clone, Debug)]
pub(in super::super) struct PoolPart {
    /// The runs; all if `None`.
    pub(in super::super) runs: Option<Vec<String>>,
    pub(in super::super) strategy: Strategy,
    pub(in super::super) budget: Option<usize>,
    pub(in super::super) depth: usize,
}

impl Reader<'_> {
    /// Reads the table `[pool]`; `known` are the names of all runs.
    pub(super) fn pool(&self, table: &PoolTable, known: &[&String]) -> Result<PoolPart, Error> {
        let runs = match &table.runs {
            None => None,
            Some(runs) => self.pooled(runs, known)?,
        };
        Ok(PoolPart {
            runs,
            strategy: self.parsed(&table.strategy, str::parse)?,
            budget: table.budget,
            depth: table.depth.unwrap_or(DEPTH),
        })
    }

    fn pooled(
        &self,
        runs: &Spanned<Value>,
        known: &[&String],
    ) -> Result<Option<Vec<String>>, Error> {
        let wrong = |message: &str| problem(self.source, runs.span(), message);
        let names = match runs.get_ref() {
            Value::String(all) if all == "*" => return Ok(None),
            Value::Array(names) if !names.is_empty() => names,
            _ => return Err(wrong("expected \"*\" or a list of runs")),
        };
        let name = |value: &Value| {
            let name = value.as_str().unwrap_or_default().to_owned();
            if known.iter().any(|known| **known == name) {
                return Ok(name);
            }
            Err(wrong(&format!("{value} is not one of the runs")))
        };
        names.iter().map(name).collect::<Result<_, _>>().map(Some)
    }
}
