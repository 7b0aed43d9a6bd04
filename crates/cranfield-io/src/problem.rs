//! Problems with their place in a file, and their rendering.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use cranfield_core::setting::{Message, SettingStyle};

use crate::code::{Code, Severity};
use crate::escape::{visible, visible_lines};

/// Maximum number of bytes of a line that a problem keeps.
const MAX_TEXT: usize = 200;

/// Whether to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    #[default]
    Plain,
    /// With ANSI colours.
    Ansi,
}

/// One problem of an input or output, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// File name as the user gave it.
    pub path: String,
    /// Line, from 1; 0 if the problem concerns the whole file.
    pub line: u64,
    /// Column in bytes, from 1; 0 if the problem concerns the whole line.
    pub column: u32,
    /// Length of the wrong part, in bytes.
    pub width: u32,
    /// Found and expected values, as a lower-case fragment.
    pub message: Message,
    /// Advice.
    pub help: Option<Message>,
    /// The line, or up to 200 bytes of it around the column, as lossy UTF-8.
    pub text: Option<String>,
    /// Start and end of the wrong part in `text`, in bytes.
    pub mark: (u32, u32),
    /// Error number of the operating system, if it caused the problem.
    pub os_error: Option<i32>,
}

impl Problem {
    /// Creates a problem of a whole file.
    pub fn file(code: Code, path: &str, message: impl Into<Message>) -> Self {
        Self {
            code,
            path: path.into(),
            line: 0,
            column: 0,
            width: 0,
            message: message.into(),
            help: None,
            text: None,
            mark: (0, 0),
            os_error: None,
        }
    }

    /// Creates a problem of a line: its number, its bytes, and the range of them that is wrong.
    ///
    /// ```
    /// use cranfield_io::{Code, Problem};
    ///
    /// let line = b"301 Q0 d7 1 high bm25";
    /// let problem = Problem::in_line(Code::ScoreNotNumber, "a.run", 8, line, 12..16, "found `high`, expected a number");
    /// assert_eq!((problem.line, problem.column, problem.width), (8, 13, 4));
    /// ```
    pub fn in_line(
        code: Code,
        path: &str,
        line: u64,
        bytes: &[u8],
        wrong: Range<usize>,
        message: impl Into<Message>,
    ) -> Self {
        let (text, mark) = window(bytes, &wrong);
        Self {
            line,
            column: saturate(wrong.start).saturating_add(1),
            width: saturate(wrong.end.saturating_sub(wrong.start)),
            text: Some(text),
            mark,
            ..Self::file(code, path, message)
        }
    }

    /// Creates a problem of a range of bytes in a buffer. Finds the line by counting newlines.
    ///
    /// ```
    /// use cranfield_io::{Code, Problem};
    ///
    /// let problem = Problem::at(Code::JsonSyntax, "a.json", b"{\n  \"q\": x\n}", 9..10, "found `x`, expected an object");
    /// assert_eq!((problem.line, problem.column), (2, 8));
    /// assert_eq!(problem.text.as_deref(), Some("  \"q\": x"));
    /// ```
    pub fn at(
        code: Code,
        path: &str,
        buffer: &[u8],
        wrong: Range<usize>,
        message: impl Into<Message>,
    ) -> Self {
        let place = Place::of(buffer, wrong.start);
        let wrong = wrong.start.min(buffer.len()) - place.start
            ..wrong.end.min(buffer.len()).max(place.start) - place.start;
        Self::in_line(code, path, place.line, place.text(buffer), wrong, message)
    }

    /// Adds advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the error number of the operating system.
    #[must_use]
    pub(crate) fn with_cause<'e>(mut self, cause: impl Into<Option<&'e std::io::Error>>) -> Self {
        self.os_error = cause.into().and_then(std::io::Error::raw_os_error);
        self
    }

    /// Severity of the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Renders the problem like a compiler diagnostic: code, message, place, the line with carets, help.
    pub fn render(&self, style: SettingStyle) -> String {
        self.render_with(&Renderer::plain(), style)
    }

    /// Renders the problem with ANSI colours.
    pub fn render_coloured(&self, style: SettingStyle) -> String {
        self.render_with(&Renderer::styled(), style)
    }

    /// The place, the message and the code, in one line.
    pub fn line(&self, style: SettingStyle) -> String {
        let place = match (self.line, self.column) {
            (0, _) => String::new(),
            (line, 0) => format!(":{line}"),
            (line, column) => format!(":{line}:{column}"),
        };
        let message = self.message.render(style);
        format!("{}{place}: {message} [{}]", self.path, self.code)
    }

    fn render_with(&self, renderer: &Renderer, style: SettingStyle) -> String {
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let (message, path) = (self.message.render(style), visible(&self.path));
        let message = visible_lines(&message);
        let help = self.help.as_ref().map(|help| help.render(style));
        let help = help.as_deref().map(visible_lines);
        let line = self.visible_text();
        let mut group = level
            .primary_title(message.as_str())
            .id(self.code.id())
            .element(self.origin(&path));
        if let Some((text, mark)) = &line {
            group = group.element(self.snippet(text, mark.clone()));
        }
        if let Some(help) = &help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        without_source_mark(&renderer.render(&[group]))
    }

    /// The line with its control characters escaped, and the range of the wrong part in it. The renderer itself only replaces
    /// ASCII control characters; tabs are left to it.
    fn visible_text(&self) -> Option<(String, Range<usize>)> {
        let text = self.text.as_deref()?;
        let (start, end) = (self.mark.0 as usize, self.mark.1 as usize);
        let parts = [text.get(..start)?, text.get(start..end)?, &text[end..]].map(|part| {
            let fields: Vec<String> = part.split('\t').map(visible).collect();
            fields.join("\t")
        });
        let mark = parts[0].len()..parts[0].len() + parts[1].len();
        Some((parts.concat(), mark))
    }

    fn origin<'a>(&self, path: &'a str) -> Origin<'a> {
        let origin = Origin::path(path);
        match (self.line, self.column) {
            (0, _) => origin,
            (line, 0) => origin.line(saturate_usize(line)),
            (line, column) => origin
                .line(saturate_usize(line))
                .char_column(column as usize),
        }
    }

    fn snippet<'a>(
        &self,
        text: &'a str,
        mark: Range<usize>,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let snippet = Snippet::source(text)
            .line_start(saturate_usize(self.line))
            .path(None::<&str>);
        if self.column == 0 {
            snippet.annotation(AnnotationKind::Visible.span(0..text.len()))
        } else {
            snippet.annotation(AnnotationKind::Primary.span(mark))
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line(SettingStyle::Neutral))
    }
}

/// Drops the line `:::` that the renderer puts between the place and the text. The place is given separately because the text
/// may start in the middle of its line.
fn without_source_mark(rendered: &str) -> String {
    let lines: Vec<&str> = rendered
        .lines()
        .filter(|line| without_colours(line).trim() != ":::")
        .collect();
    lines.join("\n")
}

fn without_colours(line: &str) -> String {
    let mut pieces = line.split('\x1b');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + piece.split_once('m').map_or(piece, |(_, rest)| rest)
    })
}

/// The line and column of a byte in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Offset of the line in the buffer.
    pub start: usize,
}

impl Place {
    /// Returns the place of the byte at `offset`, or of the end if `offset` is beyond it.
    ///
    /// ```
    /// use cranfield_io::Place;
    ///
    /// assert_eq!(Place::of(b"ab\ncd", 4), Place { line: 2, column: 2, start: 3 });
    /// ```
    pub fn of(buffer: &[u8], offset: usize) -> Self {
        let before = &buffer[..offset.min(buffer.len())];
        let line = before.split(|&byte| byte == b'\n').count() as u64;
        let start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        Self {
            line,
            column: saturate(before.len() - start).saturating_add(1),
            start,
        }
    }

    /// The bytes of the line, without its newline.
    pub fn text(self, buffer: &[u8]) -> &[u8] {
        let rest = buffer.get(self.start..).unwrap_or_default();
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}

/// Cuts a line to [`MAX_TEXT`] bytes around the wrong part, and returns the range of that part in the result.
fn window(line: &[u8], wrong: &Range<usize>) -> (String, (u32, u32)) {
    let start = wrong.start.min(line.len());
    let end = wrong.end.clamp(start, line.len());
    let mut from = if line.len() <= MAX_TEXT {
        0
    } else {
        start.saturating_sub(MAX_TEXT / 2)
    };
    while from > 0 && is_continuation(line[from]) {
        from -= 1;
    }
    let to = line.len().min(from + MAX_TEXT);
    let (start, end) = (start.min(to), end.min(to));
    let mut text = lossy(&line[from..start]);
    let mark_start = text.len();
    text.push_str(&lossy(&line[start..end]));
    let mark_end = text.len();
    text.push_str(&lossy(&line[end..to]));
    (text, (mark_start as u32, mark_end as u32))
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn saturate(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn saturate_usize(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_and_end_at_the_end() {
        let buffer = b"a\r\nbc\n";
        assert_eq!(
            Place::of(buffer, 0),
            Place {
                line: 1,
                column: 1,
                start: 0
            }
        );
        assert_eq!(
            Place::of(buffer, 4),
            Place {
                line: 2,
                column: 2,
                start: 3
            }
        );
        assert_eq!(
            Place::of(buffer, 99),
            Place {
                line: 3,
                column: 1,
                start: 6
            }
        );
        assert_eq!(Place::of(buffer, 0).text(buffer), b"a");
        assert_eq!(Place::of(buffer, 99).text(buffer), b"");
    }

    #[test]
    fn a_long_line_is_cut_around_the_column() {
        let line = [vec![b'x'; 1000], b"here".to_vec(), vec![b'y'; 1000]].concat();
        let problem = Problem::in_line(Code::ColumnCount, "f", 3, &line, 1000..1004, "m");
        let text = problem.text.unwrap();
        assert_eq!(text.len(), MAX_TEXT);
        assert_eq!(
            &text[problem.mark.0 as usize..problem.mark.1 as usize],
            "here"
        );
        assert_eq!((problem.line, problem.column, problem.width), (3, 1001, 4));
    }

    #[test]
    fn invalid_utf8_does_not_move_the_mark() {
        let problem = Problem::in_line(Code::InvalidUtf8, "f", 1, b"\xff\xfe ab", 3..5, "m");
        let text = problem.text.unwrap();
        assert_eq!(
            &text[problem.mark.0 as usize..problem.mark.1 as usize],
            "ab"
        );
    }

    #[test]
    fn rendering_shows_place_line_and_help() {
        let line = b"301 Q0 d7 1 high bm25";
        let problem = Problem::in_line(
            Code::ScoreNotNumber,
            "a.run",
            8,
            line,
            12..16,
            "found `high`, expected a number",
        )
        .with_help("write a number");
        let expected = "\
error[IR011]: found `high`, expected a number
 --> a.run:8:13
  |
8 | 301 Q0 d7 1 high bm25
  |             ^^^^
  |
  = help: write a number";
        let style = SettingStyle::Neutral;
        assert_eq!(problem.render(style), expected);
        assert!(!problem.render_coloured(style).contains(":::"));
        let odd = Problem::file(Code::CannotRead, "a\x1b[1m\n\u{2066}", "no \x07 such")
            .with_help("b\x1b");
        for rendered in [odd.render(style), odd.render_coloured(style)] {
            assert!(rendered.contains("a\\x1b[1m\\n\\u{2066}"), "{rendered}");
            assert!(rendered.contains("no \\x07 such"), "{rendered}");
            assert!(rendered.contains("b\\x1b"), "{rendered}");
        }
        let c1 = Problem::in_line(Code::ColumnCount, "f", 1, b"\xc2\x9b1m a\tb", 5..6, "m")
            .render(style);
        assert!(c1.contains("1 | \\u{9b}1m a    b\n  |          ^"), "{c1}");
        let file = Problem::file(Code::CannotRead, "a.run", "no such file");
        assert_eq!(file.render(style), "error[IR001]: no such file\n--> a.run");
    }
}
