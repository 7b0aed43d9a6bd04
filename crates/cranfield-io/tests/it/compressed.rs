//! Compression, limits, and peculiarities of text files.

use std::io::Write;

use cranfield_core::setting::SettingStyle;
use cranfield_io::{Code, ErrorKind, Limits, Output, Source, read_qrels, read_run};

use crate::{qrels_of, rows, run_of};

const TEXT: &str = "301 Q0 d1 1 9.5 bm25\n301 Q0 d2 2 8.5 bm25\n";
const EXTENSIONS: [&str; 5] = ["gz", "zst", "bz2", "xz", "lz4"];

/// Compresses bytes with an output of this extension.
fn packed(extension: &str, bytes: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = folder
        .path()
        .join(format!("f.{extension}"))
        .display()
        .to_string();
    let mut out = Output::create(&name).expect("a writable folder");
    out.write_all(bytes).expect("writing to a temporary folder");
    out.finish().expect("writing to a temporary folder");
    std::fs::read(name).expect("the file exists")
}

#[test]
fn streams_of_all_formats_are_read() {
    let expected = rows(&run_of("f", TEXT.as_bytes()).expect("a valid run"));
    for extension in EXTENSIONS {
        let run = run_of("f.txt", &packed(extension, TEXT.as_bytes())).expect("a valid stream");
        assert_eq!(rows(&run), expected, "{extension}");
    }
}

#[test]
fn compressed_json_is_read() {
    let json = b"{\"301\": {\"d1\": 1}}";
    for extension in EXTENSIONS {
        assert_eq!(
            qrels_of("f", &packed(extension, json))
                .expect("a valid stream")
                .len(),
            1
        );
    }
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let bomb = vec![b'0'; 8 << 20];
    let limits = Limits {
        max_expanded: 1 << 20,
    };
    for extension in EXTENSIONS {
        let packed = packed(extension, &bomb);
        assert!(packed.len() < 1 << 17, "{extension}: {}", packed.len());
        let error =
            Source::from_bytes_with("bomb", packed, limits).expect_err("the stream is too large");
        assert_eq!(error.kind(), ErrorKind::Compression);
        insta::allow_duplicates! {
            insta::assert_snapshot!(error.render(SettingStyle::Neutral), @r"
            error[IR005]: exceeds the limit of 1048576 bytes for streams and expanded files
            --> bomb
             = help: if you trust the file, raise the limit, for example with CRANFIELD_MAX_EXPANDED=64G
            ");
        }
    }
}

#[test]
fn a_truncated_stream_is_an_error() {
    for extension in EXTENSIONS {
        let packed = packed(extension, &TEXT.repeat(1000).into_bytes());
        for length in [packed.len() / 2, packed.len() - 1] {
            let error = Source::from_bytes("f", packed[..length].to_vec())
                .expect_err("the stream is truncated");
            assert_eq!(
                error.problems()[0].code,
                Code::BadCompression,
                "{extension} truncated at {length}"
            );
        }
    }
}

#[test]
fn a_damaged_stream_is_an_error() {
    for extension in EXTENSIONS {
        let mut packed = packed(extension, &TEXT.repeat(1000).into_bytes());
        let middle = packed.len() / 2;
        packed[middle] ^= 0x55;
        assert!(run_of("f", &packed).is_err(), "{extension}");
    }
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let expected = rows(&run_of("f", TEXT.as_bytes()).expect("a valid run"));
    let windows = format!("\u{feff}{}", TEXT.replace('\n', "\r\n"));
    let no_newline = TEXT.trim_end();
    let spaced = format!("# comment\n\n{}\n\n", TEXT.replace(' ', "\t"));
    for text in [&windows, no_newline, &spaced] {
        assert_eq!(
            rows(&run_of("f", text.as_bytes()).expect("a valid run")),
            expected
        );
    }
    let csv = "\u{feff}qid,docno,score\r\n301,d1,9.5\r\n301,d2,8.5";
    let scores: Vec<f64> = rows(&run_of("f", csv.as_bytes()).expect("a valid run"))
        .iter()
        .map(|row| row.2)
        .collect();
    assert_eq!(scores, [9.5, 8.5]);
}

#[test]
fn a_byte_order_mark_is_noted() {
    let source = Source::from_bytes("f", [b"\xef\xbb\xbf", TEXT.as_bytes()].concat())
        .expect("text is not compressed");
    assert_eq!(source.notes()[0].code, Code::ByteOrderMark);
    assert_eq!(source.bytes(), TEXT.as_bytes());
    assert!(read_qrels(&source, None).is_err());
}

#[test]
fn a_large_file_is_mapped() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = folder.path().join("a.run").display().to_string();
    let lines: Vec<String> = (0..20_000)
        .map(|n| format!("{} Q0 d{n} {n} {} t\n", n % 7, 20_000 - n))
        .collect();
    let text = lines.concat();
    std::fs::write(&name, &text).expect("a writable folder");
    let source = Source::open(&name).expect("the file exists");
    assert_eq!(source.bytes(), text.as_bytes());
    assert_eq!(source.name(), name);
    let run = read_run(&source, None).expect("a valid run");
    assert_eq!(run.topics().len(), 7);
    let limit = Limits { max_expanded: 10 };
    assert!(
        Source::open_with(&name, limit).is_ok(),
        "a mapped file costs no memory"
    );
}

#[test]
fn limits_are_parsed() {
    assert_eq!(
        Limits::parse(" 10 k ")
            .expect("a number with a unit")
            .max_expanded,
        10 << 10
    );
    assert_eq!(
        Limits::parse("3GiB")
            .expect("a number with a unit")
            .max_expanded,
        3 << 30
    );
    let errors: Vec<String> = ["", "x", "5X", "-1", "99999999999T"]
        .map(|text| Limits::parse(text).map_or_else(|error| error.to_string(), |_| String::new()))
        .into();
    assert!(
        errors
            .iter()
            .all(|error| error.ends_with("expected a number of bytes such as 64G [IR005]")),
        "{errors:?}"
    );
}
