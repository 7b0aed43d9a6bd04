//! `cranfield compare`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use cranfield::stats::corrections::Correction;
use serde_json::Value;

use crate::process::check_narrow;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command
        .current_dir(examples())
        .env("COLUMNS", "80")
        .arg("compare")
        .args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn refused(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Judgements and four runs of that many topics, too many to try all signs.
fn many_topics(folder: &Path, topics: usize) {
    let qrels: String = (0..topics)
        .map(|topic| format!("{topic} 0 a 1\n{topic} 0 b 1\n"))
        .collect();
    std::fs::write(folder.join("qrels.txt"), qrels).unwrap();
    for run in 0..4 {
        let lines: String = (0..topics)
            .map(|topic| {
                let first = (topic * (run + 3) + run) % 7 + 1;
                let second = first + (topic + run) % 5 + 1;
                let fill = (1..=12).filter(|rank| ![first, second].contains(rank));
                let others = fill.map(|rank| format!("{topic} Q0 x{rank} 0 {} t\n", 20 - rank));
                format!(
                    "{topic} Q0 a 0 {} t\n{topic} Q0 b 0 {} t\n{}",
                    20 - first,
                    20 - second,
                    others.collect::<String>()
                )
            })
            .collect();
        std::fs::write(folder.join(format!("{run}.run")), lines).unwrap();
    }
}

/// Every test with 1, 2 and 3 threads, on 12 topics and on 45, of which signs are drawn.
#[test]
fn results_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    many_topics(folder.path(), 45);
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (qrels, runs) = (path("qrels.txt"), path("*.run"));
    let few = ("qrels.txt", "runs");
    for test in cranfield::compare::Test::ALL {
        for (qrels, runs, baseline) in [(few.0, few.1, "bm25"), (&qrels, &runs, "0")] {
            let with = |threads: &str| {
                let mut arguments = vec![qrels, runs, "-m", "AP", "--test", test.name()];
                if test == cranfield::compare::Test::Dunnett {
                    arguments.extend(["--baseline", baseline]);
                }
                arguments.extend(["--replicates", "3000", "-f", "json", "--threads", threads]);
                stdout(&arguments)
            };
            let one = with("1");
            assert_eq!(one, with("2"), "{test} {qrels}");
            assert_eq!(one, with("3"), "{test} {qrels}");
        }
    }
}

/// The page of type I errors has a row for every correction and every test of `compare`. None of their rates is above the band of 99 %,
/// or it is not when looked at again.
#[test]
fn type_one_errors_are_known_of_all_methods() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/type-one-error.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (kept, others) = page.split_once("## Tests that reject too often").unwrap();
    let (first, second) = kept.split_once("## Second look").unwrap();
    let corrections = Correction::ALL
        .into_iter()
        .filter(|it| *it != Correction::None);
    let tests = cranfield::compare::Test::ALL.map(row_of);
    for name in corrections.map(Correction::name).chain(tests) {
        for rate in rates_of(first, name) {
            let again = || second.contains(&format!("| {name} | "));
            assert!(!rate.ends_with('+') || again(), "{name}: {rate}");
        }
    }
    assert!(!second.contains("+ |"), "{second}");
    for name in ["none", "bootstrap, plain mean"] {
        assert!(rates_of(others, name)[0].ends_with('+'), "{name}");
    }
}

/// The name of a test on the page.
fn row_of(test: cranfield::compare::Test) -> &'static str {
    use cranfield::compare::Test;
    match test {
        Test::T => "paired t",
        Test::Bootstrap => "bootstrap, t",
        Test::Wilcoxon => "Wilcoxon, exact",
        Test::Tukey => "Tukey",
        Test::RandomisedTukey => "randomised Tukey",
        Test::Dunnett => "Dunnett",
        Test::Conover => "Conover, Holm",
        Test::Nemenyi => "Nemenyi",
        Test::Siegel => "Siegel, Holm",
        Test::Dunn => "Dunn, Holm",
        Test::Randomisation | Test::Sign => test.name(),
    }
}

/// The rates of a row, with their marks.
fn rates_of<'a>(part: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!("| {name} |");
    let row = part.lines().find_map(|line| line.strip_prefix(&start));
    let row = row.unwrap_or_else(|| panic!("no row of {name}"));
    let rates: Vec<&str> = row
        .trim_end_matches('|')
        .split('|')
        .map(str::trim)
        .collect();
    assert_eq!(rates.len(), 8, "{row}");
    rates
}

/// Nemenyi's test looks at ranks alone: a run that is better on every topic is, however little.
#[test]
fn nemenyi_is_a_test_of_all_pairs() {
    let text = stdout(&[
        "qrels.txt",
        "runs",
        "-m",
        "AP",
        "--test",
        "nemenyi",
        "--methods",
    ]);
    assert!(text.contains("Nemenyi's"), "{text}");
    let refusal = refused(&[
        "qrels.txt",
        "runs",
        "--test",
        "nemenyi",
        "--correction",
        "holm",
    ]);
    assert!(refusal.contains("omit --correction"), "{refusal}");
}

#[test]
fn a_text_keeps_to_eighty_columns() {
    let text = stdout(&["qrels.txt", "runs", "-m", "AP nDCG@10", "--methods"]);
    check_narrow(&text);
}

/// Elsewhere than on a terminal, names and tables are whole unless `COLUMNS` limits them.
#[test]
fn files_have_whole_names() {
    let folder = tempfile::tempdir().unwrap();
    let long = "n".repeat(120);
    for name in ["short", &long] {
        let run = examples().join("runs/bm25.run");
        std::fs::copy(run, folder.path().join(format!("{name}.run"))).unwrap();
    }
    let text = |columns: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
        command.args(["compare", "qrels.txt"]).arg(folder.path());
        command.args(["-m", "AP"]).current_dir(examples());
        match columns {
            Some(columns) => command.env("COLUMNS", columns),
            None => command.env_remove("COLUMNS"),
        };
        let output = command.stdin(Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = |text: &str| text.lines().filter(|line| line.starts_with(&long)).count();
    assert!(lines(&text(None)) > 1, "{}", text(None));
    assert_eq!(lines(&text(Some("100"))), 0);
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    assert!(widest(&text(Some("100"))) <= Some(100));
}

#[test]
fn json_has_every_pair_and_where_it_comes_from() {
    let document: Value =
        serde_json::from_str(&stdout(&["qrels.txt", "runs", "-m", "AP", "-f", "json"])).unwrap();
    let table = &document["comparison"][0];
    assert_eq!(table["pairs"].as_array().unwrap().len(), 6);
    assert_eq!(table["runs"][0]["run"], "hybrid");
    assert_eq!(document["settings"]["correction"], "holm");
    assert!(document["qrels"]["blake3"].is_string());
    let difference = |pair: &Value| pair["difference"].as_f64().unwrap();
    assert!(
        table["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|pair| difference(pair) >= 0.0)
    );
}

#[test]
fn lower_is_better_where_the_measure_says_so() {
    let lines = stdout(&["qrels.txt", "runs", "-m", "ASL", "-f", "csv", "--quiet"]);
    for line in lines.lines().skip(1) {
        let difference: f64 = line.split(',').nth(6).unwrap().parse().unwrap();
        assert!(difference <= 0.0, "{line}");
        assert!(!line.ends_with("worse"), "{line}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let one = refused(&["qrels.txt", "runs/bm25.run"]);
    assert!(one.contains("there is one run"), "{one}");
    let unknown = refused(&["qrels.txt", "runs", "--baseline", "bm24"]);
    assert!(
        unknown.contains("no run is named `bm24`; did you mean `bm25`?"),
        "{unknown}"
    );
    let file = refused(&["qrels.txt", "runs", "--baseline", "runs/bm25.run"]);
    assert!(file.contains("did you mean `bm25`?"), "{file}");
    let none = refused(&["qrels.txt", "runs", "--baseline", "x"]);
    assert!(
        none.contains("the runs are bm25-rm3, bm25, dense, hybrid"),
        "{none}"
    );
    let student = refused(&["qrels.txt", "runs", "--test", "student"]);
    assert!(student.contains("did you mean `t`?"), "{student}");
    let geometric = refused(&["qrels.txt", "runs", "-m", "GMAP"]);
    assert!(
        geometric.contains("GMAP is not a mean over topics"),
        "{geometric}"
    );
    let text = refused(&["qrels.txt", "runs", "-m", "RunId"]);
    assert!(text.contains("its value is a string"), "{text}");
    let bounds = refused(&["qrels.txt", "runs", "--unjudged", "bounds"]);
    assert!(
        bounds.contains("bounds gives intervals, which cannot be compared; use"),
        "{bounds}"
    );
    let test = refused(&["qrels.txt", "runs", "--test", "z"]);
    assert!(test.contains("expected one of t, randomisation"), "{test}");
    let trec = refused(&["qrels.txt", "runs", "-f", "trec"]);
    assert!(trec.contains("invalid value 'trec'"), "{trec}");
}

fn json(arguments: &[&str]) -> Value {
    let more = ["-f", "json", "--quiet"];
    serde_json::from_str(&stdout(&[arguments, &more].concat())).unwrap()
}

/// In the order of the folder, which is that of the pairs too.
const PLANNED: [&str; 3] = ["runs/bm25.run", "runs/dense.run", "runs/hybrid.run"];

#[test]
fn what_is_planned_does_not_hang_on_what_is_explored() {
    let [bm25, dense, hybrid] = PLANNED;
    let alone = json(&["qrels.txt", bm25, dense, hybrid, "--plan", "plan.toml"]);
    let more = json(&[
        "qrels.txt",
        "runs",
        "--plan",
        "plan.toml",
        "-m",
        "AP nDCG@10",
    ]);
    let roles = |document: &Value| {
        let tables = document["comparison"].as_array().unwrap();
        let role =
            |table: &Value| format!("{} {}", table["measure"], table["role"]).replace('"', "");
        tables.iter().map(role).collect::<Vec<_>>()
    };
    assert_eq!(roles(&alone), ["nDCG@10 confirmatory"]);
    assert_eq!(
        roles(&more),
        [
            "nDCG@10 confirmatory",
            "nDCG@10 exploratory",
            "AP exploratory"
        ]
    );
    assert_eq!(alone["comparison"][0], more["comparison"][0]);
    // In addition to the plan there is one more run, and one measure with three pairs.
    let pairs = |at: usize| more["comparison"][at]["pairs"].as_array().unwrap().len();
    assert_eq!([pairs(0), pairs(1), pairs(2)], [2, 1, 3]);
    assert_eq!(more["comparison"][2]["tests_in_family"], 4);
    assert_eq!(
        alone["plan"]["text"],
        std::fs::read_to_string(examples().join("plan.toml")).unwrap()
    );
    assert!(alone["plan"]["blake3"].is_string());
}

#[test]
fn a_plan_gives_the_numbers_of_the_same_options() {
    let [bm25, dense, hybrid] = PLANNED;
    let planned = json(&["qrels.txt", bm25, dense, hybrid, "--plan", "plan.toml"]);
    let options = ["-m", "nDCG@10", "--baseline", "bm25", "--margin", "0.05"];
    let freely = json(&[&["qrels.txt", bm25, dense, hybrid], &options[..]].concat());
    assert_eq!(
        planned["comparison"][0]["pairs"],
        freely["comparison"][0]["pairs"]
    );
    assert!(freely.get("plan").is_none() && freely["comparison"][0].get("role").is_none());
}

#[test]
fn what_is_explored_is_marked_everywhere() {
    let base = [
        "qrels.txt",
        "runs",
        "--plan",
        "plan.toml",
        "-m",
        "AP",
        "--quiet",
    ];
    let with = |format: &str| stdout(&[&base[..], &["-f", format, "--methods"]].concat());
    let text = with("table");
    assert!(
        text.contains("CONFIRMATORY. nDCG@10 on 12 topics")
            && text.contains("EXPLORATORY. AP on 12 topics"),
        "{text}"
    );
    assert!(
        text.contains("Exploratory: ") && text.contains("Exploratory comparisons, of 4"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    assert_eq!(with("latex").matches("\\begin{table}").count(), 2);
    assert!(with("latex").contains("\\caption{Exploratory comparison, not part of the plan."));
    let csv = with("csv");
    assert_eq!(csv.matches(",confirmatory\n").count(), 2, "{csv}");
    assert_eq!(csv.matches(",exploratory\n").count(), 4, "{csv}");
    assert_eq!(with("jsonl").matches("\"role\":\"exploratory\"").count(), 4);
    assert!(with("html").starts_with("<!DOCTYPE html>"));
}

#[test]
fn options_that_a_plan_fixes_are_errors() {
    for (option, value) in [
        ("--test", "wilcoxon"),
        ("--correction", "none"),
        ("--family", "measure"),
        ("--alpha", "0.1"),
        ("--margin", "0.5"),
        ("--replicates", "10"),
        ("--seed", "7"),
        ("--baseline", "dense"),
    ] {
        let error = refused(&["qrels.txt", "runs", "--plan", "plan.toml", option, value]);
        assert!(error.contains("cannot be used with"), "{error}");
        assert!(error.contains(option), "{error}");
    }
    let lacks = refused(&[
        "qrels.txt",
        "runs/bm25.run",
        "runs/dense.run",
        "--plan",
        "plan.toml",
    ]);
    assert!(
        lacks.contains("the plan names the run `hybrid`, but the runs are bm25, dense"),
        "{lacks}"
    );
}

#[test]
fn topics_of_a_plan_must_be_those_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.toml");
    let with = |topics: &str| {
        std::fs::write(
            &plan,
            format!("measures = ['AP']\nbaseline = 'bm25'\ntopics = {topics}\n"),
        )
        .unwrap();
        compare(&[
            "qrels.txt",
            "runs",
            "--plan",
            plan.to_str().unwrap(),
            "--quiet",
        ])
    };
    let ids: Vec<String> = (101..=112).map(|id| format!("'{id}'")).collect();
    assert!(with(&format!("[{}]", ids.join(", "))).status.success());
    for (topics, expected) in [
        ("11", "the plan has 11 topics, but 12 are evaluated"),
        ("['101', '999']", "topic `999` of the plan is not evaluated"),
        ("['101']", "topic `102` is evaluated but not in the plan"),
    ] {
        let output = with(topics);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn gains_and_scenarios_are_the_measures_that_they_stand_for() {
    let by_gains = json(&[
        "qrels.txt",
        "runs",
        "-m",
        "nDCG@10",
        "--gains",
        "0,1,1,1",
        "--gains",
        "0,1,10,100",
    ]);
    let by_name = json(&[
        "qrels.txt",
        "runs",
        "-m",
        "nDCG(gains='0,1,1,1')@10 nDCG(gains='0,1,10,100')@10",
    ]);
    for at in 0..2 {
        let of = |document: &Value, key: &str| {
            let pairs = document["comparison"][at]["pairs"].as_array().unwrap();
            pairs
                .iter()
                .map(|pair| pair[key].clone())
                .collect::<Vec<_>>()
        };
        for key in ["run", "difference", "p_corrected", "verdict"] {
            assert_eq!(of(&by_gains, key), of(&by_name, key));
        }
    }
    assert_eq!(by_gains["comparison"][1]["measure"], "nDCG@10 (0-1-10-100)");
    // The mean of a vector up to a rank is the mean of its values there.
    let impatient = json(&["qrels.txt", "runs", "--scenario", "impatient"]);
    let tables = impatient["comparison"].as_array().unwrap();
    let average = tables
        .iter()
        .find(|table| table["measure"] == "avg-pos nDCG@30 (impatient)")
        .unwrap();
    let eval = Command::new(env!("CARGO_BIN_EXE_cranfield"))
        .current_dir(examples())
        .args([
            "eval",
            "qrels.txt",
            "runs",
            "--scenario",
            "impatient",
            "-f",
            "csv",
            "--quiet",
        ])
        .output()
        .unwrap();
    let eval = String::from_utf8(eval.stdout).unwrap();
    let mean = average["runs"][0]["mean"].as_f64().unwrap();
    let shown = eval.lines().filter(|line| line.contains("avg-pos nDCG"));
    let near = |line: &str| {
        line.split(',')
            .filter_map(|cell| cell.parse::<f64>().ok())
            .any(|value| (value - mean).abs() < 1e-12)
    };
    assert!(shown.clone().any(near), "{mean} {eval}");
    let none = refused(&["qrels.txt", "runs", "-m", "AP", "--gains", "0,1"]);
    assert!(
        none.contains("none of the measures AP takes gains"),
        "{none}"
    );
}
