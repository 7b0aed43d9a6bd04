//! Limits on the memory that an input may take.

use std::sync::OnceLock;

use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::Problem;

/// The environment variable that sets [`Limits::max_expanded`].
pub const MAX_EXPANDED_VARIABLE: &str = "CRANFIELD_MAX_EXPANDED";

/// The default where the size of the machine's memory is unknown.
const FALLBACK: u64 = 4 << 30;

/// Limits on what an input may cost. The default is a quarter of the memory that the process may use.
///
/// ```
/// use cranfield_io::Limits;
///
/// assert_eq!(Limits::parse("2G").unwrap().max_expanded, 2 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size in bytes of a decompressed file, of a stream such as standard input, and of the rows of a Parquet table.
    pub max_expanded: u64,
}

impl Default for Limits {
    fn default() -> Self {
        static QUARTER: OnceLock<u64> = OnceLock::new();
        Self {
            max_expanded: *QUARTER.get_or_init(|| memory().map_or(FALLBACK, |bytes| bytes / 4)),
        }
    }
}

impl Limits {
    /// Returns the limits that the environment variable `CRANFIELD_MAX_EXPANDED` sets, or else the default.
    pub fn from_env() -> Result<Self, Error> {
        match std::env::var_os(MAX_EXPANDED_VARIABLE) {
            Some(text) => Self::parse(&text.to_string_lossy()),
            None => Ok(Self::default()),
        }
    }

    /// Parses a number of bytes with an optional unit K, M, G or T (powers of 1024).
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let factor: Option<u64> = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" | "B" => Some(1),
            "K" | "KB" | "KIB" => Some(1 << 10),
            "M" | "MB" | "MIB" => Some(1 << 20),
            "G" | "GB" | "GIB" => Some(1 << 30),
            "T" | "TB" | "TIB" => Some(1 << 40),
            _ => None,
        };
        let bytes = digits
            .trim_end()
            .parse::<u64>()
            .ok()
            .zip(factor)
            .and_then(|(n, factor)| n.checked_mul(factor));
        let max_expanded = bytes.ok_or_else(|| {
            let message = format!(
                "found {}, expected a number of bytes such as 64G",
                quoted(text.as_bytes())
            );
            Problem::file(Code::ExpandsTooFar, MAX_EXPANDED_VARIABLE, message)
        })?;
        Ok(Self { max_expanded })
    }

    /// The problem of an input that exceeds the limit.
    pub(crate) fn exceeded(self, name: &str) -> Problem {
        let message = format!(
            "exceeds the limit of {} bytes for streams and expanded files",
            self.max_expanded
        );
        let help = format!(
            "if you trust the file, raise the limit, for example with {MAX_EXPANDED_VARIABLE}=64G"
        );
        Problem::file(Code::ExpandsTooFar, name, message).with_help(help)
    }
}

/// Memory of the machine, or of the container that the process runs in.
fn memory() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.as_deref().and_then(total_memory);
    let container = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|path| std::fs::read_to_string(path).ok()?.trim().parse().ok());
    machine.into_iter().chain(container).min()
}

/// The total in the content of `/proc/meminfo`, in bytes.
fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_a_quarter_of_memory() {
        let meminfo = "MemTotal:       16314004 kB\nMemFree:         1000000 kB\n";
        assert_eq!(total_memory(meminfo), Some(16_314_004 * 1024));
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
        let expected = memory().map_or(FALLBACK, |bytes| bytes / 4);
        assert_eq!(Limits::default().max_expanded, expected);
    }
}
