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
        marks = if width_of(c) == 0 && c != '\n' { marks + 1 } else { 0 };
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

fn wrap_paragraph(text: &str, paragraph: Range<usize>, width: usize, lines: &mut Vec<Range<usize>>) {
    let (mut start, mut columns) = (paragraph.start, 0);
    // The end of the last line that could end here, and the start of the next.
    let mut breaks: Option<(usize, usize)> = None;
    for (at, c) in text[paragraph.clone()].char_indices() {
        let at = paragraph.start + at;
        let wide = width_of(c);
        if c == ' ' && columns + 1 > width {
            // Spaces hang over the edge.
            breaks = Some((breaks.map_or(at, |(end, next)| if next == at { end } else { at }), at + 1));
            continue;
        }
        if columns + wide > width {
            let (end, next) = breaks.take().filter(|(_, next)| *next > start).unwrap_or((at, at));
            lines.push(start..end.max(start));
            start = next;
            columns = text[start..at].chars().map(width_of).sum();
        }
        if c == ' ' {
            breaks = Some((at, at + 1));
        } else if wide == 2 && at > start {
            breaks = Some((at, at));
        }
        columns += wide;
    }
    lines.push(start.min(paragraph.end)..paragraph.end);
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

    fn lines(text: &str, width: usize) -> Vec<&str> {
        wrap(text, width).into_iter().map(|line| &text[line]).collect()
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
        assert_eq!(find_all("aaa", "aa"), [0..2]);
        assert_eq!(find_all("abc", ""), []);
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
            for c in [cut(&shown.replace('\n', " "), width)] {
                prop_assert!(c.chars().map(width_of).sum::<usize>() <= width);
            }
            let _ = find_all(&shown, &text);
        }
    }
}
