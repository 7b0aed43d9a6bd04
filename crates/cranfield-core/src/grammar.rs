//! The grammar of names of measures and vectors, without the names themselves.
//!
//! ```text
//! list      = item { [","] item }
//! canonical = NAME [ "(" [ KEY "=" VALUE { "," KEY "=" VALUE } ] ")" ] [ "@" NUMBER ]
//! VALUE     = NUMBER | WORD | "'" any text without quotes "'" (or double quotes)
//! ```

use std::fmt;

use crate::error::{Error, shown};
use crate::measure::BoundMeasure;
use crate::small_sort::SmallSort;

/// Maximum length of a list of names, as a guard against hostile input.
pub const MAX_TEXT: usize = 1 << 16;

/// Reads an item of a list as one name, or else as several names with commas between them.
pub fn read_names<T>(
    item: &str,
    read: impl Fn(&str) -> Result<Vec<T>, Error>,
) -> Result<Vec<T>, Error> {
    read(item).or_else(|error| {
        let names = split_names(item);
        if names.len() < 2 {
            return Err(error);
        }
        let found: Result<Vec<_>, _> = names.iter().map(|name| read(name)).collect();
        Ok(found?.into_iter().flatten().collect())
    })
}

/// Splits `AP,P.5,10,RR` into `AP`, `P.5,10` and `RR`: a number after a comma belongs to the name before it, as in `trec_eval`.
pub fn split_names(item: &str) -> Vec<String> {
    let is_number =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| b"0123456789.=+-".contains(&byte));
    let mut names: Vec<String> = Vec::new();
    for part in split_outside(item, |byte| byte == b',') {
        match names.last_mut() {
            Some(name) if is_number(part) => *name += &format!(",{part}"),
            _ if part.is_empty() => {}
            _ => names.push(part.into()),
        }
    }
    names
}

/// The syntactic parts of a canonical name.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The name, without parameters and cutoff.
    pub name: String,
    /// Names and values of the parameters.
    pub arguments: Vec<(String, String)>,
    /// The part after `@`.
    pub cutoff: Option<String>,
}

/// The text that has these parts.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = self.arguments.iter();
        let arguments: Vec<_> = arguments
            .map(|(key, value)| format!("{key}='{value}'"))
            .collect();
        write!(f, "{}({})", self.name, arguments.join(", "))?;
        match &self.cutoff {
            Some(cutoff) => write!(f, "@{cutoff}"),
            None => Ok(()),
        }
    }
}

impl Spec {
    /// The parts of a measure's canonical name.
    pub fn of(measure: &BoundMeasure) -> Self {
        let params = &measure.params;
        Self {
            name: measure.info.name.into(),
            arguments: params.explicit(measure.info),
            cutoff: params.at(),
        }
    }

    /// Splits a canonical name into its parts.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let name_end = text.find(['(', '@']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(name_end);
        let name = name.trim();
        if name.is_empty() {
            return Err(Error::syntax(format!(
                "`{}` does not start with a measure's name",
                shown(text)
            )));
        }
        let mut arguments = Vec::new();
        if let Some(inner) = rest.strip_prefix('(') {
            let close = closing_parenthesis(inner).ok_or_else(|| {
                Error::syntax(format!("`{}` lacks a closing parenthesis", shown(text)))
            })?;
            arguments = parse_arguments(&inner[..close])?;
            rest = &inner[close + 1..];
        }
        let cutoff = match rest.trim() {
            "" => None,
            tail => Some(tail.strip_prefix('@').map(str::trim).ok_or_else(|| {
                Error::syntax(format!(
                    "expected `@` and a cutoff after `{}`, found `{}`",
                    shown(name),
                    shown(tail)
                ))
            })?),
        };
        Ok(Self {
            name: name.into(),
            arguments,
            cutoff: cutoff.map(Into::into),
        })
    }
}

/// Position of the `)` that is not inside quotes.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.bytes().position(|byte| {
        quoted ^= byte == b'\'';
        byte == b')' && !quoted
    })
}

fn parse_arguments(text: &str) -> Result<Vec<(String, String)>, Error> {
    let mut arguments = Vec::new();
    if text.trim().is_empty() {
        return Ok(arguments);
    }
    for part in split_outside(text, |byte| byte == b',') {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| not_an_argument(part.trim()))?;
        let value = value.trim();
        let value = value
            .strip_prefix('\'')
            .and_then(|v| v.strip_suffix('\''))
            .unwrap_or(value);
        if value.contains('\'') {
            return Err(Error::syntax(format!(
                "unbalanced quotes in `{}`",
                shown(part.trim())
            )));
        }
        arguments.push((key.trim().into(), value.into()));
    }
    Ok(arguments)
}

fn not_an_argument(part: &str) -> Error {
    let hint = match part.parse::<f64>() {
        Ok(_) => "; put a list in quotes, such as gains='0,1,10'",
        Err(_) => "",
    };
    Error::syntax(format!(
        "`{}` is not of the form name=value{hint}",
        shown(part)
    ))
}

/// Splits at bytes for which `is_separator` holds, outside of quotes and parentheses.
fn split_outside(text: &str, is_separator: impl Fn(u8) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted, mut depth) = (0, false, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\'' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            byte if !quoted && depth == 0 && is_separator(byte) => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Splits a list at white space outside of quotes and parentheses, and removes commas from the ends of items.
pub fn split_items(text: &str) -> Result<Vec<&str>, Error> {
    let mut items = split_outside(text, |byte| byte.is_ascii_whitespace());
    // An unclosed quote or parenthesis reaches to the end of the text.
    if let Some(what) = items.last().and_then(|last| unclosed(last)) {
        return Err(Error::syntax(format!(
            "unclosed {what} in `{}`",
            shown(text)
        )));
    }
    items.retain_mut(|item| {
        *item = item.trim_matches(',');
        !item.is_empty()
    });
    Ok(items)
}

/// The kind of bracket that is left open, if any.
fn unclosed(text: &str) -> Option<&'static str> {
    let (mut quoted, mut depth) = (false, 0usize);
    for byte in text.bytes() {
        match byte {
            b'\'' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    match (quoted, depth) {
        (true, _) => Some("quote"),
        (false, 0) => None,
        (false, _) => Some("parenthesis"),
    }
}

/// Maximum length of a name for which similar ones are searched.
const MAX_SIMILAR: usize = 60;

/// At most three of the known names that are close to this one, the nearest first.
pub fn similar<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    if name.len() > MAX_SIMILAR {
        return Vec::new();
    }
    let wanted = name.to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for known in known {
        let distance = strsim::damerau_levenshtein(&wanted, &known.to_ascii_lowercase());
        let close = distance <= 1 + known.len().min(wanted.len()) / 3;
        if close
            && !near
                .iter()
                .any(|(_, other)| other.eq_ignore_ascii_case(known))
        {
            near.push((distance, known));
        }
    }
    near.small_sort_by_key(|(distance, _)| *distance);
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The name that another one was most likely meant to be.
///
/// ```
/// use cranfield_core::grammar::nearest_name;
/// assert_eq!(nearest_name("alhpa", &["alpha", "margin"]), Some("alpha"));
/// assert_eq!(nearest_name("x", &["alpha", "margin"]), None);
/// ```
pub fn nearest_name<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    if name.len() > MAX_SIMILAR {
        return None;
    }
    let wanted = name.to_ascii_lowercase();
    let distance = |known: &&str| strsim::damerau_levenshtein(&wanted, &known.to_ascii_lowercase());
    let nearest = known.iter().copied().min_by_key(distance)?;
    let close = distance(&nearest) <= 1 + nearest.len().min(wanted.len()) / 3;
    (close && distance(&nearest) < nearest.len()).then_some(nearest)
}
