//! Readers and writers of all formats: what is read can be written, and is the same when read again.

mod oracle;
mod tables;

use std::collections::{BTreeMap, HashSet};

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_core::setting::SettingStyle;
use cranfield_io::{
    Code, Error, LIMIT, Limits, QrelsFormat, RunFormat, Severity, Source, detect_qrels, detect_run,
    read_qrels, read_run, write_qrels, write_run,
};

use super::{Target, strings, trec};
use crate::panics::quietly;
use crate::reference::{digest, same};

const JSON: &[&str] = &[
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
const TABLE: &[&str] = &[
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
const PARQUET: &[&str] = &[
    "PAR1", "topic", "doc", "score", "rel", "rank", "\u{15}", "\u{18}", "\u{19}", "\u{1c}",
];

/// A target for a format of runs or of judgements.
macro_rules! format_target {
    ($name:literal, $check:ident, $format:expr, $seeds:expr, $dictionary:expr, $max_len:literal, $smoke:literal) => {
        Target {
            name: $name,
            property: "what is read is sound, is what an independent reading finds, and is the same after writing and reading again",
            run: |bytes| $check(bytes, $format),
            seeds: $seeds,
            dictionary: $dictionary,
            max_len: $max_len,
            smoke: $smoke,
        }
    };
}

pub(super) const TARGETS: &[Target] = &[
    format_target!(
        "run_trec",
        check_run,
        RunFormat::Trec,
        trec::run_seeds,
        trec::DICTIONARY,
        400,
        40_000
    ),
    format_target!(
        "qrels_trec",
        check_qrels,
        QrelsFormat::Trec,
        trec_qrels,
        trec::DICTIONARY,
        300,
        40_000
    ),
    format_target!(
        "run_json",
        check_run,
        RunFormat::Json,
        json_runs,
        JSON,
        300,
        40_000
    ),
    format_target!(
        "qrels_json",
        check_qrels,
        QrelsFormat::Json,
        json_qrels,
        JSON,
        300,
        40_000
    ),
    format_target!(
        "run_jsonl",
        check_run,
        RunFormat::Jsonl,
        jsonl_runs,
        JSON,
        300,
        40_000
    ),
    format_target!(
        "qrels_jsonl",
        check_qrels,
        QrelsFormat::Jsonl,
        jsonl_qrels,
        JSON,
        300,
        40_000
    ),
    format_target!(
        "run_csv",
        check_run,
        RunFormat::Csv,
        csv_runs,
        TABLE,
        300,
        40_000
    ),
    format_target!(
        "qrels_csv",
        check_qrels,
        QrelsFormat::Csv,
        csv_qrels,
        TABLE,
        300,
        40_000
    ),
    format_target!(
        "run_tsv",
        check_run,
        RunFormat::Tsv,
        tsv_runs,
        TABLE,
        300,
        40_000
    ),
    format_target!(
        "qrels_beir",
        check_qrels,
        QrelsFormat::Beir,
        beir_qrels,
        TABLE,
        300,
        40_000
    ),
    format_target!(
        "run_msmarco",
        check_run,
        RunFormat::MsMarco,
        msmarco_runs,
        TABLE,
        300,
        40_000
    ),
    format_target!(
        "run_parquet",
        check_run,
        RunFormat::Parquet,
        tables::runs,
        PARQUET,
        4096,
        15_000
    ),
    format_target!(
        "qrels_parquet",
        check_qrels,
        QrelsFormat::Parquet,
        tables::qrels,
        PARQUET,
        4096,
        15_000
    ),
];

fn trec_qrels() -> Vec<Vec<u8>> {
    strings(&[
        "1 0 a 1\n1 0 b 0\n2 0 a 2\n",
        "1 0 a 1\n1 0 a 1\n1 0 b 1\n1 0 b 2\n",
        "1\t0\ta\t-1\r\n\n# c\n1 0 b x\n",
    ])
}

fn json_runs() -> Vec<Vec<u8>> {
    strings(&[
        r#"{"q1": {"d1": 1.5, "d2": -2e-3}, "q2": {"d\u0041": 0}, "q3": {}}"#,
        r#"[{"topic": "q1", "doc": 7, "score": 2.5, "rank": 1, "tag": "t"}, {"qid": 1, "docno": "d", "rank": 2}]"#,
        r#"{"q1": {"d1": 1, "d1": 2}, "q1": {"d2": NaN}, "": {"": "x"}}"#,
        "{\n \"q\": {\n  \"a\": 1,\n  \"b\": Infinity\n }\n}",
    ])
}

fn json_qrels() -> Vec<Vec<u8>> {
    strings(&[
        r#"{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0.5}}"#,
        r#"[{"topic": "q1", "doc": "d", "rel": 2}]"#,
        r#"{"q1": {"d1": true}}"#,
    ])
}

fn jsonl_runs() -> Vec<Vec<u8>> {
    strings(&[
        "{\"topic\": \"q1\", \"doc\": \"d1\", \"score\": 1.5}\n{\"topic\": \"q1\", \"doc\": \"d2\", \"score\": 1, \"rank\": 2, \"tag\": \"t\"}\n",
        "# c\n\n{\"query_id\": 5, \"doc_id\": -7, \"rank\": 1}\r\n{\"qid\": \"a\", \"query\": \"text\", \"docno\": \"d\", \"docid\": 3, \"score\": 2}\n",
        "{\"topic\": \"q1\", \"doc\": \"d1\", \"score\": \"x\"}\n[1]\n{}\n{\"topic\": \"a\", \"topic\": \"b\"}\n",
    ])
}

fn jsonl_qrels() -> Vec<Vec<u8>> {
    strings(&[
        "{\"topic\": \"q1\", \"doc\": \"d1\", \"rel\": 1}\n{\"topic\": \"q1\", \"doc\": \"d2\", \"relevance\": 0.5}\n",
        "{\"qid\":1,\"did\":2,\"score\":3}\n",
    ])
}

fn csv_runs() -> Vec<Vec<u8>> {
    strings(&[
        "topic,doc,score\nq1,d1,1.5\nq1,\"d,2\",1\nq2,\"d\"\"3\",0.5\n",
        "tag,rank,docid,docno,qid,sim\nt,1,5,d1,q1,2.5\nt,2,6,d2,q1,\n",
        "# c\nQuery-ID,Doc ID,Rank\r\nq1,d1,1\r\nq1,\"a\nb\",2\r\n",
        "topic,doc,score\nq1,d1\nq1,,1\nq1,d1,1\nq1,d1,2\n",
    ])
}

fn csv_qrels() -> Vec<Vec<u8>> {
    strings(&[
        "topic,doc,rel\nq1,d1,1\nq1,d2,0\n",
        "query_id,doc_id,relevance,iteration\nq1,d1,1,0\nq1,d1,1,0\nq1,d1,2,0\n",
        "topic,doc,label\n\"q,1\",d1,x\n",
    ])
}

fn tsv_runs() -> Vec<Vec<u8>> {
    strings(&[
        "topic\tdoc\tscore\nq1\td1\t1.5\nq1\td 2\t1\n",
        "qid\tdocno\trank\tscore\tname\nq1\td1\t1\t2\tt\nq1\t\"d\t2\"\t2\t1\tt\n",
    ])
}

fn beir_qrels() -> Vec<Vec<u8>> {
    strings(&[
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n",
        "query-id\tcorpus-id\tscore\r\n1\t2\t0.5\r\n1\t2\t1\r\n",
        "topic\tdoc\trel\nq1\t\"d\t1\"\t1\n",
    ])
}

fn msmarco_runs() -> Vec<Vec<u8>> {
    strings(&[
        "1048585\t7187158\t1\n1048585\t7187157\t2\n2\t7187158\t1\n",
        "# c\n\n1\ta\t0\r\n1\tb\t-1.5\n1\tc\tx\n1 d 3\n",
    ])
}

fn limits() -> Limits {
    Limits {
        max_expanded: 1 << 18,
    }
}

fn open(bytes: &[u8]) -> Option<Source> {
    let opened = Source::from_bytes_with("fuzz", bytes.to_vec(), limits());
    opened.map_err(|error| check_error(&error, b"")).ok()
}

fn open_own(bytes: &[u8]) -> Source {
    Source::from_bytes("again", bytes.to_vec()).expect("what we write is no broken stream")
}

/// Every error can be printed, points into the input and is an error.
pub(super) fn check_error(error: &Error, bytes: &[u8]) {
    let problems = error.problems();
    assert!(!problems.is_empty() && problems.len() <= LIMIT);
    assert!(
        problems
            .iter()
            .all(|problem| problem.severity() == Severity::Error),
        "{error}"
    );
    let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
    for problem in problems {
        assert!(
            problem.line <= lines,
            "{problem}: the input has {lines} lines"
        );
        assert!(!problem.message.to_string().is_empty());
        let Some(text) = &problem.text else {
            continue;
        };
        let (start, end) = (problem.mark.0 as usize, problem.mark.1 as usize);
        assert!(
            start <= end && text.get(start..end).is_some(),
            "{:?} of {text:?}",
            problem.mark
        );
    }
    // Rendering takes far longer than reading: one input in 32 is rendered.
    if digest(bytes).is_multiple_of(32) {
        assert!(
            error
                .render(SettingStyle::Neutral)
                .contains(problems[0].code.id())
                && !error.render_coloured(SettingStyle::Neutral).is_empty()
        );
    }
}

type Topics = BTreeMap<Vec<u8>, BTreeMap<Vec<u8>, (f64, Option<f64>)>>;

/// Topics with documents, their scores and ranks.
fn contents(run: &Run) -> Topics {
    let mut topics = Topics::new();
    for topic in run.topics().filter(|topic| topic.entries().len() > 0) {
        let docs = topic
            .entries()
            .map(|entry| (entry.doc.to_vec(), (entry.score, entry.rank)));
        topics.insert(topic.id().to_vec(), docs.collect());
    }
    topics
}

fn check_run(bytes: &[u8], format: RunFormat) {
    let Some(source) = open(bytes) else {
        return;
    };
    let read = quietly(|| read_run(&source, Some(format)));
    oracle::check_run(source.bytes(), format, &read);
    let run = match read {
        Ok(run) => run,
        Err(error) => return check_error(&error, source.bytes()),
    };
    let mut rows = 0;
    for topic in run.topics() {
        assert!(!topic.id().is_empty(), "a topic without id");
        let mut seen = HashSet::new();
        for entry in topic.entries() {
            assert!(
                entry.score.is_finite() && entry.rank.is_none_or(f64::is_finite),
                "{entry:?}"
            );
            assert!(!entry.doc.is_empty() && seen.insert(entry.doc), "{entry:?}");
            rows += 1;
        }
    }
    let other = RunFormat::ALL[digest(bytes) as usize % RunFormat::ALL.len()];
    for target in [format, other] {
        let mut text = Vec::new();
        match write_run(&run, target, &mut text) {
            Err(error) => assert!(
                error
                    .problems()
                    .iter()
                    .all(|problem| problem.code == Code::Unwritable),
                "{error}"
            ),
            Ok(()) if rows == 0 => {}
            Ok(()) => check_run_again(&run, &text, target),
        }
    }
}

/// Whether a text without a header cannot look like another format: a line that begins with `[` starts like JSON, and ids that
/// are called `qid` and `docno` make a header.
fn is_plain(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_".contains(byte);
    let is_id = |id: &&[u8]| {
        id.iter().all(is_plain) && (id.iter().any(u8::is_ascii_digit) || !text.contains(&b'\t'))
    };
    let mut ids = line.split(|byte| b" \t".contains(byte));
    ids.all(|id| is_id(&id)) && !line.starts_with(b"PAR1") && !line.starts_with(b"BZh")
}

fn check_run_again(run: &Run, text: &[u8], format: RunFormat) {
    let source = open_own(text);
    let has_header = !matches!(format, RunFormat::Trec | RunFormat::MsMarco);
    if has_header || is_plain(text) {
        assert_eq!(
            detect_run(&source),
            Ok(format),
            "written as {format}: {:?}",
            String::from_utf8_lossy(text)
        );
    }
    let again = read_run(&source, Some(format)).unwrap_or_else(|error| {
        panic!(
            "written as {format}: {error}\n{:?}",
            String::from_utf8_lossy(text)
        )
    });
    let (before, after) = (contents(run), contents(&again));
    assert!(before.keys().eq(after.keys()), "topics");
    for (docs, again) in before.values().zip(after.values()) {
        assert!(docs.keys().eq(again.keys()), "documents");
        let ranked = docs.values().all(|(_, rank)| rank.is_some());
        for ((score, rank), (score_again, rank_again)) in docs.values().zip(again.values()) {
            // MS MARCO's format keeps the order only; JSON by topic has no ranks.
            assert!(
                format == RunFormat::MsMarco || same(*score, *score_again),
                "{score:e} and {score_again:e}"
            );
            if ranked && !matches!(format, RunFormat::Json | RunFormat::MsMarco) {
                assert_eq!(rank, rank_again);
            }
        }
    }
    if format == RunFormat::MsMarco {
        assert_eq!(order(run), order(&again));
    }
}

/// Documents of each topic by score, then by id, both descending.
fn order(run: &Run) -> BTreeMap<Vec<u8>, Vec<Vec<u8>>> {
    let topics = contents(run).into_iter().map(|(topic, docs)| {
        let mut docs: Vec<_> = docs.into_iter().collect();
        docs.sort_by(|(a, (a_score, _)), (b, (b_score, _))| {
            b_score
                .partial_cmp(a_score)
                .expect("scores are finite")
                .then(b.cmp(a))
        });
        (topic, docs.into_iter().map(|(doc, _)| doc).collect())
    });
    topics.collect()
}

fn check_qrels(bytes: &[u8], format: QrelsFormat) {
    let Some(source) = open(bytes) else {
        return;
    };
    let read = quietly(|| read_qrels(&source, Some(format)));
    oracle::check_qrels(source.bytes(), format, &read);
    let qrels = match read {
        Ok(qrels) => qrels,
        Err(error) => return check_error(&error, source.bytes()),
    };
    assert!(
        !qrels
            .duplicates()
            .any(cranfield_core::qrels::DuplicateJudgement::is_conflict)
    );
    for topic in qrels.topics() {
        assert!(!topic.id().is_empty() && topic.judgements().len() > 0);
        for (doc, grade) in topic.judgements() {
            assert!(!doc.is_empty() && grade.is_finite());
            assert!(topic.grade(doc).is_some_and(|again| same(again, grade)));
        }
    }
    let graded = |format: &&QrelsFormat| {
        !matches!(
            format,
            QrelsFormat::Groups
                | QrelsFormat::Prefs
                | QrelsFormat::QrelsPrefs
                | QrelsFormat::Strata
                | QrelsFormat::Prels
        )
    };
    let formats: Vec<QrelsFormat> = QrelsFormat::ALL.iter().filter(graded).copied().collect();
    for target in [format, formats[digest(bytes) as usize % formats.len()]] {
        let mut text = Vec::new();
        match write_qrels(&qrels, target, &mut text) {
            Err(error) => assert!(
                error
                    .problems()
                    .iter()
                    .all(|problem| problem.code == Code::Unwritable),
                "{error}"
            ),
            Ok(()) if qrels.is_empty() => {}
            Ok(()) => check_qrels_again(&qrels, &text, target),
        }
    }
}

fn check_qrels_again(qrels: &Qrels, text: &[u8], format: QrelsFormat) {
    let source = open_own(text);
    // MS MARCO's judgements are TREC's between tabs.
    let wanted = if format == QrelsFormat::MsMarco {
        QrelsFormat::Trec
    } else {
        format
    };
    let has_header = wanted != QrelsFormat::Trec;
    if has_header || is_plain(text) {
        assert_eq!(
            detect_qrels(&source),
            Ok(wanted),
            "written as {format}: {:?}",
            String::from_utf8_lossy(text)
        );
    }
    let again = read_qrels(&source, Some(format)).unwrap_or_else(|error| {
        panic!(
            "written as {format}: {error}\n{:?}",
            String::from_utf8_lossy(text)
        )
    });
    super::evaluation::equal_qrels(qrels, &again);
}
