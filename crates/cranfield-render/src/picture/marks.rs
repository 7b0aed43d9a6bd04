//! The pen: lines, areas, texts and markers, as shapes that the library turns into SVG, PNG and PDF.

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene, TextAnchor};

use super::style::{Marker, PAPER, Rgb, colour};
use crate::visible;

/// The fonts of texts in SVG; PNG and PDF have the first.
const FONTS: &str = "DejaVu Sans, Verdana, Geneva, sans-serif";

/// Where a text stands with respect to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) rgb: Rgb,
    pub(super) anchor: Anchor,
    pub(super) bold: bool,
    pub(super) upright: bool,
}

impl Font {
    pub(super) fn new(size: f64, rgb: Rgb, anchor: Anchor) -> Self {
        Self {
            size,
            rgb,
            anchor,
            bold: false,
            upright: true,
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) rgb: Rgb,
    pub(super) width: f64,
    /// Lengths of dashes and gaps, in widths of the line.
    pub(super) dashes: &'static [f64],
}

impl Stroke {
    pub(super) fn solid(rgb: Rgb, width: f64) -> Self {
        Self {
            rgb,
            width,
            dashes: &[],
        }
    }
}

/// Draws on a scene.
pub(super) struct Pen {
    scene: Scene,
    /// Whether dashes are drawn one by one: the library's PNGs begin them anew at every point of a line.
    cuts_dashes: bool,
}

impl Pen {
    pub(super) fn new(width: f64, height: f64, cuts_dashes: bool) -> Self {
        let mut scene = Scene::new(width, height);
        scene.background_color = Some(super::style::hex(PAPER));
        scene.font_family = Some(FONTS.into());
        Self { scene, cuts_dashes }
    }

    pub(super) fn finish(self) -> Scene {
        self.scene
    }

    fn put(&mut self, shape: Primitive) {
        self.scene.elements.push(shape);
    }

    /// Opens a group; in SVG its title is shown where the pointer rests on it, and its class is there for scripts.
    pub(super) fn open(&mut self, title: Option<&str>, series: Option<usize>, class: &str) {
        let series = series.map_or(String::new(), |at| format!(" data-series=\"{at}\""));
        self.put(Primitive::GroupStart {
            transform: None,
            title: title.map(visible),
            extra_attrs: Some(format!("class=\"{class}\"{series}")),
        });
    }

    pub(super) fn close(&mut self) {
        self.put(Primitive::GroupEnd);
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        if points.len() < 2 {
            return;
        }
        if self.cuts_dashes && !stroke.dashes.is_empty() {
            for piece in dashed(points, &scaled(stroke)) {
                self.poly(piece, stroke, None);
            }
            return;
        }
        let dashes = (!stroke.dashes.is_empty()).then(|| {
            let lengths = scaled(stroke);
            let texts: Vec<String> = lengths.iter().map(|d| format!("{d:.2}")).collect();
            texts.join(" ")
        });
        self.poly(points.to_vec(), stroke, dashes);
    }

    fn poly(&mut self, points: Vec<(f64, f64)>, stroke: Stroke, dashes: Option<String>) {
        self.put(Primitive::PolyLine {
            points,
            stroke: colour(stroke.rgb),
            stroke_width: stroke.width,
            stroke_dasharray: dashes,
        });
    }

    /// A closed area.
    pub(super) fn area(&mut self, points: &[(f64, f64)], fill: Rgb, opacity: Option<f64>) {
        let mut path = String::new();
        for (at, (x, y)) in points.iter().enumerate() {
            let command = if at == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{command}{x:.2} {y:.2} "));
        }
        path.push('Z');
        self.put(Primitive::Path(Box::new(PathData {
            d: path,
            fill: Some(colour(fill)),
            stroke: Color::None,
            stroke_width: 0.0,
            opacity,
            stroke_dasharray: None,
        })));
    }

    pub(super) fn rect(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        fill: Rgb,
        edge: Option<Stroke>,
    ) {
        self.put(Primitive::Rect {
            x: corner.0,
            y: corner.1,
            width: size.0,
            height: size.1,
            fill: colour(fill),
            stroke: edge.map(|edge| colour(edge.rgb)),
            stroke_width: edge.map(|edge| edge.width),
            opacity: None,
        });
    }

    pub(super) fn circle(&mut self, at: (f64, f64), radius: f64, fill: Rgb, opacity: f64) {
        self.put(Primitive::Circle {
            cx: at.0,
            cy: at.1,
            r: radius,
            fill: colour(fill),
            fill_opacity: (opacity < 1.0).then_some(opacity),
            stroke: None,
            stroke_width: None,
        });
    }

    pub(super) fn text(&mut self, at: (f64, f64), text: &str, font: Font) {
        self.put(Primitive::Text {
            x: at.0,
            y: at.1,
            // The library sets what stands between two dollars as mathematics.
            content: visible(text).replace('$', "\\$"),
            size: font.size.round() as u32,
            anchor: match font.anchor {
                Anchor::Start => TextAnchor::Start,
                Anchor::Middle => TextAnchor::Middle,
                Anchor::End => TextAnchor::End,
            },
            rotate: (!font.upright).then_some(-90.0),
            bold: font.bold,
            color: Some(colour(font.rgb)),
        });
    }

    pub(super) fn marker(&mut self, marker: Marker, (x, y): (f64, f64), radius: f64, rgb: Rgb) {
        let r = radius;
        let polygon = |corners: &[(f64, f64)]| -> Vec<(f64, f64)> {
            corners
                .iter()
                .map(|(dx, dy)| (x + dx * r, y + dy * r))
                .collect()
        };
        match marker {
            Marker::Circle => self.circle((x, y), r, rgb, 1.0),
            Marker::Square => {
                let corners = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)];
                self.area(&polygon(&corners), rgb, None);
            }
            Marker::Up => self.area(&polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), rgb, None),
            Marker::Down => self.area(
                &polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
                rgb,
                None,
            ),
            Marker::Diamond => {
                let corners = [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)];
                self.area(&polygon(&corners), rgb, None);
            }
            Marker::Plus => self.strokes(
                &[[(x - r, y), (x + r, y)], [(x, y - r), (x, y + r)]],
                r,
                rgb,
            ),
            Marker::Cross => {
                let d = 0.9 * r;
                let strokes = [
                    [(x - d, y - d), (x + d, y + d)],
                    [(x - d, y + d), (x + d, y - d)],
                ];
                self.strokes(&strokes, r, rgb);
            }
        }
    }

    fn strokes(&mut self, strokes: &[[(f64, f64); 2]], radius: f64, rgb: Rgb) {
        for stroke in strokes {
            self.line(stroke, Stroke::solid(rgb, 0.55 * radius));
        }
    }
}

/// Lengths of dashes and gaps of a line of some width.
fn scaled(stroke: Stroke) -> Vec<f64> {
    stroke
        .dashes
        .iter()
        .map(|dash| dash * stroke.width.max(0.8))
        .collect()
}

/// The pieces of a line that its dashes cover.
fn dashed(points: &[(f64, f64)], lengths: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut pieces = Vec::new();
    let Some(first) = lengths.first() else {
        return vec![points.to_vec()];
    };
    let (mut nth, mut left, mut piece) = (0, *first, vec![points[0]]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        loop {
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            if length <= left || !length.is_finite() {
                left -= length;
                piece.push(to);
                break;
            }
            let share = left / length;
            from = (
                from.0 + share * (to.0 - from.0),
                from.1 + share * (to.1 - from.1),
            );
            piece.push(from);
            if nth % 2 == 0 {
                pieces.push(std::mem::take(&mut piece));
            }
            nth = (nth + 1) % lengths.len();
            left = lengths[nth].max(0.1);
            piece = vec![from];
        }
    }
    if nth % 2 == 0 && piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners() {
        let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0)];
        let pieces = dashed(&points, &[2.0, 2.0]);
        assert_eq!(
            pieces,
            [vec![(0.0, 0.0), (2.0, 0.0)], vec![(3.0, 1.0), (3.0, 3.0)]]
        );
    }
}
