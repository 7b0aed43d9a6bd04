//! Formats and sizes of figures.

use std::fmt;
use std::str::FromStr;

use super::Plot;
use super::marks::Scene;
use super::png::png;
use crate::Format;

/// Most pixels of a PNG.
const MOST_PIXELS: f64 = 1e8;

/// Why a figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlotError(String);

impl PlotError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlotError {}

/// The formats of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotFormat {
    /// Vectors, for browsers and for papers.
    Svg,
    /// Pixels.
    Png,
    /// Vectors, for papers.
    Pdf,
    /// A self-contained page with the figure, its caption and its data.
    Html,
    /// A Vega-Lite specification with its data.
    Vega,
    /// The data.
    Csv,
}

impl PlotFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [
        Self::Svg,
        Self::Png,
        Self::Pdf,
        Self::Html,
        Self::Vega,
        Self::Csv,
    ];

    /// The name of the format.
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

    /// The format of a file by its extension, which that of a compression such as `.gz` may follow.
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

impl fmt::Display for PlotFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PlotFormat {
    type Err = PlotError;

    fn from_str(text: &str) -> Result<Self, PlotError> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| {
            PlotError::new(format!(
                "unknown format of figures `{text}`; one of: svg, png, pdf, html, vega, csv"
            ))
        })
    }
}

/// The size of a figure. Lengths are points, 72 to an inch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Width.
    pub width: f64,
    /// Height; by default what the content needs.
    pub height: Option<f64>,
    /// Pixels per inch of a PNG.
    pub dpi: f64,
    /// Whether title and caption are omitted, for a paper that has its own.
    pub bare: bool,
}

impl Default for Sheet {
    /// As wide as both columns of ACM proceedings.
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
    /// The width of a column in ACM proceedings: 3⅓ inches.
    pub const ONE_COLUMN: f64 = 240.0;
    /// The width of both columns with the space between them: 7 inches.
    pub const TWO_COLUMNS: f64 = 504.0;
    /// The width of a slide: 10 inches.
    pub const SLIDE: f64 = 720.0;
    /// The height of a slide that is 16 to 9.
    pub const SLIDE_HEIGHT: f64 = 405.0;

    fn check(&self) -> Result<(), PlotError> {
        let lengths = [Some(self.width), self.height].into_iter().flatten();
        for length in lengths {
            if !(120.0..=5000.0).contains(&length) {
                return Err(PlotError::new(format!(
                    "width and height of a figure are 120 to 5000 points, not {length}"
                )));
            }
        }
        if !(36.0..=1200.0).contains(&self.dpi) {
            return Err(PlotError::new(format!(
                "the resolution of a PNG is 36 to 1200 pixels per inch, not {}",
                self.dpi
            )));
        }
        Ok(())
    }
}

impl Plot {
    /// Renders the figure. Equal figures on equal sheets give equal bytes.
    ///
    /// # Errors
    /// If the sheet is too small for the figure, or its size is out of range.
    pub fn render(&self, format: PlotFormat, sheet: &Sheet) -> Result<Vec<u8>, PlotError> {
        sheet.check()?;
        match format {
            PlotFormat::Svg => Ok(self.svg(&self.scene(sheet, false)?).into_bytes()),
            PlotFormat::Png => {
                let scene = self.scene(sheet, false)?;
                check_pixels(&scene, sheet.dpi)?;
                png(&scene, sheet.dpi)
            }
            PlotFormat::Pdf => self.pdf(&self.scene(sheet, false)?),
            PlotFormat::Html => Ok(self.html(sheet)?.into_bytes()),
            PlotFormat::Vega => Ok(self.vega(sheet).into_bytes()),
            PlotFormat::Csv => Ok(self.data().render(Format::Csv).into_bytes()),
        }
    }
}

fn check_pixels(scene: &Scene, dpi: f64) -> Result<(), PlotError> {
    let pixels = scene.width * scene.height * (dpi / 72.0).powi(2);
    if pixels > MOST_PIXELS {
        return Err(PlotError::new(format!(
            "the figure would have {:.0} million pixels; reduce the resolution, or use svg or pdf",
            pixels / 1e6
        )));
    }
    Ok(())
}
