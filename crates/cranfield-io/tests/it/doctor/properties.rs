//! Properties of all reports and repairs.

use std::collections::BTreeMap;

use proptest::prelude::*;

use cranfield_core::setting::SettingStyle;
use cranfield_io::doctor::fix::{self, FixOptions, Outcome};
use cranfield_io::doctor::{self, Colour, Options, Report};
use cranfield_io::{Severity, Source, read_qrels, read_run};

fn examine(bytes: &[u8]) -> Option<(Source, Report)> {
    let source = Source::from_bytes("f", bytes.to_vec()).ok()?;
    let report = doctor::examine(&source, &Options::default(), None);
    Some((source, report))
}

fn repaired(bytes: &[u8]) -> Option<(Vec<u8>, Outcome)> {
    let (source, report) = examine(bytes)?;
    let mut out = Vec::new();
    let options = Options::default();
    let outcome = fix::fix(&source, &options, &FixOptions::default(), &report, &mut out).ok()?;
    outcome.unfixable.is_empty().then_some((out, outcome))
}

type Values = BTreeMap<(Vec<u8>, Vec<u8>), u64>;

/// Returns the bits of the scores by topic and document, or `None` if the file is invalid. Evaluation depends on nothing else.
fn scores(bytes: &[u8]) -> Option<Values> {
    let run = read_run(&Source::from_bytes("f", bytes.to_vec()).ok()?, None).ok()?;
    let rows = crate::rows(&run).into_iter();
    Some(
        rows.map(|(topic, doc, score, _)| ((topic, doc), score.to_bits()))
            .collect(),
    )
}

/// Returns the bits of the grades by topic and document.
fn grades(bytes: &[u8]) -> Option<Values> {
    let qrels = read_qrels(&Source::from_bytes("f", bytes.to_vec()).ok()?, None).ok()?;
    let judgements = crate::judgements(&qrels).into_iter();
    Some(
        judgements
            .map(|(topic, doc, grade)| ((topic, doc), grade.to_bits()))
            .collect(),
    )
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1", "2", "01", "Q0", "0", "d1", "d2", "d3", "3", "2.5", "1e-3", "-1", "nan", "x", "t",
        "u", "#", "é",
    ])
}

/// Lines of a run with ties, arbitrary ranks and sometimes another tag.
fn run_line() -> impl Strategy<Value = String> {
    let topic = prop::sample::select(vec!["1", "2", "3"]);
    let tag = prop::sample::select(vec!["t", "t", "u"]);
    (topic, 0..20u8, 0..6u8, 0..5u8, separator(), tag).prop_map(
        |(topic, doc, rank, score, blank, tag)| {
            format!("{topic} Q0{blank}d{doc} {rank} {score} {tag}")
        },
    )
}

fn separator() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", " ", " ", "\t", "  "])
}

/// Text that resembles a run; some are valid, with problems that can be repaired.
fn messy() -> impl Strategy<Value = Vec<u8>> {
    let other = prop::collection::vec((token(), separator()), 0..8).prop_map(|fields| {
        let fields = fields.into_iter();
        fields.flat_map(|(field, blank)| [field, blank]).collect()
    });
    let line = prop_oneof![
        40 => run_line(),
        1 => other,
        2 => Just("# c".to_owned()),
        2 => Just(String::new()),
    ];
    let end = prop::sample::select(vec!["\n", "\n", "\r\n"]);
    // Lines may be repeated.
    let lines = prop::collection::vec(
        (line, end, prop::sample::select(vec![1, 1, 1, 1, 2])),
        0..12,
    );
    let marks = prop::sample::select(vec![&b""[..], b"", b"", b"\xef\xbb\xbf"]);
    (marks, lines, prop::bool::ANY).prop_map(|(mark, lines, is_ended)| {
        let lines = lines
            .iter()
            .map(|(line, end, times)| (line.clone() + end).repeat(*times));
        let text = lines.collect::<String>();
        let text = if is_ended { &text } else { text.trim_end() };
        [mark, text.as_bytes()].concat()
    })
}

fn messy_qrels() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        1..4u8,
        0..9u8,
        0..2u8,
        prop::sample::select(vec![" ", "\t"]),
        prop::sample::select(vec!["\n", "\r\n", "\n\n"]),
    )
        .prop_map(|(topic, doc, grade, blank, end)| {
            format!("{topic} 0{blank}d{doc} {}{end}", grade * (doc % 3))
        });
    prop::collection::vec(line, 1..12).prop_map(|lines| lines.concat().into_bytes())
}

/// Runs without problems: contiguous topics, ranks from 1, scores that decrease by at least one, one tag.
fn healthy_run() -> impl Strategy<Value = String> {
    let topic = (
        prop::collection::btree_set("[a-zA-Z0-9_.-]{1,12}", 1..30),
        prop::collection::vec(1..50u32, 30),
    );
    let topics = prop::collection::btree_map("[a-z0-9]{1,8}", topic, 1..5);
    (topics, prop::bool::ANY).prop_map(|(topics, tabs)| {
        // Rankings of similar depth, because a much shorter one is a finding.
        let depth = topics
            .values()
            .map(|(docs, _)| docs.len())
            .min()
            .unwrap_or(0);
        let mut run = Vec::new();
        for (topic, (docs, steps)) in &topics {
            let mut score = 2000.0;
            for (at, (doc, step)) in docs.iter().zip(steps).take(depth).enumerate() {
                score -= 0.5 + f64::from(*step);
                run.push(format!("{topic} Q0 {doc} {} {score} tag\n", at + 1));
            }
        }
        let run = run.concat();
        if tabs { run.replace(' ', "\t") } else { run }
    })
}

fn healthy_qrels() -> impl Strategy<Value = String> {
    let topic = prop::collection::btree_map("[a-zA-Z0-9_.-]{1,12}", 0..4u8, 0..20);
    prop::collection::btree_map("[a-z0-9]{1,8}", topic, 1..5).prop_map(|topics| {
        let mut qrels = Vec::new();
        for (topic, docs) in &topics {
            qrels.push(format!(
                "{topic} 0 first-relevant! 1\n{topic} 0 first-other! 0\n"
            ));
            for (doc, grade) in docs {
                qrels.push(format!("{topic} 0 {doc} {grade}\n"));
            }
        }
        qrels.concat()
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = repaired(&bytes);
        if let Some((_, report)) = examine(&bytes) {
            let _ = (doctor::to_text(&report, Colour::Ansi, SettingStyle::Neutral), doctor::to_json(&[report]));
        }
    }

    #[test]
    fn invalid_files_have_an_error(bytes in messy()) {
        let (_, report) = examine(&bytes).unwrap();
        let has_errors = report.count(Severity::Error) > 0;
        let is_readable = scores(&bytes).is_some() || grades(&bytes).is_some();
        prop_assert!(has_errors || is_readable, "{}", doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral));
    }

    #[test]
    fn repaired_runs_keep_their_scores_and_have_fewer_findings(bytes in messy()) {
        if let Some((out, outcome)) = repaired(&bytes) {
            if let Some(before) = scores(&bytes) {
                prop_assert_eq!(Some(before), scores(&out));
            }
            let (again, second) = repaired(&out).unwrap();
            prop_assert_eq!(&again, &out);
            prop_assert!(!second.is_changed(), "{:?}", second);
            prop_assert!(outcome.is_changed() || out == bytes);
        }
    }

    #[test]
    fn repaired_qrels_keep_their_grades(bytes in messy_qrels()) {
        if let Some((out, _)) = repaired(&bytes) {
            prop_assert_eq!(grades(&bytes), grades(&out));
            let (again, second) = repaired(&out).unwrap();
            prop_assert_eq!(&again, &out);
            prop_assert!(!second.is_changed());
        }
    }

    #[test]
    fn runs_without_problems_are_unchanged(run in healthy_run()) {
        let (_, report) = examine(run.as_bytes()).unwrap();
        prop_assert!(report.findings.is_empty(), "{}", doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral));
        let (out, _) = repaired(run.as_bytes()).unwrap();
        prop_assert_eq!(out, run.as_bytes());
    }

    #[test]
    fn qrels_without_problems_are_unchanged(qrels in healthy_qrels()) {
        let (_, report) = examine(qrels.as_bytes()).unwrap();
        prop_assert!(report.findings.is_empty(), "{}", doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral));
        let (out, _) = repaired(qrels.as_bytes()).unwrap();
        prop_assert_eq!(out, qrels.as_bytes());
    }
}
