//! The error type of this crate: what is wrong with a name or a parameter, and what is expected.

use std::fmt;

use crate::setting::{Message, SettingStyle};

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name does not follow the grammar of measure names.
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
    message: Message,
}

impl Error {
    /// An error of a kind.
    pub fn new(kind: ErrorKind, message: impl Into<Message>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// An error in the form of a name.
    pub fn syntax(message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Syntax, message)
    }

    /// An error for an unknown name.
    pub fn unknown(message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::UnknownName, message)
    }

    /// The error for an unknown name; lists the known ones.
    pub fn unknown_among(what: &str, text: &str, known: &[&str]) -> Self {
        let known = known.join(", ");
        Self::unknown(format!("unknown {what} `{text}`; one of: {known}"))
    }

    /// A parameter with a value outside its range.
    pub fn parameter(message: impl Into<Message>) -> Self {
        Self::new(ErrorKind::Parameter, message)
    }

    /// The kind of this error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The message, which can spell settings in another style than [`Display`](fmt::Display) does.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        self.message.render(style)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl std::error::Error for Error {}

/// Length at which errors truncate user input, in characters.
const MAX_SHOWN: usize = 60;

/// User input as errors quote it: truncated if it is long.
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
    fn long_input_is_truncated() {
        assert_eq!(shown("abc"), "abc");
        assert_eq!(shown(&"ä".repeat(60)), "ä".repeat(60));
        assert_eq!(shown(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }

    #[test]
    fn errors_display_their_message() {
        let error = Error::syntax("unclosed quote");
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (ErrorKind::Syntax, "unclosed quote")
        );
    }
}
