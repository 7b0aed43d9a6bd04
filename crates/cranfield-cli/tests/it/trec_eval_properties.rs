//! Whatever the arguments and files, the drop-in `trec_eval` comes to an end by itself.

use std::fs;

use proptest::prelude::*;

use crate::trec_eval::{evaluate, run_with};

/// Codes of the program that arguments and files can bring about.
const CODES: [u8; 7] = [0, 1, 2, 4, 7, 134, 255];

fn word() -> impl Strategy<Value = String> {
    let pieces = [
        "-q",
        "-c",
        "-n",
        "-J",
        "-h",
        "-o",
        "-qcn",
        "-l",
        "-l-1",
        "-M",
        "-M1",
        "-N5",
        "-D0.q1",
        "-R",
        "-T",
        "-Z",
        "-m",
        "--",
        "-",
        "--R",
        "--meas",
        "--comp",
        "--compat=9",
        "qrels",
        "qrels_jg",
        "prefs",
        "qrels_prefs",
        "-mall_trec",
        "-mall_prefs",
        "-mqrels_jg",
        "-mndcg.1=3,0=-1",
        "-mrbp.p=2,1=nan",
        "-mP.5,1",
        "-mutility.1",
        "-m11pt_avg.9,-1,nan",
        "-mrelstring.-1",
        "-miprec_at_recall.inf,-inf,nan",
        "-mset_F.-1",
        "-mdcg",
        "-myaap",
        "-mRndcg.1=-5,2=1e300",
        "-mG.-1=2,-2=-3",
        "QRELS",
        "RUN",
    ];
    prop_oneof![
        8 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => "[-a-zA-Z.,=0-9]{0,8}",
    ]
}

/// Lines that mostly have the right number of fields.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let token = prop::sample::select(vec![
        "q1",
        "q2",
        "0",
        "1",
        "-1",
        "2",
        "a",
        "b",
        "c",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "0x1p3",
        "#",
        "",
        "99999999999999999999",
        "-3",
        "0.5",
    ]);
    let line = prop::collection::vec(token, 3..8).prop_map(|tokens| tokens.join(" "));
    let lines =
        prop::collection::vec(line, 0..12).prop_map(|lines| (lines.join("\n") + "\n").into_bytes());
    prop_oneof![4 => lines, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

/// Qrels or preferences with the right number of fields.
fn judgements() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        "q[12]",
        "[AB]",
        "[01]?",
        "[a-e]",
        "(-2|-1|0|1|2|3|nan|inf|0\\.5)",
    )
        .prop_map(|(topic, group, subgroup, doc, level)| {
            format!("{topic} {group} {subgroup} {doc} {level}\n")
        });
    let four = ("q[12]", "[AB]", "[a-e]", "(-2|-1|0|1|2|3|12)")
        .prop_map(|(topic, group, doc, level)| format!("{topic} {group} {doc} {level}\n"));
    let lines = prop_oneof![
        prop::collection::vec(line, 1..12),
        prop::collection::vec(four, 1..12)
    ];
    lines.prop_map(|lines| lines.concat().into_bytes())
}

fn run() -> impl Strategy<Value = Vec<u8>> {
    let line = ("q[123]", "[a-f]", "(-1|0|1|2|3|nan|inf|1e-400)")
        .prop_map(|(topic, doc, score)| format!("{topic} Q0 {doc} 1 {score} t\n"));
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arguments_never_panic(words in prop::collection::vec(word(), 0..8)) {
        // Standard input would be waited for.
        let words = words.into_iter().filter(|word| word != "-" && word != "--");
        let outcome = run_with(words.map(Into::into).collect());
        prop_assert!(CODES.contains(&outcome.code));
        prop_assert_eq!(outcome.code == 0, outcome.stderr.is_empty() || outcome.stderr.starts_with("trec_eval version"));
    }

    #[test]
    fn files_never_panic(
        words in prop::collection::vec(word(), 0..5),
        qrels in prop_oneof![text(), judgements()],
        run in prop_oneof![text(), run()],
    ) {
        let words: Vec<String> = words.into_iter().filter(|word| word != "-" && word != "--").collect();
        let outcome = evaluate(qrels, run, &words.join(" "));
        prop_assert!(CODES.contains(&outcome.code));
    }

    #[test]
    fn all_measures_of_a_format_never_panic(
        qrels in judgements(),
        run in run(),
        format in prop::sample::select(vec!["qrels -m all_trec -m dcg", "qrels_jg -m qrels_jg", "prefs -m all_prefs", "qrels_prefs -m all_prefs"]),
        option in prop::sample::select(vec!["", "-J", "-M1", "-l-2", "-c --compat=9", "-c -Zrun"]),
    ) {
        let outcome = evaluate(qrels, run, &format!("-q -c {option} -R {format}"));
        prop_assert!(CODES.contains(&outcome.code));
    }

    #[test]
    fn output_does_not_depend_on_the_order_of_lines(qrels in judgements(), run in run()) {
        let reversed = |bytes: &[u8]| {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            lines.reverse();
            lines.concat()
        };
        let measures = "-c -q -m all_trec -m dcg -m yaap";
        let (ours, theirs) = (evaluate(&qrels, &run, measures), evaluate(reversed(&qrels), &run, measures));
        if ours.code == 0 {
            prop_assert_eq!(&ours, &theirs);
            let theirs = evaluate(&qrels, reversed(&run), measures);
            prop_assert_eq!(ours.stdout, theirs.stdout);
        }
    }
}

#[test]
fn z_scores_of_anything() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("z");
    fs::write(&file, "q1 map nan 0\nq1 P_5 inf inf\nq1 map 1 1\n").unwrap();
    let args = format!("-q -Z {} -m all_trec", file.display());
    let outcome = evaluate("q1 0 a 1\n", "q1 Q0 a 1 1 t\n", &args);
    assert_eq!(outcome.code, 0);
    assert!(
        outcome
            .stdout
            .contains("Zmap                   \tq1\t-1000000.0000\n")
    );
    assert!(
        outcome
            .stdout
            .contains("ZP_5                   \tq1\t  -nan\n")
    );
}
