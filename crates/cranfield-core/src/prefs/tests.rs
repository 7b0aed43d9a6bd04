//! Properties of preferences as such; values of measures are tested with the measures.

use proptest::prelude::*;

use super::{PairCounts, PreferenceError, PreferenceTopic, Preferences, PreferencesBuilder, Scope};

/// Group, sub-group, document, level.
type Line = (u8, u8, u8, i8);

fn preferences(lines: &[Line]) -> Preferences {
    let mut builder = PreferencesBuilder::default();
    for (group, subgroup, doc, level) in lines {
        builder.push(b"q", &[*group], &[*subgroup], &[*doc], f64::from(*level));
    }
    builder.finish()
}

fn judge(lines: &[Line], run: &[u8]) -> Result<PreferenceTopic, PreferenceError> {
    let run: Vec<_> = run.iter().map(std::slice::from_ref).collect();
    preferences(lines).judge(b"q", &run)
}

/// Preferences, documents by level, recounts.
type GroupSummary = (PairCounts, [u64; 4], [(u64, u64); 2]);

/// Everything that a measure can read of the groups.
fn summary(topic: &PreferenceTopic) -> Vec<GroupSummary> {
    let groups = topic.groups().iter();
    let summaries = groups.map(|group| {
        let levels = [
            group.relevant,
            group.relevant_retrieved,
            group.nonrelevant,
            group.nonrelevant_retrieved,
        ];
        (
            group.pairs,
            levels,
            [Scope::All, Scope::Retrieved].map(|scope| group.recount(scope)),
        )
    });
    summaries.collect()
}

fn means(topic: &PreferenceTopic) -> [Option<f64>; 3] {
    [Scope::All, Scope::Implied, Scope::Retrieved].map(|scope| topic.mean_of_pairs(scope))
}

#[test]
fn topics_ascend_by_bytes() {
    let mut builder = PreferencesBuilder::default();
    for topic in [b"9".as_slice(), b"a", b"10", b"B", b"9"] {
        builder.push(topic, b"0", b"0", b"d", 1.0);
    }
    let preferences = builder.finish();
    let ids: Vec<_> = preferences.topics().map(|topic| topic.id()).collect();
    assert_eq!(ids, [b"10".as_slice(), b"9", b"B", b"a"]);
    let topic = preferences.topic(b"9").expect("the topic is there");
    assert_eq!(topic.documents().collect::<Vec<_>>(), [b"d"]);
    assert_eq!(topic.groups(), 1);
    assert!(preferences.topic(b"1").is_none());
}

#[test]
fn a_document_at_two_levels_of_the_only_subgroup() {
    let error = judge(&[(0, 0, b'a', 2), (0, 0, b'b', 1), (0, 0, b'a', 0)], b"xba")
        .expect_err("a is twice");
    let text = error
        .trec_eval_text()
        .expect("the reference program knows this mistake");
    assert_eq!(
        String::from_utf8_lossy(&text),
        "trec_eval.form_prefs_counts: Internal docid 1 occurs with different rel_level in same jsg\n"
    );
    assert!(
        error
            .to_string()
            .ends_with("document `a` is at two levels of one sub-group"),
        "{error}"
    );
}

#[test]
fn a_document_at_level_zero_and_above() {
    let lines = [
        (b'A', 0, b'a', 1),
        (b'A', 0, b'b', 0),
        (b'A', 1, b'b', 1),
        (b'A', 1, b'c', 0),
    ];
    let error = judge(&lines, b"abc").expect_err("b is at 0 and at 1");
    let text = error
        .trec_eval_text()
        .expect("the reference program knows this mistake");
    assert_eq!(
        String::from_utf8_lossy(&text),
        "trec_eval.form_prefs_counts: doc 'b' has both 0 and non-0 rel_level assigned\n"
    );
    assert_eq!(
        error.to_string(),
        "preferences of topic `q`, judgement group `A`: document `b` is at level 0 in one sub-group and above 0 in another"
    );
}

#[test]
fn preferences_that_go_round() {
    let lines = [
        (0, 0, b'a', 2),
        (0, 0, b'b', 1),
        (0, 1, b'b', 2),
        (0, 1, b'c', 1),
        (0, 2, b'c', 2),
        (0, 2, b'a', 1),
    ];
    let error = judge(&lines, b"xca").expect_err("a is preferred to b, b to c, c to a");
    let text = error
        .trec_eval_text()
        .expect("the reference program knows this mistake");
    assert_eq!(
        String::from_utf8_lossy(&text),
        "trec_eval.form_prefs_counts: Pref inconsistency found\n      internal rank 0 and internal rank 1 are conflicted\n"
    );
    assert!(
        error
            .to_string()
            .ends_with("`c` is preferred to `a`, and `a` to `c`"),
        "{error}"
    );
}

#[test]
fn preferences_are_followed_across_subgroups() {
    let lines = [
        (0, 0, b'a', 3),
        (0, 0, b'b', 2),
        (0, 1, b'b', 2),
        (0, 1, b'c', 1),
    ];
    let topic = judge(&lines, b"cba").expect("there is no contradiction");
    assert_eq!(
        (topic.fulfilled(Scope::All), topic.possible(Scope::All)),
        (0, 3)
    );
}

#[test]
fn a_document_at_two_levels_of_one_of_several_subgroups_is_not_preferred_to_itself() {
    let lines = [
        (0, 0, b'a', 3),
        (0, 0, b'a', 2),
        (0, 1, b'a', 2),
        (0, 1, b'b', 1),
    ];
    let topic = judge(&lines, b"ab").expect("there is no contradiction");
    assert_eq!(
        (topic.fulfilled(Scope::All), topic.possible(Scope::All)),
        (1, 1)
    );
}

#[test]
fn groups_may_contradict_each_other() {
    let topic = judge(
        &[(0, 0, 1, 1), (0, 0, 2, 0), (1, 0, 2, 1), (1, 0, 1, 0)],
        &[1, 2],
    );
    assert_eq!(
        means(&topic.expect("each group agrees with itself")),
        [Some(0.5); 3]
    );
}

#[test]
fn too_many_documents_in_a_group_with_subgroups() {
    let mut builder = PreferencesBuilder::default();
    for doc in 0..40_000u32 {
        builder.push(
            b"q",
            b"0",
            if doc % 2 == 0 { b"0" } else { b"1" },
            &doc.to_be_bytes(),
            1.0,
        );
    }
    let error = builder
        .finish()
        .judge(b"q", &[])
        .expect_err("the matrix would be too large");
    assert!(error.to_string().contains("40000 documents"), "{error}");
    assert_eq!(error.trec_eval_text(), None);
}

#[test]
fn a_large_group_is_counted_without_listing_pairs() {
    let mut builder = PreferencesBuilder::default();
    for doc in 0..200_000u32 {
        builder.push(b"q", b"0", b"0", &doc.to_be_bytes(), f64::from(doc));
    }
    let docs: Vec<_> = (0..200_000u32).map(u32::to_be_bytes).collect();
    let run: Vec<&[u8]> = docs.iter().map(<[u8; 4]>::as_slice).collect();
    let topic = builder
        .finish()
        .judge(b"q", &run)
        .expect("all levels differ");
    assert_eq!(topic.possible(Scope::All), 200_000 * 199_999 / 2);
    assert_eq!(means(&topic), [Some(0.0); 3]);
}

#[test]
fn a_level_that_is_no_number_is_one_level() {
    let mut builder = PreferencesBuilder::default();
    for (doc, level) in [
        (b"a", f64::NAN),
        (b"b", -f64::NAN),
        (b"c", 0.0),
        (b"d", -0.0),
    ] {
        builder.push(b"q", b"0", b"0", doc, level);
    }
    let topic = builder
        .finish()
        .judge(b"q", &[b"a"])
        .expect("no document is twice");
    assert_eq!(topic.possible(Scope::All), 4);
    assert_eq!(topic.groups()[0].nonrelevant, 4);
}

/// Pairs counted one by one from the definition.
fn counted_by_hand(lines: &[Line], run: &[u8]) -> (PairCounts, [Option<f64>; 3]) {
    let mut docs: Vec<u8> = lines.iter().map(|line| line.2).collect();
    docs.sort_unstable();
    docs.dedup();
    let rank = |doc: u8| run.iter().position(|known| *known == doc);
    docs.sort_by_key(|doc| (rank(*doc).unwrap_or(usize::MAX), *doc));
    let mut counts = PairCounts::default();
    let mut sums = [(0.0, 0u32); 3];
    for (at, &a) in docs.iter().enumerate() {
        for &b in &docs[at + 1..] {
            let wins = |x: u8, y: u8| {
                let levels = |doc| lines.iter().filter(move |line| line.2 == doc);
                let above = levels(x).flat_map(|p| levels(y).map(move |q| p.0 == q.0 && p.3 > q.3));
                above.filter(|above| *above).count() as u64
            };
            let (forward, backward) = (wins(a, b), wins(b, a));
            let share = forward as f64 / (forward + backward) as f64;
            let first_scope = match (rank(a), rank(b)) {
                (Some(_), Some(_)) => {
                    counts.possible_retrieved += forward + backward;
                    counts.fulfilled_retrieved += forward;
                    2
                }
                (None, None) => {
                    counts.possible_elsewhere += forward + backward;
                    0
                }
                _ => {
                    counts.possible_implied += forward + backward;
                    counts.fulfilled_implied += forward;
                    1
                }
            };
            if forward + backward > 0 {
                let share = if first_scope == 0 { 0.0 } else { share };
                sums[..=first_scope].iter_mut().for_each(|(sum, pairs)| {
                    *sum += share;
                    *pairs += 1;
                });
            }
        }
    }
    (
        counts,
        sums.map(|(sum, pairs)| (pairs > 0).then(|| sum / f64::from(pairs))),
    )
}

fn sum(counts: impl Iterator<Item = PairCounts>) -> PairCounts {
    counts.fold(PairCounts::default(), |a, b| PairCounts {
        possible_retrieved: a.possible_retrieved + b.possible_retrieved,
        possible_implied: a.possible_implied + b.possible_implied,
        possible_elsewhere: a.possible_elsewhere + b.possible_elsewhere,
        fulfilled_retrieved: a.fulfilled_retrieved + b.fulfilled_retrieved,
        fulfilled_implied: a.fulfilled_implied + b.fulfilled_implied,
    })
}

prop_compose! {
    /// Groups with one sub-group each, where a document has one level.
    fn consistent_lines()(groups in 1u8..4, levels in prop::collection::vec(-1i8..4, 40), picks in prop::collection::vec((0u8..4, 0u8..10), 1..40)) -> Vec<Line> {
        let level = |group: u8, doc: u8| levels[usize::from(group) * 10 + usize::from(doc)];
        picks.into_iter().map(|(group, doc)| (group % groups, 0, doc, level(group % groups, doc))).collect()
    }
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-12,
        (a, b) => a == b,
    }
}

proptest! {
    #[test]
    fn counts_follow_the_definition(
        lines in consistent_lines(),
        run in Just((0u8..14).collect::<Vec<_>>()).prop_shuffle(),
        depth in 0usize..14,
    ) {
        let topic = judge(&lines, &run[..depth]).expect("a document has one level");
        let (counts, expected) = counted_by_hand(&lines, &run[..depth]);
        prop_assert_eq!(sum(topic.groups().iter().map(|group| group.pairs)), counts);
        for (found, expected) in means(&topic).into_iter().zip(expected) {
            prop_assert!(close(found, expected), "{found:?} {expected:?}");
        }
    }

    #[test]
    fn splitting_a_group_into_pairs_changes_no_count(
        levels in prop::collection::vec(1i8..5, 2..9),
        run in Just((0u8..9).collect::<Vec<_>>()).prop_shuffle(),
        depth in 0usize..9,
    ) {
        let whole: Vec<Line> = (0u8..).zip(&levels).map(|(doc, level)| (0, 0, doc, *level)).collect();
        let mut pairs = Vec::new();
        for (at, a) in whole.iter().enumerate() {
            for b in &whole[at + 1..] {
                let subgroup = (pairs.len() / 2) as u8;
                pairs.extend([a, b].map(|line| (0, subgroup, line.2, line.3)));
            }
        }
        let whole = judge(&whole, &run[..depth]).expect("a document has one level");
        let pairs = judge(&pairs, &run[..depth]).expect("levels are an order");
        prop_assert_eq!(whole.groups()[0].pairs, pairs.groups()[0].pairs);
        prop_assert_eq!(means(&whole), means(&pairs));
    }

    #[test]
    fn the_order_of_lines_does_not_matter(
        (lines, shuffled) in prop::collection::vec((0u8..3, 0u8..3, 0u8..8, -1i8..4), 0..30)
            .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())),
        run in Just((0u8..10).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        match (judge(&lines, &run[..6]), judge(&shuffled, &run[..6])) {
            (Ok(a), Ok(b)) => {
                prop_assert_eq!(summary(&a), summary(&b));
                prop_assert_eq!(means(&a), means(&b));
            }
            (a, b) => prop_assert_eq!(a.err(), b.err()),
        }
    }

    #[test]
    fn a_document_preferred_both_ways_is_a_conflict(between in prop::collection::vec(2u8..9, 0..5)) {
        // 0 over ... over 1 over 0, each in a sub-group of its own.
        let chain: Vec<u8> = [vec![0], between, vec![1, 0]].concat();
        let links = (0u8..).zip(chain.windows(2));
        let lines: Vec<Line> = links.flat_map(|(at, link)| [(0, at, link[0], 2), (0, at, link[1], 1)]).collect();
        let error = judge(&lines, &[]).expect_err("0 is preferred to itself through 1");
        let ids = if let PreferenceError::Conflict { ids, .. } = &error { Some(*ids) } else { None };
        prop_assert_eq!(ids, Some([0, 1]), "{}", error);
    }
}
