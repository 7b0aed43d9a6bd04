//! Forms of an evaluation: columns, and the formats of the command line.

use std::sync::Arc;

use cranfield_cli::args::ResultFormat;
use cranfield_cli::{ScoresStyle, render_scores};
use pyo3::prelude::*;

use crate::arguments::whole;
use crate::arrow_out::Column;
use crate::cells::Cell;
use crate::errors::Failure;
use crate::evaluation::PyEvaluation;
use crate::work::work;

/// Decimals in tables, unless others are asked for.
pub(crate) const DIGITS: u8 = 4;

/// Decimals that are asked for, as many as the command line allows.
pub(crate) fn decimals(digits: &Bound<'_, PyAny>) -> PyResult<u8> {
    let asked = whole(digits)?;
    let few = u8::try_from(asked).ok().filter(|digits| *digits <= 17);
    let refused = || format!("digits is {asked}; expected a whole number from 0 to 17");
    few.ok_or_else(|| Failure::Usage(refused()).raise(digits.py()))
}

impl PyEvaluation {
    /// The tables and lines that the command line prints.
    pub(crate) fn rendered(
        &self,
        py: Python<'_>,
        format: ResultFormat,
        per_topic: bool,
        digits: u8,
    ) -> PyResult<String> {
        let style = ScoresStyle {
            format,
            per_topic,
            digits,
            width: 80,
        };
        let evaluation = Arc::clone(&self.evaluation);
        work(py, true, None, move || {
            let text = render_scores(&evaluation, style);
            text.map_err(|why| Failure::Internal(why.to_string()))
        })
    }

    /// Columns of a table: `run`, `topic` if there are topics, and the measures.
    pub(crate) fn columns(&self, per_topic: bool) -> Vec<(String, Column)> {
        let runs = &self.evaluation.runs;
        let rows = |run: usize| {
            if per_topic {
                self.evaluation.runs[run].scores.topics.len()
            } else {
                1
            }
        };
        let mut columns = Vec::new();
        let names = (0..runs.len())
            .flat_map(|run| std::iter::repeat_n(Some(runs[run].scores.name.clone()), rows(run)));
        columns.push(("run".to_owned(), Column::Strings(names.collect())));
        if per_topic {
            let topics = runs.iter().flat_map(|run| &run.scores.topics);
            let topics = topics.map(|topic| Some(String::from_utf8_lossy(&topic.id).into_owned()));
            columns.push(("topic".to_owned(), Column::Strings(topics.collect())));
        }
        for (measure, name) in self.names.iter().enumerate() {
            let mut cells = Vec::new();
            for run in 0..runs.len() {
                let values = self.cells(run);
                cells.extend((0..rows(run)).map(|row| {
                    if per_topic {
                        values.topic(row, measure)
                    } else {
                        values.total(measure)
                    }
                }));
            }
            push_columns(&mut columns, name, &cells);
        }
        columns
    }
}

/// A measure's column: numbers or strings; for intervals two, of their ends.
fn push_columns(columns: &mut Vec<(String, Column)>, name: &str, cells: &[Cell<'_>]) {
    let is_text = |cell: &Cell<'_>| matches!(cell, Cell::Text(_));
    let is_interval = |cell: &Cell<'_>| matches!(cell, Cell::Interval(..));
    if cells.iter().any(is_text) {
        let strings = cells.iter().map(|cell| match cell {
            Cell::Text(text) => Some((*text).to_owned()),
            _ => None,
        });
        columns.push((name.into(), Column::Strings(strings.collect())));
        return;
    }
    let ends = |end: usize| {
        let numbers = cells.iter().map(|cell| match cell {
            Cell::Number(value) => Some(*value),
            Cell::Interval(low, high) => Some([*low, *high][end]),
            _ => None,
        });
        Column::Numbers(numbers.collect())
    };
    if cells.iter().any(is_interval) {
        columns.push((format!("{name}.low"), ends(0)));
        columns.push((format!("{name}.high"), ends(1)));
    } else {
        columns.push((name.into(), ends(0)));
    }
}
