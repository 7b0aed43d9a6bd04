//! The table of crates in ARCHITECTURE.md is true.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The arrows between crates of the workspace, as Cargo knows them. Development dependencies do not count.
fn arrows_of_cargo(root: &Path) -> Arrows {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = packages
        .iter()
        .map(|package| text(&package["name"]))
        .collect();
    let uses = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let normal = dependencies.filter(|dependency| dependency["kind"].is_null());
        let used = normal.map(|dependency| text(&dependency["name"]));
        used.filter(|name| names.contains(name)).collect()
    };
    packages
        .iter()
        .map(|package| (text(&package["name"]), uses(package)))
        .collect()
}

/// The arrows in the table: the crate is in the first column, what it uses in the last.
fn arrows_of_table(page: &str) -> Arrows {
    let names_in = |cell: &str| -> Vec<String> {
        let pieces = cell.split('`').enumerate();
        let names = pieces.filter(|(at, _)| at % 2 == 1);
        names.map(|(_, name)| name.to_owned()).collect()
    };
    let crates = page.split("## ").find(|part| part.starts_with("Crates"));
    let rows = crates
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let name = names_in(cells[0]).remove(0);
        (name, names_in(cells[3]).into_iter().collect())
    })
    .collect()
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    assert_eq!(arrows_of_cargo(&root), arrows_of_table(&page));
}

/// Crates whose strings a library user sees, which must not name options of the command line.
const LIBRARIES: [&str; 8] = [
    "core", "compare", "eval", "io", "measures", "render", "report", "stats",
];

/// The file that renders settings for the command line, and files with custom properties of CSS.
const EXEMPT: [&str; 4] = [
    "cranfield-core/src/setting.rs",
    "cranfield-render/src/page.rs",
    "cranfield-render/src/plot/html.rs",
    "cranfield-report/src/report/sections.rs",
];

/// Whether a line has a string literal with an option, such as `--level`, at its start or after a space, or renders a message for the
/// command line.
fn names_an_option(line: &str) -> bool {
    let line = line.trim_start();
    let is_option = |(at, _): (usize, &str)| {
        let (before, after) = (&line[..at], &line[at + 2..]);
        let is_start = before.is_empty() || before.ends_with([' ', '"', '`', '(']);
        is_start && after.starts_with(|letter: char| letter.is_ascii_lowercase())
    };
    let renders = line.contains("SettingStyle::CommandLine");
    !line.starts_with("//") && (renders || line.match_indices("--").any(is_option))
}

fn rust_files(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn options_in_strings_are_found() {
    assert!(names_an_option(r#"    "use --topics both","#));
    assert!(names_an_option(r#"let help = "--level 2";"#));
    assert!(names_an_option("             --topics run counts it\""));
    assert!(names_an_option("note.render(SettingStyle::CommandLine)"));
    assert!(!names_an_option("/// `--level` on the command line"));
    assert!(!names_an_option(r#""a------z""#));
}

#[test]
fn strings_of_libraries_name_no_options() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for library in LIBRARIES {
        let folder = crates.join(format!("cranfield-{library}/src"));
        let mut files = Vec::new();
        if folder.is_dir() {
            rust_files(&folder, &mut files);
        }
        for file in files {
            let name = file.strip_prefix(&crates).unwrap().display().to_string();
            let name = name.replace('\\', "/");
            if EXEMPT.contains(&name.as_str()) {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let lines = (1..).zip(text.lines());
            let lines = lines.filter(|(_, line)| names_an_option(line));
            found.extend(lines.map(|(number, line)| format!("{name}:{number}: {}", line.trim())));
        }
    }
    found.sort();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A later room may use an earlier one only.
#[test]
fn arrows_point_down() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let order: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let place = |name: &str| order.iter().position(|known| *known == name);
    for (name, uses) in arrows_of_table(&page) {
        for used in uses {
            assert!(place(&used) < place(&name), "{name} uses {used}");
        }
    }
}
