//! Web pages inside TREC documents, and as files.

use crate::markup::{self, Token, Tokens, is_tag};

/// Elements whose content is dropped.
const DROPPED: [&str; 6] = ["script", "style", "dochdr", "noscript", "docoldno", "url"];
/// Elements inside of a line; all others end a word.
const INLINE: [&str; 24] = [
    "a", "abbr", "acronym", "b", "bdo", "big", "cite", "code", "em", "font", "i", "kbd", "mark",
    "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
];
/// Where the tags that tell a page must be.
const START: usize = 4096;

/// A page: its id, if it is in a TREC document, and the fields `title` and `text`.
pub(super) struct Page {
    pub(super) id: Option<String>,
    pub(super) fields: Vec<(String, String)>,
}

/// Whether a document is a web page.
pub(super) fn is_page(body: &str) -> bool {
    let start = &body.as_bytes()[..body.len().min(START)];
    let names: [&[u8]; 3] = [b"dochdr>", b"html", b"!doctype html"];
    memchr::memchr_iter(b'<', start).any(|at| {
        let rest = &start[at + 1..];
        names.iter().any(|name| {
            rest.get(..name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name))
        })
    })
}

/// Parses a page.
pub(super) fn parse(body: &str) -> Page {
    let (mut id, mut title, mut text) = (None, String::new(), String::new());
    // Elements that were not closed; looking for the end of each again would take quadratic time.
    let mut unclosed: Vec<&str> = Vec::new();
    let mut tokens = Tokens::new(body);
    while let Some(token) = tokens.next() {
        let (Token::Open { name, .. } | Token::Close(name)) = token else {
            if let Token::Text(part) = token {
                markup::push_text(&mut text, part);
            }
            continue;
        };
        if !INLINE.iter().any(|known| is_tag(name, known)) {
            markup::push_space(&mut text);
        }
        let is_one_of = |names: &[&str]| names.iter().any(|known| is_tag(name, known));
        let is_taken = is_one_of(&DROPPED) || is_one_of(&["docno", "title"]);
        if matches!(token, Token::Close(_)) || !is_taken || is_one_of(&unclosed) {
            continue;
        }
        let Some(inner) = element(body, name, &mut tokens) else {
            unclosed.push(name);
            continue;
        };
        if is_tag(name, "docno") {
            id.get_or_insert_with(|| inner.trim().to_owned());
        } else if is_tag(name, "title") && title.is_empty() {
            markup::push_text(&mut title, inner);
        }
    }
    let fields = [("title", title), ("text", text)];
    let fields = fields
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty());
    let fields = fields.map(|(name, text)| (name.to_owned(), text.trim().to_owned()));
    Page {
        id,
        fields: fields.collect(),
    }
}

/// The content of an element, which is skipped. Its end is looked for as text, because scripts have `<` in them.
fn element<'a>(body: &'a str, name: &str, tokens: &mut Tokens<'a>) -> Option<&'a str> {
    let start = tokens.offset();
    let bytes = body.as_bytes();
    let ends = memchr::memmem::find_iter(&bytes[start..], b"</");
    let is_end = |at: &usize| {
        let from = start + at + 2;
        bytes
            .get(from..from + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    let end = ends.into_iter().find(is_end)?;
    let after = memchr::memchr(b'>', &bytes[start + end..]);
    tokens.skip_to(after.map_or(bytes.len(), |length| start + end + length + 1));
    Some(&body[start..start + end])
}
