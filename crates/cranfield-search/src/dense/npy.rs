//! Arrays as `numpy.save` writes them: versions 1 to 3 of the format.

use cranfield_io::{Code, Error, Problem, Source, quoted};

use super::matrix::{Matrix, Precision};

/// The first bytes of a file.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// The header: what the numbers are.
#[derive(Debug, PartialEq)]
struct Header {
    precision: Precision,
    rows: usize,
    dims: usize,
}

/// Reads an array of two dimensions.
pub(super) fn read(source: &Source) -> Result<Matrix, Error> {
    let wrong = |message: String| Problem::file(Code::BadVectors, source.name(), message);
    let (text, start) = header_text(source.bytes())
        .ok_or_else(|| wrong("the header of the array is incomplete".into()))?;
    let header = parse(text).map_err(wrong)?;
    let (expected, found) = (header.size(), source.bytes().len() - start);
    if expected != Some(found) {
        let size = expected.map_or("too many".into(), |size| size.to_string());
        let shape = format!("{} x {}", header.rows, header.dims);
        return Err(wrong(format!(
            "found {found} bytes after the header, an array of {shape} has {size}"
        ))
        .with_help("the file may be incomplete")
        .into());
    }
    let numbers = source.shared().slice(start..);
    Ok(Matrix::mapped(numbers, header.precision, header.dims))
}

impl Header {
    /// Size of the numbers in bytes; `None` if it is too large for this machine.
    fn size(&self) -> Option<usize> {
        let numbers = self.rows.checked_mul(self.dims)?;
        numbers.checked_mul(self.precision.bytes())
    }
}

/// The text of the header, and where the numbers start.
fn header_text(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, start) = match *rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([a, b])), 10),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([a, b, c, d]) as usize, 12),
        _ => return None,
    };
    let end = length.checked_add(start)?;
    Some((bytes.get(start..end)?, end))
}

/// Parses a header such as `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }`.
fn parse(text: &[u8]) -> Result<Header, String> {
    let text = std::str::from_utf8(text).map_err(|_| "the header is not text".to_owned())?;
    let precision = match value(text, "descr")?.trim_matches(['\'', '"']) {
        "<f2" => Precision::Half,
        "<f4" => Precision::Single,
        "<f8" => Precision::Double,
        other => {
            let other = quoted(other.as_bytes());
            return Err(format!(
                "the numbers have the type {other}, expected `<f4`, `<f2` or `<f8`"
            ));
        }
    };
    if value(text, "fortran_order")? != "False" {
        return Err("the array is in Fortran order, expected C order".into());
    }
    let shape = value(text, "shape")?;
    let sizes: Result<Vec<usize>, _> = shape
        .trim_matches(['(', ')'])
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(str::parse)
        .collect();
    match sizes.as_deref() {
        Ok(&[rows, dims]) if dims > 0 => Ok(Header {
            precision,
            rows,
            dims,
        }),
        _ => Err(format!(
            "the array has the shape {shape}, expected rows and columns"
        )),
    }
}

/// The text of a value in the header: up to the closing parenthesis, or up to the next comma.
fn value<'a>(text: &'a str, key: &str) -> Result<&'a str, String> {
    let missing = || format!("the header of the array has no `{key}`");
    let after = [format!("'{key}':"), format!("\"{key}\":")]
        .iter()
        .find_map(|key| text.split_once(key.as_str()))
        .ok_or_else(missing)?
        .1
        .trim_start();
    let end = if after.starts_with('(') {
        after.find(')').map(|at| at + 1)
    } else {
        after.find([',', '}'])
    };
    Ok(after[..end.ok_or_else(missing)?].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_parsed() {
        let header = |text: &str| parse(text.as_bytes());
        let expected = Header {
            precision: Precision::Half,
            rows: 3,
            dims: 2,
        };
        let text = "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 2), }   \n";
        assert_eq!(header(text), Ok(expected));
        let wrong = [
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }",
                "Fortran",
            ),
            (
                "{'descr': '>f4', 'fortran_order': False, 'shape': (3, 2), }",
                "`>f4`",
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
                "shape (3,)",
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0), }",
                "shape (3, 0)",
            ),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2",
                "`shape`",
            ),
            ("{'fortran_order': False}", "`descr`"),
        ];
        for (text, part) in wrong {
            assert!(
                header(text).is_err_and(|error| error.contains(part)),
                "{text}"
            );
        }
    }

    #[test]
    fn sizes_that_overflow_are_not_a_match() {
        let header = Header {
            precision: Precision::Double,
            rows: usize::MAX,
            dims: 2,
        };
        assert_eq!(header.size(), None);
    }
}
