//! Values of an evaluation as Python objects.

use cranfield::core::measure::{BoundMeasure, Computation};
use cranfield::{EvaluatedRun, RunScores};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

/// A value of one run and measure, for a topic or for all.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Undefined,
    Number(f64),
    /// The least and the greatest value, where a policy says `bounds`.
    Interval(f64, f64),
    Text(&'a str),
}

impl Cell<'_> {
    fn between(low: Option<f64>, high: Option<f64>) -> Self {
        match (low, high) {
            (Some(low), Some(high)) => Self::Interval(low.min(high), low.max(high)),
            _ => Self::Undefined,
        }
    }

    /// A value as programs in C have it: NaN if it is undefined.
    pub(crate) fn or_nan(self) -> Self {
        match self {
            Self::Undefined => Self::Number(f64::NAN),
            other => other,
        }
    }

    /// `None`, a float, a pair of floats, or a str.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        match self {
            Self::Undefined => Ok(py.None().into_bound(py)),
            Self::Number(value) => value.into_bound_py_any(py),
            Self::Interval(low, high) => (low, high).into_bound_py_any(py),
            Self::Text(text) => text.into_bound_py_any(py),
        }
    }
}

/// Where the values of each measure are found.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    run: &'a EvaluatedRun,
    /// By measure: its place among those that are strings.
    strings: Vec<Option<usize>>,
    tags: Vec<bool>,
    n_strings: usize,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(run: &'a EvaluatedRun, measures: &[BoundMeasure]) -> Self {
        let mut n_strings = 0;
        let strings = measures.iter().map(|measure| {
            let is_text = matches!(measure.computation, Computation::Text(_));
            n_strings += usize::from(is_text);
            is_text.then(|| n_strings - 1)
        });
        let strings = strings.collect();
        let is_tag = |measure: &BoundMeasure| matches!(measure.computation, Computation::RunId);
        Self {
            run,
            strings,
            tags: measures.iter().map(is_tag).collect(),
            n_strings,
        }
    }

    /// The value for the topic at this place.
    pub(crate) fn topic(&self, topic: usize, measure: usize) -> Cell<'a> {
        if let Some(text) = self.strings[measure] {
            let text = self.run.scores.strings.get(topic * self.n_strings + text);
            return text.map_or(Cell::Undefined, |text| Cell::Text(text));
        }
        if self.tags[measure] {
            return Cell::Text(&self.run.scores.tag);
        }
        let value = |scores: &RunScores| {
            let known = topic < scores.topics.len();
            let value = known.then(|| scores.row(topic)[measure]);
            value.filter(|value| !value.is_nan())
        };
        let low = value(&self.run.scores);
        match &self.run.upper {
            Some(upper) => Cell::between(low, value(upper)),
            None => low.map_or(Cell::Undefined, Cell::Number),
        }
    }

    /// The value for all topics.
    pub(crate) fn total(&self, measure: usize) -> Cell<'a> {
        if self.tags[measure] {
            return Cell::Text(&self.run.scores.tag);
        }
        let low = self.run.scores.aggregate(measure);
        match &self.run.upper {
            Some(upper) => Cell::between(low, upper.aggregate(measure)),
            None => low.map_or(Cell::Undefined, Cell::Number),
        }
    }
}
