//! The form in which fields and lengths are stored.

use cranfield_collection::Document;

use super::invert::{push_number, read_number};

/// A document's fields: for each, the length of its name and whether it is indexed, the name, and the text.
pub(super) fn to_bytes(document: &Document) -> Vec<u8> {
    let size = |(name, text): &(String, String)| name.len() + text.len() + 6;
    let mut bytes = Vec::with_capacity(document.fields.iter().map(size).sum());
    for (at, (name, text)) in document.fields.iter().enumerate() {
        push_number(
            &mut bytes,
            2 * name.len() as u64 + u64::from(document.is_selected(at)),
        );
        bytes.extend_from_slice(name.as_bytes());
        push_number(&mut bytes, text.len() as u64);
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

/// The inverse of [`to_bytes`]; stops at damaged bytes.
pub(super) fn from_bytes(mut bytes: &[u8]) -> Document {
    let mut document = Document::default();
    let mut selected = Vec::new();
    while !bytes.is_empty() {
        let number = read_number(&mut bytes);
        let Some(name) = take(&mut bytes, number / 2) else {
            break;
        };
        let length = read_number(&mut bytes);
        let Some(text) = take(&mut bytes, length) else {
            break;
        };
        if number % 2 == 1 {
            selected.push(document.fields.len());
        }
        document.fields.push((name, text));
    }
    document.selected = Some(selected);
    document
}

fn take(bytes: &mut &[u8], length: u64) -> Option<String> {
    let (part, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(String::from_utf8_lossy(part).into_owned())
}

/// Two bytes a length if that is enough, else four; the first byte says which.
pub(super) fn lengths_to_bytes(lengths: &[u32]) -> Vec<u8> {
    if lengths.iter().all(|length| *length <= u16::MAX.into()) {
        let short = lengths
            .iter()
            .flat_map(|length| (*length as u16).to_le_bytes());
        [2].into_iter().chain(short).collect()
    } else {
        let long = lengths.iter().flat_map(|length| length.to_le_bytes());
        [4].into_iter().chain(long).collect()
    }
}

/// The inverse of [`lengths_to_bytes`].
pub(super) fn lengths_from_bytes(bytes: &[u8]) -> Option<Vec<u32>> {
    let (width, bytes) = bytes.split_first()?;
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u32::from(*byte))
    };
    match width {
        2 | 4 => Some(bytes.chunks_exact((*width).into()).map(number).collect()),
        _ => None,
    }
}
