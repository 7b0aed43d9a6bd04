//! The drop-in `trec_eval`: values of small examples, all checked against the reference program.

use std::ffi::OsString;
use std::fs;

/// Outcome of a run of the program.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) code: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program on two files. `QRELS` and `RUN` among the arguments are replaced by them; otherwise they come last. In
/// messages their folder is left out.
pub(crate) fn evaluate(qrels: impl AsRef<[u8]>, run: impl AsRef<[u8]>, args: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string();
    fs::write(path("qrels"), qrels).unwrap();
    fs::write(path("run"), run).unwrap();
    let mut words: Vec<OsString> = args
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| match word {
            "QRELS" => path("qrels"),
            "RUN" => path("run"),
            word => word.into(),
        })
        .collect();
    if !args.contains("QRELS") {
        words.extend([path("qrels"), path("run")]);
    }
    let outcome = run_with(words);
    let prefix = format!("{}/", folder.path().display());
    Outcome {
        stderr: outcome.stderr.replace(&prefix, ""),
        ..outcome
    }
}

/// Runs the program with these arguments.
pub(crate) fn run_with(args: Vec<OsString>) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = cranfield_trec_eval::run(args, "trec_eval", &mut out, &mut err);
    Outcome {
        code,
        stdout: String::from_utf8_lossy(&out).into_owned(),
        stderr: String::from_utf8_lossy(&err).into_owned(),
    }
}

/// Qrels of topic q1 from `a=1 b=2`.
pub(crate) fn grades(text: &str) -> String {
    let judgements = text.split(' ').filter_map(|item| item.split_once('='));
    judgements
        .map(|(doc, grade)| format!("q1 0 {doc} {grade}\n"))
        .collect()
}

/// A run of topic q1 from documents, best first.
pub(crate) fn ranking(text: &str) -> String {
    let docs = text.split(' ').filter(|doc| !doc.is_empty());
    let lines = docs
        .zip(1..)
        .map(|(doc, rank)| format!("q1 Q0 {doc} {rank} {} tag\n", 100 - rank));
    lines.collect()
}

/// Lines of output from `name topic value; name topic value`.
pub(crate) fn lines(text: &str) -> String {
    let items = text.split("; ").filter(|item| !item.is_empty());
    let shown = items.map(|item| {
        let [name, topic, value] = item.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{item} is no line of output");
        };
        match name.strip_prefix('Z') {
            Some(name) => format!("Z{name:<22}\t{topic}\t{value}\n"),
            None => format!("{name:<22}\t{topic}\t{value}\n"),
        }
    });
    shown.collect()
}

/// Files as text with ` / ` between lines.
pub(crate) fn file(text: &str) -> String {
    text.split(" / ").map(|line| format!("{line}\n")).collect()
}

/// Checks that the program succeeds with this output.
#[track_caller]
pub(crate) fn prints(qrels: &str, run: &str, args: &str, expected: &str) {
    let expected = Outcome {
        code: 0,
        stdout: lines(expected),
        stderr: String::new(),
    };
    assert_eq!(evaluate(qrels, run, args), expected, "{args}");
}

/// Checks the lines of topic q1.
#[track_caller]
fn topic(qrels: &str, run: &str, args: &str, expected: &str) {
    let expected: Vec<String> = expected
        .split("; ")
        .map(|item| {
            let (name, value) = item.split_once(' ').unwrap();
            format!("{name} q1 {value}")
        })
        .collect();
    prints(
        &grades(qrels),
        &ranking(run),
        &format!("-q -n {args}"),
        &expected.join("; "),
    );
}

#[test]
fn ties_go_by_descending_document_id() {
    let tied = "q1 Q0 a 1 1 t / q1 Q0 b 1 1e0 t / q1 Q0 c 1 0x1p0 t / q1 Q0 B 1 1.00000000000000000001 t / q1 Q0 10 1 1 t / q1 Q0 9 1 1 t";
    let qrels = grades("a=1 b=2 c=3 B=4 10=5 9=6");
    prints(
        &qrels,
        &file(tied),
        "-q -n -m relstring",
        "relstring q1 '321465'",
    );
    let close = "q1 Q0 a 1 .99999999 t / q1 Q0 b 1 .99999998 t / q1 Q0 c 1 .99999997 t";
    prints(
        &qrels,
        &file(close),
        "-q -n -m relstring",
        "relstring q1 '123'",
    );
    prints(
        &qrels,
        &file(close),
        "--compat 9 -q -n -m relstring",
        "relstring q1 '213'",
    );
}

#[test]
fn only_the_score_counts() {
    let run = "q1 Q0 a 1 1 t / q1 x b 9 3 t more fields / q1 Q0 c 0 junk t / q1 Q0 d 2 2 last";
    let qrels = grades("a=1 b=2 c=3 d=4");
    prints(
        &qrels,
        &file(run),
        "-q -m runid -m relstring",
        "relstring q1 '2413'; runid all last",
    );
}

#[test]
fn rbp_does_not_depend_on_other_measures() {
    for args in [
        "-m rbp",
        "-m ndcg -m rbp",
        "-m P.1 -m rbp",
        "-m G -m rbp",
        "-m yaap -m rbp",
    ] {
        let outcome = evaluate(grades("a=1 b=1 c=1"), ranking("a b c"), args);
        assert!(
            outcome.stdout.ends_with(&lines("rbp all 0.2710")),
            "{args}: {outcome:?}"
        );
    }
    topic("a=1 b=2", "a b", "-m rbp", "rbp 0.1400");
    topic(
        "a=1 b=2",
        "a b",
        "-m iprec_at_recall.0 -m rbp",
        "iprec_at_recall_0.00 1.0000; rbp 0.1400",
    );
}

#[test]
fn the_level_does_not_concern_gains() {
    let (qrels, run) = ("a=1 b=2 e=3 f=0", "a b c d");
    topic(
        qrels,
        run,
        "-l2 -m num_rel -m map -m relstring -m ndcg",
        "num_rel 2; map 0.2500; relstring '12--'; ndcg 0.4750",
    );
    prints(
        &grades(qrels),
        &ranking(run),
        "-c -q -l2 -m num_rel",
        "num_rel q1 2; num_rel all 3",
    );
    let unjudged_relevant = "-l -1 -m num_rel -m num_rel_ret -m P.4";
    topic(
        qrels,
        run,
        unjudged_relevant,
        "num_rel 4; num_rel_ret 2; P_4 1.0000",
    );
}

#[test]
fn gains_with_fractions_follow_the_reference() {
    for (measure, value) in [
        ("ndcg.1=0.5,2=0.9", "0.0000"),
        ("ndcg.0=0,1=0.5,2=0.9", "0.6216"),
        ("ndcg.1=3,1=5", "0.8100"),
        ("ndcg.-1=5", "1.8383"),
        ("ndcg.7=100", "0.6013"),
    ] {
        let name = measure.replacen('.', "_", 1);
        topic(
            "a=1 b=2 e=2 f=0",
            "a b c d",
            &format!("-m {measure}"),
            &format!("{name} {value}"),
        );
    }
    topic("a=1 b=2", "a b", "-m Rndcg.1=0,2=0", "Rndcg_1=0,2=0   -nan");
}

#[test]
fn gain_measures_have_parameters_of_their_own() {
    topic(
        "a=1 b=2 c=0",
        "c b a",
        "-m dcg.1=5 -m ndcg",
        "dcg_1=5 3.7619; ndcg 0.6697",
    );
}

#[test]
fn worked_example_of_gain_measures() {
    let args = "-m binG -m G -m ndcg -m ndcg_cut.2 -m ndcg_rel -m Rndcg";
    let expected =
        "binG 0.6309; G 0.6309; ndcg 0.6697; ndcg_rel 0.5746; Rndcg 0.2398; ndcg_cut_2 0.4796";
    topic("a=1 b=2 c=0", "c b a", args, expected);
}

#[test]
fn recall_points_are_rounded() {
    let args = "-m iprec_at_recall.0.4,0.8 -m 11pt_avg";
    let (qrels, run) = ("a=1 b=1 c=1", "a x b");
    topic(
        qrels,
        run,
        args,
        "iprec_at_recall_0.40 1.0000; iprec_at_recall_0.80 0.6667; 11pt_avg 0.6970",
    );
    topic(
        qrels,
        run,
        &format!("--compat 9 {args}"),
        "iprec_at_recall_0.40 0.6667; iprec_at_recall_0.80 0.0000; 11pt_avg 0.6061",
    );
    topic(
        qrels,
        run,
        "-m iprec_at_recall.-1,2",
        "iprec_at_recall_-1.00 1.0000; iprec_at_recall_2.00 0.0000",
    );
}

#[test]
fn an_empty_ranking_has_no_precision() {
    let args = "-m iprec_at_recall.0,.1,.2 -m 11pt_avg -m map -m P.5 -m num_ret";
    let shown = |topic: &str| {
        let values = [
            "num_ret {} 0",
            "map {} 0.0000",
            "iprec_at_recall_0.00 {}   -nan",
            "iprec_at_recall_0.10 {}   -nan",
            "iprec_at_recall_0.20 {} 0.0000",
            "P_5 {} 0.0000",
            "11pt_avg {}   -nan",
        ];
        values.map(|line| line.replace("{}", topic)).join("; ")
    };
    for option in ["-J", "-M0", "-M abc"] {
        let expected = format!("{}; {}", shown("q1"), shown("all"));
        prints(
            &grades("a=1 b=2 e=3 f=0"),
            &ranking("x"),
            &format!("-q {option} {args}"),
            &expected,
        );
    }
}

#[test]
fn negative_judgements_are_pooled() {
    let args =
        "-m relstring -m num_rel -m bpref -m infAP -m rbp_resid -m unj.3 -m num_nonrel_judged_ret";
    let expected = "num_rel 2; bpref 0.5000; relstring '.1.-'; infAP 0.3750; num_nonrel_judged_ret 0; rbp_resid 0.9100; unj_3 0.6667";
    topic("a=-1 b=1 c=-2 e=1", "a b c d", args, expected);
    topic(
        "a=-1 b=1 c=-2 e=1",
        "a b c d",
        "-J -m relstring -m num_ret",
        "num_ret 1; relstring '1'",
    );
}

#[test]
fn topics_with_only_negative_judgements_have_nothing_relevant() {
    let qrels = "q1 0 a -1 / q2 0 a 1 / q3 0 a -2";
    let run = "q1 Q0 a 1 1 t / q2 Q0 a 1 1 t / q3 Q0 a 1 1 t";
    let expected =
        "num_rel q1 0; map q1 0.0000; num_rel q2 1; map q2 1.0000; num_rel q3 0; map q3 0.0000";
    prints(
        &file(qrels),
        &file(run),
        "-q -n -m num_rel -m map",
        expected,
    );
}

#[test]
fn huge_judgements_are_fine() {
    topic(
        "a=9223372036854775807 b=1",
        "b a",
        "-m num_rel -m relstring",
        "num_rel 2; relstring '1>'",
    );
}

#[test]
fn utility_uses_the_size_of_the_collection() {
    let (qrels, run) = ("a=1 b=1 c=1 d=0", "a d b");
    topic(
        qrels,
        run,
        "-m utility.1,-1,-1,1 -N 10",
        "utility_1,-1,-1,1 6.0000",
    );
    topic(
        qrels,
        run,
        "-m utility.1,-1,-1,1",
        "utility_1,-1,-1,1 -4.0000",
    );
    topic(qrels, run, "-m utility", "utility 1.0000");
}

#[test]
fn set_measures() {
    let args = "-m set -m set_F.0.5";
    let expected = "num_ret 3; num_rel 3; num_rel_ret 2; utility 1.0000; set_P 0.6667; set_relative_P 0.6667; set_recall 0.6667; set_map 0.4444; set_F_0.5 0.6667";
    topic("a=1 b=1 c=1 d=0", "a d b", args, expected);
}

#[test]
fn missing_topics_count_when_wanted() {
    let qrels = file("q1 0 d1 1 / q2 0 d2 1");
    let run = file("q1 Q0 d1 1 2.0 run");
    let expected = "map q1 1.0000; map q2 0.0000; num_q all 2; map all 0.5000";
    prints(&qrels, &run, "-c -q -m map -m num_q", expected);
}

#[test]
fn the_document_of_a_missing_topic_leaves_traces() {
    let qrels = file("q1 0 d1 1 / q2 0 d2 1 / q2 0 d3 1");
    let run = file("q1 Q0 d1 1 2.0 run");
    let args = "-c -q -n -D 0.q2 -m relstring.5 -m relstring -m num_ret -m utility.1,-1,0,0 -m rbp_resid.p=0.8 -m yaap -m unj.1 -m num_rel";
    let expected = "num_ret q2 0; num_rel q2 2; relstring_5 q2 '-'; utility_1,-1,0,0 q2 -1.0000; yaap q2 -1.0986; rbp_resid_p=0.8 q2 1.0000; unj_1 q2 0.0000";
    prints(&qrels, &run, args, expected);
    let args = "-c -q -n -D 0.q2 -m relstring -m utility -m rbp_resid -m num_ret";
    let expected = "num_ret q2 0; relstring q2 ''; utility q2 0.0000; rbp_resid q2 0.0000";
    prints(&qrels, &run, args, expected);
    let judged = file("q1 0 d1 1 / q2 0 ceci_nest_pas_un_docno 1");
    prints(
        &judged,
        &run,
        "-c -q -n -D0.q2 -m num_rel_ret -m map",
        "num_rel_ret q2 1; map q2 1.0000",
    );
}

#[test]
fn one_topic_only() {
    let qrels = file("q1 0 d1 1 / q2 0 d2 1");
    let run = file("q1 Q0 d1 1 2.0 run / q2 Q0 d2 1 2.0 run");
    prints(
        &qrels,
        &run,
        "-q -D 0.q2 -m map -m num_q",
        "map q2 1.0000; num_q all 1; map all 1.0000",
    );
    // The topics left out count in averages over all judged topics.
    prints(
        &qrels,
        &run,
        "-c -D 1.q2 -m map -m num_q -m gm_map -m num_rel",
        "num_q all 2; num_rel all 2; map all 0.5000; gm_map all 0.0032",
    );
}

#[test]
fn summaries() {
    let qrels = file("q1 0 a 1 / q10 0 a 1 / q10 0 b 1 / q9 0 c 1 / Q 0 a 0");
    let run = file(
        "q9 Q0 a 1 2 t / q9 Q0 c 1 1 t / q10 Q0 b 1 9 t / q1 Q0 a 1 1 t / Q Q0 x 1 1 t / other Q0 x 1 1 t",
    );
    let expected = "map Q 0.0000; map q1 1.0000; map q10 0.5000; map q9 0.5000; num_q all 4; num_ret all 5; map all 0.5000; gm_map all 0.0398";
    let args = "-q -m map -m num_q -m gm_map -m num_ret";
    let outcome = evaluate(&qrels, &run, args);
    let only_map: String = outcome
        .stdout
        .lines()
        .filter(|line| !line.starts_with("num_ret") || line.contains("\tall\t"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(only_map, lines(expected));
}

#[test]
fn official_and_all_measures_have_their_numbers_of_lines() {
    for (args, per_topic, summary) in [("", 27, 30), ("-m all_trec", 96, 99)] {
        let outcome = evaluate(grades("a=1"), ranking("a b"), &format!("-q {args}"));
        let count = |topic: &str| {
            outcome
                .stdout
                .lines()
                .filter(|line| line.split('\t').nth(1) == Some(topic))
                .count()
        };
        assert_eq!((count("q1"), count("all")), (per_topic, summary));
    }
}

#[test]
fn z_scores() {
    let folder = tempfile::tempdir().unwrap();
    let zscores = folder.path().join("z");
    let norms = "q1 num_ret 2 1\nq1 map 0.5 0.25\nq1 gm_map 0 2\nq1 recip_rank 1 0\nq1 P_5 0.4 0\nq2 map 1 1\n";
    fs::write(&zscores, norms).unwrap();
    let args = format!(
        "-q -Z {} -m num_ret -m map -m gm_map -m recip_rank -m P.5,10 -m relstring -m num_q -m runid",
        zscores.display()
    );
    let qrels = file("q1 0 a 1 / q2 0 a 1");
    let run = file("q1 Q0 a 1 2 t / q1 Q0 b 1 1 t / q2 Q0 b 1 2 t / q2 Q0 a 1 1 t");
    let unknown = "-1000000.0000";
    let expected = [
        "Znum_ret q1 0.0000",
        "Zmap q1 2.0000",
        "Zrecip_rank q1 0.0000",
        &format!("ZP_5 q1 {unknown}"),
        &format!("ZP_10 q1 {unknown}"),
        "relstring q1 '1-'",
        &format!("Znum_ret q2 {unknown}"),
        "Zmap q2 -0.5000",
        &format!("Zrecip_rank q2 {unknown}"),
        &format!("ZP_5 q2 {unknown}"),
        &format!("ZP_10 q2 {unknown}"),
        "relstring q2 '-1'",
        "runid all t",
        "Znum_q all 2.0000",
        &format!("Znum_ret all {unknown}"),
        "Zmap all 0.7500",
        "Zgm_map all 0.0000",
        "Zrecip_rank all -500000.0000",
        &format!("ZP_5 all {unknown}"),
        &format!("ZP_10 all {unknown}"),
    ];
    prints(&qrels, &run, &args, &expected.join("; "));
}
