//! Numbers in buffers of other libraries, such as numpy's arrays, copied by several threads.
#![allow(
    unsafe_code,
    reason = "a buffer is seen as a slice while the interpreter's lock is held and the buffer cannot go away"
)]

use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use cranfield::engine::{convert_in_parallel, fill_in_parallel, in_parallel, with_threads};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

use crate::strings::Fixed;

/// Characters that one thread copies at a time.
const PIECE: usize = 1 << 15;

/// Rows that one thread compares at a time: fewer take less time than another thread needs to wake up.
const ROWS: usize = 1 << 16;

/// Numbers between two looks for signals.
const BLOCK: usize = 1 << 26;

/// The content of a buffer of this type, each number converted; `None` if it is of another type, or of another byte order.
pub(crate) fn converted<T: Element + Sync, U: Copy + Default + Send>(
    column: &Bound<'_, PyAny>,
    convert: impl Fn(T) -> U + Sync + Send,
) -> Option<Vec<U>> {
    if !is_native(column) {
        return None;
    }
    let (py, buffer) = (column.py(), PyBuffer::<T>::get(column).ok()?);
    let Some(numbers) = slice(&buffer, py) else {
        let numbers = buffer.to_vec(py).ok()?;
        return Some(numbers.into_iter().map(convert).collect());
    };
    with_threads(None, || convert_in_parallel(numbers, convert)).ok()
}

/// Rows of `width` characters in one byte each, if all of them are ASCII.
pub(crate) fn narrowed(codes: &Bound<'_, PyAny>, width: usize) -> PyResult<Option<Fixed>> {
    let py = codes.py();
    let buffer = PyBuffer::<u32>::get(codes)?;
    let whole_rows = |characters: usize| (characters / width).max(1) * width;
    let (block, piece) = (whole_rows(BLOCK), whole_rows(PIECE));
    let (is_ascii, may_be_empty) = (AtomicBool::new(true), AtomicBool::new(false));
    let mut bytes = Vec::with_capacity(buffer.item_count());
    let places = &mut bytes.spare_capacity_mut()[..buffer.item_count()];
    for (at, bytes) in places.chunks_mut(block).enumerate() {
        // What a handler of signals does to the buffer is seen by the next block, which takes the slice again.
        py.check_signals()?;
        let Some(codes) = slice(&buffer, py) else {
            return Ok(None);
        };
        let codes = &codes[at * block..];
        let fill = |at: usize, bytes: &mut [MaybeUninit<u8>]| {
            let codes = &codes[at * piece..][..bytes.len()];
            if narrow(codes, bytes) >= 0x80 {
                is_ascii.store(false, Ordering::Relaxed);
            }
            if codes.chunks_exact(width).filter(|row| row[0] == 0).count() > 0 {
                may_be_empty.store(true, Ordering::Relaxed);
            }
        };
        with_threads(None, || fill_in_parallel(bytes, piece, fill))?;
        if !is_ascii.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    // SAFETY: there is room for that many bytes, and each was written: the blocks are all of them, the pieces all of a block, and
    // `narrow` writes as many as it has characters.
    unsafe { bytes.set_len(buffer.item_count()) };
    Ok(Some(Fixed {
        bytes,
        width,
        may_be_empty: may_be_empty.into_inner(),
    }))
}

/// Writes the last byte of each character, of which there are as many as bytes; the bits that any character has.
fn narrow(codes: &[u32], bytes: &mut [MaybeUninit<u8>]) -> u32 {
    let mut all = 0;
    for (byte, code) in bytes.iter_mut().zip(codes) {
        all |= code;
        byte.write(*code as u8);
    }
    all
}

/// Where rows of `width` characters differ from the row before; `None` if the buffer is not in one piece.
pub(crate) fn changes(codes: &Bound<'_, PyAny>, width: usize) -> PyResult<Option<Vec<usize>>> {
    let (py, buffer) = (codes.py(), PyBuffer::<u32>::get(codes)?);
    let pieces = pieces(1..buffer.item_count() / width, ROWS);
    let mut all = Vec::new();
    for pieces in pieces.chunks((BLOCK / ROWS / width).max(1)) {
        py.check_signals()?;
        let Some(codes) = slice(&buffer, py) else {
            return Ok(None);
        };
        let found = with_threads(None, || {
            in_parallel(pieces, |rows| changes_in(codes, width, rows.clone()))
        })?;
        all.extend(found.into_iter().flatten());
    }
    Ok(Some(all))
}

/// The rows that differ from the one before, in a range that does not start at the first row. Most blocks have no change.
fn changes_in(codes: &[u32], width: usize, rows: Range<usize>) -> Vec<usize> {
    let text = |rows: Range<usize>| &codes[rows.start * width..rows.end * width];
    let blocks = pieces(rows, 64).into_iter();
    let differ = |block: &Range<usize>| text(block.start - 1..block.end - 1) != text(block.clone());
    let changes = blocks.filter(differ).flatten();
    changes
        .filter(|row| text(row - 1..*row) != text(*row..row + 1))
        .collect()
}

/// Parts of a range, of `size` each.
fn pieces(range: Range<usize>, length: usize) -> Vec<Range<usize>> {
    let end = range.end;
    let starts = range.step_by(length);
    starts.map(|start| start..end.min(start + length)).collect()
}

/// Some rows of `width` characters; `None` if the buffer is not in one piece.
pub(crate) fn rows_of(
    codes: &Bound<'_, PyAny>,
    width: usize,
    rows: impl Iterator<Item = usize>,
) -> PyResult<Option<Vec<u32>>> {
    let buffer = PyBuffer::<u32>::get(codes)?;
    let codes = slice(&buffer, codes.py());
    Ok(codes.map(|codes| {
        let rows = rows.flat_map(|row| &codes[row * width..(row + 1) * width]);
        rows.copied().collect()
    }))
}

/// A buffer in one piece as a slice, for as long as both the buffer and the interpreter's lock are held.
fn slice<'a, T: Element>(buffer: &'a PyBuffer<T>, _py: Python<'a>) -> Option<&'a [T]> {
    let numbers = buffer.as_slice_ptr()?;
    // SAFETY: the buffer holds this type, aligned and in one piece, and is not released before the slice ends. All bytes are
    // numbers of the type. Python code, which could change them, does not run: the lock is held, and nothing here calls Python
    // while the numbers are read.
    Some(unsafe { numbers.as_ref() })
}

/// Whether numbers have the byte order of the machine; buffers do not say.
pub(crate) fn is_native(column: &Bound<'_, PyAny>) -> bool {
    let native = column
        .getattr("dtype")
        .and_then(|kind| kind.getattr("isnative"));
    native.map_or(true, |native| native.is_truthy().unwrap_or(false))
}
