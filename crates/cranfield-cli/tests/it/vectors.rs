//! `cranfield eval --vector`, `--sideways` and `--scenario` as a user calls them.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use clap::Parser;
use cranfield_cli::args::Args;
use serde_json::Value;

/// Gains 1, 0 and 0, 0 in rank order; ideal gains 3, 3, 1 and 3, 2: the example of the library's page on vectors.
const QRELS: &str = "1 0 a 1\n1 0 b 0\n1 0 x 3\n1 0 y 3\n2 0 a 0\n2 0 b 0\n2 0 x 3\n2 0 y 2\n";
const POOR: &str = "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 b 2 1 t\n";
const GOOD: &str =
    "1 Q0 x 1 3 t\n1 Q0 b 2 2 t\n1 Q0 y 3 1 t\n2 Q0 a 1 3 t\n2 Q0 x 2 2 t\n2 Q0 y 3 1 t\n";
const SCENARIOS: &str = "[hasty]\ndescription = 'reads two documents'\nrank = 2\nmeasures = ['nCG', 'P']\n\
                         vectors = ['nCG']\nparameters = { gains = [0, 1, 2, 4], rel = 2 }\n\n[rest]\nrank = 3\nmeasures = ['R']\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("qrels.txt", QRELS),
        ("poor.run", POOR),
        ("good.run", GOOD),
        ("mine.toml", SCENARIOS),
        ("wrong.toml", "[hasty]\nrank = 2\nmeasures = ['nGC']\n"),
    ];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Standard output of `cranfield eval QRELS RUN... ARGUMENTS --quiet`, or the error.
fn eval(folder: &Path, runs: &[&str], arguments: &[&str]) -> Result<String, String> {
    let path = |name: &str| folder.join(name).into_os_string();
    let mut all: Vec<OsString> = ["cranfield", "eval"].map(Into::into).to_vec();
    all.push(path("qrels.txt"));
    all.extend(runs.iter().map(|run| path(run)));
    all.extend(
        arguments
            .iter()
            .map(|argument| match argument.strip_suffix(".toml") {
                Some(_) => path(argument),
                None => argument.into(),
            }),
    );
    all.push("--quiet".into());
    let args = Args::try_parse_from(all).map_err(|error| error.to_string())?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    match cranfield_cli::run(args, &mut out, &mut err) {
        Ok(_) => Ok(String::from_utf8(out).unwrap()),
        Err(error) => Err(format!("{error:#}")),
    }
}

#[track_caller]
fn check(runs: &[&str], arguments: &[&str], expected: &str) {
    let folder = folder();
    assert_eq!(
        eval(folder.path(), runs, arguments).as_deref(),
        Ok(expected)
    );
}

#[track_caller]
fn check_error(arguments: &[&str], expected: &str) {
    let folder = folder();
    let error = eval(folder.path(), &["poor.run"], arguments).unwrap_err();
    assert!(error.contains(expected), "{error}");
}

const BOTH: [&str; 2] = ["poor.run", "good.run"];

#[test]
fn a_table_has_a_block_for_each_vector() {
    check(
        &BOTH,
        &["--vector", "CG@3 nCG(average='means')@2", "--digits", "3"],
        "CG@3\n\
         run       1      2      3  avg-pos\n\
         good  1.500  3.000  5.500    3.333\n\
         poor  0.500  0.500  0.500    0.500\n\
         \n\
         nCG(average='means')@2\n\
         run       1      2  avg-pos\n\
         good  0.500  0.545    0.523\n\
         poor  0.167  0.091    0.129\n",
    );
}

#[test]
fn records_have_every_component_of_every_topic() {
    check(
        &["poor.run"],
        &["--vector", "CG@2", "-q", "-f", "csv"],
        "run,topic,vector,at,value\n\
         poor,1,CG@2,1,1\npoor,1,CG@2,2,1\npoor,1,CG@2,avg-pos,1\n\
         poor,2,CG@2,1,0\npoor,2,CG@2,2,0\npoor,2,CG@2,avg-pos,0\n\
         poor,all,CG@2,1,0.5\npoor,all,CG@2,2,0.5\npoor,all,CG@2,avg-pos,0.5\n",
    );
    check(
        &["good.run"],
        &["--vector", "IPrec(points='0.5')", "-f", "jsonl"],
        "{\"run\":\"good\",\"topic\":\"all\",\"vector\":\"IPrec(points='0.5')\",\"at\":0.5,\"value\":0.6666666666666666}\n\
         {\"run\":\"good\",\"topic\":\"all\",\"vector\":\"IPrec(points='0.5')\",\"at\":\"avg-pos\",\"value\":0.6666666666666666}\n",
    );
}

#[test]
fn one_json_document_with_provenance() {
    let folder = folder();
    let text = eval(
        folder.path(),
        &["poor.run"],
        &["--vector", "nCG@2 PR@3", "-q", "-f", "json"],
    );
    let document: Value = serde_json::from_str(&text.unwrap()).unwrap();
    assert_eq!(document["vectors"][0]["at"], serde_json::json!([1, 2]));
    let run = &document["runs"][0];
    assert_eq!(run["counted"]["topics"], 2);
    assert_eq!(run["vectors"]["nCG@2"]["values"][0], 1.0 / 6.0);
    assert_eq!(run["topics"]["1"]["nCG@2"]["values"][1], 1.0 / 6.0);
    let point = serde_json::json!({"rank": 1, "recall": 1.0 / 3.0, "precision": 1.0});
    assert_eq!(
        run["topics"]["1"]["PR@3"]["points"],
        serde_json::json!([point])
    );
    assert_eq!(run["topics"]["2"]["PR@3"]["points"], serde_json::json!([]));
}

#[test]
fn a_component_is_the_mean_that_a_measure_has() {
    let folder = folder();
    let value = |arguments: &[&str], place: usize| {
        let text = eval(folder.path(), &["good.run"], arguments).unwrap();
        let line = text.lines().nth(place).unwrap().to_owned();
        line.rsplit(',').next().unwrap().to_owned()
    };
    for rank in 1..=3 {
        let measure = format!("nDCG@{rank}");
        assert_eq!(
            value(&["--vector", "nDCG@3", "-f", "csv"], rank),
            value(&["-m", &measure, "-f", "csv"], 1)
        );
    }
}

#[test]
fn curves_are_read_sideways() {
    check(
        &BOTH,
        &["--vector", "CG@3", "--sideways", "2,3", "--sort", "input"],
        "CG@3: documents for what rank 2 gives\n\
         reading \\ for  poor  good  ideal\n\
         poor              1     –      –\n\
         good              1     2      3\n\
         \n\
         CG@3: documents for what rank 3 gives\n\
         reading \\ for  poor  good  ideal\n\
         poor              1     –      –\n\
         good              1     3      –\n",
    );
    check(
        &["good.run"],
        &["--vector", "nCG@3", "--sideways", "1", "-f", "csv"],
        "vector,run,target,rank,level,needed\nnCG@3,good,good,1,0.5,1\nnCG@3,good,ideal,1,1,\n",
    );
}

#[test]
fn all_runs_under_all_scenarios() {
    check(
        &BOTH,
        &["--scenario", "mine.toml", "--digits", "2"],
        "scenario             good  poor\n\
         hasty nCG@2          0.58  0.06\n\
         hasty P@2            0.50  0.00\n\
         hasty avg-pos nCG@2  0.54  0.09\n\
         rest R@3             0.83  0.17\n",
    );
    check(
        &["good.run"],
        &["--scenario", "mine.toml", "-m", "P", "-f", "csv"],
        "run,topic,scenario,measure,value\ngood,all,hasty,P(rel=2)@2,0.5\ngood,all,rest,P@3,0.6666666666666666\n",
    );
    check(
        &["poor.run"],
        &["--scenario", "impatient", "-m", "nDCG", "-f", "jsonl", "-q"],
        "{\"run\":\"poor\",\"topic\":\"1\",\"scenario\":\"impatient\",\"measure\":\"nDCG(gains='0,1,10,100', discount='jk')@30\",\"value\":0.004984276358726284}\n\
         {\"run\":\"poor\",\"topic\":\"2\",\"scenario\":\"impatient\",\"measure\":\"nDCG(gains='0,1,10,100', discount='jk')@30\",\"value\":0.0}\n\
         {\"run\":\"poor\",\"topic\":\"all\",\"scenario\":\"impatient\",\"measure\":\"nDCG(gains='0,1,10,100', discount='jk')@30\",\"value\":0.002492138179363142}\n",
    );
}

#[test]
fn errors_name_their_cause() {
    check_error(
        &["--vector", "nDCG"],
        "a vector needs a depth, such as nDCG@30",
    );
    check_error(&["--vector", "P@3", "-m", "AP"], "cannot be used with");
    check_error(&["--vector", "P@3", "-f", "trec"], "the trec format holds");
    check_error(
        &["--vector", "P@1", "--unjudged", "bounds"],
        "the vector P@1 has no value with unjudged=bounds",
    );
    check_error(&["--vector", "PR@3"], "add --per-topic, or use IPrec");
    check_error(
        &["--vector", "P@3", "--sideways", "4"],
        "--sideways 4 is deeper than P@3, which ends at rank 3",
    );
    check_error(
        &["--vector", "IPrec", "--sideways", "4"],
        "--sideways needs a vector by rank, which IPrec is not",
    );
    check_error(&["--sideways", "4"], "--vector");
    check_error(
        &["--vector", "P(rel=-1)@3"],
        "grades below 0 are relevant only with profile=trec_eval",
    );
    check_error(
        &["--scenario", "hasty"],
        "unknown scenario `hasty`; built in: impatient, patient",
    );
    check_error(
        &["--scenario", "wrong.toml"],
        "wrong.toml:1:1: scenario `hasty`: unknown measure `nGC`; did you mean `nCG`",
    );
    check_error(&["--scenario", "absent.toml"], "absent.toml");
    check_error(
        &["--vector", "P@3", "--qrels-format", "qrels_prefs"],
        "needs graded judgements",
    );
}
