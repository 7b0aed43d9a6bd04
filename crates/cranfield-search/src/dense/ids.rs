//! Ids of vectors.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use cranfield_io::{Code, Error, Problem, Source, quoted};

/// Reads the ids of an array from the file next to it, and checks their number.
pub(super) fn beside(array: &Path, rows: usize) -> Result<Vec<String>, Error> {
    // `x.npy.gz` has its ids in `x.ids`, too.
    let is_compressed = array
        .extension()
        .is_some_and(|it| it == "gz" || it == "zst");
    let named = if is_compressed {
        array.with_extension("")
    } else {
        array.to_owned()
    };
    let places = [
        named.with_extension("ids"),
        named.with_extension("ids.txt"),
        array.with_file_name("ids.txt"),
    ];
    let Some(path) = places.iter().find(|path| path.is_file()) else {
        return Err(missing(array, &places).into());
    };
    let source = Source::open(path)?;
    let ids = read(&source)?;
    if ids.len() == rows {
        return Ok(ids);
    }
    let message = format!(
        "found {} ids for the {rows} vectors of `{}`",
        ids.len(),
        array.display()
    );
    Err(Problem::file(Code::VectorIds, source.name(), message).into())
}

fn missing(array: &Path, places: &[PathBuf]) -> Problem {
    let names: Vec<String> = places
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    let message = format!(
        "no file with the ids of the vectors; expected {}",
        names.join(" or ")
    );
    Problem::file(Code::VectorIds, &array.to_string_lossy(), message)
        .with_help("write one id per line, in the order of the rows")
}

/// Reads one id per line.
fn read(source: &Source) -> Result<Vec<String>, Error> {
    let mut lines: Vec<&[u8]> = source.bytes().split(|&byte| byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mut ids = Vec::with_capacity(lines.len());
    for (at, line) in lines.into_iter().enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let wrong = |code, message: &str| {
            Problem::in_line(
                code,
                source.name(),
                at as u64 + 1,
                line,
                0..line.len(),
                message,
            )
        };
        match std::str::from_utf8(line) {
            Ok("") => return Err(wrong(Code::EmptyId, "empty id").into()),
            Ok(id) => ids.push(id.to_owned()),
            Err(_) => return Err(wrong(Code::InvalidUtf8, "not UTF-8").into()),
        }
    }
    Ok(ids)
}

/// Converts ids to strings.
pub(super) fn utf8(source: &Source, ids: Vec<Vec<u8>>) -> Result<Vec<String>, Error> {
    let convert = |(row, id)| {
        String::from_utf8(id).map_err(|error| {
            let message = format!(
                "row {}: the id {} is not UTF-8",
                row + 1,
                quoted(error.as_bytes())
            );
            Problem::file(Code::InvalidUtf8, source.name(), message).into()
        })
    };
    ids.into_iter().enumerate().map(convert).collect()
}

/// Checks that no id is repeated.
pub(super) fn check_unique(name: &str, ids: &[String]) -> Result<(), Error> {
    let mut first_rows: HashMap<&str, usize> = HashMap::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        if let Some(first) = first_rows.insert(id, row) {
            let (first, second, id) = (first + 1, row + 1, quoted(id.as_bytes()));
            let message = format!("vectors {first} and {second} have the same id {id}");
            return Err(Problem::file(Code::VectorIds, name, message).into());
        }
    }
    Ok(())
}
