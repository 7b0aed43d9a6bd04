//! Every kind of layer in every format.

use super::*;
use crate::{Cell, Column};

pub(super) fn line(name: &str, at: usize, values: &[f64]) -> Layer {
    Layer::Line(Line {
        name: name.into(),
        ink: Ink::Series(at),
        look: Look::Full,
        points: (1..).zip(values).map(|(x, y)| [f64::from(x), *y]).collect(),
    })
}

pub(super) fn curves(runs: usize) -> Plot {
    let name = |at: usize| format!("a run with <a rather> long & strange name, number {at} of all");
    let lines = (0..runs).map(|at| line(&name(at), at, &[0.9, 0.5 / (at as f64 + 1.0), 0.2]));
    Plot {
        kind: PlotKind::Ndcg,
        title: "nDCG by rank".into(),
        caption: "nDCG@3, mean over 12 topics.".into(),
        series: "run".into(),
        x: Axis::whole("rank", 1.0, 3.0),
        y: Axis::linear("nDCG@3", 0.0, 1.0),
        layers: lines.collect(),
    }
}

pub(super) fn with(kind: PlotKind, x: Axis, y: Axis, layers: Vec<Layer>) -> Plot {
    Plot {
        kind,
        x,
        y,
        layers,
        ..curves(0)
    }
}

pub(super) fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// Figures of the layers that comparisons have.
pub(super) fn of_comparisons() -> Vec<Plot> {
    let runs = Axis::names("run", names(&["bm25", "dense"]));
    let matrix = Matrix {
        cells: vec![MatrixCell {
            row: 1,
            column: 0,
            tone: Tone::Warm(0.5),
            lines: names(&[".031", "d 0.4"]),
            title: "bm25 and dense".into(),
        }],
        keys: vec![(Tone::Class(3), "p ≤ 0.001".into())],
    };
    let interval = IntervalRow {
        low: 1.0,
        value: 1.0,
        high: 2.0,
        note: "0.75".into(),
        title: "bm25: rank 1".into(),
    };
    let intervals = Intervals {
        heading: "best".into(),
        rows: vec![interval.clone(), interval],
    };
    let mut table = Table::new([Column::text("run")]);
    table.push([Cell::text("bm25")]);
    vec![
        with(
            PlotKind::Significance,
            runs.clone(),
            runs.clone(),
            vec![Layer::Matrix(matrix), Layer::Data(table)],
        ),
        with(
            PlotKind::Ranks,
            Axis::whole("rank", 0.5, 2.5),
            runs.clone(),
            vec![Layer::Intervals(intervals)],
        ),
        with(
            PlotKind::Cd,
            Axis::linear("mean rank", 1.0, 3.0),
            Axis::names("", Vec::new()),
            vec![Layer::Critical(diagram(3))],
        ),
    ]
}

fn level() -> Layer {
    Layer::Rule(Rule::Level {
        at: 0.1,
        interval: Some([0.0, 0.2]),
        text: "mean".into(),
    })
}

/// Bars cover the interval of their mean, and its line is over them.
#[test]
fn intervals_are_behind_bars() {
    let plot = all()
        .into_iter()
        .find(|plot| plot.kind == PlotKind::Histogram)
        .unwrap();
    let drawn = plot.render(PlotFormat::Svg, &Sheet::default()).unwrap();
    let drawn = String::from_utf8(drawn).unwrap();
    let [band, bar, line] = ["opacity=\"0.22\"", "class=\"point\"", "stroke-dasharray"]
        .map(|mark| drawn.find(mark).unwrap());
    assert!(band < bar && bar < line, "{drawn}");
    let vega = plot.render(PlotFormat::Vega, &Sheet::default()).unwrap();
    let vega = String::from_utf8(vega).unwrap();
    let [band, bar, line] =
        ["\"rect\"", "\"bar\"", "\"rule\""].map(|mark| vega.find(mark).unwrap());
    assert!(band < bar && bar < line, "{vega}");
}

/// A figure of every layer.
pub(super) fn all() -> Vec<Plot> {
    let mut banded = curves(2);
    let Layer::Line(first) = banded.layers[0].clone() else {
        panic!("a line")
    };
    banded.layers.push(Layer::Band(Band {
        name: first.name,
        ink: Ink::Series(0),
        points: vec![[1.0, 0.8, 1.0], [2.0, 0.4, 0.6], [3.0, 0.1, 0.3]],
    }));
    let topics = Axis::names("topic", names(&["301", "302", "303"]));
    let runs = Axis::names("run", names(&["bm25", "dense"]));
    let values = vec![("301".to_owned(), 0.1), ("302".to_owned(), 0.4)];
    let shown = |name: &str| BoxPlot {
        name: name.into(),
        low: 0.1,
        q1: 0.175,
        median: 0.25,
        q3: 0.325,
        high: 0.4,
        mean: 0.25,
        interval: Some([0.2, 0.3]),
        values: values.clone(),
        all_points: true,
    };
    let bars = Bars {
        above: "dense is better".into(),
        below: "bm25 is better".into(),
        values: vec![Some(0.25), None, Some(-0.125)],
    };
    let cells = Cells {
        field: "AP".into(),
        min: 0.0,
        max: 1.0,
        values: vec![
            Some(0.0),
            None,
            Some(1.0),
            Some(0.5),
            Some(0.25),
            Some(0.75),
        ],
    };
    let point = Point {
        x: 0.5,
        y: 0.25,
        name: "301".into(),
    };
    let points = Points {
        field: "topic".into(),
        key: None,
        ink: Ink::Series(0),
        labelled: true,
        points: vec![point],
    };
    let label = Label {
        x: 0.0,
        y: 1.0,
        text: "bm25".into(),
        figure: "0.250".into(),
        left: true,
        ink: Ink::Muted,
    };
    let unit = |name: &str| Axis::linear(name, 0.0, 1.0);
    let mut plots = of_comparisons();
    plots.extend([
        banded,
        with(
            PlotKind::Histogram,
            topics.clone(),
            Axis::fitted("difference", [0.25, -0.125], true),
            vec![Layer::Bars(bars), level()],
        ),
        with(
            PlotKind::Box,
            unit("AP"),
            runs.clone(),
            vec![Layer::Boxes(vec![shown("bm25"), shown("dense")])],
        ),
        with(PlotKind::Heatmap, topics, runs, vec![Layer::Cells(cells)]),
        with(
            PlotKind::Scatter,
            unit("AP"),
            unit("RR"),
            vec![Layer::Rule(Rule::Identity), Layer::Points(points)],
        ),
        with(
            PlotKind::Slope,
            Axis::names("measure", names(&["AP", "RR"])),
            Axis::whole("rank", 2.5, 0.5),
            vec![line("bm25", 0, &[1.0, 2.0]), Layer::Labels(vec![label])],
        ),
    ]);
    plots
}

pub(super) fn diagram(runs: usize) -> Critical {
    let item = |at: usize| CriticalItem {
        name: format!("a run with a rather long name, number {at} of all"),
        place: 1.0 + 2.0 * at as f64 / runs as f64,
        figure: format!("{:.2}", 1.0 + 2.0 * at as f64 / runs as f64),
    };
    Critical {
        items: (0..runs).map(item).collect(),
        groups: (1..runs).map(|at| vec![at - 1, at]).collect(),
        difference: Some((0.5, "CD = 0.5".into())),
    }
}

pub(super) fn text(plot: &Plot, format: PlotFormat) -> String {
    String::from_utf8(plot.render(format, &Sheet::default()).unwrap()).unwrap()
}

/// All characters without a glyph are drawn as the same box.
#[test]
fn characters_without_a_glyph_look_alike() {
    let png = |title: &str| {
        let mut plot = curves(1);
        plot.title = title.into();
        plot.render(PlotFormat::Png, &Sheet::default()).unwrap()
    };
    assert_eq!(png("日本"), png("検索"));
    assert_ne!(png("ab"), png("ba"));
    assert_ne!(png("яΩ"), png("Ωя"));
    assert!(is_writable("яΩ") && !is_writable("日本") && is_writable("a\u{3164}"));
}

#[test]
fn data_is_what_is_shown() {
    let tables: Vec<String> = all()
        .iter()
        .map(|plot| text(plot, PlotFormat::Csv))
        .collect();
    let first: Vec<&str> = tables[3].lines().collect();
    assert_eq!(first[0], "run,rank,nDCG@3,low,high");
    assert_eq!(
        first[2],
        "\"a run with <a rather> long & strange name, number 0 of all\",2,0.5,0.4,0.6"
    );
    assert!(first[4].ends_with(",1,0.9,,"), "{}", first[4]);
    assert_eq!(tables[0], "run\nbm25\n");
    assert_eq!(tables[4], "topic,difference\n301,0.25\n302,\n303,-0.125\n");
    assert_eq!(
        tables[5],
        "run,topic,AP\nbm25,301,0.1\nbm25,302,0.4\ndense,301,0.1\ndense,302,0.4\n"
    );
    assert_eq!(
        tables[6],
        "run,topic,AP\nbm25,301,0\nbm25,302,\nbm25,303,1\ndense,301,0.5\ndense,302,0.25\ndense,303,0.75\n"
    );
    assert_eq!(tables[7], "topic,AP,RR\n301,0.5,0.25\n");
}

#[test]
fn equal_figures_give_equal_bytes_in_every_format() {
    for plot in all() {
        for format in PlotFormat::ALL {
            let render = || plot.clone().render(format, &Sheet::default()).unwrap();
            let (once, twice) = (render(), render());
            assert!(!once.is_empty() && once == twice, "{} {format}", plot.kind);
            let start: &[u8] = match format {
                PlotFormat::Svg => b"<svg ",
                PlotFormat::Png => b"\x89PNG",
                PlotFormat::Pdf => b"%PDF-",
                PlotFormat::Html => b"<!DOCTYPE html>",
                PlotFormat::Vega => b"{\n",
                PlotFormat::Csv => b"",
            };
            assert!(once.starts_with(start), "{} {format}", plot.kind);
        }
    }
}

/// Both weights are embedded, with a map to Unicode for searching.
#[test]
fn pdf_has_a_subset_of_the_font() {
    let one = curves(1)
        .render(PlotFormat::Pdf, &Sheet::default())
        .unwrap();
    let text = String::from_utf8_lossy(&one);
    assert!(text.contains("CRANFR+DejaVuSans") && text.contains("CRANFB+DejaVuSans-Bold"));
    assert!(text.contains("/ToUnicode") && text.trim_end().ends_with("%%EOF"));
    assert!(one.len() < 20_000, "{}", one.len());
}

#[test]
fn png_has_the_resolution_asked_for() {
    let sheet = Sheet {
        dpi: 144.0,
        ..Sheet::default()
    };
    let png = curves(1).render(PlotFormat::Png, &sheet).unwrap();
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert_eq!(width, 1008);
    let place = png.windows(4).position(|kind| kind == b"pHYs").unwrap();
    let per_metre = u32::from_be_bytes(png[place + 4..place + 8].try_into().unwrap());
    assert_eq!(per_metre, 5669);
}

#[test]
fn svg_has_a_title_a_description_and_escaped_names() {
    let svg = text(&curves(2), PlotFormat::Svg);
    assert!(svg.contains("<title>nDCG by rank</title>"));
    assert!(svg.contains("<desc>nDCG@3, mean over 12 topics.</desc>"));
    assert!(svg.contains("viewBox=\"0 0 504 "));
    assert!(svg.contains("&lt;a rather&gt;") && !svg.contains("<a rather>"));
    assert_eq!(svg.matches("<svg").count(), 1);
}

#[test]
fn dollars_in_names_stay() {
    let mut plot = curves(1);
    plot.title = "cost $x_1$ and \u{7}bell".into();
    let svg = text(&plot, PlotFormat::Svg);
    assert!(svg.contains(">cost $x_1$ and \\x07bell</text>"), "{svg}");
}

#[test]
fn pages_need_no_network() {
    for plot in all() {
        let page = text(&plot, PlotFormat::Html);
        let addresses =
            page.matches("http").count() - page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(addresses, 0);
        assert!(page.contains("<details>") && page.contains("<table>"));
        assert!(page.contains("prefers-color-scheme: dark"));
    }
}

#[test]
fn vega_has_the_data_and_the_schema() {
    for plot in all() {
        let spec: serde_json::Value = serde_json::from_str(&text(&plot, PlotFormat::Vega)).unwrap();
        assert_eq!(
            spec["$schema"],
            "https://vega.github.io/schema/vega-lite/v6.json"
        );
        let layers = spec["layer"].as_array().unwrap();
        let mut layers = layers.iter();
        let data = layers.find(|layer| layer["data"]["values"].is_array());
        let domain = &data.unwrap()["encoding"]["x"]["scale"]["domain"];
        assert!(domain.is_array(), "{} {spec}", plot.kind);
    }
}

#[test]
fn impossible_sheets_are_errors() {
    let error = |sheet: Sheet| {
        curves(24)
            .render(PlotFormat::Png, &sheet)
            .unwrap_err()
            .to_string()
    };
    let low = Sheet {
        height: Some(130.0),
        ..Sheet::default()
    };
    assert!(
        error(low).contains("needs a height of at least"),
        "{}",
        error(low)
    );
    let narrow = Sheet {
        width: 20.0,
        ..Sheet::default()
    };
    assert_eq!(
        error(narrow),
        "width and height of a figure are 120 to 5000 points, not 20"
    );
    let fine = Sheet {
        width: 5000.0,
        dpi: 1200.0,
        ..Sheet::default()
    };
    assert!(error(fine).contains("million pixels"));
    let nan = Sheet {
        width: f64::NAN,
        ..Sheet::default()
    };
    assert!(error(nan).contains("not NaN"));
}

#[test]
fn names_of_formats_parse_back() {
    for format in PlotFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert_eq!(PlotFormat::of_file("a/b.SVG"), Some(PlotFormat::Svg));
    assert_eq!(PlotFormat::of_file("b.vl.json"), Some(PlotFormat::Vega));
    assert_eq!(PlotFormat::of_file("data.csv.gz"), Some(PlotFormat::Csv));
    assert_eq!(PlotFormat::of_file("plot.bmp"), None);
    assert_eq!(PlotFormat::of_file("plot"), None);
}
