//! `cranfield fuse` and `cranfield tune-fuse`.

use std::fs;
use std::path::Path;

use super::process::{cranfield, text};

fn runs() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder
        .canonicalize()
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

/// Runs a command that must succeed; its notes.
#[track_caller]
fn done(folder: &Path, command: &str) -> String {
    let output = cranfield(folder, command.trim_end());
    assert!(
        output.status.success(),
        "{command}: {}",
        text(&output.stderr)
    );
    text(&output.stderr)
}

/// Runs a command that must fail because of its options or inputs; its message.
#[track_caller]
fn fails(folder: &Path, command: &str) -> String {
    let output = cranfield(folder, command.trim_end());
    let code = output.status.code();
    assert!(matches!(code, Some(2 | 3)), "{command}: {code:?}");
    text(&output.stderr)
}

/// Three runs over many topics, of which some lack topics, with many equal scores.
fn write_runs(folder: &Path) {
    for run in 0..3usize {
        let lines = (0..40usize)
            .filter(|topic| (topic + run) % 7 > 0)
            .flat_map(|topic| {
                (0..60usize).map(move |place| {
                    let doc = (place * (run + 3) + topic * 11) % 97;
                    format!("t{topic} Q0 d{doc} 0 {} run{run}\n", (60 - place) / 2)
                })
            });
        fs::write(folder.join(format!("{run}.run")), lines.collect::<String>()).unwrap();
    }
}

#[test]
fn bytes_do_not_depend_on_threads_order_of_lines_or_format() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_runs(folder);
    for method in ["rrf", "mnz", "condorcet", "copeland", "bordafuse", "med"] {
        let fuse = |runs: &str, options: &str| {
            done(
                folder,
                &format!("fuse {runs} -o fused.run -m {method} --quiet {options}"),
            );
            fs::read(folder.join("fused.run")).unwrap()
        };
        let expected = fuse("0.run 1.run 2.run", "--threads 1");
        assert!(expected.len() > 10_000);
        assert!(
            fuse("0.run 1.run 2.run", "--threads 3") == expected,
            "{method}"
        );
        // Lines of all topics, interleaved: such a run is read into memory.
        let lines = fs::read_to_string(folder.join("1.run")).unwrap();
        let mut lines: Vec<&str> = lines.lines().collect();
        lines.sort_by_key(|line| line.split(' ').nth(2));
        fs::write(folder.join("mixed.run"), lines.join("\n")).unwrap();
        assert!(fuse("0.run mixed.run 2.run", "") == expected, "{method}");
        done(folder, "convert 2.run 2.json --to json --quiet");
        done(folder, "convert 0.run 0.run.gz --to trec --quiet");
        assert!(fuse("0.run.gz 1.run 2.json", "") == expected, "{method}");
    }
}

#[test]
fn notes_and_provenance() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_runs(folder);
    let notes = done(
        folder,
        "fuse 0.run 1.run 2.run -o fused.run --tag mine --depth 10",
    );
    assert!(
        notes.contains("fused 40 topics of 3 runs: 400 documents in all"),
        "{notes}"
    );
    assert!(notes.contains("0.run (6), 1.run (5), 2.run (5)"), "{notes}");
    let all = done(folder, "fuse 0.run 1.run 2.run -o all.run");
    assert!(all.contains("have the fused score of another one"), "{all}");
    let run = fs::read_to_string(folder.join("fused.run")).unwrap();
    assert_eq!(run.lines().count(), 400);
    assert!(run.lines().all(|line| line.ends_with(" mine")));
    let yaml = fs::read_to_string(folder.join("fused.run.yaml")).unwrap();
    for part in [
        "tag: \"mine\"",
        "\"method\":\"rrf(k=60)\"",
        "\"file\":\"0.run\"",
        "topics: 40",
    ] {
        assert!(yaml.contains(part), "{part}: {yaml}");
    }
    // What is written is in the order in which it is read again.
    done(
        folder,
        "fuse fused.run -o again.run -m sum --norm none --tag mine --quiet",
    );
    assert_eq!(fs::read_to_string(folder.join("again.run")).unwrap(), run);
}

#[test]
fn a_normalisation_without_effect_is_noted_and_not_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_runs(folder);
    let fused = |options: &str| {
        let notes = done(folder, &format!("fuse 0.run 1.run -o x.run {options}"));
        let yaml = fs::read_to_string(folder.join("x.run.yaml")).unwrap();
        (fs::read(folder.join("x.run")).unwrap(), notes, yaml)
    };
    let (plain, notes, _) = fused("");
    assert!(!notes.contains("normalisation"), "{notes}");
    let (same, notes, yaml) = fused("--norm zmuv");
    assert!(plain == same);
    let note = "note: normalisation has no effect with rrf, which uses ranks only";
    assert!(notes.contains(note), "{notes}");
    assert!(!yaml.contains("zmuv"), "{yaml}");
    let (_, notes, yaml) = fused("-m sum --norm zmuv");
    assert!(
        !notes.contains("no effect") && yaml.contains("zmuv"),
        "{notes}{yaml}"
    );
}

#[test]
fn depths_of_zero_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.run"), "1 Q0 a 1 2 t\n").unwrap();
    for option in ["--depth 0", "--input-depth 0"] {
        let found = fails(folder.path(), &format!("fuse a.run -o f.run {option}"));
        assert!(
            found.contains("expected a whole number of at least 1"),
            "{found}"
        );
    }
    assert!(!folder.path().join("f.run").exists());
}

#[test]
fn faults_are_reported_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.run"), "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n").unwrap();
    fs::write(
        folder.join("twice.run"),
        "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 a 3 0 t\n",
    )
    .unwrap();
    fs::write(folder.join("word.run"), "1 Q0 a 1 2 t\n1 Q0 b 2 x t\n").unwrap();
    fs::write(folder.join("low.run"), "1 Q0 a 1 -2 t\n1 Q0 b 2 -3 t\n").unwrap();
    fs::write(folder.join("empty.run"), "").unwrap();
    let twice = fails(folder, "fuse a.run twice.run -o f.run");
    assert!(
        twice.contains("twice.run:3:6") && twice.contains("IR030"),
        "{twice}"
    );
    let word = fails(folder, "fuse a.run word.run -o f.run");
    assert!(word.contains("word.run:2:10"), "{word}");
    assert!(fails(folder, "fuse a.run empty.run -o f.run").contains("empty.run"));
    for (options, message) in [
        ("-m wsum", "wsum needs a weight for each run; add --weights"),
        ("-m wsum -w 1,2,3", "3 weights for 2 runs"),
        ("-m posfuse", "posfuse learns from judgements; add --train"),
        ("-m sum --norm max", "choose --norm min-max"),
        ("-m sum --ties expected", "--ties expected is not an order"),
        ("-m rff", "unknown fusion method"),
        ("--norm minmax", "unknown normalisation"),
    ] {
        let found = fails(folder, &format!("fuse a.run low.run -o f.run {options}"));
        assert!(found.contains(message), "{options}: {found}");
    }
    assert!(!folder.join("f.run").exists());
}

#[test]
fn trained_methods_use_the_topics_of_the_judgements() {
    let (folder, examples) = (tempfile::tempdir().unwrap(), runs());
    let folder = folder.path();
    let qrels = fs::read_to_string(format!("{examples}/qrels.txt")).unwrap();
    let lines = qrels.lines().filter(|line| line < &"107");
    fs::write(
        folder.join("train.txt"),
        lines.collect::<Vec<_>>().join("\n"),
    )
    .unwrap();
    for method in [
        "posfuse",
        "probfuse(segments=5)",
        "segfuse",
        "slidefuse",
        "mapfuse",
        "bayesfuse",
    ] {
        let command = format!(
            "fuse {examples}/runs/bm25.run {examples}/runs/dense.run -o {method}.run -m {method} --train train.txt"
        );
        let notes = done(folder, &command);
        assert!(notes.contains("trained on 6 topics"), "{notes}");
        let run = fs::read_to_string(folder.join(format!("{method}.run"))).unwrap();
        assert!(
            run.contains("112 Q0"),
            "topics that were not trained on are fused"
        );
    }
}

#[test]
fn weights_are_tuned_on_other_topics() {
    let (folder, examples) = (tempfile::tempdir().unwrap(), runs());
    let folder = folder.path();
    let tune = format!(
        "tune-fuse {examples}/qrels.txt {examples}/runs/bm25.run {examples}/runs/dense.run --folds 3 -f json"
    );
    let output = cranfield(
        folder,
        &format!("{tune} --method wsum --space w1=[0.2,0.8];w2=[0.2,0.8] -o tuned.run"),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(result["folds"].as_array().map(Vec::len), Some(3));
    assert!(
        fs::read_to_string(folder.join("tuned.run"))
            .unwrap()
            .lines()
            .count()
            > 100
    );
    let wrong = fails(folder, &format!("{tune} --method posfuse --space k=[1]"));
    assert!(wrong.contains("posfuse learns from judgements"), "{wrong}");
}
