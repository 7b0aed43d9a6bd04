//! Files mapped into memory.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// Files up to this size are mapped page by page at once, which is cheaper than one interruption after the other while they are
/// read. Beyond it, reading from the disk and evaluating should overlap.
const POPULATED: u64 = 8 << 20;

/// The bytes of a file, mapped.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

impl Mapped {
    /// Maps a regular file.
    ///
    /// The alternative, reading the file into memory, costs a copy of every byte, which for large runs is the larger part
    /// of the whole evaluation.
    pub(crate) fn open(file: &File) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        if file.metadata()?.len() <= POPULATED {
            options.populate();
        }
        // SAFETY: the mapping is private and read-only, and lives as long as the value. Another process that changes the
        // file meanwhile could change the bytes under us; no reader relies on reading a byte twice with the same result
        // for memory safety, since all indexing is checked, and truncation stops the process. That is the contract of
        // every tool that maps its input, and inputs of an evaluation are finished files.
        let mapped = unsafe { options.map(file)? };
        #[cfg(unix)]
        let _ = mapped.advise(memmap2::Advice::Sequential);
        Ok(Self(mapped))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}
