//! Checks the claims of measures (`merit`, `grows_with_merit`, `expected`) by exhaustive enumeration.

use std::ops::Range;
use std::sync::LazyLock;

use cranfield_core::measure::{BoundMeasure, Computation, Direction, Measure};
use cranfield_core::orders::{Orders, Subject, Wanted};
use cranfield_core::params::CutoffRule;
use cranfield_core::policy::End;
use cranfield_core::readings::Readings;
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{GradeCount, JudgedRanking, Label, RecallBase};
use proptest::prelude::*;
use proptest::sample::Index;

use super::MEASURES;
use super::tests::{TestTopic, measure};

/// Measures with non-default parameters.
const VARIANTS: &[&str] = &[
    "AP(denominator='min(R,k)')@3",
    "AP(rel=2)",
    "ASL(missed='skip')",
    "ASL(docs=50)",
    "CWL_P(rel=2)@3",
    "DCG(gains='exp')@4",
    "DCG(gains='0,5,-1,3')",
    "ERR(scale='topic')@3",
    "ERR(gains='grade')",
    "ESL(docs=30, q=2)",
    "Fallout(docs=40)@3",
    "gP(max=4)@4",
    "Hole(form='count')@3",
    "IPrec(recall='round')@0.4",
    "LastRel(docs=50)",
    "nDCG(gains='exp')@5",
    "nDCG(discount='jk')",
    "nDCG(ideal='ranking')@3",
    "nDCG(gains='0,5,1,3')",
    "NCU(stop='u')",
    "NCU(utility='P')",
    "NormR(docs=60)",
    "NCU(stop='u', utility='BR')",
    "Q(beta=0.5)@4",
    "Q(gains='0,5,1,3')",
    "RBP(p=0.5, gains='grade', scale='topic')",
    "RBP(p=0.9, gains='grade')@4",
    "RBP(p=0.5, bound='upper')@4",
    "RBP(p=0.5, bound='residual')@4",
    "RR(rel=2)@3",
    "RR(rel=-1)",
    "Success(rel=2)@2",
    "Utility(coefficients='1,-2,3,-4', docs=20)",
];

/// [`catalogue`], built once.
pub(super) static CATALOGUE: LazyLock<Vec<BoundMeasure>> = LazyLock::new(catalogue);

/// All measures of rankings, with their default parameters and some cutoffs, and the variants.
fn catalogue() -> Vec<BoundMeasure> {
    let mut names: Vec<String> = VARIANTS.iter().map(|name| (*name).into()).collect();
    for info in MEASURES {
        let ends: &[&str] = match info.cutoff {
            CutoffRule::None => &[""],
            CutoffRule::Optional => &["", "@1", "@3", "@8"],
            CutoffRule::Required => &["@1", "@3", "@8"],
            CutoffRule::Point => &["@0", "@0.3", "@1"],
        };
        names.extend(ends.iter().map(|end| format!("{}{end}", info.name)));
    }
    let measures = names.iter().map(|name| measure(name));
    measures
        .filter(|measure| matches!(measure.computation, Computation::Ranked(_)))
        .collect()
}

pub(super) fn ranked(measure: &BoundMeasure) -> &dyn Measure {
    match &measure.computation {
        Computation::Ranked(measure) => measure.as_ref(),
        other => panic!("{measure} is {other:?}"),
    }
}

/// Grades in rank order as read by [`TestTopic`], and grades of judged documents that were not retrieved.
pub(super) fn grades(most: usize) -> impl Strategy<Value = (Vec<i32>, Vec<i32>)> {
    let code = prop_oneof![4 => 0..4i32, 2 => Just(-1i32), 1 => Just(-2i32)];
    let missed = prop::collection::vec(0..4i32, 0..4);
    (prop::collection::vec(code, 1..=most), missed)
}

/// The grades of all judged documents.
pub(super) fn judged(ranking: &[i32], missed: &[i32]) -> Vec<i32> {
    let found = ranking.iter().filter(|code| **code >= 0);
    found.chain(missed).copied().collect()
}

fn evaluate(measure: &BoundMeasure, ranking: &[i32], judged: &[i32]) -> Option<f64> {
    ranked(measure).evaluate(&TestTopic::new(ranking, judged).ranking())
}

fn label(code: i32) -> Label {
    match code {
        -2 => Label::Pooled,
        -1 => Label::Unjudged,
        grade => Label::Judged(f64::from(grade)),
    }
}

fn lower_is_better(measure: &BoundMeasure) -> bool {
    measure.info.direction == Direction::LowerIsBetter
}

/// Calls `visit` with all permutations of the documents within some ranges.
fn for_each_order(ranking: &mut Vec<i32>, groups: &[Range<u32>], visit: &mut impl FnMut(&[i32])) {
    let Some((group, rest)) = groups.split_first() else {
        return visit(ranking);
    };
    permute(
        ranking,
        group.start as usize,
        group.end as usize,
        &mut |order| {
            for_each_order(order, rest, visit);
        },
    );
}

fn permute(
    ranking: &mut Vec<i32>,
    start: usize,
    end: usize,
    visit: &mut impl FnMut(&mut Vec<i32>),
) {
    if start + 1 >= end {
        return visit(ranking);
    }
    for other in start..end {
        ranking.swap(start, other);
        permute(ranking, start + 1, end, visit);
        ranking.swap(start, other);
    }
}

/// Groups of ties of up to four documents.
fn groups(len: usize) -> impl Strategy<Value = Vec<Range<u32>>> {
    prop::collection::vec(1u32..5, len).prop_map(move |sizes| {
        let (mut groups, mut start) = (Vec::new(), 0);
        for size in sizes {
            let end = (start + size).min(len as u32);
            if end > start + 1 {
                groups.push(start..end);
            }
            start = end;
        }
        groups
    })
}

fn tied() -> impl Strategy<Value = (Vec<i32>, Vec<i32>, Vec<Range<u32>>)> {
    grades(7).prop_flat_map(|(ranking, missed)| {
        let len = ranking.len();
        (Just(ranking), Just(missed), groups(len))
    })
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-12 * one.abs().max(1.0)
}

/// Measures for which swapping two documents violates the claim of merit.
fn wrong_merits(ranking: &[i32], missed: &[i32], upper: usize, lower: usize) -> Vec<String> {
    let judged = judged(ranking, missed);
    let mut swapped = ranking.to_vec();
    swapped.swap(upper, lower);
    let is_wrong = |measure: &BoundMeasure| {
        let merit = |at: usize| ranked(measure).merit(label(ranking[at]));
        let (Some(above), Some(below)) = (merit(upper), merit(lower)) else {
            return false;
        };
        let values = [ranking, &swapped].map(|order| evaluate(measure, order, &judged));
        let [Some(before), Some(after)] = values else {
            return values != [None, None];
        };
        let better = if lower_is_better(measure) {
            before - after
        } else {
            after - before
        };
        let slack = 1e-12 * before.abs().max(1.0);
        (below >= above && better < -slack) || (below <= above && better > slack)
    };
    wrong(is_wrong)
}

/// Measures whose expected value differs from the mean over all orders.
fn wrong_means(ranking: &[i32], missed: &[i32], groups: &[Range<u32>]) -> Vec<String> {
    let judged = judged(ranking, missed);
    let topic = TestTopic::new(ranking, &judged);
    let is_mixed = |group: &&Range<u32>| {
        let inside = &ranking[group.start as usize..group.end as usize];
        inside.iter().any(|code| *code != inside[0])
    };
    let mixed: Vec<Range<u32>> = groups.iter().filter(is_mixed).cloned().collect();
    let tied = TiedRanking::new(topic.ranking(), &mixed);
    let is_wrong = |measure: &BoundMeasure| {
        if ranked(measure).evaluate(&topic.ranking()).is_none() {
            return false;
        }
        let Some(expected) = ranked(measure).expected(&tied) else {
            return false;
        };
        let (mut sum, mut count) = (Some(0.0), 0.0);
        for_each_order(&mut ranking.to_vec(), groups, &mut |order| {
            let value = evaluate(measure, order, &judged);
            sum = sum.zip(value).map(|(sum, value)| sum + value);
            count += 1.0;
        });
        !sum.is_some_and(|sum| near(sum / count, expected))
    };
    wrong(is_wrong)
}

/// Measures whose best or worst order differs from that over all orders.
fn wrong_orders(
    ranking: &[i32],
    missed: &[i32],
    groups: &[Range<u32>],
    kept: usize,
    condensed: bool,
) -> Vec<String> {
    let judged = judged(ranking, missed);
    let labels: Vec<Label> = ranking.iter().map(|code| label(*code)).collect();
    let counts = counts(&judged);
    let orders = Orders::new(&labels, groups, kept, condensed, RecallBase::new(&counts));
    let is_wrong = |measure: &BoundMeasure| {
        let mut values = Vec::new();
        for_each_order(&mut ranking.to_vec(), groups, &mut |order| {
            let mut order = order[..kept].to_vec();
            if condensed {
                order.retain(|code| *code >= 0);
            }
            values.extend(evaluate(measure, &order, &judged));
        });
        [End::Least, End::Greatest].into_iter().any(|end| {
            let wanted = match end {
                End::Least => Wanted::Least,
                End::Greatest => Wanted::Greatest,
            };
            let found = with(measure, |subject| orders.find(subject, wanted));
            !found.exact || !is_extreme(&values, end, found.value)
        })
    };
    wrong(is_wrong)
}

/// Measures whose bounds differ from those over all grades of the unjudged documents.
fn wrong_bounds(ranking: &[i32], missed: &[i32]) -> Vec<String> {
    let judged = judged(ranking, missed);
    let labels: Vec<Label> = ranking.iter().map(|code| label(*code)).collect();
    let counts = counts(&judged);
    let best = judged.iter().copied().max().filter(|grade| *grade > 0);
    let unjudged: Vec<usize> = (0..ranking.len()).filter(|at| ranking[*at] < 0).collect();
    let is_wrong = |measure: &BoundMeasure| {
        let base = RecallBase::new(&counts);
        let mut readings = Readings::new(labels.clone(), &[], ranking.len(), base);
        let mut values = Vec::new();
        for reading in 0u32..1 << unjudged.len() {
            let (mut order, mut known) = (ranking.to_vec(), judged.clone());
            for (bit, at) in unjudged.iter().enumerate() {
                if reading >> bit & 1 == 1 {
                    order[*at] = best.unwrap_or(1);
                    known.push(best.unwrap_or(1));
                }
            }
            values.extend(evaluate(measure, &order, &known));
        }
        [End::Least, End::Greatest].into_iter().any(|end| {
            let found = with(measure, |subject| {
                readings.extreme(subject, Wanted::AsIs, end)
            });
            !found.exact || !is_extreme(&values, end, found.value)
        })
    };
    wrong(is_wrong)
}

fn wrong(is_wrong: impl Fn(&BoundMeasure) -> bool) -> Vec<String> {
    let wrong = CATALOGUE.iter().filter(|measure| is_wrong(measure));
    wrong.map(ToString::to_string).collect()
}

fn is_extreme(values: &[f64], end: End, found: f64) -> bool {
    let values = values.iter().copied();
    let extreme = match end {
        End::Least => values.reduce(f64::min),
        End::Greatest => values.reduce(f64::max),
    };
    extreme.map_or(found.is_nan(), |extreme| near(extreme, found))
}

const NONE: [&str; 0] = [];

/// Measures whose claim holds for neighbours only. Q of the grades 1, 3, 0 is (2/4 + 6/6) / 2 = 0.75, of 0, 3, 1 it is
/// (4/6 + 6/7) / 2 = 0.76: the document of grade 3 is compared with less of the ideal gain at its rank.
const NEIGHBOURS_ONLY: [&str; 2] = ["Q", "NCU"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn ranking_the_better_neighbour_first_is_never_worse(
        (ranking, missed) in grades(12),
        upper in any::<Index>(),
    ) {
        let upper = upper.index(ranking.len());
        let lower = (upper + 1).min(ranking.len() - 1);
        prop_assert_eq!(wrong_merits(&ranking, &missed, upper, lower), NONE);
    }

    #[test]
    fn ranking_the_better_document_first_is_never_worse(
        (ranking, missed) in grades(12),
        one in any::<Index>(),
        other in any::<Index>(),
    ) {
        let (one, other) = (one.index(ranking.len()), other.index(ranking.len()));
        let mut wrong = wrong_merits(&ranking, &missed, one.min(other), one.max(other));
        wrong.retain(|name| !NEIGHBOURS_ONLY.iter().any(|known| name.starts_with(known)));
        prop_assert_eq!(wrong, NONE);
    }

    #[test]
    fn expected_values_are_means_over_all_orders((ranking, missed, groups) in tied()) {
        prop_assert_eq!(wrong_means(&ranking, &missed, &groups), NONE);
    }

    #[test]
    fn best_and_worst_match_all_orders(
        (ranking, missed, groups) in tied(),
        cut in 0usize..3,
        condensed in any::<bool>(),
    ) {
        let kept = ranking.len() - cut.min(ranking.len() - 1);
        prop_assert_eq!(wrong_orders(&ranking, &missed, &groups, kept, condensed), NONE);
    }

    #[test]
    fn bounds_match_all_grades_of_unjudged_documents((ranking, missed) in grades(9)) {
        prop_assert_eq!(wrong_bounds(&ranking, &missed), NONE);
    }
}

fn counts(judged: &[i32]) -> Vec<GradeCount> {
    let mut counts: Vec<GradeCount> = Vec::new();
    for grade in (0..5).rev() {
        let count = judged.iter().filter(|other| **other == grade).count() as u32;
        if count > 0 {
            counts.push(GradeCount {
                grade: f64::from(grade),
                count,
            });
        }
    }
    counts
}

fn with<T>(measure: &BoundMeasure, find: impl FnOnce(&Subject<'_>) -> T) -> T {
    find(&Subject {
        measure: ranked(measure),
        lower_is_better: lower_is_better(measure),
        reference_values: false,
        zero: false,
    })
}

#[test]
fn undefined_values_count_as_in_averages() {
    // No document is known to be relevant, so AP is undefined, and 1 if the first document is relevant.
    let measure = measure("AP");
    let labels = vec![Label::Unjudged, Label::Judged(0.0)];
    let counts = counts(&[0]);
    let mut readings = Readings::new(labels, &[], 2, RecallBase::new(&counts));
    let mut end = |zero: bool, end: End| {
        let subject = Subject {
            measure: ranked(&measure),
            lower_is_better: false,
            reference_values: false,
            zero,
        };
        readings.extreme(&subject, Wanted::AsIs, end).value
    };
    assert_eq!(
        [end(true, End::Least), end(true, End::Greatest)],
        [0.0, 1.0]
    );
    assert_eq!(
        [end(false, End::Least), end(false, End::Greatest)],
        [1.0, 1.0]
    );
}

/// The bounds of a topic whose unjudged documents may have any grade.
fn bounds(name: &str, ranking: &[i32], judged: &[i32]) -> [f64; 2] {
    let labels: Vec<Label> = ranking.iter().map(|code| label(*code)).collect();
    let counts = counts(judged);
    let base = RecallBase::new(&counts);
    let mut readings = Readings::new(labels, &[], ranking.len(), base);
    [End::Least, End::Greatest].map(|end| {
        with(&measure(name), |subject| {
            readings.extreme(subject, Wanted::AsIs, end).value
        })
    })
}

#[test]
fn bounds_by_hand() {
    // Ranking: relevant, unjudged, unjudged; one relevant document in the qrels.
    let (ranking, judged) = (&[1, -1, -1], &[1]);
    assert_eq!(bounds("P@3", ranking, judged), [1.0 / 3.0, 1.0]);
    // All three relevant, or only the last: (1 + 2/3) / 2.
    assert_eq!(
        bounds("AP", ranking, judged),
        [(1.0 + 2.0 / 3.0) / 2.0, 1.0]
    );
    // Rank 1 only, of one relevant document, or of three.
    assert_eq!(bounds("R@1", ranking, judged), [1.0 / 3.0, 1.0]);
}

#[test]
fn bounds_agree_with_residuals() {
    let (ranking, judged) = (&[1, -1, 0, -1, 1, -1], &[1, 1, 0]);
    for (plain, residual) in [
        ("RBP(p=0.5)@6", "RBP(p=0.5, bound='residual')@6"),
        ("RBP@4", "RBP(bound='residual')@4"),
        ("CWL_RBP(depth=6)", "CWL_RBP(depth=6, residual='true')"),
        ("INSQ(depth=6)", "INSQ(depth=6, residual='true')"),
        ("CWL_P@4", "CWL_P(residual='true')@4"),
        ("INST(depth=6)", "INST(depth=6, residual='true')"),
    ] {
        let [least, greatest] = bounds(plain, ranking, judged);
        let topic = TestTopic::new(ranking, judged);
        let residual = ranked(&measure(residual)).evaluate(&topic.ranking());
        assert!(
            residual.is_some_and(|residual| near(residual, greatest - least)),
            "{plain}: {least} to {greatest}, residual {residual:?}"
        );
    }
}

#[test]
fn common_measures_make_their_claims() {
    let hits = [];
    let topic = JudgedRanking::new(0, &hits, RecallBase::default());
    let tied = TiedRanking::new(topic, &[]);
    for name in [
        "P@5",
        "R@5",
        "nDCG@10",
        "RBP",
        "RR",
        "Success@5",
        "ERR@20",
        "AP",
        "Rprec",
        "Bpref",
    ] {
        let measure = measure(name);
        assert!(ranked(&measure).merit(Label::Unjudged).is_some(), "{name}");
        let _ = ranked(&measure).expected(&tied);
    }
}
