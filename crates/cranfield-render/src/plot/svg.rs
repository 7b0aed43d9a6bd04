//! SVG, one shape to a line.

use super::Plot;
use super::marks::{Anchor, Font, Scene, Shape, Stroke};
use super::style::{PAPER, hex};
use crate::html::escape;

/// The fonts that a browser tries, in this order.
const FONTS: &str = "DejaVu Sans, Verdana, Geneva, sans-serif";

impl Plot {
    /// The scene as an SVG, with the title and the caption as its accessible name and description.
    pub(super) fn svg(&self, scene: &Scene) -> String {
        let (width, height) = (number(scene.width), number(scene.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" role=\"img\">\n\
             <title>{}</title>\n<desc>{}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            escape(&self.title),
            escape(&self.caption),
            hex(PAPER)
        );
        for shape in &scene.shapes {
            write(shape, &mut out);
        }
        out.push_str("</svg>\n");
        out
    }
}

fn write(shape: &Shape, out: &mut String) {
    match shape {
        Shape::Open { title, attributes } => {
            out.push_str(&format!("<g {attributes}>\n"));
            if let Some(title) = title {
                out.push_str(&format!("<title>{}</title>\n", escape(title)));
            }
        }
        Shape::Close => out.push_str("</g>\n"),
        Shape::Line { points, stroke } => out.push_str(&format!(
            "<path d=\"{}\" fill=\"none\"{}/>\n",
            path(points),
            attributes(*stroke)
        )),
        Shape::Area {
            points,
            fill,
            opacity,
        } => out.push_str(&format!(
            "<path d=\"{}Z\" fill=\"{}\"{}/>\n",
            path(points),
            hex(*fill),
            fill_opacity(*opacity)
        )),
        Shape::Rect {
            corner,
            size,
            fill,
            edge,
        } => out.push_str(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>\n",
            number(corner.0),
            number(corner.1),
            number(size.0),
            number(size.1),
            hex(*fill),
            edge.map_or(String::new(), attributes)
        )),
        Shape::Circle {
            centre,
            radius,
            fill,
            opacity,
        } => out.push_str(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}/>\n",
            number(centre.0),
            number(centre.1),
            number(*radius),
            hex(*fill),
            fill_opacity(*opacity)
        )),
        Shape::Text { at, text, font } => out.push_str(&label(*at, text, *font)),
    }
}

fn path(points: &[(f64, f64)]) -> String {
    let mut out = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let command = if at == 0 { 'M' } else { 'L' };
        out.push_str(&format!("{command}{} {}", number(*x), number(*y)));
    }
    out
}

fn attributes(stroke: Stroke) -> String {
    let dashes: Vec<String> = stroke.lengths().map(number).collect();
    let dashes = match dashes.as_slice() {
        [] => String::new(),
        dashes => format!(" stroke-dasharray=\"{}\"", dashes.join(" ")),
    };
    let (rgb, width) = (hex(stroke.rgb), number(stroke.width));
    format!(" stroke=\"{rgb}\" stroke-width=\"{width}\"{dashes}")
}

fn fill_opacity(opacity: f64) -> String {
    if opacity < 1.0 {
        format!(" fill-opacity=\"{}\"", number(opacity))
    } else {
        String::new()
    }
}

fn label((x, y): (f64, f64), text: &str, font: Font) -> String {
    let (x, y) = (number(x), number(y));
    let anchor = match font.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let weight = if font.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
    let turn = if font.upright {
        String::new()
    } else {
        format!(" transform=\"rotate(-90 {x} {y})\"")
    };
    // Two spaces separate a name from its number.
    let space = if text.contains("  ") {
        " xml:space=\"preserve\""
    } else {
        ""
    };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\"{weight} fill=\"{}\"{turn}{space}>{}</text>\n",
        number(font.size),
        hex(font.rgb),
        escape(text)
    )
}

/// A length with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        short => short.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let found = [0.0, -0.001, 27.810_000_000_000_002, 504.0, 10.5, 0.126].map(number);
        assert_eq!(found, ["0", "0", "27.81", "504", "10.5", "0.13"]);
    }
}
