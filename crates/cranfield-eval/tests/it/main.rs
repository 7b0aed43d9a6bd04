//! Integration tests of the engine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod found_by_fuzzing;
mod whole_files;
