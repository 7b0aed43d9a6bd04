//! Agreement of two sets of judgements: the cross table and the figures.

use cranfield::agreement::{
    Agreement, Class, Coefficient, CrossTable, Figure, Intervals, Line, PercentOf,
};
use cranfield::render::{Content, Field, Records, Render, Section};
use cranfield::report::{Cell, Column, Table, visible};
use cranfield::stats::bootstrap::Estimate;
use cranfield::stats::short;
use cranfield::{ComparedQrels, VERSION};
use serde_json::{Map, Value, json};

use super::estimates::{coefficients_table, ends, files_object, intervals_object};
use super::topic_rows::{all_name, name as topic_name};

/// Topic name of the mean over topics.
const MEAN: &str = "mean";

/// Decimals of percentages in tables.
const PERCENT_DIGITS: usize = 1;

/// The topics to show: all, or one of them.
#[derive(Debug)]
pub(crate) struct View<'a> {
    /// The topic, if there is only one.
    pub topic: Option<&'a str>,
    /// The cross table.
    pub table: &'a CrossTable,
}

impl<'a> View<'a> {
    /// All topics, or one.
    ///
    /// # Errors
    /// If there is no such topic.
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

/// The agreement of two sets of judgements, ready to be written.
#[derive(Debug)]
pub(crate) struct AgreementTables<'a> {
    /// The comparison.
    pub compared: &'a ComparedQrels,
    /// The topics to show.
    pub view: &'a View<'a>,
    /// The figures of the view in the order of [`Figure::ALL`], with intervals.
    pub estimates: &'a [Estimate],
    /// The coefficients of [`Coefficient::OF_TWO`].
    pub coefficients: &'a [Estimate],
    /// How they are shown.
    pub style: &'a AgreementStyle,
}

/// How agreement is shown.
#[derive(Clone, Debug)]
pub struct AgreementStyle {
    /// Base of percentages, if there are any.
    pub percent: Option<PercentOf>,
    /// Whether each topic is shown.
    pub per_topic: bool,
    /// How intervals are computed.
    pub intervals: Intervals,
    /// Decimals of figures.
    pub digits: usize,
}

impl AgreementStyle {
    /// How intervals are computed, in a sentence.
    pub(super) fn intervals_in_words(&self) -> String {
        let Intervals { level, resampling } = self.intervals;
        format!(
            "{} % intervals from {} resamples of the documents, seed {}",
            short(level * 100.0),
            resampling.replicates,
            resampling.seed
        )
    }
}

impl Render for AgreementTables<'_> {
    fn content(&self) -> Content {
        let mut counts = counts(self.view.table, self.style);
        counts.digits = PERCENT_DIGITS;
        let mut figures = self.figures();
        figures.digits = self.style.digits;
        let counts = Section {
            title: title(self.compared, self.style),
            table: counts,
        };
        let figures = Section {
            title: if self.style.per_topic {
                String::new()
            } else {
                self.style.intervals_in_words()
            },
            table: figures,
        };
        Content::Sections(vec![counts, figures, self.coefficients().into()])
    }

    fn records(&self) -> Records<'_> {
        let [first, second] = &self.compared.names;
        let fields = [
            Field::new("first"),
            Field::new("second"),
            Field::new("topic"),
            Field::new("measure"),
            Field::optional("first_grade"),
            Field::optional("second_grade"),
            Field::new("value"),
            Field::optional("low"),
            Field::optional("high"),
        ];
        let rows = self.values().into_iter().map(move |record| {
            let grade = |grade: Option<String>| grade.map_or(Cell::Missing, Cell::text);
            vec![
                Cell::text(first),
                Cell::text(second),
                Cell::text(record.topic),
                Cell::text(record.measure),
                grade(record.first_grade),
                grade(record.second_grade),
                record.value,
                Cell::real(record.ends.map(|ends| ends[0])),
                Cell::real(record.ends.map(|ends| ends[1])),
            ]
        });
        Records::new(fields, rows)
    }

    fn json(&self) -> Value {
        document(self)
    }
}

fn title(compared: &ComparedQrels, style: &AgreementStyle) -> String {
    let [first, second] = &compared.names;
    let mut title = format!("rows {}, columns {}", visible(second), visible(first));
    if let Some(of) = style.percent {
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

/// Name of a line.
fn name(line: Line, classes: &[Class]) -> String {
    match line {
        Line::Class(place) => classes
            .get(usize::from(place))
            .map_or_else(String::new, ToString::to_string),
        Line::Total => "total".into(),
        Line::Unjudged => "unjudged".into(),
    }
}

/// Documents, with percentages next to them.
fn counts(table: &CrossTable, style: &AgreementStyle) -> Table {
    let columns = columns_of(table);
    let has_percent = |line: Line| style.percent.filter(|_| line != Line::Unjudged);
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

impl AgreementTables<'_> {
    /// Topic name of all documents together.
    fn all_name(&self) -> String {
        let topics = &self.compared.agreement.topics;
        all_name(|name| topics.iter().any(|topic| *topic.id == *name.as_bytes()))
    }

    /// The topic of the view, or the name of all documents together.
    fn shown_name(&self) -> String {
        let topic = self.view.topic;
        topic.map_or_else(|| self.all_name(), Into::into)
    }

    /// The ends of the interval of a figure.
    fn ends(&self, at: usize) -> Option<[f64; 2]> {
        ends(*self.estimates.get(at)?)
    }

    fn rows(&self) -> Vec<Row> {
        let agreement = &self.compared.agreement;
        if let Some(topic) = self.view.topic {
            return vec![(topic.into(), values(self.view.table))];
        }
        let topics = agreement.topics.iter().filter(|_| self.style.per_topic);
        let topics = topics.map(|topic| (topic_name(&topic.id), values(&topic.table)));
        let together = [
            (self.all_name(), values(&agreement.all)),
            (MEAN.into(), means(agreement)),
        ];
        topics.chain(together).collect()
    }

    /// A row per coefficient with its interval.
    fn coefficients(&self) -> Table {
        let value = self.shown_name();
        let mut table = coefficients_table(&value, Coefficient::OF_TWO, self.coefficients);
        table.digits = self.style.digits;
        table
    }

    /// A row per topic or, where there are few, a row per figure with its interval.
    fn figures(&self) -> Table {
        let rows = self.rows();
        let names = Figure::ALL.iter().map(|figure| figure.name());
        if self.style.per_topic {
            let headings = names.map(Column::number);
            let mut table = Table::new([Column::text("topic")].into_iter().chain(headings));
            for (topic, values) in rows {
                let values = values.into_iter().map(Cell::real);
                table.push([Cell::text(topic)].into_iter().chain(values));
            }
            return table;
        }
        let mut headings = vec![Column::text("figure")];
        for (topic, _) in &rows {
            headings.push(Column::number(topic));
            if *topic == self.shown_name() {
                headings.extend(["low", "high"].map(Column::number));
            }
        }
        let mut table = Table::new(headings);
        for (at, name) in names.enumerate() {
            let mut cells = vec![Cell::text(name)];
            for (topic, values) in &rows {
                cells.push(Cell::real(values.get(at).copied().flatten()));
                if *topic == self.shown_name() {
                    let ends = self.ends(at);
                    cells.extend([0, 1].map(|end| Cell::real(ends.map(|ends| ends[end]))));
                }
            }
            table.push(cells);
        }
        table
    }

    /// Counts and percentages, then figures.
    fn values(&self) -> Vec<Record> {
        let mut records = Vec::new();
        let topics = self.compared.agreement.topics.iter();
        for topic in topics.filter(|_| self.style.per_topic) {
            let seen = topic.table.lines().map(|(row, column, _)| (row, column));
            let id = topic_name(&topic.id);
            push_cells(&mut records, &id, &topic.table, seen, self.style);
        }
        let table = self.view.table;
        let (rows, columns) = (rows_of(table), columns_of(table));
        let shown = rows
            .iter()
            .flat_map(|row| columns.iter().map(move |column| (*row, *column)));
        let shown = shown.filter(|pair| *pair != (Line::Unjudged, Line::Unjudged));
        push_cells(&mut records, &self.shown_name(), table, shown, self.style);
        for (topic, values) in self.rows() {
            let is_shown = topic == self.shown_name();
            let values = Figure::ALL.iter().zip(values).enumerate();
            records.extend(values.map(|(at, (figure, value))| Record {
                topic: topic.clone(),
                measure: figure.name().into(),
                second_grade: None,
                first_grade: None,
                value: Cell::real(value),
                ends: self.ends(at).filter(|_| is_shown),
            }));
        }
        let coefficients = Coefficient::OF_TWO.iter().zip(self.coefficients);
        records.extend(coefficients.map(|(coefficient, estimate)| Record {
            topic: self.shown_name(),
            measure: coefficient.name(),
            second_grade: None,
            first_grade: None,
            value: Cell::real(estimate.value),
            ends: ends(*estimate),
        }));
        records
    }
}

/// The figures of a table, in the order of [`Figure::ALL`].
fn values(table: &CrossTable) -> Vec<Option<f64>> {
    Figure::ALL.iter().map(|at| table.figure(*at)).collect()
}

fn means(agreement: &Agreement) -> Vec<Option<f64>> {
    let figures = Figure::ALL.iter();
    figures.map(|figure| agreement.mean(*figure)).collect()
}

/// One number: of a topic, a count or percentage with its classes, or a figure without.
struct Record {
    topic: String,
    measure: String,
    second_grade: Option<String>,
    first_grade: Option<String>,
    value: Cell,
    /// The ends of the interval of a figure.
    ends: Option<[f64; 2]>,
}

fn push_cells(
    records: &mut Vec<Record>,
    topic: &str,
    table: &CrossTable,
    cells: impl Iterator<Item = (Line, Line)>,
    style: &AgreementStyle,
) {
    for (row, column) in cells {
        let record = |measure: String, value: Cell| Record {
            topic: topic.into(),
            measure,
            second_grade: Some(name(row, table.rows())),
            first_grade: Some(name(column, table.columns())),
            value,
            ends: None,
        };
        let count = i64::try_from(table.count(row, column)).unwrap_or(i64::MAX);
        records.push(record("count".into(), Cell::Int(count)));
        if let Some(of) = style.percent
            && let Some(percent) = table.percent(of, row, column)
        {
            let measure = format!("percent_of_{}", of.name());
            records.push(record(measure, Cell::Real(percent)));
        }
    }
}

/// The table and the figures, with the files and settings behind them.
fn document(tables: &AgreementTables<'_>) -> Value {
    let AgreementTables {
        compared,
        view,
        estimates,
        coefficients,
        style,
    } = tables;
    let coefficients = || {
        let names = Coefficient::OF_TWO
            .iter()
            .map(|coefficient| coefficient.name());
        names.zip(coefficients.iter().copied())
    };
    let values = coefficients().map(|(name, estimate)| (name, json!(estimate.value)));
    let agreement = &compared.agreement;
    let files = compared.names.iter().zip(&compared.files);
    let mut document = json!({
        "cranfield": VERSION,
        "level": agreement.plan.level,
        "merge": {
            "first": agreement.plan.first.levels(),
            "second": agreement.plan.second.levels(),
        },
        "percent_of": style.percent.map(PercentOf::name),
        "files": files_object(files),
        "counted": {
            "topics": agreement.topics.len(),
            "only_first": agreement.only_first,
            "only_second": agreement.only_second,
        },
        "topic": view.topic.unwrap_or("all"),
        "intervals": intervals_object(
            style.intervals,
            Figure::ALL.iter().map(|figure| figure.name().into()).zip(estimates.iter().copied()).chain(coefficients()),
        ),
    });
    if let Some(document) = document.as_object_mut() {
        document.extend(members(view.table, style));
        document.insert("coefficients".into(), Value::Object(values.collect()));
        if view.topic.is_none() {
            document.insert("mean".into(), object(&means(agreement)));
        }
        if style.per_topic {
            let topics = agreement.topics.iter().map(|topic| {
                let members = members(&topic.table, style);
                (topic_name(&topic.id), Value::Object(members))
            });
            document.insert("topics".into(), Value::Object(topics.collect()));
        }
    }
    document
}

/// Counts of the rows and columns that have documents, and the figures.
fn members(table: &CrossTable, style: &AgreementStyle) -> Map<String, Value> {
    let cells = table.lines().map(|(row, column, count)| {
        let mut cell = json!({
            "second": name(row, table.rows()),
            "first": name(column, table.columns()),
            "count": count,
        });
        let percent = style.percent.and_then(|of| table.percent(of, row, column));
        if let (Some(percent), Some(cell)) = (percent, cell.as_object_mut()) {
            cell.insert("percent".into(), json!(percent));
        }
        cell
    });
    let mut members = Map::new();
    members.insert("table".into(), cells.collect());
    members.insert("figures".into(), object(&values(table)));
    members
}

fn object(values: &[Option<f64>]) -> Value {
    let figures = Figure::ALL.iter().zip(values);
    let members = figures.map(|(figure, value)| (figure.name().to_owned(), json!(value)));
    Value::Object(members.collect())
}
