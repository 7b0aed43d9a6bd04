//! Bar charts of differences by topic.

use cranfield_core::measure::Direction;
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Axis, Bars, Layer, Plot, Rule};
use cranfield_render::{plural, signed};
use cranfield_stats::Interval;

use super::captions::{caption, interval_text};
use super::curves::mean;
use super::topics::{first, interval_of_mean, quantile, sorted, table};
use super::{BarOrder, Drawing, DrawingError};
use cranfield_eval::Evaluation;

/// Differences by topic and what they are.
struct Differences {
    title: String,
    what: String,
    /// Meaning of bars above and below 0.
    sides: [String; 2],
    /// Topics and their differences.
    values: Vec<(String, Option<f64>)>,
}

/// The second run minus the first.
pub(super) fn histogram(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measure = first(evaluation)?;
    let [a, b] = [0, 1].map(|at| evaluation.runs[at].scores.name.as_str());
    let rows = table(evaluation, 0).into_iter();
    let values = rows.map(|(id, row)| (id, row[1].zip(row[0]).map(|(b, a)| b - a)));
    let sides = match measure.info.direction {
        Direction::HigherIsBetter => [format!("{b} is better"), format!("{a} is better")],
        Direction::LowerIsBetter => [format!("{a} is better"), format!("{b} is better")],
        Direction::Neutral => [format!("{b} is higher"), format!("{a} is higher")],
    };
    let differences = Differences {
        title: format!("{measure} by topic: {b} minus {a}"),
        what: format!("Difference of {measure}, {b} minus {a}"),
        sides,
        values: values.collect(),
    };
    Ok(chart(drawing, evaluation, differences))
}

/// One run minus the median of all.
pub(super) fn deviation(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let measure = first(evaluation)?;
    let place = shown_run(drawing, evaluation)?;
    let name = &evaluation.runs[place].scores.name;
    let rows = table(evaluation, 0).into_iter();
    let values = rows.map(|(id, row)| {
        let median = quantile(&sorted(row.iter().flatten().copied()), 0.5);
        let difference = row[place].zip(median).map(|(value, median)| value - median);
        (id, difference)
    });
    let runs = evaluation.runs.len();
    let differences = Differences {
        title: format!("{measure} by topic: {name} minus the median of {runs} runs"),
        what: format!(
            "Difference of {measure}, {name} minus the median of all {runs} runs, including {name}"
        ),
        sides: [
            format!("{name} above the median"),
            format!("{name} below the median"),
        ],
        values: values.collect(),
    };
    Ok(chart(drawing, evaluation, differences))
}

/// The place of the run that a deviation is of.
fn shown_run(drawing: &Drawing, evaluation: &Evaluation) -> Result<usize, DrawingError> {
    let Some(wanted) = &drawing.run else {
        return Ok(0);
    };
    let mut names = evaluation.runs.iter().map(|run| run.scores.name.as_str());
    names
        .clone()
        .position(|name| name == wanted)
        .ok_or_else(|| {
            let first = names.next().unwrap_or_default();
            let names = names.fold(first.to_owned(), |all, name| all + ", " + name);
            DrawingError::new(format!("no run `{wanted}`; the runs are {names}"))
        })
}

fn chart(drawing: &Drawing, evaluation: &Evaluation, differences: Differences) -> Plot {
    let Differences {
        title,
        what,
        sides,
        mut values,
    } = differences;
    if drawing.order == BarOrder::Difference {
        let key = |difference: Option<f64>| difference.unwrap_or(f64::NEG_INFINITY);
        values.small_sort_by(|a, b| key(b.1).total_cmp(&key(a.1)));
    }
    let known: Vec<f64> = values.iter().filter_map(|(_, value)| *value).collect();
    let y = Axis::fitted("difference", known.iter().copied(), true);
    let counts = Counts::of(&known);
    let mut more = vec![counts.sentence()];
    let level = mean_level(drawing, &known, &y);
    more.extend(level.as_ref().map(|(_, sentence)| sentence.clone()));
    if known.len() < values.len() {
        let missing = values.len() - known.len();
        more.push(format!("Topics without a difference: {missing}"));
    }
    let (names, values) = values.into_iter().unzip();
    let [above, below] = sides;
    let bars = Layer::Bars(Bars {
        above: format!("{above} ({})", counts.above),
        below: format!("{below} ({})", counts.below),
        values,
    });
    let order = match drawing.order {
        BarOrder::Difference => "topic, by difference",
        BarOrder::Topic => "topic",
    };
    let level = level.map(|(rule, _)| Layer::Rule(rule));
    Plot {
        kind: drawing.kind,
        title,
        caption: caption(evaluation, &what, &more),
        series: "run".into(),
        x: Axis::names(order, names).with_field("topic"),
        y,
        layers: std::iter::once(bars).chain(level).collect(),
    }
}

/// Topics by the sign of their difference.
struct Counts {
    above: usize,
    below: usize,
    equal: usize,
}

impl Counts {
    fn of(differences: &[f64]) -> Self {
        Self {
            above: differences.iter().filter(|value| **value > 0.0).count(),
            below: differences.iter().filter(|value| **value < 0.0).count(),
            equal: differences.iter().filter(|value| **value == 0.0).count(),
        }
    }

    fn sentence(&self) -> String {
        format!(
            "Above 0 in {}, below in {}, equal in {}",
            plural(self.above, "topic"),
            self.below,
            self.equal
        )
    }
}

/// The mean with its interval, and a sentence about it. The interval of a few topics may be far wider than the
/// differences, so that the axis does not depend on it.
fn mean_level(drawing: &Drawing, differences: &[f64], y: &Axis) -> Option<(Rule, String)> {
    let at = mean(differences.iter().copied())?;
    let text = format!("mean {}", signed(at, 4).replace('-', "−"));
    let interval = interval_of_mean(differences, drawing);
    let sentence = match &interval {
        Some(interval) => format!(
            "The dashed line is the {text}, the grey band its {} (Student's t){}",
            interval_text(interval, None),
            if y.holds(interval.low) && y.holds(interval.high) {
                ""
            } else {
                ", which extends beyond the axis"
            }
        ),
        None => format!("The dashed line is the {text}"),
    };
    let rule = Rule::Level {
        at,
        interval: interval.map(|Interval { low, high, .. }| [low, high]),
        text,
    };
    Some((rule, sentence))
}
