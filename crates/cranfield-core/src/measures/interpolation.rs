//! Interpolated precision, for [`super::iprec`] and [`super::iap`].

use crate::explain::{Board, BoardRow, Step};
use crate::params::{ParamInfo, ParamKind, Params};
use crate::topic::Relevant;

/// How many relevant documents a recall point stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecallRule {
    /// x · R, rounded half away from zero (`trec_eval` 10).
    Round,
    /// ⌊x · R + 0.9⌋, cut towards zero (`trec_eval` 9).
    Floor,
    /// ⌈x · R⌉: as many as it takes to reach the recall (textbooks).
    Reach,
}

impl RecallRule {
    /// The parameter that chooses.
    pub(super) const PARAM: ParamInfo = ParamInfo {
        name: "recall",
        kind: ParamKind::Word(&["round", "floor(x+0.9)", "ceil"]),
        default: "round",
        help: "rounding of the number of relevant documents at a recall point: trec_eval 10, trec_eval 9, or as many as reach it",
    };

    /// From the parameter.
    pub(crate) fn of(params: &Params) -> Self {
        match params.word("recall") {
            "round" => Self::Round,
            "ceil" => Self::Reach,
            _ => Self::Floor,
        }
    }

    /// The number of relevant documents at a recall point; negative points give negative numbers.
    pub(crate) fn documents(self, point: f64, total: usize) -> f64 {
        let exact = point * total as f64;
        match self {
            Self::Round => exact.round(),
            Self::Floor => (exact + 0.9).trunc(),
            // The product may lie just above a whole number where the recall itself does not.
            Self::Reach if (exact.ceil() - 1.0) / total as f64 >= point => exact.ceil() - 1.0,
            Self::Reach => exact.ceil(),
        }
    }
}

/// The precisions from which interpolated ones are taken, as a table. A recall point's part of the value, given by
/// `weight`, is that of the document where the precision is highest.
///
/// `None` for levels below zero, which count otherwise.
pub(super) fn board(
    relevant: &Relevant,
    retrieved: usize,
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
    interpolate(relevant, retrieved, points, rule, |value| {
        values.push(value);
    });
    for value in values.iter().filter(|value| **value != 0.0) {
        // The walk goes up from the end of the ranking, and the first of equal precisions is kept.
        let source = rows
            .iter_mut()
            .rev()
            .find(|row| row.cells[2] == Some(*value));
        source?.share += value * weight;
    }
    let mut steps = vec![
        Step::column("best", "highest precision at this rank or below"),
        Step::column(
            "at x",
            "best where x * R documents are found, 0 where so many are not",
        ),
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

/// The interpolated precision where so many documents are needed, as [`interpolate`] has it for one point.
pub(super) fn interpolated(relevant: &Relevant, retrieved: usize, needed: f64) -> f64 {
    let mut found = relevant.retrieved as f64;
    if needed > found {
        return 0.0;
    }
    let mut best = found / retrieved as f64;
    for &rank in relevant.ranks.iter().rev() {
        if found == 0.0 {
            break;
        }
        best = best.max(found / f64::from(rank));
        if needed == found {
            break;
        }
        found -= 1.0;
    }
    best
}

/// Calls `assign` with the interpolated precision at each recall point, the last point first.
///
/// The walk goes from the end of the ranking to its top and only ever looks at the last point that is left,
/// as the reference does, so that points out of order get the values that they get there. An empty ranking
/// gives NaN where no document is needed.
pub(super) fn interpolate(
    relevant: &Relevant,
    retrieved: usize,
    points: &[f64],
    rule: RecallRule,
    mut assign: impl FnMut(f64),
) {
    let needed = |point: &f64| rule.documents(*point, relevant.total);
    let mut open = points.iter().rev().map(needed).peekable();
    let mut found = relevant.retrieved as f64;
    while open.next_if(|needed| *needed > found).is_some() {
        assign(0.0);
    }
    let mut best = found / retrieved as f64;
    for &rank in relevant.ranks.iter().rev() {
        if found == 0.0 || open.peek().is_none() {
            break;
        }
        best = best.max(found / f64::from(rank));
        while open.next_if(|needed| *needed == found).is_some() {
            assign(best);
        }
        found -= 1.0;
    }
    open.for_each(|_| assign(best));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_point_is_a_row_of_one(
            ranks in prop::collection::btree_set(1u32..40, 0..12),
            missed in 0usize..9,
            point in -0.2..1.3,
        ) {
            let ranks: Vec<u32> = ranks.into_iter().collect();
            let (retrieved, total) = (ranks.len(), ranks.len() + missed);
            let mut relevant = Relevant::default();
            (relevant.ranks, relevant.total, relevant.retrieved) = (ranks, total, retrieved);
            for rule in [RecallRule::Round, RecallRule::Floor, RecallRule::Reach] {
                let mut values = Vec::new();
                interpolate(&relevant, 40, &[point], rule, |value| values.push(value));
                let needed = rule.documents(point, total);
                prop_assert_eq!(values, [interpolated(&relevant, 40, needed)]);
            }
        }
    }
}
