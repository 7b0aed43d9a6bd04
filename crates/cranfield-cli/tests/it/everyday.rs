//! Everyday use: lists with commas, selected topics, wide output, several runs, completions.

use std::fs;

use serde_json::Value;

use crate::process::cranfield;

/// A folder with judgements and three runs of two topics, one of which is named `all`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("q.txt", "1 0 a 2\n1 0 b 1\nall 0 a 1\nall 0 b 1\n");
    write(
        "x.run",
        "1 Q0 a 1 3 t\n1 Q0 z 2 2 t\n1 Q0 b 3 1 t\nall Q0 z 1 2 t\nall Q0 b 2 1 t\n",
    );
    write("y.run", "1 Q0 z 1 2 t\n1 Q0 a 2 1 t\nall Q0 a 1 2 t\n");
    write("w.run", "1 Q0 b 1 2 t\nall Q0 b 1 2 t\n");
    folder
}

/// Standard output and standard error of a command that succeeds.
#[track_caller]
fn run(arguments: &str) -> (String, String) {
    let folder = folder();
    let output = cranfield(folder.path(), arguments);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    (out, err)
}

#[test]
fn measures_are_separated_by_commas_or_spaces() {
    let (spaces, _) = run("eval q.txt x.run -m P.1,2 -m RBP(p=0.5,gains='grade') -m AP -f csv");
    let (commas, _) = run("eval q.txt x.run -m P.1,2,RBP(p=0.5,gains='grade'),AP -f csv");
    assert_eq!(spaces, commas);
    assert_eq!(commas.lines().count(), 5);
    let (alias, _) = run("eval q.txt x.run --metrics AP,RR -f csv");
    assert_eq!(alias.lines().count(), 3);
}

#[test]
fn topics_are_selected() {
    let (out, _) = run("eval q.txt x.run y.run -m AP --topic 1 -f csv --sort input");
    let x = f64::midpoint(1.0, 2.0 / 3.0);
    assert_eq!(
        out,
        format!("run,topic,measure,value\nx,1,AP,{x}\ny,1,AP,0.25\n")
    );
    let output = cranfield(folder().path(), "eval q.txt x.run --topic 7");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.contains("topic `7` was not evaluated in any run"),
        "{err}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn wide_records_hold_all_measures() {
    let (out, _) = run("eval q.txt x.run y.run -m P@1,RR -f csv --wide --sort input");
    assert_eq!(out, "run,P@1,RR\nx,0.5,0.75\ny,0.5,0.75\n");
    let (out, _) = run("eval q.txt y.run -m RR -f jsonl --wide --topic 1");
    assert_eq!(out, "{\"run\":\"y\",\"topic\":\"1\",\"RR\":0.5}\n");
}

#[test]
fn a_topic_named_all_is_not_the_mean() {
    let (out, err) = run("eval q.txt y.run -m RR -q -f csv");
    assert_eq!(
        out,
        "run,topic,measure,value\ny,1,RR,0.5\ny,all,RR,1\ny,(all),RR,0.75\n"
    );
    assert!(
        err.contains("values over all topics are under `(all)`"),
        "{err}"
    );
    let (out, _) = run("similarity x.run y.run -q -f csv -m ao");
    let topics: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split(',').nth(2))
        .collect();
    assert_eq!(topics, ["topic", "1", "all", "(all)"]);
}

#[test]
fn trec_lines_of_several_runs_follow_a_runid_line() {
    let (out, _) = run("eval q.txt x.run y.run -m P@1 -f trec --sort input");
    let fields: Vec<Vec<&str>> = out
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        fields,
        [
            ["runid", "all", "x"],
            ["P@1", "all", "0.5000"],
            ["runid", "all", "y"],
            ["P@1", "all", "0.5000"]
        ]
    );
    let (out, _) = run("eval q.txt x.run -m P@1 -f trec");
    assert_eq!(out.lines().count(), 1);
}

#[test]
fn vectors_have_gains_and_all_ranks() {
    let (out, _) = run("eval q.txt x.run --vector Gain@4,CG@4 --topic 1 -f csv");
    let values: Vec<&str> = out
        .lines()
        .skip(1)
        .filter_map(|line| line.rsplit(',').next())
        .collect();
    assert_eq!(
        values,
        ["2", "0", "1", "0", "0.75", "2", "2", "3", "3", "2.5"]
    );
    let header = |out: &str| out.lines().nth(1).unwrap().split_whitespace().count();
    let (few, _) = run("eval q.txt x.run --vector CG@9");
    let (all, _) = run("eval q.txt x.run --vector CG@9 --all-ranks --digits 0");
    assert_eq!((header(&few), header(&all)), (7, 11));
}

#[test]
fn explanations_show_precision_recall_and_the_direction() {
    let (out, _) = run("explain q.txt x.run -m F@2 -t 1");
    assert!(out.contains("P = found / k = 1 / 2 = 0.5000"), "{out}");
    assert!(
        out.contains("R = found / relevant documents in the judgements = 1 / 2 = 0.5000"),
        "{out}"
    );
    let (out, _) = run("explain q.txt x.run y.run -m RR -t 1");
    assert!(out.contains("RR of topic 1, y minus x: -0.5000"), "{out}");
    assert!(out.contains("difference = run 2 - run 1"), "{out}");
    let (out, _) = run("explain q.txt x.run y.run -m RR -f json");
    let document: Value = serde_json::from_str(&out).unwrap();
    let explained = &document["explanations"][0];
    assert_eq!(explained["direction"], "second minus first");
    assert_eq!(explained["runs"], serde_json::json!(["x", "y"]));
}

#[test]
fn more_than_two_runs_have_a_similarity_matrix() {
    let (out, _) = run("similarity x.run y.run w.run -m ao");
    let rows: Vec<Vec<&str>> = out
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["run", "x", "y", "w"]);
    assert_eq!(rows[1][2], rows[2][1]);
    assert_eq!(rows[1][1], "–");
    let (pair, _) = run("similarity x.run w.run -m ao -f csv");
    let (three, _) = run("similarity x.run y.run w.run -m ao -f csv");
    let value = pair.lines().nth(1).unwrap();
    assert!(three.lines().any(|line| line == value), "{three}");
    // Rank-biased recall is not symmetric.
    let (out, _) = run("similarity x.run y.run w.run -m rbr -f csv");
    assert_eq!(out.lines().count(), 1 + 6 * 3);
}

#[test]
fn a_published_percentage_is_recognised() {
    let (out, err) = run("whence q.txt y.run -m RR 75.0");
    assert!(
        err.contains("did you mean 75.0%? Searching for 0.750"),
        "{err}"
    );
    assert!(out.starts_with("0.75000  rounded  -m RR\n"), "{out}");
}

#[test]
fn convert_takes_its_target_as_an_option_too() {
    let folder = folder();
    for arguments in ["convert x.run -o one.csv", "convert x.run two.csv"] {
        let output = cranfield(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("one.csv"), read("two.csv"));
    let output = cranfield(folder.path(), "convert x.run");
    assert_eq!(output.status.code(), Some(2));
}

/// A run in JSON, whose kind only its scores or the names of the files show.
const JSON: &str = r#"{"1": {"d1": 2.5, "d2": 1}}"#;

#[test]
fn names_and_scores_show_the_kind_of_a_converted_file() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bm25.json"), JSON).unwrap();
    fs::write(path("whole.json"), JSON.replace("2.5", "2")).unwrap();
    let convert = |arguments: &str| {
        let output = cranfield(folder.path(), &format!("convert {arguments}"));
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), err)
    };
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    for arguments in ["bm25.json back.run", "bm25.json back.txt"] {
        assert_eq!(convert(arguments).0, Some(0), "{arguments}");
    }
    assert_eq!(read("back.run"), "1 Q0 d1 1 2.5 bm25\n1 Q0 d2 2 1 bm25\n");
    assert_eq!(read("back.run"), read("back.txt"));
    assert_eq!(convert("whole.json a.qrels").0, Some(0));
    assert_eq!(read("a.qrels"), "1 0 d1 2\n1 0 d2 1\n");
    assert_eq!(convert("whole.json a.run.gz").0, Some(0));
    let (code, err) = convert("whole.json a.txt");
    assert!(
        code == Some(2) && err.contains("add --kind run or"),
        "{err}"
    );
}

#[test]
fn convert_names_its_output_and_formats() {
    let (_, err) = run("convert x.run - --to json");
    assert!(err.ends_with(" as json to standard output\n"), "{err}");
    let folder = folder();
    let output = cranfield(folder.path(), "convert q.txt x.foo");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: cannot infer the format from `x.foo`; add --to with one of trec, json, jsonl, csv, tsv, beir, msmarco, parquet\n"
    );
    fs::write(folder.path().join("odd.txt"), "a b\n").unwrap();
    for (arguments, help) in [
        ("convert odd.txt x.csv", "--kind and the format with --from"),
        (
            "eval q.txt odd.txt",
            "set the format of the run with --run-format",
        ),
        (
            "eval odd.txt x.run",
            "set the format of the qrels with --qrels-format",
        ),
    ] {
        let output = cranfield(folder.path(), arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains(help), "{err}");
    }
}

#[test]
fn completions_know_commands_options_and_values() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (out, _) = run(&format!("completions {shell}"));
        for expected in ["similarity", "per-topic", "docid-asc"] {
            assert!(out.contains(expected), "{shell}: {expected}");
        }
    }
}

#[test]
fn the_extension_of_the_output_sets_the_format() {
    let folder = folder();
    let written = |arguments: &str, file: &str| {
        let output = cranfield(folder.path(), &format!("{arguments} -o {file}"));
        assert!(output.status.success(), "{arguments} -o {file}");
        fs::read_to_string(folder.path().join(file)).unwrap()
    };
    let eval = "eval q.txt x.run -m AP";
    assert!(written(eval, "a.csv").starts_with("run,topic,measure,value\n"));
    assert!(written(eval, "a.JSON").starts_with('{'));
    assert!(written("compare q.txt x.run y.run -m AP", "a.tex").contains("\\begin{tabular}"));
    assert!(written("explain q.txt x.run -m AP", "a.html").starts_with("<!DOCTYPE html>"));
    assert_eq!(
        written(eval, "a.txt"),
        written(&format!("{eval} -f table"), "b.csv")
    );
}

/// Scores with fractions are those of a run, whatever the name of the target.
#[test]
fn a_run_is_not_converted_to_judgements_by_the_name_of_the_target() {
    let folder = folder();
    fs::write(
        folder.path().join("x.json"),
        r#"{"1": {"a": 2.5, "b": 1.0}}"#,
    )
    .unwrap();
    let output = cranfield(folder.path(), "convert x.json y.qrels --to trec");
    assert!(output.status.success(), "{output:?}");
    let written = fs::read_to_string(folder.path().join("y.qrels")).unwrap();
    assert_eq!(written, "1 Q0 a 1 2.5 x\n1 Q0 b 2 1 x\n");
}
