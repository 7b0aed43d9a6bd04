//! Strategies that ask for one document at a time, and learn from each answer.

mod arms;
mod bandits;
mod hedge;
mod mtc;

use cranfield_stats::random::Stream;

use crate::rankings::TopicRankings;
use crate::strategy::{Strategy, Update};

/// A strategy at work on one topic.
///
/// [`next`](Self::next) and [`answer`](Self::answer) alternate: whoever drives the strategy, a person or a file of judgements, answers
/// for the document that was asked for last.
pub trait Asking: std::fmt::Debug + Send {
    /// The document to judge next, `None` at the end.
    fn next(&mut self) -> Option<u32>;

    /// Takes the answer for the document that was asked for last.
    fn answer(&mut self, relevant: bool);

    /// The run that was asked last, for strategies that ask runs.
    fn run(&self) -> Option<usize> {
        None
    }
}

/// The adaptive strategy for a topic; `None` if the strategy is not adaptive.
pub(crate) fn asking(
    strategy: &Strategy,
    topic: &TopicRankings,
    seed: u64,
) -> Option<Box<dyn Asking>> {
    let arms = |update| arms::Arms::new(topic, update);
    Some(match strategy {
        Strategy::Mtf => Box::new(bandits::MoveToFront::new(arms(Update::Asked))),
        Strategy::MaxMean(bandit) => {
            Box::new(bandits::MaxMean::new(arms(bandit.update), bandit.rho))
        }
        Strategy::Thompson(bandit) => {
            let stream = stream(seed, topic.topic());
            let arms = arms(bandit.update);
            Box::new(bandits::Thompson::new(arms, bandit.rho, stream))
        }
        Strategy::Ucb(update) => Box::new(bandits::UpperConfidence::new(arms(*update))),
        Strategy::Hedge(beta) => Box::new(hedge::Hedge::new(topic, *beta)),
        Strategy::Mtc => Box::new(mtc::Mtc::new(topic)),
        _ => return None,
    })
}

/// The stream of random numbers of a topic: numbered by a hash of its id (FNV-1a), so that it does not depend on other topics.
pub(crate) fn stream(seed: u64, topic: &[u8]) -> Stream {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    Stream::new(seed, topic.iter().fold(0xcbf2_9ce4_8422_2325, step))
}
