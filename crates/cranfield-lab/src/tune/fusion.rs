//! Tuning of fusions: weights, parameters, normalisations and methods.

use std::collections::BTreeSet;

use cranfield_core::run::{Run, RunBuilder};
use cranfield_eval::Progress;
use cranfield_fusion::{Fusion, Weighting, fuse_runs};

use super::error::TuneError;
use super::objective::Candidate;
use super::point::{Point, Value, with_values};

/// Runs that are fused with weights and parameters that vary.
///
/// The parameters of a point are those of the method, such as `k`; the weights `w1`, `w2` and so on of the runs; `method`, the name of a
/// method; and `norm`, a normalisation of all runs.
pub struct FusionCandidate {
    runs: Vec<Run>,
    fusion: Fusion,
}

impl FusionCandidate {
    /// Runs with a fusion, whose settings are the defaults of those that are not in a point.
    ///
    /// # Errors
    /// If the method is trained: what it learns would have to be learned again for each fold.
    pub fn new(runs: Vec<Run>, fusion: Fusion) -> Result<Self, TuneError> {
        if fusion.method.is_trained() {
            return Err(TuneError::Space(format!(
                "{} learns from judgements and has no parameters to tune; train it with `fuse`",
                fusion.method.name()
            )));
        }
        Ok(Self { runs, fusion })
    }

    /// The topics that any run has, in ascending order of their ids.
    pub fn topics(&self) -> Vec<String> {
        let topics = self.runs.iter().flat_map(Run::topics);
        let ids: BTreeSet<String> = topics
            .map(|topic| String::from_utf8_lossy(topic.id()).into_owned())
            .collect();
        ids.into_iter().collect()
    }

    /// The values that the fusion has for these parameters. Weights are equal.
    ///
    /// # Errors
    /// If the method has no such parameter, or there is no run for a weight.
    pub fn default_point<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Point, TuneError> {
        let value = |name: &'n str| Ok((name.to_owned(), self.default_value(name)?));
        let values = names.into_iter().map(value);
        Ok(Point::new(values.collect::<Result<_, TuneError>>()?))
    }

    fn default_value(&self, name: &str) -> Result<Value, TuneError> {
        let method = self.fusion.method;
        let norm = self.fusion.norms.first().copied().unwrap_or_default();
        match (name, weight_of(name)) {
            ("method", _) => return Ok(Value::Choice(method.name().into())),
            ("norm", _) => return Ok(Value::Choice(norm.to_string())),
            (_, Some(run)) if run >= self.runs.len() => {
                return Err(TuneError::Space(format!(
                    "weight `{name}` for {} runs",
                    self.runs.len()
                )));
            }
            (_, Some(_)) => return Ok(Value::Number(1.0 / self.runs.len() as f64)),
            _ => {}
        }
        let parameters = method.parameters();
        let found = parameters.iter().find(|(key, _)| *key == name);
        found
            .map(|(_, value)| Value::Number(*value))
            .ok_or_else(|| TuneError::Space(format!("{method} has no parameter `{name}`")))
    }

    /// The fusion at a point.
    fn at(&self, point: &Point) -> Result<Fusion, TuneError> {
        let mut fusion = self.fusion.clone();
        let name = match point.get("method") {
            Some(method) => method.to_string(),
            None => fusion.method.to_string(),
        };
        let of_method = |(key, _): &&(String, Value)| {
            !matches!(key.as_str(), "method" | "norm") && weight_of(key).is_none()
        };
        let values = point.values().iter().filter(of_method);
        fusion.method =
            with_values(&name, values.map(|(key, value)| (key.as_str(), value)))?.parse()?;
        if let Some(norm) = point.get("norm") {
            fusion.norms = vec![norm.to_string().parse()?];
        }
        let weight = |run: usize| point.number(&format!("w{}", run + 1));
        let is_weighted = (0..self.runs.len()).any(|run| weight(run).is_some());
        if is_weighted || fusion.method.weighting() == Weighting::Required {
            let equal = 1.0 / self.runs.len() as f64;
            let weights = (0..self.runs.len()).map(|run| weight(run).unwrap_or(equal));
            fusion.weights = weights.collect();
        }
        Ok(fusion)
    }

    /// The topics of a run that are asked for.
    fn part(run: &Run, topics: &[&str]) -> Run {
        let mut part = RunBuilder::default();
        part.set_tag(run.tag());
        for topic in topics {
            let entries = run.get(topic.as_bytes()).map(|topic| topic.entries());
            for entry in entries.into_iter().flatten() {
                part.push(topic.as_bytes(), entry.doc, entry.score, None);
            }
        }
        part.finish()
    }
}

/// The place of the run that a parameter is the weight of.
fn weight_of(name: &str) -> Option<usize> {
    let number: usize = name.strip_prefix('w')?.parse().ok()?;
    number.checked_sub(1)
}

impl Candidate for FusionCandidate {
    fn run(&self, point: &Point, topics: &[&str]) -> Result<Run, TuneError> {
        let fusion = self.at(point)?;
        let runs: Vec<Run> = self
            .runs
            .iter()
            .map(|run| Self::part(run, topics))
            .collect();
        let runs: Vec<&Run> = runs.iter().collect();
        let fused = fuse_runs(&fusion, &runs, "tuned", &Progress::default());
        let (run, _) = fused.map_err(|error| TuneError::Engine {
            point: point.to_string(),
            message: error.to_string(),
        })?;
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{QrelsJudge, Settings, Space, Tuner};
    use super::*;
    use cranfield_core::qrels::Qrels;

    /// Two runs, of which the first always has the relevant document first, and the second last.
    fn candidate(method: &str) -> FusionCandidate {
        let docs = |good: f64| {
            move |topic: usize| {
                let topic = topic.to_string();
                [
                    (topic.clone(), "good", good),
                    (topic.clone(), "x", 2.0),
                    (topic, "y", 1.0),
                ]
            }
        };
        let good = Run::from_scores("good", (1..=8).flat_map(docs(3.0)));
        let bad = Run::from_scores("bad", (1..=8).flat_map(docs(0.0)));
        FusionCandidate::new(vec![good, bad], Fusion::new(method.parse().unwrap())).unwrap()
    }

    #[test]
    fn weights_are_chosen_for_the_better_run() {
        let candidate = candidate("wsum");
        let qrels = (1..=8).map(|topic| (topic.to_string(), "good", 1.0));
        let judge = QrelsJudge::new(Qrels::from_judgements(qrels), "RR").unwrap();
        let space: Space = "w=simplex(2) step 0.1".parse().unwrap();
        assert_eq!(space.grid().unwrap().len(), 11);
        let default = candidate.default_point(space.names()).unwrap();
        assert_eq!(default.to_string(), "w1=0.5, w2=0.5");
        let mut tuner = Tuner::new(&candidate, &judge, candidate.topics(), space, default).unwrap();
        let tuned = tuner.tune(&Settings::of_folds(4)).unwrap();
        assert_eq!(tuned.test(), 1.0);
        for fold in &tuned.folds {
            assert!(
                fold.point.number("w1") > fold.point.number("w2"),
                "{}",
                fold.point
            );
        }
    }

    #[test]
    fn parameters_methods_and_norms_are_parameters() {
        let candidate = candidate("rrf(k=60)");
        let point = candidate.default_point(["k", "norm", "method"]).unwrap();
        assert_eq!(point.to_string(), "k=60, norm=min-max, method=rrf");
        let point: Point = "k=10".parse().unwrap();
        assert_eq!(
            candidate.at(&point).unwrap().method.to_string(),
            "rrf(k=10)"
        );
        let wrong = candidate.default_point(["phi"]).unwrap_err();
        assert_eq!(wrong.to_string(), "rrf(k=60) has no parameter `phi`");
        assert!(candidate.default_point(["w3"]).is_err());
        let trained = FusionCandidate::new(Vec::new(), Fusion::new("posfuse".parse().unwrap()));
        assert!(trained.is_err());
    }
}
