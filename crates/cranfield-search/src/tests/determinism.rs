//! Files and runs depend on the documents and the queries alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::zipf::{documents, queries};
use super::{SMALL, document, exactly, index};
use crate::index::Sizes;
use crate::{Index, Scorer, Searcher};

const VOCABULARY: usize = 1000;

/// The bytes of all files below a folder by relative path.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = files(&path).into_iter();
            all.extend(inner.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            all.insert(name, fs::read(&path).unwrap());
        }
    }
    all
}

#[test]
fn threads_do_not_change_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let built = [1, 2, 8].map(|threads| {
        let path = folder.path().join(threads.to_string());
        let index = index(&path, documents(2000, VOCABULARY), SMALL, threads);
        assert!(index.parts().len() > 5);
        files(&path)
    });
    let names: Vec<&String> = built[0].keys().collect();
    assert!(names.len() > 20, "{names:?}");
    for other in &built[1..] {
        assert_eq!(other.keys().collect::<Vec<_>>(), names);
        for (name, bytes) in other {
            assert!(*bytes == built[0][name], "{name}");
        }
    }
}

/// The bytes of a run that is searched for on so many threads.
fn run(searcher: &Searcher, threads: usize, folder: &Path) -> Vec<u8> {
    let queries = queries(200, VOCABULARY);
    let topics: Vec<String> = (0..queries.len()).map(|at| format!("q{at}")).collect();
    let pairs = || {
        topics
            .iter()
            .map(String::as_str)
            .zip(queries.iter().map(String::as_str))
    };
    let run = searcher.run("test", pairs(), 50, threads);
    let path = folder.join(format!("{threads}.run"));
    cranfield_io::save_run(&run.unwrap(), cranfield_io::RunFormat::Trec, &path).unwrap();
    fs::read(path).unwrap()
}

#[test]
fn threads_do_not_change_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let index = index(&path, documents(2000, VOCABULARY), SMALL, 2);
    for (model, feedback) in [("BM25", None), ("QL(mu=100)", Some("RM3(max_df=1)"))] {
        let feedback = feedback.map(|feedback| feedback.parse().unwrap());
        let searcher = Searcher::new(Arc::clone(&index), &model.parse().unwrap(), feedback);
        let searcher = searcher.unwrap();
        let one = run(&searcher, 1, folder.path());
        assert!(one.len() > 100_000);
        for threads in [2, 8] {
            assert!(
                run(&searcher, threads, folder.path()) == one,
                "{model}, {threads}"
            );
        }
    }
}

/// All models, as their sums could depend on the order in which postings are read.
const MODELS: [&str; 9] = [
    "BM25",
    "BM25(idf='robertson-mean')",
    "VSM('lnc.ltc')",
    "VSM('Lpu.ann')",
    "QL(mu=100)",
    "QL(lambda=0.4)",
    "DPH",
    "PL2",
    "InL2",
];

fn rankings(index: &Arc<Index>, model: &str, feedback: &str) -> Vec<Vec<(String, u64)>> {
    let model = model.parse().unwrap();
    let searcher = Searcher::new(Arc::clone(index), &model, feedback.parse().ok()).unwrap();
    let queries = queries(30, VOCABULARY);
    let search = |text: &String| exactly(index, &searcher.search(text, 100).unwrap());
    queries.iter().map(search).collect()
}

#[test]
fn segments_do_not_change_the_ranking() {
    let folder = tempfile::tempdir().unwrap();
    let documents = documents(2000, VOCABULARY);
    let one = index(
        &folder.path().join("one"),
        documents.clone(),
        Sizes::default(),
        1,
    );
    let many = index(&folder.path().join("many"), documents, SMALL, 2);
    assert_eq!((one.parts().len(), many.parts().len() > 5), (1, true));
    assert_eq!(one.description().hash(), many.description().hash());
    for model in MODELS {
        assert!(
            rankings(&one, model, "") == rankings(&many, model, ""),
            "{model}"
        );
    }
    for feedback in ["RM3(max_df=1)", "Rocchio(gamma=0.1)", "Bo1"] {
        let [one, many] = [&one, &many].map(|index| rankings(index, "BM25", feedback));
        assert!(one == many, "{feedback}");
    }
    for doc in (0..2000).step_by(37) {
        assert_eq!(one.document(doc).unwrap(), many.document(doc).unwrap());
    }
}

#[test]
fn ties_at_the_cut_are_in_descending_order_of_ids() {
    let folder = tempfile::tempdir().unwrap();
    let ids = ["b", "d10", "a", "d9", "é", "d1", "D2", "", "c"];
    let copies = ids.map(|id| document(id, "same words"));
    let rest = (0..50).map(|at| document(&format!("x{at:02}"), "other"));
    let index = index(
        &folder.path().join("index"),
        copies.into_iter().chain(rest),
        Sizes {
            block_bytes: 30,
            segment_blocks: 2,
        },
        2,
    );
    let mut expected = ids.map(str::as_bytes);
    expected.sort_unstable_by(|a, b| b.cmp(a));
    for strategy in [crate::Strategy::Exhaustive, crate::Strategy::MaxScore] {
        let scorer = Scorer::new(Arc::clone(&index), &"BM25".parse().unwrap()).unwrap();
        let scorer = scorer.with_strategy(strategy);
        for depth in 0..=ids.len() {
            let hits = scorer.search(&scorer.query("words"), depth).unwrap();
            let found: Vec<&[u8]> = hits.iter().map(|hit| index.id(hit.doc)).collect();
            assert_eq!(found, expected[..depth], "{strategy:?}");
        }
    }
}
