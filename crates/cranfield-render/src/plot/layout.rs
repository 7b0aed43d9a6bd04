//! Positions of margins, legend and axes. Nothing is drawn over anything else, and a figure that does not fit is an error.

use super::legend::{Legend, place_keys};
use super::metrics::{BOLD, shortened, width, wrapped};
use super::ticks::ticks;
use super::{Axis, Layer, Plot, PlotError, PlotKind, Scale, Sheet};

/// Least height of the area in which data is drawn.
const LEAST_HEIGHT: f64 = 40.0;

/// Least height of a row with a name, in letters.
const ROW: f64 = 1.1;

/// Least width of the lines of a slope chart, and of the names on either side, as shares.
const LEAST_LINES: f64 = 0.2;
const LEAST_SIDE: f64 = 0.2;

/// Gaps between such a line, its name, and the edge.
pub(super) const LABEL_GAPS: f64 = 10.0;

/// A tick on an axis: its position and its label.
pub(super) type Tick = (f64, String);

/// The dimensions of a figure, in points.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) font: f64,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) inner_width: f64,
    pub(super) inner_height: f64,
    pub(super) title: Vec<String>,
    pub(super) caption: Vec<String>,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    /// Whether names on the horizontal axis are written upwards.
    pub(super) is_turned: bool,
    pub(super) legend: Legend,
    /// Left edge of the colour scale of a heat map.
    pub(super) scale_left: Option<f64>,
    /// Widths of the names on the left and on the right of a slope chart.
    pub(super) sides: Option<[f64; 2]>,
}

impl Frame {
    pub(super) fn line_height(&self) -> f64 {
        self.font * 1.4
    }

    pub(super) fn small(&self) -> f64 {
        (self.font - 1.0).max(6.0)
    }

    /// The space between ticks and the label of the horizontal axis.
    pub(super) fn below_ticks(&self) -> f64 {
        let longest = if self.is_turned {
            let widths = self
                .x_ticks
                .iter()
                .map(|(_, text)| width(text, self.small()));
            widths.fold(0.0, f64::max) + 2.0
        } else {
            self.font
        };
        5.0 + longest
    }

    pub(super) fn x(&self, axis: &Axis, value: f64) -> f64 {
        match self.sides {
            Some([left, right]) => self.left + left + value * (self.inner_width - left - right),
            None => self.left + share(axis, value) * self.inner_width,
        }
    }

    pub(super) fn y(&self, axis: &Axis, value: f64) -> f64 {
        let share = share(axis, value);
        // Numbers grow upwards, names go downwards.
        let down = match axis.scale {
            Scale::Linear { .. } => 1.0 - share,
            Scale::Names(_) => share,
        };
        self.top + down * self.inner_height
    }
}

impl Axis {
    /// The room of one name on an axis of this length.
    pub(super) fn slot(&self, length: f64) -> f64 {
        length / self.len().max(1) as f64
    }
}

/// Where a value is on its axis, from 0 to 1.
fn share(axis: &Axis, value: f64) -> f64 {
    match &axis.scale {
        Scale::Linear { min, max, .. } if min == max => 0.5,
        Scale::Linear { min, max, .. } => ((value - min) / (max - min)).clamp(0.0, 1.0),
        Scale::Names(names) => (value + 0.5) / names.len().max(1) as f64,
    }
}

/// The width of the widest string.
fn widest(strings: &[String], font: f64) -> f64 {
    let widths = strings.iter().map(|text| width(text, font));
    widths.fold(0.0, f64::max)
}

impl Plot {
    /// Computes all positions.
    pub(super) fn frame(&self, sheet: &Sheet) -> Result<Frame, PlotError> {
        let total = sheet.width;
        let font = (total / 60.0).round().clamp(7.0, 14.0);
        let mut frame = Frame {
            width: total,
            height: 0.0,
            font,
            left: 0.0,
            top: 0.0,
            inner_width: 0.0,
            inner_height: 0.0,
            title: Vec::new(),
            caption: Vec::new(),
            x_ticks: Vec::new(),
            y_ticks: Vec::new(),
            is_turned: false,
            legend: Legend {
                keys: self.keys(),
                left: 0.0,
                top: 0.0,
                columns: 1,
                column_width: 0.0,
            },
            scale_left: None,
            sides: None,
        };
        if !sheet.bare {
            frame.title = wrapped(&self.title, (font + 1.0) * BOLD, total - 8.0);
            frame.caption = wrapped(&self.caption, frame.small(), total - 8.0);
        }
        let on_right = self.place_across(&mut frame);
        self.place_down(&mut frame, sheet, on_right)?;
        Ok(frame)
    }

    /// Computes horizontal positions. Returns whether the legend is on the right of the plot.
    fn place_across(&self, frame: &mut Frame) -> bool {
        self.place_left(frame);
        let on_right = place_keys(frame);
        let right = self.right_margin(frame, on_right);
        frame.inner_width = (frame.width - frame.left - right).max(20.0);
        frame.sides = self.sides(frame);
        if on_right {
            frame.legend.left = frame.left + frame.inner_width + 8.0;
        } else {
            frame.legend.left = 8.0;
            let columns = (frame.width - 16.0) / frame.legend.column_width;
            frame.legend.columns = columns.floor().max(1.0) as usize;
        }
        self.place_x_ticks(frame);
        on_right
    }

    /// The left margin, which has the names or numbers of the vertical axis.
    fn place_left(&self, frame: &mut Frame) {
        let (font, total) = (frame.font, frame.width);
        let most_name = (0.3 * total).max(40.0);
        let strings: Vec<String> = match &self.y.scale {
            Scale::Names(names) => names
                .iter()
                .map(|name| shortened(name, font, most_name))
                .collect(),
            // Ticks of numbers are placed when the height is known; these are as wide as they get.
            Scale::Linear { min, max, whole } => {
                let ticks = ticks(*min, *max, 10, *whole);
                ticks.into_iter().map(|(_, text)| text).collect()
            }
        };
        frame.left = 4.0 + widest(&strings, font) + 6.0;
        if let Some(critical) = self.critical() {
            frame.left = 4.0 + critical.sides(font, total).0 + 16.0;
        }
        if let Scale::Names(_) = self.y.scale {
            let places = (0..).map(f64::from);
            frame.y_ticks = places.zip(strings).collect();
        }
    }

    /// The right margin: the legend, a colour scale, names, or numbers.
    fn right_margin(&self, frame: &mut Frame, on_right: bool) -> f64 {
        let font = frame.font;
        if let Some(width) = self.notes_width(font) {
            return width + 0.8 * font + 6.0;
        }
        if let Some(critical) = self.critical() {
            return critical.sides(font, frame.width).1 + 20.0;
        }
        if self.kind == PlotKind::Heatmap {
            let right = 5.0 * font + 12.0;
            frame.scale_left = Some(frame.width - right + 10.0);
            return right;
        }
        if on_right {
            frame.legend.column_width + 8.0
        } else {
            0.7 * font + 4.0
        }
    }

    fn place_x_ticks(&self, frame: &mut Frame) {
        match &self.x.scale {
            Scale::Linear { min, max, whole } => {
                let parts = (frame.inner_width / (4.5 * frame.font)).floor().max(2.0);
                frame.x_ticks = ticks(*min, *max, parts as usize, *whole);
            }
            Scale::Names(names) => {
                let slot = self.x.slot(frame.inner_width);
                let widest = widest(names, frame.font);
                // Short names, such as numbers of topics, stay upright, and some are left out.
                let is_long = widest > 3.5 * frame.font;
                frame.is_turned = is_long && names.len() > 4 && widest + 4.0 > slot;
                let room = match (frame.is_turned, is_long) {
                    (true, _) => frame.small() * 1.15,
                    (false, true) => slot,
                    (false, false) => widest + 4.0,
                };
                let every = (room / slot).ceil().max(1.0) as usize;
                let slot = frame.sides.map_or(slot, |[left, right]| {
                    let between = frame.inner_width - left - right;
                    between.min(2.0 * left.min(right))
                });
                let (size, most) = if frame.is_turned {
                    (frame.small(), 70.0)
                } else {
                    (frame.font, slot.max(3.5 * frame.font))
                };
                let shown = names.iter().enumerate().step_by(every);
                frame.x_ticks = shown
                    .map(|(at, name)| (at as f64, shortened(name, size, most)))
                    .collect();
            }
        }
    }

    /// Computes vertical positions.
    fn place_down(
        &self,
        frame: &mut Frame,
        sheet: &Sheet,
        on_right: bool,
    ) -> Result<(), PlotError> {
        let title = frame.title.len() as f64 * (frame.font + 1.0) * 1.35;
        frame.top = 6.0 + title + self.above_height(frame);
        let axis = self.axis_height(frame);
        let rows = frame.legend.keys.len().div_ceil(frame.legend.columns);
        let legend = rows as f64 * frame.line_height();
        let (beneath, at_right) = match rows {
            _ if on_right => (0.0, legend),
            0 => (0.0, 0.0),
            _ => (legend + 4.0, 0.0),
        };
        let caption = match frame.caption.len() {
            0 => 0.0,
            lines => lines as f64 * frame.small() * 1.3 + 5.0,
        };
        let around = frame.top + axis + beneath + caption + 4.0;
        let least = self.least_height(frame).max(at_right);
        frame.inner_height = match sheet.height {
            None => self.own_height(frame).max(least),
            Some(height) => height - around,
        };
        if frame.inner_height < least {
            let needed = (around + least).ceil();
            return Err(PlotError::new(format!(
                "the figure needs a height of at least {needed} points; increase the height or the width, use fewer runs, \
                 or leave out the title and the caption"
            )));
        }
        frame.height = around + frame.inner_height;
        frame.legend.top = if on_right {
            frame.top
        } else {
            frame.top + frame.inner_height + axis
        };
        self.place_y_ticks(frame);
        Ok(())
    }

    /// Height of the label of the vertical axis, which is above it, and of the heading of numbers on the right.
    fn above_height(&self, frame: &Frame) -> f64 {
        let has_heading = self.notes_width(frame.font).is_some();
        if self.y.label.is_empty() && !has_heading {
            3.0
        } else {
            1.7 * frame.font
        }
    }

    /// Height of the ticks and the label of the horizontal axis.
    fn axis_height(&self, frame: &Frame) -> f64 {
        // The ticks of a critical difference diagram are above it.
        if self.critical().is_some() {
            return 4.0;
        }
        let label = if self.x.label.is_empty() {
            0.0
        } else {
            frame.line_height()
        };
        frame.below_ticks() + label + 4.0
    }

    /// The height that names need.
    fn least_height(&self, frame: &Frame) -> f64 {
        let rows = self.rows() as f64 * ROW * frame.font;
        let diagram = self.critical().map(|critical| critical.height(self, frame));
        LEAST_HEIGHT.max(rows).max(diagram.unwrap_or(0.0))
    }

    fn place_y_ticks(&self, frame: &mut Frame) {
        if let Scale::Linear { min, max, whole } = self.y.scale {
            let parts = (frame.inner_height / (2.6 * frame.font))
                .floor()
                .clamp(2.0, 10.0);
            frame.y_ticks = ticks(min, max, parts as usize, whole);
        }
    }

    /// Widths of the names on both sides of a slope chart: what they need, as long as lines keep a share of the width.
    fn sides(&self, frame: &Frame) -> Option<[f64; 2]> {
        let labels = self.layers.iter().find_map(|layer| match layer {
            Layer::Labels(labels) if self.kind == PlotKind::Slope => Some(labels),
            _ => None,
        })?;
        let needed = |is_left: bool| {
            let side = labels.iter().filter(|label| label.left == is_left);
            let widths = side.map(|label| label.width(frame.font) + LABEL_GAPS);
            widths.fold(LEAST_SIDE * frame.inner_width, f64::max)
        };
        let [left, right] = [needed(true), needed(false)];
        let room = (1.0 - LEAST_LINES) * frame.inner_width;
        let half = room / 2.0;
        Some(match (left > half, right > half) {
            _ if left + right <= room => [left, right],
            (true, true) => [half, half],
            (true, false) => [room - right, right],
            (false, _) => [left, room - left],
        })
    }

    /// Number of names below each other.
    fn rows(&self) -> usize {
        match self.kind {
            PlotKind::Slope => self.all_lines().count(),
            _ => self.y.len(),
        }
    }

    /// The height that suits what is shown.
    fn own_height(&self, frame: &Frame) -> f64 {
        let rows = self.rows() as f64;
        match self.kind {
            PlotKind::Box => (rows * frame.font * 2.4).max(60.0),
            PlotKind::Heatmap => (rows * frame.font * 1.6).max(50.0),
            PlotKind::Slope => (rows * frame.font * 1.5).max(0.4 * frame.width),
            PlotKind::Ranks => rows * frame.font * 1.7,
            PlotKind::Significance | PlotKind::Tau => {
                let slot = self.x.slot(frame.inner_width);
                rows * slot.clamp(ROW * frame.font, 3.4 * frame.font)
            }
            PlotKind::Scatter => frame.inner_width.min(0.75 * frame.width),
            _ => match self.critical() {
                Some(critical) => critical.height(self, frame),
                None => (0.5 * frame.width).min(0.75 * frame.inner_width),
            },
        }
    }

    /// The width of the numbers on the right of intervals.
    fn notes_width(&self, font: f64) -> Option<f64> {
        self.layers.iter().find_map(|layer| match layer {
            Layer::Intervals(intervals) => {
                let notes = intervals.rows.iter().map(|row| &row.note);
                let strings = notes.chain([&intervals.heading]);
                Some(strings.map(|text| width(text, font)).fold(0.0, f64::max))
            }
            _ => None,
        })
    }
}
