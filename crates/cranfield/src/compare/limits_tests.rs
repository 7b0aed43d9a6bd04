//! Where claims and letters end: families of variants, and comparisons of ranks on few topics.

use super::*;
use cranfield_stats::corrections::Correction;

/// Ten systems that nothing tells apart, each in three variants that differ by about 1 on every topic: 3^10 groups.
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
        table.friedman_sentence(),
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
    let p = "p = 0.1944, that of Friedman's test (Conover's test alone 0.0241).";
    assert!(claim.says.contains(p), "{}", claim.says);
    let why = "Alone it would be significant; Friedman's test of all runs, behind which it stands, is not.";
    assert!(
        claim.does_not_say.starts_with(why),
        "{}",
        claim.does_not_say
    );
    // Nemenyi's test corrects for all pairs itself, and stands alone.
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
