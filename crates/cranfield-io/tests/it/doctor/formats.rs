//! Formats other than TREC text, and reports as JSON and Markdown.

use insta::assert_snapshot;

use cranfield_io::Code;
use cranfield_io::doctor::{self, Kind, Options};

use crate::Case;

use super::{codes, report, report_with};

pub(super) const FILES: &[Case<'_>] = &[
    (
        "topic without documents",
        "a.json",
        br#"{"1": {"d1": 2.5, "d2": 1.5}, "2": {}}"#,
    ),
    (
        "errors of other readers are grouped",
        "a.csv",
        b"topic,doc,score\n1,d1,x\n1,d2,2\n1,d3,nan\n1,d4,y\n",
    ),
    ("unknown format", "a.txt", b"hello world\n"),
    (
        "damaged compression",
        "a.run.gz",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc",
    ),
];

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
