//! The pictures of a report: every kind that can be drawn of its runs and measures.

use cranfield_render::picture::{Picture, PictureError, PictureFormat, PictureKind, Sheet};
use cranfield_render::plural;

use super::{Report, data, svg};
use crate::pictures::{Curve, Drawing};
use cranfield_compare::compare::{Settings, Test};
use cranfield_eval::Request;

/// Bytes of an SVG from which its points are drawn together, without texts at the pointer.
const LARGE: usize = 80_000;

/// Most bytes of an SVG; one that is larger shows fewer runs.
const MOST_BYTES: usize = 220_000;

/// A picture, ready for the page.
pub(super) struct Figure {
    pub(super) kind: PictureKind,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) svg: String,
    /// The data, packed.
    pub(super) csv: String,
    /// The Vega-Lite specification, packed.
    pub(super) vega: String,
}

/// All pictures, and which kinds there are none of, with the reason.
pub(super) fn draw(report: &Report) -> (Vec<Figure>, Vec<String>) {
    let (mut figures, mut notes) = (Vec::new(), Vec::new());
    for kind in PictureKind::ALL {
        match figure(report, kind) {
            Ok(figure) => figures.push(figure),
            Err(why) => notes.push(format!("no picture of the kind {kind}: {why}")),
        }
    }
    (figures, notes)
}

/// The picture of a kind with as many runs as it takes and as fit; or why there is none.
fn figure(report: &Report, kind: PictureKind) -> Result<Figure, PictureError> {
    let order = shown_first(report);
    let mut count = order.len().min(kind.readable_runs());
    loop {
        let runs = &order[..count];
        let (picture, taken) = drawn(report, kind, runs)?;
        let svg = small_svg(&picture)?;
        if svg.len() > MOST_BYTES && taken > 2 {
            count = taken / 2;
            continue;
        }
        return finished(report, &picture, svg, taken);
    }
}

/// Places of the runs: the best one by the first measure, baselines, then the others from the best down.
fn shown_first(report: &Report) -> Vec<usize> {
    let mut order = report.order(0);
    let baselines = report.comparison.as_ref().map(|all| &all.baselines);
    let is_baseline = |run: &usize| baselines.is_some_and(|all| all.contains(run));
    if let Some((_, others)) = order.split_first_mut() {
        others.sort_by_key(|run| !is_baseline(run));
    }
    order
}

/// The picture with these runs, or with the first two or the first of them, by as many of the report's measures as the
/// kind takes; and the number of runs in it.
fn drawn(
    report: &Report,
    kind: PictureKind,
    runs: &[usize],
) -> Result<(Picture, usize), PictureError> {
    let takes = |count: usize| Drawing::new(kind).check_runs(count);
    let mut counts = vec![runs.len(), 2, 1];
    counts.retain(|count| *count <= runs.len() && takes(*count).is_ok());
    counts.dedup();
    // Why the kind does not take what is tried out, and why it cannot be drawn of what it takes, which is the better reason.
    let (mut unfit, mut refused) = (takes(runs.len()).err(), None);
    for count in counts {
        for names in measure_names(report, kind) {
            let own = Drawing::new(kind);
            let drawing = Drawing {
                measures: names,
                conventions: report.request.conventions.clone(),
                tests: tests(report, kind, own.tests.test),
                ..own
            };
            let request = match drawing.prepare(request(report, &runs[..count])) {
                Ok(request) => request,
                Err(why) => {
                    unfit = Some(why);
                    continue;
                }
            };
            match attempt(report, &drawing, request, &runs[..count]) {
                Ok(picture) => return Ok((picture, count)),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
    }
    let why = refused.or(unfit);
    Err(why.unwrap_or_else(|| PictureError::new("there are no runs")))
}

/// How a picture tests pairs: as the report does, but all of them, by the scores that pictures show. A critical difference diagram has a test of its own.
fn tests(report: &Report, kind: PictureKind, own: Test) -> Settings {
    let settings = &report.request.settings;
    let (test, correction) = match kind {
        PictureKind::Cd => (own, None),
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

/// That a picture tests other pairs than the claims do, or otherwise, so that nobody wonders about two p-values of one pair; empty
/// where both are the same.
fn beside_claims(report: &Report, kind: PictureKind, runs: usize) -> String {
    let is_tested = matches!(kind, PictureKind::Significance | PictureKind::Cd);
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
        " The claims of this report are about {}{with}{scores}, by {}; this picture tests all {} of its runs, so that the same pair \
         may have another p here.",
        plural(table.pairs.len(), "pair"),
        claims.test_in_a_sentence(table.family),
        plural(pairs, "pair"),
    )
}

/// The picture of a prepared request. Inputs that fail now lack what the kind needs.
fn attempt(
    report: &Report,
    drawing: &Drawing,
    request: Request,
    runs: &[usize],
) -> Result<Picture, PictureError> {
    let request = with_own_policies(report, request);
    let inputs = report.inputs.select(runs);
    let evaluation = inputs.evaluate(&request).map_err(|error| {
        let message = error.to_string();
        PictureError::new(message.lines().next().unwrap_or_default())
    })?;
    drawing.picture(&evaluation)
}

/// What to ask a kind for: all measures of the report, the first two, the first, and what the kind has of its own. Curves
/// have vectors of their own.
fn measure_names(report: &Report, kind: PictureKind) -> Vec<String> {
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

/// Measures that the report has are taken from it, with the policies that they have there.
fn with_own_policies(report: &Report, mut request: Request) -> Request {
    for measure in &mut request.measures {
        let name = measure.to_string();
        let mut own = report.evaluation.plan.measures.iter();
        if let Some(own) = own.find(|own| own.to_string() == name) {
            *measure = own.clone();
        }
    }
    request
}

/// Narrower than a page of a paper, so that texts are not small where two pictures stand side by side.
const SHEET: Sheet = Sheet {
    width: 440.0,
    height: None,
    dpi: 200.0,
    bare: true,
};

fn small_svg(picture: &Picture) -> Result<String, PictureError> {
    let bytes = picture.render(PictureFormat::Svg, &SHEET)?;
    let drawn = String::from_utf8_lossy(&bytes);
    let small = svg::compact(&drawn);
    if small.len() <= LARGE {
        return Ok(small);
    }
    Ok(svg::merged(&drawn))
}

fn finished(
    report: &Report,
    picture: &Picture,
    svg: String,
    count: usize,
) -> Result<Figure, PictureError> {
    let render = |format: PictureFormat| picture.render(format, &SHEET);
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
        kind: picture.kind,
        title: picture.title.clone(),
        caption: format!(
            "{}{}{shown}",
            picture.caption,
            beside_claims(report, picture.kind, count)
        ),
        svg,
        csv: data::packed(&render(PictureFormat::Csv)?),
        vega: data::packed(&render(PictureFormat::Vega)?),
    })
}
