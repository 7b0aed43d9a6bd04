//! `cranfield report` as a user calls it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn report(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).arg("report").args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = report(&examples(), arguments);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = report(&examples(), arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// The output of another command.
fn other(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let output = command
        .current_dir(examples())
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The caption of a plot in a page.
fn caption<'p>(page: &'p str, kind: &str) -> &'p str {
    let figure = page.split_once(&format!("id=\"plot-{kind}\"")).unwrap().1;
    let caption = figure.split_once("<figcaption>").unwrap().1;
    caption.split_once("</figcaption>").unwrap().0
}

/// The matrix has all six pairs of four runs, the claims those three with the baseline: each p is of its own family, and the caption
/// says so.
#[test]
fn plots_say_when_claims_are_of_other_pairs() {
    let page = |more: &[&str]| {
        let files = ["qrels.txt", "runs", "-m", "AP", "--quiet"];
        stdout(&[&files[..], more].concat())
    };
    let other = "The claims of this report are about";
    let all = page(&[]);
    assert!(!caption(&all, "significance").contains(other));
    let by_ranks = caption(&all, "cd");
    assert!(by_ranks.contains(
        "are about 6 pairs, by the paired t test, corrected for 6 tests (Holm); this plot"
    ));
    let of_baseline = page(&["--baseline", "bm25"]);
    let found = caption(&of_baseline, "significance");
    assert!(found.contains("p of the paired t test, corrected for 6 tests (Holm), alpha 0.05"));
    let says = "The claims of this report are about 3 pairs with bm25, by the paired t test, corrected for 3 tests (Holm); this \
                plot tests all 6 pairs of its runs, so that the same pair may have another p here.";
    assert!(found.contains(says), "{found}");
    let standardised = page(&["--standardise", "z"]);
    assert!(
        caption(&standardised, "significance").contains("about 6 pairs by standardised scores, by")
    );
    let two = page(&["-m", "RR", "--family", "all"]);
    assert!(caption(&two, "cd").contains("corrected for 12 tests (Holm)"));
}

#[test]
fn standardised_scores_are_those_of_compare() {
    let json = |command: &[&str]| {
        let files = ["qrels.txt", "runs", "-m", "AP", "--standardise", "std-ab"];
        let text = other(&[command, &files, &["-f", "json"]].concat());
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let (reported, compared) = (json(&["report", "--quiet"]), json(&["compare"]));
    assert_eq!(reported["settings"]["standardise"], "std-ab");
    assert_eq!(reported["comparison"], compared["comparison"]);
    let message = refused(&["qrels.txt", "runs", "--standardise", "x"]);
    assert!(
        message.contains("expected one of z, cdf, std-ab, ecdf"),
        "{message}"
    );
}

#[test]
fn values_are_those_of_eval_and_compare() {
    let document: Value =
        serde_json::from_str(&stdout(&["qrels.txt", "runs", "-m", "AP RR", "-f", "json"])).unwrap();
    let evaluated = other(&[
        "eval",
        "qrels.txt",
        "runs",
        "-m",
        "AP RR",
        "-q",
        "-f",
        "json",
        "--sort",
        "input",
    ]);
    let evaluated: Value = serde_json::from_str(&evaluated).unwrap();
    assert_eq!(document["runs"], evaluated["runs"]);
    let compared = other(&["compare", "qrels.txt", "runs", "-m", "AP RR", "-f", "json"]);
    let compared: Value = serde_json::from_str(&compared).unwrap();
    for part in ["comparison", "settings", "methods"] {
        assert_eq!(document[part], compared[part], "{part}");
    }
}

#[test]
fn a_page_does_not_depend_on_threads() {
    let with = |threads: &str| stdout(&["qrels.txt", "runs", "--threads", threads, "--quiet"]);
    assert_eq!(with("1"), with("2"));
}

#[test]
fn the_extension_says_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let examples = examples();
    let [qrels, runs] = ["qrels.txt", "runs"].map(|name| examples.join(name).display().to_string());
    let starts = [
        ("r.html", "<!DOCTYPE html>"),
        ("r.md", "# Evaluation of 4 runs\n"),
        ("r.tex", "\\documentclass"),
        ("r.csv", "measure,run,topics,mean,low,high"),
        ("r.json", "{\n"),
    ];
    for (name, start) in starts {
        let output = report(
            folder.path(),
            &[&qrels, &runs, "-m", "AP", "-o", name, "--quiet"],
        );
        assert!(
            output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(text.starts_with(start), "{name}");
    }
}

#[test]
fn every_kind_of_plot_is_there() {
    let page = stdout(&["qrels.txt", "runs", "--quiet"]);
    let kinds = cranfield::report::plot::PlotKind::ALL;
    for kind in kinds {
        assert!(page.contains(&format!("id=\"plot-{kind}\"")), "{kind}");
    }
}

#[test]
fn other_judgements_have_reports_too() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("groups.txt", "1 1 a 1\n1 1 b 0\n1 2 b 1\n2 1 a 1\n"),
        ("one.run", "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n"),
        (
            "two.run",
            "1 Q0 b 1 2 t\n1 Q0 c 2 1 t\n2 Q0 c 1 2 t\n2 Q0 a 2 1 t\n",
        ),
        ("sessions.txt", "s 1\ns 2\n"),
        ("qrels.txt", "1 0 a 1\n1 0 b 0\n2 0 a 1\n"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let groups = [
        "groups.txt",
        "one.run",
        "two.run",
        "--qrels-format",
        "qrels_jg",
        "-m",
        "alpha_nDCG@10",
    ];
    let sessions = [
        "qrels.txt",
        "one.run",
        "two.run",
        "--sessions",
        "sessions.txt",
        "-m",
        "SessionDCG@10",
    ];
    for arguments in [&groups[..], &sessions[..]] {
        let output = report(folder.path(), arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}");
        let page = String::from_utf8(output.stdout).unwrap();
        assert!(page.contains("id=\"leaderboard\"") && page.contains(" plot: "));
    }
}

#[test]
fn one_topic_is_enough_for_all_but_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("q", "1 0 a 1\n"),
        ("one.run", "1 Q0 a 1 1 t\n"),
        ("two.run", "1 Q0 b 1 1 t\n"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let output = report(folder.path(), &["q", "one.run", "two.run", "-m", "AP"]);
    assert!(output.status.success(), "{output:?}");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        page.contains("The runs are not compared: AP: "),
        "no reason"
    );
    let table = report(
        folder.path(),
        &["q", "one.run", "two.run", "-m", "AP", "-f", "csv"],
    );
    let table = String::from_utf8(table.stdout).unwrap();
    assert!(
        table.contains("AP,one,1,1,") && table.contains("AP,two,1,0,"),
        "{table}"
    );
}

#[test]
fn a_large_page_says_what_it_lacks() {
    // 20 runs of 400 topics whose documents have long names.
    let folder = tempfile::tempdir().unwrap();
    let mut qrels = String::new();
    for topic in 0..400 {
        qrels.push_str(&format!("{topic} 0 {topic}-{} 1\n", "x".repeat(40)));
    }
    fs::write(folder.path().join("qrels.txt"), qrels).unwrap();
    fs::create_dir(folder.path().join("runs")).unwrap();
    for run in 0..20_u64 {
        let mut text = String::new();
        for topic in 0..400_u64 {
            for rank in 0..20_u64 {
                let noise = incompressible(run * 1_000_003 + topic * 1009 + rank);
                text.push_str(&format!(
                    "{topic} Q0 {noise} {} {} t\n",
                    rank + 1,
                    20 - rank
                ));
            }
        }
        fs::write(folder.path().join(format!("runs/{run}.run")), text).unwrap();
    }
    let output = report(folder.path(), &["qrels.txt", "runs", "-m", "AP", "--quiet"]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.stdout.len() <= 3_000_000, "{}", output.stdout.len());
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("To keep this page small, it lacks"));
}

/// A name that does not compress.
fn incompressible(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut name = String::new();
    for _ in 0..3 {
        state ^= state >> 29;
        state = state.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        name.push_str(&format!("{state:016x}"));
    }
    name
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let bounds = refused(&["qrels.txt", "runs", "--ties", "bounds"]);
    assert!(
        bounds.contains("which cannot be compared; use an order of ties such as --ties docid-desc"),
        "{bounds}"
    );
    let geometric = refused(&["qrels.txt", "runs", "-m", "GMAP"]);
    assert!(
        geometric.contains("GMAP is not a mean over topics"),
        "{geometric}"
    );
    let extension = refused(&["qrels.txt", "runs", "-o", "report.doc"]);
    assert!(
        extension.contains("cannot infer the format from `report.doc`"),
        "{extension}"
    );
}

#[test]
fn other_assessors_are_compared() {
    let files = ["qrels.txt", "runs", "-m", "AP", "--quiet"];
    let assessors = ["--assessor", "assessors/ann.txt", "assessors/bob.txt"];
    let page = stdout(&[&files[..], &assessors].concat());
    assert!(
        page.contains("Agreement of the judgements of this report, qrels, with 2 other assessors.")
    );
    assert!(
        page.contains("id=\"plot-agreement\"")
            && page.contains("<th scope=\"col\" class=\"n\">majority</th>")
    );
    let page = stdout(&files);
    assert!(!page.contains("id=\"assessors\"") && page.contains("id=\"plot-growth\""));
}
