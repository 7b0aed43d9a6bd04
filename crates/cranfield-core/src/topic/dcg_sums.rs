//! Discounted cumulative gain up to each rank, shared by measures that differ only in their cutoff.

use std::sync::LazyLock;

use super::{GradeCount, Hit};

/// log2(rank + 1) for the first ranks, so that measures do not recompute these logarithms for every topic.
static LOG2_RANK_PLUS_1: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..=1024u32)
        .map(|rank| f64::from(rank + 1).log2())
        .collect()
});

/// The logarithmic discount as in `trec_eval`: log2(rank + 1), rank from 1.
#[inline]
pub fn log2_discount(rank: u32) -> f64 {
    let known = LOG2_RANK_PLUS_1.get(rank as usize).copied();
    known.unwrap_or_else(|| (f64::from(rank) + 1.0).log2())
}

/// log2 of a number, from the table for small whole numbers.
#[inline]
pub fn log2(number: f64) -> f64 {
    let below = number - 1.0;
    let rank = below as u32;
    let known = LOG2_RANK_PLUS_1.get(rank as usize);
    let known = known.filter(|_| f64::from(rank) == below);
    known.copied().unwrap_or_else(|| number.log2())
}

/// Prefix sums of gain / log2(rank + 1) by rank.
#[derive(Clone, Debug, Default)]
pub struct DcgSums {
    /// The documents whose gain is not zero.
    found: Vec<DcgSum>,
    /// The sums of the ideal ranking.
    ideal: Vec<f64>,
}

/// The sum up to a document whose gain is not zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DcgSum {
    /// Rank, from 1.
    pub rank: u32,
    /// Whether the gain is positive.
    pub gains: bool,
    /// The sum down to this rank.
    pub dcg: f64,
}

impl DcgSums {
    /// Computes the sums of a topic whose gains are grades, from its hits and the positive grades of its recall
    /// base.
    pub fn fill(&mut self, hits: &[Hit], ideal: &[GradeCount]) {
        let gains = hits.iter().map(|hit| (hit.rank, hit.label.gain()));
        self.fill_found(gains.filter(|(_, gain)| *gain > 0.0));
        self.fill_ideal(ideal);
    }

    /// Computes the sums of documents with non-zero gains, by rank, and of the steps of an ideal ranking.
    pub fn of(documents: impl Iterator<Item = (u32, f64)>, ideal: &[GradeCount]) -> Self {
        let mut sums = Self::default();
        sums.fill_found(documents);
        sums.fill_ideal(ideal);
        sums
    }

    fn fill_found(&mut self, documents: impl Iterator<Item = (u32, f64)>) {
        self.found.clear();
        let mut dcg = 0.0;
        for (rank, gain) in documents {
            dcg += gain / log2_discount(rank);
            let gains = gain > 0.0;
            self.found.push(DcgSum { rank, gains, dcg });
        }
    }

    fn fill_ideal(&mut self, steps: &[GradeCount]) {
        self.ideal.clear();
        let (mut sum, mut rank) = (0.0, 0);
        for step in steps {
            for _ in 0..step.count {
                rank += 1;
                sum += step.grade / log2_discount(rank);
                self.ideal.push(sum);
            }
        }
    }

    /// The documents whose gain is not zero, by rank.
    pub fn found(&self) -> &[DcgSum] {
        &self.found
    }

    /// Discounted cumulative gain of the first `depth` documents.
    pub fn dcg(&self, depth: usize) -> f64 {
        let shown = self.found.partition_point(|sum| sum.rank as usize <= depth);
        shown
            .checked_sub(1)
            .map_or(0.0, |last| self.found[last].dcg)
    }

    /// Discounted cumulative gain of the first `depth` documents of the ideal ranking.
    pub fn ideal(&self, depth: usize) -> f64 {
        let shown = depth.min(self.ideal.len());
        shown.checked_sub(1).map_or(0.0, |last| self.ideal[last])
    }

    /// Number of documents of the ideal ranking.
    pub fn ideal_len(&self) -> usize {
        self.ideal.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic::{Label, RecallBase};

    #[test]
    fn sums_up_to_each_rank() {
        let hits = [
            (1, Label::Judged(3.0)),
            (2, Label::Pooled),
            (3, Label::Judged(2.0)),
        ];
        let hits = hits.map(|(rank, label)| Hit { rank, label });
        let grades = [(3.0, 1), (2.0, 1), (1.0, 2), (0.0, 5)];
        let grades = grades.map(|(grade, count)| GradeCount { grade, count });
        let mut sums = DcgSums::default();
        for _ in 0..2 {
            sums.fill(&hits, RecallBase::new(&grades).positive());
        }
        assert_eq!(
            [0, 1, 2, 3, 9].map(|depth| sums.dcg(depth)),
            [0.0, 3.0, 3.0, 4.0, 4.0]
        );
        let two = 3.0 + 2.0 / 3f64.log2();
        assert_eq!(
            [0, 1, 2, 3].map(|depth| sums.ideal(depth)),
            [0.0, 3.0, two, two + 0.5]
        );
        assert_eq!(sums.ideal(usize::MAX), two + 0.5 + 1.0 / 5f64.log2());
    }

    #[test]
    fn discounts_beyond_the_table_agree_with_it() {
        assert_eq!(log2_discount(1), 1.0);
        assert_eq!(log2_discount(1023), 10.0);
        assert_eq!(log2_discount(2047), 11.0);
    }

    #[test]
    fn logarithms_from_the_table_agree_with_log2() {
        for number in [0.5, 1.0, 2.0, 3.0, 3.5, 1024.0, 1025.0, 1026.0, 1e300] {
            assert_eq!(log2(number), number.log2());
        }
        assert_eq!(log2(0.0), f64::NEG_INFINITY);
        assert!(log2(-1.0).is_nan());
    }
}
