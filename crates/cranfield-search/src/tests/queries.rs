//! Queries are text, and words count as often as they occur.

use std::sync::Arc;

use super::{SMALL, document, index};
use crate::index::build_with;
use crate::{Analyzer, Error, Index, IndexOptions, Scorer};

#[test]
fn repeated_words_count() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [
        document("1", "flow heat"),
        document("2", "flow wing"),
        document("3", "wing plate plate"),
    ];
    let index = index(&folder.path().join("index"), documents, SMALL, 1);
    let scorer = Scorer::new(index, &"BM25".parse().unwrap()).unwrap();
    assert_eq!(
        scorer.query("flow heat flow"),
        [("flow".into(), 2.0), ("heat".into(), 1.0)]
    );
    let score = |text: &str| scorer.search(&scorer.query(text), 1).unwrap()[0].score;
    let (flow, heat) = (score("flow"), score("heat"));
    assert_eq!(score("flow flow"), 2.0 * flow);
    assert!((score("flow heat flow") - (2.0 * flow + heat)).abs() < 1e-12);
    assert!((score("heat flow heat heat") - (flow + 3.0 * heat)).abs() < 1e-12);
}

#[test]
fn documents_without_stored_text_have_an_id() {
    let folder = tempfile::tempdir().unwrap();
    let options = IndexOptions {
        text: false,
        ..IndexOptions::new(Analyzer::named("whitespace").unwrap())
    };
    let documents = [Ok::<_, Error>(document("1", "flow heat"))];
    build_with(folder.path(), documents, &options, SMALL).unwrap();
    let found = Index::open(folder.path()).unwrap().document(0).unwrap();
    assert_eq!((found.id.as_str(), found.fields.len()), ("1", 0));
}

#[test]
fn no_query_fails() {
    let folder = tempfile::tempdir().unwrap();
    let documents = [document("1", "a \"b OR c"), document("2", "d AND")];
    let index = index(&folder.path().join("index"), documents, SMALL, 1);
    let searched = [
        "",
        " ",
        "\"",
        "a OR",
        "+-:()[]{}^~*?\\/",
        "field:value",
        "\0",
        "é",
    ];
    for model in [
        "BM25",
        "VSM('atc.Lpu')",
        "QL(mu=10)",
        "QL(lambda=1)",
        "DPH",
        "PL2",
    ] {
        let scorer = Scorer::new(Arc::clone(&index), &model.parse().unwrap()).unwrap();
        for text in searched {
            let hits = scorer.search(&scorer.query(text), usize::MAX).unwrap();
            assert_eq!(hits.len(), usize::from(text == "a OR"), "{model}, {text}");
        }
    }
}

#[test]
fn an_index_without_documents_or_terms_answers() {
    let folder = tempfile::tempdir().unwrap();
    let none = index(&folder.path().join("none"), [], SMALL, 2);
    let empty = [document("1", ""), document("2", " ")];
    let empty = index(&folder.path().join("empty"), empty, SMALL, 2);
    for index in [none, empty] {
        for model in crate::Model::NAMES {
            let scorer = Scorer::new(Arc::clone(&index), &model.parse().unwrap()).unwrap();
            assert_eq!(scorer.search(&scorer.query("a b"), 10).unwrap(), []);
        }
    }
}
