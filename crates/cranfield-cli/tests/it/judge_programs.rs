//! Programs as assessors: faults, limits, kills, votes, holes and audits.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::kills::mixed;
use super::process::text;

/// Writes documents, topics, a pool of every document for each of ten topics, and true grades.
pub(super) fn write_pool(folder: &Path, documents: usize) {
    let line = |at: usize| {
        format!(
            "{{\"id\": \"d{at}\", \"text\": \"heat {}\"}}\n",
            mixed(at, 1, 99)
        )
    };
    fs::write(
        folder.join("docs.jsonl"),
        (0..documents).map(line).collect::<String>(),
    )
    .unwrap();
    let topics: String = (0..10)
        .map(|topic| format!("t{topic}\tflows of heat\n"))
        .collect();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    let (mut pool, mut truth) = (String::new(), String::new());
    for topic in 0..10 {
        for at in 0..documents {
            pool += &format!("t{topic} Q0 d{at} {} {} pool\n", at + 1, documents - at);
            // Half of the documents are not relevant.
            let grade = mixed(at + 1, topic, 6).saturating_sub(2);
            truth += &format!("t{topic} 0 d{at} {grade}\n");
        }
    }
    fs::write(folder.join("pool.run"), pool).unwrap();
    fs::write(folder.join("truth.qrels"), truth).unwrap();
}

fn command(folder: &Path, with: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let inputs = [
        "judge",
        "pool.run",
        "-o",
        "judged",
        "--as",
        "bot",
        "--collection",
        "docs.jsonl",
    ];
    command.current_dir(folder).args(inputs);
    command
        .args(["--topics", "topics.tsv", "--with", with])
        .args(more);
    command.stdin(Stdio::null());
    command
}

pub(super) fn judge(folder: &Path, with: &str, more: &[&str]) -> Output {
    command(folder, with, more).output().unwrap()
}

/// The command of the fake grader.
pub(super) fn fake(options: &str) -> String {
    format!(
        "'{}' fake-grader {options}",
        env!("CARGO_BIN_EXE_cranfield")
    )
}

/// The summary of a grading.
#[track_caller]
pub(super) fn summary(output: &Output, code: i32) -> Value {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    serde_json::from_str(&out).unwrap()
}

fn answers(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("judged/bot.jsonl")).unwrap();
    let events = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.filter(|event| event["kind"] != "task").collect()
}

/// Grades by topic and document.
fn grades(folder: &Path, file: &str) -> BTreeMap<(String, String), usize> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(' ').collect();
        (
            (fields[0].to_owned(), fields[2].to_owned()),
            fields[3].parse().unwrap(),
        )
    };
    text.lines().map(row).collect()
}

const CONFUSION: [[f64; 4]; 4] = [
    [0.80, 0.15, 0.05, 0.00],
    [0.20, 0.60, 0.15, 0.05],
    [0.05, 0.20, 0.60, 0.15],
    [0.00, 0.05, 0.25, 0.70],
];

/// Cohen's kappa of a table of shares.
fn kappa(table: &[[f64; 4]; 4]) -> f64 {
    let observed: f64 = (0..4).map(|at| table[at][at]).sum();
    let chance: f64 = (0..4)
        .map(|at| {
            let column: f64 = table.iter().map(|row| row[at]).sum();
            table[at].iter().sum::<f64>() * column
        })
        .sum();
    (observed - chance) / (1.0 - chance)
}

#[test]
fn a_thousand_items_with_every_fault_and_kills() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 100);
    let rows = CONFUSION
        .iter()
        .enumerate()
        .map(|(grade, row)| format!("{grade}:{}", row.map(|share| share.to_string()).join(",")));
    let rows = rows.collect::<Vec<_>>().join(";");
    let with = fake(&format!(
        "--truth truth.qrels --confusion {rows} --seed 7 --shuffle --garbage-every 13 --twice-every 17 --die-after 290 --delay 0.0003"
    ));
    for at in 0..50 {
        let mut child = command(folder, &with, &["--quiet"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(10_000 + mixed(at, 3, 40_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let known = answers_if_any(folder);
        assert!(known <= 1000);
    }
    let before = answers_if_any(folder);
    assert!(before > 0, "no kill came after an answer");
    let last = summary(&judge(folder, &with, &["-f", "json"]), 0);
    assert_eq!(last["answered"], 1000);
    assert_eq!(last["asked"].as_u64().unwrap() as usize, 1000 - before);
    // Each item was graded once, although the grader answers some twice.
    let mut ids: Vec<String> = answers(folder)
        .iter()
        .map(|event| format!("{} {}", event["topic"], event["doc"]))
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), answers(folder).len()), (1000, 1000));
    let size = fs::metadata(folder.join("judged/bot.jsonl")).unwrap().len();
    let again = summary(&judge(folder, &with, &["-f", "json"]), 0);
    assert_eq!(
        (&again["asked"], &again["answered"]),
        (&0.into(), &1000.into())
    );
    assert_eq!(
        fs::metadata(folder.join("judged/bot.jsonl")).unwrap().len(),
        size
    );
    // Agreement with the truth is that of the table of confusion.
    let (truth, found) = (
        grades(folder, "truth.qrels"),
        grades(folder, "judged/bot.qrels"),
    );
    assert_eq!(found.len(), 1000);
    let (mut measured, mut expected) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
    for (pair, grade) in &truth {
        measured[*grade][found[pair]] += 1.0 / 1000.0;
        for other in 0..4 {
            expected[*grade][other] += CONFUSION[*grade][other] / 1000.0;
        }
    }
    let agreement: f64 = (0..4).map(|at| expected[at][at]).sum();
    let chance = (agreement - kappa(&expected)) / (1.0 - kappa(&expected));
    let error = (agreement * (1.0 - agreement) / 1000.0).sqrt() / (1.0 - chance);
    let difference = kappa(&measured) - kappa(&expected);
    assert!(difference.abs() < 3.0 * error, "{difference} > 3 * {error}");
    assert!(difference != 0.0, "the grader made no errors by chance");
}

fn answers_if_any(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("judged/bot.jsonl")).unwrap_or_default();
    let complete = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    complete
        .filter(|line| line.contains("\"kind\":\"grade\""))
        .count()
}

#[test]
fn faults_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    let with =
        fake("--truth truth.qrels --shuffle --garbage-every 10 --twice-every 20 --die-after 30");
    let found = summary(&judge(folder, &with, &["-f", "json"]), 0);
    assert_eq!(found["answered"], 100);
    assert_eq!(found["restarts"], 3);
    // Answers 10, 20 and 30 of three programs and 10 of the last come after a line that is not JSON; answer 20 comes twice.
    assert_eq!(found["refused"]["not JSON"], 10);
    assert_eq!(found["refused"]["second answer"], 3);
    assert_eq!(
        grades(folder, "judged/bot.qrels"),
        grades(folder, "truth.qrels")
    );
}

#[test]
fn a_program_that_keeps_dying_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    let with = fake("--truth truth.qrels --die-after 5");
    let output = judge(folder, &with, &["-f", "json"]);
    let found = summary(&output, 3);
    assert_eq!(
        (&found["answered"], &found["left"]),
        (&20.into(), &80.into())
    );
    let err = text(&output.stderr);
    assert!(
        err.contains("stopped") && err.contains("80 questions left"),
        "{err}"
    );
    // Run again, it goes on.
    let found = summary(
        &judge(folder, &with, &["-f", "json", "--restarts", "20"]),
        0,
    );
    assert_eq!(
        (&found["asked"], &found["answered"]),
        (&80.into(), &100.into())
    );
}

/// A grader in the language of the shell, with `$id` and `$count` set for each question.
pub(super) fn script(folder: &Path, body: &str) {
    let script = format!(
        "count=0\nwhile read -r line; do\ncount=$((count + 1))\nid=$(printf '%s' \"$line\" | sed 's/^{{\"id\":\"\\([0-9a-f]*\\)\".*/\\1/')\n{body}\ndone\n"
    );
    fs::write(folder.join("grader.sh"), script).unwrap();
}

#[test]
fn errors_are_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    // Every question fails at first: it is answered when it comes again.
    script(
        folder,
        r#"case "$seen" in
*"$id"*) echo "{\"id\":\"$id\",\"grade\":1,\"reason\":\"r\",\"confidence\":0.5}" ;;
*) seen="$seen $id"; echo "{\"id\":\"$id\",\"error\":\"rate\",\"retry_after\":0.01}" ;;
esac"#,
    );
    let found = summary(&judge(folder, "sh grader.sh", &["-f", "json"]), 0);
    assert_eq!(found["answered"], 10);
    assert_eq!(found["refused"]["error"], 10);
    assert_eq!(answers(folder)[0]["note"], "r");
    assert_eq!(answers(folder)[0]["machine"]["confidence"], 0.5);
}

#[test]
fn wrong_answers_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 2);
    script(
        folder,
        r#"echo "{\"id\":\"unknown\",\"grade\":1}"
echo "{\"id\":\"$id\",\"grade\":7}""#,
    );
    let output = judge(folder, "sh grader.sh", &["-f", "json"]);
    let found = summary(&output, 3);
    assert_eq!(
        (&found["answered"], &found["left"]),
        (&0.into(), &20.into())
    );
    // All questions are tried twice; when ten have failed for the third time, the program is given up.
    assert_eq!(found["refused"]["grade off the scale"], 50);
    assert_eq!(found["refused"]["unknown id"], 50);
    assert!(text(&output.stderr).contains("10 questions failed in a row"));
    assert!(answers(folder).is_empty());
}

#[test]
fn a_silent_program_is_restarted_and_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    script(folder, "sleep 60");
    let options = ["-f", "json", "--timeout", "0.1", "--restarts", "2"];
    let found = summary(&judge(folder, "sh grader.sh", &options), 3);
    assert_eq!(
        (&found["left"], &found["restarts"]),
        (&10.into(), &2.into())
    );
    assert_eq!(found["refused"]["timed out"], 3);
}

#[test]
fn plain_answers_and_skips() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 1);
    script(folder, "echo 'It mentions heat.'\necho 'Grade: 2'");
    let found = summary(
        &judge(folder, "sh grader.sh", &["-f", "json", "--plain"]),
        0,
    );
    assert_eq!(found["grades"]["2"], 10);
    assert_eq!(answers(folder)[9]["note"], "It mentions heat.");
    // Another prompt is another task, and everything is asked again. What is skipped is not asked again.
    fs::write(
        folder.join("prompt.txt"),
        "Grade {text} for {title}: {scale}",
    )
    .unwrap();
    script(folder, r#"echo "{\"id\":\"$id\",\"skip\":\"too long\"}""#);
    let options = ["-f", "json", "--prompt", "prompt.txt"];
    let found = summary(&judge(folder, "sh grader.sh", &options), 0);
    assert_eq!(
        (&found["asked"], &found["answered"]),
        (&10.into(), &10.into())
    );
    assert_eq!(found["grades"], serde_json::json!({}));
    assert_eq!(
        fs::read_to_string(folder.join("judged/bot.qrels")).unwrap(),
        ""
    );
    let found = summary(&judge(folder, "sh grader.sh", &options), 0);
    assert_eq!(found["asked"], 0);
    // The first prompt again: its answers are still there.
    let found = summary(&judge(folder, "sh grader.sh", &["-f", "json"]), 0);
    assert_eq!(
        (&found["asked"], &found["grades"]["2"]),
        (&0.into(), &10.into())
    );
}

#[test]
fn votes_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    let with = fake("--truth truth.qrels --confusion 0:.8,.2;1:.2,.8;2:0,.2,.8;3:0,0,.2,.8");
    let one = summary(&judge(folder, &with, &["-f", "json"]), 0);
    assert_eq!(one["self_agreement"], Value::Null);
    let three = summary(&judge(folder, &with, &["-f", "json", "--votes", "3"]), 0);
    // The first votes are known.
    assert_eq!(
        (&three["asked"], &three["answered"]),
        (&200.into(), &300.into())
    );
    // Two votes agree with probability 0.8² + 0.2² = 0.68.
    let agreement = three["self_agreement"]["percent"].as_f64().unwrap();
    assert!((0.58..0.78).contains(&agreement), "{agreement}");
    let right = |name: &str| {
        let found = grades(folder, name);
        let truth = grades(folder, "truth.qrels");
        truth
            .iter()
            .filter(|(pair, grade)| found[pair] == **grade)
            .count()
    };
    // A majority of three is right with probability 0.896.
    assert!(
        right("judged/bot.qrels") > 84,
        "{}",
        right("judged/bot.qrels")
    );
}

#[test]
fn holes_are_filled_and_audits_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 10);
    let truth = fs::read_to_string(folder.join("truth.qrels")).unwrap();
    let known: String = truth.split_inclusive('\n').step_by(3).collect();
    fs::write(folder.join("known.qrels"), &known).unwrap();
    let with = fake("--truth truth.qrels");
    let options = [
        "-f",
        "json",
        "--fill-holes",
        "known.qrels",
        "--export",
        "filled.qrels",
        "--audit",
        "12",
    ];
    let output = judge(folder, &with, &options);
    let found = summary(&output, 0);
    let holes = 100 - known.lines().count();
    assert_eq!(found["asked"], holes);
    let filled = fs::read_to_string(folder.join("filled.qrels")).unwrap();
    assert_eq!(
        filled.lines().filter(|line| line.contains(" bot ")).count(),
        holes
    );
    assert!(
        known
            .lines()
            .all(|line| filled.lines().any(|other| other == line))
    );
    assert_eq!(
        grades(folder, "filled.qrels"),
        grades(folder, "truth.qrels")
    );
    // The audit is a pool with a few of each grade.
    let audit = fs::read_to_string(folder.join("judged/bot.audit.run")).unwrap();
    let truth = grades(folder, "truth.qrels");
    let mut counts = [0; 4];
    for line in audit.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        counts[truth[&(fields[0].to_owned(), fields[2].to_owned())]] += 1;
    }
    assert_eq!(counts, [3, 3, 3, 3]);
    assert!(text(&output.stderr).contains("12 documents for a person to judge"));
}

/// Writes three runs with 12 documents for each of ten topics.
fn write_runs(folder: &Path) {
    for run in 0..3 {
        let mut text = String::new();
        for topic in 0..10 {
            let mut docs: Vec<usize> = (0..30).collect();
            docs.sort_by_key(|doc| mixed(doc + 1, 10 * topic + run, 1000));
            for (at, doc) in docs.iter().take(12).enumerate() {
                text += &format!("t{topic} Q0 d{doc} {} {} r{run}\n", at + 1, 12 - at);
            }
        }
        fs::write(folder.join(format!("r{run}.run")), text).unwrap();
    }
}

#[test]
fn strategies_choose_while_a_program_judges() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 30);
    write_runs(folder);
    let live = |name: &str, strategy: &str, with: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
        command
            .current_dir(folder)
            .args(["judge", "r?.run", "-o", "judged", "--as", name]);
        command.args(["--collection", "docs.jsonl", "--topics", "topics.tsv"]);
        command.args(["--strategy", strategy, "--budget", "8", "--level", "2"]);
        command.args(["--with", with, "-f", "json", "--restarts", "0"]);
        command.stdin(Stdio::null()).output().unwrap()
    };
    let order = |name: &str| {
        let text = fs::read_to_string(folder.join(format!("judged/{name}.jsonl"))).unwrap();
        let events = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let events = events.filter(|event| event["kind"] == "grade");
        let pair = |event: Value| (event["topic"].clone(), event["doc"].clone());
        events.map(pair).collect::<Vec<_>>()
    };
    for (at, strategy) in ["mtf", "mm(0.9)", "thompson", "ucb", "hedge", "mtc"]
        .iter()
        .enumerate()
    {
        let name = format!("bot{at}");
        // Ends after each 30 answers, and is run again.
        let with = fake("--truth truth.qrels --die-after 30");
        assert_eq!(summary(&live(&name, strategy, &with), 3)["answered"], 30);
        assert_eq!(live(&name, strategy, &with).status.code(), Some(3));
        let found = summary(&live(&name, strategy, &with), 0);
        assert_eq!(
            (&found["left"], &found["asked"]),
            (&0.into(), &20.into()),
            "{strategy}"
        );
        // Known judgements as answers give the same order.
        let make = format!(
            "pool make r0.run r1.run r2.run --strategy {strategy} --budget 8 --level 2 --qrels truth.qrels -o {name}.run --quiet"
        );
        assert!(super::process::cranfield(folder, &make).status.success());
        let pool = fs::read_to_string(folder.join(format!("{name}.run"))).unwrap();
        let rows = pool.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let rows = rows.map(|row| (Value::from(row[0]), Value::from(row[2])));
        assert_eq!(order(&name), rows.collect::<Vec<_>>(), "{strategy}");
        let found = summary(&live(&name, strategy, &with), 0);
        assert_eq!(found["asked"], 0);
    }
    // Another strategy gives a whole pool.
    let found = summary(&live("all", "depth(2)", &fake("--truth truth.qrels")), 0);
    assert!((20..=60).contains(&found["answered"].as_u64().unwrap()));
    let check = |arguments: &str, code: i32, message: &str| {
        super::process::check_in(folder, arguments, code, "", message);
    };
    let inputs =
        "judge r0.run r1.run -o judged --collection docs.jsonl --topics topics.tsv --with cat";
    check(inputs, 2, "use --strategy");
    check(
        &format!("{inputs} --strategy mtf --votes 3"),
        2,
        "needs a finished pool",
    );
    check(
        &format!("{inputs} --strategy mtf --fill-holes truth.qrels"),
        2,
        "needs a finished pool",
    );
    check(
        "judge r?.run -o x --as ann --hours --strategy mtf --budget 3",
        0,
        "",
    );
}

#[test]
fn a_question_that_fails_holds_up_its_topic_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_pool(folder, 3);
    // The first document of topic 4 always fails.
    script(
        folder,
        r#"case "$line" in
*'"topic":"t4"'*) echo "{\"id\":\"$id\",\"error\":\"x\"}" ;;
*) echo "{\"id\":\"$id\",\"grade\":1}" ;;
esac"#,
    );
    let options = ["-f", "json", "--strategy", "mtf"];
    let found = summary(&judge(folder, "sh grader.sh", &options), 3);
    assert_eq!(
        (&found["answered"], &found["left"]),
        (&27.into(), &3.into())
    );
    assert_eq!(found["refused"]["error"], 3);
}
