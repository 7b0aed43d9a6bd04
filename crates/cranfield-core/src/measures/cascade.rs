//! The cascade model: a user who reads from the top and stops at the first document that satisfies.

use super::gain_model::{GainModel, TopicGains};
use crate::gains::Gains;
use crate::params::{ParamInfo, ParamKind, Params};
use crate::tied::TiedRanking;
use crate::topic::{JudgedRanking, Label};

/// How likely a document of some gain satisfies.
#[derive(Clone, Debug)]
pub(super) struct Cascade {
    gains: GainModel,
    /// The greatest gain, or `None` for the topic's own.
    most: Option<f64>,
}

impl Cascade {
    /// Gains, 2^grade − 1 unless the user says otherwise.
    pub(super) const GAINS: ParamInfo = ParamInfo {
        default: "exp",
        ..Gains::PARAM
    };

    /// The highest grade.
    pub(super) const MAX: ParamInfo = ParamInfo {
        name: "max",
        kind: ParamKind::Real {
            min: 0.0,
            max: f64::INFINITY,
        },
        default: "4",
        help: "highest grade of the scale",
    };

    /// Which highest grade counts.
    pub(super) const SCALE: ParamInfo = ParamInfo {
        name: "scale",
        kind: ParamKind::Word(&["max", "topic"]),
        default: "max",
        help: "probabilities from the highest grade of the scale (max), or of the topic's own qrels",
    };

    /// From the parameters above.
    pub(super) fn of(params: &Params) -> Self {
        let gains = GainModel::by_gain(params);
        let most = match params.word("scale") {
            "topic" => None,
            _ => Some(gains.of_grade(params.real("max")).max(0.0)),
        };
        Self { gains, most }
    }

    /// A document's gain as its merit, see [`Measure::merit`](crate::measure::Measure::merit).
    pub(super) fn merit(&self, label: Label) -> Option<f64> {
        self.gains.merit(label)
    }

    /// The model of one topic.
    pub(super) fn read<'a>(&'a self, topic: &JudgedRanking<'a>) -> TopicCascade<'a> {
        let gains = self.gains.read(topic);
        let own = || gains.ideal_steps().first().map_or(0.0, |step| step.grade);
        let scale = self.most.unwrap_or_else(own) + 1.0;
        TopicCascade { gains, scale }
    }
}

/// The cascade model of one topic.
#[derive(Debug)]
pub(super) struct TopicCascade<'a> {
    gains: TopicGains<'a>,
    scale: f64,
}

impl TopicCascade<'_> {
    /// Expected reciprocal rank of the first `depth` documents.
    pub(super) fn err(&self, depth: usize) -> f64 {
        let documents = self.gains.relevant();
        self.expectation(documents.take_while(|(rank, _)| *rank as usize <= depth))
    }

    /// Expected reciprocal rank of the first `depth` documents of the ideal ranking.
    pub(super) fn ideal_err(&self, depth: usize) -> f64 {
        self.expectation((1u32..).zip(self.gains.ideal_gains().take(depth)))
    }

    /// The expected value over ties of [`err`](Self::err).
    pub(super) fn expected_err(&self, topic: &TiedRanking<'_>, depth: usize) -> Option<f64> {
        let satisfied = |label: Label| self.satisfied(self.gains.gain(label).max(0.0));
        topic.cascade(satisfied, |rank| 1.0 / f64::from(rank), depth)
    }

    /// The probability that a document of this gain satisfies.
    fn satisfied(&self, gain: f64) -> f64 {
        (gain / self.scale).min(1.0)
    }

    fn expectation(&self, documents: impl Iterator<Item = (u32, f64)>) -> f64 {
        let (mut sum, mut reading) = (0.0, 1.0);
        for (rank, gain) in documents {
            let satisfied = self.satisfied(gain);
            sum += reading * satisfied / f64::from(rank);
            reading *= 1.0 - satisfied;
        }
        sum
    }
}
