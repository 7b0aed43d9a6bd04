//! Named characters of HTML.
//!
//! The table is text: as a map made by the compiler it would be six times as large in a program, because each name and each value
//! would be a reference, which is relocated at start.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A line for each name that ends with a semicolon in the HTML standard, in ascending order: the name without `&` and `;`, and the
/// numbers of one or two characters in hexadecimal.
const LINES: &str = include_str!("entities.txt");

/// The characters that a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Text(std::str::SplitAsciiWhitespace<'static>);

impl Iterator for Text {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let number = self.0.next()?;
        u32::from_str_radix(number, 16)
            .ok()
            .and_then(char::from_u32)
    }
}

/// The text of a named character, such as `eacute`.
pub(crate) fn text(name: &str) -> Option<Text> {
    static NUMBERS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        LINES
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect()
    });
    let numbers = NUMBERS.get(name)?;
    Some(Text(numbers.split_ascii_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(name: &str) -> Option<String> {
        text(name).map(Iterator::collect)
    }

    #[test]
    fn every_name_is_found() {
        let mut previous = "";
        for line in LINES.lines() {
            let (name, numbers) = line.split_once(' ').unwrap();
            assert!(previous < name, "{name} is out of order");
            assert!(name.len() <= 31, "{name} is longer than the scanner looks");
            let text = decoded(name).unwrap();
            assert_eq!(text.chars().count(), numbers.split(' ').count(), "{name}");
            previous = name;
        }
        assert_eq!(LINES.lines().count(), 2125);
    }

    #[test]
    fn names_have_one_or_two_characters() {
        assert_eq!(decoded("AElig").as_deref(), Some("\u{c6}"));
        assert_eq!(decoded("Tab").as_deref(), Some("\t"));
        assert_eq!(decoded("NotEqualTilde").as_deref(), Some("\u{2242}\u{338}"));
        assert_eq!(decoded("zwnj").as_deref(), Some("\u{200c}"));
    }

    #[test]
    fn other_names_are_unknown() {
        for name in ["", "A", "aelig2", "zzz", "hyph", "a b", "amp c6", "\u{e9}"] {
            assert_eq!(decoded(name), None, "{name}");
        }
    }
}
