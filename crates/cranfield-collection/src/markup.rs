//! A tolerant scanner of SGML, XML and HTML.
//!
//! It never fails: what is not a tag is text. Tags need not be closed or nested, and `<` and `&` may stand for themselves.

use memchr::{memchr, memchr2, memmem, memrchr};

use crate::entities;

/// A piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Text, with its entities.
    Text(&'a str),
    /// An opening tag, and its attributes as they are.
    Open { name: &'a str, attributes: &'a str },
    /// A closing tag.
    Close(&'a str),
}

/// The tokens of a text. Comments, declarations and processing instructions are skipped.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// Behind the last `>`: nothing from there on is a tag.
    end: usize,
    /// Whether a search for the end of a comment or of a document type was in vain. It is not repeated, because a text with many
    /// beginnings would take time quadratic in its length.
    no_comment_end: bool,
    no_bracket_end: bool,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let last = memrchr(b'>', text.as_bytes());
        Self {
            text,
            at: 0,
            end: last.map_or(0, |last| last + 1),
            no_comment_end: false,
            no_bracket_end: false,
        }
    }

    /// Place of the next token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Skips to a place, which must be the start or the end of a token.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.at = at.min(self.text.len());
    }

    /// The end of the declaration that begins at `at`: a comment, a document type or a processing instruction. `None` if it is
    /// text.
    fn declaration(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[at..self.end];
        if rest.starts_with(b"<!--") {
            let length = if self.no_comment_end {
                None
            } else {
                memmem::find(&rest[4..], b"-->")
            };
            self.no_comment_end = length.is_none();
            return Some(at + 4 + length? + 3);
        }
        if rest.starts_with(b"<![CDATA[") {
            return Some(at + 9);
        }
        if !rest.get(2)?.is_ascii_alphabetic() {
            return None;
        }
        let end = memchr(b'>', rest)?;
        // The inner part of a document type is in brackets and has declarations itself.
        if memchr(b'[', &rest[..end]).is_some() && !self.no_bracket_end {
            if let Some(end) = memmem::find(rest, b"]>") {
                return Some(at + end + 2);
            }
            self.no_bracket_end = true;
        }
        Some(at + end + 1)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        let mut from = start;
        while let Some(found) = bytes
            .get(from..self.end)
            .and_then(|rest| memchr(b'<', rest))
        {
            let at = from + found;
            let is_declaration = matches!(bytes.get(at + 1), Some(b'!' | b'?'));
            let (token, end) = if is_declaration {
                (None, self.declaration(at))
            } else {
                tag(self.text, at).map_or((None, None), |(token, end)| (Some(token), Some(end)))
            };
            let Some(end) = end else {
                from = at + 1;
                continue;
            };
            if at > start {
                self.at = at;
                return Some(Token::Text(&self.text[start..at]));
            }
            self.at = end;
            if token.is_some() {
                return token;
            }
            (start, from) = (end, end);
        }
        self.at = bytes.len();
        (start < bytes.len()).then(|| Token::Text(&self.text[start..]))
    }
}

/// The tag that begins at `at` and its end. `None` if it is text.
fn tag(text: &str, at: usize) -> Option<(Token<'_>, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at + 1) == Some(&b'/') {
        let (name, end) = tag_name(text, at + 2)?;
        return Some((Token::Close(name), at_end(bytes, end)?));
    }
    let (name, end) = tag_name(text, at + 1)?;
    let close = at_end(bytes, end)?;
    let attributes = &text[end..close - 1];
    Some((Token::Open { name, attributes }, close))
}

/// The name of a tag, which begins with a letter, and its end.
fn tag_name(text: &str, start: usize) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    if !bytes.get(start)?.is_ascii_alphabetic() {
        return None;
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:.".contains(byte);
    let length = bytes[start..].iter().position(|byte| !is_name(byte))?;
    let end = start + length;
    let is_end = matches!(bytes[end], b'>' | b'/') || bytes[end].is_ascii_whitespace();
    is_end.then(|| (&text[start..end], end))
}

/// The end of a tag: behind the next `>`, unless another tag begins before it. Quoted values may have both.
fn at_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let found = from
            + bytes
                .get(from..)?
                .iter()
                .position(|byte| b"<>\"'".contains(byte))?;
        match bytes[found] {
            b'>' => return Some(found + 1),
            b'<' => return None,
            // Only a value is quoted; an apostrophe elsewhere is a stray one.
            quote if bytes[..found].trim_ascii_end().ends_with(b"=") => {
                from = match memchr2(quote, b'\n', &bytes[found + 1..]) {
                    Some(end) if bytes[found + 1 + end] == quote => found + end + 2,
                    _ => found + 1,
                };
            }
            _ => from = found + 1,
        }
    }
}

/// The value of an attribute.
pub(crate) fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, next) = match after.as_bytes().first() {
            Some(&quote @ (b'"' | b'\'')) => {
                let inner = &after[1..];
                inner.split_once(char::from(quote)).unwrap_or((inner, ""))
            }
            _ => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        let key = key
            .trim()
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        if key.eq_ignore_ascii_case(name) {
            let mut text = String::new();
            push_text(&mut text, value.trim_end_matches('/'));
            return Some(text.trim().to_owned());
        }
        rest = next;
    }
    None
}

/// Appends text with its entities decoded. Unknown entities become a space; a bare `&` stays.
pub(crate) fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (decoded, length) = entity(rest);
        match decoded {
            Decoded::Name(text) => out.extend(text),
            Decoded::Char(c) => out.push(c),
        }
        rest = &rest[length..];
    }
    out.push_str(rest);
}

enum Decoded {
    Name(entities::Text),
    Char(char),
}

/// The entity at the start of the text, and its length.
fn entity(text: &str) -> (Decoded, usize) {
    /// The longest name in the table has 31 bytes.
    const LONGEST: usize = 40;
    let bytes = &text.as_bytes()[..text.len().min(LONGEST)];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let end = bytes[1..]
        .iter()
        .position(|byte| !is_name(byte))
        .map(|length| length + 1);
    let Some(end) = end.filter(|end| *end > 1 && bytes[*end] == b';') else {
        return (Decoded::Char('&'), 1);
    };
    let name = &text[1..end];
    let decoded = match name.strip_prefix('#') {
        Some(number) => Decoded::Char(numeric(number).unwrap_or(' ')),
        None => named(name),
    };
    (decoded, end + 1)
}

fn named(name: &str) -> Decoded {
    // A space on TREC's disks, and a symbol for a space in HTML.
    if name == "blank" {
        return Decoded::Char(' ');
    }
    entities::text(name).map_or(Decoded::Char(' '), Decoded::Name)
}

fn numeric(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    // Numbers of windows-1252 were written as if they were Unicode.
    if let Ok(byte @ 0x80..=0x9f) = u8::try_from(code) {
        return encoding_rs::WINDOWS_1252.decode(&[byte]).0.chars().next();
    }
    char::from_u32(code).filter(|c| !c.is_control() || c.is_whitespace())
}

/// Whether a name is that of a tag, in any case.
pub(crate) fn is_tag(name: &str, known: &str) -> bool {
    name.eq_ignore_ascii_case(known)
}

/// Appends a space unless there is one.
pub(crate) fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(char::is_whitespace) {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Tokens::new(text).collect()
    }

    fn open(name: &'static str, attributes: &'static str) -> Token<'static> {
        Token::Open { name, attributes }
    }

    #[test]
    fn tags_and_what_only_looks_like_them() {
        let found = tokens("a < b <i>c</i> <d<e f='>'>&<!-- x > --><![CDATA[g<3>]]");
        let expected = [
            Token::Text("a < b "),
            open("i", ""),
            Token::Text("c"),
            Token::Close("i"),
            Token::Text(" <d"),
            open("e", " f='>'"),
            Token::Text("&"),
            Token::Text("g<3>]]"),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            tokens("<!DOCTYPE x [ <!ELEMENT y (z)> ]><t>"),
            [open("t", "")]
        );
        assert_eq!(tokens("<a <b"), [Token::Text("<a <b")]);
        assert_eq!(
            tokens("<!-- never closed <p>"),
            [Token::Text("<!-- never closed "), open("p", "")]
        );
    }

    #[test]
    fn entities() {
        let decoded = |text: &str| {
            let mut out = String::new();
            push_text(&mut out, text);
            out
        };
        assert_eq!(
            decoded("&lt;&eacute;&#65;&#x42;&#150;AT&T &;&hyph;&blank;x"),
            "<\u{e9}AB\u{2013}AT&T &;  x"
        );
        assert_eq!(decoded("&#0;&#xd800;&#99999999999;"), "   ");
    }

    #[test]
    fn attributes() {
        let value = |name| attribute(" id='a b' number = \"7\" type=x/", name);
        assert_eq!(value("id").as_deref(), Some("a b"));
        assert_eq!(value("NUMBER").as_deref(), Some("7"));
        assert_eq!(value("type").as_deref(), Some("x"));
        assert_eq!(value("none"), None);
    }

    /// Beginnings without an end must not take time quadratic in their number, nor a call each.
    #[test]
    fn many_beginnings_take_linear_time() {
        for piece in [
            "<!--", "<!a", "<!a>", "<a ", "<?x [>", "</b", "<c d=\"", "&",
        ] {
            let text = piece.repeat(1_000_000) + ">";
            assert!(Tokens::new(&text).count() <= 1_000_001, "{piece}");
        }
    }
}
