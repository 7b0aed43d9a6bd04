//! Malformed CSV, TSV, MS MARCO, Parquet, and compressed streams.

use insta::assert_snapshot;

use super::{qrels_error, run_error};

#[test]
fn csv_without_a_score() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,title\n1,d1,x\n"), @r"
        error[IR018]: missing score or rank column: found `qid`, `docno`, `title`, expected one of `score`, `sim`, `similarity`, `rank`
         --> a.csv:1:1
          |
        1 | qid,docno,title
          | ^^^^^^^^^^^^^^^
        ");
}

#[test]
fn csv_with_a_short_line() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n1,d1,2.5\n1,d2\n"), @r"
        error[IR010]: found 2 fields, expected 3 as in the header
         --> a.csv:3:1
          |
        3 | 1,d2
          | ^^^^
        ");
}

#[test]
fn csv_with_a_junk_score() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n1,\"d,1\",\"n/a\"\n"), @r#"
        error[IR011]: score is `n/a`, expected a number
         --> a.csv:2:9
          |
        2 | 1,"d,1","n/a"
          |         ^^^^^
        "#);
}

#[test]
fn csv_with_an_empty_score() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n1,d1,\n"), @r"
        error[IR011]: score is empty, expected a number
         --> a.csv:2:6
          |
        2 | 1,d1,
          |      ^
        ");
}

#[test]
fn csv_with_nan() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n1,d1,NaN\n"), @r"
        error[IR012]: score is `NaN`, expected a finite number
         --> a.csv:2:6
          |
        2 | 1,d1,NaN
          |      ^^^
        ");
}

#[test]
fn csv_with_an_empty_topic() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n,d1,1\n"), @r"
        error[IR015]: topic id is empty
         --> a.csv:2:1
          |
        2 | ,d1,1
          | ^
        ");
}

#[test]
fn csv_with_a_junk_rank() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,rank,score\n1,d1,#1,1\n"), @r"
        error[IR014]: rank is `#1`, expected a number
         --> a.csv:2:6
          |
        2 | 1,d1,#1,1
          |      ^^
        ");
}

#[test]
fn csv_with_a_duplicate_document() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n1,d1,1\n1,\"d1\",2\n"), @r#"
        error[IR030]: document `d1` is in topic `1` twice; first on line 2
         --> a.csv:3:3
          |
        3 | 1,"d1",2
          |   ^^^^
        "#);
}

#[test]
fn csv_with_a_header_only() {
    assert_snapshot!(run_error("a.csv", b"qid,docno,score\n"), @r"
        error[IR002]: contains no data
        --> a.csv
        ");
}

#[test]
fn tsv_qrels_with_a_conflict() {
    assert_snapshot!(qrels_error("a.tsv", b"query-id\tcorpus-id\tscore\n1\td1\t1\n1\td1\t0\n"), @r"
        error[IR031]: document `d1` of topic `1` has grade 0 here and grade 1 on line 2
         --> a.tsv:3:3
          |
        3 | 1    d1    0
          |      ^^
        ");
}

#[test]
fn beir_qrels_with_a_junk_grade() {
    assert_snapshot!(qrels_error("a.tsv", b"query-id\tcorpus-id\tscore\n1\td1\thigh\n"), @r"
        error[IR013]: grade is `high`, expected a number
         --> a.tsv:2:6
          |
        2 | 1    d1    high
          |            ^^^^
        ");
}

#[test]
fn msmarco_with_a_junk_rank() {
    assert_snapshot!(run_error("a.tsv", b"7\t19\t1\n7\t20\tsecond\n"), @r"
        error[IR014]: rank is `second`, expected a number
         --> a.tsv:2:6
          |
        2 | 7    20    second
          |            ^^^^^^
        ");
}

#[test]
fn msmarco_with_four_fields() {
    assert_snapshot!(run_error("a.tsv", b"7\t19\t1\n7\t20\t2\t0.5\n"), @r"
        error[IR010]: found 4 tab-separated fields, expected 3: topic document rank
         --> a.tsv:2:1
          |
        2 | 7    20    2    0.5
          | ^^^^^^^^^^^^^^^^^^^
        ");
}

#[test]
fn msmarco_with_a_duplicate_document() {
    assert_snapshot!(run_error("a.tsv", b"7\t19\t1\n7\t19\t2\n"), @r"
        error[IR030]: document `19` is in topic `7` twice; first on line 1
         --> a.tsv:2:3
          |
        2 | 7    19    2
          |      ^^
        ");
}

#[test]
fn truncated_parquet() {
    assert_snapshot!(run_error("a.parquet", b"PAR1\0\0\0\0\0\0\0"), @r"
        error[IR020]: cannot decode the Parquet table: Parquet error: Invalid Parquet file. Corrupt footer
        --> a.parquet
        ");
}

#[test]
fn parquet_without_content() {
    assert_snapshot!(run_error("a.parquet", b"PAR1PAR1"), @r"
        error[IR020]: cannot decode the Parquet table: EOF: Parquet file too small. Size is 8 but need 827474264
        --> a.parquet
        ");
}

#[test]
fn truncated_gzip() {
    assert_snapshot!(run_error("a.run.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x33"), @r"
        error[IR004]: cannot decompress the gzip stream: incomplete deflate stream
        --> a.run.gz
         = help: the file has 11 bytes; the download may be incomplete
        ");
}
