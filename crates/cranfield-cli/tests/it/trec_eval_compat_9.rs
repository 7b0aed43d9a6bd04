//! Version 9's behaviour, with `--compat 9`.

use crate::trec_eval::{evaluate, file, grades, lines, prints, ranking, run_with};

const QRELS: &str = "q1 0 a 1 / q2 0 a 1 / q2 0 b 1 / q3 0 c 1";
const RUN: &str = "q1 Q0 a 1 2 t / q3 Q0 x 1 2 t / q3 Q0 c 1 1 t / q4 Q0 a 1 1 t";

#[test]
fn topics_that_the_run_lacks_are_left_out() {
    let expected = "map q1 1.0000; map q3 0.5000; num_q all 2; map all 0.7500";
    prints(
        &file(QRELS),
        &file(RUN),
        "--compat 9 -q -m map -m num_q",
        expected,
    );
}

#[test]
fn complete_averages_do_not_print_missing_topics() {
    let args = "--compat=9 -c -q -m map -m num_q -m gm_map -m num_rel -m num_ret -m yaap";
    let expected = [
        "num_ret q1 1; num_rel q1 1; map q1 1.0000; yaap q1 0.6931",
        "num_ret q3 2; num_rel q3 1; map q3 0.5000; yaap q3 0.0000",
        "num_q all 3; num_ret all 3; num_rel all 4; map all 0.5000; gm_map all 0.0171; yaap all 0.2310",
    ];
    prints(&file(QRELS), &file(RUN), args, &expected.join("; "));
}

#[test]
fn without_a_common_topic_nothing_is_evaluated() {
    for args in ["--compat 9", "--compat 9 -c"] {
        let outcome = evaluate(grades("a=1"), "q7 Q0 a 1 1 t\n", args);
        let stderr = "trec_eval: No queries with both results and relevance info\n";
        assert_eq!((outcome.code, outcome.stderr.as_str()), (7, stderr));
    }
}

#[test]
fn newer_measures_do_not_exist() {
    for measure in ["dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"] {
        let args = format!("-m {measure} --compat 9 a b");
        let outcome = run_with(args.split(' ').map(Into::into).collect());
        let stderr = format!("trec_eval: illegal measure '{measure}'\n");
        assert_eq!((outcome.code, outcome.stderr), (1, stderr));
    }
    let outcome = evaluate(grades("a=1"), ranking("a"), "--compat 9 -m all_trec");
    assert_eq!(outcome.stdout.lines().count(), 94);
}

#[test]
fn names_of_gains_are_read_as_numbers() {
    let (qrels, run) = (grades("a=1 b=0"), ranking("b a"));
    prints(
        &qrels,
        &run,
        "--compat 9 -m ndcg.a=5",
        "ndcg_a=5 all 1.0000",
    );
    prints(&qrels, &run, "-m ndcg.a=5", "ndcg_a=5 all 0.6309");
}

#[test]
fn comments_are_lines() {
    let quit = |reader: &str, line, file| {
        format!("trec_eval.{reader}: Malformed line {line}\ntrec_eval: Quit in file '{file}'\n")
    };
    let outcome = evaluate("q1 0 a 1\n# x\n", ranking("a"), "--compat 9");
    assert_eq!(
        (outcome.code, outcome.stderr),
        (2, quit("get_qrels", 2, "qrels"))
    );
    let outcome = evaluate(grades("a=1"), "# x\nq1 Q0 a 1 1 t\n", "--compat 9");
    assert_eq!(
        (outcome.code, outcome.stderr),
        (2, quit("get_results", 1, "run"))
    );
    let outcome = evaluate("# 0 a 1\n", "# Q0 a 1 1 t\n\n", "--compat 9 -q -n -m map");
    assert_eq!((outcome.code, outcome.stdout), (0, lines("map # 1.0000")));
    let outcome = evaluate("# c\nq1 A 0 a 1\n", ranking("a"), "--compat 9 -R prefs");
    assert_eq!(
        (outcome.code, outcome.stderr),
        (2, quit("get_prefs", 1, "qrels"))
    );
}

#[test]
fn a_minus_sign_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let qrels = folder.path().join("qrels");
    std::fs::write(&qrels, "q1 0 a 1\n").unwrap();
    let args = ["--compat".into(), "9".into(), qrels.into(), "-".into()];
    let outcome = run_with(args.to_vec());
    let stderr =
        "trec_eval.get_results: Cannot read results file '-'\ntrec_eval: Quit in file '-'\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, stderr));
}

#[test]
fn version() {
    let outcome = run_with(vec!["-v".into(), "--compat".into(), "9".into()]);
    assert_eq!(outcome.stderr, "trec_eval version 9.0.7\n");
}
