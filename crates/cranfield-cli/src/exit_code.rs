//! Exit codes. They are documented and stable.

use cranfield::gate::{Inconclusive, Verdict};

/// Success, also if the reader closed the pipe.
pub const OK: u8 = 0;
/// A gate failed, or scores of an archive differ.
pub const FAILED: u8 = 1;
/// The command line is invalid.
pub const USAGE: u8 = 2;
/// An input is invalid, or an output cannot be written.
pub const INVALID_INPUT: u8 = 3;
/// A gate is inconclusive.
pub const INCONCLUSIVE: u8 = 4;
/// An error in this program.
pub const INTERNAL: u8 = 5;

/// The exit code of a gate.
pub fn of_verdict(verdict: Verdict, inconclusive: Inconclusive) -> u8 {
    match (verdict, inconclusive) {
        (Verdict::Pass, _) | (Verdict::Inconclusive, Inconclusive::Pass) => OK,
        (Verdict::Fail, _) | (Verdict::Inconclusive, Inconclusive::Fail) => FAILED,
        (Verdict::Inconclusive, Inconclusive::Own) => INCONCLUSIVE,
    }
}
