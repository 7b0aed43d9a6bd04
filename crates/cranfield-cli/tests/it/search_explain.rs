//! `cranfield search --explain`: the parts of a score add up to the score in the run.

use std::path::Path;

use serde_json::Value;

use super::process::{check_in, cranfield, text};

fn garden() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/garden");
    let folder = folder.canonicalize().unwrap();
    folder
        .join("collection.toml")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn terms_add_up_to_the_score_in_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let collection = garden();
    let index = format!("index {collection} -o index --quiet");
    check_in(folder, &index, 0, "", "");
    for options in [
        "-m BM25",
        "-m QL(mu=1000)",
        "-m VSM('lnc.ltc')",
        "-m DPH",
        "--feedback RM3",
        "-m QL(mu=500) --feedback Rocchio",
    ] {
        let search = format!("search index {collection} {options} --depth 40");
        let run = cranfield(folder, &format!("{search} -o - --quiet"));
        let run = text(&run.stdout);
        // Documents at the top and further down, of several topics.
        for line in run.lines().step_by(137) {
            let cells: Vec<&str> = line.split(' ').collect();
            let explain = format!("{search} --explain {} {} -f json", cells[0], cells[2]);
            let output = cranfield(folder, &explain);
            let found: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
            let expected: f64 = cells[4].parse().unwrap();
            assert_eq!(found["score"].as_f64(), Some(expected), "{options}: {line}");
            let terms = found["terms"].as_array().unwrap();
            let scores = terms.iter().map(|term| term["score"].as_f64().unwrap());
            let sum = scores.sum::<f64>() + found["rest"].as_f64().unwrap();
            assert!((sum - expected).abs() < 1e-6, "{options}: {line}: {found}");
        }
    }
}

#[test]
fn what_cannot_be_explained_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let collection = garden();
    check_in(
        folder,
        &format!("index {collection} -o index --quiet"),
        0,
        "",
        "",
    );
    let search = format!("search index {collection}");
    let cases = [
        ("--explain 1 nothing", 3, "no document `nothing`"),
        ("--explain 99 G259", 3, "no topic `99`"),
        ("--explain 1", 2, "2 values required"),
        ("--explain 1 G259 -o x.run", 2, "cannot be used with"),
    ];
    for (options, code, message) in cases {
        check_in(folder, &format!("{search} {options}"), code, "", message);
    }
    let vectors = collection.replace("collection.toml", "vectors");
    check_in(
        folder,
        &format!("search vectors:{vectors} {collection} --explain 1 G259"),
        3,
        "",
        "only the scores of an index can be explained",
    );
}
