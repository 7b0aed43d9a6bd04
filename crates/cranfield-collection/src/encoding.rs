//! Characters of texts: UTF-8 if valid, else as declared, else windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Text, and the number of characters that could not be decoded.
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) replaced: u64,
}

/// Decodes text. Each document is decoded on its own, because collections mix encodings, and web pages declare their own.
pub(crate) fn decode<'a>(bytes: &'a [u8], declared: Option<&'static Encoding>) -> Decoded<'a> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Decoded {
            text: text.into(),
            replaced: 0,
        };
    }
    let encoding = declared.or_else(|| self::declared(bytes));
    let encoding = encoding.unwrap_or(WINDOWS_1252);
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    let replaced = if had_errors {
        text.matches('\u{fffd}').count() as u64
    } else {
        0
    };
    Decoded { text, replaced }
}

/// The encoding that a byte order mark announces, if it is UTF-16, and the length of the mark of any encoding.
pub(crate) fn marked(start: &[u8]) -> (Option<&'static Encoding>, usize) {
    match Encoding::for_bom(start) {
        Some((encoding, length)) => (Some(encoding).filter(|one| *one != UTF_8), length),
        None => (None, 0),
    }
}

/// Text in UTF-16 with a byte order mark; `None` if it is something else.
pub(crate) fn from_utf16(bytes: &[u8]) -> Option<String> {
    let (encoding, length) = marked(bytes);
    let (text, _) = encoding?.decode_without_bom_handling(&bytes[length..]);
    Some(text.into_owned())
}

/// Finds the encoding that an XML file declares in its first line.
pub(crate) fn declared_xml(start: &[u8]) -> Option<&'static Encoding> {
    let line = start.split(|byte| *byte == b'>').next()?;
    line.starts_with(b"<?xml").then(|| declared(line)).flatten()
}

/// Finds the encoding that the start of a text declares: `encoding="..."` of XML, or `charset=...` of HTML.
fn declared(start: &[u8]) -> Option<&'static Encoding> {
    /// Declarations are near the beginning, behind the header of a web page.
    const LENGTH: usize = 4096;
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
