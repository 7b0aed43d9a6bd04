//! The reference pages and the picture of the README, generated from the program so that they cannot disagree with it.

use std::fs;
use std::path::PathBuf;

use crate::{catalogue, command, picture};

/// A page, and the arguments of `cranfield` that print it.
const PAGES: [(&str, &[&str]); 2] = [
    (CATALOGUE, &["measures", "--format", "md"]),
    (
        "docs/reference/diagnostics.md",
        &["doctor", "--codes", "--format", "md"],
    ),
];

/// The catalogue of measures, and the same as a page for browsers, with formulas drawn.
const CATALOGUE: &str = "docs/reference/measures.md";
const CATALOGUE_PAGE: &str = "docs/reference/measures.html";

/// The picture of the README, and the arguments of `cranfield` that print what it shows.
const PICTURE: &str = "docs/images/eval.svg";
const PICTURED: [&str; 3] = ["eval", "examples/qrels.txt", "examples/runs/*.run"];

/// Writes every page.
pub(crate) fn write() -> Result<(), String> {
    for (page, text) in generate()? {
        let path = command::root().join(page);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{page}: {error}"))?;
        }
        fs::write(&path, text).map_err(|error| format!("{page}: {error}"))?;
        println!("wrote {page}");
    }
    Ok(())
}

/// Fails when a page is missing or not what the program prints now.
pub(crate) fn check() -> Result<(), String> {
    let is_stale = |page: &str, text: &str| {
        let path: PathBuf = command::root().join(page);
        fs::read_to_string(path).ok().as_deref() != Some(text)
    };
    let pages = generate()?;
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

fn generate() -> Result<Vec<(&'static str, String)>, String> {
    command::build_programs()?;
    let mut pages = Vec::new();
    for &(page, arguments) in &PAGES {
        let text = run(arguments)?.stdout;
        if page == CATALOGUE {
            pages.push((CATALOGUE_PAGE, catalogue::page(&text)?));
        }
        pages.push((page, text));
    }
    pages.push((PICTURE, pictured()?));
    Ok(pages)
}

fn run(arguments: &[&str]) -> Result<command::Printed, String> {
    let mut cranfield = command::program(command::release_binary("cranfield"));
    command::capture(cranfield.args(arguments).env("NO_COLOR", "1"))
}

fn pictured() -> Result<String, String> {
    let printed = run(&PICTURED)?;
    let [command, qrels, runs] = PICTURED;
    Ok(picture::terminal(
        "A leaderboard of four runs, with notes on missing topics, ties and unjudged documents",
        &format!("cranfield {command} {qrels} '{runs}'"),
        &printed.stderr,
        &printed.stdout,
    ))
}
