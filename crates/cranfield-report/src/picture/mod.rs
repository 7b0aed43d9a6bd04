//! Pictures: one small description of what is shown, and a renderer for each format.
//!
//! A [`Picture`] says what there is to see: axes, lines, bars, cells, and a caption. It does not say where anything stands;
//! that is decided once, in `layout.rs`, for all formats that are drawn. SVG, PNG and PDF come from the same shapes, so
//! they look the same; Vega-Lite and CSV carry the data.
//!
//! ```
//! use cranfield_report::picture::{Axis, Ink, Layer, Line, Look, Picture, PictureFormat, PictureKind, Sheet};
//!
//! let picture = Picture {
//!     kind: PictureKind::Precision,
//!     title: "P by rank".into(),
//!     caption: "Mean over 2 topics.".into(),
//!     series: "run".into(),
//!     x: Axis::linear("rank", 1.0, 2.0),
//!     y: Axis::linear("P", 0.0, 1.0),
//!     layers: vec![Layer::Line(Line {
//!         name: "bm25".into(),
//!         ink: Ink::Series(0),
//!         look: Look::Full,
//!         points: vec![[1.0, 0.5], [2.0, 0.75]],
//!     })],
//! };
//! assert_eq!(picture.render(PictureFormat::Csv, &Sheet::default())?, b"run,rank,P\nbm25,1,0.5\nbm25,2,0.75\n");
//! # Ok::<(), cranfield_report::picture::PictureError>(())
//! ```

mod boxes;
mod cells;
mod critical;
mod data;
mod draw;
mod fonts;
mod html;
mod intervals;
mod kind;
mod layout;
mod marks;
mod matrix;
mod metrics;
mod output;
mod pdf;
mod png;
mod style;
mod svg;
mod ticks;
mod vega;

pub use critical::{Critical, CriticalItem};
pub use fonts::is_writable;
pub use html::dark_colours;
pub use intervals::{IntervalRow, Intervals};
pub use kind::PictureKind;

pub use matrix::{Matrix, MatrixCell, Tone};
pub use output::{PictureError, PictureFormat, Sheet};

use crate::Table;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows.
    pub kind: PictureKind,
    /// One line above it.
    pub title: String,
    /// What a reader must know: topics, measure, policies, bands.
    pub caption: String,
    /// What the names of layers are, as the heading of a column: `run`.
    pub series: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first layer undermost.
    pub layers: Vec<Layer>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The text beside it.
    pub label: String,
    /// The heading of its column in data.
    pub field: String,
    /// What is on it.
    pub scale: Scale,
}

/// What is on an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Numbers; the axis is turned round if the first limit is the greater one.
    Linear {
        /// At the left or at the bottom.
        min: f64,
        /// At the right or at the top.
        max: f64,
        /// Whether only whole numbers have a meaning.
        whole: bool,
    },
    /// Names, side by side from the left or from the top; the first is at 0.
    Names(Vec<String>),
}

impl Axis {
    /// An axis of numbers; its label is the heading of its column too.
    pub fn linear(label: impl Into<String>, min: f64, max: f64) -> Self {
        let label = label.into();
        Self {
            field: label.clone(),
            label,
            scale: Scale::Linear {
                min,
                max,
                whole: false,
            },
        }
    }

    /// An axis of whole numbers, such as ranks.
    pub fn whole(label: impl Into<String>, min: f64, max: f64) -> Self {
        let mut axis = Self::linear(label, min, max);
        if let Scale::Linear { whole, .. } = &mut axis.scale {
            *whole = true;
        }
        axis
    }

    /// An axis that holds all these numbers, with round limits; with `zero` it holds 0, too.
    pub fn fitted(
        label: impl Into<String>,
        values: impl IntoIterator<Item = f64>,
        zero: bool,
    ) -> Self {
        let (min, max) = ticks::limits(values, zero);
        Self::linear(label, min, max)
    }

    /// An axis of names.
    pub fn names(label: impl Into<String>, names: Vec<String>) -> Self {
        let label = label.into();
        Self {
            field: label.clone(),
            label,
            scale: Scale::Names(names),
        }
    }

    /// The same with another heading in data.
    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }
}

/// What something is drawn with; which colour that is depends on the renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The series at this place: its own colour, marker and dashes.
    Series(usize),
    /// Something to compare with: an ideal, an average.
    Reference,
    /// Something in the background.
    Muted,
}

/// How much a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// With markers and the dashes of its ink.
    Full,
    /// Thin and dotted, without markers.
    Thin,
    /// Thin and whole, without markers.
    Plain,
}

/// One layer of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A line.
    Line(Line),
    /// An area around a line.
    Band(Band),
    /// Points.
    Points(Points),
    /// Bars from 0 on an axis of names.
    Bars(Bars),
    /// Boxes, one above the other.
    Boxes(Vec<BoxPlot>),
    /// Coloured cells, runs by topics.
    Cells(Cells),
    /// A line across the picture.
    Rule(Rule),
    /// Texts beside points.
    Labels(Vec<Label>),
    /// Cells with texts.
    Matrix(Matrix),
    /// Intervals, one above the other.
    Intervals(Intervals),
    /// A critical difference diagram.
    Critical(Critical),
    /// Nothing that is drawn: the numbers, where they are more than the other layers show.
    Data(Table),
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its ink.
    pub ink: Ink,
    /// How it is drawn.
    pub look: Look,
    /// Its points, from left to right.
    pub points: Vec<[f64; 2]>,
}

/// The area between two lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The name of the line that it belongs to.
    pub name: String,
    /// That line's ink.
    pub ink: Ink,
    /// Place, lower and upper limit.
    pub points: Vec<[f64; 3]>,
}

/// Points.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// What a point is, as the heading of a column: `topic`.
    pub field: String,
    /// What the legend calls them, if it has them.
    pub key: Option<String>,
    /// Their ink.
    pub ink: Ink,
    /// The points.
    pub points: Vec<Point>,
}

/// One point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Its name.
    pub name: String,
}

/// Bars above and below 0, in the order of the axis of names.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// What bars above 0 mean.
    pub above: String,
    /// What bars below 0 mean.
    pub below: String,
    /// By place; `None` where there is no value.
    pub values: Vec<Option<f64>>,
}

/// A box: half of the values are in it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// What it is of.
    pub name: String,
    /// End of the lower whisker.
    pub low: f64,
    /// Lower quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Upper quartile.
    pub q3: f64,
    /// End of the upper whisker.
    pub high: f64,
    /// Mean.
    pub mean: f64,
    /// Interval of the mean.
    pub interval: Option<[f64; 2]>,
    /// All values with their names.
    pub values: Vec<(String, f64)>,
    /// Whether all values are shown as points, not only those beyond the whiskers.
    pub all_points: bool,
}

/// A table of coloured cells: rows are the names of the vertical axis, columns those of the horizontal one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// What a value is, as the heading of a column.
    pub field: String,
    /// Value of the first colour.
    pub min: f64,
    /// Value of the last colour.
    pub max: f64,
    /// Row by row; `None` where there is no value.
    pub values: Vec<Option<f64>>,
}

/// A line across the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// At a height.
    Level {
        /// The height.
        at: f64,
        /// How sure it is.
        interval: Option<[f64; 2]>,
        /// What stands beside it.
        text: String,
    },
    /// Where both axes have the same value.
    Identity,
}

/// A text beside a point: a name, and between it and the point a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The name, which is shortened where there is little room.
    pub text: String,
    /// The figure, which stays whole.
    pub figure: String,
    /// Whether the text stands on the left of the point.
    pub left: bool,
    /// Its ink.
    pub ink: Ink,
}

#[cfg(test)]
mod tests;
