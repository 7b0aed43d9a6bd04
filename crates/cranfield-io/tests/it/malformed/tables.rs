//! Malformed CSV, TSV, MS MARCO, Parquet, and compressed streams.

use crate::Case;

pub(super) const RUNS: &[Case<'_>] = &[
    ("csv without a score", "a.csv", b"qid,docno,title\n1,d1,x\n"),
    (
        "csv with a short line",
        "a.csv",
        b"qid,docno,score\n1,d1,2.5\n1,d2\n",
    ),
    (
        "csv with a junk score",
        "a.csv",
        b"qid,docno,score\n1,\"d,1\",\"n/a\"\n",
    ),
    (
        "csv with an empty score",
        "a.csv",
        b"qid,docno,score\n1,d1,\n",
    ),
    ("csv with nan", "a.csv", b"qid,docno,score\n1,d1,NaN\n"),
    (
        "csv with an empty topic",
        "a.csv",
        b"qid,docno,score\n,d1,1\n",
    ),
    (
        "csv with a junk rank",
        "a.csv",
        b"qid,docno,rank,score\n1,d1,#1,1\n",
    ),
    (
        "csv with a duplicate document",
        "a.csv",
        b"qid,docno,score\n1,d1,1\n1,\"d1\",2\n",
    ),
    ("csv with a header only", "a.csv", b"qid,docno,score\n"),
    (
        "msmarco with a junk rank",
        "a.tsv",
        b"7\t19\t1\n7\t20\tsecond\n",
    ),
    (
        "msmarco with four fields",
        "a.tsv",
        b"7\t19\t1\n7\t20\t2\t0.5\n",
    ),
    (
        "msmarco with a duplicate document",
        "a.tsv",
        b"7\t19\t1\n7\t19\t2\n",
    ),
    ("truncated parquet", "a.parquet", b"PAR1\0\0\0\0\0\0\0"),
    ("parquet without content", "a.parquet", b"PAR1PAR1"),
    (
        "truncated gzip",
        "a.run.gz",
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x33",
    ),
];

pub(super) const QRELS: &[Case<'_>] = &[
    (
        "tsv qrels with a conflict",
        "a.tsv",
        b"query-id\tcorpus-id\tscore\n1\td1\t1\n1\td1\t0\n",
    ),
    (
        "beir qrels with a junk grade",
        "a.tsv",
        b"query-id\tcorpus-id\tscore\n1\td1\thigh\n",
    ),
];
