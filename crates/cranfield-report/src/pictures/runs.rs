//! Pictures of two measures, or of two runs.

use cranfield_core::measure::{BoundMeasure, Range};
use cranfield_render::picture::{
    Axis, Ink, Label, Layer, Line, Look, Picture, PictureError, PictureKind, Point, Points, Rule,
    Scale,
};

use cranfield_render::rounded;

use super::agreement::{self, ranks};
use super::captions::caption;
use super::means::Means;
use super::topics::{first, table, text, value_at};
use cranfield_eval::Evaluation;

pub(super) fn scatter(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let measures = &evaluation.plan.measures;
    let one = first(evaluation)?;
    let runs = &evaluation.runs;
    let name = |at: usize| runs[at].scores.name.clone();
    let mut more = Vec::new();
    let (layers, x, y, what) = match (measures.get(1), runs.len()) {
        (None, 2) => {
            let points = table(evaluation, 0).into_iter();
            let points = points.filter_map(|(id, row)| point(id, row[0], row[1]));
            let what = format!("{one} of each topic, one run against the other");
            (vec![of_topics(points)], name(0), name(1), what)
        }
        (None, _) => {
            let message = "scatter needs two measures, or one measure and two runs; name another with -m 'AP nDCG@10'";
            return Err(PictureError::new(message));
        }
        (Some(other), 1) => {
            let run = &runs[0];
            let topics = run.scores.topics.iter().enumerate();
            let points = topics.filter_map(|(at, topic)| {
                let value = |measure| value_at(evaluation, run, at, measure);
                point(text(&topic.id), value(0), value(1))
            });
            let what = format!("{one} and {other} of each topic of {}", name(0));
            (
                vec![of_topics(points)],
                one.to_string(),
                other.to_string(),
                what,
            )
        }
        (Some(other), _) => {
            let means = [Means::of(evaluation, 0)?, Means::of(evaluation, 1)?];
            more.extend(means.iter().filter_map(Means::note));
            let layers = (0..runs.len()).map(|at| Points {
                field: "run".into(),
                key: Some(name(at)),
                ink: Ink::Series(at),
                points: vec![Point {
                    x: means[0].values[at],
                    y: means[1].values[at],
                    name: name(at),
                }],
            });
            let what = format!("{one} and {other} of each run");
            (layers.collect(), one.to_string(), other.to_string(), what)
        }
    };
    let all: Vec<&Point> = layers
        .iter()
        .flat_map(|layer: &Points| &layer.points)
        .collect();
    if all.is_empty() {
        return Err(PictureError::new(
            "nothing has a value of both, so there is nothing to draw",
        ));
    }
    let unit = |measure: &BoundMeasure| measure.info.range == Range::UNIT;
    let is_comparable = measures.get(1).is_none_or(|other| unit(one) && unit(other));
    let (xs, ys): (Vec<f64>, Vec<f64>) = all.iter().map(|point| (point.x, point.y)).unzip();
    let (mut x_axis, mut y_axis) = (
        Axis::fitted(x.clone(), xs.iter().copied(), false),
        Axis::fitted(y.clone(), ys.iter().copied(), false),
    );
    let mut shown: Vec<Layer> = Vec::new();
    let is_by_topic = layers.iter().any(|layer| layer.key.is_none());
    if is_comparable && is_by_topic {
        // The same limits on both sides, so that the line of equal values is the diagonal.
        let both = xs.iter().chain(&ys).copied();
        (x_axis, y_axis) = (
            Axis::fitted(&x, both.clone(), true),
            Axis::fitted(&y, both, true),
        );
    }
    if is_comparable && meet(&x_axis, &y_axis) {
        shown.push(Layer::Rule(Rule::Identity));
        more.push("The dashed line is where both are equal".to_owned());
    }
    let direction = |at: usize| measures.get(at).unwrap_or(one).info.direction;
    let [a, b] = [(&xs, direction(0)), (&ys, direction(1))];
    let items = if is_by_topic { "topics" } else { "runs" };
    more.extend(agreement::sentence(
        &agreement::oriented(a.0, a.1),
        &agreement::oriented(b.0, b.1),
        items,
    ));
    shown.extend(layers.into_iter().map(Layer::Points));
    Ok(Picture {
        kind: PictureKind::Scatter,
        title: if measures.len() == 1 {
            format!("{one}: {y} against {x}")
        } else {
            format!("{y} against {x}")
        },
        caption: caption(evaluation, &what, &more),
        series: "run".into(),
        x: x_axis,
        y: y_axis,
        layers: shown,
    })
}

/// Whether both axes show some value, so that the line of equal values is within the picture.
pub(super) fn meet(x: &Axis, y: &Axis) -> bool {
    let ends = |axis: &Axis| match axis.scale {
        Scale::Linear { min, max, .. } => Some((min.min(max), max.max(min))),
        Scale::Names(_) => None,
    };
    let (Some(x), Some(y)) = (ends(x), ends(y)) else {
        return false;
    };
    x.0.max(y.0) < x.1.min(y.1)
}

fn point(name: String, x: Option<f64>, y: Option<f64>) -> Option<Point> {
    Some(Point { x: x?, y: y?, name })
}

fn of_topics(points: impl Iterator<Item = Point>) -> Points {
    Points {
        field: "topic".into(),
        key: None,
        ink: Ink::Series(0),
        points: points.collect(),
    }
}

pub(super) fn slope(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let [one, other] = evaluation.plan.measures.as_slice() else {
        let message = "slope needs two measures; name them with -m 'AP nDCG@10'";
        return Err(PictureError::new(message));
    };
    let means = [Means::of(evaluation, 0)?, Means::of(evaluation, 1)?];
    let [before, after] = means.each_ref().map(|means| ranks(&means.oriented));
    let (mut lines, mut labels, mut movers) = (Vec::new(), Vec::new(), 0);
    for (at, run) in evaluation.runs.iter().enumerate() {
        let moves = before[at] != after[at];
        let ink = if moves {
            Ink::Series(movers)
        } else {
            Ink::Muted
        };
        movers += usize::from(moves);
        lines.push(Layer::Line(Line {
            name: run.scores.name.clone(),
            ink,
            look: Look::Plain,
            points: vec![[0.0, before[at]], [1.0, after[at]]],
        }));
        let label = |x: f64, y: f64, measure: usize| {
            let left = x == 0.0;
            // Where a line is level, its other end needs no name.
            let name = if left || moves { &*run.scores.name } else { "" };
            Label {
                x,
                y,
                text: name.into(),
                figure: rounded(means[measure].values[at], 3),
                left,
                ink,
            }
        };
        labels.push(label(0.0, before[at], 0));
        labels.push(label(1.0, after[at], 1));
    }
    let runs = evaluation.runs.len();
    let mut more = vec![format!(
        "Runs whose rank differs: {movers} of {runs}; the others are grey and named once"
    )];
    more.extend(means.iter().filter_map(Means::note));
    // Lines that move are drawn over those that do not.
    lines.sort_by_key(|layer| !matches!(layer, Layer::Line(line) if line.ink == Ink::Muted));
    lines.push(Layer::Labels(spread(labels)));
    Ok(Picture {
        kind: PictureKind::Slope,
        title: format!("Ranks of runs under {one} and {other}"),
        caption: caption(
            evaluation,
            &format!("Rank of each run by mean {one} and by mean {other}"),
            &more,
        ),
        series: "run".into(),
        x: Axis::names("", vec![one.to_string(), other.to_string()]).with_field("measure"),
        y: Axis::whole("rank", runs as f64 + 0.5, 0.5),
        layers: lines,
    })
}

/// Labels of runs that share a rank, moved apart so that each has a line of its own.
fn spread(mut labels: Vec<Label>) -> Vec<Label> {
    for left in [true, false] {
        let mut side: Vec<&mut Label> = labels
            .iter_mut()
            .filter(|label| label.left == left)
            .collect();
        side.sort_by(|a, b| a.y.total_cmp(&b.y).then_with(|| a.text.cmp(&b.text)));
        let mut from = 0;
        while from < side.len() {
            let rank = side[from].y;
            let equal = side[from..]
                .iter()
                .take_while(|label| label.y == rank)
                .count();
            for (nth, label) in side[from..from + equal].iter_mut().enumerate() {
                label.y = rank + nth as f64 - (equal as f64 - 1.0) / 2.0;
            }
            from += equal;
        }
    }
    labels
}
