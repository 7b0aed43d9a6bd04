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
///
/// ```
/// use cranfield_core::explain::{SessionRanking, explain_session};
/// use cranfield_core::spec::{Conventions, parse_measure};
/// use cranfield_core::topic::Label;
///
/// let measure = parse_measure("nsDCG", &Conventions::default())?;
/// let ranking = |topic, documents| SessionRanking { topic, in_run: true, documents };
/// let [a, x, b] = [(&b"a"[..], 1.0), (b"x", 0.0), (b"b", 2.0)].map(|(doc, grade)| (doc, Label::Judged(grade)));
/// let rankings = [ranking(&b"1"[..], vec![a, x]), ranking(b"2", vec![b])];
/// let explained = explain_session(&measure, b"s", &rankings, &[2.0, 1.0, 0.0], None);
/// let parts: Vec<_> = explained.rankings.iter().map(|ranking| ranking.value).collect();
/// // 1 of 2 + 1 / 1.5, and 2 / 1.5 of it.
/// assert_eq!(parts, [Some(0.375), Some(0.5)]);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::spec::{Conventions, parse_measure};

    fn ranking(topic: &'static str, grades: &[u32]) -> SessionRanking<'static> {
        const DOCS: [&[u8]; 6] = [b"a", b"b", b"c", b"d", b"e", b"f"];
        let labels = grades.iter().map(|grade| match grade {
            0 => Label::Unjudged,
            grade => Label::Judged(f64::from(*grade - 1)),
        });
        SessionRanking {
            topic: topic.as_bytes(),
            in_run: true,
            documents: DOCS.into_iter().zip(labels).collect(),
        }
    }

    fn explained(name: &str, rankings: &[SessionRanking<'_>]) -> SessionExplanation {
        let measure = parse_measure(name, &Conventions::default()).expect("a measure");
        let grades = rankings.iter().flat_map(labels);
        let judged: Vec<f64> = grades
            .filter_map(|label| match label {
                Label::Judged(grade) => Some(grade),
                _ => None,
            })
            .collect();
        explain_session(&measure, b"s", rankings, &judged, None)
    }

    #[test]
    fn worked_example() {
        // Grades 1, 0 and grade 2: 1 + 2 / 1.5.
        let rankings = [ranking("1", &[2, 1]), ranking("2", &[3])];
        let found = explained("SessionDCG", &rankings);
        let shares: Vec<Vec<f64>> = found
            .rankings
            .iter()
            .map(|ranking| ranking.documents.iter().map(|d| d.share).collect())
            .collect();
        assert_eq!(shares, [vec![1.0, 0.0], vec![2.0 / 1.5]]);
        let board = found.rankings[1].board.as_ref().expect("a table");
        assert_eq!(board.steps[0].value, Some(1.5));
        assert_eq!(board.rows[0].cells.last(), Some(&found.value));
        let last = found.steps.expect("steps").pop().expect("a result");
        assert_eq!(last.value, found.value);
    }

    #[test]
    fn undefined_values_have_no_shares() {
        let found = explained("nsDCG", &[ranking("1", &[0, 1])]);
        assert_eq!((found.value, found.total()), (None, 0.0));
        assert_eq!(found.rankings[0].value, None);
        let measure = parse_measure("nsDCG", &Conventions::default()).expect("a measure");
        let number = explain_session(&measure, b"s", &[], &[], Some(0.0));
        assert_eq!((number.value, number.total()), (Some(0.0), 0.0));
    }

    #[test]
    fn differences_add_up() {
        let first = explained("nsDCG", &[ranking("1", &[2, 1]), ranking("2", &[3, 2])]);
        let second = explained("nsDCG", &[ranking("1", &[1, 2]), ranking("2", &[2, 3])]);
        let difference = SessionDifference::new([first, second]);
        let value = difference.difference().expect("both are defined");
        assert!((value - difference.total()).abs() < 1e-12);
        assert_eq!(difference.rankings.len(), 2);
    }

    /// A measure with no tables: the product of the numbers of judged documents in all rankings.
    #[derive(Debug)]
    struct Product;

    impl SessionMeasure for Product {
        fn evaluate(&self, session: &JudgedSession<'_>) -> Option<f64> {
            let judged = |ranking: &Vec<Label>| {
                let judged = ranking.iter().filter(|label| **label != Label::Unjudged);
                judged.count() as f64
            };
            Some(session.rankings.iter().map(judged).product())
        }
    }

    #[test]
    fn without_tables_judgements_become_known_in_reading_order() {
        let mut measure = parse_measure("nsDCG", &Conventions::default()).expect("a measure");
        measure.computation = Computation::Session(Arc::new(Product));
        let rankings = [ranking("1", &[1, 0, 1]), ranking("2", &[0, 1, 1])];
        let found = explain_session(&measure, b"s", &rankings, &[], None);
        let parts: Vec<_> = found.rankings.iter().map(|ranking| ranking.value).collect();
        assert_eq!(
            (found.value, parts),
            (Some(4.0), vec![Some(0.0), Some(4.0)])
        );
        assert_eq!(found.rankings[1].documents[1].share, 2.0);
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_value_to_the_bit_of_evaluation(
            grades in prop::collection::vec(prop::collection::vec(0u32..5, 0..6), 0..5),
            cutoff in 1usize..8,
        ) {
            let rankings: Vec<_> = grades.iter().map(|grades| ranking("t", grades)).collect();
            for name in ["SessionDCG", "nsDCG", "nsDCG(bq=2, b=3, gains='exp')"] {
                let found = explained(&format!("{name}@{cutoff}"), &rankings);
                if let (Some(value), Some(steps)) = (found.value, &found.steps) {
                    prop_assert!((found.total() - value).abs() < 1e-12 * value.max(1.0));
                    let last = steps.last().and_then(|step| step.value);
                    prop_assert_eq!(last.map(f64::to_bits), Some(value.to_bits()));
                }
                prop_assert_eq!(found.value.is_some(), found.steps.is_some());
            }
        }
    }
}
