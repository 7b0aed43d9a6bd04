//! Shares add up to the values, and worked examples agree with the pages of the measures.

use cranfield_core::evaluate::Plan;
use cranfield_core::explain::*;
use cranfield_core::measure::Aggregate;
use cranfield_core::policy::{NegativeGrades, Policies, TieBreak, Undefined, Unjudged};
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use proptest::prelude::*;
use proptest::sample::select;

use crate::measures::MEASURES;
use crate::measures::registry_tests::any_name;
use crate::spec::{Conventions, parse_measure, parse_measures};

/// Tolerance of sums, relative to the largest number in them.
const TOLERANCE: f64 = 1e-12;

fn plan(names: &str, policies: Policies) -> Plan {
    Plan {
        measures: parse_measures(names, &Conventions::default()).unwrap(),
        policies,
        ..Plan::default()
    }
}

/// A document for each grade, -9 for one that is not judged, with descending scores except for ties; judged documents
/// that the run lacks.
fn collection(ranking: &[(i32, bool)], missed: &[i32]) -> (Qrels, Run) {
    let judged = ranking
        .iter()
        .enumerate()
        .filter(|(_, (grade, _))| *grade != -9);
    let judged = judged.map(|(at, (grade, _))| ("t", format!("r{at:02}"), f64::from(*grade)));
    let missed = missed.iter().enumerate();
    let missed = missed.map(|(at, grade)| ("t", format!("m{at}"), f64::from(*grade)));
    let qrels = Qrels::from_judgements(judged.chain(missed).collect::<Vec<_>>());
    let mut score = 100.0;
    let scored = ranking.iter().enumerate().map(|(at, (_, tied))| {
        score -= if *tied { 0.0 } else { 1.0 };
        ("t", format!("r{at:02}"), score)
    });
    (qrels, Run::from_scores("run", scored.collect::<Vec<_>>()))
}

fn ranking() -> impl Strategy<Value = Vec<(i32, bool)>> {
    let grade = prop_oneof![Just(-9), -2..5i32];
    prop::collection::vec((grade, prop::bool::weighted(0.2)), 0..14)
}

fn policies() -> impl Strategy<Value = Policies> {
    let ties = TieBreak::ALL.iter().copied();
    let ties: Vec<TieBreak> = ties.filter(|ties| *ties != TieBreak::Bounds).collect();
    let unjudged = [
        Unjudged::NonRelevant,
        Unjudged::Condensed,
        Unjudged::Relevant,
    ];
    (
        select(ties),
        select(unjudged.to_vec()),
        select(NegativeGrades::ALL),
        prop::option::weighted(0.2, 1usize..12),
    )
        .prop_map(|(ties, unjudged, negative, depth)| Policies {
            ties,
            unjudged,
            negative,
            depth,
            ..Policies::default()
        })
}

/// The largest number in a sum.
fn size(explained: &Explanation) -> f64 {
    let shares = explained.documents.iter().map(|document| document.share);
    let all = shares.chain([explained.nothing, explained.rest]);
    all.map(f64::abs)
        .fold(explained.value.map_or(1.0, f64::abs).max(1.0), f64::max)
}

fn explain_one(
    name: &str,
    policies: &Policies,
    ranking: &[(i32, bool)],
    missed: &[i32],
) -> Explanation {
    let (qrels, run) = collection(ranking, missed);
    let plan = plan(name, policies.clone());
    let mut explained = explain_topic(&plan, &qrels, b"t", run.get(b"t")).unwrap();
    explained.remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn shares_add_up_for_every_measure_and_policy(
        name in any_name(),
        policies in policies(),
        ranking in ranking(),
        missed in prop::collection::vec(0..5i32, 0..6),
    ) {
        let explained = explain_one(&name, &policies, &ranking, &missed);
        match explained.value {
            Some(value) if value.is_finite() => {
                let difference = (explained.total() - value).abs();
                prop_assert!(difference <= TOLERANCE * size(&explained), "{name}: {explained:?}");
            }
            _ => prop_assert_eq!(explained.total(), 0.0),
        }
    }

    #[test]
    fn boards_end_with_the_value_and_agree_with_prefixes(
        name in any_name(),
        ranking in ranking(),
        missed in prop::collection::vec(0..5i32, 0..6),
    ) {
        let explained = explain_one(&name, &Policies::default(), &ranking, &missed);
        let Some(board) = &explained.board else {
            return Ok(());
        };
        prop_assert_eq!(board.steps.last().and_then(|step| step.value), explained.value);
        prop_assert!(board.rows.is_sorted_by(|a, b| a.rank < b.rank));
        let width = board.columns.len();
        prop_assert!(board.rows.iter().all(|row| row.cells.len() == width));
        // A user who reads on by what is found, precision that is taken from further down, and an ideal that grows
        // with the ranking give a document a part in the terms of others.
        let measure = &explained.measure;
        let ideal_grows = measure.params.value("ideal").is_some_and(|ideal| ideal.to_string() == "'ranking'");
        let interpolated = board.columns.contains(&"best") && board.columns.contains(&"recall");
        if board.columns.contains(&"C(i)") || interpolated || ideal_grows {
            return Ok(());
        }
        // -1 means unjudged if a name of trec_eval's gives it a gain, which prefixes cannot see.
        let gains = measure.params.value("gains").map(ToString::to_string).unwrap_or_default();
        let level = measure.params.value("rel").map(ToString::to_string).unwrap_or_default();
        if gains.contains("-1=") || level.starts_with('-') {
            return Ok(());
        }
        for known in 0..=explained.documents.len() {
            let shown: Vec<(i32, bool)> = ranking.iter().enumerate()
                .map(|(at, (grade, tied))| (if by_rank(&explained, at) < known { *grade } else { -9 }, *tied))
                .collect();
            let hidden = ranking.iter().enumerate().filter(|(at, (grade, _))| by_rank(&explained, *at) >= known && *grade != -9);
            let missed: Vec<i32> = missed.iter().copied().chain(hidden.map(|(_, (grade, _))| *grade)).collect();
            let (qrels, run) = collection(&shown, &missed);
            let plan = plan(&measure.to_string(), Policies::default());
            let value = explain_topic(&plan, &qrels, b"t", run.get(b"t")).unwrap().remove(0).value.unwrap_or(f64::NAN);
            let sum: f64 = explained.documents[..known].iter().map(|document| document.share).sum();
            let sum = sum + explained.nothing;
            prop_assert!((sum - value).abs() <= TOLERANCE * size(&explained), "{name}: {sum} {value}, {known} known");
        }
    }

    #[test]
    fn differences_add_up(
        name in any_name(),
        first in ranking(),
        second in ranking(),
        missed in prop::collection::vec(0..5i32, 0..6),
    ) {
        // Both have the same qrels: a document of only one run is missed by the other.
        let (qrels, one) = collection(&first, &missed);
        let scores = second.iter().enumerate().map(|(at, _)| ("t", format!("r{:02}", 13 - at), -(at as f64)));
        let other = Run::from_scores("other", scores.collect::<Vec<_>>());
        let plan = plan(&name, Policies::default());
        let [a, b] = [&one, &other].map(|run| {
            explain_topic(&plan, &qrels, b"t", run.get(b"t")).unwrap().remove(0)
        });
        let scale = size(&a).max(size(&b));
        let difference = TopicDifference::new([a, b]);
        if let Some(value) = difference.difference().filter(|value| value.is_finite()) {
            prop_assert!((difference.total() - value).abs() <= TOLERANCE * scale, "{name}: {difference:?}");
        }
    }

    #[test]
    fn topics_add_up(
        info in select(MEASURES),
        first in prop::collection::vec(prop::option::of(0.0..1.0), 1..20),
        second in prop::collection::vec(prop::option::of(0.0..1.0), 1..20),
        undefined in select(Undefined::ALL),
    ) {
        prop_assume!(info.aggregate != Aggregate::None);
        let name = match info.cutoff {
            cranfield_core::params::CutoffRule::Required | cranfield_core::params::CutoffRule::Point => format!("{}@1", info.name),
            _ => info.name.to_owned(),
        };
        let measure = parse_measure(&name, &Conventions::default()).unwrap();
        let plan = Plan { policies: Policies { undefined, ..Policies::default() }, ..Plan::default() };
        let means = [&first, &second].map(|values| {
            let ids: Vec<String> = (0..values.len()).map(|at| format!("t{at:02}")).collect();
            let kept = values.iter().filter_map(|value| match (value, undefined) {
                (None, _) if plan.leaves_out_undefined(&measure) => None,
                (value, _) => Some(value.unwrap_or(0.0)),
            });
            let value = info.aggregate.of(kept);
            let topics = ids.iter().zip(values).map(|(id, value)| (id.as_bytes(), true, value.unwrap_or(f64::NAN)));
            MeanExplanation::new(&plan, &measure, value, topics.collect::<Vec<_>>())
        });
        for mean in &means {
            if let Some(value) = mean.value {
                let total = match info.aggregate {
                    Aggregate::GeometricMean => mean.total().exp(),
                    _ => mean.total(),
                };
                prop_assert!((total - value).abs() <= TOLERANCE * value.max(1.0), "{total} {value}");
            }
        }
        let difference = MeanDifference::new(means);
        if let Some(value) = difference.difference() {
            prop_assert!((difference.total() - value).abs() <= TOLERANCE * 20.0, "{} {value}", difference.total());
        }
    }
}

/// The rank, from 0, of the document made from the grade at a place; the end for one that is not in the ranking.
fn by_rank(explained: &Explanation, at: usize) -> usize {
    let id = format!("r{at:02}");
    let found = explained
        .documents
        .iter()
        .position(|document| *document.doc == *id.as_bytes());
    found.unwrap_or(usize::MAX)
}

/// Cells by rank, and shares.
fn board(name: &str, ranking: &[i32], missed: &[i32]) -> Vec<(u32, Vec<Option<f64>>, f64)> {
    let ranking: Vec<(i32, bool)> = ranking.iter().map(|grade| (*grade, false)).collect();
    let explained = explain_one(name, &Policies::default(), &ranking, missed);
    let rows = explained
        .board
        .expect("the measure has a table")
        .rows
        .into_iter();
    rows.map(|row| (row.rank, row.cells, row.share)).collect()
}

fn row(rank: u32, cells: &[f64], share: f64) -> (u32, Vec<Option<f64>>, f64) {
    (rank, cells.iter().map(|cell| Some(*cell)).collect(), share)
}

#[test]
fn average_precision_on_the_board() {
    // Relevant at ranks 1 and 3, three relevant documents: (1 + 2/3) / 3.
    let rows = board("AP", &[1, 0, 1, -9], &[1]);
    let third = 2.0 / 3.0;
    assert_eq!(
        rows,
        [
            row(1, &[1.0, 1.0, 1.0], 1.0 / 3.0),
            row(3, &[2.0, third, 1.0 + third], third / 3.0),
        ]
    );
}

#[test]
fn f_and_e_show_precision_and_recall() {
    let explained = explain_one(
        "E(beta=2)@4",
        &Policies::default(),
        &[(1, false), (0, false), (1, false)],
        &[1, 1, 1],
    );
    let steps = &explained.board.as_ref().unwrap().steps;
    let values: Vec<(&str, Option<f64>)> =
        steps.iter().map(|step| (&*step.name, step.value)).collect();
    let f = 2.0 / (0.2 * 4.0 + 0.8 * 5.0);
    assert_eq!(
        values,
        [
            ("P", Some(0.5)),
            ("R", Some(0.4)),
            ("a", Some(0.2)),
            ("", Some(1.0 - f))
        ]
    );
    assert_eq!(explained.nothing, 1.0);
    let share = explained.documents[2].share;
    assert!((share + f / 2.0).abs() < 1e-15, "{share}");
}

#[test]
fn ndcg_on_the_board() {
    // The worked example of its page: grades 3, 0, 2, judged 3, 2, 1.
    let ideal = 3.0 + 2.0 / 3f64.log2() + 0.5;
    let log3 = 3f64.log2();
    let rows = board("nDCG", &[3, 0, 2], &[1]);
    assert_eq!(
        rows[0],
        row(1, &[3.0, 1.0, 3.0, 3.0, 3.0, 3.0], 3.0 / ideal)
    );
    let second = [
        None,
        Some(log3),
        None,
        None,
        Some(2.0),
        Some(3.0 + 2.0 / log3),
    ];
    assert_eq!(rows[1], (2, second.to_vec(), 0.0));
    assert_eq!(
        rows[2],
        row(3, &[2.0, 2.0, 1.0, 4.0, 1.0, ideal], 1.0 / ideal)
    );
}

#[test]
fn expected_reciprocal_rank_on_the_board() {
    // The worked example of its page: r = 7/16, 0, 3/16.
    let rows = board("ERR", &[3, 0, 2], &[]);
    let term = 9.0 / 16.0 * (3.0 / 16.0) / 3.0;
    let expected = [
        row(
            1,
            &[7.0, 7.0 / 16.0, 1.0, 7.0 / 16.0, 7.0 / 16.0],
            7.0 / 16.0,
        ),
        row(
            3,
            &[3.0, 3.0 / 16.0, 9.0 / 16.0, term, 7.0 / 16.0 + term],
            term,
        ),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn rank_biased_precision_on_the_board() {
    // p = 0.5: weights 1/2, 1/4, 1/8; the residual is rank 2 and all below rank 3, 1/4 + 1/8.
    let ranking = [(1, false), (-9, false), (1, false)];
    let explained = explain_one("RBP(p=0.5)", &Policies::default(), &ranking, &[]);
    let board = explained.board.unwrap();
    assert_eq!(board.rows[1], BoardRow::new(3, [1.0, 0.125, 0.625], 0.125));
    let residual = board.steps.iter().find(|step| step.name == "residual");
    assert_eq!(residual.and_then(|step| step.value), Some(0.375));
}

#[test]
fn binary_preference_on_the_board() {
    // The worked example of its page: one document above each that is not relevant, min(N, R) = 2.
    let rows = board("Bpref", &[0, 1, -9, 1], &[1, 0]);
    assert_eq!(
        rows,
        [
            row(2, &[1.0, 1.0, 0.5, 0.5], 0.5 / 3.0),
            row(4, &[1.0, 1.0, 0.5, 1.0], 0.5 / 3.0),
        ]
    );
}

#[test]
fn a_measure_without_a_table_shares_by_prefixes() {
    // All ranks are unjudged at first, and each judged one takes its part away.
    let explained = explain_one(
        "Unjudged@2",
        &Policies::default(),
        &[(0, false), (-9, false)],
        &[],
    );
    assert_eq!(
        (explained.nothing, explained.documents[0].share),
        (1.0, -0.5)
    );
}

#[test]
fn missing_topics_are_empty_rankings() {
    let qrels = Qrels::from_judgements([("t", "a", 1.0)]);
    let plan = plan("AP nDCG", Policies::default());
    let explained = explain_topic(&plan, &qrels, b"t", None).unwrap();
    assert!(
        explained
            .iter()
            .all(|one| one.value == Some(0.0) && one.documents.is_empty())
    );
}

#[test]
fn documents_beyond_the_limit_share_together() {
    let ranking = vec![(1, false); MAX_PREFIXES + 5];
    let docs = ranking
        .iter()
        .enumerate()
        .map(|(at, _)| ("t", format!("d{at:05}")));
    let docs: Vec<(&str, String)> = docs.collect();
    let qrels = Qrels::from_judgements(docs.iter().map(|(topic, doc)| (topic, doc, 1.0)));
    let scores = docs
        .iter()
        .enumerate()
        .map(|(at, (topic, doc))| (topic, doc, -(at as f64)));
    let run = Run::from_scores("deep", scores.collect::<Vec<_>>());
    let plan = plan("NumRelRet", Policies::default());
    let explained = explain_topic(&plan, &qrels, b"t", run.get(b"t"))
        .unwrap()
        .remove(0);
    assert_eq!((explained.rest, explained.total()), (5.0, 1005.0));
}

#[test]
fn shares_of_unlisted_documents_add_up() {
    let (qrels, run) = collection(&[(1, false), (0, false), (2, false), (1, false)], &[1]);
    let plan = plan("AP nDCG RR bpref", Policies::default());
    let all = explain_topic(&plan, &qrels, b"t", run.get(b"t")).unwrap();
    for depth in 0..6 {
        let listed = explain_topic_to(depth, &plan, &qrels, b"t", run.get(b"t")).unwrap();
        for (all, listed) in all.iter().zip(&listed) {
            let (first, others) = all.documents.split_at(depth.min(4));
            assert_eq!(listed.documents, first);
            assert_eq!(listed.retrieved, 4);
            assert_eq!(
                listed.unlisted,
                others.iter().map(|doc| doc.share).sum::<f64>()
            );
        }
    }
}
