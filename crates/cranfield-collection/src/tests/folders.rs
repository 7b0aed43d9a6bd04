//! Folders as collections are distributed, with texts of our own.

use std::path::Path;

use super::folder;
use crate::Collection;

/// Document ids, topics with their text, and judgements of a folder.
type Parts = (
    Vec<String>,
    Vec<(String, String)>,
    Vec<(String, String, f64)>,
);

fn parts(path: &Path) -> Parts {
    let collection = Collection::open(path).unwrap();
    let documents = collection.documents().unwrap();
    let topics = collection.topics().unwrap().into_iter();
    let qrels = collection.qrels().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut judgements = Vec::new();
    for topic in qrels.topics() {
        let id = text(topic.id());
        judgements.extend(
            topic
                .judgements()
                .map(|(doc, grade)| (id.clone(), text(doc), grade)),
        );
    }
    (
        documents.map(|document| document.unwrap().id).collect(),
        topics
            .map(|topic| (topic.id.clone(), topic.title().to_owned()))
            .collect(),
        judgements,
    )
}

fn judged(topic: &str, doc: &str, grade: f64) -> (String, String, f64) {
    (topic.into(), doc.into(), grade)
}

fn asked(id: &str, query: &str) -> (String, String) {
    (id.into(), query.into())
}

#[test]
fn cacm() {
    let folder = folder(&[
        (
            "cacm.all",
            b".I 1\n.T\nSorting on tape\n.X\n1\t5\t1\n.I 46\n.T\nHashing\n.W\nBuckets\n",
        ),
        (
            "query.text",
            b".I 1\n.W\n sorting of records\n.N\n 1. A reader\n.I 2\n.W\nbuckets\n",
        ),
        ("qrels.text", b"01 0001  0 0\n02 0046  0 0\n"),
        ("cite.info", b"1 4 2\n1 5 1\n"),
        ("common_words", b"a\nabout\n"),
        ("README", b"A small sample.\n"),
    ]);
    let (documents, topics, qrels) = parts(folder.path());
    assert_eq!(documents, ["1", "46"]);
    assert_eq!(topics.len(), 2);
    assert_eq!(
        (topics[0].0.as_str(), topics[0].1.trim()),
        ("1", "sorting of records")
    );
    assert_eq!(qrels, [judged("1", "1", 1.0), judged("2", "46", 1.0)]);
    let unused = Collection::open(folder.path()).unwrap().unused.len();
    assert_eq!(unused, 3);
}

#[test]
fn cisi_and_med() {
    let documents = b".I 1\r\n.T\r\nShelves\r\n.W\r\nOn order\r\n.I 2\r\n.W\r\nOn loans\r\n";
    let topics = b".I 1\n.W\norder of shelves\n.I 2\n.T\nLoans\n.W\nbetween libraries\n";
    let cisi = folder(&[
        ("CISI.ALL", documents),
        ("CISI.QRY", topics),
        (
            "CISI.REL",
            b"     1      1\t0\t0.000000\n     2      2\t0\t0.000000\n",
        ),
        ("CISI.BLN", b"#q1= #and (order, shelves);\n"),
    ]);
    let expected = [judged("1", "1", 1.0), judged("2", "2", 1.0)];
    let (ids, topics_read, qrels) = parts(cisi.path());
    assert_eq!(ids, ["1", "2"]);
    assert_eq!(topics_read[1], asked("2", "Loans between libraries"));
    assert_eq!(qrels, expected);
    for rel in ["1 0 1 1\n2 0 2 1\n", "1  1 0 1\n2  2 0 1\n"] {
        let med = folder(&[
            ("MED.ALL", documents),
            ("MED.QRY", topics),
            ("MED.REL", rel.as_bytes()),
            ("MED.REL.OLD", b"1 9 0 0.000000\n"),
        ]);
        assert_eq!(parts(med.path()).2, expected, "{rel}");
    }
}

#[test]
fn disks_of_trec() {
    let news = b"<DOC>\n<DOCNO> LA-1 </DOCNO>\n<HEADLINE>\n<P>\nCaf\xe9s\n</P>\n</HEADLINE>\n<TEXT>\nAT&amp;T\n</TEXT>\n</DOC>\n";
    let topics = b"<top>\n\n<num> Number: 301 \n<title> Street Caf\xe9s\n\n<desc> Description: \nWhere?\n\n</top>\n";
    let folder = folder(&[
        ("latimes/la010189", news),
        (
            "ft/ft911/ft911_1",
            b"<DOC>\n<DOCNO>FT-1</DOCNO>\n<TEXT>\nTariffs\n</TEXT>\n</DOC>\n",
        ),
        ("ft/readmeft", b"The <DOC> elements\n"),
        ("cr/hfiles/cr93", b"<DOC>\n<DOCNO>CR-1</DOCNO>\n</DOC>\n"),
        ("topics.301-350", topics),
        ("qrels.trec7.txt", b"301 0 FT-1 0\r\n301 0 LA-1 1\r\n"),
    ]);
    let (documents, topics, qrels) = parts(folder.path());
    assert_eq!(documents, ["FT-1", "LA-1"]);
    assert_eq!(topics, [asked("301", "Street Caf\u{e9}s")]);
    assert_eq!(
        qrels,
        [judged("301", "FT-1", 0.0), judged("301", "LA-1", 1.0)]
    );
    let notes = Collection::open(folder.path()).unwrap().notes;
    let note = notes[0].to_string();
    assert!(
        note.contains("documents: ft, latimes; topics: topics.301-350"),
        "{note}"
    );
    assert!(note.contains("not used: cr, ft/readmeft"), "{note}");
}

#[test]
fn utf16_with_line_ends_of_windows() {
    let encode = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16();
        [0xff, 0xfe]
            .into_iter()
            .chain(units.flat_map(u16::to_le_bytes))
            .collect()
    };
    let documents =
        encode("<DOC>\r\n<DOCNO>u1</DOCNO>\r\n<TEXT>\r\n\u{e9}t\u{e9}\r\n</TEXT>\r\n</DOC>\r\n");
    let topics = encode("<top>\r\n<num>1</num>\r\n<title>\u{e9}t\u{e9}</title>\r\n</top>\r\n");
    let folder = folder(&[
        ("docs.xml", &documents),
        ("topics.xml", &topics),
        ("qrels.txt", b"\xef\xbb\xbf1 0 u1 1\r\n"),
    ]);
    let (documents, topics, qrels) = parts(folder.path());
    assert_eq!(documents, ["u1"]);
    assert_eq!(topics, [asked("1", "\u{e9}t\u{e9}")]);
    assert_eq!(qrels, [judged("1", "u1", 1.0)]);
}

#[test]
fn exports_with_other_names_of_keys() {
    let folder = folder(&[
        (
            "docs.jsonl",
            b"{\"doc_id\": \"d1\", \"title\": \"\", \"text\": \"x\"}\n",
        ),
        (
            "queries.jsonl",
            b"{\"query_id\": \"q1\", \"text\": \"x\"}\n",
        ),
        (
            "qrels.jsonl",
            b"{\"query_id\": \"q1\", \"doc_id\": \"d1\", \"relevance\": 2, \"iteration\": \"0\"}\n",
        ),
    ]);
    let (documents, topics, qrels) = parts(folder.path());
    assert_eq!(documents, ["d1"]);
    assert_eq!(topics, [asked("q1", "x")]);
    assert_eq!(qrels, [judged("q1", "d1", 2.0)]);
}

#[test]
fn damaged_files_are_errors() {
    // The beginning of a gzip stream, and one that ends too early.
    let folder = folder(&[
        (
            "docs/d1",
            b"<DOC>\n<DOCNO>d1</DOCNO>\n<TEXT>x</TEXT>\n</DOC>\n",
        ),
        (
            "docs/d2.gz",
            b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x4c",
        ),
        ("docs/d3.bz2", b"BZh91AY&SY\x00\x01"),
        ("topics.tsv", b"1\tx\n"),
        ("qrels.txt", b"1 0 d1 1\n"),
    ]);
    let error = Collection::open(folder.path()).unwrap_err();
    let found = error.problems().iter();
    let found: Vec<(&str, &str)> = found
        .map(|problem| {
            let name = problem.path.rsplit('/').next().unwrap_or_default();
            (problem.code.id(), name)
        })
        .collect();
    assert_eq!(found, [("IR004", "d2.gz"), ("IR004", "d3.bz2")]);
    assert!(Collection::is_at(folder.path()));
}

/// A tar archive of these files.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend(header);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

#[test]
fn archives_that_begin_with_notes() {
    let news = tar(&[
        ("disk4/ft/readfrcg", b"Changes\n"),
        ("disk4/ft/LICENSE", b"Terms\n"),
        ("disk4/ft/empty", b""),
        ("disk4/ft/words", b"words without a tag\n"),
        (
            "disk4/ft/ft911_1",
            b"<DOC>\n<DOCNO>FT-1</DOCNO>\n<TEXT>x</TEXT>\n</DOC>\n",
        ),
    ]);
    let folder = folder(&[
        ("ft.tar", &news),
        ("topics.tsv", b"1\tx\n"),
        ("qrels.txt", b"1 0 FT-1 1\n"),
    ]);
    assert_eq!(parts(folder.path()).0, ["FT-1"]);
}

#[test]
fn a_collection_in_an_archive_has_to_be_unpacked() {
    let archive = tar(&[
        ("cisi/CISI.ALL", b".I 1\n.W\nx\n"),
        ("cisi/CISI.QRY", b".I 1\n.W\nx\n"),
        ("cisi/CISI.REL", b"1 1 0 0.000000\n"),
    ]);
    let folder = folder(&[("cisi.tar", &archive), ("README", b"notes\n")]);
    assert!(Collection::is_at(folder.path()));
    let error = Collection::open(folder.path()).unwrap_err();
    let problem = &error.problems()[0];
    assert!(problem.path.ends_with("cisi.tar"), "{problem:?}");
    assert!(problem.message.to_string().contains("expected a folder"));
    let help = problem.help.as_ref().unwrap().to_string();
    assert!(help.starts_with("unpack it"), "{help}");
}

/// What an index and an experiment leave in a folder.
const OUTPUTS: [(&str, &[u8]); 10] = [
    ("index/index.toml", b"version = 1\n"),
    ("index/lengths", b"\x01\x00\x02\x00"),
    ("index/segments/meta.json", b"{\"segments\": []}\n"),
    ("new.building/ids", b"d1\td2\n"),
    ("bm25.run", b"1 Q0 d1 1 2.5 bm25\n"),
    ("bm25.run.yaml", b"tag: bm25\n"),
    ("other.txt", b"1 Q0 d1 1 2.5 bm25\n2 Q0 d1 1 1.5 bm25\n"),
    ("results.json", b"{\n  \"runs\": [\"bm25\"]\n}\n"),
    ("c-experiment/experiment.toml", b"collection = '..'\n"),
    ("c-experiment/out/qrels.txt", b"1 0 d1 1\n"),
];

#[test]
fn outputs_are_not_part_of_the_collection() {
    let mut files = vec![
        ("CISI.ALL", &b".I d1\n.W\nx\n"[..]),
        ("CISI.QRY", b".I 1\n.W\nx\n"),
        ("CISI.REL", b"1 d1 0 0.000000\n"),
        ("vectors/documents.ids", b"d1\n"),
        ("vectors/topics.ids", b"1\n"),
        ("image", b"P6\t\x00\x00\n\t"),
    ];
    files.extend(OUTPUTS);
    let folder = folder(&files);
    let (documents, topics, qrels) = parts(folder.path());
    assert_eq!(documents, ["d1"]);
    assert_eq!(topics, [asked("1", "x")]);
    assert_eq!(qrels, [judged("1", "d1", 1.0)]);
    let collection = Collection::open(folder.path()).unwrap();
    let unused = collection.unused.iter();
    let unused: Vec<String> = unused
        .map(|path| {
            path.strip_prefix(folder.path())
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    assert_eq!(
        unused,
        [
            "image",
            "other.txt",
            "results.json",
            "bm25.run",
            "bm25.run.yaml",
            "c-experiment/experiment.toml",
            "c-experiment/out",
            "index",
            "new.building",
            "vectors"
        ]
    );
}

#[test]
fn outputs_in_a_folder_of_texts_are_not_documents() {
    let mut files = vec![
        ("a.txt", &b"first"[..]),
        ("b/c.md", b"second"),
        ("b/photo", b"\xff\xd8\x00"),
    ];
    files.extend(
        OUTPUTS
            .into_iter()
            .filter(|(name, _)| !name.contains("qrels")),
    );
    let folder = folder(&files);
    let collection = Collection::open(folder.path()).unwrap();
    let ids = |collection: &Collection| -> Vec<String> {
        let documents = collection.documents().unwrap();
        documents.map(|document| document.unwrap().id).collect()
    };
    assert_eq!(ids(&collection), ["a", "c"]);
    // With the folder as a whole, too.
    let text = super::folder(&[("a.txt", b"first"), ("b/c.md", b"second"), ("README", b"x")]);
    let collection = Collection::open(text.path()).unwrap();
    assert_eq!(collection.document_files.files, [text.path()]);
    std::fs::write(
        text.path().join("collection.toml"),
        "[documents]\nfiles = ['.']\n",
    )
    .unwrap();
    std::fs::write(text.path().join("photo"), b"\xff\xd8\x00").unwrap();
    let described = Collection::open(text.path()).unwrap();
    assert_eq!(ids(&described), ["a", "c"]);
}

#[test]
fn empty_topics_and_judgements_are_errors_that_name_the_file() {
    let check = |topics: &[u8], qrels: &[u8], expected: &str| {
        let folder = folder(&[
            ("docs.tsv", b"d1\twing\nd2\theat\n"),
            ("topics.tsv", topics),
            ("qrels.txt", qrels),
        ]);
        let collection = Collection::open(folder.path()).unwrap();
        let error = collection.topics().unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
        let report = collection.examine();
        assert!(report.finding(cranfield_io::Code::EmptyFile).is_some());
    };
    check(b"", b"1 0 d1 1\n", "topics.tsv: is empty [IR002]");
    check(b" \n", b"1 0 d1 1\n", "topics.tsv: is empty [IR002]");
    check(b"1\twing\n", b"", "qrels.txt: is empty [IR002]");
    let folder = super::folder(&[("docs.tsv", b""), ("topics.tsv", b"1\twing\n")]);
    let collection = Collection::open(folder.path()).unwrap();
    let error = collection.documents().map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("the collection has no documents; `"),
        "{error}"
    );
    assert!(error.ends_with("docs.tsv` is empty [IR200]"), "{error}");
    let help = collection.documents().map(|_| ()).unwrap_err();
    let help = help.problems()[0].help.as_ref().unwrap().to_string();
    assert!(
        help.contains("collection.toml`, with format = \"files\""),
        "{help}"
    );
    // Other files with topics are used.
    let folder = super::folder(&[
        ("docs.tsv", b"d1\twing\nd2\theat\n"),
        ("queries.tsv", b"1\twing\n"),
        ("topics.new.tsv", b""),
        ("qrels.txt", b"1 0 d1 1\n"),
    ]);
    assert_eq!(parts(folder.path()).1, [asked("1", "wing")]);
}

#[test]
fn texts_next_to_topics_and_judgements() {
    let topics = ("topics.tsv", &b"1\tlift of wings\n"[..]);
    let qrels = ("qrels.txt", &b"1 0 doc1 1\n"[..]);
    let nested = folder(&[
        ("docs/doc1.txt", b"Lift of thin wings\n"),
        ("docs/old/doc2.html", b"<html><p>Heat</html>"),
        ("docs/README", b"Two documents\n"),
        ("notes.txt", b"About the collection\n"),
        topics,
        qrels,
    ]);
    let (documents, topics_read, judgements) = parts(nested.path());
    assert_eq!(documents, ["doc1", "doc2"]);
    assert_eq!(topics_read, [asked("1", "lift of wings")]);
    assert_eq!(judgements, [judged("1", "doc1", 1.0)]);
    let note = Collection::open(nested.path()).unwrap().notes[0].to_string();
    assert!(
        note.contains("documents: docs; topics: topics.tsv; judgements: qrels.txt; not used: notes.txt, docs/README"),
        "{note}"
    );
    let flat = folder(&[
        ("doc1.txt", b"Lift of thin wings\n"),
        // Not judgements, although there are three columns with a number.
        ("doc2.txt", b"wing flow 2\n"),
        topics,
        qrels,
    ]);
    assert_eq!(parts(flat.path()).0, ["doc1", "doc2"]);
    // As a collection file, too.
    let collection = Collection::open(nested.path()).unwrap();
    let report = collection.examine();
    let (text, _) = collection.fix(&report, nested.path()).unwrap();
    let text = text.unwrap();
    assert!(
        text.contains("files = [\"docs\"]\nformat = \"files\"\nexpect = 2\n"),
        "{text}"
    );
    std::fs::write(nested.path().join("collection.toml"), text).unwrap();
    assert_eq!(parts(nested.path()).0, ["doc1", "doc2"]);
}
