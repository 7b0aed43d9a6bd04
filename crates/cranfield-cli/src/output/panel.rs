//! Agreement of several assessors: coefficients, pairs, assessors, topics and documents.

use cranfield::agreement::{Assessor, Coefficient, Figure, Panel, PanelTopic};
use cranfield::render::{Content, Field, Records, Render, Section};
use cranfield::report::{Cell, Column, Table};
use cranfield::stats::bootstrap::Estimate;
use cranfield::{InputFile, VERSION};
use serde_json::{Map, Value, json};

use super::agreement::AgreementStyle;
use super::estimates::{coefficients_table, ends, files_object, intervals_object, with_ends};
use super::topic_rows::name;

/// The agreement of several assessors, ready to be written.
#[derive(Debug)]
pub struct PanelTables {
    panel: Panel,
    files: Vec<InputFile>,
    style: AgreementStyle,
}

impl PanelTables {
    /// The agreement of these assessors.
    pub fn new(panel: Panel, assessors: &[Assessor], style: AgreementStyle) -> Self {
        let files = assessors.iter().map(|assessor| assessor.file.clone());
        Self {
            files: files.collect(),
            panel,
            style,
        }
    }

    /// The agreement.
    pub(crate) fn panel(&self) -> &Panel {
        &self.panel
    }

    /// The files of the assessors.
    pub(crate) fn files(&self) -> &[InputFile] {
        &self.files
    }
}

/// The figures of pairs that are printed, and their headings.
const SHOWN: [(Figure, &str); 4] = [
    (Figure::Agreement, "agreement"),
    (Figure::Kappa, "kappa"),
    (Figure::KappaLinear, "lin"),
    (Figure::KappaQuadratic, "quad"),
];

impl Render for PanelTables {
    fn content(&self) -> Content {
        let panel = &self.panel;
        let mut sections = vec![
            (
                self.style.intervals_in_words(),
                coefficients_table("value", Coefficient::ALL, &panel.coefficients),
            ),
            ("pairs of assessors: agreement, and Cohen's kappa with its interval, with linear and with quadratic weights".into(), self.pairs()),
            ("assessors: bias against the others, mean kappa with them, and percent of judgements by grade".into(), self.assessors()),
            (self.topics_title(), self.topics()),
        ];
        if !panel.disputed.is_empty() {
            let title = format!(
                "{} of {} documents with different grades, largest spread first",
                panel.disputed.len(),
                panel.disputed_in_all
            );
            sections.push((title, self.disputed()));
        }
        let section = |(title, mut table): (String, Table)| {
            table.digits = self.style.digits;
            table.shrink = vec![0, 1];
            Section { title, table }
        };
        Content::Sections(sections.into_iter().map(section).collect())
    }

    fn records(&self) -> Records<'_> {
        let fields = [
            Field::new("figure"),
            Field::optional("first"),
            Field::optional("second"),
            Field::optional("topic"),
            Field::optional("doc"),
            Field::optional("grade"),
            Field::new("value"),
            Field::optional("low"),
            Field::optional("high"),
        ];
        let rows = self.numbers().into_iter().map(|number| {
            let text = |text: Option<String>| text.map_or(Cell::Missing, Cell::text);
            let ends = number.ends;
            vec![
                Cell::text(number.figure),
                text(number.first),
                text(number.second),
                text(number.topic),
                text(number.doc),
                text(number.grade),
                number.value,
                Cell::real(ends.map(|ends| ends[0])),
                Cell::real(ends.map(|ends| ends[1])),
            ]
        });
        Records::new(fields, rows)
    }

    fn json(&self) -> Value {
        self.object()
    }
}

impl PanelTables {
    fn pairs(&self) -> Table {
        let mut columns = ["first", "second"].map(Column::text).to_vec();
        columns.push(Column::number("both"));
        for (figure, heading) in SHOWN {
            columns.push(Column::number(heading));
            if figure == Figure::Kappa {
                columns.extend(["low", "high"].map(Column::number));
            }
        }
        let mut table = Table::new(columns);
        table.keys = 2;
        for pair in &self.panel.pairs {
            let mut cells = [pair.first, pair.second]
                .map(|at| Cell::text(&*self.panel.names[at]))
                .to_vec();
            cells.push(Cell::Int(i64::try_from(pair.documents).unwrap_or(i64::MAX)));
            for (figure, _) in SHOWN {
                let cell = with_ends(pair.figure(figure));
                let shown = if figure == Figure::Kappa { 3 } else { 1 };
                cells.extend(cell.into_iter().take(shown));
            }
            table.push(cells);
        }
        table
    }

    fn assessors(&self) -> Table {
        let numbers = ["judged", "mean", "bias", "kappa"].map(Column::number);
        let classes = self.panel.classes.iter();
        let classes = classes.map(|class| Column::number(format!("{class} %")));
        let columns = [Column::text("assessor")].into_iter().chain(numbers);
        let mut table = Table::new(columns.chain(classes));
        for (name, figures) in self.panel.names.iter().zip(&self.panel.assessors) {
            let mut cells = vec![
                Cell::text(name),
                Cell::Int(i64::try_from(figures.documents).unwrap_or(i64::MAX)),
                Cell::real(figures.mean),
                Cell::real(figures.bias),
                Cell::real(figures.kappa),
            ];
            let shares = figures.classes.iter();
            cells.extend(shares.map(|count| percent(*count, figures.documents)));
            table.push(cells);
        }
        table
    }

    /// The topics to print: all in their order, or those with the least agreement.
    fn shown_topics(&self) -> Vec<&PanelTopic> {
        if self.style.per_topic {
            return self.panel.topics.iter().collect();
        }
        let mut topics = self.panel.hardest_topics();
        topics.truncate(self.panel.plan.disputed);
        topics
    }

    fn topics_title(&self) -> String {
        if self.style.per_topic {
            return "topics".into();
        }
        let (shown, all) = (self.shown_topics().len(), self.panel.topics.len());
        format!("{shown} of {all} topics, least agreement first")
    }

    fn topics(&self) -> Table {
        let numbers = ["shared", "agreement", "alpha_ordinal"].map(Column::number);
        let mut table = Table::new([Column::text("topic")].into_iter().chain(numbers));
        for topic in self.shown_topics() {
            table.push([
                Cell::text(name(&topic.id)),
                Cell::count(topic.documents),
                Cell::real(topic.agreement),
                Cell::real(topic.alpha),
            ]);
        }
        table
    }

    fn disputed(&self) -> Table {
        let assessors = self.panel.names.iter().map(Column::number);
        let columns = ["topic", "document"].map(Column::text).into_iter();
        let columns = columns.chain(assessors).chain([Column::number("spread")]);
        let mut table = Table::new(columns);
        table.keys = 2;
        for document in &self.panel.disputed {
            let ids = [&document.topic, &document.doc].map(|id| Cell::text(name(id)));
            let grades = document.grades.iter();
            let grades = grades.map(|grade| grade.map_or(Cell::Missing, grade_cell));
            let cells = ids.into_iter().chain(grades);
            table.push(cells.chain([grade_cell(document.spread)]));
        }
        table
    }

    /// All numbers, for programs.
    fn numbers(&self) -> Vec<Number> {
        let panel = &self.panel;
        let mut numbers = Vec::new();
        for (coefficient, estimate) in Coefficient::ALL.iter().zip(&panel.coefficients) {
            numbers.push(Number::estimated(&coefficient.name(), *estimate));
        }
        for pair in &panel.pairs {
            let [first, second] = [pair.first, pair.second].map(|at| Some(panel.names[at].clone()));
            for (figure, estimate) in Figure::ALL.iter().zip(&pair.figures) {
                numbers.push(Number {
                    first: first.clone(),
                    second: second.clone(),
                    ..Number::estimated(figure.name(), *estimate)
                });
            }
        }
        for (name, figures) in panel.names.iter().zip(&panel.assessors) {
            let number = |figure: &str, value| Number {
                first: Some(name.clone()),
                ..Number::new(figure, value)
            };
            let judged = i64::try_from(figures.documents).unwrap_or(i64::MAX);
            numbers.push(number("judged", Cell::Int(judged)));
            numbers.push(number("mean_grade", Cell::real(figures.mean)));
            numbers.push(number("bias", Cell::real(figures.bias)));
            numbers.push(number("mean_kappa", Cell::real(figures.kappa)));
            for (class, count) in panel.classes.iter().zip(&figures.classes) {
                let share = *count as f64 / figures.documents as f64;
                numbers.push(Number {
                    grade: Some(class.to_string()),
                    ..number("share", Cell::real(Some(share)))
                });
            }
        }
        for topic in self.shown_topics() {
            let number = |figure: &str, value| Number {
                topic: Some(name(&topic.id)),
                ..Number::new(figure, Cell::real(value))
            };
            numbers.push(number("agreement", topic.agreement));
            numbers.push(number("alpha_ordinal", topic.alpha));
        }
        numbers.extend(self.disputed_numbers());
        numbers
    }

    fn disputed_numbers(&self) -> Vec<Number> {
        let mut numbers = Vec::new();
        for document in &self.panel.disputed {
            let number = |figure: &str, value| Number {
                topic: Some(name(&document.topic)),
                doc: Some(name(&document.doc)),
                ..Number::new(figure, value)
            };
            numbers.push(number("spread", Cell::Real(document.spread)));
            for (assessor, grade) in self.panel.names.iter().zip(&document.grades) {
                numbers.extend(grade.map(|grade| Number {
                    first: Some(assessor.clone()),
                    ..number("grade", Cell::Real(grade))
                }));
            }
        }
        numbers
    }

    fn object(&self) -> Value {
        let panel = &self.panel;
        let coefficients = || {
            let names = Coefficient::ALL
                .iter()
                .map(|coefficient| coefficient.name());
            names.zip(panel.coefficients.iter().copied())
        };
        let values = coefficients().map(|(name, estimate)| (name, json!(estimate.value)));
        let pairs = panel.pairs.iter().map(|pair| {
            let figures = Figure::ALL.iter().zip(&pair.figures);
            let figures = figures.map(|(figure, estimate)| {
                (
                    figure.name().to_owned(),
                    json!({"value": estimate.value, "interval": ends(*estimate)}),
                )
            });
            json!({
                "first": panel.names[pair.first],
                "second": panel.names[pair.second],
                "documents": pair.documents,
                "figures": figures.collect::<Map<_, _>>(),
            })
        });
        let assessors = panel
            .names
            .iter()
            .zip(&panel.assessors)
            .map(|(name, figures)| {
                let grades = panel.classes.iter().zip(&figures.classes);
                let grades = grades.map(|(class, count)| (class.to_string(), json!(count)));
                json!({
                    "name": name,
                    "judged": figures.documents,
                    "mean": figures.mean,
                    "bias": figures.bias,
                    "kappa": figures.kappa,
                    "grades": grades.collect::<Map<_, _>>(),
                })
            });
        let topics = self.shown_topics().into_iter().map(|topic| {
            json!({
                "topic": name(&topic.id),
                "shared": topic.documents,
                "agreement": topic.agreement,
                "alpha_ordinal": topic.alpha,
            })
        });
        let disputed = panel.disputed.iter().map(|document| {
            json!({
                "topic": name(&document.topic),
                "doc": name(&document.doc),
                "grades": document.grades,
                "spread": document.spread,
            })
        });
        json!({
            "cranfield": VERSION,
            "level": panel.plan.level,
            "merge": panel.plan.merging.levels(),
            "files": files_object(panel.names.iter().zip(&self.files)),
            "counted": {
                "topics": panel.counted.topics,
                "documents": panel.counted.documents,
                "shared": panel.counted.shared,
                "complete": panel.counted.complete,
                "disputed": panel.disputed_in_all,
            },
            "topic": panel.plan.topic.as_deref().unwrap_or("all"),
            "intervals": intervals_object(self.style.intervals, coefficients()),
            "figures": values.collect::<Map<_, _>>(),
            "pairs": pairs.collect::<Vec<_>>(),
            "assessors": assessors.collect::<Vec<_>>(),
            "topics": topics.collect::<Vec<_>>(),
            "documents": disputed.collect::<Vec<_>>(),
        })
    }
}

/// A number with what it is about.
struct Number {
    figure: String,
    first: Option<String>,
    second: Option<String>,
    topic: Option<String>,
    doc: Option<String>,
    grade: Option<String>,
    value: Cell,
    ends: Option<[f64; 2]>,
}

impl Number {
    fn new(figure: &str, value: Cell) -> Self {
        Self {
            figure: figure.into(),
            first: None,
            second: None,
            topic: None,
            doc: None,
            grade: None,
            value,
            ends: None,
        }
    }

    fn estimated(figure: &str, estimate: Estimate) -> Self {
        Self {
            ends: ends(estimate),
            ..Self::new(figure, Cell::real(estimate.value))
        }
    }
}

/// A share of documents in percent, with one decimal.
fn percent(count: u64, all: u64) -> Cell {
    if all == 0 {
        return Cell::Missing;
    }
    Cell::text(format!("{:.1}", count as f64 * 100.0 / all as f64))
}

/// A grade, which is mostly a whole number.
fn grade_cell(grade: f64) -> Cell {
    Cell::text(format!("{grade}"))
}
