//! Values of the topics that one thread evaluated, and their collection into the scores of a run.

use cranfield_core::evaluate::{Plan, TopicEvaluator, TopicNotes};
use cranfield_core::measure::Computation;
use cranfield_core::policy::{IdenticalIds, TieBreak, TopicPolicy};
use cranfield_core::qrels::Qrels;

use crate::engine::scores::{RunScores, TopicScores, Values};

/// A document that a ranking repeats: its two ids in the input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duplicate<'a> {
    pub(crate) topic: &'a [u8],
    pub(crate) first: &'a [u8],
    pub(crate) second: &'a [u8],
}

/// Maximum number of bytes to reserve for values.
const MOST_RESERVED: usize = 8 << 20;

/// One thread's evaluator and the values that it has computed.
#[derive(Debug)]
pub(crate) struct Rows<'a, 'p> {
    qrels: &'p Qrels,
    plan: &'p Plan,
    evaluator: TopicEvaluator<'a, 'p>,
    n_strings: usize,
    n_cutoffs: usize,
    /// Expected number of documents.
    expected: usize,
    ended: Vec<Ended<'a>>,
    /// Topics that have a row of values.
    evaluated: u32,
    values: Vec<f64>,
    strings: Vec<String>,
    unjudged: Vec<u32>,
    duplicates: Vec<(usize, Duplicate<'a>)>,
}

#[derive(Debug)]
struct Ended<'a> {
    id: &'a [u8],
    /// Place in the qrels.
    position: Option<u32>,
    /// Row of its values; `None` if it was not evaluated.
    row: Option<u32>,
    void: bool,
    /// Its entry in the scores, created while the bytes of its id are in the cache.
    scores: TopicScores,
}

impl<'a, 'p> Rows<'a, 'p> {
    pub(crate) fn new(qrels: &'p Qrels, plan: &'p Plan) -> Self {
        let is_text = |computation: &Computation| matches!(computation, Computation::Text(_));
        Self {
            qrels,
            plan,
            evaluator: TopicEvaluator::new(plan),
            n_strings: plan
                .measures
                .iter()
                .filter(|measure| is_text(&measure.computation))
                .count(),
            n_cutoffs: plan.cutoffs().len(),
            expected: 0,
            ended: Vec::new(),
            evaluated: 0,
            values: Vec::new(),
            strings: Vec::new(),
            unjudged: Vec::new(),
            duplicates: Vec::new(),
        }
    }

    /// Sets the expected number of documents.
    pub(crate) fn expecting(self, expected: usize) -> Self {
        Self { expected, ..self }
    }

    pub(crate) fn ties(&self) -> TieBreak {
        self.plan.policies.ties
    }

    #[inline]
    pub(crate) fn push(&mut self, doc: &'a [u8], score: f64) {
        self.evaluator.push(self.qrels.hasher(), doc, score);
    }

    pub(crate) fn push_ranked(&mut self, doc: &'a [u8], score: f64, rank: f64) {
        let hash = self.qrels.hasher().hash(doc);
        self.evaluator.ranking.push_ranked(doc, hash, score, rank);
    }

    pub(crate) fn end_topic(&mut self, id: &'a [u8]) {
        let position = self.qrels.position(id);
        let mut ended = Ended {
            id,
            position: position.map(|at| at as u32),
            row: None,
            void: false,
            scores: TopicScores::default(),
        };
        if self.plan.policies.identical == IdenticalIds::Drop {
            self.evaluator.ranking.remove(id);
        }
        if position.is_some() || self.plan.policies.topics == TopicPolicy::Run {
            self.evaluate(&mut ended);
        }
        self.ended.push(ended);
        self.evaluator.clear();
    }

    pub(crate) fn abandon_topic(&mut self) {
        self.evaluator.clear();
    }

    fn evaluate(&mut self, ended: &mut Ended<'a>) {
        let topic = ended.position.map(|at| self.qrels.topic(at as usize));
        ended.scores = TopicScores {
            id: ended.id.into(),
            in_run: true,
            in_qrels: topic.is_some(),
            ..TopicScores::default()
        };
        let start = self.values.len();
        let width = self.plan.width();
        ended.row = Some(self.evaluated);
        self.evaluated += 1;
        if start == 0 {
            self.reserve(width);
        }
        self.values.resize(start + width, f64::NAN);
        match self.evaluator.arrange(topic) {
            Ok(()) => {
                self.evaluator.measure(topic, &mut self.values[start..]);
                if self.n_strings > 0 {
                    self.evaluator.strings(&mut self.strings);
                }
            }
            Err(duplicate) => {
                let (first, second) = (
                    self.evaluator.ranking.doc(duplicate.first),
                    self.evaluator.ranking.doc(duplicate.second),
                );
                ended.scores.duplicate = Some(first.into());
                self.duplicates.push((
                    self.ended.len(),
                    Duplicate {
                        topic: ended.id,
                        first,
                        second,
                    },
                ));
                self.strings
                    .resize(self.strings.len() + self.n_strings, String::new());
            }
        }
        ended.scores.notes = self.evaluator.notes(&mut self.unjudged);
    }

    /// Reserves memory for the values of all topics, assuming that they are like the first one.
    fn reserve(&mut self, width: usize) {
        let topics = self.expected / self.evaluator.ranking.len().max(1);
        let most = MOST_RESERVED / size_of::<f64>();
        self.values.reserve(topics.saturating_mul(width).min(most));
    }

    /// Marks topics as void, by the order in which they ended.
    pub(crate) fn void(&mut self, void: &[bool]) {
        for (ended, void) in self.ended.iter_mut().zip(void) {
            ended.void = *void;
        }
    }

    /// Repeated documents of topics that are not void.
    pub(crate) fn duplicates(&self) -> impl Iterator<Item = &Duplicate<'a>> {
        let live = self
            .duplicates
            .iter()
            .filter(|(ended, _)| !self.ended[*ended].void);
        live.map(|(_, duplicate)| duplicate)
    }

    /// Adds the topic that ended at this place to a run's scores, without its values.
    fn append_to(&mut self, scores: &mut RunScores, place: usize) {
        let ended = &mut self.ended[place];
        let row = ended.row.map_or(0, |row| row as usize);
        let of_row = |n: usize| row * n..(row + 1) * n;
        let strings = self.strings[of_row(self.n_strings)].iter_mut();
        scores.strings.extend(strings.map(std::mem::take));
        let unjudged = &self.unjudged[of_row(self.n_cutoffs)];
        scores.unjudged.extend_from_slice(unjudged);
        scores.topics.push(std::mem::take(&mut ended.scores));
    }
}

/// The scores of a run from the rows of all threads, under the plan's topic policy.
pub(crate) fn collect(mut parts: Vec<Rows<'_, '_>>, qrels: &Qrels, plan: &Plan) -> RunScores {
    let blocks = parts
        .iter_mut()
        .map(|rows| std::mem::take(&mut rows.values));
    let mut scores = RunScores {
        values: Values::new(plan.width(), blocks.collect()),
        ..RunScores::default()
    };
    let Places { found, others } = Places::of(&parts, qrels.len());
    scores.reserve(found.len() + others.len(), plan.cutoffs().len());
    let mut append = |scores: &mut RunScores, (part, at): Place| {
        let rows = &mut parts[part as usize];
        if let Some(row) = rows.ended[at as usize].row {
            rows.append_to(scores, at as usize);
            scores.values.take(part, row);
        }
    };
    if plan.policies.topics == TopicPolicy::Run {
        let known = found.iter().enumerate();
        let known = known.filter_map(|(at, place)| Some((qrels.topic(at).id(), (*place)?)));
        let mut all: Vec<(&[u8], Place)> = known.chain(others).collect();
        all.sort_unstable();
        for (_, place) in all {
            append(&mut scores, place);
        }
    } else {
        scores.extra_topics = others.len();
        for (position, place) in found.into_iter().enumerate() {
            match place {
                Some(_) if !counts(qrels, plan, position) => scores.left_out += 1,
                Some(place) => append(&mut scores, place),
                None if plan.policies.topics == TopicPolicy::Judged => {
                    append_missing(&mut scores, qrels, plan, position);
                }
                None => {}
            }
        }
    }
    scores.add_up(plan);
    if !plan.vectors.is_empty() && !plan.topic_vectors {
        scores.values.narrow(plan.measures.len());
    }
    scores
}

/// Whether a topic that is in the run and in the qrels counts.
fn counts(qrels: &Qrels, plan: &Plan, position: usize) -> bool {
    let policies = &plan.policies;
    let base = || qrels.topic(position).base(policies.negative);
    policies.topics != TopicPolicy::Relevant || !base().positive().is_empty()
}

/// A part, and the place in it of a topic that ended there.
type Place = (u32, u32);

/// Where the topics that count ended.
struct Places<'a> {
    /// By place in the qrels.
    found: Vec<Option<Place>>,
    /// Those that the qrels lack.
    others: Vec<(&'a [u8], Place)>,
}

impl<'a> Places<'a> {
    fn of(parts: &[Rows<'a, '_>], topics: usize) -> Self {
        let mut places = Self {
            found: vec![None; topics],
            others: Vec::new(),
        };
        for (rows, part) in parts.iter().zip(0..) {
            let live = rows.ended.iter().zip(0..).filter(|(ended, _)| !ended.void);
            for (ended, at) in live {
                match ended.position {
                    Some(position) => places.found[position as usize] = Some((part, at)),
                    None => places.others.push((ended.id, (part, at))),
                }
            }
        }
        places
    }
}

/// Adds a topic that is missing from the run: an empty ranking, or the substitute of the plan.
fn append_missing(scores: &mut RunScores, qrels: &Qrels, plan: &Plan, position: usize) {
    let topic = qrels.topic(position);
    let mut rows = Rows::new(qrels, plan);
    if let Some(document) = plan.missing_document {
        rows.push_ranked(document, 1.0, 1.0);
    }
    rows.end_topic(topic.id());
    rows.append_to(scores, 0);
    // In trec_eval an empty ranking may have NaN, but a missing topic has 0.
    let zero = plan.reference_values && plan.missing_document.is_none();
    let values = rows.values.into_iter();
    scores
        .values
        .push(values.map(|value| if zero && value.is_nan() { 0.0 } else { value }));
    if let Some(added) = scores.topics.last_mut() {
        added.in_run = false;
        added.notes = TopicNotes::default();
    }
}
