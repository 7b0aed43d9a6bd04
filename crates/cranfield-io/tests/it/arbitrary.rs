//! Readers do not panic on any bytes.

use std::sync::OnceLock;

use cranfield_core::setting::SettingStyle;
use cranfield_io::{Limits, QrelsFormat, RunFormat, Source, read_qrels, read_run};
use proptest::prelude::*;

const LIMITS: Limits = Limits {
    max_expanded: 1 << 24,
};

/// Reads bytes with all readers.
fn read_all(bytes: &[u8]) {
    let Ok(source) = Source::from_bytes_with("f", bytes.to_vec(), LIMITS) else {
        return;
    };
    let run_formats = RunFormat::ALL
        .iter()
        .map(|format| Some(*format))
        .chain([None]);
    for error in run_formats.filter_map(|format| read_run(&source, format).err()) {
        assert!(!error.render(SettingStyle::Neutral).is_empty() && !error.problems().is_empty());
    }
    let qrels_formats = QrelsFormat::ALL
        .iter()
        .map(|format| Some(*format))
        .chain([None]);
    for error in qrels_formats.filter_map(|format| read_qrels(&source, format).err()) {
        assert!(
            !error.render_coloured(SettingStyle::Neutral).is_empty()
                && !error.to_string().is_empty()
        );
    }
}

/// Pieces that have a meaning for some reader.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &str = r#"topic doc score rel rank qid query-id corpus-id 1 -1 1.5 nan inf 1e999 Q0 0 d1 { } [ ] : , " "q" "d" "score" "qid" "docno" null NaN -Infinity \ # PAR1 é"#;
    const OTHERS: [&str; 8] = ["\\u00e9", "\t", " ", "\n", "\r\n", "\r", "\u{feff}", "\0"];
    let pieces: Vec<&str> = WORDS.split(' ').chain(OTHERS).collect();
    prop_oneof![
        8 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ]
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat())
}

/// A valid file in each format, to be damaged.
fn valid() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(make_valid)
}

fn make_valid() -> Vec<Vec<u8>> {
    let rows = (0..50).map(|n| (format!("q{}", n % 3), format!("d{n}"), f64::from(n) / 4.0));
    let run = cranfield_core::run::Run::from_scores("tag", rows.clone());
    let qrels = cranfield_core::qrels::Qrels::from_judgements(rows);
    let mut files = Vec::new();
    for format in RunFormat::ALL {
        let mut bytes = Vec::new();
        cranfield_io::write_run(&run, *format, &mut bytes).expect("plain ids fit every format");
        files.push(bytes);
    }
    let mut bytes = Vec::new();
    cranfield_io::write_qrels(&qrels, QrelsFormat::Parquet, &mut bytes)
        .expect("plain ids fit every format");
    files.push(bytes);
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
    }

    #[test]
    fn arbitrary_pieces(bytes in pieces()) {
        read_all(&bytes);
    }

    #[test]
    fn arbitrary_streams(magic in prop::sample::select(vec![
        &b"\x1f\x8b\x08"[..], b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\xfd7zXZ\0", b"BZh91AY&SY", b"PAR1",
    ]), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&[magic, &bytes].concat());
    }

    #[test]
    fn damaged_files(which in 0usize..8, at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 0..4), cut in any::<bool>()) {
        let mut file = valid()[which].clone();
        let at = at.index(file.len());
        let end = if cut { file.len() } else { (at + bytes.len()).min(file.len()) };
        file.splice(at..end, bytes);
        read_all(&file);
    }

    #[test]
    fn damaged_table_data(at in 4usize..200, byte in any::<u8>()) {
        for mut file in [valid()[7].clone(), valid()[6].clone()] {
            let at = at % file.len();
            file[at] = byte;
            read_all(&file);
        }
    }
}
