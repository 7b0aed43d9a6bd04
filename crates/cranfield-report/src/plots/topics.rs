//! Plots of values by topic and by run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cranfield_core::measure::{Aggregate, BoundMeasure, Direction, Range};
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Axis, BoxPlot, Cells, Layer, Plot, PlotKind};
use cranfield_stats::paired_t::t_of_differences;
use cranfield_stats::sample::Differences;
use cranfield_stats::{Alternative, Interval};

use super::captions::{caption, percent};
use super::curves::mean;
use super::{Drawing, DrawingError};
use cranfield_eval::{EvaluatedRun, Evaluation};

/// Most topics that are all shown as points on a box.
const POINTS: usize = 100;

/// The value of a measure for a topic of a run, as it enters the run's mean.
pub(super) fn value_at(
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

pub(super) fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

/// Topics with the values of all runs, by number if all ids are numbers.
pub(super) fn table(evaluation: &Evaluation, measure: usize) -> Vec<(String, Vec<Option<f64>>)> {
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
        rows.small_sort_by_key(|(id, _)| id.parse::<u64>().unwrap_or(u64::MAX));
    }
    rows
}

pub(super) fn first(evaluation: &Evaluation) -> Result<&BoundMeasure, DrawingError> {
    let measure = evaluation.plan.measures.first();
    measure.ok_or_else(|| DrawingError::new("the evaluation has no measure to plot"))
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
    places.small_sort_by(|a, b| {
        better(info, score(*a), score(*b)).then_with(|| name(*a).cmp(name(*b)))
    });
    places
}

/// The interval of the mean by Student's t; `None` of fewer than two values.
pub(super) fn interval_of_mean(values: &[f64], drawing: &Drawing) -> Option<Interval> {
    let values = Differences::alone(values).ok()?;
    let test = t_of_differences(&values, Alternative::TwoSided, drawing.tests.level());
    test.ok().map(|test| test.interval)
}

pub(super) fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
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

/// Spread over topics, run by run.
pub(super) fn boxes(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measure = first(evaluation)?;
    let boxes: Vec<BoxPlot> = best_first(evaluation, 0)
        .into_iter()
        .filter_map(|at| box_of(drawing, evaluation, &evaluation.runs[at]))
        .collect();
    let names = boxes.iter().map(|shown| shown.name.clone()).collect();
    let values = boxes.iter().flat_map(|shown| {
        let limits = shown.interval.into_iter().flatten();
        shown.values.iter().map(|(_, v)| *v).chain(limits)
    });
    let values: Vec<f64> = values.collect();
    if values.is_empty() {
        return Err(DrawingError::new(format!(
            "{measure} has no value for any topic"
        )));
    }
    let zero = measure.info.range.min == 0.0;
    let what = format!("{measure} of each topic, run by run, best mean first");
    Ok(Plot {
        kind: PlotKind::Box,
        title: format!("{measure} over topics"),
        caption: caption(evaluation, &what, &box_legend(drawing, &boxes)),
        series: "run".into(),
        x: Axis::fitted(measure.to_string(), values, zero),
        y: Axis::names("", names),
        layers: vec![Layer::Boxes(boxes)],
    })
}

/// How to read boxes.
fn box_legend(drawing: &Drawing, boxes: &[BoxPlot]) -> [String; 2] {
    let points = if boxes.iter().all(|shown| shown.all_points) {
        "Points are topics"
    } else {
        "Points are topics beyond the whiskers"
    };
    let diamond = if boxes.iter().any(|shown| shown.interval.is_some()) {
        let level = percent(drawing.tests.level());
        format!("the diamond the mean with its {level} interval (Student's t)")
    } else {
        "the diamond the mean".into()
    };
    [
        format!(
            "Boxes hold the middle half of the topics, between interpolated quartiles; the line is the median, \
             {diamond}; whiskers end at the last topic within 1.5 box lengths"
        ),
        points.to_owned(),
    ]
}

/// The box of a run; `None` if it has no value.
fn box_of(drawing: &Drawing, evaluation: &Evaluation, run: &EvaluatedRun) -> Option<BoxPlot> {
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
    let is_mean = evaluation.plan.measures[0].info.aggregate == Aggregate::Mean;
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
        interval: if is_mean {
            interval_of_mean(&ascending, drawing).map(|it| [it.low, it.high])
        } else {
            None
        },
        all_points: values.len() <= POINTS,
        values,
    })
}

/// Runs by topics.
pub(super) fn heatmap(evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measure = first(evaluation)?;
    let runs = best_first(evaluation, 0);
    let topics = easiest_first(evaluation, measure);
    let cells = runs
        .iter()
        .flat_map(|run| topics.iter().map(|(_, row)| row[*run]));
    let values: Vec<Option<f64>> = cells.collect();
    let (min, max) = colour_limits(measure, &values);
    let missing = values.iter().filter(|value| value.is_none()).count();
    let more = (missing > 0)
        .then(|| format!("Crossed cells: {missing}, where a run lacks a topic or has no value"));
    let names = runs
        .iter()
        .map(|at| evaluation.runs[*at].scores.name.clone());
    let what = format!(
        "{measure}; runs from the best mean down, topics from the easiest to the hardest by mean over runs"
    );
    Ok(Plot {
        kind: PlotKind::Heatmap,
        title: format!("{measure} by run and topic"),
        caption: caption(evaluation, &what, more.as_slice()),
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

/// Topics with the values of all runs, the highest mean first. Topics that a run lacks have no value.
fn easiest_first(
    evaluation: &Evaluation,
    measure: &BoundMeasure,
) -> Vec<(String, Vec<Option<f64>>)> {
    let mut topics: BTreeMap<String, Vec<Option<f64>>> = BTreeMap::new();
    for (at, run) in evaluation.runs.iter().enumerate() {
        for (place, topic) in run.scores.topics.iter().enumerate() {
            let row = topics.entry(text(&topic.id));
            let row = row.or_insert_with(|| vec![None; evaluation.runs.len()]);
            let value = run.scores.row(place).first().copied();
            row[at] = value.filter(|value| topic.in_run && !value.is_nan());
        }
    }
    let mut topics: Vec<_> = topics.into_iter().collect();
    let of_topic = |row: &[Option<f64>]| mean(row.iter().map(|value| value.unwrap_or(0.0)));
    topics.small_sort_by(|a, b| better(measure, of_topic(&a.1), of_topic(&b.1)));
    topics
}

/// Values of the first and the last colour: the range of the measure, or that of the values if it is infinite.
fn colour_limits(measure: &BoundMeasure, values: &[Option<f64>]) -> (f64, f64) {
    let Range { min, max } = measure.info.range;
    let (min, max) = if min.is_finite() && max.is_finite() {
        (min, max)
    } else {
        let known = values.iter().flatten();
        known.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
            (min.min(*value), max.max(*value))
        })
    };
    if min < max {
        (min, max)
    } else {
        (min.min(0.0), min.max(0.0) + 1.0)
    }
}
