//! Figures: a model of what is plotted, and a renderer for each format.
//!
//! A [`Plot`] describes the content of a figure: axes, lines, bars, cells and a caption. Positions are computed once, in
//! `layout.rs`. SVG, PNG and PDF are drawn from the same shapes, so they look alike; Vega-Lite and CSV contain the data.
//!
//! ```
//! use cranfield_render::plot::{Axis, Ink, Layer, Line, Look, Plot, PlotFormat, PlotKind, Sheet};
//!
//! let plot = Plot {
//!     kind: PlotKind::Precision,
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
//! assert_eq!(plot.render(PlotFormat::Csv, &Sheet::default())?, b"run,rank,P\nbm25,1,0.5\nbm25,2,0.75\n");
//! # Ok::<(), cranfield_render::plot::PlotError>(())
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
mod labels;
mod layout;
mod legend;
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
pub use kind::PlotKind;

pub use matrix::{Matrix, MatrixCell, Tone};
pub use output::{PlotError, PlotFormat, Sheet};

use crate::Table;

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// The kind of plot.
    pub kind: PlotKind,
    /// A line above the plot.
    pub title: String,
    /// Topics, measure, policies, bands.
    pub caption: String,
    /// Column heading for the names of layers, such as `run`.
    pub series: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Layers, bottom first.
    pub layers: Vec<Layer>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Label of the axis.
    pub label: String,
    /// Column heading in the data.
    pub field: String,
    /// Numbers or names.
    pub scale: Scale,
}

/// The scale of an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Numbers. The axis is reversed if the first limit is the greater one.
    Linear {
        /// At the left or at the bottom.
        min: f64,
        /// At the right or at the top.
        max: f64,
        /// Whether only whole numbers are meaningful.
        whole: bool,
    },
    /// Names from the left or from the top; the first is at 0.
    Names(Vec<String>),
}

impl Axis {
    /// An axis of numbers, whose label is also its column heading.
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

    /// An axis with round limits that contains all these numbers, and 0 if `zero` is set.
    pub fn fitted(
        label: impl Into<String>,
        values: impl IntoIterator<Item = f64>,
        zero: bool,
    ) -> Self {
        let (min, max) = ticks::limits(values, zero);
        Self::linear(label, min, max)
    }

    /// The least and the greatest number of an axis of numbers.
    pub(crate) fn limits(&self) -> Option<(f64, f64)> {
        match self.scale {
            Scale::Linear { min, max, .. } => Some((min.min(max), min.max(max))),
            Scale::Names(_) => None,
        }
    }

    /// Whether a number is on the axis.
    pub fn holds(&self, value: f64) -> bool {
        let limits = self.limits();
        limits.is_some_and(|(least, greatest)| (least..=greatest).contains(&value))
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

    /// Sets the column heading in the data.
    #[must_use]
    pub fn with_field(mut self, field: impl Into<String>) -> Self {
        self.field = field.into();
        self
    }
}

/// The role of a mark, from which its colour follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A series, with its own colour, marker and dashes.
    Series(usize),
    /// A reference: an ideal, an average.
    Reference,
    /// Background.
    Muted,
}

/// Emphasis of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// With markers and the dashes of its ink.
    Full,
    /// Thin and dotted, without markers.
    Thin,
    /// Solid, without markers.
    Plain,
}

/// One layer of a figure.
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
    /// A line across the plot.
    Rule(Rule),
    /// Labels next to points.
    Labels(Vec<Label>),
    /// Cells with text.
    Matrix(Matrix),
    /// Intervals, one above the other.
    Intervals(Intervals),
    /// A critical difference diagram.
    Critical(Critical),
    /// The data of the figure, if the other layers show only a part of it. Not drawn.
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
    /// Column heading for points, such as `topic`.
    pub field: String,
    /// Their name in the legend, if they are in it.
    pub key: Option<String>,
    /// Their ink.
    pub ink: Ink,
    /// Whether names are shown next to points where there is room.
    pub labelled: bool,
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
    /// Meaning of bars above 0.
    pub above: String,
    /// Meaning of bars below 0.
    pub below: String,
    /// By position; `None` where there is no value.
    pub values: Vec<Option<f64>>,
}

/// A box that contains the middle half of the values.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// Name of the run.
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
    /// Column heading for values.
    pub field: String,
    /// Value of the first colour.
    pub min: f64,
    /// Value of the last colour.
    pub max: f64,
    /// Row by row; `None` where there is no value.
    pub values: Vec<Option<f64>>,
}

/// A line across the plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// At a height.
    Level {
        /// The height.
        at: f64,
        /// Its interval.
        interval: Option<[f64; 2]>,
        /// Its label.
        text: String,
    },
    /// The line of equal values on both axes.
    Identity,
}

/// A label next to a point: a name, and between it and the point a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The name, which is shortened if necessary.
    pub text: String,
    /// The number, which is never shortened.
    pub figure: String,
    /// Whether the label is on the left of the point.
    pub left: bool,
    /// Its ink.
    pub ink: Ink,
}

#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
