//! No command replaces what it reads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const QRELS: &str = "1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 b 1\n";
const RUN: &str = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 b 1 3 t\n2 Q0 a 2 2 t\n3 Q0 b 1 1 t\n";

/// Commands, each with a list of arguments that would write over the file of the last one.
const WRITING: [(&str, &[&str]); 34] = [
    ("eval", &["qrels", "run", "-o", "run"]),
    ("eval", &["qrels", "run", "-o", "./qrels"]),
    (
        "eval",
        &["qrels", "run", "--scenario", "s.toml", "-o", "s.toml"],
    ),
    ("compare", &["qrels", "run", "other", "-o", "other"]),
    (
        "compare",
        &[
            "qrels",
            "run",
            "other",
            "--plan",
            "plan.toml",
            "-o",
            "plan.toml",
        ],
    ),
    ("gate", &["qrels", "run", "-b", "other", "-o", "other"]),
    ("gate", &["qrels", "run", "-b", "other", "--junit", "run"]),
    (
        "gate",
        &["qrels", "run", "-b", "other", "--summary", "qrels"],
    ),
    ("gate", &["qrels", "run", "--write-lock", "run"]),
    ("power", &["qrels", "run", "other", "-o", "other"]),
    ("discriminate", &["qrels", "run", "other", "-o", "run"]),
    ("explain", &["qrels", "run", "-m", "AP", "-o", "run"]),
    ("plot", &["pr", "qrels", "run", "-f", "csv", "-o", "run"]),
    ("plot", &["pr", "qrels", "run", "-f", "csv", "-o", "link"]),
    (
        "report",
        &["qrels", "run", "other", "-f", "csv", "-o", "run"],
    ),
    ("similarity", &["run", "other", "-o", "other"]),
    ("similarity", &["run", "--ideal", "qrels", "-o", "qrels"]),
    ("agree", &["qrels", "qrels2", "-o", "qrels2"]),
    ("agree", &["qrels", "qrels2", "--merged", "qrels2"]),
    (
        "agree",
        &[
            "qrels2", "qrels2", "--runs", "run", "other", "--merged", "other",
        ],
    ),
    ("fuse", &["run", "other", "-o", "other"]),
    ("fuse", &["run", "other", "--train", "qrels", "-o", "qrels"]),
    (
        "tune-fuse",
        &["qrels", "run", "other", "--space", "k=[1]", "-o", "run"],
    ),
    (
        "judge",
        &["run", "-o", "judged", "--as", "a", "--export", "run"],
    ),
    ("convert", &["run", "run", "--to", "jsonl"]),
    ("doctor", &["run", "--fix", "-o", "run"]),
    (
        "doctor",
        &["run", "--qrels", "qrels", "--fix", "-o", "qrels"],
    ),
    ("pool", &["make", "run", "other", "-o", "other"]),
    (
        "pool",
        &["bias", "qrels", "run", "other", "--figure", "run"],
    ),
    (
        "pool",
        &["settle", "qrels", "run", "other", "--pool", "qrels"],
    ),
    ("rosetta", &["qrels", "run", "-m", "AP", "-o", "run"]),
    ("search", &["index", "topics", "-o", "topics"]),
    ("bench", &["e.toml", "--topics", "topics", "-o", "topics"]),
    (
        "tune",
        &[
            "index", "topics", "qrels", "--space", "b=[0]", "-o", "qrels",
        ],
    ),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("qrels", QRELS),
        ("qrels2", QRELS),
        ("run", RUN),
        ("other", RUN),
        ("topics", "1\twings\n"),
        ("s.toml", "[hasty]\nrank = 5\nmeasures = ['nDCG']\n"),
        ("plan.toml", "measures = ['AP']\nbaseline = 'run'\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::hard_link(folder.path().join("run"), folder.path().join("link")).unwrap();
    folder
}

fn cranfield(folder: &Path, command: &str, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let program = program.current_dir(folder).arg(command).args(arguments);
    program.stdin(Stdio::null()).output().unwrap()
}

fn contents(folder: &Path) -> Vec<String> {
    let names = [
        "qrels",
        "topics",
        "qrels2",
        "run",
        "other",
        "s.toml",
        "plan.toml",
    ];
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    names.map(read).to_vec()
}

#[cfg(unix)]
#[test]
fn no_input_is_written_over() {
    let folder = folder();
    let before = contents(folder.path());
    for (command, arguments) in WRITING {
        let output = cranfield(folder.path(), command, arguments);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            output.status.code(),
            Some(3),
            "{command} {arguments:?}: {err}"
        );
        assert!(
            err.contains("it is one of the inputs"),
            "{command} {arguments:?}: {err}"
        );
        assert_eq!(contents(folder.path()), before, "{command} {arguments:?}");
    }
}

#[test]
fn two_outputs_are_two_files() {
    let folder = folder();
    let arguments = ["qrels", "run", "-b", "other", "--junit", "a", "-o", "./a"];
    let output = cranfield(folder.path(), "gate", &arguments);
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert!(err.contains("two outputs have this name"), "{err}");
    assert!(!folder.path().join("a").exists());
}

/// A command that learns to write must be in the list above.
#[test]
fn every_command_that_writes_is_in_the_list() {
    let folder = folder();
    let help = |command: &str, arguments: &[&str]| {
        let output = cranfield(folder.path(), command, arguments);
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help("--help", &[]);
    let commands = all
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        // An index replaces only an index.
        .filter(|name| !["help", "index", "trec_eval"].contains(name));
    let mut writing: Vec<&str> = commands
        .filter(|name| {
            let text = match *name {
                "pool" => help(name, &["make", "--help"]),
                name => help(name, &["--help"]),
            };
            text.contains("--output") || text.contains("<OUTPUT>")
        })
        .collect();
    let mut listed: Vec<&str> = WRITING.iter().map(|(command, _)| *command).collect();
    listed.dedup();
    assert!(writing.len() > 9, "{all}");
    writing.sort_unstable();
    listed.sort_unstable();
    assert_eq!(writing, listed);
}
