//! Tests of the analysis of variance.

use super::*;

/// Three systems on 20 topics, the example of T. Sakai's book on laboratory experiments, also in the tests of elinor.
pub(crate) fn sakai() -> ScoreMatrix {
    ScoreMatrix::new(
        &[
            [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1],
            [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2],
            [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3],
        ]
        .map(|row| row.map(|tenths| f64::from(tenths) / 10.0)),
    )
    .unwrap()
}

#[track_caller]
pub(crate) fn near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

/// scipy 1.17 `f_oneway`, statsmodels 0.15 `anova_lm`, pingouin 0.7 `epsilon`.
#[test]
fn sakais_systems() {
    let table = one_way(&sakai()).unwrap();
    near(table.test.statistic.unwrap(), 1.659_054_271_9, 1e-10);
    near(table.test.p, 0.199_376_296_5, 1e-10);
    let table = two_way(&sakai()).unwrap();
    near(table.system_test.statistic.unwrap(), 2.474_950, 5e-7);
    near(table.system_test.p, 0.097_635, 5e-7);
    near(table.topic_test.statistic.unwrap(), 2.475_351, 5e-7);
    near(table.topic_test.p, 0.008_559, 5e-7);
    near(table.residual.mean_square, 0.021_885_964_9, 1e-10);
    assert_eq!(
        (table.systems.df, table.topics.df, table.residual.df),
        (2.0, 19.0, 38.0)
    );
    near(
        sphericity(&sakai()).unwrap().unwrap().greenhouse_geisser,
        0.635_372,
        5e-7,
    );
}

#[test]
fn sums_of_squares_add_up() {
    let (one, two) = (one_way(&sakai()).unwrap(), two_way(&sakai()).unwrap());
    near(
        one.residual.sum_of_squares,
        two.topics.sum_of_squares + two.residual.sum_of_squares,
        1e-14,
    );
    assert_eq!(one.systems, two.systems);
    let shares = two.system_share.eta2.unwrap() + two.topic_share.eta2.unwrap();
    assert!(shares < 1.0);
}

#[test]
fn tables_without_variation() {
    let constant = ScoreMatrix::new(&[[0.1, 0.7, 0.3], [0.3, 0.9, 0.5]]).unwrap();
    let table = two_way(&constant).unwrap();
    assert_eq!(table.system_test.statistic, None);
    assert_eq!(table.system_test.p, 0.0);
    assert_eq!(table.system_test.degenerate, Some(Degenerate::Constant));
    assert_eq!(sphericity(&constant), Ok(None));
    let same = ScoreMatrix::new(&[[0.1, 0.7], [0.1, 0.7], [0.1, 0.7]]).unwrap();
    let table = two_way(&same).unwrap();
    assert_eq!((table.system_test.p, table.topic_test.p), (1.0, 0.0));
    assert_eq!(table.system_test.degenerate, Some(Degenerate::Identical));
    let zero = one_way(&ScoreMatrix::new(&[[0.0, 0.0], [0.0, 0.0]]).unwrap()).unwrap();
    assert_eq!((zero.test.p, zero.share.eta2), (1.0, None));
}

#[test]
fn invalid_tables_are_errors() {
    assert!(one_way(&ScoreMatrix::new(&[[1.0, 2.0]]).unwrap()).is_err());
    assert!(two_way(&ScoreMatrix::new(&[[1.0], [2.0]]).unwrap()).is_err());
    let huge = ScoreMatrix::new(&[[1e200, 2.0], [1.0, 2.0]]).unwrap();
    assert!(two_way(&huge).is_err());
}

/// Two systems: F of the table is the square of the paired t, 2.1157598613 for A and B.
#[test]
fn two_systems_are_a_paired_t() {
    let scores = sakai();
    let pair = ScoreMatrix::new(&[scores.row(0), scores.row(1)]).unwrap();
    let table = two_way(&pair).unwrap();
    near(
        table.system_test.statistic.unwrap(),
        2.115_759_861_3f64.powi(2),
        1e-9,
    );
    near(table.system_test.p, 0.047_796_761_8, 1e-10);
    // V_E is half the variance of the differences, so the margin is that of the difference over the root of 2.
    let margin = table.margin_of_error(0.95).unwrap();
    near(
        margin * 2f64.sqrt(),
        (0.149_194_055_3 - 0.000_805_944_7) / 2.0,
        1e-10,
    );
}

#[test]
fn generalisability_grows_with_topics() {
    let parts = two_way(&sakai()).unwrap().components();
    near(parts.residual, 0.021_885_964_9, 1e-10);
    near(
        parts.system,
        (2.474_950 - 1.0) * 0.021_885_964_9 / 20.0,
        1e-8,
    );
    assert!(parts.relative(50.0) > parts.relative(20.0));
    assert!(parts.absolute(50.0) < parts.relative(50.0));
    let none = Components {
        system: 0.0,
        topic: 0.0,
        residual: 0.0,
    };
    assert_eq!(none.relative(5.0), None);
}
