use proptest::prelude::*;

use super::{folder, read};
use crate::{Collection, Document, DocumentFormat, DocumentOptions, Documents, TextFields};

proptest! {
    #[test]
    fn no_bytes_make_a_reader_of_documents_panic(bytes in super::markup_bytes(), at in 0..DocumentFormat::ALL.len()) {
        let folder = folder(&[("f", &bytes)]);
        for format in [None, Some(DocumentFormat::ALL[at])] {
            for text in [TextFields::Usual, TextFields::All] {
                let options = DocumentOptions { format, text, ..DocumentOptions::default() };
                let documents = Documents::open(&[folder.path().join("f")], options).unwrap();
                let _ = documents.collect::<Vec<_>>();
            }
        }
    }

    #[test]
    fn no_bytes_make_collections_panic(bytes in super::markup_bytes()) {
        let folder = folder(&[("docs", &bytes), ("topics", &bytes), ("qrels", &bytes), ("collection.toml", &bytes)]);
        let _ = Collection::open(folder.path().join("collection.toml"));
        let parts = ["docs", "topics", "qrels"].map(|name| vec![folder.path().join(name)]);
        let [documents, topics, qrels] = parts;
        let collection = Collection::of_files("any", documents, topics, qrels);
        let _ = collection.topics();
        let _ = collection.qrels();
        let _ = collection.examine();
    }

    /// Every text between tags that has no mark-up of its own comes back.
    #[test]
    fn text_survives(texts in proptest::collection::vec("[a-z ]{1,40}[a-z]", 1..20)) {
        let document = |(at, text): (usize, &String)| format!("<DOC>\n<DOCNO>d{at}</DOCNO>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n");
        let file: String = texts.iter().enumerate().map(document).collect();
        let folder = folder(&[("f", file.as_bytes())]);
        let (documents, report) = read(&folder.path().join("f"), DocumentOptions::default());
        let found: Vec<String> = documents.iter().map(Document::text).collect();
        let expected: Vec<&str> = texts.iter().map(|text| text.trim()).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(report.documents, texts.len() as u64);
    }
}

/// Documents of many unclosed elements take time linear in their length.
#[test]
fn unclosed_elements_take_linear_time() {
    for start in ["<DOC><DOCNO>1</DOCNO>", "<DOC><DOCNO>1</DOCNO><html>"] {
        for piece in [
            "<script>", "<title>", "<dochdr>", "<dbs>", "<text>", "<p x=",
        ] {
            let bytes = (start.to_owned() + &piece.repeat(300_000)).into_bytes();
            let folder = folder(&[("d", &bytes)]);
            let (documents, _) = read(&folder.path().join("d"), DocumentOptions::default());
            assert_eq!(documents.len(), 1);
        }
    }
}

/// A reader may move to another thread.
#[test]
fn readers_are_send() {
    fn check<T: Send>() {}
    check::<Documents>();
}
