//! Where claims, letters and intervals end: families of variants, comparisons of ranks on few topics, few resamples and topics.

use super::*;
use cranfield_stats::corrections::Correction;

fn joined_notes(comparison: &Comparison) -> String {
    let notes = comparison.notes();
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    notes.join("\n")
}

/// Ten systems without significant differences, each in three variants that differ by about 1 on every topic: 3^10 groups.
fn variants() -> Vec<Vec<f64>> {
    let value = |system: usize, variant: usize, topic: usize| {
        let own = (topic * 7 + system * 13) % 29;
        own as f64 + variant as f64 + 0.01 * ((topic + variant) % 3) as f64
    };
    let row = |at: usize| (0..30).map(|topic| value(at / 3, at % 3, topic)).collect();
    (0..30).map(row).collect()
}

#[test]
fn families_of_variants_are_compared_without_letters() {
    let names: Vec<usize> = (0..30).collect();
    let table = compare_scores("AP", &names, &variants(), &Settings::default()).unwrap();
    assert_eq!(table.pairs.len(), 30 * 29 / 2);
    // Of every system three pairs of variants, and nothing else.
    assert_eq!(
        table.pairs.iter().filter(|pair| pair.significant).count(),
        30
    );
    assert!(table.too_many_groups && table.groups.is_empty());
    assert!(table.systems.iter().all(|system| system.letters.is_empty()));
    assert!(
        table
            .groups_left_out()
            .starts_with("There are more than 26 groups of runs")
    );
    // Three systems have 27 groups, two have 9.
    let few = compare_scores("AP", &names[..6], &variants()[..6], &Settings::default()).unwrap();
    assert_eq!((few.groups.len(), few.too_many_groups), (9, false));
    assert_eq!(few.groups_left_out(), "");
}

fn by_conover(scores: &[[f64; 3]], correction: Correction) -> MeasureTable {
    let settings = Settings {
        test: Test::Conover,
        correction: Some(correction),
        ..Settings::default()
    };
    let names = &["a", "b", "c"][..scores.len()];
    compare_scores("AP", names, scores, &settings).unwrap()
}

/// Three topics agree on two runs by chance once in four times.
#[test]
fn topics_that_agree_are_no_proof_if_they_are_few() {
    let table = by_conover(&[[4.0, 9.0, 7.0], [3.0, 6.0, 5.0]], Correction::Holm);
    let pair = &table.pairs[0];
    assert_eq!((pair.p, pair.adjusted), (0.25, 0.25));
    assert_eq!(pair.claim.verdict, Verdict::Open);
    assert!(
        pair.claim.says.contains(" p = 0.2500 (Conover's test)."),
        "{}",
        pair.claim.says
    );
    assert_eq!(
        table.friedman_sentence(0.05),
        "Friedman's test over all runs: chi-square = 3.00 with 1 degree of freedom, exact p = 0.2500; Kendall's W = 1.00."
    );
}

/// Rank sums 4, 5 and 9 on three topics: t = 5 / sqrt 2 with 4 degrees of freedom is 0.0241 alone, and Friedman's table has 0.194
/// (7 of 36) for the sum of squares 14.
#[test]
fn no_pair_is_claimed_where_friedmans_test_is_not_significant() {
    let scores = [[0.1, 0.3, 0.1], [0.2, 0.2, 0.2], [0.3, 0.4, 0.3]];
    let table = by_conover(&scores, Correction::None);
    assert!((table.friedman_exact.unwrap() - 7.0 / 36.0).abs() < 1e-12);
    let pair = table.pair(0, 2).unwrap();
    assert!((pair.p - 0.0241).abs() < 0.00005);
    assert!((pair.adjusted - 7.0 / 36.0).abs() < 1e-12 && !pair.significant);
    let claim = &pair.claim;
    assert_eq!(claim.verdict, Verdict::Open);
    let p = "p = 0.1944, from Friedman's test (Conover's test alone 0.0241).";
    assert!(claim.says.contains(p), "{}", claim.says);
    let why = "The pair is significant on its own, but Friedman's test of all runs, on which it depends, is not.";
    assert!(
        claim.does_not_say.starts_with(why),
        "{}",
        claim.does_not_say
    );
    // Nemenyi's test corrects for all pairs and does not depend on Friedman's test.
    let nemenyi = Settings {
        test: Test::Nemenyi,
        ..Settings::default()
    };
    let table = compare_scores("AP", &["a", "b", "c"], &scores, &nemenyi).unwrap();
    assert!(
        table
            .pairs
            .iter()
            .all(|pair| pair.p.to_bits() == pair.adjusted.to_bits())
    );
}

fn whole(scores: &[Vec<f64>], settings: &Settings) -> Comparison {
    let names = (0..scores.len()).map(|at| at.to_string()).collect();
    let matrix = scores::matrix("AP", scores).unwrap();
    let table = scores::ScoreTable {
        measure: "AP".into(),
        direction: Direction::HigherIsBetter,
        range: None,
        topics: TopicTable::of(matrix.topics()),
        matrix,
    };
    compare_tables(names, &[table], settings, &Scope::default()).unwrap()
}

/// Two runs with different differences of about 0.1.
fn two(topics: usize) -> [Vec<f64>; 2] {
    let value = |topic: usize| 0.3 + 0.01 * ((topic * 7) % 11) as f64;
    let first = (0..topics).map(|topic| value(topic) + 0.1 + 0.05 * (topic as f64).sin());
    [first.collect(), (0..topics).map(value).collect()]
}

fn asked(interval: IntervalMethod, replicates: usize, alpha: f64, raise: bool) -> Settings {
    Settings {
        interval: Some(interval),
        resampling: Resampling {
            replicates,
            seed: 42,
        },
        alpha,
        raise_replicates: raise,
        ..Settings::default()
    }
}

const RESAMPLED: [IntervalMethod; 3] = [
    IntervalMethod::Percentile,
    IntervalMethod::Basic,
    IntervalMethod::Bca,
];

/// With too few resamples for alpha intervals are by Student's t, and nowhere called anything else.
#[test]
fn intervals_have_the_name_of_what_they_are() {
    for method in RESAMPLED {
        for (replicates, alpha) in [(1, 0.05), (3, 0.05), (399, 0.05), (10_000, 1e-6)] {
            let settings = asked(method, replicates, alpha, false);
            let found = whole(&two(20), &settings);
            let usual = whole(
                &two(20),
                &asked(IntervalMethod::T, replicates, alpha, false),
            );
            let (pair, expected) = (&found.measures[0].pairs[0], &usual.measures[0].pairs[0]);
            assert_eq!(pair.interval, expected.interval);
            assert_eq!(pair.interval_method, Some(IntervalMethod::T));
            assert!(
                pair.claim.says.contains(" % t interval "),
                "{}",
                pair.claim.says
            );
            assert!(
                found
                    .methods()
                    .contains(" and use Student's t; intervals of means")
            );
            assert_eq!(found.settings_object()["interval"], "t");
            let object = found.pair_object(&found.measures[0], pair);
            assert_eq!(object["interval"]["method"], "t");
            let notes = joined_notes(&found);
            let cure = if alpha == 0.05 {
                "use replicates=400 or more"
            } else {
                "use a larger alpha"
            };
            assert!(notes.contains(&format!("; {cure}")), "{notes}");
            let why = format!(
                "intervals of differences use Student's t, because there are too few resamples of the topics for {}",
                method.title()
            );
            assert!(notes.contains(&why), "{notes}");
            let page = found
                .page(&PARTS)
                .render(cranfield_render::PageFormat::Text, 80);
            assert!(
                page.contains("t intervals") && !page.contains(method.title()),
                "{page}"
            );
        }
        let enough = whole(&two(20), &asked(method, 400, 0.05, false));
        let table = &enough.measures[0];
        assert_eq!(table.pairs[0].interval_method, Some(method));
        let named = format!("95 % {} interval", method.title());
        assert!(table.pairs[0].claim.says.contains(&named));
        assert!(!joined_notes(&enough).contains("Student's t"));
        let methods = enough.methods();
        let expected = format!(
            "are {} bootstrap intervals from 400 samples;",
            method.title()
        );
        assert!(methods.contains(&expected), "{methods}");
        // Where there may be more resamples, there are as many as alpha needs.
        let raised = whole(&two(20), &asked(method, 100_000, 1e-4, true));
        assert_eq!(raised.settings.rank_resampling().replicates, 200_000);
        assert_eq!(raised.measures[0].pairs[0].interval_method, Some(method));
        let notes = joined_notes(&raised);
        assert!(
            notes.starts_with("raised resamples of the topics from 10000 to 200000"),
            "{notes}"
        );
    }
    let own = whole(
        &two(20),
        &Settings {
            test: Test::Tukey,
            ..Settings::default()
        },
    );
    assert_eq!(own.interval_name(), "simultaneous");
    assert_eq!(own.measures[0].pairs[0].interval_method, None);
}

const PARTS: Parts = Parts {
    pairs: true,
    claims: true,
    methods: false,
    digits: 4,
};

/// Differences 0.02 and 0.03: p of the t test is 0.1257, and every resample is above 0.
#[test]
fn narrow_intervals_on_few_topics_have_a_note_and_claim_nothing() {
    let scores = [vec![0.52, 0.43], vec![0.50, 0.40]];
    for method in RESAMPLED {
        let found = whole(&scores, &asked(method, 10_000, 0.05, false));
        let (table, title) = (&found.measures[0], method.title());
        let pair = &table.pairs[0];
        assert!(pair.interval.low > 0.0 && pair.p > 0.12, "{pair:?}");
        assert_eq!(pair.claim.verdict, Verdict::Open);
        assert!(
            pair.claim.says.contains("too narrow for 2 topics"),
            "{}",
            pair.claim.says
        );
        let why = "The interval excludes 0 only because it is too narrow, which is no evidence of a difference.";
        assert!(
            pair.claim.does_not_say.starts_with(why),
            "{}",
            pair.claim.does_not_say
        );
        let note =
            format!("intervals of differences ({title}) from resamples of 2 topics are too narrow");
        let both = format!(
            "intervals of ranks and differences ({title}) from resamples of 2 topics are too narrow, and probabilities of being best \
             overconfident, as for any fewer than 10; intervals by Student's t are not affected"
        );
        assert_eq!(joined_notes(&found), both);
        let page = found
            .page(&PARTS)
            .render(cranfield_render::PageFormat::Text, 200);
        assert!(page.contains(&note[1..]), "{page}");
        let methods = found.methods();
        assert!(
            methods.contains("which are too narrow on fewer than 10 topics"),
            "{methods}"
        );
        let object = found.measure_object(table);
        assert_eq!(object["too_few_topics_for_intervals"], true);
    }
    // Ten topics are enough, and Student's t needs no more than two.
    for (topics, method) in [(10, IntervalMethod::Bca), (2, IntervalMethod::T)] {
        let found = whole(&two(topics), &asked(method, 10_000, 0.05, false));
        let said = [joined_notes(&found), found.methods()].concat();
        assert!(
            !said.contains("differences (") && !said.contains("which are too narrow"),
            "{said}"
        );
        assert!(!found.has_short_intervals(&found.measures[0]));
    }
}

/// Ranks are over resamples of the topics, whatever the intervals of differences are.
#[test]
fn ranks_of_few_topics_have_a_note() {
    let said = |topics: usize| {
        let found = whole(&two(topics), &Settings::default());
        let page = found
            .page(&PARTS)
            .render(cranfield_render::PageFormat::Text, 300);
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        (joined_notes(&found), page, found.methods())
    };
    let (note, page, methods) = said(9);
    let says = "ank intervals from resamples of 9 topics are too narrow, and probabilities of being best overconfident, as for any fewer than 10";
    assert_eq!(note, format!("r{says}"));
    assert!(page.contains(&format!("R{says}.")), "{page}");
    assert!(
        methods.contains("(seed 42), and are overconfident on fewer than 10."),
        "{methods}"
    );
    let (note, page, methods) = said(10);
    assert!(![note, page, methods].concat().contains("overconfident"));
}

/// Differences 0.1 and 0.3 have the mean 0.2 and, each with itself, 0.1 and 0.3.
#[test]
fn pairs_of_topics_on_the_boundary_of_a_region_have_a_note() {
    let scores = [vec![0.5; 12], [0.4, 0.2].repeat(6)];
    let notes = |rope: f64| {
        let settings = Settings {
            rope: Some(rope),
            ..Settings::default()
        };
        let found = whole(&scores, &settings);
        assert!(
            found
                .methods()
                .contains("on the boundary of the region count half")
        );
        joined_notes(&found)
    };
    let note = notes(0.1);
    assert!(
        note.starts_with("AP: pairs of topics lie exactly on the boundary of ±0.1 (up to 2"),
        "{note}"
    );
    assert!(
        note.ends_with("half outside; a slightly larger or smaller region avoids this"),
        "{note}"
    );
    for rope in [0.0999, 0.1001] {
        assert_eq!(notes(rope), "");
    }
}

#[test]
fn standardised_scores_of_two_runs_are_signs() {
    let settings = Settings {
        standardise: Some(Standardisation::Z),
        ..Settings::default()
    };
    let [a, b] = two(12);
    let c: Vec<f64> = b.iter().map(|value| value * 0.9).collect();
    let says = "tests see nothing but signs: compare at least three runs";
    let notes = |scores: &[Vec<f64>]| joined_notes(&whole(scores, &settings));
    let of_two = notes(&[a.clone(), b.clone()]);
    assert!(of_two.ends_with(says), "{of_two}");
    assert!(!notes(&[a, b, c]).contains("signs"));
}

/// Friedman's p is the exact one with every test, where there is one.
#[test]
fn friedmans_p_is_one_number() {
    let [a, b] = two(12);
    let c: Vec<f64> = (0..12)
        .map(|topic| 0.35 + 0.02 * f64::from(topic % 5))
        .collect();
    let scores = [a, b, c];
    let says = |test| {
        let settings = Settings {
            test,
            ..Settings::default()
        };
        whole(&scores, &settings).measures[0].friedman_sentence(0.05)
    };
    let expected = says(Test::Siegel);
    assert!(expected.contains("exact p "), "{expected}");
    for test in Test::ALL.into_iter().filter(|test| *test != Test::Dunnett) {
        assert_eq!(says(test), expected, "{test}");
    }
}

/// A plan confirms what it names: Friedman's test is part of it only if the plan's pairs follow from that test.
#[test]
fn a_plan_confirms_friedmans_test_where_its_pairs_stand_behind_it() {
    let [a, b] = two(12);
    let c: Vec<f64> = b.iter().map(|value| value * 0.9).collect();
    for test in [
        Test::T,
        Test::Siegel,
        Test::Nemenyi,
        Test::Dunn,
        Test::Conover,
    ] {
        let matrix = scores::matrix("AP", &[a.clone(), b.clone(), c.clone()]).unwrap();
        let table = scores::ScoreTable {
            measure: "AP".into(),
            direction: Direction::HigherIsBetter,
            range: None,
            topics: TopicTable::of(12),
            matrix,
        };
        let settings = Settings {
            test,
            ..Settings::default()
        };
        let role = |role| {
            let scope = Scope {
                role: Some(role),
                ..Scope::default()
            };
            let names = ["a", "b", "c"].map(String::from).to_vec();
            let found = compare_tables(names, std::slice::from_ref(&table), &settings, &scope);
            found.unwrap().measures[0].omnibus_says(0.05)
        };
        let confirmed = role(Role::Confirmatory);
        assert_eq!(
            confirmed.contains("Friedman"),
            test == Test::Conover,
            "{test}: {confirmed}"
        );
        assert!(!confirmed.contains("ANOVA"), "{confirmed}");
        let explored = role(Role::Exploratory);
        assert!(
            explored.contains("Friedman") && explored.contains("ANOVA"),
            "{explored}"
        );
    }
}

/// Margins and regions within which all differences lie say nothing.
#[test]
fn margins_as_wide_as_the_measure_are_errors() {
    use cranfield_core::measure::Range;
    let error = |margin, rope, standardise, range| {
        let settings = Settings {
            margin,
            rope,
            standardise,
            ..Settings::default()
        };
        let matrix = scores::matrix("AP", &two(5)).unwrap();
        let table = scores::ScoreTable {
            measure: "AP".into(),
            direction: Direction::HigherIsBetter,
            range,
            topics: TopicTable::of(5),
            matrix,
        };
        let names = ["a", "b"].map(String::from).to_vec();
        let found = compare_tables(names, &[table], &settings, &Scope::default());
        found.map_or_else(|why| why.to_string(), |_| String::new())
    };
    let unit = Some(Range::UNIT);
    let all = |what: &str| {
        format!("AP is from 0 to 1, so no difference is larger than {what}; give a smaller one")
    };
    assert_eq!(error(Some(5.0), None, None, unit), all("a margin of 5"));
    assert_eq!(error(Some(1.0), None, None, unit), all("a margin of 1"));
    let rope = all("a region of practical equivalence (rope) of 2");
    assert_eq!(error(None, Some(2.0), None, unit), rope);
    assert_eq!(error(Some(0.9), Some(0.9), None, unit), "");
    assert_eq!(error(Some(5.0), None, None, Some(Range::COUNT)), "");
    // z-scores have no limit, others do.
    assert_eq!(error(Some(2.0), None, Some(Standardisation::Z), unit), "");
    let cdf = error(Some(2.0), None, Some(Standardisation::Cdf), None);
    assert!(cdf.starts_with("AP (cdf) is from 0 to 1,"), "{cdf}");
    let huge = error(None, Some(1e308), None, None);
    assert!(huge.starts_with("rope is 1e308;"), "{huge}");
}
