//! The error type of tuning.

use cranfield_compare::compare::CompareError;
use cranfield_core::setting::{Message, SettingStyle};

/// Why parameters cannot be tuned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The space or a point is not written as expected.
    #[error("{0}")]
    Space(String),
    /// The settings contradict each other or the topics.
    #[error("{0}")]
    Settings(Message),
    /// A file is invalid.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A name is unknown, such as that of a measure.
    #[error(transparent)]
    Name(#[from] cranfield_core::error::Error),
    /// The engine failed.
    #[error("at {point}: {message}")]
    Engine {
        /// The point.
        point: String,
        /// What went wrong.
        message: String,
    },
    /// The tuned point and the default cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

impl TuneError {
    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Settings(message) => message.render(style),
            Self::Name(error) => error.render(style),
            Self::Compare(error) => error.render(style),
            other => other.to_string(),
        }
    }
}
