//! Tests of all coefficients.

use super::*;
use crate::anova::tests::near;
use crate::error::StatsError;
use crate::random::{Resampling, Stream};
use proptest::prelude::*;

const R1: [f64; 10] = [0., 1., 2., 2., 1., 0., 3., 3., 0., 1.];
const R2: [f64; 10] = [0., 1., 1., 2., 2., 0., 3., 2., 0., 0.];
const R3: [f64; 10] = [0., 2., 2., 2., 1., 1., 3., 3., 0., 1.];

fn three() -> Ratings {
    Ratings::new(&[R1, R2, R3].map(|rater| rater.map(Some))).unwrap()
}

/// scikit-learn 1.9 `cohen_kappa_score`, statsmodels 0.15 `fleiss_kappa`, krippendorff 0.9, irrCAC 0.4.
#[test]
fn values_agree_with_other_packages() {
    let table = three().confusion(0, 1).unwrap();
    let kappa = |weights| table.cohen(weights).value.unwrap();
    near(kappa(Weights::Identity), 0.459_459_459_5, 1e-10);
    near(kappa(Weights::Linear), 0.666_666_666_7, 1e-10);
    near(kappa(Weights::Quadratic), 0.829_059_829_1, 1e-10);
    near(
        fleiss(&three(), Weights::Identity).unwrap(),
        0.459_459_459_5,
        1e-10,
    );
    near(
        brennan_prediger(&three(), Weights::Identity).unwrap(),
        0.466_666_666_7,
        1e-10,
    );
    let alpha = |level| krippendorff(&three(), level).unwrap();
    near(alpha(Level::Nominal), 0.477_477_477_5, 1e-10);
    near(alpha(Level::Ordinal), 0.825_113_446_4, 1e-10);
    near(alpha(Level::Interval), 0.830_903_790_1, 1e-10);
    near(alpha(Level::Ratio), 0.668_642_345_1, 1e-10);
    near(gwet(&three(), Weights::Identity).unwrap(), 0.469_03, 5.1e-6);
    near(gwet(&three(), Weights::Linear).unwrap(), 0.685_86, 5.1e-6);
    near(
        gwet(&three(), Weights::Quadratic).unwrap(),
        0.845_36,
        5.1e-6,
    );
    near(table.overlap(1.0).unwrap(), 0.857_142_857_1, 1e-10);
}

/// By hand: a table of two grades, po = 0.7, pe = 0.5, kappa 0.4.
#[test]
fn standard_error_by_hand() {
    let table = Confusion::new(&[0.0, 1.0], vec![vec![20, 5], vec![10, 15]]).unwrap();
    let kappa = table.cohen(Weights::Identity);
    // Mean weights: rows have the shares 0.6 and 0.4 of the second rater, columns 0.5 and 0.5 of the first.
    let spread = 0.4 * (1.0 - 1.1 * 0.6f64).powi(2)
        + 0.1 * (1.1 * 0.6f64).powi(2)
        + 0.2 * (0.9 * 0.6f64).powi(2)
        + 0.3 * (1.0 - 0.9 * 0.6f64).powi(2)
        - 0.1f64.powi(2);
    near(
        kappa.standard_error.unwrap(),
        (spread / 50.0).sqrt() / 0.5,
        1e-12,
    );
    let interval = kappa.interval(0.95).unwrap().unwrap();
    near(
        interval.high - interval.low,
        2.0 * 1.959_963_984_5 * kappa.standard_error.unwrap(),
        1e-9,
    );
    near(table.bias(), -0.1, 1e-12);
    near(table.mean_absolute_error(), 0.3, 1e-12);
    near(table.pabak().unwrap(), 0.4, 1e-12);
    let full = Confusion::new(&[0.0, 1.0], vec![vec![3, 0], vec![0, 4]]).unwrap();
    assert_eq!(full.cohen(Weights::Identity).standard_error, Some(0.0));
}

/// Of 400 samples of 150 items from a population with kappa 0.4 (shares 0.4, 0.1, 0.2, 0.3), about 95 % have an interval that contains it.
#[test]
fn intervals_cover_the_true_value() {
    let cohen = |ratings: &Ratings| {
        let table = ratings.confusion(0, 1).ok();
        vec![table.and_then(|table| table.cohen(Weights::Identity).value)]
    };
    let covers = |sample: &u64| {
        let mut stream = Stream::new(3, *sample);
        let mut counts = [0; 4];
        for _ in 0..150 {
            let cell = [0, 0, 0, 0, 1, 2, 2, 3, 3, 3][stream.index(10)];
            counts[cell] += 1;
        }
        let items = counts.iter().enumerate();
        let items = items.map(|(cell, count)| (vec![Some(cell / 2), Some(cell % 2)], *count));
        let ratings = Ratings::of_items(&[0.0, 1.0], 2, items).unwrap();
        let resampling = Resampling {
            replicates: 400,
            seed: *sample,
        };
        let found = ratings.intervals(cohen, 0.95, resampling).unwrap();
        let interval = found[0].interval.unwrap();
        interval.low <= 0.4 && 0.4 <= interval.high
    };
    let covered = (0..400_u64).filter(covers).count() as f64 / 400.0;
    assert!((0.91..=0.98).contains(&covered), "{covered}");
}

#[test]
fn one_grade_only() {
    let ratings = Ratings::new(&[[Some(1.0); 3], [Some(1.0); 3]]).unwrap();
    let table = ratings.confusion(0, 1).unwrap();
    assert_eq!(table.cohen(Weights::Linear).value, None);
    assert_eq!(table.cohen(Weights::Quadratic).interval(0.95), Ok(None));
    assert_eq!(
        (table.scott(Weights::Identity), table.pabak()),
        (None, None)
    );
    assert_eq!(table.overlap(2.0), None);
    assert_eq!(fleiss(&ratings, Weights::Ordinal), None);
    assert_eq!(gwet(&ratings, Weights::Identity), None);
    assert_eq!(conger(&ratings, Weights::Identity), None);
    assert_eq!(krippendorff(&ratings, Level::Interval), None);
    // With a second grade that could have been given, agreement is full.
    let ratings = Ratings::with_categories(&[[Some(1.0); 3], [Some(1.0); 3]], &[0.0]).unwrap();
    assert_eq!(gwet(&ratings, Weights::Identity), Some(1.0));
    assert_eq!(brennan_prediger(&ratings, Weights::Identity), Some(1.0));
}

#[test]
fn no_item_has_two_ratings() {
    let ratings = Ratings::new(&[[Some(1.0), None], [None, Some(0.0)]]).unwrap();
    assert_eq!(percent_agreement(&ratings, Weights::Identity), None);
    assert_eq!(krippendorff(&ratings, Level::Nominal), None);
    assert_eq!(ratings.confusion(0, 1), Err(StatsError::Empty));
}

#[test]
fn invalid_ratings_are_errors() {
    assert_eq!(
        Ratings::new::<Vec<Option<f64>>>(&[]),
        Err(StatsError::Empty)
    );
    assert_eq!(Ratings::new(&[[None]]), Err(StatsError::Empty));
    assert!(Ratings::new(&[vec![Some(1.0)], vec![]]).is_err());
    assert!(Ratings::new(&[[Some(f64::NAN)]]).is_err());
    let many: Vec<Option<f64>> = (0..2000).map(|grade| Some(f64::from(grade))).collect();
    assert!(Ratings::new(&[many]).is_err());
    assert!(three().confusion(0, 3).is_err());
    assert!(Confusion::new(&[1.0, 0.0], vec![vec![1, 1], vec![1, 1]]).is_err());
    assert!(Confusion::new(&[0.0, 1.0], vec![vec![1, 1], vec![1]]).is_err());
    assert!(Confusion::new(&[0.0], vec![vec![0]]).is_err());
}

proptest! {
    /// Two raters without gaps: Fleiss' kappa is Scott's pi, Conger's is Cohen's; raters who are the same agree fully.
    #[test]
    fn two_raters(grades in prop::collection::vec((0..4_u8, 0..4_u8), 2..20), kind in 0..4_usize) {
        let weights = [Weights::Identity, Weights::Linear, Weights::Quadratic, Weights::Ordinal][kind];
        let first: Vec<Option<f64>> = grades.iter().map(|&(a, _)| Some(f64::from(a))).collect();
        let second: Vec<Option<f64>> = grades.iter().map(|&(_, b)| Some(f64::from(b))).collect();
        let ratings = Ratings::new(&[&first, &second]).unwrap();
        let table = ratings.confusion(0, 1).unwrap();
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            (a, b) => a == b,
        };
        prop_assert!(same(fleiss(&ratings, weights), table.scott(weights)));
        prop_assert!(same(conger(&ratings, weights), table.cohen(weights).value));
        let twice = Ratings::new(&[&first, &first]).unwrap();
        for value in [fleiss(&twice, weights), gwet(&twice, weights)] {
            prop_assert!(value.is_none_or(|value| (value - 1.0).abs() < 1e-12));
        }
        for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
            let value = krippendorff(&twice, level);
            prop_assert!(value.is_none_or(|value| value == 1.0));
        }
    }
}
