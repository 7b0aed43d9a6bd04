//! Malformed samples, known documents and sessions.

use cranfield_core::setting::SettingStyle;
use cranfield_io::trec::{read_groups, read_known, read_prels, read_sessions, read_strata};
use cranfield_io::{Error, Source};
use insta::assert_snapshot;

#[track_caller]
fn error<T>(reader: impl Fn(&Source) -> Result<T, Error>, name: &str, text: &[u8]) -> String {
    let source = Source::from_bytes(name, text.to_vec()).expect("plain text");
    match reader(&source) {
        Ok(_) => panic!("the input is malformed"),
        Err(error) => error.render(SettingStyle::Neutral),
    }
}

#[test]
fn strata_with_four_columns() {
    assert_snapshot!(error(read_strata, "a.strata", b"# pool\n301 0 d1 1 1\n301 0 d2 1\n"), @r"
    error[IR010]: found 4 columns, expected 5: topic iteration document stratum grade
     --> a.strata:3:1
      |
    3 | 301 0 d2 1
      | ^^^^^^^^^^
    ");
}

#[test]
fn strata_with_a_junk_grade() {
    assert_snapshot!(error(read_strata, "a.strata", b"301 0 d1 1 yes\n301 0 d2 1 inf\n"), @r"
    error[IR013]: grade is `yes`, expected a number
     --> a.strata:1:12
      |
    1 | 301 0 d1 1 yes
      |            ^^^

    error[IR013]: grade is `inf`, expected a finite number
     --> a.strata:2:12
      |
    2 | 301 0 d2 1 inf
      |            ^^^
    ");
}

#[test]
fn strata_with_a_duplicate_document() {
    assert_snapshot!(error(read_strata, "a.strata", b"301 0 d1 1 1\n302 0 d1 2 1\n301 0 d1 1 1\n"), @r"
    error[IR031]: document `d1` of topic `301` is judged twice; first on line 1
     --> a.strata:3:7
      |
    3 | 301 0 d1 1 1
      |       ^^
    ");
}

#[test]
fn prels_with_a_probability_of_zero() {
    assert_snapshot!(error(read_prels, "a.prels", b"301 d1 1 1 0.5\n301 d2 1 1 0\n301 d3 1 1 1.5\n"), @r"
    error[IR023]: probability is `0`, expected a number above 0 and at most 1
     --> a.prels:2:12
      |
    2 | 301 d2 1 1 0
      |            ^
      |
      = help: write NA for a document that is not part of the sample

    error[IR023]: probability is `1.5`, expected a number above 0 and at most 1
     --> a.prels:3:12
      |
    3 | 301 d3 1 1 1.5
      |            ^^^
      |
      = help: write NA for a document that is not part of the sample
    ");
}

#[test]
fn prels_with_an_unknown_method() {
    assert_snapshot!(error(read_prels, "a.prels", b"301 d1 1 1 0.5\n301 d2 1 -1 0.5\n301 d3 1 3 NA\n"), @r"
    error[IR025]: method is `-1`, expected 0, 1 or 2
     --> a.prels:2:10
      |
    2 | 301 d2 1 -1 0.5
      |          ^^
      |
      = help: 1 is for sampled documents, 0 and 2 for documents that another method selected

    error[IR025]: method is `3`, expected 0, 1 or 2
     --> a.prels:3:10
      |
    3 | 301 d3 1 3 NA
      |          ^
      |
      = help: 1 is for sampled documents, 0 and 2 for documents that another method selected
    ");
}

#[test]
fn groups_that_judge_a_document_twice() {
    let twice = |grade: &str| format!("1 A d1 1\n1 B d1 2\n# again\n1 A d1 {grade}\n");
    assert_snapshot!(error(read_groups, "a.qrels", twice("1").as_bytes()), @r"
    error[IR031]: group `A` of topic `1` judges document `d1` twice; first on line 1
     --> a.qrels:4:5
      |
    4 | 1 A d1 1
      |     ^^
      |
      = help: the grades are equal: remove one of the lines
    ");
    let other = error(read_groups, "a.qrels", twice("0").as_bytes());
    assert!(other.contains("keep the line with the right grade"));
}

#[test]
fn prels_without_judged_documents() {
    assert_snapshot!(error(read_prels, "a.prels", b"301 d1 1 1 NA\n301 d2 -999 1 0.5\n"), @r"
    error[IR002]: contains no document with a grade and a probability
    --> a.prels
    ");
}

#[test]
fn known_documents_with_a_third_column() {
    assert_snapshot!(error(read_known, "known.txt", b"301 d1\r\n301 d2 1\r\n"), @r"
    error[IR010]: found 3 columns, expected 2: topic document
     --> known.txt:2:8
      |
    2 | 301 d2 1
      |        ^
    ");
}

#[test]
fn known_documents_with_a_nul_byte() {
    assert_snapshot!(error(read_known, "known.txt", b"301 d\x001\n"), @r"
    error[IR006]: found a NUL byte, expected text
     --> known.txt:1:6
      |
    1 | 301 d\x001
      |      ^^^^
    ");
}

#[test]
fn empty_known_documents() {
    assert_snapshot!(error(read_known, "known.txt", b"# none\n\n"), @r"
    error[IR002]: contains no data
    --> known.txt
    ");
}

#[test]
fn sessions_with_a_duplicate_topic() {
    assert_snapshot!(error(read_sessions, "sessions.txt", b"s1 q1\ns2 q1\ns1 q1\n"), @r"
    error[IR024]: topic `q1` is in session `s1` twice
     --> sessions.txt:3:4
      |
    3 | s1 q1
      |    ^^
    ");
}

#[test]
fn judgements_with_five_columns_are_not_detected() {
    assert_snapshot!(super::qrels_error("a.txt", b"301 0 d1 1 1\n"), @r"
    error[IR003]: unknown format: the first line has 5 columns, expected 4 columns (TREC) or a header
     --> a.txt:1:1
      |
    1 | 301 0 d1 1 1
      | ^^^^^^^^^^^^
      |
      = help: 5 columns may be strata, prels or prefs: set the format of the qrels with qrels-format
    ");
}

#[test]
fn lenient_cases() {
    let source = |text: &[u8]| Source::from_bytes("f", text.to_vec()).expect("plain text");
    let strata = read_strata(&source(
        b"\xef\xbb\xbf1\t0\ta\tshallow\t2\r\n\n# deep\n1 0 b deep -1",
    ))
    .unwrap();
    let topic = strata.topics().next().unwrap();
    assert_eq!(topic.get(b"b").map(|document| document.grade), Some(None));
    // By name: deep before shallow.
    assert_eq!(topic.get(b"a").map(|document| document.stratum), Some(1));
    let prels = read_prels(&source(
        b"1 a 1 0 0\n1 b 2 1 .25\n1 c 1 2 0.1\n1 d 1 1 NA\n",
    ))
    .unwrap();
    let topic = prels.topics().next().unwrap();
    let relevant = topic.judgements().iter().map(|judged| judged.at_level(1.0));
    let sample = cranfield_core::sampled::InclusionSample::new(relevant);
    assert_eq!(sample.num_rel(), 1.0 + 4.0 + 1.0);
}
