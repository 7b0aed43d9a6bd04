//! Tuning of the built-in index: parameters of ranking functions and of relevance feedback.

use std::collections::BTreeMap;
use std::sync::Arc;

use cranfield_core::grammar::Spec;
use cranfield_core::run::Run;
use cranfield_search::{Feedback, Index, Model, Searcher};

use super::error::TuneError;
use super::objective::Candidate;
use super::point::{Point, Value, with_values};
use crate::bench::cores;

/// Prefix of parameters of the feedback method.
const FEEDBACK: &str = "feedback.";

/// An index, searched with a model whose parameters vary.
///
/// The parameters of a point are those of the model, such as `k1` and `b`. `model` is the name of a model, and `feedback.docs` is the
/// parameter `docs` of the feedback method.
pub struct IndexCandidate {
    index: Arc<Index>,
    model: Model,
    feedback: Option<Feedback>,
    depth: usize,
    queries: BTreeMap<String, String>,
}

impl IndexCandidate {
    /// An index with a model and feedback, whose parameters are the defaults of those that are not in a point.
    pub fn new(
        index: Arc<Index>,
        model: Model,
        feedback: Option<Feedback>,
        queries: impl IntoIterator<Item = (String, String)>,
        depth: usize,
    ) -> Self {
        Self {
            index,
            model,
            feedback,
            depth,
            queries: queries.into_iter().collect(),
        }
    }

    /// The values that the model and the feedback have for these parameters.
    ///
    /// # Errors
    /// If one of them has no such parameter.
    pub fn default_point<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Point, TuneError> {
        let feedback = self.feedback.as_ref().map(ToString::to_string);
        let value = |name: &'n str| {
            let (text, key) = match name.strip_prefix(FEEDBACK) {
                Some(key) => (feedback.clone().unwrap_or_default(), key),
                None => (self.model.to_string(), name),
            };
            if name == "model" {
                let spec = Spec::parse(&text)?;
                return Ok((name.to_owned(), Value::Choice(spec.name)));
            }
            let missing = || {
                TuneError::Space(format!(
                    "{} has no parameter `{key}`",
                    if text.is_empty() {
                        "a search without feedback"
                    } else {
                        &text
                    }
                ))
            };
            let spec = Spec::parse(&text).map_err(|_| missing())?;
            let found = spec.arguments.into_iter().find(|(other, _)| other == key);
            let (_, value) = found.ok_or_else(missing)?;
            Ok((name.to_owned(), Value::parse(value.trim_matches('\''))))
        };
        Ok(Point::new(
            names
                .into_iter()
                .map(value)
                .collect::<Result<_, TuneError>>()?,
        ))
    }

    /// The model and feedback at a point.
    fn at(&self, point: &Point) -> Result<(Model, Option<Feedback>), TuneError> {
        let name = match point.get("model") {
            Some(model) => model.to_string(),
            None => self.model.to_string(),
        };
        let of_model = |(key, _): &&(String, Value)| key != "model" && !key.starts_with(FEEDBACK);
        let values = point.values().iter();
        let model = with_values(
            &name,
            values
                .clone()
                .filter(of_model)
                .map(|(key, value)| (key.as_str(), value)),
        )?;
        let mut of_feedback =
            values.filter_map(|(key, value)| Some((key.strip_prefix(FEEDBACK)?, value)));
        let feedback = match &self.feedback {
            Some(feedback) => Some(with_values(&feedback.to_string(), of_feedback)?.parse()?),
            None if of_feedback.next().is_some() => {
                return Err(TuneError::Space(
                    "the space has parameters of feedback, but there is no feedback method".into(),
                ));
            }
            None => None,
        };
        Ok((model.parse()?, feedback))
    }
}

impl Candidate for IndexCandidate {
    fn run(&self, point: &Point, topics: &[&str]) -> Result<Run, TuneError> {
        let (model, feedback) = self.at(point)?;
        let failed = |error: cranfield_search::Error| TuneError::Engine {
            point: point.to_string(),
            message: error.to_string(),
        };
        let searcher = Searcher::new(Arc::clone(&self.index), &model, feedback).map_err(failed)?;
        let query = |topic| Some((topic, self.queries.get(topic)?.as_str()));
        let queries = topics.iter().copied().filter_map(query);
        searcher
            .run("tuned", queries, self.depth, cores())
            .map_err(failed)
    }
}
