//! Preferences and judgement groups in the drop-in `trec_eval`.

use crate::trec_eval::{Outcome, evaluate, file, prints, ranking};

/// Preferences of topic q1 and one group from `a=3 b=2`.
fn levels(text: &str) -> String {
    let items = text.split(' ').filter_map(|item| item.split_once('='));
    items
        .map(|(doc, level)| format!("q1 A {doc} {level}\n"))
        .collect()
}

#[track_caller]
fn fails(format: &str, judgements: &str, run: &str, code: u8, stderr: &str) {
    let args = format!("-q -R {format} -m prefs_simp");
    let outcome = evaluate(file(judgements), run, &args);
    let expected = Outcome {
        code,
        stdout: String::new(),
        stderr: stderr.into(),
    };
    assert_eq!(outcome, expected);
}

#[test]
fn worked_example() {
    let args = "-q -n -R qrels_prefs -m all_prefs";
    let expected = [
        "prefs_num_prefs_poss q1 13",
        "prefs_num_prefs_ful q1 6",
        "prefs_num_prefs_ful_ret q1 3",
        "prefs_simp q1 0.4615",
        "prefs_pair q1 0.4615",
        "prefs_avgjg q1 0.4615",
        "prefs_avgjg_Rnonrel q1 0.4762",
        "prefs_simp_ret q1 1.0000",
        "prefs_pair_ret q1 1.0000",
        "prefs_avgjg_ret q1 1.0000",
        "prefs_avgjg_Rnonrel_ret q1 0.7143",
        "prefs_simp_imp q1 0.6000",
        "prefs_pair_imp q1 0.6000",
        "prefs_avgjg_imp q1 0.6000",
    ];
    let run = ranking("x a b c");
    prints(
        &levels("a=3 b=2 c=0 d=6 e=0 f=2"),
        &run,
        args,
        &expected.join("; "),
    );
}

#[test]
fn ties_go_by_ascending_document_id() {
    let run = file("q1 Q0 a 1 1 t / q1 Q0 b 1 1 t");
    let args = "-R qrels_prefs -m prefs_simp";
    prints(&levels("a=2 b=1"), &run, args, "prefs_simp all 1.0000");
    prints(&levels("b=2 a=1"), &run, args, "prefs_simp all 0.0000");
    // Scores of 32 bits are tied where those of 64 bits are not.
    let close = file("q1 Q0 a 1 .99999998 t / q1 Q0 b 1 .99999999 t");
    prints(&levels("a=2 b=1"), &close, args, "prefs_simp all 0.0000");
    let args = "--compat 9 -R qrels_prefs -m prefs_simp";
    prints(&levels("a=2 b=1"), &close, args, "prefs_simp all 1.0000");
}

#[test]
fn depth_applies_and_judged_documents_only_does_not() {
    let judgements = levels("a=2 b=1");
    let args = "-R qrels_prefs -m prefs_num_prefs_ful_ret -m prefs_num_prefs_ful";
    let run = ranking("x a b");
    let all = "prefs_num_prefs_ful all 1; prefs_num_prefs_ful_ret all 1";
    prints(&judgements, &run, &format!("{args} -J"), all);
    let cut = "prefs_num_prefs_ful all 1; prefs_num_prefs_ful_ret all 0";
    prints(&judgements, &run, &format!("{args} -M2"), cut);
}

#[test]
fn a_group_without_relevant_documents_clears_rnonrel() {
    let judgements = file("q1 A a 0 / q1 A b 0 / q1 B a 1 / q1 B b 0");
    let args = "-R qrels_prefs -m prefs_avgjg -m prefs_avgjg_Rnonrel";
    let expected = "prefs_avgjg all 0.5000; prefs_avgjg_Rnonrel all 0.0000";
    prints(&judgements, &ranking("a b"), args, expected);
}

#[test]
fn a_repeated_line_counts_twice() {
    let judgements = file("q1 A a 2 / q1 A a 2 / q1 A b 1");
    let args = "-R qrels_prefs -m prefs_num_prefs_poss";
    prints(
        &judgements,
        &ranking("a b"),
        args,
        "prefs_num_prefs_poss all 2",
    );
}

#[test]
fn missing_topics_have_possible_preferences() {
    let judgements = file("q1 A a 2 / q1 A b 1 / q2 A a 2 / q2 A b 1");
    let args = "-c -q -R qrels_prefs -m prefs";
    let outcome = evaluate(&judgements, ranking("a b"), args);
    assert_eq!(outcome.code, 0);
    let q2: Vec<&str> = outcome
        .stdout
        .lines()
        .filter(|line| line.contains("\tq2\t"))
        .collect();
    assert_eq!(
        q2[..2],
        [
            "prefs_num_prefs_poss  \tq2\t1",
            "prefs_num_prefs_ful   \tq2\t0"
        ]
    );
}

#[test]
fn contradictions() {
    let run = ranking("a b");
    let cannot = "trec_eval: Can't calculate measure 'prefs_simp'\n";
    let two_levels = "trec_eval.form_prefs_counts: Internal docid 0 occurs with different rel_level in same jsg\n";
    fails(
        "prefs",
        "q1 A 0 a 2 / q1 A 0 a 1",
        &run,
        4,
        &format!("{two_levels}{cannot}"),
    );
    let zero = "trec_eval.form_prefs_counts: doc 'a' has both 0 and non-0 rel_level assigned\n";
    fails(
        "prefs",
        "q1 A 0 a 2 / q1 A 1 a 0",
        &run,
        4,
        &format!("{zero}{cannot}"),
    );
    let conflict = "trec_eval.form_prefs_counts: Pref inconsistency found\n      internal rank 0 and internal rank 1 are conflicted\n";
    let judgements = "q1 A 0 a 2 / q1 A 0 b 1 / q1 A 1 b 2 / q1 A 1 a 1";
    fails("prefs", judgements, &run, 134, conflict);
}

#[test]
fn a_document_twice_in_the_run() {
    let stderr = "trec_eval.form_prefs_counts: duplicate docs atrec_eval: Can't calculate measure 'prefs_simp'\n";
    fails(
        "qrels_prefs",
        "q1 A a 2 / q1 A b 1",
        &ranking("a b a"),
        4,
        stderr,
    );
}

#[test]
fn malformed_lines() {
    let run = ranking("a b");
    let quit = "trec_eval: Quit in file 'qrels'\n";
    for (format, reader, judgements, line) in [
        ("prefs", "get_prefs", "q1 A 0 a 2 / q1 A a 1", 2),
        ("prefs", "get_prefs", "q1 A 0 a 2 x", 1),
        ("prefs", "get_prefs", "# note / q1 A 0 a 2 / ", 2),
        ("qrels_prefs", "get_qrels_prefs", "q1 A a 2 / q1 A 0 a 1", 2),
        ("qrels_prefs", "get_qrels_prefs", "q1 A a", 1),
    ] {
        let stderr = format!("trec_eval.{reader}: Malformed line {line}\n{quit}");
        fails(format, judgements, &run, 2, &stderr);
    }
}

#[test]
fn groups_are_averaged() {
    let judgements = file("q1 A a 1 / q1 B a 0 / q1 B b 1 / q1 C c 1");
    let args = "-R qrels_jg -m map_avgjg -m P_avgjg.5 -m Rprec_mult_avgjg.1.0";
    let expected = "map_avgjg all 0.5000; P_avgjg_5 all 0.1333; Rprec_mult_avgjg_1.00 all 0.3333";
    prints(&judgements, &ranking("a b"), args, expected);
    // Each group drops what it has not judged: b is first for group B only after a, which B judged.
    let expected = "map_avgjg all 0.5000; P_avgjg_5 all 0.1333; Rprec_mult_avgjg_1.00 all 0.3333";
    prints(
        &judgements,
        &ranking("x a b"),
        &format!("-J {args}"),
        expected,
    );
    prints(
        &judgements,
        &ranking("a b"),
        "-M1 -R qrels_jg -m map_avgjg",
        "map_avgjg all 0.3333",
    );
    prints(
        &judgements,
        &ranking("a b"),
        "-l0 -R qrels_jg -m map_avgjg",
        "map_avgjg all 0.6667",
    );
}

#[test]
fn a_document_twice_in_a_group() {
    let judgements = file("q1 A a 1 / q1 B b 1 / q1 B b 0");
    let outcome = evaluate(&judgements, ranking("a b"), "-R qrels_jg -m qrels_jg");
    let stderr = "trec_eval.get_qrels: duplicate docs b\ntrec_eval: Quit in file 'qrels'\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, stderr));
    let judgements = file("q1 A a 1");
    let outcome = evaluate(&judgements, ranking("a a"), "-R qrels_jg -m map_avgjg");
    let stderr = "trec_eval.form_res_qrels: duplicate docs atrec_eval: Can't calculate measure 'map_avgjg'\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (4, stderr));
    let outcome = evaluate(file("q1 A a"), ranking("a"), "-R qrels_jg -m qrels_jg");
    let stderr = "trec_eval.get_qrels_jg: Malformed line 1\ntrec_eval: Quit in file 'qrels'\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (2, stderr));
}
