//! Servers: presets, time-outs, retries, malformed and partial answers.

use std::path::PathBuf;
use std::time::Duration;

use super::queries;
use super::server::{Reply, Server};
use crate::engine::{Engine, EngineErrorKind, read_engine};
use crate::run_topics::{RunSettings, TopicsRun, run_topics};

fn engine_file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("engine.toml");
    std::fs::write(&path, text).expect("a file");
    (folder, path)
}

fn engine(text: &str) -> Box<dyn Engine> {
    let (_folder, path) = engine_file(text);
    read_engine(&path).expect("the file is valid")
}

fn answered(engine: &dyn Engine, words: &[&str], depth: usize) -> TopicsRun {
    let settings = RunSettings {
        depth,
        threads: 2,
        keep_going: true,
        ..RunSettings::default()
    };
    run_topics(engine, &queries(words), &settings).expect("sessions open")
}

fn docs(run: &TopicsRun, topic: &str) -> Vec<(String, f64)> {
    let topic = run
        .run
        .get(topic.as_bytes())
        .expect("the topic is in the run");
    let entry = |entry: cranfield_core::run::Entry<'_>| {
        (String::from_utf8_lossy(entry.doc).into_owned(), entry.score)
    };
    topic.entries().map(entry).collect()
}

/// An answer as Elasticsearch 8 gives it.
fn elastic(hits: &[(&str, f64)], timed_out: bool, failed: u32) -> String {
    let hits: Vec<_> = hits
        .iter()
        .map(|(id, score)| serde_json::json!({"_index": "c", "_id": id, "_score": score}))
        .collect();
    serde_json::json!({
        "took": 3,
        "timed_out": timed_out,
        "_shards": {"total": 5, "successful": 5 - failed, "skipped": 0, "failed": failed},
        "hits": {"max_score": 2.5, "hits": hits},
    })
    .to_string()
}

#[test]
fn elasticsearch_with_faults() {
    let fine = || {
        Reply::new(
            200,
            elastic(&[("d1", 2.5), ("d2", 1.5), ("d3", 1.5)], false, 0),
        )
    };
    let server = Server::start(&[
        ("fine", vec![fine()]),
        ("slow", vec![fine().after(Duration::from_secs(5))]),
        ("garbled", vec![Reply::new(200, "<html>")]),
        (
            "sharded",
            vec![Reply::new(200, elastic(&[("d1", 2.5)], false, 2))],
        ),
        (
            "late",
            vec![Reply::new(200, elastic(&[("d1", 2.5)], true, 0))],
        ),
        (
            "busy",
            vec![Reply::new(429, "{}"), Reply::new(503, "{}"), fine()],
        ),
        (
            "wrong",
            vec![Reply::new(400, "{\"error\": \"parsing_exception\"}")],
        ),
        ("moved", vec![Reply::new(302, "")]),
    ]);
    let engine = engine(&format!(
        "name = 'es'\n[http]\npreset = 'elasticsearch'\nurl = 'http://{}/c/_search'\nfields = ['title', 'text']\n\
         timeout = '400ms'\nwait = '10ms'\nheaders = {{ Authorization = 'ApiKey k' }}\n",
        server.address
    ));
    let words = [
        "fine", "slow", "garbled", "sharded", "late", "busy", "wrong", "moved",
    ];
    let run = answered(&*engine, &words, 2);
    assert_eq!(docs(&run, "1"), [("d1".into(), 2.5), ("d2".into(), 1.5)]);
    assert_eq!(docs(&run, "6").len(), 2);
    // The third document, which was asked for to see it, is tied with the second.
    assert_eq!(run.cut_in_ties, ["1", "6"]);
    let kinds: Vec<_> = run
        .failed
        .iter()
        .map(|(topic, error)| (topic.as_str(), error.kind()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("2", EngineErrorKind::TimedOut),
            ("3", EngineErrorKind::Malformed),
            ("4", EngineErrorKind::Partial),
            ("5", EngineErrorKind::Partial),
            ("7", EngineErrorKind::Refused),
            ("8", EngineErrorKind::Other),
        ]
    );
    assert_eq!(
        ["slow", "busy", "wrong", "garbled"].map(|word| server.count(word)),
        [3, 3, 1, 1]
    );
    let messages: Vec<String> = run
        .failed
        .iter()
        .map(|(_, error)| error.to_string())
        .collect();
    assert!(messages[0].ends_with("tried 3 times"), "{messages:?}");
    assert!(messages[2].contains("/_shards/failed is 2"), "{messages:?}");
    assert!(messages[4].contains("parsing_exception"), "{messages:?}");
}

#[test]
fn elasticsearch_is_asked_for_plain_text() {
    let server = Server::start(&[("size", vec![Reply::new(200, elastic(&[], false, 0))])]);
    let engine = engine(&format!(
        "[http]\npreset = 'opensearch'\nurl = 'http://{}/c/_search'\nfield = 'body'\nheaders = {{ X-Key = 'secret' }}\n",
        server.address
    ));
    let run = answered(&*engine, &["a \"quoted\" AND (odd] query\\"], 10);
    assert!(run.is_complete());
    assert_eq!(run.empty, ["1"]);
    let received = server.received.lock().expect("no panic")[0].clone();
    assert!(
        received.line.starts_with("POST /c/_search HTTP/1.1"),
        "{}",
        received.line
    );
    assert!(
        received
            .headers
            .to_ascii_lowercase()
            .contains("x-key: secret")
    );
    let body: serde_json::Value = serde_json::from_str(&received.body).expect("the body is JSON");
    assert_eq!(body["size"], 11);
    assert_eq!(
        body["query"]["match"]["body"]["query"],
        "a \"quoted\" AND (odd] query\\"
    );
    // Keys are no part of what is written down.
    assert!(!format!("{:?}", engine.settings()).contains("secret"));
}

#[test]
fn solr_with_faults() {
    use EngineErrorKind::{Malformed, Partial};
    let solr = |partial: bool, docs: serde_json::Value| {
        let header = serde_json::json!({"status": 0, "QTime": 1, "partialResults": partial});
        let answer = serde_json::json!({"responseHeader": header, "response": {"numFound": 9, "docs": docs}});
        Reply::new(200, answer.to_string())
    };
    let two = serde_json::json!([{"id": "a", "score": 3.0}, {"id": "b", "score": 1.0}]);
    let server = Server::start(&[
        ("fine", vec![solr(false, two.clone())]),
        ("cut", vec![solr(true, two)]),
        (
            "scoreless",
            vec![solr(false, serde_json::json!([{"id": "a"}]))],
        ),
        (
            "twice",
            vec![solr(
                false,
                serde_json::json!([{"id": "a", "score": 2}, {"id": "a", "score": 1}]),
            )],
        ),
    ]);
    let engine = engine(&format!(
        "[http]\npreset = 'solr'\nurl = 'http://{}/solr/c/select'\n",
        server.address
    ));
    let run = answered(&*engine, &["fine & dandy", "cut", "scoreless", "twice"], 5);
    assert_eq!(docs(&run, "1"), [("a".into(), 3.0), ("b".into(), 1.0)]);
    let kinds: Vec<_> = run.failed.iter().map(|(_, error)| error.kind()).collect();
    assert_eq!(kinds, [Partial, Malformed, Malformed]);
    assert!(run.cut_in_ties.is_empty());
    assert_eq!(
        server.count("GET /solr/c/select?q=fine%20%26%20dandy&defType=simple"),
        1
    );
}

#[test]
fn servers_that_are_not_there_are_unavailable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let engine = engine(&format!(
        "[http]\nurl = 'http://{address}/?q={{query}}'\nids = '/*'\ntries = 2\nwait = '1ms'\n"
    ));
    let run = answered(&*engine, &["x"], 5);
    assert_eq!(run.failed[0].1.kind(), EngineErrorKind::Unavailable);
}

#[test]
fn answers_without_scores_are_in_their_order() {
    let server = Server::start(&[("x", vec![Reply::new(200, "[\"d9\", 7, \"d1\"]")])]);
    let engine = engine(&format!(
        "[http]\nurl = 'http://{}/?q={{query}}'\nids = '/*'\n",
        server.address
    ));
    let run = answered(&*engine, &["x"], 2);
    assert_eq!(docs(&run, "1"), [("d9".into(), 0.0), ("7".into(), -1.0)]);
}
