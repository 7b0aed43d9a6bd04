//! Names next to points, where there is room.

use super::draw::Drawing;
use super::marks::{Anchor, Font};
use super::metrics::width;
use super::style::INK;
use super::{Layer, Point, Points};

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Area([f64; 4]);

impl Area {
    fn meets(self, other: Self) -> bool {
        let (Self([left, top, right, bottom]), Self(other)) = (self, other);
        left < other[2] && other[0] < right && top < other[3] && other[1] < bottom
    }

    fn is_inside(self, outer: Self) -> bool {
        let (Self(inner), Self(outer)) = (self, outer);
        inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
    }
}

impl Drawing<'_> {
    /// Writes the name of each point at the first of four sides that is free. A name without room is left out.
    pub(super) fn point_labels(&mut self) {
        let layers = self.plot.layers.iter();
        let layers: Vec<&Points> = layers
            .filter_map(|layer| match layer {
                Layer::Points(points) if points.labelled => Some(points),
                _ => None,
            })
            .collect();
        let frame = &self.frame;
        let (right, bottom) = (self.right(), frame.top + frame.inner_height);
        let inside = Area([frame.left, frame.top, right, bottom]);
        let (size, mut taken) = (frame.small(), Vec::new());
        for points in &layers {
            let r = self.radius(points);
            let markers = points
                .points
                .iter()
                .map(|Point { x, y, .. }| self.at(*x, *y));
            taken.extend(markers.map(|(x, y)| Area([x - r, y - r, x + r, y + r])));
        }
        for points in layers {
            let gap = self.radius(points) + 2.0;
            for Point { x, y, name } in &points.points {
                let sides = sides(self.at(*x, *y), gap, width(name, size), size);
                let free = sides.into_iter().find(|(area, ..)| {
                    area.is_inside(inside) && taken.iter().all(|other| !area.meets(*other))
                });
                if let Some((area, place, anchor)) = free {
                    taken.push(area);
                    self.scene.text(place, name, Font::new(size, INK, anchor));
                }
            }
        }
    }
}

/// Right of a point, left of it, above and below: the area of a name there, its position and its anchor.
fn sides((x, y): (f64, f64), gap: f64, width: f64, size: f64) -> [(Area, (f64, f64), Anchor); 4] {
    let side = |left: f64, base: f64, at: f64, anchor: Anchor| {
        let area = Area([left, base - 0.8 * size, left + width, base + 0.25 * size]);
        (area, (at, base), anchor)
    };
    let (level, middle) = (y + 0.35 * size, x - 0.5 * width);
    [
        side(x + gap, level, x + gap, Anchor::Start),
        side(x - gap - width, level, x - gap, Anchor::End),
        side(middle, y - gap - 0.25 * size, x, Anchor::Middle),
        side(middle, y + gap + 0.8 * size, x, Anchor::Middle),
    ]
}
