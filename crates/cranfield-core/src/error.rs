//! The one error of this crate: what was wrong with a name or a parameter, and what would be right.

use std::fmt;

/// What kind of mistake an [`Error`] reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text does not follow the grammar of measure names.
    Syntax,
    /// No measure, profile or policy has this name.
    UnknownName,
    /// A parameter is unknown, missing, or has a value outside its range.
    Parameter,
}

/// An error of `cranfield-core`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    pub(crate) fn syntax(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Syntax, message)
    }

    /// An error for an unknown name.
    pub fn unknown(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::UnknownName, message)
    }

    /// The error for a name that is none of those that there are.
    pub fn unknown_among(what: &str, text: &str, known: &[&str]) -> Self {
        let known = known.join(", ");
        Self::unknown(format!("unknown {what} `{text}`; one of: {known}"))
    }

    /// A parameter with a value outside its range.
    pub fn parameter(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Parameter, message)
    }

    /// What kind of mistake this is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Longest piece of the user's text that an error repeats, in characters.
const MAX_SHOWN: usize = 60;

/// The user's text as an error repeats it: cut if it is long.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shown("abc"), "abc");
        assert_eq!(shown(&"ä".repeat(60)), "ä".repeat(60));
        assert_eq!(shown(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }

    #[test]
    fn an_error_is_its_message() {
        let error = Error::syntax("unclosed quote");
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Syntax, "unclosed quote")
        );
    }
}
