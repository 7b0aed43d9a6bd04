//! `compare`, `power` and `discriminate`.

use std::collections::BTreeSet;
use std::sync::Arc;

use cranfield::compare::{By, Compared, Comparison, ComparisonOutput, Parts, check_values};
use cranfield::core::setting::Message;
use cranfield::discriminate::{
    Discrimination, DiscriminationOutput, Settings as DiscriminateSettings,
};
use cranfield::power::{Power, PowerOutput, Settings as PowerSettings};
use cranfield::render::Render;
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request};
use cranfield_cli::results::{COMPARED_MEASURES, Titles, topics_of};
use pyo3::prelude::*;

use crate::ask::{Asked, Words};
use crate::errors::{Failure, OrRaise};
use crate::evaluation::PyEvaluation;
use crate::given::Given;
use crate::inputs::{PyInputs, Source};
use crate::output::{Printed, PyOutput};
use crate::settings::{self, Weighted};
use crate::work::watched;

/// A comparison of runs.
struct ComparedRuns {
    evaluation: Arc<Evaluation>,
    compared: Compared,
    parts: Parts,
}

impl Printed for ComparedRuns {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(ComparisonOutput {
            evaluation: &self.evaluation,
            compared: &self.compared,
            parts: &self.parts,
        })
    }
}

impl ComparedRuns {
    fn into_output(self, apart: &[String], of_titles: Option<Message>) -> PyOutput {
        let mut notes = Vec::from_iter(of_titles);
        notes.extend(self.evaluation.notes());
        if !apart.is_empty() {
            let names = apart.join(" ");
            notes.push(format!("{names} do not depend on gains and are shown once").into());
        }
        for part in self.compared.parts() {
            notes.extend(part.notes());
            notes.extend(hidden(part, &self.parts).map(Message::from));
        }
        PyOutput::new("compare", notes, self)
    }
}

/// A note on pairs that pages do not show.
fn hidden(comparison: &Comparison, parts: &Parts) -> Option<String> {
    let hidden = comparison.hidden_pairs();
    let is_hidden = hidden > 0 && !(parts.pairs && parts.claims);
    is_hidden.then(|| format!("{hidden} pairs were tested; pairs=True and claims=True show them"))
}

fn parts(given: &Given<'_>) -> PyResult<Parts> {
    Ok(Parts {
        pairs: given.flag("pairs")?,
        claims: given.flag("claims")?,
        methods: given.flag("methods")?,
        digits: given.digits()?,
    })
}

/// Compares runs.
#[pyfunction]
pub(crate) fn compare(
    inputs: &Bound<'_, PyInputs>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let mut words = Words::read(measures, COMPARED_MEASURES, &given)?;
    let mut plan = settings::plan(&given, &mut words)?;
    let asked = match &plan {
        Some(plan) => {
            let own = measures.map(|_| words.text()).unwrap_or_default();
            let mut asked = Asked::of(words.with_measures(&(plan.measures.join(" ") + " " + &own)))
                .or_raise(given.py())?;
            let mut names = BTreeSet::new();
            asked
                .measures
                .retain(|measure| names.insert(measure.to_string()));
            asked
        }
        None => Asked::of(words).or_raise(given.py())?,
    };
    let own = measures.map(|_| asked.words.text());
    let weighted = Weighted::read(
        &given,
        &asked.conventions(),
        own.as_deref(),
        COMPARED_MEASURES,
    )?;
    let (mut settings, parts) = (settings::comparison(&given)?, parts(&given)?);
    let threads = given.within("threads", 1, 1024)?;
    let collection = given.path("collection")?;
    given.done()?;
    let source = inputs.get().source.clone();
    let mut request = source.request(&asked);
    if plan.is_none() && !weighted.scenarios.is_empty() {
        request.measures.clear();
        request = Request {
            topic_vectors: true,
            ..request.under(&weighted.scenarios)
        };
    }
    watched(given.py(), threads, watch, move |progress| {
        settings.progress = progress.clone();
        if let Some(plan) = &mut plan {
            plan.settings.progress = progress.clone();
        }
        check_values(&request.policies)?;
        let titles = Titles::open(collection.as_deref())?;
        let evaluation = source.evaluate(Request {
            progress,
            ..request
        })?;
        let labels = titles.labels(&topics_of(&evaluation), &BTreeSet::new())?;
        let of_titles = titles.note(&labels);
        if let Some(plan) = &mut plan {
            plan.settings.labels = labels.clone();
        }
        settings.labels = labels;
        let by = match &plan {
            Some(plan) => By::Plan(plan),
            None if weighted.scenarios.is_empty() => By::Measures,
            None => By::Scenarios(&weighted.scenarios),
        };
        let compared = Compared::of(&evaluation, by, &settings)?;
        let result = ComparedRuns {
            evaluation: Arc::new(evaluation),
            compared,
            parts,
        };
        let apart = if plan.is_some() {
            &[][..]
        } else {
            &weighted.apart
        };
        Ok(result.into_output(apart, of_titles))
    })
}

/// Compares the runs of an evaluation.
#[pyfunction]
pub(crate) fn compare_evaluation(
    evaluation: &Bound<'_, PyEvaluation>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    for name in ["plan", "scenario", "gains"] {
        if given.take(name)?.is_some() {
            let message = format!("{name} needs measures of Cranfield, not ones of your own");
            return Err(Failure::Usage(message).raise(given.py()));
        }
    }
    let (mut settings, parts) = (settings::comparison(&given)?, parts(&given)?);
    let threads = given.within("threads", 1, 1024)?;
    let collection = given.path("collection")?;
    let evaluation = Arc::clone(&evaluation.get().evaluation);
    watched(given.py(), threads, watch, move |progress| {
        check_values(&evaluation.plan.policies)?;
        let titles = Titles::open(collection.as_deref())?;
        settings.labels = titles.labels(&topics_of(&evaluation), &BTreeSet::new())?;
        let of_titles = titles.note(&settings.labels);
        settings.progress = progress;
        let compared = Compared::of(&evaluation, By::Measures, &settings)?;
        let result = ComparedRuns {
            evaluation,
            compared,
            parts,
        };
        Ok(result.into_output(&[], of_titles))
    })
}

/// Numbers of topics.
struct Designed {
    power: Power,
    pilot: Option<Evaluation>,
    digits: usize,
}

impl Printed for Designed {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(PowerOutput {
            power: &self.power,
            pilot: self.pilot.as_ref(),
            digits: self.digits,
        })
    }
}

/// Computes the numbers of topics that differences need.
#[pyfunction]
pub(crate) fn power(
    inputs: Option<&Bound<'_, PyInputs>>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let words = Words::read(measures, COMPARED_MEASURES, &given)?;
    let (sd, effects) = (given.number("sd")?, given.numbers("effect")?);
    let differences = given.numbers("difference")?;
    let default = PowerSettings::default();
    let settings = PowerSettings {
        power: given.number("power")?.unwrap_or(default.power),
        alpha: given.number("alpha")?.unwrap_or(default.alpha),
        sizes: given.wholes("sizes")?,
        differences: if effects.is_empty() {
            differences
        } else {
            effects.clone()
        },
        widths: given.numbers("width")?,
        among: given.whole("among")?,
    };
    let digits = given.digits()?;
    let threads = given.within("threads", 1, 1024)?;
    given.done()?;
    let request = match inputs {
        Some(inputs) => {
            let asked = Asked::of(words).or_raise(given.py())?;
            let source = inputs.get().source.clone();
            let request = source.request(&asked);
            check_values(&request.policies).or_raise(given.py())?;
            Some((source, request))
        }
        None if sd.is_none() && effects.is_empty() => {
            let message = "unknown variance: pass judgements and runs, sd= or effect=";
            return Err(Failure::Usage(message.into()).raise(given.py()));
        }
        None => None,
    };
    watched(given.py(), threads, watch, move |progress| {
        let pilot = request.map(|(source, request)| {
            source.evaluate(Request {
                progress,
                ..request
            })
        });
        let pilot = pilot.transpose()?;
        let power = match (&pilot, sd) {
            (Some(pilot), _) => Power::of_pilot(pilot, &settings)?,
            (None, Some(sd)) => Power::of_sd(sd, &settings)?,
            (None, None) => Power::of_effects(&settings)?,
        };
        let notes = pilot.as_ref().map(|pilot| {
            let own = power.notes().into_iter();
            pilot.notes().into_iter().chain(own).collect::<Vec<_>>()
        });
        let result = Designed {
            power,
            pilot,
            digits,
        };
        Ok(PyOutput::new("power", notes.unwrap_or_default(), result))
    })
}

/// Discriminative power.
struct Discriminated {
    found: Discrimination,
    evaluation: Evaluation,
    curves: bool,
    digits: usize,
}

impl Printed for Discriminated {
    fn output(&self) -> Box<dyn Render + '_> {
        Box::new(DiscriminationOutput {
            found: &self.found,
            evaluation: &self.evaluation,
            curves: self.curves,
            digits: self.digits,
        })
    }
}

/// Estimates the discriminative power of measures.
#[pyfunction]
pub(crate) fn discriminate(
    inputs: &Bound<'_, PyInputs>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOutput> {
    let asked = Asked::among(&given, measures, COMPARED_MEASURES)?;
    let default = DiscriminateSettings::default();
    let settings = DiscriminateSettings {
        test: given.parsed("test")?.unwrap_or(default.test),
        alpha: given.number("alpha")?.unwrap_or(default.alpha),
        half: given.whole("half")?,
        bin: given.number("bin")?.unwrap_or(default.bin),
        rate: given.number("rate")?.unwrap_or(default.rate),
        fuzziness: given.number("fuzziness")?.unwrap_or(default.fuzziness),
        resampling: Resampling {
            replicates: given
                .whole("replicates")?
                .unwrap_or(default.resampling.replicates),
            seed: given.whole("seed")?.unwrap_or(default.resampling.seed),
        },
    };
    let (curves, digits) = (given.flag("curves")?, given.digits()?);
    let threads = given.within("threads", 1, 1024)?;
    given.done()?;
    let source: Source = inputs.get().source.clone();
    let request = source.request(&asked);
    watched(given.py(), threads, watch, move |progress| {
        check_values(&request.policies)?;
        let evaluation = source.evaluate(Request {
            progress,
            ..request
        })?;
        let found = Discrimination::of(&evaluation, &settings)?;
        let mut notes = evaluation.notes();
        notes.extend(found.notes());
        let result = Discriminated {
            found,
            evaluation,
            curves,
            digits,
        };
        Ok(PyOutput::new("discriminate", notes, result))
    })
}
