//! Gains of a topic's documents and of its ideal ranking, for the measures of the cumulated gain family.

use std::borrow::Cow;
use std::cmp::Ordering;

use cranfield_core::gains::Gains;
use cranfield_core::merge_sort::merge_sort_by;
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::small_sort::SmallSort;
use cranfield_core::topic::DcgSums;
use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

use super::discount::Discount;

/// Up to this many unused levels below the highest grade are also in `trec_eval`'s table.
const MAX_UNUSED_LEVELS: f64 = 4096.0;

/// Documents of the ideal ranking and their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ideal {
    /// All judged documents, by gain.
    Gain,
    /// Same as `trec_eval` sorts its table of gains, which is incorrect if gains differ by less than 1.
    TrecEval,
    /// The documents of the ranking itself, by gain.
    Ranking,
    /// All judged documents by gain, regardless of the measure's cutoff.
    Uncut,
}

impl Ideal {
    /// The parameter that selects it.
    pub(super) const PARAM: ParamInfo = ParamInfo {
        name: "ideal",
        kind: ParamKind::Word(&["gain", "trec_eval", "ranking", "uncut"]),
        default: "gain",
        help: "ideal ranking: judged documents by gain (gain), as sorted by trec_eval, with its gains for -1 and -2 (trec_eval), only retrieved documents by gain (ranking), or judged documents beyond the cutoff too (uncut)",
    };
}

/// The gains of a measure.
#[derive(Clone, Debug)]
pub(crate) struct GainModel {
    gains: Gains,
    ideal: Ideal,
}

impl GainModel {
    /// Reads the parameters [`Gains::PARAM`] and [`Ideal::PARAM`].
    pub(crate) fn of(params: &Params) -> Self {
        let ideal = match params.word("ideal") {
            "trec_eval" => Ideal::TrecEval,
            "ranking" => Ideal::Ranking,
            "uncut" => Ideal::Uncut,
            _ => Ideal::Gain,
        };
        Self {
            ideal,
            ..Self::by_gain(params)
        }
    }

    /// Reads the parameter [`Gains::PARAM`] only.
    pub(crate) fn by_gain(params: &Params) -> Self {
        Self {
            gains: params.gains("gains").clone(),
            ideal: Ideal::Gain,
        }
    }

    /// The gain of a grade.
    pub(super) fn of_grade(&self, grade: f64) -> f64 {
        self.gains.of_grade(grade)
    }

    /// A document's gain as its merit, see [`Measure::merit`](cranfield_core::measure::Measure::merit); none if the gain
    /// of a document depends on `trec_eval`'s table.
    pub(super) fn merit(&self, label: Label) -> Option<f64> {
        let plain = self.ideal != Ideal::TrecEval || self.gains.pairs().is_empty();
        plain.then(|| self.gains.of_label(label))
    }

    /// Like `merit`, but only if the gain grows with the grade, for measures whose claim holds for neighbours
    /// only.
    pub(super) fn merit_by_rule(&self, label: Label) -> Option<f64> {
        let by_rule = self.gains.pairs().is_empty();
        by_rule.then(|| self.gains.of_label(label))
    }

    /// Whether gains are grades and the ideal ranking consists of all judged documents up to the cutoff.
    pub(super) fn is_by_grade(&self) -> bool {
        self.gains.is_identity() && matches!(self.ideal, Ideal::Gain | Ideal::TrecEval)
    }

    /// Whether sums of discounted grades are valid for these gains.
    pub(super) fn shares_dcg(&self, discount: Discount) -> bool {
        self.is_by_grade() && discount == Discount::Log2
    }

    /// The sums precomputed for all measures, if they exist and are valid for these gains.
    pub(super) fn shared_dcg<'a>(
        &self,
        topic: &JudgedRanking<'a>,
        discount: Discount,
    ) -> Option<&'a DcgSums> {
        topic.dcg_sums().filter(|_| self.shares_dcg(discount))
    }

    /// The gains of a topic. Without a table this allocates nothing.
    pub(crate) fn read<'a>(&'a self, topic: &JudgedRanking<'a>) -> TopicGains<'a> {
        let gains = &self.gains;
        if self.ideal == Ideal::TrecEval && !gains.pairs().is_empty() {
            let table = TrecTable::new(gains.pairs(), topic.base());
            let (ideal, hits) = (Cow::Owned(table.ideal()), table.hits(topic));
            return TopicGains {
                lookup: Lookup::Table(table),
                ideal,
                hits,
                cut: true,
                shared: None,
            };
        }
        let (lookup, hits) = if gains.is_identity() {
            (Lookup::Grade, topic.graded_hits())
        } else {
            (Lookup::Gains(gains), topic.hits())
        };
        TopicGains {
            lookup,
            ideal: match self.ideal {
                Ideal::Ranking => Cow::Owned(retrieved_ideal(gains, topic.hits())),
                Ideal::Gain | Ideal::TrecEval | Ideal::Uncut => gains.ideal(topic.base()),
            },
            hits: Cow::Borrowed(hits),
            cut: self.ideal != Ideal::Uncut,
            shared: self.shared_dcg(topic, Discount::Log2),
        }
    }
}

/// The positive gains of the retrieved documents in descending order.
fn retrieved_ideal(gains: &Gains, hits: &[Hit]) -> Vec<GradeCount> {
    let found = hits.iter().map(|hit| GradeCount {
        grade: gains.of_label(hit.label),
        count: 1,
    });
    let mut ideal: Vec<_> = found.filter(|step| step.grade > 0.0).collect();
    ideal.sort_unstable_by(|a, b| b.grade.total_cmp(&a.grade));
    ideal
}

#[derive(Debug)]
enum Lookup<'a> {
    Grade,
    Gains(&'a Gains),
    Table(TrecTable),
}

/// The gains of one topic.
#[derive(Debug)]
pub(crate) struct TopicGains<'a> {
    lookup: Lookup<'a>,
    ideal: Cow<'a, [GradeCount]>,
    /// Documents that may have a gain, by rank.
    hits: Cow<'a, [Hit]>,
    /// Whether the ideal ranking ends at the measure's cutoff.
    cut: bool,
    /// Their discounted sums, if precomputed for all measures.
    shared: Option<&'a DcgSums>,
}

impl TopicGains<'_> {
    /// Rank and gain of the retrieved documents whose gain is not zero, by rank.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        let gains = self.hits.iter().map(|hit| (hit.rank, self.gain(hit.label)));
        gains.filter(|(_, gain)| *gain != 0.0)
    }

    /// Discounted sums up to each rank.
    pub(super) fn dcg_sums(&self) -> Cow<'_, DcgSums> {
        match self.shared {
            Some(sums) => Cow::Borrowed(sums),
            None => Cow::Owned(DcgSums::of(self.documents(), &self.ideal)),
        }
    }

    /// Number of documents of the ideal ranking that a measure of this depth considers.
    pub(crate) fn ideal_depth(&self, depth: usize) -> usize {
        if self.cut { depth } else { usize::MAX }
    }

    /// Steps of the ideal ranking: positive gains in ranking order, each with its number of documents.
    pub(super) fn ideal_steps(&self) -> &[GradeCount] {
        &self.ideal
    }

    /// Gains of the ideal ranking, one per document.
    pub(crate) fn ideal_gains(&self) -> impl Iterator<Item = f64> + '_ {
        self.ideal
            .iter()
            .flat_map(|step| std::iter::repeat_n(step.grade, step.count as usize))
    }

    /// Rank and gain of the relevant documents retrieved, those with a positive gain, by rank.
    pub(super) fn relevant(&self) -> impl Iterator<Item = (u32, f64)> + '_ {
        self.documents().filter(|(_, gain)| *gain > 0.0)
    }

    /// Number of documents of the ideal ranking.
    pub(super) fn ideal_len(&self) -> usize {
        self.ideal.iter().map(|step| step.count as usize).sum()
    }

    /// The gain of a retrieved document.
    pub(super) fn gain(&self, label: Label) -> f64 {
        match &self.lookup {
            Lookup::Grade => label.gain(),
            Lookup::Gains(gains) => gains.of_label(label),
            Lookup::Table(table) => table.gain(label),
        }
    }
}

/// A row of `trec_eval`'s table of gains.
#[derive(Clone, Copy, Debug)]
struct Entry {
    level: f64,
    count: u32,
    gain: f64,
}

/// `trec_eval`'s table of gains for one topic, in its own order.
#[derive(Debug)]
pub(super) struct TrecTable {
    entries: Vec<Entry>,
}

impl TrecTable {
    /// The user's entries first, then the other levels; of a repeated level the first entry has the documents.
    pub(super) fn new(pairs: &[(f64, f64)], base: RecallBase<'_>) -> Self {
        let given = pairs.iter().map(|&(level, gain)| Entry {
            level,
            count: 0,
            gain,
        });
        let mut entries: Vec<_> = given.collect();
        for GradeCount { grade, count } in levels(base) {
            match entries.iter_mut().find(|entry| entry.level == grade) {
                Some(entry) => entry.count = count,
                None => entries.push(Entry {
                    level: grade,
                    count,
                    gain: grade,
                }),
            }
        }
        merge_sort_by(&mut entries, |a, b| truncated_order(a.gain - b.gain));
        Self { entries }
    }

    /// The gain of a document: that of the first entry for its level, where −1 means unjudged and −2 pooled.
    pub(super) fn gain(&self, label: Label) -> f64 {
        let level = label.code();
        self.entries
            .iter()
            .find(|entry| entry.level == level)
            .map_or(0.0, |entry| entry.gain)
    }

    /// The documents that may have a gain: those in the qrels, and all others if the user gave −1 a gain.
    pub(super) fn hits<'a>(&self, topic: &JudgedRanking<'a>) -> Cow<'a, [Hit]> {
        if self.gain(Label::Unjudged) == 0.0 {
            return Cow::Borrowed(topic.hits());
        }
        Cow::Owned(
            topic
                .labels()
                .zip(1u32..)
                .map(|(label, rank)| Hit { rank, label })
                .collect(),
        )
    }

    /// Maps gains linearly to the unit interval if any is outside it; the range always includes 0.
    pub(super) fn scale_to_unit(&mut self) {
        let (mut min, mut max) = (0.0, 0.0);
        for entry in &self.entries {
            min = f64::min(min, entry.gain);
            max = f64::max(max, entry.gain);
        }
        if min < 0.0 || max > 1.0 {
            for entry in &mut self.entries {
                entry.gain = (entry.gain - min) / (max - min);
            }
        }
    }

    /// Walks down the table from its last entry. The walk skips levels without documents and ends at the first
    /// gain that is not positive, even if that is the last entry.
    fn ideal(&self) -> Vec<GradeCount> {
        if self.entries.last().is_none_or(|last| last.gain <= 0.0) {
            return Vec::new();
        }
        let used = self.entries.iter().rev().filter(|entry| entry.count > 0);
        used.take_while(|entry| entry.gain > 0.0)
            .map(|entry| GradeCount {
                grade: entry.gain,
                count: entry.count,
            })
            .collect()
    }
}

/// The levels of the table in ascending order: the non-negative grades of the recall base and the whole numbers
/// below them.
fn levels(base: RecallBase<'_>) -> Vec<GradeCount> {
    let mut levels: Vec<_> = base
        .grades()
        .iter()
        .rev()
        .filter(|level| level.grade >= 0.0)
        .copied()
        .collect();
    let highest = base.highest().unwrap_or(0.0).clamp(0.0, MAX_UNUSED_LEVELS) as u32;
    let whole = (0..=highest).map(|level| GradeCount {
        grade: f64::from(level),
        count: 0,
    });
    levels.extend(
        whole.filter(|level| !base.grades().iter().any(|known| known.grade == level.grade)),
    );
    levels.small_sort_by(|a, b| a.grade.total_cmp(&b.grade));
    levels
}

/// The sign of a difference truncated to a 32-bit integer as on x86-64: out-of-range values become the minimum.
fn truncated_order(difference: f64) -> Ordering {
    let whole = difference.trunc();
    let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&whole);
    if fits {
        (whole as i32).cmp(&0)
    } else {
        Ordering::Less
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(pairs: &[(f64, f64)], grades: &[(f64, u32)]) -> TrecTable {
        let grades: Vec<_> = grades
            .iter()
            .map(|&(grade, count)| GradeCount { grade, count })
            .collect();
        TrecTable::new(pairs, RecallBase::new(&grades))
    }

    fn ideal(table: &TrecTable) -> Vec<(f64, u32)> {
        table
            .ideal()
            .iter()
            .map(|step| (step.grade, step.count))
            .collect()
    }

    const GRADES: &[(f64, u32)] = &[(2.0, 2), (1.0, 1), (0.0, 1)];

    #[test]
    fn close_gains_keep_the_given_order() {
        // Level 0 is appended last and compares equal to both, so the walk starts at gain 0 and ends there.
        assert_eq!(ideal(&table(&[(1.0, 0.5), (2.0, 0.9)], GRADES)), []);
        assert_eq!(
            ideal(&table(&[(0.0, 0.0), (1.0, 0.5), (2.0, 0.9)], GRADES)),
            [(0.9, 2), (0.5, 1)]
        );
    }

    #[test]
    fn first_entry_of_a_level_has_its_documents() {
        let table = table(&[(1.0, 5.0), (1.0, 3.0)], GRADES);
        assert_eq!(ideal(&table), [(5.0, 1), (2.0, 2)]);
        // A lookup finds the first entry in sorted order, which is the other one.
        assert_eq!(table.gain(Label::Judged(1.0)), 3.0);
    }

    #[test]
    fn unused_levels_take_part_in_the_sort() {
        assert_eq!(ideal(&table(&[(7.0, 100.0)], GRADES)), [(2.0, 2), (1.0, 1)]);
        assert_eq!(table(&[(1.0, 2.0)], &[(3.0, 1)]).entries.len(), 4);
        assert_eq!(table(&[(1.0, 2.0)], &[(9e15, 1)]).entries.len(), 4098);
        assert_eq!(table(&[(1.0, 2.0)], &[]).entries.len(), 2);
    }

    #[test]
    fn scaling_range_includes_zero() {
        let mut scaled = table(&[(0.0, -1.0), (1.0, 1.0)], &[(1.0, 1), (0.0, 1)]);
        scaled.scale_to_unit();
        assert_eq!(scaled.gain(Label::Judged(0.0)), 0.0);
        assert_eq!(scaled.gain(Label::Judged(1.0)), 1.0);
        let mut inside = table(&[(1.0, 0.5)], &[(1.0, 1), (0.0, 1)]);
        inside.scale_to_unit();
        assert_eq!(inside.gain(Label::Judged(1.0)), 0.5);
    }

    #[test]
    fn differences_are_truncated_as_on_x86() {
        assert_eq!(truncated_order(0.99), Ordering::Equal);
        assert_eq!(truncated_order(-0.99), Ordering::Equal);
        assert_eq!(truncated_order(1.0), Ordering::Greater);
        assert_eq!(truncated_order(-1.5), Ordering::Less);
        assert_eq!(truncated_order(3e9), Ordering::Less);
    }
}
