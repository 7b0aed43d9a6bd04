//! Tests of panels.

use super::*;
use cranfield_core::qrels::Qrels;
use proptest::prelude::*;

const R1: [f64; 10] = [0., 1., 2., 2., 1., 0., 3., 3., 0., 1.];
const R2: [f64; 10] = [0., 1., 1., 2., 2., 0., 3., 2., 0., 0.];
const R3: [f64; 10] = [0., 2., 2., 2., 1., 1., 3., 3., 0., 1.];

/// An assessor who gave these grades to the documents of two topics, five each.
fn assessor(name: &str, grades: &[Option<f64>]) -> Assessor {
    let judged = grades.iter().enumerate().filter_map(|(at, grade)| {
        let topic = if at < 5 { "a" } else { "b" };
        Some((topic, format!("d{at}"), (*grade)?))
    });
    Assessor::in_memory(name, Qrels::from_judgements(judged.collect::<Vec<_>>()))
}

fn three() -> Vec<Assessor> {
    let named = [("ann", R1), ("bob", R2), ("cid", R3)].into_iter();
    let named = named.map(|(name, grades)| assessor(name, &grades.map(Some)));
    named.collect()
}

#[track_caller]
fn near(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.expect("defined");
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// scikit-learn 1.9 `cohen_kappa_score`, statsmodels 0.15 `fleiss_kappa`, krippendorff 0.9, irrCAC 0.4.
#[test]
fn values_agree_with_other_packages() {
    let panel = Panel::of(&three(), &PanelPlan::default()).unwrap();
    let value = |coefficient| panel.coefficient(coefficient).value;
    near(value(Coefficient::Agreement), 0.6, 1e-12);
    near(
        value(Coefficient::Fleiss(Weights::Identity)),
        0.459_459_459_5,
        1e-10,
    );
    near(
        value(Coefficient::BrennanPrediger(Weights::Identity)),
        0.466_666_666_7,
        1e-10,
    );
    near(
        value(Coefficient::Alpha(Level::Nominal)),
        0.477_477_477_5,
        1e-10,
    );
    near(
        value(Coefficient::Alpha(Level::Ordinal)),
        0.825_113_446_4,
        1e-10,
    );
    near(
        value(Coefficient::Alpha(Level::Interval)),
        0.830_903_790_1,
        1e-10,
    );
    near(
        value(Coefficient::Alpha(Level::Ratio)),
        0.668_642_345_1,
        1e-10,
    );
    near(
        value(Coefficient::Gwet(Weights::Identity)),
        0.469_03,
        5.1e-6,
    );
    near(value(Coefficient::Gwet(Weights::Linear)), 0.685_86, 5.1e-6);
    near(
        value(Coefficient::Gwet(Weights::Quadratic)),
        0.845_36,
        5.1e-6,
    );
    let pair = panel.pair(1, 0).unwrap();
    near(pair.figure(Figure::Kappa).value, 0.459_459_459_5, 1e-10);
    near(
        pair.figure(Figure::KappaLinear).value,
        0.666_666_666_7,
        1e-10,
    );
    near(
        pair.figure(Figure::KappaQuadratic).value,
        0.829_059_829_1,
        1e-10,
    );
    near(pair.figure(Figure::Overlap).value, 0.857_142_857_1, 1e-10);
    for estimate in &panel.coefficients {
        let (value, interval) = (estimate.value.unwrap(), estimate.interval.unwrap());
        assert!(
            interval.low <= value && value <= interval.high,
            "{estimate:?}"
        );
    }
}

/// By hand. Ann's mean is 1.3, and 0.3 and 0.5 more than the means of Bob and Cid: 1.1 and 1.5.
#[test]
fn assessors_and_documents_by_hand() {
    let panel = Panel::of(&three(), &PanelPlan::default()).unwrap();
    let ann = &panel.assessors[0];
    assert_eq!((ann.documents, &ann.classes), (10, &vec![3, 3, 2, 2]));
    near(ann.mean, 1.3, 1e-12);
    near(ann.bias, 0.0, 1e-12);
    near(
        panel.assessors[1].bias,
        1.1 - f64::midpoint(1.3, 1.5),
        1e-12,
    );
    near(
        panel.assessors[2].bias,
        1.5 - f64::midpoint(1.3, 1.1),
        1e-12,
    );
    // Six documents have two grades next to each other; none has a larger spread.
    assert_eq!(panel.disputed_in_all, 6);
    assert!(panel.disputed.iter().all(|document| document.spread == 1.0));
    let docs: Vec<&[u8]> = panel
        .disputed
        .iter()
        .map(|document| &*document.doc)
        .collect();
    assert_eq!(docs, [b"d1", b"d2", b"d4", b"d5", b"d7", b"d9"]);
    let counted = Counted {
        topics: 2,
        documents: 10,
        shared: 10,
        complete: 10,
    };
    assert_eq!(panel.counted, counted);
    // Topic a: d0 and d3 agree fully, the others by a third; b: d6 and d8.
    for topic in &panel.topics {
        near(topic.agreement, (2.0 + 3.0 / 3.0) / 5.0, 1e-12);
    }
}

#[test]
fn gaps_are_counted() {
    let mut assessors = three();
    let some = R3.map(Some).into_iter().enumerate();
    let some: Vec<_> = some
        .map(|(at, grade)| grade.filter(|_| at % 2 == 0))
        .collect();
    assessors[2] = assessor("cid", &some);
    assessors.push(assessor("dan", &[None, None, None, None, Some(3.0)]));
    let panel = Panel::of(&assessors, &PanelPlan::default()).unwrap();
    let counted = Counted {
        topics: 2,
        documents: 10,
        shared: 10,
        complete: 1,
    };
    assert_eq!(panel.counted, counted);
    assert_eq!(panel.pair(2, 3).unwrap().documents, 1);
    assert_eq!(&*panel.disputed[0].doc, b"d4");
    assert_eq!(panel.disputed[0].grades, [1.0, 2.0, 1.0, 3.0].map(Some));
    // Topic a: d0, d1 and d3 agree, d2 by a third, d4 by a sixth; b: d5, d6 and d8 agree, d7 and d9 do not.
    let hardest = panel.hardest_topics();
    assert_eq!((&*hardest[0].id, &*hardest[1].id), (&b"b"[..], &b"a"[..]));
    near(hardest[0].agreement, 0.6, 1e-12);
    near(hardest[1].agreement, 0.7, 1e-12);
    let one = PanelPlan {
        topic: Some("b".into()),
        ..PanelPlan::default()
    };
    let panel = Panel::of(&assessors, &one).unwrap();
    assert_eq!((panel.counted.documents, panel.topics.len()), (5, 1));
    assert_eq!(panel.pair(0, 1).unwrap().documents, 5);
    assert_eq!(panel.pair(0, 3).unwrap().figures[0], Estimate::default());
    let none = PanelPlan {
        topic: Some("x".into()),
        ..PanelPlan::default()
    };
    assert!(matches!(
        Panel::of(&assessors, &none),
        Err(PanelError::NoTopic(_))
    ));
}

#[test]
fn grades_can_be_merged() {
    let plan = PanelPlan {
        merging: "1".parse().unwrap(),
        ..PanelPlan::default()
    };
    let panel = Panel::of(&three(), &plan).unwrap();
    assert_eq!(panel.classes.len(), 2);
    assert_eq!(panel.assessors[0].classes, [3, 7]);
    // d5 and d9 are the only documents that some find relevant and others do not.
    near(
        panel.coefficient(Coefficient::Agreement).value,
        (8.0 + 2.0 / 3.0) / 10.0,
        1e-12,
    );
}

#[test]
fn odd_inputs() {
    let nothing = Assessor::in_memory("nothing", Qrels::default());
    let panel = Panel::of(&[nothing.clone(), nothing.clone()], &PanelPlan::default()).unwrap();
    assert_eq!(
        panel.coefficient(Coefficient::Agreement),
        Estimate::default()
    );
    assert_eq!(panel.assessors[0].mean, None);
    let many: Vec<Option<f64>> = (0..200).map(|grade| Some(f64::from(grade))).collect();
    let many = assessor("many", &many);
    let error = Panel::of(&[nothing, many], &PanelPlan::default()).unwrap_err();
    assert!(matches!(&error, PanelError::Input(_)));
    assert!(
        error.to_string().contains("more than 128 distinct grades"),
        "{error}"
    );
    let mut plan = PanelPlan::default();
    plan.intervals.resampling.replicates = 0;
    assert!(matches!(
        Panel::of(&three(), &plan),
        Err(PanelError::Stats(_))
    ));
}

fn grades() -> impl Strategy<Value = Vec<Option<f64>>> {
    let grade = prop::option::weighted(0.8, (0..4_u8).prop_map(f64::from));
    prop::collection::vec(grade, 10)
}

proptest! {
    /// Another order of assessors changes no coefficient, and swaps their figures.
    #[test]
    fn the_order_of_assessors_does_not_matter(all in prop::collection::vec(grades(), 2..5)) {
        let plan = PanelPlan { intervals: Intervals { resampling: cranfield_stats::random::Resampling { replicates: 1, seed: 1 }, level: 0.95 }, ..PanelPlan::default() };
        let assessors: Vec<Assessor> = all.iter().map(|grades| assessor("x", grades)).collect();
        let turned: Vec<Assessor> = assessors.iter().rev().cloned().collect();
        let [one, other] = [assessors, turned].map(|all| Panel::of(&all, &plan).unwrap());
        for (a, b) in one.coefficients.iter().zip(&other.coefficients) {
            match (a.value, b.value) {
                (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-9),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
        for (a, b) in one.assessors.iter().zip(other.assessors.iter().rev()) {
            prop_assert_eq!(a.documents, b.documents);
            prop_assert_eq!(&a.classes, &b.classes);
        }
        prop_assert_eq!(one.disputed_in_all, other.disputed_in_all);
        prop_assert_eq!(one.counted, other.counted);
    }
}
