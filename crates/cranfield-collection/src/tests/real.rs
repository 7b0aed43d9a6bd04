use cranfield_testkit::golden;

use super::folder;
use crate::{Collection, IdRule};

/// A collection file next to links to the real files.
fn linked(toml: &str, shared: &str, files: &[&str]) -> Option<(tempfile::TempDir, Collection)> {
    let shared = golden(&format!("../collections/{shared}"))?;
    let folder = folder(&[]);
    let mut toml = toml.to_owned();
    for file in files {
        let path = shared.join(file).canonicalize().unwrap();
        toml = toml.replace(&format!("'{file}'"), &format!("'{}'", path.display()));
    }
    let path = folder.path().join("collection.toml");
    std::fs::write(&path, toml).unwrap();
    let collection = Collection::open(path).unwrap();
    Some((folder, collection))
}

const CRANFIELD: &str = "name = 'cranfield'
[documents]
files = ['cran.all.1400.gz']
format = 'smart'
text = ['W']
expect = 1400
empty = ['471', '995']
[topics]
files = ['cran.qry']
format = 'smart'
expect = 225
[qrels]
files = ['cranqrel']
format = 'columns: topic document grade'
grades = { '1' = 4, '2' = 3, '3' = 2, '4' = 1, '-1' = 0 }
";

fn cranfield() -> Option<(tempfile::TempDir, Collection)> {
    linked(
        CRANFIELD,
        "cranfield",
        &["cran.all.1400.gz", "cran.qry", "cranqrel"],
    )
}

#[test]
fn cranfield_documents() {
    let Some((_folder, collection)) = cranfield() else {
        return;
    };
    let mut documents = collection.documents().unwrap();
    let all: Vec<_> = documents.by_ref().collect::<Result<_, _>>().unwrap();
    let report = documents.report();
    assert_eq!((all.len(), report.documents), (1400, 1400));
    assert_eq!(report.empty.ids, ["471", "995"]);
    assert_eq!(all[0].id, "1");
    assert!(
        all[0]
            .text()
            .starts_with("experimental investigation of the aerodynamics of a\nwing")
    );
    assert_eq!(all[0].field("author").as_deref(), Some("brenckman,m."));
    assert_eq!(all[1].place.line, 26);
    assert_eq!(documents.progress().0, documents.progress().1);
}

/// The ids in the file run up to 365; judgements number the topics from 1 to 225.
#[test]
fn cranfield_topics_are_matched_by_order() {
    let Some((_folder, mut collection)) = cranfield() else {
        return;
    };
    let topics = collection.topics().unwrap();
    assert_eq!(topics.len(), 225);
    assert_eq!(
        (topics[2].id.as_str(), topics[224].id.as_str()),
        ("3", "225")
    );
    assert!(
        topics[2]
            .title()
            .starts_with("what problems of heat conduction")
    );
    assert_eq!(topics.notes.len(), 1);
    assert!(
        topics.notes[0]
            .message
            .to_string()
            .contains("by their order"),
        "{}",
        topics.notes[0]
    );
    collection.topic_files.ids = Some(IdRule::Ordinal);
    let topics = collection.topics().unwrap();
    assert_eq!((topics[2].id.as_str(), topics.notes.len()), ("3", 0));
}

#[test]
fn cranfield_grades_are_mapped() {
    let Some((_folder, mut collection)) = cranfield() else {
        return;
    };
    let qrels = collection.qrels().unwrap();
    assert_eq!((qrels.len(), qrels.judgements()), (225, 1837));
    let first = qrels.get(b"1").unwrap();
    assert_eq!(
        (first.grade(b"184"), first.grade(b"13")),
        (Some(3.0), Some(1.0))
    );
    collection.qrels_files.grades.pop();
    let error = collection.qrels().unwrap_err();
    assert_eq!(error.problems()[0].code.id(), "IR204");
}

#[test]
fn vaswani() {
    let toml = "[documents]\nfiles = ['doc-text.trec.gz']\nexpect = 11429\n[topics]\nfiles = ['query-text.trec']\n\
                expect = 93\n[qrels]\nfiles = ['qrels']\n";
    let files = ["doc-text.trec.gz", "query-text.trec", "qrels"];
    let Some((_folder, collection)) = linked(toml, "vaswani", &files) else {
        return;
    };
    let all: Vec<_> = collection
        .documents()
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(all.len(), 11_429);
    assert!(
        all[0]
            .text()
            .starts_with("compact memories have flexible capacities")
    );
    let topics = collection.topics().unwrap();
    assert_eq!((topics.len(), topics.notes.len()), (93, 0));
    assert!(topics[0].title().starts_with("MEASUREMENT OF DIELECTRIC"));
    assert_eq!(collection.qrels().unwrap().len(), 93);
}

/// A run by the sum of idf over the words that topic and document share, without repetition.
fn overlap_run(collection: &Collection) -> cranfield_core::run::Run {
    use std::collections::{HashMap, HashSet};
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<HashSet<String>>()
    };
    let documents: Vec<(String, HashSet<String>)> = collection
        .documents()
        .unwrap()
        .map(|document| {
            document
                .map(|one| (one.id.clone(), words(&one.text())))
                .unwrap()
        })
        .collect();
    let mut frequencies: HashMap<&String, f64> = HashMap::new();
    for word in documents.iter().flat_map(|(_, words)| words) {
        *frequencies.entry(word).or_default() += 1.0;
    }
    let mut scores = Vec::new();
    for topic in &collection.topics().unwrap() {
        let query = words(topic.title());
        for (id, words) in &documents {
            let shared = query.iter().filter(|word| words.contains(*word));
            let idf = shared
                .filter_map(|word| frequencies.get(word))
                .map(|df| (1400.0 / df).ln());
            scores.push((topic.id.clone(), id.clone(), idf.sum::<f64>()));
        }
    }
    cranfield_core::run::Run::from_scores("overlap", scores)
}

/// Cranfield's codes: 1 is the best, 4 the least. Read as grades, they are reversed.
#[test]
fn reversed_grades_are_found() {
    let Some((_folder, mut collection)) = cranfield() else {
        return;
    };
    let run = overlap_run(&collection);
    assert!(!crate::grades_look_reversed(
        &run,
        &collection.qrels().unwrap()
    ));
    collection.qrels_files.grades.clear();
    assert!(crate::grades_look_reversed(
        &run,
        &collection.qrels().unwrap()
    ));
}

#[test]
fn doctor_on_real_collections() {
    let Some((_folder, collection)) = cranfield() else {
        return;
    };
    let report = collection.examine();
    let codes: Vec<&str> = report
        .findings
        .iter()
        .map(|finding| finding.code.id())
        .collect();
    assert_eq!(
        (codes, report.topics, report.lines),
        (vec!["IR220"], 225, 1400)
    );
}

/// The folders as they are published, without a collection file.
#[test]
fn folders_are_recognised() {
    for (name, documents, topics, judgements) in [
        ("cranfield", 1400, 225, 1837),
        ("vaswani", 11_429, 93, 2083),
    ] {
        let Some(path) = golden(&format!("../collections/{name}")) else {
            return;
        };
        let collection = Collection::open(path).unwrap();
        assert_eq!(collection.documents().unwrap().count(), documents);
        assert_eq!(collection.topics().unwrap().len(), topics);
        assert_eq!(collection.qrels().unwrap().judgements(), judgements);
    }
}
