//! Columns of an evaluation that belong to scenarios.

use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::vectors::avg_pos;
use cranfield_measures::scenario::BoundScenario;

use crate::{Plan, Request, RunScores};

/// A measure or mean vector of a scenario.
///
/// ```no_run
/// use cranfield_eval::{Conventions, Evaluation, Request, Scenario, scenario_columns};
///
/// let conventions = Conventions::default();
/// let scenarios = Scenario::built_in();
/// let bound = scenarios.iter().map(|scenario| scenario.bind(&conventions)).collect::<Result<Vec<_>, _>>()?;
/// let request = Request::new("qrels.txt", ["bm25.run"], Vec::new()).under(&bound);
/// let evaluation = Evaluation::of_files(request)?;
/// for column in scenario_columns(&bound) {
///     for run in &evaluation.runs {
///         println!("{} {} {:?}", column.scenario, column.name, column.of_run(&evaluation.plan, &run.scores));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioColumn {
    /// The scenario's name.
    pub scenario: String,
    /// The measure as the scenario names it, with its cutoff.
    pub name: String,
    /// The measure with all its parameters.
    pub canonical: String,
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    /// Index of a measure in the plan.
    Measure(usize),
    /// Index of a vector in the plan.
    Vector(usize),
}

impl Request {
    /// Adds the measures and vectors of scenarios. [`scenario_columns`] needs a request without other measures and vectors.
    #[must_use]
    pub fn under(mut self, scenarios: &[BoundScenario]) -> Self {
        for scenario in scenarios {
            let measures = scenario.measures.iter();
            self.measures
                .extend(measures.map(|(_, measure)| measure.clone()));
            let vectors = scenario.vectors.iter();
            self.vectors
                .extend(vectors.map(|(_, vector)| vector.clone()));
        }
        self
    }
}

/// The columns of scenarios, in their order, for a request made with [`Request::under`].
pub fn scenario_columns(scenarios: &[BoundScenario]) -> Vec<ScenarioColumn> {
    let (mut columns, mut measures, mut vectors) = (Vec::new(), 0.., 0..);
    for scenario in scenarios {
        for ((name, measure), place) in scenario.measures.iter().zip(measures.by_ref()) {
            let cutoff = measure.params.cutoff().map(|cutoff| cutoff.to_string());
            columns.push(ScenarioColumn {
                scenario: scenario.name.clone(),
                name: with_cutoff(name, cutoff),
                canonical: measure.to_string(),
                content: Content::Measure(place),
            });
        }
        for ((name, vector), place) in scenario.vectors.iter().zip(vectors.by_ref()) {
            let depth = vector.depth().map(|depth| depth.to_string());
            columns.push(ScenarioColumn {
                scenario: scenario.name.clone(),
                name: format!("avg-pos {}", with_cutoff(name, depth)),
                canonical: format!("avg-pos {vector}"),
                content: Content::Vector(place),
            });
        }
    }
    columns
}

fn with_cutoff(name: &str, cutoff: Option<String>) -> String {
    match cutoff {
        Some(cutoff) if !name.contains('@') => format!("{name}@{cutoff}"),
        _ => name.into(),
    }
}

impl ScenarioColumn {
    /// The measure; `None` for the mean of a vector.
    pub fn measure<'p>(&self, plan: &'p Plan) -> Option<&'p BoundMeasure> {
        match self.content {
            Content::Measure(place) => plan.measures.get(place),
            Content::Vector(_) => None,
        }
    }

    /// The tag of a run, if the measure is the run's id.
    pub fn text_of_run<'s>(&self, plan: &Plan, scores: &'s RunScores) -> Option<&'s str> {
        let Content::Measure(place) = self.content else {
            return None;
        };
        let measure = plan.measures.get(place)?;
        matches!(measure.computation, Computation::RunId).then_some(scores.tag.as_str())
    }

    /// The string of a topic, given by its index, if the measure has strings as values.
    pub fn text_of_topic<'s>(
        &self,
        plan: &Plan,
        scores: &'s RunScores,
        topic: usize,
    ) -> Option<&'s str> {
        let Content::Measure(place) = self.content else {
            return None;
        };
        let is_text = |measure: &&BoundMeasure| matches!(measure.computation, Computation::Text(_));
        let measure = plan.measures.get(place)?;
        let before = plan.measures[..place].iter().filter(is_text).count();
        let strings = plan.measures.iter().filter(is_text).count();
        let text = scores.strings.get(topic * strings + before);
        text.filter(|_| is_text(&measure)).map(String::as_str)
    }

    /// The value of a run; `None` if it is undefined.
    pub fn of_run(&self, plan: &Plan, scores: &RunScores) -> Option<f64> {
        match self.content {
            Content::Measure(place) => scores.totals.get(place)?.value,
            Content::Vector(place) => scores.avg_pos(plan, place),
        }
    }

    /// The value of a topic of a run, given by its index; `None` if it is undefined, or for a vector if vectors of topics were not
    /// kept ([`Request::topic_vectors`]).
    pub fn of_topic(&self, plan: &Plan, scores: &RunScores, topic: usize) -> Option<f64> {
        match self.content {
            Content::Measure(place) => {
                let value = *scores.row(topic).get(place)?;
                (!value.is_nan()).then_some(value)
            }
            Content::Vector(place) => {
                let vector = scores.topic_vector(plan, topic, place)?;
                avg_pos(&vector, vector.len())
            }
        }
    }
}
