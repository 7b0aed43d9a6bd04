//! Rows of numbers, in memory or in a mapped file, as single-precision numbers.

use std::ops::Range;

use cranfield_io::Bytes;
use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

/// The type of the numbers of a mapped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    Half,
    Single,
    Double,
}

impl Precision {
    /// Size of a number in bytes.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Half => 2,
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

#[derive(Debug)]
enum Storage {
    Owned(Vec<f32>),
    /// Little-endian numbers.
    File(Bytes, Precision),
}

/// A matrix with one vector per row.
#[derive(Debug)]
pub(super) struct Matrix {
    storage: Storage,
    rows: usize,
    dims: usize,
}

impl Matrix {
    /// Wraps numbers in memory; an incomplete last row is ignored.
    pub(super) fn owned(values: Vec<f32>, dims: usize) -> Self {
        Self {
            rows: values.len().checked_div(dims).unwrap_or(0),
            storage: Storage::Owned(values),
            dims,
        }
    }

    /// Wraps the bytes of `dims` numbers for each row; an incomplete last row is ignored.
    pub(super) fn mapped(bytes: Bytes, precision: Precision, dims: usize) -> Self {
        let row = dims.saturating_mul(precision.bytes());
        Self {
            rows: bytes.len().checked_div(row).unwrap_or(0),
            storage: Storage::File(bytes, precision),
            dims,
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    /// The numbers of a range of rows, converted into `scratch` if they are stored in another form.
    pub(super) fn block<'a>(&'a self, rows: Range<usize>, scratch: &'a mut Vec<f32>) -> &'a [f32] {
        let numbers = rows.start * self.dims..rows.end * self.dims;
        match &self.storage {
            Storage::Owned(values) => &values[numbers],
            Storage::File(bytes, precision) => {
                let size = precision.bytes();
                let bytes = &bytes[numbers.start * size..numbers.end * size];
                match in_place(bytes, *precision) {
                    Some(values) => values,
                    None => convert(bytes, *precision, scratch),
                }
            }
        }
    }
}

/// The numbers without a copy, if the file has the processor's own form and the address is aligned.
fn in_place(bytes: &[u8], precision: Precision) -> Option<&[f32]> {
    if cfg!(target_endian = "little") && precision == Precision::Single {
        bytemuck::try_cast_slice(bytes).ok()
    } else {
        None
    }
}

fn convert<'a>(bytes: &[u8], precision: Precision, scratch: &'a mut Vec<f32>) -> &'a [f32] {
    scratch.clear();
    match precision {
        Precision::Half => convert_halves(bytes, scratch),
        Precision::Single => {
            let (numbers, _) = bytes.as_chunks();
            scratch.extend(numbers.iter().map(|&number| f32::from_le_bytes(number)));
        }
        Precision::Double => {
            let (numbers, _) = bytes.as_chunks();
            scratch.extend(
                numbers
                    .iter()
                    .map(|&number| f64::from_le_bytes(number) as f32),
            );
        }
    }
    scratch
}

/// Converts whole slices, which the processor does several times faster than one number after another.
fn convert_halves(bytes: &[u8], out: &mut Vec<f32>) {
    let (numbers, _) = bytes.as_chunks();
    let bits: Vec<u16> = numbers
        .iter()
        .map(|&number| u16::from_le_bytes(number))
        .collect();
    out.resize(bits.len(), 0.0);
    bits.reinterpret_cast::<f16>().convert_to_f32_slice(out);
}
