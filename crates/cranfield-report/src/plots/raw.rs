//! Precision by recall at each rank, without interpolation.

use cranfield_core::vectors::BoundVector;

use cranfield_eval::RunScores;
use cranfield_measures::vectors::parse_vectors;
use cranfield_render::plot::{Axis, Ink, Layer, Line, Look, Plot, PlotKind};
use cranfield_render::{Cell, Column, Table};

use super::captions::{caption, topic_caption};
use super::{Drawing, DrawingError, of_core, place_of};
use cranfield_eval::Evaluation;

/// Places of the vectors.
const PRECISION: usize = 0;
const RECALL: usize = 1;

/// Precision and recall by rank.
pub(super) fn vectors(drawing: &Drawing) -> Result<Vec<BoundVector>, DrawingError> {
    if !drawing.measures.trim().is_empty() || drawing.levels.is_some() {
        return Err(DrawingError::new(
            "precision by recall without interpolation has neither a vector nor recall levels",
        ));
    }
    let cutoff = drawing.cutoff;
    let names = format!("P@{cutoff} R@{cutoff}");
    parse_vectors(&names, &drawing.conventions).map_err(|error| of_core(&error))
}

/// The curves of all runs.
pub(super) fn raw(drawing: &Drawing, evaluation: &Evaluation) -> Plot {
    let curves = evaluation.runs.iter().map(|run| RawCurve {
        name: &run.scores.name,
        points: points(drawing, evaluation, &run.scores),
    });
    let curves: Vec<RawCurve<'_>> = curves.collect();
    let mut layers = vec![Layer::Data(data(&curves))];
    let look = match curves.as_slice() {
        [_] => Look::Plain,
        _ => Look::Full,
    };
    layers.extend(curves.iter().enumerate().map(|(at, curve)| {
        let points = curve
            .points
            .iter()
            .map(|[_, recall, precision]| [*recall, *precision]);
        Layer::Line(Line {
            name: curve.name.into(),
            ink: Ink::Series(at),
            look,
            points: points.collect(),
        })
    }));
    let interpolated = match (&drawing.topic, curves.as_slice()) {
        (Some(_), [curve]) => Some(curve.interpolated()),
        _ => None,
    };
    let what = match drawing.topic {
        Some(_) => "Precision and recall at each rank, not interpolated",
        None => "Mean precision and mean recall over topics at each rank, not interpolated",
    };
    let mut more = vec![format!("Ranks 1 to {} at most", drawing.cutoff)];
    more.extend(interpolated.as_ref().map(|_| {
        "Dotted: interpolated, the highest precision at this recall or a higher one".into()
    }));
    layers.extend(interpolated);
    let topic = drawing.topic.as_deref();
    Plot {
        kind: PlotKind::Pr,
        title: topic.map_or("Precision by recall".into(), |topic| {
            format!("Precision by recall, topic {topic}")
        }),
        caption: match topic {
            Some(topic) => topic_caption(evaluation, topic, what, &more),
            None => caption(evaluation, what, &more),
        },
        series: "run".into(),
        x: Axis::linear("recall", 0.0, 1.0),
        y: Axis::linear("precision", 0.0, 1.0),
        layers,
    }
}

/// A curve and the run that it is of.
struct RawCurve<'a> {
    name: &'a str,
    /// Rank, recall and precision.
    points: Vec<[f64; 3]>,
}

impl RawCurve<'_> {
    fn interpolated(&self) -> Layer {
        Layer::Line(Line {
            name: format!("{}, interpolated", self.name),
            ink: Ink::Reference,
            look: Look::Thin,
            points: steps(&self.points),
        })
    }
}

/// Interpolated precision of a curve, whose recall ascends: the highest precision at each recall or a higher one, as
/// the corners of a step function.
pub(super) fn steps(points: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut highest: Vec<f64> = points.iter().map(|point| point[2]).collect();
    for at in (1..highest.len()).rev() {
        highest[at - 1] = highest[at - 1].max(highest[at]);
    }
    let mut corners: Vec<[f64; 2]> = Vec::new();
    for ([_, recall, _], height) in points.iter().zip(highest) {
        match corners.last_mut() {
            Some([end, _]) if end == recall => {}
            Some([end, last]) if *last == height => *end = *recall,
            last => {
                let start = last.map_or(0.0, |[end, _]| *end);
                corners.extend([[start, height], [*recall, height]]);
            }
        }
    }
    corners
}

/// Rank, recall and precision, down to the last retrieved document.
fn points(drawing: &Drawing, evaluation: &Evaluation, scores: &RunScores) -> Vec<[f64; 3]> {
    let [precision, recall] =
        [PRECISION, RECALL].map(|vector| drawing.vector_of(evaluation, scores, vector));
    let retrieved = |at: usize| scores.topics[at].notes.retrieved;
    let depth = match &drawing.topic {
        Some(topic) => place_of(topic, scores).map(retrieved),
        None => (0..scores.topics.len()).map(retrieved).max(),
    };
    (1..)
        .zip(precision.into_iter().zip(recall))
        .take(depth.unwrap_or(0) as usize)
        .filter_map(|(rank, (precision, recall))| Some([f64::from(rank), recall?, precision?]))
        .collect()
}

fn data(curves: &[RawCurve<'_>]) -> Table {
    let numbers = ["rank", "recall", "precision"].map(Column::number);
    let mut table = Table::new(std::iter::once(Column::text("run")).chain(numbers));
    for RawCurve { name, points } in curves {
        for [rank, recall, precision] in points {
            table.push([
                Cell::text(*name),
                Cell::Int(*rank as i64),
                Cell::Real(*recall),
                Cell::Real(*precision),
            ]);
        }
    }
    table
}
