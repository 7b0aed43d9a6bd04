//! The error type of this crate.

use cranfield_core::setting::{Message, Setting, SettingStyle};
use cranfield_io::quoted;

/// A fusion that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written, or is invalid.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// A method, normalisation or other setting is unknown or invalid.
    #[error(transparent)]
    Setting(#[from] cranfield_core::error::Error),
    /// The scores of a topic do not suit the settings.
    #[error("{0}")]
    Scores(Message),
    /// A run has a document twice in a topic.
    #[error("{0}")]
    Repeated(String),
}

impl Error {
    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Input(error) => error.to_string(),
            Self::Setting(error) => error.render(style),
            Self::Scores(message) => message.render(style),
            Self::Repeated(message) => message.clone(),
        }
    }

    pub(crate) fn not_positive(run: &str, topic: &[u8], max: f64) -> Self {
        let message = Message::from(format!(
            "run `{run}`, topic {}: the highest score is {max}, and dividing by it would distort the order; choose ",
            quoted(topic)
        ));
        Self::Scores(message.then(Setting::Norm.to("min-max")))
    }

    pub(crate) fn not_finite(topic: &[u8], doc: &[u8], score: f64) -> Self {
        Self::Scores(
            Message::from(format!(
                "topic {}: the fused score of document {} is {score}; scores are too large for ",
                quoted(topic),
                quoted(doc)
            ))
            .then(Setting::Norm)
            .then(" or the method"),
        )
    }

    pub(crate) fn repeated(run: &str, topic: &[u8], doc: &[u8]) -> Self {
        Self::Repeated(format!(
            "run `{run}`: document {} is in topic {} twice",
            quoted(doc),
            quoted(topic)
        ))
    }
}
