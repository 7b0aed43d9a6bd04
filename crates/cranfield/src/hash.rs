//! Hashes of files, which results and lock files carry.

use std::path::Path;

/// The BLAKE3 hash of a file as it is on disk; none for standard input and what cannot be read.
pub fn file_hash(path: &str) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_mmap(Path::new(path)).ok()?;
    Some(hasher.finalize().to_hex().to_string())
}
