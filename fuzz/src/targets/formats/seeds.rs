//! Inputs to start from, and strings that mean something to readers.

pub(super) const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\\"",
    "\\u0041",
    "\\ud83d\\ude00",
    "{\"q1\":{\"d1\":1.5}}",
    "{\"topic\":\"q1\",\"doc\":\"d1\",\"score\":1}",
    "\"topic\"",
    "\"doc\"",
    "\"score\"",
    "\"rel\"",
    "\"rank\"",
    "\"tag\"",
    "\"query_id\"",
    "\"qid\"",
    "null",
    "true",
    "1e5",
    "-0",
    "1e999",
    "NaN",
    "Infinity",
    "\n",
];

pub(super) const TABLE: &[&str] = &[
    "topic",
    "doc",
    "score",
    "rel",
    "rank",
    "tag",
    "query-id",
    "corpus-id",
    "docno",
    "qid",
    ",",
    "\t",
    "\"",
    "\"\"",
    "\n",
    "\r\n",
    "\r",
    "#",
    "1.5",
    "-1",
    "1e5",
    "nan",
    "q1,d1,1\n",
    "q1\td1\t1\n",
];

pub(super) const PARQUET: &[&str] = &[
    "PAR1", "topic", "doc", "score", "rel", "rank", "\u{15}", "\u{18}", "\u{19}", "\u{1c}",
];

pub(super) const TREC_QRELS: &[&str] = &[
    "1 0 a 1\n1 0 b 0\n2 0 a 2\n",
    "1 0 a 1\n1 0 a 1\n1 0 b 1\n1 0 b 2\n",
    "1\t0\ta\t-1\r\n\n# c\n1 0 b x\n",
];

pub(super) const JSON_RUNS: &[&str] = &[
    r#"{"q1": {"d1": 1.5, "d2": -2e-3}, "q2": {"d\u0041": 0}, "q3": {}}"#,
    r#"[{"topic": "q1", "doc": 7, "score": 2.5, "rank": 1, "tag": "t"}, {"qid": 1, "docno": "d", "rank": 2}]"#,
    r#"{"q1": {"d1": 1, "d1": 2}, "q1": {"d2": NaN}, "": {"": "x"}}"#,
    "{\n \"q\": {\n  \"a\": 1,\n  \"b\": Infinity\n }\n}",
];

pub(super) const JSON_QRELS: &[&str] = &[
    r#"{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0.5}}"#,
    r#"[{"topic": "q1", "doc": "d", "rel": 2}]"#,
    r#"{"q1": {"d1": true}}"#,
];

pub(super) const JSONL_RUNS: &[&str] = &[
    "{\"topic\": \"q1\", \"doc\": \"d1\", \"score\": 1.5}\n{\"topic\": \"q1\", \"doc\": \"d2\", \"score\": 1, \"rank\": 2, \"tag\": \"t\"}\n",
    "# c\n\n{\"query_id\": 5, \"doc_id\": -7, \"rank\": 1}\r\n{\"qid\": \"a\", \"query\": \"text\", \"docno\": \"d\", \"docid\": 3, \"score\": 2}\n",
    "{\"topic\": \"q1\", \"doc\": \"d1\", \"score\": \"x\"}\n[1]\n{}\n{\"topic\": \"a\", \"topic\": \"b\"}\n",
];

pub(super) const JSONL_QRELS: &[&str] = &[
    "{\"topic\": \"q1\", \"doc\": \"d1\", \"rel\": 1}\n{\"topic\": \"q1\", \"doc\": \"d2\", \"relevance\": 0.5}\n",
    "{\"qid\":1,\"did\":2,\"score\":3}\n",
];

pub(super) const CSV_RUNS: &[&str] = &[
    "topic,doc,score\nq1,d1,1.5\nq1,\"d,2\",1\nq2,\"d\"\"3\",0.5\n",
    "tag,rank,docid,docno,qid,sim\nt,1,5,d1,q1,2.5\nt,2,6,d2,q1,\n",
    "# c\nQuery-ID,Doc ID,Rank\r\nq1,d1,1\r\nq1,\"a\nb\",2\r\n",
    "topic,doc,score\nq1,d1\nq1,,1\nq1,d1,1\nq1,d1,2\n",
];

pub(super) const CSV_QRELS: &[&str] = &[
    "topic,doc,rel\nq1,d1,1\nq1,d2,0\n",
    "query_id,doc_id,relevance,iteration\nq1,d1,1,0\nq1,d1,1,0\nq1,d1,2,0\n",
    "topic,doc,label\n\"q,1\",d1,x\n",
];

pub(super) const TSV_RUNS: &[&str] = &[
    "topic\tdoc\tscore\nq1\td1\t1.5\nq1\td 2\t1\n",
    "qid\tdocno\trank\tscore\tname\nq1\td1\t1\t2\tt\nq1\t\"d\t2\"\t2\t1\tt\n",
];

pub(super) const BEIR_QRELS: &[&str] = &[
    "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
    "query-id\tcorpus-id\tscore\r\n1\t2\t0.5\r\n1\t2\t1\r\n",
    "topic\tdoc\trel\nq1\t\"d\t1\"\t1\n",
];

pub(super) const MSMARCO_RUNS: &[&str] = &[
    "1048585\t7187158\t1\n1048585\t7187157\t2\n2\t7187158\t1\n",
    "# c\n\n1\ta\t0\r\n1\tb\t-1.5\n1\tc\tx\n1 d 3\n",
];
