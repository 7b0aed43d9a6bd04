//! Spaces: the values of each parameter that are tried.

use std::str::FromStr;

use cranfield_stats::random::Stream;

use super::error::TuneError;
use super::point::{Point, Value};

/// Values of a range without a step.
const RANGE_POINTS: usize = 11;
/// Most points of a grid, and most values of a parameter.
const MOST_POINTS: usize = 1_000_000;

/// Parameters with the values that are tried.
///
/// Parameters are separated by semicolons or line breaks. The values are a list (`[0.3, 0.6]`, or names), a range with a step
/// (`0..1 step 0.1`), a range with a number of values (`0..1 points 5`, 11 if omitted), a geometric one (`log 0.1..10`), or weights
/// that sum to 1 (`w=simplex(3) step 0.1`, which are parameters `w1`, `w2` and `w3`).
///
/// ```
/// use cranfield_lab::tune::Space;
///
/// let space: Space = "k1=[0.6, 0.9]; b=0..1 step 0.5".parse()?;
/// let points: Vec<String> = space.grid()?.iter().map(ToString::to_string).collect();
/// assert_eq!(points[..4], ["k1=0.6, b=0", "k1=0.6, b=0.5", "k1=0.6, b=1", "k1=0.9, b=0"]);
/// # Ok::<(), cranfield_lab::tune::TuneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    text: String,
    dimensions: Vec<Dimension>,
}

/// Parameters that vary together, with the values that they take together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dimension {
    names: Vec<String>,
    rows: Vec<Vec<Value>>,
    /// The range from which random search draws.
    range: Option<Range>,
    is_log: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: f64,
    high: f64,
}

impl Space {
    /// All combinations of the values; the last parameter varies fastest.
    ///
    /// # Errors
    /// If there are more than a million.
    pub fn grid(&self) -> Result<Vec<Point>, TuneError> {
        let sizes = self.dimensions.iter().map(|dimension| dimension.rows.len());
        let count = sizes.fold(1, usize::saturating_mul);
        if count > MOST_POINTS {
            let message = format!(
                "the space has {count} points, more than {MOST_POINTS}; use fewer values, or random search"
            );
            return Err(TuneError::Space(message));
        }
        let mut points = vec![Vec::new()];
        for dimension in &self.dimensions {
            let longer = points.iter().flat_map(|point: &Vec<_>| {
                let rows = (0..dimension.rows.len()).map(move |row| dimension.setting(row));
                rows.map(move |setting| point.iter().cloned().chain(setting).collect())
            });
            points = longer.collect();
        }
        Ok(points.into_iter().map(Point::new).collect())
    }

    /// Points drawn at random: uniformly from lists and stepped ranges, and from the whole of a range without a step.
    pub(super) fn draw(&self, count: usize, stream: &mut Stream) -> Vec<Point> {
        let point = |_| {
            let settings = self
                .dimensions
                .iter()
                .flat_map(|dimension| dimension.draw(stream));
            Point::new(settings.collect())
        };
        (0..count).map(point).collect()
    }

    /// Points that differ from `point` in one dimension only, including itself if it is in the space.
    pub(super) fn along(&self, point: &Point, dimension: usize) -> Vec<Point> {
        let varied = &self.dimensions[dimension];
        let vary = |row| {
            let setting = varied.setting(row);
            let values = point.values().iter().map(|(name, value)| {
                let other = setting.iter().find(|(other, _)| other == name);
                other
                    .cloned()
                    .unwrap_or_else(|| (name.clone(), value.clone()))
            });
            Point::new(values.collect())
        };
        (0..varied.rows.len()).map(vary).collect()
    }

    /// The point of the space that is nearest to another one.
    pub(super) fn nearest(&self, other: &Point) -> Point {
        let settings = self.dimensions.iter().flat_map(|dimension| {
            let rows = 0..dimension.rows.len();
            let by_distance = |a: &usize, b: &usize| {
                let distance =
                    |row: usize| dimension.distance(&Point::new(dimension.setting(row)), other);
                distance(*a).total_cmp(&distance(*b))
            };
            rows.min_by(by_distance)
                .map(|row| dimension.setting(row))
                .unwrap_or_default()
        });
        Point::new(settings.collect())
    }

    /// The squared distance of two points, where each parameter's values span a distance of 1.
    pub(super) fn distance(&self, a: &Point, b: &Point) -> f64 {
        self.dimensions
            .iter()
            .map(|dimension| dimension.distance(a, b))
            .sum()
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions.len()
    }

    /// Names of all parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.dimensions
            .iter()
            .flat_map(|dimension| dimension.names.iter().map(String::as_str))
    }

    /// The space as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Dimension {
    fn setting(&self, row: usize) -> Vec<(String, Value)> {
        self.names
            .iter()
            .cloned()
            .zip(self.rows[row].iter().cloned())
            .collect()
    }

    fn draw(&self, stream: &mut Stream) -> Vec<(String, Value)> {
        let Some(range) = self.range else {
            return self.setting(stream.index(self.rows.len() as u32));
        };
        let at = stream.unit();
        let value = if self.is_log {
            range.low * (range.high / range.low).powf(at)
        } else {
            range.low + at * (range.high - range.low)
        };
        // Four digits are enough for a parameter, and names stay readable.
        let value = format!("{value:.3e}").parse().unwrap_or(value);
        vec![(
            self.names[0].clone(),
            Value::Number(value.clamp(range.low, range.high)),
        )]
    }

    fn distance(&self, a: &Point, b: &Point) -> f64 {
        let one = |(at, name): (usize, &String)| match (a.get(name), b.get(name)) {
            (Some(Value::Number(a)), Some(Value::Number(b))) => {
                let span = self.span(at);
                let difference = self.scaled(*a) - self.scaled(*b);
                if span > 0.0 {
                    (difference / span).powi(2)
                } else {
                    0.0
                }
            }
            (a, b) => f64::from(u8::from(a != b)),
        };
        self.names.iter().enumerate().map(one).sum()
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.is_log {
            value.max(f64::MIN_POSITIVE).ln()
        } else {
            value
        }
    }

    /// The difference between the largest and the smallest number.
    fn span(&self, at: usize) -> f64 {
        let numbers = self.rows.iter().filter_map(|row| row[at].number());
        let numbers = numbers.map(|number| self.scaled(number));
        let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        high - low
    }
}

impl FromStr for Space {
    type Err = TuneError;

    fn from_str(text: &str) -> Result<Self, TuneError> {
        let parts = text
            .split([';', '\n'])
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let dimensions: Vec<Dimension> = parts.map(parameter).collect::<Result<_, _>>()?;
        let space = Self {
            text: text.trim().into(),
            dimensions,
        };
        let mut names: Vec<&str> = space.names().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        match (count, names.len()) {
            (0, _) => Err(TuneError::Space(
                "the space has no parameters; expected one such as k1=[0.6, 0.9, 1.2]".into(),
            )),
            (all, different) if all != different => Err(TuneError::Space(format!(
                "the space `{text}` has a parameter twice"
            ))),
            _ => Ok(space),
        }
    }
}

/// Parses one parameter.
fn parameter(text: &str) -> Result<Dimension, TuneError> {
    let wrong = || {
        TuneError::Space(format!(
            "expected a parameter such as k1=[0.3, 0.6], b=0..1 step 0.1, mu=log 10..1000 or w=simplex(3) step 0.1, found `{text}`"
        ))
    };
    let (name, values) = text.split_once('=').ok_or_else(wrong)?;
    let (name, values) = (name.trim(), values.trim());
    if name.is_empty() || values.is_empty() {
        return Err(wrong());
    }
    let parsed = if let Some(inner) = values.strip_prefix('[') {
        list(name, inner.strip_suffix(']').ok_or_else(wrong)?)
    } else if let Some(rest) = values.strip_prefix("simplex(") {
        simplex(name, rest)
    } else if values.contains("..") {
        range(name, values)
    } else {
        list(name, values)
    };
    parsed
        .filter(|dimension| !dimension.rows.is_empty())
        .ok_or_else(wrong)
}

fn list(name: &str, inner: &str) -> Option<Dimension> {
    let items: Vec<&str> = inner.split(',').map(str::trim).collect();
    if items.iter().any(|item| item.is_empty()) {
        return None;
    }
    Some(Dimension {
        names: vec![name.into()],
        rows: items
            .into_iter()
            .map(|item| vec![Value::parse(item.trim_matches(['\'', '"']))])
            .collect(),
        range: None,
        is_log: false,
    })
}

fn range(name: &str, text: &str) -> Option<Dimension> {
    let (is_log, text) = text
        .strip_prefix("log ")
        .map_or((false, text), |rest| (true, rest));
    let mut words = text.split_whitespace();
    let (low_text, high) = words.next()?.split_once("..")?;
    let (low, high) = (finite(low_text)?, finite(high)?);
    let detail = match (words.next(), words.next(), words.next()) {
        (None, None, None) => None,
        (Some(kind), Some(number), None) => Some((kind, number)),
        _ => return None,
    };
    if low >= high || (is_log && low <= 0.0) {
        return None;
    }
    let range = Range { low, high };
    let (numbers, range) = match detail {
        None => (range.points(RANGE_POINTS, is_log), Some(range)),
        Some(("points", count)) => (
            range.points(
                count
                    .parse()
                    .ok()
                    .filter(|it| (2..=MOST_POINTS).contains(it))?,
                is_log,
            ),
            None,
        ),
        Some(("step", step)) if !is_log => (range.steps(low_text, step)?, None),
        Some(_) => return None,
    };
    let rows = numbers
        .into_iter()
        .map(|number| vec![Value::Number(number)])
        .collect();
    Some(Dimension {
        names: vec![name.into()],
        rows,
        range,
        is_log,
    })
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Range {
    /// Evenly spaced numbers, both ends included, rounded to four digits where that keeps them in the range.
    fn points(self, count: usize, is_log: bool) -> Vec<f64> {
        let number = |at: usize| {
            let share = at as f64 / (count - 1) as f64;
            let exact = if is_log {
                self.low * (self.high / self.low).powf(share)
            } else {
                self.low + share * (self.high - self.low)
            };
            let short: f64 = format!("{exact:.3e}").parse().unwrap_or(exact);
            match at {
                0 => self.low,
                _ if at == count - 1 => self.high,
                _ => short.clamp(self.low, self.high),
            }
        };
        (0..count).map(number).collect()
    }

    /// Multiples of a decimal step from the low end. Each is rounded to the decimals of the step, because adding 0.1 ten times does
    /// not give 1.
    fn steps(self, low_text: &str, step_text: &str) -> Option<Vec<f64>> {
        let step = finite(step_text).filter(|step| *step > 0.0)?;
        let decimals = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let digits = decimals(low_text).max(decimals(step_text));
        let count = ((self.high - self.low) / step + 1e-9).floor() as usize + 1;
        let number = |at: usize| {
            let exact = self.low + at as f64 * step;
            let rounded = format!("{exact:.digits$}").parse();
            if step_text.contains(['e', 'E']) {
                exact
            } else {
                rounded.unwrap_or(exact)
            }
        };
        (count <= MOST_POINTS).then(|| (0..count).map(number).collect())
    }
}

/// Weights that are multiples of the step and sum to 1, enumerated by integers so that no rounding loses a point.
fn simplex(name: &str, rest: &str) -> Option<Dimension> {
    let (count, detail) = rest.split_once(')')?;
    let count: usize = count
        .trim()
        .parse()
        .ok()
        .filter(|count| (2..=10).contains(count))?;
    let step = finite(detail.trim().strip_prefix("step")?.trim()).filter(|step| *step > 0.0)?;
    let parts = step.recip().round();
    if (parts * step - 1.0).abs() > 1e-9 || !(1.0..=1000.0).contains(&parts) {
        return None;
    }
    let parts = parts as usize;
    let mut rows = Vec::new();
    compositions(parts, count, &mut Vec::new(), &mut rows)?;
    let weight = |part: usize| Value::Number(part as f64 / parts as f64);
    Some(Dimension {
        names: (1..=count).map(|at| format!("{name}{at}")).collect(),
        rows: rows
            .into_iter()
            .map(|row| row.into_iter().map(weight).collect())
            .collect(),
        range: None,
        is_log: false,
    })
}

/// All ways to write `sum` as `count` numbers; `None` if there are too many.
fn compositions(
    sum: usize,
    count: usize,
    prefix: &mut Vec<usize>,
    rows: &mut Vec<Vec<usize>>,
) -> Option<()> {
    if count == 1 {
        rows.push(prefix.iter().copied().chain([sum]).collect());
        return (rows.len() <= MOST_POINTS).then_some(());
    }
    for first in 0..=sum {
        prefix.push(first);
        compositions(sum - first, count - 1, prefix, rows)?;
        prefix.pop();
    }
    Some(())
}
