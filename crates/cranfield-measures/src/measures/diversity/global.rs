//! Graded-relevance measures over intents: judgement groups with their own grades and probabilities.

use std::sync::Arc;

use cranfield_core::error::Error;
use cranfield_core::gains::Gains;
use cranfield_core::groups::{GroupMeasure, Intent, IntentKind, JudgedGroups};
use cranfield_core::measure::{Computation, Measure};
use cranfield_core::params::{ParamInfo, ParamKind, Params, Value};
use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

use super::subtopic_recall;
use crate::measures::common::depth;
use crate::spec::{self};

/// The weight of intent recall.
pub(super) const GAMMA: ParamInfo = ParamInfo {
    name: "gamma",
    kind: ParamKind::Real { min: 0.0, max: 1.0 },
    default: "0.5",
    help: "weight of intent recall; the gain measure has the rest",
};

/// Builds a measure of one set of grades with these gains and with the other parameters it shares with the
/// intent measure.
fn with_gains(family: &str, params: &Params, gains: &Gains) -> Result<Arc<dyn Measure>, Error> {
    let info = spec::find_exact(family).ok_or_else(|| spec::unknown(family))?;
    let mut inner = Params::defaults(info, |_| None);
    for param in info.params {
        if let Some(value) = params.value(param.name) {
            inner = inner.with(param.name, value.clone());
        }
    }
    inner = inner.with("gains", Value::Gains(gains.clone()));
    inner = params.cutoff().into_iter().fold(inner, Params::with_cutoff);
    match info.bind(inner)?.computation {
        Computation::Ranked(inner) => Ok(inner),
        _ => Err(Error::parameter(format!(
            "{family} cannot be computed from the grades of intents"
        ))),
    }
}

/// A measure of graded relevance, applied to global gains: each document's gains by intent, weighted by the intents'
/// probabilities.
#[derive(Debug)]
pub(super) struct Global {
    gains: Gains,
    inner: Arc<dyn Measure>,
    /// Whether only the first relevant document of a navigational intent has a gain for it.
    by_kind: bool,
}

impl Global {
    /// Builds the measure of this name on global gains.
    pub(super) fn of(family: &str, params: &Params) -> Result<Self, Error> {
        Ok(Self {
            gains: params.gains("gains").clone(),
            inner: with_gains(family, params, &Gains::default())?,
            by_kind: false,
        })
    }

    /// Like `of`, but one document satisfies a navigational intent.
    pub(super) fn by_kind(family: &str, params: &Params) -> Result<Self, Error> {
        Ok(Self {
            by_kind: true,
            ..Self::of(family, params)?
        })
    }

    /// The global gain of a document. Intents in `satisfied` contribute nothing; intents that the document
    /// satisfies are added to it.
    fn gain(
        &self,
        labels: &[(u32, Label)],
        intents: &[Intent],
        satisfied: Option<&mut [bool]>,
    ) -> f64 {
        let mut satisfied = satisfied;
        let mut sum = 0.0;
        for (group, label) in labels {
            let at = *group as usize;
            let gain = self.gains.of_label(*label);
            if let Some(done) = satisfied.as_mut().map(|satisfied| &mut satisfied[at]) {
                let once = intents[at].kind == IntentKind::Navigational && gain > 0.0;
                if once && std::mem::replace(done, true) {
                    continue;
                }
            }
            sum += intents[at].probability * gain;
        }
        sum
    }

    /// Retrieved documents with a positive global gain, which is their grade.
    fn hits(&self, topic: &JudgedGroups<'_>, intents: &[Intent]) -> Vec<Hit> {
        let mut satisfied = vec![false; intents.len()];
        let mut hits = Vec::new();
        for (rank, labels) in topic.documents().retrieved() {
            let satisfied = self.by_kind.then_some(satisfied.as_mut_slice());
            let gain = self.gain(labels, intents, satisfied);
            if gain > 0.0 {
                let label = Label::Judged(gain);
                hits.push(Hit { rank, label });
            }
        }
        hits
    }

    /// Numbers of documents by positive global gain, highest first.
    fn ideal(&self, topic: &JudgedGroups<'_>, intents: &[Intent]) -> Vec<GradeCount> {
        let documents = topic.documents().all();
        let gains = documents.map(|labels| self.gain(labels, intents, None));
        GradeCount::tally(gains.filter(|gain| *gain > 0.0).collect())
    }
}

impl GroupMeasure for Global {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let intents: Vec<Intent> = topic.intents().collect();
        let hits = self.hits(topic, &intents);
        let ideal = self.ideal(topic, &intents);
        let retrieved = topic.documents().length();
        self.inner.evaluate(&JudgedRanking::new(
            retrieved,
            &hits,
            RecallBase::new(&ideal),
        ))
    }
}

/// Measures of graded relevance for each intent, weighted by the intents' probabilities: one measure for informational
/// intents, another for navigational ones.
#[derive(Debug)]
pub(super) struct PerIntent {
    informational: Arc<dyn Measure>,
    navigational: Arc<dyn Measure>,
}

impl PerIntent {
    pub(super) fn of(
        informational: &str,
        navigational: &str,
        params: &Params,
    ) -> Result<Self, Error> {
        let gains = params.gains("gains");
        Ok(Self {
            informational: with_gains(informational, params, gains)?,
            navigational: with_gains(navigational, params, gains)?,
        })
    }
}

impl GroupMeasure for PerIntent {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let (mut sum, mut defined) = (0.0, false);
        for (ranking, intent) in topic.rankings().zip(topic.intents()) {
            let measure = match intent.kind {
                IntentKind::Informational => &self.informational,
                IntentKind::Navigational => &self.navigational,
            };
            if let Some(value) = measure.evaluate(&ranking) {
                sum += intent.probability * value;
                defined = true;
            }
        }
        defined.then_some(sum)
    }
}

/// Weighted mean of intent recall and another measure.
#[derive(Debug)]
pub(super) struct Sharp<M> {
    gamma: f64,
    level: f64,
    depth: usize,
    inner: M,
}

impl<M: GroupMeasure + 'static> Sharp<M> {
    pub(super) fn of(inner: M, params: &Params) -> Computation {
        Computation::grouped(Self {
            gamma: params.real("gamma"),
            level: params.level(),
            depth: depth(params.cutoff()),
            inner,
        })
    }
}

impl<M: GroupMeasure> GroupMeasure for Sharp<M> {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let recall = subtopic_recall(topic, self.level, self.depth)?;
        let gain = self.inner.evaluate(topic)?;
        Some(self.gamma * recall + (1.0 - self.gamma) * gain)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }
}
