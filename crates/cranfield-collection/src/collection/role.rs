//! What a file of a folder is: documents, topics, judgements or something else, by its name and its first bytes.

use std::path::Path;

use cranfield_io::{Counter, Error, Members, Stream};
use serde_json::{Map, Value};

use crate::documents::{DocumentFormat, files, jsonl};
use crate::encoding;

/// Bytes of a file that are looked at.
const HEAD: usize = 1 << 16;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Documents in a format that was detected.
    Documents(DocumentFormat),
    /// Topics.
    Topics,
    /// Judgements.
    Qrels,
    /// Columns like those of judgements, under a name that does not say so.
    Columns,
    /// A file without content whose name is that of topics.
    EmptyTopics,
    /// A file without content whose name is that of judgements.
    EmptyQrels,
    /// Text that is a document only if nothing else is.
    Text,
    /// Notes, lists of stop words, programs: text that is not part of a collection, by its name.
    Other,
    /// Runs, results and binary files.
    Foreign,
}

/// What the name of a file or a folder suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Qrels,
    Topics,
    Documents,
    Other,
}

/// What the content of a file suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Documents(DocumentFormat),
    Topics,
    Judgements,
    /// JSON that has no documents, such as results.
    Json,
    Text,
    /// A run or binary data.
    Foreign,
    Nothing,
}

/// The role of a file; `relative` is its path in the folder of the collection. A file that cannot be read is an error, because it may
/// have any role.
pub(super) fn of(path: &Path, relative: &Path) -> Result<Role, Error> {
    let hint = hint(relative);
    if hint == Some(Hint::Other) {
        return Ok(Role::Other);
    }
    Ok(match (content(path)?, hint) {
        (Content::Nothing, Some(Hint::Topics)) => Role::EmptyTopics,
        (Content::Nothing, Some(Hint::Qrels)) => Role::EmptyQrels,
        (Content::Nothing, _) => Role::Other,
        (Content::Foreign, _) => Role::Foreign,
        (Content::Judgements, Some(Hint::Qrels)) => Role::Qrels,
        (Content::Judgements, _) => Role::Columns,
        (Content::Topics, _) | (_, Some(Hint::Topics)) => Role::Topics,
        // Judgements are never marked up like this, whatever the name suggests.
        (Content::Documents(format @ (DocumentFormat::Trec | DocumentFormat::Smart)), _) => {
            Role::Documents(format)
        }
        (_, Some(Hint::Qrels)) => Role::Qrels,
        (Content::Documents(format), _) => Role::Documents(format),
        (Content::Json, Some(Hint::Documents)) => Role::Documents(DocumentFormat::Jsonl),
        (Content::Json, _) => Role::Foreign,
        (Content::Text, _) => Role::Text,
    })
}

/// Whether a name is that of topics or judgements.
pub(super) fn is_named_apart(name: &Path) -> bool {
    matches!(hint(name), Some(Hint::Topics | Hint::Qrels))
}

/// The hint of the last part of a path that gives one.
fn hint(relative: &Path) -> Option<Hint> {
    let parts = relative.components().rev();
    let names = parts.map(|part| part.as_os_str().to_string_lossy().to_lowercase());
    names.enumerate().find_map(|(depth, name)| {
        if depth == 0 && is_other(&name) {
            Some(Hint::Other)
        } else {
            hint_of(&name)
        }
    })
}

fn hint_of(name: &str) -> Option<Hint> {
    let contains = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let has_part = |parts: &[&str]| {
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| parts.contains(&word))
    };
    if contains(&["qrel", "judgement", "judgment", "rlv-ass"]) || has_part(&["rel", "relevance"]) {
        Some(Hint::Qrels)
    } else if contains(&["topic", "quer", "testset"]) || has_part(&["qry", "que", "top"]) {
        Some(Hint::Topics)
    } else if contains(&["doc", "corpus", "collection", "passage", "article"]) || has_part(&["all"])
    {
        Some(Hint::Documents)
    } else {
        None
    }
}

/// Files that accompany collections: notes, programs, stop words, Boolean queries, citations, and what is out of date.
fn is_other(name: &str) -> bool {
    const EXTENSIONS: [&str; 16] = [
        "md", "pdf", "py", "sh", "pl", "toml", "yaml", "yml", "stp", "bln", "old", "bak", "md5",
        "sha256", "run", "npy",
    ];
    const WORDS: [&str; 8] = [
        "readme",
        "license",
        "licence",
        "stopword",
        "stop_word",
        "common_words",
        "cite.info",
        "copyright",
    ];
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
    files::is_skipped_file(name)
        || name.starts_with('.')
        || name.ends_with('~')
        || EXTENSIONS.contains(&extension)
        || WORDS.iter().any(|word| name.contains(word))
}

/// What the content of a file suggests; of an archive, that of the first file in it that suggests more than text.
fn content(path: &Path) -> Result<Content, Error> {
    /// Files of an archive that are looked at.
    const FILES: usize = 50;
    let mut members = Members::open(path, &Counter::default())?;
    let mut found = Content::Nothing;
    for _ in 0..FILES {
        let Some(mut member) = members.next()? else {
            break;
        };
        if member.name.as_deref().is_some_and(is_other_member) {
            continue;
        }
        match content_of(&mut member.stream)? {
            Content::Nothing => {}
            Content::Foreign if found == Content::Text => {}
            content @ (Content::Text | Content::Foreign) => found = content,
            content => return Ok(content),
        }
    }
    Ok(found)
}

/// Whether a file of an archive is none of the collection's, by its path in it.
fn is_other_member(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    files::is_skipped_member(path) || is_other(&name.to_lowercase())
}

fn content_of(stream: &mut Stream) -> Result<Content, Error> {
    let mut head = Vec::new();
    stream.read_into(&mut head, HEAD)?;
    let head = encoding::from_utf16(&head).map_or(head, String::into_bytes);
    if head.trim_ascii().is_empty() {
        return Ok(Content::Nothing);
    }
    if is_topics(&head) {
        return Ok(Content::Topics);
    }
    let format = DocumentFormat::detect(&head, stream.name());
    // Documents with tags may have a stray NUL.
    let is_marked = matches!(format, Some(DocumentFormat::Trec | DocumentFormat::Smart));
    if head.contains(&0) && !is_marked {
        return Ok(Content::Foreign);
    }
    if let Some(content) = columns(&head) {
        return Ok(content);
    }
    Ok(match format {
        Some(DocumentFormat::Jsonl) if !has_records(&head) => Content::Json,
        Some(format) => Content::Documents(format),
        None => Content::Text,
    })
}

/// Whether the first tags are those of topics.
fn is_topics(head: &[u8]) -> bool {
    const TAGS: [&[u8]; 5] = [b"top", b"topic", b"topics", b"queries", b"query"];
    let head = head.trim_ascii_start();
    if !head.starts_with(b"<") {
        return false;
    }
    for at in memchr::memchr_iter(b'<', head) {
        let rest = &head[at + 1..];
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric();
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        if name == b"doc" {
            return false;
        }
        if TAGS.contains(&name.as_slice()) {
            return true;
        }
    }
    false
}

/// Whether one of the first lines is a JSON object with an id. The first may be longer than what is looked at.
fn has_records(head: &[u8]) -> bool {
    /// Lines that are looked at.
    const LINES: usize = 5;
    if head.len() >= HEAD && !head.contains(&b'\n') {
        return true;
    }
    let has_id = |line: &[u8]| {
        let object: Option<Map<String, Value>> = serde_json::from_slice(line).ok();
        object.is_some_and(|object| jsonl::ID.iter().any(|name| object.contains_key(*name)))
    };
    let lines = head.split(|byte| *byte == b'\n');
    lines.take(LINES).any(has_id)
}

/// Whether the first lines have the columns of judgements or of a run.
fn columns(head: &[u8]) -> Option<Content> {
    /// Lines that are looked at.
    const LINES: usize = 50;
    let mut lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').collect();
    if head.len() >= HEAD {
        // The last line is not complete.
        lines.pop();
    }
    let fields = |line: &&[u8]| -> Vec<Vec<u8>> {
        let fields = line.split(u8::is_ascii_whitespace);
        fields
            .filter(|field| !field.is_empty())
            .map(<[u8]>::to_vec)
            .collect()
    };
    let rows = lines.iter().map(fields);
    let rows = rows.filter(|row| !row.is_empty() && !row[0].starts_with(b"#"));
    let rows: Vec<Vec<Vec<u8>>> = rows.take(LINES).collect();
    let first = rows.first()?;
    if first.starts_with(&[b"query-id".to_vec(), b"corpus-id".to_vec()]) {
        return Some(Content::Judgements);
    }
    let count = first.len();
    let all =
        |is: &dyn Fn(&[Vec<u8>]) -> bool| rows.iter().all(|row| row.len() == count && is(row));
    match count {
        3 | 4 if all(&|row| is_grade(&row[count - 1])) => Some(Content::Judgements),
        6 if all(&|row| is_number(&row[3]) && is_number(&row[4])) => Some(Content::Foreign),
        _ => None,
    }
}

fn is_number(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// A number, or one of NTCIR's grades such as `L2`.
fn is_grade(text: &[u8]) -> bool {
    is_number(text.strip_prefix(b"L").unwrap_or(text))
}
