//! Hashes of files, which results and lock files carry.

use std::path::Path;

/// The BLAKE3 hash of a file as it is on disk, or of the bytes that were read from a stream, which can be read only once.
pub fn hash_of_read(path: &Path, read: &[u8]) -> Option<String> {
    if path.is_file() {
        return file_hash(&path.to_string_lossy());
    }
    Some(blake3::hash(read).to_hex().to_string())
}

/// The BLAKE3 hash of bytes.
pub fn bytes_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The BLAKE3 hash of a file as it is on disk; none for standard input and what cannot be read.
pub fn file_hash(path: &str) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_mmap(Path::new(path)).ok()?;
    Some(hasher.finalize().to_hex().to_string())
}
