//! Failures of the drop-in `trec_eval`: exit status, messages, and the output before them.

use crate::trec_eval::{evaluate, file, grades, lines, ranking};

#[track_caller]
fn fails(qrels: &str, run: &str, args: &str, code: u8, stderr: &str) {
    let outcome = evaluate(qrels, run, args);
    let found = (
        outcome.code,
        outcome.stdout.as_str(),
        outcome.stderr.as_str(),
    );
    assert_eq!(found, (code, "", stderr), "{args}");
}

#[test]
fn a_missing_topic_ends_the_output() {
    let (qrels, run) = (file("q1 0 d1 1 / q2 0 d2 1"), file("q1 Q0 d1 1 2.0 run"));
    let outcome = evaluate(&qrels, &run, "-q -m map");
    assert_eq!(outcome.code, 4);
    assert_eq!(outcome.stdout, lines("map q1 1.0000"));
    assert_eq!(
        outcome.stderr,
        "trec_eval: result qid 'q2' not found in qrels\n"
    );
    let missing = "trec_eval: result qid 'q1' not found in qrels\n";
    fails(&qrels, "q3 Q0 d1 1 1 t\n", "", 4, missing);
}

#[test]
fn no_topic_at_all() {
    let nothing = "trec_eval: No queries with both results and relevance info\n";
    fails(&grades("a=1"), &ranking("a"), "-D 0.q7", 7, nothing);
    fails(&grades("a=1"), &ranking("a"), "-c -D 0.q7", 7, nothing);
    fails("# only a comment\n", &ranking("a"), "", 7, nothing);
}

#[test]
fn a_document_twice_in_the_run() {
    let (qrels, run) = (grades("d1=1 d2=0"), ranking("d2 d1 d3 d2 d1"));
    let stderr =
        "trec_eval.form_res_qrels: duplicate docs d1trec_eval: Can't calculate measure 'num_rel'\n";
    fails(&qrels, &run, "-m num_rel -m map", 4, stderr);
    let stderr = stderr.replace("num_rel", "num_ret");
    fails(&qrels, &run, "", 4, &stderr);
    let outcome = evaluate(&qrels, &run, "-M3 -m map");
    assert_eq!((outcome.code, outcome.stdout), (0, lines("map all 0.5000")));
    let outcome = evaluate(&qrels, &run, "-m num_q -m runid");
    assert_eq!(
        (outcome.code, outcome.stdout),
        (0, lines("runid all tag; num_q all 1"))
    );
}

#[test]
fn a_document_twice_in_the_qrels() {
    let qrels = grades("b=1 a=1 b=0 a=1");
    let stderr =
        "trec_eval.form_res_rels: duplicate docs a\ntrec_eval: Can't calculate measure 'map'\n";
    fails(&qrels, &ranking("a"), "-m map", 4, stderr);
    let first =
        "trec_eval.form_res_qrels: duplicate docs atrec_eval: Can't calculate measure 'map'\n";
    fails(&qrels, &ranking("a a"), "-m map", 4, first);
    assert_eq!(evaluate(&qrels, ranking("a"), "-m num_q").code, 0);
    let later = format!("{qrels}q0 0 a 1\n");
    let run = format!("{}q0 Q0 a 1 1 t\n", ranking("a"));
    let outcome = evaluate(later, run, "-q -m map");
    assert_eq!((outcome.code, outcome.stdout), (4, lines("map q0 1.0000")));
}

#[test]
fn measures_that_the_format_does_not_serve() {
    let qrels =
        "trec_eval.form_res_qrels: rel_info format not qrels or results format not trec_results\n";
    let prefs = "trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or results format not trec_results\n";
    let groups = "trec_eval: rel_info format not qrels_jg or results format not trec_results\n";
    for (args, cause, measure) in [
        ("-R qrels_prefs", qrels, "num_ret"),
        ("-R qrels_jg -m yaap", qrels, "yaap"),
        ("-m prefs", prefs, "prefs_num_prefs_poss"),
        ("-R qrels_jg -m all_prefs", prefs, "prefs_num_prefs_poss"),
        ("-m qrels_jg", groups, "map_avgjg"),
        ("-R qrels_prefs -m P_avgjg", groups, "P_avgjg"),
        ("-q -m map -m map_avgjg", groups, "map_avgjg"),
    ] {
        let stderr = format!("{cause}trec_eval: Can't calculate measure '{measure}'\n");
        fails(&grades("a=1"), &ranking("a"), args, 4, &stderr);
    }
}

#[test]
fn utility_needs_four_coefficients() {
    let stderr = "trec_eval.calc_utility: improper number of coefficients\ntrec_eval: Can't calculate measure 'utility'\n";
    fails(
        &grades("a=1"),
        &ranking("a"),
        "-q -m map -m utility.1,2",
        4,
        stderr,
    );
}

#[test]
fn parameters() {
    for (measure, cause) in [
        ("P.0", "Negative cutoff detected"),
        ("P.5,-3", "Negative cutoff detected"),
        ("P.abc", "Negative cutoff detected"),
        ("P.5,10,5", "duplicate cutoffs detected"),
        ("iprec_at_recall..5,0.5", "duplicate cutoffs detected"),
        ("ndcg.1", "malformed pair parameters in '1'"),
        ("ndcg.1==2", "malformed pair parameters in '1==2'"),
        ("ndcg.1=2,", "malformed pair parameters in '1=2,'"),
        ("ndcg.,1=2", "malformed pair parameters in ',1=2'"),
        ("rbp.1=2,3", "malformed pair parameters in '1=2,3'"),
    ] {
        let name = measure.split('.').next().unwrap();
        let stderr = format!("trec_eval: {cause}\ntrec_eval: Cannot initialize measure '{name}'\n");
        fails(
            &grades("a=1"),
            &ranking("a"),
            &format!("-q -m map -m {measure}"),
            2,
            &stderr,
        );
    }
}

#[test]
fn the_first_mistake_in_the_order_of_checks_is_reported() {
    let (good, bad) = (grades("a=1"), "x y\n");
    let qrels_line = "trec_eval.get_qrels: Malformed line 1\ntrec_eval: Quit in file 'qrels'\n";
    let run_line = "trec_eval.get_results: Malformed line 1\ntrec_eval: Quit in file 'run'\n";
    let zscores = "trec_eval.get_zscores: Cannot read zscores file '/no/such'\n";
    let all = "-R qrels -T none -Z /no/such -m P.0";
    fails(
        bad,
        bad,
        "-R none -m P.0",
        2,
        "trec_eval: Illegal rel_format 'none'\n",
    );
    fails(bad, bad, all, 2, qrels_line);
    fails(
        &good,
        bad,
        all,
        2,
        "trec_eval: Illegal retrieval results format 'none'\n",
    );
    fails(&good, bad, "-Z /no/such -m P.0", 2, run_line);
    fails(&good, "r Q0 a 1 1 t\n", "-Z /no/such -m P.0", 255, zscores);
    let parameters =
        "trec_eval: Negative cutoff detected\ntrec_eval: Cannot initialize measure 'P'\n";
    fails(
        &good,
        "r Q0 a 1 1 t\n",
        "-m P.0 -m relative_P.0",
        2,
        parameters,
    );
}

#[test]
fn a_negative_depth_is_an_error() {
    let stderr = "trec_eval: -M needs a number of documents of at least 0, not -3\n";
    fails(&grades("a=1"), &ranking("a"), "-M -3", 1, stderr);
}

#[test]
fn z_score_files() {
    let folder = tempfile::tempdir().unwrap();
    for (content, stderr) in [
        (
            "q1 map 1 1\n\n",
            "trec_eval.get_zscores: Malformed line 2\n",
        ),
        ("# note\n", "trec_eval.get_zscores: Malformed line 1\n"),
        (
            "q1 map 1 1 1\n",
            "trec_eval.get_zscores: Malformed line 1\n",
        ),
        ("", "trec_eval.get_zscores: Cannot read zscores file 'Z'\n"),
    ] {
        let file = folder.path().join("z");
        std::fs::write(&file, content).unwrap();
        let args = format!("-q -Z {} -m map", file.display());
        let outcome = evaluate(grades("a=1"), ranking("a"), &args);
        let found = outcome.stderr.replace(&file.display().to_string(), "Z");
        assert_eq!((outcome.code, found.as_str()), (255, stderr), "{content:?}");
    }
}
