//! Agreement of assessors.

use cranfield_eval::agreement::{Figure, Panel};
use cranfield_render::plot::{Axis, Layer, Matrix, MatrixCell, Plot, PlotKind, Tone};
use cranfield_render::{Cell, Column, Table, plural};

use super::captions::{short, signed};
use super::tau::keys;

/// Plots Cohen's kappa and the agreement of all pairs of assessors.
///
/// ```
/// use cranfield_eval::agreement::{Assessor, Panel, PanelPlan};
/// use cranfield_eval::Qrels;
/// use cranfield_render::plot::{PlotFormat, Sheet};
///
/// let assessor = |name, grades: [f64; 3]| {
///     let judged = ["a", "b", "c"].into_iter().zip(grades).map(|(doc, grade)| ("q", doc, grade));
///     Assessor::in_memory(name, Qrels::from_judgements(judged.collect::<Vec<_>>()))
/// };
/// let assessors = [assessor("ann", [0.0, 1.0, 1.0]), assessor("bob", [0.0, 1.0, 0.0])];
/// let panel = Panel::of(&assessors, &PanelPlan::default())?;
/// let csv = cranfield_report::plots::assessors(&panel).render(PlotFormat::Csv, &Sheet::default())?;
/// assert!(String::from_utf8_lossy(&csv).contains("ann,bob,3,0.66"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assessors(panel: &Panel) -> Plot {
    let names = &panel.names;
    let counted = panel.counted;
    let caption = format!(
        "Agreement of {} on {} that two or more of them judged, on {}. Above the diagonal: Cohen's kappa; below: proportion of documents with the same grade.",
        plural(names.len(), "assessor"),
        plural(counted.shared, "document"),
        plural(counted.topics, "topic"),
    );
    let least = least(panel);
    Plot {
        kind: PlotKind::Tau,
        title: "Agreement of assessors".into(),
        caption,
        series: "assessor".into(),
        x: Axis::names("", names.clone()).with_field("other"),
        y: Axis::names("", names.clone()).with_field("assessor"),
        layers: vec![
            Layer::Matrix(Matrix {
                cells: cells(panel, least),
                keys: keys(least),
            }),
            Layer::Data(data(panel)),
        ],
    }
}

/// The figure of a cell, above and below the diagonal.
fn figure(row: usize, column: usize) -> Figure {
    if row < column {
        Figure::Kappa
    } else {
        Figure::Agreement
    }
}

/// The value of the lightest colour: the least value, rounded down to a tenth, and at most 0.9.
fn least(panel: &Panel) -> f64 {
    let pairs = panel.pairs.iter();
    let all =
        pairs.flat_map(|pair| [Figure::Kappa, Figure::Agreement].map(|of| pair.figure(of).value));
    let least = all.flatten().fold(0.9_f64, f64::min);
    (10.0 * least).floor() / 10.0
}

fn cells(panel: &Panel, least: f64) -> Vec<MatrixCell> {
    let places = || 0..panel.names.len();
    let pairs = places().flat_map(|row| places().map(move |column| (row, column)));
    let cell = |(row, column): (usize, usize)| {
        let figure = figure(row, column);
        let pair = panel.pair(row, column);
        let value = pair.and_then(|pair| pair.figure(figure).value);
        let text = match value {
            Some(value) => short(value),
            None if row == column => String::new(),
            None => "–".into(),
        };
        let documents = pair.map_or(0, |pair| pair.documents);
        let title = format!(
            "{} and {}: {figure} {} on {documents} documents",
            panel.names[row],
            panel.names[column],
            value.map_or("undefined".into(), signed),
        );
        MatrixCell {
            row,
            column,
            tone: value.map_or(Tone::Plain, |value| {
                Tone::Cool((value - least) / (1.0 - least))
            }),
            title: if row == column { String::new() } else { title },
            lines: vec![text],
        }
    };
    pairs.map(cell).collect()
}

fn data(panel: &Panel) -> Table {
    let names = ["assessor", "other"].map(Column::text).into_iter();
    let figures = Figure::ALL
        .iter()
        .map(|figure| Column::number(figure.name()));
    let mut table = Table::new(names.chain([Column::number("documents")]).chain(figures));
    for pair in &panel.pairs {
        let names = [pair.first, pair.second].map(|at| Cell::text(&*panel.names[at]));
        let documents = usize::try_from(pair.documents).unwrap_or(usize::MAX);
        let figures = pair
            .figures
            .iter()
            .map(|estimate| Cell::real(estimate.value));
        let cells = names.into_iter().chain([Cell::count(documents)]);
        table.push(cells.chain(figures));
    }
    table
}
