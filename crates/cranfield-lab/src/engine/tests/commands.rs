//! Programs: answers, time-outs, crashes, malformed answers.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::queries;
use crate::engine::{Engine, EngineErrorKind, Place, read_engine};
use crate::run_topics::{RunSettings, TopicsRun, run_topics};

/// Writes a script and a file that describes it as an engine.
fn engine(folder: &Path, script: &str, table: &str) -> Box<dyn Engine> {
    std::fs::write(folder.join("engine.py"), script).expect("a script");
    let path = folder.join("mine.toml");
    std::fs::write(&path, format!("[command]\n{table}\n")).expect("a file");
    read_engine(&path).expect("the file is valid")
}

fn answered(engine: &dyn Engine, words: &[&str], threads: usize) -> TopicsRun {
    let settings = RunSettings {
        depth: 2,
        threads,
        keep_going: true,
        ..RunSettings::default()
    };
    run_topics(engine, &queries(words), &settings).expect("sessions open")
}

/// Answers questions; some words make it fail. The file `starts` counts how often it is started.
const PERSISTENT: &str = r#"
import json, os, sys, time
open("starts", "a").write("x")
for line in sys.stdin:
    q = json.loads(line)
    word = q["query"]
    hits = [{"doc": word + str(i), "score": 9.0 - i} for i in range(q["depth"] + 1)]
    answer = {"topic": q["topic"], "hits": hits}
    if word == "hang":
        os.system("sleep 60")
    if word == "die":
        print("out of cheese", file=sys.stderr, flush=True)
        sys.exit(7)
    if word == "garble":
        print("{not json", flush=True)
        continue
    if word == "other":
        answer["topic"] = "99"
    if word == "refuse":
        answer = {"topic": q["topic"], "error": "no such field"}
    if word == "nan":
        answer["hits"] = [{"doc": "a", "score": float("nan")}]
    print(json.dumps(answer), flush=True)
"#;

#[test]
fn persistent_commands_survive_every_fault() {
    use EngineErrorKind::{Crashed, Malformed, Refused, TimedOut};
    let folder = tempfile::tempdir().expect("a folder");
    let table = "serve = ['python3', 'engine.py']\ntimeout = '1500ms'";
    let engine = engine(folder.path(), PERSISTENT, table);
    assert_eq!(engine.place(), Place::Child);
    let words = [
        "a", "hang", "b", "die", "c", "garble", "d", "other", "e", "refuse", "nan", "f",
    ];
    let run = answered(&*engine, &words, 1);
    let kinds: Vec<_> = run
        .failed
        .iter()
        .map(|(topic, error)| (topic.as_str(), error.kind()))
        .collect();
    let expected = [
        ("2", TimedOut),
        ("4", Crashed),
        ("6", Malformed),
        ("8", Malformed),
        ("10", Refused),
        ("11", Malformed),
    ];
    assert_eq!(kinds, expected);
    for (topic, word) in [
        ("1", "a"),
        ("3", "b"),
        ("5", "c"),
        ("7", "d"),
        ("9", "e"),
        ("12", "f"),
    ] {
        let topic = run.run.get(topic.as_bytes()).expect("an answer");
        let docs: Vec<_> = topic.entries().map(|entry| entry.doc.to_vec()).collect();
        assert_eq!(
            docs,
            [
                format!("{word}0").into_bytes(),
                format!("{word}1").into_bytes()
            ]
        );
    }
    let crash = run.failed[1].1.to_string();
    assert!(
        crash.contains("exit status: 7") && crash.contains("out of cheese"),
        "{crash}"
    );
    // Started at first, and again after the hang, the crash, and the answer to another question.
    let starts = std::fs::read_to_string(folder.path().join("starts")).expect("a file");
    assert_eq!(starts.len(), 4);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hanging_command_is_killed_with_its_children() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "import os, subprocess, sys\n\
                  child = subprocess.Popen(['sleep', '60'])\n\
                  open('child', 'w').write(str(child.pid))\n\
                  child.wait()\n";
    let table = "serve = ['python3', 'engine.py']\ntimeout = '2s'";
    let engine = engine(folder.path(), script, table);
    let start = Instant::now();
    let run = answered(&*engine, &["x"], 1);
    assert_eq!(run.failed[0].1.kind(), EngineErrorKind::TimedOut);
    assert!(start.elapsed() < Duration::from_secs(30));
    let child = std::fs::read_to_string(folder.path().join("child")).expect("a file");
    let stat = PathBuf::from(format!("/proc/{}/stat", child.trim()));
    let is_gone = || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    for _ in 0..200 {
        if is_gone() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the child of the program is alive");
}

/// Writes each topic's text as the id of its only document.
const BATCH: &str = r#"
import sys
topics, run, depth, threads = sys.argv[1:5]
with open(run, "w") as out:
    for line in open(topics):
        topic, text = line.rstrip("\n").split("\t")
        if text == "empty":
            continue
        for i in range(int(depth) + 1):
            out.write(f"{topic} Q0 {text}-{threads}-{i} {i + 1} {10 - i} tag\n")
"#;

#[test]
fn batch_commands_read_topics_and_write_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = "run = ['python3', 'engine.py', '{topics}', '{run}', '{depth}', '{threads}']";
    let engine = engine(folder.path(), BATCH, table);
    let run = answered(&*engine, &["b", "empty", "a"], 3);
    assert!(run.is_complete());
    assert_eq!(
        (run.run.tag(), run.empty.as_slice()),
        ("mine", &["2".to_owned()][..])
    );
    let topics: Vec<_> = run
        .run
        .topics()
        .map(|topic| (topic.id(), topic.entries().len()))
        .collect();
    assert_eq!(topics, [(&b"1"[..], 2), (b"2", 0), (b"3", 2)]);
    let first = run
        .run
        .get(b"1")
        .and_then(|topic| topic.entries().next().map(|entry| entry.doc));
    assert_eq!(first, Some(&b"b-3-0"[..]));
    let mut session = engine.session().expect("a session");
    let hits = session.search(&queries(&["c"])[0], 1).expect("an answer");
    assert_eq!((hits.len(), hits[0].doc.as_str()), (1, "c-1-0"));
}

#[test]
fn failures_of_batch_commands_have_reasons() {
    let folder = tempfile::tempdir().expect("a folder");
    let kind_of = |script: &str, more: &str| {
        let table = format!("run = ['python3', 'engine.py', '{{topics}}', '{{run}}']\n{more}");
        let engine = engine(folder.path(), script, &table);
        let failed = run_topics(&*engine, &queries(&["a"]), &RunSettings::default());
        let error = failed.expect_err("the program fails");
        (error.kind(), error.to_string())
    };
    let (kind, message) = kind_of("import sys; sys.exit('no index')", "");
    assert_eq!(kind, EngineErrorKind::Crashed);
    assert!(message.contains("no index"), "{message}");
    let (kind, _) = kind_of("import time; time.sleep(60)", "timeout = '300ms'");
    assert_eq!(kind, EngineErrorKind::TimedOut);
    assert_eq!(kind_of("", "").0, EngineErrorKind::Malformed);
    let garbage = "import sys; open(sys.argv[2], 'w').write('1 Q0 d x y\\n')";
    assert_eq!(kind_of(garbage, "").0, EngineErrorKind::Malformed);
}

#[test]
fn programs_that_do_not_exist_are_one_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), "", "serve = ['./absent']");
    let failed = run_topics(&*engine, &queries(&["a", "b"]), &RunSettings::default());
    let error = failed.expect_err("the program does not exist");
    assert_eq!(error.kind(), EngineErrorKind::Start);
}

#[test]
fn asking_ends_at_the_first_failure_unless_it_is_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(
        folder.path(),
        PERSISTENT,
        "serve = ['python3', 'engine.py']",
    );
    let run = run_topics(
        &*engine,
        &queries(&["a", "refuse", "b"]),
        &RunSettings::default(),
    );
    let run = run.expect("sessions open");
    assert_eq!((run.failed.len(), run.not_asked), (1, vec!["3".to_owned()]));
}
