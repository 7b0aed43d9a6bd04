//! Members of an archive, one after the other.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::decode::{Decoded, decode, peek, skip};
use super::{Bytes, Counter, Stream, damaged, open_bytes, tar, zip};
use crate::error::Error;
use crate::problem::Problem;
use crate::source::cannot_read;

/// The files of a tar or zip archive, or a file that is no archive.
#[derive(Debug)]
pub struct Members {
    name: String,
    kind: Kind,
}

enum Kind {
    Single(Option<Stream>),
    Tar {
        shared: Shared,
        is_packed: bool,
    },
    Zip {
        path: PathBuf,
        entries: std::vec::IntoIter<zip::Entry>,
        counter: Counter,
    },
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Single(_) => "Single",
            Self::Tar { .. } => "Tar",
            Self::Zip { .. } => "Zip",
        })
    }
}

/// A file of an archive.
#[derive(Debug)]
pub struct Member {
    /// Its name in the archive; `None` for a file that is no archive.
    pub name: Option<String>,
    /// Its content, decompressed.
    pub stream: Stream,
}

impl Members {
    /// Opens a file; `counter` counts the bytes read from it, before they are decompressed.
    pub fn open(path: &Path, counter: &Counter) -> Result<Self, Error> {
        let name = path.to_string_lossy().into_owned();
        let bytes = open_bytes(path, counter)?;
        let kind = Kind::of(path, &name, bytes, counter)?;
        Ok(Self { name, kind })
    }

    /// Opens the next member. The content of the previous one that was not read is skipped.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator of results would not stop at an error"
    )]
    pub fn next(&mut self) -> Result<Option<Member>, Error> {
        match &mut self.kind {
            Kind::Single(stream) => Ok(stream.take().map(|stream| Member { name: None, stream })),
            Kind::Tar { shared, is_packed } => {
                let entry = shared.next_file();
                let entry = entry.map_err(|error| problem(&self.name, *is_packed, &error))?;
                entry.map(|entry| self.tar_member(entry)).transpose()
            }
            Kind::Zip {
                path,
                entries,
                counter,
            } => {
                let Some(entry) = entries.next() else {
                    return Ok(None);
                };
                let bytes = zip::open(path, &entry, counter);
                let bytes = bytes.map_err(|error| cannot_read(&self.name, &error))?;
                self.member(entry.name, bytes).map(Some)
            }
        }
    }

    fn tar_member(&self, entry: tar::Entry) -> Result<Member, Error> {
        let Kind::Tar { shared, .. } = &self.kind else {
            return Err(
                Problem::file(crate::Code::CannotRead, &self.name, "not a tar archive").into(),
            );
        };
        let bytes = Box::new(BufReader::new(shared.clone()));
        self.member(entry.name, bytes)
    }

    fn member(&self, name: String, bytes: Bytes) -> Result<Member, Error> {
        let mut stream = Stream::new(&format!("{}:{name}", self.name), bytes)?;
        stream.is_packed = true;
        Ok(Member {
            name: Some(name),
            stream,
        })
    }
}

fn problem(name: &str, is_packed: bool, error: &io::Error) -> Problem {
    if is_packed || error.kind() == io::ErrorKind::InvalidData {
        damaged(name, error)
    } else {
        cannot_read(name, error)
    }
}

impl Kind {
    fn of(path: &Path, name: &str, bytes: Bytes, counter: &Counter) -> Result<Self, Error> {
        let start = peek(bytes, zip::MAGIC.len());
        let (start, bytes) = start.map_err(|error| cannot_read(name, &error))?;
        if start == zip::MAGIC && path.as_os_str() != "-" {
            let entries = zip::entries(path).map_err(|error| damaged(name, &error))?;
            let entries = entries.into_iter();
            return Ok(Self::Zip {
                path: path.into(),
                entries,
                counter: counter.clone(),
            });
        }
        let Decoded { bytes, is_packed } = decode(bytes).map_err(|error| damaged(name, &error))?;
        let start = peek(bytes, tar::BLOCK);
        let (start, bytes) = start.map_err(|error| problem(name, is_packed, &error))?;
        Ok(if tar::is_header(&start) {
            Self::Tar {
                shared: Shared::new(bytes),
                is_packed,
            }
        } else {
            Self::Single(Some(Stream {
                name: name.into(),
                bytes,
                is_packed,
            }))
        })
    }
}

/// A tar archive that the list of members and the open member read in turns. They never do so at the same time; the lock is
/// there because both may move to another thread.
#[derive(Clone)]
struct Shared(Arc<Mutex<Archive>>);

struct Archive {
    bytes: Bytes,
    /// Bytes of the open member that were not yet read, and of the padding behind it.
    left: u64,
    padding: u64,
}

impl Shared {
    fn new(bytes: Bytes) -> Self {
        Self(Arc::new(Mutex::new(Archive {
            bytes,
            left: 0,
            padding: 0,
        })))
    }

    fn next_file(&self) -> io::Result<Option<tar::Entry>> {
        let mut archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = archive.left.saturating_add(archive.padding);
        if skip(&mut archive.bytes, rest)? < rest {
            return Err(incomplete());
        }
        (archive.left, archive.padding) = (0, 0);
        let entry = tar::next_file(&mut archive.bytes)?;
        if let Some(entry) = &entry {
            archive.left = entry.size;
            archive.padding = tar::padding(entry.size);
        }
        Ok(entry)
    }
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut archive = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = archive.left;
        let available = archive.bytes.fill_buf()?.len();
        let count = buffer.len().min(available);
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(count);
        if count == 0 && left > 0 && !buffer.is_empty() {
            return Err(incomplete());
        }
        archive.bytes.read_exact(&mut buffer[..count])?;
        archive.left -= count as u64;
        Ok(count)
    }
}

fn incomplete() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "incomplete tar archive")
}
