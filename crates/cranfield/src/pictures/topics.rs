//! Pictures of values by topic and by run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cranfield_core::measure::{BoundMeasure, Direction, Range};
use cranfield_report::picture::{
    Axis, Bars, BoxPlot, Cells, Ink, Label, Layer, Line, Look, Picture, PictureError, PictureKind,
    Point, Points, Rule,
};

use super::curves::mean;
use super::{BarOrder, Drawing, caption};
use crate::{EvaluatedRun, Evaluation};

/// Most topics whose points are shown beside a box.
const POINTS: usize = 100;

/// The value of the measure at this place for a topic of a run, as the run's mean has it.
fn value_at(
    evaluation: &Evaluation,
    run: &EvaluatedRun,
    topic: usize,
    measure: usize,
) -> Option<f64> {
    let value = run.scores.row(topic).get(measure).copied()?;
    let leaves_out = evaluation
        .plan
        .leaves_out_undefined(&evaluation.plan.measures[measure]);
    Some(value)
        .filter(|value| !value.is_nan())
        .or((!leaves_out).then_some(0.0))
}

fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

/// Topics with the values of all runs, by number if all ids are numbers.
fn table(evaluation: &Evaluation, measure: usize) -> Vec<(String, Vec<Option<f64>>)> {
    let mut topics: BTreeMap<&[u8], Vec<Option<f64>>> = BTreeMap::new();
    for (at, run) in evaluation.runs.iter().enumerate() {
        for (place, topic) in run.scores.topics.iter().enumerate() {
            let row = topics.entry(&topic.id);
            let row = row.or_insert_with(|| vec![None; evaluation.runs.len()]);
            row[at] = value_at(evaluation, run, place, measure);
        }
    }
    let mut rows: Vec<_> = topics
        .into_iter()
        .map(|(id, row)| (text(id), row))
        .collect();
    if rows.iter().all(|(id, _)| id.parse::<u64>().is_ok()) {
        rows.sort_by_key(|(id, _)| id.parse::<u64>().unwrap_or(u64::MAX));
    }
    rows
}

fn first(evaluation: &Evaluation) -> Result<&BoundMeasure, PictureError> {
    let measure = evaluation.plan.measures.first();
    measure.ok_or_else(|| PictureError::new("the evaluation has no measure to draw"))
}

/// Compares values so that the better one comes first; runs without a value are last.
fn better(measure: &BoundMeasure, a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if measure.info.direction == Direction::LowerIsBetter => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// The places of runs, best first by the measure at this place; equal ones by name.
fn best_first(evaluation: &Evaluation, measure: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..evaluation.runs.len()).collect();
    let score = |at: usize| evaluation.runs[at].scores.aggregate(measure);
    let name = |at: usize| evaluation.runs[at].scores.name.as_str();
    let info = &evaluation.plan.measures[measure];
    places.sort_by(|a, b| better(info, score(*a), score(*b)).then_with(|| name(*a).cmp(name(*b))));
    places
}

pub(super) fn histogram(
    drawing: &Drawing,
    evaluation: &Evaluation,
) -> Result<Picture, PictureError> {
    let measure = first(evaluation)?;
    let [a, b] = [0, 1].map(|at| evaluation.runs[at].scores.name.clone());
    let rows = table(evaluation, 0).into_iter();
    let differences: Vec<(String, Option<f64>)> = rows
        .map(|(id, row)| (id, row[0].zip(row[1]).map(|(a, b)| a - b)))
        .collect();
    let (above, below) = match measure.info.direction {
        Direction::HigherIsBetter => (format!("{a} is better"), format!("{b} is better")),
        Direction::LowerIsBetter => (format!("{b} is better"), format!("{a} is better")),
        Direction::Neutral => (format!("{a} is higher"), format!("{b} is higher")),
    };
    let title = format!("{measure} of {a} minus {b}, by topic");
    let what = format!("Difference of {measure} between {a} and {b}");
    Ok(bars(
        drawing,
        evaluation,
        differences,
        &title,
        &what,
        [above, below],
    ))
}

pub(super) fn deviation(
    drawing: &Drawing,
    evaluation: &Evaluation,
) -> Result<Picture, PictureError> {
    let measure = first(evaluation)?;
    let place = match &drawing.run {
        None => 0,
        Some(wanted) => {
            let mut runs = evaluation.runs.iter();
            let found = runs.position(|run| run.scores.name == *wanted);
            found.ok_or_else(|| {
                let names: Vec<&str> = evaluation
                    .runs
                    .iter()
                    .map(|run| run.scores.name.as_str())
                    .collect();
                PictureError::new(format!(
                    "there is no run `{wanted}`; the runs are {}",
                    names.join(", ")
                ))
            })?
        }
    };
    let name = evaluation.runs[place].scores.name.clone();
    let rows = table(evaluation, 0).into_iter();
    let differences: Vec<(String, Option<f64>)> = rows
        .map(|(id, row)| {
            let median = quantile(&sorted(row.iter().flatten().copied()), 0.5);
            (
                id,
                row[place].zip(median).map(|(value, median)| value - median),
            )
        })
        .collect();
    let runs = evaluation.runs.len();
    let title = format!("{measure} of {name} minus the median of {runs} runs, by topic");
    let what = format!(
        "Difference of {measure} between {name} and the median of all {runs} runs, itself among them"
    );
    let sides = [
        format!("{name} above the median"),
        format!("{name} below the median"),
    ];
    Ok(bars(drawing, evaluation, differences, &title, &what, sides))
}

/// Differences by topic.
fn bars(
    drawing: &Drawing,
    evaluation: &Evaluation,
    mut differences: Vec<(String, Option<f64>)>,
    title: &str,
    what: &str,
    [above, below]: [String; 2],
) -> Picture {
    if drawing.order == BarOrder::Difference {
        let key = |difference: Option<f64>| difference.unwrap_or(f64::NEG_INFINITY);
        differences.sort_by(|a, b| key(b.1).total_cmp(&key(a.1)));
    }
    let known: Vec<f64> = differences.iter().filter_map(|(_, value)| *value).collect();
    let count = |wanted: fn(&f64) -> bool| known.iter().filter(|value| wanted(value)).count();
    let (over, under, equal) = (
        count(|v| *v > 0.0),
        count(|v| *v < 0.0),
        count(|v| *v == 0.0),
    );
    let mut layers = Vec::new();
    let mut more = vec![format!(
        "Above 0 in {over} topics, below in {under}, equal in {equal}"
    )];
    if let Some(mean) = mean(known.iter().copied()) {
        let sign = if mean < 0.0 { '−' } else { '+' };
        let text = format!("mean {sign}{:.4}", mean.abs());
        more.push(format!("The dashed line is the {text}"));
        layers.push(Layer::Rule(Rule::Level(mean, text)));
    }
    if known.len() < differences.len() {
        let missing = differences.len() - known.len();
        more.push(format!("Topics without a difference: {missing}"));
    }
    let y = Axis::fitted("difference", known.iter().copied(), true);
    let (names, values) = differences.into_iter().unzip();
    let bars = Bars {
        above: format!("{above} ({over})"),
        below: format!("{below} ({under})"),
        values,
    };
    layers.insert(0, Layer::Bars(bars));
    let order = match drawing.order {
        BarOrder::Difference => "topic, by difference",
        BarOrder::Topic => "topic",
    };
    Picture {
        kind: drawing.kind,
        title: title.into(),
        caption: caption(evaluation, what, &more),
        series: "run".into(),
        x: Axis::names(order, names).with_field("topic"),
        y,
        layers,
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The quantile of ascending values, between two of them in proportion: that at place (n − 1) · p, counted from 0.
///
/// Of 1, 2, 3, 4 the lower quartile is at place 0.75: 1.75.
pub(super) fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let at = values.len().checked_sub(1)? as f64 * p;
    let (below, above) = (
        values.get(at.floor() as usize)?,
        values.get(at.ceil() as usize)?,
    );
    Some(below + at.fract() * (above - below))
}

pub(super) fn boxes(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let measure = first(evaluation)?;
    let order = best_first(evaluation, 0);
    let boxes: Vec<BoxPlot> = order
        .iter()
        .filter_map(|at| box_of(evaluation, &evaluation.runs[*at]))
        .collect();
    let names = boxes.iter().map(|shown| shown.name.clone()).collect();
    let values: Vec<f64> = boxes
        .iter()
        .flat_map(|shown| shown.values.iter().map(|(_, v)| *v))
        .collect();
    if values.is_empty() {
        return Err(PictureError::new(format!(
            "{measure} has no value for any topic"
        )));
    }
    let zero = measure.info.range.min == 0.0;
    let points = if boxes.iter().all(|shown| shown.all_points) {
        "Points are topics"
    } else {
        "Points are topics beyond the whiskers"
    };
    let more = [
        "Boxes hold the middle half of the topics, between quartiles taken in proportion; the line is the median, \
         the diamond the mean; whiskers end at the last topic within 1.5 lengths of the box"
            .to_owned(),
        points.to_owned(),
    ];
    Ok(Picture {
        kind: PictureKind::Box,
        title: format!("{measure} over topics"),
        caption: caption(
            evaluation,
            &format!("{measure} of each topic, run by run, best mean first"),
            &more,
        ),
        series: "run".into(),
        x: Axis::fitted(measure.to_string(), values, zero),
        y: Axis::names("", names),
        layers: vec![Layer::Boxes(boxes)],
    })
}

/// The box of a run; `None` if it has no value.
fn box_of(evaluation: &Evaluation, run: &EvaluatedRun) -> Option<BoxPlot> {
    let topics = run.scores.topics.iter().enumerate();
    let values: Vec<(String, f64)> = topics
        .filter_map(|(at, topic)| Some((text(&topic.id), value_at(evaluation, run, at, 0)?)))
        .collect();
    let ascending = sorted(values.iter().map(|(_, value)| *value));
    let [q1, median, q3] = [0.25, 0.5, 0.75].map(|p| quantile(&ascending, p));
    let (q1, median, q3) = (q1?, median?, q3?);
    let reach = 1.5 * (q3 - q1);
    let low = ascending.iter().find(|value| **value >= q1 - reach);
    let high = ascending.iter().rfind(|value| **value <= q3 + reach);
    Some(BoxPlot {
        name: run.scores.name.clone(),
        low: *low?,
        q1,
        median,
        q3,
        high: *high?,
        mean: run
            .scores
            .aggregate(0)
            .or(mean(ascending.iter().copied()))?,
        all_points: values.len() <= POINTS,
        values,
    })
}

pub(super) fn heatmap(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let measure = first(evaluation)?;
    let runs = best_first(evaluation, 0);
    let mut topics: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    for (at, run) in evaluation.runs.iter().enumerate() {
        for (place, topic) in run.scores.topics.iter().enumerate() {
            let row = topics.entry(text(&topic.id));
            let row = row.or_insert_with(|| vec![None; evaluation.runs.len()]);
            let value = run.scores.row(place).first().copied();
            row[at] = value.filter(|value| topic.in_run && !value.is_nan());
        }
    }
    let mut topics: Vec<(String, Vec<Option<f64>>)> = topics.into_iter().collect();
    let of_topic = |row: &[Option<f64>]| mean(row.iter().map(|value| value.unwrap_or(0.0)));
    topics.sort_by(|a, b| better(measure, of_topic(&a.1), of_topic(&b.1)));
    let cells = runs
        .iter()
        .flat_map(|run| topics.iter().map(|(_, row)| row[*run]));
    let values: Vec<Option<f64>> = cells.collect();
    let known = values.iter().flatten().copied();
    let Range { min, max } = measure.info.range;
    let (min, max) = if min.is_finite() && max.is_finite() {
        (min, max)
    } else {
        known
            .clone()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
                (min.min(value), max.max(value))
            })
    };
    let (min, max) = if min < max {
        (min, max)
    } else {
        (min.min(0.0), min.max(0.0) + 1.0)
    };
    let missing = values.iter().filter(|value| value.is_none()).count();
    let mut more = Vec::new();
    if missing > 0 {
        more.push(format!(
            "Crossed cells: {missing} topics that a run lacks or that have no value"
        ));
    }
    let names = runs
        .iter()
        .map(|at| evaluation.runs[*at].scores.name.clone());
    Ok(Picture {
        kind: PictureKind::Heatmap,
        title: format!("{measure} by run and topic"),
        caption: caption(
            evaluation,
            &format!(
                "{measure}; runs from the best mean down, topics from the easiest to the hardest by mean over runs"
            ),
            &more,
        ),
        series: "run".into(),
        x: Axis::names("topic", topics.into_iter().map(|(id, _)| id).collect()),
        y: Axis::names("", names.collect()).with_field("run"),
        layers: vec![Layer::Cells(Cells {
            field: measure.to_string(),
            min,
            max,
            values,
        })],
    })
}

pub(super) fn scatter(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let measures = &evaluation.plan.measures;
    let one = first(evaluation)?;
    let runs = &evaluation.runs;
    let name = |at: usize| runs[at].scores.name.clone();
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
            let layers = runs.iter().enumerate().filter_map(|(at, run)| {
                let value = |measure| run.scores.aggregate(measure);
                Some(Points {
                    field: "run".into(),
                    key: Some(run.scores.name.clone()),
                    ink: Ink::Series(at),
                    points: vec![point(name(at), value(0), value(1))?],
                })
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
    let mut more = Vec::new();
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
    if is_comparable {
        shown.push(Layer::Rule(Rule::Identity));
        more.push("The dashed line is where both are equal".to_owned());
    }
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

/// The rank of each run under the measure at this place; runs with equal values share the mean of their ranks.
fn ranks(evaluation: &Evaluation, measure: usize) -> Vec<f64> {
    let order = best_first(evaluation, measure);
    let score = |at: usize| evaluation.runs[order[at]].scores.aggregate(measure);
    let mut ranks = vec![0.0; order.len()];
    let mut from = 0;
    while from < order.len() {
        let equal = (from..order.len())
            .take_while(|at| score(*at) == score(from))
            .count();
        let to = from + equal.max(1);
        let rank = (from + 1 + to) as f64 / 2.0;
        for place in &order[from..to] {
            ranks[*place] = rank;
        }
        from = to;
    }
    ranks
}

pub(super) fn slope(evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let [one, other] = evaluation.plan.measures.as_slice() else {
        let message = "slope needs two measures; name them with -m 'AP nDCG@10'";
        return Err(PictureError::new(message));
    };
    let (before, after) = (ranks(evaluation, 0), ranks(evaluation, 1));
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
            let value = run.scores.aggregate(measure);
            let value = value.map_or("–".into(), |value| format!("{value:.3}"));
            let name = &run.scores.name;
            let left = x == 0.0;
            Label {
                x,
                y,
                text: if left {
                    format!("{name}  {value}")
                } else {
                    format!("{value}  {name}")
                },
                left,
                ink,
            }
        };
        labels.push(label(0.0, before[at], 0));
        labels.extend(moves.then(|| label(1.0, after[at], 1)));
    }
    let runs = evaluation.runs.len();
    let more = [format!(
        "Runs whose rank differs: {movers} of {runs}; the others are grey and named once"
    )];
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
