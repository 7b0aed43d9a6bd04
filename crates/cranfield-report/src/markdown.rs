//! Texts of Markdown.

/// A text with the characters escaped that have a meaning in Markdown, in one line.
///
/// ```
/// assert_eq!(cranfield_report::markdown_text("a_b <i> *c* [d] `e` |"), r"a\_b \<i\> \*c\* \[d\] \`e\` \|");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            other => out.push(other),
        }
    }
    out
}
