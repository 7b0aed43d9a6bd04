//! Files of intents: how likely each intent of a topic is.

use cranfield_core::groups::{GroupedQrels, IntentError, IntentKind, Intents};

use super::lines::{is_space, offset_in};
use super::number::strict;
use crate::code::Code;
use crate::error::{Error, Problems};
use crate::problem::{Problem, quoted};
use crate::source::Source;

/// Reads intents: `topic intent probability`, and `inf` (informational, as without it) or `nav` (navigational) if given.
///
/// Probabilities of a topic are divided by their sum.
///
/// ```
/// use cranfield_io::{Source, trec::read_intents};
///
/// let source = Source::from_bytes("intents.txt", b"1 animal 0.2 inf\n1 car -0.8 nav\n".to_vec())?;
/// let error = read_intents(&source).unwrap_err();
/// assert_eq!(error.to_string(), "intents.txt:2:7: probability is `-0.8`, expected a number from 0 [IR080]");
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_intents(source: &Source) -> Result<Intents, Error> {
    let mut intents = Intents::default();
    let mut problems = Problems::default();
    for line in source.bytes().split(|byte| *byte == b'\n') {
        let fields: Vec<&[u8]> = line
            .split(|byte| is_space(*byte))
            .filter(|field| !field.is_empty())
            .take(5)
            .collect();
        if fields.first().is_none_or(|field| field.starts_with(b"#")) {
            continue;
        }
        if let Err(problem) = read_line(source, line.trim_ascii(), &fields, &mut intents) {
            problems.push(*problem);
        }
    }
    problems.into_result()?;
    if intents.is_empty() {
        return Err(Problem::file(Code::EmptyFile, source.name(), "holds no data").into());
    }
    Ok(intents)
}

fn read_line(
    source: &Source,
    line: &[u8],
    fields: &[&[u8]],
    intents: &mut Intents,
) -> Result<(), Box<Problem>> {
    let problem = |code, part: &[u8], message: String| {
        let start = offset_in(source.bytes(), part);
        let wrong = start..start + part.len();
        Box::new(Problem::at(
            code,
            source.name(),
            source.bytes(),
            wrong,
            message,
        ))
    };
    let (topic, intent, weight, kind) = match *fields {
        [topic, intent, weight] => (topic, intent, weight, b"inf".as_slice()),
        [topic, intent, weight, kind] => (topic, intent, weight, kind),
        _ => {
            let message = "expected 3 or 4 columns: topic intent probability, and inf or nav";
            return Err(problem(Code::ColumnCount, line, message.into()));
        }
    };
    let kind = match kind {
        b"inf" => IntentKind::Informational,
        b"nav" => IntentKind::Navigational,
        other => {
            let message = format!("kind of intent is {}, expected inf or nav", quoted(other));
            return Err(problem(Code::BadIntents, other, message));
        }
    };
    let value = strict(weight).unwrap_or(f64::NAN);
    intents
        .push(topic, intent, value, kind)
        .map_err(|error| match error {
            IntentError::Weight(_) => {
                let found = quoted(weight);
                let message = format!("probability is {found}, expected a number from 0");
                problem(Code::BadIntents, weight, message)
            }
            other => problem(Code::BadIntents, intent, other.to_string()),
        })
}

/// The judgements with the intents of a file; an intent that was judged and is not there is an error.
pub fn with_intents(
    qrels: GroupedQrels,
    intents: &Intents,
    source: &Source,
) -> Result<GroupedQrels, Error> {
    let problem = |error: IntentError| {
        Problem::file(Code::BadIntents, source.name(), error.to_string())
            .with_help("the intents of a topic are the second column of the qrels")
    };
    qrels
        .with_intents(intents)
        .map_err(|error| problem(error).into())
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
    fn refused(text: &str, message: &str) {
        let error = read(text).expect_err("the file is wrong");
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn kinds_comments_and_blanks() {
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
    fn mistakes_are_told_with_their_place() {
        refused("", "holds no data");
        refused("# 1 A 1\n", "holds no data");
        refused("1 A\n", "i:1:1: expected 3 or 4 columns");
        refused("1 A 1 inf x y\n", "i:1:1: expected 3 or 4 columns");
        refused("1 A half\n", "i:1:5: probability is `half`");
        refused("1 A nan\n", "i:1:5: probability is `nan`");
        refused("1 A 1 info\n", "i:1:7: kind of intent is `info`");
        refused(
            "1 A 1\n2 A 1\n1 A 1\n",
            "i:3:3: intent `A` of topic `1` occurs twice",
        );
    }
}
