//! Malformed TREC text.

use insta::assert_snapshot;

use super::{qrels_error, run_error};

#[test]
fn run_with_five_columns() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d1 1 9.5 bm25\n301 Q0 d2 2 8.5\n"), @r"
        error[IR010]: found 5 columns, expected 6: topic Q0 document rank score tag
         --> a.run:2:1
          |
        2 | 301 Q0 d2 2 8.5
          | ^^^^^^^^^^^^^^^
        ");
}

#[test]
fn run_with_seven_columns() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d1 1 9.5 bm25\n301 Q0 d 2 2 8.5 bm25\n"), @r"
        error[IR010]: found 7 columns, expected 6: topic Q0 document rank score tag
         --> a.run:2:18
          |
        2 | 301 Q0 d 2 2 8.5 bm25
          |                  ^^^^
        ");
}

#[test]
fn run_with_a_junk_score() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d1 1 9,5 bm25\n"), @r"
        error[IR011]: score is `9,5`, expected a number
         --> a.run:1:13
          |
        1 | 301 Q0 d1 1 9,5 bm25
          |             ^^^
          |
          = help: write decimals with a point, not with a comma
        ");
}

#[test]
fn run_with_a_nan_score() {
    assert_snapshot!(run_error("a.run", b"301\tQ0\td1\t1\tnan\tbm25\n"), @r"
        error[IR012]: score is `nan`, expected a finite number
         --> a.run:1:13
          |
        1 | 301    Q0    d1    1    nan    bm25
          |                         ^^^
        ");
}

#[test]
fn run_with_an_infinite_score() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d1 1 1e999 bm25\n"), @r"
        error[IR012]: score is `1e999`, expected a finite number
         --> a.run:1:13
          |
        1 | 301 Q0 d1 1 1e999 bm25
          |             ^^^^^
        ");
}

#[test]
fn run_with_a_duplicate_document() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d1 1 9.5 bm25\n301 Q0 d2 2 8.5 bm25\n301 Q0 d1 3 7.5 bm25\n"), @r"
        error[IR030]: document `d1` is in topic `301` twice; first on line 1
         --> a.run:3:8
          |
        3 | 301 Q0 d1 3 7.5 bm25
          |        ^^
        ");
}

#[test]
fn run_with_a_nul_byte() {
    assert_snapshot!(run_error("a.run", b"301 Q0 d\x001 1 9.5 bm25\n"), @r"
        error[IR006]: found a NUL byte, expected text
         --> a.run:1:9
          |
        1 | 301 Q0 d\x001 1 9.5 bm25
          |         ^^^^
          |
          = help: is this the right file?
        ");
}

#[test]
fn run_in_utf16() {
    assert_snapshot!(run_error("a.run", b"\xff\xfe3\x000\x001\x00 \x00"), @r"
        error[IR006]: found UTF-16 text, expected UTF-8
        --> a.run
         = help: convert it, for example with `iconv -f UTF-16 -t UTF-8`
        ");
}

#[test]
fn run_that_is_empty() {
    assert_snapshot!(run_error("a.run", b""), @r"
        error[IR002]: is empty
        --> a.run
        ");
}

#[test]
fn run_of_comments() {
    assert_snapshot!(run_error("a.run", b"# nothing\n\n"), @r"
        error[IR002]: contains no data, only blank lines or comments
        --> a.run
        ");
}

#[test]
fn run_that_is_qrels() {
    assert_snapshot!(run_error("a.run", b"301 0 d1 1\n"), @r"
        error[IR003]: unknown format: the first line has 4 columns, expected 6 columns (TREC) or a header
         --> a.run:1:1
          |
        1 | 301 0 d1 1
          | ^^^^^^^^^^
          |
          = help: 4 columns look like qrels; are the two files swapped?
        ");
}

#[test]
fn run_that_is_prose() {
    assert_snapshot!(run_error("a.run", b"Dear all,\n\nhere is my run.\n"), @r"
        error[IR003]: unknown format: the first line has 2 columns, expected 6 columns (TREC) or a header
         --> a.run:1:1
          |
        1 | Dear all,
          | ^^^^^^^^^
          |
          = help: name the format with run-format
        ");
}

#[test]
fn qrels_with_a_junk_grade() {
    assert_snapshot!(qrels_error("a.qrels", b"301 0 d1 1\n301 0 d2 relevant\r\n"), @r"
        error[IR013]: grade is `relevant`, expected a number
         --> a.qrels:2:10
          |
        2 | 301 0 d2 relevant
          |          ^^^^^^^^
        ");
}

#[test]
fn qrels_with_a_nan_grade() {
    assert_snapshot!(qrels_error("a.qrels", b"301 0 d1 NaN\n"), @r"
        error[IR013]: grade is `NaN`, expected a finite number
         --> a.qrels:1:10
          |
        1 | 301 0 d1 NaN
          |          ^^^
        ");
}

#[test]
fn qrels_with_three_columns() {
    assert_snapshot!(qrels_error("a.qrels", b"301 0 d1 1\n301 0 d2\n"), @r"
        error[IR010]: found 3 columns, expected 4: topic iteration document grade
         --> a.qrels:2:1
          |
        2 | 301 0 d2
          | ^^^^^^^^
        ");
}

#[test]
fn qrels_with_conflicting_grades() {
    assert_snapshot!(qrels_error("a.qrels", b"301 0 d1 1\n302 0 d1 2\n301 0 d1 0\n"), @r"
        error[IR031]: document `d1` of topic `301` has grade 0 here and grade 1 on line 1
         --> a.qrels:3:7
          |
        3 | 301 0 d1 0
          |       ^^
        ");
}

#[test]
fn qrels_that_are_a_run() {
    assert_snapshot!(qrels_error("a.qrels", b"301 Q0 d1 1 9.5 bm25\n"), @r"
        error[IR003]: unknown format: the first line has 6 columns, expected 4 columns (TREC) or a header
         --> a.qrels:1:1
          |
        1 | 301 Q0 d1 1 9.5 bm25
          | ^^^^^^^^^^^^^^^^^^^^
          |
          = help: 6 columns look like a run; are the two files swapped?
        ");
}

#[test]
fn problems_beyond_twenty_are_counted() {
    let text = run_error("a.run", &b"301 Q0 d1 1 x bm25\n".repeat(23));
    assert_eq!(text.matches("error[IR011]").count(), 20);
    assert!(text.ends_with("error: 3 more problems not shown"), "{text}");
}
