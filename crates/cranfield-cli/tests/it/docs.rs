//! Every example of the documentation is run: each `console` block of the README, of the other pages at the root and of `docs`.
//!
//! A line that starts with `$ ` is a command for the shell, the lines behind it are what it prints on both streams, exactly. Each
//! page has a scratch folder that holds a copy of `examples`, so commands read as they would at the root of the repository and may
//! write files. A page that indexes `vaswani` also has that collection, and is not checked without golden data. A command must end with code 0; one that should not says `; echo "exit code $?"`.
//!
//! `CRANFIELD_BLESS=1 cargo test --release -p cranfield-cli docs` writes what is printed now into the pages.
//!
//! Not `trycmd`: it has no shell, so neither pipes nor redirections nor exit codes could be shown as users type them.

#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pages at the root of the repository.
const PAGES: [&str; 5] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "DESIGN.md",
    "examples/README.md",
];

/// Examples that there must be at least, so that a mistake in this file does not pass for success.
const LEAST: usize = 30;

/// Marks the output of a command with an exit code other than 0.
const FAILED: &str = "UNEXPECTED ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Markdown files below a folder, in a fixed order.
fn pages_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            pages_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

fn pages() -> Vec<PathBuf> {
    let root = root();
    let mut pages: Vec<PathBuf> = PAGES.iter().map(|page| root.join(page)).collect();
    pages_below(&root.join("docs"), &mut pages);
    pages
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The path on which the programs just built come first.
fn search_path() -> OsString {
    let built = Path::new(env!("CARGO_BIN_EXE_cranfield")).parent().unwrap();
    let inherited = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(built.to_owned()).chain(std::env::split_paths(&inherited));
    std::env::join_paths(folders).unwrap()
}

/// The lines that a command prints on both streams.
fn output_of(command: &str, folder: &Path) -> Vec<String> {
    // `cargo run` in the README is the program that was just built.
    let command = command.replace("cargo run --release -- ", "cranfield ");
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", search_path())
        .env("COLUMNS", "80")
        .env_remove("POSIXLY_CORRECT")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if !output.status.success() {
        lines.push(format!("{FAILED}{}: {command}", output.status));
    }
    lines
}

/// Whether a command is run: building and testing the repository from inside of its own test is not.
fn is_run(command: &str) -> bool {
    let builds = [
        "cargo xtask",
        "cargo test",
        "cargo install",
        "git clone",
        "cargo insta",
        "CRANFIELD_BLESS=1",
    ];
    !builds.iter().any(|start| command.starts_with(start))
}

/// The page as it should be, and the number of commands in it.
fn replay(page: &str) -> (String, usize) {
    let scratch = tempfile::tempdir().unwrap();
    copy_folder(&root().join("examples"), &scratch.path().join("examples"));
    if page.contains("$ cranfield index vaswani ") {
        let Some((folder, _)) = cranfield_testkit::collection("vaswani") else {
            return (page.into(), 0);
        };
        copy_folder(&folder, &scratch.path().join("vaswani"));
    }
    let (mut shown, mut commands, mut in_block) = (Vec::new(), 0, false);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        shown.push(line.to_owned());
        in_block = line == "```console" || in_block && line != "```";
        let Some(first) = line.strip_prefix("$ ").filter(|_| in_block) else {
            continue;
        };
        let mut command = first.to_owned();
        while command.ends_with('\\')
            && let Some(more) = lines.next()
        {
            shown.push(more.to_owned());
            command = format!("{command}\n{more}");
        }
        let mut known = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
            known.push(line.to_owned());
        }
        if is_run(&command) {
            known = output_of(&command, scratch.path());
            commands += 1;
        }
        shown.append(&mut known);
    }
    (shown.join("\n") + "\n", commands)
}

#[test]
fn examples_print_what_the_documentation_shows() {
    let bless = std::env::var_os("CRANFIELD_BLESS").is_some();
    let (mut wrong, mut commands) = (Vec::new(), 0);
    for path in pages() {
        let page =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (expected, count) = replay(&page);
        commands += count;
        let failed = expected.lines().find(|line| line.starts_with(FAILED));
        assert_eq!(failed, None, "{}", path.display());
        if page == expected {
            continue;
        }
        if bless {
            fs::write(&path, &expected).unwrap();
        }
        let (line, (shown, printed)) = first_difference(&page, &expected);
        let page = path.strip_prefix(root()).unwrap().display();
        wrong.push(format!(
            "{page}:{line}\n  shown:   {shown}\n  printed: {printed}"
        ));
    }
    assert!(commands >= LEAST, "only {commands} commands were found");
    if !bless {
        assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    }
}

/// Number and content of the first line that differs.
fn first_difference<'a>(a: &'a str, b: &'a str) -> (usize, (&'a str, &'a str)) {
    let end = || std::iter::repeat("(end of page)");
    let mut pairs = a.lines().chain(end()).zip(b.lines().chain(end())).zip(1..);
    let (pair, line) = pairs
        .by_ref()
        .take(a.lines().count().max(b.lines().count()))
        .find(|((a, b), _)| a != b)
        .unwrap_or((("", ""), 0));
    (line, pair)
}

#[test]
fn links_between_pages_lead_somewhere() {
    let root = root();
    let mut all = pages();
    all.push(root.join("CHANGELOG.md"));
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        for target in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', ' ']).next())
        {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || target.contains("://") {
                continue;
            }
            let linked = path.parent().unwrap().join(file);
            // Written by a benchmark on a quiet machine.
            let comes_later = file.ends_with("benchmarks.md");
            assert!(
                linked.exists() || comes_later,
                "{}: {target}",
                path.display()
            );
        }
    }
}
