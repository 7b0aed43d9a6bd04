//! Generates the reference pages and the README's terminal image from the program's own output.

use std::fs;
use std::path::Path;

use crate::{catalogue, command, picture};

/// Committed pages, each with the `cranfield` arguments that print it.
const PAGES: [(&str, &[&str]); 2] = [
    (CATALOGUE, &["measures", "--format", "md"]),
    (
        "docs/reference/diagnostics.md",
        &["doctor", "--codes", "--format", "md"],
    ),
];

const CATALOGUE: &str = "docs/reference/measures.md";

/// The catalogue for browsers, with rendered formulas: built into the target folder, not committed.
const CATALOGUE_HTML: &str = "docs/measures.html";

/// The terminal image of the README, and the `cranfield` arguments whose output it shows.
const IMAGE: &str = "docs/images/eval.svg";
const IMAGE_COMMAND: [&str; 3] = ["eval", "examples/qrels.txt", "examples/runs/*.run"];

/// Contents of the generated files. Committed ones have their path from the root of the repository.
struct Generated {
    committed: Vec<(&'static str, String)>,
    catalogue_html: String,
}

/// Writes every generated file.
pub(crate) fn write() -> Result<(), String> {
    let generated = generate()?;
    for (page, text) in &generated.committed {
        write_file(&command::root().join(page), text)?;
    }
    let html = command::target_dir().join(CATALOGUE_HTML);
    write_file(&html, &generated.catalogue_html)
}

/// Fails if a committed page differs from the program's output, or if a formula cannot be rendered.
pub(crate) fn check() -> Result<(), String> {
    let pages = generate()?.committed;
    let stale: Vec<&str> = pages
        .iter()
        .filter(|(page, text)| is_stale(page, text))
        .map(|(page, _)| *page)
        .collect();
    if stale.is_empty() {
        println!("{} generated pages are up to date", pages.len());
        return Ok(());
    }
    let stale = stale.join(", ");
    Err(format!(
        "stale: {stale}; run `cargo xtask docs` and commit the result"
    ))
}

fn generate() -> Result<Generated, String> {
    command::build_programs()?;
    let mut committed = Vec::new();
    let mut catalogue_html = String::new();
    for &(page, arguments) in &PAGES {
        let text = run(arguments)?.stdout;
        if page == CATALOGUE {
            catalogue_html = catalogue::page(&text)?;
        }
        committed.push((page, text));
    }
    committed.push((IMAGE, image()?));
    Ok(Generated {
        committed,
        catalogue_html,
    })
}

fn is_stale(page: &str, text: &str) -> bool {
    fs::read_to_string(command::root().join(page))
        .ok()
        .as_deref()
        != Some(text)
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    path.parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn run(arguments: &[&str]) -> Result<command::Printed, String> {
    let mut cranfield = command::program(command::release_binary("cranfield"));
    command::capture(cranfield.args(arguments).env("NO_COLOR", "1"))
}

fn image() -> Result<String, String> {
    let printed = run(&IMAGE_COMMAND)?;
    let [command, qrels, runs] = IMAGE_COMMAND;
    Ok(picture::terminal(
        "A leaderboard of four runs, with notes on missing topics, ties and unjudged documents",
        &format!("cranfield {command} {qrels} '{runs}'"),
        &printed.stderr,
        &printed.stdout,
    ))
}
