//! Rows as bytes, for pickles.

use cranfield::core::run::{Run, RunBuilder};

/// The first byte, which says how the others are read.
const VERSION: u8 = 1;

/// All rows of a run: topics with their documents, each id after its length.
pub(crate) fn write(run: &Run) -> Vec<u8> {
    let mut out = vec![VERSION];
    text(&mut out, run.tag().as_bytes());
    for topic in run.topics() {
        text(&mut out, topic.id());
        let entries = topic.entries();
        out.extend((entries.len() as u64).to_le_bytes());
        for entry in entries {
            text(&mut out, entry.doc);
            out.extend(entry.score.to_le_bytes());
            out.push(u8::from(entry.rank.is_some()));
            out.extend(entry.rank.iter().flat_map(|rank| rank.to_le_bytes()));
        }
    }
    out
}

fn text(out: &mut Vec<u8>, text: &[u8]) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text);
}

/// The run of these bytes, unless they are damaged.
pub(crate) fn read(bytes: &[u8]) -> Option<Run> {
    let mut rest = bytes.strip_prefix(&[VERSION])?;
    let mut builder = RunBuilder::default();
    builder.set_tag(std::str::from_utf8(read_text(&mut rest)?).ok()?);
    while !rest.is_empty() {
        let topic = read_text(&mut rest)?;
        builder.add_topic(topic);
        for _ in 0..u64::from_le_bytes(*take(&mut rest)?) {
            let doc = read_text(&mut rest)?;
            let score = f64::from_le_bytes(*take(&mut rest)?);
            let rank = match take::<1>(&mut rest)? {
                [0] => None,
                _ => Some(f64::from_le_bytes(*take(&mut rest)?)),
            };
            builder.push(topic, doc, score, rank);
        }
    }
    Some(builder.finish())
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (taken, others) = rest.split_first_chunk::<N>()?;
    *rest = others;
    Some(taken)
}

fn read_text<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(*take(rest)?) as usize;
    let (text, others) = rest.split_at_checked(length)?;
    *rest = others;
    Some(text)
}
