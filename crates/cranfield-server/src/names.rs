//! Names of people and teams, and logins.

use unicode_normalization::UnicodeNormalization;

use crate::problem::Problem;

/// A name in one normal form: 1 to 64 characters without control, bidirectional or invisible ones. Emoji keep their joiners.
pub(crate) fn checked(field: &'static str, name: &str) -> Result<String, Problem> {
    let name: String = name.trim().nfc().collect();
    let length = name.chars().count();
    if !(1..=64).contains(&length) {
        return Err(Problem::field(field, "A name has 1 to 64 characters."));
    }
    if let Some(bad) = name.chars().find(|c| is_forbidden(*c)) {
        let message = format!(
            "A name cannot have the character U+{:04X}, which is invisible or changes the direction of text.",
            u32::from(bad)
        );
        return Err(Problem::field(field, message));
    }
    if !name.chars().any(|c| !c.is_whitespace() && c != '\u{200d}') {
        return Err(Problem::field(field, "A name needs a visible character."));
    }
    Ok(name)
}

fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Names with the same key look alike.
pub(crate) fn key(name: &str) -> String {
    name.nfkc()
        .collect::<String>()
        .to_lowercase()
        .nfkc()
        .collect()
}

/// A login: 1 to 64 letters, digits and `._-@`.
pub(crate) fn login(login: &str) -> Result<String, Problem> {
    let login = login.trim();
    let allowed = |c: char| c.is_alphanumeric() || "._-@".contains(c);
    if login.is_empty() || login.chars().count() > 64 || !login.chars().all(allowed) {
        return Err(Problem::field(
            "login",
            "A login has 1 to 64 letters, digits and the characters . _ - @.",
        ));
    }
    Ok(login.to_owned())
}

/// A name in a file for spreadsheets: one that they would take for a formula begins with an apostrophe.
pub(crate) fn for_sheet(name: &str) -> String {
    if name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

/// The part of an address that names a campaign: lower-case letters, digits and hyphens.
pub(crate) fn slug(slug: &str) -> Result<String, Problem> {
    let slug = slug.trim();
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits =
        (1..=40).contains(&slug.len()) && slug.chars().all(allowed) && !slug.starts_with('-');
    if !fits {
        return Err(Problem::field(
            "slug",
            "An address has 1 to 40 lower-case letters, digits and hyphens, such as hw1-vsm.",
        ));
    }
    Ok(slug.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_kept() {
        for name in [
            "M10915010_盧克函",
            "快使用!!!神奇喵喵黑魔法!!!",
            "Grüße aus Köln ẞ",
            "فريق البحث",
            "👩‍🔬 lab",
            "W",
        ] {
            assert_eq!(checked("team", name).expect(name), name);
        }
        assert_eq!(checked("team", &"W".repeat(64)).expect("64").len(), 64);
    }

    #[test]
    fn invisible_and_bidirectional_characters_are_rejected() {
        for name in [
            "",
            "   ",
            "a\u{202e}b",
            "a\u{200b}b",
            "a\nb",
            "\u{feff}",
            "\u{200d}",
            &"W".repeat(65),
        ] {
            assert!(checked("team", name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn names_that_look_alike_have_one_key() {
        assert_eq!(key("ﬁne Team"), key("FINE team"));
        assert_eq!(key("Ａ"), key("a"));
        assert_ne!(key("a"), key("b"));
    }
}
