//! `cranfield eval` with judgements of samples, known documents and sessions.

use std::fs;

use crate::process::{check_in, cranfield, text};

/// Stratum 1 is judged completely, of stratum 2 half.
const STRATA: &str = "1 0 d0 1 2\n1 0 d1 1 0\n1 0 d2 1 1\n1 0 d3 1 0\n1 0 d4 2 1\n1 0 d5 2 -1\n1 0 d6 2 -1\n1 0 d7 2 0\n1 0 d8 2 -1\n1 0 d9 2 1\n";
const STRATA_RUN: [&str; 10] = ["d0", "d5", "x1", "d4", "d1", "d9", "d2", "d8", "x2", "d7"];
const QRELS: &str = "1 0 a 1\n1 0 b 2\n1 0 c 1\n1 0 d 1\n1 0 y 0\n2 0 a 2\n";
const RUN: &str =
    "1 Q0 x 1 5 t\n1 Q0 a 2 4 t\n1 Q0 b 3 3 t\n1 Q0 y 4 2 t\n1 Q0 c 5 1 t\n2 Q0 a 1 1 t\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    let ranked = STRATA_RUN.iter().zip(1..);
    let ranked: String = ranked
        .map(|(doc, rank)| format!("1 Q0 {doc} {rank} {} t\n", 100 - rank))
        .collect();
    write("pool.strata", STRATA);
    write("strata.run", &ranked);
    write("sample.prels", "1 a 2 1 0.25\n1 y 0 1 0.5\n1 c 1 1 1\n");
    write("qrels.txt", QRELS);
    write("mine.run", RUN);
    write(
        "mine.json",
        r#"{"1": {"x": 5, "a": 4, "b": 3, "y": 2, "c": 1}, "2": {"a": 1}}"#,
    );
    write("known.txt", "# read before\n1 a\n1\td\n1 y\n1 a\n");
    write("sessions.txt", "s 1\ns 2\n");
    write("strange.txt", "1 a\n7 a\n");
    write("broken.txt", "s 1 2\n");
    folder
}

#[track_caller]
fn check(arguments: &str, code: i32, in_stdout: &str, in_stderr: &str) {
    check_in(folder().path(), arguments, code, in_stdout, in_stderr);
}

/// The values of a topic, by measure.
fn values(arguments: &str) -> Vec<(String, f64)> {
    let output = cranfield(folder().path(), &format!("{arguments} -q -f csv --quiet"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let topic = lines.lines().filter(|line| line.contains(",1,"));
    let fields = topic.map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    fields
        .map(|fields| (fields[2].clone(), fields[3].parse().unwrap()))
        .collect()
}

#[test]
fn a_pool_sampled_by_strata() {
    // Printed by sample_eval.pl for these files.
    let expected = [
        ("xinfAP", 0.702_375_952_514_282),
        ("infNDCG", 0.846_710_518_977_84),
        ("iP@10", 0.533_330_666_693_333),
        ("iNumRelRet", 5.333_306_666_933_33),
        ("iNumRel", 6.0),
    ];
    let values = values("eval pool.strata strata.run --qrels-format strata");
    for ((name, value), (measure, expected)) in values.iter().zip(expected) {
        assert_eq!(name, measure);
        assert!((value - expected).abs() < 1e-12, "{name}: {value}");
    }
    assert_eq!(values.len(), 5);
}

#[test]
fn documents_drawn_with_probabilities() {
    let values = values("eval sample.prels mine.run --qrels-format prels");
    // Relevant a at rank 2 represents four documents, c at rank 5 one: (4 / 2 + (1 + 4) / 5) / 5.
    let expected = [("statAP", 0.6), ("statP@10", 0.5), ("statNumRel", 5.0)];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(values, expected);
}

#[test]
fn known_documents_with_other_measures() {
    let command = "eval qrels.txt mine.run --known known.txt -m";
    let first = |name: &str| values(&format!("{command} {name}"))[0].1;
    assert_eq!(first("Coverage"), 0.5);
    assert!((first("Novelty") - 2.0 / 3.0).abs() < 1e-15);
    assert_eq!(first("RelativeRecall"), 1.5);
    assert_eq!(first("RecallEffort"), 0.4);
    assert_eq!(first("Coverage@1"), 0.0);
    let same = values(&format!("{command} Coverage,P@5 --unjudged condensed"));
    assert_eq!(same[1].1, 0.6);
    // Another format goes another way to the same values.
    let json = values("eval qrels.txt mine.json --known known.txt");
    assert_eq!(json, values("eval qrels.txt mine.run --known known.txt"));
    let strange = "eval qrels.txt mine.run --known strange.txt -m Coverage";
    check(
        strange,
        0,
        "",
        "strange.txt: 1 topic is not in the judgements [IR036]",
    );
    check(
        &format!("{command} Coverage -f json"),
        0,
        "\"path\": \"known.txt\"",
        "",
    );
}

#[test]
fn a_topic_without_known_documents_is_undefined() {
    let command = "eval qrels.txt mine.run --known known.txt -m Coverage";
    check(
        command,
        0,
        "0.2500",
        "1 topic of mine where a measure is undefined, counted as 0",
    );
    check(&format!("{command} --undefined skip"), 0, "0.5000", "");
    check(
        &format!("{command} --profile trec_eval -f trec"),
        0,
        "all\t0.2500",
        "",
    );
}

#[test]
fn sessions_take_the_place_of_topics() {
    // Ranks 2, 3 and 5 of the first ranking, rank 1 of the second.
    let log = |x: f64| 1.0 + x.log2();
    let first = 1.0 / log(2.0) + 2.0 / log(3.0) + 1.0 / log(5.0);
    let second = 2.0 / 1.5;
    let command = "eval qrels.txt mine.run --sessions sessions.txt -m SessionDCG -f jsonl";
    let output = cranfield(folder().path(), command);
    let line = text(&output.stdout);
    let value: f64 = line
        .trim_end_matches("}\n")
        .rsplit(':')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!((value - first - second).abs() < 1e-12, "{line}");
    assert!(text(&output.stderr).contains("1 session evaluated, 1 judged"));
    check(
        "eval qrels.txt mine.json --sessions sessions.txt",
        0,
        "nsDCG@10",
        "",
    );
}

#[test]
fn errors_name_the_file_that_a_measure_needs() {
    check("eval qrels.txt mine.run -m Coverage", 3, "", "as --known");
    check("eval qrels.txt mine.run -m nsDCG", 3, "", "as --sessions");
    check(
        "eval qrels.txt mine.run -m xinfAP",
        3,
        "",
        "--qrels-format strata",
    );
    check(
        "eval qrels.txt mine.run -m statAP",
        3,
        "",
        "--qrels-format prels",
    );
    check(
        "eval qrels.txt mine.run --sessions sessions.txt -m AP",
        3,
        "",
        "omit --sessions",
    );
    check(
        "eval pool.strata mine.run --qrels-format strata -m AP",
        3,
        "",
        "xinfAP, infNDCG",
    );
    check(
        "eval sample.prels mine.run --qrels-format prels -m iP@5",
        3,
        "",
        "statAP",
    );
    check(
        "eval pool.strata mine.run",
        3,
        "",
        "5 columns may be strata, prels or prefs",
    );
    check("measures", 0, "(--known FILE)", "");
    check("measures nsDCG", 0, "needs --sessions FILE", "");
}

#[test]
fn meaningless_policies_are_errors() {
    let known = "eval qrels.txt mine.run --known known.txt";
    check(
        &format!("{known} --ties expected"),
        3,
        "",
        "with --ties expected",
    );
    check(
        &format!("{known} --unjudged bounds"),
        3,
        "",
        "with --unjudged bounds",
    );
    let strata = "eval pool.strata strata.run --qrels-format strata";
    check(&format!("{strata} --ties best"), 3, "", "ties best");
    check(
        &format!("{strata} --unjudged condensed"),
        3,
        "",
        "with --unjudged condensed",
    );
    check(
        &format!("{strata} --unjudged bounds"),
        3,
        "",
        "use --unjudged nonrelevant",
    );
    check(
        "eval qrels.txt mine.run --vector P@5 --unjudged bounds",
        3,
        "",
        "use --unjudged nonrelevant",
    );
    check(
        "eval qrels.txt - --known - -m Coverage",
        2,
        "",
        "can be read only once",
    );
    check(
        "eval qrels.txt mine.run --sessions broken.txt",
        3,
        "",
        "broken.txt:1:5",
    );
}

#[test]
fn explain_agrees_with_eval() {
    let cases = [
        (
            "pool.strata strata.run --qrels-format strata",
            "xinfAP infNDCG iP@5",
        ),
        (
            "sample.prels mine.run --qrels-format prels",
            "statAP statP@5",
        ),
        (
            "qrels.txt mine.run --known known.txt",
            "Coverage Novelty RecallEffort AP",
        ),
    ];
    for (files, measures) in cases {
        for measure in measures.split(' ') {
            let wanted = values(&format!("eval {files} -m {measure}"));
            let arguments = format!("explain {files} -m {measure} -t 1 -f json");
            let output = cranfield(folder().path(), &arguments);
            assert!(output.status.success(), "{}", text(&output.stderr));
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let printed = document.to_string();
            let number = |key: &str| -> f64 {
                let (_, rest) = printed.split_once(&format!("\"{key}\":")).unwrap();
                let end = rest.find([',', '}']).unwrap();
                rest[..end].parse().unwrap()
            };
            assert_eq!(number("value"), wanted[0].1, "{measure}");
            assert!(
                (number("sum_of_shares") - wanted[0].1).abs() < 1e-12,
                "{measure}"
            );
        }
    }
}

/// The JSON of what is explained.
fn explained(arguments: &str) -> serde_json::Value {
    let output = cranfield(folder().path(), &format!("explain {arguments} -f json"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    document["explanations"][0].clone()
}

#[test]
fn a_session_is_explained_ranking_by_ranking() {
    let files = "qrels.txt mine.run --sessions sessions.txt -m nsDCG@5";
    let found = explained(&format!("{files} -t s"));
    let output = cranfield(folder().path(), &format!("eval {files} -f jsonl --quiet"));
    let evaluated: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["value"], evaluated["value"]);
    let rankings = found["rankings"].as_array().unwrap();
    let shares = rankings.iter().map(|ranking| ranking["share"].as_f64());
    let sum: f64 = shares.map(Option::unwrap).sum();
    assert!((sum - found["value"].as_f64().unwrap()).abs() < 1e-12);
    // The second ranking counts 1 / (1 + log_4 2).
    assert_eq!(rankings[1]["board"]["steps"][0]["value"], 1.5);
    assert_eq!(rankings[1]["documents"][0]["document"], "a");
    for format in ["text", "md", "html"] {
        let page = format!("explain {files} -t s -f {format}");
        check(&page, 0, "nsDCG@5 of session s in mine", "");
        check(
            &page,
            0,
            "Ranking 2 of 2, topic 2: dq = 1.5000, share 0.",
            "",
        );
    }
    let output = cranfield(folder().path(), &format!("explain {files} -t s"));
    let page = text(&output.stdout);
    let long = page.lines().filter(|line| line.chars().count() > 80);
    assert_eq!(long.collect::<Vec<_>>(), Vec::<&str>::new());
    check(
        &format!("explain {files} -t 1"),
        2,
        "",
        "session `1` is neither in the judgements nor in mine.run; there are `s`",
    );
}

#[test]
fn the_difference_of_two_runs_in_a_session_adds_up() {
    let folder = folder();
    fs::write(
        folder.path().join("other.run"),
        "1 Q0 b 1 2 o\n1 Q0 a 2 1 o\n2 Q0 x 1 1 o\n",
    )
    .unwrap();
    let files = "qrels.txt mine.run other.run --sessions sessions.txt -m nsDCG@5 -t s";
    let output = cranfield(folder.path(), &format!("explain {files} -f json"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &document["explanations"][0];
    let parts = found["rankings"].as_array().unwrap().iter();
    let sum: f64 = parts
        .map(|ranking| ranking["sum_of_shares"].as_f64().unwrap())
        .sum();
    assert!((sum - found["difference"].as_f64().unwrap()).abs() < 1e-12);
    let output = cranfield(folder.path(), &format!("explain {files}"));
    assert!(text(&output.stdout).contains("nsDCG@5 of session s, other minus mine: "));
}

#[test]
fn topics_of_the_run_count_for_groups_and_samples() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("groups.txt", "1 A a 1\n1 B b 1\n");
    write("pool.txt", "1 0 a 1 1\n");
    let run = |arguments: &str| {
        let output = cranfield(folder.path(), arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        (text(&output.stdout), text(&output.stderr))
    };
    for (file, format, measure) in [
        ("groups.txt", "qrels_jg", "APavgjg"),
        ("pool.txt", "strata", "iP@5"),
        ("sample.prels", "prels", "statAP"),
        ("qrels.txt", "qrels_prefs", "PrefSimp"),
    ] {
        let command = format!(
            "eval {file} mine.run --qrels-format {format} -m {measure} -m NumQ --topics run -f csv"
        );
        let (out, err) = run(&command);
        assert!(out.contains("mine,all,NumQ,2"), "{out}");
        assert!(!err.contains("ignored"), "{err}");
        let explain = command.replace("eval", "explain").replace("-f csv", "-t 2");
        let explain = explain.replace(" -m NumQ", "");
        run(&explain);
    }
}

#[test]
fn notes_do_not_depend_on_the_kind_of_judgements() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("groups.txt", "1 A a 1\n1 B b 1\n2 A a 0\n3 A a 1\n");
    write("intents.txt", "1 A 1\n1 B 1\n2 A 1\n3 A 1\n9 A 1\n");
    write(
        "tied.run",
        "1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n1 Q0 x 3 0 t\n2 Q0 a 1 1 t\n",
    );
    let err = |arguments: &str| {
        let output = cranfield(folder.path(), arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let grouped = "eval groups.txt tied.run --qrels-format qrels_jg -m Pavgjg@5";
    let notes = err(&format!(
        "{grouped} --intents intents.txt --topics relevant"
    ));
    for wanted in [
        "1 topic of tied with tied scores for documents with different judgements",
        "33.3 % of the top 5 documents of tied are unjudged",
        "intents.txt: 1 topic is not in the judgements",
        "1 judged topic of tied missing from the run, excluded",
        "1 judged topic of tied without a relevant document, excluded",
    ] {
        assert!(notes.contains(wanted), "{wanted}: {notes}");
    }
    let sample = err("eval sample.prels tied.run --qrels-format prels -m statP@5");
    assert!(sample.contains("are unjudged"), "{sample}");
    let session = err("eval qrels.txt tied.run --sessions sessions.txt");
    let wanted = "1 session of tied with tied scores for documents with different grades";
    assert!(session.contains(wanted), "{session}");
    let known = err("eval qrels.txt mine.run --known known.txt -m AP");
    assert!(
        known.contains("known.txt is not used: only Coverage"),
        "{known}"
    );
}
