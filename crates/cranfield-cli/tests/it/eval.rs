//! `cranfield eval` and `convert` as processes: exit codes, streams, files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const QRELS: &str = "1 0 a 1\n1 0 b 0\n2 0 c 2\n";
const RUN: &str = "1 Q0 b 1 2.0 tag\n1 Q0 a 2 1.0 tag\n2 Q0 c 1 1.0 tag\n";

/// A folder with qrels, a run, and a broken run.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("qrels.txt"), QRELS).unwrap();
    fs::write(folder.path().join("good.run"), RUN).unwrap();
    fs::write(
        folder.path().join("bad.run"),
        "1 Q0 a 1 high tag\n1 Q0 b 1\n",
    )
    .unwrap();
    folder
}

fn cranfield(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    command
        .current_dir(folder)
        .args(arguments.split(' '))
        .stdin(Stdio::null());
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn check(arguments: &str, code: i32, in_stdout: &str, in_stderr: &str) {
    let folder = folder();
    let output = cranfield(folder.path(), arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    assert!(out.contains(in_stdout), "{out}");
    assert!(err.contains(in_stderr), "{err}");
}

#[test]
fn values_go_to_standard_output_and_notes_to_standard_error() {
    let line = r#"{"run":"good","topic":"all","measure":"AP","value":0.75}"#;
    check(
        "eval qrels.txt good.run -m AP -f jsonl",
        0,
        line,
        "note: 2 topics evaluated, 2 judged",
    );
    check(
        "eval qrels.txt good.run -m AP --quiet",
        0,
        "good  0.7500",
        "",
    );
}

#[test]
fn wrong_options_are_usage_errors() {
    check(
        "eval qrels.txt good.run -m nDGC",
        2,
        "",
        "did you mean `nDCG`",
    );
    check(
        "eval qrels.txt good.run -l nan",
        2,
        "",
        "a relevance level must be a finite number",
    );
    check(
        "eval qrels.txt good.run -l -1",
        2,
        "",
        "grades below 0 are relevant only with --profile trec_eval",
    );
    check(
        "eval qrels.txt good.run -m AP(rel=-1)",
        2,
        "",
        "grades below 0 are relevant only with --profile trec_eval",
    );
    check("eval qrels.txt - - -m AP", 2, "", "can be read only once");
    check(
        "eval qrels.txt good.run --ties docid",
        2,
        "",
        "[possible values: docid-desc, ",
    );
}

#[test]
fn errors_in_inputs_name_the_line() {
    check(
        "eval qrels.txt bad.run",
        3,
        "",
        "score is `high`, expected a number",
    );
    check("eval qrels.txt bad.run", 3, "", "bad.run:2:1");
    check("eval qrels.txt nowhere.run", 3, "", "nowhere.run");
    check("eval good.run qrels.txt", 3, "", "IR003");
}

#[test]
fn expected_counts_are_not_cut() {
    let folder = folder();
    fs::write(
        folder.path().join("tied.run"),
        "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n1 Q0 x 3 1 t\n",
    )
    .unwrap();
    let arguments = "eval qrels.txt tied.run -m NumRelRet --ties expected --depth 1 --topics both -f jsonl --quiet";
    assert!(text(&cranfield(folder.path(), arguments).stdout).contains("\"value\":0.333333"));
}

#[test]
fn ties_and_holes_are_shown_as_intervals() {
    let folder = folder();
    let run = "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n1 Q0 x 3 0 t\n";
    fs::write(folder.path().join("tied.run"), run).unwrap();
    let table = |options: &str| {
        let arguments =
            format!("eval qrels.txt tied.run -m RR,R@2 --topics both --quiet {options}");
        text(&cranfield(folder.path(), &arguments).stdout)
    };
    assert!(table("--ties bounds").contains("0.5000..1.0000  1.0000"));
    // One relevant document and an unjudged one at rank 3: recall is 1, or 1/2.
    assert!(table("--unjudged bounds").contains("0.5000  0.5000..1.0000"));
    let both = table("--ties bounds --unjudged bounds -f csv");
    assert!(
        both.contains("tied,all,RR,0.5,1\ntied,all,R@2,0.5,1\n"),
        "{both}"
    );
    let json = table("--ties bounds -f jsonl");
    assert!(json.contains("\"value\":0.5,\"upper\":1.0"), "{json}");
}

#[test]
fn grades_are_needed_to_bound_ties() {
    let wanted = "cannot be computed with --ties bounds";
    let arguments = "eval qrels.txt good.run --qrels-format qrels_prefs --ties bounds";
    check(arguments, 3, "", wanted);
}

#[test]
fn counts_stay_whole_in_intervals() {
    let folder = folder();
    let run = "1 Q0 a 1 2 t\n1 Q0 x 2 1 t\n";
    fs::write(folder.path().join("holes.run"), run).unwrap();
    let result = |options: &str| {
        let arguments = format!(
            "eval qrels.txt holes.run -m NumRelRet,NumRet,RelString --topics both --quiet {options}"
        );
        text(&cranfield(folder.path(), &arguments).stdout)
    };
    assert!(result("--unjudged bounds").contains("1..2       2"));
    assert!(result("--unjudged bounds -f csv").contains("NumRelRet,1,2\n"));
    assert!(result("--unjudged bounds -f jsonl").contains("\"value\":1,\"upper\":2"));
    assert!(result("--unjudged bounds -f trec").contains("all\t1..2\n"));
    // What RelString shows of an unjudged document is what it counts as.
    assert!(result("--unjudged bounds -q -f csv").contains("RelString,1-,"));
    assert!(result("--unjudged relevant -q -f csv").contains("RelString,11\n"));
}

#[test]
fn the_trec_format_has_what_averages_make_of_undefined_values() {
    let folder = folder();
    fs::write(folder.path().join("none.txt"), "1 0 a 0\n2 0 c 2\n").unwrap();
    let lines = |options: &str| {
        let arguments = format!("eval none.txt good.run -q -f trec --quiet {options}");
        text(&cranfield(folder.path(), &arguments).stdout)
    };
    let zero = lines("-m AP");
    assert!(
        zero.contains("AP                    \t1\t0.0000\n"),
        "{zero}"
    );
    assert!(zero.contains("\tall\t0.5000\n"), "{zero}");
    let skip = lines("-m AP --undefined skip");
    assert!(
        skip.contains("AP                    \t1\t   nan\n"),
        "{skip}"
    );
    assert!(skip.contains("\tall\t1.0000\n"), "{skip}");
    // Smaller is better: 0 would be the best value, so that it is left out.
    let length = lines("-m ESL");
    assert!(
        length.contains("ESL                   \t1\t   nan\n"),
        "{length}"
    );
    let trec = lines("-m map --profile trec_eval");
    assert!(
        trec.contains("map                   \t1\t0.0000\n"),
        "{trec}"
    );
}

#[test]
fn notes_name_the_measures_that_are_estimated() {
    let folder = folder();
    let judged = (0..20).map(|n| format!("1 0 d{n:02} {}\n", n % 3));
    fs::write(folder.path().join("flat.txt"), judged.collect::<String>()).unwrap();
    let run = (0..20).map(|n| format!("1 Q0 d{n:02} 1 1 t\n"));
    fs::write(folder.path().join("flat.run"), run.collect::<String>()).unwrap();
    // infAP, which is estimated, is between 70 and 10 measures that are not.
    let before: String = (1..=70).map(|k| format!(" -m P@{k}")).collect();
    let after: String = (1..=10).map(|k| format!(" -m R@{k}")).collect();
    let names = format!("{before} -m infAP{after}");
    let arguments = format!("eval flat.txt flat.run --ties expected -f csv{names}");
    let err = text(&cranfield(folder.path(), &arguments).stderr);
    assert!(
        err.contains("note: infAP: values are the mean over sampled orders of ties, for up to 1 topic of a run"),
        "{err}"
    );
}

#[test]
fn a_run_given_twice_has_two_names() {
    check(
        "eval qrels.txt good.run good.run -m AP --quiet",
        0,
        "good (2)  0.7500",
        "",
    );
}

#[test]
fn meaningless_options_are_errors() {
    check(
        "eval qrels.txt good.run --depth 0",
        2,
        "",
        "expected a whole number of at least 1",
    );
    check(
        "eval qrels.txt good.run --vector P@5 --sideways 2 -q",
        2,
        "",
        "cannot be used with",
    );
    check(
        "eval qrels.txt good.run --vector IPrec(points='0,2')",
        2,
        "",
        "points: 2 is no recall level",
    );
    check("eval qrels.txt good.run -m PR", 2, "", "--vector PR@100");
    check("measures PR", 2, "", "--vector PR@100");
    check("measures official", 0, "GMAP", "");
    check("measures official", 0, "`cranfield measures NAME`", "");
    check("measures map", 0, "Average precision", "");
}

#[test]
fn orders_of_ties_that_the_depth_leaves_without_a_value_count() {
    let folder = folder();
    let run = "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n";
    fs::write(folder.path().join("tied.run"), run).unwrap();
    let value = |options: &str| {
        let arguments = format!(
            "eval qrels.txt tied.run -m Accuracy --topics both --depth 1 --quiet -f csv {options}"
        );
        text(&cranfield(folder.path(), &arguments).stdout)
    };
    // Either the relevant document is kept, or none.
    assert!(value("--ties bounds").contains("Accuracy,0,1\n"));
    assert!(value("--ties worst").contains("Accuracy,0\n"));
    assert!(value("--ties expected").contains("Accuracy,0.5\n"));
    assert!(value("--ties bounds --undefined skip").contains("Accuracy,1,1\n"));
}

#[test]
fn undefined_values_do_not_flatter() {
    let folder = folder();
    fs::write(
        folder.path().join("half.run"),
        "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n",
    )
    .unwrap();
    // Topic 2 is missing: its search length is not known, and its reciprocal rank is 0.
    let output = cranfield(folder.path(), "eval qrels.txt half.run -m ESL,RR -f csv");
    assert!(text(&output.stdout).contains("half,all,ESL,1\nhalf,all,RR,0.25\n"));
    assert!(
        text(&output.stderr)
            .contains("where a lower-is-better measure is undefined, excluded from its mean")
    );
}

#[test]
fn standard_output_as_a_file_is_appended_to() {
    let folder = folder();
    let path = folder.path().join("all.txt");
    fs::write(&path, "before\n").unwrap();
    let file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let arguments = [
        "eval",
        "qrels.txt",
        "good.run",
        "-m",
        "AP",
        "--quiet",
        "-o",
        "/dev/stdout",
    ];
    let status = command
        .current_dir(folder.path())
        .args(arguments)
        .stdout(file)
        .status()
        .unwrap();
    assert!(status.success());
    let all = fs::read_to_string(&path).unwrap();
    assert!(
        all.starts_with("before\n") && all.contains("0.7500"),
        "{all}"
    );
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let path = folder.path().join("old.run");
    fs::write(&path, "old\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let output = cranfield(folder.path(), "convert good.run old.run --to trec");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_cannot_be_written_is_named() {
    for arguments in [
        "eval qrels.txt good.run",
        "--help",
        "eval qrels.txt good.run -o /dev/full",
    ] {
        let folder = folder();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
        command.current_dir(&folder).args(arguments.split(' '));
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let ended = command.stdout(full).output().unwrap();
        assert_eq!(ended.status.code(), Some(3), "{arguments}");
        let name = if arguments.contains("-o") {
            "/dev/full"
        } else {
            "<stdout>"
        };
        assert!(text(&ended.stderr).contains(name), "{arguments}");
    }
}

#[test]
#[cfg(unix)]
fn paths_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"odd-\xff.run");
    fs::copy(folder.path().join("good.run"), folder.path().join(name)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(&folder).args(["eval", "qrels.txt"]);
    assert!(command.arg(name).status().unwrap().success());
}

#[test]
fn the_kind_of_a_table_is_detected_from_its_fields() {
    let folder = folder();
    let convert = |name: &str, content: &str| {
        fs::write(folder.path().join(name), content).unwrap();
        text(&cranfield(folder.path(), &format!("convert {name} - --to trec")).stderr)
    };
    assert!(convert("a.csv", "topic,doc,rank,score\n1,a,1,2.5\n").contains("1 line of 1 topic"));
    assert!(convert("b.csv", "topic,doc,rel\n1,a,1\n").contains("1 judgement of 1 topic"));
    assert!(convert("c.csv", "topic,doc,score\n1,a,1\n").contains("--kind run or --kind qrels"));
}

#[test]
fn an_output_appears_only_on_success() {
    let folder = folder();
    fs::write(folder.path().join("scores.csv"), "old").unwrap();
    let output = cranfield(folder.path(), "eval qrels.txt bad.run -f csv -o scores.csv");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        fs::read_to_string(folder.path().join("scores.csv")).unwrap(),
        "old"
    );
    let output = cranfield(
        folder.path(),
        "eval qrels.txt good.run -m AP -f csv -o scores.csv",
    );
    assert_eq!(output.status.code(), Some(0));
    let written = fs::read_to_string(folder.path().join("scores.csv")).unwrap();
    assert_eq!(written, "run,topic,measure,value\ngood,all,AP,0.75\n");
}

#[test]
fn threads_change_no_byte() {
    let folder = folder();
    let with = |threads: &str| {
        let arguments = format!(
            "eval qrels.txt good.run -m all_trec --profile trec_eval -q -f csv --threads {threads}"
        );
        let output = cranfield(folder.path(), &arguments);
        (output.stdout, output.stderr)
    };
    let once = with("1");
    assert_eq!(with("2"), once);
    assert_eq!(with("2"), once);
}

#[test]
fn intents_weight_judgement_groups_and_must_fit_them() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("groups.txt", "1 A a 1\n1 B b 1\n");
    // The run has b first, which only users with intent B want.
    write("intents.txt", "1 A 4\n1 B 1\n");
    write("half.txt", "1 A 1\n");
    let grouped = "eval groups.txt good.run -m D_nDCG@1 --qrels-format qrels_jg -f csv --quiet";
    let run = |arguments: &str| {
        let output = cranfield(folder.path(), arguments);
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (_, equal, _) = run(grouped);
    assert_eq!(equal, "run,topic,measure,value\ngood,all,D_nDCG@1,1\n");
    let (_, weighted, _) = run(&grouped.replace("good.run", "good.run --intents intents.txt"));
    assert_eq!(
        weighted,
        "run,topic,measure,value\ngood,all,D_nDCG@1,0.25\n"
    );
    let (code, _, error) = run(&grouped.replace("good.run", "good.run --intents half.txt"));
    assert_eq!(code, Some(3));
    assert!(
        error.contains("intent `B` of topic `1` is judged but has no probability"),
        "{error}"
    );
    let (code, _, error) = run("eval qrels.txt good.run -m AP --intents intents.txt");
    assert_eq!(code, Some(3));
    assert!(error.contains("intents need judgement groups"), "{error}");
}
