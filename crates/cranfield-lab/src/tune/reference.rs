//! Tuning of BM25 on two real collections. The expected numbers were computed by another program with plain shuffled folds, so means
//! of 20 repetitions agree but single ones do not.

use cranfield_collection::Collection;
use cranfield_search::{Analyzer, Index, IndexOptions, build};

use super::*;

const SPACE: &str = "k1=[0.3, 0.6, 0.9, 1.2, 1.5, 2, 2.5, 3, 4]; b=[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1]";

/// The point and mean that are best on all topics, the mean training and test scores of 20 repetitions of five folds, and the default.
fn tuned_on(name: &str) -> Option<(String, [f64; 4])> {
    let (_, text) = cranfield_testkit::collection(name)?;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("collection.toml");
    std::fs::write(&file, text).unwrap();
    let collection = Collection::open(file).unwrap();
    let path = folder.path().join("index");
    let options = IndexOptions::new(Analyzer::default());
    let documents = collection.documents().unwrap();
    let documents = documents.map(|document| document.map_err(cranfield_search::Error::from));
    build(&path, documents, &options).unwrap();
    let index = std::sync::Arc::new(Index::open(path).unwrap());
    let topics = collection.topics().unwrap();
    let (queries, _) = crate::inputs::queries(&topics, &"title".parse().unwrap());
    let ids: Vec<String> = queries.iter().map(|query| query.topic.clone()).collect();
    let queries = queries.into_iter().map(|query| (query.topic, query.text));
    let model = "BM25(k1=1.2, b=0.75)".parse().unwrap();
    let candidate = IndexCandidate::new(index, model, None, queries, 1000);
    let judge = QrelsJudge::new(collection.qrels().unwrap(), "AP").unwrap();
    let space: Space = SPACE.parse().unwrap();
    let default = candidate.default_point(space.names()).unwrap();
    let mut tuner = Tuner::new(&candidate, &judge, judge.judged(&ids), space, default).unwrap();
    let tune = |seed| {
        tuner
            .tune(&Settings {
                seed,
                ..Settings::of_folds(5)
            })
            .unwrap()
    };
    let all: Vec<Tuned> = (0..20).map(tune).collect();
    let mean = |of: fn(&Tuned) -> f64| all.iter().map(of).sum::<f64>() / 20.0;
    let numbers = [
        all[0].overall.1,
        mean(Tuned::train),
        mean(Tuned::test),
        mean(Tuned::default_test),
    ];
    Some((all[0].overall.0.to_string(), numbers))
}

fn check(found: Option<(String, [f64; 4])>, point: &str, expected: [f64; 4]) {
    let Some((best, numbers)) = found else { return };
    assert_eq!(best, point);
    let tolerances = [1e-4, 1.5e-3, 1.5e-3, 1e-4];
    for ((number, expected), tolerance) in numbers.iter().zip(expected).zip(tolerances) {
        assert!(
            (number - expected).abs() <= tolerance,
            "{numbers:?}, expected {expected}"
        );
    }
}

#[test]
fn cranfield() {
    check(
        tuned_on("cranfield"),
        "k1=3, b=0.8",
        [0.3050, 0.3053, 0.3016, 0.2950],
    );
}

#[test]
fn vaswani() {
    check(
        tuned_on("vaswani"),
        "k1=1.2, b=0.6",
        [0.2899, 0.2904, 0.2845, 0.2854],
    );
}
