//! A window on a stream: the bytes of one record, and the place of its beginning.

use std::sync::Arc;

use cranfield_io::{Code, Error, Problem, Stream};
use encoding_rs::{Decoder, Encoding};

use crate::document::DocumentPlace;
use crate::encoding;

/// Bytes read at once.
const STEP: usize = 1 << 18;
/// Maximum size of a document. Larger ones are damage, such as a missing end or a wrong format.
pub(super) const MAX_DOCUMENT: usize = 64 << 20;

/// The bytes of a stream that were read but not yet consumed.
pub(super) struct Window {
    stream: Stream,
    /// Turns UTF-16 into UTF-8; `None` if the stream has some other encoding, which is left to each document.
    utf16: Option<Utf16>,
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
            utf16: None,
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
        window.skip_mark();
        window.declared = encoding::declared_xml(window.bytes());
        Ok(window)
    }

    /// Skips a byte order mark, and decodes what follows one of UTF-16.
    fn skip_mark(&mut self) {
        let (encoding, length) = encoding::marked(&self.buffer);
        self.buffer.drain(..length);
        let Some(encoding) = encoding else {
            return;
        };
        let mut utf16 = Utf16 {
            decoder: encoding.new_decoder_without_bom_handling(),
            raw: std::mem::take(&mut self.buffer),
        };
        utf16.decode(&mut self.buffer, self.is_at_end);
        self.utf16 = Some(utf16);
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
        let count = match &mut self.utf16 {
            None => self.stream.read_into(&mut self.buffer, step)?,
            Some(utf16) => {
                let count = self.stream.read_into(&mut utf16.raw, step)?;
                utf16.decode(&mut self.buffer, count == 0);
                count
            }
        };
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

/// A stream in UTF-16.
struct Utf16 {
    decoder: Decoder,
    /// Bytes that are not decoded yet.
    raw: Vec<u8>,
}

impl Utf16 {
    /// Decodes all bytes into a buffer.
    fn decode(&mut self, buffer: &mut Vec<u8>, is_last: bool) {
        let length = self.decoder.max_utf8_buffer_length(self.raw.len());
        let start = buffer.len();
        buffer.resize(start + length.unwrap_or_default(), 0);
        let (_, _, written, _) =
            self.decoder
                .decode_to_utf8(&self.raw, &mut buffer[start..], is_last);
        buffer.truncate(start + written);
        self.raw.clear();
    }
}
