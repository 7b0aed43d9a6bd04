//! Scores of rankings.

use std::sync::Arc;

use cranfield_compare::compare::check_mean;
use cranfield_core::evaluate::Plan;
use cranfield_core::measure::Direction;
use cranfield_core::policy::{IdenticalIds, Policies, TopicPolicy};
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_eval::evaluate_run;
use cranfield_measures::spec::{Conventions, parse_measures};

use super::error::TuneError;

/// Scores rankings by a measure of which larger values are better.
pub trait Judge: Sync {
    /// The name of the measure.
    fn measure(&self) -> &str;

    /// The scores of topics, in the order given. A topic that is not in the run has an empty ranking.
    fn scores(&self, run: &Run, topics: &[&str]) -> Result<Vec<f64>, TuneError>;
}

/// Relevance judgements and a measure. Undefined values count as 0.
#[derive(Debug)]
pub struct QrelsJudge {
    qrels: Arc<Qrels>,
    plan: Plan,
    measure: String,
}

impl QrelsJudge {
    /// Judgements and a measure by name.
    ///
    /// # Errors
    /// If the measure is unknown, is not a mean over topics, or smaller values of it are better.
    pub fn new(qrels: impl Into<Arc<Qrels>>, measure: &str) -> Result<Self, TuneError> {
        let measures = parse_measures(measure, &Conventions::default())?;
        let [bound] = measures.as_slice() else {
            let message = format!("expected one measure, found `{measure}`");
            return Err(TuneError::Settings(message.into()));
        };
        let name = bound.to_string();
        check_mean(&name, bound)?;
        if bound.info.direction != Direction::HigherIsBetter {
            let message = format!("{name} cannot be tuned, because larger values are not better");
            return Err(TuneError::Settings(message.into()));
        }
        let policies = Policies {
            topics: TopicPolicy::Both,
            ..Policies::default()
        };
        let plan = Plan {
            measures,
            policies,
            ..Plan::default()
        };
        Ok(Self {
            qrels: qrels.into(),
            plan,
            measure: name,
        })
    }

    /// Keeps or drops documents with the id of the topic.
    #[must_use]
    pub fn with_identical(mut self, identical: IdenticalIds) -> Self {
        self.plan.policies.identical = identical;
        self
    }

    /// Those of the topics that have judgements.
    pub fn judged(&self, topics: &[String]) -> Vec<String> {
        let is_judged = |topic: &&String| self.qrels.get(topic.as_bytes()).is_some();
        topics.iter().filter(is_judged).cloned().collect()
    }
}

impl Judge for QrelsJudge {
    fn measure(&self) -> &str {
        &self.measure
    }

    fn scores(&self, run: &Run, topics: &[&str]) -> Result<Vec<f64>, TuneError> {
        let scores = evaluate_run(run, &self.qrels, &self.plan);
        let one = |topic: &&str| {
            let at = scores
                .topics
                .binary_search_by(|other| (*other.id).cmp(topic.as_bytes()));
            let value = at.map_or(0.0, |at| scores.row(at)[0]);
            if value.is_nan() { 0.0 } else { value }
        };
        Ok(topics.iter().map(one).collect())
    }
}
