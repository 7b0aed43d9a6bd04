//! Fuzzing of Cranfield: what must hold for every input, however broken.
//!
//! A [`targets::Target`] is a pure function of bytes that panics when a property is violated. Two engines feed it: the driver
//! in `main.rs`, which needs nothing but stable Rust and mutates seeds without looking at coverage, and libFuzzer
//! (`fuzz_targets/libfuzzer.rs`), which does look.

pub mod mutate;
mod panics;
mod random;
mod reference;
pub mod targets;

pub use panics::{listen, message, quietly};
pub use random::Random;
