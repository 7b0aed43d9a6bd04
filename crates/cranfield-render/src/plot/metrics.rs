//! Widths of strings, and strings of limited width.

use super::Label;
use super::fonts::advance;
use crate::visible;

/// Bold letters are wider by about this factor.
pub(super) const BOLD: f64 = 1.12;

/// Width of a string in a font of this size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    visible(text).chars().map(advance).sum::<f64>() * size
}

/// Cuts the middle out of a string that is wider than `most`.
pub(super) fn shortened(text: &str, size: f64, most: f64) -> String {
    let text = visible(text);
    if width(&text, size) <= most {
        return text;
    }
    let characters: Vec<char> = text.chars().collect();
    let room = (most / size - advance('…')).max(0.0);
    let (mut head, mut tail, mut used) = (0, 0, 0.0);
    while head + tail < characters.len() {
        // The beginning of a name identifies it better than its end.
        let from_head = head <= tail;
        let next = if from_head {
            characters[head]
        } else {
            characters[characters.len() - 1 - tail]
        };
        used += advance(next);
        if used > room {
            break;
        }
        if from_head {
            head += 1;
        } else {
            tail += 1;
        }
    }
    let end = &characters[characters.len() - tail..];
    characters[..head]
        .iter()
        .chain(['…'].iter())
        .chain(end)
        .collect()
}

/// Separates a name and its number.
const GAP: &str = "  ";

impl Label {
    /// The width of the whole label.
    pub(super) fn width(&self, size: f64) -> f64 {
        [&*self.text, GAP, &self.figure]
            .map(|text| width(text, size))
            .iter()
            .sum()
    }
}

/// A name and its number, no wider than `most` if the name can be shortened enough. The number is never shortened.
pub(super) fn labelled(name: &str, figure: &str, name_first: bool, size: f64, most: f64) -> String {
    if figure.is_empty() || name.is_empty() {
        return match name {
            "" => figure.to_owned(),
            name => shortened(name, size, most),
        };
    }
    let room = most - width(figure, size) - width(GAP, size);
    let name = shortened(name, size, room.max(0.0));
    if name_first {
        format!("{name}{GAP}{figure}")
    } else {
        format!("{figure}{GAP}{name}")
    }
}

/// Breaks a string at spaces into lines no wider than `most`. A wider word is shortened.
pub(super) fn wrapped(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(word, size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, size, most)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("bm25", 8.0, 100.0), "bm25");
        let name = "a_run_with_a_very_long_name_and_a_number_17";
        let short = shortened(name, 8.0, 80.0);
        assert!(width(&short, 8.0) <= 80.0, "{short}");
        assert!(short.starts_with("a_run") && short.ends_with("17") && short.contains('…'));
        assert_eq!(shortened(name, 8.0, 0.0), "…");
    }

    #[test]
    fn figures_stay_whole() {
        let label = labelled("pipe|name*star_", "32.200", true, 8.0, 60.0);
        assert!(width(&label, 8.0) <= 60.0, "{label}");
        assert!(label.starts_with("pi") && label.contains('…') && label.ends_with("  32.200"));
        assert_eq!(
            labelled("pipe|name", "32.200", false, 8.0, 0.0),
            "32.200  …"
        );
        assert_eq!(labelled("bm25", "", true, 8.0, 60.0), "bm25");
        assert_eq!(labelled("", "0.25", false, 8.0, 60.0), "0.25");
    }

    #[test]
    fn lines_are_no_wider_than_asked() {
        let text = "Mean over 50 topics; bands are the mean and its standard error.";
        let lines = wrapped(text, 7.0, 120.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 7.0) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }
}
