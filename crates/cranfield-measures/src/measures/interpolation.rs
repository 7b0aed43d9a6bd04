//! Interpolated precision, for [`super::iprec`] and [`super::iap`].

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::topic::Relevant;

/// Number of relevant documents that a recall point requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecallRule {
    /// ⌈x · R⌉: the fewest documents whose recall is at least x (textbooks).
    Reach,
    /// x · R, rounded half away from zero (`trec_eval` 10).
    Round,
    /// ⌊x · R + 0.9⌋, truncated towards zero (`trec_eval` 9).
    Floor,
}

impl RecallRule {
    /// The parameter that selects the rule.
    pub(super) const PARAM: ParamInfo = ParamInfo {
        name: "recall",
        kind: ParamKind::Word(&["ceil", "round", "floor(x+0.9)"]),
        default: "ceil",
        help: "how x * R becomes a number of relevant documents: ceil (textbook: recall is at least x), round (trec_eval 10), floor(x+0.9) (trec_eval 9)",
    };

    /// Reads the rule from the parameters.
    pub(crate) fn of(params: &Params) -> Self {
        match params.word("recall") {
            "round" => Self::Round,
            "floor(x+0.9)" => Self::Floor,
            _ => Self::Reach,
        }
    }

    /// The rule in one line, for explanations.
    fn caption(self) -> &'static str {
        match self {
            Self::Reach => "highest precision at any recall >= x (textbook rule), 0 if not reached",
            Self::Round => {
                "best where round(x * R) documents are found (trec_eval 10), 0 if fewer are found"
            }
            Self::Floor => {
                "best where floor(x * R + 0.9) documents are found (trec_eval 9), 0 if fewer are found"
            }
        }
    }

    /// The number of relevant documents at a recall point; negative points give negative numbers.
    pub(crate) fn documents(self, point: f64, total: usize) -> f64 {
        let exact = point * total as f64;
        match self {
            Self::Round => rounded(exact),
            Self::Floor => (exact + 0.9).trunc(),
            // The product may be just above a whole number even if that number reaches the recall.
            Self::Reach if (exact.ceil() - 1.0) / total as f64 >= point => exact.ceil() - 1.0,
            Self::Reach => exact.ceil(),
        }
    }
}

/// Tabulates the precisions behind the interpolated ones. The contribution of a recall point, given by
/// `weight`, goes to the document where precision is highest.
///
/// `None` for levels below zero, which are counted differently.
pub(super) fn board(
    relevant: &Relevant,
    points: &[f64],
    rule: RecallRule,
    weight: f64,
) -> Option<Board> {
    if relevant.retrieved != relevant.ranks.len() {
        return None;
    }
    let mut rows: Vec<BoardRow> = Vec::new();
    let precisions = relevant.ranks.iter().zip(relevant.precisions());
    for ((rank, precision), found) in precisions.zip(1u32..) {
        let recall = f64::from(found) / relevant.total as f64;
        rows.push(BoardRow::new(
            *rank,
            [f64::from(found), recall, precision, 0.0],
            0.0,
        ));
    }
    let mut best = 0.0;
    for row in rows.iter_mut().rev() {
        best = row.cells[2].map_or(best, |precision| precision.max(best));
        row.cells[3] = Some(best);
    }
    let mut values = Vec::new();
    interpolate(relevant, points, rule, |value| {
        values.push(value);
    });
    for value in values.iter().filter(|value| **value != 0.0) {
        // The walk starts at the end of the ranking and keeps the first of equal precisions.
        let source = rows
            .iter_mut()
            .rev()
            .find(|row| row.cells[2] == Some(*value));
        source?.share += value * weight;
    }
    let mut steps = vec![
        Step::column("best", "highest precision at this rank or below"),
        Step::column("at x", rule.caption()),
        Step::given(
            "R",
            "relevant documents in the judgements",
            relevant.total as f64,
        ),
    ];
    let at_points = points
        .iter()
        .zip(values.iter().rev())
        .map(|(point, value)| Step::given(format!("at x = {point}"), "", *value));
    steps.extend(at_points);
    Some(Board {
        columns: vec!["found", "recall", "precision", "best"],
        rows,
        steps,
    })
}

/// Calls `assign` with the interpolated precision at each recall point, the last point first.
///
/// trec_eval walks from the end of the ranking to the top and only considers the last remaining point, so a
/// point out of order, whose position was already passed, blocks all points before it. An empty ranking gives
/// NaN where no document is needed.
pub(super) fn interpolate(
    relevant: &Relevant,
    points: &[f64],
    rule: RecallRule,
    mut assign: impl FnMut(f64),
) {
    // Documents found at the current position of the walk; zero at the top.
    let mut place = f64::INFINITY;
    for point in points.iter().rev() {
        let mut needed = rule.documents(*point, relevant.total);
        if place.is_finite() && needed > place {
            needed = 0.0;
        }
        match relevant.highest_precision(needed) {
            Some(precision) => {
                place = needed.max(0.0);
                assign(precision);
            }
            None => assign(0.0),
        }
    }
}

/// Rounds half away from zero, without calling the math library for common numbers.
fn rounded(number: f64) -> f64 {
    /// 2^52: from here on every number is whole.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    if !(0.0..WHOLE / 2.0).contains(&number) {
        return number.round();
    }
    // Halves go to the even neighbour, which may be one too low.
    let nearest = (number + WHOLE) - WHOLE;
    let up = number - nearest == 0.5;
    nearest + f64::from(u8::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};
    use proptest::prelude::*;

    /// The walk as in trec_eval.
    fn walked(relevant: &Relevant, retrieved: usize, points: &[f64], rule: RecallRule) -> Vec<f64> {
        let needed = |point: &f64| rule.documents(*point, relevant.total);
        let mut open = points.iter().rev().map(needed).peekable();
        let mut found = relevant.retrieved as f64;
        let mut values = Vec::new();
        while open.next_if(|needed| *needed > found).is_some() {
            values.push(0.0);
        }
        let mut best = found / retrieved as f64;
        for &rank in relevant.ranks.iter().rev() {
            if found == 0.0 || open.peek().is_none() {
                break;
            }
            best = best.max(found / f64::from(rank));
            while open.next_if(|needed| *needed == found).is_some() {
                values.push(best);
            }
            found -= 1.0;
        }
        open.for_each(|_| values.push(best));
        values
    }

    proptest! {
        #[test]
        fn interpolation_agrees_with_the_walk(
            grades in prop::collection::btree_map(1u32..40, -1i8..3, 0..12),
            missed in 0u32..9,
            points in prop::collection::vec(-0.2..1.3, 0..5),
            level in -2i8..3,
        ) {
            let label = |grade: i8| match grade {
                -1 => Label::Pooled,
                _ => Label::Judged(f64::from(grade)),
            };
            let hits: Vec<Hit> = grades.iter().map(|(rank, grade)| Hit { rank: *rank, label: label(*grade) }).collect();
            let count = |grade: i8| missed + grades.values().filter(|known| **known == grade).count() as u32;
            let grades = [2, 1, 0].map(|grade| GradeCount { grade: f64::from(grade), count: count(grade) });
            for shown in [40, hits.last().map_or(0, |hit| hit.rank as usize)] {
                let topic = JudgedRanking::new(shown, &hits, RecallBase::new(&grades));
                let relevant = topic.relevant(f64::from(level));
                for rule in [RecallRule::Round, RecallRule::Floor, RecallRule::Reach] {
                    let mut values = Vec::new();
                    interpolate(&relevant, &points, rule, |value| values.push(value));
                    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
                    prop_assert_eq!(bits(values), bits(walked(&relevant, shown, &points, rule)));
                }
            }
        }

        #[test]
        fn rounding_agrees_with_the_standard_library(number in prop::num::f64::ANY, halves in -9i8..9) {
            for number in [number, f64::from(halves) / 2.0, f64::from(halves) / 2.0 - 1e-16] {
                let (rounded, expected) = (rounded(number), number.round());
                prop_assert!(rounded == expected || rounded.is_nan() && expected.is_nan());
            }
        }
    }
}
