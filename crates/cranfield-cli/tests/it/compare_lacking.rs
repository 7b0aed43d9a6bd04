//! Runs that lack topics by measures of which smaller is better, and gains that do not list all grades.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn cranfield(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(examples()).args(arguments);
    command.stdin(Stdio::null()).output().unwrap()
}

fn done(arguments: &[&str]) -> [String; 2] {
    let output = cranfield(arguments);
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{err}");
    [out, err]
}

/// Who retrieves nothing retrieves nothing bad, and is not better for that.
#[test]
fn a_run_is_not_better_for_topics_that_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("few.run").to_string_lossy().into_owned();
    let all = fs::read_to_string(examples().join("runs/bm25.run")).unwrap();
    let kept = all
        .lines()
        .filter(|line| line.starts_with("101 ") || line.starts_with("102 "));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    fs::write(&path, kept).unwrap();
    let plot = folder
        .path()
        .join("ranks.svg")
        .to_string_lossy()
        .into_owned();
    let files = ["qrels.txt", &path, "runs/bm25.run"];
    for measure in ["Fallout@10", "Unjudged@10", "NumNonRelRet"] {
        for command in [
            &["compare"][..],
            &["compare", "-f", "latex"],
            &["report", "-f", "md"],
            &["plot", "ranks", "-o", &plot],
            &["plot", "significance", "-o", &plot],
        ] {
            let output = cranfield(&[command, &files, &["-m", measure]].concat());
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{err}");
            assert!(output.stdout.is_empty());
            let lacks = "error: few has no ranking for 103, ";
            assert!(err.contains(lacks), "{command:?}: {err}");
            let why = format!("which would improve its {measure}; complete the run");
            assert!(err.contains(&why), "{err}");
            assert!(err.contains("use --topics both"), "{err}");
        }
    }
    assert!(!Path::new(&plot).exists());
    // The advice helps: both are the same on the topics that both have.
    let both = ["-m", "Fallout@10", "--topics", "both"];
    let [out, _] = done(&[&["compare"], &files[..], &both].concat());
    assert!(
        out.contains("Fallout@10 (smaller is better) on 2 topics"),
        "{out}"
    );
    assert!(out.contains("few  bm25     identical "), "{out}");
    // A measure that is 0 where nothing is found is compared as ever.
    let [out, _] = done(&[&["compare"], &files[..], &["-m", "AP"]].concat());
    assert!(out.contains("bm25  few      better "), "{out}");
}

/// Every place that shows values of such a measure.
#[test]
fn it_is_said_that_smaller_is_better() {
    let runs = ["qrels.txt", "runs/bm25.run", "runs/dense.run"];
    let with = |command: &[&str]| {
        let more = ["-m", "Fallout@10 AP", "--quiet"];
        done(&[command, &runs, &more].concat())[0].clone()
    };
    let table = with(&["compare", "--methods"]);
    assert!(
        table.contains("Smaller values of Fallout@10 are better."),
        "{table}"
    );
    assert!(
        table.contains(" Fallout@10 (smaller is better) from "),
        "{table}"
    );
    assert!(!table.contains("AP (smaller"), "{table}");
    let latex = with(&["compare", "-f", "latex"]);
    assert!(
        latex.contains("Smaller values of Fallout@10 are better."),
        "{latex}"
    );
    let report = with(&["report", "-f", "latex"]);
    let caption = "\\caption{Means over topics. Smaller values of Fallout@10 are better.";
    assert!(report.contains(caption), "{report}");
    assert!(
        report.contains("Fallout@10 (smaller is better) on 12 topics"),
        "{report}"
    );
}

/// A grade that a table does not list is its own gain, so that `0,1` is not binary: a note reports it.
#[test]
fn grades_that_gains_do_not_list_have_a_note() {
    let gains = ["--gains", "0,1", "--gains", "0,1,2,3", "--gains", "0,1,2"];
    let compared = [
        &["compare", "qrels.txt", "runs", "-m", "nDCG@10", "--methods"][..],
        &gains,
    ];
    let [out, err] = done(&compared.concat());
    let two = "the gains of nDCG(gains='0,1')@10 do not list grades 2, 3: the grades themselves are the gains";
    let one =
        "the gains of nDCG(gains='0,1,2')@10 do not list grade 3: the grade itself is its gain";
    for note in [two, one] {
        assert!(err.contains(&format!("note: {note}\n")), "{err}");
    }
    assert!(!err.contains("'0,1,2,3'"), "{err}");
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains(&format!("Note that {two}; {one}.")), "{out}");
    let reported = [
        "report",
        "qrels.txt",
        "runs",
        "-m",
        "nDCG@10",
        "--gains",
        "0,1",
        "-f",
        "json",
    ];
    let [out, err] = done(&reported);
    assert!(err.contains(two), "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(report["methods"].as_str().unwrap().contains(two));
    let named = [
        "eval",
        "qrels.txt",
        "runs",
        "-m",
        "nDCG(gains='0,1')@10 nDCG(gains='binary')@10",
    ];
    let [_, err] = done(&named);
    assert!(err.contains(two) && !err.contains("binary"), "{err}");
}
