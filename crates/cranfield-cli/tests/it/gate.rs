//! `cranfield gate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The command in a folder.
fn cranfield_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments);
    let command = command.env("COLUMNS", "80");
    command.stdin(Stdio::null()).output().unwrap()
}

fn gate_in(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let arguments: Vec<&str> = std::iter::once("gate")
        .chain(arguments.iter().copied())
        .collect();
    let output = cranfield_in(folder, &arguments);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn gate(arguments: &[&str]) -> (i32, String, String) {
    gate_in(&examples(), arguments)
}

/// A run that is better than its baseline.
const BETTER: [&str; 6] = [
    "qrels.txt",
    "runs/hybrid.run",
    "-b",
    "runs/bm25.run",
    "-m",
    "AP",
];

/// Twenty topics with two relevant documents each, and runs that find them at given ranks; RR of the first is 1 / rank.
pub(crate) struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let qrels: String = (1..=20)
            .map(|topic| format!("t{topic:02} 0 rel 1\n"))
            .collect();
        fs::write(folder.path().join("qrels"), qrels).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a run with the relevant document at this rank, by topic.
    pub(crate) fn run(&self, name: &str, rank: impl Fn(usize) -> usize) {
        let mut lines = String::new();
        for topic in 1..=20 {
            let rank = rank(topic);
            for place in 1..=10 {
                let document = if place == rank {
                    "rel".into()
                } else {
                    format!("d{place}")
                };
                lines.push_str(&format!(
                    "t{topic:02} Q0 {document} {place} {} x\n",
                    100 - place
                ));
            }
        }
        fs::write(self.path().join(name), lines).unwrap();
    }

    pub(crate) fn gate(&self, arguments: &[&str]) -> (i32, String, String) {
        gate_in(self.path(), arguments)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }
}

#[test]
fn each_verdict_has_its_exit_code() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.run("worse", |topic| 3 + topic % 3);
    made.run("mixed", |topic| 1 + (topic + 1) % 3);
    let code = |run: &str, more: &[&str]| {
        let arguments = [&["qrels", run, "-b", "old", "-m", "RR"], more].concat();
        made.gate(&arguments).0
    };
    assert_eq!(code("old", &[]), 0);
    assert_eq!(code("old", &["--tolerance", "0"]), 0);
    assert_eq!(code("worse", &[]), 1);
    assert_eq!(code("mixed", &[]), 4);
    assert_eq!(code("mixed", &["--inconclusive", "pass"]), 0);
    assert_eq!(code("mixed", &["--inconclusive", "fail"]), 1);
    assert_eq!(code("worse", &["--inconclusive", "pass"]), 1);
    assert_eq!(code("none", &[]), 3);
    assert_eq!(code("old", &["--tolerance", "-1"]), 2);
    assert_eq!(made.gate(&["qrels", "old"]).0, 2);
}

#[test]
fn a_reader_that_leaves_does_not_change_the_verdict() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.run("worse", |topic| 3 + topic % 3);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let arguments = ["gate", "qrels", "worse", "-b", "old", "-m", "RR", "--quiet"];
    let command = command.current_dir(made.path()).args(arguments);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn runs_that_never_ran_are_refused() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    fs::write(made.path().join("ids"), made.read("old").replace('t', "q")).unwrap();
    fs::write(
        made.path().join("zeros"),
        made.read("old").replace("rel", "other"),
    )
    .unwrap();
    for (run, baseline, says) in [
        ("ids", "old", "no topic of ids is judged"),
        ("old", "ids", "no topic of ids is judged"),
        ("zeros", "old", "all values of zeros are 0"),
        (
            "old",
            "zeros",
            "RR is 0 on every topic of zeros, so no run can be worse",
        ),
    ] {
        let (code, _, err) = made.gate(&["qrels", run, "-b", baseline, "-m", "RR"]);
        assert_eq!(code, 3, "{err}");
        assert!(err.contains(says), "{err}");
    }
    let (code, _, err) = made.gate(&["qrels", "zeros", "-m", "RR", "--write-lock", "lock"]);
    assert_eq!(
        (code, made.path().join("lock").exists()),
        (3, false),
        "{err}"
    );
}

/// A run without most of its topics has less of what should be little: it must not pass for that.
#[test]
fn a_run_must_not_pass_for_topics_that_it_lacks() {
    let made = Made::new();
    made.run("base", |topic| 1 + topic % 7);
    let text = made.read("base");
    let few = text.lines().filter(|line| line.starts_with("t01 "));
    let few: String = few.map(|line| format!("{line}\n")).collect();
    fs::write(made.path().join("few"), few).unwrap();
    for (run, baseline) in [("few", "base"), ("base", "few")] {
        let (code, _, err) = made.gate(&["qrels", run, "-b", baseline, "-m", "NumNonRelRet"]);
        assert_eq!(code, 3, "{err}");
        let lacks = "error[IR092]: few has no ranking for t02, t03, t04, t05, t06 and 14 more";
        assert!(err.contains(lacks), "{err}");
        assert!(
            err.contains("which would improve its NumNonRelRet"),
            "{err}"
        );
    }
    let (code, _, err) = made.gate(&["qrels", "few", "-b", "base", "-m", "RR"]);
    assert_eq!(code, 1, "{err}");
}

#[test]
fn the_ratchet_exempts_topics_of_a_file() {
    let made = Made::new();
    made.run("old", |_| 2);
    // Two topics fall from 0.5 to 0.1, all others rise.
    made.run("new", |topic| if topic == 3 || topic == 5 { 10 } else { 1 });
    let write = |text: &str| fs::write(made.path().join("exempt"), text).unwrap();
    write("# known\nt03  # since the move\n\n");
    let code = |more: &[&str]| {
        let arguments = [
            &["qrels", "new", "-b", "old", "-m", "RR", "--ratchet", "0.3"],
            more,
        ]
        .concat();
        made.gate(&arguments)
    };
    let (failed, out, _) = code(&[]);
    assert_eq!(failed, 1);
    assert!(
        out.contains("FAIL: ratchet, 2 topic values got worse by more than 0.3"),
        "{out}"
    );
    let except = ["--except", "exempt"];
    assert_eq!(code(&except).0, 1);
    write("t03\nt05\nt06\n");
    let (passed, _, err) = code(&except);
    assert_eq!(passed, 0, "{err}");
    assert!(
        err.contains("exempt from the ratchet without need: t06"),
        "{err}"
    );
    write("t99\n");
    assert_eq!(code(&except).0, 3);
}

#[test]
fn a_summary_is_appended() {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.md");
    let path = summary.to_str().unwrap();
    for _ in 0..2 {
        gate(&[&BETTER[..], &["--summary", path]].concat());
    }
    let text = fs::read_to_string(summary).unwrap();
    assert_eq!(text.matches("hybrid against bm25").count(), 2, "{text}");
    assert!(text.starts_with("# "), "{text}");
}

#[test]
fn every_format_is_whole_and_does_not_depend_on_threads() {
    let base = [
        "qrels.txt",
        "runs/dense.run",
        "-b",
        "runs/bm25.run",
        "-m",
        "nDCG@10 AP ASL",
        "--ratchet",
        "0.2",
    ];
    for format in [
        "table", "md", "html", "latex", "csv", "tsv", "json", "jsonl",
    ] {
        let with = |threads: &str, test: &str| {
            let more = ["-f", format, "--threads", threads, "--test", test];
            gate(&[&base[..], &more].concat())
        };
        for test in ["t", "randomisation"] {
            let (code, out, err) = with("1", test);
            assert!([0, 1, 4].contains(&code), "{err}");
            assert!(!out.is_empty());
            assert_eq!(
                (code, out),
                (with("2", test).0, with("2", test).1),
                "{format}"
            );
        }
    }
    let (_, table, _) = gate(&base);
    assert!(
        table.lines().all(|line| line.chars().count() <= 80),
        "{table}"
    );
    let (_, json, _) = gate(&[&base[..], &["-f", "json"]].concat());
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["gate"][0]["changes"].as_array().unwrap().len(), 12);
    assert!(document["qrels"]["blake3"].is_string());
    assert_eq!(gate(&[&base[..], &["-f", "trec"]].concat()).0, 2);
}

/// A run that fails by its ratchet alone must not read PASS in any format.
#[test]
fn every_format_has_the_ratchet_and_the_verdict_over_all() {
    let rows = |format: &str, more: &[&str]| {
        let (code, out, err) = gate(&[&BETTER[..], &["-f", format], more].concat());
        assert_eq!(code, i32::from(!more.is_empty()), "{err}");
        out
    };
    let ratchet = ["--ratchet", "0.3"];
    let latex = rows("latex", &ratchet);
    for (name, verdict) in [("AP", "PASS"), ("ratchet", "FAIL"), ("overall", "FAIL")] {
        assert!(latex.contains(&format!("{name} & {verdict} &")), "{latex}");
    }
    for (format, delimiter) in [("csv", ','), ("tsv", '\t')] {
        let text = rows(format, &ratchet);
        let ends: Vec<(&str, &str)> = text
            .lines()
            .skip(1)
            .filter_map(|line| {
                Some((
                    line.split(delimiter).next()?,
                    line.rsplit(delimiter).next()?,
                ))
            })
            .collect();
        let expected = [("AP", "PASS"), ("ratchet", "FAIL"), ("overall", "FAIL")];
        assert_eq!(ends, expected, "{text}");
    }
    let lines = rows("jsonl", &ratchet);
    let objects: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[1]["measure"], "ratchet");
    assert_eq!(objects[1]["fallen"][0]["topic"], "109");
    assert_eq!(objects[2]["verdict"], "FAIL");
    // Without a ratchet there is no row of it; JSON has its measures apart.
    assert_eq!(rows("csv", &[]).lines().count(), 3);
    let document: Value = serde_json::from_str(&rows("json", &ratchet)).unwrap();
    assert_eq!(document["gate"].as_array().unwrap().len(), 1);
}

#[test]
fn a_verdict_does_not_wait_for_its_power() {
    let folder = tempfile::tempdir().unwrap();
    let [junit, summary] = ["gate.xml", "summary.md"].map(|name| folder.path().join(name));
    let (code, out, err) = gate(&[
        "qrels.txt",
        "runs/dense.run",
        "-b",
        "runs/bm25.run",
        "-m",
        "AP",
        "--tolerance",
        "1e-6",
        "--junit",
        junit.to_str().unwrap(),
        "--summary",
        summary.to_str().unwrap(),
    ]);
    assert_eq!(code, 4, "{err}");
    let words = "takes more than 10 million topics";
    let text = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{out}");
    for path in [junit, summary] {
        assert!(fs::read_to_string(path).unwrap().contains(words));
    }
}

#[test]
fn options_that_contradict_others_are_errors() {
    let run = ["qrels.txt", "runs/hybrid.run", "-m", "AP"];
    for (option, value) in [
        ("--baseline", "runs/bm25.run"),
        ("--tolerance", "0.02"),
        ("--test", "t"),
        ("--alpha", "0.1"),
        ("--ratchet", "0.1"),
        ("--inconclusive", "pass"),
    ] {
        let lock = ["--write-lock", "never.lock", option, value];
        let (code, _, err) = gate(&[&run[..], &lock].concat());
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("cannot be used with"), "{err}");
    }
    let (code, _, err) = gate(&[&BETTER[..], &["--self-test", "--ratchet", "0.1"]].concat());
    assert_eq!(code, 2, "{err}");
    assert!(!examples().join("never.lock").exists());
}

#[test]
fn other_names_of_tests_have_a_hint() {
    let (code, _, err) = gate(&[&BETTER[..], &["--test", "student"]].concat());
    assert_eq!(code, 2);
    assert!(
        err.contains("unknown test `student`; did you mean `t`?"),
        "{err}"
    );
}

/// The command explains the topic with the largest drop, run minus baseline.
#[test]
fn a_failure_names_the_command_that_explains_it() {
    let made = Made::new();
    made.run("old run", |topic| 1 + topic % 3);
    made.run("worse", |topic| if topic == 3 { 10 } else { 3 + topic % 3 });
    let failed = ["qrels", "worse", "-b", "old run", "-m", "RR"];
    let (code, _, err) = made.gate(&[&failed[..], &["--depth", "10"]].concat());
    assert_eq!(code, 1);
    let command = "cranfield explain qrels 'old run' worse -m RR -t t03 --depth 10";
    assert!(
        err.ends_with(&format!("note: to see why, run\n  {command}\n")),
        "{err}"
    );
    let arguments = [
        "explain", "qrels", "old run", "worse", "-m", "RR", "-t", "t03", "--depth", "10",
    ];
    let explained = cranfield_in(made.path(), &arguments);
    let text = String::from_utf8(explained.stdout).unwrap();
    assert!(
        explained.status.success() && text.contains("-0.9000"),
        "{text}"
    );
    // A lock has no rankings.
    made.gate(&["qrels", "old run", "-m", "RR", "--write-lock", "lock"]);
    let (_, _, err) = made.gate(&["qrels", "worse", "-b", "lock"]);
    assert!(
        err.contains("cranfield explain qrels worse -m RR -t t03\n"),
        "{err}"
    );
    let (_, _, err) = made.gate(&[&failed[..], &["--quiet"]].concat());
    assert_eq!(err, "");
}

#[test]
fn the_self_test_ends_with_its_verdict() {
    let (code, out, err) = gate(&[
        "qrels.txt",
        "runs/hybrid.run",
        "-b",
        "runs/dense.run",
        "-m",
        "AP",
        "--self-test",
        "-f",
        "json",
    ]);
    let document: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    assert_eq!(code == 0, document["holds"].as_bool().unwrap());
    assert_eq!(document["rows"].as_array().unwrap().len(), 3);
    let (code, _, err) = gate(&[
        "qrels.txt",
        "runs/bm25.run",
        "-b",
        "runs/bm25.run",
        "-m",
        "AP",
        "--self-test",
    ]);
    assert_eq!(code, 2);
    assert!(err.contains("use a baseline that differs"), "{err}");
}

/// On real runs, p-values are those of the two-sided test of `compare`, which is held against scipy elsewhere.
#[test]
fn real_runs_agree_with_compare() {
    let Some(track) = crate::profiles::golden("tracks/robust03") else {
        return;
    };
    let qrels = track.join("qrels.txt.gz").to_string_lossy().into_owned();
    let runs = runs_of(&track);
    assert!(runs.len() >= 10);
    let mut verdicts = std::collections::BTreeSet::new();
    for pair in runs.windows(2) {
        let compared = cranfield_in(
            &track,
            &[
                "compare", &qrels, &pair[0], &pair[1], "-m", "AP", "-f", "jsonl", "--quiet",
            ],
        );
        let compared: Value = serde_json::from_slice(&compared.stdout).unwrap();
        let (_, out, err) = gate_in(
            &track,
            &[
                &qrels, &pair[0], "-b", &pair[1], "-m", "AP", "-f", "jsonl", "--quiet",
            ],
        );
        // The first line is the measure, the other one the verdict over all.
        let line = out.lines().next().unwrap_or_default();
        let gated: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{err}"));
        let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
        // `compare` puts the better run first.
        let difference = number(&gated, "better_by");
        assert!((difference.abs() - number(&compared, "difference").abs()).abs() < 1e-12);
        let half = number(&compared, "p") / 2.0;
        let expected = if difference < 0.0 { half } else { 1.0 - half };
        assert!(
            (number(&gated, "p_drop") - expected).abs() < 1e-9,
            "{gated}"
        );
        verdicts.insert(gated["verdict"].as_str().unwrap().to_owned());
    }
    assert!(
        verdicts.contains("FAIL") && verdicts.contains("PASS"),
        "{verdicts:?}"
    );
}

fn runs_of(track: &Path) -> Vec<String> {
    let entries = fs::read_dir(track.join("runs")).unwrap();
    let mut paths: Vec<String> = entries
        .map(|entry| entry.unwrap().path().to_string_lossy().into_owned())
        .collect();
    paths.sort();
    paths
}
