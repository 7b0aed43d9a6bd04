use cranfield_io::doctor::Report;

use super::folder;
use crate::Collection;

fn codes(report: &Report) -> Vec<&'static str> {
    report
        .findings
        .iter()
        .map(|finding| finding.code.id())
        .collect()
}

#[test]
fn a_collection_without_problems() {
    let folder = folder(&[
        ("d.jsonl", b"{\"_id\": \"d1\", \"text\": \"x\"}\n"),
        ("t.tsv", b"1\ta\n"),
        ("q", b"1 0 d1 1\n"),
        ("collection.toml", b"[documents]\nfiles = ['d.jsonl']\n[topics]\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q']\n"),
    ]);
    let report = Collection::open(folder.path()).unwrap().examine();
    assert_eq!(
        (codes(&report), report.topics, report.lines),
        (vec![], 1, 1)
    );
    let summary = cranfield_io::doctor::summary(&report);
    assert!(
        summary.starts_with("no problems in ")
            && summary.ends_with(": collection of 1 topic, 1 document"),
        "{summary}"
    );
}

#[test]
fn every_finding_with_its_count_and_place() {
    let docs = b"{\"_id\": \"d1\", \"text\": \"X\"}\n{\"_id\": \"d1\", \"text\": \"Y\"}\n{\"text\": \"Z\"}\nnot json\n{\"_id\": \"d2\"}\n{\"_id\": \"d3\"}\n";
    let toml = b"[documents]\nfiles = ['d.jsonl']\nexpect = 9\nempty = ['d3']\n[topics]\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q']\n";
    let folder = folder(&[
        ("d.jsonl", docs),
        ("t.tsv", b"001\tA\n002\tB\n003\tC\n"),
        ("q", b"1 0 d1 1\n2 0 d8 1\n2 0 d9 0\n7 0 d1 1\n"),
        ("collection.toml", toml),
    ]);
    let report = Collection::open(folder.path()).unwrap().examine();
    let found: Vec<(&str, u64, u64)> = report
        .findings
        .iter()
        .map(|one| (one.code.id(), one.count, one.places[0].line))
        .collect();
    let expected = [
        ("IR203", 1, 0),
        ("IR210", 1, 2),
        ("IR211", 1, 3),
        ("IR212", 1, 4),
        ("IR213", 2, 0),
        ("IR214", 1, 0),
        ("IR215", 1, 0),
        ("IR220", 1, 0),
        ("IR221", 1, 5),
        ("IR222", 1, 0),
        ("IR222", 1, 0),
    ];
    assert_eq!(found, expected);
    let absent = report
        .findings
        .iter()
        .find(|one| one.code.id() == "IR213")
        .unwrap()
        .message();
    assert_eq!(
        absent,
        "2 of 3 judged documents are not in the collection: `d8`, `d9`"
    );
}

#[test]
fn ids_that_no_run_can_name_are_found_when_documents_are_read() {
    let folder = folder(&[
        (
            "corpus.jsonl",
            b"{\"_id\": \"d1\", \"text\": \"x\"}\n{\"_id\": \"d 5\", \"text\": \"y\"}\n",
        ),
        ("queries.jsonl", b"{\"_id\": \"q1\", \"text\": \"x\"}\n"),
        ("qrels/test.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
        (
            "docs.trec",
            b"<DOC>\n<DOCNO> d 6 </DOCNO>\n<TEXT>z</TEXT>\n</DOC>\n",
        ),
    ]);
    let collection = Collection::open(folder.path()).unwrap();
    let report = collection.examine();
    assert_eq!(codes(&report), ["IR218", "IR225"]);
    let place = &report.findings[0].places[0];
    assert_eq!(place.line, 2);
    assert_eq!(
        place.message.to_string(),
        "document `d 5` has white space in its id"
    );
    // The document is kept, under its id.
    let ids = collection.documents().unwrap();
    let ids: Vec<String> = ids.map(|document| document.unwrap().id).collect();
    assert_eq!(ids, ["d1", "d 5"]);
    let (documents, report) = super::read(
        &folder.path().join("docs.trec"),
        crate::DocumentOptions::default(),
    );
    assert_eq!(documents[0].id, "d 6");
    assert_eq!(report.spaced_id.ids, ["d 6"]);
    assert!(
        report
            .to_string()
            .starts_with("1 documents; id with white space: 1 (`d 6` at "),
        "{report}"
    );
}

#[test]
fn errors_of_parts_are_findings() {
    let folder = folder(&[
        ("t.tsv", b"1\ta\n1\tb\n"),
        ("q", b"1 0 d1 x\n"),
        (
            "collection.toml",
            b"[documents]\nfiles = ['none']\n[topics]\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q']\n",
        ),
    ]);
    let report = Collection::open(folder.path()).unwrap().examine();
    assert_eq!(codes(&report), ["IR001", "IR013", "IR201"]);
}

#[test]
fn the_rule_for_ids_is_written_below_its_heading() {
    let toml = "# mine\n[documents]\nfiles = ['d']\n[topics] # here\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q']\n";
    let folder = folder(&[
        ("d", b".I d1\n.W\nx\n"),
        ("t.tsv", b"001\ta\n004\tb\n"),
        ("q", b"1 0 d1 1\n2 0 d1 1\n"),
        ("collection.toml", toml.as_bytes()),
    ]);
    let collection = Collection::open(folder.path()).unwrap();
    let report = collection.examine();
    assert_eq!(codes(&report), ["IR220"]);
    let (text, outcome) = collection.fix(&report, folder.path()).unwrap();
    let text = text.unwrap();
    assert_eq!(
        text,
        toml.replace("[topics] # here\n", "[topics] # here\nids = \"ordinal\"\n")
    );
    assert_eq!(outcome.changes.len(), 1);
    std::fs::write(folder.path().join("collection.toml"), text).unwrap();
    let fixed = Collection::open(folder.path()).unwrap();
    let report = fixed.examine();
    assert_eq!(
        (codes(&report), fixed.fix(&report, folder.path()).unwrap().0),
        (vec![], None)
    );
}

#[test]
fn topics_that_are_documents_are_found() {
    let documents = b"{\"_id\": \"a1\", \"text\": \"tax the rich\"}\n{\"_id\": \"a2\", \"text\": \"no tax, for all\"}\n{\"_id\": \"a3\", \"text\": \"taxes\"}\n";
    let read = |qrels: &[u8]| {
        let folder = folder(&[
            ("d.jsonl", documents),
            ("t.tsv", b"a1\tTax the rich!\na2\tno tax for all\n"),
            ("q", qrels),
            ("collection.toml", b"[documents]\nfiles = ['d.jsonl']\n[topics]\nfiles = ['t.tsv']\n[qrels]\nfiles = ['q']\n"),
        ]);
        Collection::open(folder.path()).unwrap().examine()
    };
    let report = read(b"a1 0 a2 1\na2 0 a1 1\n");
    assert_eq!(codes(&report), ["IR227"]);
    assert_eq!(
        report.findings[0].message(),
        "2 of 2 topics are documents of the collection, with the same id"
    );
    // Documents that are judged relevant to the topic with their id have it by chance.
    assert_eq!(codes(&read(b"a1 0 a1 1\na2 0 a2 1\n")), [""; 0]);
}

#[test]
fn missing_parts_are_found() {
    let documents = b"{\"_id\": \"d1\", \"text\": \"x\"}\n";
    let folder = folder(&[
        ("d.jsonl", documents),
        ("t.tsv", b"1\ta\n"),
        ("collection.toml", b"[documents]\nfiles = ['d.jsonl']\n"),
        (
            "topics.toml",
            b"[documents]\nfiles = ['d.jsonl']\n[topics]\nfiles = ['t.tsv']\n",
        ),
    ]);
    for (file, expected) in [
        (
            "collection.toml",
            "the collection has no topics and no judgements",
        ),
        ("topics.toml", "the collection has no judgements"),
    ] {
        let report = Collection::open(folder.path().join(file))
            .unwrap()
            .examine();
        assert_eq!(codes(&report), ["IR228"]);
        assert_eq!(report.findings[0].message(), expected);
    }
}
