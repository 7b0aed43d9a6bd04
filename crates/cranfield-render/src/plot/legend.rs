//! The legend.

use super::layout::Frame;
use super::metrics::{shortened, width};
use super::style::{ABOVE, BELOW, Rgb, SERIES};
use super::{Ink, Layer, Line, Look, Plot, PlotKind};
use crate::plural;

/// Most entries of a legend, which counts the others.
const MOST_KEYS: usize = 60;

/// An entry of the legend.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) text: String,
    pub(super) sample: Sample,
}

/// The symbol of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sample {
    Line(Ink, Look),
    Point(Ink),
    Square(Rgb),
    Missing,
    Nothing,
}

/// The legend and its place.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    pub(super) keys: Vec<Key>,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) columns: usize,
    pub(super) column_width: f64,
}

/// Shortens the entries of the legend. Returns whether the legend is on the right of the plot.
pub(super) fn place_keys(frame: &mut Frame) -> bool {
    let (font, total) = (frame.font, frame.width);
    let keys = &mut frame.legend.keys;
    let has_series = |key: &Key| matches!(key.sample, Sample::Line(..) | Sample::Point(_));
    let on_right = total >= 400.0 && keys.len() > 1 && keys.iter().any(has_series);
    let most = match keys.len() {
        _ if on_right => 0.24 * total,
        0..=6 => 0.9 * total - 30.0,
        // Many entries are in two columns, even if names are cut.
        _ => 0.5 * (total - 16.0) - 3.2 * font - 8.0,
    };
    for key in keys.iter_mut() {
        key.text = shortened(&key.text, font, most);
    }
    let widths = keys.iter().map(|key| width(&key.text, font));
    frame.legend.column_width = 3.2 * font + widths.fold(0.0, f64::max) + 8.0;
    on_right
}

impl Plot {
    /// The lines in the legend. If colours repeat, they are in the order of their right ends, except those by recall, which
    /// meet there.
    fn keyed_lines(&self) -> Vec<&Line> {
        let mut lines: Vec<&Line> = self.all_lines().collect();
        if self.kind == PlotKind::Slope {
            lines.clear();
        }
        if lines.len() > SERIES.len() && self.kind != PlotKind::Pr {
            let end = |line: &Line| {
                line.points
                    .last()
                    .map_or(f64::NEG_INFINITY, |point| point[1])
            };
            lines.sort_by(|one, other| end(other).total_cmp(&end(one)));
        }
        lines
    }

    pub(super) fn keys(&self) -> Vec<Key> {
        let (muted, lines): (Vec<&Line>, Vec<&Line>) = self
            .keyed_lines()
            .into_iter()
            .partition(|line| line.ink == Ink::Muted);
        let lines = lines.into_iter().map(|line| Key {
            text: line.name.clone(),
            sample: Sample::Line(line.ink, line.look),
        });
        let mut keys: Vec<Key> = lines.collect();
        keys.extend(muted.first().map(|line| Key {
            text: plural(muted.len(), "other"),
            sample: Sample::Line(line.ink, line.look),
        }));
        for layer in &self.layers {
            match layer {
                Layer::Points(points) => keys.extend(points.key.as_ref().map(|name| Key {
                    text: name.clone(),
                    sample: Sample::Point(points.ink),
                })),
                Layer::Bars(bars) => {
                    let sides = [(&bars.above, ABOVE), (&bars.below, BELOW)];
                    keys.extend(sides.map(|(text, rgb)| Key {
                        text: text.clone(),
                        sample: Sample::Square(rgb),
                    }));
                }
                Layer::Cells(cells) if cells.values.contains(&None) => keys.push(Key {
                    text: "no value".into(),
                    sample: Sample::Missing,
                }),
                Layer::Matrix(matrix) => keys.extend(matrix.keys.iter().map(|(tone, text)| Key {
                    text: text.clone(),
                    sample: Sample::Square(tone.rgb()),
                })),
                _ => {}
            }
        }
        if keys.len() > MOST_KEYS {
            let more = keys.len() - MOST_KEYS;
            keys.truncate(MOST_KEYS);
            keys.push(Key {
                text: format!("and {more} more"),
                sample: Sample::Nothing,
            });
        }
        keys
    }
}
