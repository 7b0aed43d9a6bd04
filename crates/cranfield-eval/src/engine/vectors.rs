//! Vectors of a run, and of its topics if the plan keeps them.

use cranfield_core::evaluate::Plan;
use cranfield_core::vectors::{Curve, avg_pos};

use crate::engine::scores::RunScores;

impl RunScores {
    /// The run's vector at this place in the plan, component by component; `None` is undefined.
    ///
    /// ```
    /// use cranfield_core::evaluate::Plan;
    /// use cranfield_core::qrels::Qrels;
    /// use cranfield_core::run::Run;
    /// use cranfield_measures::spec::Conventions;
    /// use cranfield_measures::vectors::parse_vectors;
    ///
    /// let qrels = Qrels::from_judgements([("q1", "d1", 2.0), ("q2", "d3", 1.0)]);
    /// let run = Run::from_scores("mine", [("q1", "d2", 9.0), ("q1", "d1", 8.0), ("q2", "d3", 7.0)]);
    /// let plan = Plan { vectors: parse_vectors("CG@2", &Conventions::default())?, ..Plan::default() };
    /// let scores = cranfield_eval::evaluate_run(&run, &qrels, &plan);
    /// assert_eq!(scores.mean_vector(&plan, 0), [Some(0.5), Some(1.5)]);
    /// // Vectors of topics are kept only if the plan says so.
    /// assert_eq!(scores.topic_vector(&plan, 0, 0), None);
    /// # Ok::<(), cranfield_core::error::Error>(())
    /// ```
    pub fn mean_vector(&self, plan: &Plan, vector: usize) -> Vec<Option<f64>> {
        let totals = self.totals.get(plan.columns(vector)).unwrap_or(&[]);
        let means: Vec<f64> = totals
            .iter()
            .map(|total| total.value.unwrap_or(f64::NAN))
            .collect();
        let vector = plan.vectors.get(vector);
        vector.map_or_else(Vec::new, |vector| vector.read(&means))
    }

    /// The mean of all components of the run's vector: avg-pos up to its depth.
    pub fn avg_pos(&self, plan: &Plan, vector: usize) -> Option<f64> {
        let mean = self.mean_vector(plan, vector);
        avg_pos(&mean, mean.len())
    }

    /// A topic's vector, by their places; `None` if [`Plan::topic_vectors`] was not set or there is no such place.
    pub fn topic_vector(
        &self,
        plan: &Plan,
        topic: usize,
        vector: usize,
    ) -> Option<Vec<Option<f64>>> {
        let columns = self.topic_columns(plan, topic, vector)?;
        Some(plan.vectors.get(vector)?.read(columns))
    }

    /// The points of a topic's curve of precision and recall, by their places; `None` also where recall is undefined.
    pub fn topic_curve(&self, plan: &Plan, topic: usize, vector: usize) -> Option<Curve> {
        let columns = self.topic_columns(plan, topic, vector)?;
        plan.vectors.get(vector)?.curve(columns)
    }

    fn topic_columns(&self, plan: &Plan, topic: usize, vector: usize) -> Option<&[f64]> {
        if topic >= self.topics.len() {
            return None;
        }
        self.row(topic).get(plan.columns(vector))
    }
}
