//! Positions of names, keys and lines.

use super::tests::{all, curves, diagram, line, names, of_comparisons, text, with};
use super::*;

/// A slope chart of this many runs, each with a name on both sides.
fn slope(name: impl Fn(usize) -> String, runs: usize) -> Plot {
    let label = |at: usize, left: bool| Label {
        x: if left { 0.0 } else { 1.0 },
        y: at as f64 + 1.0,
        text: name(at),
        figure: "0.125".into(),
        left,
        ink: Ink::Series(at),
    };
    let labels = (0..runs).flat_map(|at| [label(at, true), label(at, false)]);
    let lines = (0..runs).map(|at| line(&name(at), at, &[at as f64 + 1.0, at as f64 + 1.0]));
    with(
        PlotKind::Slope,
        Axis::names("", names(&["AP", "nDCG@10"])),
        Axis::whole("rank", runs as f64 + 0.5, 0.5),
        lines.chain([Layer::Labels(labels.collect())]).collect(),
    )
}

/// The text elements of an SVG.
fn text_elements(svg: &str) -> Vec<&str> {
    let starts = svg.split("<text ").skip(1);
    let inside = starts.filter_map(|text| text.split_once('>'));
    inside
        .filter_map(|(_, text)| Some(text.split_once("</text>")?.0))
        .collect()
}

#[test]
fn names_of_slope_charts_have_the_room_they_need() {
    let sheet = Sheet {
        width: Sheet::ONE_COLUMN,
        ..Sheet::default()
    };
    let drawn = |name: fn(usize) -> String| {
        let bytes = slope(name, 24).render(PlotFormat::Svg, &sheet).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    // Names of twenty letters keep half of them, short ones stay as they are.
    let svg = drawn(|at| format!("name_of_a_run_no_{at:03}"));
    let cut: Vec<&str> = text_elements(&svg)
        .into_iter()
        .filter(|text| text.contains('…'))
        .collect();
    assert_eq!(cut.len(), 48, "{cut:?}");
    for text in cut {
        assert!(
            text.contains("0.125") && text.chars().count() >= 17,
            "{text}"
        );
    }
    let svg = drawn(|at| format!("run-{at}"));
    assert!(text_elements(&svg).iter().all(|text| !text.contains('…')));
    assert!(
        text_elements(&svg).contains(&"run-23  0.125"),
        "{:?}",
        text_elements(&svg)
    );
}

#[test]
fn grey_curves_have_one_key() {
    let mut plot = curves(12);
    for layer in &mut plot.layers[..9] {
        if let Layer::Line(line) = layer {
            (line.ink, line.look) = (Ink::Muted, Look::Plain);
        }
    }
    let svg = text(&plot, PlotFormat::Svg);
    let keys: Vec<&str> = text_elements(&svg)
        .into_iter()
        .filter(|text| text.contains("run") || text.contains("other"))
        .collect();
    assert_eq!(
        keys.iter().filter(|key| key.starts_with("a run")).count(),
        3,
        "{keys:?}"
    );
    assert!(keys.contains(&"9 others"), "{keys:?}");
}

#[test]
fn the_grid_of_a_slope_runs_through_no_name() {
    let all = all();
    let slope = all.iter().find(|all| all.kind == PlotKind::Slope);
    let svg = text(slope.unwrap(), PlotFormat::Svg);
    let grid = format!("stroke=\"{}\"", style::hex(style::GRID));
    let starts = |line: &str| line.split_once("d=\"M")?.1.split(' ').next()?.parse().ok();
    let starts: Vec<f64> = svg
        .lines()
        .filter(|line| line.contains(&grid))
        .filter_map(starts)
        .collect();
    assert!(
        !starts.is_empty() && starts.iter().all(|x| *x > 100.0),
        "{svg}"
    );
}

#[test]
fn keys_of_many_lines_are_in_the_order_of_their_ends() {
    let lines =
        |count: usize| (0..count).map(|at| line(&format!("run{at}"), at, &[0.5, 0.01 * at as f64]));
    let drawn = |count: usize| {
        let plot = Plot {
            layers: lines(count).collect(),
            ..curves(0)
        };
        text(&plot, PlotFormat::Svg)
    };
    let place = |svg: &str, name: &str| svg.rfind(&format!(">{name}<")).unwrap();
    let (few, many) = (drawn(8), drawn(9));
    assert!(place(&few, "run0") < place(&few, "run7"));
    assert!(
        place(&many, "run8") < place(&many, "run7") && place(&many, "run1") < place(&many, "run0")
    );
}

/// The heading of the numbers on the right is below the upper edge, also without a title.
#[test]
fn headings_are_inside_the_figure() {
    let ranks = of_comparisons().remove(1);
    let sheet = Sheet {
        bare: true,
        width: 440.0,
        ..Sheet::default()
    };
    let svg = String::from_utf8(ranks.render(PlotFormat::Svg, &sheet).unwrap()).unwrap();
    let heading = svg
        .lines()
        .find(|line| line.contains(">best</text>"))
        .unwrap();
    let top = attribute(heading, " y").parse::<f64>().unwrap();
    assert!(top >= ranks.frame(&sheet).unwrap().font, "{heading}");
}

#[test]
fn figures_of_many_runs_fit_every_sheet() {
    for runs in [0, 1, 2, 8, 24, 200] {
        for width in [Sheet::ONE_COLUMN, Sheet::TWO_COLUMNS, Sheet::SLIDE] {
            let sheet = Sheet {
                width,
                ..Sheet::default()
            };
            let plot = curves(runs);
            let frame = plot.frame(&sheet).unwrap();
            let legend = &frame.legend;
            let right = legend.left + legend.columns as f64 * legend.column_width;
            assert!(
                right <= width + 1e-9 || runs == 0,
                "{runs} runs, {width} points: {right}"
            );
            assert!(
                frame.inner_width > 0.4 * width,
                "{runs} runs, {width} points"
            );
            let rows = legend.keys.len().div_ceil(legend.columns) as f64;
            assert!(legend.top + rows * frame.line_height() <= frame.height);
        }
    }
}

/// Every name of a diagram has its own line, inside the sheet.
#[test]
fn names_of_critical_diagrams_do_not_meet() {
    for runs in [2, 5, 30, 100] {
        for width in [Sheet::ONE_COLUMN, Sheet::TWO_COLUMNS, Sheet::SLIDE] {
            let plot = with(
                PlotKind::Cd,
                Axis::linear("mean rank", 1.0, 3.0),
                Axis::names("", Vec::new()),
                vec![Layer::Critical(diagram(runs))],
            );
            let sheet = Sheet {
                width,
                ..Sheet::default()
            };
            let frame = plot.frame(&sheet).unwrap();
            assert!(frame.inner_width > 0.2 * width, "{runs} {width}");
            let svg = String::from_utf8(plot.render(PlotFormat::Svg, &sheet).unwrap());
            let svg = svg.unwrap();
            let mut places: Vec<(String, String)> = svg
                .split("<text ")
                .skip(1)
                .filter_map(|text| text.split("</text>").next())
                .filter(|text| text.contains("number") || text.contains('…'))
                .map(|text| (attribute(text, "text-anchor"), attribute(text, "y")))
                .collect();
            assert_eq!(places.len(), runs);
            places.sort();
            places.dedup();
            assert_eq!(places.len(), runs, "two names on one line");
            let lowest = places.iter().map(|(_, y)| y.parse::<f64>().unwrap());
            assert!(lowest.fold(0.0, f64::max) < frame.height);
        }
    }
}

fn attribute(text: &str, name: &str) -> String {
    let rest = text.split_once(&format!("{name}=\"")).map(|(_, rest)| rest);
    let value = rest.and_then(|rest| rest.split('"').next());
    value.unwrap_or_default().to_owned()
}
