//! PDF, with the glyphs that it uses as a subset of the font, so that text can be selected and searched.

use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::GlyphRemapper;

use super::fonts::typeface;
use super::marks::{Font, Scene, Shape, Stroke};
use super::style::{PAPER, Rgb};
use super::{Plot, PlotError};

/// How far control points are from the ends of a quarter of a circle of radius 1.
const QUARTER: f64 = 0.552_284_75;

const SYSTEM: SystemInfo = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
/// The first of five objects of the regular weight, which those of the bold one follow.
const FONTS: [i32; 2] = [6, 11];

impl Plot {
    /// The scene as a PDF of one page.
    pub(super) fn pdf(&self, scene: &Scene) -> Result<Vec<u8>, PlotError> {
        let page = Page::new(scene);
        let mut pdf = Pdf::new();
        pdf.catalog(CATALOG).pages(PAGES);
        pdf.pages(PAGES).kids([PAGE]).count(1);
        page.write(&mut pdf, scene);
        for (at, used) in page.fonts.iter().enumerate() {
            used.write(&mut pdf, at)?;
        }
        let mut info = pdf.document_info(INFO);
        info.title(TextStr(&self.title));
        info.subject(TextStr(&self.caption));
        info.creator(TextStr("Cranfield"));
        info.finish();
        Ok(pdf.finish())
    }
}

/// The content of the page and what it refers to.
struct Page {
    content: Content,
    /// Opacities, in percent.
    opacities: Vec<u8>,
    /// Glyphs of the regular and of the bold weight.
    fonts: [UsedGlyphs; 2],
}

impl Page {
    fn new(scene: &Scene) -> Self {
        let mut page = Self {
            content: Content::new(),
            opacities: Vec::new(),
            fonts: [UsedGlyphs::new(false), UsedGlyphs::new(true)],
        };
        // The scene has its origin at the top.
        let turned = [1.0, 0.0, 0.0, -1.0, 0.0, scene.height as f32];
        page.content.transform(turned).set_miter_limit(4.0);
        page.rect((0.0, 0.0), (scene.width, scene.height), PAPER, None);
        for shape in &scene.shapes {
            page.draw(shape);
        }
        page
    }

    fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Open { .. } | Shape::Close => {}
            Shape::Line { points, stroke } => {
                self.set_stroke(*stroke);
                self.path(points);
                self.content.stroke();
            }
            Shape::Area {
                points,
                fill,
                opacity,
            } => self.filled(*fill, *opacity, |page| {
                page.path(points);
                page.content.close_path();
            }),
            Shape::Rect {
                corner,
                size,
                fill,
                edge,
            } => self.rect(*corner, *size, *fill, *edge),
            Shape::Circle {
                centre,
                radius,
                fill,
                opacity,
            } => self.filled(*fill, *opacity, |page| page.circle(*centre, *radius)),
            Shape::Text { at, text, font } => self.text(*at, text, *font),
        }
    }

    fn set_fill(&mut self, rgb: Rgb) {
        let [red, green, blue] = parts(rgb);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn set_stroke(&mut self, stroke: Stroke) {
        let [red, green, blue] = parts(stroke.rgb);
        self.content
            .set_stroke_rgb(red, green, blue)
            .set_line_width(stroke.width as f32)
            .set_dash_pattern(stroke.lengths().map(|length| length as f32), 0.0);
    }

    fn path(&mut self, points: &[(f64, f64)]) {
        for (at, (x, y)) in points.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if at == 0 {
                self.content.move_to(x, y);
            } else {
                self.content.line_to(x, y);
            }
        }
    }

    /// Fills an outline.
    fn filled(&mut self, rgb: Rgb, opacity: f64, outline: impl FnOnce(&mut Self)) {
        let percent = (100.0 * opacity.clamp(0.0, 1.0)).round() as u8;
        if percent == 0 {
            return;
        }
        self.set_fill(rgb);
        if percent < 100 {
            if !self.opacities.contains(&percent) {
                self.opacities.push(percent);
            }
            self.content.save_state();
            self.content
                .set_parameters(Name(opacity_name(percent).as_bytes()));
        }
        outline(self);
        self.content.fill_nonzero();
        if percent < 100 {
            self.content.restore_state();
        }
    }

    fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: Rgb, edge: Option<Stroke>) {
        self.set_fill(fill);
        if let Some(edge) = edge {
            self.set_stroke(edge);
        }
        let [x, y, width, height] =
            [corner.0, corner.1, size.0, size.1].map(|length| length as f32);
        self.content.rect(x, y, width, height);
        if edge.is_some() {
            self.content.fill_nonzero_and_stroke();
        } else {
            self.content.fill_nonzero();
        }
    }

    /// Four Bézier curves.
    fn circle(&mut self, (x, y): (f64, f64), r: f64) {
        let at = |dx: f64, dy: f64| ((x + dx * r) as f32, (y + dy * r) as f32);
        let (start_x, start_y) = at(1.0, 0.0);
        self.content.move_to(start_x, start_y);
        let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
        for pair in corners.windows(2) {
            let ((from_x, from_y), (to_x, to_y)) = (pair[0], pair[1]);
            let (x1, y1) = at(from_x + QUARTER * to_x, from_y + QUARTER * to_y);
            let (x2, y2) = at(to_x + QUARTER * from_x, to_y + QUARTER * from_y);
            let (x3, y3) = at(to_x, to_y);
            self.content.cubic_to(x1, y1, x2, y2, x3, y3);
        }
        self.content.close_path();
    }

    fn text(&mut self, at: (f64, f64), text: &str, font: Font) {
        self.set_fill(font.rgb);
        let (x, y) = font.start(at, text);
        let [a, b, c, d] = font.directions();
        let glyphs = &mut self.fonts[usize::from(font.bold)];
        let codes: Vec<u8> = text
            .chars()
            .flat_map(|character| glyphs.code(character).to_be_bytes())
            .collect();
        self.content
            .begin_text()
            .set_font(Name(font_name(font.bold)), font.size as f32)
            .set_text_matrix([a, b, c, d, x, y].map(|part| part as f32))
            .show(Str(&codes))
            .end_text();
    }

    fn write(&self, pdf: &mut Pdf, scene: &Scene) {
        let mut page = pdf.page(PAGE);
        page.parent(PAGES).contents(CONTENT);
        page.media_box(Rect::new(0.0, 0.0, scene.width as f32, scene.height as f32));
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (bold, first) in [false, true].into_iter().zip(FONTS) {
            fonts.pair(Name(font_name(bold)), Ref::new(first));
        }
        fonts.finish();
        let mut states = resources.ext_g_states();
        for percent in &self.opacities {
            let mut state = states
                .insert(Name(opacity_name(*percent).as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState>();
            state.non_stroking_alpha(f32::from(*percent) / 100.0);
        }
        states.finish();
        resources.finish();
        page.finish();
        let content = compressed(self.content.as_bytes());
        pdf.stream(CONTENT, &content).filter(Filter::FlateDecode);
    }
}

/// The characters of a weight that a page shows.
struct UsedGlyphs {
    bold: bool,
    glyphs: GlyphRemapper,
    /// By code.
    characters: BTreeMap<u16, char>,
}

impl UsedGlyphs {
    fn new(bold: bool) -> Self {
        Self {
            bold,
            glyphs: GlyphRemapper::new(),
            characters: BTreeMap::new(),
        }
    }

    /// The code of a character, which is the number of its glyph in the subset.
    fn code(&mut self, character: char) -> u16 {
        let code = self.glyphs.remap(typeface(self.bold).glyph(character).0);
        self.characters.entry(code).or_insert(character);
        code
    }

    /// The five objects of a composite font: the font, its descendant, the descriptor, the mapping to Unicode, and the file.
    fn write(&self, pdf: &mut Pdf, at: usize) -> Result<(), PlotError> {
        let [font, cid, descriptor, unicode, file] =
            [0, 1, 2, 3, 4].map(|nth| Ref::new(FONTS[at] + nth));
        let typeface = typeface(self.bold);
        let subset = subsetter::subset(typeface.bytes, 0, &self.glyphs)
            .map_err(|error| PlotError::new(format!("cannot embed the font: {error}")))?;
        // Six letters mark a subset.
        let name: &[u8] = if self.bold {
            b"CRANFB+DejaVuSans-Bold"
        } else {
            b"CRANFR+DejaVuSans"
        };
        pdf.type0_font(font)
            .base_font(Name(name))
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(unicode);
        let mut descendant = pdf.cid_font(cid);
        descendant
            .subtype(CidFontType::Type2)
            .base_font(Name(name))
            .system_info(SYSTEM)
            .font_descriptor(descriptor)
            .cid_to_gid_map_predefined(Name(b"Identity"));
        let glyphs = self.glyphs.remapped_gids();
        let widths =
            glyphs.map(|glyph| 1000.0 * typeface.advance(ttf_parser::GlyphId(glyph)) as f32);
        descendant.widths().consecutive(0, widths);
        descendant.finish();
        self.describe(pdf, descriptor, Name(name), file);
        let mut map = UnicodeCmap::new(Name(b"Unicode"), SYSTEM);
        for (code, character) in &self.characters {
            map.pair(*code, *character);
        }
        pdf.stream(unicode, &compressed(map.finish().as_slice()))
            .filter(Filter::FlateDecode);
        pdf.stream(file, &compressed(&subset))
            .filter(Filter::FlateDecode);
        Ok(())
    }

    fn describe(&self, pdf: &mut Pdf, id: Ref, name: Name<'_>, file: Ref) {
        let face = &typeface(self.bold).face;
        let em = |units: i16| 1000.0 * f32::from(units) / f32::from(face.units_per_em());
        let bounds = face.global_bounding_box();
        pdf.font_descriptor(id)
            .name(name)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(
                em(bounds.x_min),
                em(bounds.y_min),
                em(bounds.x_max),
                em(bounds.y_max),
            ))
            .italic_angle(0.0)
            .ascent(em(face.ascender()))
            .descent(em(face.descender()))
            .cap_height(em(face.capital_height().unwrap_or(face.ascender())))
            .stem_v(if self.bold { 165.0 } else { 90.0 })
            .font_file2(file);
    }
}

fn font_name(bold: bool) -> &'static [u8] {
    if bold { b"B" } else { b"R" }
}

fn opacity_name(percent: u8) -> String {
    format!("O{percent}")
}

fn parts((red, green, blue): Rgb) -> [f32; 3] {
    [red, green, blue].map(|part| f32::from(part) / 255.0)
}

/// Bytes as a zlib stream.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes)
        .and_then(|()| out.finish())
        .expect("writing to memory does not fail")
}
