//! `cranfield explain`: the values of `eval` to the bit, shares that add up, formats, and errors.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use cranfield::core::measure::{BoundMeasure, Computation};
use cranfield::core::params::CutoffRule;
use cranfield::core::policy::{Policies, TieBreak, Undefined, Unjudged};
use cranfield::explain::{Explained, Explanations, Shown};
use cranfield::io::QrelsFormat;
use cranfield::measures::MEASURES;
use cranfield::measures::profiles::Profile;
use cranfield::report::PageFormat;
use cranfield::{Conventions, Evaluation, Request, parse_measures};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run_file(name: &str) -> PathBuf {
    root().join("examples/runs").join(name)
}

/// Every measure that grades, groups or preferences give, by default parameters.
fn measures(format: Option<QrelsFormat>) -> Vec<BoundMeasure> {
    let names = MEASURES.iter().map(|info| match info.cutoff {
        CutoffRule::None => info.name.to_owned(),
        CutoffRule::Point => format!("{}@0.3", info.name),
        CutoffRule::Optional | CutoffRule::Required => format!("{}@7", info.name),
    });
    let names: Vec<String> = names.collect();
    let all = parse_measures(&names.join(" "), &Conventions::default()).unwrap();
    let fits = |measure: &BoundMeasure| match &measure.computation {
        Computation::Ranked(_) => format.is_none(),
        Computation::Grouped(_) => format == Some(QrelsFormat::Groups),
        Computation::Preference(_) => format == Some(QrelsFormat::QrelsPrefs),
        Computation::TopicCount => true,
        _ => false,
    };
    all.into_iter().filter(fits).collect()
}

fn request(
    run: &str,
    format: Option<QrelsFormat>,
    policies: &Policies,
    profile: Profile,
) -> Request {
    Request {
        qrels_format: format,
        policies: policies.clone(),
        profile,
        ..Request::new(
            root().join("examples/qrels.txt"),
            [run_file(run)],
            measures(format),
        )
    }
}

/// All measures of a request: values of all topics and of the mean are those of an evaluation, to the bit, and
/// shares add up to them.
fn same_as_eval(
    run: &str,
    format: Option<QrelsFormat>,
    policies: &Policies,
    profile: Profile,
) -> usize {
    let request = || request(run, format, policies, profile);
    let evaluation = Evaluation::of_files(request()).unwrap();
    let scores = &evaluation.runs[0].scores;
    let bits = |value: Option<f64>| value.filter(|value| !value.is_nan()).map(f64::to_bits);
    for (at, topic) in scores.topics.iter().enumerate() {
        let explained = Explanations::of_files(request(), Some(&topic.id)).unwrap();
        for (measure, explained) in explained.explained.iter().enumerate() {
            let Explained::Topic { explanation, .. } = explained else {
                panic!("{explained:?}");
            };
            let expected = bits(Some(scores.row(at)[measure]));
            let name = &evaluation.plan.measures[measure];
            assert_eq!(bits(explanation.value), expected, "{name} {policies:?}");
            if let Some(value) = explanation.value {
                let tolerance = 1e-12 * value.abs().max(1.0);
                let sum = explanation.total();
                assert!((sum - value).abs() <= tolerance, "{name}: {sum}, {value}");
            }
        }
    }
    let means = Explanations::of_files(request(), None).unwrap();
    for (measure, explained) in means.explained.iter().enumerate() {
        let Explained::Mean { explanation, .. } = explained else {
            panic!("{explained:?}");
        };
        assert_eq!(bits(explanation.value), bits(scores.aggregate(measure)));
    }
    means.explained.len() * scores.topics.len()
}

#[test]
fn values_are_those_of_eval_under_every_policy() {
    let mut compared = 0;
    let one = TieBreak::ALL
        .iter()
        .filter(|ties| **ties != TieBreak::Bounds);
    for ties in one {
        let policies = Policies {
            ties: *ties,
            ..Policies::default()
        };
        compared += same_as_eval("bm25-rm3.run", None, &policies, Profile::Cranfield);
    }
    for unjudged in [Unjudged::Condensed, Unjudged::Relevant] {
        let policies = Policies {
            unjudged,
            undefined: Undefined::Skip,
            depth: Some(12),
            ..Policies::default()
        };
        compared += same_as_eval("bm25.run", None, &policies, Profile::Cranfield);
    }
    for profile in Profile::ALL.iter().copied() {
        compared += same_as_eval("bm25-rm3.run", None, &profile.policies(), profile);
    }
    for format in [QrelsFormat::Groups, QrelsFormat::QrelsPrefs] {
        let policies = Policies::default();
        compared += same_as_eval("bm25-rm3.run", Some(format), &policies, Profile::Cranfield);
    }
    assert!(compared > 9000, "{compared}");
}

#[test]
fn differences_of_runs_add_up() {
    let request = || {
        let runs = ["bm25.run", "bm25-rm3.run"].map(run_file);
        Request::new(root().join("examples/qrels.txt"), runs, measures(None))
    };
    let evaluation = Evaluation::of_files(request()).unwrap();
    let [first, second] = evaluation.runs.as_slice() else {
        panic!("two runs were asked for");
    };
    for topic in [b"101", b"109"] {
        let explained = Explanations::of_files(request(), Some(topic)).unwrap();
        for explained in &explained.explained {
            let Explained::TopicDifference { difference, .. } = explained else {
                panic!("{explained:?}");
            };
            if let Some(value) = difference.difference() {
                let total = difference.total();
                let tolerance = 1e-12 * value.abs().max(1.0);
                assert!((total - value).abs() <= tolerance, "{total} {value}");
            }
        }
    }
    let explained = Explanations::of_files(request(), None).unwrap();
    for (measure, explained) in explained.explained.iter().enumerate() {
        let Explained::MeanDifference { difference, .. } = explained else {
            panic!("{explained:?}");
        };
        let values = [first, second].map(|run| run.scores.aggregate(measure));
        if let [Some(a), Some(b)] = values {
            let (total, tolerance) = (difference.total(), 1e-12 * (b - a).abs().max(1.0));
            assert!((total - (b - a)).abs() <= tolerance, "{total} {a} {b}");
        }
    }
}

#[test]
fn pages_fit_a_terminal_and_html_needs_nothing_else() {
    let names = "AP nDCG@10 nDCG ERR nERR RBP bpref Q infAP INST IAP P@10 RR Rprec GMAP F@5 DCG";
    let measures = || parse_measures(names, &Conventions::default()).unwrap();
    let qrels = root().join("examples/qrels.txt");
    for topic in [Some(b"101".as_slice()), None] {
        for runs in [vec!["bm25.run"], vec!["bm25.run", "dense.run"]] {
            let runs = runs.into_iter().map(run_file);
            let request = Request::new(qrels.clone(), runs, measures());
            let page = Explanations::of_files(request, topic).unwrap();
            let page = page.page(&Shown::default());
            let text = page.render(PageFormat::Text, 80);
            let long: Vec<&str> = text.lines().filter(|l| l.chars().count() > 80).collect();
            assert!(long.is_empty(), "{long:?}");
            // No table is broken into blocks: its heading would come twice in a row.
            let headings = text.lines().filter(|line| line.starts_with("rank  "));
            assert_eq!(headings.filter(|line| line.len() < 20).count(), 0, "{text}");
            let html = page.render(PageFormat::Html, 80);
            assert!(html.starts_with("<!DOCTYPE html>") && !html.contains("http"));
        }
    }
}

fn cranfield(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command
        .current_dir(root())
        .args(arguments.split(' '))
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[track_caller]
fn fails(arguments: &str, code: i32, message: &str) {
    let output = cranfield(arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{err}");
    assert!(err.contains(message), "{err}");
    assert!(output.stdout.is_empty());
}

#[test]
fn errors_say_what_to_do() {
    let files = "explain examples/qrels.txt examples/runs/bm25-rm3.run";
    fails(
        &format!("{files} -m AP -t 999"),
        2,
        "topic `999` is neither in the judgements nor in examples/runs/bm25-rm3.run; there are `101`",
    );
    fails(
        &format!("{files} -m AP -t 109 --topics both"),
        2,
        "--topics judged includes it as an empty ranking",
    );
    fails(
        &format!("{files} -m AP --unjudged bounds"),
        2,
        "--unjudged bounds gives intervals, which cannot be explained; use --unjudged nonrelevant",
    );
    fails(&format!("{files} -m RunId"), 2, "RunId is a string");
    fails(
        &format!("{files} -m PrefSimp -t 101"),
        3,
        "set --qrels-format",
    );
    fails("explain examples/qrels.txt no.run -m AP", 3, "no.run");
    fails(files, 2, "--measure");
}

#[test]
fn json_has_full_precision_and_adds_up() {
    let output =
        cranfield("explain examples/qrels.txt examples/runs/bm25.run -m AP -t 101 -f json");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let explained = &document["explanations"][0];
    let shares = explained["documents"].as_array().unwrap().iter();
    let sum: f64 = shares
        .map(|document| document["share"].as_f64().unwrap())
        .sum();
    let value = explained["value"].as_f64().unwrap();
    assert!((sum - value).abs() <= 1e-12, "{sum} {value}");
    assert_eq!(document["policies"]["ties"], "docid-desc");
    assert_eq!(explained["board"]["columns"][0], "found");
}

#[test]
fn records_of_shares_add_up() {
    let run = "explain examples/qrels.txt examples/runs/bm25.run";
    let other = "examples/runs/dense.run";
    for arguments in [
        format!("{run} -m AP -t 101"),
        format!("{run} -m AP"),
        format!("{run} {other} -m AP -t 101"),
        format!("{run} {other} -m AP"),
    ] {
        let document = cranfield(&format!("{arguments} -f json")).stdout;
        let document: serde_json::Value = serde_json::from_slice(&document).unwrap();
        let explained = &document["explanations"][0];
        let value = explained["difference"].as_f64();
        let value = value.or(explained["value"].as_f64()).unwrap();
        let lines = String::from_utf8(cranfield(&format!("{arguments} -f jsonl")).stdout).unwrap();
        let records = lines.lines();
        let records: Vec<serde_json::Value> = records
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let shares = records
            .iter()
            .map(|record| record["share"].as_f64().unwrap());
        let sum: f64 = shares.sum();
        assert!((sum - value).abs() <= 1e-12, "{arguments}: {sum} {value}");
        assert_eq!(records[0]["other"].is_null(), !arguments.contains(other));
        let rows = cranfield(&format!("{arguments} -f csv")).stdout;
        assert_eq!(rows.split(|byte| *byte == b'\n').count(), records.len() + 2);
    }
}

#[test]
fn every_measure_page_fits_a_terminal() {
    for info in MEASURES {
        let output = cranfield(&format!("measures {}", info.name));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let long: Vec<&str> = text.lines().filter(|l| l.chars().count() > 80).collect();
        assert!(long.is_empty(), "{}: {long:?}", info.name);
        for heading in [
            "What it measures",
            "Formula",
            "Undefined when",
            "References",
        ] {
            assert!(text.contains(heading), "{}: {heading}", info.name);
        }
        let reference = info.references[0].split_whitespace().next().unwrap();
        assert!(text.contains(&format!("- {reference}")), "{}", info.name);
    }
}
