//! Standard error without control characters, which a terminal would obey.

use std::io::{self, Write};

use cranfield::report::visible;

/// Passes text on with control characters escaped, except line breaks. Every message of every command goes through it. Errors
/// are ignored: a full or closed standard error must not stop a command whose results go elsewhere.
pub(crate) struct Shown<'a>(pub(crate) &'a mut dyn Write);

impl Write for Shown<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(shown(bytes).as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

/// Escapes all lines of a message; bytes that are not UTF-8 are escaped too.
fn shown(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for (at, line) in chunk.valid().split('\n').enumerate() {
            if at > 0 {
                out.push('\n');
            }
            out.push_str(&visible(line));
        }
        let escaped = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        out.extend(escaped);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_stay_and_control_characters_are_escaped() {
        let mut out = Vec::new();
        let name = "x\x1b[1m\x07\u{2066}\r\t\u{9b}";
        writeln!(Shown(&mut out), "note: {name}\na\u{e9}").unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "note: x\\x1b[1m\\x07\\u{2066}\\r\\t\\u{9b}\na\u{e9}\n"
        );
        assert_eq!(shown(b"a\xffb"), "a\\xffb");
    }
}
