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
    let rooms = page.split("## ").find(|part| part.starts_with("Rooms"));
    let rows = rooms
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
fn crates_use_what_the_table_of_rooms_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    assert_eq!(arrows_of_cargo(&root), arrows_of_table(&page));
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
