//! `cranfield doctor`.

use std::fs;

use clap::Parser;
use cranfield_cli::args::Args;
use insta::assert_snapshot;
use tempfile::TempDir;

/// Exit code, standard output and standard error, without the name of the folder.
struct Done {
    code: u8,
    out: String,
    err: String,
}

/// Runs the command with files in a folder; arguments that name them are found there.
fn doctor(folder: &TempDir, arguments: &[&str]) -> Done {
    let place = |argument: &&str| {
        let path = folder.path().join(argument);
        let is_file = path.exists() || *argument == OUT;
        if is_file && !argument.starts_with('-') {
            path.to_string_lossy().into_owned()
        } else {
            (*argument).to_owned()
        }
    };
    let all = ["cranfield", "doctor"].map(str::to_owned).into_iter();
    let args = Args::try_parse_from(all.chain(arguments.iter().map(place)));
    let args = args.expect("the arguments are right");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = cranfield_cli::run(args, &mut out, &mut err)
        .unwrap_or_else(|error| cranfield_cli::report(&error, &mut err));
    let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace(&prefix, "");
    Done {
        code,
        out: text(out),
        err: text(err),
    }
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    folder
}

/// A file that is not there yet.
const OUT: &str = "b.out";
const HEALTHY: &str = "1 Q0 d1 1 2.5 t\n1 Q0 d2 2 1.5 t\n";
const FROM_ZERO: &str = "1 Q0 d1 0 2.5 t\r\n1 Q0 d2 1 1.5 t\r\n";
const BROKEN: &str = "1 Q0 d1 0 2.5 t\n1 Q0 d2 1 nan t\n";

#[test]
fn exit_codes_follow_the_worst_finding() {
    let files = folder(&[
        ("healthy.run", HEALTHY),
        ("zero.run", FROM_ZERO),
        ("broken.run", BROKEN),
        ("comment.run", "# c\n1 Q0 d1 1 2.5 t\n"),
    ]);
    let code = |arguments: &[&str]| doctor(&files, arguments).code;
    assert_eq!(code(&["healthy.run"]), 0);
    assert_eq!(code(&["comment.run", "--strict"]), 0);
    assert_eq!(code(&["zero.run"]), 0);
    assert_eq!(code(&["zero.run", "--strict"]), 3);
    assert_eq!(code(&["zero.run", "--strict", "--fix"]), 0);
    assert_eq!(code(&["broken.run"]), 3);
    assert_eq!(code(&["healthy.run", "broken.run"]), 3);
    assert_eq!(code(&["missing.run"]), 3);
}

#[test]
fn several_files_have_separate_reports() {
    let files = folder(&[("a.run", HEALTHY), ("q.txt", "1 0 d1 1\n")]);
    let done = doctor(&files, &["a.run", "q.txt", "--qrels", "q.txt"]);
    assert_snapshot!(done.out, @r#"
no problems in a.run: run of 1 topic, 2 lines

no problems in q.txt: qrels of 1 topic, 1 line
"#);
    assert_eq!(done.err, "");
}

#[test]
fn fix_alone_writes_nothing() {
    let files = folder(&[("a.run", FROM_ZERO)]);
    let done = doctor(&files, &["a.run", "--fix"]);
    assert_snapshot!(done.out, @r#"
warning[IR035]: ranks of topic `1` start at 0
 --> a.run:1:9
  |
1 | 1 Q0 d1 0 2.5 t
  |         ^
  = count: 1 topic
  = cause: The first rank of a topic is 0; ranks start at 1.
  = cure: Add one to each rank; the order depends on the scores only.
  = fix: recompute ranks from the scores

note[IR050]: line ends with CR LF
 --> a.run:1:16
  |
1 | 1 Q0 d1 0 2.5 t
  |                ^
  = count: 2 lines, 1 shown
  = cause: The file has Windows line ends; the carriage returns are ignored.
  = cure: Nothing to do; other tools may treat the carriage return as part of the last column.
  = fix: remove carriage returns

1 warning, 1 note in a.run: run of 1 topic, 2 lines
can be fixed in a.run (dry run, nothing was written):
  IR035 recompute ranks from the scores: 1 topic
  IR050 remove carriage returns: 2 lines
"#);
    assert_eq!(
        fs::read_to_string(files.path().join("a.run")).unwrap(),
        FROM_ZERO
    );
}

#[test]
fn fix_to_another_file() {
    let files = folder(&[("a.run", FROM_ZERO)]);
    let done = doctor(&files, &["a.run", "--fix", "-o", OUT]);
    // The findings are not repeated.
    assert!(
        done.out.starts_with("fixed a.run, wrote b.out:\n  IR035"),
        "{}",
        done.out
    );
    assert_eq!(fs::read_to_string(files.path().join(OUT)).unwrap(), HEALTHY);
    assert_eq!(
        fs::read_to_string(files.path().join("a.run")).unwrap(),
        FROM_ZERO
    );
}

#[test]
fn fix_in_place_and_again() {
    let files = folder(&[("a.run", FROM_ZERO), ("b.run", HEALTHY)]);
    let done = doctor(&files, &["a.run", "b.run", "--fix", "--in-place"]);
    assert_eq!(done.code, 0);
    for name in ["a.run", "b.run"] {
        assert_eq!(
            fs::read_to_string(files.path().join(name)).unwrap(),
            HEALTHY
        );
    }
    let again = doctor(&files, &["a.run", "--fix", "--in-place"]);
    assert!(
        again.out.ends_with("nothing to fix in a.run\n"),
        "{}",
        again.out
    );
    assert_eq!(fs::read_dir(files.path()).unwrap().count(), 2);
}

#[test]
fn fix_to_standard_output_keeps_the_report_apart() {
    let files = folder(&[("a.run", FROM_ZERO)]);
    let done = doctor(&files, &["a.run", "--fix", "-o", "-"]);
    assert_eq!(done.out, HEALTHY);
    assert_eq!(
        done.err,
        "fixed a.run, wrote -:\n  IR035 recompute ranks from the scores: 1 topic\n  IR050 remove carriage returns: 2 lines\n"
    );
}

#[test]
fn fix_leaves_what_needs_a_decision() {
    let files = folder(&[("a.run", BROKEN)]);
    let done = doctor(&files, &["a.run", "--fix", "-o", OUT]);
    assert_eq!(done.code, 3);
    assert_eq!(
        done.out,
        "not fixed: a.run has errors that need a decision:
  IR012 score is NaN or infinite: line 2
delete or correct line 2, then run it again
"
    );
    assert!(!files.path().join(OUT).exists());
}

#[test]
fn tags_are_unified() {
    let files = folder(&[("a.run", &HEALTHY.replace("1.5 t", "1.5 u"))]);
    let done = doctor(&files, &["a.run", "--fix", "--tag", "t", "-o", "-"]);
    assert_eq!(done.out, HEALTHY);
}

#[test]
fn missing_tags_are_added() {
    let untagged = HEALTHY.replace(" t\n", "\n");
    let files = folder(&[("a.run", &untagged), ("q.txt", "1 0 d1 1\n")]);
    let help = "= help: is the tag missing? cranfield doctor FILE --fix --tag NAME\n";
    let found = doctor(&files, &["a.run"]);
    assert!(found.code == 3 && found.out.contains(help), "{}", found.out);
    let done = doctor(&files, &["a.run", "--fix", "--tag", "t", "-o", "-"]);
    assert_eq!((done.code, done.out.as_str()), (0, HEALTHY));
    assert!(
        done.err.contains("IR010 add the tag: 2 lines"),
        "{}",
        done.err
    );
}

#[test]
fn quiet_reports_only_errors() {
    let broken = BROKEN.replace("t\n", "t\r\n");
    let files = folder(&[("zero.run", FROM_ZERO), ("broken.run", &broken)]);
    let quiet = doctor(&files, &["zero.run", "broken.run", "--quiet"]);
    assert_eq!(quiet.code, 3);
    assert!(quiet.out.starts_with("error[IR012]"), "{}", quiet.out);
    assert!(
        quiet
            .out
            .ends_with("\n1 error in broken.run: run of 1 topic, 2 lines\n"),
        "{}",
        quiet.out
    );
    assert!(!quiet.out.contains("IR050"), "{}", quiet.out);
    let healthy = doctor(&files, &["zero.run", "--quiet"]);
    assert_eq!((healthy.code, healthy.out.as_str()), (0, ""));
    let strict = doctor(&files, &["zero.run", "--quiet", "--strict"]);
    assert!(strict.out.starts_with("warning[IR035]"), "{}", strict.out);
    assert!(!strict.out.contains("IR050"), "{}", strict.out);
    let fixed = doctor(&files, &["zero.run", "--quiet", "--fix", "-o", OUT]);
    assert_eq!((fixed.code, fixed.out.as_str()), (0, ""));
}

#[test]
fn impossible_requests_are_usage_errors() {
    let files = folder(&[("a.run", HEALTHY), ("b.run", HEALTHY)]);
    let done = doctor(&files, &["a.run", "b.run", "--fix", "-o", OUT]);
    assert_eq!(
        (done.code, done.err.as_str()),
        (
            2,
            "error: --output needs exactly one input file, found 2; use --in-place for several\n"
        )
    );
    let stdin = doctor(&files, &["-", "--fix", "--in-place"]);
    assert_eq!(stdin.code, 2);
    for arguments in [
        &["doctor"][..],
        &["doctor", "a", "--in-place"],
        &["doctor", "a", "--grades", "x"],
        &["doctor", "a", "--depth", "0"],
    ] {
        let all = std::iter::once(&"cranfield").chain(arguments);
        assert!(Args::try_parse_from(all).is_err(), "{arguments:?}");
    }
}

#[test]
fn scale_and_kind_are_passed_on() {
    let files = folder(&[("q.txt", "1 0 d1 1\n1 0 d2 7\n")]);
    let done = doctor(
        &files,
        &[
            "q.txt", "--grades", "-1..3", "--as", "qrels", "--format", "md",
        ],
    );
    assert_snapshot!(done.out, @r#"
## q.txt

1 warning in q.txt: qrels of 1 topic, 2 lines.

| code | severity | found | first place | message | cure |
|---|---|---|---|---|---|
| IR040 | warning | 1 line | line 2 | grade is 7, expected -1 to 3 | Correct the grade, or pass the right scale. |
"#);
}

#[test]
fn json_of_several_files_is_one_object() {
    let files = folder(&[("a.run", HEALTHY), ("b.run", BROKEN)]);
    let done = doctor(
        &files,
        &["a.run", "b.run", "missing.run", "--format", "json"],
    );
    // A missing file ends the command before any file is read.
    assert_eq!((done.code, done.out.as_str()), (3, ""));
    let done = doctor(&files, &["a.run", "b.run", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["files"].as_array().unwrap().len(), 2);
    assert_eq!(value["errors"], 1);
    assert_eq!(value["files"][1]["findings"][0]["code"], "IR012");
}

#[test]
fn codes_are_listed() {
    let files = folder(&[]);
    let page = doctor(&files, &["--codes", "--format", "md"]);
    assert!(page.out.starts_with("# Diagnostics\n") && page.out.contains("| IR030 | error |"));
    let text = doctor(&files, &["--codes"]);
    assert!(text.out.starts_with("IR001 cannot read the file (error)\n"));
}
