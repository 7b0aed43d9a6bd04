//! Names of columns, integer ids, ranks instead of scores, and types of Parquet columns.

use std::sync::Arc;

use cranfield_core::setting::SettingStyle;
use cranfield_io::{Code, Limits, RunFormat, Source, read_run};
use insta::assert_snapshot;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, FloatType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::{judgements, qrels_of, rows, run_of};

/// Creates a Parquet file with one row group.
fn table(schema: &str, write: impl Fn(&mut SerializedRowGroupWriter<'_, Vec<u8>>)) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).expect("a valid schema"));
    let mut file =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(WriterProperties::default()))
            .expect("writing to memory");
    let mut group = file.next_row_group().expect("writing to memory");
    write(&mut group);
    group.close().expect("writing to memory");
    file.into_inner().expect("writing to memory")
}

fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    cells: &[T::T],
    levels: Option<&[i16]>,
) {
    let mut column = group
        .next_column()
        .expect("writing to memory")
        .expect("the schema has the column");
    column
        .typed::<T>()
        .write_batch(cells, levels, None)
        .expect("writing to memory");
    column.close().expect("writing to memory");
}

fn strings(strings: &[&str]) -> Vec<ByteArray> {
    strings.iter().map(|text| ByteArray::from(*text)).collect()
}

#[test]
fn synonyms_and_integer_ids() {
    let csv = b"query,qid,docid,docno,Score,rank,name\nwhat is x,7,99,d1,2.5,1,bm25\n";
    let run = run_of("f", csv).expect("a valid run");
    assert_eq!(
        rows(&run),
        [(b"7".to_vec(), b"d1".to_vec(), 2.5, Some(1.0))]
    );
    assert_eq!(run.tag(), "bm25");
    let jsonl = b"{\"query_id\": 7, \"doc_id\": -3, \"relevance\": 1}\n\n{\"qid\": \"8\", \"document\": \"x\", \"grade\": 0.5}\n";
    let qrels = qrels_of("f", jsonl).expect("valid qrels");
    assert_eq!(
        judgements(&qrels),
        [
            (b"7".to_vec(), b"-3".to_vec(), 1.0),
            (b"8".to_vec(), b"x".to_vec(), 0.5)
        ]
    );
    let list =
        b"[{\"qid\": \"q\\u00e9\", \"docno\": \"d\", \"score\": 1e2, \"extra\": {\"a\": [1]}}]";
    let run = run_of("f", list).expect("a valid run");
    assert_eq!(
        rows(&run),
        [("qé".as_bytes().to_vec(), b"d".to_vec(), 100.0, None)]
    );
}

#[test]
fn ranks_replace_missing_scores() {
    for text in [
        "qid,docno,rank\n1,a,1\n1,b,2\n",
        "1\ta\t1\n1\tb\t2\n",
        "{\"qid\":1,\"docno\":\"a\",\"rank\":1}\n{\"qid\":1,\"docno\":\"b\",\"rank\":2}\n",
    ] {
        let run = run_of("f", text.as_bytes()).expect("a valid run");
        let scores: Vec<_> = rows(&run).into_iter().map(|row| (row.2, row.3)).collect();
        assert_eq!(scores, [(-1.0, Some(1.0)), (-2.0, Some(2.0))], "{text}");
    }
}

#[test]
fn repeated_judgements_are_listed() {
    let qrels = qrels_of("f", b"1 0 a 1\n1 0 a 1\n").expect("valid qrels");
    let repeated: Vec<_> = qrels.duplicates().collect();
    assert!(repeated.len() == 1 && !repeated[0].is_conflict());
}

#[test]
fn columns_of_a_table_may_be_integers_and_floats() {
    let bytes = table(
        "message m { REQUIRED INT64 qid (INTEGER(64,false)); REQUIRED INT32 pid; OPTIONAL FLOAT score; }",
        |group| {
            column::<Int64Type>(group, &[-1, 7], None);
            column::<Int32Type>(group, &[-5, 6], None);
            column::<FloatType>(group, &[0.5, 0.25], Some(&[1, 1]));
        },
    );
    let run = run_of("f", &bytes).expect("a valid table");
    let expected = [
        (b"18446744073709551615".to_vec(), b"-5".to_vec(), 0.5, None),
        (b"7".to_vec(), b"6".to_vec(), 0.25, None),
    ];
    assert_eq!(rows(&run), expected);
}

#[test]
fn bad_cells_are_reported_by_row() {
    let schema = "message m { OPTIONAL BYTE_ARRAY topic (STRING); REQUIRED BYTE_ARRAY doc; OPTIONAL FLOAT score; }";
    let bytes = table(schema, |group| {
        column::<ByteArrayType>(group, &strings(&["1", "1", "1"]), Some(&[1, 0, 1, 1]));
        column::<ByteArrayType>(group, &strings(&["a", "b", "", "a"]), None);
        column::<FloatType>(group, &[f32::NAN, 1.0, 2.0], Some(&[1, 1, 0, 1]));
    });
    let error = run_of("a.parquet", &bytes).expect_err("the table is malformed");
    assert_snapshot!(error.render(SettingStyle::Neutral), @r"
    error[IR012]: row 1: score is `NaN`, expected a finite number
    --> a.parquet

    error[IR015]: row 2: topic id is empty
    --> a.parquet

    error[IR015]: row 3: document id is empty
    --> a.parquet

    error[IR011]: row 3: score is `null`, expected a number
    --> a.parquet
    ");
}

#[test]
fn a_duplicate_document_in_a_table() {
    let bytes = table(
        "message m { REQUIRED BYTE_ARRAY topic; REQUIRED BYTE_ARRAY doc; REQUIRED INT32 score; }",
        |group| {
            column::<ByteArrayType>(group, &strings(&["1", "1"]), None);
            column::<ByteArrayType>(group, &strings(&["a", "a"]), None);
            column::<Int32Type>(group, &[2, 1], None);
        },
    );
    let error = run_of("a.parquet", &bytes).expect_err("the table is malformed");
    assert_snapshot!(error.render(SettingStyle::Neutral), @r"
    error[IR030]: row 2: document `a` is in topic `1` twice; first on row 1
    --> a.parquet
    ");
}

#[test]
fn wrong_types_and_missing_columns_of_a_table() {
    let schema =
        "message m { REQUIRED FLOAT topic; REQUIRED BYTE_ARRAY doc; REQUIRED BYTE_ARRAY score; }";
    let bytes = table(schema, |group| {
        column::<FloatType>(group, &[1.0], None);
        column::<ByteArrayType>(group, &strings(&["a"]), None);
        column::<ByteArrayType>(group, &strings(&["1"]), None);
    });
    let error = run_of("a.parquet", &bytes).expect_err("the table is malformed");
    assert_snapshot!(error.render(SettingStyle::Neutral), @r"
    error[IR019]: column `topic` contains FLOAT values, expected strings or integers
    --> a.parquet

    error[IR019]: column `score` contains BYTE_ARRAY values, expected numbers
    --> a.parquet
    ");
    let bytes = table(
        "message m { REQUIRED BYTE_ARRAY topic; REPEATED BYTE_ARRAY docs; }",
        |group| {
            column::<ByteArrayType>(group, &strings(&["1"]), None);
            let mut docs = group
                .next_column()
                .expect("writing to memory")
                .expect("the schema has the column");
            docs.typed::<ByteArrayType>()
                .write_batch(&strings(&["a"]), Some(&[1]), Some(&[0]))
                .expect("writing to memory");
            docs.close().expect("writing to memory");
        },
    );
    let error = run_of("a.parquet", &bytes).expect_err("the table is malformed");
    assert_snapshot!(error.render(SettingStyle::Neutral), @r"
    error[IR018]: missing document column: found `topic`, `docs`, expected one of `doc`, `doc_id`, `docno`, `document`, `document_id`, `corpus_id`, `docid`, `did`, `pid`, `passage_id`
    --> a.parquet
    ");
}

#[test]
fn a_table_with_too_many_rows_exceeds_the_limit() {
    let rows = 1_000_000;
    let bytes = table(
        "message m { REQUIRED BYTE_ARRAY topic; REQUIRED BYTE_ARRAY doc; REQUIRED INT32 score; }",
        |group| {
            column::<ByteArrayType>(group, &vec![ByteArray::from("1"); rows], None);
            column::<ByteArrayType>(group, &vec![ByteArray::from("a"); rows], None);
            column::<Int32Type>(group, &vec![1; rows], None);
        },
    );
    assert!(bytes.len() < 10_000, "{}", bytes.len());
    let source = Source::from_bytes_with(
        "f",
        bytes,
        Limits {
            max_expanded: 1 << 20,
        },
    )
    .expect("not compressed");
    let error = read_run(&source, Some(RunFormat::Parquet)).expect_err("the table is too large");
    assert_eq!(error.problems()[0].code, Code::ExpandsTooFar);
}
