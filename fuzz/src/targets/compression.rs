//! Compressed streams: damaged, cut, or larger than allowed.

use std::io::Write;

use cranfield_io::{ErrorKind, Limits, Source};

use super::Target;
use super::formats::check_error;

pub(super) const TARGETS: &[Target] = &[
    stream_target!("gzip", Codec::Gzip),
    stream_target!("zstd", Codec::Zstd),
    stream_target!("bzip2", Codec::Bzip2),
    stream_target!("xz", Codec::Xz),
    stream_target!("lz4", Codec::Lz4),
    Target {
        name: "cut_streams",
        property: "a stream expands to what was compressed; one that is cut is refused; the limit is kept",
        run: cut_streams,
        seeds: || {
            [
                b"0\x05hello hello hello".to_vec(),
                b"1\x09301 Q0 d1 1 2.5 bm25\n301 Q0 d2 2 2.5 bm25\n".to_vec(),
                b"2".to_vec(),
                b"3\x7fa".to_vec(),
                b"49aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_vec(),
            ]
            .into()
        },
        dictionary: &["aaaaaaaaaaaaaaaa", "301 Q0 ", "\n"],
        max_len: 300,
        smoke: 8_000,
    },
];

/// A target for the decoder of a format.
macro_rules! stream_target {
    ($name:literal, $codec:expr) => {
        Target {
            name: $name,
            property: "any bytes behind the magic number are expanded within the limit or refused, twice alike",
            run: |bytes| expand(bytes, $codec),
            seeds: || seeds($codec),
            dictionary: &[],
            max_len: 600,
            smoke: 20_000,
        }
    };
}
use stream_target;

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lz4,
}

impl Codec {
    const ALL: [Self; 5] = [Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz, Self::Lz4];

    fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1f\x8b\x08",
            Self::Zstd => b"\x28\xb5\x2f\xfd",
            Self::Bzip2 => b"BZh11AY&SY",
            Self::Xz => b"\xfd7zXZ\x00",
            Self::Lz4 => b"\x04\x22\x4d\x18",
        }
    }

    fn compress(self, bytes: &[u8]) -> Vec<u8> {
        let written = match self {
            Self::Gzip => with(
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()),
                bytes,
                flate2::write::GzEncoder::finish,
            ),
            Self::Zstd => zstd::stream::encode_all(bytes, 3),
            Self::Bzip2 => with(
                bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast()),
                bytes,
                bzip2::write::BzEncoder::finish,
            ),
            Self::Xz => with(
                liblzma::write::XzEncoder::new(Vec::new(), 0),
                bytes,
                liblzma::write::XzEncoder::finish,
            ),
            Self::Lz4 => with(
                lz4_flex::frame::FrameEncoder::new(Vec::new()),
                bytes,
                |encoder| encoder.finish().map_err(std::io::Error::other),
            ),
        };
        written.expect("memory can be written")
    }
}

fn with<E: Write>(
    mut encoder: E,
    bytes: &[u8],
    finish: impl Fn(E) -> std::io::Result<Vec<u8>>,
) -> std::io::Result<Vec<u8>> {
    encoder.write_all(bytes)?;
    finish(encoder)
}

fn seeds(codec: Codec) -> Vec<Vec<u8>> {
    let run = b"301 Q0 FBIS3-1 1 12.5 bm25\n301 Q0 FBIS3-2 2 11.25 bm25\n".repeat(3);
    let inputs: [&[u8]; 4] = [b"", b"a", &run, &[b'a'; 5000]];
    let mut seeds: Vec<Vec<u8>> = inputs.iter().map(|input| codec.compress(input)).collect();
    seeds.push([codec.compress(b"one\n"), codec.compress(b"two\n")].concat());
    let mut noise = crate::random::Random::new(1);
    let noise: Vec<u8> = (0..200).map(|_| noise.number() as u8).collect();
    seeds.push(codec.compress(&noise));
    seeds
}

const LIMIT: u64 = 1 << 16;

fn open(bytes: &[u8], max_expanded: u64) -> Result<Source, cranfield_io::Error> {
    Source::from_bytes_with("fuzz", bytes.to_vec(), Limits { max_expanded })
}

fn expand(bytes: &[u8], codec: Codec) {
    let mut stream = bytes.to_vec();
    let magic = codec.magic();
    let len = magic.len().min(stream.len());
    stream[..len].copy_from_slice(&magic[..len]);
    match (open(&stream, LIMIT), open(&stream, LIMIT / 2)) {
        (Ok(whole), Ok(half)) => assert_eq!(whole.bytes(), half.bytes()),
        (Ok(whole), Err(error)) => {
            assert!(
                whole.bytes().len() as u64 + 3 > LIMIT / 2
                    && error.kind() == ErrorKind::Compression,
                "{error}"
            );
        }
        (Err(error), half) => {
            check_error(&error, b"");
            assert_eq!(error.kind(), ErrorKind::Compression);
            assert!(half.is_err(), "more is allowed, and it fails");
        }
    }
}

/// The first byte is the format, the second where to cut.
fn cut_streams(bytes: &[u8]) {
    let Some(([codec, cut], rest)) = bytes.split_first_chunk() else {
        return;
    };
    let codec = Codec::ALL[usize::from(codec.wrapping_sub(b'0')) % Codec::ALL.len()];
    if rest.starts_with(b"\xef\xbb\xbf") {
        return;
    }
    let (first, second) = rest.split_at(rest.len() / 2);
    let (whole, last) = (codec.compress(rest), codec.compress(second));
    let members = [codec.compress(first), last.clone()].concat();
    let opened = open(&whole, LIMIT).expect("the stream is whole");
    assert_eq!(opened.bytes(), rest);
    let opened = open(&members, LIMIT).expect("both streams are whole");
    assert_eq!(opened.bytes(), rest, "two members");
    let magic = codec.magic().len();
    let at = magic + usize::from(*cut) * (whole.len() - magic) / 256;
    assert!(
        open(&whole[..at], LIMIT).is_err(),
        "{codec:?} cut at {at} of {}",
        whole.len()
    );
    let lost = 1 + usize::from(*cut) * (last.len() - 1) / 256;
    if lost < last.len() {
        let kept = members.len() - lost;
        assert!(
            open(&members[..kept], LIMIT).is_err(),
            "{codec:?}, second member: {lost} of {} lost",
            last.len()
        );
    }
    let size = rest.len() as u64;
    assert!(
        size == 0 || open(&whole, size - 1).is_err(),
        "{size} bytes are more than allowed"
    );
    assert!(open(&whole, size).is_ok(), "{size} bytes are allowed");
}
