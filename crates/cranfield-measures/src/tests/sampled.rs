//! Values made by hand and by `sample_eval.pl`, and what holds where everything was judged.

use cranfield_core::gains::Gains;
use cranfield_core::measure::Computation;
use cranfield_core::sampled::*;
use proptest::prelude::*;

use crate::measures::tests::{TestTopic, measure};

fn document(stratum: u32, grade: i32) -> PoolDocument {
    PoolDocument {
        stratum,
        grade: Some(f64::from(grade)),
    }
}

#[track_caller]
fn near(value: Option<f64>, expected: f64, tolerance: f64) {
    let difference = (value.unwrap_or(f64::NAN) - expected).abs();
    assert!(difference < tolerance, "{value:?}, not {expected}");
}

/// Stratum 1 is judged completely, of stratum 2 half.
const POOL: [(u32, i32); 10] = [
    (1, 2),
    (1, 0),
    (1, 1),
    (1, 0),
    (2, 1),
    (2, -1),
    (2, -1),
    (2, 0),
    (2, -1),
    (2, 1),
];

fn pool() -> Vec<PoolDocument> {
    POOL.iter().map(|&(s, g)| document(s, g)).collect()
}

/// Places in the pool in rank order, −1 for a document that is not in it.
fn ranking(places: &[i32]) -> Vec<Option<PoolDocument>> {
    let pool = pool();
    let document = |place: &i32| usize::try_from(*place).ok().map(|place| pool[place]);
    places.iter().map(document).collect()
}

#[test]
fn values_of_the_script() {
    let topic = StratifiedPool::new(pool(), 1.0);
    let ranking = ranking(&[0, 5, -1, 4, 1, 9, 2, 8, -1, 7]);
    near(topic.xinf_ap(&ranking), 0.702_375_952_514_282, 1e-12);
    near(
        topic.inf_ndcg(&ranking, &Gains::default(), 1000),
        0.846_710_518_977_84,
        1e-12,
    );
    near(topic.precision(&ranking, 5), 0.599_991_000_254_993, 1e-12);
    near(topic.precision(&ranking, 10), 0.533_330_666_693_333, 1e-12);
    near(
        Some(topic.num_rel_ret(&ranking)),
        5.333_306_666_933_33,
        1e-12,
    );
    near(Some(topic.num_rel()), 6.0, 1e-12);
}

#[test]
fn a_half_judged_stratum_by_hand() {
    // Four documents, two judged: grade 1 and grade 0. Ranking: unsampled, relevant, not relevant.
    let pool = [
        document(7, -1),
        document(7, 1),
        document(7, 0),
        PoolDocument {
            stratum: 7,
            grade: None,
        },
    ];
    let topic = StratifiedPool::new(pool, 1.0);
    let ranking = [Some(pool[0]), Some(pool[1]), Some(pool[2])];
    // One document above, of which nothing was sampled: its precision is ε / 3ε = 1/3.
    near(topic.xinf_ap(&ranking), 4.0 / 3.0 / 2.0, 1e-9);
    // Three documents of the stratum, two of them sampled.
    let dcg = 3.0 / 2.0 / 3f64.log2();
    let ideal = 1.0 + 1.0 / 3f64.log2();
    near(
        topic.inf_ndcg(&ranking, &Gains::default(), 1000),
        dcg / ideal,
        1e-12,
    );
    near(topic.inf_ndcg(&ranking, &Gains::default(), 1), dcg, 1e-12);
}

#[test]
fn strange_input_has_no_value_or_a_finite_one() {
    let empty = StratifiedPool::new([], 1.0);
    let stray = [Some(document(3, 2)), None];
    assert_eq!(empty.num_rel(), 0.0);
    assert_eq!(empty.xinf_ap(&stray), None);
    assert_eq!(empty.inf_ndcg(&stray, &Gains::default(), 10), None);
    assert_eq!(empty.precision(&stray, 5), Some(0.0));
    assert_eq!(empty.precision(&stray, 0), None);
    let unsampled = StratifiedPool::new([document(1, -1)], 1.0);
    assert_eq!(unsampled.xinf_ap(&[Some(document(1, -1))]), None);
    let odd = PoolDocument {
        stratum: u32::MAX,
        grade: Some(f64::NAN),
    };
    let topic = StratifiedPool::new([odd, document(1, 1)], 1.0);
    assert_eq!(topic.num_rel(), 1.0);
    assert!(
        topic
            .xinf_ap(&[Some(odd)])
            .is_some_and(|value| value == 0.0)
    );
}

fn drawn(relevant: bool, probability: f64) -> DrawnDocument {
    DrawnDocument {
        relevant,
        inclusion: Inclusion::new(probability).unwrap(),
    }
}

#[test]
fn unequal_probabilities_by_hand() {
    let (sure, quarter, other) = (drawn(true, 1.0), drawn(true, 0.25), drawn(false, 0.5));
    let topic = InclusionSample::new([sure, quarter, other]);
    assert_eq!(topic.num_rel(), 5.0);
    // Rank 2: 4 · (1 + 0) / 2; rank 4: 1 · (1 + 4) / 4.
    let ranking = [None, Some(quarter), Some(other), Some(sure)];
    near(topic.stat_ap(&ranking), (2.0 + 1.25) / 5.0, 1e-12);
    near(topic.stat_precision(&ranking, 2), 2.0, 1e-12);
    near(topic.stat_precision(&ranking, 10), 0.5, 1e-12);
    assert_eq!(topic.stat_precision(&ranking, 0), None);
    assert_eq!(InclusionSample::new([other]).stat_ap(&ranking), None);
    for wrong in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        assert_eq!(Inclusion::new(wrong), None);
    }
}

fn value(name: &str, ranking: &[i32], judged: &[i32]) -> Option<f64> {
    match measure(name).computation {
        Computation::Ranked(measure) => {
            measure.evaluate(&TestTopic::new(ranking, judged).ranking())
        }
        _ => None,
    }
}

/// Grades of a ranking (−1: not in the pool), of the documents that it missed, and each one's stratum.
fn complete_judgements() -> impl Strategy<Value = (Vec<i32>, Vec<i32>, Vec<u32>)> {
    (
        prop::collection::vec(-1..4, 0..30),
        prop::collection::vec(0..4, 0..10),
        prop::collection::vec(0u32..3, 40),
    )
}

proptest! {
    #[test]
    fn complete_judgements_give_the_plain_measures((grades, missed, strata) in complete_judgements()) {
        let documents = grades.iter().chain(&missed).zip(&strata);
        let documents: Vec<_> = documents
            .map(|(&grade, &stratum)| (grade >= 0).then(|| document(stratum, grade)))
            .collect();
        let topic = StratifiedPool::new(documents.iter().flatten().copied(), 1.0);
        let ranking = &documents[..grades.len()];
        let judged: Vec<_> = grades.iter().chain(&missed).copied().filter(|g| *g >= 0).collect();
        let same = |ours: Option<f64>, name: &str, tolerance: f64| {
            let plain = value(name, &grades, &judged);
            match (ours, plain) {
                (Some(ours), Some(plain)) => (ours - plain).abs() < tolerance,
                (ours, plain) => ours == plain,
            }
        };
        prop_assert!(same(topic.xinf_ap(ranking), "AP", 1e-3));
        prop_assert!(same(topic.inf_ndcg(ranking, &Gains::default(), 1000), "nDCG", 1e-9));
        prop_assert!(same(topic.precision(ranking, 10), "P@10", 1e-3));
        prop_assert!(same(Some(topic.num_rel()), "NumRel", 1e-9));
        prop_assert!(same(Some(topic.num_rel_ret(ranking)), "NumRelRet", 1e-3));
    }

    #[test]
    fn certain_inclusion_gives_the_plain_measures((grades, missed, _) in complete_judgements()) {
        let documents = grades.iter().chain(&missed);
        let documents: Vec<_> = documents
            .map(|&grade| (grade >= 0).then(|| drawn(grade >= 1, 1.0)))
            .collect();
        let topic = InclusionSample::new(documents.iter().flatten().copied());
        let ranking = &documents[..grades.len()];
        let judged: Vec<_> = grades.iter().chain(&missed).copied().filter(|g| *g >= 0).collect();
        let ap = value("AP", &grades, &judged);
        let stat_ap = topic.stat_ap(ranking);
        prop_assert_eq!(stat_ap.is_some(), ap.is_some());
        prop_assert!((stat_ap.unwrap_or(0.0) - ap.unwrap_or(0.0)).abs() < 1e-12);
        prop_assert_eq!(topic.stat_precision(ranking, 7), value("P@7", &grades, &judged));
    }

    #[test]
    fn the_mean_of_stat_precision_over_all_draws_is_precision(grades in prop::collection::vec(0..2, 1..8)) {
        // Every document is drawn with probability 1/2, independently: all subsets are equally likely.
        let subsets = 1u32 << grades.len();
        let mut sum = 0.0;
        for subset in 0..subsets {
            let ranking: Vec<_> = grades
                .iter()
                .enumerate()
                .map(|(at, &grade)| (subset >> at & 1 == 1).then(|| drawn(grade == 1, 0.5)))
                .collect();
            let topic = InclusionSample::new(ranking.iter().flatten().copied());
            sum += topic.stat_precision(&ranking, 5).unwrap_or(f64::NAN);
        }
        let precision = value("P@5", &grades, &grades).unwrap_or(f64::NAN);
        prop_assert!((sum / f64::from(subsets) - precision).abs() < 1e-9);
    }
}
