//! Table of the policies that a search varies.

use cranfield_core::policy::{
    IdenticalIds, NegativeGrades, Policies, TieBreak, TopicPolicy, Undefined, Unjudged,
};
use cranfield_measures::variants::Change;

use crate::inputs::Inputs;

/// Depths at which runs are truncated.
const DEPTHS: [usize; 6] = [5, 10, 20, 50, 100, 1000];

/// Values that make every measure evaluate many orders or many sets of relevant documents per topic.
const COSTLY: [(&str, &str); 4] = [
    ("ties", "expected"),
    ("ties", "best"),
    ("ties", "worst"),
    ("unjudged", "relevant"),
];

/// The value that yields an interval, which cannot match a number.
const INTERVAL: &str = "bounds";

/// A change of one policy.
#[derive(Clone, Debug)]
pub(super) struct PolicyStep {
    pub(super) change: Change,
}

impl PolicyStep {
    /// Whether every measure evaluates many orders or many sets of relevant documents per topic.
    pub(super) fn is_costly(&self) -> bool {
        let Change { what, to } = &self.change;
        COSTLY.contains(&(what.as_str(), to.as_str()))
    }

    /// Applies the change. All names and values come from the table below, so none is invalid.
    pub(super) fn over(&self, policies: &Policies) -> Policies {
        let mut changed = policies.clone();
        let _ = changed.set(&self.change.what, &self.change.to);
        changed
    }
}

/// The alternatives to the current value of each policy.
pub(super) fn steps(inputs: &Inputs, start: &Policies) -> Vec<Vec<PolicyStep>> {
    let run = inputs.runs().first().and_then(|run| run.run().ok());
    let topics = run.iter().flat_map(|run| run.topics());
    let longest = topics.map(|topic| topic.entries().len()).max();
    let depths = DEPTHS.iter().filter(|depth| Some(**depth) < longest);
    let table: [(&str, Vec<String>); 7] = [
        ("ties", names(TieBreak::ALL)),
        ("topics", names(TopicPolicy::ALL)),
        ("unjudged", names(Unjudged::ALL)),
        ("undefined", names(Undefined::ALL)),
        ("negative", names(NegativeGrades::ALL)),
        ("identical", names(IdenticalIds::ALL)),
        ("depth", depths.map(ToString::to_string).collect()),
    ];
    let current = start.named();
    // Other judgements than grades allow only one order and one set of relevant documents.
    let has_grades = inputs.qrels().is_some();
    let others = table.into_iter().map(|(policy, values)| {
        let is_other = |value: &String| {
            let step = (policy, value.as_str());
            let is_current = current
                .iter()
                .any(|(name, now)| (*name, now) == (policy, value));
            !is_current && value != INTERVAL && (has_grades || !COSTLY.contains(&step))
        };
        let values = values.into_iter().filter(is_other);
        let steps = values.map(|value| PolicyStep {
            change: Change::new(policy, value),
        });
        steps.collect()
    });
    others.collect()
}

fn names<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use cranfield_core::qrels::Qrels;
    use cranfield_core::run::Run;

    use super::*;

    #[test]
    fn every_policy_has_all_its_other_values() {
        let qrels = Qrels::from_judgements([("q", "d", 1.0)]);
        let scores = (0..60).map(|at| ("q", format!("d{at}"), f64::from(at)));
        let inputs = Inputs::new(qrels, Run::from_scores("mine", scores));
        let start = Policies {
            depth: Some(20),
            unjudged: Unjudged::Condensed,
            ..Policies::OWN
        };
        let all = steps(&inputs, &start).concat();
        let values = |policy: &str| -> Vec<String> {
            let of_policy = all.iter().filter(|step| step.change.what == policy);
            of_policy.map(|step| step.change.to.clone()).collect()
        };
        assert_eq!(values("unjudged"), ["nonrelevant", "relevant"]);
        assert_eq!(values("topics"), ["both", "run", "relevant"]);
        assert_eq!(values("depth"), ["5", "10", "50"]);
        assert_eq!(values("ties").len(), TieBreak::ALL.len() - 2);
        assert!(values("ties").contains(&"docid-desc-f32".to_owned()));
        for step in &all {
            let differing = step.over(&start).differing(&start);
            assert_eq!(differing, [(policy_of(step), step.change.to.clone())]);
        }
    }

    fn policy_of(step: &PolicyStep) -> &'static str {
        let named = Policies::OWN.named();
        let found = named.iter().find(|(name, _)| *name == step.change.what);
        found.unwrap().0
    }
}
