//! The plots of a report: every kind that can be drawn of its runs and measures.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Plot, PlotFormat, PlotKind, Sheet};
use cranfield_render::plural;

use super::{Report, data, svg};
use crate::plots::captions::without_common;
use crate::plots::{Curve, Drawing, DrawingError};
use cranfield_compare::compare::{Settings, Test};
use cranfield_core::measure::BoundMeasure;
use cranfield_core::vectors::BoundVector;
use cranfield_eval::{Evaluation, Request, in_parallel};

/// Most numbers of vectors that are kept for all figures of curves.
const MOST_KEPT: usize = 1 << 23;

/// Bytes of an SVG from which its points are drawn together, without tooltips.
const LARGE: usize = 80_000;

/// Most bytes of an SVG; one that is larger shows fewer runs.
const MOST_BYTES: usize = 220_000;

/// The section of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Figures,
    Pool,
    Assessors,
}

impl Place {
    /// The id of the section.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Figures => "plots",
            Self::Pool => "pool",
            Self::Assessors => "assessors",
        }
    }

    /// The heading of the section.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Figures => "Figures",
            Self::Pool => "Pool",
            Self::Assessors => "Assessors",
        }
    }
}

/// A plot, ready for the page.
pub(super) struct Figure {
    pub(super) place: Place,
    /// A name that no other figure has.
    pub(super) name: &'static str,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) svg: String,
    /// The data, packed.
    pub(super) csv: String,
    /// The Vega-Lite specification, packed.
    pub(super) vega: String,
}

/// All plots, and which kinds there are none of, with the reason.
pub(super) fn draw(report: &Report) -> (Vec<Figure>, Vec<String>) {
    let (mut figures, mut notes) = (Vec::new(), Vec::new());
    let known = Known::of(report);
    let drawn = in_parallel(&PlotKind::ALL, |kind| figure(report, *kind, &known));
    for (kind, drawn) in PlotKind::ALL.into_iter().zip(drawn) {
        match drawn {
            Ok(figure) => figures.push(figure),
            Err(why) => notes.push(format!("no {kind} plot: {why}")),
        }
    }
    (figures, notes)
}

/// The plot of a kind with as many runs as it takes and as fit; or why there is none.
fn figure(report: &Report, kind: PlotKind, known: &Known) -> Result<Figure, DrawingError> {
    let order = shown_first(report);
    let mut count = order.len().min(kind.readable_runs());
    loop {
        let runs = &order[..count];
        let (plot, taken) = drawn(report, kind, runs, known)?;
        let svg = small_svg(&plot)?;
        if svg.len() > MOST_BYTES && taken > 2 {
            count = taken / 2;
            continue;
        }
        return finished(report, &plot, svg, taken);
    }
}

/// The drawing of a kind by measures, tested as the report tests its runs.
fn drawing(report: &Report, kind: PlotKind, measures: String) -> Drawing {
    let own = Drawing::new(kind);
    Drawing {
        measures,
        conventions: report.request.conventions.clone(),
        tests: tests(report, kind, own.tests.test),
        ..own
    }
}

/// Evaluations that most figures can be drawn from: all runs by all measures, and the first runs by all vectors.
struct Known(Vec<(Vec<usize>, Evaluation)>);

impl Known {
    fn of(report: &Report) -> Self {
        let order = shown_first(report);
        let (mut measured, mut curves) = (request(report, &order), request(report, &[]));
        (measured.measures, curves.measures) = (Vec::new(), Vec::new());
        let mut runs = 0;
        for kind in PlotKind::ALL {
            for names in measure_names(report, kind) {
                let count = order.len().min(kind.readable_runs());
                let asked = request(report, &order[..count]);
                let Ok(asked) = drawing(report, kind, names).prepare(asked) else {
                    continue;
                };
                if !asked.vectors.is_empty() {
                    runs = runs.max(count);
                    curves.topic_vectors = true;
                    curves.vectors.extend(asked.vectors);
                }
                for measure in with_own_policies(report, asked.measures) {
                    if !measured
                        .measures
                        .iter()
                        .any(|known| known.same_as(&measure))
                    {
                        measured.measures.push(measure);
                    }
                }
            }
        }
        let mut known = Self(Vec::new());
        known.add(report, order.clone(), &measured);
        let topics = report.evaluation.topics.max(1);
        let columns: usize = curves.vectors.iter().map(BoundVector::columns).sum();
        if runs.saturating_mul(topics).saturating_mul(columns) <= MOST_KEPT {
            known.add(report, order[..runs].to_vec(), &curves);
        }
        known
    }

    fn add(&mut self, report: &Report, runs: Vec<usize>, request: &Request) {
        if let Ok(evaluation) = report.inputs.select(&runs).evaluate(request) {
            self.0.push((runs, evaluation));
        }
    }

    /// The evaluation of a request, if it is part of one that is known.
    fn evaluation(&self, request: &Request, runs: &[usize]) -> Option<Evaluation> {
        self.0.iter().find_map(|(known, evaluation)| {
            let places = runs.iter();
            let places = places.map(|run| known.iter().position(|other| other == run));
            evaluation.select(&places.collect::<Option<Vec<_>>>()?, request)
        })
    }
}

/// Places of the runs: the best one by the first measure, baselines, then the others from the best down.
fn shown_first(report: &Report) -> Vec<usize> {
    let mut order = report.order(0);
    let baselines = report.comparison.as_ref().map(|all| &all.baselines);
    let is_baseline = |run: &usize| baselines.is_some_and(|all| all.contains(run));
    if let Some((_, others)) = order.split_first_mut() {
        others.small_sort_by_key(|run| !is_baseline(run));
    }
    order
}

/// The plot with these runs, or with the first two or the first of them, by as many of the report's measures as the
/// kind takes; and the number of runs in it.
fn drawn(
    report: &Report,
    kind: PlotKind,
    runs: &[usize],
    known: &Known,
) -> Result<(Plot, usize), DrawingError> {
    let takes = |count: usize| Drawing::new(kind).check_runs(count);
    let mut counts = vec![runs.len(), 2, 1];
    counts.retain(|count| *count <= runs.len() && takes(*count).is_ok());
    counts.dedup();
    // Why the kind does not take what is tried out, and why it cannot be drawn of what it takes, which is the better reason.
    let (mut unfit, mut refused) = (takes(runs.len()).err(), None);
    for count in counts {
        for names in measure_names(report, kind) {
            let drawing = drawing(report, kind, names);
            let request = match drawing.prepare(request(report, &runs[..count])) {
                Ok(request) => request,
                Err(why) => {
                    unfit = Some(why);
                    continue;
                }
            };
            match attempt(report, &drawing, request, &runs[..count], known) {
                Ok(plot) => return Ok((plot, count)),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
    }
    let why = refused.or(unfit);
    Err(why.unwrap_or_else(|| DrawingError::new("there are no runs")))
}

/// How a plot tests pairs: as the report does, but all of them, by the scores that plots show. A critical difference diagram has a test of its own.
fn tests(report: &Report, kind: PlotKind, own: Test) -> Settings {
    let settings = &report.request.settings;
    let (test, correction) = match kind {
        PlotKind::Cd => (own, None),
        _ => (settings.test, settings.correction),
    };
    Settings {
        test,
        correction,
        baselines: Vec::new(),
        standardise: None,
        ..settings.clone()
    }
}

/// A sentence that explains why a figure and the claims have different p-values for one pair: they test other pairs; empty
/// where both are the same.
fn beside_claims(report: &Report, kind: PlotKind, runs: usize) -> String {
    let is_tested = matches!(kind, PlotKind::Significance | PlotKind::Cd);
    let Some(claims) = report.comparison.as_ref().filter(|_| is_tested) else {
        return String::new();
    };
    let Some(table) = claims.measures.first() else {
        return String::new();
    };
    let (pairs, own) = (
        runs * runs.saturating_sub(1) / 2,
        tests(report, kind, Drawing::new(kind).tests.test),
    );
    let is_same = own.test == claims.settings.test
        && own.correction() == claims.settings.correction()
        && (table.family, table.pairs.len()) == (pairs, pairs)
        && claims.settings.standardise.is_none();
    if is_same {
        return String::new();
    }
    let names = claims
        .baselines
        .iter()
        .map(|run| claims.runs[*run].as_str());
    let names: Vec<&str> = names.collect();
    let with = match names.as_slice() {
        [] => String::new(),
        names => format!(" with {}", names.join(" or ")),
    };
    let scores = match claims.settings.standardise {
        None => "",
        Some(_) => " by standardised scores",
    };
    format!(
        " The claims of this report are about {}{with}{scores}, by {}; this plot tests all {} of its runs, so that the same pair \
         may have another p here.",
        plural(table.pairs.len(), "pair"),
        claims.test_in_a_sentence(table.family),
        plural(pairs, "pair"),
    )
}

/// The plot of a prepared request. Inputs that fail now lack what the kind needs.
fn attempt(
    report: &Report,
    drawing: &Drawing,
    request: Request,
    runs: &[usize],
    known: &Known,
) -> Result<Plot, DrawingError> {
    let request = Request {
        measures: with_own_policies(report, request.measures.clone()),
        ..request
    };
    if let Some(evaluation) = known.evaluation(&request, runs) {
        return drawing.plot(&evaluation);
    }
    let inputs = report.inputs.select(runs);
    let evaluation = inputs.evaluate(&request).map_err(|error| {
        let message = error.to_string();
        DrawingError::new(message.lines().next().unwrap_or_default())
    })?;
    drawing.plot(&evaluation)
}

/// Measures to try for a kind: all measures of the report, the first two, the first, and what the kind has of its own. Curves
/// have vectors of their own.
fn measure_names(report: &Report, kind: PlotKind) -> Vec<String> {
    let names = report.measure_names();
    let mut asked = Vec::new();
    if !kind.is_curve() {
        let counts = [names.len(), 2, 1].into_iter();
        let counts = counts.filter(|count| *count <= names.len());
        asked.extend(counts.map(|count| names[..count].join(" ")));
        asked.dedup();
    }
    asked.push(String::new());
    asked
}

fn request(report: &Report, runs: &[usize]) -> Request {
    let (asked, inputs) = (&report.request.request, report.inputs.runs());
    Request {
        runs: runs
            .iter()
            .map(|run| inputs[*run].file.path.clone().into())
            .collect(),
        ..asked.clone()
    }
}

/// Replaces measures that the report has by the report's, which may have policies of their own.
fn with_own_policies(report: &Report, mut measures: Vec<BoundMeasure>) -> Vec<BoundMeasure> {
    for measure in &mut measures {
        let name = measure.to_string();
        let mut own = report.evaluation.plan.measures.iter();
        if let Some(own) = own.find(|own| own.to_string() == name) {
            *measure = own.clone();
        }
    }
    measures
}

/// Narrower than a page of a paper, so that text is not small where two figures are side by side.
const SHEET: Sheet = Sheet {
    width: 440.0,
    height: None,
    dpi: 200.0,
    bare: true,
};

/// A plot as SVG for the page.
pub(super) fn small_svg(plot: &Plot) -> Result<String, DrawingError> {
    let bytes = plot.render(PlotFormat::Svg, &SHEET)?;
    let drawn = String::from_utf8_lossy(&bytes);
    let small = svg::compact(&drawn);
    if small.len() <= LARGE {
        return Ok(small);
    }
    Ok(svg::merged(&drawn))
}

fn finished(
    report: &Report,
    plot: &Plot,
    svg: String,
    count: usize,
) -> Result<Figure, DrawingError> {
    let render = |format: PlotFormat| plot.render(format, &SHEET);
    let all = report.evaluation.runs.len();
    let shown = match (&*report.measure_names(), count) {
        ([first, ..], count) if count < all => {
            let compared = report.comparison.as_ref();
            let others = if compared.is_some_and(|all| !all.baselines.is_empty()) {
                " and baselines"
            } else {
                ""
            };
            format!(" Shown: {count} of {all} runs, the best by {first}{others}.")
        }
        _ => String::new(),
    };
    Ok(Figure {
        place: Place::Figures,
        name: plot.kind.name(),
        title: plot.title.clone(),
        caption: format!(
            "{}{}{shown}",
            without_common(&plot.caption, &report.evaluation),
            beside_claims(report, plot.kind, count)
        ),
        svg,
        csv: data::packed(&render(PlotFormat::Csv)?),
        vega: data::packed(&render(PlotFormat::Vega)?),
    })
}

/// A figure that is not one of the evaluation, with a name for its files.
pub(super) fn alone(place: Place, name: &'static str, plot: &Plot) -> Result<Figure, DrawingError> {
    let render = |format: PlotFormat| plot.render(format, &SHEET);
    let svg = small_svg(plot)?;
    if svg.len() > MOST_BYTES {
        let why = format!("the figure of {name} would be too large");
        return Err(DrawingError::new(why));
    }
    Ok(Figure {
        place,
        name,
        title: plot.title.clone(),
        caption: plot.caption.clone(),
        svg,
        csv: data::packed(&render(PlotFormat::Csv)?),
        vega: data::packed(&render(PlotFormat::Vega)?),
    })
}
