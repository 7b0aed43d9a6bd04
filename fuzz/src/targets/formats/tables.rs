//! Parquet tables to start from: each codec, type of column and version of pages.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{
    ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

type Group<'a> = SerializedRowGroupWriter<'a, Vec<u8>>;

pub(super) fn runs() -> Vec<Vec<u8>> {
    let plain = "message run { REQUIRED BYTE_ARRAY topic (STRING); REQUIRED BYTE_ARRAY doc (STRING); REQUIRED DOUBLE score; }";
    let mut tables: Vec<Vec<u8>> = settings()
        .into_iter()
        .map(|settings| table(plain, settings, strings_and_doubles))
        .collect();
    let numbers = "message run { REQUIRED INT64 qid; REQUIRED INT32 docid (UINT_32); REQUIRED INT32 rank; OPTIONAL FLOAT score; }";
    tables.push(table(numbers, builder(), |group| {
        column::<Int64Type>(group, &[1, 1, -2], None);
        column::<Int32Type>(group, &[7, -1, 9], None);
        column::<Int32Type>(group, &[1, 2, 1], None);
        column::<FloatType>(group, &[0.5, 0.25], Some(&[1, 1, 0]));
    }));
    let fixed = "message run { REQUIRED FIXED_LEN_BYTE_ARRAY(2) topic; OPTIONAL BYTE_ARRAY docno; REQUIRED DOUBLE rank; REQUIRED BYTE_ARRAY tag; }";
    tables.push(table(fixed, builder(), |group| {
        let ids = ["q1", "q1", "q2"].map(|id| FixedLenByteArray::from(id.as_bytes().to_vec()));
        column::<FixedLenByteArrayType>(group, &ids, None);
        column::<ByteArrayType>(
            group,
            &["a", "b", "c"].map(ByteArray::from),
            Some(&[1, 1, 1]),
        );
        column::<DoubleType>(group, &[1.0, 2.0, 1.0], None);
        column::<ByteArrayType>(group, &["t", "t", "t"].map(ByteArray::from), None);
    }));
    let nested = "message run { REQUIRED BYTE_ARRAY topic; REPEATED BYTE_ARRAY doc; REQUIRED DOUBLE score; }";
    tables.push(table(nested, builder(), |group| {
        column::<ByteArrayType>(group, &["q1"].map(ByteArray::from), None);
        let mut docs = group.next_column().expect("a column").expect("a column");
        let (cells, ones) = ([ByteArray::from("a"), ByteArray::from("b")], [1i16, 1]);
        docs.typed::<ByteArrayType>()
            .write_batch(&cells, Some(&ones), Some(&[0, 1]))
            .expect("a batch");
        docs.close().expect("a column");
        column::<DoubleType>(group, &[1.0], None);
    }));
    tables
}

pub(super) fn qrels() -> Vec<Vec<u8>> {
    let schema = "message qrels { REQUIRED BYTE_ARRAY topic (STRING); REQUIRED BYTE_ARRAY doc (STRING); REQUIRED DOUBLE rel; }";
    let mut tables: Vec<Vec<u8>> = settings()
        .into_iter()
        .map(|settings| table(schema, settings, strings_and_doubles))
        .collect();
    let whole = "message qrels { REQUIRED BYTE_ARRAY query_id; REQUIRED INT64 doc_id; OPTIONAL INT64 relevance; }";
    tables.push(table(whole, builder(), |group| {
        column::<ByteArrayType>(group, &["q1", "q1", "q2"].map(ByteArray::from), None);
        column::<Int64Type>(group, &[1, 2, 3], None);
        column::<Int64Type>(group, &[1, 0, -1], Some(&[1, 1, 1]));
    }));
    tables
}

fn builder() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::UNCOMPRESSED)
}

fn settings() -> Vec<WriterPropertiesBuilder> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::LZ4,
    ];
    let mut settings: Vec<_> = codecs
        .map(|codec| WriterProperties::builder().set_compression(codec))
        .into();
    settings.push(builder().set_writer_version(WriterVersion::PARQUET_2_0));
    settings.push(builder().set_dictionary_enabled(false));
    for encoding in [
        Encoding::DELTA_BYTE_ARRAY,
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
    ] {
        let ids = builder().set_dictionary_enabled(false);
        settings.push(
            ids.set_column_encoding("topic".into(), encoding)
                .set_column_encoding("doc".into(), encoding),
        );
    }
    settings.push(
        builder()
            .set_dictionary_enabled(false)
            .set_column_encoding("score".into(), Encoding::BYTE_STREAM_SPLIT),
    );
    settings.push(
        builder()
            .set_data_page_row_count_limit(1)
            .set_write_batch_size(1),
    );
    settings
}

fn strings_and_doubles(group: &mut Group<'_>) {
    column::<ByteArrayType>(group, &["q1", "q1", "q2", "q2"].map(ByteArray::from), None);
    column::<ByteArrayType>(
        group,
        &["doc-1", "doc-2", "doc-1", "doc-3"].map(ByteArray::from),
        None,
    );
    column::<DoubleType>(group, &[1.5, -0.25, 1.5, 0.0], None);
}

fn table(
    schema: &str,
    settings: WriterPropertiesBuilder,
    fill: impl Fn(&mut Group<'_>),
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).expect("the schema is right"));
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(settings.build()))
        .expect("memory can be written");
    let mut group = file.next_row_group().expect("memory can be written");
    fill(&mut group);
    group.close().expect("all columns are there");
    file.into_inner().expect("memory can be written")
}

fn column<T: DataType>(group: &mut Group<'_>, cells: &[T::T], levels: Option<&[i16]>) {
    let mut column = group
        .next_column()
        .expect("memory can be written")
        .expect("the schema has the column");
    column
        .typed::<T>()
        .write_batch(cells, levels, None)
        .expect("the cells fit");
    column.close().expect("memory can be written");
}
