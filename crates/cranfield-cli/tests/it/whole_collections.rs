//! Two real collections, from files to a report by one command each, with and without a collection file.

use std::fs;
use std::path::Path;

use super::process::{check_in, cranfield, text};

const EXPERIMENT: &str = "
collection = 'collection.toml'
[run.bm25]
model = 'BM25(k1=1.2, b=0.75)'
[run.rm3]
feedback = 'RM3'
[evaluate]
measures = ['AP', 'nDCG@10', 'P@10', 'R@1000']
baseline = 'bm25'
[report]
";

/// Means of AP, nDCG@10, P@10 and R@1000, computed by an independent program.
type Means = [f64; 4];

/// Runs the experiment in a folder with a collection file, and compares means and the title of a topic.
#[track_caller]
fn check(folder: &Path, expected: [(&str, Means); 2], title: &str) {
    fs::write(folder.join("experiment.toml"), EXPERIMENT).unwrap();
    check_in(folder, "experiment", 0, "evaluate", "report.html");
    let out = folder.join("out");
    let leaderboard = fs::read_to_string(out.join("leaderboard.csv")).unwrap();
    for (run, means) in expected {
        for (measure, expected) in ["AP", "nDCG@10", "P@10", "R@1000"].iter().zip(means) {
            let start = format!("{measure},{run},");
            let line = leaderboard.lines().find(|line| line.starts_with(&start));
            let mean = line.and_then(|line| line.split(',').nth(3)).unwrap();
            let mean: f64 = mean.parse().unwrap();
            assert!((mean - expected).abs() <= 0.0002, "{start} {mean}");
        }
    }
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains(title), "the report lacks `{title}`");
}

#[test]
fn cranfield_from_files_to_a_report() {
    let Some((_, collection)) = cranfield_testkit::collection("cranfield") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("collection.toml"), collection).unwrap();
    check(folder.path(), CRANFIELD, CRANFIELD_TITLE);
}

const CRANFIELD: [(&str, Means); 2] = [
    ("bm25", [0.2950, 0.3587, 0.2293, 0.9523]),
    ("rm3", [0.3097, 0.3553, 0.2360, 0.9710]),
];
const CRANFIELD_TITLE: &str =
    "what similarity laws must be obeyed when constructing aeroelastic models";

#[test]
fn vaswani_from_files_to_a_report() {
    let Some((_, collection)) = cranfield_testkit::collection("vaswani") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("collection.toml"), collection).unwrap();
    let expected = [
        ("bm25", [0.2854, 0.4318, 0.3484, 0.9304]),
        ("rm3", [0.2967, 0.4405, 0.3645, 0.9345]),
    ];
    check(
        folder.path(),
        expected,
        "MEASUREMENT OF DIELECTRIC CONSTANT OF LIQUIDS",
    );
}

/// The folder as it is distributed has topics that are judged by their order, grades of which 1 is the best, and grades of -1.
#[test]
fn doctor_finds_the_traps_of_cranfield_and_writes_a_collection_file() {
    let Some((shared, _)) = cranfield_testkit::collection("cranfield") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = cranfield(folder, &format!("doctor {}", shared.display()));
    let found = text(&output.stdout);
    for expected in [
        "warning[IR216]: documents with smaller grades rank higher",
        "note[IR220]: the ids of topics match those of the judgements by their order",
        "note[IR070]: 225 of 1837 judgements have a negative grade",
        "note[IR225]: documents: cran.all.1400.gz; topics: cran.qry; judgements: cranqrel",
    ] {
        assert!(found.contains(expected), "{found}");
    }
    let fix = format!("doctor {} --fix -o collection.toml", shared.display());
    check_in(
        folder,
        &fix,
        0,
        "map grades, so that the best one is the largest",
        "",
    );
    let written = fs::read_to_string(folder.join("collection.toml")).unwrap();
    assert!(written.contains("ids = \"ordinal\""), "{written}");
    let grades = "grades = { \"1\" = 4, \"2\" = 3, \"3\" = 2, \"4\" = 1, \"-1\" = 0 }";
    assert!(written.contains(grades), "{written}");
    check(folder, CRANFIELD, CRANFIELD_TITLE);
    let again = text(&cranfield(folder, "doctor collection.toml").stdout);
    assert!(
        !again.contains("IR216") && !again.contains("IR220"),
        "{again}"
    );
}

/// Binary grades cannot be reversed, and the ids of Vaswani's topics are those of its judgements.
#[test]
fn doctor_finds_no_traps_in_vaswani() {
    let Some((shared, _)) = cranfield_testkit::collection("vaswani") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let found = cranfield(folder.path(), &format!("doctor {}", shared.display()));
    let found = text(&found.stdout);
    for code in ["IR216", "IR220", "IR070", "IR226"] {
        assert!(!found.contains(code), "{found}");
    }
    assert!(
        found.contains("93 topics, 11429 documents")
            || found.contains("93 topics, 11,429 documents"),
        "{found}"
    );
}
