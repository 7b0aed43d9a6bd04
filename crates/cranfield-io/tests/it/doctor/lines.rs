//! Findings in single lines: columns, numbers, encodings, line ends.

use insta::assert_snapshot;

use crate::Case;

use super::text;

pub(super) const FILES: &[Case<'_>] = &[
    (
        "healthy run",
        "a.run",
        b"1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 bm25\n2 Q0 d1 1 0.5 bm25\n",
    ),
    (
        "healthy run with tabs",
        "a.run",
        b"1\tQ0\td1\t1\t2.5\tbm25\n1\tQ0\td2\t2\t-1.5\tbm25\n",
    ),
    (
        "wrong number of columns",
        "a.run",
        b"1 Q0 d1 1 5 t\n1 Q0 d2 2 4\n1 Q0 a title 3 3 t\n1 Q0 d4 4\n1\n1 Q0 d5 5 1 t\n",
    ),
    (
        "scores that are not numbers",
        "a.run",
        b"topic Q0 docno rank score tag\n1 Q0 d1 1 2,5 t\n1 Q0 d2 2 1.5 t\n",
    ),
    (
        "scores that are not finite",
        "a.run",
        b"1 Q0 d1 1 inf t\n1 Q0 d2 2 NaN t\n1 Q0 d3 3 -1e999 t\n1 Q0 d4 4 1 t\n",
    ),
    (
        "mixed tags",
        "a.run",
        b"1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1.5 dense\n2 Q0 d1 1 0.5 bm25\n2 Q0 d2 2 0.4 rm3\n",
    ),
    (
        "unusual second column",
        "a.run",
        b"1 d1 Q0 1 2.5 t\n2 d2 Q0 1 1.5 t\n",
    ),
    (
        "inconsistent separators",
        "a.run",
        b"1 Q0 d1 1 2.5 t\n1 Q0 d2\t2 1.5 t\n1 Q0  d3 3 0.5 t \n",
    ),
    (
        "windows text",
        "a.run",
        b"\xef\xbb\xbf1 Q0 d1 1 2.5 t\r\n1 Q0 d2 2 1.5 t\r\n1 Q0 d3 3 0.5 t",
    ),
    (
        "comments and blank lines",
        "a.run",
        b"# made by a script\n1 Q0 d1 1 2.5 t\n\n1 Q0 d2 2 1.5 t\n",
    ),
    (
        "interleaved topics",
        "a.run",
        b"1 Q0 d1 1 2.5 t\n2 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n2 Q0 d2 2 1.5 t\n",
    ),
    ("binary file", "a.run", b"\x7fELF\x02\x01\x00\x00"),
    (
        "bytes that are not utf8",
        "a.run",
        b"1 Q0 d1 1 2.5 t\n1 Q0 caf\xe9 2 1.5 t\n",
    ),
    ("empty file", "a.run", b""),
    ("only comments", "a.run", b"# nothing\n\n"),
];

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
