//! Malformed JSON and JSON Lines.

use insta::assert_snapshot;

use crate::Case;

use super::run_error;

pub(super) const RUNS: &[Case<'_>] = &[
    ("json that ends early", "a.json", br#"{"q1": {"d1": 1.5,"#),
    ("json with single quotes", "a.json", b"{'q1': {'d1': 1.5}}"),
    ("json with nan", "a.json", b"{\"q1\": {\"d1\": 1.5,\n \"d2\": NaN}}"),
    ("json with minus infinity", "a.json", br#"{"q1": {"d1": -Infinity}}"#),
    ("json with a number too large", "a.json", br#"{"q1": {"d1": 1e400}}"#),
    ("json with a score in quotes", "a.json", br#"{"q1": {"d1": "1.5", "d2": null}}"#),
    ("json with lists of documents", "a.json", br#"{"q1": ["d1", "d2"]}"#),
    ("json with a duplicate topic", "a.json", b"{\"q1\": {\"d1\": 1},\n \"q1\": {\"d2\": 1}}"),
    ("json with a duplicate document", "a.json", b"{\"q1\": {\"d1\": 1,\n \"d2\": 2,\n \"d1\": 3}}"),
    ("json with an empty id", "a.json", br#"{"q1": {"": 1}}"#),
    ("json with trailing text", "a.json", b"{\"q1\": {\"d1\": 1}}\n{\"q2\": {\"d1\": 1}}\n"),
    ("json that is not utf8", "a.json", b"{\"q1\": {\"d\xe9\": 1}}"),
    ("json without topics", "a.json", b"{}"),
    ("json list of numbers", "a.json", b"[1, 2]"),
    ("jsonl with a broken line", "a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\", \"score\": 1.5}\n{\"qid\": 1, \"docno\": }\n"),
    ("jsonl without a document", "a.jsonl", b"{\"qid\": 1, \"title\": \"x\", \"score\": 1.5}\n"),
    ("jsonl without a score", "a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\"}\n"),
    ("jsonl with a duplicate field", "a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\", \"score\": 1, \"score\": 2}\n"),
    ("jsonl with a real topic", "a.jsonl", b"{\"qid\": 1.5, \"docno\": \"d1\", \"score\": 1}\n"),
    ("jsonl with a duplicate document", "a.jsonl", b"{\"qid\": 1, \"docno\": 7, \"score\": 1}\n{\"qid\": \"1\", \"docno\": \"7\", \"score\": 2}\n"),
];

pub(super) const QRELS: &[Case<'_>] = &[
    (
        "json qrels with a conflict",
        "a.json",
        br#"{"q1": {"d1": 1, "d1": 2}}"#,
    ),
    (
        "json qrels with a junk grade",
        "a.json",
        br#"{"q1": {"d1": true}}"#,
    ),
    (
        "jsonl qrels with a junk grade",
        "a.jsonl",
        b"{\"qid\": 1, \"docno\": \"d1\", \"rel\": \"high\"}\n",
    ),
];

#[test]
fn json_nested_deeply() {
    assert_snapshot!(run_error("a.json", &[b"[".repeat(100_000), b"]".repeat(100_000)].concat()), @r"
        error[IR017]: invalid type: sequence, expected an object with a topic, a document and a number
         --> a.json:1:2
          |
        1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...
          |  ^
        ");
}
