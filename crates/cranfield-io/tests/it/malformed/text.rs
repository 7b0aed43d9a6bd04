//! Malformed TREC text.

use crate::Case;

use super::run_error;

pub(super) const RUNS: &[Case<'_>] = &[
    (
        "run with five columns",
        "a.run",
        b"301 Q0 d1 1 9.5 bm25\n301 Q0 d2 2 8.5\n",
    ),
    (
        "run with seven columns",
        "a.run",
        b"301 Q0 d1 1 9.5 bm25\n301 Q0 d 2 2 8.5 bm25\n",
    ),
    ("run with a junk score", "a.run", b"301 Q0 d1 1 9,5 bm25\n"),
    (
        "run with a nan score",
        "a.run",
        b"301\tQ0\td1\t1\tnan\tbm25\n",
    ),
    (
        "run with an infinite score",
        "a.run",
        b"301 Q0 d1 1 1e999 bm25\n",
    ),
    (
        "run with a duplicate document",
        "a.run",
        b"301 Q0 d1 1 9.5 bm25\n301 Q0 d2 2 8.5 bm25\n301 Q0 d1 3 7.5 bm25\n",
    ),
    (
        "run with a nul byte",
        "a.run",
        b"301 Q0 d\x001 1 9.5 bm25\n",
    ),
    ("run in utf16", "a.run", b"\xff\xfe3\x000\x001\x00 \x00"),
    ("run that is empty", "a.run", b""),
    ("run of comments", "a.run", b"# nothing\n\n"),
    ("run that is qrels", "a.run", b"301 0 d1 1\n"),
    (
        "run that is prose",
        "a.run",
        b"Dear all,\n\nhere is my run.\n",
    ),
];

pub(super) const QRELS: &[Case<'_>] = &[
    (
        "qrels with a junk grade",
        "a.qrels",
        b"301 0 d1 1\n301 0 d2 relevant\r\n",
    ),
    ("qrels with a nan grade", "a.qrels", b"301 0 d1 NaN\n"),
    (
        "qrels with three columns",
        "a.qrels",
        b"301 0 d1 1\n301 0 d2\n",
    ),
    (
        "qrels with conflicting grades",
        "a.qrels",
        b"301 0 d1 1\n302 0 d1 2\n301 0 d1 0\n",
    ),
    ("qrels that are a run", "a.qrels", b"301 Q0 d1 1 9.5 bm25\n"),
];

#[test]
fn problems_beyond_twenty_are_counted() {
    let text = run_error("a.run", &b"301 Q0 d1 1 x bm25\n".repeat(23));
    assert_eq!(text.matches("error[IR011]").count(), 20);
    assert!(text.ends_with("error: 3 more problems not shown"), "{text}");
}
