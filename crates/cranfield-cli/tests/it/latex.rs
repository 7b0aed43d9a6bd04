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

const RUNS: usize = 30;

/// Judgements of ten topics, and runs of which each is a little better than the next on most topics.
fn write_runs(folder: &Path) {
    let topics = 1..=10;
    let qrels: String = topics
        .clone()
        .map(|topic| format!("{topic} 0 d 1\n"))
        .collect();
    std::fs::write(folder.join("qrels.txt"), qrels).unwrap();
    std::fs::create_dir(folder.join("runs")).unwrap();
    for run in 0..RUNS {
        let name = AWKWARD
            .get(run)
            .map_or_else(|| format!("run{run}"), ToString::to_string);
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

fn table(folder: &Path) -> String {
    let mut compare = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    compare
        .current_dir(folder)
        .args(["compare", "qrels.txt", "runs", "-m", "RR AP"]);
    let output = run(compare.args(["--format", "latex", "--methods", "--quiet"])).unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every environment is closed, and every row of the table has as many cells as the first.
#[test]
fn tables_are_balanced() {
    let folder = tempfile::tempdir().unwrap();
    write_runs(folder.path());
    let text = table(folder.path());
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

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn tables_compile() {
    let folder = tempfile::tempdir().unwrap();
    let programs = ["pdflatex", "lualatex", "tectonic"];
    let found = programs.into_iter().find(|name| {
        run(Command::new(name).arg("--version")).is_some_and(|it| it.status.success())
    });
    let Some(latex) = found else {
        println!("skipped: no LaTeX");
        return;
    };
    write_runs(folder.path());
    let document = format!(
        "\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{}\\end{{document}}\n",
        table(folder.path())
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
}
