//! Comma- and tab-separated tables: with a header (CSV, TSV, BEIR), and MS MARCO runs without one.

use std::ops::Range;

use csv::ByteRecord;

use crate::code::Code;
use crate::columns::{Header, missing};
use crate::escape::quoted;
use crate::rows::{At, Row, Scan, Sink};

/// Scans CSV.
pub(crate) fn scan_csv(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    scan_table(scan, sink, b',');
}

/// Scans TSV with a header, which includes BEIR qrels.
pub(crate) fn scan_tsv(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    scan_table(scan, sink, b'\t');
}

/// A table whose header has been read.
struct Table {
    separator: u8,
    header: Header,
    columns: usize,
    /// Offset of the table: comments may precede the header, and nothing else.
    start: usize,
}

fn scan_table(scan: &mut Scan<'_>, sink: &mut dyn Sink, separator: u8) {
    let source = scan.source;
    let start = crate::detect::first_data(source.bytes()).unwrap_or(source.bytes().len());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(&source.bytes()[start..]);
    let mut record = ByteRecord::new();
    if !matches!(reader.read_byte_record(&mut record), Ok(true)) {
        return;
    }
    let Some(header) = find_header(scan, &record, start) else {
        return;
    };
    let table = Table {
        separator,
        header,
        columns: record.len(),
        start,
    };
    // Reading from memory cannot fail, and records may have any length and any content.
    while matches!(reader.read_byte_record(&mut record), Ok(true)) {
        scan_record(scan, sink, &table, &record);
    }
}

fn find_header(scan: &mut Scan<'_>, record: &ByteRecord, start: usize) -> Option<Header> {
    let kind = scan.kind;
    let names: Vec<&[u8]> = record.iter().collect();
    match Header::find(kind, &names) {
        Ok(header) => Some(header),
        Err(column) => {
            let found: Vec<String> = names.iter().take(12).map(|name| quoted(name)).collect();
            let at = At::Bytes(line_at(scan.bytes(), start));
            scan.problem(Code::MissingColumn, &at, || {
                missing(column, kind, &found.join(", "))
            });
            None
        }
    }
}

fn scan_record(scan: &mut Scan<'_>, sink: &mut dyn Sink, table: &Table, record: &ByteRecord) {
    let start = table.start
        + record
            .position()
            .map_or(0, |position| position.byte() as usize);
    let at = |column: usize| At::Field {
        record: start,
        separator: table.separator,
        column,
    };
    let field = |column: usize| &record[column];
    let header = &table.header;
    if record.len() != table.columns {
        return wrong_count(scan, record.len(), table.columns, start);
    }
    let (topic, doc) = (field(header.topic), field(header.doc));
    let is_named = scan.check_id(topic, "topic", &at(header.topic))
        & scan.check_id(doc, "document", &at(header.doc));
    let ranked = header
        .rank
        .filter(|&column| !field(column).trim_ascii().is_empty());
    let rank = ranked.map(|column| scan.rank(field(column), &at(column)));
    let value = match (header.value, rank) {
        (Some(column), _) => scan.value(field(column), &at(column)),
        (None, Some(rank)) => rank.map(|rank| -rank),
        (None, None) => header.rank.and_then(|column| scan.rank(b"", &at(column))),
    };
    if let (true, Some(value)) = (is_named, value) {
        if let Some(tag) = header.tag {
            sink.tag(field(tag));
        }
        sink.row(Row {
            topic,
            doc,
            value,
            rank: rank.flatten(),
            at: at(header.doc),
        });
    }
}

fn wrong_count(scan: &mut Scan<'_>, found: usize, expected: usize, start: usize) {
    let at = At::Bytes(line_at(scan.bytes(), start));
    let plural = if found == 1 { "" } else { "s" };
    scan.problem(Code::ColumnCount, &at, || {
        format!("found {found} field{plural}, expected {expected} as in the header")
    });
}

/// Returns the rest of the line at an offset, skipping line ends before it.
fn line_at(bytes: &[u8], start: usize) -> Range<usize> {
    let start = skip_line_ends(bytes, start);
    let length = bytes[start..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'));
    start..length.map_or(bytes.len(), |length| start + length)
}

fn skip_line_ends(bytes: &[u8], start: usize) -> usize {
    let start = start.min(bytes.len());
    start
        + bytes[start..]
            .iter()
            .take_while(|byte| matches!(byte, b'\n' | b'\r'))
            .count()
}

/// Returns the range of a field of the record at an offset, by the rules of quoting.
pub(crate) fn field_at(bytes: &[u8], start: usize, separator: u8, column: usize) -> Range<usize> {
    let start = skip_line_ends(bytes, start);
    let mut field = start;
    let mut left = column;
    let mut quoted = false;
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'\n' | b'\r' => return field..at,
            byte if byte == separator && left == 0 => return field..at,
            byte if byte == separator => (field, left) = (at + 1, left - 1),
            _ => {}
        }
    }
    field..bytes.len()
}

/// Scans an MS MARCO run: topic, document and rank separated by tabs; the score is the negated rank.
pub(crate) fn scan_ranks(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let mut start = 0;
    for line in scan.source.bytes().split(|&byte| byte == b'\n') {
        if crate::detect::is_data(line) {
            scan_ranked(scan, sink, start..start + line.len());
        }
        start += line.len() + 1;
    }
}

fn scan_ranked(scan: &mut Scan<'_>, sink: &mut dyn Sink, line: Range<usize>) {
    let source = scan.source;
    let text = source.bytes()[line.clone()].trim_ascii_end();
    let fields: Vec<&[u8]> = text.split(|&byte| byte == b'\t').collect();
    let [topic, doc, rank] = fields[..] else {
        let message = || {
            format!(
                "found {} tab-separated fields, expected 3: topic document rank",
                fields.len()
            )
        };
        return scan.problem(
            Code::ColumnCount,
            &At::Bytes(line.start..line.start + text.len()),
            message,
        );
    };
    let doc_start = line.start + topic.len() + 1;
    let topic_at = At::Bytes(line.start..line.start + topic.len());
    let doc_at = At::Bytes(doc_start..doc_start + doc.len());
    let rank_at = At::Bytes(doc_start + doc.len() + 1..line.start + text.len());
    let is_named =
        scan.check_id(topic, "topic", &topic_at) & scan.check_id(doc, "document", &doc_at);
    if let (Some(rank), true) = (scan.rank(rank, &rank_at), is_named) {
        sink.row(Row {
            topic,
            doc,
            value: -rank,
            rank: Some(rank),
            at: doc_at,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_after_quotes_are_found() {
        let line = b"\na,\"b,\"\"c\",d\r\nx";
        assert_eq!(&line[field_at(line, 0, b',', 0)], b"a");
        assert_eq!(&line[field_at(line, 0, b',', 1)], b"\"b,\"\"c\"");
        assert_eq!(&line[field_at(line, 0, b',', 2)], b"d");
        assert_eq!(line_at(line, 0), 1..12);
        assert_eq!(field_at(line, 99, b',', 2), line.len()..line.len());
    }
}
