//! The rows that `eval` prints for a run: topics, and all topics together.

use cranfield::{EvaluatedRun, Evaluation};

/// Name of the values over all topics.
const ALL: &str = "all";

/// Which rows are printed for each run.
#[derive(Clone, Debug)]
pub(crate) struct TopicRows {
    per_topic: bool,
    /// The only topics to print, if any.
    only: Vec<String>,
    /// Name of the row over all topics.
    all: String,
}

impl TopicRows {
    /// With topics in `only`, these alone are printed, without the row over all topics.
    pub(crate) fn new(evaluation: &Evaluation, per_topic: bool, only: &[String]) -> Self {
        Self {
            per_topic: per_topic || !only.is_empty(),
            only: only.to_vec(),
            all: all_name(|name| has_topic(evaluation, name)),
        }
    }

    /// Whether topics are printed.
    pub(crate) fn has_topics(&self) -> bool {
        self.per_topic
    }

    /// Whether the row over all topics is printed.
    pub(crate) fn has_all(&self) -> bool {
        self.only.is_empty()
    }

    /// Topics of a run by their places, and their names; `None` is the row over all topics.
    pub(crate) fn of<'s>(
        &'s self,
        run: &'s EvaluatedRun,
    ) -> impl Iterator<Item = (Option<usize>, String)> + 's {
        let all = self.has_all().then(|| (None, self.all.clone()));
        self.topics(run)
            .map(|(place, id)| (Some(place), id))
            .chain(all)
    }

    /// Topics of a run by their places, and their names.
    pub(crate) fn topics<'s>(
        &'s self,
        run: &'s EvaluatedRun,
    ) -> impl Iterator<Item = (usize, String)> + 's {
        let topics = run.scores.topics.iter().enumerate();
        let topics = topics.take_while(|_| self.per_topic);
        let named = topics.map(|(place, topic)| (place, name(&topic.id)));
        named.filter(|(_, id)| self.only.is_empty() || self.only.contains(id))
    }

    /// First cell of a row: the run, the topic, or both.
    pub(crate) fn label(&self, evaluation: &Evaluation, run: &EvaluatedRun, topic: &str) -> String {
        match (self.per_topic, evaluation.runs.len()) {
            (false, _) => run.scores.name.clone(),
            (true, 1) => topic.into(),
            (true, _) => format!("{} {topic}", run.scores.name),
        }
    }

    /// Heading of the first column.
    pub(crate) fn heading(&self) -> &'static str {
        if self.per_topic { "topic" } else { "run" }
    }

    /// A note if the row over all topics has another name than usual.
    pub(crate) fn note(&self) -> Option<String> {
        let renamed = self.per_topic && self.has_all() && self.all != ALL;
        renamed.then(|| {
            format!(
                "a topic is named `{ALL}`; values over all topics are under `{}`",
                self.all
            )
        })
    }
}

/// Name of the row over all topics: `all`, in parentheses where a topic has that name.
pub(crate) fn all_name(is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = ALL.to_owned();
    while is_taken(&name) {
        name = format!("({name})");
    }
    name
}

fn has_topic(evaluation: &Evaluation, name: &str) -> bool {
    let mut runs = evaluation.runs.iter();
    runs.any(|run| {
        let mut topics = run.scores.topics.iter();
        topics.any(|topic| *topic.id == *name.as_bytes())
    })
}

/// Rejects topics that no run was evaluated on.
pub(crate) fn check_topics(evaluation: &Evaluation, topics: &[String]) -> anyhow::Result<()> {
    match topics.iter().find(|topic| !has_topic(evaluation, topic)) {
        None => Ok(()),
        Some(topic) => anyhow::bail!("topic `{topic}` was not evaluated in any run"),
    }
}

/// A topic's id as text.
pub(crate) fn name(id: &[u8]) -> String {
    String::from_utf8_lossy(id).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_mean_is_no_topic() {
        assert_eq!(all_name(|_| false), "all");
        let taken = ["all", "(all)"];
        assert_eq!(all_name(|name| taken.contains(&name)), "((all))");
    }
}
