//! Scores of runs: the values of measures, by topic and over all topics.

use cranfield::core::measure::{Aggregate, Computation};
use cranfield::render::{Content, Field, NoTrec, Records, Render};
use cranfield::report::{Cell, Column, Table};
use cranfield::{EvaluatedRun, Evaluation, RunScores};
use serde_json::{Map, Value};

use super::scored::{Number, Scored};
use super::topic_rows::TopicRows;
use crate::args::ResultFormat;

/// Measures and runs up to which a table has one row per run.
const MAX_COLUMNS: usize = 8;

/// How scores are shown.
#[derive(Clone, Copy, Debug)]
pub struct ScoresStyle {
    /// The format.
    pub format: ResultFormat,
    /// Every topic, too.
    pub per_topic: bool,
    /// Decimals.
    pub digits: u8,
    /// Columns of a terminal.
    pub width: usize,
}

/// Scores as `cranfield eval` prints them.
///
/// # Errors
/// If the format cannot express them.
pub fn render(evaluation: &Evaluation, style: ScoresStyle) -> Result<String, NoTrec> {
    let rows = TopicRows::new(evaluation, style.per_topic, &[]);
    let scores = Scores::new(evaluation, rows, usize::from(style.digits), Shape::Long);
    scores.render(style.format, style.width)
}

/// Contents of a record in csv, tsv and jsonl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One value.
    Long,
    /// All values of a run, or of a topic of a run.
    Wide,
}

/// The scores of an evaluation, ready to be written.
pub(crate) struct Scores<'a> {
    evaluation: &'a Evaluation,
    names: Vec<String>,
    rows: TopicRows,
    digits: usize,
    shape: Shape,
}

impl<'a> Scores<'a> {
    pub(crate) fn new(
        evaluation: &'a Evaluation,
        rows: TopicRows,
        digits: usize,
        shape: Shape,
    ) -> Self {
        let measures = evaluation.plan.measures.iter();
        Self {
            evaluation,
            names: measures
                .map(|measure| evaluation.profile.name_of(measure))
                .collect(),
            rows,
            digits,
            shape,
        }
    }

    /// The value of a topic, or over all topics; `None` for a measure that has none there.
    fn value(&self, run: &EvaluatedRun, topic: Option<usize>, measure: usize) -> Option<Scored> {
        match topic {
            Some(topic) => self.topic_value(run, topic, measure),
            None => self
                .has_aggregate(measure)
                .then(|| self.aggregate(run, measure)),
        }
    }

    fn aggregate(&self, run: &EvaluatedRun, measure: usize) -> Scored {
        let plan = &self.evaluation.plan;
        if matches!(plan.measures[measure].computation, Computation::RunId) {
            return Scored::Text(run.scores.tag.clone());
        }
        let value = run.scores.aggregate(measure);
        // An average is undefined only if no topic is left.
        let number = |value| Number {
            left_out: true,
            ..self.number(measure, value)
        };
        match &run.upper {
            Some(upper) => Scored::between(number(value), number(upper.aggregate(measure))),
            None => Scored::Number(number(value)),
        }
    }

    fn number(&self, measure: usize, value: Option<f64>) -> Number {
        let plan = &self.evaluation.plan;
        let measure = &plan.measures[measure];
        Number {
            value,
            count: measure.info.aggregate == Aggregate::Sum,
            left_out: plan.leaves_out_undefined(measure),
        }
    }

    fn topic_value(&self, run: &EvaluatedRun, topic: usize, measure: usize) -> Option<Scored> {
        let measures = &self.evaluation.plan.measures;
        let value = |scores: &RunScores| {
            let value = Some(scores.row(topic)[measure]).filter(|value| !value.is_nan());
            self.number(measure, value)
        };
        match &measures[measure].computation {
            Computation::RunId | Computation::TopicCount => None,
            Computation::Text(_) => {
                let is_text =
                    |at: &usize| matches!(measures[*at].computation, Computation::Text(_));
                let width = (0..measures.len()).filter(is_text).count();
                let place = (0..measure).filter(is_text).count();
                run.scores
                    .strings
                    .get(topic * width + place)
                    .map(|text| Scored::Text(text.clone()))
            }
            _ => Some(match &run.upper {
                Some(upper) => Scored::between(value(&run.scores), value(upper)),
                None => Scored::Number(value(&run.scores)),
            }),
        }
    }

    fn has_aggregate(&self, measure: usize) -> bool {
        let measure = &self.evaluation.plan.measures[measure];
        measure.info.aggregate != Aggregate::None
            || matches!(measure.computation, Computation::RunId)
    }

    /// The measures with a value in some row, by their places.
    fn shown(&self) -> Vec<usize> {
        let all = 0..self.names.len();
        all.filter(|measure| self.rows.has_topics() || self.has_aggregate(*measure))
            .collect()
    }

    fn cell(&self, run: &EvaluatedRun, topic: Option<usize>, measure: usize) -> Cell {
        let value = self.value(run, topic, measure);
        value.map_or(Cell::Missing, |value| value.cell(self.digits))
    }

    /// One row per run, or per topic of a run.
    fn by_run(&self, shown: &[usize]) -> Table {
        let names = shown.iter().map(|at| Column::number(&self.names[*at]));
        let first = Column::text(self.rows.heading());
        let mut table = Table::new([first].into_iter().chain(names));
        for run in &self.evaluation.runs {
            for (topic, id) in self.rows.of(run) {
                let label = self.rows.label(self.evaluation, run, &id);
                let values = shown.iter().map(|measure| self.cell(run, topic, *measure));
                table.push([Cell::text(label)].into_iter().chain(values));
            }
        }
        table
    }

    /// One row per measure.
    fn by_measure(&self, shown: &[usize]) -> Table {
        let runs = &self.evaluation.runs;
        let names = runs.iter().map(|run| Column::number(&run.scores.name));
        let mut table = Table::new([Column::text("measure")].into_iter().chain(names));
        for measure in shown {
            let values = runs.iter().map(|run| self.cell(run, None, *measure));
            table.push(
                [Cell::text(&self.names[*measure])]
                    .into_iter()
                    .chain(values),
            );
        }
        table
    }

    fn has_bounds(&self) -> bool {
        self.evaluation.runs.iter().any(|run| run.upper.is_some())
    }

    /// One record per value.
    fn long_records(&self) -> Records<'_> {
        let fields = ["run", "topic", "measure", "value"].map(Field::new);
        let upper = self.has_bounds().then(|| Field::optional("upper"));
        let width = fields.len() + usize::from(upper.is_some());
        let rows = self.evaluation.runs.iter().flat_map(move |run| {
            self.rows.of(run).flat_map(move |(topic, id)| {
                (0..self.names.len()).filter_map(move |measure| {
                    let [value, upper] = self.value(run, topic, measure)?.exact();
                    let names = [&run.scores.name, &id, &self.names[measure]].map(Cell::text);
                    let row = names.into_iter().chain([value, upper]);
                    Some(row.take(width).collect())
                })
            })
        });
        Records::new(fields.into_iter().chain(upper), rows)
    }

    /// One record per run, or per topic of a run.
    fn wide_records(&self) -> Records<'_> {
        let (shown, has_bounds) = (self.shown(), self.has_bounds());
        let mut fields = vec![Field::new("run")];
        fields.extend(self.rows.has_topics().then(|| Field::new("topic")));
        for measure in &shown {
            let name = &self.names[*measure];
            fields.push(Field::new(name));
            fields.extend(has_bounds.then(|| Field::new(format!("{name} upper"))));
        }
        let rows = self.evaluation.runs.iter().flat_map(move |run| {
            let shown = shown.clone();
            self.rows.of(run).map(move |(topic, id)| {
                let mut row = vec![Cell::text(&run.scores.name)];
                row.extend(self.rows.has_topics().then(|| Cell::text(id)));
                for measure in &shown {
                    let value = self.value(run, topic, *measure);
                    let cells = value.map_or([Cell::Missing, Cell::Missing], |value| value.exact());
                    row.extend(cells.into_iter().take(1 + usize::from(has_bounds)));
                }
                row
            })
        });
        Records::new(fields, rows)
    }

    fn object(&self, run: &EvaluatedRun, topic: Option<usize>) -> Value {
        let values = (0..self.names.len()).filter_map(|measure| {
            let value = self.value(run, topic, measure)?;
            Some((self.names[measure].clone(), value.json()))
        });
        Value::Object(values.collect())
    }

    fn run_object(&self, run: &EvaluatedRun) -> Value {
        let mut object = super::provenance::run(self.evaluation, run);
        if self.rows.has_all() {
            object.insert("aggregate".into(), self.object(run, None));
        }
        if self.rows.has_topics() {
            let topics = self.rows.topics(run);
            let topics = topics.map(|(place, id)| (id, self.object(run, Some(place))));
            object.insert(
                "topics".into(),
                Value::Object(topics.collect::<Map<_, _>>()),
            );
        }
        Value::Object(object)
    }

    /// Whether lines in `trec_eval`'s format must be preceded by one that names the run.
    fn needs_run_lines(&self) -> bool {
        let mut measures = self.evaluation.plan.measures.iter();
        let has_run_id = measures.any(|one| matches!(one.computation, Computation::RunId));
        self.evaluation.runs.len() > 1 && !has_run_id
    }
}

impl Render for Scores<'_> {
    fn content(&self) -> Content {
        let shown = self.shown();
        let is_few_runs = self.evaluation.runs.len() <= MAX_COLUMNS;
        let by_measure = !self.rows.has_topics() && shown.len() > MAX_COLUMNS && is_few_runs;
        let mut table = if by_measure {
            self.by_measure(&shown)
        } else {
            self.by_run(&shown)
        };
        table.digits = self.digits;
        table.into()
    }

    fn records(&self) -> Records<'_> {
        match self.shape {
            Shape::Long => self.long_records(),
            Shape::Wide => self.wide_records(),
        }
    }

    fn json(&self) -> Value {
        let runs = self.evaluation.runs.iter();
        let runs: Vec<Value> = runs.map(|run| self.run_object(run)).collect();
        super::provenance::document(self.evaluation, &runs)
    }

    /// Lines of measure, topic and value with four decimals. With several runs, a `runid` line opens the lines of each.
    fn trec(&self) -> Option<String> {
        let mut text = String::new();
        for run in &self.evaluation.runs {
            if self.needs_run_lines() {
                text.push_str(&format!("{:<22}\tall\t{}\n", "runid", run.scores.name));
            }
            for (topic, id) in self.rows.of(run) {
                let id = topic.map_or("all", |_| &id);
                for (measure, name) in self.names.iter().enumerate() {
                    let value = match self.value(run, topic, measure) {
                        None => continue,
                        Some(Scored::Number(number)) => number.trec(),
                        Some(Scored::Interval(low, high)) => {
                            format!("{}..{}", low.trec(), high.trec())
                        }
                        Some(Scored::Text(text)) if topic.is_none() => text,
                        Some(Scored::Text(text)) => format!("'{text}'"),
                    };
                    text.push_str(&format!("{name:<22}\t{id}\t{value}\n"));
                }
            }
        }
        Some(text)
    }
}
