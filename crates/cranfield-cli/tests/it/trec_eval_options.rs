//! Options of the drop-in `trec_eval`.

use crate::trec_eval::{Outcome, evaluate, file, grades, lines, prints, ranking, run_with};

/// Checks that two ways of calling give the same.
#[track_caller]
fn same(args: &str, as_args: &str) {
    let (qrels, run) = (
        file("q1 0 a 1 / q1 0 b 0 / q2 0 a 2"),
        file("q1 Q0 b 1 2 t / q1 Q0 a 1 1 t / q2 Q0 c 1 3 t / q2 Q0 a 1 2 t / q2 Q0 b 1 1 t"),
    );
    let (ours, theirs) = (
        evaluate(&qrels, &run, args),
        evaluate(&qrels, &run, as_args),
    );
    assert_eq!(theirs.code, 0, "{theirs:?}");
    assert_eq!(ours, theirs, "{args}");
}

#[test]
fn options_in_all_their_forms() {
    same("QRELS -q RUN -m map", "-q -m map");
    same("QRELS RUN -qnm map", "-q -n -m map");
    same("-qcM2", "-q -c -M 2");
    same("-l2", "-l 2");
    same("--meas map --quer", "-m map -q");
    same("--level=2 --Max 2", "-l 2 -M 2");
    same("-q -- QRELS RUN", "-q");
    same("-l 2 -l 1 -q -q", "-q");
    same("-l abc", "-l 0");
    same("-l +2x", "-l 2");
    same("-o", "");
    same("--Output_old_results_format x", "");
    same("-D 1", "");
    same("-M 99999999999999999999", "");
    same("--compat 10", "");
}

#[test]
fn measures_are_a_set() {
    same("-m P -m map -m map", "-m map -m P");
    same("-m official.5", "");
    same("-m map.junk", "-m map");
    same("-m official -m set", "-m set -m official");
    same("-m P.5 -m P.10", "-m P.5");
    same("-m P -m P.10", "-m P.10");
    same("-m official -m P.2", "-m P.2 -m official");
    same("-m P.7,3,5", "-m P.3,5,7");
    same("-m P.23.4", "-m P.23");
}

#[test]
fn names_of_values() {
    let (qrels, run) = (grades("a=1"), ranking("a"));
    prints(
        &qrels,
        &run,
        "-m iprec_at_recall.1234567.25",
        "iprec_at_recall_1234567. all 0.0000",
    );
    prints(
        &qrels,
        &run,
        "-m 11pt_avg..25,.5,.75",
        "11pt_avg_.25,.5,.75 all 1.0000",
    );
    prints(
        &qrels,
        &run,
        "-m Rprec_mult.5.0,0.2,0.35",
        "Rprec_mult_0.20 all 1.0000; Rprec_mult_0.35 all 1.0000; Rprec_mult_5.00 all 0.2000",
    );
    prints(&qrels, &run, "-m G.=", "G_= all 1.0000");
    prints(&qrels, &run, "-m ndcg.1=", "ndcg_1= all 0.0000");
}

#[test]
fn nothing_is_printed_without_summary_and_topics() {
    prints(&grades("a=1"), &ranking("a"), "-n", "");
}

#[test]
fn the_judged_level_depth_and_documents() {
    let (qrels, run) = (grades("a=1 b=0 c=2"), ranking("x a b y c"));
    prints(
        &qrels,
        &run,
        "-J -m num_ret -m map",
        "num_ret all 3; map all 0.8333",
    );
    prints(
        &qrels,
        &run,
        "-M2 -m num_ret -m map",
        "num_ret all 2; map all 0.2500",
    );
    // The depth is applied before unjudged documents are dropped.
    prints(
        &qrels,
        &run,
        "-J -M2 -m num_ret -m map",
        "num_ret all 1; map all 0.5000",
    );
}

#[track_caller]
fn fails(args: &str, first: &str) {
    let outcome = run_with(args.split_whitespace().map(Into::into).collect());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{args}");
    let (message, usage) = match first {
        "" => ("", outcome.stderr.as_str()),
        _ => outcome.stderr.split_once('\n').unwrap(),
    };
    assert_eq!(message, first, "{args}");
    assert!(usage.starts_with("Usage: trec_eval "), "{usage}");
    assert_eq!(usage.lines().count(), 5);
}

#[test]
fn wrong_options_are_answered_with_the_usage() {
    fails("", "");
    fails("a", "");
    fails("a b c", "");
    fails("-Max_retrieved 5 a b", "");
    fails("-x a b", "trec_eval: invalid option -- 'x'");
    fails("-qx -v", "trec_eval: invalid option -- 'x'");
    fails("--foo -v", "trec_eval: unrecognized option '--foo'");
    fails("-m", "trec_eval: option requires an argument -- 'm'");
    let ambiguous = "trec_eval: option '--R' is ambiguous; possibilities: '--Rel_info_format' '--Results_format'";
    fails("--R x", ambiguous);
    let needs = "trec_eval: --compat needs 9 or 10, not '8'";
    fails("--compat 8 a b", needs);
}

#[test]
fn wrong_measures() {
    for (args, stderr) in [
        ("-m nope", "trec_eval: illegal measure 'nope'\n"),
        ("-m nope.5", "trec_eval: illegal measure 'nope'\n"),
        ("-m MAP", "trec_eval: illegal measure 'MAP'\n"),
        ("-m ndcg_p", "trec_eval: illegal measure 'ndcg_p'\n"),
        ("-m all_qrels", "trec_eval: illegal measure 'all_qrels'\n"),
        ("-m P_5", "trec_eval: illegal measure 'P_5'\n"),
        (
            "-m P.",
            "trec_eval: improper measure in parameter 'P'\ntrec_eval: illegal measure 'P'\n",
        ),
        (
            "-m official.",
            "trec_eval: improper measure in parameter 'official'\ntrec_eval: illegal measure 'official'\n",
        ),
        ("-h -m nope", "trec_eval: illegal measure 'nope'\n"),
    ] {
        let expected = Outcome {
            code: 1,
            stdout: String::new(),
            stderr: stderr.into(),
        };
        let words = args.split(' ').map(Into::into).collect();
        assert_eq!(run_with(words), expected, "{args}");
    }
}

#[test]
fn version() {
    for args in ["-v", "-qv --foo", "--version -h"] {
        let expected = Outcome {
            code: 0,
            stdout: String::new(),
            stderr: "trec_eval version 10.0-rc3\n".into(),
        };
        let words = args.split(' ').map(Into::into).collect();
        assert_eq!(run_with(words), expected, "{args}");
    }
}

fn help(args: &str) -> Vec<String> {
    let outcome = run_with(args.split(' ').map(Into::into).collect());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let rule = "\n-----------------------\n";
    outcome.stdout.split(rule).map(str::to_owned).collect()
}

#[test]
fn help_has_its_sections() {
    let sections = help("-h");
    assert_eq!(sections.len(), 4);
    assert!(sections[0].contains("--Max_retrieved_per_topic"));
    assert!(sections[1].starts_with("Results format trec_results\n"));
    assert!(sections[2].starts_with("Relevance format qrels\n"));
    let last: Vec<&str> = sections[3].lines().collect();
    assert_eq!(
        (last.len(), last[0]),
        (3, "Individual measure documentation for requested measures")
    );
    assert_eq!(help("-h -R none -T none").len(), 2);
    assert!(help("-h -R prefs")[2].starts_with("Relevance format prefs\n"));
}

#[test]
fn help_describes_the_measures_asked_for() {
    let sections = help("-h a -m recip_rank -m map");
    let measures = sections.last().unwrap();
    let (map, rank) = (measures.find("\nmap\n"), measures.find("\nrecip_rank\n"));
    assert!(map.is_some() && map < rank);
    let all = help("-h -m all_trec -m all_prefs -m qrels_jg");
    assert!(all.last().unwrap().lines().count() > 500);
}

#[test]
fn per_topic_lines_come_first() {
    let (qrels, run) = (grades("a=1"), ranking("a"));
    let outcome = evaluate(
        qrels,
        run,
        "-q -m runid -m num_q -m P.1 -m gm_map -m relstring",
    );
    let expected = "P_1 q1 1.0000; relstring q1 '1'; runid all tag; num_q all 1; gm_map all 1.0000; P_1 all 1.0000";
    assert_eq!(outcome.stdout, lines(expected));
}
