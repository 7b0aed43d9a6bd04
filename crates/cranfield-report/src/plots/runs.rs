//! Plots of two measures or two runs.

use cranfield_core::measure::BoundMeasure;
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{
    Axis, Ink, Label, Layer, Line, Look, Plot, PlotKind, Point, Points, Rule,
};
use cranfield_render::rounded;

use super::DrawingError;
use super::agreement::{self, ranks};
use super::captions::caption;
use super::means::Means;
use super::topics::{first, table, text, value_at};
use cranfield_eval::{EvaluatedRun, Evaluation};

/// Most points that have labels.
const MOST_LABELS: usize = 60;

/// The points of a scatter plot.
struct Cloud {
    x: String,
    y: String,
    what: String,
    layers: Vec<Points>,
    /// Sentences about how the values were computed.
    notes: Vec<String>,
}

/// Two runs by one measure, or two measures.
pub(super) fn scatter(evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measure = first(evaluation)?;
    let measures = &evaluation.plan.measures;
    let Cloud {
        x,
        y,
        what,
        layers: mut clouds,
        mut notes,
    } = match (measures.get(1), evaluation.runs.as_slice()) {
        (None, [_, _]) => two_runs(evaluation, measure),
        (None, _) => {
            let message = "scatter needs two measures, or one measure and two runs";
            return Err(DrawingError::new(message));
        }
        (Some(other), [run]) => one_run(evaluation, run, [measure, other]),
        (Some(other), _) => all_runs(evaluation, [measure, other])?,
    };
    let points = clouds.iter().flat_map(|cloud| &cloud.points);
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.map(|point| (point.x, point.y)).unzip();
    if xs.is_empty() {
        let message = "nothing has both values, so there is nothing to plot";
        return Err(DrawingError::new(message));
    }
    for cloud in &mut clouds {
        cloud.labelled = xs.len() <= MOST_LABELS;
    }
    let mut title = format!("{y} against {x}");
    let mut layers = Vec::new();
    // Values of different measures are not comparable, even if both are between 0 and 1.
    let (x, y) = if measures.len() == 1 {
        title = format!("{measure}: {title}");
        layers.push(Layer::Rule(Rule::Identity));
        notes.push("The dashed line is where both are equal".into());
        let both = xs.iter().chain(&ys).copied();
        (
            Axis::fitted(x, both.clone(), true),
            Axis::fitted(y, both, true),
        )
    } else {
        (
            Axis::fitted(x, xs.iter().copied(), false),
            Axis::fitted(y, ys.iter().copied(), false),
        )
    };
    notes.extend(agreement_of(evaluation, &clouds, &xs, &ys));
    layers.extend(clouds.into_iter().map(Layer::Points));
    Ok(Plot {
        kind: PlotKind::Scatter,
        title,
        caption: caption(evaluation, &what, &notes),
        series: "run".into(),
        x,
        y,
        layers,
    })
}

/// How far both axes agree on the order of the points.
fn agreement_of(
    evaluation: &Evaluation,
    clouds: &[Points],
    xs: &[f64],
    ys: &[f64],
) -> Option<String> {
    let measures = &evaluation.plan.measures;
    let direction = |at: usize| Some(measures.get(at).or(measures.first())?.info.direction);
    let is_by_topic = clouds.iter().any(|cloud| cloud.key.is_none());
    agreement::sentence(
        &agreement::oriented(xs, direction(0)?),
        &agreement::oriented(ys, direction(1)?),
        if is_by_topic { "topics" } else { "runs" },
    )
}

/// A point for each topic: the first run across, the second up.
fn two_runs(evaluation: &Evaluation, measure: &BoundMeasure) -> Cloud {
    let points = table(evaluation, 0).into_iter();
    let points = points.filter_map(|(id, row)| point(id, row[0], row[1]));
    let [x, y] = [0, 1].map(|at| evaluation.runs[at].scores.name.clone());
    Cloud {
        x,
        y,
        what: format!("{measure} of each topic, one run against the other"),
        layers: vec![of_topics(points)],
        notes: Vec::new(),
    }
}

/// A point for each topic of a run.
fn one_run(evaluation: &Evaluation, run: &EvaluatedRun, measures: [&BoundMeasure; 2]) -> Cloud {
    let topics = run.scores.topics.iter().enumerate();
    let points = topics.filter_map(|(at, topic)| {
        let [x, y] = [0, 1].map(|measure| value_at(evaluation, run, at, measure));
        point(text(&topic.id), x, y)
    });
    let [x, y] = measures.map(ToString::to_string);
    Cloud {
        what: format!("{x} and {y} of each topic of {}", run.scores.name),
        x,
        y,
        layers: vec![of_topics(points)],
        notes: Vec::new(),
    }
}

/// A point for the means of each run.
fn all_runs(evaluation: &Evaluation, measures: [&BoundMeasure; 2]) -> Result<Cloud, DrawingError> {
    let means = [Means::of(evaluation, 0)?, Means::of(evaluation, 1)?];
    let layers = evaluation.runs.iter().enumerate().map(|(at, run)| {
        let name = &run.scores.name;
        let [x, y] = means.each_ref().map(|means| means.values[at]);
        Points {
            field: "run".into(),
            key: Some(name.clone()),
            ink: Ink::Series(at),
            labelled: false,
            points: point(name.clone(), Some(x), Some(y)).into_iter().collect(),
        }
    });
    let [x, y] = measures.map(ToString::to_string);
    Ok(Cloud {
        what: format!("{x} and {y} of each run"),
        x,
        y,
        layers: layers.collect(),
        notes: means.iter().filter_map(Means::note).collect(),
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
        labelled: false,
        points: points.collect(),
    }
}

/// Ranks of runs under two measures.
pub(super) fn slope(evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let [one, other] = evaluation.plan.measures.as_slice() else {
        return Err(DrawingError::new("slope needs two measures"));
    };
    let means = [Means::of(evaluation, 0)?, Means::of(evaluation, 1)?];
    let places = means.each_ref().map(|means| ranks(&means.oriented));
    let (mut layers, mut labels, mut movers) = (Vec::new(), Vec::new(), 0);
    for (at, run) in evaluation.runs.iter().enumerate() {
        let [before, after] = places.each_ref().map(|places| places[at]);
        let ink = if before == after {
            Ink::Muted
        } else {
            movers += 1;
            Ink::Series(movers - 1)
        };
        let values = means.each_ref().map(|means| means.values[at]);
        layers.push(Layer::Line(Line {
            name: run.scores.name.clone(),
            ink,
            look: Look::Plain,
            points: vec![[0.0, before], [1.0, after]],
        }));
        labels.extend(ends(&run.scores.name, ink, [before, after], values));
    }
    let runs = evaluation.runs.len();
    let mut more = vec![format!(
        "Runs whose rank differs: {movers} of {runs}; the others are grey and named once"
    )];
    more.extend(means.iter().filter_map(Means::note));
    // Lines that move are drawn over those that do not.
    layers.small_sort_by_key(|layer| !matches!(layer, Layer::Line(line) if line.ink == Ink::Muted));
    layers.push(Layer::Labels(spread(labels)));
    let what = format!("Rank of each run by mean {one} and by mean {other}");
    Ok(Plot {
        kind: PlotKind::Slope,
        title: format!("Ranks of runs under {one} and {other}"),
        caption: caption(evaluation, &what, &more),
        series: "run".into(),
        x: Axis::names("", vec![one.to_string(), other.to_string()]).with_field("measure"),
        y: Axis::whole("rank", runs as f64 + 0.5, 0.5),
        layers,
    })
}

/// The labels at both ends of a line. The right end of a level line has no name.
fn ends(name: &str, ink: Ink, ranks: [f64; 2], means: [f64; 2]) -> [Label; 2] {
    [0, 1].map(|side| Label {
        x: side as f64,
        y: ranks[side],
        text: if side == 0 || ink != Ink::Muted {
            name.into()
        } else {
            String::new()
        },
        figure: rounded(means[side], 3),
        left: side == 0,
        ink,
    })
}

/// Labels of runs that share a rank, moved apart so that each has a line of its own.
fn spread(mut labels: Vec<Label>) -> Vec<Label> {
    for left in [true, false] {
        let mut side: Vec<&mut Label> = labels
            .iter_mut()
            .filter(|label| label.left == left)
            .collect();
        side.small_sort_by(|a, b| a.y.total_cmp(&b.y).then_with(|| a.text.cmp(&b.text)));
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
