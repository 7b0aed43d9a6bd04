//! Shared test helpers and properties of all preference measures.

use cranfield_core::measure::{Computation, Range};
use cranfield_core::prefs::{PreferenceTopic, Preferences, PreferencesBuilder};
use proptest::prelude::*;

use super::golden;
use crate::measures::MEASURES;
use crate::spec::{Conventions, parse_measure};

/// A topic: lines of group, sub-group, document and level; and the ranking.
pub(super) type Example = (&'static str, &'static str);

/// One group, with more relevant than non-relevant documents.
pub(super) const E1: Example = (
    "0 0 a 3, 0 0 b 2, 0 0 c 0, 0 0 d 6, 0 0 e 0, 0 0 f 2",
    "x a b c",
);

/// Three disagreeing groups.
pub(super) const E2: Example = (
    "1 0 a 1, 1 0 b 0, 2 0 a 1, 2 0 b 0, 3 0 b 1, 3 0 a 0, 3 0 c 0",
    "a c b",
);

/// One document, no preference.
pub(super) const NONE: Example = ("0 0 a 0", "a b");

/// Two groups, of which the first has no relevant document.
pub(super) const ONE_GROUP_IRRELEVANT: Example = ("A 0 a 0, A 0 b 0, B 0 a 1, B 0 b 0", "a b");

fn preferences(lines: &str) -> Preferences {
    let mut builder = PreferencesBuilder::default();
    for line in lines.split(", ") {
        let fields: Vec<_> = line.split(' ').map(str::as_bytes).collect();
        let level = golden::number(fields[3]);
        builder.push(b"q", fields[0], fields[1], fields[2], level);
    }
    builder.finish()
}

fn judge((lines, run): Example) -> PreferenceTopic {
    let ranked: Vec<_> = run.split(' ').map(str::as_bytes).collect();
    preferences(lines)
        .judge(b"q", &ranked)
        .expect("the example has no contradiction")
}

/// Evaluates the measure of this name.
pub(super) fn evaluate(name: &str, topic: &PreferenceTopic) -> Option<f64> {
    let measure = parse_measure(name, &Conventions::default()).expect("the measure is registered");
    match measure.computation {
        Computation::Preference(measure) => measure.evaluate(topic),
        other => panic!("{name} is not a preference measure but {other:?}"),
    }
}

#[track_caller]
pub(super) fn check(name: &str, example: Example, expected: f64) {
    assert_eq!(evaluate(name, &judge(example)), Some(expected), "{name}");
}

#[track_caller]
pub(super) fn undefined(name: &str, example: Example) {
    assert_eq!(evaluate(name, &judge(example)), None, "{name}");
}

#[test]
fn one_group_without_relevant_documents() {
    check("PrefAvgJg", ONE_GROUP_IRRELEVANT, 0.5);
    check("PrefSimp", ONE_GROUP_IRRELEVANT, 1.0);
}

#[test]
fn recount_keeps_as_many_nonrelevant_documents_as_relevant_ones() {
    // Numbers a 0, n 1, m 2, o 3. The recount pairs each of the four with the one kept, n; only a is ranked
    // above n.
    check(
        "PrefAvgJgRnonrel",
        ("0 0 a 1, 0 0 n 0, 0 0 m 0, 0 0 o 0", "a n m"),
        1.0 / 4.0,
    );
    check(
        "PrefAvgJgRnonrelRet",
        ("0 0 a 1, 0 0 n 0, 0 0 m 0, 0 0 o 0", "a n m"),
        1.0 / 3.0,
    );
    // Several sub-groups: only a to n is left, and o is excluded.
    check(
        "PrefAvgJgRnonrel",
        ("0 0 a 1, 0 0 n 0, 0 1 a 1, 0 1 o 0", "n a"),
        0.0,
    );
    check(
        "PrefAvgJgRnonrel",
        ("0 0 a 1, 0 0 n 0, 0 1 a 1, 0 1 o 0", "a n"),
        1.0,
    );
}

#[test]
fn levels_below_zero_stay_within_the_lowest_class() {
    // R = 2, N = 3, but only one document at the lowest level.
    let lines = "0 0 a 2, 0 0 b 1, 0 0 c 0, 0 0 d 0, 0 0 e -1";
    // a over b, c, d; b over c, d; then all five against e: 5 + 5, of which all but e itself are fulfilled.
    check("PrefAvgJgRnonrel", (lines, "a b c d e"), 9.0 / 10.0);
}

#[test]
fn a_repeated_line_repeats_its_preferences_but_not_its_pair() {
    let example = ("0 0 a 1, 0 0 a 1, 0 0 b 0, 0 0 c 0", "a b");
    check("NumPrefs", example, 4.0);
    check("PrefPair", example, 1.0);
    let disagreeing = ("0 0 a 1, 0 0 a 1, 0 0 b 0, 1 0 b 1, 1 0 a 0", "a b");
    check("PrefPair", disagreeing, 2.0 / 3.0);
}

#[test]
fn an_unknown_topic_is_undefined() {
    let topic = preferences("0 0 a 1, 0 0 b 0")
        .judge(b"other", &[b"a"])
        .expect("there is nothing to contradict");
    assert_eq!(evaluate("NumPrefs", &topic), Some(0.0));
    assert_eq!(evaluate("PrefAvgJgRnonrel", &topic), None);
    assert_eq!(evaluate("PrefPair", &topic), None);
}

proptest! {
    #[test]
    fn values_are_in_range(
        lines in prop::collection::vec((0u8..3, 0u8..2, 0u8..9, -1i8..4), 0..24),
        run in Just((0u8..12).collect::<Vec<_>>()).prop_shuffle(),
        depth in 0usize..12,
    ) {
        let mut builder = PreferencesBuilder::default();
        for (group, subgroup, doc, level) in &lines {
            builder.push(b"q", &[*group], &[*subgroup], &[*doc], f64::from(*level));
        }
        let run: Vec<&[u8]> = run.iter().take(depth).map(std::slice::from_ref).collect();
        if let Ok(topic) = builder.finish().judge(b"q", &run) {
            let measures = MEASURES.iter().filter(|info| info.name.starts_with("Pref") || info.name.starts_with("NumPref"));
            for info in measures {
                let Range { min, max } = info.range;
                let value = evaluate(info.name, &topic).unwrap_or(min);
                prop_assert!((min..=max).contains(&value), "{} = {value}", info.name);
            }
            prop_assert!(evaluate("NumPrefsFulRet", &topic) <= evaluate("NumPrefsFul", &topic));
            prop_assert!(evaluate("NumPrefsFul", &topic) <= evaluate("NumPrefs", &topic));
        }
    }
}
