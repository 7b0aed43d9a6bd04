//! Unusual files for the drop-in `trec_eval`.

use std::fs;

use crate::trec_eval::{evaluate, file, grades, lines, prints, ranking, run_with};

const ARGS: &str = "-m num_q -m num_ret -m map";

#[track_caller]
fn reads(qrels: impl AsRef<[u8]>, run: impl AsRef<[u8]>, expected: &str) {
    let outcome = evaluate(qrels, run, ARGS);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert_eq!(outcome.stdout, lines(expected));
}

const FINE: &str = "num_q all 1; num_ret all 1; map all 1.0000";

#[test]
fn lines_in_all_their_shapes() {
    let (qrels, run) = (grades("a=1"), ranking("a"));
    reads(&qrels, &run, FINE);
    reads("q1 0 a 1", "q1 Q0 a 1 1 t", FINE);
    reads("q1\t0  a\x0b1\r\n", "  q1\tQ0 a 1 1 t\r\n", FINE);
    reads(&qrels, "\n \t\n# note\n  # more\nq1 Q0 a 1 1 t\n\n#", FINE);
    reads(&qrels, "q1 Q0 a 1 1 t # not a comment\n", FINE);
    reads("# note\nq1 0 a 1\n", &run, FINE);
    reads(b"q1 0 \xff\xfe 1\n", b"q1 Q0 \xff\xfe 1 1 t\n", FINE);
    reads("q#1 0 a# 1\n", "q#1 Q0 a# 1 1 t\n", FINE);
}

#[test]
fn comments_that_crash_the_reference_are_skipped() {
    let run = ranking("a");
    reads("q1 0 a 1\n# last\n", &run, FINE);
    reads("# c\n# d\nq1 0 a 1\n", &run, FINE);
    reads("# a b c\n# a b 4\nq1 0 a 1\n", &run, FINE);
}

#[test]
fn byte_order_marks_are_part_of_the_topic() {
    let (qrels, run) = ("\u{feff}q1 0 a 1\n", "\u{feff}q1 Q0 a 1 1 t\n");
    reads(qrels, run, FINE);
    let outcome = evaluate(qrels, ranking("a"), ARGS);
    assert_eq!(
        outcome.stderr,
        "trec_eval: result qid '\u{feff}q1' not found in qrels\n"
    );
}

#[test]
fn compressed_files_are_read() {
    // A gzip stream of stored blocks: header, one block, checksum and length.
    let text = b"q1 0 a 1\n";
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    packed.extend([9, 0, 246, 255]);
    packed.extend(text);
    packed.extend(crc32(text).to_le_bytes());
    packed.extend(9u32.to_le_bytes());
    reads(packed, ranking("a"), FINE);
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            sum >> 1 ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
        })
    })
}

#[test]
fn malformed_lines_count_data_only() {
    let run = ranking("a");
    for (qrels, line) in [
        ("q1 0 a 1\n\n", 2),
        ("\nq1 0 a 1\n", 1),
        ("q1 0 a 1\n \t\n", 2),
        ("q1 0 a 1 x\n", 1),
        ("q1 0 a\n", 1),
        ("# note\nq1 0 a 1\n# note\nq1 0 b\n", 2),
        (" # note\nq1 0 a 1\n", 1),
        ("q1 0 a 1 # note\n", 1),
        ("\n", 1),
    ] {
        let outcome = evaluate(qrels, &run, "");
        let stderr = format!(
            "trec_eval.get_qrels: Malformed line {line}\ntrec_eval: Quit in file 'qrels'\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, stderr), "{qrels:?}");
    }
    for (run, line) in [
        ("q1 Q0 a 1 1\n", 1),
        ("q1 Q0 a 1 1 t\n\n# note\nq1 Q0 b\n", 2),
        ("q1 Q0 a 1 1 t\nx", 2),
    ] {
        let outcome = evaluate(grades("a=1"), run, "");
        let stderr = format!(
            "trec_eval.get_results: Malformed line {line}\ntrec_eval: Quit in file 'run'\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, stderr), "{run:?}");
    }
}

#[test]
fn judgements_are_integers_as_c_reads_them() {
    let qrels = "a=1.9 b=abc c=+2 d=0x10 e=1e3 f=007";
    prints(
        &grades(qrels),
        &ranking("a b c d e f"),
        "-q -n -m relstring",
        "relstring q1 '102017'",
    );
}

#[test]
fn scores_are_numbers_as_c_reads_them() {
    let run = "q1 Q0 a 1 -inf t / q1 Q0 b 1 1e400 t / q1 Q0 c 1 0x10 t / q1 Q0 d 1 +15.5x t / q1 Q0 e 1 .5e1 t / q1 Q0 f 1 infinity t";
    prints(
        &grades("a=1 b=2 c=3 d=4 e=5 f=6"),
        &file(run),
        "-q -n -m relstring",
        "relstring q1 '623451'",
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty"), "").unwrap();
    fs::write(at("good"), "q1 0 a 1\n").unwrap();
    fs::create_dir(at("folder")).unwrap();
    for name in ["empty", "folder", "none"] {
        for (args, cause) in [
            ("", "trec_eval.get_qrels: Cannot read qrels file"),
            (
                "-Rqrels_jg",
                "trec_eval.get_qrels_jg: Cannot read qrels file",
            ),
            ("-Rprefs", "trec_eval.get_prefs: Cannot read prefs file"),
            (
                "-Rqrels_prefs",
                "trec_eval.get_prefs: Cannot read prefs file",
            ),
        ] {
            let words: [std::ffi::OsString; 3] = [args.into(), at(name).into(), at("none").into()];
            let outcome = run_with(words.into_iter().filter(|word| !word.is_empty()).collect());
            let path = at(name).display().to_string();
            let stderr = format!("{cause} '{path}'\ntrec_eval: Quit in file '{path}'\n");
            assert_eq!((outcome.code, outcome.stderr), (2, stderr));
        }
        let outcome = run_with(vec![at("good").into(), at(name).into()]);
        let path = at(name).display().to_string();
        let stderr = format!(
            "trec_eval.get_results: Cannot read results file '{path}'\ntrec_eval: Quit in file '{path}'\n"
        );
        assert_eq!((outcome.code, outcome.stderr), (2, stderr));
    }
}

#[test]
fn a_run_without_lines_has_no_topic() {
    let qrels = grades("a=1");
    for run in ["\n", "# nothing\n", " \n\n"] {
        let outcome = evaluate(&qrels, run, "");
        let missing = "trec_eval: result qid 'q1' not found in qrels\n";
        assert_eq!((outcome.code, outcome.stderr.as_str()), (4, missing));
        prints(
            &qrels,
            run,
            "-c -m runid -m num_ret -m map",
            "runid all ; num_ret all 0; map all 0.0000",
        );
    }
}

#[test]
fn run_ids_are_printed_byte_by_byte() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let folder = tempfile::tempdir().unwrap();
    let (qrels, run) = (folder.path().join("q"), folder.path().join("r"));
    fs::write(&qrels, "q1 0 a 1\n").unwrap();
    fs::write(&run, b"q1 Q0 a 1 1 t\xff\n#end\n").unwrap();
    let args = ["-m".into(), "runid".into(), qrels.into(), run.into()];
    let code = cranfield_trec_eval::run(args, "trec_eval", &mut out, &mut err);
    assert_eq!(
        (code, out.as_slice()),
        (0, b"runid                 \tall\tt\xff\n".as_slice())
    );
}

#[test]
fn not_a_number_as_a_score_follows_the_reference_sort() {
    let run = "q1 Q0 a 1 1 t / q1 Q0 b 1 nan t / q1 Q0 c 1 2 t";
    // By ascending id a, b, c; b and c are merged first: b equals c and the larger id goes first.
    prints(
        &grades("a=1 b=2 c=3"),
        &file(run),
        "-q -n -m relstring",
        "relstring q1 '321'",
    );
}
