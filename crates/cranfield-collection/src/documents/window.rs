//! A window on a stream: the bytes of one record, and the place of its beginning.

use std::sync::Arc;

use cranfield_io::{Code, Error, Problem, Stream};
use encoding_rs::Encoding;

use crate::document::DocumentPlace;
use crate::encoding;

/// Bytes read at once.
const STEP: usize = 1 << 18;
/// Maximum size of a document. Larger ones are damage, such as a missing end or a wrong format.
pub(super) const MAX_DOCUMENT: usize = 64 << 20;

/// The bytes of a stream that were read but not yet consumed.
pub(super) struct Window {
    stream: Stream,
    buffer: Vec<u8>,
    start: usize,
    is_at_end: bool,
    place: DocumentPlace,
    pub(super) declared: Option<&'static Encoding>,
}

impl Window {
    pub(super) fn new(stream: Stream) -> Result<Self, Error> {
        let file: Arc<str> = stream.name().into();
        let mut window = Self {
            stream,
            buffer: Vec::with_capacity(STEP),
            start: 0,
            is_at_end: false,
            place: DocumentPlace {
                file,
                line: 1,
                offset: 0,
            },
            declared: None,
        };
        window.more()?;
        window.declared = encoding::declared(window.bytes());
        Ok(window)
    }

    /// The bytes read so far.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// The place of the first byte.
    pub(super) fn place(&self) -> &DocumentPlace {
        &self.place
    }

    /// Reads more bytes; false at the end of the stream.
    pub(super) fn more(&mut self) -> Result<bool, Error> {
        if self.is_at_end {
            return Ok(false);
        }
        if self.bytes().len() > MAX_DOCUMENT {
            return Err(self.too_large());
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let step = STEP.max(self.buffer.len());
        let count = self.stream.read_into(&mut self.buffer, step)?;
        self.is_at_end = count == 0;
        Ok(count > 0)
    }

    fn too_large(&self) -> Error {
        let message = format!(
            "line {}: a document has more than {} MB",
            self.place.line,
            MAX_DOCUMENT >> 20
        );
        Problem::file(Code::DocumentTooLarge, &self.place.file, message).into()
    }

    /// Moves the beginning of the window.
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.bytes().len());
        let passed = &self.buffer[self.start..self.start + count];
        self.place.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.place.offset += count as u64;
        self.start += count;
    }

    /// Searches from `from` on, reading as needed. `find` gets the bytes from a place on; it returns a place in them, or how many
    /// of the last bytes may be the beginning of what it looks for.
    pub(super) fn search(
        &mut self,
        from: usize,
        find: impl Fn(&[u8]) -> Result<usize, usize>,
    ) -> Result<Option<usize>, Error> {
        let mut from = from;
        loop {
            let rest = self.bytes().get(from..).unwrap_or_default();
            match find(rest) {
                Ok(at) => return Ok(Some(from + at)),
                Err(overlap) => from += rest.len().saturating_sub(overlap),
            }
            if !self.more()? {
                return Ok(None);
            }
        }
    }

    /// The length of the first line with its line end; 0 at the end of the stream.
    pub(super) fn line_length(&mut self) -> Result<usize, Error> {
        let end = self.search(0, |bytes| memchr::memchr(b'\n', bytes).ok_or(0))?;
        Ok(end.map_or(self.bytes().len(), |end| end + 1))
    }
}
