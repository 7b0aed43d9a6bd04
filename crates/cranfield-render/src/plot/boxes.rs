//! Boxes of values, one above the other.

use super::BoxPlot;
use super::draw::Drawing;
use super::marks::Stroke;
use super::style::{ABOVE, BELOW, BOX, INK, Marker, PAPER};
use crate::rounded;

impl Drawing<'_> {
    pub(super) fn boxes(&mut self, boxes: &[BoxPlot]) {
        let slot = self.plot.y.slot(self.frame.inner_height);
        for (at, shown) in boxes.iter().enumerate() {
            let half = (0.3 * slot).min(1.2 * self.frame.font);
            let figures = [shown.median, shown.mean, shown.q1, shown.q3];
            let [median, mean, q1, q3] = figures.map(|figure| rounded(figure, 4));
            let title = format!(
                "{}: median {median}, mean {mean}, quartiles {q1} and {q3}",
                shown.name
            );
            self.scene.open(Some(&title), None, "series");
            self.one_box(shown, at as f64, half);
            self.scene.close();
            self.box_points(shown, at as f64, half);
            let (x, y) = self.at(shown.mean, at as f64);
            if let Some(limits) = shown.interval {
                let ends = limits.map(|limit| self.at(limit, at as f64));
                self.scene.line(&ends, Stroke::solid(PAPER, 4.2));
                self.scene.line(&ends, Stroke::solid(BELOW, 2.2));
            }
            let radius = 0.4 * self.frame.font;
            let diamond = Marker::Diamond;
            self.scene.marker(diamond, (x, y), radius + 0.8, PAPER);
            self.scene.marker(diamond, (x, y), radius, BELOW);
        }
    }

    fn one_box(&mut self, shown: &BoxPlot, row: f64, half: f64) {
        let stroke = Stroke::solid(INK, 0.9);
        let (low, y) = self.at(shown.low, row);
        let (q1, _) = self.at(shown.q1, row);
        let (median, _) = self.at(shown.median, row);
        let (q3, _) = self.at(shown.q3, row);
        let (high, _) = self.at(shown.high, row);
        for (from, to) in [(low, q1), (q3, high)] {
            self.scene.line(&[(from, y), (to, y)], stroke);
        }
        for end in [low, high] {
            self.scene
                .line(&[(end, y - 0.5 * half), (end, y + 0.5 * half)], stroke);
        }
        self.scene.rect(
            (q1, y - half),
            ((q3 - q1).max(0.5), 2.0 * half),
            BOX,
            Some(stroke),
        );
        self.scene.line(
            &[(median, y - half), (median, y + half)],
            Stroke::solid(INK, 2.0),
        );
    }

    /// The values of a box: all, or those beyond its whiskers. Heights are not random, so that equal data gives equal figures.
    fn box_points(&mut self, shown: &BoxPlot, row: f64, half: f64) {
        let beyond = |value: f64| value < shown.low || value > shown.high;
        for (at, (name, value)) in shown.values.iter().enumerate() {
            if !shown.all_points && !beyond(*value) {
                continue;
            }
            let (x, y) = self.at(*value, row);
            // Multiples of the golden ratio fill an interval evenly.
            let offset = ((at as f64 * 0.618_033_988_75).fract() - 0.5) * 1.5 * half;
            self.scene.open(
                Some(&format!("{}, {name}: {}", shown.name, rounded(*value, 4))),
                None,
                "point",
            );
            self.scene
                .circle((x, y + offset), 0.16 * self.frame.font, ABOVE, 0.65);
            self.scene.close();
        }
    }
}
