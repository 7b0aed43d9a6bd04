//! `compare`, `power` and `discriminate`.

use std::collections::BTreeSet;
use std::sync::Arc;

use cranfield::compare::{
    Comparison, ComparisonPlan, Parts, Settings, check_values, compare as compare_runs,
    compare_planned, compare_scenarios,
};
use cranfield::core::setting::Message;
use cranfield::discriminate::{Discrimination, Settings as DiscriminateSettings};
use cranfield::power::{Power, Settings as PowerSettings};
use cranfield::report::{Format, PageFormat};
use cranfield::stats::random::Resampling;
use cranfield::{Evaluation, Request, scenario_columns};
use cranfield_cli::args::ResultFormat;
use cranfield_cli::results::{self, COMPARED_MEASURES, Compared, Found, terminal_width};
use pyo3::prelude::*;

use crate::ask::{Asked, Words};
use crate::errors::{Failure, OrRaise};
use crate::evaluation::PyEvaluation;
use crate::given::Given;
use crate::inputs::{PyInputs, Source};
use crate::output::{NamedColumn, PyOutput, Rendered, table_columns};
use crate::settings::{self, Weighted};
use crate::work::watched;

/// A comparison of runs.
struct ComparedRuns {
    evaluation: Arc<Evaluation>,
    compared: Compared,
    parts: Parts,
}

impl Rendered for ComparedRuns {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        let records = || results::comparison::records(&self.compared);
        Ok(match format {
            ResultFormat::Table => self.page(PageFormat::Text),
            ResultFormat::Md => self.page(PageFormat::Markdown),
            ResultFormat::Html => self.page(PageFormat::Html),
            ResultFormat::Latex => match &self.compared {
                Compared::Freely(comparison) => comparison.latex(&self.parts),
                Compared::Planned(planned) => planned.latex(&self.parts),
            },
            ResultFormat::Csv => records().render(Format::Csv),
            ResultFormat::Tsv => records().render(Format::Tsv),
            ResultFormat::Jsonl => results::comparison::jsonl(&self.compared),
            ResultFormat::Json => {
                let methods = self.compared.methods();
                let document =
                    results::comparison::document(&self.evaluation, &self.compared, &methods);
                format!("{document:#}\n")
            }
            ResultFormat::Trec => anyhow::bail!("trec_eval has no comparisons; use another format"),
        })
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        Some(table_columns(&results::comparison::records(&self.compared)))
    }
}

impl ComparedRuns {
    fn page(&self, format: PageFormat) -> String {
        let page = match &self.compared {
            Compared::Freely(comparison) => comparison.page(&self.parts),
            Compared::Planned(planned) => planned.page(&self.parts),
        };
        page.render(format, terminal_width())
    }

    fn output(self, apart: &[String]) -> PyOutput {
        let mut notes = self.evaluation.notes();
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

/// What runs are compared by.
enum By {
    Measures,
    Scenarios(Weighted),
    Plan(Box<ComparisonPlan>),
}

impl By {
    fn compare(&self, evaluation: &Evaluation, settings: &Settings) -> Result<Compared, Failure> {
        Ok(match self {
            Self::Measures => Compared::Freely(Box::new(compare_runs(evaluation, settings)?)),
            Self::Scenarios(weighted) => {
                let columns = scenario_columns(&weighted.scenarios);
                let compared = compare_scenarios(evaluation, &columns, settings);
                Compared::Freely(Box::new(compared?))
            }
            Self::Plan(plan) => Compared::Planned(Box::new(compare_planned(evaluation, plan)?)),
        })
    }

    fn apart(&self) -> &[String] {
        match self {
            Self::Scenarios(weighted) => &weighted.apart,
            _ => &[],
        }
    }
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
    let plan = settings::plan(&given, &mut words)?;
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
    given.done()?;
    let source = inputs.get().source.clone();
    let mut request = source.request(&asked);
    let mut by = match plan {
        Some(plan) => By::Plan(Box::new(plan)),
        None if weighted.scenarios.is_empty() => By::Measures,
        None => {
            request.measures.clear();
            request = Request {
                topic_vectors: true,
                ..request.under(&weighted.scenarios)
            };
            By::Scenarios(weighted)
        }
    };
    watched(given.py(), threads, watch, move |progress| {
        settings.progress = progress.clone();
        if let By::Plan(plan) = &mut by {
            plan.settings.progress = progress.clone();
        }
        check_values(&request.policies)?;
        let evaluation = source.evaluate(Request {
            progress,
            ..request
        })?;
        let compared = by.compare(&evaluation, &settings)?;
        let result = ComparedRuns {
            evaluation: Arc::new(evaluation),
            compared,
            parts,
        };
        Ok(result.output(by.apart()))
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
    let evaluation = Arc::clone(&evaluation.get().evaluation);
    watched(given.py(), threads, watch, move |progress| {
        check_values(&evaluation.plan.policies)?;
        settings.progress = progress;
        let compared = By::Measures.compare(&evaluation, &settings)?;
        let result = ComparedRuns {
            evaluation,
            compared,
            parts,
        };
        Ok(result.output(&[]))
    })
}

/// Sections of tables, with the same numbers as records.
struct Sections<T> {
    evaluation: Option<Evaluation>,
    result: T,
    make: fn(&T, Option<&Evaluation>) -> Found,
}

impl<T: Send + Sync + 'static> Rendered for Sections<T> {
    fn render(&self, format: ResultFormat) -> anyhow::Result<String> {
        (self.make)(&self.result, self.evaluation.as_ref()).render(format)
    }

    fn columns(&self) -> Option<Vec<NamedColumn>> {
        let found = (self.make)(&self.result, self.evaluation.as_ref());
        Some(table_columns(&found.records))
    }
}

/// Numbers of topics and decimals.
struct Designed(Power, usize);

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
        let result = Sections {
            evaluation: pilot,
            result: Designed(power, digits),
            make: |Designed(power, digits), evaluation| Found {
                sections: power.sections(*digits),
                records: power.records(),
                objects: power.record_objects(),
                document: results::sections_json(
                    evaluation,
                    [
                        ("settings", power.settings_object()),
                        ("designs", power.objects().into()),
                    ],
                ),
            },
        };
        Ok(PyOutput::new("power", notes.unwrap_or_default(), result))
    })
}

/// Discriminative power, decimals, and whether curves are shown.
struct Discriminated(Discrimination, usize, bool);

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
        let result = Sections {
            evaluation: Some(evaluation),
            result: Discriminated(found, digits, curves),
            make: |Discriminated(found, digits, curves), evaluation| Found {
                sections: found.sections(*digits, *curves),
                records: found.records(*curves),
                objects: found.record_objects(*curves),
                document: results::sections_json(
                    evaluation,
                    [
                        ("settings", found.settings_object()),
                        ("discrimination", found.objects().into()),
                    ],
                ),
            },
        };
        Ok(PyOutput::new("discriminate", notes, result))
    })
}
