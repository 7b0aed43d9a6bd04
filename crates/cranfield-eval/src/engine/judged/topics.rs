//! The judgements of one topic, of each kind, and the values of measures for them.

use std::collections::BTreeMap;

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::TopicGroups;
use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::prefs::{PreferenceError, PreferenceTopic, TopicPreferences};
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledRanking, SampledTopic};

use crate::engine::noted::Mark;

/// The judgements of one topic.
pub(super) trait Judgements: Sync + Sized {
    fn id(&self) -> &[u8];

    /// Whether a document was judged relevant. Always true for preferences, which do not say.
    fn has_relevant(&self) -> bool {
        true
    }

    /// The marks of documents.
    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark>;

    /// Computes the plan's measures for a ranking, best first, into `values`; `None` is a topic without judgements.
    fn measure(
        topic: Option<&Self>,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError>;
}

/// The value of a measure for one kind of judgements.
pub(super) enum Found {
    /// Its value; `None` if undefined.
    Value(Option<f64>),
    /// The measure is of another kind.
    Other,
}

/// Fills in the value of each measure; `value_of` covers one kind of judgements.
fn fill(plan: &Plan, values: &mut [f64], value_of: impl Fn(&BoundMeasure) -> Found) {
    let undefined = if plan.reference_values { 0.0 } else { f64::NAN };
    for (measure, value) in plan.measures.iter().zip(values) {
        *value = match (value_of(measure), &measure.computation) {
            (Found::Value(found), _) => found.unwrap_or(undefined),
            (Found::Other, Computation::TopicCount) => 1.0,
            (Found::Other, _) => f64::NAN,
        };
    }
}

impl Judgements for TopicPreferences<'_> {
    fn id(&self) -> &[u8] {
        TopicPreferences::id(self)
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        let mut keys: BTreeMap<&[u8], Vec<u64>> = BTreeMap::new();
        for (doc, group, subgroup, level) in self.lines() {
            let line = [group as u64, u64::from(subgroup), level.to_bits()];
            keys.entry(doc).or_default().extend(line);
        }
        let mark = |doc: &&[u8]| match keys.get(doc) {
            None => Mark::default(),
            Some(key) => Mark {
                judged: true,
                key: key.clone(),
            },
        };
        docs.iter().map(mark).collect()
    }

    fn measure(
        topic: Option<&Self>,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        let topic = topic.map_or_else(
            || Ok(PreferenceTopic::default()),
            |topic| topic.judge(ranked),
        )?;
        fill(plan, values, |measure| match &measure.computation {
            Computation::Preference(measure) => Found::Value(measure.evaluate(&topic)),
            _ => Found::Other,
        });
        Ok(())
    }
}

impl Judgements for TopicGroups<'_> {
    fn id(&self) -> &[u8] {
        TopicGroups::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut groups = self.groups();
        groups.any(|group| group.judgements().any(|(_, grade)| grade > 0.0))
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        let mark = |doc: &&[u8]| {
            let grades = self.groups().map(|group| group.grade(doc));
            let grades: Vec<Option<f64>> = grades.collect();
            let judged = grades.iter().any(Option::is_some);
            let bits = |grade: &Option<f64>| grade.map_or(u64::MAX, f64::to_bits);
            let key = if judged {
                grades.iter().map(bits).collect()
            } else {
                Vec::new()
            };
            Mark { judged, key }
        };
        docs.iter().map(mark).collect()
    }

    /// Without judgements there are no groups to average over.
    fn measure(
        topic: Option<&Self>,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        let levels = plan.measures.iter().filter_map(level);
        let levels: Vec<f64> = levels.collect();
        let topic = topic.map(|topic| topic.judge(ranked, &plan.policies, &levels));
        fill(plan, values, |measure| match &measure.computation {
            Computation::Grouped(measure) => {
                Found::Value(topic.as_ref().and_then(|topic| measure.evaluate(topic)))
            }
            _ => Found::Other,
        });
        Ok(())
    }
}

fn level(measure: &BoundMeasure) -> Option<f64> {
    match &measure.computation {
        Computation::Grouped(measure) => measure.level(),
        _ => None,
    }
}

/// A judgement of a sample.
pub(super) trait Sampled: Copy + Sync {
    /// The grade; `None` if the document was not drawn.
    fn grade(self) -> Option<f64>;

    /// Equal for documents whose exchange changes no value.
    fn key(self) -> Vec<u64>;

    /// The value of a measure of such samples.
    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found;
}

impl Sampled for PoolDocument {
    fn grade(self) -> Option<f64> {
        self.grade
    }

    fn key(self) -> Vec<u64> {
        let grade = self.grade.map_or(u64::MAX, f64::to_bits);
        vec![u64::from(self.stratum), grade]
    }

    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found {
        match &measure.computation {
            Computation::Stratified(measure) => Found::Value(measure.evaluate(topic)),
            _ => Found::Other,
        }
    }
}

impl Sampled for DrawnJudgement {
    fn grade(self) -> Option<f64> {
        Some(self.grade)
    }

    fn key(self) -> Vec<u64> {
        vec![self.grade.to_bits(), self.inclusion.get().to_bits()]
    }

    fn value(measure: &BoundMeasure, topic: &SampledRanking<'_, Self>) -> Found {
        match &measure.computation {
            Computation::Drawn(measure) => Found::Value(measure.evaluate(topic)),
            _ => Found::Other,
        }
    }
}

impl<J: Sampled> Judgements for SampledTopic<'_, J> {
    fn id(&self) -> &[u8] {
        SampledTopic::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut grades = self.judgements().iter().filter_map(|found| found.grade());
        grades.any(|grade| grade > 0.0)
    }

    fn marks(&self, docs: &[&[u8]]) -> Vec<Mark> {
        let mark = |doc: &&[u8]| match self.get(doc) {
            None => Mark::default(),
            Some(found) => Mark {
                judged: found.grade().is_some(),
                key: found.key(),
            },
        };
        docs.iter().map(mark).collect()
    }

    fn measure(
        topic: Option<&Self>,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        let found = |doc: &&[u8]| topic.and_then(|topic| topic.get(doc));
        let ranking: Vec<Option<J>> = ranked.iter().map(found).collect();
        let topic = SampledRanking {
            judged: topic.map_or(&[][..], SampledTopic::judgements),
            ranking: &ranking,
        };
        fill(plan, values, |measure| J::value(measure, &topic));
        Ok(())
    }
}
