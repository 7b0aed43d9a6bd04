//! Files that assign topics to groups or folds.

use std::collections::BTreeMap;

use cranfield_io::{Code, Error, Problem, Source};

/// The name of a group or fold by topic.
pub type Assignments = BTreeMap<String, String>;

/// Reads lines with a topic and a name, separated by spaces or tabs. Blank lines and lines that start with `#` are skipped.
///
/// # Errors
/// If a line has other than two fields, or a topic occurs twice.
///
/// ```
/// use cranfield_io::Source;
/// use cranfield_lab::tune::read_assignments;
///
/// let source = Source::from_bytes("folds.txt", b"301 a\n302 b\n".to_vec())?;
/// assert_eq!(read_assignments(&source)?["302"], "b");
/// let source = Source::from_bytes("folds.txt", b"301 a\n301 b\n".to_vec())?;
/// let error = read_assignments(&source).unwrap_err();
/// assert_eq!(error.to_string(), "folds.txt:2:1: topic `301` is assigned twice [IR250]");
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_assignments(source: &Source) -> Result<Assignments, Error> {
    let mut assignments = Assignments::new();
    for (at, line) in source.bytes().split(|&byte| byte == b'\n').enumerate() {
        let wrong = |code, message: String| -> Error {
            Problem::in_line(
                code,
                source.name(),
                at as u64 + 1,
                line,
                0..line.len(),
                message,
            )
            .into()
        };
        let text =
            std::str::from_utf8(line).map_err(|_| wrong(Code::InvalidUtf8, "not UTF-8".into()))?;
        let fields: Vec<&str> = text.split_whitespace().collect();
        match fields.as_slice() {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            [topic, name] => {
                if assignments
                    .insert((*topic).into(), (*name).into())
                    .is_some()
                {
                    return Err(wrong(
                        Code::BadFolds,
                        format!("topic `{topic}` is assigned twice"),
                    ));
                }
            }
            fields => {
                let message = format!("found {} fields, expected a topic and a name", fields.len());
                return Err(wrong(Code::BadFolds, message));
            }
        }
    }
    Ok(assignments)
}
