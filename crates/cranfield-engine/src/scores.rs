//! Results: values by topic and measure, with everything that a reader must know to trust them.

use cranfield_core::evaluate::{Plan, TopicNotes};
use cranfield_core::measure::{Aggregate, Computation};
use cranfield_core::policy::Undefined;

/// One topic's values and notes.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicScores {
    /// Topic id.
    pub id: Box<[u8]>,
    /// Whether the run has the topic.
    pub in_run: bool,
    /// Whether the qrels have it.
    pub in_qrels: bool,
    /// Ties.
    pub notes: TopicNotes,
    /// The document that is in the ranking twice, if there is one; then there are no values.
    pub duplicate: Option<Box<[u8]>>,
}

/// The values of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunScores {
    /// The run's name: that of its file.
    pub name: String,
    /// The name that the run gives itself.
    pub tag: String,
    /// Topics in ascending order of their ids.
    pub topics: Vec<TopicScores>,
    /// Values by topic, then by measure; NaN is undefined.
    pub values: Vec<f64>,
    /// Texts by topic, then by those measures that are texts.
    pub texts: Vec<String>,
    /// Documents above each of the plan's cutoffs that are not judged, by topic, then by cutoff.
    pub unjudged: Vec<u32>,
    /// Topics of the run that the qrels do not have and that were not evaluated.
    pub extra_topics: usize,
    /// Number of measures.
    pub width: usize,
}

impl RunScores {
    /// The values of the topic at this place, one per measure.
    pub fn row(&self, topic: usize) -> &[f64] {
        &self.values[topic * self.width..(topic + 1) * self.width]
    }

    /// The values of a measure, one per topic.
    pub fn column(&self, measure: usize) -> impl Iterator<Item = f64> + '_ {
        self.values
            .iter()
            .skip(measure)
            .step_by(self.width.max(1))
            .copied()
    }

    /// The run's value of a measure, `None` if no topic has one.
    pub fn aggregate(&self, plan: &Plan, measure: usize) -> Option<f64> {
        let info = plan.measures[measure].info;
        if matches!(
            plan.measures[measure].computation,
            Computation::Text(_) | Computation::RunId
        ) {
            return None;
        }
        let skip = plan.policies.undefined == Undefined::Skip && info.aggregate != Aggregate::Sum;
        let defined = self
            .column(measure)
            .filter(|value| !(skip && value.is_nan()));
        let values = defined.map(|value| {
            if value.is_nan() && !plan.reference_values {
                0.0
            } else {
                value
            }
        });
        info.aggregate.of(values)
    }

    /// Number of topics without a value of a measure.
    pub fn undefined(&self, measure: usize) -> usize {
        self.column(measure).filter(|value| value.is_nan()).count()
    }

    /// What there is to know of the run as a whole.
    pub fn notes(&self, plan: &Plan) -> RunNotes {
        let cutoffs = plan.cutoffs();
        let mut notes = RunNotes {
            topics: self.topics.len(),
            missing: self.topics.iter().filter(|topic| !topic.in_run).count(),
            extra: self.extra_topics,
            ..RunNotes::default()
        };
        for (at, topic) in self.topics.iter().enumerate() {
            notes.retrieved += u64::from(topic.notes.retrieved);
            notes.tie_groups += u64::from(topic.notes.tie_groups);
            notes.tied_docs += u64::from(topic.notes.tied_docs);
            notes.mixed_topics += usize::from(topic.notes.mixed_groups > 0);
            let unjudged = &self.unjudged[at * cutoffs.len()..(at + 1) * cutoffs.len()];
            for (bit, cutoff) in cutoffs.iter().enumerate() {
                let entry = notes.at_cutoff(bit, *cutoff);
                entry.straddled += usize::from(bit < 64 && topic.notes.straddled >> bit & 1 == 1);
                entry.unjudged += u64::from(unjudged[bit]);
                entry.shown += u64::from(topic.notes.retrieved.min(*cutoff as u32));
            }
        }
        notes
    }
}

/// Notes of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunNotes {
    /// Topics counted.
    pub topics: usize,
    /// Of these, topics that the run lacks.
    pub missing: usize,
    /// Topics of the run that the qrels lack and that were not counted.
    pub extra: usize,
    /// Documents retrieved for the topics counted.
    pub retrieved: u64,
    /// Groups of documents with equal scores.
    pub tie_groups: u64,
    /// Documents in them.
    pub tied_docs: u64,
    /// Topics where documents with equal scores have different grades, so that the order of ties can change a value.
    pub mixed_topics: usize,
    /// By cutoff.
    pub cutoffs: Vec<CutoffNotes>,
}

/// Notes of a run at one cutoff.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutoffNotes {
    /// The cutoff.
    pub cutoff: usize,
    /// Topics where a tie group straddles it, so that the order of ties decides what is above it.
    pub straddled: usize,
    /// Documents above it that are not judged.
    pub unjudged: u64,
    /// Documents above it.
    pub shown: u64,
}

impl RunNotes {
    fn at_cutoff(&mut self, place: usize, cutoff: usize) -> &mut CutoffNotes {
        if self.cutoffs.len() <= place {
            self.cutoffs.push(CutoffNotes {
                cutoff,
                ..CutoffNotes::default()
            });
        }
        &mut self.cutoffs[place]
    }
}
