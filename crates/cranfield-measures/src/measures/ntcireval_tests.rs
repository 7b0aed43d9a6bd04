//! All values in NTCIREVAL's example files, if these are available.
//!
//! The files are in a folder `shared` next to the repository, or in that given by `CRANFIELD_SHARED`.

#![allow(clippy::print_stdout, reason = "a skipped test reports it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cranfield_core::measure::Computation;

use super::tests::{TestTopic, measure};

/// The folder of the example files, or `None` with a printed note.
fn folder() -> Option<PathBuf> {
    cranfield_testkit::golden("ntcireval")
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Document and grade of each line of a file of judgements.
fn judgements(text: &str) -> BTreeMap<&str, i32> {
    let lines = text.lines().filter_map(|line| line.split_once(" L"));
    lines
        .map(|(document, level)| (document, level.trim().parse().unwrap()))
        .collect()
}

/// Maps a measure of NTCIREVAL to our name; `gains` is a table, and 3 the highest level.
fn our_name(name: &str, gains: &str) -> String {
    let (family, cutoff) = match name.split_once('@') {
        Some((family, digits)) => (family, format!("@{}", digits.trim_start_matches('0'))),
        None => (name, String::new()),
    };
    let gains = format!("gains='{gains}'");
    let ours = match family {
        "RR" | "P" => family.to_owned(),
        "Hit" => "Success".to_owned(),
        "AP" => "AP(denominator='min(R,k)')".to_owned(),
        "Q" | "Q-measure" | "O-measure" | "P-measure" | "P-plus" => format!("{family}({gains})"),
        "NCUgu,P" => format!("NCU({gains})"),
        "NCUgu,BR" => format!("NCU(utility='BR', {gains})"),
        "NCUrb,P" => format!("NCU(stop='rb', {gains})"),
        "NCUrb,BR" => format!("NCU(stop='rb', utility='BR', {gains})"),
        "RBP" => format!("RBP(p=0.95, {gains}, scale='topic')"),
        "ERR" | "nERR" => format!("{family}({gains}, max=3)"),
        "nDCG" => format!("nDCG({gains}, discount='jk')"),
        "MSnDCG" => format!("nDCG({gains})"),
        other => panic!("no name for {other}"),
    };
    ours + &cutoff
}

fn check_file(name: &str, gains: &str, condensed: bool) {
    let Some(folder) = folder() else { return };
    let (judged, ranked) = (read(&folder, "sample.rel"), read(&folder, "sample.res"));
    let judged = judgements(&judged);
    let grades = ranked
        .split_whitespace()
        .map(|document| judged.get(document).copied().unwrap_or(-1));
    let ranking: Vec<_> = grades.filter(|grade| !condensed || *grade >= 0).collect();
    let topic = TestTopic::new(&ranking, &judged.into_values().collect::<Vec<_>>());
    let mut count = 0;
    for line in read(&folder, name).lines() {
        let Some((theirs, value)) = line.trim().split_once('=') else {
            continue;
        };
        if theirs.starts_with('#') {
            continue;
        }
        let ours = our_name(theirs, gains);
        let Computation::Ranked(measure) = measure(&ours).computation else {
            panic!("{ours} is not of a ranking");
        };
        let computed = measure.evaluate(&topic.ranking()).unwrap();
        assert_eq!(format!("{computed:.4}"), value.trim(), "{theirs}, {ours}");
        count += 1;
    }
    assert_eq!(count, 19, "{name}");
}

#[test]
fn default_gains() {
    check_file("res_test_compute.txt", "0,1,2,3", false);
}

#[test]
fn cutoff_2() {
    check_file("res_test_compute_cutoff.txt", "0,1,2,3", false);
}

#[test]
fn other_gains() {
    check_file("res_test_compute_grade.txt", "0,1,4,9", false);
}

#[test]
fn condensed_list() {
    check_file("res_test_compute_label_j.txt", "0,1,2,3", true);
}
