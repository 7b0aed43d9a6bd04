//! Round trips through each format and each pair of formats.

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder};
use cranfield_core::setting::SettingStyle;
use cranfield_io::{
    Code, QrelsFormat, RunFormat, Source, read_qrels, read_run, write_qrels, write_run,
};
use proptest::prelude::*;

use crate::{judgements, rows};

/// Formats that keep scores and ranks.
const FULL: [RunFormat; 5] = [
    RunFormat::Trec,
    RunFormat::Jsonl,
    RunFormat::Csv,
    RunFormat::Tsv,
    RunFormat::Parquet,
];

const GRADED: [QrelsFormat; 8] = [
    QrelsFormat::Trec,
    QrelsFormat::Json,
    QrelsFormat::Jsonl,
    QrelsFormat::Csv,
    QrelsFormat::Tsv,
    QrelsFormat::Beir,
    QrelsFormat::MsMarco,
    QrelsFormat::Parquet,
];

fn run_text(run: &Run, format: RunFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_run(run, format, &mut bytes).expect("the format can represent the run");
    bytes
}

fn qrels_text(qrels: &Qrels, format: QrelsFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_qrels(qrels, format, &mut bytes).expect("the format can represent the judgements");
    bytes
}

#[track_caller]
fn through_run(run: &Run, format: RunFormat) -> Run {
    let source = Source::from_bytes("f", run_text(run, format)).expect("text is not compressed");
    let detected = read_run(&source, None).expect("the format is detected");
    assert_eq!(
        detected,
        read_run(&source, Some(format)).expect("a valid file"),
        "{format}"
    );
    detected
}

#[track_caller]
fn through_qrels(qrels: &Qrels, format: QrelsFormat) -> Qrels {
    let source =
        Source::from_bytes("f", qrels_text(qrels, format)).expect("text is not compressed");
    let detected = read_qrels(&source, None).expect("the format is detected");
    let named = read_qrels(&source, Some(format)).expect("a valid file");
    assert_eq!(judgements(&detected), judgements(&named), "{format}");
    detected
}

/// Finite numbers, including difficult ones.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        (-1000i32..1000).prop_map(|n| f64::from(n) / 8.0),
        Just(5e-324),
        Just(f64::MAX),
        Just(0.1 + 0.2),
    ]
}

/// Ids that all formats can represent.
fn token() -> BoxedStrategy<Vec<u8>> {
    "[A-Za-z0-9_.:/\"',é漢-]{1,9}"
        .prop_map(String::into_bytes)
        .boxed()
}

/// Text with spaces, quotes, line ends and control characters.
fn text() -> BoxedStrategy<Vec<u8>> {
    "[ -~\t\r\n\u{1}\u{7f}é漢\u{feff}]{1,9}"
        .prop_map(String::into_bytes)
        .boxed()
}

/// Any bytes.
fn raw(min: u8) -> BoxedStrategy<Vec<u8>> {
    prop::collection::vec(min..=u8::MAX, 1..9).boxed()
}

/// A run with topics and documents from `id`, each document once per topic.
fn run_with(id: BoxedStrategy<Vec<u8>>) -> impl Strategy<Value = Run> {
    let docs = prop::collection::btree_map(id.clone(), (number(), 1u32..5000), 1..6);
    (prop::collection::btree_map(id, docs, 1..4), any::<bool>()).prop_map(|(topics, has_ranks)| {
        let mut builder = RunBuilder::default();
        builder.set_tag("tag");
        for (topic, docs) in topics {
            for (doc, (score, rank)) in docs {
                builder.push(&topic, &doc, score, has_ranks.then_some(f64::from(rank)));
            }
        }
        builder.finish()
    })
}

fn qrels_with(id: BoxedStrategy<Vec<u8>>) -> impl Strategy<Value = Qrels> {
    let docs = prop::collection::btree_map(id.clone(), number(), 1..6);
    prop::collection::btree_map(id, docs, 1..4).prop_map(|topics| {
        let rows = topics.into_iter().flat_map(|(topic, docs)| {
            docs.into_iter()
                .map(move |(doc, grade)| (topic.clone(), doc, grade))
        });
        Qrels::from_judgements(rows)
    })
}

/// Scores by topic and document, without ranks.
fn scores(run: &Run) -> Vec<(Vec<u8>, Vec<u8>, u64)> {
    let mut scores: Vec<_> = rows(run)
        .into_iter()
        .map(|(topic, doc, score, _)| (topic, doc, score.to_bits()))
        .collect();
    scores.sort_unstable();
    scores
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn runs_survive_each_pair_of_formats(run in run_with(token())) {
        for first in FULL {
            let once = through_run(&run, first);
            prop_assert_eq!(scores(&once), scores(&run), "{}", first);
            for second in FULL {
                let twice = through_run(&once, second);
                prop_assert_eq!(rows(&twice), rows(&once), "{} to {}", first, second);
            }
            prop_assert_eq!(scores(&through_run(&once, RunFormat::Json)), scores(&run));
        }
    }

    #[test]
    fn qrels_survive_each_pair_of_formats(qrels in qrels_with(token())) {
        for first in GRADED {
            let once = through_qrels(&qrels, first);
            prop_assert_eq!(judgements(&once), judgements(&qrels), "{}", first);
            for second in GRADED {
                prop_assert_eq!(judgements(&through_qrels(&once, second)), judgements(&qrels), "{} to {}", first, second);
            }
        }
    }

    #[test]
    fn unusual_text_survives_where_the_format_can_represent_it(run in run_with(text()), qrels in qrels_with(text())) {
        for format in [RunFormat::Json, RunFormat::Jsonl, RunFormat::Csv, RunFormat::Tsv, RunFormat::Parquet] {
            prop_assert_eq!(scores(&through_run(&run, format)), scores(&run), "{}", format);
        }
        for format in [QrelsFormat::Json, QrelsFormat::Jsonl, QrelsFormat::Csv, QrelsFormat::Beir, QrelsFormat::Parquet] {
            prop_assert_eq!(judgements(&through_qrels(&qrels, format)), judgements(&qrels), "{}", format);
        }
    }

    #[test]
    fn arbitrary_bytes_survive_where_the_format_can_represent_them(run in run_with(raw(1)), any_run in run_with(raw(0))) {
        for format in [RunFormat::Csv, RunFormat::Tsv] {
            prop_assert_eq!(scores(&through_run(&run, format)), scores(&run), "{}", format);
        }
        prop_assert_eq!(scores(&through_run(&any_run, RunFormat::Parquet)), scores(&any_run));
    }

    #[test]
    fn writers_reject_what_would_not_be_read_back(run in run_with(raw(0))) {
        for format in RunFormat::ALL.iter().copied().filter(|format| *format != RunFormat::MsMarco) {
            let mut bytes = Vec::new();
            match write_run(&run, format, &mut bytes) {
                Ok(()) => {
                    let source = Source::from_bytes("f", bytes).expect("text is not compressed");
                    let back = read_run(&source, Some(format)).expect("what was written can be read");
                    prop_assert_eq!(scores(&back), scores(&run), "{}", format);
                }
                Err(error) => prop_assert_eq!(error.problems()[0].code, Code::Unwritable),
            }
        }
    }

    #[test]
    fn ms_marco_keeps_the_order(run in run_with(token())) {
        let back = through_run(&run, RunFormat::MsMarco);
        for topic in run.topics() {
            let mut expected: Vec<_> = topic.entries().collect();
            // 0 and -0 are equal scores.
            expected.sort_by(|a, b| (b.score + 0.0).total_cmp(&(a.score + 0.0)).then_with(|| b.doc.cmp(a.doc)));
            let found: Vec<_> = back.get(topic.id()).expect("the topic exists").entries().map(|entry| entry.doc).collect();
            let expected: Vec<_> = expected.into_iter().map(|entry| entry.doc).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn missing_ranks_are_computed_from_scores_and_ids() {
    let run = Run::from_scores("", [("1", "a", 1.0), ("1", "b", 2.0), ("1", "c", 2.0)]);
    let text = String::from_utf8(run_text(&run, RunFormat::Trec)).expect("ids are text");
    assert_eq!(
        text,
        "1 Q0 c 1 2 cranfield\n1 Q0 b 2 2 cranfield\n1 Q0 a 3 1 cranfield\n"
    );
    let text = String::from_utf8(run_text(&run, RunFormat::Json)).expect("ids are text");
    assert_eq!(text, "{\n\"1\": {\"a\": 1, \"b\": 2, \"c\": 2}\n}\n");
    let text = String::from_utf8(run_text(&run, RunFormat::MsMarco)).expect("ids are text");
    assert_eq!(text, "1\tc\t1\n1\tb\t2\n1\ta\t3\n");
}

#[test]
fn json_keeps_empty_topics() {
    let source = Source::from_bytes("f", b"{\"1\": {}, \"2\": {\"d\": 1}}".to_vec())
        .expect("text is not compressed");
    let run = read_run(&source, None).expect("a valid run");
    assert_eq!(run.topics().len(), 2);
    assert_eq!(through_run(&run, RunFormat::Json), run);
}

#[test]
fn unrepresentable_data_is_reported() {
    let run = Run::from_scores("t", [("#1", "a b", 1.0), ("2", "", f64::NAN)]);
    let error = write_run(&run, RunFormat::Trec, &mut Vec::new())
        .expect_err("TREC text cannot represent spaces in ids");
    insta::assert_snapshot!(error.render(SettingStyle::Neutral), @r"
    error[IR021]: topic `#1` starts with `#` and would be read as a comment, which the format `trec` cannot represent
    --> <output>

    error[IR021]: document `a b` contains white space or a control byte, which the format `trec` cannot represent
    --> <output>

    error[IR021]: document `` is empty, which the format `trec` cannot represent
    --> <output>

    error[IR021]: score of document `` is NaN, expected a finite number
    --> <output>
    ");
    let error = write_qrels(
        &Qrels::from_judgements([("1", "a", 1.0)]),
        QrelsFormat::Prefs,
        &mut Vec::new(),
    );
    assert_eq!(
        error.expect_err("no preferences").problems()[0].code,
        Code::Unwritable
    );
}
