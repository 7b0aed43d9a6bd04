//! Two sets of judgements side by side, in every format.

use cranfield::agreement::{Agreement, Class, CrossTable, Figure, Line, PercentOf};
use cranfield::report::{Cell, Column, Format, Table, visible};
use cranfield::{ComparedQrels, VERSION};
use serde_json::{Map, Value, json};

use super::{file_hash, terminal_width, titled};
use crate::args::ResultFormat;
use crate::commands::agree::AgreeArgs;

/// The topic name of all documents together, and that of means over topics.
const ALL: &str = "all";
const MEAN: &str = "mean";

/// Decimals of percentages that people read.
const PERCENT_DIGITS: usize = 1;

/// What is shown: all topics, or one of them.
pub(crate) struct View<'a> {
    /// The topic, if there is but one.
    pub(crate) topic: Option<&'a str>,
    pub(crate) table: &'a CrossTable,
}

impl<'a> View<'a> {
    pub(crate) fn of(compared: &'a ComparedQrels, topic: Option<&'a str>) -> anyhow::Result<Self> {
        let agreement = &compared.agreement;
        let table = match topic {
            None => &agreement.all,
            Some(id) => {
                let found = agreement.topics.iter().find(|at| *at.id == *id.as_bytes());
                let found = found.map(|at| &at.table);
                found.ok_or_else(|| anyhow::anyhow!("topic `{id}` is not in both files"))?
            }
        };
        Ok(Self { topic, table })
    }
}

pub(crate) fn render(
    compared: &ComparedQrels,
    view: &View<'_>,
    args: &AgreeArgs,
) -> anyhow::Result<String> {
    let tables = |format| {
        let mut counts = counts(view.table, args);
        (counts.digits, counts.width) = (PERCENT_DIGITS, terminal_width());
        let mut figures = figures(&rows(compared, view, args), args.per_topic);
        (figures.digits, figures.width) = (usize::from(args.output.digits), terminal_width());
        let counts = titled(&title(compared, args), &counts, format);
        format!("{counts}\n{}", figures.render(format))
    };
    Ok(match args.output.format {
        ResultFormat::Table => tables(Format::Text),
        ResultFormat::Md => tables(Format::Markdown),
        ResultFormat::Latex => tables(Format::Latex),
        ResultFormat::Html => tables(Format::Html),
        ResultFormat::Csv => separated(compared, view, args).render(Format::Csv),
        ResultFormat::Tsv => separated(compared, view, args).render(Format::Tsv),
        ResultFormat::Jsonl => jsonl(compared, view, args),
        ResultFormat::Json => serde_json::to_string_pretty(&document(compared, view, args))? + "\n",
        ResultFormat::Trec => {
            anyhow::bail!("trec_eval's format has no cross tables; use csv, tsv, json or jsonl")
        }
    })
}

fn title(compared: &ComparedQrels, args: &AgreeArgs) -> String {
    let [first, second] = &compared.names;
    let mut title = format!("rows {}, columns {}", visible(second), visible(first));
    if let Some(of) = args.percent.of() {
        title.push_str(&format!("; percent of {}", of.name()));
    }
    title
}

/// The lines of a side: its classes, their total, and what is not judged, if anything.
fn lines(classes: usize, unjudged: u64) -> Vec<Line> {
    let classes = (0..classes).map(|place| Line::Class(place as u8));
    let unjudged = (unjudged > 0).then_some(Line::Unjudged);
    classes.chain([Line::Total]).chain(unjudged).collect()
}

fn rows_of(table: &CrossTable) -> Vec<Line> {
    let unjudged = table.count(Line::Unjudged, Line::Total);
    lines(table.rows().len(), unjudged)
}

fn columns_of(table: &CrossTable) -> Vec<Line> {
    let unjudged = table.count(Line::Total, Line::Unjudged);
    lines(table.columns().len(), unjudged)
}

/// What a line is called.
fn name(line: Line, classes: &[Class]) -> String {
    match line {
        Line::Class(place) => classes
            .get(usize::from(place))
            .map_or_else(String::new, ToString::to_string),
        Line::Total => "total".into(),
        Line::Unjudged => "unjudged".into(),
    }
}

/// Documents, with percentages beside them.
fn counts(table: &CrossTable, args: &AgreeArgs) -> Table {
    let columns = columns_of(table);
    let has_percent = |line: Line| args.percent.of().filter(|_| line != Line::Unjudged);
    let headings = columns.iter().flat_map(|line| {
        let count = Column::number(name(*line, table.columns()));
        let percent = has_percent(*line).map(|_| Column::number("%"));
        [Some(count), percent].into_iter().flatten()
    });
    let mut result = Table::new([Column::text("grade")].into_iter().chain(headings));
    for row in rows_of(table) {
        let cells = columns.iter().flat_map(|column| {
            let is_empty = row == Line::Unjudged && *column == Line::Unjudged;
            let count = match i64::try_from(table.count(row, *column)) {
                Ok(count) if !is_empty => Cell::Int(count),
                _ => Cell::text(""),
            };
            let percent = has_percent(*column).map(|of| match row {
                Line::Unjudged => Cell::text(""),
                _ => Cell::real(table.percent(of, row, *column)),
            });
            [Some(count), percent].into_iter().flatten()
        });
        let cells: Vec<Cell> = cells.collect();
        let label = Cell::text(name(row, table.rows()));
        result.push([label].into_iter().chain(cells));
    }
    result
}

/// A topic and its figures, in the order of [`Figure::ALL`].
type Row = (String, Vec<Option<f64>>);

fn rows(compared: &ComparedQrels, view: &View<'_>, args: &AgreeArgs) -> Vec<Row> {
    let agreement = &compared.agreement;
    let values = |table: &CrossTable| Figure::ALL.iter().map(|at| table.figure(*at)).collect();
    if let Some(topic) = view.topic {
        return vec![(topic.into(), values(view.table))];
    }
    let topics = agreement.topics.iter().filter(|_| args.per_topic);
    let topics = topics.map(|topic| {
        let id = String::from_utf8_lossy(&topic.id).into_owned();
        (id, values(&topic.table))
    });
    topics
        .chain([
            (ALL.into(), values(&agreement.all)),
            (MEAN.into(), means(agreement)),
        ])
        .collect()
}

fn means(agreement: &Agreement) -> Vec<Option<f64>> {
    let figures = Figure::ALL.iter();
    figures.map(|figure| agreement.mean(*figure)).collect()
}

/// A row per topic or, where there are few, a row per figure.
fn figures(rows: &[Row], per_topic: bool) -> Table {
    let names = Figure::ALL.iter().map(|figure| figure.name());
    if per_topic {
        let headings = names.map(Column::number);
        let mut table = Table::new([Column::text("topic")].into_iter().chain(headings));
        for (topic, values) in rows {
            let values = values.iter().copied().map(Cell::real);
            table.push([Cell::text(topic)].into_iter().chain(values));
        }
        return table;
    }
    let headings = rows.iter().map(|(topic, _)| Column::number(topic));
    let mut table = Table::new([Column::text("figure")].into_iter().chain(headings));
    for (at, name) in names.enumerate() {
        let values = rows
            .iter()
            .map(|(_, values)| Cell::real(values.get(at).copied().flatten()));
        table.push([Cell::text(name)].into_iter().chain(values));
    }
    table
}

/// One number: of a topic, a count or percentage with its classes, or a figure without.
struct Record {
    topic: String,
    measure: String,
    second_grade: Option<String>,
    first_grade: Option<String>,
    value: Value,
}

/// The numbers of what is shown: counts and percentages first, then figures.
fn records(compared: &ComparedQrels, view: &View<'_>, args: &AgreeArgs) -> Vec<Record> {
    let agreement = &compared.agreement;
    let mut records = Vec::new();
    for topic in agreement.topics.iter().filter(|_| args.per_topic) {
        let id = String::from_utf8_lossy(&topic.id);
        let seen = topic.table.lines().map(|(row, column, _)| (row, column));
        push_cells(&mut records, &id, &topic.table, seen, args);
    }
    let columns = columns_of(view.table);
    let rows_shown = rows_of(view.table);
    let shown = rows_shown
        .iter()
        .flat_map(|row| columns.iter().map(move |column| (*row, *column)));
    let shown = shown.filter(|pair| *pair != (Line::Unjudged, Line::Unjudged));
    let topic = view.topic.unwrap_or(ALL);
    push_cells(&mut records, topic, view.table, shown, args);
    for (topic, values) in rows(compared, view, args) {
        for (figure, value) in Figure::ALL.iter().zip(values) {
            records.push(Record {
                topic: topic.clone(),
                measure: figure.name().into(),
                second_grade: None,
                first_grade: None,
                value: json!(value),
            });
        }
    }
    records
}

fn push_cells(
    records: &mut Vec<Record>,
    topic: &str,
    table: &CrossTable,
    cells: impl Iterator<Item = (Line, Line)>,
    args: &AgreeArgs,
) {
    for (row, column) in cells {
        let record = |measure: String, value: Value| Record {
            topic: topic.into(),
            measure,
            second_grade: Some(name(row, table.rows())),
            first_grade: Some(name(column, table.columns())),
            value,
        };
        records.push(record("count".into(), json!(table.count(row, column))));
        if let Some(of) = args.percent.of()
            && let Some(percent) = table.percent(of, row, column)
        {
            let measure = format!("percent_of_{}", of.name());
            records.push(record(measure, json!(percent)));
        }
    }
}

fn separated(compared: &ComparedQrels, view: &View<'_>, args: &AgreeArgs) -> Table {
    let names = [
        "first",
        "second",
        "topic",
        "measure",
        "first_grade",
        "second_grade",
    ];
    let columns = names.map(Column::text);
    let mut table = Table::new(columns.into_iter().chain([Column::number("value")]));
    let [first, second] = &compared.names;
    let grade = |grade: Option<String>| grade.map_or(Cell::Missing, Cell::text);
    for record in records(compared, view, args) {
        table.push([
            Cell::text(first),
            Cell::text(second),
            Cell::text(record.topic),
            Cell::text(record.measure),
            grade(record.first_grade),
            grade(record.second_grade),
            Cell::real(record.value.as_f64()),
        ]);
    }
    table
}

fn jsonl(compared: &ComparedQrels, view: &View<'_>, args: &AgreeArgs) -> String {
    let [first, second] = &compared.names;
    let mut text = String::new();
    for record in records(compared, view, args) {
        let mut object = Map::new();
        object.insert("first".into(), json!(first));
        object.insert("second".into(), json!(second));
        object.insert("topic".into(), json!(record.topic));
        object.insert("measure".into(), json!(record.measure));
        if record.first_grade.is_some() {
            object.insert("first_grade".into(), json!(record.first_grade));
            object.insert("second_grade".into(), json!(record.second_grade));
        }
        object.insert("value".into(), record.value);
        text.push_str(&format!("{}\n", Value::Object(object)));
    }
    text
}

/// The table and the figures with everything that is needed to compute them again.
fn document(compared: &ComparedQrels, view: &View<'_>, args: &AgreeArgs) -> Value {
    let agreement = &compared.agreement;
    let files = compared.names.iter().zip(&compared.files);
    let files: Vec<Value> = files
        .map(|(name, file)| {
            let notes: Vec<String> = file.notes.iter().map(ToString::to_string).collect();
            json!({"qrels": name, "path": file.path, "blake3": file_hash(&file.path), "notes": notes})
        })
        .collect();
    let mut document = json!({
        "cranfield": VERSION,
        "level": agreement.plan.level,
        "merge": {
            "first": agreement.plan.first.levels(),
            "second": agreement.plan.second.levels(),
        },
        "percent_of": args.percent.of().map(PercentOf::name),
        "files": files,
        "counted": {
            "topics": agreement.topics.len(),
            "only_first": agreement.only_first,
            "only_second": agreement.only_second,
        },
        "topic": view.topic.unwrap_or(ALL),
    });
    if let Some(document) = document.as_object_mut() {
        document.extend(members(view.table, args));
        if view.topic.is_none() {
            document.insert("mean".into(), object(&means(agreement)));
        }
        if args.per_topic {
            let topics = agreement.topics.iter().map(|topic| {
                let id = String::from_utf8_lossy(&topic.id).into_owned();
                (id, Value::Object(members(&topic.table, args)))
            });
            document.insert("topics".into(), Value::Object(topics.collect()));
        }
    }
    document
}

/// Counts of the rows and columns that have documents, and the figures.
fn members(table: &CrossTable, args: &AgreeArgs) -> Map<String, Value> {
    let cells = table.lines().map(|(row, column, count)| {
        let mut cell = json!({
            "second": name(row, table.rows()),
            "first": name(column, table.columns()),
            "count": count,
        });
        let percent = args
            .percent
            .of()
            .and_then(|of| table.percent(of, row, column));
        if let (Some(percent), Some(cell)) = (percent, cell.as_object_mut()) {
            cell.insert("percent".into(), json!(percent));
        }
        cell
    });
    let values: Vec<Option<f64>> = Figure::ALL.iter().map(|at| table.figure(*at)).collect();
    let mut members = Map::new();
    members.insert("table".into(), cells.collect());
    members.insert("figures".into(), object(&values));
    members
}

fn object(values: &[Option<f64>]) -> Value {
    let figures = Figure::ALL.iter().zip(values);
    let members = figures.map(|(figure, value)| (figure.name().to_owned(), json!(value)));
    Value::Object(members.collect())
}
