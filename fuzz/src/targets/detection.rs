//! Formats by content, and all readers behind it.

use std::str::FromStr;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::{
    Code, Limits, QrelsFormat, RunFormat, Source, detect_qrels, detect_run, read_qrels, read_run,
};

use super::formats::check_error;
use super::{Target, strings};
use crate::panics::quietly;

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "detect",
        property: "a format that is detected is the one that is read; what is not detected is refused",
        run: detect,
        seeds: detect_seeds,
        dictionary: &[
            "topic,doc,score\n",
            "query-id\tcorpus-id\tscore\n",
            "{\"q\":{\"d\":1}}",
            "{\"topic\":\"q\",\"doc\":\"d\",\"score\":1}\n",
            "[",
            "1 Q0 d 1 2 t\n",
            "1 0 d 1\n",
            "1\td\t1\n",
            "PAR1",
            "\u{feff}",
            "\0",
            "#",
            "BZh9",
            "\n",
        ],
        max_len: 300,
        smoke: 100_000,
    },
    Target {
        name: "words",
        property: "names of formats and codes print as they are read",
        run: words,
        seeds: || {
            strings(&[
                "trec",
                "jsonl",
                "qrels_jg",
                "bm25.csv.gz",
                "a.run.zst",
                "IR030",
                "ir001",
            ])
        },
        dictionary: &[
            "trec", "json", "jsonl", "csv", "tsv", "msmarco", "parquet", "beir", "prefs", ".gz",
            ".zst", ".bz2", ".xz", ".lz4", "IR0",
        ],
        max_len: 40,
        smoke: 300_000,
    },
];

fn detect_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "1 Q0 d 1 2 t\n1 Q0 e 2 1 t\n",
        "1 0 d 1\n1 0 e 0\n",
        "{\"q\": {\"d\": 1}}",
        "{\"topic\": \"q\", \"doc\": \"d\", \"score\": 1}\n",
        "[{\"topic\": \"q\", \"doc\": \"d\", \"score\": 1}]",
        "topic,doc,score\nq,d,1\n",
        "query-id\tcorpus-id\tscore\nq\td\t1\n",
        "1\td\t1\n1\te\t2\n",
        "# c\n\n  1 Q0 d 1 2 t\n",
        "PAR1 Q0 d 1 2 t\nPAR1 Q0 e 2 1 t\n",
        "BZh9 Q0 d 1 2 t\n",
    ])
}

fn detect(bytes: &[u8]) {
    let Ok(source) = Source::from_bytes_with(
        "fuzz",
        bytes.to_vec(),
        Limits {
            max_expanded: 1 << 18,
        },
    ) else {
        return;
    };
    let bytes = source.bytes();
    let detected = detect_run(&source);
    match (&detected, quietly(|| read_run(&source, None))) {
        (Ok(format), read) => {
            let named = quietly(|| read_run(&source, Some(*format)));
            assert_eq!(read.as_ref().map(Run::tag), named.as_ref().map(Run::tag));
            if let Err(error) = &read {
                check_error(error, bytes);
            }
        }
        (Err(error), read) => {
            check_error(error, bytes);
            assert_eq!(read.err().as_ref(), Some(error));
        }
    }
    let detected = detect_qrels(&source);
    match (&detected, quietly(|| read_qrels(&source, None))) {
        (Ok(format), read) => {
            let named = quietly(|| read_qrels(&source, Some(*format)));
            assert_eq!(
                read.as_ref().map(Qrels::judgements),
                named.as_ref().map(Qrels::judgements)
            );
            if let Err(error) = &read {
                check_error(error, bytes);
            }
        }
        (Err(error), read) => {
            check_error(error, bytes);
            assert_eq!(read.err().as_ref(), Some(error));
        }
    }
}

fn words(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(format) = RunFormat::from_str(&text) {
        assert_eq!(format.to_string(), text);
    }
    if let Ok(format) = QrelsFormat::from_str(&text) {
        assert_eq!(format.to_string(), text);
    }
    if let Ok(code) = Code::from_str(&text) {
        assert!(code.to_string().eq_ignore_ascii_case(&text));
    }
    let (run, qrels) = (RunFormat::of_name(&text), QrelsFormat::of_name(&text));
    assert!(
        text.contains('.') || (run.is_none() && qrels.is_none()),
        "{run:?} {qrels:?}"
    );
    let quoted = cranfield_io::quoted(bytes);
    assert!(
        quoted.starts_with('`') && quoted.ends_with('`') && !quoted.contains(char::is_control),
        "{quoted}"
    );
}
