//! Readers and writers of all formats: what is read can be written, and is the same when read again.

mod oracle;
mod seeds;
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

/// Targets for formats of runs and of judgements: name, check, seeds, dictionary, longest input, executions of the smoke run.
macro_rules! format_targets {
    ($($name:literal: $check:ident($format:expr), $seeds:expr, $dictionary:expr, $max_len:literal, $smoke:literal;)+) => {
        pub(super) const TARGETS: &[Target] = &[$(Target {
            name: $name,
            property: "what is read is sound, is what an independent reading finds, and is the same after writing and reading again",
            run: |bytes| $check(bytes, $format),
            seeds: $seeds,
            dictionary: $dictionary,
            max_len: $max_len,
            smoke: $smoke,
        },)+];
    };
}

format_targets! {
    "run_trec": check_run(RunFormat::Trec), trec::run_seeds, trec::DICTIONARY, 400, 40_000;
    "qrels_trec": check_qrels(QrelsFormat::Trec), || strings(seeds::TREC_QRELS), trec::DICTIONARY, 300, 40_000;
    "run_json": check_run(RunFormat::Json), || strings(seeds::JSON_RUNS), seeds::JSON, 300, 40_000;
    "qrels_json": check_qrels(QrelsFormat::Json), || strings(seeds::JSON_QRELS), seeds::JSON, 300, 40_000;
    "run_jsonl": check_run(RunFormat::Jsonl), || strings(seeds::JSONL_RUNS), seeds::JSON, 300, 40_000;
    "qrels_jsonl": check_qrels(QrelsFormat::Jsonl), || strings(seeds::JSONL_QRELS), seeds::JSON, 300, 40_000;
    "run_csv": check_run(RunFormat::Csv), || strings(seeds::CSV_RUNS), seeds::TABLE, 300, 40_000;
    "qrels_csv": check_qrels(QrelsFormat::Csv), || strings(seeds::CSV_QRELS), seeds::TABLE, 300, 40_000;
    "run_tsv": check_run(RunFormat::Tsv), || strings(seeds::TSV_RUNS), seeds::TABLE, 300, 40_000;
    "qrels_beir": check_qrels(QrelsFormat::Beir), || strings(seeds::BEIR_QRELS), seeds::TABLE, 300, 40_000;
    "run_msmarco": check_run(RunFormat::MsMarco), || strings(seeds::MSMARCO_RUNS), seeds::TABLE, 300, 40_000;
    "run_parquet": check_run(RunFormat::Parquet), tables::runs, seeds::PARQUET, 4096, 15_000;
    "qrels_parquet": check_qrels(QrelsFormat::Parquet), tables::qrels, seeds::PARQUET, 4096, 15_000;
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
            Err(error) => check_unwritable(&error),
            Ok(()) if rows == 0 => {}
            Ok(()) => check_run_again(&run, &text, target),
        }
    }
}

/// A writer fails only for what its format cannot hold.
fn check_unwritable(error: &Error) {
    let codes = error.problems().iter().map(|problem| problem.code);
    assert!(
        codes.into_iter().all(|code| code == Code::Unwritable),
        "{error}"
    );
}

/// Unwraps what was read from our own output.
fn read_again<T>(again: Result<T, Error>, text: &[u8], format: impl std::fmt::Display) -> T {
    again.unwrap_or_else(|error| {
        let text = String::from_utf8_lossy(text);
        panic!("written as {format}: {error}\n{text:?}")
    })
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
    let again = read_again(read_run(&source, Some(format)), text, format);
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
            Err(error) => check_unwritable(&error),
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
    let again = read_again(read_qrels(&source, Some(format)), text, format);
    super::evaluation::equal_qrels(qrels, &again);
}
