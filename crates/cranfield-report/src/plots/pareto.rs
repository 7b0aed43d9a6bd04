//! Quality against cost.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Axis, Ink, Layer, Line, Look, Plot, PlotKind, Point, Points};
use cranfield_render::{Cell, Column, Table};

/// A system with its quality and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Its name.
    pub name: String,
    /// Its cost, of which less is better.
    pub cost: f64,
    /// Interval of the cost.
    pub cost_interval: Option<[f64; 2]>,
    /// Its quality, of which more is better.
    pub quality: f64,
    /// Interval of the quality.
    pub quality_interval: Option<[f64; 2]>,
}

impl ParetoPoint {
    /// Whether another point is at least as good and as cheap, and better in one of them.
    fn is_dominated_by(&self, other: &Self) -> bool {
        let (cost, quality) = (other.cost <= self.cost, other.quality >= self.quality);
        let is_better = other.cost < self.cost || other.quality > self.quality;
        cost && quality && is_better
    }

    /// Both intervals as one line that crosses at the point.
    fn cross(&self) -> Vec<[f64; 2]> {
        let (x, y) = (self.cost, self.quality);
        let [left, right] = self.cost_interval.unwrap_or([x, x]);
        let [low, high] = self.quality_interval.unwrap_or([y, y]);
        vec![[left, y], [right, y], [x, y], [x, low], [x, high]]
    }
}

/// Plots quality against cost, with intervals. A line connects the systems that no other system dominates.
pub fn pareto(points: &[ParetoPoint], cost: &str, quality: &str, caption: &str) -> Plot {
    let front = front(points);
    let values = |axis: usize| {
        let ends = points.iter().flat_map(ParetoPoint::cross);
        ends.map(move |place| place[axis]).collect::<Vec<f64>>()
    };
    let line = Line {
        name: "Pareto front".into(),
        ink: Ink::Reference,
        look: Look::Thin,
        points: front
            .iter()
            .map(|point| [point.cost, point.quality])
            .collect(),
    };
    let mut layers = vec![Layer::Line(line)];
    for (at, point) in points.iter().enumerate() {
        layers.extend(layers_of(point, Ink::Series(at)));
    }
    layers.push(Layer::Data(data(points, &front, cost, quality)));
    Plot {
        kind: PlotKind::Scatter,
        title: format!("{quality} against {cost}"),
        caption: caption.into(),
        series: "system".into(),
        x: Axis::fitted(cost, values(0), true).with_field("cost"),
        y: Axis::fitted(quality, values(1), false).with_field("quality"),
        layers,
    }
}

fn layers_of(point: &ParetoPoint, ink: Ink) -> [Layer; 2] {
    let cross = Line {
        name: point.name.clone(),
        ink,
        look: Look::Plain,
        points: point.cross(),
    };
    let mark = Points {
        field: "system".into(),
        key: None,
        ink,
        // The legend names them, and intervals would cross the labels.
        labelled: false,
        points: vec![Point {
            x: point.cost,
            y: point.quality,
            name: point.name.clone(),
        }],
    };
    [Layer::Line(cross), Layer::Points(mark)]
}

/// The systems that no other dominates, cheapest first.
fn front(points: &[ParetoPoint]) -> Vec<&ParetoPoint> {
    let is_front = |point: &&ParetoPoint| {
        let mut others = points.iter();
        !others.any(|other| point.is_dominated_by(other))
    };
    let mut front: Vec<&ParetoPoint> = points.iter().filter(is_front).collect();
    front.small_sort_by(|one, other| one.cost.total_cmp(&other.cost));
    front
}

fn data(points: &[ParetoPoint], front: &[&ParetoPoint], cost: &str, quality: &str) -> Table {
    let interval = |name: &str| {
        [
            name.to_owned(),
            format!("{name} low"),
            format!("{name} high"),
        ]
    };
    let numbers = interval(cost).into_iter().chain(interval(quality));
    let numbers = numbers.map(Column::number);
    let columns = [Column::text("system")].into_iter().chain(numbers);
    let mut table = Table::new(columns.chain([Column::text("front")]));
    for point in points {
        let limits = |limits: Option<[f64; 2]>| limits.map_or([None, None], |both| both.map(Some));
        let [left, right] = limits(point.cost_interval);
        let [low, high] = limits(point.quality_interval);
        let numbers = [
            Some(point.cost),
            left,
            right,
            Some(point.quality),
            low,
            high,
        ];
        let is_front = front.iter().any(|one| std::ptr::eq(*one, point));
        let cells = [Cell::text(&point.name)]
            .into_iter()
            .chain(numbers.map(Cell::real));
        table.push(cells.chain([Cell::text(if is_front { "yes" } else { "no" })]));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_render::plot::{PlotFormat, Sheet};

    fn point(name: &str, cost: f64, quality: f64) -> ParetoPoint {
        ParetoPoint {
            name: name.into(),
            cost,
            cost_interval: Some([0.9 * cost, 1.1 * cost]),
            quality,
            quality_interval: Some([quality - 0.05, quality + 0.05]),
        }
    }

    #[test]
    fn dominated_systems_are_not_on_the_front() {
        let points = [
            point("slow and good", 9.0, 0.4),
            point("fast", 1.0, 0.3),
            point("dominated", 2.0, 0.25),
            point("as fast, worse", 1.0, 0.2),
        ];
        let names: Vec<&str> = front(&points).iter().map(|point| &*point.name).collect();
        assert_eq!(names, ["fast", "slow and good"]);
        assert_eq!(
            front(&[point("a", 1.0, 0.1), point("b", 1.0, 0.1)]).len(),
            2
        );
        assert!(front(&[]).is_empty());
    }

    #[test]
    fn figures_have_intervals_and_data() {
        let points = [point("bm25", 1.0, 0.3), point("dense", 20.0, 0.35)];
        let plot = pareto(&points, "latency (ms)", "nDCG@10", "Two systems.");
        let csv = plot
            .render(PlotFormat::Csv, &Sheet::default())
            .expect("a table");
        let text = String::from_utf8_lossy(&csv);
        assert!(
            text.starts_with("system,latency (ms),latency (ms) low,"),
            "{text}"
        );
        assert!(text.contains("dense,20,18,22,0.35,"), "{text}");
        let svg = plot
            .render(PlotFormat::Svg, &Sheet::default())
            .expect("a figure");
        let svg = String::from_utf8_lossy(&svg);
        assert!(svg.contains("bm25") && svg.contains("Pareto front"));
    }
}
