//! Finds and reports documents that occur twice in a topic.

use std::collections::HashMap;

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::run::{Run, RunTopic};

use crate::code::Code;
use crate::error::{Error, LIMIT, Problems};
use crate::escape::quoted;
use crate::kind::Kind;
use crate::number::Shortest;
use crate::problem::Place;
use crate::rows::{At, Row, Scan, Scanner, Sink, problem_at};
use crate::source::Source;

/// A repeated document with its first and its later value.
#[derive(Debug)]
struct Pair<'a> {
    topic: &'a [u8],
    doc: &'a [u8],
    values: (f64, f64),
}

/// All repeated documents, in the order of the topics and of the file.
#[derive(Debug)]
pub(crate) struct Repeated<'a> {
    pairs: Vec<Pair<'a>>,
}

impl<'a> Repeated<'a> {
    /// Searches all topics.
    pub(crate) fn find(run: &'a Run) -> Self {
        let hasher = DocHasher::default();
        let mut pairs = Vec::new();
        let mut hashes: Vec<u64> = Vec::new();
        for topic in run.topics() {
            hashes.clear();
            hashes.extend(topic.entries().map(|entry| hasher.hash(entry.doc)));
            hashes.sort_unstable();
            if hashes.windows(2).any(|pair| pair[0] == pair[1]) {
                find_in_topic(topic, &mut pairs);
            }
        }
        Self { pairs }
    }

    /// Keeps only documents whose values differ.
    pub(crate) fn conflicts(mut self) -> Self {
        self.pairs.retain(|pair| pair.values.0 != pair.values.1);
        self
    }

    /// Returns an error with the places of the pairs, if there are any. Scans the input again to find them.
    pub(crate) fn into_result(
        self,
        source: &Source,
        kind: Kind,
        scanner: Scanner,
    ) -> Result<(), Error> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let mut locate = Locate {
            source,
            kind,
            wanted: HashMap::new(),
            problems: Problems::default(),
        };
        for pair in self.pairs.iter().take(LIMIT) {
            locate
                .wanted
                .entry(pair.topic.to_vec())
                .or_default()
                .insert(pair.doc.to_vec(), None);
        }
        scanner(
            &mut Scan {
                source,
                kind,
                problems: Problems::default(),
            },
            &mut locate,
        );
        let mut problems = locate.problems;
        problems.omit((self.pairs.len() as u64).saturating_sub(problems.count()));
        problems.into_result()
    }
}

fn find_in_topic<'a>(topic: RunTopic<'a>, pairs: &mut Vec<Pair<'a>>) {
    let mut firsts: HashMap<&[u8], f64> = HashMap::new();
    for entry in topic.entries() {
        if let Some(first) = firsts.get(entry.doc) {
            pairs.push(Pair {
                topic: topic.id(),
                doc: entry.doc,
                values: (*first, entry.score),
            });
        } else {
            firsts.insert(entry.doc, entry.score);
        }
    }
}

/// The place and value of the first occurrence of a document.
type First = Option<(At, f64)>;

/// Locates the rows of some documents.
struct Locate<'a> {
    source: &'a Source,
    kind: Kind,
    /// By topic and document.
    wanted: HashMap<Vec<u8>, HashMap<Vec<u8>, First>>,
    problems: Problems,
}

impl Sink for Locate<'_> {
    fn row(&mut self, row: Row<'_>) {
        let Some(first) = self
            .wanted
            .get_mut(row.topic)
            .and_then(|docs| docs.get_mut(row.doc))
        else {
            return;
        };
        let Some((first_at, first_value)) = first else {
            *first = Some((row.at, row.value));
            return;
        };
        let (source, kind) = (self.source, self.kind);
        if kind == Kind::Run || *first_value != row.value {
            self.problems.push_with(|| {
                let code = if kind == Kind::Run {
                    Code::DuplicateDocument
                } else {
                    Code::ConflictingJudgement
                };
                problem_at(
                    source,
                    code,
                    &row.at,
                    message(source, kind, &row, first_at, *first_value),
                )
            });
        }
    }
}

fn message(source: &Source, kind: Kind, row: &Row<'_>, first_at: &At, first_value: f64) -> String {
    let (topic, doc) = (quoted(row.topic), quoted(row.doc));
    let first = match first_at.resolve(source) {
        Ok(range) => format!("line {}", Place::of(source.bytes(), range.start).line),
        Err(row) => format!("row {row}"),
    };
    match kind {
        Kind::Run => format!("document {doc} is in topic {topic} twice; first on {first}"),
        Kind::Qrels => {
            let (now, before) = (Shortest(row.value), Shortest(first_value));
            format!(
                "document {doc} of topic {topic} has grade {now} here and grade {before} on {first}"
            )
        }
    }
}
