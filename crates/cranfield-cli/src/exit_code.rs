//! Exit codes. They are documented and stable.

/// Success, also if the reader closed the pipe.
pub const OK: u8 = 0;
/// A gate failed.
pub const FAILED: u8 = 1;
/// The command line is invalid.
pub const USAGE: u8 = 2;
/// An input is invalid, or an output cannot be written.
pub const INVALID_INPUT: u8 = 3;
/// A gate is inconclusive.
pub const INCONCLUSIVE: u8 = 4;
/// An error in this program.
pub const INTERNAL: u8 = 5;
