//! `vectors` and `scenarios` of runs.

use cranfield::core::setting::Message;
use cranfield::core::vectors::BoundVector;
use cranfield::measures::scenario::BoundScenario;
use cranfield::render::Render;
use cranfield::{Evaluation, Request, parse_vectors};
use cranfield_cli::args::Sort;
use cranfield_cli::results::{
    Ranks, ScenarioScores, Sideways, TopicRows, Vectors, scenarios_of, sort,
};
use pyo3::prelude::*;

use crate::ask::Asked;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::output::{Printed, PyOutput};
use crate::work::watched;

/// Measures that are read for the sake of the other options, and not evaluated.
const ANY: &str = "AP";

/// An evaluation whose vectors or scenarios are shown.
struct Ranked {
    evaluation: Evaluation,
    what: What,
    per_topic: bool,
    digits: usize,
}

/// The part of the evaluation to show.
enum What {
    Vectors(Ranks),
    /// Ranks at which the first vectors are read sideways.
    Sideways(usize, Vec<u32>),
    Scenarios(Vec<BoundScenario>),
}

impl Ranked {
    fn rows(&self) -> TopicRows {
        TopicRows::new(&self.evaluation, self.per_topic, &[])
    }

    fn notes(&self) -> Vec<Message> {
        let mut notes = self.evaluation.notes();
        if matches!(self.what, What::Sideways(..)) {
            notes.push("a dash means that the vector does not reach the level".into());
        }
        notes.extend(self.rows().note().map(Message::from));
        notes
    }
}

impl Printed for Ranked {
    fn output(&self) -> Box<dyn Render + '_> {
        let (evaluation, digits) = (&self.evaluation, self.digits);
        match &self.what {
            What::Vectors(ranks) => Box::new(Vectors {
                evaluation,
                rows: self.rows(),
                ranks: *ranks,
                digits,
            }),
            What::Sideways(vectors, ranks) => {
                Box::new(Sideways::new(evaluation, *vectors, ranks, digits))
            }
            What::Scenarios(scenarios) => Box::new(ScenarioScores::new(
                evaluation,
                scenarios,
                self.rows(),
                digits,
            )),
        }
    }
}

/// Arguments that both functions share.
struct Common<'py> {
    given: Given<'py>,
    asked: Asked,
    per_topic: bool,
    digits: usize,
    order: Sort,
    threads: Option<usize>,
}

impl<'py> Common<'py> {
    fn read(given: Given<'py>) -> PyResult<Self> {
        Ok(Self {
            asked: Asked::among(&given, None, ANY)?,
            per_topic: given.flag("per_topic")?,
            digits: given.digits()?,
            order: given.chosen("sort")?.unwrap_or(Sort::Score),
            threads: given.within("threads", 1, 1024)?,
            given,
        })
    }

    fn evaluated(
        &self,
        inputs: &Bound<'_, PyInputs>,
        change: impl FnOnce(Request) -> Result<Request, Failure>,
        what: What,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyOutput> {
        self.given.done()?;
        let py = self.given.py();
        let source = inputs.get().source.clone();
        let request = Request {
            measures: Vec::new(),
            topic_vectors: self.per_topic,
            ..source.request(&self.asked)
        };
        let request = change(request).or_raise(py)?;
        request.check_levels(self.asked.words.level).or_raise(py)?;
        let (per_topic, digits, order) = (self.per_topic, self.digits, self.order);
        watched(py, self.threads, watch, move |progress| {
            let mut evaluation = source.evaluate(Request {
                progress,
                ..request
            })?;
            sort(&mut evaluation, order);
            let result = Ranked {
                evaluation,
                what,
                per_topic,
                digits,
            };
            Ok(PyOutput::new("eval", result.notes(), result))
        })
    }
}

/// Evaluates vectors: values at every rank or level of recall.
#[pyfunction]
pub(crate) fn vectors(
    py: Python<'_>,
    inputs: &Bound<'_, PyInputs>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let common = Common::read(given)?;
    let names = common.given.strings("names")?.join(" ");
    let ranks = common.given.wholes("sideways")?;
    let ranks_shown = if common.given.flag("all_ranks")? {
        Ranks::All
    } else {
        Ranks::Few
    };
    let vectors = parse_vectors(&names, &common.asked.conventions()).or_raise(py)?;
    check_vectors(&vectors, &ranks, common.per_topic).or_raise(py)?;
    let what = if ranks.is_empty() {
        What::Vectors(ranks_shown)
    } else {
        let ranks = ranks.iter().map(|rank| *rank as u32).collect();
        What::Sideways(vectors.len(), ranks)
    };
    let needs_ideals = !ranks.is_empty();
    let change = |request: Request| {
        let request = Request { vectors, ..request };
        Ok(if needs_ideals {
            request.with_ideals()
        } else {
            request
        })
    };
    common.evaluated(inputs, change, what, watch)
}

fn check_vectors(vectors: &[BoundVector], ranks: &[usize], per_topic: bool) -> Result<(), Failure> {
    let usage = |message: String| Err(Failure::Usage(message));
    if vectors.is_empty() {
        return usage("no vector given; name one, such as nDCG@30".into());
    }
    for vector in vectors {
        if vector.is_curve() && !per_topic {
            return usage(format!(
                "{vector} has its own points in every topic, so it has no mean; pass per_topic=True, or use IPrec"
            ));
        }
        let depth = vector.depth().filter(|_| !vector.is_curve());
        for rank in ranks {
            match depth {
                Some(depth) if (1..=depth).contains(rank) => {}
                Some(depth) => {
                    return usage(format!(
                        "sideways={rank}: the ranks of {vector} are 1 to {depth}"
                    ));
                }
                None => {
                    return usage(format!(
                        "sideways needs a vector by rank, which {vector} is not"
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Evaluates scenarios: values for kinds of users.
#[pyfunction]
pub(crate) fn scenarios(
    py: Python<'_>,
    inputs: &Bound<'_, PyInputs>,
    measures: Option<String>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let common = Common::read(given)?;
    let names = common.given.strings("names")?;
    let scenarios = scenarios_of(&names, measures.as_deref()).or_raise(py)?;
    let conventions = common.asked.conventions();
    let bound = scenarios.iter().map(|scenario| scenario.bind(&conventions));
    let bound: Vec<BoundScenario> = bound.collect::<Result<_, _>>().or_raise(py)?;
    let what = What::Scenarios(bound.clone());
    common.evaluated(inputs, |request| Ok(request.under(&bound)), what, watch)
}
