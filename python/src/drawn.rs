//! `plot` and `report`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use cranfield::compare::Settings;
use cranfield::core::measure::BoundMeasure;
use cranfield::io::{check_outputs, save_text};
use cranfield::plots::{self, Drawing};
use cranfield::report::plot::{PlotFormat, PlotKind, Sheet};
use cranfield::report::{Report, ReportRequest};
use cranfield::{Request, plots::save};
use cranfield_cli::results::{
    REPORTED_MEASURES, ReportPage, Size, Titles, by_extension, report_labels,
};
use pyo3::prelude::*;

use crate::agreeing::Sets;
use crate::arguments::{optional_path, path, text as unicode};
use crate::ask::{Asked, Words};
use crate::errors::{Failure, OrRaise};
use crate::given::Given;
use crate::inputs::PyInputs;
use crate::settings::{self, Weighted};
use crate::work::watched;

/// Draws a plot into a file.
#[pyfunction]
pub(crate) fn plot(
    #[pyo3(from_py_with = unicode)] kind: &str,
    inputs: &Bound<'_, PyInputs>,
    #[pyo3(from_py_with = path)] output: PathBuf,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let kind = cranfield::plots::kind_named(kind)
        .map_err(|why| Failure::Usage(why.to_string()))
        .or_raise(given.py())?;
    let format = format(&given, &output)?;
    let words = Words::read(measures, "", &given)?;
    let names = words.text();
    // Names of vectors are no measures, so the plot reads them; the other options are read with any measure.
    let asked = Asked::of(words.with_measures("AP")).or_raise(given.py())?;
    let mut drawing = drawing(&given, kind, names, &asked)?;
    let sheet = sheet(&given)?;
    let threads = given.within("threads", 1, 1024)?;
    given.done()?;
    let source = inputs.get().source.clone();
    let mut request = drawing
        .prepare(source.request(&asked))
        .or_raise(given.py())?;
    for (policy, _) in &asked.words.policies {
        for measure in &mut request.measures {
            measure.overrides.forget(policy);
        }
    }
    request
        .check_levels(asked.words.level)
        .or_raise(given.py())?;
    check_outputs(&[&output], &source.files()).or_raise(given.py())?;
    watched(given.py(), threads, watch, move |progress| {
        drawing.tests.progress = progress.clone();
        let evaluation = source.evaluate(Request {
            progress,
            ..request
        })?;
        let plot = drawing.plot(&evaluation)?;
        Ok(save(&plot.render(format, &sheet)?, &output)?)
    })
}

/// The given format, or that of the file name.
fn format(given: &Given<'_>, output: &std::path::Path) -> PyResult<PlotFormat> {
    let name = output.to_string_lossy();
    let format = given
        .parsed("format")?
        .or_else(|| PlotFormat::of_file(&name));
    let unknown = || {
        let message = format!("cannot infer the format from `{name}`; pass format=");
        Failure::Usage(message)
    };
    format.ok_or_else(unknown).or_raise(given.py())
}

fn drawing(
    given: &Given<'_>,
    kind: PlotKind,
    measures: String,
    asked: &Asked,
) -> PyResult<Drawing> {
    let own = Drawing::new(kind);
    let levels = given.numbers("levels")?;
    Ok(Drawing {
        measures,
        conventions: asked.conventions(),
        cutoff: given.within("cutoff", 1, 10_000)?.unwrap_or(own.cutoff),
        levels: (!levels.is_empty()).then_some(levels),
        raw: given.flag("raw")?,
        topic: given.text("topic")?,
        bands: given.parsed::<plots::Bands>("band")?.unwrap_or(own.bands),
        ideals: given
            .parsed::<plots::Ideals>("ideal")?
            .unwrap_or(own.ideals),
        order: given
            .parsed::<plots::BarOrder>("order")?
            .unwrap_or(own.order),
        run: given.text("of")?,
        tests: settings::tests(given, own.tests.test)?,
        ..own
    })
}

fn sheet(given: &Given<'_>) -> PyResult<Sheet> {
    let size: Option<Size> = given.chosen("size")?;
    let (width, height) = match size.unwrap_or(Size::TwoColumn) {
        Size::OneColumn => (Sheet::ONE_COLUMN, None),
        Size::TwoColumn => (Sheet::TWO_COLUMNS, None),
        Size::Slide => (Sheet::SLIDE, Some(Sheet::SLIDE_HEIGHT)),
    };
    Ok(Sheet {
        width: given.number("width")?.unwrap_or(width),
        height: given.number("height")?.or(height),
        dpi: given.number("dpi")?.unwrap_or(Sheet::default().dpi),
        bare: given.flag("bare")?,
    })
}

/// Writes a report to a file, or returns it.
#[pyfunction]
pub(crate) fn report(
    inputs: &Bound<'_, PyInputs>,
    #[pyo3(from_py_with = optional_path)] output: Option<PathBuf>,
    measures: Option<&Bound<'_, PyAny>>,
    given: Given<'_>,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let format = match (given.chosen("format")?, &output) {
        (Some(format), _) => format,
        (None, None) => ReportPage::Html,
        (None, Some(output)) => by_extension(output).or_raise(given.py())?,
    };
    let mut words = Words::read(measures, REPORTED_MEASURES, &given)?;
    let plan = settings::plan(&given, &mut words)?;
    if let Some(plan) = &plan {
        words = words.with_measures(&plan.measures.join(" "));
    }
    let asked = Asked::of(words).or_raise(given.py())?;
    let own = measures.map(|_| asked.words.text());
    let weighted = Weighted::read(
        &given,
        &asked.conventions(),
        own.as_deref(),
        REPORTED_MEASURES,
    )?;
    let freely: Settings = settings::comparison(&given)?;
    let depth = given.within("depth_shown", 1, 1000)?;
    let (digits, title) = (given.digits()?, given.text("title")?);
    let threads = given.within("threads", 1, 1024)?;
    let collection = given.path("collection")?;
    let assessors = Sets::given(&given, "assessor")?;
    given.done()?;
    let source = inputs.get().source.clone();
    let mut request = source.request(&asked);
    if !weighted.scenarios.is_empty() {
        request.measures = distinct_measures(&weighted);
    }
    let mut read = source.files();
    read.extend(collection.as_deref());
    read.extend(assessors.files());
    check_outputs(&Vec::from_iter(&output), &read).or_raise(given.py())?;
    let qrels_format = request.qrels_format;
    let default = ReportRequest::new(Request { threads, ..request });
    let mut request = ReportRequest {
        settings: plan.as_ref().map_or(freely, |plan| plan.settings.clone()),
        plan,
        conventions: asked.conventions(),
        depth: depth.unwrap_or(default.depth),
        digits,
        title,
        ..default
    };
    watched(given.py(), threads, watch, move |progress| {
        request.request.progress = progress;
        request.assessors = assessors.open(qrels_format)?;
        let titles = Titles::open(collection.as_deref())?;
        let mut report = Report::of(source.open()?.load()?, request)?;
        if titles.are_given() {
            report.labels = report_labels(&titles, &report, format)?;
        }
        let text = match format {
            ReportPage::Html => report.to_html()?,
            ReportPage::Md => report.to_markdown(),
            ReportPage::Latex => report.to_latex(),
            ReportPage::Csv => report.to_csv(),
            ReportPage::Json => report.to_json(),
        };
        match output {
            None => Ok(text),
            Some(output) => {
                save_text(&text, &output)?;
                Ok(String::new())
            }
        }
    })
}

/// The measures of scenarios, each once.
fn distinct_measures(weighted: &Weighted) -> Vec<BoundMeasure> {
    let mut known = BTreeSet::new();
    let measures = weighted.scenarios.iter().flat_map(|one| &one.measures);
    let measures = measures.map(|(_, measure)| measure.clone());
    measures
        .filter(|measure| known.insert(measure.to_string()))
        .collect()
}
