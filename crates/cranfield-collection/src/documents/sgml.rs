//! TREC documents: SGML that is hardly ever valid.
//!
//! A document begins with `<DOC>` and ends with `</DOC>` or the next `<DOC>`. Fields are the elements in it. Elements with the
//! name of a field that is indexed are fields at any depth; others only directly below the document.

use cranfield_io::Error;

use super::window::Window;
use super::{Record, RecordReader, html};
use crate::document::{Document, TextFields};
use crate::encoding;
use crate::markup::{self, Token, Tokens, is_tag};

/// Elements that name the document, the most specific first.
const ID: [&str; 4] = ["docno", "docid", "id", "recno"];
/// Elements that are not text: ids, and headers of web pages.
const NOT_TEXT: [&str; 7] = [
    "docno",
    "docid",
    "dochdr",
    "docoldno",
    "docno_old",
    "fileid",
    "dbs",
];

/// Elements with text, as in Anserini. Others, such as `BODY`, may have them inside.
const TEXT: [&str; 10] = [
    "text", "headline", "title", "hl", "head", "ttl", "dd", "date", "lp", "leadpara",
];

/// A reader of TREC documents.
pub(super) struct Sgml {
    pub(super) text: TextFields,
}

impl RecordReader for Sgml {
    fn next(&mut self, window: &mut Window) -> Result<Option<Record>, Error> {
        let Some(start) = window.search(0, |bytes| find_tag(bytes, false))? else {
            return Ok(None);
        };
        window.consume(start);
        let found = window.search(1, |bytes| find_tag(bytes, true))?;
        let end = found.unwrap_or(window.bytes().len());
        let decoded = encoding::decode(&window.bytes()[..end], window.declared);
        let replaced = decoded.replaced;
        let mut document = parse(&decoded.text, &self.text);
        document.place = window.place().clone();
        window.consume(end);
        Ok(Some(Record::Document { document, replaced }))
    }
}

/// Finds `<DOC` in any case, followed by `>` or white space; with `or_closing`, also `</DOC`.
fn find_tag(bytes: &[u8], or_closing: bool) -> Result<usize, usize> {
    /// Bytes of `</DOC>`.
    const LENGTH: usize = 6;
    for at in memchr::memchr_iter(b'<', bytes) {
        let rest = &bytes[at + 1..];
        let rest = match rest.strip_prefix(b"/") {
            Some(_) if !or_closing => continue,
            Some(rest) => rest,
            None => rest,
        };
        let is_doc = rest
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case(b"doc"));
        if is_doc
            && rest
                .get(3)
                .is_some_and(|end| *end == b'>' || end.is_ascii_whitespace())
        {
            return Ok(at);
        }
    }
    Err(LENGTH)
}

/// Parses a document, from its tag on.
pub(crate) fn parse(record: &str, text: &TextFields) -> Document {
    let mut builder = Builder {
        text,
        document: Document::default(),
        id_rank: ID.len(),
        field: None,
        others: String::new(),
        unclosed: Vec::new(),
    };
    let mut tokens = Tokens::new(record);
    if let Some(Token::Open { attributes, .. }) = tokens.next() {
        let id = markup::attribute(attributes, "id").or(markup::attribute(attributes, "docno"));
        builder.document.id = id.unwrap_or_default();
    }
    let body = &record[tokens.offset()..];
    if html::is_page(body) {
        return builder.page(body);
    }
    while let Some(token) = tokens.next() {
        builder.token(token, &mut tokens, record);
    }
    builder.finish()
}

/// A document while it is parsed.
struct Builder<'t> {
    text: &'t TextFields,
    document: Document,
    /// Place in [`ID`] of the element that gave the id.
    id_rank: usize,
    /// The open field: its tag and its place in the fields.
    field: Option<(String, usize)>,
    /// Text outside of fields.
    others: String,
    /// Names of elements that were not closed; looking for the end of each again would take quadratic time.
    unclosed: Vec<String>,
}

impl Builder<'_> {
    fn token<'a>(&mut self, token: Token<'a>, tokens: &mut Tokens<'a>, record: &'a str) {
        match token {
            Token::Text(text) => markup::push_text(self.out(), text),
            Token::Open { name, .. } => {
                let rank = ID.iter().position(|known| is_tag(name, known));
                if let Some(rank) = rank.filter(|rank| *rank < self.id_rank) {
                    self.take_id(name, rank, tokens, record);
                } else if NOT_TEXT.iter().any(|known| is_tag(name, known)) {
                    self.skip(name, tokens);
                } else {
                    self.open(name);
                }
            }
            Token::Close(name) => self.close(name),
        }
    }

    /// Skips an element, unless one with its name was not closed.
    fn skip(&mut self, name: &str, tokens: &mut Tokens<'_>) {
        let is_unclosed = self.unclosed.iter().any(|known| is_tag(name, known));
        if !is_unclosed && !skip_element(name, tokens) {
            self.unclosed.push(name.to_owned());
        }
    }

    /// Takes the text up to the next tag as the id.
    fn take_id<'a>(&mut self, name: &str, rank: usize, tokens: &mut Tokens<'a>, record: &'a str) {
        let start = tokens.offset();
        self.skip(name, tokens);
        if tokens.offset() == start {
            let line = record[start..].find('\n');
            tokens.skip_to(line.map_or(start, |length| start + length));
        }
        let element = &record[start..tokens.offset()];
        let end = element.find('<').unwrap_or(element.len());
        let id = element[..end].trim();
        // The attribute of the document is as good as an element `DOCNO`.
        if !id.is_empty() && (self.document.id.is_empty() || rank == 0) {
            id.clone_into(&mut self.document.id);
            self.id_rank = rank;
        }
    }

    /// Begins a field, unless the tag is a part of the open one.
    fn open(&mut self, name: &str) {
        let is_inner = match &self.field {
            None => false,
            Some((open, _)) => self.is_text(open) || !self.is_text(name),
        };
        if is_inner {
            markup::push_space(self.out());
            return;
        }
        let name = name.to_ascii_lowercase();
        self.document.fields.push((name.clone(), String::new()));
        self.field = Some((name, self.document.fields.len() - 1));
    }

    fn close(&mut self, name: &str) {
        if self
            .field
            .as_ref()
            .is_some_and(|(open, _)| is_tag(name, open))
        {
            self.field = None;
        } else {
            markup::push_space(self.out());
        }
    }

    /// The text of the open field.
    fn out(&mut self) -> &mut String {
        let field = self.field.as_ref();
        let text = field.and_then(|(_, at)| self.document.fields.get_mut(*at));
        match text {
            Some((_, text)) => text,
            None => &mut self.others,
        }
    }

    fn page(mut self, body: &str) -> Document {
        let page = html::parse(body);
        let id = page.id.filter(|id| !id.is_empty());
        self.document.id = id.unwrap_or(self.document.id);
        self.document.fields = page.fields;
        self.document.selected = super::selected(self.text, &self.document.fields);
        self.document
    }

    /// Whether a tag has text that is indexed.
    fn is_text(&self, name: &str) -> bool {
        let is_known = |known: &&str| is_tag(name, known);
        match self.text {
            TextFields::Usual => TEXT.iter().any(is_known),
            TextFields::All => true,
            TextFields::Named(names) => names
                .iter()
                .map(String::as_str)
                .any(|known| is_known(&known)),
        }
    }

    fn finish(mut self) -> Document {
        for (_, text) in &mut self.document.fields {
            trim(text);
        }
        let fields = self.document.fields.iter().enumerate();
        let with_text = fields.filter(|(_, (name, text))| !text.is_empty() && self.is_text(name));
        let mut selected: Vec<usize> = with_text.map(|(at, _)| at).collect();
        // A document without such elements is text as a whole.
        if matches!(self.text, TextFields::All) || selected.is_empty() {
            trim(&mut self.others);
            if !self.others.is_empty() {
                self.document.fields.push(("text".into(), self.others));
            }
            selected = (0..self.document.fields.len()).collect();
        }
        self.document.selected = Some(selected);
        self.document
    }
}

/// Skips to the end of an element, or to the next tag if it is not closed; false in that case.
fn skip_element(name: &str, tokens: &mut Tokens<'_>) -> bool {
    let start = tokens.offset();
    let mut next_tag = None;
    loop {
        let before = tokens.offset();
        match tokens.next() {
            None => break,
            Some(Token::Close(close)) if is_tag(close, name) => return true,
            Some(Token::Text(_)) => {}
            Some(_) => {
                next_tag.get_or_insert(before);
            }
        }
    }
    tokens.skip_to(next_tag.unwrap_or(start));
    false
}

fn trim(text: &mut String) {
    text.truncate(text.trim_end().len());
    let start = text.len() - text.trim_start().len();
    text.drain(..start);
}
