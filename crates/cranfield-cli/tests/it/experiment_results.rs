//! `cranfield experiment`: what its files and tables hold.

use std::fs;
use std::path::Path;

use super::experiment::write_collection;
use super::process::{check_in, cranfield, text};

/// Runs a command that must succeed; its standard output and standard error.
#[track_caller]
fn succeeds(folder: &Path, arguments: &str) -> (String, String) {
    let output = cranfield(folder, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    (out, err)
}

/// Vectors of the documents and topics of the small collection.
fn write_vectors(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let vectors = |prefix: &str, count: usize| -> String {
        let line = |at: usize| {
            let vector = [at % 3, (at + 1) % 5, 1];
            format!("{{\"id\": \"{prefix}{at}\", \"vector\": {vector:?}}}\n")
        };
        (0..count).map(line).collect()
    };
    fs::write(folder.join("documents.jsonl"), vectors("d", 40)).unwrap();
    fs::write(folder.join("topics.jsonl"), vectors("", 9)).unwrap();
}

#[test]
fn runs_from_vectors_do_not_depend_on_where_the_experiment_is() {
    let above = tempfile::tempdir().unwrap();
    let above = above.path();
    let (folder, moved) = (above.join("here"), above.join("moved"));
    fs::create_dir(&folder).unwrap();
    write_collection(&folder);
    write_vectors(&folder.join("vectors"));
    let experiment = "collection = 'collection.toml'\n[run.dense]\nvectors = 'vectors'\n[run.bm25]\nmodel = 'BM25'\n[report]\n";
    fs::write(folder.join("experiment.toml"), experiment).unwrap();
    succeeds(above, "experiment here/experiment.toml --quiet");
    let provenance = fs::read_to_string(folder.join("out/runs/dense.run.yaml")).unwrap();
    assert!(
        provenance.contains("\"vectors\":\"vectors/documents.jsonl\""),
        "{provenance}"
    );
    let same = "All files are the same.\n";
    let check = |current: &Path, file: &str| {
        let (out, _) = succeeds(current, &format!("experiment {file} --check --quiet"));
        assert_eq!(out, same);
    };
    check(above, "here/experiment.toml");
    check(&folder, "experiment.toml");
    fs::rename(&folder, &moved).unwrap();
    check(&moved, "experiment.toml");
    check(above, "moved/experiment.toml");
    check(above, &moved.join("experiment.toml").to_string_lossy());
}

#[test]
fn one_run_or_one_topic_has_a_table_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let one = "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[evaluate]\nmeasures = ['AP', 'P@5']\n";
    fs::write(folder.join("experiment.toml"), one).unwrap();
    let (out, _) = succeeds(folder, "experiment --quiet");
    assert!(out.contains("\nrun       AP     P@5\nbm25  0."), "{out}");
    fs::write(folder.join("qrels.txt"), "0 0 d1 1\n0 0 d2 2\n").unwrap();
    let two = format!("{one}[run.vsm]\nmodel = \"VSM('lnc.ltc')\"\n");
    fs::write(folder.join("experiment.toml"), two).unwrap();
    let (out, _) = succeeds(folder, "experiment --quiet");
    assert!(
        out.contains("\nbm25  ") && out.contains("\nvsm   "),
        "{out}"
    );
}

#[test]
fn topics_that_are_documents_are_noted_and_can_be_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    // The first documents are the topics; the others of their subject are relevant.
    let documents = fs::read_to_string(folder.join("documents.jsonl")).unwrap();
    let topics: String = (0..9)
        .map(|at| format!("d{at}\tgarden soil{at} only{at}\n"))
        .collect();
    let documents: String = documents
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{}\n", line.replace(" soil", &format!(" only{at} soil"))))
        .collect();
    let qrels: String = (0..9)
        .map(|at| format!("d{at} 0 d{} 1\n", at + 9))
        .collect();
    fs::write(folder.join("documents.jsonl"), documents).unwrap();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    fs::write(folder.join("qrels.txt"), qrels).unwrap();
    let experiment = "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[evaluate]\nmeasures = ['RR']\n";
    fs::write(folder.join("experiment.toml"), experiment).unwrap();
    let (kept, err) = succeeds(folder, "experiment");
    assert!(err.contains("9 of 9 topics are documents of the collection, which bm25 ranks first for themselves; identical = \"drop\" under [evaluate]"), "{err}");
    let dropped = format!("{experiment}identical = 'drop'\n");
    fs::write(folder.join("experiment.toml"), dropped).unwrap();
    let (out, err) = succeeds(folder, "experiment");
    assert!(!err.contains("are documents"), "{err}");
    assert_ne!(kept.lines().last(), out.lines().last());
    let (expected, _) = succeeds(
        folder,
        "eval out/qrels.txt out/runs/bm25.run -m RR --identical drop -f csv --quiet",
    );
    let mean = expected.trim().rsplit(',').next().unwrap();
    let mean = format!("{:.4}", mean.parse::<f64>().unwrap());
    assert!(
        out.lines().last().unwrap().ends_with(&mean),
        "{mean}: {out}"
    );
    let wrong = format!("{experiment}identical = 'no'\n");
    fs::write(folder.join("experiment.toml"), wrong).unwrap();
    check_in(folder, "experiment", 3, "", "experiment.toml:6:13");
}

/// A collection whose smallest grade is the best one: documents with more words of the topic have smaller grades.
fn write_reversed(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let document = |at: usize| {
        let words = "wing ".repeat(6 - at) + "plate";
        format!("{{\"_id\": \"d{at}\", \"text\": \"{words}\"}}\n")
    };
    let documents: String = (1..=4).map(document).collect();
    let topics: String = (1..=6)
        .map(|at| format!("{at}\tlift of a wing\n"))
        .collect();
    let judged = |at: usize| format!("{at} 0 d1 1\n{at} 0 d2 2\n{at} 0 d3 3\n");
    let qrels: String = (1..=6).map(judged).collect();
    fs::write(folder.join("docs.jsonl"), documents).unwrap();
    fs::write(folder.join("topics.tsv"), topics).unwrap();
    fs::write(folder.join("qrels.txt"), qrels).unwrap();
}

#[test]
fn reversed_grades_are_a_warning_of_the_report_and_of_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_reversed(&folder.join("old"));
    let warning =
        "so the grades are probably reversed, and graded measures wrong; `cranfield doctor ";
    for _ in 0..2 {
        let (_, err) = succeeds(folder, "experiment old");
        assert!(
            err.contains(warning) && err.contains("/old --fix --in-place` maps them"),
            "{err}"
        );
    }
    let out = folder.join("old-experiment/out");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    let at = report
        .find("<p class=\"warning\">Documents with smaller grades")
        .unwrap();
    assert!(at < report.find("<section id=\"topics\"").unwrap());
    let claims = fs::read_to_string(out.join("claims.md")).unwrap();
    assert!(
        claims.contains("Warning: documents with smaller grades"),
        "{claims}"
    );
}

#[test]
fn a_collection_that_got_a_file_is_still_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_reversed(&folder.join("old"));
    succeeds(folder, "experiment old --quiet");
    succeeds(folder, "doctor old --fix --in-place");
    let (_, err) = succeeds(folder, "experiment old/collection.toml");
    assert!(!err.contains("reversed"), "{err}");
    succeeds(folder, "experiment old --quiet");
    check_in(&folder.join("old"), "experiment . --quiet", 0, "", "");
}

#[test]
fn an_engine_that_fails_does_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    fs::write(folder.join("engine.sh"), "echo broken >&2\nexit 7\n").unwrap();
    let file = |keys: &str| {
        format!(
            "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[run.ours]\ncommand = ['sh', 'engine.sh', '{{topics}}', '{{run}}']\n{keys}[fuse.both]\nruns = ['bm25', 'ours']\n[evaluate]\nmeasures = ['AP']\nbaseline = 'ours'\n[report]\n"
        )
    };
    fs::write(folder.join("experiment.toml"), file("")).unwrap();
    check_in(
        folder,
        "experiment",
        3,
        "",
        "with keep_going = true, the other runs are evaluated without this one",
    );

    fs::write(folder.join("experiment.toml"), file("keep_going = true\n")).unwrap();
    for _ in 0..2 {
        let output = cranfield(folder, "experiment");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{out}{err}");
        assert!(
            err.contains("note: run.ours: ") && err.contains("note: fuse.both: ours failed"),
            "{err}"
        );
        assert!(err.contains("the baseline ours failed"), "{err}");
        let row = |step: &str| {
            out.lines()
                .find(|line| line.starts_with(step))
                .unwrap()
                .to_owned()
        };
        assert!(
            row("run.ours").contains("failed") && row("fuse.both").contains("failed"),
            "{out}"
        );
        assert!(row("bm25 ").contains("0."), "{out}");
    }
    let manifest = fs::read_to_string(folder.join("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert!(manifest["failed"]["run.ours"].is_string(), "{manifest}");
    // Once the engine works, everything is complete.
    let program = "while read topic query; do echo \"$topic Q0 d1 0 1 sh\"; done < $1 > $2\n";
    fs::write(folder.join("engine.sh"), program).unwrap();
    let (out, err) = succeeds(folder, "experiment");
    assert!(
        !err.contains("failed") && !out.contains("failed"),
        "{out}{err}"
    );
    let manifest = fs::read_to_string(folder.join("out/manifest.json")).unwrap();
    assert!(
        manifest.contains("runs/both.run") && !manifest.contains("\"failed\""),
        "{manifest}"
    );
    // And if it fails again, nothing of the run is left.
    fs::write(folder.join("engine.sh"), "exit 7\n").unwrap();
    check_in(folder, "experiment", 3, "failed", "run.ours");
    assert!(!folder.join("out/runs/ours.run").exists());
}

#[test]
fn a_run_without_results_is_named_with_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let file = |engine: &str| {
        format!(
            "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[run.ours]\n{engine}[evaluate]\nmeasures = ['AP']\n"
        )
    };
    fs::write(folder.join("engine.sh"), ": > $2\n").unwrap();
    let command = "command = ['sh', 'engine.sh', '{topics}', '{run}']\n";
    for (engine, message) in [
        (command, "run.ours: no topic has results"),
        (
            "model = 'QL'\nquery = 'narrative'\n",
            "run.ours: no topic has results; their queries have no terms but stop words",
        ),
    ] {
        let topics = "<top>\n<num>1\n<title>apple garden\n<narr>the of and\n</top>\n<top>\n<num>2\n<title>bean\n<narr>it is\n</top>\n";
        fs::remove_file(folder.join("topics.tsv")).ok();
        fs::write(folder.join("topics.tsv"), topics).unwrap();
        fs::write(folder.join("experiment.toml"), file(engine)).unwrap();
        check_in(folder, "experiment", 3, "", message);
        fs::write(
            folder.join("experiment.toml"),
            file(&format!("{engine}keep_going = true\n")),
        )
        .unwrap();
        let output = cranfield(folder, "experiment");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{out}{err}");
        assert!(err.contains(message) && !err.contains("IR002"), "{err}");
        assert!(out.contains("\nbm25  0."), "{out}");
    }
}

#[test]
fn provenance_names_the_command_the_topics_the_collection_and_the_analyser() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let file = fs::read_to_string(folder.join("collection.toml")).unwrap();
    let file = format!("name = 'fruit'\nir_datasets = 'fruit/test'\n{file}");
    fs::write(folder.join("collection.toml"), file).unwrap();
    fs::write(
        folder.join("experiment.toml"),
        "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n",
    )
    .unwrap();
    succeeds(folder, "experiment --quiet");
    succeeds(
        folder,
        "search out/index/english collection.toml -o a.run --quiet --threads 1",
    );
    succeeds(
        folder,
        "search out/index/english topics.tsv -o b.run --quiet",
    );
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let (of_experiment, of_search, of_file) = (
        read("out/runs/bm25.run.yaml"),
        read("a.run.yaml"),
        read("b.run.yaml"),
    );
    let indexing = "  indexing:\n    tokenizer: \"english\"\n    stemmer: \"Porter\"\n    stopwords: \"Lucene\"\n";
    let data = "data:\n  test collection:\n    name: \"fruit\"\n    ir_datasets: \"https://ir-datasets.com/fruit/test\"\n    qrels: \"qrels.txt\"\n    topics: \"topics.tsv\"\n";
    for yaml in [&of_experiment, &of_search] {
        assert!(yaml.contains(indexing) && yaml.contains(data), "{yaml}");
    }
    let hash = |yaml: &str| {
        let line = yaml
            .lines()
            .find(|line| line.starts_with("  topics: \"blake3:"));
        line.unwrap().to_owned()
    };
    assert_eq!(hash(&of_experiment), hash(&of_search));
    assert_eq!(hash(&of_search), hash(&of_file));
    assert!(
        of_search.contains(
            "cmd: \"cranfield search out/index/english collection.toml -o a.run --quiet\""
        ),
        "{of_search}"
    );
    assert!(
        of_file.contains("    topics: \"topics.tsv\"\n"),
        "{of_file}"
    );
    assert!(!of_experiment.contains("cmd:"), "{of_experiment}");
    let (out, _) = succeeds(folder, "experiment --check --quiet");
    assert_eq!(out, "All files are the same.\n");
}

const THREE_RUNS: &str = "collection = 'collection.toml'\n[run.bm25]\nmodel = 'BM25'\n[run.ql]\nmodel = 'QL'\n[run.dph]\nmodel = 'DPH'\n[fuse.both]\nruns = ['bm25', 'ql']\n";

#[test]
fn the_pool_is_that_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    for (runs, files) in [
        ("'*'", "out/runs"),
        ("['both', 'dph']", "out/runs/both.run out/runs/dph.run"),
    ] {
        let file =
            format!("{THREE_RUNS}[pool]\nruns = {runs}\nstrategy = 'depth(5)'\nbudget = 4\n");
        fs::write(folder.join("experiment.toml"), file).unwrap();
        let (_, err) = succeeds(folder, "experiment");
        assert!(err.contains("note: pool: depth(5): "), "{err}");
        succeeds(
            folder,
            &format!("pool make {files} --strategy depth(5) --budget 4 -o pool.run --quiet"),
        );
        let pools =
            ["out/pool.run", "pool.run"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
        assert_eq!(pools[0], pools[1]);
        succeeds(folder, "experiment --check --quiet");
    }
    let only = cranfield(folder, "experiment --only pool --dry-run");
    assert_eq!(only.status.code(), Some(2));
}

#[test]
fn a_plan_fixes_the_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    fs::create_dir(folder.join("plans")).unwrap();
    let plan = "title = 'two models'\nmeasures = ['AP']\nruns = ['bm25', 'ql']\ncorrection = 'holm'\nidentical = 'drop'\n";
    fs::write(folder.join("plans/plan.toml"), plan).unwrap();
    let file = format!("{THREE_RUNS}[evaluate]\nplan = 'plans/plan.toml'\n[report]\n");
    fs::write(folder.join("experiment.toml"), &file).unwrap();
    let (out, err) = succeeds(folder, "experiment");
    assert!(out.contains("\nrun       AP\n"), "{out}");
    assert!(
        err.contains("not in the plan, and not evaluated: dph, both"),
        "{err}"
    );
    let results = fs::read_to_string(folder.join("out/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    assert_eq!(results["plan"]["title"], "two models");
    assert_eq!(results["policies"]["identical"], "drop");
    let pairs = results["comparison"][0]["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 1);
    succeeds(folder, "experiment --check --quiet");
    // Another plan is another comparison.
    fs::write(folder.join("plans/plan.toml"), plan.replace("AP", "P@5")).unwrap();
    let (out, _) = succeeds(folder, "experiment --quiet");
    assert!(
        out.contains("\nrun   P@5\n") || out.contains("P@5\n"),
        "{out}"
    );
    fs::write(
        folder.join("experiment.toml"),
        file.replace("plan =", "baseline = 'ql'\nplan ="),
    )
    .unwrap();
    check_in(folder, "experiment", 3, "", "the plan names the baseline");
    fs::write(
        folder.join("plans/plan.toml"),
        plan.replace("['AP']", "['XX']"),
    )
    .unwrap();
    fs::write(folder.join("experiment.toml"), file).unwrap();
    check_in(folder, "experiment", 3, "", "plans/plan.toml:2:");
}

#[test]
fn the_report_shows_what_the_engines_cost() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    let file = format!(
        "{THREE_RUNS}[bench]\nengines = ['bm25', 'dph']\nrepetitions = 2\nseconds = 0.05\n[report]\n"
    );
    fs::write(folder.join("experiment.toml"), file).unwrap();
    let report = || fs::read_to_string(folder.join("out/report.html")).unwrap();
    succeeds(folder, "experiment --only evaluate --quiet");
    assert!(!report().contains("<section id=\"cost\">"));
    assert!(!folder.join("out/bench.json").exists());

    succeeds(folder, "experiment --quiet");
    let page = report();
    let section = page.split("<section id=\"cost\">").nth(1).unwrap();
    let section = section.split("</section>").next().unwrap();
    for part in [
        "<th scope=\"row\">bm25</th>",
        "<th scope=\"row\">dph</th>",
        "closed:1",
        "queries per second",
        "<svg",
        "Pareto front",
    ] {
        assert!(section.contains(part), "{part}: {section}");
    }
    assert!(page.contains("<a href=\"#cost\">Cost</a>"));
    let (out, _) = succeeds(folder, "experiment -f csv --quiet");
    assert!(!out.contains(",done,"), "{out}");
    let (out, _) = succeeds(folder, "experiment --check --quiet");
    assert_eq!(out, "All files are the same.\n");
}

#[test]
fn a_field_that_no_topic_has_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    fs::write(
        folder.join("experiment.toml"),
        "collection = 'collection.toml'\n[run.bm25]\nquery = 'title+desc'\n",
    )
    .unwrap();
    let note = "no topic has the field description; queries are made of the other fields\n";
    let (_, err) = succeeds(folder, "experiment");
    assert!(err.contains(&format!("note: run.bm25: {note}")), "{err}");
    let (_, err) = succeeds(
        folder,
        "search out/index/english topics.tsv -o a.run --query title+desc",
    );
    assert!(err.contains(&format!("note: {note}")), "{err}");
    let (_, err) = succeeds(folder, "search out/index/english topics.tsv -o a.run");
    assert!(!err.contains("no topic has"), "{err}");
}

#[test]
fn a_run_with_a_header_is_read_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    succeeds(folder, "index collection.toml -o index --quiet");
    succeeds(folder, "search index collection.toml -o plain.run --quiet");
    succeeds(
        folder,
        "search index collection.toml -o header.run --header --quiet",
    );
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let (plain, header) = (read("plain.run"), read("header.run"));
    let (above, below) = header.split_once("# ir_metadata.end\n").unwrap();
    assert_eq!(below, plain);
    assert!(
        above.starts_with("# ir_metadata.start\n# schema-version: 0.1\n"),
        "{above}"
    );
    let yaml: String = read("header.run.yaml")
        .lines()
        .map(|line| format!("# {line}\n"))
        .collect();
    assert!(above.ends_with(&yaml), "{above}");
    let mean = |name: &str| {
        let arguments = format!("eval qrels.txt {name} -m AP -f csv --quiet");
        let (out, _) = succeeds(folder, &arguments);
        out.trim().rsplit(',').next().unwrap().to_owned()
    };
    assert_eq!(mean("header.run"), mean("plain.run"));
    let (out, _) = succeeds(folder, "doctor header.run");
    assert!(!out.contains("error["), "{out}");
    check_in(
        folder,
        "search index collection.toml -o a.json --header --quiet",
        3,
        "",
        "only runs in TREC format have a header",
    );
    fs::write(folder.join("topics.tsv"), "1\tapple\n2\tthe\n").unwrap();
    let search = "search index topics.tsv -o b.run";
    check_in(
        folder,
        &format!("{search} --empty fail"),
        3,
        "",
        "no results for 2",
    );
    assert!(!folder.join("b.run").exists());
    check_in(folder, search, 0, "", "1 topic without results: 2");
}

#[test]
fn a_step_without_a_report_names_none() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write_collection(folder);
    fs::write(
        folder.join("experiment.toml"),
        format!("{THREE_RUNS}[report]\n"),
    )
    .unwrap();
    let (_, err) = succeeds(folder, "experiment --only run.bm25");
    assert!(!err.contains("report"), "{err}");
    let (_, err) = succeeds(folder, "experiment --only evaluate");
    assert!(err.contains("note: report: out/report.html"), "{err}");
}
