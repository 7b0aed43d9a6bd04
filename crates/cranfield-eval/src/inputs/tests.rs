//! Inputs in memory and from files.

use super::*;
use cranfield_core::policy::TieBreak;
use cranfield_measures::spec::{Conventions, parse_measures};
use std::fs;

fn inputs(run: Run) -> Inputs {
    let judgements = [("q1", "d1", 1.0), ("q1", "d2", 0.0), ("q2", "d3", 1.0)];
    Inputs::in_memory(
        Qrels::from_judgements(judgements),
        [RunInput::new("mine", run)],
    )
}

fn request(measures: &str) -> Request {
    Request::of_measures(parse_measures(measures, &Conventions::default()).unwrap())
}

#[test]
fn bounds_have_two_ends() {
    let run = Run::from_scores("", [("q1", "d1", 1.0), ("q1", "d2", 1.0)]);
    let request = Request {
        policies: Policies {
            ties: TieBreak::Bounds,
            ..Policies::OWN
        },
        ..request("RR")
    };
    let evaluation = inputs(run).evaluate(&request).unwrap();
    let run = &evaluation.runs[0];
    assert_eq!(run.scores.name, "mine");
    assert_eq!(run.scores.row(0), [0.5]);
    assert_eq!(run.upper.as_ref().unwrap().row(0), [1.0]);
    assert_eq!((evaluation.topics, evaluation.judgements), (2, 3));
}

#[test]
fn impossible_measures_and_repeated_documents_are_errors() {
    let run = Run::from_scores("", [("q1", "d1", 1.0), ("q1", "d1", 0.5)]);
    let inputs = inputs(run);
    let error = inputs.evaluate(&request("nsDCG@10")).unwrap_err();
    assert!(error.to_string().contains("needs sessions"), "{error}");
    let error = inputs.evaluate(&request("RR")).unwrap_err();
    let message = "mine: document `d1` is in topic `q1` twice; keep it once, usually with its best score [IR030]";
    assert_eq!(error.to_string(), message);
}

/// A run in JSON may have ids with spaces, which no TREC file can hold.
#[test]
fn ids_with_spaces_evaluate_against_judgements_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let run = write("run.json", r#"{"t": {"a": 3, "a b": 2, "b": 1}}"#);
    let cases = [
        ("t 0 b 1\n", None, "RR", 1.0 / 3.0),
        ("t 1 b 1\n", Some(QrelsFormat::Groups), "alpha-nDCG@10", 0.5),
        (
            "t 1 1 b 2\nt 1 1 a 1\n",
            Some(QrelsFormat::Prefs),
            "prefs_simp",
            0.0,
        ),
        ("t 0 b 1 1\n", Some(QrelsFormat::Strata), "iNumRelRet", 1.0),
        ("t b 1 1 1.0\n", Some(QrelsFormat::Prels), "statNumRel", 1.0),
    ];
    for (judgements, format, measure, expected) in cases {
        let request = Request {
            qrels_format: format,
            ..Request::new(
                write("qrels", judgements),
                [&run],
                parse_measures(measure, &Conventions::default()).unwrap(),
            )
        };
        let evaluation = Evaluation::of_files(request).unwrap();
        let value = evaluation.runs[0].scores.row(0)[0];
        assert!((value - expected).abs() < 1e-4, "{measure}: {value}");
    }
    let request = Request {
        sessions: Some(write("sessions", "s t\n")),
        ..Request::new(
            write("qrels", "t 0 b 1\n"),
            [&run],
            parse_measures("nsDCG@10", &Conventions::default()).unwrap(),
        )
    };
    let evaluation = Evaluation::of_files(request).unwrap();
    // The only relevant document is at rank 3.
    let value = evaluation.runs[0].scores.row(0)[0];
    assert!((value - 1.0 / (1.0 + 3f64.log2())).abs() < 1e-12, "{value}");
}

#[test]
fn loaded_inputs_give_the_same_scores() {
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("q"), folder.path().join("r"));
    fs::write(&qrels, "1 0 a 1\n2 0 b 1\n").unwrap();
    fs::write(&run, "1 Q0 x 1 2 t\n1 Q0 a 2 1 t\n2 Q0 b 1 1 t\n").unwrap();
    let request = Request::new(qrels, [run], request("AP RR nDCG@10").measures);
    let inputs = Inputs::open(&request).unwrap();
    let once = inputs.evaluate(&request).unwrap();
    let loaded = inputs.load().unwrap().evaluate(&request).unwrap();
    assert_eq!(once.runs[0].scores.values, loaded.runs[0].scores.values);
    assert_eq!(once.runs[0].scores.row(0)[..2], [0.5, 0.5]);
}
