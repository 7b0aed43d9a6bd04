//! Escapes characters that a terminal would act on instead of showing.

/// Escapes control and invisible characters of one line, including line breaks.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(visible_char).collect()
}

/// Escapes control and invisible characters, but keeps line breaks.
pub(crate) fn visible_lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(visible).collect();
    lines.join("\n")
}

fn visible_char(c: char) -> String {
    match c {
        '\t' => "\\t".into(),
        '\r' => "\\r".into(),
        '\n' => "\\n".into(),
        c if c.is_ascii_control() => format!("\\x{:02x}", u32::from(c)),
        c if is_invisible(c) => c.escape_unicode().to_string(),
        c => c.into(),
    }
}

/// Whether a terminal would act on a character or hide it. `cranfield-report` escapes the same set for tables and pages, and
/// a test there compares the two.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
                | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Formats a value for a message: in backticks, cut after 40 characters, with control characters and invalid UTF-8 escaped.
///
/// ```
/// assert_eq!(cranfield_io::quoted(b"1,5"), "`1,5`");
/// assert_eq!(cranfield_io::quoted(b"a\x00\xff"), "`a\\x00\\xff`");
/// ```
pub fn quoted(bytes: &[u8]) -> String {
    const MAX_CHARS: usize = 40;
    let mut shown = String::from("`");
    let mut count = 0;
    for chunk in bytes.utf8_chunks() {
        let escaped = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        for piece in chunk.valid().chars().map(visible_char).chain(escaped) {
            if count == MAX_CHARS {
                shown.push_str("...`");
                return shown;
            }
            shown.push_str(&piece);
            count += 1;
        }
    }
    shown.push('`');
    shown
}
