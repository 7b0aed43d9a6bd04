//! Discounted cumulative gain up to each rank, for measures that differ in their cutoff alone.

use super::common::log2_discount;
use crate::topic::JudgedRanking;

/// Sums of grade / log2(rank + 1), each over the documents up to a rank.
#[derive(Debug, Default)]
pub(crate) struct DcgSums {
    /// Ranks that have a positive grade, and the sum up to each.
    found: Vec<(u32, f64)>,
    /// The sums of the ideal ranking: all judged documents by grade.
    ideal: Vec<f64>,
}

impl DcgSums {
    /// Makes the sums of a topic.
    pub(crate) fn fill(&mut self, topic: &JudgedRanking<'_>) {
        self.found.clear();
        let mut sum = 0.0;
        for hit in topic.hits() {
            let gain = hit.label.gain();
            if gain > 0.0 {
                sum += gain / log2_discount(hit.rank);
                self.found.push((hit.rank, sum));
            }
        }
        self.ideal.clear();
        let (mut sum, mut rank) = (0.0, 0);
        for step in topic.base().positive() {
            for _ in 0..step.count {
                rank += 1;
                sum += step.grade / log2_discount(rank);
                self.ideal.push(sum);
            }
        }
    }

    /// Discounted cumulative gain of the first `depth` documents.
    pub(super) fn dcg(&self, depth: usize) -> f64 {
        let shown = self
            .found
            .partition_point(|(rank, _)| *rank as usize <= depth);
        shown.checked_sub(1).map_or(0.0, |last| self.found[last].1)
    }

    /// The same of the ideal ranking.
    pub(super) fn ideal(&self, depth: usize) -> f64 {
        let shown = depth.min(self.ideal.len());
        shown.checked_sub(1).map_or(0.0, |last| self.ideal[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic::{GradeCount, Hit, Label, RecallBase};

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
            sums.fill(&JudgedRanking::new(9, &hits, RecallBase::new(&grades)));
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
}
