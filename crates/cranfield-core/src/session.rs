//! Gain over a session: several rankings that one user sees for one need, one after another.
//!
//! Session discounted cumulated gain (`sDCG`) is Σ over the rankings q and their ranks j of gain(q, j) / ((1 + log
//! q) · (1 + log j)), the logarithms of base bq and b, so that documents count less the later their ranking came
//! and the lower their rank. `nsDCG` divides it by the value of the best session of the same shape. A
//! document that is shown again counts again; a caller who does not want this gives it the gain 0.
//!
//! This is the form of the dynamic domain track of TREC. Järvelin et al. discount rank j by its logarithm of base b
//! alone, from rank b on and not before. The older script of that track divides `nsDCG` by the number of rankings,
//! which is not done here.
//!
//! K. Järvelin, S. Price, L. Delcambre and M. Nielsen: Discounted cumulated gain based evaluation of multiple-query
//! IR sessions. ECIR 2008.
//!
//! G. H. Yang, Z. Tang and I. Soboroff: TREC 2017 dynamic domain track overview. TREC 2017.
//!
//! [`Sessions`] says which topics of a run are the rankings of which session; [`JudgedSession`] is what a
//! [`SessionMeasure`] sees of one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::explain::SessionBoard;
use crate::topic::Label;

/// A measure of a session.
pub trait SessionMeasure: fmt::Debug + Send + Sync {
    /// The value for a session, or `None` where the measure's documentation calls it undefined.
    fn evaluate(&self, session: &JudgedSession<'_>) -> Option<f64>;

    /// The computation as tables, for measures that can be followed document by document. `None` where the value is
    /// undefined, too.
    fn board(&self, _session: &JudgedSession<'_>) -> Option<SessionBoard> {
        None
    }
}

/// The rankings of a session with their judgements.
#[derive(Clone, Copy, Debug)]
pub struct JudgedSession<'a> {
    /// The judgement of each document of each ranking, in rank order.
    pub rankings: &'a [Vec<Label>],
    /// Of each document that was judged for any of the rankings, the highest grade.
    pub judged: &'a [f64],
}

/// A session: the topics whose rankings its user saw, in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session<'a> {
    /// The session's id.
    pub id: &'a [u8],
    topics: &'a [Box<[u8]>],
}

impl<'a> Session<'a> {
    /// Ids of the topics, in order.
    pub fn topics(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        self.topics.iter().map(AsRef::as_ref)
    }
}

/// A topic is in a session twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedTopic;

/// Sessions and their topics, which are rankings in the order in which the user saw them.
///
/// ```
/// use cranfield_core::session::Sessions;
///
/// let mut sessions = Sessions::default();
/// sessions.push(b"s1", b"q7").unwrap();
/// sessions.push(b"s1", b"q3").unwrap();
/// let session = sessions.iter().next().unwrap();
/// assert_eq!(session.topics().collect::<Vec<_>>(), [b"q7", b"q3"]);
/// assert!(sessions.push(b"s1", b"q7").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    sessions: BTreeMap<Box<[u8]>, Vec<Box<[u8]>>>,
    /// Session and topic of every line.
    seen: BTreeSet<[Box<[u8]>; 2]>,
}

impl Sessions {
    /// Adds the next topic of a session.
    pub fn push(&mut self, session: &[u8], topic: &[u8]) -> Result<(), RepeatedTopic> {
        if !self.seen.insert([session.into(), topic.into()]) {
            return Err(RepeatedTopic);
        }
        let topics = self.sessions.entry(session.into()).or_default();
        topics.push(topic.into());
        Ok(())
    }

    /// Number of sessions.
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// The session of this id.
    pub fn get(&self, id: &[u8]) -> Option<Session<'_>> {
        let found = self.sessions.get_key_value(id);
        found.map(|(id, topics)| Session { id, topics })
    }

    /// Sessions in ascending byte order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = Session<'_>> {
        self.sessions
            .iter()
            .map(|(id, topics)| Session { id, topics })
    }
}

/// Discounts of later rankings and ranks.
///
/// ```
/// use cranfield_core::session::SessionDiscount;
///
/// // First ranking: grades 1, 0; second ranking: grade 2.
/// let session = [vec![1.0, 0.0], vec![2.0]];
/// let discount = SessionDiscount::default();
/// assert!((discount.sdcg(&session) - (1.0 + 2.0 / 1.5)).abs() < 1e-12);
/// assert!((discount.nsdcg(&session, &[2.0, 1.0], 2, 2).unwrap() - 0.875).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SessionDiscount {
    rankings: f64,
    ranks: f64,
}

impl Default for SessionDiscount {
    /// Base 4 for rankings and 2 for ranks.
    fn default() -> Self {
        Self {
            rankings: 4.0,
            ranks: 2.0,
        }
    }
}

impl SessionDiscount {
    /// The bases of the logarithms for rankings (bq) and ranks (b); `None` unless both are finite and above 1.
    pub fn new(bq: f64, b: f64) -> Option<Self> {
        let valid = |base: f64| base.is_finite() && base > 1.0;
        (valid(bq) && valid(b)).then_some(Self {
            rankings: bq,
            ranks: b,
        })
    }

    /// The bases of the logarithms, for rankings and for ranks.
    pub fn bases(self) -> [f64; 2] {
        [self.rankings, self.ranks]
    }

    /// The divisor of the gains of a ranking, counted from 1.
    pub fn of_ranking(self, ranking: usize) -> f64 {
        1.0 + (ranking as f64).ln() / self.rankings.ln()
    }

    /// The additional divisor of the gain at a rank, counted from 1.
    pub fn of_rank(self, rank: usize) -> f64 {
        1.0 + (rank as f64).ln() / self.ranks.ln()
    }

    /// The weight of a gain at a rank of a ranking, both counted from 1.
    pub fn weight(self, ranking: usize, rank: usize) -> f64 {
        1.0 / (self.of_ranking(ranking) * self.of_rank(rank))
    }

    /// Session discounted cumulated gain of rankings given as gains in rank order; gains below zero count as 0.
    pub fn sdcg<R: AsRef<[f64]>>(self, rankings: &[R]) -> f64 {
        let mut sum = 0.0;
        for (ranking, number) in rankings.iter().zip(1..) {
            for (gain, rank) in ranking.as_ref().iter().zip(1..) {
                if *gain > 0.0 {
                    sum += gain * self.weight(number, rank);
                }
            }
        }
        sum
    }

    /// The value of the best session of `rankings` rankings of `depth` documents each, from the gains of all judged
    /// documents: the greatest gain where it counts most, and so on.
    pub fn ideal(self, judged: &[f64], rankings: usize, depth: usize) -> f64 {
        let mut gains: Vec<_> = judged.iter().copied().filter(|gain| *gain > 0.0).collect();
        gains.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut weights = self.greatest_weights(gains.len(), rankings, depth);
        weights.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut sum = 0.0;
        for (gain, weight) in gains.iter().zip(weights) {
            sum += gain * weight;
        }
        sum
    }

    /// Weights that hold the `count` greatest ones. Rank j of ranking q comes after q · j − 1 others that count at
    /// least as much, so no place with q · j > `count` is needed.
    fn greatest_weights(self, count: usize, rankings: usize, depth: usize) -> Vec<f64> {
        let numbers = 1..=rankings.min(count);
        let places = numbers.flat_map(|number| {
            let ranks = 1..=depth.min(count / number);
            ranks.map(move |rank| (number, rank))
        });
        places
            .map(|(number, rank)| self.weight(number, rank))
            .collect()
    }

    /// `sDCG` of the first `depth` documents of the first `number` rankings over the best session of that shape;
    /// `None` if no judged document has a positive gain, or `depth` or `number` is 0.
    pub fn nsdcg<R: AsRef<[f64]>>(
        self,
        rankings: &[R],
        judged: &[f64],
        number: usize,
        depth: usize,
    ) -> Option<f64> {
        let shown: Vec<_> = rankings
            .iter()
            .take(number)
            .map(|ranking| {
                let gains = ranking.as_ref();
                &gains[..gains.len().min(depth)]
            })
            .collect();
        let ideal = self.ideal(judged, number, depth);
        (ideal > 0.0).then(|| self.sdcg(&shown) / ideal)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-12, "{value}, not {expected}");
    }

    #[test]
    fn discounts_by_hand() {
        let discount = SessionDiscount::default();
        // Ranking 4 counts 1 / (1 + 1), rank 2 counts 1 / (1 + 1), rank 4 counts 1 / (1 + 2).
        near(discount.sdcg(&[[0.0], [0.0], [0.0], [3.0]]), 1.5);
        near(discount.sdcg(&[[0.0, 3.0, 0.0, 3.0]]), 1.5 + 1.0);
        near(discount.sdcg(&[vec![], vec![0.0, 3.0]]), 3.0 / (1.5 * 2.0));
        let slow = SessionDiscount::new(10.0, 10.0).unwrap();
        near(
            slow.sdcg(&[vec![0.0; 9], vec![1.0]]),
            1.0 / (1.0 + 2f64.log10()),
        );
    }

    #[test]
    fn ideal_by_hand() {
        let discount = SessionDiscount::default();
        // Places by weight: (1, 1) 1, (2, 1) 1/1.5, (1, 2) 1/2, (2, 2) 1/3.
        near(
            discount.ideal(&[1.0, 0.0, 3.0, 2.0], 2, 2),
            3.0 + 2.0 / 1.5 + 0.5,
        );
        near(
            discount.ideal(&[1.0; 9], 2, 2),
            1.0 + 1.0 / 1.5 + 0.5 + 1.0 / 3.0,
        );
        near(discount.ideal(&[1.0, 1.0], 1, 2), 1.5);
    }

    #[test]
    fn values_of_the_track_scorer() {
        // From the scorer of the dynamic domain track, its return statement moved behind the loop over rankings.
        let session = [vec![0.0, 1.0], vec![2.0, 1.0, 0.0], vec![3.0]];
        let judged = [2.0, 1.0, 0.0, 3.0, 1.0];
        let discount = SessionDiscount::default();
        near(discount.sdcg(&session), 3.840_324_340_573_445_7);
        let normalised = discount.nsdcg(&session, &judged, 3, 5);
        near(normalised.unwrap_or(f64::NAN), 0.712_329_471_416_184_7);
    }

    #[test]
    fn edges() {
        let discount = SessionDiscount::default();
        let none: [Vec<f64>; 0] = [];
        assert_eq!(discount.sdcg(&none), 0.0);
        assert_eq!(discount.sdcg(&[[-2.0]]), 0.0);
        assert_eq!(discount.nsdcg(&none, &[1.0], 3, 5), Some(0.0));
        assert_eq!(discount.nsdcg(&[[1.0]], &[0.0, -1.0], 3, 5), None);
        assert_eq!(discount.nsdcg(&[[1.0]], &[1.0], 0, 5), None);
        assert_eq!(
            discount.nsdcg(&[[1.0]], &[1.0], usize::MAX, usize::MAX),
            Some(1.0)
        );
        for (bq, b) in [
            (1.0, 2.0),
            (4.0, 0.5),
            (f64::NAN, 2.0),
            (4.0, f64::INFINITY),
        ] {
            assert_eq!(SessionDiscount::new(bq, b), None);
        }
    }

    proptest! {
        #[test]
        fn no_session_beats_the_ideal(
            rankings in prop::collection::vec(prop::collection::vec(0u32..4, 0..6), 0..6),
            missed in prop::collection::vec(0u32..4, 0..4),
            (bq, b) in (1.1..20.0, 1.1..20.0),
        ) {
            let rankings: Vec<Vec<f64>> = rankings
                .iter()
                .map(|ranking| ranking.iter().copied().map(f64::from).collect())
                .collect();
            let mut judged = rankings.concat();
            judged.extend(missed.into_iter().map(f64::from));
            let discount = SessionDiscount::new(bq, b).unwrap();
            if let Some(value) = discount.nsdcg(&rankings, &judged, 6, 6) {
                prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{}", value);
            }
        }
    }
}
