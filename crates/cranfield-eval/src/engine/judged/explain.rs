//! Explanations of values against judgements other than qrels.

use std::collections::HashSet;

use cranfield_core::evaluate::Plan;
use cranfield_core::explain::{Explanation, explain_prefixes};
use cranfield_core::groups::TopicGroups;
use cranfield_core::prefs::{PreferenceError, TopicPreferences};
use cranfield_core::run::RunTopic;
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledTopic};
use cranfield_io::trec::Dialect;

use super::topics::{Judgements, Row, Sampled};
use super::{JudgedSink, Task};

/// The reason why a topic has no explanation.
#[derive(Debug)]
pub enum ExplainFault {
    /// A document that the ranking repeats.
    Duplicate(Box<[u8]>),
    /// Preferences that contradict each other.
    Contradiction(PreferenceError),
}

/// Explains the values of a plan's group measures for one topic. `judgements` is `None` if the topic has none, and `run` if it is
/// missing from the run.
///
/// The contribution of a document is the change of the value when judgements become known from the top down, see
/// [`cranfield_core::explain`].
pub fn explain_groups(
    plan: &Plan,
    id: &[u8],
    judgements: Option<TopicGroups<'_>>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let judged = |doc: &[u8]| {
        let mut groups = judgements.into_iter().flat_map(TopicGroups::groups);
        groups.any(|group| group.grade(doc).is_some())
    };
    explain(plan, id, judgements.as_ref(), judged, run)
}

/// Explains the values of a plan's preference measures for one topic, as [`explain_groups`] does.
pub fn explain_preferences(
    plan: &Plan,
    id: &[u8],
    judgements: Option<TopicPreferences<'_>>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let topic = judgements.into_iter();
    let known: HashSet<&[u8]> = topic.flat_map(TopicPreferences::documents).collect();
    let judged = |doc: &[u8]| known.contains(doc);
    explain(plan, id, judgements.as_ref(), judged, run)
}

/// Explains the values of a plan's measures of a pool sampled by strata, as [`explain_groups`] does.
pub fn explain_strata(
    plan: &Plan,
    id: &[u8],
    judgements: Option<SampledTopic<'_, PoolDocument>>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    explain_sample(plan, id, judgements, run)
}

/// Explains the values of a plan's measures of judgements drawn with unequal probabilities, as
/// [`explain_groups`] does.
pub fn explain_prels(
    plan: &Plan,
    id: &[u8],
    judgements: Option<SampledTopic<'_, DrawnJudgement>>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    explain_sample(plan, id, judgements, run)
}

fn explain_sample<J: Sampled>(
    plan: &Plan,
    id: &[u8],
    judgements: Option<SampledTopic<'_, J>>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let judged = |doc: &[u8]| judgements.is_some_and(|topic| topic.get(doc).is_some());
    explain(plan, id, judgements.as_ref(), judged, run)
}

fn explain<J: Judgements>(
    plan: &Plan,
    id: &[u8],
    judgements: Option<&J>,
    judged: impl Fn(&[u8]) -> bool,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let topics = judgements.map_or(&[][..], std::slice::from_ref);
    let task = Task::new(&[], Dialect::Strict, topics, plan);
    let mut sink = task.sink();
    match run {
        Some(run) => {
            for (place, entry) in run.entries().enumerate() {
                let rank = entry.rank.unwrap_or(place as f64 + 1.0);
                JudgedSink::push(&mut sink, entry.doc, entry.score, rank);
            }
        }
        None => sink.push_missing(),
    }
    let kept = sink.arrange(id);
    let kept = kept.map_err(|doc| ExplainFault::Duplicate(doc.into()))?;
    let mut ranked = sink.ranked();
    ranked.truncate(kept);
    let mut explained = Vec::new();
    for measure in &plan.measures {
        let alone = Plan {
            measures: vec![measure.clone()],
            ..plan.clone()
        };
        let value_of = |known: usize| {
            // The empty id is never judged.
            let mut shown = ranked.clone();
            shown[known..].fill(b"");
            let mut value = [f64::NAN];
            let row = Row {
                plan: &alone,
                values: &mut value,
            };
            J::measure(judgements, &shown, row)?;
            Ok(Some(value[0]).filter(|value| !value.is_nan()))
        };
        value_of(ranked.len()).map_err(ExplainFault::Contradiction)?;
        let topic = (id, run.is_some());
        let value_of = |known| value_of(known).unwrap_or(None);
        explained.push(explain_prefixes(measure, topic, &ranked, &judged, value_of));
    }
    Ok(explained)
}
