//! Files as streams of bytes, decompressed by content, and the members of archives.
//!
//! A collection may be larger than memory, so nothing here holds a whole file. [`open_stream`] opens one file. [`Members`] yields
//! the files of a tar or zip archive, each decompressed if it is compressed itself, and a file that is no archive as its only
//! member.

mod decode;
mod lzw;
mod members;
mod tar;
mod zip;

pub use members::{Member, Members};

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::code::Code;
use crate::error::Error;
use crate::problem::Problem;
use crate::source::{cannot_read, folder_problem};

/// Size of the buffers between a file and its decoder.
const BUFFER: usize = 1 << 16;

/// A reader that may be moved to another thread.
pub(crate) type Bytes = Box<dyn BufRead + Send>;

/// The decompressed content of a file, read as it is needed.
///
/// ```no_run
/// use std::io::BufRead;
///
/// let stream = cranfield_io::open_stream("documents.trec.gz")?;
/// let lines = stream.lines().count();
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub struct Stream {
    name: String,
    bytes: Bytes,
    is_packed: bool,
}

/// Opens a file, or standard input for `-`, and decompresses it by content: gzip, zstd, bzip2, xz, lz4 or `compress` (`.Z`).
pub fn open_stream(path: impl AsRef<Path>) -> Result<Stream, Error> {
    let path = path.as_ref();
    Stream::new(
        &path.to_string_lossy(),
        open_bytes(path, &Counter::default())?,
    )
}

impl Stream {
    /// Wraps a reader; messages refer to it as `name`.
    pub(crate) fn new(name: &str, bytes: Bytes) -> Result<Self, Error> {
        let decoded = decode::decode(bytes).map_err(|error| damaged(name, &error))?;
        Ok(Self {
            name: name.into(),
            bytes: decoded.bytes,
            is_packed: decoded.is_packed,
        })
    }

    /// The name that messages use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends up to `max` bytes to a buffer and returns their number, 0 at the end.
    pub fn read_into(&mut self, buffer: &mut Vec<u8>, max: usize) -> Result<usize, Error> {
        let start = buffer.len();
        let read = self.bytes.by_ref().take(max as u64).read_to_end(buffer);
        read.map_err(|error| {
            buffer.truncate(start);
            self.problem(&error).into()
        })
    }

    /// The problem behind an error while reading.
    pub fn problem(&self, error: &io::Error) -> Problem {
        if self.is_packed {
            damaged(&self.name, error)
        } else {
            cannot_read(&self.name, error)
        }
    }
}

/// The problem behind an error of a decoder, or of the file that it reads.
fn damaged(name: &str, error: &io::Error) -> Problem {
    if error.raw_os_error().is_some() {
        return cannot_read(name, error);
    }
    let message = format!("cannot decompress the stream: {error}");
    Problem::file(Code::BadCompression, name, message)
        .with_help("the file may be damaged, or its download incomplete")
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.read(buffer)
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.bytes.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
    }
}

/// A number of bytes that several readers add to.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// The number so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, count: usize) {
        self.0.fetch_add(count as u64, Ordering::Relaxed);
    }
}

/// A reader that counts the bytes of the file before they are decompressed.
struct Counted<R> {
    inner: R,
    counter: Counter,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.counter.add(count);
        Ok(count)
    }
}

/// Opens the bytes of a file as they are.
pub(crate) fn open_bytes(path: &Path, counter: &Counter) -> Result<Bytes, Error> {
    if path.as_os_str() == "-" {
        return Ok(counted(io::stdin(), counter));
    }
    Ok(counted(open_file(path)?, counter))
}

pub(crate) fn counted(inner: impl Read + Send + 'static, counter: &Counter) -> Bytes {
    let counter = counter.clone();
    Box::new(BufReader::with_capacity(BUFFER, Counted { inner, counter }))
}

/// Opens a file that is not a folder.
pub(crate) fn open_file(path: &Path) -> Result<File, Error> {
    let name = &*path.to_string_lossy();
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (metadata, file) = opened.map_err(|error| cannot_read(name, &error))?;
    if metadata.is_dir() {
        return Err(folder_problem(&file, name).into());
    }
    Ok(file)
}

#[cfg(test)]
mod tests;
