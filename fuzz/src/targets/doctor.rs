//! The doctor: it finds what readers refuse, and its repairs change no number.

use cranfield_core::setting::SettingStyle;
use cranfield_io::doctor::fix::{self, FixOptions};
use cranfield_io::doctor::{self, Colour, Kind, Options, Report};
use cranfield_io::{Limits, Severity, Source, read_qrels, read_run};

use super::{Target, strings, trec};
use crate::panics::quietly;
use crate::reference::digest;

pub(super) const TARGETS: &[Target] = &[Target {
    name: "doctor",
    property: "what a reader rejects is reported as an error; a repair changes no score and no grade, and leaves nothing to repair",
    run: doctor,
    seeds,
    dictionary: trec::DICTIONARY,
    max_len: 300,
    smoke: 40_000,
}];

fn seeds() -> Vec<Vec<u8>> {
    strings(&[
        "r301 Q0 d1 0 2.5 bm25\n301 Q0 d2 1 1.5 bm25\n302 Q0 d1 0 2.5 bm25\r\n301 Q0 d3 2 1 bm25\n",
        "r# c\n\n1\tQ0\td\t1\t1\trun\n1 Q0  e 2 2 run\n1 Q0 e 2 2 run",
        "q1 0 a 1\n1 0 b 0\n1 0 a 1\n2 0 a 2\n1 0 c 7\r\n",
        "q\u{feff}1 0 a 1\n\n1 0 b -1\n2 0 c nan\n",
        "?1 Q0 a 1 nan t\n1 Q0 a 2 1 u\n01 Q0 b 1 1 t\n",
        "r{\"q1\": {\"d1\": 1.5, \"d2\": 1.5}}",
        "qtopic,doc,rel\nq1,d1,1\nq1,d1,1\n",
    ])
}

/// Everything that evaluation depends on: topics, documents, and numbers to the last bit.
type Values = Vec<(Vec<u8>, Vec<u8>, u64)>;

/// The values of a file, or nothing if it is refused.
fn values(source: &Source, kind: Kind) -> Option<Values> {
    let mut values = Values::new();
    match kind {
        Kind::Run => {
            for topic in quietly(|| read_run(source, None)).ok()?.topics() {
                let rows = topic.entries();
                values.extend(
                    rows.map(|row| (topic.id().into(), row.doc.into(), row.score.to_bits())),
                );
            }
        }
        Kind::Qrels => {
            for topic in quietly(|| read_qrels(source, None)).ok()?.topics() {
                let rows = topic.judgements();
                values.extend(
                    rows.map(|(doc, grade)| (topic.id().into(), doc.into(), grade.to_bits())),
                );
            }
        }
    }
    values.sort_unstable();
    Some(values)
}

fn open(bytes: &[u8]) -> Option<Source> {
    let limits = Limits {
        max_expanded: 1 << 18,
    };
    Source::from_bytes_with("fuzz", bytes.to_vec(), limits).ok()
}

/// The first byte says what the file is.
fn doctor(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    let kind = match kind {
        b'r' => Some(Kind::Run),
        b'q' => Some(Kind::Qrels),
        _ => None,
    };
    let Some(source) = open(rest) else {
        return;
    };
    let options = Options {
        kind,
        ..Options::default()
    };
    let report = quietly(|| doctor::examine(&source, &options, None));
    let has_errors = report.count(Severity::Error) > 0;
    if let Some(kind) = kind {
        assert!(
            has_errors || values(&source, kind).is_some(),
            "rejected, but not reported: {report:?}"
        );
    }
    if digest(bytes).is_multiple_of(16) {
        check_texts(&report);
    }
    let mut out = Vec::new();
    let fixed = fix::fix(&source, &options, &FixOptions::default(), &report, &mut out);
    let outcome = fixed.expect("memory can be written");
    if !outcome.unfixable.is_empty() {
        return;
    }
    let again = open(&out).expect("a repaired file is text");
    if let Some(kind) = report.kind
        && let Some(before) = values(&source, kind)
    {
        assert_eq!(Some(before), values(&again, kind), "values changed");
    }
    assert!(
        outcome.is_changed() || out == source.bytes(),
        "changed without a word"
    );
    let report = doctor::examine(&again, &options, None);
    let mut same = Vec::new();
    let second = fix::fix(&again, &options, &FixOptions::default(), &report, &mut same);
    let second = second.expect("memory can be written");
    assert!(
        second.unfixable.is_empty() && !second.is_changed() && same == out,
        "{second:?}"
    );
}

fn check_texts(report: &Report) {
    for colour in [Colour::Plain, Colour::Ansi] {
        assert!(!doctor::to_text(report, colour, SettingStyle::Neutral).is_empty());
    }
    let json = doctor::to_json(std::slice::from_ref(report));
    assert!(
        serde_json::from_str::<serde_json::Value>(&json).is_ok(),
        "{json}"
    );
}
