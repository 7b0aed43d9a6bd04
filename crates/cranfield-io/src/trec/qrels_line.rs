//! Lines of TREC qrels.

use super::lines::{
    Dialect, FaultyLine, Fields, LineFault, Lines, Text, TopicLine, is_blank_or_comment,
    is_separator, token_end,
};
use super::number;

/// Reads TREC qrels: `topic group document grade`.
pub type QrelsLines<'a> = Lines<'a, QrelsLine<'a>>;

/// A line of qrels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QrelsLine<'a> {
    /// Topic id.
    pub topic: &'a [u8],
    /// Second column: iteration or judgement group.
    pub group: &'a [u8],
    /// Document id.
    pub doc: &'a [u8],
    /// Grade.
    pub grade: f64,
    /// Whether the topic is known to be that of the previous line.
    pub same_topic: bool,
}

impl<'a> TopicLine<'a> for QrelsLine<'a> {
    fn topic(&self) -> &'a [u8] {
        self.topic
    }

    fn same_topic(&self) -> bool {
        self.same_topic
    }

    #[expect(clippy::inline_always, reason = "measured: see `Lines::next`")]
    #[inline(always)]
    fn quick(text: &mut Text<'a>) -> Option<Self> {
        let bytes = text.bytes;
        let doc_start = text.head.end(bytes, text.at)?;
        let doc_end = token_end(bytes, doc_start)?;
        let &[separator, grade, newline] = bytes.get(doc_end..)?.first_chunk()?;
        let digit = grade.wrapping_sub(b'0');
        if doc_end == doc_start || !is_separator(separator) || digit > 9 || newline != b'\n' {
            return None;
        }
        text.at = doc_end + 3;
        Some(QrelsLine {
            topic: text.topic,
            group: text.second,
            doc: &bytes[doc_start..doc_end],
            grade: f64::from(digit),
            same_topic: true,
        })
    }

    fn is_skipped(dialect: Dialect, line: &[u8]) -> bool {
        match dialect {
            Dialect::Strict => is_blank_or_comment(line),
            Dialect::TrecEval => line.first() == Some(&b'#'),
            Dialect::TrecEval9 => false,
        }
    }

    fn parse(text: &mut Text<'a>, line: &'a [u8]) -> Result<Self, FaultyLine> {
        let fields = Fields::of(line);
        let [topic, group, doc, grade_token, extra, ..] = fields.field;
        if fields.count != 4 {
            let has_extra = fields.count > 4;
            let part = if has_extra { extra } else { line.trim_ascii() };
            return Err(text.fault(part, LineFault::Columns(fields.count)));
        }
        let faults = [LineFault::Grade, LineFault::GradeNotFinite];
        let grade = text.number(grade_token, |token| number::atol(token) as f64, faults)?;
        text.remember(line, doc, grade_token);
        text.second = group;
        let same_topic = text.is_same_topic(topic);
        Ok(QrelsLine {
            topic,
            group,
            doc,
            grade,
            same_topic,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_read_grades_and_comments_differently() {
        let text = "1 0 a 1\n1 0 b 2\n1 0 c -1\n1 0 d 0.5\n1 0 e\n\n2 0 f x\n# c\n2 0 g 3";
        let lines: Vec<_> = QrelsLines::new(text.as_bytes(), Dialect::Strict)
            .map(|line| {
                line.map(|line| (line.doc[0], line.grade))
                    .map_err(|faulty| faulty.fault)
            })
            .collect();
        assert_eq!(
            lines,
            [
                Ok((b'a', 1.0)),
                Ok((b'b', 2.0)),
                Ok((b'c', -1.0)),
                Ok((b'd', 0.5)),
                Err(LineFault::Columns(3)),
                Err(LineFault::Grade),
                Ok((b'g', 3.0))
            ]
        );
        let reference: Vec<_> = QrelsLines::new(text.as_bytes(), Dialect::TrecEval)
            .map(|line| line.map(|line| line.grade).map_err(|faulty| faulty.fault))
            .collect();
        assert_eq!(
            reference[3..6],
            [
                Ok(0.0),
                Err(LineFault::Columns(3)),
                Err(LineFault::Columns(0))
            ]
        );
    }
}
