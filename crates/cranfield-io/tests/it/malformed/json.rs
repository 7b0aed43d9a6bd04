//! Malformed JSON and JSON Lines.

use insta::assert_snapshot;

use super::{qrels_error, run_error};

#[test]
fn json_that_ends_early() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1.5,"), @r#"
        error[IR016]: invalid JSON: EOF while parsing a value
         --> a.json:1:18
          |
        1 | {"q1": {"d1": 1.5,
          |                  ^
        "#);
}

#[test]
fn json_with_single_quotes() {
    assert_snapshot!(run_error("a.json", b"{'q1': {'d1': 1.5}}"), @r"
        error[IR016]: invalid JSON: key must be a string
         --> a.json:1:2
          |
        1 | {'q1': {'d1': 1.5}}
          |  ^
        ");
}

#[test]
fn json_with_nan() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1.5,\n \"d2\": NaN}}"), @r#"
        error[IR012]: found `NaN`, expected a finite number
         --> a.json:2:8
          |
        2 |  "d2": NaN}}
          |        ^^^
          |
          = help: JSON has no NaN or infinity; drop these documents
        "#);
}

#[test]
fn json_with_minus_infinity() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": -Infinity}}"), @r#"
        error[IR012]: found `-Infinity`, expected a finite number
         --> a.json:1:15
          |
        1 | {"q1": {"d1": -Infinity}}
          |               ^^^^^^^^^
          |
          = help: JSON has no NaN or infinity; drop these documents
        "#);
}

#[test]
fn json_with_a_number_too_large() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1e400}}"), @r#"
        error[IR012]: score is `1e400`, expected a finite number
         --> a.json:1:15
          |
        1 | {"q1": {"d1": 1e400}}
          |               ^^^^^
        "#);
}

#[test]
fn json_with_a_score_in_quotes() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": \"1.5\", \"d2\": null}}"), @r#"
        error[IR011]: score is `"1.5"`, expected a JSON number
         --> a.json:1:15
          |
        1 | {"q1": {"d1": "1.5", "d2": null}}
          |               ^^^^^

        error[IR011]: score is `null`, expected a JSON number
         --> a.json:1:28
          |
        1 | {"q1": {"d1": "1.5", "d2": null}}
          |                            ^^^^
        "#);
}

#[test]
fn json_with_lists_of_documents() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": [\"d1\", \"d2\"]}"), @r#"
        error[IR017]: invalid type: sequence, expected an object from document to score for topic `q1`
         --> a.json:1:7
          |
        1 | {"q1": ["d1", "d2"]}
          |       ^
        "#);
}

#[test]
fn json_with_a_duplicate_topic() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1},\n \"q1\": {\"d2\": 1}}"), @r#"
        error[IR022]: topic `q1` occurs twice
         --> a.json:2:3
          |
        2 |  "q1": {"d2": 1}}
          |   ^^
        "#);
}

#[test]
fn json_with_a_duplicate_document() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1,\n \"d2\": 2,\n \"d1\": 3}}"), @r#"
        error[IR030]: document `d1` is in topic `q1` twice; first on line 1
         --> a.json:3:3
          |
        3 |  "d1": 3}}
          |   ^^
        "#);
}

#[test]
fn json_with_an_empty_id() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"\": 1}}"), @r#"
        error[IR015]: document id is empty
         --> a.json:1:10
          |
        1 | {"q1": {"": 1}}
          |          ^
        "#);
}

#[test]
fn json_with_trailing_text() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d1\": 1}}\n{\"q2\": {\"d1\": 1}}\n"), @r#"
        error[IR016]: invalid JSON: trailing characters
         --> a.json:2:1
          |
        2 | {"q2": {"d1": 1}}
          | ^
        "#);
}

#[test]
fn json_that_is_not_utf8() {
    assert_snapshot!(run_error("a.json", b"{\"q1\": {\"d\xe9\": 1}}"), @r#"
        error[IR007]: invalid JSON: invalid unicode code point
         --> a.json:1:11
          |
        1 | {"q1": {"d�": 1}}
          |           ^
        "#);
}

#[test]
fn json_without_topics() {
    assert_snapshot!(run_error("a.json", b"{}"), @r"
        error[IR002]: contains no data
        --> a.json
        ");
}

#[test]
fn json_list_of_numbers() {
    assert_snapshot!(run_error("a.json", b"[1, 2]"), @r"
        error[IR017]: invalid type: integer `1`, expected an object with a topic, a document and a number
         --> a.json:1:2
          |
        1 | [1, 2]
          |  ^

        error[IR017]: invalid type: integer `2`, expected an object with a topic, a document and a number
         --> a.json:1:5
          |
        1 | [1, 2]
          |     ^
        ");
}

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

#[test]
fn json_qrels_with_a_conflict() {
    assert_snapshot!(qrels_error("a.json", b"{\"q1\": {\"d1\": 1, \"d1\": 2}}"), @r#"
        error[IR031]: document `d1` of topic `q1` has grade 2 here and grade 1 on line 1
         --> a.json:1:19
          |
        1 | {"q1": {"d1": 1, "d1": 2}}
          |                   ^^
        "#);
}

#[test]
fn json_qrels_with_a_junk_grade() {
    assert_snapshot!(qrels_error("a.json", b"{\"q1\": {\"d1\": true}}"), @r#"
        error[IR013]: grade is `true`, expected a JSON number
         --> a.json:1:15
          |
        1 | {"q1": {"d1": true}}
          |               ^^^^
        "#);
}

#[test]
fn jsonl_with_a_broken_line() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\", \"score\": 1.5}\n{\"qid\": 1, \"docno\": }\n"), @r#"
        error[IR016]: invalid JSON: expected value
         --> a.jsonl:2:21
          |
        2 | {"qid": 1, "docno": }
          |                     ^
        "#);
}

#[test]
fn jsonl_without_a_document() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1, \"title\": \"x\", \"score\": 1.5}\n"), @r#"
        error[IR018]: missing document column: found `qid`, `title`, `score`, expected one of `doc`, `doc_id`, `docno`, `document`, `document_id`, `corpus_id`, `docid`, `did`, `pid`, `passage_id`
         --> a.jsonl:1:1
          |
        1 | {"qid": 1, "title": "x", "score": 1.5}
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        "#);
}

#[test]
fn jsonl_without_a_score() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\"}\n"), @r#"
        error[IR018]: missing score or rank column: found `qid`, `docno`, expected one of `score`, `sim`, `similarity`, `rank`
         --> a.jsonl:1:1
          |
        1 | {"qid": 1, "docno": "d1"}
          | ^^^^^^^^^^^^^^^^^^^^^^^^^
        "#);
}

#[test]
fn jsonl_with_a_duplicate_field() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\", \"score\": 1, \"score\": 2}\n"), @r#"
        error[IR022]: field `score` occurs twice
         --> a.jsonl:1:48
          |
        1 | {"qid": 1, "docno": "d1", "score": 1, "score": 2}
          |                                                ^
        "#);
}

#[test]
fn jsonl_with_a_real_topic() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1.5, \"docno\": \"d1\", \"score\": 1}\n"), @r#"
        error[IR017]: topic id is `1.5`, expected a string or an integer
         --> a.jsonl:1:9
          |
        1 | {"qid": 1.5, "docno": "d1", "score": 1}
          |         ^^^
        "#);
}

#[test]
fn jsonl_with_a_duplicate_document() {
    assert_snapshot!(run_error("a.jsonl", b"{\"qid\": 1, \"docno\": 7, \"score\": 1}\n{\"qid\": \"1\", \"docno\": \"7\", \"score\": 2}\n"), @r#"
        error[IR030]: document `7` is in topic `1` twice; first on line 1
         --> a.jsonl:2:23
          |
        2 | {"qid": "1", "docno": "7", "score": 2}
          |                       ^^^
        "#);
}

#[test]
fn jsonl_qrels_with_a_junk_grade() {
    assert_snapshot!(qrels_error("a.jsonl", b"{\"qid\": 1, \"docno\": \"d1\", \"rel\": \"high\"}\n"), @r#"
        error[IR013]: grade is `"high"`, expected a JSON number
         --> a.jsonl:1:34
          |
        1 | {"qid": 1, "docno": "d1", "rel": "high"}
          |                                  ^^^^^^
        "#);
}
