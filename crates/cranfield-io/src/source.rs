//! Inputs: a file, standard input or bytes in memory, decompressed by content.
//!
//! Plain files are mapped, so opening one costs the same whatever its size. Names and extensions decide nothing.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use bytes::Bytes;

use crate::code::Code;
use crate::compression::Compression;
use crate::error::Error;
use crate::mapped::Mapped;
use crate::problem::{Problem, quoted};

/// Files below this size are read: cheaper than a mapping.
const SMALL: u64 = 64 * 1024;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The environment variable that sets [`Limits::max_expanded`].
pub const MAX_EXPANDED_VARIABLE: &str = "CRANFIELD_MAX_EXPANDED";

/// What an input may cost.
///
/// ```
/// use cranfield_io::Limits;
///
/// assert_eq!(Limits::default().max_expanded, 16 << 30);
/// assert_eq!(Limits::parse("2G").unwrap().max_expanded, 2 << 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes that a compressed input, or one that is not a regular file, may expand to in memory.
    pub max_expanded: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_expanded: 16 << 30,
        }
    }
}

impl Limits {
    /// The limits that the environment variable `CRANFIELD_MAX_EXPANDED` sets, or the default.
    pub fn from_env() -> Result<Self, Error> {
        match std::env::var(MAX_EXPANDED_VARIABLE) {
            Ok(text) => Self::parse(&text),
            Err(std::env::VarError::NotPresent) => Ok(Self::default()),
            Err(std::env::VarError::NotUnicode(text)) => Self::parse(&text.to_string_lossy()),
        }
    }

    /// Limits from a number of bytes, with K, M, G or T (powers of 1024) behind it if wanted.
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
}

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
    /// The content, with the byte order mark if it has one.
    marked: Bytes,
    /// The content without it.
    bytes: Bytes,
    limits: Limits,
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
        Self::open_with(path, Limits::from_env()?)
    }

    /// Opens a file, or standard input for `-`.
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self, Error> {
        let path = path.as_ref();
        if path.as_os_str() == "-" {
            let name = "<stdin>";
            let bytes = read_within(io::stdin().lock(), name, limits)?;
            return Self::from_bytes_with(name, bytes, limits);
        }
        let name = path.to_string_lossy();
        Self::from_data(&name, open_file(path, &name, limits)?, limits)
    }

    /// An input that is in memory already, compressed or not; `name` stands in messages.
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
        Self::from_bytes_with(name, bytes, Limits::default())
    }

    /// The same with limits.
    pub fn from_bytes_with(name: &str, bytes: Vec<u8>, limits: Limits) -> Result<Self, Error> {
        Self::from_data(name, Data::Owned(bytes), limits)
    }

    fn from_data(name: &str, data: Data, limits: Limits) -> Result<Self, Error> {
        let data = match Compression::of(data.bytes()) {
            None => data,
            Some(kind) => Data::Owned(expand(kind, data.bytes(), name, limits)?),
        };
        let (skip, notes) = if data.bytes().starts_with(BYTE_ORDER_MARK) {
            let message = "byte order mark at the start, skipped";
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
            limits,
            notes,
        })
    }

    /// The content, decompressed, without a byte order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, shared: it may outlive the source.
    pub fn shared(&self) -> Bytes {
        self.bytes.clone()
    }

    /// The content, decompressed, with the byte order mark if it has one.
    pub fn bytes_with_mark(&self) -> &Bytes {
        &self.marked
    }

    /// The name as the user gave it; `<stdin>` for standard input.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Harmless peculiarities found on opening.
    pub fn notes(&self) -> &[Problem] {
        &self.notes
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }
}

fn open_file(path: &Path, name: &str, limits: Limits) -> Result<Data, Error> {
    let failed = |error: &io::Error| cannot_read(name, error);
    let file = File::open(path).map_err(|error| failed(&error))?;
    let metadata = file.metadata().map_err(|error| failed(&error))?;
    if metadata.is_dir() {
        let problem = Problem::file(Code::CannotRead, name, "is a folder, expected a file");
        let said = (&file).read(&mut [0]).err();
        return Err(problem
            .of_system(said.as_ref())
            .with_help("name a file, or a pattern such as `folder/*`")
            .into());
    }
    if metadata.is_file() && metadata.len() >= SMALL {
        return Mapped::open(&file)
            .map(Data::Mapped)
            .map_err(|error| failed(&error).into());
    }
    read_within(file, name, limits).map(Data::Owned)
}

fn cannot_read(path: &str, error: &io::Error) -> Problem {
    let (message, help) = match error.kind() {
        io::ErrorKind::NotFound => (
            "no such file",
            Some("check the path; `-` is standard input"),
        ),
        io::ErrorKind::PermissionDenied => ("permission denied", None),
        _ => ("", None),
    };
    let message = if message.is_empty() {
        format!("cannot be read: {error}")
    } else {
        message.into()
    };
    let problem = Problem::file(Code::CannotRead, path, message).of_system(error);
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Reads all of a stream, unless it is larger than the limit.
fn read_within(input: impl Read, name: &str, limits: Limits) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = input
        .take(limits.max_expanded.saturating_add(1))
        .read_to_end(&mut bytes);
    read.map_err(|error| cannot_read(name, &error))?;
    within(bytes, name, limits)
}

fn expand(kind: Compression, packed: &[u8], name: &str, limits: Limits) -> Result<Vec<u8>, Error> {
    let most = limits.max_expanded.saturating_add(1);
    let bytes = kind.expand(packed, most).map_err(|error| {
        let message = format!("{kind} stream cannot be decompressed: {error}");
        let problem = Problem::file(Code::BadCompression, name, message);
        match error.kind() {
            io::ErrorKind::OutOfMemory => problem,
            _ => problem.with_help(format!(
                "the file has {} bytes; was it cut while downloading?",
                packed.len()
            )),
        }
    })?;
    within(bytes, name, limits)
}

fn within(bytes: Vec<u8>, name: &str, limits: Limits) -> Result<Vec<u8>, Error> {
    if bytes.len() as u64 <= limits.max_expanded {
        return Ok(bytes);
    }
    Err(too_large(name, limits).into())
}

pub(crate) fn too_large(name: &str, limits: Limits) -> Problem {
    let message = format!("expands beyond the limit of {} bytes", limits.max_expanded);
    let help =
        format!("raise it, for example with {MAX_EXPANDED_VARIABLE}=64G, if you trust the file");
    Problem::file(Code::ExpandsTooFar, name, message).with_help(help)
}
