//! Small files of text, read at once.

use crate::code::Code;
use crate::error::Error;
use crate::problem::Problem;
use crate::source::Source;

/// The text of a file that may have so many bytes; `what` names it in the message, with its article.
pub(crate) fn bounded_text<'s>(
    source: &'s Source,
    most: usize,
    what: &str,
    code: Code,
) -> Result<&'s str, Error> {
    let bytes = source.bytes();
    if bytes.len() > most {
        let message = format!("{what} has at most {most} bytes");
        return Err(Problem::file(code, source.name(), message).into());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let wrong = at..(at + 1).min(bytes.len());
        Problem::at(Code::InvalidUtf8, source.name(), bytes, wrong, "not UTF-8").into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_long_and_not_utf8_are_told() {
        let text = |bytes: &[u8], most| {
            let source = Source::from_bytes("a.toml", bytes.to_vec()).unwrap();
            let text = bounded_text(&source, most, "a plan", Code::BadPlan);
            text.map(str::to_owned).map_err(|error| error.to_string())
        };
        assert_eq!(text(b"x = 1", 5).unwrap(), "x = 1");
        assert_eq!(
            text(b"x = 1", 4).unwrap_err(),
            "a.toml: a plan has at most 4 bytes [IR095]"
        );
        let wrong = text(b"x = 1\ny = \xff", 99).unwrap_err();
        assert!(wrong.starts_with("a.toml:2:5: not UTF-8"), "{wrong}");
    }
}
