//! Measures whose values Python computes: their places in an evaluation, and what they are computed from.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cranfield::core::error::Error;
use cranfield::core::measure::{
    Aggregate, BoundMeasure, Computation, Direction, Measure, MeasureInfo, Range,
};
use cranfield::core::params::{CutoffRule, Params};
use cranfield::core::policy::{TieBreak, Unjudged};
use cranfield::core::setting::Setting;
use cranfield::core::topic::{JudgedRanking, Label};
use cranfield::engine::judged_topics;
use cranfield::{Inputs, Policies};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arguments::{optional_number, text as unicode};
use crate::ask::Asked;
use crate::data::text;
use crate::errors::{Failure, OrRaise, STYLE};
use crate::qrels::PyQrels;
use crate::run::PyRun;
use crate::work::{is_long, work};

/// The place of a measure whose values are filled in later.
#[derive(Debug)]
struct Given;

impl Measure for Given {
    fn evaluate(&self, _topic: &JudgedRanking<'_>) -> Option<f64> {
        None
    }

    fn merit(&self, _label: Label) -> Option<f64> {
        // All orders are the same to it, so that none is tried out.
        Some(0.0)
    }
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "other measures have parameters that can be wrong"
)]
fn build(_params: &Params) -> Result<Computation, Error> {
    Ok(Computation::Ranked(Arc::new(Given)))
}

/// A measure that Python computes.
pub(crate) fn measure(name: &str, direction: Direction) -> Result<BoundMeasure, Failure> {
    let info = info(name, direction);
    Ok(info.bind(Params::defaults(info, |_| None))?)
}

/// The description of a measure. Each is made once, and kept: descriptions of measures live as long as the program.
fn info(name: &str, direction: Direction) -> &'static MeasureInfo {
    type Known = HashMap<(String, &'static str), &'static MeasureInfo>;
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    let key = match direction {
        Direction::HigherIsBetter => "higher",
        Direction::LowerIsBetter => "lower",
        Direction::Neutral => "neither",
    };
    let known = KNOWN.get_or_init(Mutex::default).lock();
    let mut known = known.unwrap_or_else(PoisonError::into_inner);
    known.entry((name.to_owned(), key)).or_insert_with(|| {
        Box::leak(Box::new(MeasureInfo {
            name: Box::leak(name.to_owned().into_boxed_str()),
            aliases: &[],
            summary: "a measure of the user",
            page: "",
            params: &[],
            cutoff: CutoffRule::None,
            range: Range::ANY,
            aggregate: Aggregate::Mean,
            direction,
            references: &[],
            build,
        }))
    })
}

/// Whether rankings have one order, and documents one reading.
fn check(policies: &Policies) -> Result<(), Failure> {
    let (ties, unjudged) = (policies.ties, policies.unjudged);
    let several = matches!(
        ties,
        TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds
    );
    if several {
        let [several, one] =
            [ties, TieBreak::DocidDesc].map(|ties| Setting::Ties.to(ties).render(STYLE));
        let message = format!(
            "a measure in Python evaluates one ranking, but {several} needs all orders of tied documents; \
             use one order, such as {one}"
        );
        return Err(Failure::Usage(message));
    }
    if !matches!(unjudged, Unjudged::NonRelevant | Unjudged::Condensed) {
        let unjudged = Setting::Unjudged.to(unjudged).render(STYLE);
        let message = format!(
            "a measure in Python sees that documents are unjudged, but {unjudged} gives them grades; \
             use nonrelevant or condensed"
        );
        return Err(Failure::Usage(message));
    }
    Ok(())
}

/// The topics of a run: for each its id, its documents in rank order, and their grades, `None` for unjudged ones.
#[pyfunction]
#[pyo3(signature = (qrels, run, *, profile = "cranfield", level = None, policies = None))]
pub(crate) fn rankings<'py>(
    py: Python<'py>,
    qrels: &Bound<'py, PyQrels>,
    run: &Bound<'py, PyRun>,
    #[pyo3(from_py_with = unicode)] profile: &str,
    #[pyo3(from_py_with = optional_number)] level: Option<f64>,
    policies: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let asked = Asked::read(None, profile, level, policies, py)?;
    check(&asked.policies).or_raise(py)?;
    let qrels = Arc::clone(&qrels.get().qrels);
    let (documents, data) = (run.get().documents, run.get().data().clone());
    let topics = work(py, is_long(documents), None, move || {
        let plan = Inputs::in_memory(Arc::clone(&qrels), []).plan(&asked.request())?;
        let topics = judged_topics(data.run(), &qrels, &plan);
        let owned = topics.into_iter().map(|(id, documents)| {
            let documents = documents.into_iter();
            let documents = documents.map(|(document, label)| (document.to_vec(), label));
            (id.to_vec(), documents.collect::<Vec<_>>())
        });
        Ok(owned.collect::<Vec<_>>())
    })?;
    let list = PyList::empty(py);
    for (id, ranking) in topics {
        let (documents, grades) = (PyList::empty(py), PyList::empty(py));
        for (document, label) in ranking {
            documents.append(text(py, &document)?)?;
            match label {
                Label::Judged(grade) => grades.append(grade)?,
                Label::Unjudged | Label::Pooled => grades.append(py.None())?,
            }
        }
        list.append((text(py, &id)?, documents, grades))?;
    }
    Ok(list)
}
