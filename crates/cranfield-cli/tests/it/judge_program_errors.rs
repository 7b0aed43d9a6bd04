//! Errors of programs as assessors: what is explained, and what stays as it was.

use std::fs;
use std::time::Duration;

use super::judge_programs::{fake, judge, script, summary, write_pool};
use super::process::text;

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    let check = |arguments: &str, code: i32, message: &str| {
        super::process::check_in(folder, arguments, code, "", message);
    };
    let inputs = "judge pool.run -o judged --collection docs.jsonl --topics topics.tsv";
    check(inputs, 2, "name the assessor with --as");
    check(&format!("{inputs} --as ann"), 2, "--with COMMAND");
    check(&format!("{inputs} --as a/b"), 2, "letters, digits");
    check(
        &format!("{inputs} --with no-such-program"),
        2,
        "cannot run `no-such-program`",
    );
    check(
        "judge pool.run -o judged --as ann --with cat",
        2,
        "--collection or --index",
    );
    check(
        "judge pool.run -o judged --as ann --collection docs.jsonl --with cat",
        3,
        "",
    );
    check("judge -o nowhere --export q", 3, "nowhere");
    check(
        "judge pool.run -o other --as ann --hours --overlap 0.5",
        2,
        "two assessors",
    );
    check(
        "judge pool.run -o j2 --as ann --hours --assessors ann,bob --overlap 0.5",
        0,
        "",
    );
    check(
        "judge pool.run -o j2 --as cat --hours --assessors ann,bob",
        2,
        "not one of the assessors",
    );
    let judged = judge(folder, &fake("--overlap"), &["--quiet"]);
    assert_eq!(judged.status.code(), Some(0));
    check(
        "judge pool.run -o judged --as bob --hours --seed 7",
        2,
        "began with other settings: seed 42",
    );
    fs::write(folder.join("scale.toml"), "0 = 'no'\n12 = 'yes'\n").unwrap();
    check(
        "judge pool.run -o j3 --as bob --hours --scale scale.toml",
        3,
        "expected a digit",
    );
    fs::write(folder.join("pool.run"), "t1 Q0 absent 1 1 pool\n").unwrap();
    check(
        &format!("{inputs} --with cat"),
        3,
        "1 document of the pool not found: absent",
    );
    fs::write(folder.join("pool.run"), "t99 Q0 d0 1 1 pool\n").unwrap();
    check(
        &format!("{inputs} --with cat"),
        3,
        "1 topic of the pool not found: t99",
    );
}

#[test]
fn exports_replace_nothing_that_judging_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    let check = |arguments: &str, code: i32, message: &str| {
        super::process::check_in(folder, arguments, code, "", message);
    };
    let with = fake("--truth truth.qrels");
    assert_eq!(judge(folder, &with, &["--quiet"]).status.code(), Some(0));
    let kept = || {
        ["bot.jsonl", "judging.toml", "bot.qrels"].map(|name| {
            let path = folder.join("judged").join(name);
            fs::read(path).unwrap()
        })
    };
    let before = kept();
    for name in ["bot.jsonl", "ann.jsonl", "judging.toml", "bot.qrels"] {
        let export = format!("judge -o judged --export judged/{name}");
        check(&export, 3, "judging keeps its own data in this file");
        let export = format!("./judged/../judged/{name}");
        let options = ["--fill-holes", "truth.qrels", "--export", &export];
        let output = judge(folder, &with, &options);
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains("IR008"));
    }
    assert_eq!(kept(), before);
    check(
        "judge -o judged --as bot --export judged/bot.qrels --quiet",
        0,
        "",
    );
    check("judge -o judged --export judged/all.qrels --quiet", 0, "");
}

#[test]
fn outputs_replace_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    fs::write(folder.join("prompt.txt"), "{title} {text}").unwrap();
    let with = fake("--truth truth.qrels");
    let inputs = [
        "pool.run",
        "docs.jsonl",
        "topics.tsv",
        "prompt.txt",
        "truth.qrels",
    ];
    let read = || inputs.map(|name| fs::read(folder.join(name)).unwrap());
    let before = read();
    for name in inputs {
        let options = ["--fill-holes", "truth.qrels", "--prompt", "prompt.txt"];
        let output = judge(folder, &with, &[&options[..], &["--export", name]].concat());
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{name}: {err}");
        assert!(err.contains("one of the inputs"), "{name}: {err}");
    }
    assert_eq!(read(), before);
    assert!(!folder.join("judged").exists());
}

#[test]
fn a_start_that_fails_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    fs::write(folder.join("scale.toml"), "0 = 'no'\n1 = 'yes'\n").unwrap();
    let pool = fs::read(folder.join("pool.run")).unwrap();
    fs::write(folder.join("pool.run"), "t1 Q0 absent 1 1 pool\n").unwrap();
    let with = fake("--overlap");
    assert_eq!(judge(folder, &with, &[]).status.code(), Some(3));
    fs::write(folder.join("pool.run"), pool).unwrap();
    assert_eq!(judge(folder, "no-such-program", &[]).status.code(), Some(2));
    assert_eq!(judge(folder, "false", &[]).status.code(), Some(3));
    assert!(!folder.join("judged/judging.toml").exists());
    script(folder, r#"echo "{\"id\":\"$id\",\"grade\":1}""#);
    let options = ["-f", "json", "--scale", "scale.toml"];
    let found = summary(&judge(folder, "sh grader.sh", &options), 0);
    assert_eq!(found["answered"], 10);
    let output = judge(folder, &with, &["--seed", "7"]);
    assert!(text(&output.stderr).contains("began with other settings"));
}

#[test]
fn answers_without_a_grade_fail_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 2);
    // Echoes the questions. The time-out is 120 s.
    let start = std::time::Instant::now();
    let output = judge(folder, "cat", &["-f", "json"]);
    let found = summary(&output, 3);
    assert!(start.elapsed() < Duration::from_mins(1));
    // As for grades off the scale: 20 questions are tried twice, and ten of them a third time.
    assert_eq!(found["refused"]["no grade"], 50);
    assert_eq!(found["refused"]["timed out"], 0);
    assert!(text(&output.stderr).contains("10 questions failed in a row"));
}

#[test]
fn the_reason_of_a_failing_program_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    let output = judge(folder, &fake("--overlap --no-such-option"), &["-f", "json"]);
    let found = summary(&output, 3);
    let err = text(&output.stderr);
    assert!(err.contains("exit status: 2\n"), "{err}");
    assert!(
        err.contains("note: stderr: error: unexpected argument"),
        "{err}"
    );
    assert!(err.contains("note: stderr: For more information"), "{err}");
    let first = found["messages"][0].as_str().unwrap();
    assert!(first.contains("--no-such-option"), "{first}");
    // Terminals obey no message.
    script(folder, r"printf 'a\033[2Jb\nlast\n' >&2; exit 1");
    let err = text(&judge(folder, "sh grader.sh", &["--restarts", "0"]).stderr);
    assert!(err.contains(r"stderr: a\x1b[2Jb"), "{err}");
}

#[test]
fn documents_of_unknown_topics_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 2);
    let topics: String = (2..10)
        .map(|topic| format!("t{topic}\tflows of heat\n"))
        .collect();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    let output = judge(folder, &fake("--truth truth.qrels"), &["-f", "json"]);
    let found = summary(&output, 0);
    assert_eq!(
        (&found["questions"], &found["left"]),
        (&16.into(), &0.into())
    );
    let note = "topics.tsv: 2 topics of the pool not found: t0, t1; their 4 documents are left out";
    assert!(
        text(&output.stderr).contains(note),
        "{}",
        text(&output.stderr)
    );
    let hours = "judge pool.run -o judged --as ann --hours --topics topics.tsv";
    let output = super::process::cranfield(folder, hours);
    assert!(text(&output.stdout).starts_with("16 documents left"));
    assert!(text(&output.stderr).contains(note));
}
