//! Early exits: a status and a message for standard error.

use std::fmt;

/// An early exit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exit {
    /// Exit status.
    pub(super) code: u8,
    /// Message for standard error.
    pub(super) message: Vec<u8>,
}

/// Exit status for an invalid option, measure or number of files.
pub(super) const USAGE: u8 = 1;
/// Exit status for an invalid file, format or parameter.
pub(super) const INPUT: u8 = 2;
/// Exit status for a topic that cannot be evaluated.
pub(super) const CALCULATION: u8 = 4;
/// Exit status when output cannot be written.
pub(super) const OUTPUT: u8 = 6;
/// Exit status when no topic was evaluated.
pub(super) const NO_TOPIC: u8 = 7;
/// Exit status for contradictory preferences, on which the reference aborts.
pub(super) const ABORT: u8 = 134;
/// Exit status for an invalid file of z-scores.
pub(super) const ZSCORES: u8 = 255;

impl Exit {
    /// An exit with a message made of parts.
    pub(super) fn new(code: u8, parts: &[&[u8]]) -> Self {
        Self {
            code,
            message: parts.concat(),
        }
    }

    /// An exit with a message that starts with the program's name.
    pub(super) fn says(code: u8, message: impl fmt::Display) -> Self {
        Self {
            code,
            message: format!("trec_eval: {message}\n").into_bytes(),
        }
    }

    /// Replaces the message.
    pub(super) fn then(mut self, parts: &[&[u8]]) -> Self {
        self.message.extend(parts.concat());
        self
    }
}
