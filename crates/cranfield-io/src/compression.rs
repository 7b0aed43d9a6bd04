//! Compressed streams, detected by their first bytes.

use std::fmt;
use std::io::{self, Read, Write};

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
}

/// Compresses bytes with gzip at the highest level, deterministically.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    // Writing to memory does not fail.
    let written = out.write_all(bytes).and_then(|()| out.finish());
    debug_assert!(written.is_ok());
    written.unwrap_or_default()
}

/// Maximum memory for the dictionary of an xz stream.
pub(crate) const XZ_MEMORY: u64 = 1 << 30;
/// Memory that the highest preset of xz needs, with room to spare.
const XZ_PRESETS: u64 = 128 << 20;

impl Compression {
    /// Detects the format of a stream by its magic number.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, 0x08, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            [0x04, 0x22, 0x4d, 0x18, ..] => Some(Self::Lz4),
            [0xfd, b'7', b'z', b'X', b'Z', 0x00, ..] => Some(Self::Xz),
            // A topic may be called BZh9; in a stream the magic number of a block or of the end follows.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => {
                let is_stream =
                    rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90");
                is_stream.then_some(Self::Bzip2)
            }
            _ => None,
        }
    }

    /// Returns the format that the extension of an output's name selects.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstd),
            "bz2" => Some(Self::Bzip2),
            "xz" => Some(Self::Xz),
            "lz4" => Some(Self::Lz4),
            _ => None,
        }
    }

    /// Decompresses up to `max_bytes` bytes.
    pub(crate) fn expand(self, packed: &[u8], max_bytes: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self {
            Self::Gzip => read(
                flate2::bufread::MultiGzDecoder::new(packed),
                max_bytes,
                &mut bytes,
            )?,
            Self::Zstd => read(
                zstd::stream::read::Decoder::with_buffer(packed)?,
                max_bytes,
                &mut bytes,
            )?,
            Self::Bzip2 => read(
                bzip2::bufread::MultiBzDecoder::new(packed),
                max_bytes,
                &mut bytes,
            )?,
            Self::Xz => {
                // A dictionary that is larger than the content is of no use.
                let memory = XZ_MEMORY.min(max_bytes.max(XZ_PRESETS));
                let stream = liblzma::stream::Stream::new_stream_decoder(
                    memory,
                    liblzma::stream::CONCATENATED,
                )?;
                read(
                    liblzma::bufread::XzDecoder::new_stream(packed, stream),
                    max_bytes,
                    &mut bytes,
                )?;
            }
            Self::Lz4 => expand_lz4(packed, max_bytes, &mut bytes)?,
        }
        Ok(bytes)
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Lz4 => "lz4",
        })
    }
}

fn read(decoder: impl Read, max_bytes: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    decoder
        .take(max_bytes.saturating_sub(bytes.len() as u64))
        .read_to_end(bytes)
        .map(|_| ())
}

/// Decodes frame by frame, because the decoder stops at the end of each. It also stops, without an error, where the input ends
/// between two blocks; then it has asked for more bytes than there are.
fn expand_lz4(packed: &[u8], max_bytes: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut rest = Watched {
        bytes: packed,
        asked_for_more: false,
    };
    while !rest.bytes.is_empty() && (bytes.len() as u64) < max_bytes {
        let before = rest.bytes.len();
        read(
            lz4_flex::frame::FrameDecoder::new(&mut rest),
            max_bytes,
            bytes,
        )?;
        if rest.asked_for_more || rest.bytes.len() == before {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "incomplete frame",
            ));
        }
    }
    Ok(())
}

/// A reader that records whether more bytes were requested than there are.
struct Watched<'a> {
    bytes: &'a [u8],
    asked_for_more: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.asked_for_more |= self.bytes.is_empty() && !buffer.is_empty();
        self.bytes.read(buffer)
    }
}

/// An optional compressor.
pub(crate) enum Encoder<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(liblzma::write::XzEncoder<W>),
    Lz4(Box<lz4_flex::frame::FrameEncoder<W>>),
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(compression: Option<Compression>, out: W) -> io::Result<Self> {
        Ok(match compression {
            None => Self::Plain(out),
            Some(Compression::Gzip) => Self::Gzip(flate2::write::GzEncoder::new(
                out,
                flate2::Compression::default(),
            )),
            Some(Compression::Zstd) => Self::Zstd(zstd::stream::write::Encoder::new(out, 3)?),
            Some(Compression::Bzip2) => Self::Bzip2(bzip2::write::BzEncoder::new(
                out,
                bzip2::Compression::default(),
            )),
            Some(Compression::Xz) => Self::Xz(liblzma::write::XzEncoder::new(out, 6)),
            Some(Compression::Lz4) => Self::Lz4(Box::new(lz4_flex::frame::FrameEncoder::new(out))),
        })
    }

    /// Finishes the stream.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
            Self::Lz4(encoder) => encoder.finish().map_err(io::Error::other),
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => encoder,
            Self::Zstd(encoder) => encoder,
            Self::Bzip2(encoder) => encoder,
            Self::Xz(encoder) => encoder,
            Self::Lz4(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compression; 5] = [
        Compression::Gzip,
        Compression::Zstd,
        Compression::Bzip2,
        Compression::Xz,
        Compression::Lz4,
    ];

    fn pack(kind: Compression, bytes: &[u8]) -> Vec<u8> {
        let mut encoder = Encoder::new(Some(kind), Vec::new()).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn streams_are_detected_and_expanded() {
        let text = b"301 Q0 d1 1 2.5 bm25\n".repeat(10_000);
        for kind in ALL {
            let packed = pack(kind, &text);
            assert_eq!(Compression::of(&packed), Some(kind));
            assert_eq!(kind.expand(&packed, u64::MAX).unwrap(), text, "{kind}");
            let twice = [packed.clone(), packed].concat();
            assert_eq!(
                kind.expand(&twice, u64::MAX).unwrap(),
                text.repeat(2),
                "{kind} in two members"
            );
            assert_eq!(kind.expand(&twice, 100).unwrap().len(), 100);
        }
    }

    #[test]
    fn a_truncated_stream_is_an_error() {
        let text: Vec<u8> = (0..20_000u32)
            .flat_map(|n| n.wrapping_mul(2_654_435_761).to_string().into_bytes())
            .collect();
        for kind in ALL {
            let packed = pack(kind, &text);
            for length in [
                packed.len() / 7,
                packed.len() / 2,
                packed.len() - 5,
                packed.len() - 1,
            ] {
                assert!(
                    kind.expand(&packed[..length], u64::MAX).is_err(),
                    "{kind} truncated at {length} of {}",
                    packed.len()
                );
            }
        }
    }

    /// A stream whose header asks for a dictionary of 2^(12 + n / 2) bytes.
    fn xz_with_dictionary(n: u8) -> Vec<u8> {
        let mut packed = pack(Compression::Xz, b"301 Q0 d1 1 2.5 bm25\n");
        // Behind the 12 bytes of the stream: length, flags, filter, its length, the dictionary, padding, and a sum of all of these.
        let header = &mut packed[12..24];
        assert_eq!(header[..4], [2, 0, 0x21, 1]);
        header[4] = n;
        let mut sum = flate2::Crc::new();
        sum.update(&header[..8]);
        header[8..].copy_from_slice(&sum.sum().to_le_bytes());
        packed
    }

    #[test]
    fn a_dictionary_is_not_much_larger_than_the_content_may_be() {
        let small = 64 << 20;
        // Of 64 MiB, as the highest preset has, of 512 MiB and of 1 GiB.
        for (n, fits_small, fits_large) in [(28, true, true), (34, false, true), (36, false, false)]
        {
            let packed = xz_with_dictionary(n);
            let fits = |most| Compression::Xz.expand(&packed, most).is_ok();
            assert_eq!(
                (fits(small), fits(u64::MAX)),
                (fits_small, fits_large),
                "{n}"
            );
        }
    }

    #[test]
    fn text_is_not_mistaken_for_a_stream() {
        assert_eq!(Compression::of(b"BZh9 Q0 d1 1 2.5 tag"), None);
        assert_eq!(Compression::of(b"BZ"), None);
        assert_eq!(Compression::of(b""), None);
        assert_eq!(Compression::of_name("a.run.GZ"), Some(Compression::Gzip));
        assert_eq!(Compression::of_name("gz"), None);
    }
}
