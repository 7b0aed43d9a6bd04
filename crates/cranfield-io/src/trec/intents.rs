//! Files of intents: the probability of each intent of a topic.

use cranfield_core::groups::{GroupedQrels, IntentError, IntentKind, Intents};

use super::columns::{Fault, each_row};
use super::number::strict;
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::Problem;
use crate::source::Source;

/// Reads intents: `topic intent probability`, optionally followed by `inf` (informational, the default) or `nav` (navigational).
///
/// The probabilities of a topic are normalised to sum to 1.
///
/// ```
/// use cranfield_io::{Source, trec::read_intents};
///
/// let source = Source::from_bytes("intents.txt", b"1 animal 0.2 inf\n1 car -0.8 nav\n".to_vec())?;
/// let error = read_intents(&source).unwrap_err();
/// assert_eq!(error.to_string(), "intents.txt:2:7: probability is `-0.8`, expected a number of at least 0 [IR080]");
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_intents(source: &Source) -> Result<Intents, Error> {
    let mut intents = Intents::default();
    each_row(source, |line, fields| {
        let (topic, intent, weight, kind) = match *fields {
            [topic, intent, weight] => (topic, intent, weight, b"inf".as_slice()),
            [topic, intent, weight, kind] => (topic, intent, weight, kind),
            _ => {
                let message = "expected 3 or 4 columns: topic intent probability, and inf or nav";
                return Err(Fault::new(Code::ColumnCount, line, message.into()));
            }
        };
        let kind = parse_kind(kind)?;
        let value = strict(weight).unwrap_or(f64::NAN);
        let pushed = intents.push(topic, intent, value, kind);
        pushed.map_err(|error| match error {
            IntentError::Weight(_) => {
                let found = quoted(weight);
                let message = format!("probability is {found}, expected a number of at least 0");
                Fault::new(Code::BadIntents, weight, message)
            }
            other => Fault::new(Code::BadIntents, intent, other.to_string()),
        })
    })?;
    Ok(intents)
}

fn parse_kind(name: &[u8]) -> Result<IntentKind, Fault<'_>> {
    match name {
        b"inf" => Ok(IntentKind::Informational),
        b"nav" => Ok(IntentKind::Navigational),
        other => {
            let message = format!("kind of intent is {}, expected inf or nav", quoted(other));
            Err(Fault::new(Code::BadIntents, other, message))
        }
    }
}

/// Adds the intents of a file to judgements; a judged intent that the file lacks is an error.
pub fn with_intents(
    qrels: GroupedQrels,
    intents: &Intents,
    source: &Source,
) -> Result<GroupedQrels, Error> {
    qrels.with_intents(intents).map_err(|error| {
        Problem::file(Code::BadIntents, source.name(), error.to_string())
            .with_help("the intents of a topic are the second column of the qrels")
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::groups::GroupedQrelsBuilder;

    fn read(text: &str) -> Result<Intents, String> {
        let source = Source::from_bytes("i", text.as_bytes().to_vec()).unwrap();
        read_intents(&source).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        let error = read(text).expect_err("the file is wrong");
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn kinds_comments_and_spaces_are_read() {
        let intents = read("# made by hand\n1 A 3\r\n\n1\tB  1 nav\n2 A 1 inf").unwrap();
        let mut builder = GroupedQrelsBuilder::default();
        builder.push(b"1", b"A", b"d", 1.0);
        builder.push(b"1", b"B", b"d", 1.0);
        let qrels = builder.finish().unwrap().with_intents(&intents).unwrap();
        let topic = qrels.topic(b"1").unwrap();
        let found: Vec<_> = topic.groups().map(|group| group.intent()).collect();
        assert_eq!((found[0].probability, found[1].probability), (0.75, 0.25));
        assert_eq!(found[0].kind, IntentKind::Informational);
        assert_eq!(found[1].kind, IntentKind::Navigational);
    }

    #[test]
    fn errors_have_a_place() {
        check_error("", "contains no data");
        check_error("# 1 A 1\n", "contains no data");
        check_error("1 A\n", "i:1:1: expected 3 or 4 columns");
        check_error("1 A 1 inf x y\n", "i:1:1: expected 3 or 4 columns");
        check_error("1 A half\n", "i:1:5: probability is `half`");
        check_error("1 A nan\n", "i:1:5: probability is `nan`");
        check_error("1 A 1 info\n", "i:1:7: kind of intent is `info`");
        check_error(
            "1 A 1\n2 A 1\n1 A 1\n",
            "i:3:3: intent `A` of topic `1` occurs twice",
        );
    }
}
