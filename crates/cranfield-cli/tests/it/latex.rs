//! Tables of `cranfield compare --format latex`, compiled.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Names with every character that LaTeX takes for a command, and with letters beyond ASCII.
const AWKWARD: [&str; 8] = [
    "under_score",
    "a&b%c#d",
    "$cost$",
    "til~de^hat",
    "back\\slash{brace}",
    "less<more>bar|\"quoted\"",
    "café-ß-Ł–ü",
    "a-name-that-is-much-longer-than-any-column-of-a-paper-ought-to-be",
];

/// A name as long as a file system allows.
fn longest() -> String {
    format!("long{}", "x".repeat(236))
}

const RUNS: usize = 30;

/// Judgements of ten topics, and runs of which each is a little better than the next on most topics.
fn write_runs(folder: &Path, runs: usize) {
    let topics = 1..=10;
    let qrels: String = topics
        .clone()
        .map(|topic| format!("{topic} 0 d 1\n"))
        .collect();
    std::fs::write(folder.join("qrels.txt"), qrels).unwrap();
    std::fs::create_dir(folder.join("runs")).unwrap();
    for run in 0..runs {
        let name = match AWKWARD.get(run) {
            Some(name) => (*name).to_owned(),
            None if run == 99 => longest(),
            None => format!("run{run}"),
        };
        let line = |topic: usize| {
            let rank = 1 + run / 3 + (topic * run) % 3;
            let others = (1..rank).map(|at| format!("{topic} Q0 x{at} 0 {} t\n", 100 - at));
            format!(
                "{}{topic} Q0 d 0 {} t\n",
                others.collect::<String>(),
                100 - rank
            )
        };
        let lines: String = topics.clone().map(line).collect();
        std::fs::write(folder.join("runs").join(format!("{name}.run")), lines).unwrap();
    }
}

fn run(command: &mut Command) -> Option<Output> {
    command.stdin(Stdio::null()).output().ok()
}

fn table(folder: &Path, measures: &str) -> String {
    let mut compare = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    compare
        .current_dir(folder)
        .args(["compare", "qrels.txt", "runs", "-m", measures]);
    let output = run(compare.args(["--format", "latex", "--methods", "--quiet"])).unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every environment is closed, and every row of the table has as many cells as the first.
#[test]
fn tables_are_balanced() {
    let folder = tempfile::tempdir().unwrap();
    write_runs(folder.path(), RUNS);
    let text = table(folder.path(), "RR AP");
    for environment in ["table", "tabular"] {
        for edge in ["begin", "end"] {
            let edge = format!("\\{edge}{{{environment}}}");
            assert_eq!(text.matches(&edge).count(), 1, "{edge}");
        }
    }
    let cells = |line: &str| line.replace("\\&", "").matches(" & ").count();
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| line.ends_with(" \\\\"))
        .collect();
    assert_eq!(rows.len(), RUNS + 1);
    assert!(
        rows.iter().all(|row| cells(row) == cells(rows[0])),
        "{text}"
    );
    let plain = text.replace("\\{", "").replace("\\}", "");
    assert_eq!(plain.matches('{').count(), plain.matches('}').count());
}

/// Runs and measures for which a table leaves the page unless it is broken, and those for which it does not.
const SIZES: [(usize, &str); 3] = [
    (5, "RR AP"),
    (RUNS, "RR AP"),
    (
        100,
        "RR AP P@5 P@10 P@20 nDCG@5 nDCG@10 nDCG@20 nDCG(gains='exp')@20 Recall@10 Rprec",
    ),
];

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn tables_compile_and_stay_on_the_page() {
    let programs = ["pdflatex", "lualatex", "tectonic"];
    let found = programs.into_iter().find(|name| {
        run(Command::new(name).arg("--version")).is_some_and(|it| it.status.success())
    });
    let Some(latex) = found else {
        println!("skipped: no LaTeX");
        return;
    };
    for (runs, measures) in SIZES {
        let folder = tempfile::tempdir().unwrap();
        write_runs(folder.path(), runs);
        let document = format!(
            "\\documentclass{{article}}\n\\usepackage{{booktabs,longtable}}\n\\begin{{document}}\n{}\\end{{document}}\n",
            table(folder.path(), measures)
        );
        std::fs::write(folder.path().join("table.tex"), document).unwrap();
        let mut command = Command::new(latex);
        command.current_dir(folder.path());
        if latex != "tectonic" {
            command.args([
                "-interaction=nonstopmode",
                "-halt-on-error",
                "-no-shell-escape",
            ]);
        }
        let output = run(command.arg("table.tex")).unwrap();
        let log = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{latex}: {log}");
        assert!(folder.path().join("table.pdf").exists(), "{log}");
        assert!(!log.contains("Missing character"), "{log}");
        let overfull = log.lines().filter_map(|line| {
            let (_, much) = line.split_once("Overfull \\hbox (")?;
            much.split_once("pt too wide")?.0.parse::<f64>().ok()
        });
        let widest = overfull.fold(0.0, f64::max);
        assert!(widest < 5.0, "{runs} runs, {widest} pt too wide: {log}");
        assert!(!log.contains("Overfull \\vbox"), "{runs} runs: {log}");
        assert!(!log.contains("Float too large"), "{runs} runs: {log}");
    }
}
