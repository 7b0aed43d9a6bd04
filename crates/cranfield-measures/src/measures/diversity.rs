//! Measures of diversity: a topic's judgement groups are its subtopics.

use cranfield_core::error::Error;
use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, Range};
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::topic::{Reading, log2_discount};

use super::common::{depth, quotient, ratio};

mod global;

pub(super) mod alpha_dcg;
pub(super) mod alpha_ndcg;
pub(super) mod ap;
pub(super) mod d_ndcg;
pub(super) mod d_q;
pub(super) mod din_ndcg;
pub(super) mod din_sharp_ndcg;
pub(super) mod err_ia;
pub(super) mod nerr_ia;
pub(super) mod nnrbp;
pub(super) mod nrbp;
pub(super) mod p_plus_q;
pub(super) mod p_plus_q_sharp;
pub(super) mod precision;
pub(super) mod sharp_ndcg;
pub(super) mod sharp_q;
pub(super) mod st_recall;

/// The parameter α of novelty measures.
const ALPHA: ParamInfo = ParamInfo {
    name: "alpha",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "fraction of a subtopic's remaining value that each relevant document removes",
};

/// The parameter β of NRBP.
const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "persistence: probability of continuing to the next document",
};

/// The deepest cutoff for which the divisor is computed.
const DEEPEST: usize = 1_000_000;

/// From 0 to e / (e − 1): no ranking exceeds the gain of the greedy ideal by a larger factor.
const GREEDY: Range = Range {
    min: 0.0,
    max: 1.582,
};

/// Binary relevance for each subtopic that has a relevant document.
fn subtopics<'a>(topic: &'a JudgedGroups<'_>, level: f64) -> impl Iterator<Item = Reading<'a>> {
    let readings = topic.rankings().map(move |group| group.relevant(level));
    readings.filter(|relevant| relevant.total > 0)
}

/// The fraction of the subtopics with relevant documents that the first `depth` documents cover.
fn subtopic_recall(topic: &JudgedGroups<'_>, level: f64, depth: usize) -> Option<f64> {
    let (mut found, mut all) = (0, 0);
    for relevant in subtopics(topic, level) {
        found += usize::from(relevant.count_at(depth) > 0);
        all += 1;
    }
    ratio(found, all)
}

/// The weight of a gain at each rank; it never increases with rank.
#[derive(Clone, Copy, Debug)]
enum Decay {
    /// 1 / log2(rank + 1).
    Log2,
    /// 1 / rank.
    Rank,
    /// This number to the power of rank − 1.
    Power(f64),
}

impl Decay {
    fn weight(self, rank: u32) -> f64 {
        match self {
            Self::Log2 => 1.0 / log2_discount(rank),
            Self::Rank => 1.0 / f64::from(rank),
            Self::Power(base) => base.powf(f64::from(rank - 1)),
        }
    }
}

/// Σ of novel gain times the weight of the rank, to a depth.
fn novelty_sum(
    topic: &JudgedGroups<'_>,
    level: f64,
    alpha: f64,
    depth: usize,
    decay: Decay,
) -> f64 {
    let mut worth = vec![1.0; topic.len()];
    let mut sum = 0.0;
    let retrieved = topic.documents().retrieved();
    for (rank, labels) in retrieved.take_while(|(rank, _)| *rank as usize <= depth) {
        let mut gain = 0.0;
        for (group, _) in labels.iter().filter(|(_, label)| label.is_relevant(level)) {
            let worth = &mut worth[*group as usize];
            gain += *worth;
            *worth *= 1.0 - alpha;
        }
        sum += gain * decay.weight(rank);
    }
    sum
}

/// Novel gain with a discount by rank, divided by that of a ranking of documents that are relevant to all subtopics.
#[derive(Debug)]
struct Novelty {
    alpha: f64,
    level: f64,
    cutoff: usize,
    decay: Decay,
    /// The divisor for one subtopic.
    divisor: f64,
}

impl Novelty {
    fn new(params: &Params, decay: Decay) -> Result<Self, Error> {
        let (alpha, cutoff) = (params.real("alpha"), params.required_cutoff());
        if cutoff > DEEPEST {
            return Err(Error::parameter(format!(
                "the cutoff must be at most {DEEPEST}, not {cutoff}"
            )));
        }
        let (mut divisor, mut worth) = (0.0, 1.0);
        for rank in 1..=cutoff as u32 {
            divisor += worth * decay.weight(rank);
            worth *= 1.0 - alpha;
        }
        Ok(Self {
            alpha,
            level: params.level(),
            cutoff,
            decay,
            divisor,
        })
    }
}

impl GroupMeasure for Novelty {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let all = subtopics(topic, self.level).count();
        let sum = novelty_sum(topic, self.level, self.alpha, self.cutoff, self.decay);
        (all > 0).then(|| sum / (all as f64 * self.divisor))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

/// Novel gain with a discount by rank, divided by that of the topic's ideal ranking.
#[derive(Debug)]
struct NormalisedNovelty {
    alpha: f64,
    level: f64,
    depth: usize,
    decay: Decay,
}

impl NormalisedNovelty {
    fn of(params: &Params, decay: Decay) -> Computation {
        Computation::grouped(Self {
            alpha: params.real("alpha"),
            level: params.level(),
            depth: depth(params.cutoff()),
            decay,
        })
    }
}

impl GroupMeasure for NormalisedNovelty {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let Self {
            alpha,
            level,
            depth,
            decay,
        } = *self;
        let ideal = topic.ideal_sum(level, alpha, depth, |rank| decay.weight(rank));
        quotient(novelty_sum(topic, level, alpha, depth, decay), ideal)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::measures::tests::grouped_value;
    use crate::spec::{Conventions, parse_measure};
    use cranfield_core::groups::IntentKind;

    /// Ranks of the retrieved documents that a subtopic judged, the number that it judged in all, and the grade of all.
    pub(super) type Subtopic<'a> = (&'a [u32], u32, f64);

    /// Subtopics A (a relevant), B (a and b) and C (c); ranking b, a, and an unjudged document.
    pub(super) const EXAMPLE: &[Subtopic<'static>] =
        &[(&[2], 1, 1.0), (&[1, 2], 2, 1.0), (&[], 1, 1.0)];

    /// Retrieved documents are named by rank, missed ones by subtopic.
    pub(super) fn evaluate(name: &str, subtopics: &[Subtopic<'_>]) -> Option<f64> {
        let mut judgements = Vec::new();
        for (at, (ranks, count, grade)) in subtopics.iter().enumerate() {
            let found = ranks.iter().map(ToString::to_string);
            let missed = (ranks.len()..*count as usize).map(|missed| format!("{at} {missed}"));
            judgements.extend(found.chain(missed).map(|doc| (at.to_string(), doc, *grade)));
        }
        let ranking: Vec<String> = (1..=20).map(|rank| rank.to_string()).collect();
        grouped_value(name, &judgements, &[], &ranking)
    }

    #[track_caller]
    fn check_value(name: &str, value: Option<f64>, expected: f64) {
        let value = value.expect("the value is defined");
        assert!(
            (value - expected).abs() < 1e-15,
            "{name}: {value}, not {expected}"
        );
    }

    #[track_caller]
    pub(super) fn check(name: &str, subtopics: &[Subtopic<'_>], expected: f64) {
        check_value(name, evaluate(name, subtopics), expected);
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, subtopics: &[Subtopic<'_>]) {
        assert_eq!(evaluate(name, subtopics), None, "{name}");
    }

    /// Judgements by intent, the intents' weights and kinds, and a ranking.
    pub(super) type Judged<'a> = (
        &'a [(&'a str, &'a str, f64)],
        &'a [(&'a str, f64, IntentKind)],
        &'a [&'a str],
    );

    /// Intents A (informational, probability 0.75) and B (navigational, 0.25). Grades: a has 1 for A and 2 for B, b has 2 for A,
    /// c has 1 for B; ranking b, x, a, c.
    pub(super) const INTENTS: Judged<'static> = (
        &[
            ("A", "a", 1.0),
            ("B", "a", 2.0),
            ("A", "b", 2.0),
            ("B", "c", 1.0),
            ("A", "c", 0.0),
        ],
        &[
            ("A", 0.75, IntentKind::Informational),
            ("B", 0.25, IntentKind::Navigational),
        ],
        &["b", "x", "a", "c"],
    );

    #[track_caller]
    pub(super) fn check_judged(name: &str, judged: Judged<'_>, expected: f64) {
        let (judgements, intents, ranking) = judged;
        check_value(
            name,
            grouped_value(name, judgements, intents, ranking),
            expected,
        );
    }

    #[track_caller]
    pub(super) fn undefined_judged(name: &str, judged: Judged<'_>) {
        let (judgements, intents, ranking) = judged;
        assert_eq!(
            grouped_value(name, judgements, intents, ranking),
            None,
            "{name}"
        );
    }

    #[test]
    fn a_cutoff_has_a_limit() {
        let error = parse_measure("ERR_IA@1000001", &Conventions::default());
        let text = error.map(|_| ()).expect_err("too deep").to_string();
        assert_eq!(text, "the cutoff must be at most 1000000, not 1000001");
    }

    /// Documents a (subtopics 1, 2), b (3, 4) and c (1, 3) have gain 2 each. The greedy ideal starts with c,
    /// after which a and b have only 1.5 left; starting with a and b would be better.
    #[test]
    fn equal_documents_are_ordered_by_descending_id() {
        let judgements = [
            ("1", "a", 1.0),
            ("2", "a", 1.0),
            ("3", "b", 1.0),
            ("4", "b", 1.0),
            ("1", "c", 1.0),
            ("3", "c", 1.0),
        ];
        let value = grouped_value("alpha_nDCG@2", &judgements, &[], &["a", "b"]);
        let second = 3f64.log2();
        check_value(
            "alpha_nDCG@2",
            value,
            (2.0 + 2.0 / second) / (2.0 + 1.5 / second),
        );
        let value = grouped_value("alpha_nDCG@3", &judgements, &[], &["c", "b", "a"]);
        assert_eq!(value, Some(1.0));
    }

    /// Relevance of each document to each subtopic.
    type Matrix = Vec<Vec<bool>>;

    fn matrix() -> impl Strategy<Value = Matrix> {
        (1usize..5).prop_flat_map(|subtopics| {
            let row = prop::collection::vec(prop::bool::weighted(0.4), subtopics);
            prop::collection::vec(row, 1..9)
        })
    }

    fn judgements(matrix: &Matrix) -> Vec<(String, String, f64)> {
        let cells = matrix.iter().enumerate().flat_map(|(doc, row)| {
            row.iter()
                .enumerate()
                .map(move |(group, relevant)| (group, doc, *relevant))
        });
        cells
            .map(|(group, doc, relevant)| {
                (
                    group.to_string(),
                    format!("d{doc}"),
                    f64::from(u8::from(relevant)),
                )
            })
            .collect()
    }

    /// The greedy ranking by definition: each rank tries all remaining documents.
    fn greedy(matrix: &Matrix, alpha: f64) -> Vec<String> {
        let mut left: Vec<usize> = (0..matrix.len()).collect();
        let mut seen = vec![0i32; matrix[0].len()];
        let mut ranking = Vec::new();
        while !left.is_empty() {
            let gain = |doc: usize| -> f64 {
                let row = matrix[doc].iter().zip(&seen);
                row.map(|(relevant, seen)| {
                    f64::from(u8::from(*relevant)) * (1.0 - alpha).powi(*seen)
                })
                .sum()
            };
            let best = left
                .iter()
                .copied()
                .max_by(|a, b| gain(*a).total_cmp(&gain(*b)).then(a.cmp(b)))
                .expect("documents are left");
            left.retain(|doc| *doc != best);
            for (seen, relevant) in seen.iter_mut().zip(&matrix[best]) {
                *seen += i32::from(*relevant);
            }
            ranking.push(format!("d{best}"));
        }
        ranking
    }

    const NORMALISED: [&str; 5] = [
        "alpha_nDCG@3",
        "alpha_nDCG",
        "nERR_IA@4",
        "nNRBP",
        "nNRBP(beta=1)",
    ];

    proptest! {
        #[test]
        fn the_greedy_ranking_has_the_value_1(matrix in matrix()) {
            let judgements = judgements(&matrix);
            let ranking = greedy(&matrix, 0.5);
            for name in NORMALISED {
                if let Some(value) = grouped_value(name, &judgements, &[], &ranking) {
                    prop_assert_eq!(value, 1.0, "{}", name);
                }
            }
        }

        #[test]
        fn no_ranking_is_far_above_the_greedy_one(matrix in matrix(), seed in any::<prop::sample::Index>()) {
            let judgements = judgements(&matrix);
            let mut ranking = greedy(&matrix, 0.5);
            let length = ranking.len();
            ranking.rotate_left(seed.index(length));
            ranking.truncate(1 + seed.index(length));
            for name in NORMALISED {
                if let Some(value) = grouped_value(name, &judgements, &[], &ranking) {
                    prop_assert!((0.0..=super::GREEDY.max).contains(&value), "{}: {}", name, value);
                }
            }
        }

        #[test]
        fn the_order_of_global_gains_has_the_value_1(matrix in matrix()) {
            let judgements = judgements(&matrix);
            let mut ranking: Vec<usize> = (0..matrix.len()).collect();
            ranking.sort_by_key(|doc| std::cmp::Reverse(matrix[*doc].iter().filter(|cell| **cell).count()));
            let ranking: Vec<String> = ranking.iter().map(|doc| format!("d{doc}")).collect();
            for name in ["D_nDCG@3", "D_nDCG", "D_Q@2", "D_Q", "Dsharp_nDCG", "Dsharp_Q", "DIN_nDCG"] {
                if let Some(value) = grouped_value(name, &judgements, &[], &ranking) {
                    prop_assert!((value - 1.0).abs() < 1e-12, "{}: {}", name, value);
                }
            }
        }
    }
}
