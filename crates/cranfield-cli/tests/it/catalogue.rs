//! Every measure of the catalogue, and every parameter of each, can be asked for wherever a measure can.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const QRELS: &str = "1 0 a 1\n1 0 b 2\n1 0 c 1\n1 0 d 1\n1 0 y 0\n1 0 z 0\n2 0 a 2\n2 0 y 0\n";
const GROUPS: &str = "1 1 a 1\n1 1 b 2\n1 2 c 1\n1 2 y 0\n2 1 a 2\n2 1 y 0\n2 2 a 1\n";
const PREFS: &str = "1 A 1 a 3\n1 A 1 y 1\n1 A 1 b 2\n1 A 2 b 2\n1 A 2 c 1\n2 A 1 a 2\n2 A 1 y 1\n";
const RUN: &str = "1 Q0 x 1 5 t\n1 Q0 a 2 4 t\n1 Q0 b 3 3 t\n1 Q0 y 4 2 t\n1 Q0 c 5 1 t\n2 Q0 a 1 2 t\n2 Q0 y 2 1 t\n";
const STRATA: &str = "1 0 a 1 1\n1 0 b 1 2\n1 0 y 2 0\n1 0 c 2 1\n1 0 x 2 -1\n";
const PRELS: &str = "1 a 2 1 0.25\n1 y 0 1 0.5\n1 c 1 1 1\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("plain", QRELS),
        ("qrels_jg", GROUPS),
        ("prefs", PREFS),
        ("strata", STRATA),
        ("prels", PRELS),
        ("known", "1 a\n1 d\n1 y\n2 y\n"),
        ("sessions", "s 1\ns 2\n"),
        ("run", RUN),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn cranfield(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let command = command.current_dir(folder).args(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!("{arguments:?}: {}", text(&output.stderr)))
    }
}

/// The file of judgements and the further options that a measure needs.
fn inputs(needs: Option<&str>) -> (&str, Vec<&str>) {
    match needs {
        None => ("plain", vec![]),
        Some("--known FILE") => ("plain", vec!["--known", "known"]),
        Some("--sessions FILE") => ("plain", vec!["--sessions", "sessions"]),
        Some(format) => {
            let format = format.strip_prefix("--qrels-format ").unwrap();
            (format, vec!["--qrels-format", format])
        }
    }
}

/// The measure's name alone, and with each of its parameters written out; with a cutoff or a point where it needs one.
fn names(measure: &Value) -> Vec<String> {
    let [name, usage] = ["name", "usage"].map(|field| measure[field].as_str().unwrap());
    let at = match usage.rsplit_once('@') {
        Some((before, "k")) if !before.ends_with('[') => "@5",
        Some((before, _)) if !before.ends_with('[') => "@0.5",
        _ => "",
    };
    let parameters = measure["parameters"].as_array().unwrap().iter();
    let written = parameters.map(|parameter| {
        let [key, value] = ["name", "default"].map(|field| parameter[field].as_str().unwrap());
        let bare = value.parse::<f64>().is_ok() || matches!(value, "true" | "false");
        let quote = if bare || value.starts_with('\'') {
            ""
        } else {
            "'"
        };
        format!("{name}({key}={quote}{value}{quote}){at}")
    });
    std::iter::once(format!("{name}{at}"))
        .chain(written)
        .collect()
}

#[test]
fn every_measure_and_parameter_is_reachable() {
    let folder = folder();
    let run = |arguments: &[&str]| cranfield(folder.path(), arguments);
    let catalogue: Vec<Value> =
        serde_json::from_str(&run(&["measures", "-f", "json"]).unwrap()).unwrap();
    let page = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/measures.md"),
    )
    .unwrap();
    let mut failures = Vec::new();
    for measure in &catalogue {
        let name = measure["name"].as_str().unwrap();
        if !page.contains(&format!("\n## {name}")) {
            failures.push(format!("{name} has no place in docs/reference/measures.md"));
        }
        failures.extend(run(&["measures", name]).err());
        let (judgements, options) = inputs(measure["needs"].as_str());
        let topic = if options.contains(&"--sessions") {
            "s"
        } else {
            "1"
        };
        for name in names(measure) {
            let mut eval = vec!["eval", judgements, "run", "-m", &name];
            eval.extend(&options);
            failures.extend(run(&eval).err());
            let mut explain = vec!["explain", judgements, "run", "-t", topic, "-m", &name];
            explain.extend(&options);
            failures.extend(run(&explain).err());
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let parameters: usize = catalogue
        .iter()
        .map(|measure| names(measure).len() - 1)
        .sum();
    let counted = format!("{} measures with {parameters} parameters", catalogue.len());
    let list = run(&["measures"]).unwrap();
    assert!(
        list.contains(&counted),
        "{counted}: {}",
        list.lines().last().unwrap_or_default()
    );
}
