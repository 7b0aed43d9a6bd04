//! Relevant documents that strategies find on two TREC tracks, against values computed by an independent program.

use std::path::Path;
use std::sync::Arc;

use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{Source, expand_paths, read_qrels, read_run};
use cranfield_pool::{PoolSettings, Rankings, make};

/// Runs and judgements of a track.
pub(crate) fn track(name: &str) -> Option<(Vec<(String, Arc<Run>)>, Qrels)> {
    let folder = cranfield_testkit::golden(&format!("tracks/{name}"))?;
    let read = |path: &Path| read_run(&Source::open(path).unwrap(), None).unwrap();
    let mut paths = expand_paths(&[folder.join("runs")]).unwrap();
    paths.sort();
    let named = paths.iter().map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Arc::new(read(path)))
    });
    let qrels = ["qrels.txt.gz", "qrels-rnd1.txt"].map(|name| folder.join(name));
    let qrels = qrels.into_iter().find(|path| path.exists()).unwrap();
    let qrels = read_qrels(&Source::open(qrels).unwrap(), None).unwrap();
    Some((named.collect(), qrels))
}

const STRATEGIES: [&str; 8] = [
    "take",
    "rrf(60)",
    "rbp(0.8)",
    "rbp(0.95)",
    "mtf",
    "mm(1)",
    "mm(0.9)",
    "hedge(0.1)",
];

/// Relevant documents found with 25 and with 100 documents per topic.
fn check(name: &str, expected: [(usize, usize); 8], all: usize) {
    let Some((runs, qrels)) = track(name) else {
        return;
    };
    let rankings = Rankings::new(&runs, TieBreak::DocidDesc, Some(100)).unwrap();
    let found = |strategy: &str, budget| {
        let settings = PoolSettings {
            budget,
            ..PoolSettings::new(strategy.parse().unwrap())
        };
        make(&rankings, &settings, Some(&qrels)).relevant()
    };
    assert_eq!(found("take", None), all);
    for (strategy, (few, many)) in STRATEGIES.into_iter().zip(expected) {
        let counts = (found(strategy, Some(25)), found(strategy, Some(100)));
        println!("{name} {strategy} {counts:?}");
        if strategy.starts_with("hedge") {
            let near = |x: usize, y: usize| x.abs_diff(y) * 100 <= y;
            assert!(near(counts.0, few) && near(counts.1, many), "{counts:?}");
        } else {
            assert_eq!(counts, (few, many), "{name} {strategy}");
        }
    }
    assert_eq!(found("mm(0)", Some(100)), found("mtf", Some(100)));
}

#[test]
fn relevant_documents_found_on_robust03() {
    let expected = [
        (745, 1655),
        (854, 1815),
        (810, 1675),
        (849, 1761),
        (903, 1874),
        (882, 2104),
        (896, 2101),
        (1032, 2192),
    ];
    check("robust03", expected, 3323);
}

#[test]
fn relevant_documents_found_on_covid_round_1() {
    let expected = [
        (384, 996),
        (489, 1184),
        (463, 1025),
        (496, 1182),
        (410, 1106),
        (397, 1051),
        (405, 1106),
        (430, 1101),
    ];
    check("covid-round1", expected, 2085);
}
