//! Repairs.

use insta::assert_snapshot;

use cranfield_io::doctor::fix::{self, FixOptions};
use cranfield_io::doctor::{self, Colour, Options};
use cranfield_io::{Code, Source};

/// The repaired bytes, and what the user sees of the repair.
fn fixed_with(bytes: &[u8], tag: Option<&str>) -> (String, String) {
    let source = Source::from_bytes("a.run", bytes.to_vec()).expect("text is no stream");
    let options = Options::default();
    let wanted = FixOptions {
        tag: tag.map(|tag| tag.parse().expect("the tag is a word")),
    };
    let mut report = doctor::examine(&source, &options, None);
    let mut out = Vec::new();
    let outcome = fix::fix(&source, &options, &wanted, &report, &mut out);
    let outcome = outcome.expect("memory can be written");
    report.fix = Some(outcome);
    let text = doctor::to_text(&report, Colour::Plain);
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
fn all_that_is_safe() {
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
to fix in a.run (nothing is written without -o or --in-place):
  IR030 exact copies of lines removed: 1 line
  IR033 ranks written anew from the scores: 1 topic
  IR035 ranks written anew from the scores: 2 topics
  IR043 topics brought together: 1 topic
  IR050 carriage returns removed: 6 lines
  IR051 byte order mark removed: 1 file
  IR052 newline added at the end: 1 file
  IR053 comments and blank lines removed: 2 lines
  IR056 columns separated evenly: 2 lines
"#);
}

#[test]
fn repeated_judgements_are_dropped() {
    let (out, text) = fixed(b"1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n1 1 d1 1.0\n");
    assert_snapshot!(out, @r#"
1 0 d1 1
1 0 d2 0
2 0 d1 1
"#);
    assert_snapshot!(text, @r#"
1 warning, 2 notes in a.run: qrels of 2 topics, 4 lines
to fix in a.run (nothing is written without -o or --in-place):
  IR032 repeated judgements removed: 1 line
  IR043 topics brought together: 1 topic
"#);
}

#[test]
fn errors_are_refused() {
    let (out, text) = fixed(b"1 Q0 d1 0 3 t\n1 Q0 d1 1 2 t\n1 Q0 d2 2 nan t\n");
    assert_eq!(out, "");
    assert_snapshot!(text, @r#"
2 errors, 1 warning in a.run: run of 1 topic, 3 lines
not fixed: a.run has errors that need a decision:
  IR012 score is NaN or infinite
  IR030 document twice in one ranking
"#);
}

#[test]
fn rankings_upside_down_are_left() {
    let run = "1 Q0 d1 0 1 t\n1 Q0 d2 1 2 t\n1 Q0 d3 2 3 t\n2 Q0 d1 0 2 t\n";
    let (out, text) = fixed(run.as_bytes());
    assert_eq!(out, run);
    assert_snapshot!(text, @r#"
2 warnings in a.run: run of 2 topics, 4 lines
nothing to fix in a.run
left as they are, since they need a decision:
  IR034 ranks reversed
  IR035 ranks start at 0
"#);
}

#[test]
fn tags_are_replaced_only_on_demand() {
    let run = b"1 Q0 d1 1 3 a\n1 Q0 d2 2 2 b\n";
    assert_snapshot!(fixed(run).1, @r#"
1 warning in a.run: run of 1 topic, 2 lines
nothing to fix in a.run
left as they are, since they need a decision:
  IR039 several run tags in one file
"#);
    let (out, text) = fixed_with(run, Some("both"));
    assert_snapshot!(out, @r#"
1 Q0 d1 1 3 both
1 Q0 d2 2 2 both
"#);
    assert_snapshot!(text, @r#"
1 warning in a.run: run of 1 topic, 2 lines
to fix in a.run (nothing is written without -o or --in-place):
  IR039 tags replaced: 2 lines
"#);
}

#[test]
fn healthy_file_stays_as_it_is() {
    let run = "1\tQ0\td1\t1\t3e0\tt\n1\tQ0\td2\t2\t0002\tt\n";
    let (out, text) = fixed(run.as_bytes());
    assert_eq!(out, run);
    assert_snapshot!(text, @r#"
no problem in a.run: run of 1 topic, 2 lines
nothing to fix in a.run
"#);
}

#[test]
fn a_file_that_would_be_read_differently_is_refused() {
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
        assert_eq!((outcome.refused, out), (vec![Code::UnknownFormat], vec![]));
    }
}
