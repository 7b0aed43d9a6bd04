//! Markdown text.

use crate::one_line;

/// A text with the characters escaped that have a meaning in Markdown, in one line.
///
/// ```
/// assert_eq!(cranfield_render::markdown_text("a_b <i> *c* [d] `e` |"), r"a\_b \<i\> \*c\* \[d\] \`e\` \|");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            other => out.push(other),
        }
    }
    out
}
