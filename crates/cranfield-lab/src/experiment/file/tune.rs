//! Parameters that an experiment tunes.

use std::collections::BTreeMap;

use cranfield_core::small_sort::SmallSort;
use cranfield_io::Error;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::{Reader, RunPart, problem};
use crate::tune::{Choice, Search, Space, TuneError};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuneTable {
    run: Spanned<String>,
    space: Spanned<BTreeMap<String, Spanned<Value>>>,
    measure: Option<String>,
    folds: Option<Spanned<usize>>,
    search: Option<Spanned<String>>,
    choice: Option<Spanned<String>>,
}

/// A run whose parameters are tuned.
#[derive(Clone, Debug)]
pub(in super::super) struct TunePart {
    /// The run with the default point.
    pub(in super::super) run: String,
    pub(in super::super) space: Space,
    pub(in super::super) measure: String,
    pub(in super::super) folds: usize,
    pub(in super::super) search: Search,
    pub(in super::super) choice: Choice,
}

impl Reader<'_> {
    pub(super) fn tune(
        &self,
        name: &str,
        tune: &Spanned<TuneTable>,
        runs: &BTreeMap<String, RunPart>,
    ) -> Result<TunePart, Error> {
        let table = tune.get_ref();
        let wrong = |span, message: String| problem(self.source, span, &message);
        if runs.contains_key(name) {
            let message = format!("there is also a table [run.{name}]; both would write one run");
            return Err(wrong(tune.span(), message));
        }
        let run = table.run.get_ref();
        match runs.get(run) {
            None => {
                let message = format!("`{run}` is not one of the runs");
                return Err(wrong(table.run.span(), message));
            }
            Some(part) if part.index().is_none() => {
                let message = format!("`{run}` cannot be tuned, because it searches no index");
                return Err(wrong(table.run.span(), message));
            }
            Some(_) => {}
        }
        let folds = match &table.folds {
            Some(folds) if *folds.get_ref() < 2 => {
                return Err(wrong(folds.span(), "expected two or more folds".into()));
            }
            folds => folds.as_ref().map_or(5, |folds| *folds.get_ref()),
        };
        let space = space_text(table.space.get_ref()).parse();
        let space =
            space.map_err(|error: TuneError| wrong(table.space.span(), error.to_string()))?;
        Ok(TunePart {
            run: run.clone(),
            space,
            measure: table.measure.clone().unwrap_or_else(|| "AP".into()),
            folds,
            search: self.parsed_or_default(table.search.as_ref())?,
            choice: self.parsed_or_default(table.choice.as_ref())?,
        })
    }
}

/// A space as [`Space`] reads it, in the order of the file: values are lists, or strings such as `0..1 step 0.1`.
fn space_text(table: &BTreeMap<String, Spanned<Value>>) -> String {
    let mut parameters: Vec<_> = table.iter().collect();
    parameters.small_sort_by_key(|(_, values)| values.span().start);
    let parameters = parameters.into_iter().map(|(name, values)| {
        let values = match values.get_ref() {
            Value::String(text) => text.clone(),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            other => other.to_string(),
        };
        format!("{name}={values}")
    });
    parameters.collect::<Vec<_>>().join("; ")
}
