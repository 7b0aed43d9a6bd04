//! Checks of collections that need a ranking of their documents.

use std::collections::BTreeSet;
use std::sync::Arc;

use cranfield_collection::{Collection, QueryFields, grades_look_reversed};
use cranfield_core::qrels::Qrels;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::doctor::{Finding, Report, Unit};
use cranfield_io::{Code, Problem, Severity};
use cranfield_search::{Analyzer, Index, IndexOptions, Model, Searcher};

use crate::bench::cores;
use crate::error::Error;
use crate::inputs;

/// Larger collections are not ranked.
pub const MOST_DOCUMENTS: u64 = 100_000;
/// Documents per topic that are ranked.
const DEPTH: usize = 1000;

/// Reads a collection, checks that its parts fit together, and ranks its documents by BM25 to find grades whose smallest number is
/// the best. The index is temporary. A note says that collections of more than [`MOST_DOCUMENTS`] are not ranked.
pub fn examine(collection: &Collection) -> Report {
    let mut report = collection.examine();
    if report.count(Severity::Error) > 0 {
        return report;
    }
    let found = match collection.qrels() {
        Ok(qrels) if has_several_grades(&qrels) => reversed(collection, &qrels, report.lines),
        // Nothing to compare; an error was reported before.
        _ => None,
    };
    if let Some((code, message)) = found {
        let problem = Problem::file(code, &collection.label(), message);
        let finding = Finding::of_places(code, 1, Unit::File, vec![problem]);
        report.findings.push(finding);
        report
            .findings
            .small_sort_by_key(|finding| (finding.severity(), finding.code));
    }
    report
}

fn reversed(collection: &Collection, qrels: &Qrels, documents: u64) -> Option<(Code, String)> {
    if documents > MOST_DOCUMENTS {
        let message = format!(
            "whether grades are reversed was not checked, because there are more than {MOST_DOCUMENTS} documents"
        );
        return Some((Code::GradesNotChecked, message));
    }
    match looks_reversed(collection, qrels) {
        Ok(true) => {
            let message = "documents with smaller grades rank higher in a run of BM25".into();
            Some((Code::GradesReversed, message))
        }
        Ok(false) => None,
        Err(error) => Some((
            Code::GradesNotChecked,
            format!("whether grades are reversed was not checked: {error}"),
        )),
    }
}

fn looks_reversed(collection: &Collection, qrels: &Qrels) -> Result<bool, Error> {
    let cannot = |error: std::io::Error| {
        let message = format!("cannot create a temporary folder: {error}");
        Error::Input(Problem::file(Code::CannotWrite, &collection.label(), message).into())
    };
    let folder = tempfile::tempdir().map_err(cannot)?;
    let path = folder.path().join("index");
    let options = IndexOptions {
        threads: cores(),
        ..IndexOptions::new(Analyzer::default())
    };
    cranfield_search::build(&path, collection.documents()?, &options)?;
    let searcher = Searcher::new(Arc::new(Index::open(&path)?), &Model::default(), None)?;
    let (queries, _) = inputs::queries(&collection.topics()?, &QueryFields::default());
    let queries = queries.iter().map(|query| (&*query.topic, &*query.text));
    let run = searcher.run("bm25", queries, DEPTH, cores())?;
    Ok(grades_look_reversed(&run, qrels))
}

/// Whether there is more than one positive grade.
fn has_several_grades(qrels: &Qrels) -> bool {
    let mut grades = BTreeSet::new();
    for topic in qrels.topics() {
        let positive = topic.judgements().filter(|(_, grade)| *grade > 0.0);
        grades.extend(positive.map(|(_, grade)| grade.to_bits()));
    }
    grades.len() > 1
}
