//! Critical difference diagrams: runs on an axis, and bars that join those that do not differ significantly.
//!
//! The better half of the runs has its names on the left, the others on the right, each on its own line, so that names do not
//! overlap however close the runs are.
//!
//! Reference: J. Demšar: Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning Research 7,
//! 2006.

use serde_json::{Value, json};

use super::draw::Drawing;
use super::layout::Frame;
use super::marks::{Anchor, Font, Stroke};
use super::metrics::{labelled, width};
use super::style::{GREY, INK, hex};
use super::{Layer, Plot};

/// Runs on an axis, the better ones on the left, and the sets of runs that do not differ significantly.
#[derive(Clone, Debug, PartialEq)]
pub struct Critical {
    /// The runs, best first.
    pub items: Vec<CriticalItem>,
    /// The runs that a bar joins, by their positions in `items`.
    pub groups: Vec<Vec<usize>>,
    /// The smallest significant difference, and its label.
    pub difference: Option<(f64, String)>,
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalItem {
    /// Its name.
    pub name: String,
    /// Its position on the axis.
    pub place: f64,
    /// The position as a string.
    pub figure: String,
}

/// Distance of bars, and how far they reach beyond their runs.
const BAR_STEP: f64 = 5.5;
const BAR_REACH: f64 = 2.5;

/// Distances of the parts of a diagram from its top.
struct Heights {
    axis: f64,
    bars: f64,
    names: f64,
    name_step: f64,
}

impl Critical {
    /// Number of runs with names on the left.
    fn on_left(&self) -> usize {
        self.items.len().div_ceil(2)
    }

    /// The label of a run, no wider than `most`.
    fn label(&self, at: usize, font: f64, most: f64) -> String {
        let item = &self.items[at];
        labelled(&item.name, &item.figure, at < self.on_left(), font, most)
    }

    /// The widths of the labels on both sides.
    pub(super) fn sides(&self, font: f64, total: f64) -> (f64, f64) {
        let widest = |places: std::ops::Range<usize>| {
            let widths = places.map(|at| width(&self.label(at, font, 0.3 * total), font));
            widths.fold(0.0, f64::max)
        };
        let middle = self.on_left();
        (widest(0..middle), widest(middle..self.items.len()))
    }

    /// Level and ends of each bar. Bars on a level do not touch.
    fn bars(&self, x: impl Fn(f64) -> f64) -> Vec<(usize, f64, f64)> {
        let mut ends: Vec<f64> = Vec::new();
        let joined = self.groups.iter().filter(|group| group.len() > 1);
        let places = joined.map(|group| {
            let places = group.iter().filter_map(|at| self.items.get(*at));
            let places = places.map(|item| x(item.place));
            let (from, to) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), at| {
                (from.min(at), to.max(at))
            });
            (from - BAR_REACH, to + BAR_REACH)
        });
        let level = |(from, to): (f64, f64)| {
            let free = ends.iter().position(|end| end + 4.0 < from);
            let level = free.unwrap_or(ends.len());
            if level == ends.len() {
                ends.push(to);
            }
            ends[level] = to;
            (level, from, to)
        };
        places.map(level).collect()
    }

    fn heights(&self, frame: &Frame, levels: usize) -> Heights {
        let font = frame.font;
        let ruler = if self.difference.is_some() {
            2.2 * font
        } else {
            0.0
        };
        let axis = ruler + 1.6 * font;
        let bars = axis + 7.0;
        Heights {
            axis,
            bars,
            names: bars + BAR_STEP * levels as f64 + 0.8 * font,
            name_step: 1.45 * font,
        }
    }

    fn levels(&self, plot: &Plot, frame: &Frame) -> usize {
        let bars = self.bars(|place| frame.x(&plot.x, place));
        bars.iter().map(|(level, ..)| level + 1).max().unwrap_or(0)
    }

    /// The height that the diagram needs.
    pub(super) fn height(&self, plot: &Plot, frame: &Frame) -> f64 {
        let heights = self.heights(frame, self.levels(plot, frame));
        heights.names + heights.name_step * self.on_left() as f64
    }
}

impl Plot {
    /// The diagram, if this is one.
    pub(super) fn critical(&self) -> Option<&Critical> {
        self.layers.iter().find_map(|layer| match layer {
            Layer::Critical(critical) => Some(critical),
            _ => None,
        })
    }

    /// Rows are runs, and the bars of groups are on the row of their best run.
    pub(super) fn vega_critical(&self, critical: &Critical) -> Vec<Value> {
        let names: Vec<&str> = critical
            .items
            .iter()
            .map(|item| item.name.as_str())
            .collect();
        let y = json!({"field": "y", "type": "nominal", "title": null, "sort": null, "scale": {"domain": names}});
        let layer = |values: Vec<Value>, mark: Value, end: Option<Value>| {
            let mut encoding = self.encoding();
            // The diagram has the label of its axis above it.
            if let Some(x) = encoding.get_mut("x") {
                x["title"] = self.y.label.clone().into();
            }
            encoding.insert("y".into(), y.clone());
            encoding.extend(end.map(|end| ("x2".to_owned(), end)));
            json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
        };
        let items = critical.items.iter();
        let points = items.map(|item| json!({"x": item.place, "y": item.name}));
        let bars = critical.groups.iter().filter_map(|group| {
            let place = |at: Option<&usize>| critical.items.get(*at?);
            let (first, last) = (place(group.first())?, place(group.last())?);
            (group.len() > 1).then(|| json!({"x": first.place, "end": last.place, "y": first.name}))
        });
        let colour = hex(INK);
        vec![
            layer(
                bars.collect(),
                json!({"type": "rule", "color": colour, "size": 3}),
                Some(json!({"field": "end"})),
            ),
            layer(
                points.collect(),
                json!({"type": "point", "filled": true, "opacity": 1, "color": colour, "tooltip": true}),
                None,
            ),
        ]
    }
}

impl Drawing<'_> {
    pub(super) fn critical(&mut self, critical: &Critical) {
        let heights = critical.heights(&self.frame, critical.levels(self.plot, &self.frame));
        let top = self.frame.top;
        self.critical_axis(critical, top + heights.axis);
        self.critical_names(critical, &heights);
        let bars = critical.bars(|place| self.frame.x(&self.plot.x, place));
        let groups = critical.groups.iter().filter(|group| group.len() > 1);
        for ((level, from, to), group) in bars.into_iter().zip(groups) {
            let y = top + heights.bars + BAR_STEP * level as f64;
            let names = group.iter().filter_map(|at| critical.items.get(*at));
            let names: Vec<&str> = names.map(|item| item.name.as_str()).collect();
            self.scene.open(Some(&names.join(", ")), None, "point");
            self.scene
                .line(&[(from, y), (to, y)], Stroke::solid(INK, 1.6));
            // A bar may pass over runs that are not of its group; its own have a dot.
            for item in group.iter().filter_map(|at| critical.items.get(*at)) {
                let x = self.frame.x(&self.plot.x, item.place);
                self.scene.circle((x, y), 2.1, INK, 1.0);
            }
            self.scene.close();
        }
    }

    /// The axis with its ticks above, and over it the critical difference.
    fn critical_axis(&mut self, critical: &Critical, y: f64) {
        let (left, right, font) = (self.frame.left, self.right(), self.frame.font);
        let stroke = Stroke::solid(INK, 0.9);
        self.scene.line(&[(left, y), (right, y)], stroke);
        for (at, text) in self.frame.x_ticks.clone() {
            let x = self.frame.x(&self.plot.x, at);
            self.scene.line(&[(x, y - 3.5), (x, y)], stroke);
            let style = Font::new(font, INK, Anchor::Middle);
            self.scene.text((x, y - 5.0), &text, style);
        }
        let Some((difference, text)) = &critical.difference else {
            return;
        };
        let limits = match self.plot.x.scale {
            super::Scale::Linear { min, max, .. } => (max - min).abs(),
            super::Scale::Names(_) => 0.0,
        };
        let length = difference / limits * (right - left);
        let y = y - 2.4 * font;
        let mut end = left;
        let mut text = text.clone();
        if length.is_finite() && length <= right - left {
            end = left + length;
            self.scene.line(&[(left, y), (end, y)], stroke);
            for x in [left, end] {
                self.scene.line(&[(x, y - 3.0), (x, y + 3.0)], stroke);
            }
            end += 5.0;
        } else {
            text.push_str(", longer than the axis");
        }
        let style = Font::new(font, INK, Anchor::Start);
        self.scene.text((end, y + 0.35 * font), &text, style);
    }

    /// The names, each with a line to its place on the axis.
    fn critical_names(&mut self, critical: &Critical, heights: &Heights) {
        let (font, top) = (self.frame.font, self.frame.top);
        let (left, right) = (self.frame.left - 8.0, self.right() + 8.0);
        let (count, middle) = (critical.items.len(), critical.on_left());
        let stroke = Stroke::solid(GREY, 0.7);
        for (at, item) in critical.items.iter().enumerate() {
            let is_left = at < middle;
            // The outermost run has the uppermost line, so that no lines cross.
            let row = if is_left { at } else { count - 1 - at };
            let y = top + heights.names + heights.name_step * row as f64;
            let x = self.frame.x(&self.plot.x, item.place);
            let (end, anchor) = if is_left {
                (left, Anchor::End)
            } else {
                (right, Anchor::Start)
            };
            let title = format!("{}: {}", item.name, item.figure);
            self.scene.open(Some(&title), None, "point");
            self.scene
                .line(&[(x, top + heights.axis), (x, y), (end, y)], stroke);
            let label = critical.label(at, font, 0.3 * self.frame.width);
            let gap = if is_left { -3.0 } else { 3.0 };
            let style = Font::new(font, INK, anchor);
            self.scene.text((end + gap, y + 0.35 * font), &label, style);
            self.scene.close();
        }
    }
}
