//! Text and tables of LaTeX that fit on a page.

use crate::{is_obeyed, latex_text, visible};

/// A table in small type that may span pages. The preamble needs booktabs and longtable.
pub fn long_table(
    caption: &str,
    columns: &str,
    heads: &[String],
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let head = format!("\\toprule\n{} \\\\\n\\midrule\n", heads.join(" & "));
    let rows: String = rows
        .map(|row| format!("{} \\\\\n", row.join(" & ")))
        .collect();
    format!(
        "{{\\small\\setlength{{\\tabcolsep}}{{4pt}}\n\\begin{{longtable}}{{{columns}}}\n\\caption{{{caption}}}\\\\\n{head}\\endfirsthead\n\
         {head}\\endhead\n\\bottomrule\n\\endfoot\n{rows}\\end{{longtable}}}}\n\n"
    )
}

/// Longest word that is never broken, and most characters of a longer one between two places where it may be broken.
const WHOLE: usize = 16;
const UNBROKEN: usize = 10;

/// Escapes text for any LaTeX: long names may be broken, and characters that its fonts lack are shown by number.
pub fn text(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words
        .map(|word| match word.chars().count() {
            0..=WHOLE => word
                .chars()
                .map(|letter| latex_text(&known(letter)))
                .collect(),
            _ => broken(word),
        })
        .collect()
}

/// A word with places where it may be broken.
fn broken(word: &str) -> String {
    let (mut out, mut unbroken) = (String::with_capacity(2 * word.len()), 0);
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push_str(&latex_text(&known(letter)));
        unbroken += 1;
        let is_joint = matches!(letter, '_' | '-' | '.' | '/' | '+') || unbroken == UNBROKEN;
        if is_joint && letters.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push_str("\\allowbreak{}");
            unbroken = 0;
        }
    }
    out
}

/// A character if LaTeX's fonts have it, or its replacement.
fn known(letter: char) -> String {
    match letter {
        '\n' | '\r' | '\t' => " ".into(),
        letter if is_obeyed(letter) => visible(&letter.to_string()),
        '\u{2212}' => "-".into(),
        '\u{2013}' => letter.into(),
        letter if letter <= '\u{17f}' => letter.into(),
        letter => format!("[U+{:04X}]", u32::from(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_can_be_set() {
        // A bracket or a star at the start of a row would be read as an option of the line break before it.
        assert_eq!(text("[a]*"), "{[}a{]}{*}");
        assert_eq!(text("a_b 0.05."), "a\\_b 0.05.");
        assert_eq!(
            text("a-name_of-some-length. x"),
            "a-\\allowbreak{}name\\_\\allowbreak{}of-\\allowbreak{}some-\\allowbreak{}length. x"
        );
        assert_eq!(text("\u{4e2d}\n\u{2212}1"), "{[}U+4E2D{]} -1");
        let long = text(&"x".repeat(60));
        assert!(
            long.split("\\allowbreak{}")
                .all(|part| part.len() <= UNBROKEN)
        );
    }
}
