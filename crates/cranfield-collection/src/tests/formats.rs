use cranfield_io::gzip;

use super::{folder, read, read_bytes};
use crate::{DocumentFormat, DocumentOptions, Documents, TextFields};

#[track_caller]
fn check(name: &str, bytes: &[u8], expected: &[(&str, &str)]) {
    let (documents, _) = read_bytes(name, bytes);
    let found: Vec<(String, String)> = documents
        .iter()
        .map(|one| (one.id.clone(), one.text()))
        .collect();
    let expected: Vec<(String, String)> = expected
        .iter()
        .map(|(id, text)| ((*id).into(), (*text).into()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn json_lines() {
    let lines = b"{\"_id\": \"a\", \"title\": \"T\", \"text\": \"x\", \"metadata\": {\"url\": \"u\"}}\n\n{\"docid\": 7, \"segment\": \"s\"}\r\n{\"id\": \"c\", \"contents\": \"y\"}";
    check(
        "docs.jsonl",
        lines,
        &[("a", "T\nx"), ("7", "s"), ("c", "y")],
    );
    let (documents, report) = read_bytes("d", b"{\"_id\": \"a\", \"text\": \"x\"}\n{\"_id\": \"b\"\n{\"text\": \"x\"}\n{\"_id\": \"a\"}\n{\"_id\": \"e\"}\n");
    assert_eq!(documents.len(), 2);
    assert_eq!(
        (report.malformed.count, report.malformed.first[0].line),
        (1, 2)
    );
    assert_eq!(
        (report.without_id.count, report.without_id.first[0].line),
        (1, 3)
    );
    assert_eq!(
        (report.duplicate.count, report.duplicate.first[0].line),
        (1, 4)
    );
    assert_eq!(report.empty.ids, ["e"]);
    let shown = report.to_string();
    assert!(
        shown.starts_with("2 documents; empty: 1 (`e` at "),
        "{shown}"
    );
}

#[test]
fn tables() {
    check(
        "collection.tsv",
        b"0\tfirst passage\n1\tsecond\twith tab\n",
        &[("0", "first passage"), ("1", "second\twith tab")],
    );
    check(
        "docs.tsv",
        b"D1\thttp://a\tTitle\tBody\nD2\thttp://b\tT2\tB2\n",
        &[("D1", "Title\nBody"), ("D2", "T2\nB2")],
    );
    check("docs.tsv", b"docno\ttext\nx\ty z\n", &[("x", "y z")]);
    let csv = b"id,title,text\n1,\"a, b\",\"line\nbreak \"\"q\"\"\"\n2,c,d\n";
    check(
        "docs.csv",
        csv,
        &[("1", "a, b\nline\nbreak \"q\""), ("2", "c\nd")],
    );
    let (_, report) = read_bytes("docs.csv", b"id,text\n1,a\n2\n");
    assert_eq!(report.malformed.count, 1);
}

#[test]
fn a_folder_of_files() {
    let folder = folder(&[
        ("b.txt", b"second"),
        ("a.txt", b"first\n"),
        ("sub/c.html", b"<html><head><title>T</title><style>p {}</style></head><body><p>one<p>t<b>w</b>o<script>if (a<b) {}</script></body></html>"),
        ("README", b"not a document"),
        ("dtds/x.dtd", b"<!ELEMENT"),
        (".hidden", b"x"),
    ]);
    let (documents, report) = read(folder.path(), DocumentOptions::default());
    let found: Vec<(&str, String)> = documents
        .iter()
        .map(|one| (one.id.as_str(), one.text()))
        .collect();
    assert_eq!(
        found,
        [
            ("a", "first".to_owned()),
            ("b", "second".into()),
            ("c", "T\none two".into())
        ]
    );
    assert_eq!(report.skipped_files.count, 2);
    let file = Documents::open(&[folder.path().join("a.txt")], DocumentOptions::default()).unwrap();
    let error = file.collect::<Result<Vec<_>, _>>().unwrap_err().to_string();
    assert!(error.contains("unknown format of documents"), "{error}");
}

#[test]
fn smart_markers_are_whole_lines() {
    let text = b".I 1\n.T\nOn wings\n.A\nsmith\n.W\nabout\n.Tea is text\n.X\n1 5 1\n.I 2\n.T\nOn wings\n.W\nOn  wings\nmore\n";
    check(
        "cisi",
        text,
        &[
            ("1", "On wings\nabout\n.Tea is text"),
            ("2", "On  wings\nmore"),
        ],
    );
    let folder = folder(&[("cisi", text)]);
    let options = DocumentOptions {
        text: TextFields::Named(vec!["A".into(), "T".into()]),
        ..DocumentOptions::default()
    };
    let (documents, _) = read(&folder.path().join("cisi"), options);
    assert_eq!(documents[0].text(), "On wings\nsmith");
}

/// Bodies with fields of their own, entities, several names of fields, a page of the web.
#[test]
fn elements_of_trec_documents() {
    let aquaint = "<DOC>\n<DOCNO> NYT1 </DOCNO>\n<DATE_TIME> 1998 </DATE_TIME>\n<HEADER>\nA1\n</HEADER>\n<BODY>\n<SLUG> BC </SLUG>\n<HEADLINE>\nHead\n</HEADLINE>\n\
                   <TEXT>\n<P>\nOne&blank;two &hyph; &eacute;&#233;&#xe9;\n</P>\n</TEXT>\n</BODY>\n<TRAILER>\nend\n</TRAILER>\n</DOC>\n";
    check(
        "d",
        aquaint.as_bytes(),
        &[("NYT1", "Head\nOne two   \u{e9}\u{e9}\u{e9}")],
    );
    let web = "<DOC>\n<DOCNO>WTX-1</DOCNO>\n<DOCHDR>\nhttp://x\nContent-type: text/html\n</DOCHDR>\n<html><TITLE>A &amp; B</TITLE>\n<body>hello<br>world</body></html>\n</DOC>";
    check("d", web.as_bytes(), &[("WTX-1", "A & B\nhello world")]);
    let folder = folder(&[("d", aquaint.as_bytes())]);
    let options = DocumentOptions {
        text: TextFields::All,
        ..DocumentOptions::default()
    };
    let (documents, _) = read(&folder.path().join("d"), options);
    assert!(documents[0].text().contains("1998") && documents[0].text().contains("end"));
}

#[test]
fn encodings() {
    let latin = b"<DOC><DOCNO>1</DOCNO><TEXT>caf\xe9 \x93q\x94</TEXT></DOC>\n<DOC><DOCNO>2</DOCNO><TEXT>caf\xc3\xa9</TEXT></DOC>";
    check(
        "d",
        latin,
        &[("1", "caf\u{e9} \u{201c}q\u{201d}"), ("2", "caf\u{e9}")],
    );
    let cyrillic =
        b"<?xml version='1.0' encoding='koi8-r'?><DOC><DOCNO>1</DOCNO><TEXT>\xc1\xc2</TEXT></DOC>";
    check("d", cyrillic, &[("1", "\u{430}\u{431}")]);
    let broken =
        b"<?xml version='1.0' encoding='utf-8'?><DOC><DOCNO>1</DOCNO><TEXT>a\xff\xfeb</TEXT></DOC>";
    let (_, report) = read_bytes("d", broken);
    assert_eq!(report.replaced.count, 2);
    // Web pages declare their own encodings, each its own.
    let pages = b"<DOC><DOCNO>1</DOCNO><html><meta charset='koi8-r'><p>\xc1</html></DOC>\n<DOC><DOCNO>2</DOCNO><html><p>caf\xe9</html></DOC>";
    check("d", pages, &[("1", "\u{430}"), ("2", "caf\u{e9}")]);
    let (_, report) = read_bytes(
        "d.tsv",
        "1\tcafÃ©\n2\tit\u{e2}\u{20ac}\u{2122}s\n3\tcaf\u{e9}\n".as_bytes(),
    );
    assert_eq!(report.mojibake.ids, ["1", "2"]);
}

#[test]
fn compressed_files_patterns_and_formats() {
    let jsonl = |id: &str| format!("{{\"_id\": \"{id}\", \"text\": \"x\"}}\n").into_bytes();
    let (a, b) = (gzip(&jsonl("a")), jsonl("b"));
    let folder = folder(&[
        ("docs-1.jsonl.gz", &a),
        ("docs-2.jsonl", &b),
        ("other.jsonl", &jsonl("c")),
    ]);
    let options = DocumentOptions {
        format: Some(DocumentFormat::Jsonl),
        ..DocumentOptions::default()
    };
    let (documents, report) = read(&folder.path().join("docs-*"), options);
    let ids: Vec<&str> = documents.iter().map(|one| one.id.as_str()).collect();
    assert_eq!((ids, report.files), (vec!["a", "b"], 2));
    for format in DocumentFormat::ALL {
        assert_eq!(format.name().parse(), Ok(*format));
    }
}

/// A document that never ends is an error, not a program that takes all memory.
#[test]
fn documents_have_a_maximum_size() {
    let mut bytes = b"<DOC><DOCNO>1</DOCNO><TEXT>".to_vec();
    bytes.resize(65 << 20, b'x');
    bytes.resize(140 << 20, b'y');
    let folder = folder(&[("d", &bytes)]);
    let documents =
        Documents::open(&[folder.path().join("d")], DocumentOptions::default()).unwrap();
    let error = documents.collect::<Result<Vec<_>, _>>().unwrap_err();
    assert_eq!(error.problems()[0].code.id(), "IR202");
}
