//! Precision and blended ratio at the relevant documents, for Sakai's family of measures.

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::gains::Gains;
use cranfield_core::measure::{Computation, Measure, MeasureInfo};
use cranfield_core::params::{Cutoff, ParamInfo, ParamKind, Params};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{GradeCount, JudgedRanking, Label};

use super::common::{depth, quotient};
use super::gain_model::{GainModel, TopicGains};

/// The weight of gains against counts in the blended ratio.
pub(super) const BETA: ParamInfo = ParamInfo {
    name: "beta",
    kind: ParamKind::Real {
        min: 0.0,
        max: f64::INFINITY,
    },
    default: "1",
    help: "weight of cumulative gain in the blended ratio; 0 reduces it to precision",
};

/// The gains of these measures; a document with a positive gain is relevant.
pub(super) const GAINS: ParamInfo = Gains::PARAM;

/// A relevant document that was retrieved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) gain: f64,
    /// H(r) / r.
    pub(super) precision: f64,
    /// (H(r) + β · cg(r)) / (r + β · cg*(r)).
    pub(super) blended: f64,
}

/// The relevant documents among the first `depth`, by rank.
pub(super) fn found<'a>(
    gains: &'a TopicGains<'_>,
    beta: f64,
    depth: usize,
) -> impl Iterator<Item = Found> + 'a {
    let mut ideal = IdealGain::new(gains.ideal_steps());
    let (mut count, mut cumulative) = (0.0, 0.0);
    let within = gains
        .relevant()
        .take_while(move |(rank, _)| *rank as usize <= depth);
    within.map(move |(rank, gain)| {
        count += 1.0;
        cumulative += gain;
        let position = f64::from(rank);
        Found {
            gain,
            precision: count / position,
            blended: (count + beta * cumulative) / (position + beta * ideal.up_to(rank)),
        }
    })
}

/// The expected value over ties of the sum of weight(gain) · blended ratio over the relevant documents among the first
/// `depth`.
pub(super) fn expected_blend(
    topic: &TiedRanking<'_>,
    gains: &TopicGains<'_>,
    beta: f64,
    depth: usize,
    weight: impl Fn(f64) -> f64,
) -> Option<f64> {
    let if_relevant = |label: Label, value: &dyn Fn(f64) -> f64| {
        let gain = gains.gain(label);
        if gain > 0.0 { value(gain) } else { 0.0 }
    };
    let worth = |label: Label| if_relevant(label, &|gain| 1.0 + beta * gain);
    let weight = |label: Label| if_relevant(label, &weight);
    let mut ideal = IdealGain::new(gains.ideal_steps());
    topic.pairs(
        |label| weight(label) * worth(label),
        |label, above| weight(label) * worth(above),
        |rank| 1.0 / (f64::from(rank) + beta * ideal.up_to(rank)),
        depth,
    )
}

/// The mean of blended ratios as a table.
pub(super) fn board(gains: &TopicGains<'_>, beta: f64, depth: usize) -> Option<Board> {
    let whole = gains.ideal_len().min(depth) as f64;
    let mut ideal = IdealGain::new(gains.ideal_steps());
    let (mut count, mut cumulative, mut sum) = (0.0, 0.0, 0.0);
    let found = gains.relevant().zip(found(gains, beta, depth));
    let rows = found.map(|((rank, gain), document)| {
        count += 1.0;
        cumulative += gain;
        sum += document.blended;
        let (best, ratio) = (ideal.up_to(rank), document.blended);
        let cells = [gain, count, cumulative, best, ratio, sum];
        BoardRow::new(rank, cells, ratio / whole)
    });
    let rows = rows.collect();
    let value = quotient(sum, whole)?;
    Some(Board {
        columns: vec!["gain", "found", "cg", "ideal cg", "ratio", "sum"],
        rows,
        steps: vec![
            Step::rule(
                "ratio",
                "(found + beta * cg) / (rank + beta * ideal cg)",
                "(found + {} * cg) / (rank + {} * ideal cg)",
                [beta, beta],
            ),
            Step::given(
                "R",
                "documents with a positive gain, or k if that is less",
                whole,
            ),
            Step::result("sum / R", "{} / {}", [sum, whole], value),
        ],
    })
}

/// Fields shared by the measures of users who want one good document.
pub(super) const ONE_DOCUMENT: MeasureInfo = MeasureInfo {
    name: "",
    summary: "",
    page: "",
    params: &[GAINS, BETA],
    references: &[],
    build: |_| Ok(Computation::TopicCount),
    ..MeasureInfo::DEFAULT
};

/// Computes a value from the relevant documents retrieved, by rank.
type Formula = fn(&mut dyn Iterator<Item = Found>) -> f64;

/// A measure of a user who wants one good document.
#[derive(Clone, Debug)]
struct OneDocument {
    gains: GainModel,
    beta: f64,
    cutoff: Option<Cutoff>,
    formula: Formula,
}

impl Measure for OneDocument {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let gains = self.gains.read(topic);
        if gains.ideal_len() == 0 {
            return None;
        }
        let value = (self.formula)(&mut found(&gains, self.beta, depth(self.cutoff)));
        Some(value).filter(|value| value.is_finite())
    }
}

/// Builds the measure with this formula.
pub(super) fn one_document(params: &Params, formula: Formula) -> Computation {
    Computation::ranked(OneDocument {
        gains: GainModel::by_gain(params),
        beta: params.real("beta"),
        cutoff: params.cutoff(),
        formula,
    })
}

/// Running cumulative gain of the ideal ranking.
#[derive(Debug)]
struct IdealGain<'a> {
    steps: &'a [GradeCount],
    /// Documents and gain of the steps already passed.
    passed: u32,
    gain: f64,
}

impl<'a> IdealGain<'a> {
    fn new(steps: &'a [GradeCount]) -> Self {
        Self {
            steps,
            passed: 0,
            gain: 0.0,
        }
    }

    /// The sum up to a rank. Ranks must not decrease from call to call.
    fn up_to(&mut self, rank: u32) -> f64 {
        while let Some((step, rest)) = self.steps.split_first() {
            let wanted = rank - self.passed;
            if wanted < step.count {
                return self.gain + f64::from(wanted) * step.grade;
            }
            self.passed += step.count;
            self.gain += f64::from(step.count) * step.grade;
            self.steps = rest;
        }
        self.gain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideal_gain_covers_the_whole_recall_base() {
        let steps = [(3.0, 2), (1.0, 3)].map(|(grade, count)| GradeCount { grade, count });
        let mut ideal = IdealGain::new(&steps);
        let sums = [1, 2, 2, 3, 5, 9].map(|rank| ideal.up_to(rank));
        assert_eq!(sums, [3.0, 6.0, 6.0, 7.0, 9.0, 9.0]);
        assert_eq!(IdealGain::new(&[]).up_to(4), 0.0);
    }
}
