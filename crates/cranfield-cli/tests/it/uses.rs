//! Options that have no effect, few topics, and other edge cases of comparisons.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::limits::{cranfield, examples};

#[track_caller]
fn refused(command: &str, why: &str) {
    let error = cranfield(&examples(), command).unwrap_err();
    assert!(error.contains(why), "{command}: {error}");
}

#[track_caller]
fn accepted(command: &str) -> (String, String) {
    cranfield(&examples(), command).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// The examples with their first topics alone.
fn few_topics(topics: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("runs")).unwrap();
    let text = fs::read_to_string(examples().join("qrels.txt")).unwrap();
    let topic = |line: &str| line.split_whitespace().next().unwrap().to_owned();
    let mut known: Vec<String> = text.lines().map(topic).collect();
    known.dedup();
    let known = &known[..topics];
    for file in ["qrels.txt", "runs/bm25.run", "runs/dense.run"] {
        let text = fs::read_to_string(examples().join(file)).unwrap();
        let kept = text.lines().filter(|line| known.contains(&topic(line)));
        let kept: String = kept.map(|line| format!("{line}\n")).collect();
        fs::write(folder.path().join(file), kept).unwrap();
    }
    folder
}

const TWO: &str = "@qrels.txt @runs/bm25.run @runs/dense.run";

#[test]
fn options_without_effect_are_accepted() {
    for command in [
        "report @qrels.txt @runs/bm25.run -m AP -f md --test sign --baseline bm25 --alpha 0.1",
        "power --sd .3 --level 2 --ties best --among 5",
        "gate @qrels.txt @runs/hybrid.run -b @runs/bm25.run -m AP --seed 7",
        "compare @qrels.txt @runs -m AP -f latex --pairs --claims",
    ] {
        accepted(command);
    }
    let csv = format!("report {TWO} -m AP -f csv");
    let more = format!("{csv} --title x --margin 0.1 --depth-shown 5");
    assert_eq!(accepted(&csv).0, accepted(&more).0);
}

#[test]
fn a_report_on_one_topic_has_a_note() {
    let folder = few_topics(1);
    let command = format!("report {TWO} -m AP -f md");
    let (page, notes) = cranfield(folder.path(), &command).unwrap();
    let note = "the runs are not compared: ";
    assert!(page.contains(note), "{page}");
    assert!(notes.contains(&format!("note: {note}")), "{notes}");
    let (_, quiet) = cranfield(folder.path(), &format!("{command} --quiet")).unwrap();
    assert_eq!(quiet, "");
    assert!(!accepted(&command).1.contains(note));
}

#[test]
fn bands_depend_on_level_and_seed_if_they_are_resampled() {
    let plot = format!("plot pr {TWO} -o - -f csv");
    let seeded = |more: &str| accepted(&format!("{plot} {more}")).0;
    assert_ne!(seeded("--alpha 0.1"), seeded("--alpha 0.2"));
    assert_ne!(seeded("--seed 4"), seeded("--seed 5"));
    assert_eq!(seeded("--band se --seed 4"), seeded("--band se"));
    // More than two runs have no bands by default.
    let many = "plot pr @qrels.txt @runs -o - -f csv";
    assert!(!accepted(many).0.contains("low"));
    let banded = accepted(&format!("{many} --band bootstrap")).0;
    assert!(
        banded.starts_with("run,recall,precision,low,high\n"),
        "{banded}"
    );
}

/// Resamples of few topics have one note, which the caption repeats.
#[test]
fn few_topics_have_a_note() {
    let ranks = "ank intervals from resamples of 3 topics are too narrow, and probabilities of being best overconfident, as for any fewer than 10";
    let bands = "ands from resamples of 3 topics are too narrow, as for any fewer than 10";
    let few = few_topics(3);
    for (command, first, says) in [
        ("plot ranks -o - -f csv", "rR", ranks),
        ("plot ndcg -o - -f csv", "bB", bands),
        ("compare -m AP", "r", ranks),
        ("compare", "r", ranks),
    ] {
        let (command, more) = match command.split_once(" -") {
            Some((command, more)) => (command, format!("-{more}")),
            None => (command, String::new()),
        };
        let command = format!("{command} {TWO} {more}");
        let (_, notes) = cranfield(few.path(), &command).unwrap();
        for letter in first.chars() {
            let start = if letter.is_lowercase() { "note: " } else { "" };
            let note = format!("{start}{letter}{says}");
            assert_eq!(notes.matches(&note).count(), 1, "{command}: {notes}");
        }
        let (_, enough) = accepted(&command);
        assert!(!enough.contains("are too short"), "{enough}");
    }
    // Standard errors are no intervals over resamples.
    let command = format!("plot ndcg {TWO} -o - -f csv --band se");
    let (_, notes) = cranfield(few.path(), &command).unwrap();
    assert!(!notes.contains("too short"), "{notes}");
}

#[test]
fn ranks_of_one_topic_are_refused() {
    let one = few_topics(1);
    for command in ["plot ranks", "compare"] {
        let more = if command == "compare" {
            ""
        } else {
            "-o - -f csv"
        };
        let command = format!("{command} {TWO} -m AP {more}");
        let error = cranfield(one.path(), &command).unwrap_err();
        assert_eq!(
            error,
            "AP: all runs have a value for only one topic; a comparison needs two or more"
        );
    }
}

/// P@10 has differences of 0.1, 0.2, ...
#[test]
fn regions_with_an_edge_on_which_topics_lie_are_told() {
    let notes = |rope: &str| accepted(&format!("compare {TWO} -m P@10 --rope {rope}")).1;
    let says = "note: P@10: pairs of topics lie exactly on the boundary of ±0.1 (up to ";
    assert!(notes("0.1").contains(says), "{}", notes("0.1"));
    for rope in ["0.0999", "0.1001"] {
        assert!(!notes(rope).contains("on the boundary"), "{}", notes(rope));
    }
}

#[test]
fn comparisons_have_no_trec_format() {
    let listed = |command: &str| {
        let help = cranfield(&examples(), &format!("{command} -h")).unwrap_err();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let formats = help.split_once("[possible values: table, ").unwrap().1;
        formats.split_once(']').unwrap().0.contains("trec")
    };
    for command in ["compare", "gate", "power", "discriminate", "agree"] {
        assert!(!listed(command), "{command}");
    }
    assert!(listed("eval") && listed("similarity"));
    refused(
        &format!("compare {TWO} -m AP -f trec"),
        "invalid value 'trec'",
    );
}

#[test]
fn pages_of_reports_test_all_runs_together() {
    let (page, _) = accepted("report @qrels.txt @runs -m AP -f md");
    let (compared, _) = accepted("compare @qrels.txt @runs -m AP -f md");
    let sentence = |page: &str| {
        let mut lines = page.lines();
        let line = lines.find(|line| line.contains("Friedman's test over all runs"));
        line.unwrap().to_owned()
    };
    assert_eq!(sentence(&page), sentence(&compared));
    let (document, _) = accepted("report @qrels.txt @runs -m AP -f latex");
    assert!(document.contains("Friedman's test over all runs"));
}

#[test]
fn plots_say_how_many_measures_they_need() {
    refused(
        &format!("plot slope {TWO} -m CG@1 -o - -f csv"),
        "slope needs two measures; `CG@1` is 1",
    );
    refused(
        &format!("plot box {TWO} -m AP -m RR -o - -f csv"),
        "box needs one measure; `AP RR` is 2",
    );
}

/// Of E@10 smaller values are better, and a topic that rises got worse.
#[test]
fn topics_get_worse_in_either_direction() {
    let gate =
        "gate @qrels.txt @runs/dense.run -b @runs/hybrid.run --tolerance 0.9 --quiet -m E@10";
    let ratchet = |limit: &str| accepted(&format!("{gate} --ratchet {limit}")).0;
    let out = ratchet("0.2");
    assert!(
        out.contains("4 topic values got worse by more than 0.2"),
        "{out}"
    );
    let out = ratchet("0.99");
    assert!(
        out.contains("no topic got worse by more than 0.99"),
        "{out}"
    );
}

/// A plan that is piped has the hash that its file has.
#[test]
fn plans_from_standard_input_have_a_hash() {
    let compare = |plan: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cranfield"));
        let files = ["compare", "qrels.txt", "runs", "-f", "json", "--plan", plan];
        let text = fs::File::open(examples().join("plan.toml")).unwrap();
        let command = command.current_dir(examples()).args(files).stdin(text);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["plan"].clone()
    };
    let [piped, named] = ["-", "plan.toml"].map(compare);
    assert!(named["blake3"].is_string());
    assert_eq!(piped["blake3"], named["blake3"]);
    assert_eq!(piped["text"], named["text"]);
}
