//! Benchmarks of engines whose behaviour is known.

mod golden;
mod whole;
