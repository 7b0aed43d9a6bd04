//! Claims of `cranfield compare` and `cranfield report` where mean and test disagree, where replicates are few, and under plans.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::process::check_narrow;

fn cranfield(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments);
    let command = command.env("COLUMNS", "80");
    command.stdin(Stdio::null()).output().unwrap()
}

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let output = cranfield(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let more = ["-f", "json", "--quiet"];
    serde_json::from_str(&stdout(folder, &[arguments, &more].concat())).unwrap()
}

fn stderr(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = cranfield(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Judgements with one relevant document for each topic, and runs that have it at these ranks.
fn write(folder: &Path, runs: &[(&str, &[usize])]) {
    let topics = runs.first().map_or(0, |(_, ranks)| ranks.len());
    let qrels: String = (1..=topics)
        .map(|topic| format!("{topic} 0 d 1\n"))
        .collect();
    std::fs::write(folder.join("qrels.txt"), qrels).unwrap();
    for (name, ranks) in runs {
        let mut lines = String::new();
        for (topic, rank) in ranks.iter().enumerate() {
            for at in 1..=*rank {
                let document = if at == *rank {
                    "d".to_owned()
                } else {
                    format!("x{at}")
                };
                lines.push_str(&format!(
                    "{} Q0 {document} {at} {} t\n",
                    topic + 1,
                    100 - at
                ));
            }
        }
        std::fs::write(folder.join(format!("{name}.run")), lines).unwrap();
    }
}

/// `often` is ahead on eleven topics by a little (1/4 to 1/5), `rare` on one by far (1 to 1/10): by their means, 0.2667 and
/// 0.2375, `rare` is better; by the sign test `often` (p = 26 / 4096).
fn disputed(folder: &Path) {
    let (mut often, mut rare) = ([4; 12], [5; 12]);
    (often[11], rare[11]) = (10, 1);
    write(folder, &[("often", &often), ("rare", &rare)]);
}

/// Arguments that compare the disputed runs by a test.
const DISPUTED: [&str; 6] = ["qrels.txt", "often.run", "rare.run", "-m", "RR", "--test"];

#[test]
fn a_test_against_the_mean_makes_no_claim() {
    let folder = tempfile::tempdir().unwrap();
    disputed(folder.path());
    for test in ["sign", "wilcoxon", "conover", "nemenyi"] {
        let files = [&DISPUTED[..], &[test]].concat();
        let document = json(folder.path(), &[&["compare"], &files[..]].concat());
        let table = &document["comparison"][0];
        let pair = &table["pairs"][0];
        assert_eq!(
            (&pair["run"], &pair["verdict"]),
            (&"rare".into(), &"contrary".into())
        );
        assert_eq!(pair["significant"], true, "{test}: {pair}");
        assert!(pair["test_compares"]["run"].as_f64() < pair["test_compares"]["against"].as_f64());
        assert_eq!(table["groups"].as_array().unwrap().len(), 1, "{test}");
        let text = stdout(
            folder.path(),
            &[&["compare"], &files[..], &["--quiet"]].concat(),
        );
        assert!(!text.contains("is better."), "{text}");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("no winner, because mean and test disagree."),
            "{text}"
        );
        assert!(
            text.contains("rare has the better mean (0.2375 to 0.2667)"),
            "{text}"
        );
        assert!(text.contains("favours often"), "{text}");
        let latex = stdout(
            folder.path(),
            &[&["compare"], &files[..], &["-f", "latex"]].concat(),
        );
        assert_eq!(latex.matches("\\textsuperscript{a}").count(), 2, "{latex}");
    }
}

#[test]
#[cfg(feature = "plots")]
fn a_report_makes_no_claim_either() {
    let folder = tempfile::tempdir().unwrap();
    disputed(folder.path());
    let files = [&["report"], &DISPUTED[..], &["sign"]].concat();
    let page = stdout(folder.path(), &[&files[..], &["--quiet"]].concat());
    assert!(page.contains("<b>rare</b> has the best RR"), "{page}");
    assert!(page.contains("significantly better than 0 of the 1 run "));
    assert!(page.contains("Mean and test disagree on it and <b>often</b>."));
    assert!(!page.contains("No difference is shown between it and"));
    assert!(page.contains("1 significant of 1 tested, of which 1 against the mean"));
    let csv = stdout(
        folder.path(),
        &[&files[..], &["-f", "csv", "--quiet"]].concat(),
    );
    assert!(
        csv.lines().skip(1).all(|line| line.ends_with(",a")),
        "{csv}"
    );
}

/// Four runs on 45 topics, for which signs are drawn: six tests need p-values up to 1 / 120.
#[test]
fn too_few_replicates_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let ranks: Vec<Vec<usize>> = (0..4)
        .map(|run| (0..45).map(|topic| 1 + 3 * run + topic % 3).collect())
        .collect();
    let names = ["a", "b", "c", "d"];
    let runs: Vec<(&str, &[usize])> = names
        .into_iter()
        .zip(ranks.iter().map(Vec::as_slice))
        .collect();
    write(folder.path(), &runs);
    let base = [
        "compare",
        "qrels.txt",
        "*.run",
        "-m",
        "RR",
        "--test",
        "randomisation",
    ];
    let with = |more: &[&str]| stderr(folder.path(), &[&base[..], more].concat(), 0);
    let few = with(&["--replicates", "100"]);
    assert!(
        few.contains("note: RR: 100 replicates are too few for a significant p-value among 6 tests (Holm); use --replicates 120 or more"),
        "{few}"
    );
    assert!(!with(&["--replicates", "120"]).contains("too few for a p-value"));
    // Without a number of replicates there are as many as the family needs.
    let raised = with(&["--alpha", "0.00002"]);
    assert!(
        raised.contains("note: raised --replicates from 100000 to 300000"),
        "{raised}"
    );
    let document = json(
        folder.path(),
        &[&base[..], &["--alpha", "0.00002"]].concat(),
    );
    assert_eq!(document["settings"]["replicates"], 300_000);
    assert_eq!(document["comparison"][0]["pairs"][0]["verdict"], "better");
    // Beyond a million they are not raised, and the error says what would be enough.
    let most = with(&["--alpha", "0.000001", "--baseline", "a"]);
    assert!(most.contains("100000 replicates are too few"), "{most}");
    assert!(most.contains("use --replicates 3000000 or more"), "{most}");
}

const JUDGED: &str = "1 0 d 1\n2 0 d 1\n3 0 d 1\n4 0 d 1\n5 0 d 0\n";

/// Five topics, of which the last has no relevant document, so that AP is undefined; `b` lacks the first.
fn with_gaps() -> tempfile::TempDir {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    write(folder, &[("a", &[1, 2, 3, 1, 2]), ("b", &[2, 2, 5, 3, 1])]);
    std::fs::write(folder.join("qrels.txt"), JUDGED).unwrap();
    let lines = std::fs::read_to_string(folder.join("b.run")).unwrap();
    let lines = lines.lines().filter(|line| !line.starts_with("1 "));
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("b.run"), lines).unwrap();
    temporary
}

/// Both runs by the plan of the folder.
const BY_PLAN: [&str; 6] = [
    "compare",
    "qrels.txt",
    "a.run",
    "b.run",
    "--plan",
    "plan.toml",
];

#[test]
fn a_plan_holds_for_topics_that_options_leave_out() {
    let folder = with_gaps();
    let plan = "measures = ['AP']\nruns = ['a', 'b']\ntopics = 5\n";
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    stdout(folder.path(), &BY_PLAN);
    for (option, value, key) in [
        ("topics", "both", "topic_rule"),
        ("undefined", "skip", "undefined"),
    ] {
        let flag = format!("--{option}");
        let error = stderr(folder.path(), &[&BY_PLAN[..], &[&flag, value]].concat(), 2);
        let expected = format!(
            "plan.toml: the plan has 5 topics, but AP is compared on 4 of them because of --{option} {value}; omit it, or add {key} = \"{value}\" to the plan"
        );
        assert!(error.contains(&expected), "{error}");
        std::fs::write(
            folder.path().join("fixed.toml"),
            format!("{plan}{key} = '{value}'\n"),
        )
        .unwrap();
        let fixed = [
            "compare",
            "qrels.txt",
            "a.run",
            "b.run",
            "--plan",
            "fixed.toml",
            "--methods",
        ];
        let document = json(folder.path(), &fixed);
        assert_eq!(document["comparison"][0]["topics"], 4);
        let methods = document["methods"].as_str().unwrap();
        assert!(
            methods.contains(&format!(" on 5 topics under {option} {value};")),
            "{methods}"
        );
        assert!(
            methods.contains(&format!("The policies are {option} {value}.")),
            "{methods}"
        );
        assert!(methods.contains("There is one comparison, so p-values need no correction."));
    }
}

#[test]
fn a_plan_fixes_how_runs_are_evaluated() {
    let folder = with_gaps();
    let plan = "measures = ['AP']\nruns = ['a', 'b']\nprofile = 'trec_eval'\nlevel = 1\nties = 'expected'\nunjudged = 'condensed'\ndepth = 3\n";
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let planned = json(folder.path(), &BY_PLAN);
    let options = [
        "--profile",
        "trec_eval",
        "--level",
        "1",
        "--ties",
        "expected",
        "--unjudged",
        "condensed",
        "--depth",
        "3",
    ];
    let freely = [
        &["compare", "qrels.txt", "a.run", "b.run", "-m", "AP"],
        &options[..],
    ]
    .concat();
    let freely = json(folder.path(), &freely);
    assert_eq!(
        planned["comparison"][0]["pairs"],
        freely["comparison"][0]["pairs"]
    );
    assert_eq!(
        json(folder.path(), &[&BY_PLAN[..], &options].concat()),
        planned
    );
    let methods = planned["methods"].as_str().unwrap();
    for part in [
        "The conventions are those of trec_eval",
        "ties expected",
        "unjudged condensed",
        "depth 3",
    ] {
        assert!(methods.contains(part), "{methods}");
    }
    for (option, value) in [
        ("--profile", "cranfield"),
        ("--level", "2"),
        ("--ties", "docid-asc"),
        ("--unjudged", "nonrelevant"),
        ("--depth", "4"),
    ] {
        let error = stderr(folder.path(), &[&BY_PLAN[..], &[option, value]].concat(), 2);
        let expected = format!("{option} {value} contradicts the plan plan.toml, which has");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn gains_change_only_measures_that_leave_them_open() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let names = "nDCG@10 AP nDCG(gains='exp')@5";
    let base = ["compare", "qrels.txt", "runs", "-m", names];
    let gains = ["--gains", "0,1,1,1", "--gains", "0,1,10,100"];
    let document = json(&examples, &[&base[..], &gains].concat());
    let tables = document["comparison"].as_array().unwrap().iter();
    let measures: Vec<&str> = tables
        .map(|table| table["measure"].as_str().unwrap())
        .collect();
    assert_eq!(
        measures,
        [
            "nDCG@10 (0-1-1-1)",
            "nDCG@10 (0-1-10-100)",
            "AP",
            "nDCG(gains='exp')@5"
        ]
    );
    let notes = stderr(&examples, &[&base[..], &gains].concat(), 0);
    assert!(
        notes.contains("note: AP nDCG(gains='exp')@5 do not depend on gains and are shown once"),
        "{notes}"
    );
    let twice = stderr(
        &examples,
        &[&base[..], &gains, &["--gains", "0,1,1,1.0"]].concat(),
        2,
    );
    assert!(
        twice.contains("the gains 0,1,1,1.0 are the same as 0,1,1,1; give each table once"),
        "{twice}"
    );
    let huge = stderr(&examples, &[&base[..], &["--gains", "0,1e308"]].concat(), 2);
    assert!(huge.contains("the gains 0,1e308 exceed 1e100"), "{huge}");
}

/// The comparison of two runs with these names.
fn compared(names: [&str; 2], options: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = names;
    write(
        folder.path(),
        &[(one, &[1, 2, 3, 4]), (other, &[2, 1, 5, 3])],
    );
    let files = ["compare", "qrels.txt", "*.run", "-m", "RR", "--quiet"];
    stdout(folder.path(), &[&files, options].concat())
}

#[test]
fn names_of_240_letters_keep_to_eighty_columns() {
    let text = compared(["short", &"n".repeat(240)], &["--methods"]);
    check_narrow(&text);
}

#[test]
fn names_are_no_markdown() {
    let text = compared(["a_b_*c*", "[x]`y`<b>"], &["-f", "md"]);
    for raw in ["a_b", "*c*", "[x]", "`y`", "<b>"] {
        assert!(!text.contains(raw), "{raw}: {text}");
    }
    assert!(
        text.contains(r"| a\_b\_\*c\* |") && text.contains(r"\[x\]\`y\`\<b\>"),
        "{text}"
    );
}

/// A report by gains and by scenarios has the values of the measures behind them.
#[test]
#[cfg(feature = "plots")]
fn reports_by_gains_and_scenarios_name_them() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let base = ["report", "qrels.txt", "runs", "-f", "csv", "--quiet"];
    let report = |more: &[&str]| stdout(&examples, &[&base[..], more].concat());
    let gains = report(&[
        "-m",
        "nDCG@10 AP",
        "--gains",
        "0,1,1,1",
        "--gains",
        "0,1,10,100",
    ]);
    let names = "nDCG(gains='0,1,1,1')@10 nDCG(gains='0,1,10,100')@10 AP";
    assert_eq!(gains, report(&["-m", names]));
    let scenario = report(&["--scenario", "impatient"]);
    let names = "nCG(gains='0,1,10,100')@30 nDCG(gains='0,1,10,100', discount='jk')@30";
    assert_eq!(scenario, report(&["-m", names]));
}

/// A report by plan has the numbers of `compare` by plan, and nothing else.
#[test]
#[cfg(feature = "plots")]
fn reports_by_plan_are_confirmatory() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let runs = ["runs/bm25.run", "runs/dense.run", "runs/hybrid.run"];
    let files = [&["qrels.txt"], &runs[..], &["--plan", "plan.toml"]].concat();
    let reported = json(&examples, &[&["report"], &files[..]].concat());
    let compared = json(&examples, &[&["compare"], &files[..]].concat());
    for key in ["comparison", "methods", "plan", "settings"] {
        assert_eq!(reported[key], compared[key], "{key}");
    }
    assert_eq!(reported["comparison"][0]["role"], "confirmatory");
    let page = stdout(&examples, &[&["report"], &files[..], &["--quiet"]].concat());
    assert!(page.contains("were fixed in a plan. The plan (BLAKE3 "));
    assert!(page.contains("<dt>plan</dt><dd>plan.toml "));
    let more = ["report", "qrels.txt", "runs", "--plan", "plan.toml"];
    let refusal = stderr(&examples, &more, 2);
    assert!(
        refusal.contains("omit the other runs and measures"),
        "{refusal}"
    );
    let contradicts = [&["report"], &files[..], &["--alpha", "0.1"]].concat();
    assert!(stderr(&examples, &contradicts, 2).contains("cannot be used with '--alpha <A>'"));
}

#[test]
fn a_test_against_a_baseline_asks_for_it() {
    let folder = with_gaps();
    let files = ["compare", "qrels.txt", "a.run", "b.run", "-m", "AP"];
    let error = stderr(
        folder.path(),
        &[&files[..], &["--test", "dunnett"]].concat(),
        2,
    );
    assert!(error.contains("name it with --baseline"), "{error}");
}

/// Whichever block a reader looks at, it says which runs are compared.
#[test]
fn wide_tables_of_pairs_name_both_runs_in_every_block() {
    let folder = with_gaps();
    let files = ["compare", "qrels.txt", "a.run", "b.run", "-m", "AP"];
    let text = stdout(
        folder.path(),
        &[&files[..], &["--rope", "0.02", "--quiet", "--digits", "9"]].concat(),
    );
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("run ") && !line.contains("rank"))
        .collect();
    assert!(heads.len() > 1, "{text}");
    assert!(heads.iter().all(|line| line.contains("against")), "{text}");
}
