//! `explain`, `whence` and `rosetta`.

use cranfield::core::policy::Overrides;
use cranfield::explain::{Explanations, Shown};
use cranfield::measures::profiles::Profile;
use cranfield::render::Render;
use cranfield::whence::{Answer, MAX_CHANGES, Published, Question, whence as search};
use cranfield::{RosettaRow, rosetta as programs};
use cranfield_cli::results::{ExplainedOutput, FoundSettings, Programs, Titles, as_percent};
use pyo3::prelude::*;

use crate::ask::Asked;
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::output::{Printed, PyOutput};
use crate::work::watched;

/// Explanations of values.
struct ExplainedValues {
    explained: Explanations,
    shown: Shown,
}

impl Printed for ExplainedValues {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(ExplainedOutput {
            explained: &self.explained,
            shown: self.shown,
        })
    }
}

/// Explains the values of one run, or the difference of two.
#[pyfunction]
pub(crate) fn explain(
    inputs: &Bound<'_, PyInputs>,
    measures: &Bound<'_, PyAny>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let asked = Asked::among(&given, Some(measures), "")?;
    let topic = given.text("topic")?;
    let shown = Shown {
        digits: given.digits()?,
        rows: given.whole("depth_shown")?.unwrap_or(Shown::default().rows),
    };
    let threads = given.within("threads", 1, 1024)?;
    let collection = given.path("collection")?;
    given.done()?;
    let source = inputs.get().source.clone();
    let request = source.request(&asked);
    watched(given.py(), threads, watch, move |_| {
        let titles = Titles::open(collection.as_deref())?;
        let topic = topic.as_deref().map(str::as_bytes);
        let mut explained = Explanations::of(&source.open()?, &request, topic)?;
        let labels = titles.labels(&explained.topic_ids(), &explained.document_ids())?;
        let notes = Vec::from_iter(titles.note(&labels));
        explained.labels = labels;
        let result = ExplainedValues { explained, shown };
        Ok(PyOutput::new("explain", notes, result))
    })
}

/// Reads one measure whose value is a number.
fn one_measure(given: &Given<'_>, measure: &Bound<'_, PyAny>) -> PyResult<Asked> {
    let asked = Asked::among(given, Some(measure), "")?;
    let message = match asked.measures.as_slice() {
        [measure] if measure.is_text() => {
            format!("the value of {measure} is text; choose a measure with a number")
        }
        [_] => return Ok(asked),
        several => format!(
            "`{}` names {} measures; give one",
            asked.words.text(),
            several.len()
        ),
    };
    Err(Failure::Usage(message).raise(given.py()))
}

/// Settings that give a published number.
struct Found {
    names: (String, String),
    given: Published,
    question: Question,
    answer: Answer,
    show: usize,
}

impl Found {
    fn settings(&self) -> FoundSettings<'_> {
        FoundSettings {
            qrels: &self.names.0,
            run: &self.names.1,
            given: self.given,
            question: &self.question,
            answer: &self.answer,
            show: self.show,
        }
    }
}

impl Printed for Found {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(self.settings())
    }
}

/// Finds settings that give a published number.
#[pyfunction]
pub(crate) fn whence(
    inputs: &Bound<'_, PyInputs>,
    measure: &Bound<'_, PyAny>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let asked = one_measure(&given, measure)?;
    let value: Published = given.parsed("value")?.unwrap_or(Published {
        value: 0.0,
        digits: 0,
    });
    let changes = given.within("changes", 0, MAX_CHANGES)?.unwrap_or(3);
    let show = given.whole("show")?.unwrap_or(10);
    given.done()?;
    if asked.policies.are_bounds() {
        let message = "bounds give an interval, not a number; omit them, as all rules are tried";
        return Err(Failure::Usage(message.into()).raise(given.py()));
    }
    let mut measure = asked.measures[0].clone();
    let mut policies = measure.overrides.over(&asked.profile.policies());
    for (name, value) in &asked.words.policies {
        policies.set(name, value).or_raise(given.py())?;
    }
    measure.overrides = Overrides::NONE;
    let question = Question {
        published: as_percent(value, measure.info.range),
        measure,
        profile: asked.profile,
        policies,
        changes,
    };
    let source = inputs.get().source.clone();
    watched(given.py(), None, watch, move |_| {
        let inputs = source.open()?.load()?;
        let answer = search(&inputs, &question)?;
        let found = Found {
            names: source.names(),
            given: value,
            question,
            answer,
            show,
        };
        let notes = found.settings().notes();
        Ok(PyOutput::new("whence", notes, found))
    })
}

/// The numbers of programs.
struct Numbers {
    names: (String, String),
    asked: Asked,
    rows: Vec<RosettaRow>,
    digits: usize,
}

impl Printed for Numbers {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(Programs {
            qrels: &self.names.0,
            run: &self.names.1,
            measure: &self.asked.measures[0],
            rows: &self.rows,
            digits: self.digits,
        })
    }
}

/// Evaluates a measure as each program would.
#[pyfunction]
pub(crate) fn rosetta(
    inputs: &Bound<'_, PyInputs>,
    measure: &Bound<'_, PyAny>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let mut profiles = Vec::new();
    for name in given.strings("profile")? {
        profiles.push(name.parse::<Profile>().or_raise(given.py())?);
    }
    let asked = one_measure(&given, measure)?;
    let digits = given.digits()?;
    given.done()?;
    let source = inputs.get().source.clone();
    watched(given.py(), None, watch, move |_| {
        let inputs = source.open()?.load()?;
        let chosen = if profiles.is_empty() {
            Profile::ALL
        } else {
            profiles.as_slice()
        };
        let rows = programs(&inputs, &asked.measures[0], chosen)?;
        let numbers = Numbers {
            names: source.names(),
            asked,
            rows,
            digits,
        };
        Ok(PyOutput::new("rosetta", Vec::new(), numbers))
    })
}
