//! Limits of settings, shared by all commands, plans and callers of the library.

use cranfield_core::grammar::nearest_name;
use cranfield_core::measure::Range;
use cranfield_core::setting::{Message, Setting};
use cranfield_render::plural;
use cranfield_stats::bootstrap::LEAST_TOPICS;
use cranfield_stats::random::MOST_REPLICATES;
use cranfield_stats::short;

/// Smallest significance level; confidence levels are practically 1 below it.
pub const LEAST_ALPHA: f64 = 1e-9;

/// Range of differences and margins; no measure has other values.
const SIZES: std::ops::RangeInclusive<f64> = 1e-50..=1e50;

/// Checks a significance level.
pub fn check_alpha(alpha: f64) -> Result<(), Message> {
    if (LEAST_ALPHA..=0.5).contains(&alpha) {
        return Ok(());
    }
    let expected = format!("a number from {} to 0.5", short(LEAST_ALPHA));
    Err(out_of_range(Setting::Alpha, short(alpha), &expected))
}

/// Checks a number of replicates.
pub fn check_replicates(replicates: usize) -> Result<(), Message> {
    if (1..=MOST_REPLICATES).contains(&replicates) {
        return Ok(());
    }
    let expected = format!("a whole number from 1 to {MOST_REPLICATES}");
    Err(out_of_range(Setting::Replicates, replicates, &expected))
}

/// The message that a setting has a value out of its range.
pub fn out_of_range(setting: Setting, value: impl std::fmt::Display, expected: &str) -> Message {
    Message::from(setting).then(format!(" is {value}; give {expected}"))
}

/// The remedy for too few replicates: more of them, or a larger alpha if `most` is not enough.
pub fn would_do(needed: usize, most: usize) -> Message {
    if needed <= most {
        Message::from("use ")
            .then(Setting::Replicates.to(needed))
            .then(" or more")
    } else {
        Message::from("use a larger ").then(Setting::Alpha)
    }
}

/// The warning that intervals from resamples of few topics are too narrow; `None` if there are enough topics. `what` names the
/// intervals, and `also` adds another warning.
pub fn few_topics(what: &str, topics: usize, also: &str) -> Option<String> {
    (topics < LEAST_TOPICS).then(|| {
        let topics = plural(topics, "topic");
        format!("{what} from resamples of {topics} are too narrow{also}, as for any fewer than {LEAST_TOPICS}")
    })
}

/// The warning on rank intervals from few topics.
pub fn few_topics_for_ranks(topics: usize) -> Option<String> {
    few_topics("rank intervals", topics, OVERCONFIDENT)
}

/// Warning on ranks from few topics.
pub const OVERCONFIDENT: &str = ", and probabilities of being best overconfident";

/// Capitalises a note.
pub fn capitalised(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map_or(String::new(), |first| {
        format!("{first}{}", letters.as_str())
    })
}

/// Rejects a difference, margin or width that is not positive or has a size that no measure has.
pub fn check_size(setting: Setting, value: f64) -> Result<(), Message> {
    if SIZES.contains(&value) {
        return Ok(());
    }
    let expected = if value > 0.0 && value.is_finite() {
        let [least, most] = [SIZES.start(), SIZES.end()].map(|size| short(*size));
        format!("a number from {least} to {most}")
    } else {
        "a number above 0".into()
    };
    Err(out_of_range(setting, short(value), &expected))
}

/// Rejects a margin or region that contains all possible differences of a measure; `what` is "a margin" or similar.
pub fn check_within(
    what: &str,
    value: f64,
    measure: &str,
    range: Option<Range>,
) -> Result<(), Message> {
    let Some(range) = range.filter(|range| value >= range.max - range.min) else {
        return Ok(());
    };
    let message = format!(
        "{measure} {}, so no difference is larger than {what} of {}; give a smaller one",
        range_in_words(range),
        short(value)
    );
    Err(message.into())
}

/// The range of a measure, to follow its name.
pub fn range_in_words(Range { min, max }: Range) -> String {
    if max.is_finite() {
        format!("is from {} to {}", short(min), short(max))
    } else {
        format!("is at least {}", short(min))
    }
}

/// Looks up the value of a name.
pub fn by_name<T: Copy>(what: &str, text: &str, known: &[(&str, T)]) -> Result<T, Message> {
    let found = known.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let hint = match nearest_name(text, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("expected one of {}", names.join(", ")),
        };
        format!("unknown {what} `{text}`; {hint}").into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_significance() {
        for alpha in [1e-9, 0.05, 0.5] {
            assert_eq!(check_alpha(alpha), Ok(()));
        }
        for (alpha, text) in [
            (0.0, "0"),
            (1e-17, "1e-17"),
            (0.999, "0.999"),
            (f64::NAN, "NaN"),
        ] {
            let expected = format!("alpha is {text}; give a number from 1e-9 to 0.5");
            assert_eq!(check_alpha(alpha).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn sizes_and_ranges() {
        let error = |value| check_size(Setting::Margin, value).unwrap_err().to_string();
        assert_eq!(error(-1.0), "margin is -1; give a number above 0");
        assert_eq!(error(0.0), "margin is 0; give a number above 0");
        assert_eq!(error(f64::INFINITY), "margin is inf; give a number above 0");
        let tiny = "margin is 1e-300; give a number from 1e-50 to 1e50";
        assert_eq!(error(1e-300), tiny);
        let within = |value, range| check_within("a margin", value, "AP", range);
        assert_eq!(within(0.99, Some(Range::UNIT)), Ok(()));
        assert_eq!(within(1e49, Some(Range::COUNT)), Ok(()));
        assert_eq!(within(5.0, None), Ok(()));
        let wide =
            "AP is from 0 to 1, so no difference is larger than a margin of 5; give a smaller one";
        assert_eq!(within(5.0, Some(Range::UNIT)), Err(wide.into()));
    }

    #[test]
    fn names() {
        let known = [("tukey", 1), ("randomised-tukey", 2)];
        assert_eq!(by_name("test", "tukey", &known), Ok(1));
        let unknown = |name| by_name("test", name, &known).unwrap_err().to_string();
        let near = unknown("tukkey");
        assert_eq!(near, "unknown test `tukkey`; did you mean `tukey`?");
        let far = unknown("t");
        assert_eq!(
            far,
            "unknown test `t`; expected one of tukey, randomised-tukey"
        );
    }
}
