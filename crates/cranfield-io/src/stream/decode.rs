//! Decoders of compressed streams, chosen by the first bytes.

use std::io::{self, BufRead, BufReader, Read};

use super::{BUFFER, Bytes, lzw};
use crate::compression::{Compression, XZ_MEMORY};
use crate::source::BYTE_ORDER_MARK;

/// Number of bytes that detection needs: the longest magic number, that of bzip2.
const MAGIC: usize = 10;

/// Decompressed bytes.
pub(super) struct Decoded {
    pub(super) bytes: Bytes,
    /// Whether they were compressed.
    pub(super) is_packed: bool,
}

/// Decompresses a stream, several times if it was compressed several times, and skips a byte order mark.
pub(super) fn decode(bytes: Bytes) -> io::Result<Decoded> {
    /// Archives are compressed at most twice; a file that is its own compression must not loop.
    const MAX_LAYERS: usize = 3;
    let mut decoded = Decoded {
        bytes,
        is_packed: false,
    };
    for _ in 0..MAX_LAYERS {
        let (start, bytes) = peek(decoded.bytes, MAGIC)?;
        decoded.bytes = bytes;
        let Some(packed) = Packed::of(&start) else {
            if start.starts_with(BYTE_ORDER_MARK) {
                skip(&mut decoded.bytes, BYTE_ORDER_MARK.len() as u64)?;
            }
            break;
        };
        decoded.bytes = packed.decoder(decoded.bytes)?;
        decoded.is_packed = true;
    }
    Ok(decoded)
}

/// Reads the first bytes, and returns them with a reader that still has them.
pub(super) fn peek(mut bytes: Bytes, count: usize) -> io::Result<(Vec<u8>, Bytes)> {
    let buffered = bytes.fill_buf()?;
    if buffered.len() >= count {
        return Ok((buffered[..count].to_vec(), bytes));
    }
    let mut start = Vec::with_capacity(count);
    bytes.by_ref().take(count as u64).read_to_end(&mut start)?;
    let again = io::Cursor::new(start.clone()).chain(bytes);
    Ok((start, Box::new(again)))
}

/// Skips bytes, fewer if there are not as many.
pub(super) fn skip(bytes: &mut impl Read, count: u64) -> io::Result<u64> {
    io::copy(&mut bytes.take(count), &mut io::sink())
}

enum Packed {
    Known(Compression),
    Lzw,
}

impl Packed {
    fn of(start: &[u8]) -> Option<Self> {
        if start.starts_with(&lzw::MAGIC) {
            return Some(Self::Lzw);
        }
        Compression::of(start).map(Self::Known)
    }

    fn decoder(&self, packed: Bytes) -> io::Result<Bytes> {
        Ok(match self {
            Self::Lzw => buffered(lzw::Decoder::new(packed)?),
            Self::Known(Compression::Gzip) => {
                buffered(flate2::bufread::MultiGzDecoder::new(packed))
            }
            Self::Known(Compression::Zstd) => {
                buffered(zstd::stream::read::Decoder::with_buffer(packed)?)
            }
            Self::Known(Compression::Bzip2) => {
                buffered(bzip2::bufread::MultiBzDecoder::new(packed))
            }
            Self::Known(Compression::Xz) => {
                let stream = liblzma::stream::Stream::new_stream_decoder(
                    XZ_MEMORY,
                    liblzma::stream::CONCATENATED,
                )?;
                buffered(liblzma::bufread::XzDecoder::new_stream(packed, stream))
            }
            Self::Known(Compression::Lz4) => buffered(Lz4Frames::new(packed)),
        })
    }
}

fn buffered(decoder: impl Read + Send + 'static) -> Bytes {
    Box::new(BufReader::with_capacity(BUFFER, decoder))
}

/// The frames of an lz4 stream. The decoder stops at the end of each; it also stops, without an error, where the input ends
/// between two blocks, and then has asked for more bytes than there are.
struct Lz4Frames {
    frame: Option<Box<lz4_flex::frame::FrameDecoder<Watched>>>,
}

impl Lz4Frames {
    fn new(bytes: Bytes) -> Self {
        Self {
            frame: Some(frame(bytes)),
        }
    }
}

fn frame(bytes: Bytes) -> Box<lz4_flex::frame::FrameDecoder<Watched>> {
    let watched = Watched {
        bytes,
        asked_for_more: false,
    };
    Box::new(lz4_flex::frame::FrameDecoder::new(watched))
}

impl Read for Lz4Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(frame) = &mut self.frame {
            let count = frame.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            self.next_frame()?;
        }
        Ok(0)
    }
}

impl Lz4Frames {
    fn next_frame(&mut self) -> io::Result<()> {
        let Some(ended) = self.frame.take() else {
            return Ok(());
        };
        let mut rest = ended.into_inner();
        if rest.asked_for_more {
            let kind = io::ErrorKind::UnexpectedEof;
            return Err(io::Error::new(kind, "incomplete frame"));
        }
        if !rest.bytes.fill_buf()?.is_empty() {
            self.frame = Some(frame(rest.bytes));
        }
        Ok(())
    }
}

/// A reader that records whether more bytes were requested than there are.
struct Watched {
    bytes: Bytes,
    asked_for_more: bool,
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        self.asked_for_more |= count == 0 && !buffer.is_empty();
        Ok(count)
    }
}
