//! Worked examples from courses and papers on evaluation, by rank.

#![allow(
    clippy::unreadable_literal,
    reason = "numbers are written as in the sources, so that they can be searched"
)]

use cranfield_core::measure::Computation;

use super::tests::{TestTopic, measure};

/// Ten grades in rank order: the example of the paper that introduced cumulated gain.
const GRADES: &[i32] = &[3, 2, 3, 0, 0, 1, 2, 2, 3, 0];
/// Grades of all judged documents in that paper's example.
const JUDGED: &[i32] = &[3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0];

#[track_caller]
fn close(name: &str, ranking: &[i32], judged: &[i32], expected: f64) {
    let topic = TestTopic::new(ranking, judged);
    let value = match measure(name).computation {
        Computation::Ranked(measure) => measure.evaluate(&topic.ranking()),
        other => panic!("{name} is {other:?}"),
    };
    let difference = (value.unwrap() - expected).abs();
    assert!(
        difference <= 1e-12,
        "{name}: {value:?}, expected {expected}"
    );
}

/// Checks a vector by rank.
#[track_caller]
fn vector(name: &str, judged: &[i32], expected: &[f64]) {
    for (cutoff, value) in (1..).zip(expected) {
        close(&format!("{name}@{cutoff}"), GRADES, judged, *value);
    }
}

/// Builds a binary ranking from its relevant ranks.
fn binary(depth: usize, ranks: &[usize]) -> Vec<i32> {
    (1..=depth)
        .map(|rank| i32::from(ranks.contains(&rank)))
        .collect()
}

#[test]
fn exponential_gains_and_the_ranking_as_ideal() {
    let dcg = [
        7.0,
        8.892789260714373,
        12.392789260714373,
        12.392789260714373,
        12.392789260714373,
        12.748996447822396,
        13.748996447822396,
        14.695391078179583,
        16.80260104782745,
        16.80260104782745,
    ];
    let ideal = [
        7.0,
        11.416508275000202,
        14.916508275000202,
        16.208537949220382,
        17.369096370924005,
        18.43771793224807,
        18.771051265581402,
        18.771051265581402,
        18.771051265581402,
        18.771051265581402,
    ];
    let ndcg = [
        1.0,
        0.7789412530088334,
        0.8308103365909342,
        0.7645840296971669,
        0.7134964880188006,
        0.691462820652227,
        0.732457455541265,
        0.7828752300690293,
        0.8951337253357088,
        0.8951337253357088,
    ];
    vector("DCG(gains='exp')", JUDGED, &dcg);
    vector("IDCG(gains='exp', ideal='ranking')", JUDGED, &ideal);
    vector("nDCG(gains='exp', ideal='ranking')", JUDGED, &ndcg);
}

#[test]
fn cumulated_gain_with_base_2() {
    let dcg = [
        3.0,
        5.0,
        6.892789260714372,
        6.892789260714372,
        6.892789260714372,
        7.279642067948914,
        7.992056442164959,
        8.658723108831625,
        9.605117739188811,
        9.605117739188811,
    ];
    let ideal = [
        3.0,
        6.0,
        7.892789260714372,
        8.892789260714373,
        9.754142376861159,
        10.527847991330242,
        10.884055178438265,
        11.217388511771599,
        11.532853388557328,
        11.83388338422131,
        11.83388338422131,
        11.83388338422131,
        11.83388338422131,
    ];
    let ndcg = [
        1.0,
        0.8333333333333334,
        0.8733020777613553,
        0.7750986848597222,
        0.7066525168902078,
        0.6914653473286991,
        0.7342903275607727,
        0.7719018646581693,
        0.832848334716439,
        0.8116623619931713,
    ];
    vector("DCG(discount='jk')", JUDGED, &dcg);
    vector("IDCG(discount='jk')", JUDGED, &ideal);
    vector("nDCG(discount='jk', base=2)", JUDGED, &ndcg);
}

#[test]
fn cumulated_gain_with_base_10_and_without_discount() {
    let cg = [3.0, 5.0, 8.0, 8.0, 8.0, 9.0, 11.0, 13.0, 16.0, 16.0];
    let ideal = [
        3.0, 6.0, 9.0, 11.0, 13.0, 15.0, 16.0, 17.0, 18.0, 19.0, 19.0, 19.0, 19.0,
    ];
    let normalised = [
        1.0,
        0.8333333333333334,
        0.8888888888888888,
        0.7272727272727273,
        0.6153846153846154,
        0.6,
        0.6875,
        0.7647058823529411,
        0.8888888888888888,
        0.8421052631578947,
    ];
    for discount in ["discount='jk', base=10", "discount='none'"] {
        vector(&format!("DCG({discount})"), JUDGED, &cg);
        vector(&format!("IDCG({discount})"), JUDGED, &ideal);
        vector(&format!("nDCG({discount})"), JUDGED, &normalised);
    }
    vector("CG", JUDGED, &cg);
    vector("nCG", JUDGED, &normalised);
}

#[test]
fn four_rankings_of_a_course() {
    let rankings: [(&[usize], [f64; 3]); 4] = [
        (&[1, 3, 4, 5, 6, 10], [0.775, 5.0 / 6.0, 1.0]),
        (&[2, 5, 6, 7, 9, 10], [0.5211640211640212, 0.5, 0.5]),
        (&[1, 6, 10], [0.5444444444444444, 1.0 / 3.0, 1.0]),
        (&[2, 5, 7], [0.44285714285714284, 1.0 / 3.0, 0.5]),
    ];
    let names = ["AP", "Rprec", "RR"];
    for (ranks, expected) in rankings {
        let ranking = binary(10, ranks);
        for (name, value) in names.into_iter().zip(expected) {
            close(name, &ranking, &ranking, value);
        }
        for (count, rank) in (1..).zip(ranks) {
            let (count, rank) = (f64::from(count), *rank);
            close(
                &format!("P@{rank}"),
                &ranking,
                &ranking,
                count / rank as f64,
            );
            let recall = count / ranks.len() as f64;
            close(&format!("R@{rank}"), &ranking, &ranking, recall);
        }
    }
}

#[test]
fn rankings_of_another_course() {
    let first = binary(15, &[1, 3, 6, 10, 15]);
    let ten = vec![1; 10];
    close("P@5", &first, &ten, 0.4);
    close("P@15", &first, &ten, 1.0 / 3.0);
    let interpolated = [
        1.0,
        1.0,
        2.0 / 3.0,
        0.5,
        0.4,
        1.0 / 3.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    ];
    for (tenths, value) in interpolated.into_iter().enumerate() {
        close(
            &format!("IPrec@{}", tenths as f64 / 10.0),
            &first,
            &ten,
            value,
        );
    }
    close("AP", &first, &[1; 5], 0.58);
    close("Rprec", &first, &[1; 5], 0.4);
    let second = binary(15, &[3, 6, 10]);
    close("AP", &second, &[1; 3], 0.3222222222222222);
    close("Rprec", &second, &[1; 3], 1.0 / 3.0);
    // The mean of the two at a cutoff of 8, divided by all relevant documents.
    close("AP@8", &first, &[1; 5], (1.0 + 2.0 / 3.0 + 0.5) / 5.0);
    close(
        "AP@8",
        &second,
        &[1; 3],
        2.0 * 0.3277777777777777 - 13.0 / 30.0,
    );
    for (rank, value) in [(1, 1.0), (6, 0.0), (3, 1.0 / 3.0)] {
        close("RR@5", &binary(6, &[rank]), &[1], value);
    }
}

#[test]
fn e_measure_of_a_course() {
    // Precision 0.5, recall 0.25.
    for (beta, value) in [(1, 2.0 / 3.0), (0, 0.5), (2, 0.7222222222222222)] {
        close(&format!("E(beta={beta})"), &[1, 0], &[1, 1, 1, 1], value);
    }
}
