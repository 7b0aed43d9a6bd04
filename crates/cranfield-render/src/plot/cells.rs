//! Coloured cells, runs by topics.

use super::Cells;
use super::draw::Drawing;
use super::marks::{Anchor, Font, Stroke};
use super::style::{GREY, INK, PAPER, shade};

impl Drawing<'_> {
    pub(super) fn cells(&mut self, cells: &Cells) {
        let columns = self.plot.x.len().max(1);
        let width = self.plot.x.slot(self.frame.inner_width);
        let height = self.plot.y.slot(self.frame.inner_height);
        let plot = self.plot;
        let corner = (self.frame.left, self.frame.top);
        self.scene.open_grid(corner, (width, height), columns);
        for (at, value) in cells.values.iter().enumerate() {
            let (row, column) = ((at / columns) as f64, (at % columns) as f64);
            let (x, y) = self.at(column, row);
            let corner = (x - 0.5 * width, y - 0.5 * height);
            let names = (plot.y.text(row), plot.x.text(column));
            if let Some(value) = value {
                let title = format!("{}, {}: {}", names.0, names.1, crate::rounded(*value, 4));
                let share = (value - cells.min) / (cells.max - cells.min);
                self.scene.open(Some(&title), None, "point");
                // A little larger than its place, so that there are no gaps between cells.
                let size = (width + 0.3, height + 0.3);
                self.scene.rect(corner, size, shade(share), None);
            } else {
                let title = format!("{}, {}: no value", names.0, names.1);
                self.scene.open(Some(&title), None, "point");
                self.missing(corner, (width, height));
            }
            self.scene.close();
        }
        self.scene.close();
        self.colours(cells);
    }

    /// An empty cell with a cross.
    pub(super) fn missing(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.scene.rect((x, y), (width, height), PAPER, None);
        let stroke = Stroke::solid(GREY, 0.6);
        self.scene.line(&[(x, y), (x + width, y + height)], stroke);
        self.scene.line(&[(x, y + height), (x + width, y)], stroke);
    }

    /// The colour scale.
    fn colours(&mut self, cells: &Cells) {
        let Some(left) = self.frame.scale_left else {
            return;
        };
        let (font, top) = (self.frame.font, self.frame.top);
        let height = self.frame.inner_height.min(12.0 * font);
        let steps = 40;
        let step = height / f64::from(steps);
        for nth in 0..steps {
            let share = 1.0 - (f64::from(nth) + 0.5) / f64::from(steps);
            let y = top + f64::from(nth) * step;
            self.scene
                .rect((left, y), (font, step + 0.3), shade(share), None);
        }
        let parts = (height / (2.2 * font)).floor().clamp(1.0, 5.0) as usize;
        for (value, text) in super::ticks::ticks(cells.min, cells.max, parts, false) {
            let share = (value - cells.min) / (cells.max - cells.min);
            let y = top + (1.0 - share) * height;
            let at = left + font;
            self.scene
                .line(&[(at, y), (at + 2.5, y)], Stroke::solid(GREY, 0.8));
            let style = Font::new(font, INK, Anchor::Start);
            self.scene.text((at + 4.0, y + 0.35 * font), &text, style);
        }
    }
}
