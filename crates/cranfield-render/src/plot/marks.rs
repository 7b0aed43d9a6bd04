//! The shapes of a figure, which SVG, PNG and PDF draw alike.

use super::fonts::typeface;
use super::style::{Marker, Rgb};
use crate::visible;

/// Shapes in the order in which they are drawn. Lengths are points, and the origin is the upper left corner.
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<Shape>,
}

/// A shape, or the start or end of a group of shapes.
pub(super) enum Shape {
    /// Starts a group. SVG shows its title under the pointer, and has its attributes for scripts.
    Open {
        title: Option<String>,
        attributes: String,
    },
    /// Ends the group that was started last.
    Close,
    /// An open path.
    Line {
        points: Vec<(f64, f64)>,
        stroke: Stroke,
    },
    /// A closed path.
    Area {
        points: Vec<(f64, f64)>,
        fill: Rgb,
        opacity: f64,
    },
    /// A rectangle.
    Rect {
        corner: (f64, f64),
        size: (f64, f64),
        fill: Rgb,
        edge: Option<Stroke>,
    },
    /// A disc.
    Circle {
        centre: (f64, f64),
        radius: f64,
        fill: Rgb,
        opacity: f64,
    },
    /// A line of text.
    Text {
        at: (f64, f64),
        text: String,
        font: Font,
    },
}

/// Which part of a text is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) rgb: Rgb,
    pub(super) anchor: Anchor,
    pub(super) bold: bool,
    /// Whether the text runs from left to right, and not upwards.
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

    /// The vectors that point along the text and towards its top.
    pub(super) fn directions(self) -> [f64; 4] {
        if self.upright {
            [1.0, 0.0, 0.0, -1.0]
        } else {
            [0.0, -1.0, -1.0, 0.0]
        }
    }

    /// Where the first glyph of a text with its anchor at a point is.
    pub(super) fn start(self, (x, y): (f64, f64), text: &str) -> (f64, f64) {
        let width = typeface(self.bold).width(text) * self.size;
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        let [right, down, ..] = self.directions();
        (x - before * right, y - before * down)
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

    /// Lengths of dashes and gaps; none for a solid line.
    pub(super) fn lengths(self) -> impl Iterator<Item = f64> {
        let width = self.width.max(0.8);
        self.dashes.iter().map(move |dash| dash * width)
    }
}

impl Scene {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            shapes: Vec::new(),
        }
    }

    /// Starts a group.
    pub(super) fn open(&mut self, title: Option<&str>, series: Option<usize>, class: &str) {
        let series = series.map_or(String::new(), |at| format!(" data-series=\"{at}\""));
        self.shapes.push(Shape::Open {
            title: title.map(visible),
            attributes: format!("class=\"{class}\"{series}"),
        });
    }

    /// Starts the group of the cells of a grid, with its left and top, the size of a cell, and the number of columns, so that a
    /// script can find the cell under the pointer.
    pub(super) fn open_grid(&mut self, corner: (f64, f64), cell: (f64, f64), columns: usize) {
        let [left, top, width, height] = [corner.0, corner.1, cell.0, cell.1];
        self.shapes.push(Shape::Open {
            title: None,
            attributes: format!(
                "class=\"cells\" data-grid=\"{left:.2} {top:.2} {width:.4} {height:.4} {columns}\""
            ),
        });
    }

    /// Ends a group.
    pub(super) fn close(&mut self) {
        self.shapes.push(Shape::Close);
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        if points.len() > 1 {
            let points = points.to_vec();
            self.shapes.push(Shape::Line { points, stroke });
        }
    }

    /// A closed area.
    pub(super) fn area(&mut self, points: &[(f64, f64)], fill: Rgb, opacity: f64) {
        self.shapes.push(Shape::Area {
            points: points.to_vec(),
            fill,
            opacity,
        });
    }

    pub(super) fn rect(
        &mut self,
        corner: (f64, f64),
        size: (f64, f64),
        fill: Rgb,
        edge: Option<Stroke>,
    ) {
        self.shapes.push(Shape::Rect {
            corner,
            size,
            fill,
            edge,
        });
    }

    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64, fill: Rgb, opacity: f64) {
        self.shapes.push(Shape::Circle {
            centre,
            radius,
            fill,
            opacity,
        });
    }

    pub(super) fn text(&mut self, at: (f64, f64), text: &str, font: Font) {
        self.shapes.push(Shape::Text {
            at,
            text: visible(text),
            font,
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
                self.area(&polygon(&corners), rgb, 1.0);
            }
            Marker::Up => self.area(&polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]), rgb, 1.0),
            Marker::Down => self.area(&polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]), rgb, 1.0),
            Marker::Diamond => {
                let corners = [(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)];
                self.area(&polygon(&corners), rgb, 1.0);
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
