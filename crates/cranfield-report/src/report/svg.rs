//! SVG in fewer bytes: what a browser shows stays the same.

use std::collections::BTreeMap;

/// Decimals of lengths, which are points.
const DECIMALS: usize = 2;

/// The plot without indentation, comments and needless digits.
pub(super) fn compact(svg: &str) -> String {
    let lines = svg.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("<!--"));
    rounded(&lines.collect::<Vec<_>>().join("\n"))
}

/// Draws the rectangles and circles of points together by colour, without their tooltips.
pub(super) fn merged(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len() / 4);
    let mut points = Points::default();
    let mut inside = false;
    for line in svg.lines().map(str::trim) {
        match line {
            "<g class=\"point\">" => inside = true,
            "</g>" if inside => inside = false,
            _ if inside && line.starts_with("<title>") => {}
            _ if inside && points.take(line) => {}
            _ => {
                points.write(&mut out);
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    points.write(&mut out);
    compact(&out)
}

/// Shapes that are drawn together: the data of a path by its attributes.
#[derive(Default)]
struct Points(BTreeMap<String, String>);

impl Points {
    /// Takes a plain rectangle or circle; anything else is refused.
    fn take(&mut self, shape: &str) -> bool {
        let taken = rectangle(shape).or_else(|| circle(shape));
        let Some((attributes, data)) = taken else {
            return false;
        };
        self.0.entry(attributes).or_default().push_str(&data);
        true
    }

    fn write(&mut self, out: &mut String) {
        for (attributes, data) in std::mem::take(&mut self.0) {
            out.push_str(&format!("<path {attributes} d=\"{data}\"/>\n"));
        }
    }
}

fn rectangle(shape: &str) -> Option<(String, String)> {
    let [x, y, width, height, fill] =
        attributes(shape, "rect", ["x", "y", "width", "height", "fill"])?;
    Some((
        format!("fill=\"{fill}\""),
        format!("M{x} {y}h{width}v{height}h-{width}z"),
    ))
}

fn circle(shape: &str) -> Option<(String, String)> {
    let [x, y, radius, fill, opacity] =
        attributes(shape, "circle", ["cx", "cy", "r", "fill", "fill-opacity"])?;
    let width = 2.0 * radius.parse::<f64>().ok()?;
    Some((
        format!(
            "fill=\"none\" stroke=\"{fill}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\" stroke-linecap=\"round\""
        ),
        format!("M{x} {y}h0"),
    ))
}

/// The values of exactly these attributes, in this order.
fn attributes<'a, const N: usize>(
    shape: &'a str,
    name: &str,
    keys: [&str; N],
) -> Option<[&'a str; N]> {
    let mut rest = shape.strip_prefix('<')?.strip_prefix(name)?;
    let mut values = [""; N];
    for (key, value) in keys.into_iter().zip(&mut values) {
        rest = rest.strip_prefix(' ')?.strip_prefix(key)?;
        (*value, rest) = rest.strip_prefix("=\"")?.split_once('"')?;
    }
    (rest.trim() == "/>").then_some(values)
}

/// The text with the numbers inside of tags cut to a few decimals.
fn rounded(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut in_tag = false;
    let mut rest = svg;
    while let Some(letter) = rest.chars().next() {
        let length = if in_tag { number_length(rest) } else { 0 };
        if length > 0 {
            out.push_str(&short(&rest[..length]));
            rest = &rest[length..];
            continue;
        }
        match letter {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ => {}
        }
        out.push(letter);
        rest = &rest[letter.len_utf8()..];
    }
    out
}

/// Bytes of the number with decimals that a text begins with.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| {
        let rest = text.as_bytes()[from..].iter();
        rest.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = digits(0);
    if whole == 0 || text.as_bytes().get(whole) != Some(&b'.') {
        return 0;
    }
    match digits(whole + 1) {
        0 => 0,
        decimals => whole + 1 + decimals,
    }
}

fn short(number: &str) -> String {
    let Ok(value) = number.parse::<f64>() else {
        return number.into();
    };
    let text = format!("{value:.DECIMALS$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tags_are_cut_and_texts_are_not() {
        let svg =
            "<a x=\"103.60000000000001\" d=\"M 1.005 2.50\">\n  <b/>0.12345</a>\n  <!-- made -->";
        let short = "<a x=\"103.6\" d=\"M 1 2.5\">\n<b/>0.12345</a>";
        assert_eq!(compact(svg), short);
    }

    #[test]
    fn points_of_a_colour_become_one_path() {
        let cell = |x: u32| {
            format!(
                "<g class=\"point\">\n<title>t</title>\n<rect x=\"{x}\" y=\"1\" width=\"2\" height=\"3\" fill=\"#abc\" />\n</g>\n"
            )
        };
        let svg = format!("<svg>\n{}{}</svg>\n", cell(1), cell(3));
        assert_eq!(
            merged(&svg),
            "<svg>\n<path fill=\"#abc\" d=\"M1 1h2v3h-2zM3 1h2v3h-2z\"/>\n</svg>"
        );
    }

    #[test]
    fn other_shapes_stay() {
        let svg = "<g class=\"point\">\n<title>t</title>\n<path d=\"M0 0\" />\n</g>\n<g class=\"key\">\n</g>";
        assert_eq!(merged(svg), "<path d=\"M0 0\" />\n<g class=\"key\">\n</g>");
    }
}
