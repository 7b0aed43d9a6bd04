use super::*;
use cranfield_stats::corrections::Correction;

/// Three systems on twenty topics, the data of Sakai's book (A, B) and a third system that is A with small changes.
fn scores() -> [Vec<f64>; 3] {
    let a = vec![
        0.70, 0.30, 0.20, 0.60, 0.40, 0.40, 0.00, 0.70, 0.10, 0.30, 0.50, 0.40, 0.00, 0.60, 0.50,
        0.30, 0.10, 0.50, 0.20, 0.10,
    ];
    let b = vec![
        0.50, 0.10, 0.00, 0.20, 0.40, 0.30, 0.00, 0.50, 0.30, 0.30, 0.40, 0.40, 0.10, 0.40, 0.20,
        0.10, 0.10, 0.60, 0.30, 0.20,
    ];
    let c = a.iter().map(|value| value * 0.5).collect();
    [a, b, c]
}

fn table(settings: &Settings) -> MeasureTable {
    compare_scores("AP", &["a", "b", "c"], &scores(), settings).unwrap()
}

#[test]
fn pairs_name_the_better_run_first() {
    let table = table(&Settings::default());
    let found: Vec<_> = table
        .pairs
        .iter()
        .map(|pair| (pair.first, pair.second))
        .collect();
    assert_eq!(found, [(0, 1), (0, 2), (1, 2)]);
    assert!(table.pairs.iter().all(|pair| pair.difference >= 0.0));
    assert_eq!(table.order, [0, 1, 2]);
}

/// Differences of 0.2 on every topic, but for the last bit.
#[test]
fn rounding_is_no_difference_that_could_be_detected() {
    let scores = [[0.3, 0.2, 0.7, 0.6], [0.1, 0.0, 0.5, 0.4]];
    let table = compare_scores("AP", &["a", "b"], &scores, &Settings::default()).unwrap();
    assert_eq!(table.pairs[0].detectable, None);
}

#[test]
fn one_comparison_is_not_several() {
    let [a, b, _] = scores();
    let table = compare_scores("AP", &["a", "b"], &[a, b], &Settings::default()).unwrap();
    let comparison = Comparison {
        settings: Settings::default(),
        runs: vec!["a".into(), "b".into()],
        baselines: Vec::new(),
        measures: vec![table],
        raised_from: None,
        setup: None,
        role: None,
    };
    let methods = comparison.methods();
    assert!(methods.contains("There is one comparison,"), "{methods}");
}

#[test]
fn a_baseline_is_compared_with_every_other_run() {
    let settings = Settings {
        baselines: vec!["b".into()],
        ..Settings::default()
    };
    let found: Vec<_> = table(&settings)
        .pairs
        .iter()
        .map(|pair| (pair.first, pair.second))
        .collect();
    assert_eq!(found, [(0, 1), (2, 1)]);
    let two = Settings {
        baselines: vec!["a".into(), "b".into()],
        ..Settings::default()
    };
    let found: Vec<_> = table(&two)
        .pairs
        .iter()
        .map(|pair| (pair.first, pair.second))
        .collect();
    assert_eq!(found, [(2, 0), (0, 1), (2, 1)]);
}

#[test]
fn corrections_hold_for_the_family() {
    let alone = table(&Settings {
        correction: Some(Correction::None),
        ..Settings::default()
    });
    let bonferroni = table(&Settings {
        correction: Some(Correction::Bonferroni),
        ..Settings::default()
    });
    for (alone, corrected) in alone.pairs.iter().zip(&bonferroni.pairs) {
        assert_eq!(alone.p, alone.adjusted);
        assert_eq!(corrected.adjusted, (3.0 * alone.p).min(1.0));
    }
    assert_eq!(bonferroni.family, 3);
}

#[test]
fn every_test_gives_a_claim() {
    for test in Test::ALL {
        let baselines = match test {
            Test::Dunnett => vec!["c".to_owned()],
            _ => Vec::new(),
        };
        let settings = Settings {
            test,
            baselines,
            ..Settings::default()
        };
        let table = table(&settings);
        let pair = table.pair(0, 2).unwrap();
        assert_eq!(
            pair.claim.verdict,
            Verdict::Better,
            "{test}: {}",
            pair.claim.says
        );
        assert!(
            pair.claim.says.contains(test.title()),
            "{}",
            pair.claim.says
        );
        assert!(pair.interval.low < pair.difference && pair.difference < pair.interval.high);
    }
}

#[test]
fn runs_without_significant_differences_share_letters() {
    let table = table(&Settings::default());
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let [first, second] = [a, b].map(|run| table.systems[run].letters.clone());
        let shared = first.chars().any(|letter| second.contains(letter));
        assert_eq!(shared, table.pair(a, b).unwrap().winner().is_none());
    }
}

#[test]
fn equal_runs_are_identical_and_close_ones_equivalent() {
    let [a, ..] = scores();
    let near: Vec<f64> = a
        .iter()
        .enumerate()
        .map(|(at, value)| value + [0.001, -0.001][at % 2])
        .collect();
    let settings = Settings {
        margin: Some(0.01),
        ..Settings::default()
    };
    let table = compare_scores(
        "AP",
        &["a", "same", "near"],
        &[a.clone(), a, near],
        &settings,
    )
    .unwrap();
    assert_eq!(table.pair(0, 1).unwrap().claim.verdict, Verdict::Identical);
    assert_eq!(table.pair(0, 2).unwrap().claim.verdict, Verdict::Equivalent);
}

#[test]
fn invalid_comparisons_are_errors() {
    let error = |settings: Settings| {
        compare_scores("AP", &["a", "b", "c"], &scores(), &settings)
            .unwrap_err()
            .to_string()
    };
    let unknown = Settings {
        baselines: vec!["x".into()],
        ..Settings::default()
    };
    assert_eq!(error(unknown), "no run is named `x`; the runs are a, b, c");
    let alpha = Settings {
        alpha: 0.0,
        ..Settings::default()
    };
    assert!(error(alpha).contains("alpha is 0"));
    let dunnett = Settings {
        test: Test::Dunnett,
        ..Settings::default()
    };
    assert!(error(dunnett).contains("one baseline"));
    let twice = Settings {
        test: Test::Tukey,
        correction: Some(Correction::Holm),
        ..Settings::default()
    };
    assert!(error(twice).contains("already corrects for all comparisons"));
    let one = compare_scores("AP", &["a"], &[[0.1, 0.2]], &Settings::default());
    assert!(matches!(one, Err(CompareError::OneRun)));
}

#[test]
fn importance_by_five_and_ten_percent() {
    assert_eq!(Importance::of(0.105, 0.1), Importance::Noticeable);
    assert_eq!(Importance::of(0.1, 0.11), Importance::Material);
    assert_eq!(Importance::of(0.1, 0.104), Importance::NotNoticeable);
    assert_eq!(Importance::of(0.0, 0.0), Importance::NotNoticeable);
    assert_eq!(Importance::of(0.1, 0.0), Importance::Material);
}

/// Friedman's test of three systems by hand: ranks 1 2 1, 2 1 2 and 3 3 3 on three topics, so sums 4, 5 and 9; chi-square is
/// 12 / 36 (16 + 25 + 81) - 36 = 4.67.
#[test]
fn ranks_are_compared_behind_friedmans_test() {
    let scores = [[0.1, 0.3, 0.1], [0.2, 0.2, 0.2], [0.3, 0.4, 0.3]];
    for test in [Test::Conover, Test::Nemenyi, Test::Siegel] {
        let settings = Settings {
            test,
            ..Settings::default()
        };
        let table = compare_scores("AP", &["a", "b", "c"], &scores, &settings).unwrap();
        let friedman = table.friedman.as_ref().unwrap();
        assert!((friedman.chi_square.unwrap() - 14.0 / 3.0).abs() < 1e-12);
        let sentence = table.friedman_sentence(0.05);
        assert!(
            sentence.contains("chi-square = 4.67 with 2 degrees of freedom"),
            "{sentence}"
        );
    }
    let by_t = compare_scores("AP", &["a", "b"], &scores[..2], &Settings::default()).unwrap();
    assert_eq!(by_t.friedman_sentence(0.05), "");
}

#[test]
fn claims_begin_with_the_difference() {
    let pair = &table(&Settings::default()).pairs[1];
    let claim = &pair.claim;
    assert_eq!(
        claim.headline,
        "+0.1725 AP from c to a (0.1725 to 0.3450, +100.0 %): a is better."
    );
    assert!(claim.says.starts_with(&claim.headline));
    let lines = claim.lines();
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[1].starts_with("95 % interval ") && lines[1].contains("Holm for 3 tests"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[2], "This holds only for AP on topics like these.");
}

/// Scores of three runs on eight topics, all multiplied by the same number.
fn eight(by: f64) -> [[f64; 8]; 3] {
    let a = [0.5, 0.7, 0.4, 0.9, 0.6, 0.8, 0.3, 0.7];
    let b = [0.4, 0.5, 0.4, 0.6, 0.5, 0.4, 0.2, 0.6];
    let c = [0.4, 0.6, 0.3, 0.7, 0.4, 0.4, 0.3, 0.5];
    [a, b, c].map(|row| row.map(|score| score * by))
}

fn compared(by: f64, settings: &Settings) -> Result<MeasureTable, CompareError> {
    compare_scores("AP", &["a", "b", "c"], &eight(by), settings)
}

/// Verdicts do not depend on the unit of the scores, and all printed numbers are finite.
#[test]
fn scores_of_any_size() {
    for test in Test::ALL {
        let settings = Settings {
            test,
            baselines: vec!["b".into()],
            rope: None,
            resampling: Resampling {
                replicates: 2000,
                seed: 1,
            },
            ..Settings::default()
        };
        let usual = compared(1.0, &settings).unwrap();
        for size in [1e-120, 1e-20, 1e6, 1e120] {
            let table = compared(size, &settings).unwrap();
            for (pair, usual) in table.pairs.iter().zip(&usual.pairs) {
                assert!((pair.p - usual.p).abs() < 1e-9, "{test} {size}: {pair:?}");
                assert_eq!(pair.claim.verdict, usual.claim.verdict);
                assert_eq!((pair.wins, pair.importance), (usual.wins, usual.importance));
            }
            assert_eq!(table.order, usual.order);
        }
        for size in [1e-200, 1e200] {
            let error = compared(size, &settings).unwrap_err().to_string();
            assert!(error.contains("multiply all scores"), "{test}: {error}");
        }
    }
}

/// Four decimals of scores of 1e-20 are zeros.
#[test]
fn claims_about_small_scores_have_digits() {
    let table = compared(1e-20, &Settings::default()).unwrap();
    let says = &table.pair(0, 1).unwrap().claim.says;
    let start = "+1.625e-21 AP from b to a (4.500e-21 to 6.125e-21, +36.1 %): a is better. 95 % interval 5.361e-22 to";
    assert!(says.starts_with(start), "{says}");
    let usual = compared(1.0, &Settings::default()).unwrap();
    let says = &usual.pair(0, 1).unwrap().claim.says;
    assert!(
        says.starts_with("+0.1625 AP from b to a (0.4500 to 0.6125, +36.1 %)"),
        "{says}"
    );
}

/// Means of z-scores by Python's `statistics.mean` and `stdev` over the runs, topic by topic, and `0.5 * erfc(-z / sqrt(2))` of them.
#[test]
fn standardised_scores() {
    for (how, expected) in [
        (Standardisation::Z, [0.944_398_9, -0.450_615_3]),
        (Standardisation::Cdf, [0.821_812_7, 0.344_497_5]),
        (Standardisation::StdAb, [0.641_659_8, 0.432_407_7]),
        (Standardisation::Ecdf, [1.0, 0.583_333_3]),
    ] {
        let settings = Settings {
            standardise: Some(how),
            ..Settings::default()
        };
        let table = compared(1.0, &settings).unwrap();
        assert_eq!(table.measure, format!("AP ({})", how.name()));
        for (system, expected) in table.systems.iter().zip(expected) {
            assert!(
                (system.mean - expected).abs() < 1e-6,
                "{how:?}: {}",
                system.mean
            );
        }
        // Shares of standardised means say nothing.
        let pair = &table.pairs[0];
        assert_eq!((pair.importance, pair.relative), (None, None));
        assert!(!pair.claim.says.contains("Observed size"));
    }
}

#[test]
fn a_region_of_practical_equivalence() {
    let settings = Settings {
        rope: Some(0.02),
        ..Settings::default()
    };
    let table = compared(1.0, &settings).unwrap();
    let pair = table.pair(0, 1).unwrap();
    let [better, equal, worse] = pair.chances(&table).unwrap();
    assert!((better + equal + worse - 1.0).abs() < 1e-12 && better > 0.99);
    let says = "Bayesian signed-rank test with a region of ±0.02: better with probability 1.00, equivalent 0.00, worse 0.00.";
    assert!(pair.claim.says.contains(says), "{}", pair.claim.says);
    assert!(
        pair.claim
            .says
            .ends_with("Observed size: material (10 % or more of the smaller mean).")
    );
    for rope in [0.0, -1.0, f64::NAN] {
        let settings = Settings {
            rope: Some(rope),
            ..Settings::default()
        };
        assert!(compared(1.0, &settings).is_err());
    }
}

/// Each method has ends of its own, around the same difference.
#[test]
fn intervals_by_choice() {
    let low = |test, interval| {
        let settings = Settings {
            test,
            interval,
            ..Settings::default()
        };
        Ok::<_, CompareError>(compared(1.0, &settings)?.pair(0, 1).unwrap().interval.low)
    };
    let usual = low(Test::T, None).unwrap();
    assert_eq!(low(Test::T, Some(IntervalMethod::T)).unwrap(), usual);
    let others = [
        IntervalMethod::Percentile,
        IntervalMethod::Basic,
        IntervalMethod::Bca,
    ];
    let mut lows: Vec<f64> = others.map(|one| low(Test::T, Some(one)).unwrap()).to_vec();
    assert_eq!(low(Test::Bootstrap, None).unwrap(), lows[2]);
    lows.push(usual);
    lows.sort_by(f64::total_cmp);
    assert!(lows.windows(2).all(|pair| pair[0] < pair[1]), "{lows:?}");
    assert!(low(Test::Tukey, Some(IntervalMethod::Basic)).is_err());
}

#[test]
fn one_topic_is_too_few() {
    let error = compare_scores("AP", &["a", "b"], &[[0.5], [0.4]], &Settings::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "AP: all runs have a value for only one topic; a comparison needs two or more"
    );
}
