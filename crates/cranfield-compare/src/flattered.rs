//! Runs that would benefit from missing rankings, for gates, comparisons and plots.

use cranfield_core::measure::Direction;

/// Maximum number of topics that a message names.
const NAMED: usize = 5;

/// Whether a run has a better value than another on a topic without a ranking. This happens with lower-is-better measures: an empty
/// ranking contains no errors.
pub fn is_flattered(direction: Direction, has_ranking: bool, value: f64, other: f64) -> bool {
    direction == Direction::LowerIsBetter && !has_ranking && value < other
}

/// The message that a run benefits from missing rankings.
pub fn says(run: &str, topics: &[&str], measure: &str) -> String {
    format!(
        "{run} has no ranking for {}, which would improve its {measure}",
        named(topics)
    )
}

/// The first topics of a list, and the number of others.
pub fn named(topics: &[&str]) -> String {
    let shown = topics.len().min(NAMED);
    let more = match topics.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", topics[..shown].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_smaller_values_without_a_ranking_count() {
        use Direction::{HigherIsBetter, LowerIsBetter, Neutral};
        assert!(is_flattered(LowerIsBetter, false, 0.0, 0.1));
        assert!(!is_flattered(LowerIsBetter, true, 0.0, 0.1));
        assert!(!is_flattered(LowerIsBetter, false, 0.1, 0.1));
        assert!(!is_flattered(LowerIsBetter, false, 1.0, 0.1));
        assert!(!is_flattered(HigherIsBetter, false, 0.0, 0.1));
        assert!(!is_flattered(Neutral, false, 0.0, 0.1));
    }

    #[test]
    fn a_message_names_five_topics() {
        let topics = ["1", "2", "3", "4", "5", "6", "7"];
        assert_eq!(
            says("few", &topics, "Fallout"),
            "few has no ranking for 1, 2, 3, 4, 5 and 2 more, which would improve its Fallout"
        );
        assert_eq!(named(&topics[..1]), "1");
    }
}
