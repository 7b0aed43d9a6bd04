//! Claims where mean and test disagree, where families are large, and where equality is tested.

use super::*;
use cranfield_stats::corrections::Correction;
use cranfield_stats::{Interval, ScoreMatrix};

/// One topic that `rare` wins by far, and eleven that `often` wins by little: the mean favours `rare`, and every test
/// of signs or ranks of `often`. Wilcoxon's ranks are 12 of the one and 1 + ... + 11 = 66 of the others.
fn disputed() -> [Vec<f64>; 2] {
    let often: Vec<f64> = (0..12).map(|at| 0.3 + 0.01 * f64::from(at)).collect();
    let mut rare: Vec<f64> = often.clone();
    for (at, value) in rare.iter_mut().enumerate() {
        *value -= 0.001 * (at + 1) as f64;
    }
    rare[11] = 1.0;
    [rare, often]
}

fn tested(test: Test, scores: &[Vec<f64>]) -> MeasureTable {
    let names: Vec<String> = ["rare", "often", "third", "fourth"]
        .into_iter()
        .take(scores.len())
        .map(String::from)
        .collect();
    let settings = Settings {
        test,
        ..Settings::default()
    };
    compare_scores("AP", &names, scores, &settings).unwrap()
}

/// The mean of `rare` is larger by (0.59 - 0.066) / 12; 11 of 12 topics have p = 2 (1 + 12) / 4096 = 0.0063.
#[test]
fn no_run_is_called_better_where_mean_and_test_disagree() {
    let scores = disputed();
    for (test, figures) in [
        (Test::Sign, "topics won 11 to 1"),
        (Test::Wilcoxon, "rank sums 66 to 12"),
        (Test::Conover, "mean ranks 1.92 to 1.08"),
        (Test::Nemenyi, "mean ranks 1.92 to 1.08"),
        (Test::Siegel, "mean ranks 1.92 to 1.08"),
    ] {
        let table = tested(test, &scores);
        let pair = &table.pairs[0];
        assert_eq!((pair.first, pair.second), (0, 1));
        assert!((pair.difference - 0.524 / 12.0).abs() < 1e-12);
        assert!(pair.significant && pair.is_contrary, "{test} {}", pair.p);
        let claim = &pair.claim;
        assert_eq!(claim.verdict, Verdict::Contrary, "{test}");
        assert!(
            claim.says.starts_with(
                "+0.0437 AP from often to rare (0.3550 to 0.3987, +12.3 %): no winner"
            ),
            "{}",
            claim.says
        );
        for part in ["rare has the better mean", "favours often", figures] {
            assert!(claim.does_not_say.contains(part), "{}", claim.does_not_say);
        }
        assert_eq!((table.beaten_by(0), table.beaten_by(1)), (vec![], vec![]));
        // Neither is shown to be better, so they share a group.
        assert_eq!(table.groups, [[0, 1]], "{test}");
    }
    for test in [Test::T, Test::Randomisation, Test::Tukey] {
        assert_eq!(tested(test, &scores).pairs[0].claim.verdict, Verdict::Open);
    }
}

/// With the figures reversed, where the test agrees with the mean, it is claimed.
#[test]
fn a_run_is_better_where_mean_and_test_agree() {
    let [mut rare, often] = disputed();
    rare[11] = often[11] - 0.012;
    for test in [Test::Sign, Test::Wilcoxon, Test::Conover, Test::Nemenyi] {
        let table = tested(test, &[rare.clone(), often.clone()]);
        let pair = &table.pairs[0];
        assert_eq!(pair.claim.verdict, Verdict::Better, "{test}");
        assert_eq!((pair.first, table.beaten_by(1)), (1, vec![0]));
    }
}

/// Eight topics by +1 and one by -8: the means are equal, and eight of nine topics are not.
#[test]
fn equal_means_are_not_better_however_many_topics_are() {
    let often = vec![0.5; 9];
    let mut rare: Vec<f64> = often.iter().map(|value| value - 0.01).collect();
    rare[8] = 0.58;
    let table = tested(Test::Sign, &[rare, often]);
    let pair = &table.pairs[0];
    // 2 (1 + 9) / 512 = 0.0390625.
    assert!((pair.p - 0.039_062_5).abs() < 1e-12);
    assert_eq!(pair.claim.verdict, Verdict::Contrary);
    let text = &pair.claim.does_not_say;
    assert!(
        text.starts_with("The means are equal (0.5000), but the sign test favours often"),
        "{text}"
    );
}

/// For a measure of which smaller values are better, the run with fewer large values is.
#[test]
fn directions_hold_for_measures_that_should_be_small() {
    let [rare, often] = disputed();
    let matrix = ScoreMatrix::new(&[rare, often]).unwrap();
    let table = scores::ScoreTable {
        measure: "ASL".into(),
        direction: Direction::LowerIsBetter,
        range: None,
        topics: TopicTable::of(12),
        matrix,
    };
    let settings = Settings {
        test: Test::Sign,
        ..Settings::default()
    };
    let names = vec!["rare".to_owned(), "often".to_owned()];
    let compared = compare_tables(names, &[table], &settings, &Scope::default()).unwrap();
    let pair = &compared.measures[0].pairs[0];
    assert_eq!((pair.first, pair.claim.verdict), (1, Verdict::Contrary));
    assert!(
        pair.claim
            .headline
            .contains(" ASL (smaller is better) from rare to often"),
        "{}",
        pair.claim.headline
    );
    assert!(
        compared
            .legend()
            .contains("topics. Smaller values of ASL are better. Runs that share a letter")
    );
    assert!(
        compared
            .methods()
            .contains("2 runs by the mean of ASL (smaller is better)")
    );
    let text = &pair.claim.does_not_say;
    assert!(text.contains("often has the better mean"), "{text}");
    assert!(text.contains("favours rare (topics won 11 to 1)"), "{text}");
}

/// Four systems on 50 topics: nothing is exact any more, and six tests need p-values of 0.05 / 6.
#[test]
fn too_few_replicates_are_not_blamed_on_the_data() {
    let row = |system: usize| -> Vec<f64> {
        (0..50)
            .map(|topic| ((topic * 7 + system * 3) % 11) as f64 / 20.0 + 0.1 * system as f64)
            .collect()
    };
    let scores: Vec<Vec<f64>> = (0..4).map(row).collect();
    let with = |replicates, raise_replicates| {
        let settings = Settings {
            test: Test::Randomisation,
            resampling: Resampling {
                replicates,
                seed: 1,
            },
            raise_replicates,
            ..Settings::default()
        };
        compare_scores("AP", &["a", "b", "c", "d"], &scores, &settings).unwrap()
    };
    let few = with(100, false);
    assert_eq!(few.lacking_replicates, Some(120));
    let pair = few.pair(0, 3).unwrap();
    assert_eq!(pair.claim.verdict, Verdict::Open);
    let text = &pair.claim.does_not_say;
    assert!(
        text.contains("100 replicates are too few for a significant p-value among 6 tests (Holm); use replicates=120 or more"),
        "{text}"
    );
    for enough in [with(120, false), with(100, true)] {
        assert_eq!(enough.lacking_replicates, None);
        assert_eq!(enough.pair(0, 3).unwrap().claim.verdict, Verdict::Better);
    }
}

fn two_measures(settings: &Settings) -> Comparison {
    let tables = ["AP", "RR"].map(|measure| {
        let [a, b] = disputed();
        let c: Vec<f64> = b.iter().map(|value| value * 0.8).collect();
        let matrix = ScoreMatrix::new(&[a, b, c]).unwrap();
        scores::ScoreTable {
            measure: measure.into(),
            direction: Direction::HigherIsBetter,
            range: None,
            topics: TopicTable::of(12),
            matrix,
        }
    });
    let names = ["a", "b", "c"].map(String::from).to_vec();
    compare_tables(names, &tables, settings, &Scope::default()).unwrap()
}

/// Tukey's test holds for the three pairs of a measure; for those of both measures its p-values are doubled.
#[test]
fn a_family_of_measures_is_corrected_for() {
    let settings = |family| Settings {
        test: Test::Tukey,
        family,
        ..Settings::default()
    };
    let one = two_measures(&settings(Family::Measure));
    let all = two_measures(&settings(Family::All));
    for (one, all) in one.measures.iter().zip(&all.measures) {
        assert_eq!((one.family, all.family, all.measures_in_family), (3, 6, 2));
        for (one, all) in one.pairs.iter().zip(&all.pairs) {
            assert_eq!(one.p, all.p);
            assert_eq!(
                (one.adjusted, all.adjusted),
                (one.p, (2.0 * one.p).min(1.0))
            );
        }
    }
    let claim = &all.measures[0].pairs[0].claim.says;
    assert!(
        claim.contains(
            "for 6 pairs jointly (Tukey's HSD, Bonferroni for 2 measures; within the measure"
        ),
        "{claim}"
    );
    assert!(
        all.methods().contains("multiplied by the number of measures, 2 (Bonferroni), to correct for the 6 comparisons of all measures."),
        "{}",
        all.methods()
    );
    assert!(
        all.legend()
            .contains("correction: by the test, and Bonferroni for 2 measures")
    );
    assert!(
        one.methods()
            .contains("Its p-values are corrected jointly for all comparisons of a measure.")
    );
}

#[test]
fn equivalence_is_corrected_and_reported() {
    let [_, near] = disputed();
    let shifted = |by: f64| -> Vec<f64> {
        near.iter()
            .enumerate()
            .map(|(at, value)| value + by * [1.0, -1.2][at % 2])
            .collect()
    };
    let scores = [near.clone(), shifted(0.011), shifted(0.017)];
    let with = |correction| {
        let settings = Settings {
            margin: Some(0.008),
            correction: Some(correction),
            ..Settings::default()
        };
        compare_scores("AP", &["a", "b", "c"], &scores, &settings).unwrap()
    };
    let (alone, corrected) = (with(Correction::None), with(Correction::Bonferroni));
    assert_eq!(corrected.equivalence_family, 3);
    let mut lost = 0;
    for (alone, corrected) in alone.pairs.iter().zip(&corrected.pairs) {
        let p = alone.equivalence.as_ref().unwrap().p;
        assert_eq!(alone.equivalence_adjusted, Some(p));
        assert_eq!(corrected.equivalence_adjusted, Some((3.0 * p).min(1.0)));
        let is_equal = |pair: &Pair| pair.claim.verdict == Verdict::Equivalent;
        assert_eq!(is_equal(alone), p <= 0.05, "{p}");
        assert_eq!(is_equal(corrected), 3.0 * p <= 0.05, "{p}");
        lost += usize::from(is_equal(alone) && !is_equal(corrected));
        let text = &corrected.claim.says;
        assert!(text.contains("Equivalence within ±0.008: p "), "{text}");
        assert!(
            text.contains("(two one-sided tests, Bonferroni for 3 tests; uncorrected "),
            "{text}"
        );
    }
    assert_eq!(lost, 1, "one pair is equal only without a correction");
}

/// Of 50 topics 3 differ: all 8 signs are tried out, and two of them are as far out, p = 1/4. The third run differs on all.
#[test]
fn signs_are_tried_out_where_few_topics_differ() {
    let [mut a, b, mut c] = [vec![0.5; 50], vec![0.5; 50], Vec::new()];
    a[..3].fill(0.75);
    c.extend((0..50).map(|topic| f64::from(topic) / 300.0));
    let table = tested(Test::Randomisation, &[a, b, c]);
    let pair = table.pair(0, 1).unwrap();
    assert_eq!(pair.p, 0.25);
    let text = &pair.claim.does_not_say;
    assert!(
        text.contains("with 3 topics that differ, the p-value of this test is at least 0.2500"),
        "{text}"
    );
    // 100,000 replicates, none of which can reach a difference of one sign on all topics.
    assert_eq!(table.pair(0, 2).unwrap().p, 1.0 / 100_001.0);
}

/// The figure of power is that of the t test, and says so under another one.
#[test]
fn power_is_that_of_the_t_test() {
    let scores = disputed();
    for (test, words) in [
        (Test::T, "(80 % power, one test)"),
        (Test::Tukey, "(80 % power, one paired t test)"),
        (Test::Randomisation, "(80 % power, one paired t test)"),
    ] {
        let table = tested(test, &scores);
        let text = &table.pairs[0].claim.does_not_say;
        assert!(text.contains(words), "{test}: {text}");
    }
}

/// A difference may be significant and too small to matter.
#[test]
fn a_difference_within_the_margin_is_said_to_be() {
    let [_, often] = disputed();
    let more = [0.01, 0.012].into_iter().cycle();
    let higher: Vec<f64> = often
        .iter()
        .zip(more)
        .map(|(value, more)| value + more)
        .collect();
    let with = |margin| {
        let settings = Settings {
            margin: Some(margin),
            ..Settings::default()
        };
        let table = compare_scores(
            "AP",
            &["a", "b"],
            &[higher.clone(), often.clone()],
            &settings,
        );
        table.unwrap().pairs[0].claim.clone()
    };
    let wide = with(0.5);
    assert_eq!(wide.verdict, Verdict::Better);
    assert!(
        wide.headline
            .ends_with("a is better, by less than the margin of 0.5."),
        "{}",
        wide.headline
    );
    let narrow = with(0.001);
    assert!(
        narrow.headline.ends_with("a is better."),
        "{}",
        narrow.headline
    );
}

/// Where all topics differ by the same amount, p is 0 by convention.
#[test]
fn p_without_variance_has_a_note() {
    let scores = [vec![0.5, 0.75], vec![0.25, 0.5]];
    for (test, has_note) in [
        (Test::T, true),
        (Test::Bootstrap, true),
        (Test::Randomisation, false),
    ] {
        let claim = tested(test, &scores).pairs[0].claim.says.clone();
        let words = "the variance is 0, so p is 0 by convention, however few the topics are.";
        assert_eq!(claim.contains(words), has_note, "{test}: {claim}");
    }
}

/// Nine small gains and one loss of the same size in sum: the signs differ, and the interval of the mean has 0 in it.
#[test]
fn a_claim_that_the_interval_contradicts_says_why() {
    let base: Vec<f64> = (0..12).map(|at| 0.4 + 0.01 * f64::from(at)).collect();
    let mut better: Vec<f64> = base.iter().map(|value| value + 0.03).collect();
    better[0] -= 0.33;
    better[1] += 0.01;
    let scores = [better, base];
    for (test, what) in [
        (Test::Sign, "topics won"),
        (Test::Conover, "mean ranks"),
        (Test::Siegel, "mean ranks"),
    ] {
        let table = tested(test, &scores);
        let pair = &table.pairs[0];
        let Interval { low, high, .. } = pair.interval;
        assert!(pair.significant && low < 0.0 && high > 0.0, "{test}");
        assert!(!pair.is_contrary, "{test}");
        let why = format!(
            "The interval contains 0, but the verdict follows the test: it compares {what}, while the interval is of the mean difference. "
        );
        let text = &pair.claim.does_not_say;
        assert!(text.starts_with(&why), "{test}: {text}");
    }
    // Where both are the same calculation, there is nothing to explain.
    for test in [Test::T, Test::Tukey] {
        let text = &tested(test, &scores).pairs[0].claim.does_not_say;
        assert!(
            !text.contains("the verdict follows the test"),
            "{test}: {text}"
        );
    }
}

/// The other way round: all of five topics gain alike, so that the interval leaves 0 out, and the sign test has p = 2 / 32.
#[test]
fn an_interval_without_zero_is_explained_if_the_test_is_not_significant() {
    let base = vec![0.5, 0.4, 0.3, 0.2, 0.1];
    let better: Vec<f64> = [0.20, 0.21, 0.22, 0.23, 0.24]
        .iter()
        .zip(&base)
        .map(|(gain, value)| gain + value)
        .collect();
    let scores = [better, base];
    let text = |test| tested(test, &scores).pairs[0].claim.does_not_say.clone();
    let found =
        "The interval excludes 0, but the verdict follows the test, which is not significant: ";
    let sign = text(Test::Sign);
    assert!(
        sign.starts_with(&format!("{found}it compares topics won, ")),
        "{sign}"
    );
    let random = text(Test::Randomisation);
    let why = format!("{found}the interval uses another method (Student's t). ");
    assert!(random.starts_with(&why), "{random}");
}

/// Six topics have p >= 2 / 64; as one of six tests by Holm's method that is 0.1875, by that of Benjamini and Hochberg 0.0312.
#[test]
fn what_no_correction_lets_through_is_said_to_be_impossible() {
    let row = |run: usize| -> Vec<f64> {
        (0..6)
            .map(|at| ((at * 5 + run * 3) % 7) as f64 / 10.0)
            .collect()
    };
    let scores: Vec<Vec<f64>> = (0..4).map(row).collect();
    let with = |test, correction| {
        let settings = Settings {
            test,
            correction,
            ..Settings::default()
        };
        compare_scores("AP", &["a", "b", "c", "d"], &scores, &settings).unwrap()
    };
    for test in [Test::Randomisation, Test::Sign, Test::Wilcoxon] {
        for pair in &with(test, None).pairs {
            assert_eq!(
                (pair.least_p, pair.least_adjusted),
                (Some(0.03125), Some(0.1875))
            );
            let text = &pair.claim.does_not_say;
            let why = "No difference could be significant: with 6 topics that differ, the p-value of this test is at least 0.0312, and at least 0.1875 after correction for 6 tests.";
            assert!(text.contains(why) && !text.contains("can show"), "{text}");
        }
        for pair in &with(test, Some(Correction::BenjaminiHochberg)).pairs {
            assert_eq!(pair.least_adjusted, Some(0.03125));
            assert!(!pair.claim.does_not_say.contains("could be"));
        }
    }
    assert_eq!(with(Test::T, None).pairs[0].least_adjusted, None);
}

/// Randomised Tukey corrects for pairs itself, and there is one measure.
#[test]
fn one_measure_is_not_a_family() {
    let settings = Settings {
        test: Test::RandomisedTukey,
        resampling: Resampling {
            replicates: 5,
            seed: 1,
        },
        raise_replicates: false,
        ..Settings::default()
    };
    let scores = disputed();
    let table = compare_scores("AP", &["a", "b"], &scores, &settings).unwrap();
    let text = &table.pairs[0].claim.does_not_say;
    assert!(
        text.contains("significant p-value at alpha 0.05; use replicates=20 or more"),
        "{text}"
    );
}
