//! Numbers in buffers of other libraries, such as numpy's arrays, copied by several threads.
#![allow(
    unsafe_code,
    reason = "a buffer is seen as a slice while the interpreter's lock is held and the buffer cannot go away"
)]

use std::sync::atomic::{AtomicBool, Ordering};

use cranfield::engine::{convert_in_parallel, fill_in_parallel, with_threads};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;

/// Characters that one thread copies at a time.
const PIECE: usize = 1 << 16;

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

/// The characters of a buffer in one byte each, if all of them are ASCII.
pub(crate) fn narrowed(codes: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    let py = codes.py();
    let buffer = PyBuffer::<u32>::get(codes)?;
    let mut bytes = vec![0; buffer.item_count()];
    for (block, bytes) in bytes.chunks_mut(BLOCK).enumerate() {
        // What a handler of signals does to the buffer is seen by the next block, which takes the slice anew.
        py.check_signals()?;
        let Some(codes) = slice(&buffer, py) else {
            return Ok(None);
        };
        let codes = &codes[block * BLOCK..];
        let is_ascii = AtomicBool::new(true);
        let narrow = |piece: usize, bytes: &mut [u8]| {
            let codes = &codes[piece * PIECE..][..bytes.len()];
            let mut all = 0;
            for (byte, code) in bytes.iter_mut().zip(codes) {
                all |= code;
                *byte = *code as u8;
            }
            if all >= 0x80 {
                is_ascii.store(false, Ordering::Relaxed);
            }
        };
        with_threads(None, || fill_in_parallel(bytes, PIECE, narrow))?;
        if !is_ascii.into_inner() {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// A buffer in one piece as a slice, for as long as both the buffer and the interpreter's lock are held.
fn slice<'a, T: Element>(buffer: &'a PyBuffer<T>, _py: Python<'a>) -> Option<&'a [T]> {
    let numbers = buffer.as_slice_ptr()?;
    // SAFETY: the buffer holds this type, aligned and in one piece, and is not released before the slice ends. All bytes are
    // numbers of the type. Python code, which could change them, does not run: the lock is held, and nothing here calls Python
    // while the numbers are read.
    Some(unsafe { numbers.as_ref() })
}

/// Whether numbers have the byte order of the machine; buffers do not tell.
pub(crate) fn is_native(column: &Bound<'_, PyAny>) -> bool {
    let native = column
        .getattr("dtype")
        .and_then(|kind| kind.getattr("isnative"));
    native.map_or(true, |native| native.is_truthy().unwrap_or(false))
}
