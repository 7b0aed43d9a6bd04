//! Exit codes: documented, stable.

/// All is well. Also for a closed pipe.
pub const OK: u8 = 0;
/// A gate failed.
pub const FAILED: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// An input is invalid, or an output cannot be written.
pub const INVALID_INPUT: u8 = 3;
/// No conclusion can be drawn.
pub const INCONCLUSIVE: u8 = 4;
/// A defect of this program.
pub const INTERNAL: u8 = 5;
