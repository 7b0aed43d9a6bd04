//! Explanations of the values of sessions: each document's share, ranking by ranking.

use super::{Board, ExplainedDoc, Explanation, MAX_PREFIXES, Parts, Step, TopicDifference, sum};
use crate::measure::{BoundMeasure, Computation};
use crate::session::{JudgedSession, SessionMeasure};
use crate::topic::Label;

/// The tables in which a measure shows its computation on a session.
///
/// The shares of all rows add up to the value, and the last step is the value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionBoard {
    /// One table for each ranking; its steps show the weight of the ranking.
    pub rankings: Vec<Board>,
    /// From the rankings to the value.
    pub steps: Vec<Step>,
}

/// A ranking of a session, as measures see it.
#[derive(Clone, Debug)]
pub struct SessionRanking<'a> {
    /// Id of its topic.
    pub topic: &'a [u8],
    /// Whether the run has the topic.
    pub in_run: bool,
    /// Documents and their judgements, best first.
    pub documents: Vec<(&'a [u8], Label)>,
}

/// The explanation of the value of one measure for one session.
#[derive(Clone, Debug)]
pub struct SessionExplanation {
    /// The measure.
    pub measure: BoundMeasure,
    /// The session's id.
    pub session: Box<[u8]>,
    /// Whether the run has one of its topics.
    pub in_run: bool,
    /// The value, bit for bit that of an evaluation; `None` if undefined.
    pub value: Option<f64>,
    /// The rankings in the order in which the user saw them. The value of each is its part of the session's.
    pub rankings: Vec<Explanation>,
    /// The part of the value that belongs to no document.
    pub nothing: f64,
    /// The part of judged documents beyond the first [`MAX_PREFIXES`].
    pub rest: f64,
    /// From the rankings to the value, where the measure has tables of its own.
    pub steps: Option<Vec<Step>>,
}

impl SessionExplanation {
    /// The sum of all shares.
    pub fn total(&self) -> f64 {
        let rankings = self.rankings.iter();
        let shares = rankings.flat_map(|ranking| &ranking.documents);
        let shares = shares.map(|document| document.share);
        sum(shares.chain([self.nothing, self.rest]))
    }
}

/// The difference of two runs for one session and measure: the second minus the first.
#[derive(Clone, Debug)]
pub struct SessionDifference {
    /// The explanations of both values.
    pub runs: [SessionExplanation; 2],
    /// By ranking, the differences of documents.
    pub rankings: Vec<TopicDifference>,
}

impl SessionDifference {
    /// Joins two explanations of the same measure and session.
    pub fn new(runs: [SessionExplanation; 2]) -> Self {
        let [first, second] = &runs;
        let pairs = first.rankings.iter().zip(&second.rankings);
        let pairs = pairs.map(|(one, other)| TopicDifference::new([one.clone(), other.clone()]));
        Self {
            rankings: pairs.collect(),
            runs,
        }
    }

    /// The second run's value minus the first's; `None` if one is undefined.
    pub fn difference(&self) -> Option<f64> {
        let [first, second] = &self.runs;
        Some(second.value? - first.value?)
    }

    /// The part of the difference that belongs to no document.
    pub fn nothing(&self) -> f64 {
        self.runs[1].nothing - self.runs[0].nothing
    }

    /// The part of documents below those with their own shares.
    pub fn rest(&self) -> f64 {
        self.runs[1].rest - self.runs[0].rest
    }

    /// The sum of all parts.
    pub fn total(&self) -> f64 {
        let rankings = self.rankings.iter().map(TopicDifference::total);
        sum(rankings.chain([self.nothing(), self.rest()]))
    }
}

/// Explains the value of a measure for one session.
///
/// `judged` are the highest grades of all documents that were judged for one of the rankings, see [`JudgedSession`];
/// `undefined` is the number that replaces an undefined value, if any. For a measure without tables, shares are changes of the value
/// as judgements become known in the order in which the user reads.
pub fn explain_session(
    measure: &BoundMeasure,
    session: &[u8],
    rankings: &[SessionRanking<'_>],
    judged: &[f64],
    undefined: Option<f64>,
) -> SessionExplanation {
    let labels: Vec<Vec<Label>> = rankings.iter().map(labels).collect();
    let seen = JudgedSession {
        rankings: &labels,
        judged,
    };
    let mut parts = Parts::default();
    let (mut boards, mut steps) = (Vec::new(), None);
    let value = match &measure.computation {
        Computation::Session(measure) => {
            if let Some(board) = measure.board(&seen) {
                add_boards(&mut parts, &labels, &board.rankings);
                (boards, steps) = (board.rankings, Some(board.steps));
            } else {
                add_known(&mut parts, measure.as_ref(), &seen);
            }
            measure.evaluate(&seen).or(undefined)
        }
        Computation::TopicCount => Some(1.0),
        _ => None,
    };
    let shares = parts.shares.iter().copied();
    let mut shares = shares.chain(std::iter::repeat(0.0));
    let mut boards = boards.into_iter();
    let explained = rankings.iter().map(|ranking| {
        let documents = ranking.documents.iter();
        let documents = documents.map(|(doc, label)| ExplainedDoc {
            doc: (*doc).into(),
            label: *label,
            share: shares.next().unwrap_or(0.0),
        });
        let documents: Vec<ExplainedDoc> = documents.collect();
        Explanation {
            measure: measure.clone(),
            topic: ranking.topic.into(),
            in_run: ranking.in_run,
            value: value.map(|_| sum(documents.iter().map(|document| document.share))),
            text: None,
            retrieved: documents.len(),
            documents,
            unlisted: 0.0,
            nothing: 0.0,
            rest: 0.0,
            board: boards.next(),
            open: false,
        }
    });
    let explained = explained.collect();
    // A number that replaces an undefined value, and a count of sessions, belong to no document.
    let whole = value.filter(|value| !parts.defined && value.is_finite());
    SessionExplanation {
        measure: measure.clone(),
        session: session.into(),
        in_run: rankings.iter().any(|ranking| ranking.in_run),
        value,
        rankings: explained,
        nothing: whole.unwrap_or(parts.nothing),
        rest: parts.rest,
        steps,
    }
}

fn labels(ranking: &SessionRanking<'_>) -> Vec<Label> {
    ranking.documents.iter().map(|(_, label)| *label).collect()
}

/// Shares from the tables of the rankings. Documents are counted through all rankings.
fn add_boards(parts: &mut Parts, labels: &[Vec<Label>], boards: &[Board]) {
    parts.defined = true;
    let mut before = 0;
    for (labels, board) in labels.iter().zip(boards) {
        for row in &board.rows {
            parts.share(before + row.rank, row.share);
        }
        before += labels.len() as u32;
    }
}

/// Shares of judgements that become known in the order of reading.
fn add_known(parts: &mut Parts, measure: &dyn SessionMeasure, session: &JudgedSession<'_>) {
    let all = session.rankings.iter().flatten().zip(1u32..);
    let judged = all.filter(|(label, _)| **label != Label::Unjudged);
    let places: Vec<u32> = judged.map(|(_, place)| place).collect();
    let value_of = |known: usize| {
        let last = known.checked_sub(1).map_or(0, |last| places[last]);
        let mut place = 0;
        let read = session.rankings.iter().map(|ranking| {
            let shown = ranking.iter().map(|label| {
                place += 1;
                if place <= last {
                    *label
                } else {
                    Label::Unjudged
                }
            });
            shown.collect()
        });
        measure.evaluate(&JudgedSession {
            rankings: &read.collect::<Vec<Vec<Label>>>(),
            judged: session.judged,
        })
    };
    parts.add_prefixes(&places, MAX_PREFIXES, measure.evaluate(session), value_of);
}
