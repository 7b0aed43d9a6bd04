//! The ratchet: no single topic may fall too far.

use std::collections::BTreeSet;

use cranfield_core::spec::nearest_name;
use cranfield_io::{Code, Problem, Problems};
use cranfield_stats::non_inferiority::exceeds;

use super::{GateError, GatedMeasure, TopicChange, Verdict};

/// Topics that fell too far.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratchet {
    /// How far a topic may fall.
    pub limit: f64,
    /// Topics that fell further, the greatest drop first.
    pub fallen: Vec<Fall>,
    /// Those of them that are excused.
    pub excused: Vec<Fall>,
    /// Excused topics that did not fall so far, and need no excuse any more.
    pub unneeded: Vec<String>,
}

/// One topic that fell by one measure.
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
        falls.sort_by(|a, b| a.topic.change.total_cmp(&b.topic.change));
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

    /// FAIL if a topic fell too far that is not excused.
    pub fn verdict(&self) -> Verdict {
        if self.fallen.is_empty() {
            Verdict::Pass
        } else {
            Verdict::Fail
        }
    }
}

/// An excuse for a topic that does not exist is a slip, and would excuse nothing.
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
            let message =
                format!("topic {name} is excused from the ratchet, and is not one of the topics");
            let help = match nearest_name(topic, &names) {
                Some(near) => format!("did you mean `{near}`? If not, remove the excuse"),
                None => "check its spelling, or remove the excuse".into(),
            };
            Problem::file(
                Code::UnknownExcuse,
                "--except-topic or the file of --except",
                message,
            )
            .with_help(help)
        });
    }
    Ok(problems.into_result()?)
}
