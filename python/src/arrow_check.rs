//! Checks columns of other libraries before they are used: a text that begins behind its end, or a key that no
//! value has, would be read from anywhere.
//!
//! Whether buffers are as long as they are said to be cannot be known: the interface gives numbers of rows, and nothing else.
//! Strings are read as bytes, so that those which are no UTF-8 do no harm.

use std::ops::BitOr;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrowNativeTypeOp, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_schema::DataType;

use crate::errors::Failure;

/// Rejects a column whose strings are not where they are said to be, or whose keys have no value.
pub(crate) fn check_column(name: &str, column: &dyn Array) -> Result<(), Failure> {
    let Some(what) = damage(column) else {
        return Ok(());
    };
    Err(Failure::Input(format!(
        "column `{name}` is damaged Arrow data: {what}; make the table again, or report it to the library that it comes from"
    )))
}

fn damage(column: &dyn Array) -> Option<String> {
    match column.data_type() {
        // Of a column without rows, nothing is read.
        _ if column.is_empty() => None,
        DataType::Utf8 => of_strings::<i32>(column.as_string()),
        DataType::LargeUtf8 => of_strings::<i64>(column.as_string()),
        DataType::Utf8View => of_views(column.as_string_view()),
        DataType::Dictionary(..) => {
            let keys = column.to_data().validate_values().err();
            let keys = keys.map(|_| "a key of its dictionary has no value".into());
            keys.or_else(|| damage(column.as_any_dictionary().values().as_ref()))
        }
        _ => None,
    }
}

/// Offsets begin at 0 or later, never fall, and end where the bytes do.
fn of_strings<O>(strings: &GenericStringArray<O>) -> Option<String>
where
    O: OffsetSizeTrait + ArrowNativeTypeOp + BitOr<Output = O>,
{
    let offsets = strings.value_offsets();
    let last = offsets.last()?;
    let mut pairs = offsets.iter().zip(&offsets[1..]);
    // One sign for all of them: a processor takes many offsets at once where it need not stop at the first.
    let signs = |signs: O, (start, end): (&O, &O)| signs | *start | end.sub_wrapping(*start);
    if pairs.clone().fold(O::zero(), signs) >= O::zero() {
        let fits = last.as_usize() <= strings.value_data().len();
        return (!fits).then(|| "strings are out of bounds".into());
    }
    let is_odd = |(start, end): (&O, &O)| *start < O::zero() || end < start;
    let row = pairs.position(is_odd).unwrap_or_default() + 1;
    Some(format!("the text of row {row} is out of bounds"))
}

/// Strings that are not in the view itself are within one of the buffers.
fn of_views(strings: &StringViewArray) -> Option<String> {
    let buffers = strings.data_buffers();
    let fits = |view: &u128| {
        let part = |at: u32| (*view >> (at * 32)) as u32 as usize;
        let (length, buffer, offset) = (part(0), part(2), part(3));
        length <= 12
            || buffers
                .get(buffer)
                .is_some_and(|bytes| offset + length <= bytes.len())
    };
    let row = strings.views().iter().position(|view| !fits(view))? + 1;
    Some(format!("the text of row {row} is out of bounds"))
}
