//! Arithmetic shared by several measures.

use cranfield_core::params::{Cutoff, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label, RecallBase, Relevant};

use super::discount::Discount;
use super::gain_model::TopicGains;

/// Whether a number is whole, without calling the math library.
pub(super) fn is_whole(number: f64) -> bool {
    // From 2^52 on every number is whole.
    number.abs() >= 4_503_599_627_370_496.0 || number as i64 as f64 == number
}

/// `numerator / denominator`, or `None` for a denominator of zero.
pub(super) fn ratio(numerator: usize, denominator: usize) -> Option<f64> {
    (denominator > 0).then(|| numerator as f64 / denominator as f64)
}

/// `numerator / denominator`, or `None` if the denominator is zero or a sum of gains overflowed.
pub(crate) fn quotient(numerator: f64, denominator: f64) -> Option<f64> {
    (denominator > 0.0)
        .then(|| numerator / denominator)
        .filter(|value| value.is_finite() && denominator.is_finite())
}

/// The number of ranks that a measure with an optional cutoff considers.
pub(super) fn depth(cutoff: Option<Cutoff>) -> usize {
    cutoff.map_or(usize::MAX, Cutoff::get)
}

/// The documents that a binary measure counts: those of at least this grade, down to this rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    pub(super) level: f64,
    pub(super) depth: usize,
}

impl Within {
    /// The level and the cutoff of a name.
    pub(super) fn of(params: &Params) -> Self {
        Self {
            level: params.level(),
            depth: depth(params.cutoff()),
        }
    }
}

/// Σ of H(i) / i over the relevant ranks i within the cutoff: average precision before division by R.
pub(super) fn precision_sum(relevant: &Relevant, cutoff: Option<Cutoff>) -> f64 {
    let found = cutoff.map_or(relevant.ranks.len(), |k| relevant.count_at(k.get()));
    relevant.precision_sum(found)
}

/// The expected value over ties of [`precision_sum`].
///
/// A document is relevant with the probability r / s of its group, and given that, the one above it in the
/// group with probability (r − 1) / (s − 1).
pub(super) fn expected_precision_sum(
    topic: &TiedRanking<'_>,
    level: f64,
    cutoff: Option<Cutoff>,
) -> Option<f64> {
    let relevant = |label: Label| label.relevance(level);
    let both = |one: Label, above: Label| relevant(one) * relevant(above);
    let weight = |rank: u32| 1.0 / f64::from(rank);
    let sum = || topic.pairs(relevant, both, weight, depth(cutoff));
    // Below that level unjudged documents count as relevant.
    (level > -1.0).then(sum)?
}

/// The contingency-table cells of the non-relevant documents.
#[derive(Debug)]
pub(super) struct Contingency {
    pub(super) nonrelevant_retrieved: f64,
    pub(super) nonrelevant_missed: f64,
}

impl Contingency {
    /// Counts for the first `depth` documents in a collection of `docs`, or for judged documents only if that
    /// is 0. `None` if more documents are known than the collection contains.
    pub(super) fn of(
        topic: &JudgedRanking<'_>,
        level: f64,
        depth: usize,
        docs: f64,
    ) -> Option<Self> {
        let (shown, all) = if docs > 0.0 {
            let relevant = topic.relevant(level);
            let shown = topic.retrieved().min(depth) - relevant.count_at(depth);
            (shown, docs - relevant.total as f64)
        } else {
            let judged = topic.hits_at(depth).iter();
            let shown = judged.filter(|hit| is_judged_nonrelevant(hit.label, level));
            (shown.count(), topic.base().nonrelevant(level) as f64)
        };
        let missed = all - shown as f64;
        (missed >= 0.0).then_some(Self {
            nonrelevant_retrieved: shown as f64,
            nonrelevant_missed: missed,
        })
    }
}

/// Whether the document was judged non-relevant.
pub(super) fn is_judged_nonrelevant(label: Label, level: f64) -> bool {
    matches!(label, Label::Judged(_)) && !label.is_relevant(level)
}

/// Binary preference; see [`super::bpref`] for the formula.
pub(super) fn bpref(topic: &JudgedRanking<'_>, level: f64) -> Option<f64> {
    let terms = Preferred::new(topic.base(), level);
    let (mut sum, mut above) = (0.0, 0usize);
    for hit in topic.hits() {
        match hit.label {
            Label::Judged(_) if !hit.label.is_relevant(level) => above += 1,
            Label::Judged(_) => sum += terms.below(above),
            Label::Pooled | Label::Unjudged => {}
        }
    }
    (terms.total > 0).then(|| sum / terms.total as f64)
}

/// Terms of the relevant documents, by the number of judged non-relevant documents above them.
struct Preferred {
    total: usize,
    most_above: f64,
}

impl Preferred {
    fn new(base: RecallBase<'_>, level: f64) -> Self {
        let total = base.relevant(level);
        Self {
            total,
            most_above: base.nonrelevant(level).min(total) as f64,
        }
    }

    fn below(&self, above: usize) -> f64 {
        if above == 0 {
            return 1.0;
        }
        1.0 - above.min(self.total) as f64 / self.most_above
    }
}

/// Relevant documents first, judged non-relevant ones last.
pub(super) fn bpref_merit(label: Label, level: f64) -> f64 {
    match label {
        Label::Judged(_) if label.is_relevant(level) => 1.0,
        Label::Judged(_) => -1.0,
        Label::Pooled | Label::Unjudged => 0.0,
    }
}

/// The expected value over ties of [`bpref`]: any number of a group's judged non-relevant documents is equally
/// likely to be above one of its relevant documents.
pub(super) fn expected_bpref(topic: &TiedRanking<'_>, level: f64) -> Option<f64> {
    let terms = Preferred::new(topic.order().base(), level);
    let (mut sum, mut above) = (0.0, 0usize);
    for segment in topic.segments() {
        let relevant = segment.count(|label| bpref_merit(label, level) > 0.0);
        let others = segment.count(|label| bpref_merit(label, level) < 0.0) as usize;
        if relevant > 0 {
            let terms = (0..=others).map(|more| terms.below(above + more));
            sum += f64::from(relevant) * terms.sum::<f64>() / (others + 1) as f64;
        }
        above += others;
    }
    (terms.total > 0).then(|| sum / terms.total as f64)
}

/// Discounted cumulative gain of the first `depth` documents.
pub(super) fn dcg(gains: &TopicGains<'_>, depth: usize, discount: Discount) -> f64 {
    let documents = gains.documents();
    discount.sum(documents.take_while(|(rank, _)| *rank as usize <= depth))
}

/// Discounted cumulative gain of the first `depth` documents of the ideal ranking, or of all of them if the
/// measure's ideal has no cutoff.
pub(super) fn ideal_dcg(gains: &TopicGains<'_>, depth: usize, discount: Discount) -> f64 {
    let mut rank = 0;
    let ranked = gains
        .ideal_gains()
        .take(gains.ideal_depth(depth))
        .map(|gain| {
            rank += 1;
            (rank, gain)
        });
    discount.sum(ranked)
}

/// Number of precomputed powers.
const KNOWN_POWERS: usize = 1024;

/// p^0, p^1, … by repeated multiplication, which can differ from `powi` in the last bits.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    p: f64,
    known: Vec<f64>,
}

impl Powers {
    pub(super) fn new(p: f64) -> Self {
        let known = std::iter::successors(Some(1.0), |power| Some(power * p));
        Self {
            p,
            known: known.take(KNOWN_POWERS).collect(),
        }
    }

    /// Σ of gain · p^(rank − 1), over documents by rank; a gain of 0 adds nothing even if the power is
    /// infinite.
    pub(super) fn weighted_sum(&self, documents: impl Iterator<Item = (u32, f64)>) -> f64 {
        let mut sum = 0.0;
        let mut deep = self.deep();
        for (rank, gain) in documents.filter(|(_, gain)| *gain != 0.0) {
            let exponent = rank as usize - 1;
            let known = self.known.get(exponent).copied();
            sum += gain * known.unwrap_or_else(|| deep.at(exponent));
        }
        sum
    }

    /// Σ of p^i over all i below `end` except those in `left_out`, in ascending order.
    pub(super) fn sum_without(&self, left_out: impl Iterator<Item = usize>, end: usize) -> f64 {
        /// Number of powers copied at a time.
        const BLOCK: usize = 64;
        let mut left_out = left_out.peekable();
        let mut sum = 0.0;
        let blocks = self.known[..end.min(KNOWN_POWERS)].chunks(BLOCK);
        for (known, start) in blocks.zip((0..).step_by(BLOCK)) {
            // Excluded powers are added as zero, which avoids an unpredictable branch.
            let mut block = [0.0; BLOCK];
            let block = &mut block[..known.len()];
            block.copy_from_slice(known);
            while let Some(exponent) = left_out.next_if(|exponent| *exponent < start + block.len())
            {
                block[exponent - start] = 0.0;
            }
            for power in block {
                sum += *power;
            }
        }
        let mut deep = self.deep();
        for exponent in KNOWN_POWERS..end {
            if left_out.next_if_eq(&exponent).is_none() {
                sum += deep.at(exponent);
            }
        }
        sum
    }

    /// p^exponent.
    pub(super) fn at(&self, exponent: usize) -> f64 {
        let known = self.known.get(exponent).copied();
        known.unwrap_or_else(|| self.deep().at(exponent))
    }

    fn deep(&self) -> DeepPower {
        DeepPower {
            p: self.p,
            exponent: KNOWN_POWERS - 1,
            power: self.known[KNOWN_POWERS - 1],
        }
    }
}

/// Sequence of powers beyond the precomputed ones.
struct DeepPower {
    p: f64,
    exponent: usize,
    power: f64,
}

impl DeepPower {
    /// The power with this exponent. Exponents must not decrease from call to call.
    fn at(&mut self, exponent: usize) -> f64 {
        while self.exponent < exponent {
            self.power *= self.p;
            self.exponent += 1;
        }
        self.power
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_continue_beyond_the_table() {
        let p = 0.999;
        let mut expected = 1.0;
        for _ in 0..5000 {
            expected *= p;
        }
        let documents = [(1024, 0.0), (1025, 0.0), (5001, 1.0)];
        let powers = Powers::new(p);
        assert_eq!(powers.weighted_sum(documents.into_iter()), expected);
        assert_eq!(powers.at(5000), expected);
        let left_out = |exponent: &usize| matches!(exponent, 0 | 3 | 63..66 | 1000..1030 | 1099);
        for end in [0, 1, 64, 66, 500, 1024, 1025, 1100] {
            let mut one_by_one = 0.0;
            let added = (0..end).filter(|exponent| !left_out(exponent));
            added.for_each(|exponent| one_by_one += powers.at(exponent));
            let sum = powers.sum_without((0..1200).filter(left_out), end);
            assert_eq!(sum, one_by_one, "{end}");
        }
    }

    #[test]
    fn whole_numbers_are_recognised() {
        for number in [
            0.0,
            -3.0,
            7.5,
            -0.25,
            1e15 + 0.5,
            1e16,
            1e300,
            f64::INFINITY,
        ] {
            assert_eq!(is_whole(number), number.trunc() == number, "{number}");
        }
    }
}
