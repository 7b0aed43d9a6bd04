//! Worked examples of the methods, and properties that all of them have.

use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use proptest::prelude::*;

use crate::{
    Error, Fusion, METHODS, Method, Missing, Norm, Profile, Trained, Weighting, fuse_topic,
};

type List = Vec<(&'static [u8], f64)>;

/// A list in rank order, with scores n, n - 1, ..., 1.
fn ranked(docs: &'static str) -> List {
    let docs: Vec<&'static str> = docs.split(' ').filter(|doc| !doc.is_empty()).collect();
    let count = docs.len();
    let scored = docs.into_iter().enumerate();
    scored
        .map(|(place, doc)| (doc.as_bytes(), (count - place) as f64))
        .collect()
}

fn fused(lists: &[List], fusion: &Fusion) -> Vec<(String, f64)> {
    let lists: Vec<&[(&[u8], f64)]> = lists.iter().map(Vec::as_slice).collect();
    let fused = fuse_topic(&lists, fusion).unwrap();
    fused
        .into_iter()
        .map(|(doc, score)| (String::from_utf8(doc.to_vec()).unwrap(), score))
        .collect()
}

#[track_caller]
fn check(lists: &[List], fusion: &Fusion, expected: &[(&str, f64)]) {
    let found = fused(lists, fusion);
    let docs: Vec<&str> = found.iter().map(|(doc, _)| doc.as_str()).collect();
    let wanted: Vec<&str> = expected.iter().map(|(doc, _)| *doc).collect();
    assert_eq!(docs, wanted, "{}", fusion.method);
    for ((doc, found), (_, expected)) in found.iter().zip(expected) {
        let close = (found - expected).abs() <= 1e-8 * expected.abs().max(1.0);
        assert!(
            close,
            "{} {doc}: {found}, expected {expected}",
            fusion.method
        );
    }
}

fn plain(method: &str) -> Fusion {
    Fusion {
        norms: vec![Norm::None],
        ..Fusion::new(method.parse().unwrap())
    }
}

/// Runs of the worked examples of pools: A = a b c d e, B = b f a g h, C = i b j c k.
fn three() -> [List; 3] {
    [
        ranked("a b c d e"),
        ranked("b f a g h"),
        ranked("i b j c k"),
    ]
}

#[test]
fn reciprocal_rank_fusion_and_centroids_of_the_pool_example() {
    let best = |method| Fusion {
        depth: Some(4),
        ..plain(method)
    };
    let expected = [
        ("b", 0.048_652),
        ("a", 0.032_266),
        ("c", 0.031_498),
        ("i", 0.016_393),
    ];
    let found = fused(&three(), &best("rrf(k=60)"));
    for ((doc, score), (wanted, value)) in found.iter().zip(expected) {
        assert_eq!(doc, wanted);
        assert!((score - value).abs() < 1e-6, "{doc} {score}");
    }
    let expected = [("b", 0.52), ("a", 0.328), ("c", 0.2304), ("i", 0.2)];
    check(&three(), &best("rbc(phi=0.8)"), &expected);
}

#[test]
fn scores_of_the_worked_example() {
    let lists = [vec![(&b"d"[..], 0.5)], vec![(&b"d"[..], 0.25)], Vec::new()];
    for (method, score) in [
        ("min", 0.25),
        ("max", 0.5),
        ("med", 0.375),
        ("sum", 0.75),
        ("anz", 0.375),
        ("mnz", 1.5),
        ("gmnz(gamma=0.5)", 0.75 * 2f64.sqrt()),
    ] {
        check(&lists, &plain(method), &[("d", score)]);
    }
    for (method, score) in [("wsum", 0.4), ("wmnz", 0.75), ("mixed", 0.4 * 2f64.sqrt())] {
        let fusion = Fusion {
            weights: vec![0.6, 0.4, 9.0],
            ..plain(method)
        };
        check(&lists, &fusion, &[("d", score)]);
    }
}

#[test]
fn ranks_of_the_worked_example() {
    let lists = [ranked("d"), ranked("x y d"), Vec::new()];
    for (method, score) in [
        ("isr", 2.0 * (1.0 + 1.0 / 9.0)),
        ("log_isr", 2f64.ln() * 10.0 / 9.0),
        ("logn_isr(sigma=0.5)", 2.5f64.ln() * 10.0 / 9.0),
        ("rrf", 1.0 / 61.0 + 1.0 / 63.0),
        ("rbc(phi=0.8)", 0.328),
    ] {
        let found = fused(&lists, &plain(method));
        let (_, of_d) = found.iter().find(|(doc, _)| doc == "d").unwrap();
        assert!((of_d - score).abs() < 1e-8, "{method}: {of_d}");
    }
    let weighted = Fusion {
        weights: vec![3.0, 1.0, 1.0],
        ..plain("rrf(k=1)")
    };
    let found = fused(&lists, &weighted);
    assert_eq!(found[0], ("d".into(), 1.75)); // 3/2 + 1/4
}

#[test]
fn votes_of_the_worked_example() {
    let lists = [ranked("a b c"), ranked("b c a"), ranked("b a")];
    check(
        &lists,
        &plain("bordafuse"),
        &[("b", 8.0), ("a", 6.0), ("c", 4.0)],
    );
    check(
        &lists,
        &plain("condorcet"),
        &[("b", 3.0), ("a", 2.0), ("c", 1.0)],
    );
    check(
        &lists,
        &plain("copeland"),
        &[("b", 2.0), ("a", 0.0), ("c", -2.0)],
    );
    // The first run alone has more weight than the others.
    let heavy = |method| Fusion {
        weights: vec![3.0, 1.0, 1.0],
        ..plain(method)
    };
    check(
        &lists,
        &heavy("w_condorcet"),
        &[("a", 3.0), ("b", 2.0), ("c", 1.0)],
    );
    check(
        &lists,
        &heavy("copeland"),
        &[("a", 2.0), ("b", 0.0), ("c", -2.0)],
    );
    check(
        &lists,
        &heavy("w_bordafuse"),
        &[("b", 12.0), ("a", 12.0), ("c", 6.0)],
    );
}

#[test]
fn trained_methods_add_what_was_learned() {
    let lists = [ranked("a b c"), ranked("c d")];
    let trained = |method, numbers: [&[f64]; 2]| Fusion {
        trained: Some(Trained::from_numbers(
            numbers.iter().map(|row| row.to_vec()).collect(),
        )),
        ..plain(method)
    };
    let places = [&[0.5, 0.25, 0.125][..], &[0.75][..]];
    check(
        &lists,
        &trained("posfuse", places),
        &[("c", 0.875), ("a", 0.5), ("b", 0.25), ("d", 0.0)],
    );
    // Windows of a: 0.375, b: 0.875/3, c: 0.1875 and 0.75/2, d: 0.75/2.
    check(
        &lists,
        &trained("slidefuse(w=1)", places),
        &[
            ("c", 0.5625),
            ("d", 0.375),
            ("a", 0.375),
            ("b", 0.875 / 3.0),
        ],
    );
    let halves = [&[0.5, 0.25][..], &[0.75, 0.5][..]];
    // Segments of the first run: a b, then c; of the second: c, then d.
    check(
        &lists,
        &trained("probfuse(segments=2)", halves),
        &[("c", 0.875), ("b", 0.5), ("a", 0.5), ("d", 0.25)],
    );
    // Scores 3, 2, 1 and 2, 1, all in the first segment.
    check(
        &lists,
        &trained("segfuse", halves),
        &[
            ("c", 0.5 * 2.0 + 0.75 * 3.0),
            ("a", 2.0),
            ("d", 1.5),
            ("b", 1.5),
        ],
    );
    check(
        &lists,
        &trained("mapfuse", [&[0.6], &[0.3]]),
        &[("a", 0.6), ("c", 0.5), ("b", 0.3), ("d", 0.15)],
    );
    let none = (0.001f64 / 0.999).ln();
    check(
        &lists,
        &trained("bayesfuse", [&[1.0, 0.0, -1.0], &[2.0]]),
        &[
            ("c", 1.0),
            ("a", 1.0 + none),
            ("b", none),
            ("d", 2.0 * none),
        ],
    );
}

#[test]
fn training_counts_relevant_documents_by_place() {
    let qrels = Qrels::from_judgements([("1", "d1", 1.0), ("2", "d1", 2.0), ("2", "d2", 0.0)]);
    let first = Run::from_scores(
        "first",
        [
            ("1", "d3", 3.0),
            ("1", "d2", 2.0),
            ("1", "d1", 1.0),
            ("2", "d2", 2.0),
            ("2", "d1", 1.0),
        ],
    );
    // Only one of the training topics, and one that is not judged.
    let second = Run::from_scores("second", [("1", "d1", 3.0), ("3", "d1", 1.0)]);
    let runs = [&first, &second];
    let learned = |method: &str| {
        let trained = crate::train(&plain(method), &runs, &qrels).unwrap();
        assert_eq!(trained.topics(), 2);
        trained.by_run().to_vec()
    };
    assert_eq!(learned("posfuse"), [vec![0.0, 0.5, 1.0], vec![1.0]]);
    assert_eq!(learned("slidefuse"), learned("posfuse"));
    // Two segments: d3 d2 and d1, d2 and d1; the second run has no list for topic 2.
    assert_eq!(learned("probfuse(segments=2)"), [[0.0, 1.0], [0.5, 0.0]]);
    // Average precision 1/3 and 1/2; 1 and 0.
    assert_eq!(learned("mapfuse"), [[f64::midpoint(1.0 / 3.0, 0.5)], [0.5]]);
    // 2 and 1 of the first ten places of two topics.
    assert_eq!(learned("segfuse")[0][..2], [0.2, 0.0]);
    let odds = learned("bayesfuse");
    assert_eq!(odds[0].len(), 1000);
    assert_eq!(odds[0][..5], [(0.2f64 / 0.8).ln(); 5]);
    assert_eq!(odds[0][5], (0.001f64 / 0.999).ln());
    assert_eq!(odds[1][0], (0.1f64 / 0.9).ln());
}

#[test]
fn missing_documents_may_have_the_lowest_score() {
    let lists = [ranked("a b"), ranked("b c"), Vec::new()];
    let fusion = Fusion {
        missing: Missing::Min,
        ..plain("sum")
    };
    check(&lists, &fusion, &[("b", 3.0), ("a", 3.0), ("c", 2.0)]);
    check(
        &lists,
        &Fusion {
            missing: Missing::Ignore,
            ..fusion
        },
        &[("b", 3.0), ("a", 2.0), ("c", 1.0)],
    );
}

#[test]
fn depths_cut_before_and_after() {
    let lists = [ranked("a b c"), ranked("c b a")];
    let fusion = Fusion {
        input_depth: Some(1),
        ..plain("rrf(k=0)")
    };
    check(&lists, &fusion, &[("c", 1.0), ("a", 1.0)]);
    let fusion = Fusion {
        depth: Some(1),
        ..plain("rrf(k=0)")
    };
    check(&lists, &fusion, &[("c", 1.0 + 1.0 / 3.0)]);
}

#[test]
fn low_distances_are_best_for_ranks_too() {
    let distances = vec![(&b"near"[..], 0.1), (&b"far"[..], 0.9)];
    let fusion = Fusion {
        norms: vec![Norm::MinMaxInverted],
        ..plain("rrf(k=0)")
    };
    check(
        std::slice::from_ref(&distances),
        &fusion,
        &[("near", 1.0), ("far", 0.5)],
    );
    let fusion = Fusion {
        norms: vec![Norm::MinMaxInverted],
        ..plain("sum")
    };
    check(&[distances], &fusion, &[("near", 1.0), ("far", 0.0)]);
}

#[test]
fn settings_that_do_not_fit_are_errors() {
    let message = |fusion: &Fusion| {
        let lists = [ranked("a"), ranked("b")];
        let lists: Vec<&[(&[u8], f64)]> = lists.iter().map(Vec::as_slice).collect();
        fuse_topic(&lists, fusion).unwrap_err().to_string()
    };
    assert_eq!(
        message(&plain("wsum")),
        "wsum needs a weight for each run; add weights"
    );
    assert_eq!(
        message(&Fusion {
            weights: vec![1.0],
            ..plain("wsum")
        }),
        "1 weights for 2 runs; give one for each"
    );
    assert!(
        message(&Fusion {
            weights: vec![1.0, 2.0],
            ..plain("sum")
        })
        .starts_with("sum has no weights")
    );
    assert_eq!(
        message(&plain("posfuse")),
        "posfuse learns from judgements; add train"
    );
    assert_eq!(
        message(&Fusion {
            norms: vec![Norm::Rank; 3],
            ..plain("sum")
        }),
        "3 normalisations for 2 runs; give one for all or one for each"
    );
}

#[test]
fn a_document_twice_is_an_error() {
    let twice: List = vec![(b"a", 2.0), (b"a", 1.0)];
    let error = fuse_topic(&[&twice], &Fusion::default()).unwrap_err();
    assert!(matches!(error, Error::Repeated(_)));
    assert!(error.to_string().contains("document `a` is in topic"));
}

#[test]
fn huge_scores_are_an_error_and_not_a_nan() {
    let huge: List = vec![(b"a", 1e308), (b"b", -1e308)];
    let fusion = Fusion {
        norms: vec![Norm::None],
        ..plain("mnz")
    };
    let error = fuse_topic(&[&huge, &huge], &fusion).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the fused score of document `a` is inf"),
        "{error}"
    );
    let ranx = Fusion {
        profile: Profile::Ranx,
        ..fusion
    };
    assert!(fuse_topic(&[&huge, &huge], &ranx).is_ok());
}

/// Random lists over few documents and scores, so that ties and overlaps are common.
fn lists() -> impl Strategy<Value = Vec<Vec<(String, f64)>>> {
    let doc = (0..12u8).prop_map(|doc| format!("d{doc}"));
    let list = prop::collection::btree_map(doc, (1..6i32).prop_map(f64::from), 0..8);
    prop::collection::vec(list.prop_map(|list| list.into_iter().collect()), 1..5)
}

fn run(lists: &[Vec<(String, f64)>], fusion: &Fusion) -> Vec<(String, f64)> {
    let lists: Vec<Vec<(&[u8], f64)>> = lists
        .iter()
        .map(|list| {
            list.iter()
                .map(|(doc, score)| (doc.as_bytes(), *score))
                .collect()
        })
        .collect();
    let lists: Vec<&[(&[u8], f64)]> = lists.iter().map(Vec::as_slice).collect();
    let fused = fuse_topic(&lists, fusion).unwrap();
    fused
        .into_iter()
        .map(|(doc, score)| (String::from_utf8(doc.to_vec()).unwrap(), score))
        .collect()
}

/// Every method, with whatever it needs for a number of runs.
fn every_method(runs: usize) -> impl Iterator<Item = Fusion> {
    METHODS.iter().map(move |name| {
        let method: Method = name.parse().unwrap();
        let numbers = vec![vec![0.5, 0.25, 0.125]; runs];
        Fusion {
            weights: match method.weighting() {
                Weighting::None => Vec::new(),
                _ => (1..=runs).map(|run| run as f64).collect(),
            },
            trained: method.is_trained().then(|| Trained::from_numbers(numbers)),
            ..Fusion::new(method)
        }
    })
}

proptest! {
    /// Each document of any list is in the result once, in descending order of scores and then of ids.
    #[test]
    fn all_documents_are_ranked_once(lists in lists()) {
        let mut docs: Vec<String> = lists.iter().flatten().map(|(doc, _)| doc.clone()).collect();
        docs.sort();
        docs.dedup();
        for fusion in every_method(lists.len()) {
            let fused = run(&lists, &fusion);
            for pair in fused.windows(2) {
                prop_assert!(pair[0].1 > pair[1].1 || pair[0].1 == pair[1].1 && pair[0].0 > pair[1].0);
            }
            let mut found: Vec<String> = fused.into_iter().map(|(doc, _)| doc).collect();
            found.sort();
            prop_assert_eq!(&found, &docs);
        }
    }

    /// The order of the documents in a list does not matter, since ranks come from scores and ids.
    #[test]
    fn the_order_of_lines_does_not_matter(lists in lists()) {
        let reversed: Vec<_> = lists.iter().map(|list| list.iter().rev().cloned().collect()).collect();
        for fusion in every_method(lists.len()) {
            prop_assert_eq!(run(&lists, &fusion), run(&reversed, &fusion), "{}", fusion.method);
        }
    }

    /// A cut at a depth keeps the first documents of the whole result.
    #[test]
    fn a_depth_keeps_the_first_documents(lists in lists(), depth in 1..10usize) {
        for fusion in every_method(lists.len()) {
            let mut all = run(&lists, &fusion);
            all.truncate(depth);
            let cut = run(&lists, &Fusion { depth: Some(depth), ..fusion });
            prop_assert_eq!(cut, all);
        }
    }

    /// A list with a single run keeps its order under every method that combines scores or ranks by a falling function.
    #[test]
    fn one_run_keeps_its_order(list in lists().prop_map(|mut lists| lists.remove(0))) {
        let alone = [list];
        let order: Vec<String> = run(&alone, &plain("rrf")).into_iter().map(|(doc, _)| doc).collect();
        for method in ["sum", "max", "min", "med", "anz", "mnz", "isr", "bordafuse", "condorcet"] {
            let fused = run(&alone, &plain(method));
            let scores: Vec<f64> = fused.iter().map(|(_, score)| *score).collect();
            let found: Vec<String> = fused.into_iter().map(|(doc, _)| doc).collect();
            prop_assert_eq!(&found, &order, "{} {:?}", method, scores);
        }
    }
}
