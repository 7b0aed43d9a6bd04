//! `cranfield experiment`: tuned runs, runs of programs, and what is done again.

use std::fs;
use std::path::Path;

use super::process::{check_in, cranfield, text};

/// Documents about two subjects, and topics that find them.
pub(crate) fn write_collection(folder: &Path) {
    let documents: String = (0..40)
        .map(|at| {
            let subject = ["apple pear", "beet bean", "fig plum"][at % 3];
            let more = format!("garden {subject} ").repeat(1 + at % 4);
            format!(
                "{{\"id\": \"d{at}\", \"text\": \"{more} soil{}\"}}\n",
                at % 7
            )
        })
        .collect();
    let topics: String = (0..9)
        .map(|at| {
            let subject = ["apple", "bean", "plum"][at % 3];
            format!("{at}\t{subject} garden soil{}\n", at % 7)
        })
        .collect();
    let qrels: String = (0..9)
        .flat_map(|topic| (0..40).map(move |doc| (topic, doc)))
        .filter(|(topic, doc)| doc % 3 == topic % 3)
        .map(|(topic, doc)| format!("{topic} 0 d{doc} {}\n", (doc + topic) % 3))
        .collect();
    fs::write(folder.join("documents.jsonl"), documents).unwrap();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    fs::write(folder.join("qrels.txt"), qrels).unwrap();
    let collection = "[documents]\nfiles = ['documents.jsonl']\n[topics]\nfiles = ['topics.tsv']\n[qrels]\nfiles = ['qrels.txt']\n";
    fs::write(folder.join("collection.toml"), collection).unwrap();
}

/// The first documents for every topic, with falling scores.
const PROGRAM: &str = "while read topic query; do
  for doc in 0 1 2 3; do echo \"$topic Q0 d$doc 0 $((9 - doc)) sh\"; done
done < $1 > $2
";

const EXPERIMENT: &str = "
collection = 'collection.toml'
[run.bm25]
model = 'BM25'
[run.ours]
command = ['sh', 'engine.sh', '{topics}', '{run}']
timeout = '1m'
[tune.tuned]
run = 'bm25'
space = { k1 = [0.3, 0.9, 2], b = '0..1 step 0.5' }
folds = 3
[evaluate]
measures = ['AP', 'P@5']
baseline = 'tuned'
[report]
";

fn write_experiment(folder: &Path) {
    write_collection(folder);
    fs::write(folder.join("engine.sh"), PROGRAM).unwrap();
    fs::write(folder.join("experiment.toml"), EXPERIMENT).unwrap();
}

/// The status of each step.
fn statuses(folder: &Path) -> Vec<String> {
    let output = cranfield(folder, "experiment -f csv --quiet");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let cells = table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{} {}", cells[0], cells[cells.len() - 2])
    });
    cells.collect()
}

#[test]
fn tuned_runs_and_programs_are_evaluated_like_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_experiment(folder);
    let all = [
        "qrels",
        "index.english",
        "run.bm25",
        "run.ours",
        "tune.tuned",
        "evaluate",
    ];
    assert_eq!(statuses(folder), all.map(|step| format!("{step} done")));
    assert_eq!(
        statuses(folder),
        all.map(|step| format!("{step} unchanged"))
    );

    let out = folder.join("out");
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    let leaderboard = read("leaderboard.csv");
    for run in ["bm25", "ours", "tuned"] {
        assert!(
            leaderboard.contains(&format!("\nAP,{run},")),
            "{leaderboard}"
        );
    }
    // The program finds d0, d1, d2 and d3 for every topic.
    let ours = read("runs/ours.run");
    assert_eq!(ours.lines().count(), 9 * 4);
    assert!(ours.starts_with("0 Q0 d0 0 9 ours\n"), "{ours}");
    let tuned: serde_json::Value = serde_json::from_str(&read("tune/tuned.json")).unwrap();
    assert_eq!(tuned["folds"].as_array().unwrap().len(), 3);
    assert_eq!(tuned["space"], "k1=[0.3, 0.9, 2]; b=0..1 step 0.5");
    assert_eq!(tuned["seed"], 1);
    let mean = tuned["test"].as_f64().unwrap();
    assert!(
        leaderboard.contains(&format!("\nAP,tuned,9,{mean},")),
        "{mean}: {leaderboard}"
    );
    let provenance = read("runs/tuned.run.yaml");
    assert!(provenance.contains("parameters of fold 3"), "{provenance}");
    assert!(read("claims.md").contains("tuned"));
    check_in(
        folder,
        "experiment --check",
        0,
        "All files are the same.",
        "",
    );
}

#[test]
fn only_what_depends_on_a_change_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_experiment(folder);
    statuses(folder);
    let done = |folder| {
        let all: Vec<String> = statuses(folder);
        all.into_iter()
            .filter(|step| step.ends_with(" done"))
            .collect::<Vec<_>>()
    };
    fs::write(folder.join("engine.sh"), PROGRAM.replace("9 -", "8 -")).unwrap();
    assert_eq!(done(folder), ["run.ours done", "evaluate done"]);
    let other = EXPERIMENT.replace("[0.3, 0.9, 2]", "[0.3, 0.9]");
    fs::write(folder.join("experiment.toml"), other).unwrap();
    assert_eq!(done(folder), ["tune.tuned done", "evaluate done"]);
}

/// The steps that are to be done.
fn planned(folder: &Path, file: &Path) -> Vec<String> {
    let arguments = format!("experiment {} --dry-run -f csv --quiet", file.display());
    let output = cranfield(folder, &arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let table = text(&output.stdout);
    let to_do = table.lines().filter(|line| line.contains(",to do,"));
    to_do
        .map(|line| line.split(',').next().unwrap().to_owned())
        .collect()
}

#[test]
fn the_current_folder_does_not_matter() {
    let above = tempfile::tempdir().unwrap();
    let above = above.path();
    let (folder, elsewhere) = (above.join("here"), above.join("elsewhere"));
    for folder in [&folder, &elsewhere] {
        fs::create_dir_all(folder).unwrap();
    }
    write_experiment(&folder);
    // The documents are outside of the folder, and a run has an engine file.
    fs::rename(
        folder.join("documents.jsonl"),
        elsewhere.join("documents.jsonl"),
    )
    .unwrap();
    let collection = folder.join("collection.toml");
    let named = fs::read_to_string(&collection)
        .unwrap()
        .replace("documents.jsonl", "../elsewhere/documents.jsonl");
    fs::write(collection, named).unwrap();
    let engine = "name = 'file'\n[command]\nrun = ['sh', 'engine.sh', '{topics}', '{run}']\n";
    fs::write(folder.join("engine.toml"), engine).unwrap();
    let experiment = EXPERIMENT.replace("[tune", "[run.file]\nengine = 'engine.toml'\n[tune");
    fs::write(folder.join("experiment.toml"), experiment).unwrap();

    let from_above = Path::new("here/experiment.toml");
    assert_eq!(planned(above, from_above).len(), 7);
    check_in(
        above,
        "experiment here/experiment.toml",
        0,
        "evaluate",
        "report.html",
    );
    let nothing: [&str; 0] = [];
    let places = [
        (above, from_above),
        (above, Path::new("./elsewhere/../here/experiment.toml")),
        (&folder, Path::new("experiment.toml")),
        (&elsewhere, Path::new("../here/experiment.toml")),
        (&elsewhere, &folder.join("experiment.toml")),
    ];
    for (current, file) in places {
        assert_eq!(planned(current, file), nothing, "{}", file.display());
    }

    let change = |file: &Path, add: &str| {
        let content = fs::read_to_string(file).unwrap();
        fs::write(file, content.clone() + add).unwrap();
        let planned = planned(&elsewhere, &folder.join("experiment.toml"));
        fs::write(file, content).unwrap();
        planned
    };
    assert_eq!(
        change(&folder.join("engine.toml"), "# Changed.\n"),
        ["run.file", "evaluate"]
    );
    assert_eq!(
        change(&folder.join("qrels.txt"), "0 0 d1 1\n"),
        ["qrels", "tune.tuned", "evaluate"]
    );
    assert_eq!(
        change(
            &elsewhere.join("documents.jsonl"),
            "{\"id\": \"new\", \"text\": \"fig\"}\n"
        ),
        ["index.english", "run.bm25", "tune.tuned", "evaluate"]
    );
    assert_eq!(
        change(&folder.join("topics.tsv"), "9\tfig\n"),
        ["run.bm25", "run.file", "run.ours", "tune.tuned", "evaluate"]
    );
    assert_eq!(planned(above, from_above), nothing);
}

#[test]
fn mistakes_in_tables_are_shown_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_experiment(folder);
    for (old, new, place, message) in [
        (
            "run = 'bm25'",
            "run = 'ours'",
            "9:7",
            "`ours` cannot be tuned, because it searches no index",
        ),
        (
            "run = 'bm25'",
            "run = 'x'",
            "9:7",
            "`x` is not one of the runs",
        ),
        (
            "'0..1 step 0.5'",
            "'0..one'",
            "10:9",
            "expected a parameter such as",
        ),
        (
            "folds = 3",
            "folds = 1",
            "11:9",
            "expected two or more folds",
        ),
        (
            "[tune.tuned]",
            "[tune.bm25]",
            "8:1",
            "there is also a table [run.bm25]",
        ),
        (
            "'1m'",
            "'soon'",
            "7:11",
            "found `soon`, expected a duration",
        ),
        ("'{run}'", "'run'", "6:11", "no argument contains {run}"),
        (
            "timeout",
            "feedback = 'RM3'\ntimeout",
            "7:12",
            "feedback needs an index",
        ),
        (
            "command = ['sh', 'engine.sh', '{topics}', '{run}']\n",
            "",
            "6:11",
            "`timeout` has no effect without `command`",
        ),
        ("[report]", "[pools]", "15:2", "unknown field `pools`"),
        (
            "[report]",
            "[pool]\nruns = ['none']\nstrategy = 'depth(2)'",
            "16:8",
            "\"none\" is not one of the runs",
        ),
        ("[report]", "[pool]\nstrategy = 'deep'", "16:12", "deep"),
        (
            "baseline = 'tuned'",
            "baseline = 'x'",
            "14:12",
            "the baseline `x` is not one of the runs",
        ),
    ] {
        let wrong = EXPERIMENT.replacen(old, new, 1);
        assert_ne!(wrong, EXPERIMENT);
        fs::write(folder.join("experiment.toml"), wrong).unwrap();
        check_in(folder, "experiment --dry-run", 3, "", message);
        let place = format!("experiment.toml:{place}\n");
        check_in(folder, "experiment --dry-run", 3, "", &place);
    }
    let other = EXPERIMENT.replace("k1 = [0.3, 0.9, 2]", "mu = [1, 2]");
    fs::write(folder.join("experiment.toml"), other).unwrap();
    check_in(
        folder,
        "experiment --quiet",
        2,
        "",
        "tune.tuned: BM25(k1=0.9, b=0.4) has no parameter `mu`",
    );
}

/// Finds one document for every topic, but for topic 1.
const FAILS_ON_TOPIC_1: &str = r#"while read line; do
  topic=$(echo "$line" | sed 's/.*"topic": *"\([^"]*\)".*/\1/')
  if [ "$topic" = 1 ]; then echo nonsense
  else echo "{\"topic\": \"$topic\", \"hits\": [{\"doc\": \"d0\", \"score\": 1}]}"; fi
done
"#;

#[test]
fn a_failed_topic_is_an_error_unless_the_run_keeps_going() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let file = "[command]\nserve = ['sh', 'engine.sh']\n";
    fs::write(folder.join("engine.toml"), file).unwrap();
    fs::write(folder.join("engine.sh"), FAILS_ON_TOPIC_1).unwrap();
    let experiment = |keys: &str| {
        format!(
            "collection = 'collection.toml'\n[run.ours]\nengine = 'engine.toml'\n{keys}[run.bm25]\nmodel = 'BM25'\n"
        )
    };
    fs::write(folder.join("experiment.toml"), experiment("")).unwrap();
    check_in(folder, "experiment", 3, "", "with keep_going = true");
    fs::write(
        folder.join("experiment.toml"),
        experiment("keep_going = true\n"),
    )
    .unwrap();
    check_in(
        folder,
        "experiment",
        0,
        "run   nDCG@10",
        "run.ours: topic 1: malformed answer",
    );
    check_in(
        folder,
        "search engine.toml topics.tsv -o ours.run --quiet",
        3,
        "",
        "with --keep-going, it is written without such topics",
    );
    assert!(!folder.join("ours.run").exists());
    check_in(
        folder,
        "search engine.toml topics.tsv -o ours.run --keep-going",
        0,
        "",
        "note: 1 topic without an answer, not in the run: 1\nnote: topic 1: malformed answer",
    );
    let provenance = fs::read_to_string(folder.join("ours.run.yaml")).unwrap();
    assert!(
        provenance.contains("topics without an answer:\n    1: \"malformed answer"),
        "{provenance}"
    );
}

#[test]
fn experiments_of_folders_with_the_same_name_are_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for parent in ["one", "two"] {
        let collection = folder.join(parent).join("fruit");
        fs::create_dir_all(&collection).unwrap();
        write_collection(&collection);
    }
    check_in(folder, "experiment one/fruit --quiet", 0, "bm25", "");
    let message = "belongs to another collection";
    check_in(folder, "experiment two/fruit --quiet", 3, "", message);
}

#[test]
fn names_of_runs_stay_in_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let experiment = "collection = 'collection.toml'\n[run.'../../evil']\nmodel = 'BM25'\n";
    fs::write(folder.join("experiment.toml"), experiment).unwrap();
    check_in(folder, "experiment", 3, "", "the name `../../evil`");
}

#[test]
fn searches_do_not_replace_the_collection_and_name_the_fields_of_topics() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    check_in(folder, "index collection.toml -o index --quiet", 0, "", "");
    for (options, message) in [
        ("-o documents.jsonl", "it is one of the inputs"),
        ("-o x.run --query place", "the fields are title"),
    ] {
        let search = format!("search index collection.toml --quiet {options}");
        check_in(folder, &search, 3, "", message);
    }
}

#[test]
fn fused_runs_are_evaluated_like_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_experiment(folder);
    let fuse = "[fuse.hybrid]\nruns = ['bm25', 'ours', 'tuned']\nmethod = 'wsum'\nweights = [0.5, 0.25, 0.25]\nnorm = 'rank'\n";
    let file = format!("{EXPERIMENT}{fuse}").replace("baseline = 'tuned'", "baseline = 'hybrid'");
    fs::write(folder.join("experiment.toml"), &file).unwrap();
    let first = statuses(folder);
    assert!(first.contains(&"fuse.hybrid done".into()), "{first:?}");
    assert!(
        statuses(folder)
            .iter()
            .all(|step| step.ends_with("unchanged"))
    );
    let leaders = fs::read_to_string(folder.join("out/leaderboard.csv")).unwrap();
    assert!(leaders.contains("hybrid"), "{leaders}");
    let yaml = fs::read_to_string(folder.join("out/runs/hybrid.run.yaml")).unwrap();
    assert!(yaml.contains("\"file\":\"bm25.run\""), "{yaml}");
    check_in(folder, "experiment --check", 0, "", "");
    // Other weights change the fusion and what follows, and nothing else.
    fs::write(
        folder.join("experiment.toml"),
        file.replace("0.5, 0.25", "0.25, 0.5"),
    )
    .unwrap();
    let again = statuses(folder);
    let done: Vec<&str> = again
        .iter()
        .filter(|step| step.ends_with("done"))
        .map(|step| step.split(' ').next().unwrap())
        .collect();
    assert_eq!(done, ["fuse.hybrid", "evaluate"]);
    for (old, new, message) in [
        ("'wsum'", "'posfuse'", "posfuse learns from judgements"),
        (
            "'ours', 'tuned'",
            "'theirs'",
            "`theirs` is not one of the runs",
        ),
        ("[0.5, 0.25, 0.25]", "[1]", "1 weights for 3 runs"),
        ("fuse.hybrid", "fuse.bm25", "both would write one run"),
    ] {
        fs::write(folder.join("experiment.toml"), file.replace(old, new)).unwrap();
        check_in(folder, "experiment", 3, "", message);
    }
}
