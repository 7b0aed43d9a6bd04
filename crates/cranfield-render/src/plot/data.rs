//! The data of a figure as a table.

use super::{Axis, Band, Cells, Layer, Line, Plot, Points, Scale};
use crate::{Cell, Column, Table};

impl Plot {
    /// The data of the figure.
    pub fn data(&self) -> Table {
        let given = self.layers.iter().find_map(|layer| match layer {
            Layer::Data(table) => Some(table.clone()),
            _ => None,
        });
        if let Some(table) = given {
            return table;
        }
        let found = self.layers.iter().find_map(|layer| match layer {
            Layer::Cells(cells) => Some(self.cells(cells)),
            Layer::Boxes(_) => Some(self.boxes()),
            Layer::Bars(bars) => Some(self.bars(&bars.values)),
            Layer::Points(points) => Some(self.points(points)),
            _ => None,
        });
        found.unwrap_or_else(|| self.lines())
    }

    fn cells(&self, cells: &Cells) -> Table {
        let mut table = Table::new([
            Column::text(&self.y.field),
            Column::text(&self.x.field),
            Column::number(&cells.field),
        ]);
        let columns = self.x.len();
        for (at, value) in cells.values.iter().enumerate() {
            let (row, column) = (at / columns.max(1), at % columns.max(1));
            table.push([
                self.y.cell(row as f64),
                self.x.cell(column as f64),
                Cell::real(*value),
            ]);
        }
        table
    }

    fn boxes(&self) -> Table {
        let mut table = Table::new([
            Column::text(&self.series),
            Column::text("topic"),
            Column::number(&self.x.field),
        ]);
        for layer in &self.layers {
            let Layer::Boxes(boxes) = layer else { continue };
            for shown in boxes {
                for (name, value) in &shown.values {
                    table.push([
                        Cell::text(&shown.name),
                        Cell::text(name),
                        Cell::Real(*value),
                    ]);
                }
            }
        }
        table
    }

    fn bars(&self, values: &[Option<f64>]) -> Table {
        let mut table = Table::new([Column::text(&self.x.field), Column::number(&self.y.field)]);
        for (at, value) in values.iter().enumerate() {
            table.push([self.x.cell(at as f64), Cell::real(*value)]);
        }
        table
    }

    fn points(&self, points: &Points) -> Table {
        let mut table = Table::new([
            Column::text(&points.field),
            self.x.column(),
            self.y.column(),
        ]);
        let layers = self.layers.iter().filter_map(|layer| match layer {
            Layer::Points(points) => Some(&points.points),
            _ => None,
        });
        for point in layers.flatten() {
            table.push([
                Cell::text(&point.name),
                self.x.cell(point.x),
                self.y.cell(point.y),
            ]);
        }
        table
    }

    /// The lines, each with the limits of its band.
    fn lines(&self) -> Table {
        let has_bands = self
            .layers
            .iter()
            .any(|layer| matches!(layer, Layer::Band(_)));
        let mut columns = vec![Column::text(&self.series), self.x.column(), self.y.column()];
        if has_bands {
            columns.extend([Column::number("low"), Column::number("high")]);
        }
        let mut table = Table::new(columns);
        for line in self.all_lines() {
            let band = self.band_of(line);
            for (at, [x, y]) in line.points.iter().enumerate() {
                let limits = band.and_then(|band| band.points.get(at));
                let limits = limits.filter(|[place, ..]| place == x);
                table.push([
                    Cell::text(&line.name),
                    self.x.cell(*x),
                    self.y.cell(*y),
                    Cell::real(limits.map(|limits| limits[1])),
                    Cell::real(limits.map(|limits| limits[2])),
                ]);
            }
        }
        table
    }

    pub(super) fn all_lines(&self) -> impl Iterator<Item = &Line> {
        self.layers.iter().filter_map(|layer| match layer {
            Layer::Line(line) => Some(line),
            _ => None,
        })
    }

    fn band_of(&self, line: &Line) -> Option<&Band> {
        self.layers.iter().find_map(|layer| match layer {
            Layer::Band(band) if band.name == line.name => Some(band),
            _ => None,
        })
    }
}

impl Axis {
    /// Number of names.
    pub(super) fn len(&self) -> usize {
        match &self.scale {
            Scale::Names(names) => names.len(),
            Scale::Linear { .. } => 0,
        }
    }

    fn column(&self) -> Column {
        match self.scale {
            Scale::Names(_) => Column::text(&self.field),
            Scale::Linear { .. } => Column::number(&self.field),
        }
    }

    /// The name at a position, or the number itself.
    fn cell(&self, at: f64) -> Cell {
        match &self.scale {
            Scale::Names(names) => {
                let name = names.get(at as usize);
                name.map_or(Cell::Missing, Cell::text)
            }
            Scale::Linear { whole: true, .. } if at.fract() == 0.0 && at.abs() < 1e15 => {
                Cell::Int(at as i64)
            }
            Scale::Linear { .. } => Cell::real(Some(at)),
        }
    }

    /// The name at a position, or the number with four decimals.
    pub(super) fn text(&self, at: f64) -> String {
        self.cell(at).rounded(4, "–")
    }
}
