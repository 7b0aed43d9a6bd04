//! Compares the rank column of a topic with its scores.

use cranfield_core::small_sort::SmallSort;

use crate::code::Code;

use super::line::Row;

/// Codes that new ranks repair.
pub(super) const CODES: [Code; 4] = [
    Code::RankContradictsScore,
    Code::RanksFromZero,
    Code::DuplicateRank,
    Code::RankGap,
];

/// Minimum number of distinct scores in a reversed ranking; shorter ones are contradictory.
const MIN_REVERSED: usize = 3;

/// Faults of the ranks of a topic; rows are given by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// The row with rank 0, if that is the first rank.
    pub(super) from_zero: Option<usize>,
    /// The first row whose rank does not follow the previous one.
    pub(super) gap: Option<usize>,
    /// Two rows with the same rank.
    pub(super) repeated: Option<(usize, usize)>,
    /// A row, and a row with a better rank but a lower score.
    pub(super) contradiction: Option<(usize, usize)>,
    /// Whether scores never decrease with the rank.
    pub(super) is_reversed: bool,
}

impl Verdict {
    /// Whether anything is wrong.
    pub(super) fn is_fault(&self) -> bool {
        *self != Self::default()
    }
}

/// Checks the ranks of a topic. Finds nothing if any row has no rank.
pub(super) fn judge(rows: &[Row<'_>]) -> Verdict {
    let ranks: Option<Vec<f64>> = rows.iter().map(|row| row.rank).collect();
    let Some(ranks) = ranks.filter(|ranks| !ranks.is_empty()) else {
        return Verdict::default();
    };
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    if !ranks.is_sorted() {
        order.small_sort_by(|a, b| ranks[*a].total_cmp(&ranks[*b]));
    }
    let repeated = order
        .windows(2)
        .find(|two| ranks[two[0]] == ranks[two[1]])
        .map(|two| (two[0], two[1]));
    let starts_at_zero = ranks[order[0]] == 0.0;
    let is_zero_twice = repeated.is_some_and(|(row, _)| ranks[row] == 0.0);
    let is_reversed = repeated.is_none() && is_reversed(rows, &order);
    Verdict {
        from_zero: (starts_at_zero && !is_zero_twice).then_some(order[0]),
        gap: if repeated.is_none() {
            gap(&ranks, &order)
        } else {
            None
        },
        repeated,
        contradiction: if is_reversed {
            None
        } else {
            contradiction(rows, &ranks, &order)
        },
        is_reversed,
    }
}

fn gap(ranks: &[f64], order: &[usize]) -> Option<usize> {
    let first = if ranks[order[0]] == 0.0 { 0.0 } else { 1.0 };
    let mut numbered = order.iter().enumerate();
    numbered
        .find(|(at, row)| ranks[**row] != first + *at as f64)
        .map(|(_, row)| *row)
}

/// Finds a row that contradicts a better rank. Rows of equal rank do not contradict each other.
fn contradiction(rows: &[Row<'_>], ranks: &[f64], order: &[usize]) -> Option<(usize, usize)> {
    let mut lowest: Option<usize> = None;
    for same in order.chunk_by(|a, b| ranks[*a] == ranks[*b]) {
        if let Some(lowest) = lowest {
            let higher = same
                .iter()
                .find(|row| rows[**row].value > rows[lowest].value);
            if let Some(higher) = higher {
                return Some((*higher, lowest));
            }
        }
        let candidates = same.iter().copied().chain(lowest);
        lowest = candidates.min_by(|a, b| rows[*a].value.total_cmp(&rows[*b].value));
    }
    None
}

fn is_reversed(rows: &[Row<'_>], order: &[usize]) -> bool {
    let scores = || order.iter().map(|row| rows[*row].value);
    let rises = scores()
        .zip(scores().skip(1))
        .filter(|(a, b)| a < b)
        .count();
    rises + 1 >= MIN_REVERSED && scores().is_sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(rows: &[(f64, f64)]) -> Verdict {
        let rows: Vec<Row<'_>> = rows
            .iter()
            .map(|(rank, score)| Row::without_line(b"d", *score, Some(*rank)))
            .collect();
        judge(&rows)
    }

    #[test]
    fn correct_ranks_have_no_fault() {
        assert!(!verdict(&[(1.0, 3.0), (2.0, 2.0), (3.0, 2.0)]).is_fault());
        assert!(!verdict(&[(3.0, 1.0), (1.0, 3.0), (2.0, 2.0)]).is_fault());
        assert!(!verdict(&[]).is_fault());
        let rankless = [Row::without_line(b"d", 1.0, None)];
        assert!(!judge(&rankless).is_fault());
    }

    #[test]
    fn each_fault_is_found() {
        assert_eq!(verdict(&[(0.0, 3.0), (1.0, 2.0)]).from_zero, Some(0));
        assert_eq!(verdict(&[(1.0, 3.0), (3.0, 2.0)]).gap, Some(1));
        assert_eq!(verdict(&[(2.0, 3.0), (3.0, 2.0)]).gap, Some(0));
        assert_eq!(verdict(&[(1.0, 3.0), (1.0, 2.0)]).repeated, Some((0, 1)));
        assert_eq!(
            verdict(&[(1.0, 1.0), (2.0, 2.0)]).contradiction,
            Some((1, 0))
        );
        assert_eq!(
            verdict(&[(1.0, 3.0), (2.0, 1.0), (3.0, 2.0)]).contradiction,
            Some((2, 1))
        );
        let reversed = verdict(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
        assert!(reversed.is_reversed && reversed.contradiction.is_none());
        let all_zero = verdict(&[(0.0, 3.0), (0.0, 2.0)]);
        assert_eq!(
            (all_zero.from_zero, all_zero.repeated),
            (None, Some((0, 1)))
        );
    }
}
