//! Input files, and their lines where the engine has no reader for them.

use std::ffi::OsStr;

use cranfield_io::trec::{Dialect, FaultyLine};
use cranfield_io::{Bytes, Source};

use super::exit::{Exit, INPUT};
use super::options::Compat;

/// Opens a file; `None` if it cannot be read or is empty. A byte order mark is part of the first topic's id, as in the reference.
pub(super) fn open(path: &OsStr) -> Option<Bytes> {
    // Unlike elsewhere, `-` is a file.
    let path = if path == "-" { OsStr::new("./-") } else { path };
    content(path).filter(|content| !content.is_empty())
}

fn content(path: &OsStr) -> Option<Bytes> {
    Some(Source::open(path).ok()?.bytes_with_mark().clone())
}

/// Opens the run. In version 10, a name that begins with a minus sign is standard input.
pub(super) fn open_run(path: &OsStr, compat: Compat) -> Result<Bytes, Exit> {
    let is_input = path.as_encoded_bytes().starts_with(b"-") && compat == Compat::Ten;
    let content = if is_input {
        content(OsStr::new("-"))
    } else {
        open(path)
    };
    content.ok_or_else(|| {
        let cannot: &[&[u8]] = &[
            b"trec_eval.get_results: Cannot read results file '",
            path.as_encoded_bytes(),
            b"'\n",
        ];
        quit(Exit::new(INPUT, cannot), path)
    })
}

/// Adds a line with the name of the file.
pub(super) fn quit(exit: Exit, path: &OsStr) -> Exit {
    exit.then(&[
        b"trec_eval: Quit in file '",
        path.as_encoded_bytes(),
        b"'\n",
    ])
}

/// The exit at a malformed line; `line` counts lines of data only.
pub(super) fn malformed(code: u8, reader: &str, line: usize) -> Exit {
    Exit {
        code,
        message: format!("trec_eval.{reader}: Malformed line {line}\n").into_bytes(),
    }
}

/// Number of the first malformed line: one more than the lines of data before it.
pub(super) fn first_fault<T>(mut lines: impl Iterator<Item = Result<T, FaultyLine>>) -> usize {
    lines.position(|line| line.is_err()).unwrap_or(0) + 1
}

/// The dialect of TREC files in a version.
pub(super) fn dialect(compat: Compat) -> Dialect {
    match compat {
        Compat::Nine => Dialect::TrecEval9,
        Compat::Ten => Dialect::TrecEval,
    }
}

/// Whether a file may hold comments: lines whose first character is `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comments {
    Skipped,
    Data,
}

/// Lines with exactly `N` fields; the error is the number of the first other line.
pub(super) fn fields<const N: usize>(
    bytes: &[u8],
    comments: Comments,
) -> impl Iterator<Item = Result<[&[u8]; N], usize>> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines = text.split(|byte| *byte == b'\n');
    let data = lines.filter(move |line| comments == Comments::Data || line.first() != Some(&b'#'));
    data.zip(1..)
        .map(|(line, number)| exactly(line).ok_or(number))
}

/// The fields of a line, if there are exactly `N`.
fn exactly<const N: usize>(line: &[u8]) -> Option<[&[u8]; N]> {
    let mut found = line
        .split(|byte| matches!(byte, b' ' | b'\t'..=b'\r'))
        .filter(|field| !field.is_empty());
    let mut fields = [b"".as_slice(); N];
    for field in &mut fields {
        *field = found.next()?;
    }
    found.next().is_none().then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_without_comments() {
        let text = b"a 1\n# x\n\tb\x0b2 \r\nc\nd 3\n";
        let lines: Vec<_> = fields::<2>(text, Comments::Skipped).collect();
        assert_eq!(
            lines,
            [
                Ok([b"a".as_slice(), b"1"]),
                Ok([b"b", b"2"]),
                Err(3),
                Ok([b"d", b"3"])
            ]
        );
        let lines: Vec<_> = fields::<2>(b"# x\na 1\n\n", Comments::Data).collect();
        assert_eq!(
            lines,
            [Ok([b"#".as_slice(), b"x"]), Ok([b"a", b"1"]), Err(3)]
        );
    }
}
