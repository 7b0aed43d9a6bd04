//! Generates the reference pages and the README's plot with the program itself.

use std::fs;
use std::path::Path;

use crate::{catalogue, command};

/// Committed files, each with the `cranfield` arguments that print it.
const COMMITTED: [(&str, &[&str]); 3] = [
    (CATALOGUE, &["measures", "--format", "md"]),
    (
        "docs/reference/diagnostics.md",
        &["doctor", "--codes", "--format", "md"],
    ),
    (
        "docs/images/pr.svg",
        &[
            "plot",
            "pr",
            "examples/qrels.txt",
            "examples/runs",
            "--band",
            "none",
            "--format",
            "svg",
            "--output",
            "-",
        ],
    ),
];

const CATALOGUE: &str = "docs/reference/measures.md";

/// The catalogue for browsers, with rendered formulas: built into the target folder, not committed.
const CATALOGUE_HTML: &str = "docs/measures.html";

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
    for &(page, arguments) in &COMMITTED {
        let text = run(arguments)?;
        if page == CATALOGUE {
            catalogue_html = catalogue::page(&text)?;
        }
        committed.push((page, text));
    }
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

fn run(arguments: &[&str]) -> Result<String, String> {
    let mut cranfield = command::program(command::release_binary("cranfield"));
    command::capture(cranfield.args(arguments).env("NO_COLOR", "1"))
}
