//! PNG, drawn by tiny-skia.

use flate2::Crc;
use tiny_skia::{
    Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke as Outline, StrokeDash,
    Transform,
};
use ttf_parser::OutlineBuilder;

use super::PlotError;
use super::fonts::typeface;
use super::marks::{Font, Scene, Shape, Stroke};
use super::pdf::compressed;
use super::style::{PAPER, Rgb};

/// The scene as a PNG.
pub(super) fn png(scene: &Scene, dpi: f64) -> Result<Vec<u8>, PlotError> {
    let scale = dpi / 72.0;
    let pixels = |length: f64| (length * scale).round().max(1.0) as u32;
    let size = (pixels(scene.width), pixels(scene.height));
    let pixmap = Pixmap::new(size.0, size.1)
        .ok_or_else(|| PlotError::new("not enough memory for the image"))?;
    let mut canvas = Canvas {
        pixmap,
        transform: Transform::from_scale(scale as f32, scale as f32),
    };
    canvas.pixmap.fill(colour(PAPER, 1.0));
    for shape in &scene.shapes {
        canvas.draw(shape);
    }
    Ok(encoded(&canvas.pixmap, dpi))
}

struct Canvas {
    pixmap: Pixmap,
    transform: Transform,
}

impl Canvas {
    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Open { .. } | Shape::Close => {}
            Shape::Line { points, stroke } => self.stroke(polygon(points, false), *stroke),
            Shape::Area {
                points,
                fill,
                opacity,
            } => self.fill(polygon(points, true), *fill, *opacity),
            Shape::Rect {
                corner,
                size,
                fill,
                edge,
            } => {
                let rect = rectangle(*corner, *size);
                self.fill(rect.clone(), *fill, 1.0);
                if let Some(edge) = edge {
                    self.stroke(rect, *edge);
                }
            }
            Shape::Circle {
                centre,
                radius,
                fill,
                opacity,
            } => {
                let (x, y) = (centre.0 as f32, centre.1 as f32);
                let circle = PathBuilder::from_circle(x, y, *radius as f32);
                self.fill(circle, *fill, *opacity);
            }
            Shape::Text { at, text, font } => self.fill(glyphs(*at, text, *font), font.rgb, 1.0),
        }
    }

    fn fill(&mut self, path: Option<Path>, rgb: Rgb, opacity: f64) {
        let Some(path) = path.filter(|_| opacity > 0.0) else {
            return;
        };
        let (paint, rule) = (paint(rgb, opacity), FillRule::Winding);
        self.pixmap
            .fill_path(&path, &paint, rule, self.transform, None);
    }

    fn stroke(&mut self, path: Option<Path>, stroke: Stroke) {
        let Some(path) = path else { return };
        let mut lengths: Vec<f32> = stroke.lengths().map(|length| length as f32).collect();
        if lengths.len() % 2 == 1 {
            lengths.extend(lengths.clone());
        }
        let outline = Outline {
            width: stroke.width as f32,
            dash: StrokeDash::new(lengths, 0.0),
            ..Outline::default()
        };
        let paint = paint(stroke.rgb, 1.0);
        self.pixmap
            .stroke_path(&path, &paint, &outline, self.transform, None);
    }
}

fn polygon(points: &[(f64, f64)], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if at == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if closed {
        path.close();
    }
    path.finish()
}

fn rectangle(corner: (f64, f64), size: (f64, f64)) -> Option<Path> {
    let (x, y) = (corner.0 as f32, corner.1 as f32);
    let rect = Rect::from_xywh(x, y, size.0 as f32, size.1 as f32)?;
    Some(PathBuilder::from_rect(rect))
}

/// The outlines of all glyphs of a string.
fn glyphs(at: (f64, f64), text: &str, font: Font) -> Option<Path> {
    let typeface = typeface(font.bold);
    let scale = (font.size / typeface.units()) as f32;
    let (start, [a, b, c, d]) = (font.start(at, text), font.directions());
    let mut pen = GlyphPen {
        path: PathBuilder::new(),
        origin: (start.0 as f32, start.1 as f32),
        right: (a as f32 * scale, b as f32 * scale),
        up: (c as f32 * scale, d as f32 * scale),
    };
    for character in text.chars() {
        let glyph = typeface.glyph(character);
        typeface.outline(glyph, &mut pen);
        let advance = (typeface.advance(glyph) * typeface.units()) as f32;
        pen.origin = pen.at(advance, 0.0);
    }
    pen.path.finish()
}

/// Places the outline of a glyph, which is in units of the font with y upwards.
struct GlyphPen {
    path: PathBuilder,
    origin: (f32, f32),
    right: (f32, f32),
    up: (f32, f32),
}

impl GlyphPen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.origin.0 + x * self.right.0 + y * self.up.0,
            self.origin.1 + x * self.right.1 + y * self.up.1,
        )
    }
}

impl OutlineBuilder for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

fn colour((red, green, blue): Rgb, opacity: f64) -> Color {
    let alpha = (opacity.clamp(0.0, 1.0) * 255.0).round() as u8;
    Color::from_rgba8(red, green, blue, alpha)
}

fn paint(rgb: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour(rgb, opacity));
    paint
}

/// A PNG file of 8-bit RGB pixels: the paper is opaque, so alpha is not stored.
fn encoded(pixmap: &Pixmap, dpi: f64) -> Vec<u8> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    chunk(*b"IHDR", &header, &mut out);
    let per_metre = ((dpi / 0.0254).round() as u32).to_be_bytes();
    let mut density = [per_metre, per_metre].concat();
    density.push(1);
    chunk(*b"pHYs", &density, &mut out);
    let mut data = Vec::with_capacity((3 * width as usize + 1) * height as usize);
    for row in pixmap.data().chunks_exact(4 * width as usize) {
        // Filter 0: plain bytes, which suit large areas of one colour.
        data.push(0);
        data.extend(row.chunks_exact(4).flat_map(|pixel| &pixel[..3]));
    }
    chunk(*b"IDAT", &compressed(&data), &mut out);
    chunk(*b"IEND", &[], &mut out);
    out
}

fn chunk(kind: [u8; 4], data: &[u8], out: &mut Vec<u8>) {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    out.extend((data.len() as u32).to_be_bytes());
    out.extend(kind);
    out.extend(data);
    out.extend(sum.sum().to_be_bytes());
}
