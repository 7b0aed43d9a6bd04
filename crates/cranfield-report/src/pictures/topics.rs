//! Pictures of values by topic and by run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cranfield_core::measure::{Aggregate, BoundMeasure, Direction, Range};
use cranfield_render::picture::{
    Axis, Bars, BoxPlot, Cells, Layer, Picture, PictureError, PictureKind, Rule,
};

use cranfield_render::{plural, signed};
use cranfield_stats::paired_t::t_of_differences;
use cranfield_stats::sample::Differences;
use cranfield_stats::{Alternative, Interval};

use super::captions::{caption, interval_text, percent};
use super::curves::mean;
use super::{BarOrder, Drawing};
use cranfield_eval::{EvaluatedRun, Evaluation};

/// Most topics whose points are shown beside a box.
const POINTS: usize = 100;

/// The value of the measure at this place for a topic of a run, as the run's mean has it.
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
        rows.sort_by_key(|(id, _)| id.parse::<u64>().unwrap_or(u64::MAX));
    }
    rows
}

pub(super) fn first(evaluation: &Evaluation) -> Result<&BoundMeasure, PictureError> {
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
        "Above 0 in {}, below in {under}, equal in {equal}",
        plural(over, "topic")
    )];
    if let Some(mean) = mean(known.iter().copied()) {
        let text = format!("mean {}", signed(mean, 4).replace('-', "−"));
        let interval = interval_of_mean(&known, drawing);
        more.push(match &interval {
            Some(interval) => format!(
                "The dashed line is the {text}, the grey band its {} (Student's t)",
                interval_text(interval, None)
            ),
            None => format!("The dashed line is the {text}"),
        });
        layers.push(Layer::Rule(Rule::Level {
            at: mean,
            interval: interval.map(|it| [it.low, it.high]),
            text,
        }));
    }
    if known.len() < differences.len() {
        let missing = differences.len() - known.len();
        more.push(format!("Topics without a difference: {missing}"));
    }
    let limits = layers.iter().filter_map(|layer| match layer {
        Layer::Rule(Rule::Level { interval, .. }) => *interval,
        _ => None,
    });
    let shown = known.iter().copied().chain(limits.flatten());
    let y = Axis::fitted("difference", shown, true);
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

/// The interval of the mean by Student's t; `None` of fewer than two values.
fn interval_of_mean(values: &[f64], drawing: &Drawing) -> Option<Interval> {
    let values = Differences::alone(values).ok()?;
    let test = t_of_differences(&values, Alternative::TwoSided, drawing.tests.level());
    test.ok().map(|test| test.interval)
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

pub(super) fn boxes(drawing: &Drawing, evaluation: &Evaluation) -> Result<Picture, PictureError> {
    let measure = first(evaluation)?;
    let order = best_first(evaluation, 0);
    let boxes: Vec<BoxPlot> = order
        .iter()
        .filter_map(|at| box_of(drawing, evaluation, &evaluation.runs[*at]))
        .collect();
    let names = boxes.iter().map(|shown| shown.name.clone()).collect();
    let values = boxes.iter().flat_map(|shown| {
        let limits = shown.interval.into_iter().flatten();
        shown.values.iter().map(|(_, v)| *v).chain(limits)
    });
    let values: Vec<f64> = values.collect();
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
    let has_intervals = boxes.iter().any(|shown| shown.interval.is_some());
    let diamond = if has_intervals {
        let level = percent(drawing.tests.level());
        format!("the diamond the mean with its {level} interval (Student's t)")
    } else {
        "the diamond the mean".into()
    };
    let more = [
        format!(
            "Boxes hold the middle half of the topics, between quartiles taken in proportion; the line is the median, \
             {diamond}; whiskers end at the last topic within 1.5 lengths of the box"
        ),
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
            "Crossed cells: {missing}, where a run lacks a topic or has no value"
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
