//! A matrix of cells with text, such as p-values of all pairs of runs.

use serde_json::{Value, json};

use super::draw::Drawing;
use super::marks::{Anchor, Font};
use super::metrics::width;
use super::style::{INK, PAPER, Rgb, hex};
use super::{Axis, Plot};

/// Font sizes in cells, largest first. A cell that is too small for the last one has no text.
const SIZES: [f64; 5] = [9.0, 8.0, 7.0, 6.0, 5.0];

/// Cells with text: rows are the names of the vertical axis, columns those of the horizontal one.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The cells, in any order.
    pub cells: Vec<MatrixCell>,
    /// Meaning of colours.
    pub keys: Vec<(Tone, String)>,
}

/// One cell.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixCell {
    /// Position on the vertical axis, from 0.
    pub row: usize,
    /// Position on the horizontal axis, from 0.
    pub column: usize,
    /// Its colour.
    pub tone: Tone,
    /// Its lines of text, of which only the first or none is shown if there is not enough room.
    pub lines: Vec<String>,
    /// Its tooltip.
    pub title: String,
}

/// The colour of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tone {
    /// The colour of the paper.
    Plain,
    /// One of four shades, from 0, which is grey, to 3, the darkest.
    Class(u8),
    /// A share from 0 to 1, from light to dark blue.
    Cool(f64),
    /// A share from 0 to 1, from light to dark orange.
    Warm(f64),
}

/// Colours of text in cells, which like those of cells do not depend on the theme.
const ON_LIGHT: Rgb = (0x11, 0x11, 0x11);
const ON_DARK: Rgb = (0xfe, 0xfe, 0xfe);

const CLASSES: [Rgb; 4] = [
    (0xec, 0xec, 0xec),
    (0xb9, 0xd9, 0xee),
    (0x4a, 0x9c, 0xcf),
    (0x00, 0x4b, 0x76),
];
const COOL: [Rgb; 3] = [(0xf2, 0xf7, 0xfb), (0x6f, 0xb1, 0xdb), (0x00, 0x4b, 0x76)];
const WARM: [Rgb; 3] = [(0xfd, 0xf4, 0xec), (0xee, 0x9a, 0x50), (0x8f, 0x3f, 0x00)];

impl Tone {
    pub(super) fn rgb(self) -> Rgb {
        match self {
            Self::Plain => PAPER,
            Self::Class(class) => CLASSES[usize::from(class).min(CLASSES.len() - 1)],
            Self::Cool(share) => ramp(COOL, share),
            Self::Warm(share) => ramp(WARM, share),
        }
    }

    /// The colour of text on it.
    fn text(self) -> Rgb {
        let (red, green, blue) = self.rgb();
        let luma = 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
        match self {
            Self::Plain => INK,
            _ if luma < 140.0 => ON_DARK,
            _ => ON_LIGHT,
        }
    }
}

/// Interpolates between three colours.
fn ramp([from, middle, to]: [Rgb; 3], share: f64) -> Rgb {
    let share = share.clamp(0.0, 1.0);
    let (from, to, part) = if share < 0.5 {
        (from, middle, 2.0 * share)
    } else {
        (middle, to, 2.0 * share - 1.0)
    };
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    (mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

impl Matrix {
    /// The font size and the number of lines in cells of this size.
    fn fit(&self, (across, down): (f64, f64)) -> Option<(f64, usize)> {
        let lines = self.cells.iter().map(|cell| cell.lines.len()).max()?;
        let first_lines = |shown| {
            let cells = self.cells.iter();
            cells.flat_map(move |cell| cell.lines.iter().take(shown))
        };
        let fits = |size: f64, shown: usize| {
            let high = shown as f64 * 1.15 * size <= down;
            high && first_lines(shown).all(|text| is_narrow(text, size, across))
        };
        let whole = (1..=lines).rev().find_map(|shown| {
            let mut sizes = SIZES.into_iter();
            // Several lines must be easy to read, or only the first is shown.
            let size = sizes.find(|size| fits(*size, shown) && (shown == 1 || *size >= 6.0));
            size.map(|size| (size, shown))
        });
        // A few long strings, such as those of the smallest p-values, are left out for the sake of the others.
        let [.., smallest] = SIZES;
        let narrow = first_lines(1)
            .filter(|text| is_narrow(text, smallest, across))
            .count();
        let most = 2 * narrow > self.cells.len() && 1.15 * smallest <= down;
        whole.or(most.then_some((smallest, 1)))
    }
}

/// Whether a string fits into a cell of this width.
fn is_narrow(text: &str, size: f64, across: f64) -> bool {
    width(text, size) <= across - 2.0
}

impl Drawing<'_> {
    pub(super) fn matrix(&mut self, matrix: &Matrix) {
        let across = self.plot.x.slot(self.frame.inner_width);
        let down = self.plot.y.slot(self.frame.inner_height);
        let fit = matrix.fit((across, down));
        for cell in &matrix.cells {
            let (x, y) = self.at(cell.column as f64, cell.row as f64);
            self.scene.open(Some(&cell.title), None, "point");
            // A gap between cells.
            let seam = (0.04 * across.min(down)).min(0.8);
            let corner = (x - 0.5 * across + 0.5 * seam, y - 0.5 * down + 0.5 * seam);
            let size = (across - seam, down - seam);
            self.scene.rect(corner, size, cell.tone.rgb(), None);
            if let Some((size, shown)) = fit {
                let lines = cell.lines.iter().take(shown);
                let lines = lines.filter(|text| is_narrow(text, size, across));
                let lines: Vec<&String> = lines.collect();
                let first = y + 0.36 * size - 0.575 * size * (lines.len() as f64 - 1.0);
                for (nth, line) in lines.into_iter().enumerate() {
                    let font = Font::new(size, cell.tone.text(), Anchor::Middle);
                    let place = (x, first + nth as f64 * 1.15 * size);
                    self.scene.text(place, line, font);
                }
            }
            self.scene.close();
        }
    }
}

impl Plot {
    pub(super) fn vega_matrix(&self, matrix: &Matrix) -> Vec<Value> {
        let name = |axis: &Axis, at: usize| axis.text(at as f64);
        let values = matrix.cells.iter().map(|cell| {
            json!({"x": name(&self.x, cell.column), "y": name(&self.y, cell.row),
                   "colour": hex(cell.tone.rgb()), "ink": hex(cell.tone.text()),
                   "text": cell.lines.first(), "title": cell.title})
        });
        let values: Vec<Value> = values.collect();
        let layer = |mark: Value, channel: &str, more: Option<&str>| {
            let mut encoding = self.encoding();
            let colour = json!({"field": channel, "type": "nominal", "scale": null});
            encoding.insert("color".into(), colour);
            encoding.insert("tooltip".into(), json!({"field": "title"}));
            if let Some(text) = more {
                encoding.insert("text".into(), json!({"field": text}));
            }
            json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
        };
        vec![
            layer(json!("rect"), "colour", None),
            layer(json!({"type": "text", "fontSize": 7}), "ink", Some("text")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_shrinks_then_disappears() {
        let cell = MatrixCell {
            row: 0,
            column: 0,
            tone: Tone::Class(3),
            lines: vec![".031".into(), "d 0.42".into()],
            title: String::new(),
        };
        let mut matrix = Matrix {
            cells: vec![cell.clone()],
            keys: Vec::new(),
        };
        assert_eq!(matrix.fit((100.0, 40.0)), Some((9.0, 2)));
        // The two lines need 6 points at least, and are 22 points wide then.
        assert_eq!(matrix.fit((20.0, 20.0)), Some((8.0, 1)));
        assert_eq!(matrix.fit((14.0, 14.0)), Some((5.0, 1)));
        assert_eq!(matrix.fit((8.0, 8.0)), None);
        let long = MatrixCell {
            lines: vec!["<.001".into()],
            ..cell.clone()
        };
        matrix.cells.extend([cell, long]);
        assert_eq!(matrix.fit((15.0, 15.0)), Some((5.0, 1)));
    }

    #[test]
    fn text_is_light_on_dark_cells() {
        assert_eq!(Tone::Class(3).text(), ON_DARK);
        assert_eq!(Tone::Class(0).text(), ON_LIGHT);
        assert_eq!(Tone::Warm(f64::NAN).rgb(), Tone::Warm(f64::NAN).rgb());
        assert_eq!(Tone::Class(200).rgb(), CLASSES[3]);
    }
}
