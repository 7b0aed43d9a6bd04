//! Checks of whole collections.

use std::collections::{BTreeMap, HashMap, HashSet};

use cranfield_core::qrels::Qrels;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::doctor::{COLLECTION, Finding, Report, Unit};
use cranfield_io::{Code, Error, Problem};

use super::Collection;
use crate::document::Document;
use crate::documents::{ReadReport, Tally};
use crate::topics::Topics;

/// Maximum number of places of a finding.
const MAX_PLACES: usize = 5;

impl Collection {
    /// Reads the whole collection and checks that its parts fit together.
    ///
    /// Findings have the codes of `cranfield doctor`. Whether grades are reversed needs a run; see
    /// [`grades_look_reversed`](crate::grades_look_reversed).
    pub fn examine(&self) -> Report {
        let mut check = Check {
            label: self.label(),
            findings: Vec::new(),
        };
        for note in &self.notes {
            check.add(note.code, 1, Unit::File, vec![note.clone()]);
        }
        self.check_parts(&mut check);
        let qrels = check.part(!self.qrels_files.files.is_empty(), || self.qrels());
        // Without readable judgements, the ids of topics cannot be compared with them.
        let read_topics = || {
            if qrels.is_some() {
                self.topics()
            } else {
                self.raw_topics()
            }
        };
        let topics = check.part(!self.topic_files.files.is_empty(), read_topics);
        if let Some(topics) = &topics {
            check.topics(topics, qrels.as_ref());
        }
        if let Some(qrels) = &qrels {
            check.grades(qrels);
        }
        let mut themselves = Themselves::new(topics.as_ref(), qrels.as_ref());
        let examined = || self.examine_documents(qrels.as_ref(), &mut themselves);
        let documents = check.part(true, examined);
        if let Some(message) = themselves.message() {
            check.file(
                Code::TopicIsDocument,
                themselves.found as u64,
                Unit::Topic,
                message,
            );
        }
        if let Some(documents) = &documents {
            check.documents(documents);
        }
        check.report(
            topics.map_or(0, |topics| topics.len() as u64),
            documents.map_or(0, |seen| seen.report.documents),
        )
    }

    /// Finds topics and judgements that are missing.
    fn check_parts(&self, check: &mut Check) {
        let parts = [
            ("topics", &self.topic_files.files),
            ("judgements", &self.qrels_files.files),
        ];
        let missing = parts.iter().filter(|(_, files)| files.is_empty());
        let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            let message = format!("the collection has no {}", missing.join(" and no "));
            check.file(
                Code::IncompleteCollection,
                missing.len() as u64,
                Unit::Place,
                message,
            );
        }
    }

    /// Reads all documents and notes what is only known at the end.
    fn examine_documents(
        &self,
        qrels: Option<&Qrels>,
        themselves: &mut Themselves,
    ) -> Result<Seen, Error> {
        let mut absent = judged(qrels);
        let known: HashSet<&str> = self
            .document_files
            .empty
            .iter()
            .map(String::as_str)
            .collect();
        let mut seen = Seen {
            judged: absent.len(),
            ..Seen::default()
        };
        let mut documents = self.documents()?;
        for document in documents.by_ref() {
            let document = match document {
                Ok(document) => document,
                // A wrong number of documents is a finding; the others are still wanted.
                Err(error) if is_count(&error) => {
                    seen.count = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            };
            absent.remove(document.id.as_bytes());
            seen.has_lower |= has_lower(&document);
            themselves.see(&document);
            if document.is_empty() && !known.contains(document.id.as_str()) {
                seen.empty.add(&document.place, &document.id);
            }
        }
        seen.report = documents.report().clone();
        seen.absent = absent;
        Ok(seen)
    }
}

fn is_count(error: &Error) -> bool {
    error
        .problems()
        .iter()
        .all(|problem| problem.code == Code::UnexpectedCount)
}

/// The documents that are judged for any topic.
fn judged(qrels: Option<&Qrels>) -> HashSet<Vec<u8>> {
    let mut judged = HashSet::new();
    for topic in qrels.into_iter().flat_map(Qrels::topics) {
        judged.extend(topic.judgements().map(|(doc, _)| doc.to_vec()));
    }
    judged
}

fn has_lower(document: &Document) -> bool {
    document
        .parts()
        .any(|part| part.contains(char::is_lowercase))
}

/// Topics that are documents of the collection: a document has the id and the words of the topic, and is not judged relevant to it.
#[derive(Default)]
struct Themselves {
    /// Words by the id of the topic.
    words: HashMap<String, HashSet<String>>,
    found: usize,
}

impl Themselves {
    fn new(topics: Option<&Topics>, qrels: Option<&Qrels>) -> Self {
        let is_relevant = |id: &str| {
            let judged = qrels.and_then(|qrels| qrels.get(id.as_bytes()));
            judged.is_some_and(|judged| judged.grade(id.as_bytes()) > Some(0.0))
        };
        let mut all = Self::default();
        for topic in topics.into_iter().flatten() {
            if !is_relevant(&topic.id) {
                all.words.insert(topic.id.clone(), words(topic.title()));
            }
        }
        all
    }

    fn see(&mut self, document: &Document) {
        /// The share of a topic's words that the document has, in percent.
        const SHARE: usize = 80;
        let Some(topic) = self.words.get(&document.id) else {
            return;
        };
        let whole: String = document.parts().collect::<Vec<_>>().join(" ");
        let found = words(&whole);
        let shared = topic.iter().filter(|word| found.contains(*word)).count();
        self.found += usize::from(shared > 0 && 100 * shared >= SHARE * topic.len());
    }

    /// Whether most topics are documents.
    fn message(&self) -> Option<String> {
        let topics = self.words.len();
        (2 * self.found > topics).then(|| {
            format!(
                "{} of {topics} topics are documents of the collection, with the same id",
                self.found
            )
        })
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// What a pass over the documents found.
#[derive(Default)]
struct Seen {
    report: ReadReport,
    /// Empty documents that the collection does not list.
    empty: Tally,
    absent: HashSet<Vec<u8>>,
    /// Number of documents that are judged for any topic.
    judged: usize,
    has_lower: bool,
    count: Option<Error>,
}

/// The findings so far.
struct Check {
    label: String,
    findings: Vec<Finding>,
}

impl Check {
    /// Reads a part that exists; its errors become findings.
    fn part<T>(&mut self, exists: bool, read: impl FnOnce() -> Result<T, Error>) -> Option<T> {
        if !exists {
            return None;
        }
        match read() {
            Ok(part) => Some(part),
            Err(error) => {
                self.error(&error);
                None
            }
        }
    }

    fn error(&mut self, error: &Error) {
        let mut by_code: BTreeMap<Code, Vec<Problem>> = BTreeMap::new();
        for problem in error.problems() {
            by_code
                .entry(problem.code)
                .or_default()
                .push(problem.clone());
        }
        for (code, places) in by_code {
            let is_known = self.findings.iter().any(|finding| finding.code == code);
            if !is_known {
                self.add(code, places.len() as u64, Unit::Place, places);
            }
        }
    }

    fn add(&mut self, code: Code, count: u64, unit: Unit, mut places: Vec<Problem>) {
        places.truncate(MAX_PLACES);
        self.findings
            .push(Finding::of_places(code, count, unit, places));
    }

    /// Adds a finding about the whole collection.
    fn file(&mut self, code: Code, count: u64, unit: Unit, message: String) {
        let problem = Problem::file(code, &self.label, message);
        self.add(code, count, unit, vec![problem]);
    }

    fn topics(&mut self, topics: &Topics, qrels: Option<&Qrels>) {
        for note in &topics.notes {
            self.add(note.code, 1, Unit::File, vec![note.clone()]);
        }
        let mut fields = topics.iter().flat_map(|topic| &topic.fields);
        if !fields.any(|(_, text)| text.contains(char::is_lowercase)) {
            let message = "no topic has a lower-case letter".into();
            self.file(Code::UpperCaseOnly, 1, Unit::File, message);
        }
        let Some(qrels) = qrels else {
            return;
        };
        let unjudged = topics
            .iter()
            .filter(|topic| qrels.get(topic.id.as_bytes()).is_none());
        let unjudged: Vec<&str> = unjudged.map(|topic| topic.id.as_str()).collect();
        self.ids(
            Code::TopicWithoutQrels,
            Unit::Topic,
            (topics.len(), "topics have no judgements"),
            &unjudged,
        );
        let known: HashSet<&[u8]> = topics.iter().map(|topic| topic.id.as_bytes()).collect();
        let unknown = qrels.topics().filter(|topic| !known.contains(topic.id()));
        let unknown: Vec<String> = unknown
            .map(|topic| String::from_utf8_lossy(topic.id()).into_owned())
            .collect();
        self.ids(
            Code::QrelsWithoutTopic,
            Unit::Topic,
            (qrels.len(), "judged topics are not in the topics"),
            &unknown,
        );
    }

    fn grades(&mut self, qrels: &Qrels) {
        let grades = qrels.topics().flat_map(|topic| {
            topic
                .judgements()
                .map(|(_, grade)| grade)
                .collect::<Vec<_>>()
        });
        let negative = grades.filter(|grade| *grade < 0.0).count();
        if negative > 0 {
            let message = format!(
                "{negative} of {} judgements have a negative grade",
                qrels.judgements()
            );
            self.file(Code::NegativeGrade, negative as u64, Unit::Place, message);
        }
    }

    /// Adds a finding about ids, if there are any.
    fn ids<I: AsRef<str>>(&mut self, code: Code, unit: Unit, what: (usize, &str), ids: &[I]) {
        if ids.is_empty() {
            return;
        }
        let first: Vec<String> = ids
            .iter()
            .take(MAX_PLACES)
            .map(|id| format!("`{}`", id.as_ref()))
            .collect();
        let more = if ids.len() > MAX_PLACES { ", ..." } else { "" };
        let (total, what) = what;
        let message = format!(
            "{} of {total} {what}: {}{more}",
            ids.len(),
            first.join(", ")
        );
        self.file(code, ids.len() as u64, unit, message);
    }

    fn documents(&mut self, seen: &Seen) {
        let report = &seen.report;
        for (code, tally, what) in [
            (
                Code::DuplicateDocumentId,
                &report.duplicate,
                "has an id that an earlier document has",
            ),
            (Code::DocumentWithoutId, &report.without_id, "has no id"),
            (
                Code::SpacedDocumentId,
                &report.spaced_id,
                "has white space in its id",
            ),
            (
                Code::MalformedDocument,
                &report.malformed,
                "cannot be parsed",
            ),
            (
                Code::ReplacedCharacters,
                &report.replaced,
                "has characters that cannot be decoded",
            ),
            (Code::EmptyDocument, &seen.empty, "is empty"),
            (Code::WronglyEncoded, &report.mojibake, "was encoded twice"),
            (Code::SkippedFile, &report.skipped_files, "was skipped"),
        ] {
            self.tally(code, tally, what);
        }
        if let Some(error) = &seen.count {
            self.error(error);
        }
        if report.documents == 0 {
            self.file(
                Code::EmptyFile,
                1,
                Unit::File,
                "contains no documents".into(),
            );
        } else if !seen.has_lower {
            let message = "no document has a lower-case letter".into();
            self.file(Code::UpperCaseOnly, 1, Unit::File, message);
        }
        let mut absent: Vec<String> = seen
            .absent
            .iter()
            .map(|id| String::from_utf8_lossy(id).into_owned())
            .collect();
        absent.sort_unstable();
        self.ids(
            Code::JudgedButAbsent,
            Unit::Document,
            (seen.judged, "judged documents are not in the collection"),
            &absent,
        );
    }

    fn tally(&mut self, code: Code, tally: &Tally, what: &str) {
        if tally.count == 0 {
            return;
        }
        let place = |(place, id): (&crate::DocumentPlace, &String)| {
            let message = match (place.line, id.as_str()) {
                (0, _) => what.to_owned(),
                (_, "") => format!("a document {what}"),
                (_, id) => format!("document `{id}` {what}"),
            };
            Problem {
                line: place.line,
                ..Problem::file(code, &place.file, message)
            }
        };
        let places = tally.first.iter().zip(&tally.ids).map(place).collect();
        let unit = if code == Code::SkippedFile {
            Unit::Place
        } else {
            Unit::Document
        };
        self.add(code, tally.count, unit, places);
    }

    fn report(mut self, topics: u64, documents: u64) -> Report {
        self.findings
            .small_sort_by_key(|finding| (finding.severity(), finding.code));
        Report {
            path: self.label,
            kind: None,
            format: Some(COLLECTION),
            topics,
            lines: documents,
            findings: self.findings,
            omitted: 0,
            fix: None,
        }
    }
}
