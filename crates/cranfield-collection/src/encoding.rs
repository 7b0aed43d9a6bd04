//! Characters of texts: UTF-8 if valid, else as declared, else windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Text, and the number of characters that could not be decoded.
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) replaced: u64,
}

/// Decodes text. Each document is decoded on its own, because collections mix encodings.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&'static Encoding>) -> Decoded<'a> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: text.into(),
            replaced: 0,
        };
    }
    let encoding = declared.filter(|encoding| *encoding != UTF_8);
    let encoding = encoding.unwrap_or(if declared == Some(UTF_8) {
        UTF_8
    } else {
        WINDOWS_1252
    });
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    let replaced = if had_errors {
        text.matches('\u{fffd}').count() as u64
    } else {
        0
    };
    Decoded { text, replaced }
}

/// Finds the encoding that the start of a file declares: `encoding="..."` of XML, or `charset=...` of HTML.
pub(crate) fn declared(start: &[u8]) -> Option<&'static Encoding> {
    /// Declarations are at the very beginning.
    const LENGTH: usize = 1024;
    let start = &start[..start.len().min(LENGTH)];
    ["encoding=", "charset="].iter().find_map(|key| {
        let at = memchr::memmem::find(start, key.as_bytes())?;
        let rest = start[at + key.len()..].trim_ascii_start();
        let rest = rest
            .strip_prefix(b"\"")
            .or(rest.strip_prefix(b"'"))
            .unwrap_or(rest);
        let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.".contains(byte);
        let end = rest
            .iter()
            .position(|byte| !is_label(byte))
            .unwrap_or(rest.len());
        Encoding::for_label(&rest[..end])
    })
}
