//! Titles of small collections.

#![allow(clippy::unwrap_used, reason = "tests are short, and may panic")]

use std::fs;

use super::*;

/// A folder with two documents and two topics, whose ids have leading zeros.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write(
        "docs.jsonl",
        "{\"_id\": \"d1\", \"title\": \"On wings\", \"text\": \"They are thin.\"}\n\
         {\"_id\": \"d2\", \"text\": \"A heat shield\"}\n",
    );
    write("topics.tsv", "001\tsupersonic wings\n002\theat\n");
    folder
}

fn ids<'a>(ids: &[&'a str]) -> BTreeSet<&'a [u8]> {
    ids.iter().map(|id| id.as_bytes()).collect()
}

#[test]
fn a_folder_has_titles_of_what_is_asked_for() {
    let folder = folder();
    let collection = titled(folder.path()).unwrap();
    let found = labels(&collection, &ids(&["1"]), &ids(&["d1", "d9"])).unwrap();
    assert_eq!(found.topic(b"1"), Some("supersonic wings"));
    assert_eq!(found.topic(b"2"), None);
    let label = found.document(b"d1").unwrap();
    assert_eq!(label.title.as_deref(), Some("On wings"));
    assert_eq!(label.snippet, "They are thin.");
    assert_eq!(found.document(b"d2"), None);
}

#[test]
fn a_file_of_topics_has_titles_of_topics_alone() {
    let folder = folder();
    let collection = titled(&folder.path().join("topics.tsv")).unwrap();
    let found = labels(&collection, &ids(&["001", "2"]), &ids(&["d1"])).unwrap();
    assert!(found.has_topics() && !found.has_documents());
    let unknown = titled(&folder.path().join("nothing")).unwrap_err();
    assert!(
        unknown.to_string().contains("no such collection"),
        "{unknown}"
    );
}
