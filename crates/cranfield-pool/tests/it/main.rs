//! Tests on whole tracks.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod tracks;
