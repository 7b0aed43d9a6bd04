//! Formats and sizes of pictures, and the way to bytes.

use std::fmt;
use std::str::FromStr;

use super::Picture;
use super::marks::Scene;
use super::png::png;
use crate::Format;

/// Most pixels of a PNG.
const MOST_PIXELS: f64 = 1e8;

/// What is wrong with a picture that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureError(String);

impl PictureError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PictureError {}

/// The formats of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// Vectors, for browsers and for papers.
    Svg,
    /// Pixels.
    Png,
    /// Vectors, for papers.
    Pdf,
    /// A page with the picture, its caption and its data, which needs no network.
    Html,
    /// A Vega-Lite specification with its data.
    Vega,
    /// The data.
    Csv,
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Svg,
        Self::Png,
        Self::Pdf,
        Self::Html,
        Self::Vega,
        Self::Csv,
    ];

    /// The name that is read and printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Html => "html",
            Self::Vega => "vega",
            Self::Csv => "csv",
        }
    }

    /// The format of a file by the end of its name; a compressed SVG, page, specification or table may end with the
    /// compression's own, such as `.gz`.
    pub fn of_file(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let compressions = [".gz", ".zst", ".bz2", ".xz", ".lz4"];
        let bare = compressions.iter().find_map(|end| name.strip_suffix(end));
        let end = bare.unwrap_or(&name).rsplit_once('.')?.1.to_owned();
        match end.as_str() {
            "json" | "vl" => Some(Self::Vega),
            "htm" => Some(Self::Html),
            end => Self::ALL.into_iter().find(|format| format.name() == end),
        }
    }
}

impl fmt::Display for PictureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PictureFormat {
    type Err = PictureError;

    fn from_str(text: &str) -> Result<Self, PictureError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            PictureError::new(format!(
                "unknown format of pictures `{text}`; one of: svg, png, pdf, html, vega, csv"
            ))
        })
    }
}

/// The sheet that a picture is drawn on. Lengths are points, 72 to an inch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width.
    pub width: f64,
    /// Height; without it the picture is as high as it needs to be.
    pub height: Option<f64>,
    /// Pixels to an inch, of a PNG.
    pub dpi: f64,
    /// Whether title and caption are left out, for a paper that has its own.
    pub bare: bool,
}

impl Default for Sheet {
    /// As wide as both columns of ACM's proceedings.
    fn default() -> Self {
        Self {
            width: Self::TWO_COLUMNS,
            height: None,
            dpi: 200.0,
            bare: false,
        }
    }
}

impl Sheet {
    /// The width of a column in ACM's proceedings: 3⅓ inches.
    pub const ONE_COLUMN: f64 = 240.0;
    /// The width of both columns with the space between them: 7 inches.
    pub const TWO_COLUMNS: f64 = 504.0;
    /// The width of a slide: 10 inches.
    pub const SLIDE: f64 = 720.0;
    /// The height of a slide that is 16 to 9.
    pub const SLIDE_HEIGHT: f64 = 405.0;

    fn check(&self) -> Result<(), PictureError> {
        let lengths = [Some(self.width), self.height].into_iter().flatten();
        for length in lengths {
            if !(120.0..=5000.0).contains(&length) {
                return Err(PictureError::new(format!(
                    "width and height of a picture are 120 to 5000 points, not {length}"
                )));
            }
        }
        if !(36.0..=1200.0).contains(&self.dpi) {
            return Err(PictureError::new(format!(
                "a PNG has 36 to 1200 dots per inch, not {}",
                self.dpi
            )));
        }
        Ok(())
    }
}

impl Picture {
    /// The picture in a format. The same picture on the same sheet gives the same bytes.
    ///
    /// # Errors
    /// If the sheet is too small for the picture, or has no possible size.
    pub fn render(&self, format: PictureFormat, sheet: &Sheet) -> Result<Vec<u8>, PictureError> {
        sheet.check()?;
        match format {
            PictureFormat::Svg => Ok(self.svg(&self.scene(sheet, false)?).into_bytes()),
            PictureFormat::Png => {
                let scene = self.scene(sheet, false)?;
                check_pixels(&scene, sheet.dpi)?;
                png(&scene, sheet.dpi)
            }
            PictureFormat::Pdf => self.pdf(&self.scene(sheet, false)?),
            PictureFormat::Html => Ok(self.html(sheet)?.into_bytes()),
            PictureFormat::Vega => Ok(self.vega(sheet).into_bytes()),
            PictureFormat::Csv => Ok(self.data().render(Format::Csv).into_bytes()),
        }
    }
}

fn check_pixels(scene: &Scene, dpi: f64) -> Result<(), PictureError> {
    let pixels = scene.width * scene.height * (dpi / 72.0).powi(2);
    if pixels > MOST_PIXELS {
        return Err(PictureError::new(format!(
            "the figure would have {:.0} million pixels; ask for fewer with --dpi, or for svg or pdf",
            pixels / 1e6
        )));
    }
    Ok(())
}
