//! Opened inputs: a file, standard input or bytes in memory, decompressed by content.
//!
//! Uncompressed files are mapped, so opening one takes the same time whatever its size. File names and extensions are ignored.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;

use crate::code::Code;
use crate::compression::Compression;
use crate::error::Error;
use crate::limits::Limits;
use crate::mapped::Mapped;
use crate::problem::Problem;

/// Files below this size are read, which is cheaper than mapping them.
const MIN_MAPPED: u64 = 64 * 1024;

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug)]
enum Data {
    Mapped(Mapped),
    Owned(Vec<u8>),
}

impl Data {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => mapped.bytes(),
            Self::Owned(bytes) => bytes,
        }
    }
}

impl From<Data> for Bytes {
    fn from(data: Data) -> Self {
        match data {
            Data::Mapped(mapped) => Self::from_owner(mapped),
            Data::Owned(bytes) => bytes.into(),
        }
    }
}

/// An opened input.
#[derive(Debug)]
pub struct Source {
    name: String,
    /// The content with its byte order mark, if any.
    marked: Bytes,
    /// The content as it was opened, if it was compressed.
    packed: Option<Bytes>,
    /// The content without byte order mark.
    bytes: Bytes,
    /// Those of the environment if `None`.
    limits: Option<Limits>,
    notes: Vec<Problem>,
}

impl Source {
    /// Opens a file, or standard input for `-`, with the limits of the environment.
    ///
    /// ```
    /// let error = cranfield_io::Source::open("no/such.run").unwrap_err();
    /// assert_eq!(error.to_string(), "no/such.run: no such file [IR001]");
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_path(path.as_ref(), None)
    }

    /// Opens a file, or standard input for `-`, with the given limits.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self, Error> {
        Self::open_path(path.as_ref(), Some(limits))
    }

    fn open_path(path: &Path, limits: Option<Limits>) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            let name = "<stdin>";
            let bytes = read_stream(io::stdin().lock(), name, limits)?;
            return Self::from_data(name, Data::Owned(bytes), limits);
        }
        let name = path.to_string_lossy();
        Self::from_data(&name, open_file(path, &name, limits)?, limits)
    }

    /// Wraps bytes in memory, compressed or not; messages refer to them as `name`.
    ///
    /// ```
    /// use cranfield_io::Source;
    ///
    /// let source = Source::from_bytes("upload", b"\xef\xbb\xbf301 Q0 d1 1 2.5 bm25".to_vec())?;
    /// assert!(source.bytes().starts_with(b"301"));
    /// assert_eq!(source.notes().len(), 1);
    /// # Ok::<(), cranfield_io::Error>(())
    /// ```
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::from_data(name, Data::Owned(bytes), None)
    }

    /// Wraps bytes in memory as [`from_bytes`](Self::from_bytes) does, with the given limits.
    pub fn from_bytes_with(name: &str, bytes: Vec<u8>, limits: Limits) -> Result<Self, Error> {
        Self::from_data(name, Data::Owned(bytes), Some(limits))
    }

    fn from_data(name: &str, data: Data, limits: Option<Limits>) -> Result<Self, Error> {
        let mut packed = None;
        let data = match Compression::of(data.bytes()) {
            None => data,
            Some(kind) => {
                let expanded = expand(kind, data.bytes(), name, limits)?;
                packed = Some(Bytes::from(data));
                Data::Owned(expanded)
            }
        };
        let (skip, notes) = if data.bytes().starts_with(BYTE_ORDER_MARK) {
            let message = "skipped the byte order mark at the start";
            (
                BYTE_ORDER_MARK.len(),
                vec![Problem::file(Code::ByteOrderMark, name, message)],
            )
        } else {
            (0, Vec::new())
        };
        let marked = Bytes::from(data);
        Ok(Self {
            name: name.into(),
            bytes: marked.slice(skip..),
            marked,
            packed,
            limits,
            notes,
        })
    }

    /// The BLAKE3 hash of the content as it was opened, before it was decompressed.
    pub fn blake3(&self) -> String {
        let opened = self.packed.as_ref().unwrap_or(&self.marked);
        blake3::hash(opened).to_hex().to_string()
    }

    /// The decompressed content, without byte order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content as shared bytes, which may outlive the source.
    pub fn shared(&self) -> Bytes {
        self.bytes.clone()
    }

    /// The decompressed content, with its byte order mark, if any.
    pub fn bytes_with_mark(&self) -> &Bytes {
        &self.marked
    }

    /// The content of a small text file such as a TOML file.
    ///
    /// # Errors
    /// If it has more than `max_bytes` (reported under `code`, with `what` as the subject of the message), or is not UTF-8.
    ///
    /// ```
    /// use cranfield_io::{Code, Source};
    ///
    /// let source = Source::from_bytes("a.toml", b"x = 1".to_vec())?;
    /// assert_eq!(source.text(5, "a plan", Code::BadPlan)?, "x = 1");
    /// let error = source.text(4, "a plan", Code::BadPlan).unwrap_err();
    /// assert_eq!(error.to_string(), "a.toml: a plan may have at most 4 bytes, found 5 [IR095]");
    /// # Ok::<(), cranfield_io::Error>(())
    /// ```
    pub fn text(&self, max_bytes: usize, what: &str, code: Code) -> Result<&str, Error> {
        let found = self.bytes.len();
        if found > max_bytes {
            let message = format!("{what} may have at most {max_bytes} bytes, found {found}");
            return Err(Problem::file(code, &self.name, message).into());
        }
        std::str::from_utf8(&self.bytes).map_err(|error| {
            let at = error.valid_up_to();
            let wrong = at..at + 1;
            Problem::at(
                Code::InvalidUtf8,
                &self.name,
                &self.bytes,
                wrong,
                "not UTF-8",
            )
            .into()
        })
    }

    /// The name that the user gave; `<stdin>` for standard input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Harmless peculiarities found while opening.
    pub fn notes(&self) -> &[Problem] {
        &self.notes
    }

    /// The limits that apply, looked up only when something is expanded.
    pub(crate) fn limits(&self) -> Result<Limits, Error> {
        self.limits.map_or_else(Limits::from_env, Ok)
    }
}

fn open_file(path: &Path, name: &str, limits: Option<Limits>) -> Result<Data, Error> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (metadata, mut file) = opened.map_err(|error| cannot_read(name, &error))?;
    if metadata.is_dir() {
        return Err(folder_problem(&file, name).into());
    }
    // Files of `/proc` are regular and have no length.
    if !metadata.is_file() || metadata.len() == 0 {
        return read_stream(file, name, limits).map(Data::Owned);
    }
    let data = if metadata.len() >= MIN_MAPPED {
        Mapped::open(&file, name).map(Data::Mapped)
    } else {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map(|_| Data::Owned(bytes))
    };
    data.map_err(|error| cannot_read(name, &error).into())
}

pub(crate) fn folder_problem(mut file: &File, name: &str) -> Problem {
    let cause = file.read(&mut [0]).err();
    Problem::file(Code::CannotRead, name, "is a folder, expected a file")
        .with_cause(cause.as_ref())
        .with_help("name a file, or use a pattern such as `folder/*`")
}

pub(crate) fn cannot_read(path: &str, error: &io::Error) -> Problem {
    let (message, help) = match error.kind() {
        io::ErrorKind::NotFound => (
            "no such file".into(),
            Some("check the path; `-` is standard input"),
        ),
        io::ErrorKind::PermissionDenied => ("permission denied".into(), None),
        _ => (format!("cannot read the file: {error}"), None),
    };
    let problem = Problem::file(Code::CannotRead, path, message).with_cause(error);
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Reads a stream to its end, within the limit.
fn read_stream(input: impl Read, name: &str, limits: Option<Limits>) -> Result<Vec<u8>, Error> {
    let limits = limits.map_or_else(Limits::from_env, Ok)?;
    let mut bytes = Vec::new();
    let read = input
        .take(limits.max_expanded.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(name, &error))?;
    within(bytes, name, limits)
}

fn expand(
    kind: Compression,
    packed: &[u8],
    name: &str,
    limits: Option<Limits>,
) -> Result<Vec<u8>, Error> {
    let limits = limits.map_or_else(Limits::from_env, Ok)?;
    let max_bytes = limits.max_expanded.saturating_add(1);
    let bytes = kind.expand(packed, max_bytes).map_err(|error| {
        let message = format!("cannot decompress the {kind} stream: {error}");
        let problem = Problem::file(Code::BadCompression, name, message);
        match error.kind() {
            io::ErrorKind::OutOfMemory => problem,
            _ => problem.with_help(format!(
                "the file has {} bytes; the download may be incomplete",
                packed.len()
            )),
        }
    })?;
    within(bytes, name, limits)
}

fn within(bytes: Vec<u8>, name: &str, limits: Limits) -> Result<Vec<u8>, Error> {
    if bytes.len() as u64 <= limits.max_expanded {
        Ok(bytes)
    } else {
        Err(limits.exceeded(name).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_utf8_is_an_error_with_its_place() {
        let source = Source::from_bytes("a.toml", b"x = 1\ny = \xff".to_vec()).unwrap();
        let error = source.text(99, "a plan", Code::BadPlan).unwrap_err();
        assert!(error.to_string().starts_with("a.toml:2:5: not UTF-8"));
    }
}
