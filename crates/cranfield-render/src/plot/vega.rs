//! Vega-Lite: a specification with its data, for editors and notebooks.

use serde_json::{Map, Value, json};

use super::metrics::labelled;
use super::style::{ABOVE, BELOW, BOX, CIVIDIS, GREY, MUTED, hex};
use super::{
    Axis, Band, Bars, BoxPlot, Cells, Ink, Label, Layer, Line, Look, Plot, Points, Rule, Scale,
    Sheet,
};

const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v6.json";

impl Plot {
    /// The specification.
    pub(super) fn vega(&self, sheet: &Sheet) -> String {
        let mut spec = Map::new();
        spec.insert("$schema".into(), SCHEMA.into());
        spec.insert("title".into(), self.title.clone().into());
        spec.insert("description".into(), self.caption.clone().into());
        spec.insert("width".into(), sheet.width.into());
        let height = sheet.height.unwrap_or(0.6 * sheet.width);
        spec.insert("height".into(), height.into());
        let bands = self.layers.iter().filter_map(|layer| match layer {
            Layer::Band(band) => Some(self.vega_band(band)),
            Layer::Rule(Rule::Level { interval, .. }) => interval.map(vega_interval),
            _ => None,
        });
        let others = self.layers.iter().filter_map(|layer| match layer {
            Layer::Points(points) => Some(vec![self.vega_points(points)]),
            Layer::Bars(bars) => Some(vec![self.vega_bars(bars)]),
            Layer::Boxes(boxes) => Some(self.vega_boxes(boxes)),
            Layer::Cells(cells) => Some(vec![self.vega_cells(cells)]),
            Layer::Rule(rule) => Some(vec![self.vega_rule(rule)]),
            Layer::Labels(labels) => Some(vec![self.vega_labels(labels)]),
            Layer::Matrix(matrix) => Some(self.vega_matrix(matrix)),
            Layer::Intervals(intervals) => Some(self.vega_intervals(intervals)),
            Layer::Critical(critical) => Some(self.vega_critical(critical)),
            Layer::Line(_) | Layer::Band(_) | Layer::Data(_) => None,
        });
        let lines = self.all_lines().next().map(|_| self.vega_lines());
        let layers: Vec<Value> = bands.chain(others.flatten()).chain(lines).collect();
        spec.insert("layer".into(), layers.into());
        let text = serde_json::to_string_pretty(&Value::Object(spec));
        text.unwrap_or_default() + "\n"
    }

    /// The encoding of the two axes.
    pub(super) fn encoding(&self) -> Map<String, Value> {
        let mut encoding = Map::new();
        encoding.insert("x".into(), channel(&self.x, "x", false));
        encoding.insert("y".into(), channel(&self.y, "y", true));
        encoding
    }

    /// All lines, distinguished by colour and dashes.
    fn vega_lines(&self) -> Value {
        let lines: Vec<&Line> = self.all_lines().collect();
        let values: Vec<Value> = lines
            .iter()
            .flat_map(|line| {
                line.points
                    .iter()
                    .map(|[x, y]| json!({"series": line.name, "x": place(&self.x, *x), "y": place(&self.y, *y)}))
            })
            .collect();
        let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        let colours: Vec<String> = lines.iter().map(|line| hex(line.ink.rgb())).collect();
        let dashes: Vec<Vec<f64>> = lines
            .iter()
            .map(|line| match line.look {
                Look::Full => line.ink.dashes().to_vec(),
                Look::Thin => super::style::DOTS.to_vec(),
                Look::Plain => Vec::new(),
            })
            .map(|dashes| {
                if dashes.is_empty() {
                    vec![1.0, 0.0]
                } else {
                    dashes
                }
            })
            .collect();
        let mut encoding = self.encoding();
        let field = |range: Value| {
            json!({"field": "series", "type": "nominal", "title": self.series, "sort": null,
                   "scale": {"domain": names, "range": range}})
        };
        encoding.insert("color".into(), field(json!(colours)));
        encoding.insert("strokeDash".into(), field(json!(dashes)));
        json!({"data": {"values": values}, "mark": {"type": "line", "tooltip": true}, "encoding": encoding})
    }

    fn vega_band(&self, band: &Band) -> Value {
        let values = band.points.iter().map(|[x, low, high]| {
            json!({"series": band.name, "x": place(&self.x, *x), "y": low, "high": high})
        });
        let values: Vec<Value> = values.collect();
        let mut encoding = self.encoding();
        encoding.insert("y2".into(), json!({"field": "high"}));
        let mark = json!({"type": "area", "color": hex(band.ink.rgb()), "opacity": 0.12});
        json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
    }

    fn vega_points(&self, points: &Points) -> Value {
        let values = points.points.iter().map(|point| {
            json!({"name": point.name, "x": place(&self.x, point.x), "y": place(&self.y, point.y)})
        });
        let values: Vec<Value> = values.collect();
        let mut encoding = self.encoding();
        encoding.insert(
            "tooltip".into(),
            json!([
                {"field": "name", "title": points.field},
                {"field": "x", "title": self.x.field},
                {"field": "y", "title": self.y.field},
            ]),
        );
        let mark = json!({"type": "point", "filled": true, "color": hex(points.ink.rgb())});
        json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
    }

    fn vega_bars(&self, bars: &Bars) -> Value {
        let values = bars.values.iter().enumerate();
        let values = values.map(|(at, value)| {
            let side = if value.is_some_and(|value| value < 0.0) {
                &bars.below
            } else {
                &bars.above
            };
            json!({"x": place(&self.x, at as f64), "y": value, "side": side})
        });
        let values: Vec<Value> = values.collect();
        let mut encoding = self.encoding();
        let scale = json!({"domain": [bars.above, bars.below], "range": [hex(ABOVE), hex(BELOW)]});
        encoding.insert(
            "color".into(),
            json!({"field": "side", "type": "nominal", "title": null, "scale": scale}),
        );
        json!({"data": {"values": values}, "mark": {"type": "bar", "tooltip": true}, "encoding": encoding})
    }

    /// Whiskers, boxes, medians, means, points.
    fn vega_boxes(&self, boxes: &[BoxPlot]) -> Vec<Value> {
        let summaries: Vec<Value> = boxes
            .iter()
            .map(|shown| {
                json!({"y": shown.name, "low": shown.low, "q1": shown.q1, "median": shown.median,
                       "q3": shown.q3, "high": shown.high, "mean": shown.mean,
                       "mean_low": shown.interval.map(|limits| limits[0]),
                       "mean_high": shown.interval.map(|limits| limits[1])})
            })
            .collect();
        let points: Vec<Value> = boxes
            .iter()
            .flat_map(|shown| {
                shown
                    .values
                    .iter()
                    .map(|(name, value)| json!({"y": shown.name, "topic": name, "x": value}))
            })
            .collect();
        let span = |mark: Value, from: &str, to: Option<&str>| {
            let mut encoding = self.encoding();
            encoding.insert("x".into(), channel(&self.x, from, false));
            if let Some(to) = to {
                encoding.insert("x2".into(), json!({"field": to}));
            }
            json!({"data": {"values": summaries}, "mark": mark, "encoding": encoding})
        };
        let point =
            json!({"type": "point", "filled": true, "size": 8, "opacity": 0.65, "tooltip": true});
        vec![
            span(json!("rule"), "low", Some("high")),
            span(
                json!({"type": "bar", "color": hex(BOX), "stroke": "#1f1f1f"}),
                "q1",
                Some("q3"),
            ),
            span(
                json!({"type": "tick", "color": "#1f1f1f", "thickness": 2}),
                "median",
                None,
            ),
            json!({"data": {"values": points}, "mark": point, "encoding": self.encoding()}),
            span(
                json!({"type": "rule", "color": hex(BELOW), "size": 2}),
                "mean_low",
                Some("mean_high"),
            ),
            span(
                json!({"type": "point", "shape": "diamond", "filled": true, "size": 60, "color": hex(BELOW),
                       "tooltip": true}),
                "mean",
                None,
            ),
        ]
    }

    fn vega_cells(&self, cells: &Cells) -> Value {
        let columns = self.x.len().max(1);
        let values = cells.values.iter().enumerate().map(|(at, value)| {
            let (row, column) = ((at / columns) as f64, (at % columns) as f64);
            json!({"x": place(&self.x, column), "y": place(&self.y, row), "value": value})
        });
        let values: Vec<Value> = values.collect();
        let range: Vec<String> = CIVIDIS.iter().map(|rgb| hex(*rgb)).collect();
        let mut encoding = self.encoding();
        let scale = json!({"domain": [cells.min, cells.max], "range": range});
        encoding.insert(
            "color".into(),
            json!({"field": "value", "type": "quantitative", "title": cells.field, "scale": scale}),
        );
        json!({"data": {"values": values}, "mark": {"type": "rect", "tooltip": true}, "encoding": encoding})
    }

    fn vega_rule(&self, rule: &Rule) -> Value {
        let mark = json!({"type": "line", "color": hex(GREY), "strokeDash": [7, 3]});
        let points = match (rule, &self.x.scale) {
            (Rule::Level { at, .. }, _) => {
                let mark = json!({"type": "rule", "color": hex(GREY), "strokeDash": [7, 3]});
                return json!({"mark": mark, "encoding": {"y": {"datum": at}}});
            }
            (Rule::Identity, Scale::Linear { min, max, .. }) => vec![*min, *max],
            (Rule::Identity, Scale::Names(_)) => Vec::new(),
        };
        let values: Vec<Value> = points.iter().map(|at| json!({"x": at, "y": at})).collect();
        json!({"data": {"values": values}, "mark": mark, "encoding": self.encoding()})
    }

    fn vega_labels(&self, labels: &[Label]) -> Value {
        let values = labels.iter().map(|label| {
            let colour = if label.ink == Ink::Muted { MUTED } else { label.ink.rgb() };
            json!({"x": place(&self.x, label.x), "y": place(&self.y, label.y),
                   "text": labelled(&label.text, &label.figure, label.left, 1.0, f64::INFINITY),
                   "align": if label.left { "right" } else { "left" }, "dx": if label.left { -6 } else { 6 },
                   "color": hex(colour)})
        });
        let values: Vec<Value> = values.collect();
        let mut encoding = self.encoding();
        encoding.insert("text".into(), json!({"field": "text"}));
        let mark =
            json!({"type": "text", "align": {"expr": "datum.align"}, "dx": {"expr": "datum.dx"}});
        json!({"data": {"values": values}, "mark": mark, "encoding": encoding})
    }
}

fn vega_interval([low, high]: [f64; 2]) -> Value {
    let mark = json!({"type": "rect", "color": hex(GREY), "opacity": 0.2});
    json!({"mark": mark, "encoding": {"y": {"datum": low}, "y2": {"datum": high}}})
}

/// The name at a position, or the number.
fn place(axis: &Axis, at: f64) -> Value {
    match axis.scale {
        Scale::Names(_) => axis.text(at).into(),
        Scale::Linear { .. } => at.into(),
    }
}

/// How an axis shows a field.
fn channel(axis: &Axis, field: &str, upwards: bool) -> Value {
    match &axis.scale {
        Scale::Names(names) => {
            let turned = if upwards { 0 } else { -90 };
            json!({"field": field, "type": "nominal", "title": axis.label, "sort": null,
                   "scale": {"domain": names},
                   "axis": {"labelAngle": if names.len() > 4 { turned } else { 0 }}})
        }
        Scale::Linear { min, max, .. } => {
            json!({"field": field, "type": "quantitative", "title": axis.label,
                   "scale": {"domain": [min.min(*max), min.max(*max)], "nice": false, "zero": false,
                             "reverse": min > max}})
        }
    }
}
