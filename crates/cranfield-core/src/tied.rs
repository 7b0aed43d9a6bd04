//! A ranking whose ties are open, and expected values over the orders of ties that need no enumeration.
//!
//! Documents with equal scores form a group, and every order of a group is equally likely. F. `McSherry` and
//! M. Najork (Computing information retrieval performance measures efficiently in the presence of tied scores, ECIR 2008)
//! give closed forms for precision, recall, average precision, reciprocal rank, F and nDCG. They reduce to four forms, of which a
//! measure chooses one in [`Measure::expected`](crate::measure::Measure::expected):
//!
//! - [`additive`](TiedRanking::additive): every rank adds a term of its own document (P, R, nDCG, RBP);
//! - [`cascade`](TiedRanking::cascade): a user stops at the first document that satisfies (RR, Success, ERR);
//! - [`pairs`](TiedRanking::pairs): a document's term is a sum over the documents above it (AP, Q);
//! - [`rank_of`](TiedRanking::rank_of): the rank of the n-th relevant document (ESL, `LastRel`).
//!
//! ```
//! use cranfield_core::tied::TiedRanking;
//! use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};
//!
//! // Two documents with equal scores, one of them relevant: reciprocal rank is 1 or 1/2.
//! let hits = [Hit { rank: 1, label: Label::Judged(1.0) }];
//! let grades = [GradeCount { grade: 1.0, count: 1 }];
//! let topic = JudgedRanking::new(2, &hits, RecallBase::new(&grades));
//! let groups = [0..2];
//! let tied = TiedRanking::new(topic, &groups);
//! let satisfied = |label: Label| label.relevance(1.0);
//! assert_eq!(tied.cascade(satisfied, |rank| 1.0 / f64::from(rank), usize::MAX), Some(0.75));
//! ```

use std::ops::Range;

use crate::topic::{Hit, JudgedRanking, Label};

/// Maximum number of steps of a closed form for one topic and measure.
const MAX_STEPS: usize = 10_000_000;
/// Maximum number of tied documents to rotate through their groups.
const MAX_TURNS: usize = 10_000;

/// One topic's ranking in which the order of some documents is open.
#[derive(Clone, Debug)]
pub struct TiedRanking<'a> {
    topic: JudgedRanking<'a>,
    groups: &'a [Range<u32>],
    segments: Vec<Segment>,
}

/// Neighbouring ranks whose documents may be in any order: a group of ties, or one document.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    first: u32,
    len: u32,
    labels: Vec<(Label, u32)>,
}

impl Segment {
    fn new(first: u32, len: u32) -> Self {
        Self {
            first,
            len,
            labels: Vec::new(),
        }
    }

    fn add(&mut self, label: Label) {
        add_label(&mut self.labels, label, 1);
    }

    /// Its first rank, from 1.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Number of its documents.
    pub fn documents(&self) -> u32 {
        self.len
    }

    /// Number of its documents in the qrels whose label is a wanted one.
    pub fn count(&self, wanted: impl Fn(Label) -> bool) -> u32 {
        let found = self.labels.iter().filter(|(label, _)| wanted(*label));
        found.map(|(_, count)| count).sum()
    }

    /// The mean over its documents of a function that is 0 for an unjudged document.
    fn mean(&self, of: impl Fn(Label) -> f64) -> f64 {
        let mut sum = 0.0;
        for (label, count) in &self.labels {
            sum += f64::from(*count) * of(*label);
        }
        sum / f64::from(self.len)
    }

    /// The mean over ordered pairs of two of its documents.
    fn mean_of_pairs(&self, of: impl Fn(Label, Label) -> f64) -> f64 {
        if self.len < 2 {
            return 0.0;
        }
        let mut sum = 0.0;
        for (at, (one, count)) in self.labels.iter().enumerate() {
            for (other_at, (other, others)) in self.labels.iter().enumerate() {
                let others = others - u32::from(at == other_at);
                sum += f64::from(*count) * f64::from(others) * of(*one, *other);
            }
        }
        sum / (f64::from(self.len) * f64::from(self.len - 1))
    }
}

fn add_label(labels: &mut Vec<(Label, u32)>, label: Label, count: u32) {
    match labels.iter_mut().find(|(known, _)| *known == label) {
        Some((_, known)) => *known += count,
        None => labels.push((label, count)),
    }
}

impl<'a> TiedRanking<'a> {
    /// From one of the orders, and the groups (rank ranges from 0, ascending) whose order is open; each holds a
    /// document that is in the qrels.
    pub fn new(topic: JudgedRanking<'a>, groups: &'a [Range<u32>]) -> Self {
        let mut segments: Vec<Segment> = Vec::new();
        let mut open = groups.iter().peekable();
        for hit in topic.hits() {
            let inside = |segment: &&mut Segment| hit.rank < segment.first + segment.len;
            if let Some(segment) = segments.last_mut().filter(inside) {
                segment.add(hit.label);
                continue;
            }
            while open.next_if(|group| group.end < hit.rank).is_some() {}
            let mut segment = match open.next_if(|group| group.start < hit.rank) {
                Some(group) => Segment::new(group.start + 1, group.end - group.start),
                None => Segment::new(hit.rank, 1),
            };
            segment.add(hit.label);
            segments.push(segment);
        }
        Self {
            topic,
            groups,
            segments,
        }
    }

    /// One of the orders.
    pub fn order(&self) -> JudgedRanking<'a> {
        self.topic
    }

    /// The ranking in pieces whose order is open, by rank; ranks of unjudged documents alone are left out.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The expected value of a measure that is a linear function, independent of the order, of a sum over ranks of terms that
    /// depend only on the rank and its document.
    ///
    /// Each group is rotated, so that each of its documents is at each of its ranks once. `None` for very large
    /// groups, and where a value is undefined.
    pub fn additive(&self, evaluate: impl Fn(&JudgedRanking<'_>) -> Option<f64>) -> Option<f64> {
        let tied: usize = self.groups.iter().map(ExactSizeIterator::len).sum();
        if tied > MAX_TURNS {
            return None;
        }
        let first = evaluate(&self.topic)?;
        let mut expected = first;
        let mut hits = self.topic.hits().to_vec();
        for group in self.groups {
            let start = hits.partition_point(|hit| hit.rank <= group.start);
            let end = hits.partition_point(|hit| hit.rank <= group.end);
            let inside = &self.topic.hits()[start..end];
            let mut excess = 0.0;
            for turn in 1..group.end - group.start {
                turn_round(inside, group, turn, &mut hits[start..end]);
                let turned = JudgedRanking::new(self.topic.retrieved(), &hits, self.topic.base());
                excess += evaluate(&turned)? - first;
            }
            hits[start..end].copy_from_slice(inside);
            expected += excess / f64::from(group.end - group.start);
        }
        Some(expected)
    }

    /// The expected value of Σ over ranks i up to `depth` of weight(i) · (V(i − 1) − V(i)), where V(i) is the probability
    /// that none of the first i documents satisfied: the product of 1 − `satisfied`, which is 0 for unjudged documents.
    ///
    /// In a group, V after j documents is the mean over its subsets of j documents. `None` for very large groups.
    pub fn cascade(
        &self,
        satisfied: impl Fn(Label) -> f64,
        weight: impl Fn(u32) -> f64,
        depth: usize,
    ) -> Option<f64> {
        let (mut sum, mut reading, mut steps) = (0.0, 1.0, 0);
        for segment in &self.segments {
            if segment.first as usize > depth {
                break;
            }
            let marked = segment.count(|label| satisfied(label) != 0.0) as usize;
            steps += marked.saturating_mul(marked + segment.len as usize);
            if steps > MAX_STEPS {
                return None;
            }
            let reached = mean_products(segment, |label| 1.0 - satisfied(label));
            let mut draws = Draws::new(segment.len, reached.len() as u32 - 1);
            let mut before = 1.0;
            for rank in (segment.first..segment.first + segment.len)
                .take_while(|rank| *rank as usize <= depth)
            {
                draws.draw();
                let after = draws.mean(&reached);
                sum += reading * (before - after) * weight(rank);
                before = after;
            }
            reading *= reached.last().copied().unwrap_or(1.0);
        }
        Some(sum)
    }

    /// The expected value of Σ over ranks i up to `depth` of weight(i) · (own(document at i) + Σ over the documents above
    /// i of pair(document at i, document above)); both are 0 where one of the documents is unjudged. The weight is asked for by rank, ascending.
    ///
    /// `None` where documents have very many different grades.
    pub fn pairs(
        &self,
        own: impl Fn(Label) -> f64,
        pair: impl Fn(Label, Label) -> f64,
        mut weight: impl FnMut(u32) -> f64,
        depth: usize,
    ) -> Option<f64> {
        let mut above: Vec<(Label, u32)> = Vec::new();
        let (mut sum, mut steps) = (0.0, 0);
        for segment in &self.segments {
            if segment.first as usize > depth {
                break;
            }
            steps += segment.labels.len() * (segment.labels.len() + above.len());
            if steps > MAX_STEPS {
                return None;
            }
            let alone = segment.mean(|label| {
                let pairs = above.iter();
                let pairs = pairs.map(|(other, count)| f64::from(*count) * pair(label, *other));
                own(label) + pairs.sum::<f64>()
            });
            let together = segment.mean_of_pairs(&pair);
            for place in 0..segment.len {
                let rank = segment.first + place;
                if rank as usize > depth {
                    break;
                }
                sum += weight(rank) * (alone + f64::from(place) * together);
            }
            for (label, count) in &segment.labels {
                add_label(&mut above, *label, *count);
            }
        }
        Some(sum)
    }

    /// The expected rank of the n-th document (from 1) that is wanted; `None` if there are fewer. No unjudged document is
    /// wanted.
    ///
    /// In a group of s documents that starts behind rank a and has r wanted ones, the t-th of them is at a + t · (s + 1)
    /// / (r + 1) on average.
    pub fn rank_of(&self, number: u32, wanted: impl Fn(Label) -> bool) -> Option<f64> {
        let mut seen = 0;
        for segment in &self.segments {
            let found = segment.count(&wanted);
            if seen + found >= number && number > seen {
                let place = f64::from(number - seen) * f64::from(segment.len + 1);
                return Some(f64::from(segment.first - 1) + place / f64::from(found + 1));
            }
            seen += found;
        }
        None
    }
}

/// The hits of a group with every document `turn` ranks further down, and those at its end at its start again.
fn turn_round(inside: &[Hit], group: &Range<u32>, turn: u32, turned: &mut [Hit]) {
    let len = group.end - group.start;
    let stays = inside.partition_point(|hit| hit.rank + turn <= group.end);
    let (down, up) = inside.split_at(stays);
    let moved = up.iter().map(|hit| hit.rank + turn - len);
    let ranks = moved.chain(down.iter().map(|hit| hit.rank + turn));
    for ((place, hit), rank) in turned.iter_mut().zip(up.iter().chain(down)).zip(ranks) {
        *place = Hit { rank, ..*hit };
    }
}

/// The mean product of `onward` over the subsets of t documents, for t = 0, 1, …, of those of a segment whose `onward` is
/// not 1.
fn mean_products(segment: &Segment, onward: impl Fn(Label) -> f64) -> Vec<f64> {
    let mut means = vec![1.0];
    for (label, count) in &segment.labels {
        let factor = onward(*label);
        if factor == 1.0 {
            continue;
        }
        let before = means.len();
        means.resize(before + *count as usize, 0.0);
        for documents in before..means.len() {
            for chosen in (1..=documents).rev() {
                let with = chosen as f64 / documents as f64;
                means[chosen] = (1.0 - with) * means[chosen] + with * factor * means[chosen - 1];
            }
        }
    }
    means
}

/// The distribution of the number of `marked` documents among those drawn from a group so far.
#[derive(Debug)]
struct Draws {
    left: f64,
    probabilities: Vec<f64>,
}

impl Draws {
    fn new(documents: u32, marked: u32) -> Self {
        let mut probabilities = vec![0.0; marked as usize + 1];
        probabilities[0] = 1.0;
        Self {
            left: f64::from(documents),
            probabilities,
        }
    }

    fn draw(&mut self) {
        let marked = self.probabilities.len() - 1;
        for number in (0..=marked).rev() {
            let hit = |drawn: usize| (marked - drawn) as f64 / self.left;
            let stays = self.probabilities[number] * (1.0 - hit(number));
            let comes = match number {
                0 => 0.0,
                _ => self.probabilities[number - 1] * hit(number - 1),
            };
            self.probabilities[number] = stays + comes;
        }
        self.left -= 1.0;
    }

    /// The mean of a value by number drawn.
    fn mean(&self, values: &[f64]) -> f64 {
        let terms = self.probabilities.iter().zip(values);
        terms.map(|(probability, value)| probability * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic::RecallBase;

    fn hit(rank: u32, grade: f64) -> Hit {
        Hit {
            rank,
            label: Label::Judged(grade),
        }
    }

    #[test]
    fn segments_are_groups_and_single_documents() {
        let hits = [hit(1, 1.0), hit(4, 0.0), hit(6, 2.0), hit(7, 2.0)];
        let topic = JudgedRanking::new(9, &hits, RecallBase::default());
        let groups = [2..6, 6..8];
        let tied = TiedRanking::new(topic, &groups);
        let shape: Vec<_> = tied.segments().iter().map(|s| (s.first, s.len)).collect();
        assert_eq!(shape, [(1, 1), (3, 4), (7, 2)]);
        assert_eq!(tied.segments()[1].count(|label| label.gain() > 0.0), 1);
    }

    #[test]
    fn rotation_brings_the_last_document_first() {
        let inside = [hit(3, 1.0), hit(5, 2.0)];
        let mut turned = inside;
        turn_round(&inside, &(2..5), 1, &mut turned);
        assert_eq!(turned, [hit(3, 2.0), hit(4, 1.0)]);
        turn_round(&inside, &(2..5), 2, &mut turned);
        assert_eq!(turned, [hit(4, 2.0), hit(5, 1.0)]);
    }

    #[test]
    fn the_first_relevant_document_of_a_group() {
        // Two relevant documents of four, behind rank 1: the first is at rank 1 + 5/3 on average.
        let hits = [hit(2, 1.0), hit(3, 1.0)];
        let topic = JudgedRanking::new(5, &hits, RecallBase::default());
        let tied = TiedRanking::new(topic, std::slice::from_ref(&(1..5)));
        let relevant = |label: Label| label.gain() > 0.0;
        assert_eq!(tied.rank_of(1, relevant), Some(1.0 + 5.0 / 3.0));
        assert_eq!(tied.rank_of(2, relevant), Some(1.0 + 10.0 / 3.0));
        assert_eq!(tied.rank_of(3, relevant), None);
        // First at place 1, 2, 3 with probability 1/2, 1/3, 1/6.
        let rr = tied.cascade(
            |label| label.relevance(1.0),
            |rank| 1.0 / f64::from(rank),
            9,
        );
        let expected = 0.5 / 2.0 + 1.0 / 3.0 / 3.0 + 1.0 / 6.0 / 4.0;
        assert!((rr.unwrap() - expected).abs() < 1e-15);
    }

    #[test]
    fn huge_groups_have_no_closed_form() {
        let hits: Vec<Hit> = (1..=20_000)
            .map(|rank| hit(rank, f64::from(rank % 2)))
            .collect();
        let topic = JudgedRanking::new(20_000, &hits, RecallBase::default());
        let tied = TiedRanking::new(topic, std::slice::from_ref(&(0..20_000)));
        assert_eq!(tied.additive(|_| Some(1.0)), None);
        assert_eq!(
            tied.cascade(|label| label.relevance(1.0), |_| 1.0, 10),
            None
        );
    }
}
