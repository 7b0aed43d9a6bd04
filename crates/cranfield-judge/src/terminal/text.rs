//! Text of documents on a terminal: safe, and wrapped by the width of its characters.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// Most characters without width, such as accents, that follow one with a width.
const MOST_MARKS: usize = 8;

/// Makes text safe to print: nothing in it can move the cursor, change colours or reorder the screen.
///
/// Control characters become visible pictures, controls of direction and invisible characters are removed, line breaks of all kinds
/// become `\n` and tabs spaces.
///
/// ```text
/// "a\x1b[2Jb" -> "a␛[2Jb"
/// ```
pub(super) fn safe(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut marks = 0;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let c = match c {
            '\r' if characters.peek() == Some(&'\n') => continue,
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
            '\t' => {
                shown.push_str("    ");
                marks = 0;
                continue;
            }
            '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\u{7f}' => '\u{2421}',
            '\u{80}'..='\u{9f}' => '\u{fffd}',
            // Joiners shape letters of some scripts, and are harmless.
            '\u{200c}' | '\u{200d}' => c,
            _ if is_invisible(c) => continue,
            c => c,
        };
        marks = if width_of(c) == 0 && c != '\n' {
            marks + 1
        } else {
            0
        };
        if marks <= MOST_MARKS {
            shown.push(c);
        }
    }
    shown
}

/// Controls of direction and other characters that format text without being seen.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb
        | 0xe0000..=0xe0fff)
}

/// Safe text on one line.
pub(super) fn safe_line(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(safe).collect();
    words.join(" ").replace('\n', " ")
}

/// Lines at least this long look as if they had been wrapped.
const WRAPPED: usize = 40;

/// Joins lines that were wrapped for another width: a long line, and one after it that begins with neither a space nor a mark such
/// as those of lists and tables.
pub(super) fn reflowed(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut previous = 0;
    for line in text.split('\n') {
        let goes_on = line.starts_with(|c: char| c.is_alphanumeric() || "(\"'“‘".contains(c));
        if !joined.is_empty() {
            let is_wrapped = previous >= WRAPPED && goes_on;
            joined.push(if is_wrapped { ' ' } else { '\n' });
        }
        joined.push_str(line);
        previous = line.chars().count();
    }
    joined
}

/// Columns that a character takes.
pub(super) fn width_of(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The beginning of a text that fits, with a sign that it was cut.
pub(super) fn cut(text: &str, width: usize) -> String {
    let mut columns = 0;
    for (at, c) in text.char_indices() {
        columns += width_of(c);
        if columns > width {
            let mut shown = cut_at(&text[..at], width.saturating_sub(1)).to_owned();
            shown.push('…');
            return if width == 0 { String::new() } else { shown };
        }
    }
    text.to_owned()
}

fn cut_at(text: &str, width: usize) -> &str {
    let mut columns = 0;
    for (at, c) in text.char_indices() {
        columns += width_of(c);
        if columns > width {
            return &text[..at];
        }
    }
    text
}

/// Ranges of bytes of the lines that text has if it is `width` columns wide. Lines end at spaces where that is possible, and between
/// wide characters.
pub(super) fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(2);
    let mut lines = Vec::new();
    let mut start = 0;
    for paragraph in text.split('\n') {
        wrap_paragraph(text, start..start + paragraph.len(), width, &mut lines);
        start += paragraph.len() + 1;
    }
    lines
}

fn wrap_paragraph(
    text: &str,
    paragraph: Range<usize>,
    width: usize,
    lines: &mut Vec<Range<usize>>,
) {
    let mut start = paragraph.start;
    while let Some(length) = line_length(&text[start..paragraph.end], width) {
        lines.push(start..start + length);
        let rest = &text[start + length..paragraph.end];
        start = paragraph.end - rest.trim_start_matches(' ').len();
        if start == paragraph.end {
            return;
        }
    }
    lines.push(start..paragraph.end);
}

/// The bytes of the first line of a text, or `None` if all of it fits.
fn line_length(text: &str, width: usize) -> Option<usize> {
    let (mut columns, mut end, mut was_wide) = (0, 0, false);
    for (at, c) in text.char_indices() {
        let is_wide = width_of(c) == 2;
        if c == ' ' || is_wide || was_wide && width_of(c) > 0 {
            end = at;
        }
        columns += width_of(c);
        if columns > width {
            return Some(if end == 0 { at } else { end });
        }
        was_wide = is_wide || was_wide && width_of(c) == 0;
    }
    None
}

/// Places of a string in a text, regardless of case.
pub(super) fn find_all(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let wanted: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    if wanted.is_empty() {
        return found;
    }
    let mut after = 0;
    for (at, _) in text.char_indices() {
        if at < after {
            continue;
        }
        let mut rest = wanted.iter();
        let mut expected = rest.next();
        for (offset, c) in text[at..].char_indices() {
            let is_same = c.to_lowercase().all(|c| {
                let same = expected == Some(&c);
                expected = if same { rest.next() } else { None };
                same
            });
            if !is_same {
                break;
            }
            if expected.is_none() {
                after = at + offset + c.len_utf8();
                found.push(at..after);
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(safe("a\x1b[2Jb\x07\u{9b}31m"), "a␛[2Jb␇\u{fffd}31m");
        assert_eq!(safe("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
        assert_eq!(safe("\u{202e}evil\u{2066}\u{200b}"), "evil");
        assert_eq!(safe("x\ty"), "x    y");
        let stacked = format!("e{}", "\u{301}".repeat(1000));
        assert_eq!(safe(&stacked).chars().count(), 1 + MOST_MARKS);
        assert_eq!(safe_line("a\n\n b\x1b"), "a b␛");
    }

    #[test]
    fn wrapped_lines_are_joined() {
        let long = "a line that was wrapped at some sixty characters or more";
        assert_eq!(
            reflowed(&format!("{long}\nand its end")),
            format!("{long} and its end")
        );
        for kept in [
            format!("{long}\n\nnext"),
            format!("{long}\n  code"),
            format!("{long}\n- item"),
            "short\nlines".into(),
        ] {
            assert_eq!(reflowed(&kept), kept);
        }
    }

    fn lines(text: &str, width: usize) -> Vec<&str> {
        wrap(text, width)
            .into_iter()
            .map(|line| &text[line])
            .collect()
    }

    #[test]
    fn lines_end_at_spaces() {
        assert_eq!(lines("the quick brown fox", 9), ["the quick", "brown fox"]);
        assert_eq!(lines("the quick brown fox", 10), ["the quick", "brown fox"]);
        assert_eq!(lines("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(lines("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(lines("", 4), [""]);
        // Wide characters take two columns each, and a line may end between them.
        assert_eq!(lines("日本語の文", 5), ["日本", "語の", "文"]);
    }

    #[test]
    fn strings_are_found_regardless_of_case() {
        assert_eq!(find_all("Heat and HEAT", "heat"), [0..4, 9..13]);
        assert_eq!(find_all("ÄÖ äö", "äö"), [0..4, 5..9]);
        assert_eq!(find_all("aaaa", "aa"), [0..2, 2..4]);
        assert!(find_all("abc", "").is_empty());
    }

    proptest! {
        #[test]
        fn any_text_is_safe_and_fits(text in "\\PC*|[\\x00-\\x20\u{80}-\u{a0}\u{200b}-\u{2070}日é ]{0,80}", width in 2_usize..40) {
            let shown = safe(&text);
            let is_harmless = |c: char| c == '\n' || !(c.is_control() || is_invisible(c) && c != '\u{200c}' && c != '\u{200d}');
            prop_assert!(shown.chars().all(is_harmless));
            let lines = wrap(&shown, width);
            for line in &lines {
                prop_assert!(shown[line.clone()].chars().map(width_of).sum::<usize>() <= width);
            }
            // Nothing is lost but spaces and line breaks.
            let kept: String = lines.iter().map(|line| &shown[line.clone()]).collect();
            let dense = |text: &str| text.replace([' ', '\n'], "");
            prop_assert_eq!(dense(&kept), dense(&shown));
            let line = cut(&shown.replace('\n', " "), width);
            prop_assert!(line.chars().map(width_of).sum::<usize>() <= width);
            let _ = find_all(&shown, &text);
        }
    }
}
