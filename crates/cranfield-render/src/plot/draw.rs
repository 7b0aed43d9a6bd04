//! From a figure to shapes.

use super::layout::{Frame, LABEL_GAPS};
use super::legend::{Key, Sample};
use super::marks::{Anchor, Font, Scene, Stroke};
use super::metrics::labelled;
use super::style::{ABOVE, BELOW, DOTS, GREY, GRID, INK, LONG, MUTED, PAPER, Rgb};
use super::{
    Band, Bars, Ink, Label, Layer, Line, Look, Plot, PlotError, PlotKind, Point, Points, Rule,
    Scale, Sheet,
};

/// Markers on a line at most.
const MOST_MARKERS: usize = 11;

/// Most points of curves that show their values under the pointer, so that files stay small.
const MOST_TARGETS: usize = 5000;

/// The stroke of a line to compare with.
const REFERENCE: Stroke = Stroke {
    rgb: GREY,
    width: 0.9,
    dashes: LONG,
};

impl Plot {
    /// The shapes of the figure. On a page with a script, every point of a line has an area that shows its values.
    pub(super) fn scene(&self, sheet: &Sheet, for_page: bool) -> Result<Scene, PlotError> {
        let frame = self.frame(sheet)?;
        let mut drawing = Drawing {
            plot: self,
            scene: Scene::new(frame.width, frame.height),
            frame,
            for_page,
        };
        drawing.draw();
        Ok(drawing.scene)
    }
}

pub(super) struct Drawing<'a> {
    pub(super) plot: &'a Plot,
    pub(super) frame: Frame,
    pub(super) scene: Scene,
    for_page: bool,
}

impl Drawing<'_> {
    fn draw(&mut self) {
        // A critical difference diagram has an axis of its own.
        let has_axes = self.plot.critical().is_none();
        if has_axes {
            self.grid();
        }
        let plot = self.plot;
        for layer in &plot.layers {
            if let Layer::Rule(Rule::Level { interval, .. }) = layer {
                self.level_interval(*interval);
            }
        }
        for layer in &plot.layers {
            match layer {
                Layer::Line(line) => self.line(line),
                Layer::Band(band) => self.band(band),
                Layer::Points(points) => self.points(points),
                Layer::Bars(bars) => self.bars(bars),
                Layer::Boxes(boxes) => self.boxes(boxes),
                Layer::Cells(cells) => self.cells(cells),
                Layer::Rule(rule) => self.rule(rule),
                Layer::Labels(labels) => self.labels(labels),
                Layer::Matrix(matrix) => self.matrix(matrix),
                Layer::Intervals(intervals) => self.intervals(intervals),
                Layer::Critical(critical) => self.critical(critical),
                Layer::Data(_) => {}
            }
        }
        self.point_labels();
        if self.for_page {
            self.targets();
        }
        if has_axes {
            self.axes();
        }
        self.legend();
        self.captions();
    }

    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (x_axis, y_axis) = (&self.plot.x, &self.plot.y);
        (self.frame.x(x_axis, x), self.frame.y(y_axis, y))
    }

    pub(super) fn right(&self) -> f64 {
        self.frame.left + self.frame.inner_width
    }

    fn bottom(&self) -> f64 {
        self.frame.top + self.frame.inner_height
    }

    fn grid(&mut self) {
        let stroke = Stroke::solid(GRID, 0.6);
        let (left, right) = match self.plot.kind {
            // Names are on both sides of its lines.
            PlotKind::Slope => (self.at(0.0, 0.0).0, self.at(1.0, 0.0).0),
            _ => (self.frame.left, self.right()),
        };
        let (top, bottom) = (self.frame.top, self.bottom());
        if let Scale::Linear { .. } = self.plot.y.scale {
            for (at, _) in self.frame.y_ticks.clone() {
                let y = self.frame.y(&self.plot.y, at);
                self.scene.line(&[(left, y), (right, y)], stroke);
            }
        }
        if let Scale::Linear { .. } = self.plot.x.scale {
            for (at, _) in self.frame.x_ticks.clone() {
                let x = self.frame.x(&self.plot.x, at);
                self.scene.line(&[(x, top), (x, bottom)], stroke);
            }
        }
    }

    fn axes(&mut self) {
        let (left, right) = (self.frame.left, self.right());
        let (top, bottom) = (self.frame.top, self.bottom());
        let stroke = Stroke::solid(GREY, 0.8);
        self.scene
            .line(&[(left, top), (left, bottom), (right, bottom)], stroke);
        let (font, small) = (self.frame.font, self.frame.small());
        for (at, text) in self.frame.x_ticks.clone() {
            let x = self.frame.x(&self.plot.x, at);
            self.scene.line(&[(x, bottom), (x, bottom + 3.0)], stroke);
            if self.frame.is_turned {
                let mut style = Font::new(small, INK, Anchor::End);
                style.upright = false;
                self.scene
                    .text((x + 0.35 * small, bottom + 5.0), &text, style);
            } else {
                let style = Font::new(font, INK, Anchor::Middle);
                self.scene.text((x, bottom + 4.0 + font), &text, style);
            }
        }
        for (at, text) in self.frame.y_ticks.clone() {
            let y = self.frame.y(&self.plot.y, at);
            self.scene.line(&[(left - 3.0, y), (left, y)], stroke);
            let style = Font::new(font, INK, Anchor::End);
            self.scene.text((left - 5.0, y + 0.35 * font), &text, style);
        }
    }

    /// Title, labels of axes and caption.
    fn captions(&mut self) {
        let frame = self.frame.clone();
        let title = Font {
            bold: true,
            ..Font::new(frame.font + 1.0, INK, Anchor::Start)
        };
        let mut y = 4.0;
        for line in &frame.title {
            y += title.size * 1.35;
            self.scene.text((4.0, y - 0.25 * title.size), line, title);
        }
        let label = Font::new(frame.font, INK, Anchor::Middle);
        let middle = frame.left + 0.5 * frame.inner_width;
        let below = self.bottom() + frame.below_ticks() + frame.font * 1.15;
        let x_label = super::metrics::shortened(&self.plot.x.label, frame.font, frame.width);
        self.scene.text((middle, below), &x_label, label);
        let y_label = super::metrics::shortened(&self.plot.y.label, frame.font, frame.width - 8.0);
        let above = Font::new(frame.font, INK, Anchor::Start);
        self.scene
            .text((4.0, frame.top - 0.8 * frame.font), &y_label, above);
        let small = Font::new(frame.small(), GREY, Anchor::Start);
        let step = small.size * 1.3;
        let mut y = frame.height - 4.0 - step * (frame.caption.len() as f64 - 1.0);
        for line in &frame.caption {
            self.scene.text((4.0, y), line, small);
            y += step;
        }
    }

    fn line(&mut self, line: &Line) {
        let points: Vec<_> = line.points.iter().map(|[x, y]| self.at(*x, *y)).collect();
        self.scene
            .open(Some(&line.name), line.ink.series(), "series");
        self.scene.line(&points, stroke(line.ink, line.look));
        if let (Look::Full, Some(marker)) = (line.look, line.ink.marker()) {
            let radius = 0.29 * self.frame.font;
            for at in marked(points.len(), line.ink.series().unwrap_or(0)) {
                self.scene
                    .marker(marker, points[at], radius, line.ink.rgb());
            }
        }
        self.scene.close();
    }

    fn band(&mut self, band: &Band) {
        let upper = band.points.iter().map(|[x, _, high]| self.at(*x, *high));
        let lower = band
            .points
            .iter()
            .rev()
            .map(|[x, low, _]| self.at(*x, *low));
        let outline: Vec<_> = upper.chain(lower).collect();
        self.scene
            .open(Some(&band.name), band.ink.series(), "series");
        // Of several bands, edges show what lies under what.
        let bands = self.plot.layers.iter();
        let bands = bands
            .filter(|layer| matches!(layer, Layer::Band(_)))
            .count();
        let opacity = (0.26 / bands as f64).clamp(0.05, 0.14);
        self.scene.area(&outline, band.ink.rgb(), opacity);
        let (upper, lower) = outline.split_at(band.points.len());
        for edge in [upper, lower] {
            self.scene.line(edge, Stroke::solid(band.ink.rgb(), 0.4));
        }
        self.scene.close();
    }

    /// An invisible disc with its values on every point of every line.
    fn targets(&mut self) {
        let plot = self.plot;
        let points: usize = plot.all_lines().map(|line| line.points.len()).sum();
        if points > MOST_TARGETS {
            return;
        }
        for line in plot.all_lines() {
            for [x, y] in &line.points {
                let title = format!(
                    "{}: {} {}, {} {}",
                    line.name,
                    plot.x.field,
                    plot.x.text(*x),
                    plot.y.field,
                    plot.y.text(*y)
                );
                let place = self.at(*x, *y);
                self.scene.open(Some(&title), line.ink.series(), "point");
                self.scene.circle(place, 0.45 * self.frame.font, PAPER, 0.0);
                self.scene.close();
            }
        }
    }

    fn points(&mut self, points: &Points) {
        let marker = points.ink.marker().unwrap_or(super::style::Marker::Circle);
        let radius = self.radius(points);
        let plot = self.plot;
        for Point { x, y, name } in &points.points {
            let title = format!(
                "{name}: {} {}, {} {}",
                plot.x.field,
                plot.x.text(*x),
                plot.y.field,
                plot.y.text(*y)
            );
            let place = self.at(*x, *y);
            let series = points.key.as_ref().and_then(|_| points.ink.series());
            self.scene.open(Some(&title), series, "point");
            self.scene.marker(marker, place, radius, points.ink.rgb());
            self.scene.close();
        }
    }

    pub(super) fn radius(&self, points: &Points) -> f64 {
        let share = if points.points.len() > 300 { 0.2 } else { 0.32 };
        share * self.frame.font
    }

    fn bars(&mut self, bars: &Bars) {
        let slot = self.plot.x.slot(self.frame.inner_width);
        let width = (0.8 * slot).max(0.2);
        let plot = self.plot;
        for (at, value) in bars.values.iter().enumerate() {
            let Some(value) = value else { continue };
            let ((x, zero), (_, end)) = (self.at(at as f64, 0.0), self.at(at as f64, *value));
            let rgb = if *value < 0.0 { BELOW } else { ABOVE };
            let topic = plot.x.text(at as f64);
            let title = format!("{topic}: {}", plot.y.text(*value));
            self.scene.open(Some(&title), None, "point");
            // A tie leaves a mark; a topic without a value does not.
            let height = (end - zero).abs().max(0.6);
            let top = if *value == 0.0 {
                zero - 0.3
            } else {
                end.min(zero)
            };
            self.scene
                .rect((x - 0.5 * width, top), (width, height), rgb, None);
            self.scene.close();
        }
        let (left, zero) = self.at(-0.5, 0.0);
        let right = self.right();
        self.scene
            .line(&[(left, zero), (right, zero)], Stroke::solid(INK, 0.8));
    }

    fn rule(&mut self, rule: &Rule) {
        match rule {
            Rule::Level { at, text, .. } => self.level(*at, text),
            Rule::Identity => self.identity(),
        }
    }

    /// The interval of a level, which is behind all layers.
    fn level_interval(&mut self, interval: Option<[f64; 2]>) {
        let Some(limits) = interval else { return };
        let (left, right) = (self.frame.left, self.right());
        let [low, high] = limits.map(|limit| self.frame.y(&self.plot.y, limit));
        let outline = [(left, low), (right, low), (right, high), (left, high)];
        self.scene.area(&outline, GREY, 0.22);
    }

    fn level(&mut self, level: f64, text: &str) {
        let y = self.frame.y(&self.plot.y, level);
        let (left, right) = (self.frame.left, self.right());
        self.scene.line(&[(left, y), (right, y)], REFERENCE);
        // Bars are sorted from above to below, so that there is room at the left below, at the right above.
        let small = self.frame.small();
        if level < 0.0 {
            let style = Font::new(small, INK, Anchor::Start);
            self.scene.text((left + 3.0, y + 1.1 * small), text, style);
        } else {
            let style = Font::new(small, INK, Anchor::End);
            self.scene.text((right - 2.0, y - 3.0), text, style);
        }
    }

    fn identity(&mut self) {
        let (Some(x), Some(y)) = (self.plot.x.limits(), self.plot.y.limits()) else {
            return;
        };
        let (from, to) = (x.0.max(y.0), x.1.min(y.1));
        if from < to {
            let points = [self.at(from, from), self.at(to, to)];
            self.scene.line(&points, REFERENCE);
        }
    }

    fn labels(&mut self, labels: &[Label]) {
        let font = self.frame.font;
        for label in labels {
            let (x, y) = self.at(label.x, label.y);
            let (room, anchor, x) = if label.left {
                (x - self.frame.left, Anchor::End, x - 6.0)
            } else {
                (self.right() - x, Anchor::Start, x + 6.0)
            };
            let room = room - LABEL_GAPS;
            let text = labelled(&label.text, &label.figure, label.left, font, room);
            let rgb = if label.ink == Ink::Muted { GREY } else { INK };
            self.scene
                .text((x, y + 0.35 * font), &text, Font::new(font, rgb, anchor));
        }
    }

    fn legend(&mut self) {
        let legend = self.frame.legend.clone();
        let rows = legend.keys.len().div_ceil(legend.columns).max(1);
        for (at, key) in legend.keys.iter().enumerate() {
            let (column, row) = ((at / rows) as f64, (at % rows) as f64);
            let x = legend.left + column * legend.column_width;
            let y = legend.top + (row + 0.5) * self.frame.line_height();
            self.key(key, x, y);
        }
    }

    fn key(&mut self, key: &Key, x: f64, y: f64) {
        let font = self.frame.font;
        let wide = 2.6 * font;
        let series = match key.sample {
            Sample::Line(ink, _) | Sample::Point(ink) => ink.series(),
            _ => None,
        };
        self.scene.open(None, series, "key");
        match key.sample {
            Sample::Line(ink, look) => {
                self.scene.line(&[(x, y), (x + wide, y)], stroke(ink, look));
                if let (Look::Full, Some(marker)) = (look, ink.marker()) {
                    self.scene
                        .marker(marker, (x + 0.5 * wide, y), 0.29 * font, ink.rgb());
                }
            }
            Sample::Point(ink) => {
                let marker = ink.marker().unwrap_or(super::style::Marker::Circle);
                self.scene
                    .marker(marker, (x + 0.5 * wide, y), 0.32 * font, ink.rgb());
            }
            Sample::Square(rgb) => self.square(rgb, x + 1.6 * font, y),
            Sample::Missing => {
                let side = 0.9 * font;
                self.missing((x + 1.6 * font, y - 0.5 * side), (side, side));
            }
            Sample::Nothing => {}
        }
        let style = Font::new(font, INK, Anchor::Start);
        self.scene
            .text((x + wide + 0.5 * font, y + 0.35 * font), &key.text, style);
        self.scene.close();
    }

    fn square(&mut self, rgb: Rgb, x: f64, y: f64) {
        let side = 0.9 * self.frame.font;
        self.scene
            .rect((x, y - 0.5 * side), (side, side), rgb, None);
    }
}

fn stroke(ink: Ink, look: Look) -> Stroke {
    let rgb = ink.rgb();
    match (look, ink) {
        (Look::Full, Ink::Reference) => Stroke {
            dashes: ink.dashes(),
            ..Stroke::solid(rgb, 1.3)
        },
        (Look::Full, _) => Stroke {
            dashes: ink.dashes(),
            ..Stroke::solid(rgb, 1.4)
        },
        (Look::Thin, _) => Stroke {
            dashes: DOTS,
            ..Stroke::solid(rgb, 1.0)
        },
        (Look::Plain, Ink::Muted) => Stroke::solid(MUTED, 0.8),
        (Look::Plain, _) => Stroke::solid(rgb, 1.4),
    }
}

/// Positions of markers on a line: all points of a short line, else evenly spaced ones, with a different start for each series.
fn marked(points: usize, series: usize) -> impl Iterator<Item = usize> {
    let every = points.div_ceil(MOST_MARKERS).max(1);
    let first = if every > 1 {
        series * every / 5 % every
    } else {
        0
    };
    (first..points).step_by(every)
}
