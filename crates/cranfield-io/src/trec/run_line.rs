//! Lines of a TREC run.

use super::lines::{
    Dialect, FaultyLine, Fields, LineFault, Lines, Text, TopicLine, is_blank, is_blank_or_comment,
    is_separator, two_token_ends,
};
use super::number;

/// Reads a TREC run: `topic constant document rank score tag`.
pub type RunLines<'a> = Lines<'a, RunLine<'a>>;

/// A line of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLine<'a> {
    /// Topic id.
    pub topic: &'a [u8],
    /// Document id.
    pub doc: &'a [u8],
    /// Text of the rank column.
    pub rank: &'a [u8],
    /// Score.
    pub score: f64,
    /// Tag of the run.
    pub tag: &'a [u8],
    /// Whether the topic is known to be that of the previous line.
    pub same_topic: bool,
}

impl<'a> TopicLine<'a> for RunLine<'a> {
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
        let (doc_end, rank_end) = two_token_ends(bytes, doc_start)?;
        let (rank_start, score_start) = (doc_end + 1, rank_end + 1);
        let (score, length) = number::plain_decimal(bytes.get(score_start..)?)?;
        let are_separated = is_separator(bytes[doc_end]) && is_separator(bytes[rank_end]);
        if doc_end == doc_start || rank_end == rank_start || !are_separated {
            return None;
        }
        text.at = text.tail.end(bytes, score_start + length)?;
        Some(RunLine {
            topic: text.topic,
            doc: &bytes[doc_start..doc_end],
            rank: &bytes[rank_start..rank_end],
            score,
            tag: text.last,
            same_topic: true,
        })
    }

    fn is_skipped(dialect: Dialect, line: &[u8]) -> bool {
        match dialect {
            Dialect::TrecEval9 => is_blank(line),
            Dialect::Strict | Dialect::TrecEval => is_blank_or_comment(line),
        }
    }

    fn parse(text: &mut Text<'a>, line: &'a [u8]) -> Result<Self, FaultyLine> {
        let fields = Fields::of(line);
        let [topic, _, doc, rank, score_token, tag, extra] = fields.field;
        let too_many = fields.count > 6 && text.dialect == Dialect::Strict;
        if fields.count < 6 || too_many {
            let part = if too_many { extra } else { line.trim_ascii() };
            return Err(text.fault(part, LineFault::Columns(fields.count)));
        }
        let faults = [LineFault::Score, LineFault::ScoreNotFinite];
        let score = text.number(score_token, number::atof, faults)?;
        text.remember(line, doc, score_token);
        text.last = tag;
        let same_topic = text.is_same_topic(topic);
        Ok(RunLine {
            topic,
            doc,
            rank,
            score,
            tag,
            same_topic,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str, dialect: Dialect) -> Vec<Result<(String, String, f64, bool), LineFault>> {
        let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        RunLines::new(text.as_bytes(), dialect)
            .map(|line| match line {
                Ok(line) => Ok((
                    name(line.topic),
                    name(line.doc),
                    line.score,
                    line.same_topic,
                )),
                Err(faulty) => Err(faulty.fault),
            })
            .collect()
    }

    #[expect(clippy::unnecessary_wraps, reason = "the other side of a comparison")]
    fn ok(
        topic: &str,
        doc: &str,
        score: f64,
        same: bool,
    ) -> Result<(String, String, f64, bool), LineFault> {
        Ok((topic.into(), doc.into(), score, same))
    }

    #[test]
    fn separators_comments_and_blank_lines() {
        let text = "1 Q0 a 1 2.5 tag\n1 Q0 b 2 1.5 tag\n1\tQ0\tc\t3\t-1e-3\ttag\r\n\n# note\n2 Q0 d 1  3 tag";
        let expected = [
            ok("1", "a", 2.5, false),
            ok("1", "b", 1.5, true),
            ok("1", "c", -1e-3, true),
            ok("2", "d", 3.0, false),
        ];
        assert_eq!(runs(text, Dialect::Strict), expected);
        assert_eq!(runs(text, Dialect::TrecEval), expected);
    }

    #[test]
    fn faults_depend_on_the_dialect() {
        let text = "1 Q0 a 1 x tag\n1 Q0 b 1 2\n1 Q0 c 1 2 tag more\n1 Q0 d 1 nan tag\n";
        let faults = runs(text, Dialect::Strict);
        assert_eq!(
            faults,
            [
                Err(LineFault::Score),
                Err(LineFault::Columns(5)),
                Err(LineFault::Columns(7)),
                Err(LineFault::ScoreNotFinite)
            ]
        );
        let lenient = runs(text, Dialect::TrecEval);
        assert_eq!(
            lenient[..3],
            [
                ok("1", "a", 0.0, false),
                Err(LineFault::Columns(5)),
                ok("1", "c", 2.0, true)
            ]
        );
    }

    #[test]
    fn a_longer_topic_is_not_the_same_topic() {
        let text = "1 Q0 a 1 2.5 tag\n12 Q0 b 2 1.5 tag\n1 Q0 c 1 2.5 tag\n1 Q0 c 1 2.5 tagtag\n1 Q0 e 1 2.5 tag\n";
        let same: Vec<_> = runs(text, Dialect::Strict)
            .into_iter()
            .map(|line| line.unwrap().3)
            .collect();
        assert_eq!(same, [false, false, false, true, true]);
    }
}
