//! Judgements of the SMART system, such as those of CACM and CISI: `topic document 0 0.000000`.

use crate::code::Code;
use crate::detect::is_data;
use crate::problem::Problem;
use crate::rows::{At, Row, Scan, Sink};
use crate::trec::offset_in;

/// Whether the document is in the second column, and the third is always `0`.
///
/// TREC's columns are not mistaken for it: they would judge the one document `0` again and again.
pub(crate) fn is_smart(bytes: &[u8]) -> bool {
    let mut first = None;
    let (mut is_relevant, mut has_several) = (false, false);
    for line in data_lines(bytes) {
        let mut fields = fields(line);
        let (Some(_), Some(doc)) = (fields.next(), fields.next()) else {
            return false;
        };
        let (Some(b"0"), Some(grade), None) = (fields.next(), fields.next(), fields.next()) else {
            return false;
        };
        // The second column of TREC's files is a zero.
        if doc == b"0" || doc == b"Q0" || number(grade).is_none() {
            return false;
        }
        is_relevant |= !is_zero(grade);
        has_several |= *first.get_or_insert(doc) != doc;
    }
    has_several || !is_relevant
}

fn data_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| is_data(line))
}

fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// An id as documents and topics of SMART have it: CACM's judgements write `0046` for `46`.
fn unpadded(id: &[u8]) -> &[u8] {
    let zeros = id.iter().take_while(|byte| **byte == b'0').count();
    if id.iter().all(u8::is_ascii_digit) {
        &id[zeros.min(id.len() - 1)..]
    } else {
        id
    }
}

fn is_zero(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"0").unwrap_or_default();
    text == b"0" || (digits.starts_with(b".") && digits[1..].iter().all(|digit| *digit == b'0'))
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let fields = line.split(u8::is_ascii_whitespace);
    fields.filter(|field| !field.is_empty())
}

/// Every document that is listed is relevant, unless some grade is not zero.
pub(crate) fn scan(scan: &mut Scan<'_>, sink: &mut dyn Sink) {
    let source = scan.source;
    let grade = |line| fields(line).nth(3).and_then(number);
    let has_grades =
        data_lines(source.bytes()).any(|line| grade(line).is_some_and(|grade| grade != 0.0));
    for (at, line) in source.bytes().split(|byte| *byte == b'\n').enumerate() {
        if !is_data(line) {
            continue;
        }
        let value = if has_grades {
            grade(line).unwrap_or(1.0)
        } else {
            1.0
        };
        let mut fields = fields(line);
        let (Some(topic), Some(doc)) = (fields.next(), fields.next()) else {
            scan.problems.push_with(|| {
                let line = line.trim_ascii_end();
                let message = "found 1 column, expected a topic and a document";
                let number = at as u64 + 1;
                Problem::in_line(
                    Code::ColumnCount,
                    source.name(),
                    number,
                    line,
                    0..line.len(),
                    message,
                )
            });
            continue;
        };
        let start = offset_in(source.bytes(), doc);
        sink.row(Row {
            topic: unpadded(topic),
            doc: unpadded(doc),
            value,
            rank: None,
            at: At::Bytes(start..start + doc.len()),
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::{QrelsFormat, Source, detect_qrels, read_qrels};

    #[test]
    fn zeros_in_the_last_columns() {
        let format = |text: &str| {
            let source = Source::from_bytes("qrels", text.into()).unwrap();
            detect_qrels(&source).unwrap()
        };
        // CISI and CACM.
        assert_eq!(
            format("     1     28\t0\t0.000000\n     1     35\t0\t0.000000\n"),
            QrelsFormat::Smart
        );
        assert_eq!(format("01 1410  0 0\n01 1572  0 0\n"), QrelsFormat::Smart);
        assert_eq!(format("1 0 0 0\n1 0 d2 0\n"), QrelsFormat::Trec);
        assert_eq!(format("1 0 0 0\n"), QrelsFormat::Trec);
        assert_eq!(format("1 28 0 1\n2 28 0 1\n"), QrelsFormat::Trec);
        assert_eq!(format("1 13 0 1\n1 14 0 1\n"), QrelsFormat::Smart);
    }

    #[test]
    fn grades_and_padded_ids() {
        let grade = |text: &str, topic: &[u8], doc: &[u8]| {
            let source = Source::from_bytes("q", text.into()).unwrap();
            let qrels = read_qrels(&source, None).unwrap();
            qrels.get(topic).and_then(|topic| topic.grade(doc))
        };
        let cacm = "01 1410  0 0\r\n02 0046  0 0\r\n";
        assert_eq!(grade(cacm, b"1", b"1410"), Some(1.0));
        assert_eq!(grade(cacm, b"2", b"46"), Some(1.0));
        let graded = "1 13 0 1\n1 14 0 0\n";
        assert_eq!(grade(graded, b"1", b"13"), Some(1.0));
        assert_eq!(grade(graded, b"1", b"14"), Some(0.0));
    }
}
