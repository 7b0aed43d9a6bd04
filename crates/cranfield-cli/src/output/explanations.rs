//! Explanations in every format.

use cranfield::core::explain::{
    Board, Explanation, MeanDifference, MeanExplanation, SessionDifference, SessionExplanation,
    Step, TopicDifference,
};
use cranfield::core::measure::{Aggregate, BoundMeasure};
use cranfield::core::topic::Label;
use cranfield::explain::{Explained, Explanations, Shown};
use cranfield::render::{Cell, Content, Field, Records, Render};
use cranfield::{DocumentLabel, Labels, VERSION};
use serde_json::{Map, Value, json};

use super::provenance;

/// Sign of differences: the second of the two runs minus the first.
const DIRECTION: &str = "second minus first";

/// Explanations, which can be rendered.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedOutput<'a> {
    /// The explanations.
    pub explained: &'a Explanations,
    /// Rows and decimals of pages.
    pub shown: Shown,
}

impl Render for ExplainedOutput<'_> {
    fn content(&self) -> Content {
        Content::Page(self.explained.page(&self.shown))
    }

    /// One record per share. Shares of a difference are those of `other` minus those of `run`.
    fn records(&self) -> Records<'_> {
        let fields = [
            Field::new("measure"),
            Field::new("run"),
            Field::optional("other"),
            Field::new("topic"),
            Field::new("part"),
            Field::optional("document"),
            Field::optional("rank"),
            Field::optional("other_rank"),
            Field::optional("grade"),
            Field::new("share"),
        ];
        let labels = &self.explained.labels;
        let title = (!labels.is_empty()).then(|| Field::optional("title"));
        let profile = self.explained.profile;
        let rows = self.explained.explained.iter().flat_map(move |explained| {
            let (measure, runs) = subject(explained);
            let other = runs.get(1).map_or(Cell::Missing, Cell::text);
            let head = [
                Cell::text(profile.name_of(measure)),
                Cell::text(&runs[0]),
                other,
            ];
            let shares = shares(explained).into_iter();
            shares.map(move |share| {
                let title = title_cell(labels, &share);
                let cells = head.iter().cloned().chain(share);
                cells.chain(title).collect()
            })
        });
        Records::new(fields.into_iter().chain(title), rows)
    }

    fn json(&self) -> Value {
        let all = self.explained;
        let explained = all.explained.iter();
        let explained = explained.map(|explained| {
            let mut object = Value::Object(object(all, explained));
            add_titles(&mut object, &all.labels);
            object
        });
        json!({
            "cranfield": VERSION,
            "profile": all.profile.name(),
            "policies": provenance::policies(&all.plan.policies),
            "explanations": explained.collect::<Vec<_>>(),
        })
    }
}

/// The title of a record's document, or of its topic if it has none.
fn title_cell(labels: &Labels, [topic, _, document, ..]: &Share) -> Option<Cell> {
    let title = match (document, topic) {
        (Cell::Text(document), _) => labels
            .document(document.as_bytes())
            .map(DocumentLabel::heading),
        (_, Cell::Text(topic)) => labels.topic(topic.as_bytes()).map(str::to_owned),
        _ => None,
    };
    (!labels.is_empty()).then(|| title.map_or(Cell::Missing, Cell::Text))
}

/// Adds titles to all objects that name a topic or a document.
fn add_titles(value: &mut Value, labels: &Labels) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|one| add_titles(one, labels)),
        Value::Object(members) => {
            members.values_mut().for_each(|one| add_titles(one, labels));
            let id = |key: &str| members.get(key)?.as_str().map(str::as_bytes);
            let document = id("document").and_then(|id| labels.document(id));
            let topic = id("topic").and_then(|id| labels.topic(id));
            let title = document.map(DocumentLabel::heading);
            if let Some(title) = title.or(topic.map(str::to_owned)) {
                members.insert("title".into(), title.into());
            }
        }
        _ => {}
    }
}

/// The measure and the runs of an explanation.
fn subject(explained: &Explained) -> (&BoundMeasure, &[String]) {
    use std::slice::from_ref;
    match explained {
        Explained::Topic { run, explanation } => (&explanation.measure, from_ref(run)),
        Explained::Mean { run, explanation } => (&explanation.measure, from_ref(run)),
        Explained::Session { run, explanation } => (&explanation.measure, from_ref(run)),
        Explained::TopicDifference { runs, difference } => (&difference.runs[0].measure, runs),
        Explained::SessionDifference { runs, difference } => (&difference.runs[0].measure, runs),
        Explained::MeanDifference { runs, difference } => (&difference.measure, runs),
    }
}

/// Cells of a share: topic, part, document, rank, rank in the other run, grade and share.
type Share = [Cell; 7];

fn shares(explained: &Explained) -> Vec<Share> {
    match explained {
        Explained::Topic { explanation, .. } => {
            let others = other_shares(&explanation.topic, explanation.nothing, explanation.rest);
            document_shares(explanation).chain(others).collect()
        }
        Explained::Session { explanation, .. } => {
            let others = other_shares(&explanation.session, explanation.nothing, explanation.rest);
            let documents = explanation.rankings.iter().flat_map(document_shares);
            documents.chain(others).collect()
        }
        Explained::TopicDifference { difference, .. } => {
            let topic = &difference.runs[0].topic;
            let others = other_shares(topic, difference.nothing(), difference.rest());
            document_differences(difference).chain(others).collect()
        }
        Explained::SessionDifference { difference, .. } => {
            let session = &difference.runs[0].session;
            let others = other_shares(session, difference.nothing(), difference.rest());
            let documents = difference.rankings.iter().flat_map(document_differences);
            documents.chain(others).collect()
        }
        Explained::Mean { explanation, .. } => {
            let topics = explanation.topics.iter();
            topics
                .map(|topic| whole_share(&topic.id, "topic", topic.share))
                .collect()
        }
        Explained::MeanDifference { difference, .. } => {
            let topics = difference.topics.iter();
            topics
                .map(|topic| whole_share(&topic.id, "topic", topic.share))
                .collect()
        }
    }
}

fn whole_share(topic: &[u8], part: &str, share: f64) -> Share {
    let [document, rank, other_rank, grade] = [const { Cell::Missing }; 4];
    let (topic, part) = (Cell::text(text(topic)), Cell::text(part));
    [
        topic,
        part,
        document,
        rank,
        other_rank,
        grade,
        Cell::Real(share),
    ]
}

fn other_shares(topic: &[u8], nothing: f64, rest: f64) -> [Share; 2] {
    [("no_document", nothing), ("further_down", rest)]
        .map(|(part, share)| whole_share(topic, part, share))
}

fn document_shares(explanation: &Explanation) -> impl Iterator<Item = Share> {
    let documents = explanation.documents.iter().zip(1i64..);
    documents.map(|(document, rank)| {
        [
            Cell::text(text(&explanation.topic)),
            Cell::text("document"),
            Cell::text(text(&document.doc)),
            Cell::Int(rank),
            Cell::Missing,
            grade(document.label),
            Cell::Real(document.share),
        ]
    })
}

fn document_differences(difference: &TopicDifference) -> impl Iterator<Item = Share> {
    difference.documents.iter().map(|document| {
        let ranks = document.runs.map(|run| run.map(|found| found.rank));
        let [rank, other_rank] =
            ranks.map(|rank| rank.map_or(Cell::Missing, |rank| Cell::Int(rank.into())));
        [
            Cell::text(text(&difference.runs[0].topic)),
            Cell::text("document"),
            Cell::text(text(&document.doc)),
            rank,
            other_rank,
            grade(document.label),
            Cell::Real(document.share()),
        ]
    })
}

fn object(all: &Explanations, explained: &Explained) -> Map<String, Value> {
    let head = |kind: &str, measure: &BoundMeasure| {
        let mut object = Map::new();
        object.insert("kind".into(), json!(kind));
        object.insert("measure".into(), json!(all.profile.name_of(measure)));
        object.insert("canonical".into(), json!(measure.to_string()));
        let what = measure.info.section("What it measures");
        object.insert("what_it_measures".into(), json!(what));
        let user = measure.info.section("User model");
        object.insert("user_model".into(), json!(user));
        object
    };
    match explained {
        Explained::Topic { run, explanation } => {
            let mut object = head("topic", &explanation.measure);
            object.insert("run".into(), json!(run));
            object.extend(topic(explanation));
            object
        }
        Explained::Mean { run, explanation } => {
            let mut object = head("mean", &explanation.measure);
            object.insert("run".into(), json!(run));
            object.extend(mean(explanation));
            object
        }
        Explained::TopicDifference { runs, difference } => {
            let mut object = head("topic difference", &difference.runs[0].measure);
            object.insert("runs".into(), json!(runs));
            object.insert("direction".into(), json!(DIRECTION));
            object.extend(topic_difference(difference));
            object
        }
        Explained::Session { run, explanation } => {
            let mut object = head("session", &explanation.measure);
            object.insert("run".into(), json!(run));
            object.extend(session(explanation));
            object
        }
        Explained::SessionDifference { runs, difference } => {
            let mut object = head("session difference", &difference.runs[0].measure);
            object.insert("runs".into(), json!(runs));
            object.insert("direction".into(), json!(DIRECTION));
            object.extend(session_difference(difference));
            object
        }
        Explained::MeanDifference { runs, difference } => {
            let mut object = head("mean difference", &difference.measure);
            object.insert("runs".into(), json!(runs));
            object.insert("direction".into(), json!(DIRECTION));
            object.extend(mean_difference(difference));
            object
        }
    }
}

/// The members of a JSON object.
fn members(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// A session; the value of each of its rankings is its share.
fn session(explanation: &SessionExplanation) -> Map<String, Value> {
    let rankings = explanation.rankings.iter().zip(1u32..);
    let rankings = rankings.map(|(ranking, number)| {
        json!({
            "number": number,
            "topic": text(&ranking.topic),
            "in_run": ranking.in_run,
            "share": ranking.value,
            "documents": documents(ranking),
            "board": ranking.board.as_ref().map(board),
        })
    });
    let all_steps = explanation.steps.as_ref();
    members(json!({
        "session": text(&explanation.session),
        "in_run": explanation.in_run,
        "value": explanation.value,
        "rankings": rankings.collect::<Vec<_>>(),
        "no_document": explanation.nothing,
        "further_down": explanation.rest,
        "sum_of_shares": explanation.total(),
        "steps": all_steps.map(|all| steps(all)),
    }))
}

fn session_difference(difference: &SessionDifference) -> Map<String, Value> {
    let rankings = difference.rankings.iter().zip(1u32..);
    let rankings = rankings.map(|(ranking, number)| {
        let mut object = Map::new();
        object.insert("number".into(), json!(number));
        object.extend(topic_difference(ranking));
        Value::Object(object)
    });
    let [first, second] = &difference.runs;
    members(json!({
        "session": text(&first.session),
        "values": [first.value, second.value],
        "difference": difference.difference(),
        "rankings": rankings.collect::<Vec<_>>(),
        "no_document": difference.nothing(),
        "further_down": difference.rest(),
        "sum_of_shares": difference.total(),
    }))
}

fn topic(explanation: &Explanation) -> Map<String, Value> {
    members(json!({
        "topic": text(&explanation.topic),
        "in_run": explanation.in_run,
        "value": explanation.value,
        "text": explanation.text,
        "one_ranking": !explanation.open,
        "documents": documents(explanation),
        "no_document": explanation.nothing,
        "further_down": explanation.rest,
        "sum_of_shares": explanation.total(),
        "board": explanation.board.as_ref().map(board),
    }))
}

fn documents(explanation: &Explanation) -> Vec<Value> {
    let documents = explanation
        .documents
        .iter()
        .zip(1u32..)
        .map(|(document, rank)| {
            json!({
                "rank": rank,
                "document": text(&document.doc),
                "grade": Value::from(grade(document.label)),
                "share": document.share,
            })
        });
    documents.collect()
}

fn board(board: &Board) -> Value {
    let rows: Vec<Value> = board
        .rows
        .iter()
        .map(|row| json!({"rank": row.rank, "cells": row.cells, "share": row.share}))
        .collect();
    json!({"columns": board.columns, "rows": rows, "steps": steps(&board.steps)})
}

fn steps(steps: &[Step]) -> Vec<Value> {
    let steps = steps.iter().map(|step| {
        json!({
            "name": step.name,
            "formula": step.formula,
            "worked": step.worked,
            "numbers": step.numbers,
            "value": step.value,
        })
    });
    steps.collect()
}

fn mean(mean: &MeanExplanation) -> Map<String, Value> {
    let topics: Vec<Value> = mean
        .topics
        .iter()
        .map(|topic| {
            json!({
                "topic": text(&topic.id),
                "in_run": topic.in_run,
                "value": topic.value,
                "counted": topic.counted,
                "share": topic.share,
            })
        })
        .collect();
    members(json!({
        "aggregate": aggregate(&mean.measure),
        "value": mean.value,
        "counted": mean.counted,
        "topics": topics,
        "sum_of_shares": mean.total(),
    }))
}

fn topic_difference(difference: &TopicDifference) -> Map<String, Value> {
    let documents: Vec<Value> = difference
        .documents
        .iter()
        .map(|document| {
            json!({
                "document": text(&document.doc),
                "grade": Value::from(grade(document.label)),
                "ranks": document.runs.map(|run| run.map(|found| found.rank)),
                "shares": document.runs.map(|run| run.map(|found| found.share)),
                "difference": document.share(),
            })
        })
        .collect();
    let [first, second] = &difference.runs;
    members(json!({
        "topic": text(&first.topic),
        "values": [first.value, second.value],
        "difference": difference.difference(),
        "documents": documents,
        "no_document": difference.nothing(),
        "further_down": difference.rest(),
        "sum_of_shares": difference.total(),
    }))
}

fn mean_difference(difference: &MeanDifference) -> Map<String, Value> {
    let topics: Vec<Value> = difference
        .topics
        .iter()
        .map(
            |topic| json!({"topic": text(&topic.id), "values": topic.values, "share": topic.share}),
        )
        .collect();
    let [first, second] = &difference.runs;
    members(json!({
        "aggregate": aggregate(&difference.measure),
        "values": [first.value, second.value],
        "difference": difference.difference(),
        "topics": topics,
        "sum_of_shares": difference.total(),
    }))
}

fn grade(label: Label) -> Cell {
    match label {
        Label::Unjudged => Cell::Missing,
        Label::Pooled => Cell::text("pooled"),
        Label::Judged(grade) if grade.fract() == 0.0 && grade.abs() < 1e15 => {
            Cell::Int(grade as i64)
        }
        Label::Judged(grade) => Cell::Real(grade),
    }
}

fn aggregate(measure: &BoundMeasure) -> &'static str {
    match measure.info.aggregate {
        Aggregate::Sum => "sum",
        Aggregate::GeometricMean => "geometric mean",
        Aggregate::Mean | Aggregate::None => "mean",
    }
}

fn text(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}
