//! `cranfield power` and `cranfield discriminate` as processes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn cranfield(arguments: &str) -> Output {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(root).args(arguments.split(' '));
    command.stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn out(arguments: &str) -> String {
    let output = cranfield(arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{err}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(arguments: &str, why: &str) {
    let output = cranfield(arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains(why), "{err}");
}

#[track_caller]
fn json(arguments: &str) -> Value {
    serde_json::from_str(&out(&format!("{arguments} -f json"))).unwrap()
}

const PILOT: &str = "power examples/qrels.txt examples/runs -m AP";
const RUNS: &str = "discriminate examples/qrels.txt examples/runs -m AP";

/// The designs of Sakai's paper for a variance of 0.05 and a range of 0.1: 80 topics for 2 runs, 158 for 10, 301 for 50; 80.43 for a
/// paired t test, as statsmodels has it; 156 for an interval of width 0.1.
#[test]
fn designs_without_a_pilot() {
    for (among, topics) in [(2, 80), (10, 158), (50, 301)] {
        let found = json(&format!(
            "power --sd 0.31622776601683794 --difference 0.1 --width 0.1 --among {among}"
        ));
        let design = &found["designs"][0];
        assert_eq!(design["needed"][0]["anova"]["topics"], topics);
        let exact = design["needed"][0]["t"]["exact"].as_f64().unwrap();
        assert!((exact - 80.430_475).abs() < 1e-5, "{exact}");
        assert_eq!(design["intervals"][0]["topics"], 156);
        assert!(design["pilot"].is_null() && found["qrels"].is_null());
    }
}

/// The pilot's variance is that of `compare`: the residual of its analysis of variance.
#[test]
fn a_pilot_has_the_residual_of_compare() {
    let compared = json("compare examples/qrels.txt examples/runs -m AP --quiet");
    let residual = compared["comparison"][0]["omnibus"]["anova"]["residual"]["mean_square"].clone();
    let pilot = json(PILOT);
    let design = &pilot["designs"][0];
    assert_eq!(design["pilot"]["variance"]["residual"], residual);
    let difference = design["variance"]["difference"].as_f64().unwrap();
    assert!((difference / 2.0 - residual.as_f64().unwrap()).abs() < 1e-15);
    assert_eq!(design["pilot"]["runs"], 4);
    assert_eq!(pilot["runs"].as_array().map(Vec::len), Some(4));
}

/// With two runs, what a pilot's own topics show is what `compare` says that they can.
#[test]
fn what_compare_says_of_two_runs() {
    let two = "examples/qrels.txt examples/runs/hybrid.run examples/runs/bm25.run -m AP";
    let compared = json(&format!("compare {two}"));
    let detectable = compared["comparison"][0]["pairs"][0]["detectable"].as_f64();
    let pilot = json(&format!("power {two}"));
    let shown = &pilot["designs"][0]["shown"][0];
    assert_eq!(shown["topics"], 12);
    let difference = shown["detectable"].as_f64().unwrap() - detectable.unwrap();
    assert!(difference.abs() < 1e-9, "{difference}");
    assert!(compared["comparison"][0]["omnibus"].is_null());
}

#[test]
fn every_format_has_the_numbers() {
    let needed = format!("{PILOT} --difference 0.1 --width 0.2");
    for (arguments, topics) in [(needed.as_str(), "needed"), (RUNS, "swaps")] {
        for format in ["csv", "tsv", "jsonl"] {
            let text = out(&format!("{arguments} -f {format}"));
            assert!(text.contains(topics), "{format}: {text}");
        }
        for (format, sign) in [("md", "|:---|"), ("latex", "\\toprule"), ("html", "<table")] {
            let text = out(&format!("{arguments} -f {format}"));
            assert!(text.contains(sign), "{format}: {text}");
        }
        let text = out(arguments);
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        refused(&format!("{arguments} -f trec"), "invalid value 'trec'");
    }
}

#[test]
fn invalid_options_are_errors() {
    refused(
        "power",
        "unknown variance: pass pilot runs with their judgements, --sd or --effect",
    );
    refused(
        "power examples/qrels.txt",
        "expected two or more pilot runs",
    );
    refused("power --sd 0", "give a number above 0");
    refused("power --sd 0.2 --power 0.01", "give a number above alpha");
    refused("power --effect 0.2 --difference 0.1", "cannot be used with");
    refused(
        &format!("{PILOT} --ties bounds"),
        "--ties bounds gives intervals",
    );
    refused(
        "power examples/qrels.txt examples/runs/bm25.run",
        "two or more runs",
    );
    refused(&format!("{RUNS} --test t"), "tukey, randomised-tukey");
    refused(&format!("{RUNS} --half 7"), "half the number of topics");
    refused(
        "discriminate examples/qrels.txt examples/runs/bm25.run",
        "there is one run",
    );
}

/// The pairs with a significant difference are those that `compare --test tukey` calls better.
#[test]
fn pairs_told_apart_are_those_of_compare() {
    let compared = json("compare examples/qrels.txt examples/runs -m AP --test tukey");
    let pairs = compared["comparison"][0]["pairs"].as_array().unwrap();
    let mut expected: Vec<f64> = pairs.iter().filter_map(|pair| pair["p"].as_f64()).collect();
    expected.sort_by(|a, b| b.total_cmp(a));
    let found = json(RUNS);
    let found = &found["discrimination"][0];
    let curve: Vec<f64> = serde_json::from_value(found["curve"].clone()).unwrap();
    assert_eq!(curve, expected);
    let significant = pairs.iter().filter(|pair| pair["significant"] == true);
    assert_eq!(found["significant"], significant.count());
}

#[test]
fn threads_change_nothing() {
    let all = [1, 2, 3].map(|threads| {
        let test = "--test randomised-tukey --replicates 2000 --curves -f csv";
        out(&format!("{RUNS} {test} --threads {threads}"))
    });
    assert!(all[0] == all[1] && all[1] == all[2]);
}
