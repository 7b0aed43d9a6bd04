//! Checks the pages of a column: the decoder allocates memory for the number of values that a page declares, so a page must not
//! declare more than it can contain.

use ::parquet::basic::{Encoding, Type};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::schema::types::ColumnDescPtr;

/// A page reader that checks declared sizes.
pub(super) struct Checked {
    pages: Box<dyn PageReader>,
    column: ColumnDescPtr,
    /// Number of values of the column in the group; no page has more.
    values: u64,
}

impl Checked {
    pub(super) fn new(pages: Box<dyn PageReader>, column: ColumnDescPtr, values: i64) -> Self {
        Self {
            pages,
            column,
            values: u64::try_from(values).unwrap_or(0),
        }
    }

    fn check(&self, page: Page) -> Result<Page> {
        let is_sound = match &page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => *num_values as usize <= buf.len() / min_size(self.column.physical_type()),
            Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding,
                ..
            } => {
                let levels = self.levels(buf, *num_values, *def_level_encoding);
                self.is_sound(&buf[levels.min(buf.len())..], *num_values, *encoding)
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                self.is_sound(&buf[levels.min(buf.len())..], *num_values, *encoding)
            }
        };
        let unsound =
            || ParquetError::General("a page declares more values than it contains".into());
        if is_sound { Ok(page) } else { Err(unsound()) }
    }

    /// Length of the definition levels, which precede the values in a version 1 page.
    fn levels(&self, page: &[u8], values: u32, encoding: Encoding) -> usize {
        if self.column.max_def_level() == 0 {
            return 0;
        }
        match (encoding, page.first_chunk::<4>()) {
            (Encoding::RLE, Some(length)) => 4 + u32::from_le_bytes(*length) as usize,
            // One bit each, without a length, in old files.
            _ => values.div_ceil(8) as usize,
        }
    }

    fn is_sound(&self, values: &[u8], declared: u32, encoding: Encoding) -> bool {
        let lengths = match encoding {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => delta_sequence(values).map(|first| first.count),
            // Lengths of prefixes, then lengths of suffixes.
            Encoding::DELTA_BYTE_ARRAY => delta_sequence(values).and_then(|first| {
                let second = delta_sequence(values.get(first.end..)?)?;
                Some(first.count.max(second.count))
            }),
            _ => Some(0),
        };
        u64::from(declared) <= self.values
            && lengths.is_some_and(|lengths| lengths <= u64::from(declared))
    }
}

/// Minimum size of a value in a dictionary, in bytes.
fn min_size(physical: Type) -> usize {
    match physical {
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
    }
}

/// A delta-packed sequence of numbers: its declared length and its end.
#[derive(Debug, PartialEq)]
struct Sequence {
    count: u64,
    end: usize,
}

/// Parses a delta-packed sequence; `None` if it is damaged.
fn delta_sequence(bytes: &[u8]) -> Option<Sequence> {
    let mut at = 0;
    let block = varint(bytes, &mut at)?;
    let mini_blocks = varint(bytes, &mut at)?;
    let count = varint(bytes, &mut at)?;
    let _first = varint(bytes, &mut at)?;
    let per_mini_block = block.checked_div(mini_blocks).filter(|&size| size > 0)?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let _min_delta = varint(bytes, &mut at)?;
        let widths_end = at.checked_add(usize::try_from(mini_blocks).ok()?)?;
        let widths = bytes.get(at..widths_end)?;
        at = widths_end;
        for width in widths {
            if left == 0 {
                break;
            }
            let size = u64::from(*width).checked_mul(per_mini_block)? / 8;
            at = at.checked_add(usize::try_from(size).ok()?)?;
            left = left.saturating_sub(per_mini_block);
        }
    }
    Some(Sequence { count, end: at })
}

/// Parses a variable-length integer: seven bits per byte, the lowest first.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

impl Iterator for Checked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Checked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.map(|page| self.check(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_end_after_their_last_mini_block() {
        // Blocks of 128 in four mini blocks of 32; one value needs no block.
        let alone = [0x80, 0x01, 4, 1, 6, 99];
        assert_eq!(delta_sequence(&alone), Some(Sequence { count: 1, end: 5 }));
        // Four further values of two bits: only the first mini block is present, with 8 bytes.
        let few = [
            0x80, 0x01, 4, 5, 6, 0, 2, 7, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 99,
        ];
        assert_eq!(delta_sequence(&few), Some(Sequence { count: 5, end: 18 }));
        assert_eq!(delta_sequence(&few[..8]), None);
        // No mini blocks, and mini blocks without values, would never end.
        assert_eq!(delta_sequence(&[0x80, 0x01, 0, 5, 6, 0]), None);
        assert_eq!(delta_sequence(&[0, 4, 5, 6, 0]), None);
    }
}
