//! The data behind a page, as JSON. Large parts are packed: gzip in base64, unpacked by the page on demand.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cranfield_core::measure::{Aggregate, BoundMeasure, Direction};
use cranfield_core::topic::Label;
use cranfield_render::{is_obeyed, rounded, visible};
use serde::Serialize;
use serde_json::{Value, json};

use super::figures::Figure;
use super::rankings::{Part, Ranked, Rankings, Topic};
use super::records::{text, topic_places};
use super::{Report, sections};
use cranfield_compare::compare::Standardisation;
use cranfield_eval::{Labels, VERSION, in_parallel};

/// How much a page contains. Pages that would be too large contain less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    /// Topics.
    pub(super) topics: usize,
    /// Ranks of each ranking.
    pub(super) depth: usize,
    /// Leading measures whose values are explained by documents.
    pub(super) explained: usize,
    /// Whether explanations include the measure's own table.
    pub(super) tables: bool,
    /// Leading measures that have a claim for every pair of runs.
    pub(super) claims: usize,
    /// Whether documents have the first words of their texts.
    pub(super) snippets: bool,
    /// Decimals of numbers.
    pub(super) digits: usize,
}

/// Bytes as gzip in base64.
pub(super) fn packed(bytes: &[u8]) -> String {
    STANDARD.encode(cranfield_io::gzip(bytes))
}

/// The data of a page, escaped for a `script` element. `None` if its rankings alone have more than `most` bytes.
pub(super) fn script(
    report: &Report,
    rankings: Option<&Rankings>,
    figures: &[Figure],
    detail: Detail,
    most: usize,
) -> Option<String> {
    let ranked = rankings.iter().flat_map(|all| &all.topics);
    let ranked: Vec<&Topic> = ranked.take(detail.topics).collect();
    let packed = packed_topics(&ranked, &report.labels, detail, most)?;
    let evaluation = &report.evaluation;
    let runs = evaluation.runs.iter();
    let names: Vec<String> = runs.map(|run| visible(&run.scores.name)).collect();
    let places = topic_places(report);
    let topics = places.keys().take(detail.topics).map(|id| shown(id));
    let topics: Vec<String> = topics.collect();
    let measures =
        (0..report.evaluation.plan.measures.len()).map(|at| measure(report, rankings, at));
    let plots = figures
        .iter()
        .map(|figure| json!({"kind": figure.name, "csv": figure.csv, "vega": figure.vega}));
    let mut data = json!({
        "version": VERSION,
        "digits": report.request.digits,
        "standardised": report.standardised().map(Standardisation::title),
        "runs": names,
        "measures": measures.collect::<Vec<_>>(),
        "topics": topics,
        "all_topics": places.len(),
        "values": values(report, detail.topics),
        "graded": rankings.is_some_and(|all| all.graded),
        "depth": detail.depth,
        "explained": detail.explained,
        "judged": ranked.iter().map(|topic| judged(topic)).collect::<Vec<_>>(),
        "rankings": packed,
        "claims": claims(report, detail.claims),
        "plots": plots.collect::<Vec<_>>(),
    });
    if report.labels.has_topics() {
        let titles = places.keys().take(detail.topics);
        data["titles"] = titles.map(|id| report.labels.topic(id)).collect();
    }
    Some(escaped(&data))
}

/// The topics, unless they have more than `most` bytes; then the rest is not packed.
fn packed_topics(
    topics: &[&Topic],
    labels: &Labels,
    detail: Detail,
    most: usize,
) -> Option<Vec<String>> {
    let bytes = AtomicUsize::new(0);
    let packed = in_parallel(topics, |topic| {
        if bytes.load(Ordering::Relaxed) > most {
            return String::new();
        }
        let packed = packed_topic(topic, labels, detail);
        bytes.fetch_add(packed.len(), Ordering::Relaxed);
        packed
    });
    (bytes.into_inner() <= most).then_some(packed)
}

/// JSON in which no string can close or open an element, and no character is a control character.
fn escaped(data: &Value) -> String {
    let json = data.to_string();
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            letter if letter == '<' || is_obeyed(letter) => {
                out.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// An id as the page shows it.
fn shown(id: &[u8]) -> String {
    visible(&text(id))
}

fn measure(report: &Report, rankings: Option<&Rankings>, at: usize) -> Value {
    let evaluation = &report.evaluation;
    let measure: &BoundMeasure = &evaluation.plan.measures[at];
    let means = evaluation.runs.iter();
    let means: Vec<Option<f64>> = means
        .map(|run| run.scores.aggregate(at).filter(|mean| mean.is_finite()))
        .collect();
    json!({
        "name": evaluation.profile.name_of(measure),
        "canonical": measure.to_string(),
        "better": match measure.info.direction {
            Direction::HigherIsBetter => "higher",
            Direction::LowerIsBetter => "lower",
            Direction::Neutral => "neither",
        },
        "aggregate": match measure.info.aggregate {
            Aggregate::Sum => "sum",
            Aggregate::GeometricMean => "geometric mean",
            Aggregate::Mean | Aggregate::None => "mean",
        },
        "skips": evaluation.plan.leaves_out_undefined(measure),
        "what": measure.info.section("What it measures"),
        "user": measure.info.section("User model"),
        "formula": sections::formula(measure),
        "columns": rankings.map(|all| &all.columns[at]),
        "means": means,
        "order": report.order(at),
    })
}

/// By measure, run and topic.
fn values(report: &Report, topics: usize) -> Value {
    let places = topic_places(report);
    let runs = &report.evaluation.runs;
    let by_topic = |measure: usize, run: usize| {
        let values = places.values().take(topics).map(|places| {
            let row = runs[run].scores.row(places[run]?);
            Some(row[measure]).filter(|value| value.is_finite())
        });
        values.collect::<Vec<Option<f64>>>()
    };
    let by_run = |measure: usize| (0..runs.len()).map(|run| by_topic(measure, run)).collect();
    let measures = 0..report.evaluation.plan.measures.len();
    let all: Vec<Vec<_>> = measures.map(by_run).collect();
    json!(all)
}

/// A number that is shown and not computed with, rounded as everywhere.
fn short(value: f64, digits: usize) -> Option<f64> {
    let rounded = rounded(value, digits).parse().ok();
    rounded.filter(|value: &f64| value.is_finite())
}

/// Grades and numbers of judged documents.
fn judged(topic: &Topic) -> Value {
    let counts = topic.judged.iter();
    counts
        .map(|known| json!([known.grade, known.count]))
        .collect()
}

/// A topic as the page reads it. Its fields are those of the script, and are written without [`Value`]s: there are many.
#[derive(Serialize)]
struct PackedTopic<'a> {
    docs: Vec<String>,
    /// Titles and first words of the documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<Vec<Option<[Cow<'a, str>; 2]>>>,
    labels: Vec<Option<PackedLabel>>,
    runs: Vec<Option<PackedRanking<'a>>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PackedLabel {
    Pooled(&'static str),
    Grade(f64),
}

#[derive(Serialize)]
struct PackedRanking<'a> {
    n: usize,
    docs: &'a [usize],
    parts: Vec<Option<PackedPart<'a>>>,
}

#[derive(Serialize)]
struct PackedPart<'a> {
    /// Shares without trailing zeros.
    s: Vec<Option<f64>>,
    /// Lines.
    l: &'a [String],
    /// Share of the documents below the shown ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<f64>,
    /// Share of no document.
    #[serde(skip_serializing_if = "Option::is_none")]
    z: Option<f64>,
    /// Cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<Vec<Vec<Option<f64>>>>,
}

/// The title and the first words of a document; words that stand for a title are not repeated.
fn about<'a>(labels: &'a Labels, id: &[u8], detail: Detail) -> Option<[Cow<'a, str>; 2]> {
    let label = labels.document(id)?;
    let snippet = if detail.snippets { &*label.snippet } else { "" };
    Some(match &label.title {
        Some(title) => [title.into(), snippet.into()],
        None if detail.snippets => ["".into(), snippet.into()],
        None => [label.heading().into(), "".into()],
    })
}

fn packed_topic(topic: &Topic, labels: &Labels, detail: Detail) -> String {
    let grades = topic.docs.iter().map(|(_, label)| match label {
        Label::Unjudged => None,
        Label::Pooled => Some(PackedLabel::Pooled("p")),
        Label::Judged(grade) => Some(PackedLabel::Grade(*grade)),
    });
    let runs = topic.runs.iter();
    let all_about = || {
        let docs = topic.docs.iter();
        docs.map(|(id, _)| about(labels, id, detail)).collect()
    };
    let topic = PackedTopic {
        about: labels.has_documents().then(all_about),
        docs: topic.docs.iter().map(|(doc, _)| shown(doc)).collect(),
        labels: grades.collect(),
        runs: runs
            .map(|run| Some(ranking(run.as_ref()?, detail)))
            .collect(),
    };
    // Writing strings and numbers to memory does not fail.
    packed(&serde_json::to_vec(&topic).unwrap_or_default())
}

fn ranking(run: &Ranked, detail: Detail) -> PackedRanking<'_> {
    let parts = run.parts.iter().take(detail.explained);
    PackedRanking {
        n: run.retrieved,
        docs: &run.docs[..run.docs.len().min(detail.depth)],
        parts: parts
            .map(|found| Some(part(found.as_ref()?, detail)))
            .collect(),
    }
}

fn part(part: &Part, detail: Detail) -> PackedPart<'_> {
    let depth = part.shares.len().min(detail.depth);
    let (shown, hidden) = part.shares.split_at(depth);
    let last = shown.iter().rposition(|share| *share != 0.0);
    let shares = &shown[..last.map_or(0, |at| at + 1)];
    let below = part.below + hidden.iter().sum::<f64>();
    let short = |value: &f64| short(*value, detail.digits);
    let row = |row: &Vec<Option<f64>>| row.iter().map(|cell| short(cell.as_ref()?)).collect();
    let cells = || part.cells.iter().take(detail.depth).map(row).collect();
    PackedPart {
        s: shares.iter().map(short).collect(),
        l: &part.lines,
        b: Some(&below).filter(|share| **share != 0.0).and_then(short),
        z: Some(&part.nothing)
            .filter(|share| **share != 0.0)
            .and_then(short),
        c: (detail.tables && !part.cells.is_empty()).then(cells),
    }
}

/// The claim about each pair of runs, by measure: packed lists of both runs, verdict and sentences.
fn claims(report: &Report, measures: usize) -> Vec<String> {
    let compared = report.comparison.iter().flat_map(|all| &all.measures);
    let packed_table = |table: &cranfield_compare::compare::MeasureTable| {
        let pairs = table.ordered_pairs().into_iter();
        let pairs = pairs.map(|pair| {
            let claim = &pair.claim;
            json!([
                pair.first,
                pair.second,
                claim.verdict.name(),
                visible(&claim.says),
                visible(&claim.does_not_say)
            ])
        });
        packed(pairs.collect::<Value>().to_string().as_bytes())
    };
    compared.take(measures).map(packed_table).collect()
}
