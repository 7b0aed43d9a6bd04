//! The ratchet: a limit for the drop of every single topic.

use std::collections::BTreeSet;

use cranfield_core::grammar::nearest_name;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::{Code, Problem, Problems};
use cranfield_stats::non_inferiority::exceeds;

use super::{GateError, GatedMeasure, TopicChange, Verdict};

/// Topics that dropped by more than the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratchet {
    /// Largest allowed drop of a topic.
    pub limit: f64,
    /// Topics that dropped by more, the largest drop first.
    pub fallen: Vec<Fall>,
    /// Exempt topics that dropped by more.
    pub excused: Vec<Fall>,
    /// Exempt topics that did not.
    pub unneeded: Vec<String>,
}

/// A drop of one topic by one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// The measure.
    pub measure: String,
    /// The topic and its values.
    pub topic: TopicChange,
}

impl Ratchet {
    pub(super) fn of(
        measures: &[GatedMeasure],
        limit: f64,
        excuses: &[String],
    ) -> Result<Self, GateError> {
        check_known(measures, excuses)?;
        let mut falls: Vec<Fall> = measures
            .iter()
            .flat_map(|measure| {
                let fallen = measure.changes.iter();
                let fallen = fallen.take_while(|topic| exceeds(topic.change, limit, measure.size));
                fallen.map(|topic| Fall {
                    measure: measure.measure.clone(),
                    topic: topic.clone(),
                })
            })
            .collect();
        // Stable: equal drops stay in the order of the measures.
        falls.small_sort_by(|a, b| a.topic.change.total_cmp(&b.topic.change));
        let is_excused = |fall: &Fall| excuses.contains(&fall.topic.topic);
        let (excused, fallen): (Vec<Fall>, Vec<Fall>) = falls.into_iter().partition(is_excused);
        let needed = |topic: &&String| excused.iter().any(|fall| fall.topic.topic == **topic);
        let mut unneeded: Vec<String> = excuses
            .iter()
            .filter(|topic| !needed(topic))
            .cloned()
            .collect();
        unneeded.sort_unstable();
        unneeded.dedup();
        Ok(Self {
            limit,
            fallen,
            excused,
            unneeded,
        })
    }

    /// FAIL if a topic dropped by more than the limit and is not exempt.
    pub fn verdict(&self) -> Verdict {
        if self.fallen.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }
}

/// Rejects exempt topics that do not exist.
fn check_known(measures: &[GatedMeasure], excuses: &[String]) -> Result<(), GateError> {
    let topics = measures.iter().flat_map(|measure| &measure.changes);
    let known: BTreeSet<&str> = topics.map(|change| change.topic.as_str()).collect();
    let names: Vec<&str> = known.iter().copied().collect();
    let mut problems = Problems::default();
    for topic in excuses
        .iter()
        .filter(|topic| !known.contains(topic.as_str()))
    {
        problems.push_with(|| {
            let name = cranfield_io::quoted(topic.as_bytes());
            let message = format!("topic {name} is exempt from the ratchet, but is not evaluated");
            let help = match nearest_name(topic, &names) {
                Some(near) => format!("did you mean `{near}`? If not, remove it"),
                None => "check the spelling, or remove it".into(),
            };
            Problem::file(Code::UnknownExcuse, "exempt topics", message).with_help(help)
        });
    }
    Ok(problems.into_result()?)
}
