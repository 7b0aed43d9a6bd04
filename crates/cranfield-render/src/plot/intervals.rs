//! Intervals, one above the other, each with a number on the right.

use serde_json::{Value, json};

use super::Plot;
use super::draw::Drawing;
use super::marks::{Anchor, Font, Stroke};
use super::style::{ABOVE, INK, Marker, PAPER, hex};

/// Intervals in the order of the names on the vertical axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervals {
    /// Heading of the numbers on the right.
    pub heading: String,
    /// The intervals.
    pub rows: Vec<IntervalRow>,
}

/// One interval.
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalRow {
    /// Lower end.
    pub low: f64,
    /// The value itself.
    pub value: f64,
    /// Upper end.
    pub high: f64,
    /// The number on the right.
    pub note: String,
    /// Its tooltip.
    pub title: String,
}

impl Drawing<'_> {
    pub(super) fn intervals(&mut self, intervals: &Intervals) {
        let font = self.frame.font;
        let right = self.right() + 0.8 * font;
        let text = |size| Font::new(size, INK, Anchor::Start);
        for (at, row) in intervals.rows.iter().enumerate() {
            let ((low, y), (high, _)) = (self.at(row.low, at as f64), self.at(row.high, at as f64));
            let (value, _) = self.at(row.value, at as f64);
            self.scene.open(Some(&row.title), None, "point");
            let (stroke, cap) = (Stroke::solid(ABOVE, 1.6), 0.3 * font);
            self.scene.line(&[(low, y), (high, y)], stroke);
            for end in [low, high] {
                self.scene.line(&[(end, y - cap), (end, y + cap)], stroke);
            }
            let radius = 0.38 * font;
            self.scene
                .marker(Marker::Circle, (value, y), radius + 0.8, PAPER);
            self.scene.marker(Marker::Circle, (value, y), radius, ABOVE);
            self.scene
                .text((right, y + 0.35 * font), &row.note, text(font));
            self.scene.close();
        }
        let top = self.frame.top - 0.8 * font;
        self.scene
            .text((right, top), &intervals.heading, text(font));
    }
}

impl Plot {
    pub(super) fn vega_intervals(&self, intervals: &Intervals) -> Vec<Value> {
        let values = intervals.rows.iter().enumerate().map(|(at, row)| {
            json!({"x": row.low, "high": row.high, "value": row.value, "y": self.y.text(at as f64),
                   "note": row.note, "title": row.title})
        });
        let values: Vec<Value> = values.collect();
        let layer = |mark: Value, more: &[(&str, Value)]| {
            let mut encoding = self.encoding();
            encoding.insert("tooltip".into(), json!({"field": "title"}));
            encoding.extend(
                more.iter()
                    .map(|(name, value)| ((*name).into(), value.clone())),
            );
            json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
        };
        let place = |field: &str| json!({"field": field, "type": "quantitative"});
        let colour = hex(ABOVE);
        vec![
            layer(
                json!({"type": "rule", "color": colour, "size": 2}),
                &[("x2", json!({"field": "high"}))],
            ),
            layer(
                json!({"type": "point", "filled": true, "color": colour, "opacity": 1}),
                &[("x", place("value"))],
            ),
            layer(
                json!({"type": "text", "align": "left", "dx": 6}),
                &[("x", place("high")), ("text", json!({"field": "note"}))],
            ),
        ]
    }
}
