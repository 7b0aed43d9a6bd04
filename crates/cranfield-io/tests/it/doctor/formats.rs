//! Formats other than TREC text, and reports as JSON and Markdown.

use insta::assert_snapshot;

use cranfield_io::Code;
use cranfield_io::doctor::{self, Kind, Options};

use super::{codes, report, report_with, text};

#[test]
fn topic_without_documents() {
    assert_snapshot!(text("a.json", r#"{"1": {"d1": 2.5, "d2": 1.5}, "2": {}}"#), @r#"
warning[IR065]: topic `2` has no documents
--> a.json
  = count: 1 topic
  = cause: The run names a topic but has no document for it, so it scores 0.
  = cure: Check the system's log for this topic.

1 warning in a.json: run of 2 topics, 2 documents
"#);
}

#[test]
fn errors_of_other_readers_are_grouped() {
    assert_snapshot!(text("a.csv", "topic,doc,score\n1,d1,x\n1,d2,2\n1,d3,nan\n1,d4,y\n"), @r#"
error[IR011]: score is `x`, expected a number
 --> a.csv:2:6
  |
2 | 1,d1,x
  |      ^
error[IR011]: score is `y`, expected a number
 --> a.csv:5:6
  |
5 | 1,d4,y
  |      ^
  = count: 2 lines
  = cause: The score column contains something else; often two columns are swapped, or a header line was left in.
  = cure: Write scores as decimal numbers such as 12.5 or 1e-05.

error[IR012]: score is `nan`, expected a finite number
 --> a.csv:4:6
  |
4 | 1,d3,nan
  |      ^^^
  = count: 1 line
  = cause: NaN cannot be ordered, and tools disagree on where to rank it.
  = cure: Find where the system produces NaN or infinity; drop those documents or give them a finite score.

2 errors in a.csv
"#);
}

#[test]
fn unknown_format() {
    assert_snapshot!(text("a.txt", "hello world\n"), @r#"
error[IR003]: unknown format: a TREC run has 6 columns, TREC qrels have 4, and tables have a header
 --> a.txt:1:1
  |
1 | hello world
  | ^^^^^^^^^^^
  = cause: The format cannot be detected from the start of the file.
  = cure: Set the format explicitly.

1 error in a.txt
"#);
}

#[test]
fn damaged_compression() {
    assert_snapshot!(text("a.run.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc"), @r#"
error[IR004]: cannot decompress the gzip stream: incomplete deflate stream
--> a.run.gz
 = help: the file has 13 bytes; the download may be incomplete
  = cause: The file starts like a gzip, zstd, bzip2, xz or lz4 stream, but the stream is invalid or incomplete.
  = cure: Download or compress the file again; if it is smaller than the original, the download is incomplete.

1 error in a.run.gz
"#);
}

#[test]
fn checks_apply_to_all_formats() {
    let run = report("a.jsonl", b"{\"qid\":\"1\",\"docno\":\"a\",\"score\":1.0,\"rank\":0}\n{\"qid\":\"1\",\"docno\":\"b\",\"score\":2.0,\"rank\":1}\n");
    assert_eq!(
        codes(&run),
        [Code::RankContradictsScore, Code::RanksFromZero]
    );
    assert!(run.findings.iter().all(|finding| finding.fixable == 0));
    let qrels = report(
        "q.tsv",
        b"query-id\tcorpus-id\tscore\n1\td1\t0\n1\td2\t-1\n",
    );
    assert_eq!(
        (qrels.kind, codes(&qrels)),
        (
            Some(Kind::Qrels),
            vec![Code::NoRelevant, Code::NegativeGrade]
        )
    );
}

#[test]
fn the_kind_can_be_given() {
    let options = Options {
        kind: Some(Kind::Qrels),
        ..Options::default()
    };
    let report = report_with("a.run", b"1 Q0 d1 1 2.5 t\n", &options, None);
    assert_eq!(codes(&report), [Code::ColumnCount]);
}

#[test]
fn json_report() {
    let report = report("a.run", b"1 Q0 d1 1 x t\n1 Q0 d2 2 1.5 t");
    assert_snapshot!(doctor::to_json(&[report]).replace(env!("CARGO_PKG_VERSION"), "VERSION"), @r#"
{
  "version": "VERSION",
  "files": [
    {
      "path": "a.run",
      "kind": "run",
      "format": "trec",
      "topics": 1,
      "lines": 2,
      "errors": 1,
      "warnings": 0,
      "notes": 1,
      "omitted": 0,
      "findings": [
        {
          "code": "IR011",
          "severity": "error",
          "title": "score is not a number",
          "message": "score is `x`, expected a number",
          "count": 1,
          "unit": "line",
          "fixable": 0,
          "detail": null,
          "cause": "The score column contains something else; often two columns are swapped, or a header line was left in.",
          "cure": "Write scores as decimal numbers such as 12.5 or 1e-05.",
          "places": [
            {
              "line": 1,
              "column": 11,
              "width": 1,
              "message": "score is `x`, expected a number",
              "help": null,
              "text": "1 Q0 d1 1 x t"
            }
          ]
        },
        {
          "code": "IR052",
          "severity": "note",
          "title": "no newline at the end",
          "message": "the last line does not end with a newline",
          "count": 1,
          "unit": "file",
          "fixable": 1,
          "detail": null,
          "cause": "The last line does not end with a newline; it is read anyway.",
          "cure": "Nothing to do, unless the file is incomplete.",
          "places": [
            {
              "line": null,
              "column": null,
              "width": null,
              "message": "the last line does not end with a newline",
              "help": null,
              "text": null
            }
          ]
        }
      ],
      "fix": null
    }
  ],
  "errors": 1,
  "warnings": 0,
  "notes": 1
}
"#);
}

#[test]
fn json_lines_have_the_path() {
    let lines = doctor::to_jsonl(&report("a.run", b"1 Q0 d1 1 x t\n1 Q0 d2 2 1.5 t"));
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(lines.lines().count(), 2);
    assert_eq!(
        (&first["path"], &first["code"]),
        (&"a.run".into(), &"IR011".into())
    );
}

#[test]
fn markdown_report() {
    let report = report("a.run", b"1 Q0 d1 1 x|y t\n1 Q0 d2 2 1.5 t");
    assert_snapshot!(doctor::to_markdown(&report), @r#"
## a.run

1 error, 1 note in a.run: run of 1 topic, 2 lines.

| code | severity | found | first place | message | cure |
|---|---|---|---|---|---|
| IR011 | error | 1 line | line 1 | score is `x\|y`, expected a number | Write scores as decimal numbers such as 12.5 or 1e-05. |
| IR052 | note | file |  | the last line does not end with a newline | Nothing to do, unless the file is incomplete. |
"#);
}
