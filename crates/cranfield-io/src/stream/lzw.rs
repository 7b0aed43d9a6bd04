//! Streams of the program `compress` (`.Z`), which the disks of early tracks use.
//!
//! A stream is a header of three bytes and codes of 9 bits and more, the least significant bit first. The width grows when the
//! table is full. Codes are written in groups of eight, which take as many bytes as a code has bits; after a change of width or a
//! cleared table the rest of the group is padding.

use std::io::{self, Read};

/// The first bytes of a stream.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x9d];

const MIN_BITS: u32 = 9;
const MAX_BITS: u32 = 16;
/// The code that clears the table, in streams that use it.
const CLEAR: usize = 256;
/// Number of codes in a group.
const GROUP: u32 = 8;

/// A decoder.
pub(super) struct Decoder<R> {
    input: R,
    /// Bytes of the current group, and the place of the next bit in it.
    group: Vec<u8>,
    bit: u32,
    bits: u32,
    max_bits: u32,
    clears: bool,
    /// The code before and the byte behind each code from 256 on.
    table: Vec<(u16, u8)>,
    previous: Option<usize>,
    first_byte: u8,
    /// Decoded bytes, in reverse, that were not yet read.
    pending: Vec<u8>,
}

impl<R: Read> Decoder<R> {
    pub(super) fn new(mut input: R) -> io::Result<Self> {
        let mut header = [0; 3];
        input.read_exact(&mut header)?;
        let max_bits = u32::from(header[2] & 0x1f);
        if header[..2] != MAGIC || !(MIN_BITS..=MAX_BITS).contains(&max_bits) {
            return Err(damaged());
        }
        let clears = header[2] & 0x80 != 0;
        Ok(Self {
            input,
            group: Vec::with_capacity(MAX_BITS as usize),
            bit: 0,
            bits: MIN_BITS,
            max_bits,
            clears,
            table: vec![(0, 0); usize::from(clears)],
            previous: None,
            first_byte: 0,
            pending: Vec::new(),
        })
    }

    /// The next code, or `None` at the end.
    fn code(&mut self) -> io::Result<Option<usize>> {
        let is_full = CLEAR + self.table.len() > (1 << self.bits) - 1;
        if is_full && self.bits < self.max_bits {
            self.bits += 1;
            self.group.clear();
            self.bit = 0;
        }
        if self.bit + self.bits > self.group.len() as u32 * 8 {
            self.fill_group()?;
            if self.bits > self.group.len() as u32 * 8 {
                return Ok(None);
            }
        }
        // A code of up to 16 bits is in at most three bytes.
        let byte = |n: usize| self.group.get((self.bit / 8) as usize + n).copied();
        let word = (0..3).map(|n| usize::from(byte(n).unwrap_or(0)) << (8 * n));
        let code = word.sum::<usize>() >> (self.bit % 8) & ((1 << self.bits) - 1);
        self.bit += self.bits;
        Ok(Some(code))
    }

    fn fill_group(&mut self) -> io::Result<()> {
        self.group.clear();
        self.bit = 0;
        let size = u64::from(self.bits * GROUP / 8);
        self.input
            .by_ref()
            .take(size)
            .read_to_end(&mut self.group)?;
        Ok(())
    }

    fn clear(&mut self) {
        // The next code adds an entry at the place of the code that clears; no later code refers to it.
        self.table.clear();
        self.bits = MIN_BITS;
        self.group.clear();
        self.bit = 0;
    }

    /// Decodes one code into `pending`; false at the end.
    fn decode(&mut self) -> io::Result<bool> {
        let Some(code) = self.code()? else {
            return Ok(false);
        };
        if self.clears && code == CLEAR {
            self.clear();
            return Ok(true);
        }
        let Some(previous) = self.previous else {
            self.first_byte = u8::try_from(code).map_err(|_| damaged())?;
            self.pending.push(self.first_byte);
            self.previous = Some(code);
            return Ok(true);
        };
        self.expand(code, previous)?;
        if CLEAR + self.table.len() < 1 << self.max_bits {
            self.table.push((previous as u16, self.first_byte));
        }
        self.previous = Some(code);
        Ok(true)
    }

    /// Writes the bytes of a code, the last first.
    fn expand(&mut self, code: usize, previous: usize) -> io::Result<()> {
        let next = CLEAR + self.table.len();
        let mut at = code;
        if code >= next {
            if code > next {
                return Err(damaged());
            }
            // The code that is being defined: the previous one and its own first byte.
            self.pending.push(self.first_byte);
            at = previous;
        }
        // Each entry refers to an older one, so a damaged stream cannot loop for longer than the table.
        for _ in 0..=self.table.len() {
            if at < CLEAR {
                break;
            }
            let (before, byte) = *self.table.get(at - CLEAR).ok_or_else(damaged)?;
            self.pending.push(byte);
            at = usize::from(before);
        }
        self.first_byte = u8::try_from(at).map_err(|_| damaged())?;
        self.pending.push(self.first_byte);
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while count < buffer.len() {
            if let Some(byte) = self.pending.pop() {
                buffer[count] = byte;
                count += 1;
            } else if !self.decode()? {
                break;
            }
        }
        Ok(count)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "damaged .Z stream")
}
