//! Files mapped into memory.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapOptions};

/// Files up to this size are paged in at once, which is cheaper than one page fault after another. For larger files, reading
/// from disk should overlap with evaluation.
const MAX_POPULATED: u64 = 8 << 20;

/// The bytes of a mapped file.
#[derive(Debug)]
pub(crate) struct Mapped(Mmap);

impl Mapped {
    /// Maps a regular file; `name` is for the message if it is truncated later.
    ///
    /// Reading the file instead would copy every byte, which takes most of the time of evaluating a large run.
    pub(crate) fn open(file: &File, name: &str) -> io::Result<Self> {
        let mut options = MmapOptions::new();
        if file.metadata()?.len() <= MAX_POPULATED {
            options.populate();
        }
        // SAFETY: the mapping is private and read-only, and lives as long as the value. Another process may change the bytes
        // meanwhile. That cannot break memory safety: all indexing is checked, so no reader relies on reading a byte twice
        // with the same result. If the file is truncated, access raises SIGBUS, which ends the process; programs report it
        // with `handle_signals`.
        let mapped = unsafe { options.map(file)? };
        #[cfg(unix)]
        {
            let _ = mapped.advise(memmap2::Advice::Sequential);
            crate::signals::add_mapping(&mapped, name);
        }
        #[cfg(not(unix))]
        let _ = name;
        Ok(Self(mapped))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(unix)]
impl Drop for Mapped {
    fn drop(&mut self) {
        crate::signals::remove_mapping(&self.0);
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}
