//! `Evaluator`: judgements and measures that are read once, for any number of runs.

use std::sync::Arc;

use cranfield::core::grammar::nearest_name;
use cranfield::core::policy::Policies;
use cranfield::engine::TopicScores;
use cranfield::{Inputs, Plan, Profile, Qrels};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arguments::{flag, optional_number, optional_strings, text as unicode};
use crate::ask::{Asked, Words};
use crate::cells::Cells;
use crate::data::text;
use crate::dicts::{self, Numbers, Role};
use crate::errors::{Failure, OrRaise};
use crate::qrels::{PyQrels, of_rows};
use crate::run::{Data, PyRun};
use crate::work::{is_long, work};

/// Evaluates any number of runs with judgements and measures that are parsed once.
///
/// `keys` replace the names of the measures in results; `exact` accepts the same numbers as `pytrec_eval`.
///
/// >>> evaluator = Evaluator({"q1": {"d1": 1, "d2": 0}}, "RR P@1")
/// >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}})
/// {'q1': {'RR': 0.5, 'P@1': 0.0}}
#[pyclass(frozen, module = "cranfield", name = "Evaluator")]
#[derive(Debug)]
pub(crate) struct PyEvaluator {
    prepared: Arc<Prepared>,
    names: Vec<Py<PyString>>,
    threads: Option<usize>,
    words: Words,
}

/// Judgements, and the plan that was checked against them.
#[derive(Debug)]
struct Prepared {
    qrels: Arc<Qrels>,
    inputs: Inputs,
    plan: Plan,
    profile: Profile,
}

/// The options of an evaluator other than the policies.
const OPTIONS: [&str; 5] = ["profile", "level", "threads", "exact", "keys"];

/// Topics, and the values of each measure in their order.
type Rows<'py> = (Bound<'py, PyList>, Bound<'py, PyList>);

/// The parts of the pickle of an evaluator: judgements, names of measures, and options.
type State<'py> = (Bound<'py, PyQrels>, String, Bound<'py, PyDict>);

#[pymethods]
impl PyEvaluator {
    #[new]
    #[pyo3(signature = (qrels, measures = None, *, profile = "cranfield", level = None, threads = None, exact = false, keys = None, **policies))]
    fn new(
        py: Python<'_>,
        qrels: &Bound<'_, PyAny>,
        measures: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = unicode)] profile: &str,
        #[pyo3(from_py_with = optional_number)] level: Option<f64>,
        threads: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = flag)] exact: bool,
        #[pyo3(from_py_with = optional_strings)] keys: Option<Vec<String>>,
        policies: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        check_options(policies)?;
        let threads = threads.map(checked_threads).transpose()?;
        let measures = measures.map(checked_measures).transpose()?;
        let asked = Asked::read(measures.as_ref(), profile, level, policies, py)?;
        if asked.has_custom {
            let message = "an Evaluator has the measures of Cranfield alone; cranfield.evaluate has yours too";
            return Err(Failure::Usage(message.into()).raise(py));
        }
        let qrels = qrels_of(py, qrels, exact)?;
        let names = keys.unwrap_or_else(|| Asked::names(&asked.measures, asked.profile));
        if names.len() != asked.measures.len() {
            let message = format!("{} keys for {} measures", names.len(), asked.measures.len());
            return Err(Failure::Usage(message).raise(py));
        }
        let twice = (1..names.len()).find(|at| names[..*at].contains(&names[*at]));
        if let Some(at) = twice {
            let message = format!("two keys are `{}`; give each measure its own", names[at]);
            return Err(Failure::Usage(message).raise(py));
        }
        let inputs = Inputs::in_memory(Arc::clone(&qrels), []);
        let plan = inputs.plan(&asked.request()).or_raise(py)?;
        Ok(Self {
            prepared: Arc::new(Prepared {
                qrels,
                inputs,
                plan,
                profile: asked.profile,
            }),
            names: names
                .iter()
                .map(|name| PyString::intern(py, name).unbind())
                .collect(),
            threads,
            words: asked.words,
        })
    }

    /// The names of the measures in results.
    #[getter]
    fn measures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, &self.names)
    }

    /// Values of a run (a `Run` or a dict of dicts) by topic and measure. An undefined value is `None`, or NaN if `exact`.
    #[pyo3(signature = (run, *, exact = false))]
    fn evaluate<'py>(
        &self,
        run: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = flag)] exact: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = run.py();
        let results = PyDict::new(py);
        self.with_cells(run, exact, |topics, cells| {
            for (at, topic) in topics.iter().enumerate() {
                let values = PyDict::new(py);
                for (measure, name) in self.names.iter().enumerate() {
                    let cell = cells.topic(at, measure);
                    let cell = if exact { cell.or_nan() } else { cell };
                    values.set_item(name, cell.object(py)?)?;
                }
                results.set_item(text(py, &topic.id)?, values)?;
            }
            Ok(())
        })?;
        Ok(results)
    }

    /// Values as columns: the topics, and the values of each measure in that order.
    #[pyo3(signature = (run, *, exact = false))]
    fn rows<'py>(
        &self,
        run: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = flag)] exact: bool,
    ) -> PyResult<Rows<'py>> {
        let py = run.py();
        let (ids, columns) = (PyList::empty(py), PyList::empty(py));
        self.with_cells(run, exact, |topics, cells| {
            for topic in topics {
                ids.append(text(py, &topic.id)?)?;
            }
            for measure in 0..self.names.len() {
                let column = PyList::empty(py);
                for at in 0..topics.len() {
                    column.append(cells.topic(at, measure).object(py)?)?;
                }
                columns.append(column)?;
            }
            Ok(())
        })?;
        Ok((ids, columns))
    }

    /// The aggregate of a run by measure: the mean, or another aggregate that the measure defines.
    #[pyo3(signature = (run, *, exact = false))]
    fn aggregate<'py>(
        &self,
        run: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = flag)] exact: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(run.py());
        self.with_cells(run, exact, |_, cells| {
            let mut names = self.names.iter().enumerate();
            names.try_for_each(|(measure, name)| {
                values.set_item(name, cells.total(measure).object(run.py())?)
            })
        })?;
        Ok(values)
    }

    /// The arguments that rebuild the evaluator, for pickles of every protocol.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State<'py>)> {
        let qrels = PyQrels {
            qrels: Arc::clone(&self.prepared.qrels),
            name: "qrels".into(),
        };
        let options = PyDict::new(py);
        options.set_item("profile", self.prepared.profile.name())?;
        options.set_item("level", self.words.level)?;
        options.set_item("threads", self.threads)?;
        options.set_item("keys", self.measures(py)?)?;
        for (name, value) in &self.words.policies {
            options.set_item(name, value)?;
        }
        let rebuild = py.get_type::<Self>().getattr("_from_state")?;
        let qrels = Py::new(py, qrels)?.into_bound(py);
        Ok((rebuild, (qrels, self.words.text(), options)))
    }

    #[staticmethod]
    fn _from_state<'py>(
        qrels: &Bound<'py, PyQrels>,
        measures: &str,
        options: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = qrels.py().get_type::<Self>();
        class.call((qrels, measures), Some(options))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names: Vec<&str> = self
            .names
            .iter()
            .map(|name| name.bind(py).to_str())
            .collect::<PyResult<_>>()?;
        let topics = self.prepared.qrels.len();
        Ok(format!("Evaluator('{}', topics={topics})", names.join(" ")))
    }
}

impl PyEvaluator {
    /// Evaluates a run, and reads its topics and values.
    fn with_cells(
        &self,
        run: &Bound<'_, PyAny>,
        exact: bool,
        read: impl FnOnce(&[TopicScores], &Cells<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let (name, data, documents) = run_of(run, exact)?;
        let (input, prepared) = (data.input(&name), Arc::clone(&self.prepared));
        let evaluated = work(run.py(), is_long(documents), self.threads, move || {
            let Prepared { plan, profile, .. } = &*prepared;
            Ok(prepared.inputs.evaluate_run(&input, plan, *profile)?)
        })?;
        let cells = Cells::new(&evaluated, &self.prepared.plan.measures);
        read(&evaluated.scores.topics, &cells)
    }
}

/// Rejects options that nothing has, with the one that was probably meant.
fn check_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let Some(given) = given else {
        return Ok(());
    };
    let policies = Policies::default().named();
    let known = policies.iter().map(|(name, _)| *name).chain(OPTIONS);
    let known: Vec<&str> = known.collect();
    for name in given.keys() {
        let name = unicode(&name)?;
        if !known.contains(&name) {
            let cure = match nearest_name(name, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("one of: {}", known.join(", ")),
            };
            let message = format!("unknown option `{name}`; {cure}");
            return Err(Failure::Unknown(message).raise(given.py()));
        }
    }
    Ok(())
}

/// Measures in a text or a list, within what `evaluate` takes.
fn checked_measures<'py>(measures: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let module = measures.py().import("cranfield._evaluate")?;
    module.getattr("_asked")?.call1((measures,))
}

/// A number of threads, within the bounds of `evaluate`.
fn checked_threads(threads: &Bound<'_, PyAny>) -> PyResult<usize> {
    let module = threads.py().import("cranfield._evaluate")?;
    let checked = module.getattr("_checked_threads")?.call1((threads,))?;
    checked.extract()
}

/// Judgements from an object: `Qrels`, or a dict of dicts, with nothing but ints if it is read exactly.
pub(crate) fn qrels_of(
    py: Python<'_>,
    qrels: &Bound<'_, PyAny>,
    exact: bool,
) -> PyResult<Arc<cranfield::Qrels>> {
    if let Ok(qrels) = qrels.cast::<PyQrels>() {
        return Ok(Arc::clone(&qrels.get().qrels));
    }
    let numbers = if exact {
        Numbers::Whole
    } else {
        Numbers::Finite
    };
    let rows = dicts::read(qrels, Role::Qrels, numbers, "")?;
    of_rows(py, rows)
}

/// A run from an object, with its name and number of documents: `Run`, or a dict of dicts.
pub(crate) fn run_of(run: &Bound<'_, PyAny>, exact: bool) -> PyResult<(String, Data, usize)> {
    if let Ok(run) = run.cast::<PyRun>() {
        let run = run.get();
        return Ok((run.name.clone(), run.data().clone(), run.documents));
    }
    let numbers = if exact {
        Numbers::Exact
    } else {
        Numbers::Finite
    };
    let run = PyRun::new(dicts::read(run, Role::Run, numbers, "run")?, "run".into());
    Ok((run.name.clone(), run.data().clone(), run.documents))
}
