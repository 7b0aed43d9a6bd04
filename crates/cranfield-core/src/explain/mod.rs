//! Explanations of values: each document's share of a topic's value, each topic's share of a mean, and both for the
//! difference of two runs.
//!
//! A document's share is its term in the measure's own table, the [`Board`], if the measure has one. For any
//! other measure it is the change of the value when judgements become known from the top down: with
//! V(i) the value if all documents below rank i are read as unjudged, in a ranking of the same length and with the
//! same recall base, the share of rank i is V(i) − V(i − 1), and V(0) is the share of no document. Either way
//! shares add up to the value.

mod board;
mod difference;
mod mean;
mod session;

pub use board::{Board, BoardRow, Step};
pub use difference::{DocDifference, DocShare, MeanDifference, TopicDifference, TopicPair};
pub use mean::{MeanExplanation, TopicShare};
pub use session::{
    SessionBoard, SessionDifference, SessionExplanation, SessionRanking, explain_session,
};

use crate::evaluate::{DuplicateDoc, Plan, TopicEvaluator};
use crate::measure::{BoundMeasure, Computation, Measure};
use crate::policy::{IdenticalIds, TieBreak};
use crate::qrels::{Qrels, QrelsTopic};
use crate::run::RunTopic;
use crate::topic::{JudgedRanking, Label};

/// Maximum number of judged documents with their own share, if each takes an evaluation; the others have one share
/// together.
pub const MAX_PREFIXES: usize = 1000;

/// The limit if each evaluation covers many orders of ties, or readings of unjudged documents.
pub const MAX_OPEN_PREFIXES: usize = 100;

/// A retrieved document and its share of a topic's value.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedDoc {
    /// Document id.
    pub doc: Box<[u8]>,
    /// Its judgement; always unjudged if judgements are not one grade per document.
    pub label: Label,
    /// Its part of the value.
    pub share: f64,
}

/// The explanation of the value of one measure for one topic.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The measure.
    pub measure: BoundMeasure,
    /// Topic id.
    pub topic: Box<[u8]>,
    /// Whether the run has the topic.
    pub in_run: bool,
    /// The value, bit for bit that of an evaluation; `None` if undefined. For the ranking of a session, its part of the
    /// session's value.
    pub value: Option<f64>,
    /// The value of a textual measure, which has no number and no shares. For [`Computation::RunId`] the caller fills it in.
    pub text: Option<String>,
    /// The ranking as the measure sees it, best first; its first documents if only those were asked for.
    pub documents: Vec<ExplainedDoc>,
    /// Number of documents in the ranking.
    pub retrieved: usize,
    /// The part of the documents that are not listed.
    pub unlisted: f64,
    /// The part of the value that belongs to no document: the value if all documents are read as unjudged.
    pub nothing: f64,
    /// The part of judged documents beyond the first [`MAX_PREFIXES`] or [`MAX_OPEN_PREFIXES`].
    pub rest: f64,
    /// The computation as a table, where the measure has one.
    pub board: Option<Board>,
    /// Whether the value comes from several orders of tied documents, or readings of unjudged ones; then there is
    /// no table, and tied documents are in the order of the rule for ties.
    pub open: bool,
}

impl Explanation {
    /// The sum of all shares.
    pub fn total(&self) -> f64 {
        let shares = self.documents.iter().map(|document| document.share);
        sum(shares.chain([self.unlisted, self.nothing, self.rest]))
    }
}

/// A sum that does not lose small terms (Neumaier).
pub(crate) fn sum(terms: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0f64);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() {
            (sum - next) + term
        } else {
            (term - next) + sum
        };
        sum = next;
    }
    if lost.is_finite() { sum + lost } else { sum }
}

/// Explains the values of all measures of a plan for one topic, for judgements that are grades.
///
/// `run` is `None` for a topic that is missing from the run: an empty ranking, or the substitute of the plan.
pub fn explain_topic(
    plan: &Plan,
    qrels: &Qrels,
    id: &[u8],
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, DuplicateDoc> {
    explain_topic_to(usize::MAX, plan, qrels, id, run)
}

/// Explains values as [`explain_topic`] does, and lists at most the first `depth` documents of the ranking.
pub fn explain_topic_to(
    depth: usize,
    plan: &Plan,
    qrels: &Qrels,
    id: &[u8],
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, DuplicateDoc> {
    let topic = qrels.get(id);
    let mut evaluator = TopicEvaluator::new(plan);
    fill(&mut evaluator, plan, qrels, run);
    if plan.policies.identical == IdenticalIds::Drop {
        evaluator.ranking.remove(id);
    }
    evaluator.arrange(topic)?;
    let mut values = vec![f64::NAN; plan.width()];
    evaluator.measure(topic, &mut values);
    let mut parts: Vec<Parts> = plan.measures.iter().map(|_| Parts::default()).collect();
    let single = evaluator.single_ranking(topic);
    let open = single.is_none();
    if let Some(judged) = single {
        for (measure, parts) in plan.measures.iter().zip(&mut parts) {
            if let Computation::Ranked(measure) = &measure.computation {
                parts.add(measure.as_ref(), &judged);
            }
        }
    }
    let is_left =
        |measure: &BoundMeasure| open || matches!(measure.computation, Computation::Known(_));
    if plan.measures.iter().any(is_left) {
        let all = plan.measures.iter().zip(&mut parts).enumerate();
        let left = all.filter(|(_, (measure, _))| is_left(measure));
        let left = left.map(|(at, (_, parts))| (at, parts));
        add_open(&mut evaluator, topic, &values, left);
    }
    let mut documents = evaluator.documents().map(|(_, doc, label)| (doc, label));
    let listed: Vec<(&[u8], Label)> = documents.by_ref().take(depth).collect();
    let retrieved = listed.len() + documents.count();
    let missing = run.is_none() && plan.missing_document.is_none();
    let mut textual = Vec::new();
    evaluator.strings(&mut textual);
    let mut textual = textual.into_iter();
    let explained = plan.measures.iter().zip(parts).zip(values);
    let explained = explained.map(|((measure, parts), value)| {
        let value = if missing && plan.reference_values && value.is_nan() {
            0.0
        } else {
            value
        };
        let is_text = matches!(measure.computation, Computation::Text(_));
        Explanation {
            text: if is_text { textual.next() } else { None },
            open,
            ..parts.finish(measure, (id, run.is_some()), value, (&listed, retrieved))
        }
    });
    Ok(explained.collect())
}

/// Shares of the measures at these places, which see more than one ranking: several orders or readings, or the documents that
/// users knew. Each comes from a whole evaluation of what is judged so far.
fn add_open<'p>(
    evaluator: &mut TopicEvaluator<'_, '_>,
    topic: Option<QrelsTopic<'_>>,
    values: &[f64],
    parts: impl Iterator<Item = (usize, &'p mut Parts)>,
) {
    let shown = evaluator.documents().zip(1u32..);
    let judged = shown.filter(|((_, _, label), _)| *label != Label::Unjudged);
    // Place in the ranking, and rank as it is shown.
    let judged: Vec<(u32, u32)> = judged.map(|((place, ..), rank)| (place, rank)).collect();
    let places = judged.iter().map(|(place, _)| *place);
    let mut rows = Vec::new();
    for known in std::iter::once(0).chain(places.take(MAX_OPEN_PREFIXES)) {
        let mut row = vec![f64::NAN; values.len()];
        evaluator.measure_first(topic, known, &mut row);
        rows.push(row);
    }
    let ranks: Vec<u32> = judged.iter().map(|(_, rank)| *rank).collect();
    for (at, parts) in parts {
        let value_of = |known: usize| rows.get(known).map(|row| row[at]);
        parts.add_prefixes(&ranks, MAX_OPEN_PREFIXES, Some(values[at]), value_of);
    }
}

/// The documents of a topic, as an evaluation takes them.
fn fill<'a>(
    evaluator: &mut TopicEvaluator<'a, '_>,
    plan: &Plan,
    qrels: &Qrels,
    run: Option<RunTopic<'a>>,
) {
    let hasher = qrels.hasher();
    let by_column = plan.policies.ties == TieBreak::RankColumn;
    match (run, plan.missing_document) {
        (Some(run), _) => {
            for (place, entry) in run.entries().enumerate() {
                if by_column {
                    let rank = entry.rank.unwrap_or(place as f64 + 1.0);
                    let hash = hasher.hash(entry.doc);
                    evaluator
                        .ranking
                        .push_ranked(entry.doc, hash, entry.score, rank);
                } else {
                    evaluator.push(hasher, entry.doc, entry.score);
                }
            }
        }
        (None, Some(document)) => {
            let hash = hasher.hash(document);
            evaluator.ranking.push_ranked(document, hash, 1.0, 1.0);
        }
        (None, None) => {}
    }
}

/// Explains the value of any function of the known part of a ranking: `value_of(n)` is the value if only
/// the first n documents of `ranked` are known and the others are read as unjudged, `None` if undefined.
///
/// `judged` returns whether a document was judged; only judged documents can change a value.
pub fn explain_prefixes(
    measure: &BoundMeasure,
    (topic, in_run): (&[u8], bool),
    ranked: &[&[u8]],
    judged: impl Fn(&[u8]) -> bool,
    value_of: impl Fn(usize) -> Option<f64>,
) -> Explanation {
    let mut parts = Parts::default();
    let known = ranked.iter().zip(1u32..).filter(|(doc, _)| judged(doc));
    let ranks: Vec<u32> = known.map(|(_, rank)| rank).collect();
    let value = value_of(ranked.len());
    parts.add_prefixes(&ranks, MAX_PREFIXES, value, |known| {
        value_of(known.checked_sub(1).map_or(0, |last| ranks[last] as usize))
    });
    let documents: Vec<(&[u8], Label)> = ranked.iter().map(|doc| (*doc, Label::Unjudged)).collect();
    let value = value.unwrap_or(f64::NAN);
    let retrieved = documents.len();
    parts.finish(measure, (topic, in_run), value, (&documents, retrieved))
}

/// Shares while they are being collected.
#[derive(Debug, Default)]
struct Parts {
    /// By rank, from 1 on.
    shares: Vec<f64>,
    nothing: f64,
    rest: f64,
    board: Option<Board>,
    /// Whether there is a value to share.
    defined: bool,
}

impl Parts {
    fn share(&mut self, rank: u32, share: f64) {
        let rank = rank as usize;
        if self.shares.len() < rank {
            self.shares.resize(rank, 0.0);
        }
        self.shares[rank - 1] += share;
    }

    fn add(&mut self, measure: &dyn Measure, judged: &JudgedRanking<'_>) {
        if let Some(board) = measure.board(judged) {
            self.defined = true;
            for row in board.rows.iter().filter(|row| row.share != 0.0) {
                self.share(row.rank, row.share);
            }
            self.nothing += measure.offset();
            self.board = Some(board);
            return;
        }
        let hits = judged.hits();
        let ranks: Vec<u32> = hits.iter().map(|hit| hit.rank).collect();
        self.add_prefixes(&ranks, MAX_PREFIXES, measure.evaluate(judged), |known| {
            let known = JudgedRanking::new(judged.retrieved(), &hits[..known], judged.base());
            measure.evaluate(&known)
        });
    }

    /// Adds V(i) − V(i − 1) for each of the first ranks that judgements know, and what is left of the value;
    /// `value_of(n)` is the value if the first n of them are known.
    fn add_prefixes(
        &mut self,
        ranks: &[u32],
        most: usize,
        value: Option<f64>,
        value_of: impl Fn(usize) -> Option<f64>,
    ) {
        let is_finite = |value: &f64| value.is_finite();
        let finite = |known| value_of(known).filter(is_finite).unwrap_or(0.0);
        let Some(value) = value.filter(is_finite) else {
            return;
        };
        self.defined = true;
        let mut before = finite(0);
        self.nothing += before;
        for (known, rank) in (1..).zip(ranks).take(most) {
            let after = finite(known);
            self.share(*rank, after - before);
            before = after;
        }
        self.rest += value - before;
    }

    fn finish(
        self,
        measure: &BoundMeasure,
        (topic, in_run): (&[u8], bool),
        value: f64,
        (listed, retrieved): (&[(&[u8], Label)], usize),
    ) -> Explanation {
        let value = Some(value).filter(|value| !value.is_nan());
        let shares = self.shares.iter().copied().chain(std::iter::repeat(0.0));
        let documents = listed.iter().zip(shares);
        let documents = documents.map(|((doc, label), share)| ExplainedDoc {
            doc: (*doc).into(),
            label: *label,
            share,
        });
        let unlisted = self.shares.iter().take(retrieved).skip(listed.len());
        // A number that replaces an undefined value, and a count of topics, belong to no document.
        let whole = value.filter(|value| !self.defined && value.is_finite());
        Explanation {
            measure: measure.clone(),
            topic: topic.into(),
            in_run,
            value,
            text: None,
            documents: documents.collect(),
            retrieved,
            unlisted: unlisted.sum(),
            nothing: whole.unwrap_or(self.nothing),
            rest: self.rest,
            board: self.board,
            open: false,
        }
    }
}
