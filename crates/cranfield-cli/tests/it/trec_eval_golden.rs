//! The reference program's own regression commands, if the shared data is next to the checkout.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use crate::trec_eval::run_with;

/// Arguments, and behind `>` the file of expected output.
const COMMANDS: [&str; 15] = [
    "qrels.test results.test > out.test",
    "qrels.test.with-comments results.test > out.test",
    "qrels.comment.test results.comment.test > out.comment.test",
    "-m all_trec qrels.test results.test > out.test.a",
    "-m all_trec -q qrels.test results.test > out.test.aq",
    "-m all_trec -q -c qrels.test results.trunc > out.test.aqc",
    "-m all_trec -q -c -M100 qrels.test results.trunc > out.test.aqcM",
    "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test > out.test.aql",
    "-m all_prefs -q -R prefs prefs.test prefs.results.test > out.test.prefs",
    "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test > out.test.prefs",
    "-m all_prefs -q -R qrels_prefs qrels.test results.test > out.test.qrels_prefs",
    "-m qrels_jg -q -R qrels_jg qrels.123 results.test > out.test.qrels_jg",
    "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test > out.test.qrels_jg",
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 qrels.test results.test > out.test.meas_params",
    "-q -m all_trec -Z zscores_file qrels.test results.test > out.test.aqZ",
];

/// The folder of golden files, if the shared data is there.
fn golden() -> Option<PathBuf> {
    cranfield_testkit::golden("trec_eval")
}

#[test]
fn output_is_the_reference_programs() {
    let Some(folder) = golden() else {
        return;
    };
    for command in COMMANDS {
        let (args, expected) = command.split_once(" > ").unwrap();
        let args = args.split(' ').map(|word| {
            let file = folder.join(word);
            if file.is_file() {
                file.into_os_string()
            } else {
                OsString::from(word)
            }
        });
        let outcome = run_with(args.collect());
        assert_eq!(
            (outcome.code, outcome.stderr.as_str()),
            (0, ""),
            "{command}"
        );
        let expected = fs::read_to_string(folder.join(expected)).unwrap();
        let difference = outcome
            .stdout
            .lines()
            .zip(expected.lines())
            .find(|(ours, theirs)| ours != theirs);
        assert_eq!(difference, None, "{command}");
        assert_eq!(outcome.stdout.len(), expected.len(), "{command}");
    }
}
