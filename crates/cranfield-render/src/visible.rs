//! Characters that a terminal or a browser would obey and not show.

/// A text in which such characters are written as escapes: control characters, those that turn the direction of writing, breaks of
/// lines, those without any width or ink (fillers of Hangul, invisible operators), and what XML does not allow. Joiners stay (U+200C, U+200D): some scripts need them. So two names that differ look different, and none can disturb what stands beside it.
///
/// ```
/// assert_eq!(cranfield_render::visible("a\x1b[2Jb\tc\u{202e}d"), "a\\x1b[2Jb\\tc\\u{202e}d");
/// ```
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\n' => out.push_str("\\n"),
            letter if letter.is_ascii_control() => {
                out.push_str(&format!("\\x{:02x}", u32::from(letter)));
            }
            letter if is_obeyed(letter) => out.extend(letter.escape_unicode()),
            letter => out.push(letter),
        }
    }
    out
}

/// Whether a character is not shown but obeyed.
pub fn is_obeyed(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'
                | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Text on one line: line breaks and tabs are spaces, and other characters that a terminal would obey are [`visible`].
///
/// ```
/// assert_eq!(cranfield_render::one_line("a\x1b[2Jb\nc"), "a\\x1b[2Jb c");
/// ```
pub fn one_line(text: &str) -> String {
    visible(&text.replace(['\n', '\r', '\t'], " "))
}
