//! Writes Parquet tables compressed with zstd.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::parser::parse_message_type;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;

use super::{Ranked, ranked};

/// Number of rows per row group.
const GROUP_ROWS: usize = 1 << 20;

type Out<'a> = &'a mut (dyn Write + Send);

pub(super) fn write_run(run: &Run, out: Out<'_>) -> io::Result<()> {
    let topics: Vec<(&[u8], Vec<Ranked<'_>>)> = run
        .topics()
        .map(|topic| (topic.id(), ranked(topic)))
        .collect();
    let rows = || {
        topics
            .iter()
            .flat_map(|(id, rows)| rows.iter().map(move |row| (*id, row)))
    };
    let is_whole = rows().all(|(_, row)| row.rank == row.rank.trunc() && row.rank.abs() < 9e15);
    let ids = id_type(rows().flat_map(|(topic, row)| [topic, row.entry.doc]));
    let rank = if is_whole { "INT64" } else { "DOUBLE" };
    let schema = format!(
        "message run {{ REQUIRED BYTE_ARRAY topic{ids}; REQUIRED BYTE_ARRAY doc{ids}; REQUIRED {rank} rank; \
         REQUIRED DOUBLE score; REQUIRED BYTE_ARRAY tag (STRING); }}"
    );
    let tag = ByteArray::from(run.tag());
    write_groups(&schema, rows(), out, |group, rows| {
        column::<ByteArrayType>(
            group,
            rows.iter()
                .map(|(topic, _)| ByteArray::from(topic.to_vec())),
        )?;
        column::<ByteArrayType>(
            group,
            rows.iter()
                .map(|(_, row)| ByteArray::from(row.entry.doc.to_vec())),
        )?;
        if is_whole {
            column::<Int64Type>(group, rows.iter().map(|(_, row)| row.rank as i64))?;
        } else {
            column::<DoubleType>(group, rows.iter().map(|(_, row)| row.rank))?;
        }
        column::<DoubleType>(group, rows.iter().map(|(_, row)| row.entry.score))?;
        column::<ByteArrayType>(group, rows.iter().map(|_| tag.clone()))
    })
}

pub(super) fn write_qrels(qrels: &Qrels, out: Out<'_>) -> io::Result<()> {
    let mut rows: Vec<(&[u8], &[u8], f64)> = Vec::with_capacity(qrels.judgements());
    for topic in qrels.topics() {
        rows.extend(
            topic
                .judgements()
                .map(|(doc, grade)| (topic.id(), doc, grade)),
        );
    }
    let is_whole = rows.iter().all(|&(.., grade)| {
        grade == grade.trunc() && grade.abs() < 9e15 && !is_negative_zero(grade)
    });
    let ids = id_type(rows.iter().flat_map(|&(topic, doc, _)| [topic, doc]));
    let grade = if is_whole { "INT64" } else { "DOUBLE" };
    let schema = format!(
        "message qrels {{ REQUIRED BYTE_ARRAY topic{ids}; REQUIRED BYTE_ARRAY doc{ids}; REQUIRED {grade} rel; }}"
    );
    write_groups(&schema, rows.into_iter(), out, |group, rows| {
        column::<ByteArrayType>(
            group,
            rows.iter()
                .map(|(topic, ..)| ByteArray::from(topic.to_vec())),
        )?;
        column::<ByteArrayType>(
            group,
            rows.iter().map(|(_, doc, _)| ByteArray::from(doc.to_vec())),
        )?;
        if is_whole {
            column::<Int64Type>(group, rows.iter().map(|(.., grade)| *grade as i64))
        } else {
            column::<DoubleType>(group, rows.iter().map(|(.., grade)| *grade))
        }
    })
}

fn is_negative_zero(grade: f64) -> bool {
    grade == 0.0 && grade.is_sign_negative()
}

/// Returns the annotation of id columns: strings if all ids are UTF-8, else plain bytes.
fn id_type<'a>(mut ids: impl Iterator<Item = &'a [u8]>) -> &'static str {
    if ids.all(|id| std::str::from_utf8(id).is_ok()) {
        " (STRING)"
    } else {
        ""
    }
}

type Group<'a, 'o> = SerializedRowGroupWriter<'a, Out<'o>>;

/// Writes rows in groups, calling `write` for each group.
fn write_groups<'o, R>(
    schema: &str,
    mut rows: impl Iterator<Item = R>,
    out: Out<'o>,
    write: impl Fn(&mut Group<'_, 'o>, &[R]) -> Result<(), ParquetError>,
) -> io::Result<()> {
    let schema = Arc::new(parse_message_type(schema)?);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .build();
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
    loop {
        let batch: Vec<R> = rows.by_ref().take(GROUP_ROWS).collect();
        if batch.is_empty() {
            break;
        }
        let mut group = file.next_row_group()?;
        write(&mut group, &batch)?;
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn column<T: DataType>(
    group: &mut Group<'_, '_>,
    cells: impl Iterator<Item = T::T>,
) -> Result<(), ParquetError> {
    let cells: Vec<T::T> = cells.collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General(
            "more columns than the schema has".into(),
        ));
    };
    column.typed::<T>().write_batch(&cells, None, None)?;
    column.close()
}
