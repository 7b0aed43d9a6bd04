//! Columns of ids: strings in any of Arrow's forms, strings of a fixed width, and whole numbers.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, GenericStringArray, LargeStringArray, OffsetSizeTrait, PrimitiveArray, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;
use cranfield::engine::fill_in_parallel;
use cranfield::io::Code;

use crate::dicts::Role;
use crate::errors::Failure;

/// Rows that one thread writes at a time.
const ROWS_PER_PIECE: usize = 1 << 14;

/// A column of a table, of which a batch has these rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    pub(crate) name: &'a str,
    pub(crate) array: &'a dyn Array,
    pub(crate) role: Role,
    /// Rows of the batches before this one.
    pub(crate) before: usize,
}

impl<'a> Column<'a> {
    /// The column with other rows.
    pub(crate) fn with(self, array: &'a dyn Array) -> Self {
        Self { array, ..self }
    }

    /// Rejects a row without a value.
    pub(crate) fn check_nulls(self, code: Code) -> Result<(), Failure> {
        let nulls = self.array.logical_nulls();
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        let first = nulls.and_then(|nulls| nulls.iter().position(|is_valid| !is_valid));
        first.map_or(Ok(()), |row| {
            let what = format!("column `{}`", self.name);
            Err(self.role.missing(code, &what, self.before + row))
        })
    }

    /// Places of the values of a dictionary's rows.
    pub(crate) fn keys(self) -> Result<Vec<usize>, Failure> {
        let dictionary = self.array.as_any_dictionary();
        if dictionary.values().is_empty() {
            return Err(self.refused("a dictionary with values"));
        }
        Ok(dictionary.normalized_keys())
    }

    /// The failure of a type that the column cannot have.
    pub(crate) fn refused(self, expected: &str) -> Failure {
        let (name, kind) = (self.name, self.array.data_type());
        Failure::Type(format!(
            "column `{name}` is of type {kind}, expected {expected}; convert it first"
        ))
    }
}

/// A column of ids.
#[derive(Debug)]
pub(crate) enum Ids {
    Strings(Strings),
    /// Whole numbers, which are written out where they are needed as strings.
    Whole(Vec<i64>),
    /// Rows with the same text follow each other: where those of each text end, in ascending order, and the strings.
    Stretches(Vec<usize>, Strings),
}

/// A column of strings.
#[derive(Clone, Debug)]
pub(crate) enum Strings {
    Small(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    /// Strings by number.
    Dictionary(Vec<usize>, Box<Self>),
    Fixed(Fixed),
}

/// Strings of a fixed number of bytes each, filled up with zeros, which are no part of it.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    pub(crate) bytes: Vec<u8>,
    pub(crate) width: usize,
    /// Whether some strings begin with a zero: those that are empty do, and those that have one as a part of them.
    pub(crate) may_be_empty: bool,
}

impl Fixed {
    /// The bytes of some rows.
    fn rows(&self, rows: Range<usize>) -> &[u8] {
        &self.bytes[rows.start * self.width..rows.end * self.width]
    }

    /// The strings from a row on.
    #[inline]
    pub(crate) fn from(&self, row: usize) -> impl Iterator<Item = &[u8]> {
        let rows = self.bytes[row * self.width..].chunks_exact(self.width);
        rows.map(trimmed)
    }
}

impl Ids {
    /// A column of a table.
    pub(crate) fn new(column: Column<'_>) -> Result<Self, Failure> {
        column.check_nulls(Code::EmptyId)?;
        Self::of_column(column)
    }

    /// The ids of a column; places without a value do not matter.
    fn of_column(column: Column<'_>) -> Result<Self, Failure> {
        let array = column.array;
        if array.is_empty() {
            // Libraries make something of their own of the type of a column without rows.
            return Ok(Self::Whole(Vec::new()));
        }
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Strings(Strings::Small(array.as_string().clone())),
            DataType::LargeUtf8 => Self::Strings(Strings::Large(array.as_string().clone())),
            DataType::Utf8View => Self::Strings(Strings::View(array.as_string_view().clone())),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let values = Self::of_column(column.with(dictionary.values().as_ref()))?.strings();
                Self::Strings(Strings::Dictionary(column.keys()?, Box::new(values)))
            }
            DataType::Int8 => whole::<Int8Type>(array),
            DataType::Int16 => whole::<Int16Type>(array),
            DataType::Int32 => whole::<Int32Type>(array),
            DataType::Int64 => whole::<Int64Type>(array),
            DataType::UInt8 => whole::<UInt8Type>(array),
            DataType::UInt16 => whole::<UInt16Type>(array),
            DataType::UInt32 => whole::<UInt32Type>(array),
            DataType::UInt64 => whole::<UInt64Type>(array),
            _ => return Err(column.refused("strings or whole numbers")),
        })
    }

    /// Number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Strings(strings) => strings.len(),
            Self::Whole(numbers) => numbers.len(),
            Self::Stretches(ends, _) => ends.last().copied().unwrap_or_default(),
        }
    }

    /// The ids as strings.
    pub(crate) fn strings(self) -> Strings {
        match self {
            Self::Strings(strings) => strings,
            Self::Whole(numbers) => written(&numbers),
            Self::Stretches(ends, strings) => {
                let starts = std::iter::once(0).chain(ends.iter().copied());
                let lengths = ends.iter().zip(starts).map(|(end, start)| end - start);
                let keys = lengths.enumerate();
                let keys = keys.flat_map(|(text, length)| std::iter::repeat_n(text, length));
                Strings::Dictionary(keys.collect(), Box::new(strings))
            }
        }
    }

    /// The first row behind `start` with another id than it has, or `end`.
    pub(crate) fn same_until(&self, start: usize, end: usize) -> usize {
        match self {
            Self::Whole(numbers) => {
                let id = numbers[start];
                let other = numbers[start..end].iter().position(|number| *number != id);
                other.map_or(end, |other| start + other)
            }
            Self::Stretches(ends, _) => end.min(ends[stretch_of(ends, start)]),
            // Rows of the same bytes have the same text, and no others have.
            Self::Strings(Strings::Fixed(strings)) => by_blocks(
                start,
                end,
                |row| strings.rows(row..row + 1),
                |rows| repeats(strings.rows(rows), strings.width),
            ),
            Self::Strings(Strings::Small(strings)) => same_strings(strings, start, end),
            Self::Strings(Strings::Large(strings)) => same_strings(strings, start, end),
            Self::Strings(Strings::Dictionary(keys, strings)) => {
                let (key, id) = (keys[start], strings.get(keys[start]));
                let is_same = |row: &usize| keys[*row] == key || strings.get(keys[*row]) == id;
                (start + 1..end).find(|row| !is_same(row)).unwrap_or(end)
            }
            Self::Strings(strings) => {
                let id = strings.get(start);
                let other = (start + 1..end).find(|row| strings.get(*row) != id);
                other.unwrap_or(end)
            }
        }
    }

    /// Appends the id of a row.
    pub(crate) fn append(&self, row: usize, to: &mut Vec<u8>) {
        match self {
            Self::Strings(strings) => to.extend_from_slice(strings.get(row)),
            Self::Whole(numbers) => to.extend_from_slice(numbers[row].to_string().as_bytes()),
            Self::Stretches(ends, strings) => {
                to.extend_from_slice(strings.get(stretch_of(ends, row)));
            }
        }
    }
}

/// Which of the stretches with these ends has a row.
fn stretch_of(ends: &[usize], row: usize) -> usize {
    ends.partition_point(|end| *end <= row)
}

impl Strings {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Small(strings) => strings.len(),
            Self::Large(strings) => strings.len(),
            Self::View(strings) => strings.len(),
            Self::Dictionary(keys, _) => keys.len(),
            Self::Fixed(strings) => strings.bytes.len() / strings.width,
        }
    }

    /// The first of some rows whose text is empty.
    pub(crate) fn first_empty(&self, mut rows: Range<usize>) -> Option<usize> {
        match self {
            Self::Fixed(strings) if !strings.may_be_empty => None,
            Self::Small(strings) => first_empty(strings.value_offsets(), rows),
            Self::Large(strings) => first_empty(strings.value_offsets(), rows),
            strings => rows.find(|row| strings.get(*row).is_empty()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, row: usize) -> &[u8] {
        match self {
            Self::Small(strings) => strings.value(row).as_bytes(),
            Self::Large(strings) => strings.value(row).as_bytes(),
            Self::View(strings) => strings.value(row).as_bytes(),
            Self::Dictionary(keys, strings) => strings.get(keys[row]),
            Self::Fixed(strings) => trimmed(strings.rows(row..row + 1)),
        }
    }
}

/// The first empty string of adjacent strings: one that ends where it begins. They are counted first, as a processor
/// compares many offsets at once where it need not stop at the first.
fn first_empty<O: OffsetSizeTrait>(offsets: &[O], rows: Range<usize>) -> Option<usize> {
    let offsets = &offsets[rows.start..=rows.end];
    let mut lengths = offsets.iter().zip(&offsets[1..]);
    let empty = |(start, end): &(&O, &O)| start == end;
    let count = lengths.clone().filter(empty).count();
    let at = (count > 0).then(|| lengths.position(|two| empty(&two)));
    at.flatten().map(|at| rows.start + at)
}

/// A text without the zeros that fill it up.
#[inline]
fn trimmed(text: &[u8]) -> &[u8] {
    let mut rest = text;
    // Eight bytes at a time, without a branch for each.
    while let Some((before, last)) = rest.split_last_chunk::<8>() {
        let zeros = u64::from_le_bytes(*last).leading_zeros() as usize / 8;
        if zeros < 8 {
            return &rest[..rest.len() - zeros];
        }
        rest = before;
    }
    let end = rest.iter().rposition(|byte| *byte != 0);
    &rest[..end.map_or(0, |end| end + 1)]
}

/// Rows that are compared at a time.
const BLOCK: usize = 64;

/// The first row behind `start` whose text is another, or `end`; whole blocks of rows that are the same are passed over.
fn by_blocks<'t>(
    start: usize,
    end: usize,
    text: impl Fn(usize) -> &'t [u8],
    is_uniform: impl Fn(Range<usize>) -> bool,
) -> usize {
    let id = text(start);
    let mut row = start;
    while row < end {
        // A block begins with a row that is known to be the same.
        let next = end.min(row + BLOCK);
        if next - row > 1 && is_uniform(row..next) {
            row = if next == end { end } else { next - 1 };
            continue;
        }
        return (row + 1..next).find(|row| text(*row) != id).unwrap_or(next);
    }
    end
}

/// Whether bytes repeat themselves with this period.
fn repeats(bytes: &[u8], period: usize) -> bool {
    bytes[period..] == bytes[..bytes.len() - period]
}

/// The end of the run of equal strings from `start` on, for adjacent strings.
fn same_strings<O: OffsetSizeTrait>(
    strings: &GenericStringArray<O>,
    start: usize,
    end: usize,
) -> usize {
    let place = |offset: O| offset.as_usize();
    let (offsets, values) = (strings.value_offsets(), strings.value_data());
    let text = |row: usize| &values[place(offsets[row])..place(offsets[row + 1])];
    let length = offsets[start + 1] - offsets[start];
    by_blocks(start, end, text, |rows| {
        let offsets = &offsets[rows.start..=rows.end];
        let (first, last) = (place(offsets[0]), place(offsets[offsets.len() - 1]));
        let lengths = offsets.iter().zip(&offsets[1..]);
        let other = lengths.filter(|(start, end)| **end - **start != length);
        other.count() == 0 && repeats(&values[first..last], place(length))
    })
}

/// Whole numbers of a column; those that no `i64` holds, as strings.
fn whole<T: ArrowPrimitiveType<Native: std::fmt::Display + TryInto<i64>>>(
    array: &dyn Array,
) -> Ids {
    let numbers: &PrimitiveArray<T> = array.as_primitive();
    let all: Result<Vec<i64>, _> = numbers
        .values()
        .iter()
        .map(|number| (*number).try_into())
        .collect();
    all.map_or_else(
        |_| {
            let strings = numbers.values().iter().map(ToString::to_string);
            Ids::Strings(Strings::Large(LargeStringArray::from_iter_values(strings)))
        },
        Ids::Whole,
    )
}

/// Numbers as strings of a fixed width.
fn written(numbers: &[i64]) -> Strings {
    let (least, greatest) = numbers.iter().fold((0, 0), |(least, greatest), number| {
        (*number.min(&least), *number.max(&greatest))
    });
    let width = least.to_string().len().max(greatest.to_string().len());
    let mut bytes = vec![0; numbers.len() * width];
    fill_in_parallel(&mut bytes, ROWS_PER_PIECE * width, |piece, bytes| {
        let rows = bytes.chunks_exact_mut(width);
        let numbers = &numbers[piece * ROWS_PER_PIECE..];
        rows.zip(numbers)
            .for_each(|(row, number)| write(*number, row));
    });
    Strings::Fixed(Fixed {
        bytes,
        width,
        may_be_empty: false,
    })
}

/// Writes a number to the beginning of a row that is long enough for it.
fn write(number: i64, row: &mut [u8]) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number).as_bytes();
    row[..digits.len()].copy_from_slice(digits);
}
