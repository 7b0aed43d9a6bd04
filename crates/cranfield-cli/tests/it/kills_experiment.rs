//! An experiment survives being killed at any moment.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::kills::{kill, mixed, moments, succeed};

const COMMAND: &str = "experiment --quiet";
const KILLS: usize = 50;

const EXPERIMENT: &str = "
collection = 'collection.toml'
[index.english]
[index.simple]
analyzer = 'simple'
[run.bm25]
index = 'english'
[run.rm3]
base = 'bm25'
feedback = 'RM3'
[run.simple]
index = 'simple'
model = 'QL(mu=100)'
[tune.tuned]
run = 'bm25'
space = { k1 = [0.5, 1, 2], b = [0, 0.5] }
[evaluate]
measures = ['AP', 'nDCG@10']
[report]
title = 'Killed'
";

fn write_files(folder: &Path) {
    let word = |at, place: usize| mixed(at, place, 20 << (2 * place));
    let text = |at, words| {
        let words = (0..words).map(|place| format!("w{}", word(at, place)));
        words.collect::<Vec<_>>().join(" ")
    };
    let document = |at| format!("{{\"id\": \"d{at}\", \"text\": \"{}\"}}\n", text(at, 6));
    let topic = |at| format!("{at}\t{}\n", text(at, 3));
    let judgement = |at| format!("{} 0 d{} {}\n", at % 40, mixed(at, 7, 3000), at % 3);
    let collection = "[documents]\nfiles = ['d.jsonl']\n[topics]\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q.txt']\n";
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect();
    let files: [(&str, String); 5] = [
        ("d.jsonl", lines(3000, &document)),
        ("t.tsv", lines(40, &topic)),
        ("q.txt", lines(400, &judgement)),
        ("collection.toml", collection.into()),
        ("experiment.toml", EXPERIMENT.into()),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// The files of a folder with their content, except temporary ones, those of indexes, and lines with times.
fn files(folder: &Path, below: &str, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let key = format!("{below}{name}");
        if path.is_dir() {
            files(&path, &format!("{key}/"), found);
        } else if !below.starts_with("index/") || name == "index.toml" {
            let text = String::from_utf8(fs::read(&path).unwrap()).unwrap();
            let lines = text.split_inclusive('\n');
            let lines = lines.filter(|line| !line.trim_start().starts_with("seconds:"));
            found.insert(key, lines.collect::<String>().into_bytes());
        }
    }
}

fn artefacts(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    files(&folder.join("out"), "", &mut found);
    found
}

#[test]
fn a_killed_experiment_is_finished_by_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_files(folder);
    let usual = succeed(folder, COMMAND);
    let expected = artefacts(folder);
    assert!(expected.contains_key("report.html") && expected.contains_key("runs/tuned.run"));
    let mut interrupted = 0;
    for (at, moment) in moments(KILLS, usual, 3).enumerate() {
        // Every third time, a killed experiment was killed before.
        if at % 3 != 2 {
            fs::remove_dir_all(folder.join("out")).unwrap();
        }
        kill(folder, COMMAND, moment);
        let left = artefacts(folder);
        interrupted += usize::from(left.get("state.json") != expected.get("state.json"));
        // The state grows with every step, and an index is built under another name.
        let whole = left
            .iter()
            .filter(|(name, _)| *name != "state.json" && !name.contains(".building"));
        for (name, content) in whole {
            assert!(*content == expected[name], "{moment:?}: {name}");
        }
        if at % 3 == 1 {
            continue;
        }
        succeed(folder, COMMAND);
        let found = artefacts(folder);
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&expected), "{moment:?}");
        for (name, content) in &found {
            assert!(*content == expected[name], "{moment:?}: {name}");
        }
    }
    assert!(interrupted > KILLS / 4, "{interrupted}");
}
