//! Vectors against the measures they are made of, and against examples worked by hand.

use cranfield_core::measure::Computation;
use cranfield_core::params::CutoffRule;
use cranfield_core::vectors::{Curve, Interpolation};
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::measures::MEASURES;
use crate::measures::tests::{TestTopic, measure};
use crate::profiles::Profile;
use crate::spec::Conventions;

#[track_caller]
fn vector(name: &str) -> BoundVector {
    let mut vectors = parse_vectors(name, &Conventions::default()).unwrap();
    assert_eq!(vectors.len(), 1, "{name}");
    vectors.remove(0)
}

/// The numbers of a topic.
fn columns(vector: &BoundVector, ranking: &[i32], judged: &[i32]) -> Vec<f64> {
    let topic = TestTopic::new(ranking, judged);
    let mut columns = vec![0.0; vector.columns()];
    vector.fill(&topic.ranking(), false, &mut columns);
    columns
}

fn components(name: &str, ranking: &[i32], judged: &[i32]) -> Vec<Option<f64>> {
    let vector = vector(name);
    vector.read(&columns(&vector, ranking, judged))
}

#[track_caller]
fn check(name: &str, ranking: &[i32], judged: &[i32], expected: &[f64]) {
    let expected: Vec<_> = expected.iter().map(|value| Some(*value)).collect();
    assert_eq!(components(name, ranking, judged), expected, "{name}");
}

#[test]
fn gain_by_rank() {
    let (ranking, judged) = (&[3, 0, 2], &[3, 2, 1]);
    check("CG@4", ranking, judged, &[3.0, 3.0, 5.0, 5.0]);
    check("DCG@3", ranking, judged, &[3.0, 3.0, 4.0]);
    check(
        "IDCG(discount='none')@4",
        ranking,
        judged,
        &[3.0, 5.0, 6.0, 6.0],
    );
    check("nCG@3", ranking, judged, &[1.0, 0.6, 5.0 / 6.0]);
    check("nCG(ideal='ranking')@3", ranking, judged, &[1.0, 0.6, 1.0]);
    assert_eq!(components("nDCG@2", &[0], &[0]), [None, None]);
}

#[test]
fn normalised_means_are_not_means_of_normalised() {
    // Gains 1, 0 and 0, 0; ideal gains 3, 3 and 3, 2.
    let topics: [(&[i32], &[i32]); 2] = [(&[1, 0], &[3, 3, 1]), (&[0, 0], &[3, 2])];
    let mean = |name: &str| {
        let vector = vector(name);
        let rows = topics.map(|(ranking, judged)| columns(&vector, ranking, judged));
        let mean = rows[0].iter().zip(&rows[1]).map(|(a, b)| (a + b) / 2.0);
        vector.read(&mean.collect::<Vec<_>>())
    };
    assert_eq!(
        mean("nCG(average='means')@2"),
        [Some(0.5 / 3.0), Some(0.5 / 5.5)]
    );
    assert_eq!(mean("nCG@2"), [Some(1.0 / 6.0), Some(1.0 / 12.0)]);
    assert_eq!(mean("nCG(average='vectors')@2"), mean("nCG@2"));
    // One topic's own means are its own vector.
    assert_eq!(
        components("nDCG(average='means')@2", &[1, 3], &[3, 1]),
        components("nDCG@2", &[1, 3], &[3, 1])
    );
}

#[test]
fn both_interpolations() {
    // Relevant at ranks 2 and 3; three relevant documents.
    let (ranking, judged) = (&[0, 1, 1, 0], &[1, 1, 1, 0]);
    let max = "IPrec(points='0,0.2,0.5,1')";
    let step = "IPrec(points='0,0.2,0.5,1', interpolation='step')";
    let two = 2.0 / 3.0;
    check(max, ranking, judged, &[two, two, two, 0.0]);
    check(step, ranking, judged, &[0.5, 0.5, two, 0.0]);
    let topic = TestTopic::new(ranking, judged);
    let curve = Curve::of(&topic.ranking(), 1.0).unwrap();
    let at = |recall, interpolation| curve.at(recall, interpolation);
    assert_eq!(at(0.2, Interpolation::Step), 0.5);
    assert_eq!(at(0.2, Interpolation::Max), two);
    assert_eq!(at(0.9, Interpolation::Max), 0.0);
    assert_eq!(Curve::of(&topic.ranking(), 2.0), None);
    assert_eq!(components(step, &[], judged), vec![Some(0.0); 4]);
    assert_eq!(components(step, ranking, &[0]), vec![None; 4]);
}

#[test]
fn curves_have_a_point_for_each_relevant_document() {
    let pr = vector("PR(rel=2)@4");
    let columns = columns(&pr, &[2, 1, 3, 0], &[2, 3, 2, 1, 0]);
    let curve = pr.curve(&columns).unwrap();
    let points = curve.points().iter();
    let points: Vec<_> = points
        .map(|point| (point.rank, point.recall, point.precision))
        .collect();
    assert_eq!(points, [(1, 1.0 / 3.0, 1.0), (3, 2.0 / 3.0, 2.0 / 3.0)]);
    assert!(pr.is_curve() && vector("P@3").curve(&[0.0; 6]).is_none());
    // R is undefined without relevant documents.
    let none = self::columns(&pr, &[1], &[1]);
    assert_eq!(pr.curve(&none), None);
}

#[test]
fn names_parse_back() {
    for (text, printed) in [
        ("ndcg_cut.30", "nDCG@30"),
        ("nDCG( average = 'means' )@3", "nDCG(average='means')@3"),
        ("nCG(average='vectors')@3", "nCG@3"),
        ("precision@5", "P@5"),
        ("iprec_at_recall", "IPrec(recall='round')"),
        (
            "IPrec(recall='floor(x+0.9)', points='0.5', interpolation='step')",
            "IPrec(recall='floor(x+0.9)', points='0.5', interpolation='step')",
        ),
        ("PR(rel=2)@10", "PR(rel=2)@10"),
        ("pr@10", "PR@10"),
    ] {
        let (first, second) = (vector(text), vector(printed));
        assert_eq!([first.to_string(), second.to_string()], [printed, printed]);
        assert_eq!(first.positions(), second.positions());
    }
}

#[test]
fn mistakes_are_named() {
    for (text, expected) in [
        (
            "nDCG",
            "a vector needs a depth, such as nDCG@30 for the ranks 1 to 30",
        ),
        ("Rprec", "Rprec has no cutoff, and so no vector by rank"),
        (
            "RprecMult(interpolation='step')@0.5",
            "RprecMult has no parameter `interpolation`; known: rel",
        ),
        (
            "RprecMult@0.5",
            "RprecMult has no cutoff, and so no vector by rank",
        ),
        ("P@10001", "vectors have at most 10000 ranks, not 10001"),
        (
            "P@10000 R@10000 AP@10000 RR@10000 Success@10000 Hits@1",
            "vectors have at most 50000 components together, not 50001",
        ),
        (
            "IPrec@0.5",
            "the vector of IPrec is over recall levels; write IPrec(points='0.5'), or IPrec for eleven levels",
        ),
        (
            "IPrec(points='0,2')",
            "points: 2 is no recall level; expected numbers from 0 to 1",
        ),
        (
            "P(average='means')@5",
            "`average` is for nCG and nDCG, which are normalised; P is not",
        ),
        (
            "nDCG(average='median')@5",
            "parameter `average` must be one of vectors, means, not `median`",
        ),
        (
            "PR",
            "PR needs a depth, such as PR@1000 for the points in the first 1000 documents",
        ),
        (
            "alpha_DCG@5",
            "alpha_DCG has no vector: it is not a number of one graded ranking",
        ),
    ] {
        let error = parse_vectors(text, &Conventions::default()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn policies_of_one_measure_are_not_dropped_silently() {
    let vectors = |name| parse_vectors(name, &Conventions::of(Profile::IrMeasures));
    assert!(vectors("P@10").is_ok());
    let error = vectors("RR@10").unwrap_err().to_string();
    assert!(
        error.starts_with("RR@10 has its own policies in this profile"),
        "{error}"
    );
}

#[test]
fn ideals() {
    let name = |text: &str| match vector(text).ideal() {
        Ideal::Vector(ideal) => ideal.to_string(),
        Ideal::One => "1".into(),
        Ideal::Unknown => "unknown".into(),
    };
    assert_eq!(
        name("CG(gains='exp')@7"),
        "IDCG(gains='exp', discount='none')@7"
    );
    assert_eq!(
        name("DCG(gains='0,1,10', discount='jk', base=3)@7"),
        "IDCG(gains='0,1,10', discount='jk', base=3)@7"
    );
    assert_eq!(name("nDCG@7"), "1");
    assert_eq!(name("P@7"), "unknown");
    assert_eq!(name("IDCG@7"), "unknown");
}

#[test]
fn every_graded_measure_with_a_cutoff_has_a_vector() {
    let (ranking, judged) = (&[0, 3, 1, -1, 2, 0, 1], &[3, 3, 2, 1, 1, 0, 0]);
    let topic = TestTopic::new(ranking, judged);
    let mut compared = 0;
    for info in MEASURES {
        let takes = matches!(info.cutoff, CutoffRule::Optional | CutoffRule::Required);
        let name = format!("{}@8", info.name);
        if !takes || !matches!(measure(&name).computation, Computation::Ranked(_)) {
            assert!(
                parse_vectors(info.name, &Conventions::default()).is_err() || info.name == "IPrec"
            );
            continue;
        }
        let printed = vector(&name).to_string();
        assert_eq!(vector(&printed).to_string(), printed);
        for (rank, component) in (1..).zip(components(&name, ranking, judged)) {
            let Computation::Ranked(measure) =
                measure(&format!("{}@{rank}", info.name)).computation
            else {
                panic!("{name}");
            };
            assert_eq!(
                component,
                measure.evaluate(&topic.ranking()),
                "{name} at {rank}"
            );
            compared += 1;
        }
    }
    assert!(compared > 20 * 8, "{compared}");
}

/// Grades in rank order, and all judged grades. −1 is unjudged.
fn topic() -> impl Strategy<Value = (Vec<i32>, Vec<i32>)> {
    let ranking = prop::collection::vec(-2..4, 0..25);
    let missed = prop::collection::vec(0..4, 0..8);
    (ranking, missed).prop_map(|(ranking, mut judged)| {
        judged.extend(ranking.iter().filter(|grade| **grade >= 0));
        (ranking, judged)
    })
}

const FAMILIES: [&str; 16] = [
    "CG(gains='0,1,10,100')",
    "CG(gains='1=-2')",
    "DCG",
    "DCG(gains='exp', discount='jk', base=10)",
    "DCG(gains='-1=0.5,2=3', ideal='trec_eval')",
    "IDCG(discount='zipf')",
    "IDCG(ideal='ranking')",
    "nCG(gains='binary')",
    "nDCG",
    "nDCG(gains='0,1,10,100', discount='jk', base=2)",
    "nDCG(ideal='ranking', gains='exp')",
    "nDCG(ideal='uncut')",
    "IDCG(ideal='uncut', discount='jk')",
    "P(rel=2)",
    "R",
    "AP",
];

proptest! {
    #[test]
    fn a_component_is_the_measure_at_its_rank(
        family in select(FAMILIES.as_slice()),
        (ranking, judged) in topic(),
        depth in 1usize..40,
    ) {
        let components = components(&format!("{family}@{depth}"), &ranking, &judged);
        prop_assert_eq!(components.len(), depth);
        let topic = TestTopic::new(&ranking, &judged);
        for (rank, component) in (1..).zip(components) {
            let Computation::Ranked(measure) = measure(&format!("{family}@{rank}")).computation else {
                return Err(TestCaseError::fail("not ranked"));
            };
            let value = measure.evaluate(&topic.ranking());
            prop_assert_eq!(component.map(f64::to_bits), value.map(f64::to_bits), "rank {}", rank);
        }
    }

    #[test]
    fn the_area_under_the_steps_is_average_precision((ranking, judged) in topic()) {
        let topic = TestTopic::new(&ranking, &judged);
        let Computation::Ranked(ap) = measure("AP").computation else {
            return Err(TestCaseError::fail("not ranked"));
        };
        let curve = Curve::of(&topic.ranking(), 1.0);
        let area = curve.as_ref().map(|curve| curve.area(Interpolation::Step));
        match (area, ap.evaluate(&topic.ranking())) {
            (Some(area), Some(ap)) => prop_assert!((area - ap).abs() < 1e-12),
            (area, ap) => prop_assert_eq!(area, ap),
        }
        if let Some(curve) = curve {
            prop_assert!(curve.area(Interpolation::Max) >= curve.area(Interpolation::Step) - 1e-12);
            for tenth in 0..=10 {
                let recall = f64::from(tenth) / 10.0;
                let (step, max) = (curve.at(recall, Interpolation::Step), curve.at(recall, Interpolation::Max));
                prop_assert!(step <= max);
            }
        }
    }

    #[test]
    fn reading_between_points_is_interpolated_precision((ranking, judged) in topic()) {
        prop_assume!(!ranking.is_empty());
        let topic = TestTopic::new(&ranking, &judged);
        let Some(curve) = Curve::of(&topic.ranking(), 1.0) else { return Ok(()) };
        let max = components("IPrec", &ranking, &judged);
        let step = components("IPrec(interpolation='step')", &ranking, &judged);
        for (tenth, (max, step)) in max.into_iter().zip(step).enumerate() {
            let recall = tenth as f64 / 10.0;
            prop_assert_eq!(max, Some(curve.at(recall, Interpolation::Max)), "recall {}", recall);
            prop_assert_eq!(step, Some(curve.at(recall, Interpolation::Step)), "recall {}", recall);
        }
    }
}
