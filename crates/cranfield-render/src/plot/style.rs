//! Colours, dashes and markers.
//!
//! The colours are those of Okabe and Ito, which are distinguishable with all common kinds of colour vision. Black and yellow
//! are last, because one is the colour of text and the other hard to see on white. Markers and dashes are redundant: their
//! numbers are coprime with that of the colours, so that no two of the first 280 series look alike.
//!
//! Reference: M. Okabe and K. Ito: Color Universal Design (CUD): How to make figures and presentations that are friendly to
//! colorblind people. 2008.

use super::Ink;

/// Red, green, blue.
pub(super) type Rgb = (u8, u8, u8);

/// Colours of series.
pub(super) const SERIES: [Rgb; 8] = [
    (0x00, 0x72, 0xb2),
    (0xd5, 0x5e, 0x00),
    (0x00, 0x9e, 0x73),
    (0xcc, 0x79, 0xa7),
    (0xe6, 0x9f, 0x00),
    (0x56, 0xb4, 0xe9),
    (0x00, 0x00, 0x00),
    (0xf0, 0xe4, 0x42),
];

/// Text and axes.
pub(super) const INK: Rgb = (0x1f, 0x1f, 0x1f);
/// Captions and reference lines.
pub(super) const GREY: Rgb = (0x5c, 0x5c, 0x5c);
/// Background marks.
pub(super) const MUTED: Rgb = (0xa8, 0xa8, 0xa8);
/// Lines of the grid.
pub(super) const GRID: Rgb = (0xe4, 0xe4, 0xe4);
/// The paper.
pub(super) const PAPER: Rgb = (0xff, 0xff, 0xff);

/// The inside of boxes.
pub(super) const BOX: Rgb = (0xd9, 0xea, 0xf5);

/// Bars above 0.
pub(super) const ABOVE: Rgb = SERIES[0];
/// Bars below 0.
pub(super) const BELOW: Rgb = SERIES[1];

/// Lengths of dashes and gaps, in line widths.
const DASHES: [&[f64]; 5] = [
    &[],
    &[5.0, 2.0],
    &[1.2, 1.8],
    &[6.0, 2.0, 1.2, 2.0],
    &[9.0, 2.5],
];

/// Dashes of a dotted line.
pub(super) const DOTS: &[f64] = &[1.0, 2.5];
/// Dashes of a reference line.
pub(super) const LONG: &[f64] = &[7.0, 3.0];

/// Shape of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Up,
    Diamond,
    Down,
    Plus,
    Cross,
}

const MARKERS: [Marker; 7] = [
    Marker::Circle,
    Marker::Square,
    Marker::Up,
    Marker::Diamond,
    Marker::Down,
    Marker::Plus,
    Marker::Cross,
];

pub(super) fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Ink {
    pub(super) fn rgb(self) -> Rgb {
        match self {
            Self::Series(at) => SERIES[at % SERIES.len()],
            Self::Reference => GREY,
            Self::Muted => MUTED,
        }
    }

    pub(super) fn dashes(self) -> &'static [f64] {
        match self {
            Self::Series(at) => DASHES[at % DASHES.len()],
            Self::Reference => LONG,
            Self::Muted => &[],
        }
    }

    pub(super) fn marker(self) -> Option<Marker> {
        match self {
            Self::Series(at) => Some(MARKERS[at % MARKERS.len()]),
            Self::Reference | Self::Muted => None,
        }
    }

    /// The number of a series.
    pub(super) fn series(self) -> Option<usize> {
        match self {
            Self::Series(at) => Some(at),
            Self::Reference | Self::Muted => None,
        }
    }
}

/// Ten colours from dark to light whose brightness grows evenly: the map cividis.
///
/// Reference: J. R. Nuñez, C. R. Anderton and R. S. Renslow: Optimizing colormaps with consideration for color vision
/// deficiency to enable accurate interpretation of scientific data. PLOS ONE 13(7), 2018.
/// doi:10.1371/journal.pone.0199239
pub(super) const CIVIDIS: [Rgb; 10] = [
    (0, 34, 78),
    (18, 53, 112),
    (59, 73, 108),
    (87, 93, 109),
    (112, 113, 115),
    (138, 134, 120),
    (165, 156, 116),
    (195, 179, 105),
    (225, 204, 85),
    (254, 232, 56),
];

/// The colour of a share from 0 to 1.
pub(super) fn shade(share: f64) -> Rgb {
    let at = share.clamp(0.0, 1.0) * (CIVIDIS.len() - 1) as f64;
    let below = (at.floor() as usize).min(CIVIDIS.len() - 2);
    let part = at - below as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (CIVIDIS[below], CIVIDIS[below + 1]);
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_look_alike() {
        let look = |at: usize| {
            let ink = Ink::Series(at);
            let marker = MARKERS
                .iter()
                .position(|marker| Some(*marker) == ink.marker());
            (
                ink.rgb(),
                ink.dashes().len(),
                ink.dashes().first().map(|d| d.to_bits()),
                marker,
            )
        };
        let mut looks: Vec<_> = (0..280).map(look).collect();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), 280);
    }

    #[test]
    fn shades_grow_brighter() {
        let luma =
            |(r, g, b): Rgb| 0.2126 * f64::from(r) + 0.7152 * f64::from(g) + 0.0722 * f64::from(b);
        let shades: Vec<f64> = (0..=20).map(|n| luma(shade(f64::from(n) / 20.0))).collect();
        assert!(
            shades.windows(2).all(|pair| pair[0] < pair[1]),
            "{shades:?}"
        );
    }
}
