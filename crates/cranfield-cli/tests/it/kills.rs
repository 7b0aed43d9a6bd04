//! Indexing and searching survive being killed at any moment.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::process::{cranfield, text};

const INDEX: &str = "index documents.jsonl -o index --threads 2 --quiet";
const SEARCH: &str = "search index topics.tsv -o out.run --depth 100 --threads 2 --quiet";

/// Half of the kills hit `index`, half `search`.
const KILLS: usize = 25;

/// A number in `0..limit` that depends on two others.
pub(super) fn mixed(a: usize, b: usize, limit: usize) -> usize {
    (a * 2_654_435_761 + b * 40_503) % 1_000_003 % limit
}

/// Writes short documents whose last words are rare, and topics made of both kinds of words.
fn write_collection(folder: &Path) {
    let word = |at, place: usize| mixed(at, place, 20 << (2 * place));
    let line = |at| {
        let words: Vec<String> = (0..6)
            .map(|place| format!("w{}", word(at, place)))
            .collect();
        format!("{{\"id\": \"d{at}\", \"text\": \"{}\"}}\n", words.join(" "))
    };
    fs::write(
        folder.join("documents.jsonl"),
        (0..20_000).map(line).collect::<String>(),
    )
    .unwrap();
    let topic = |at| format!("{at}\tw{} w{} w{}\n", word(at, 0), word(at, 1), word(at, 2));
    fs::write(
        folder.join("topics.tsv"),
        (0..100).map(topic).collect::<String>(),
    )
    .unwrap();
}

/// Runs a command that must succeed, and returns how long it took.
#[track_caller]
pub(super) fn succeed(folder: &Path, arguments: &str) -> Duration {
    let start = Instant::now();
    let output = cranfield(folder, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    start.elapsed()
}

/// Starts a command and kills it after a while. `kill` of the standard library sends SIGKILL, which no program can handle.
pub(super) fn kill(folder: &Path, arguments: &str, after: Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments.split(' '));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Moments from the start to a little after the usual end.
pub(super) fn moments(
    count: usize,
    usual: Duration,
    seed: usize,
) -> impl Iterator<Item = Duration> {
    (0..count).map(move |at| usual.mul_f64(mixed(at, seed, 1100) as f64 / 1000.0))
}

/// What a folder holds, without files that end in `.yaml`, which say how long a run took.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.retain(|name| {
        Path::new(name)
            .extension()
            .is_none_or(|extension| extension != "yaml")
    });
    names.sort_unstable();
    names
}

#[test]
fn a_killed_index_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let usual = succeed(folder, INDEX);
    succeed(folder, SEARCH);
    let (expected, undisturbed) = (fs::read(folder.join("out.run")).unwrap(), names(folder));
    for (at, moment) in moments(KILLS, usual, 1).enumerate() {
        // Every second time an index is replaced.
        if at % 2 == 0 {
            fs::remove_dir_all(folder.join("index")).unwrap();
        }
        kill(folder, INDEX, moment);
        fs::remove_file(folder.join("out.run")).unwrap();
        let output = cranfield(folder, SEARCH);
        if output.status.success() {
            assert!(
                fs::read(folder.join("out.run")).unwrap() == expected,
                "{moment:?}"
            );
        } else {
            let error = text(&output.stderr);
            assert!(error.contains("no such index"), "{moment:?}: {error}");
        }
        succeed(folder, INDEX);
        succeed(folder, SEARCH);
        assert!(
            fs::read(folder.join("out.run")).unwrap() == expected,
            "{moment:?}"
        );
        assert_eq!(names(folder), undisturbed, "{moment:?}");
    }
}

#[test]
fn a_killed_search_writes_a_whole_run_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    succeed(folder, INDEX);
    let usual = succeed(folder, SEARCH);
    let run = folder.join("out.run");
    let expected = fs::read(&run).unwrap();
    for moment in moments(KILLS, usual, 2) {
        fs::remove_file(&run).unwrap();
        kill(folder, SEARCH, moment);
        let found = fs::read(&run).ok();
        assert!(found.is_none_or(|found| found == expected), "{moment:?}");
        succeed(folder, SEARCH);
        assert!(fs::read(&run).unwrap() == expected, "{moment:?}");
    }
}
