//! `cranfield agree` with three or more assessors and with runs, on the bundled example.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::process::cranfield;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The standard output of a command in the folder of the assessors.
#[track_caller]
fn text(arguments: &str) -> String {
    let output = cranfield(&examples().join("assessors"), arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{err}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn json(arguments: &str) -> Value {
    serde_json::from_str(&text(arguments)).unwrap()
}

#[track_caller]
fn fails(arguments: &str, code: i32, expected: &str) {
    let output = cranfield(&examples().join("assessors"), arguments);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{err}");
    assert!(err.contains(expected), "{err}");
}

const THREE: &str = "agree ann.txt bob.txt cid.txt";

#[test]
fn pairs_are_those_of_two_files() {
    let panel = json(&format!("{THREE} -f json"));
    for pair in panel["pairs"].as_array().unwrap() {
        let [first, second] = ["first", "second"].map(|side| pair[side].as_str().unwrap());
        let two = json(&format!("agree {first}.txt {second}.txt -f json"));
        for (name, figure) in pair["figures"].as_object().unwrap() {
            assert_eq!(
                figure["value"], two["figures"][name],
                "{first} {second} {name}"
            );
            assert_eq!(figure["interval"], two["intervals"]["figures"][name]);
        }
    }
    assert_eq!(panel["counted"]["documents"], 202);
    assert_eq!(panel["counted"]["complete"], 179);
    // cid skips 23 of 202 documents, and is the strictest; bob is the most generous.
    let bias = |at: usize| panel["assessors"][at]["bias"].as_f64().unwrap();
    assert!(bias(1) > 0.5 && bias(2) < -0.5);
    assert_eq!(panel["documents"].as_array().unwrap().len(), 10);
}

#[test]
fn every_number_is_in_the_formats_for_programs() {
    let csv = text(&format!("{THREE} -f csv --disputed 2"));
    assert!(csv.starts_with("figure,first,second,topic,doc,grade,value,low,high\n"));
    for figure in [
        "alpha_ratio,,,,,,",
        "kappa,ann,bob,,,,",
        "bias,cid,,,,,",
        "share,ann,,,,3,",
        "spread,,,106,GW-0151,,3,,",
    ] {
        assert!(
            csv.lines().any(|line| line.starts_with(figure)),
            "{figure}\n{csv}"
        );
    }
    let tsv = text(&format!("{THREE} -f tsv --disputed 2"));
    let jsonl = text(&format!("{THREE} -f jsonl --disputed 2"));
    assert_eq!(tsv.lines().count(), csv.lines().count());
    assert_eq!(jsonl.lines().count() + 1, csv.lines().count());
    for format in ["md", "latex", "html"] {
        assert!(
            text(&format!("{THREE} -f {format}")).contains("fleiss"),
            "{format}"
        );
    }
}

#[test]
fn topics_can_be_chosen() {
    let one = json(&format!("{THREE} -t 106 -f json"));
    assert_eq!(one["counted"]["topics"], 1);
    assert_eq!(one["topics"][0]["topic"], "106");
    let all = text(&format!("{THREE} -q"));
    assert!(all.contains("\n101 ") && all.contains("\n112 "), "{all}");
    fails(
        &format!("{THREE} -t 7"),
        2,
        "no assessor judged the topic `7`",
    );
}

#[test]
fn intervals_depend_on_the_seed_alone() {
    let run = |more: &str| text(&format!("{THREE} -f csv {more}"));
    assert_eq!(run("--seed 1 --threads 1"), run("--seed 1 --threads 2"));
    assert_ne!(run("--seed 1"), run("--seed 2"));
    assert!(
        text(&format!("{THREE} --alpha 0.1")).starts_with("90 % intervals from 2000 resamples")
    );
    fails(&format!("{THREE} --replicates 0"), 2, "replicates");
}

/// The chair's grade replaces the others', and merged judgements can be read back.
#[test]
fn merged_judgements_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let merged = folder.path().join("all.qrels");
    let path = merged.display();
    text(&format!(
        "{THREE} --merged {path} --consensus max --adjudicated chair.txt"
    ));
    let read = |path: &Path| -> Vec<Vec<String>> {
        let text = fs::read_to_string(path).unwrap();
        let line = |line: &str| line.split(' ').map(ToOwned::to_owned).collect();
        text.lines().map(line).collect()
    };
    let lines = read(&merged);
    assert_eq!(lines.len(), 202);
    let grade = |set: &[Vec<String>], topic: &str, doc: &str| {
        let mut lines = set.iter();
        let found = lines.find(|line| line[0] == topic && line[2] == doc);
        found.map(|line| line[3].clone())
    };
    let sets = ["ann", "bob", "cid", "chair"];
    let sets = sets.map(|name| read(&examples().join(format!("assessors/{name}.txt"))));
    for line in &lines {
        let [ann, bob, cid, chair] = sets.each_ref().map(|set| grade(set, &line[0], &line[2]));
        let expected = chair.or([ann, bob, cid].into_iter().flatten().max());
        assert_eq!(Some(line[3].clone()), expected, "{line:?}");
    }
    let same = json(&format!("agree {path} {path} -f json"));
    assert_eq!(same["figures"]["agreement"], 1.0);
}

/// The table of conclusions that flip, as in the guide.
#[test]
fn conclusions_that_flip_are_listed() {
    let found = json(&format!("{THREE} --runs ../runs -m AP -f json"));
    let effects = &found["effects"];
    let sets = effects["judgements"].as_array().unwrap();
    assert_eq!(sets.len(), 8);
    let measure = &effects["measures"][0];
    let conclusions = measure["conclusions"].as_array().unwrap();
    assert_eq!(conclusions.len(), 6);
    // Every verdict is the one that `compare` gives under that assessor's judgements.
    for (at, name) in ["ann", "bob", "cid"].into_iter().enumerate() {
        let alone = json(&format!("compare {name}.txt ../runs -m AP -f json"));
        for pair in alone["comparison"][0]["pairs"].as_array().unwrap() {
            let runs = |one: &Value| [one["run"].clone(), one["other"].clone()];
            let [run, other] = [pair["run"].clone(), pair["against"].clone()];
            let turned = [other.clone(), run.clone()];
            let found = conclusions
                .iter()
                .find(|one| [[run.clone(), other.clone()], turned.clone()].contains(&runs(one)));
            let found = found.unwrap();
            let is_turned = runs(found) == turned;
            let expected = match (pair["verdict"].as_str().unwrap(), is_turned) {
                ("better", true) => "worse",
                ("worse", true) => "better",
                (verdict, _) => verdict,
            };
            assert_eq!(
                found["under"][at]["verdict"], expected,
                "{name} {run} {other}"
            );
        }
    }
    let flips = conclusions
        .iter()
        .filter(|one| !one["flip"].is_null())
        .count();
    let printed = text(&format!("{THREE} --runs ../runs -m AP"));
    let listed = printed
        .lines()
        .filter(|line| line.starts_with("AP  ") && line.contains("changed"));
    assert_eq!(listed.count(), flips);
    let csv = text(&format!(
        "{THREE} --runs ../runs -m AP -f csv --consensus median"
    ));
    assert!(
        csv.starts_with("measure,figure,judgements,against,run,other,value\n"),
        "{csv}"
    );
    assert!(csv.contains("AP,tau,ann,median,,,"), "{csv}");
}

#[test]
fn two_assessors_have_an_effect_too() {
    let printed = text("agree ann.txt bob.txt --runs ../runs/bm25.run ../runs/dense.run -m AP");
    assert!(
        printed.starts_with("rows bob, columns ann; percent of column"),
        "{printed}"
    );
    assert!(
        printed.contains("AP: mean and rank of the runs"),
        "{printed}"
    );
}

#[test]
fn figures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let figure = folder.path().join("agreement.svg");
    text(&format!("{THREE} --figure {}", figure.display()));
    let svg = fs::read_to_string(&figure).unwrap();
    assert!(
        svg.contains("Agreement of assessors") && svg.contains("bob"),
        "{svg}"
    );
    fails(
        &format!("{THREE} --figure x.doc"),
        2,
        "cannot infer the format",
    );
}

#[test]
fn errors_name_their_cause() {
    fails(
        &format!("{THREE} --percent row"),
        2,
        "--percent needs exactly two files, not 3",
    );
    fails(
        &format!("{THREE} --merge-first 1"),
        2,
        "--merge-first needs exactly two files",
    );
    fails(
        &format!("{THREE} --consensus max"),
        2,
        "need --merged FILE or --runs",
    );
    fails(
        &format!("{THREE} --consensus mode --merged x"),
        2,
        "invalid value 'mode'",
    );
    fails(&format!("{THREE} -m AP"), 2, "--runs");
    fails(
        &format!("{THREE} --merged ann.txt"),
        3,
        "it is one of the inputs",
    );
    fails(
        "agree ann.txt bob.txt - --runs -",
        2,
        "can be read only once",
    );
    fails(&format!("{THREE} --runs ../runs/bm25.run"), 2, "one run");
    fails(&format!("{THREE} --runs nowhere.run"), 3, "nowhere.run");
    fails("agree ann.txt bob.txt ../runs/bm25.run", 3, "bm25.run");
}
