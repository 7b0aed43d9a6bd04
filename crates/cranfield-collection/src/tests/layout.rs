use super::folder;
use crate::{Collection, IdRule, QrelsColumn, QrelsLayout};

const DOCS: &[u8] =
    b"{\"_id\": \"d1\", \"title\": \"T\", \"text\": \"x\"}\n{\"_id\": \"d2\", \"text\": \"y\"}\n";

#[test]
fn beir() {
    let folder = folder(&[
        ("beir/fiqa/corpus.jsonl", DOCS),
        (
            "beir/fiqa/queries.jsonl",
            b"{\"_id\": \"q1\", \"text\": \"a\"}\n{\"_id\": \"q2\", \"text\": \"b\"}\n",
        ),
        (
            "beir/fiqa/qrels/test.tsv",
            b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
        ),
        (
            "beir/fiqa/qrels/train.tsv",
            b"query-id\tcorpus-id\tscore\nq2\td2\t2\n",
        ),
    ]);
    let test = Collection::open(folder.path().join("beir/fiqa")).unwrap();
    assert_eq!((test.name.as_str(), test.notes.len()), ("fiqa", 1));
    assert_eq!(test.documents().unwrap().count(), 2);
    let ids = |collection: &Collection| {
        collection
            .topics()
            .unwrap()
            .into_iter()
            .map(|topic| topic.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&test), ["q1"]);
    let train = Collection::open_in("beir/fiqa/train", folder.path()).unwrap();
    assert_eq!(train.ir_datasets.as_deref(), Some("beir/fiqa/train"));
    assert_eq!(ids(&train), ["q2"]);
    assert_eq!(
        train.qrels().unwrap().get(b"q2").unwrap().grade(b"d2"),
        Some(2.0)
    );
    let error = Collection::open_in("beir/fiqa/dev", folder.path())
        .unwrap_err()
        .to_string();
    assert_eq!(error, "beir/fiqa/dev: no such collection [IR001]");
}

#[test]
fn folders_by_names_of_files() {
    let folder = folder(&[
        ("cran.all.1400", b".I 1\n.W\nx\n"),
        ("cran.qry", b".I 001\n.W\nq\n"),
        ("cranqrel", b"1 1 3\n"),
        ("cranqrel.readme", b"x"),
    ]);
    let collection = Collection::open(folder.path()).unwrap();
    assert_eq!(collection.documents().unwrap().count(), 1);
    assert_eq!(collection.topics().unwrap()[0].id, "1");
    assert_eq!(
        collection.qrels().unwrap().get(b"1").unwrap().grade(b"1"),
        Some(3.0)
    );
    let texts = super::folder(&[("a.txt", b"x"), ("sub/b.txt", b"y")]);
    assert_eq!(
        Collection::open(texts.path())
            .unwrap()
            .documents()
            .unwrap()
            .count(),
        2
    );
}

#[test]
fn layouts_of_judgements() {
    let grade = |text: &[u8], format: Option<&str>| {
        let folder = folder(&[("qrels", text)]);
        let mut collection = Collection::of_files(
            "c",
            Vec::new(),
            Vec::new(),
            vec![folder.path().join("qrels")],
        );
        collection.qrels_files.layout = format
            .map(|format| format.parse().unwrap())
            .unwrap_or_default();
        collection
            .qrels()
            .map(|qrels| qrels.get(b"1").and_then(|topic| topic.grade(b"d7")))
            .map_err(|error| error.to_string())
    };
    assert_eq!(grade(b"1 0 d7 2\n", None), Ok(Some(2.0)));
    assert_eq!(grade(b"1 d7 2\n1 d8 -1\n", None), Ok(Some(2.0)));
    assert_eq!(
        grade(b"1 d7 0 0.000000\n1 d8 0 0.000000\n", None),
        Ok(Some(1.0))
    );
    assert_eq!(grade(b"1 d7 L2\n1 d8 L0\n", None), Ok(Some(2.0)));
    assert_eq!(grade(b"1 d7\n2 d8\n", None), Ok(Some(1.0)));
    assert_eq!(
        grade(b"d7 3 1\n", Some("columns: document grade topic")),
        Ok(Some(3.0))
    );
    let conflict = grade(b"1 d7 1\n1 d7 1\n1 d7 2\n", None).unwrap_err();
    assert!(
        conflict.contains("qrels:3:1: document `d7` of topic `1` has two grades"),
        "{conflict}"
    );
    assert!(
        grade(b"1 d7 x\n", None)
            .unwrap_err()
            .contains("grade is `x`")
    );
    assert!("columns: topic".parse::<QrelsLayout>().is_err());
    let columns = QrelsLayout::Columns(vec![
        QrelsColumn::Topic,
        QrelsColumn::Other,
        QrelsColumn::Document,
    ]);
    assert_eq!("columns: topic _ doc".parse(), Ok(columns));
}

/// The collection with these ids of topics and judged topics.
fn ids<I: std::fmt::Display>(topics: &[I], judged: &[I]) -> (tempfile::TempDir, Collection) {
    let topics: String = topics.iter().map(|id| format!("{id}\tx\n")).collect();
    let qrels: String = judged.iter().map(|id| format!("{id} 0 d1 1\n")).collect();
    let folder = folder(&[
        ("topics.tsv", topics.as_bytes()),
        ("qrels", qrels.as_bytes()),
    ]);
    let file = |name: &str| vec![folder.path().join(name)];
    let collection = Collection::of_files("c", Vec::new(), file("topics.tsv"), file("qrels"));
    (folder, collection)
}

#[test]
fn ids_of_topics_are_matched_by_a_rule() {
    let check = |topics: &[&str], judged: &[&str], expected: &[&str], note: Option<&str>| {
        let (_folder, collection) = ids(topics, judged);
        let found = collection.topics().unwrap();
        let names: Vec<&str> = found.iter().map(|topic| topic.id.as_str()).collect();
        assert_eq!(names, expected);
        let message = found
            .notes
            .first()
            .map(|note| note.message.to_string())
            .unwrap_or_default();
        assert!(
            message.contains(note.unwrap_or_default()) && note.is_none() == message.is_empty(),
            "{message}"
        );
    };
    check(&["1", "2", "3"], &["1", "2"], &["1", "2", "3"], None);
    check(
        &["051", "052", "100"],
        &["51", "52", "100"],
        &["51", "52", "100"],
        Some("without leading zeros"),
    );
    check(
        &["MB001", "MB110"],
        &["1", "110"],
        &["1", "110"],
        Some("without their prefix"),
    );
    check(
        &["WT04-1", "WT04-22"],
        &["1", "22"],
        &["1", "22"],
        Some("without their prefix"),
    );
    check(
        &["1", "2"],
        &["MB001", "MB002"],
        &["MB001", "MB002"],
        Some("without their prefix"),
    );
    check(
        &["001", "004", "012"],
        &["1", "2", "3"],
        &["1", "2", "3"],
        Some("by their order"),
    );
    // Topics with other prefixes are other topics.
    let names = ["NP1", "NP2", "NP3"];
    check(&names, &["TD1", "TD2", "TD7"], &names, None);
    check(
        &["MB001", "MB002"],
        &["MB1", "MB2"],
        &["MB1", "MB2"],
        Some("without their prefix"),
    );
    // Nothing matches: the ids stay as they are.
    check(&["a", "b"], &["x", "y"], &["a", "b"], None);
    // A rule that is given is applied without a note.
    let (_folder, mut collection) = ids(&["001", "004"], &["1", "4"]);
    collection.topic_files.ids = Some(IdRule::Ordinal);
    let topics = collection.topics().unwrap();
    assert_eq!((topics[1].id.as_str(), topics.notes.len()), ("2", 0));
}

#[test]
fn order_wins_over_ids_only_if_it_explains_everything() {
    let rule = |topics: &[u32], judged: &[u32]| {
        let (_folder, collection) = ids(topics, judged);
        let found = collection.topics().unwrap();
        found.notes.first().map(|note| note.message.to_string())
    };
    let without = |range: std::ops::RangeInclusive<u32>, left_out: u32| -> Vec<u32> {
        range.filter(|id| *id != left_out).collect()
    };
    let by_order = |note: Option<String>| note.is_some_and(|note| note.contains("by their order"));
    // As in Cranfield: the ids have gaps, and many are the number of another topic.
    let gaps: Vec<u32> = (1..=30).map(|at| at + at / 2).collect();
    let numbers: Vec<u32> = (1..=30).collect();
    assert!(by_order(rule(&gaps, &numbers)));
    // Topics 51 to 100, of which one has no judgements, next to judgements of other topics.
    let half: Vec<u32> = (51..=100).collect();
    assert_eq!(rule(&half, &without(1..=100, 80)), None);
    // One topic is missing, and one is new.
    assert_eq!(rule(&without(1..=51, 20), &without(1..=50, 0)), None);
    // The first topic is missing.
    assert_eq!(rule(&without(2..=50, 0), &without(1..=50, 0)), None);
    // No id matches: the order is the only rule that does, unless it leaves judgements without a topic.
    assert!(by_order(rule(&half, &without(1..=50, 7))));
    assert_eq!(rule(&half, &[1, 2, 51 + 50]), None);
}

#[test]
fn mistakes_in_a_collection_file_have_their_line() {
    let error = |text: &str| {
        let folder = folder(&[("collection.toml", text.as_bytes())]);
        let error = Collection::open(folder.path()).unwrap_err().to_string();
        error
            .rsplit_once("collection.toml")
            .map(|(_, rest)| rest.to_owned())
            .unwrap_or(error)
    };
    let cases = [
        ("name = \n", ":1:8: "),
        ("[documents]\nfile = []\n", ":2:1: unknown field `file`"),
        (
            "[documents]\nformat = 'smrt'\n",
            ":2:10: unknown format of documents `smrt`; expected one of trec, smart",
        ),
        (
            "[documents]\ntext = 3\n",
            ":2:8: expected \"all\" or a list of fields",
        ),
        (
            "[documents]\nencoding = 'latin-99'\n",
            ":2:12: unknown encoding `latin-99`",
        ),
        (
            "[topics]\nids = 'ordinals'\n",
            ":2:7: unknown rule for ids `ordinals`; expected one of exact",
        ),
        ("[topics]\nexpect = -1\n", ":2:10: "),
        (
            "[qrels]\ngrades = { '1' = 'x' }\n",
            ":2:18: grade `1` must be a finite number",
        ),
        (
            "[qrels]\nformat = 'columns: topic'\n",
            ":2:10: expected columns such as",
        ),
    ];
    for (text, expected) in cases {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}

#[test]
fn splits_counts_and_texts() {
    let toml = b"[documents]\nfiles = ['docs.jsonl']\nexpect = 3\n[topics]\nfiles = ['topics.tsv']\nexpect = 2\n[splits]\ntest = 'test.txt'\n";
    let folder = folder(&[
        ("docs.jsonl", DOCS),
        ("topics.tsv", b"1\ta\n2\tb\n"),
        ("test.txt", b"2\n"),
        ("collection.toml", toml),
    ]);
    let mut collection = Collection::open(folder.path()).unwrap();
    assert_eq!(collection.split("test").unwrap(), ["2"]);
    assert!(
        collection
            .split("dev")
            .unwrap_err()
            .to_string()
            .contains("no split `dev`; known: test")
    );
    collection.split = Some("test".into());
    assert_eq!(collection.topics().unwrap()[0].id, "2");
    let last = collection
        .documents()
        .unwrap()
        .last()
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(
        last.ends_with("expected 3 documents, found 2 [IR203]"),
        "{last}"
    );
    let file = collection.topic_files.files[0].clone();
    collection.topic_files.files.push(file);
    assert!(
        collection
            .topics()
            .unwrap_err()
            .to_string()
            .contains("topic `1` is in two files")
    );
    collection.topic_files.files.pop();
    collection.topic_files.expect = Some(3);
    assert!(
        collection
            .topics()
            .unwrap_err()
            .to_string()
            .contains("expected 3 topics, found 2")
    );
    assert!(
        collection
            .qrels()
            .unwrap_err()
            .to_string()
            .contains("the collection has no judgements")
    );
    collection.document_files.expect = None;
    let texts = collection.texts(["d2", "d1", "absent"]).unwrap();
    assert_eq!(texts.keys().collect::<Vec<_>>(), ["d1", "d2"]);
    assert_eq!(
        (texts["d1"].title.as_deref(), texts["d1"].text.as_str()),
        (Some("T"), "T\nx")
    );
}
