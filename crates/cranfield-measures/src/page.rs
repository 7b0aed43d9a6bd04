//! The reference page of a measure, extracted from its source file when the crate is compiled.

/// The header of a source file: its leading `//!` lines, without these marks. Only the header ends up in the binary.
macro_rules! page {
    ($file:literal) => {{
        const SOURCE: &[u8] = include_str!($file).as_bytes();
        const HEADER: [u8; $crate::page::header_len(SOURCE)] = $crate::page::header(SOURCE);
        match std::str::from_utf8(&HEADER) {
            Ok(page) => page,
            Err(_) => panic!("a header ends at the end of a line"),
        }
    }};
}

pub(crate) use page;

/// Where the line at `start` ends, with its line end.
const fn line_end(source: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < source.len() && source[end] != b'\n' {
        end += 1;
    }
    if end < source.len() { end + 1 } else { end }
}

/// Where the text of a header line begins, behind its mark; `None` behind the header.
const fn text_start(source: &[u8], start: usize) -> Option<usize> {
    let is_header = start + 2 < source.len()
        && source[start] == b'/'
        && source[start + 1] == b'/'
        && source[start + 2] == b'!';
    match is_header {
        true if start + 3 < source.len() && source[start + 3] == b' ' => Some(start + 4),
        true => Some(start + 3),
        false => None,
    }
}

/// Length of the header without its marks.
pub(crate) const fn header_len(source: &[u8]) -> usize {
    let (mut start, mut len) = (0, 0);
    while let Some(text) = text_start(source, start) {
        let end = line_end(source, start);
        len += end - text;
        start = end;
    }
    len
}

/// The header without its marks.
pub(crate) const fn header<const LEN: usize>(source: &[u8]) -> [u8; LEN] {
    let (mut page, mut len, mut start) = ([0; LEN], 0, 0);
    while let Some(mut text) = text_start(source, start) {
        start = line_end(source, start);
        while text < start {
            page[len] = source[text];
            (len, text) = (len + 1, text + 1);
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &[u8] = b"//! # Title\n//!\n//! Text.\n\nuse std::fmt;\n//! not in the header\n";

    #[test]
    fn a_header_ends_at_the_first_other_line() {
        const LEN: usize = header_len(SOURCE);
        assert_eq!(&header::<LEN>(SOURCE), b"# Title\n\nText.\n");
        assert_eq!(header_len(b"fn main() {}"), 0);
    }
}
