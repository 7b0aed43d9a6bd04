//! Headers of tar archives, read as a stream.

use std::io::{self, Read};

use super::decode::skip;

/// Size of a header and of the units of content.
pub(super) const BLOCK: usize = 512;
/// Long names are stored as content; longer ones than this are damage.
const MAX_NAME: u64 = 1 << 16;

/// A file of an archive.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) size: u64,
}

/// Whether a block is a header: its checksum is right.
pub(super) fn is_header(block: &[u8]) -> bool {
    const CHECKSUM: std::ops::Range<usize> = 148..156;
    let Some(block) = block.get(..BLOCK) else {
        return false;
    };
    let sum = block.iter().enumerate().map(|(at, byte)| {
        let byte = if CHECKSUM.contains(&at) { b' ' } else { *byte };
        u64::from(byte)
    });
    let is_empty = block.iter().all(|byte| *byte == 0);
    !is_empty && octal(&block[CHECKSUM]) == Some(sum.sum())
}

/// Reads the next regular file, or `None` at the end. Folders and links are skipped.
pub(super) fn next_file(input: &mut impl Read) -> io::Result<Option<Entry>> {
    let mut long_name = None;
    loop {
        let mut block = [0; BLOCK];
        if !read_block(input, &mut block)? || block.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        if !is_header(&block) {
            return Err(damaged("damaged header"));
        }
        let size = size(&block[124..136]).ok_or_else(|| damaged("damaged size"))?;
        match block[156] {
            b'0' | 0 | b'7' => {
                let name = long_name.take().unwrap_or_else(|| name(&block));
                return Ok(Some(Entry { name, size }));
            }
            b'L' => {
                let bytes = content(input, size)?;
                long_name = Some(text(&bytes));
            }
            b'x' => {
                let bytes = content(input, size)?;
                long_name = pax_path(&bytes).or(long_name);
            }
            _ => skip_content(input, size)?,
        }
    }
}

/// Number of bytes behind content of this size up to the next header.
pub(super) fn padding(size: u64) -> u64 {
    size.next_multiple_of(BLOCK as u64) - size
}

fn skip_content(input: &mut impl Read, size: u64) -> io::Result<()> {
    skip(input, size.saturating_add(padding(size))).map(|_| ())
}

fn content(input: &mut impl Read, size: u64) -> io::Result<Vec<u8>> {
    if size > MAX_NAME {
        return Err(damaged("name too long"));
    }
    let mut bytes = Vec::new();
    input.by_ref().take(size).read_to_end(&mut bytes)?;
    skip(input, padding(size))?;
    Ok(bytes)
}

fn read_block(input: &mut impl Read, block: &mut [u8; BLOCK]) -> io::Result<bool> {
    let mut bytes = Vec::new();
    input.by_ref().take(BLOCK as u64).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(false);
    }
    if bytes.len() < BLOCK {
        return Err(damaged("incomplete header"));
    }
    block.copy_from_slice(&bytes);
    Ok(true)
}

fn name(block: &[u8; BLOCK]) -> String {
    let name = text(&block[..100]);
    let prefix = text(&block[345..500]);
    let is_posix = block[257..263] == *b"ustar\0";
    if is_posix && !prefix.is_empty() {
        format!("{prefix}/{name}")
    } else {
        name
    }
}

fn text(bytes: &[u8]) -> String {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The `path` of an extended header, whose records are `length key=value` lines.
fn pax_path(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut values = text.lines().filter_map(|line| line.split_once(" path="));
    values.next().map(|(_, path)| path.to_owned())
}

/// A size in octal digits, or in binary if the first bit is set.
fn size(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 == 0 {
        return octal(field);
    }
    let (high, low) = field.split_at(field.len() - 8);
    let is_small = high.iter().skip(1).all(|byte| *byte == 0) && high[0] == 0x80;
    let number = low.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    (is_small && number < 1 << 62).then_some(number)
}

fn octal(field: &[u8]) -> Option<u64> {
    let end = field
        .iter()
        .position(|byte| *byte == 0)
        .unwrap_or(field.len());
    let digits = field[..end].trim_ascii();
    if digits.is_empty() || digits.len() > 20 {
        return None;
    }
    let digits = std::str::from_utf8(digits).ok()?;
    u64::from_str_radix(digits, 8).ok()
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("tar archive: {what}"))
}
