//! The form in which fields and lengths are stored.

use super::invert::{push_number, read_number};

/// Names and texts of fields.
pub(super) fn to_bytes(fields: &[(String, String)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(
        fields
            .iter()
            .map(|(name, text)| name.len() + text.len() + 6)
            .sum(),
    );
    for part in fields.iter().flat_map(|(name, text)| [name, text]) {
        push_number(&mut bytes, part.len() as u64);
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

/// The inverse of [`to_bytes`]; stops at damaged bytes.
pub(super) fn from_bytes(mut bytes: &[u8]) -> Vec<(String, String)> {
    let mut next = || {
        let length = usize::try_from(read_number(&mut bytes)).ok()?;
        let (part, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        Some(String::from_utf8_lossy(part).into_owned())
    };
    let mut fields = Vec::new();
    while let Some(name) = next().filter(|name| !name.is_empty()) {
        fields.push((name, next().unwrap_or_default()));
    }
    fields
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
