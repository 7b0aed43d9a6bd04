//! Scores of an entry, as `cranfield eval` computes them: the judgements of the public topics, of the private ones, and of all.

use std::sync::Arc;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::qrels::Qrels;
use cranfield_eval::{InputFile, Inputs, Request, RunContent, RunInput, RunScores};
use cranfield_io::Source;

use crate::problem::Problem;

/// What entries of a campaign are scored with.
#[derive(Clone, Debug)]
pub(crate) struct Scorer {
    pub(crate) topics: Vec<String>,
    measures: Vec<BoundMeasure>,
    all: Arc<Qrels>,
    public: Arc<Qrels>,
    private: Arc<Qrels>,
}

/// The values of one measure.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    pub(crate) public: Option<f64>,
    pub(crate) private: Option<f64>,
    pub(crate) overall: Option<f64>,
    /// In the order of the campaign's topics; NaN is undefined.
    pub(crate) topics: Vec<f64>,
}

impl Scorer {
    /// `public` has one value for each topic.
    pub(crate) fn new(
        topics: Vec<String>,
        measures: Vec<BoundMeasure>,
        qrels: &Qrels,
        public: &[bool],
    ) -> Self {
        let part = |wanted: &dyn Fn(usize) -> bool| Arc::new(part(qrels, &topics, wanted));
        Self {
            all: part(&|_| true),
            public: part(&|place| public[place]),
            private: part(&|place| !public[place]),
            measures,
            topics,
        }
    }

    /// Scores a run by each measure.
    pub(crate) fn score(&self, source: &Arc<Source>) -> Result<Vec<Values>, Problem> {
        let all = self.evaluate(source, &self.all)?;
        let public = self.evaluate(source, &self.public)?;
        let private = self.evaluate(source, &self.private)?;
        let values = (0..self.measures.len()).map(|measure| Values {
            public: public.aggregate(measure),
            private: private.aggregate(measure),
            overall: all.aggregate(measure),
            topics: self.by_topic(&all, measure),
        });
        Ok(values.collect())
    }

    fn evaluate(&self, source: &Arc<Source>, qrels: &Arc<Qrels>) -> Result<RunScores, Problem> {
        let run = RunInput {
            name: "entry".into(),
            file: InputFile::in_memory("entry"),
            content: RunContent::Open(Arc::clone(source), None),
        };
        let inputs = Inputs::in_memory(Arc::clone(qrels), [run]);
        let evaluated = inputs.evaluate(&Request::of_measures(self.measures.clone()));
        let mut runs = evaluated.map_err(|error| Problem::internal(&error))?.runs;
        Ok(runs.remove(0).scores)
    }

    fn by_topic(&self, scores: &RunScores, measure: usize) -> Vec<f64> {
        let value = |id: &String| {
            let place = scores
                .topics
                .binary_search_by(|topic| (*topic.id).cmp(id.as_bytes()));
            place.map_or(f64::NAN, |place| scores.row(place)[measure])
        };
        self.topics.iter().map(value).collect()
    }
}

/// The judgements of some of the topics of a campaign, given by their places.
pub(crate) fn part(qrels: &Qrels, topics: &[String], wanted: impl Fn(usize) -> bool) -> Qrels {
    let topics = topics.iter().enumerate();
    let topics = topics.filter(|(place, _)| wanted(*place));
    let judged = topics.filter_map(|(_, id)| qrels.get(id.as_bytes()));
    Qrels::from_topics(judged.map(|topic| (topic.id(), topic.judgements())))
}

/// Values as the database keeps them.
pub(crate) fn to_bytes(values: &[f64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// The values of [`to_bytes`].
pub(crate) fn of_bytes(bytes: &[u8]) -> Vec<f64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|word| f64::from_le_bytes(*word)).collect()
}

#[cfg(test)]
mod tests {
    use cranfield_measures::spec::{Conventions, parse_measures};

    use super::*;

    const RUN: &[u8] = b"1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 c 1 2 t\n2 Q0 a 2 1 t\n";

    fn scorer(public: &[bool]) -> Scorer {
        let qrels = Qrels::from_judgements([("1", "b", 1.0), ("2", "c", 1.0), ("3", "a", 1.0)]);
        let measures = parse_measures("RR P@1", &Conventions::default()).expect("measures");
        Scorer::new(
            ["1", "2", "3"].map(String::from).to_vec(),
            measures,
            &qrels,
            public,
        )
    }

    #[test]
    fn parts_and_the_whole_have_means_of_their_own() {
        let source = Arc::new(Source::from_bytes("a.run", RUN.to_vec()).expect("a source"));
        let values = scorer(&[true, false, true]).score(&source).expect("scores");
        // Topic 3 is missing from the run and counts as 0.
        let rr = Values {
            public: Some(0.25),
            private: Some(1.0),
            overall: Some(0.5),
            topics: vec![0.5, 1.0, 0.0],
        };
        assert_eq!(values[0], rr);
        assert_eq!(values[1].topics, [0.0, 1.0, 0.0]);
    }

    #[test]
    fn values_survive_the_database() {
        let values = [0.1, -0.0, f64::MAX];
        assert_eq!(of_bytes(&to_bytes(&values)), values);
        assert!(of_bytes(&to_bytes(&[f64::NAN]))[0].is_nan());
    }
}
