//! Findings in single lines: columns, numbers, encodings, line ends.

use insta::assert_snapshot;

use super::text;

#[test]
fn healthy_run() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n2 Q0 d1 1 0.5 bm25\n"), @r#"
no problems in a.run: run of 2 topics, 3 lines
"#);
}

#[test]
fn healthy_run_with_tabs() {
    assert_snapshot!(text("a.run", "1\tQ0\td1\t1\t2.5\tbm25\n1\tQ0\td2\t2\t-1.5\tbm25\n"), @r#"
no problems in a.run: run of 1 topic, 2 lines
"#);
}

#[test]
fn wrong_number_of_columns() {
    let run = "1 Q0 d1 1 5 t\n1 Q0 d2 2 4\n1 Q0 a title 3 3 t\n1 Q0 d4 4\n\
        1\n1 Q0 d5 5 1 t\n";
    assert_snapshot!(text("a.run", run), @r#"
error[IR010]: found 5 columns, expected 6: topic Q0 document rank score tag
 --> a.run:2:1
  |
2 | 1 Q0 d2 2 4
  | ^^^^^^^^^^^
error[IR010]: found 7 columns, expected 6: topic Q0 document rank score tag
 --> a.run:3:18
  |
3 | 1 Q0 a title 3 3 t
  |                  ^
error[IR010]: found 4 columns, expected 6: topic Q0 document rank score tag
 --> a.run:4:1
  |
4 | 1 Q0 d4 4
  | ^^^^^^^^^
  = count: 4 lines, 3 shown
  = cause: The line has more or fewer fields than the format; often an id contains a space, or the line is incomplete.
  = cure: A TREC run has 6 columns (topic Q0 document rank score tag), TREC qrels have 4 (topic iteration document grade).

1 error in a.run: run of 1 topic, 6 lines
"#);
}

#[test]
fn scores_that_are_not_numbers() {
    assert_snapshot!(text("a.run", "topic Q0 docno rank score tag\n1 Q0 d1 1 2,5 t\n1 Q0 d2 2 1.5 t\n"), @r#"
error[IR011]: score is `score`, expected a number
 --> a.run:1:21
  |
1 | topic Q0 docno rank score tag
  |                     ^^^^^
error[IR011]: score is `2,5`, expected a number
 --> a.run:2:11
  |
2 | 1 Q0 d1 1 2,5 t
  |           ^^^
  = count: 2 lines
  = cause: The score column contains something else; often two columns are swapped, or a header line was left in.
  = cure: Write scores as decimal numbers such as 12.5 or 1e-05.

1 error in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn scores_that_are_not_finite() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 inf t\n1 Q0 d2 2 NaN t\n1 Q0 d3 3 -1e999 t\n1 Q0 d4 4 1 t\n"), @r#"
error[IR012]: score is `inf`, expected a finite number
 --> a.run:1:11
  |
1 | 1 Q0 d1 1 inf t
  |           ^^^
error[IR012]: score is `NaN`, expected a finite number
 --> a.run:2:11
  |
2 | 1 Q0 d2 2 NaN t
  |           ^^^
error[IR012]: score is `-1e999`, expected a finite number
 --> a.run:3:11
  |
3 | 1 Q0 d3 3 -1e999 t
  |           ^^^^^^
  = count: 3 lines
  = cause: NaN cannot be ordered, and tools disagree on where to rank it.
  = cure: Find where the system produces NaN or infinity; drop those documents or give them a finite score.

1 error in a.run: run of 1 topic, 4 lines
"#);
}

#[test]
fn mixed_tags() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 dense\n2 Q0 d1 1 0.5 bm25\n2 Q0 d2 2 0.4 rm3\n"), @r#"
warning[IR039]: tag is `dense`, but the first line has `bm25`
 --> a.run:2:15
  |
2 | 1 Q0 d2 2 1.5 dense
  |               ^^^^^
warning[IR039]: tag is `rm3`, but the first line has `bm25`
 --> a.run:4:15
  |
4 | 2 Q0 d2 2 0.4 rm3
  |               ^^^
  = count: 2 lines
  = note: tags: `bm25`, `dense`, `rm3`
  = cause: The last column names more than one run; files may have been concatenated.
  = cure: Keep one run per file.

1 warning in a.run: run of 2 topics, 4 lines
"#);
}

#[test]
fn unusual_second_column() {
    assert_snapshot!(text("a.run", "1 d1 Q0 1 2.5 t\n2 d2 Q0 1 1.5 t\n"), @r#"
note[IR055]: second column is `d1`, expected `Q0` or `0`
 --> a.run:1:3
  |
1 | 1 d1 Q0 1 2.5 t
  |   ^^
  = count: 2 lines, 1 shown
  = cause: The second column is neither Q0 nor 0. It is ignored, but often means that the columns are in another order.
  = cure: Check the order of the columns: topic Q0 document rank score tag, or topic 0 document grade.

1 note in a.run: run of 2 topics, 2 lines
"#);
}

#[test]
fn inconsistent_separators() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 2.5 t\n1 Q0 d2\t2 1.5 t\n1 Q0  d3 3 0.5 t \n"), @r#"
note[IR056]: expected exactly one space between columns
 --> a.run:2:8
  |
2 | 1 Q0 d2    2 1.5 t
  |        ^^^^
  = count: 2 lines, 1 shown
  = cause: Columns are separated by tabs in some places and spaces in others, or by several spaces, or lines begin or end with spaces.
  = cure: Nothing to do; tools that split at a single character see empty columns.
  = fix: make separators consistent

1 note in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn windows_text() {
    assert_snapshot!(text("a.run", b"\xef\xbb\xbf1 Q0 d1 1 2.5 t\r\n1 Q0 d2 2 1.5 t\r\n1 Q0 d3 3 0.5 t"), @r#"
note[IR050]: line ends with CR LF
 --> a.run:1:16
  |
1 | 1 Q0 d1 1 2.5 t
  |                ^
  = count: 2 lines, 1 shown
  = cause: The file has Windows line ends; the carriage returns are ignored.
  = cure: Nothing to do; other tools may treat the carriage return as part of the last column.
  = fix: remove carriage returns

note[IR051]: skipped the byte order mark at the start
--> a.run
  = cause: The file starts with a UTF-8 byte order mark, which is skipped.
  = cure: Nothing to do; other tools may treat it as part of the first topic id.
  = fix: remove the byte order mark

note[IR052]: the last line does not end with a newline
--> a.run
  = cause: The last line does not end with a newline; it is read anyway.
  = cure: Nothing to do, unless the file is incomplete.
  = fix: add a newline at the end

3 notes in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn comments_and_blank_lines() {
    assert_snapshot!(text("a.run", "# made by a script\n1 Q0 d1 1 2.5 t\n\n1 Q0 d2 2 1.5 t\n"), @r#"
note[IR053]: comment
 --> a.run:1:1
  |
1 | # made by a script
  | ^^^^^^^^^^^^^^^^^^
  = count: 2 lines, 1 shown
  = cause: Blank lines and lines that start with `#` are skipped.
  = cure: Nothing to do; other tools may reject them.
  = fix: remove comments and blank lines

1 note in a.run: run of 1 topic, 2 lines
"#);
}

#[test]
fn interleaved_topics() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 2.5 t\n2 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n2 Q0 d2 2 1.5 t\n"), @r#"
note[IR043]: topic `1` occurs again after other topics
 --> a.run:3:1
  |
3 | 1 Q0 d2 2 1.5 t
  | ^
  = count: 2 topics, 1 shown
  = cause: The lines of a topic are not contiguous; they are read anyway.
  = cure: Sort the file by topic if another tool needs it.
  = fix: make topics contiguous

1 note in a.run: run of 2 topics, 4 lines
"#);
}

#[test]
fn nul_bytes() {
    assert_snapshot!(text("a.run", [b"1 Q0 d1 1 2.5 t\n".repeat(5000), b"2 Q0 d\0 1 2.5 t\n".to_vec()].concat()).lines().take(6).collect::<Vec<_>>().join("\n"), @r#"
error[IR006]: found a NUL byte, expected text
    --> a.run:5001:7
     |
5001 | 2 Q0 d\x00 1 2.5 t
     |       ^^^^
  = count: 1 line
"#);
}

#[test]
fn binary_file() {
    assert_snapshot!(text("a.run", b"\x7fELF\x02\x01\x00\x00"), @r#"
error[IR006]: found a NUL byte, expected text
 --> a.run:1:7
  |
1 | \x7fELF\x02\x01\x00\x00
  |                ^^^^
  |
  = help: is this the right file?
  = count: 1 line
  = cause: The file contains NUL bytes, which no text format has: it is binary, or UTF-16.
  = cure: Check that it is the right file; convert UTF-16 to UTF-8.

1 error in a.run
"#);
}

#[test]
fn bytes_that_are_not_utf8() {
    assert_snapshot!(text("a.run", b"1 Q0 d1 1 2.5 t\n1 Q0 caf\xe9 2 1.5 t\n"), @r#"
note[IR054]: found byte `\xe9`, which is not UTF-8
 --> a.run:2:9
  |
2 | 1 Q0 caf� 2 1.5 t
  |         ^
  = count: 1 line
  = cause: TREC text is read as bytes, so ids in another encoding match if both files use the same one.
  = cure: Convert the file to UTF-8 if ids do not match, or before a conversion to JSON.

1 note in a.run: run of 1 topic, 2 lines
"#);
}

#[test]
fn empty_file() {
    assert_snapshot!(text("a.run", ""), @r#"
error[IR002]: is empty
--> a.run
  = cause: The file contains no data; often the program that should have written it failed.
  = cure: Create the file again, or leave it out.

1 error in a.run
"#);
}

#[test]
fn only_comments() {
    assert_snapshot!(text("a.run", "# nothing\n\n"), @r#"
error[IR002]: contains no data, only blank lines or comments
--> a.run
  = cause: The file contains no data; often the program that should have written it failed.
  = cure: Create the file again, or leave it out.

1 error in a.run
"#);
}
