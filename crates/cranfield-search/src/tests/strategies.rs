//! Skipping documents does not change results.

use std::sync::Arc;

use super::zipf::{documents, queries};
use super::{SMALL, exactly, index};
use crate::index::Sizes;
use crate::{Index, Scorer, Strategy};

const VOCABULARY: usize = 3000;
const DEPTHS: [usize; 4] = [1, 10, 100, 1000];

/// Large enough that hundreds of terms have stored bounds.
fn zipfian(folder: &std::path::Path, sizes: Sizes) -> Arc<Index> {
    let index = index(folder, documents(5000, VOCABULARY), sizes, 2);
    let frequent = index.term("w1").unwrap().unwrap();
    assert!(frequent.documents > 1000);
    assert!(index.bounds(&frequent, 0).is_some());
    index
}

/// Searches twice and compares ids and bits of scores; the depth varies from query to query.
fn check(index: &Arc<Index>, models: &[&str], queries: &[String]) {
    for name in models {
        let model = name.parse().unwrap();
        let scorer = |strategy| {
            Scorer::new(Arc::clone(index), &model)
                .unwrap()
                .with_strategy(strategy)
        };
        let all = scorer(Strategy::Exhaustive);
        let others = [scorer(Strategy::MaxScore), scorer(Strategy::Auto)];
        for (at, text) in queries.iter().enumerate() {
            let depth = DEPTHS[at % DEPTHS.len()];
            let query = all.query(text);
            let expected = exactly(index, &all.search(&query, depth).unwrap());
            for other in &others {
                let found = exactly(index, &other.search(&query, depth).unwrap());
                assert_eq!(found, expected, "{name}, `{text}`, depth {depth}");
            }
        }
    }
}

#[test]
fn maxscore_equals_exhaustive_on_a_thousand_queries() {
    let folder = tempfile::tempdir().unwrap();
    let index = zipfian(&folder.path().join("index"), Sizes::default());
    let points = [
        "BM25(k1=0.9, b=0.4)",
        "BM25(k1=1.2, b=0.75)",
        "BM25(k1=3, b=1)",
    ];
    check(&index, &points, &queries(1000, VOCABULARY));
}

/// Models for which frequent words are worth nothing, or less than nothing, are among them.
const MODELS: [&str; 15] = [
    "BM25(k1=0, b=0)",
    "BM25(lengths='byte')",
    "BM25(idf='atire')",
    "BM25(idf='robertson')",
    "BM25(idf='robertson-zero')",
    "BM25(idf='robertson-mean')",
    "BM25(k1=1.2, b=0.75, idf='terrier')",
    "BM25+",
    "BM25L",
    "TF_IDF",
    "Pivoted",
    "QL(mu=50, form='lucene')",
    "QL(lambda=0.1, form='lucene')",
    "InL2(c=1)",
    "InL2(c=0.1)",
];

#[test]
fn maxscore_equals_exhaustive_for_every_monotone_model() {
    let folder = tempfile::tempdir().unwrap();
    let index = zipfian(&folder.path().join("index"), Sizes::default());
    check(&index, &MODELS, &queries(100, VOCABULARY));
    // Models without bounds are scored exhaustively whatever was asked for.
    let others = [
        "DPH",
        "PL2",
        "QL(mu=50)",
        "QL(lambda=0.5)",
        "VSM('lnc.ltc')",
        "VSM('Ltu.atn')",
    ];
    check(&index, &others, &queries(20, VOCABULARY));
}

#[test]
fn maxscore_equals_exhaustive_over_several_segments() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = Sizes {
        block_bytes: 32 << 10,
        ..SMALL
    };
    let index = zipfian(&folder.path().join("index"), sizes);
    assert!(index.parts().len() > 3);
    check(&index, &MODELS, &queries(60, VOCABULARY));
}
