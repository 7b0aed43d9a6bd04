//! Repairs.

use insta::assert_snapshot;

use cranfield_core::setting::SettingStyle;
use cranfield_io::doctor::fix::{self, FixOptions};
use cranfield_io::doctor::{self, Colour, Options};
use cranfield_io::{Code, Source};

/// Returns the repaired bytes and the text about the repair.
fn fixed_with(bytes: &[u8], tag: Option<&str>) -> (String, String) {
    let source = Source::from_bytes("a.run", bytes.to_vec()).expect("text is not compressed");
    let options = Options::default();
    let wanted = FixOptions {
        tag: tag.map(|tag| tag.parse().expect("the tag is valid")),
    };
    let mut report = doctor::examine(&source, &options, None);
    let mut out = Vec::new();
    let outcome = fix::fix(&source, &options, &wanted, &report, &mut out);
    let outcome = outcome.expect("writing to memory");
    report.fix = Some(outcome);
    let text = doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral);
    let summary = text.find(" in a.run").expect("there is a summary");
    let line = text[..summary].rfind('\n').map_or(0, |at| at + 1);
    (
        String::from_utf8_lossy(&out).into_owned(),
        text[line..].into(),
    )
}

fn fixed(bytes: &[u8]) -> (String, String) {
    fixed_with(bytes, None)
}

#[test]
fn all_safe_repairs() {
    let (out, text) = fixed(
        b"\xef\xbb\xbf# comment\r\n1 Q0 d1 0 3 t\r\n2  Q0 d1 0 1 t\r\n1 Q0 d2\t1 2 t\r\n1 Q0 d2 1 2 t\r\n\r\n1 Q0 d3 2 2.50 t",
    );
    assert_snapshot!(out, @r#"
1 Q0 d1 1 3 t
1 Q0 d2 3 2 t
1 Q0 d3 2 2.50 t
2 Q0 d1 1 1 t
"#);
    assert_snapshot!(text, @r#"
1 error, 2 warnings, 6 notes in a.run: run of 2 topics, 5 lines
can be fixed in a.run (dry run, nothing was written):
  IR030 remove exact copies of lines: 1 line
  IR033 recompute ranks from the scores: 1 topic
  IR035 recompute ranks from the scores: 2 topics
  IR043 make topics contiguous: 1 topic
  IR050 remove carriage returns: 6 lines
  IR051 remove the byte order mark: 1 file
  IR052 add a newline at the end: 1 file
  IR053 remove comments and blank lines: 2 lines
  IR056 make separators consistent: 2 lines
"#);
}

#[test]
fn repeated_judgements_are_removed() {
    let (out, text) = fixed(b"1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n1 1 d1 1.0\n");
    assert_snapshot!(out, @r#"
1 0 d1 1
1 0 d2 0
2 0 d1 1
"#);
    assert_snapshot!(text, @r#"
1 warning, 2 notes in a.run: qrels of 2 topics, 4 lines
can be fixed in a.run (dry run, nothing was written):
  IR032 remove repeated judgements: 1 line
  IR043 make topics contiguous: 1 topic
"#);
}

#[test]
fn files_with_errors_are_not_fixed() {
    let (out, text) = fixed(b"1 Q0 d1 0 3 t\n1 Q0 d1 1 2 t\n1 Q0 d2 2 nan t\n");
    assert_eq!(out, "");
    assert_snapshot!(text, @r#"
2 errors, 1 warning in a.run: run of 1 topic, 3 lines
not fixed: a.run has errors that need a decision:
  IR012 score is NaN or infinite
  IR030 duplicate document in a ranking
"#);
}

#[test]
fn reversed_rankings_are_kept() {
    let run = "1 Q0 d1 0 1 t\n1 Q0 d2 1 2 t\n1 Q0 d3 2 3 t\n2 Q0 d1 0 2 t\n";
    let (out, text) = fixed(run.as_bytes());
    assert_eq!(out, run);
    assert_snapshot!(text, @r#"
2 warnings in a.run: run of 2 topics, 4 lines
nothing to fix in a.run
not fixed, because they need a decision:
  IR034 ranks reversed
  IR035 ranks start at 0
"#);
}

#[test]
fn tags_are_replaced_only_on_request() {
    let run = b"1 Q0 d1 1 3 a\n1 Q0 d2 2 2 b\n";
    assert_snapshot!(fixed(run).1, @r#"
1 warning in a.run: run of 1 topic, 2 lines
nothing to fix in a.run
not fixed, because they need a decision:
  IR039 several run tags in one file
"#);
    let (out, text) = fixed_with(run, Some("both"));
    assert_snapshot!(out, @r#"
1 Q0 d1 1 3 both
1 Q0 d2 2 2 both
"#);
    assert_snapshot!(text, @r#"
1 warning in a.run: run of 1 topic, 2 lines
can be fixed in a.run (dry run, nothing was written):
  IR039 replace tags: 2 lines
"#);
}

#[test]
fn a_file_without_problems_is_unchanged() {
    let run = "1\tQ0\td1\t1\t3e0\tt\n1\tQ0\td2\t2\t0002\tt\n";
    let (out, text) = fixed(run.as_bytes());
    assert_eq!(out, run);
    assert_snapshot!(text, @r#"
no problems in a.run: run of 1 topic, 2 lines
nothing to fix in a.run
"#);
}

#[test]
fn a_file_that_would_be_detected_differently_is_not_fixed() {
    for run in [
        &b"# c\n\xef\xbb\xbf1 Q0 d1 1 3 t\n"[..],
        b"\xef\xbb\xbf\xef\xbb\xbf1 Q0 d1 1 3 t\n",
        b"# c\n\x1f\x8b\x08 Q0 d1 1 3 t\n",
    ] {
        let source = Source::from_bytes("a.run", run.to_vec()).unwrap();
        let options = Options::default();
        let report = doctor::examine(&source, &options, None);
        let mut out = Vec::new();
        let outcome =
            fix::fix(&source, &options, &FixOptions::default(), &report, &mut out).unwrap();
        assert_eq!(
            (outcome.unfixable, out),
            (vec![Code::UnknownFormat], vec![])
        );
    }
}
