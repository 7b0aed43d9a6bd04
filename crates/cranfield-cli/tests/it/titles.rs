//! Titles of topics and documents in `explain`, `compare` and `report`.

use std::fs;

use serde_json::Value;

use crate::limits::cranfield;

const RUNS: &str = "@qrels.txt @good.run @poor.run -m AP";

/// Judgements, two runs, and a collection whose topics have leading zeros.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("qrels.txt", "1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 d 0\n3 0 a 1\n");
    write(
        "good.run",
        "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 1 2 t\n3 Q0 a 1 1 t\n",
    );
    write(
        "poor.run",
        "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n2 Q0 d 1 2 t\n3 Q0 a 1 1 t\n",
    );
    fs::create_dir(folder.path().join("kept")).unwrap();
    write(
        "kept/docs.jsonl",
        "{\"_id\": \"a\", \"title\": \"On <wings>\", \"text\": \"They\\u0007 are thin.\"}\n\
         {\"_id\": \"b\", \"text\": \"A heat shield, described at such length that no table has room for all of it\"}\n",
    );
    write(
        "kept/topics.tsv",
        "001\tsupersonic <wings>\n002\theat\n003\tflutter\n",
    );
    write(
        "kept/collection.toml",
        "[documents]\nfiles = ['docs.jsonl']\n[topics]\nfiles = ['topics.tsv']\n",
    );
    folder
}

#[track_caller]
fn shown(command: &str) -> (String, String) {
    cranfield(folder().path(), command).unwrap_or_else(|error| panic!("{command}: {error}"))
}

#[test]
fn explain_shows_titles() {
    let (page, _) = shown("explain @qrels.txt @poor.run -m AP -t 1 --collection @kept -f md");
    assert!(page.contains("topic 1 “supersonic"), "{page}");
    assert!(page.contains("| On ") && page.contains("A heat shield, described"));
    assert!(!page.contains("no table has room"), "{page}");
    let (mean, _) = shown(&format!("explain {RUNS} --collection @kept/topics.tsv"));
    assert!(
        mean.contains("  title\n") && mean.contains("  heat\n"),
        "{mean}"
    );
}

#[test]
fn explain_names_titles_for_programs() {
    let command = "explain @qrels.txt @good.run -m AP -t 1 --collection @kept";
    let json: Value = serde_json::from_str(&shown(&format!("{command} -f json")).0).unwrap();
    let explained = &json["explanations"][0];
    assert_eq!(explained["title"], "supersonic <wings>");
    assert_eq!(explained["documents"][0]["title"], "On <wings>");
    let (csv, _) = shown(&format!("{command} -f csv"));
    assert!(
        csv.starts_with(
            "measure,run,other,topic,part,document,rank,other_rank,grade,share,title\n"
        )
    );
    let (plain, _) = shown("explain @qrels.txt @good.run -m AP -t 1 -f csv");
    assert!(!plain.contains("title"), "{plain}");
}

#[test]
fn compare_lists_the_topics_on_which_runs_differ() {
    let command = format!("compare {RUNS} --quiet --collection @kept");
    let (page, _) = shown(&command);
    // AP of topic 1 is 1 and 1/2, of topic 2 it is 1 and 0, of topic 3 it is 1 in both.
    let list = page.split("Topics on which runs differ most:").nth(1);
    let rows: Vec<&str> = list.unwrap().lines().skip(3).collect();
    assert!(rows[0].ends_with("1.0000  heat"), "{rows:?}");
    assert!(rows[1].ends_with("0.5000  supersonic <wings>"), "{rows:?}");
    assert_eq!(rows.get(2).copied().unwrap_or_default(), "");
    let json: Value = serde_json::from_str(&shown(&format!("{command} -f json")).0).unwrap();
    let topics = &json["comparison"][0]["pairs"][0]["differing_topics"];
    assert_eq!(topics[0]["title"], "heat");
    assert_eq!(topics[0]["topic"], "2");
    let (plain, _) = shown(&format!("compare {RUNS} --quiet"));
    assert!(page.starts_with(plain.trim_end()), "the rest is unchanged");
}

#[test]
fn report_has_titles() {
    let command = format!("report {RUNS} --quiet --collection @kept");
    let (page, _) = shown(&command);
    assert!(page.contains(r#""titles":["supersonic \u003cwings>","heat","flutter"]"#));
    assert!(!page.contains("<wings>"), "a title became markup");
    let json: Value = serde_json::from_str(&shown(&format!("{command} -f json")).0).unwrap();
    assert_eq!(json["topic_titles"]["3"], "flutter");
}

#[test]
fn unknown_collections_and_topics_are_named() {
    for command in ["explain", "compare", "report"] {
        let unknown = format!("{command} {RUNS} --collection @nowhere");
        let error = cranfield(folder().path(), &unknown).unwrap_err();
        assert!(
            error.contains("no such collection") && error.contains("nowhere"),
            "{error}"
        );
    }
    let other = folder();
    fs::write(
        other.path().join("other.tsv"),
        "x7y\tnothing\nx8y\tnothing\n",
    )
    .unwrap();
    let command = "explain @qrels.txt @good.run -m AP -t 3 --collection @other.tsv";
    let (page, notes) = cranfield(other.path(), command).unwrap();
    assert!(notes.contains("--collection: no topic of"), "{notes}");
    assert!(!page.contains('“'), "{page}");
}
