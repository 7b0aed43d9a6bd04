//! The font of figures: `DejaVu Sans`, regular and bold.
//!
//! PNG and PDF contain its glyphs. SVG and HTML ask for it by name, and browsers without it choose a narrower one, so
//! that what fits here fits there.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};
use unicode_width::UnicodeWidthChar;

use crate::visible;

/// One weight of the font.
pub(super) struct Typeface {
    pub(super) bytes: &'static [u8],
    pub(super) face: Face<'static>,
}

/// The regular or the bold weight.
pub(super) fn typeface(bold: bool) -> &'static Typeface {
    static REGULAR: OnceLock<Typeface> = OnceLock::new();
    static BOLD: OnceLock<Typeface> = OnceLock::new();
    if bold {
        BOLD.get_or_init(|| Typeface::new(include_bytes!("../../fonts/DejaVuSans-Bold.ttf.gz")))
    } else {
        REGULAR.get_or_init(|| Typeface::new(include_bytes!("../../fonts/DejaVuSans.ttf.gz")))
    }
}

impl Typeface {
    /// From a compressed font, which stays in memory as long as the program runs.
    fn new(compressed: &[u8]) -> Self {
        let mut bytes = Vec::new();
        GzDecoder::new(compressed)
            .read_to_end(&mut bytes)
            .expect("the embedded font is compressed");
        let bytes: &'static [u8] = bytes.leak();
        let face = Face::parse(bytes, 0).expect("the embedded font is well-formed");
        Self { bytes, face }
    }

    /// Units per em.
    pub(super) fn units(&self) -> f64 {
        f64::from(self.face.units_per_em())
    }

    /// The glyph of a character, or the box that replaces missing ones.
    pub(super) fn glyph(&self, character: char) -> GlyphId {
        self.face.glyph_index(character).unwrap_or(GlyphId(0))
    }

    /// The advance width of a glyph, in ems.
    pub(super) fn advance(&self, glyph: GlyphId) -> f64 {
        f64::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) / self.units()
    }

    /// The width of a string as PNG and PDF draw it, in ems.
    pub(super) fn width(&self, text: &str) -> f64 {
        text.chars()
            .map(|character| self.advance(self.glyph(character)))
            .sum()
    }

    pub(super) fn outline(&self, glyph: GlyphId, builder: &mut impl OutlineBuilder) {
        self.face.outline_glyph(glyph, builder);
    }
}

/// Width of a character in layout, in ems. Browsers draw characters that this font lacks with
/// another one, whose width is estimated.
pub(super) fn advance(character: char) -> f64 {
    let typeface = typeface(false);
    match typeface.face.glyph_index(character) {
        Some(glyph) => typeface.advance(glyph),
        None => 0.64 * character.width().unwrap_or(1) as f64,
    }
}

/// Whether PNG and PDF have a glyph for every character of a string. They show a box for each missing one, while SVG
/// and HTML use the fonts of the browser.
///
/// ```
/// use cranfield_render::plot::is_writable;
///
/// assert!(is_writable("bm25 – naïve Λ=½ поиск"));
/// assert!(!is_writable("検索"));
/// ```
pub fn is_writable(text: &str) -> bool {
    let face = &typeface(false).face;
    visible(text)
        .chars()
        .all(|character| face.glyph_index(character).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_have_the_same_characters() {
        let has =
            |bold: bool, character: char| typeface(bold).face.glyph_index(character).is_some();
        for character in ('\0'..='\u{ffff}').filter(|character| has(false, *character)) {
            assert!(has(true, character), "{character:?}");
        }
        for character in " ~éőяΩ…−≤≥±→ṽἀ€".chars() {
            assert!(has(false, character), "{character}");
        }
        for character in ['\u{7f}', '日', 'あ', '한', 'ก', '\u{10ffff}'] {
            assert!(!has(false, character), "{character}");
        }
    }

    #[test]
    fn widths_are_those_of_the_font() {
        let regular = typeface(false);
        assert_eq!(regular.units(), 2048.0);
        assert_eq!(regular.width("i"), 569.0 / 2048.0);
        assert_eq!(regular.width("mi"), (1995.0 + 569.0) / 2048.0);
        assert!(typeface(true).width("mi") > regular.width("mi"));
        assert_eq!(advance('検'), 1.28);
    }
}
