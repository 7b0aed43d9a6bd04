//! Documents of a topic in the order in which they should be judged.

use crate::adaptive::{Asking, asking};
use crate::ordered::ordered;
use crate::rankings::TopicRankings;
use crate::strategy::Strategy;

/// The documents of one topic, one at a time, for a person or a program to grade. Adaptive strategies use every answer; the others have their order from the start.
///
/// ```
/// use cranfield_pool::{Queue, TopicRankings};
///
/// let topic = TopicRankings::new("301", &[vec!["a", "b"], vec!["c", "b"]], 100);
/// let mut queue = Queue::new(&"mtf".parse()?, &topic, 1.0, 42);
/// assert_eq!(queue.next(), Some(b"a".as_slice()));
/// // Until it is answered, the question stays the same.
/// assert_eq!(queue.next(), Some(b"a".as_slice()));
/// queue.answer(0.0);
/// assert_eq!(queue.next(), Some(b"c".as_slice()));
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Queue {
    topic: TopicRankings,
    asking: Box<dyn Asking>,
    /// Lowest grade of a relevant document.
    level: f64,
    current: Option<u32>,
}

impl Queue {
    /// The queue of a strategy. Documents graded `level` or higher are relevant. Random numbers depend on the seed and the topic.
    /// A strategy that fails its [check](Strategy::check) has no documents.
    pub fn new(strategy: &Strategy, topic: &TopicRankings, level: f64, seed: u64) -> Self {
        let fixed = || -> Box<dyn Asking> { Box::new(Fixed(ordered(strategy, topic, seed))) };
        Self {
            topic: topic.clone(),
            asking: asking(strategy, topic, seed).unwrap_or_else(fixed),
            level,
            current: None,
        }
    }

    /// The document to judge, `None` at the end. The same document until it is answered.
    #[expect(
        clippy::should_implement_trait,
        reason = "not an iterator: each document waits for its answer"
    )]
    pub fn next(&mut self) -> Option<&[u8]> {
        let doc = self.number()?;
        Some(self.topic.doc(doc))
    }

    /// Takes the grade of the document that was asked for last.
    pub fn answer(&mut self, grade: f64) {
        if self.current.take().is_some() {
            self.asking.answer(grade >= self.level);
        }
    }

    /// The run that the strategy asked for this document, if it asks runs.
    pub fn run(&self) -> Option<usize> {
        self.asking.run()
    }

    /// The number of the document to judge.
    pub(crate) fn number(&mut self) -> Option<u32> {
        if self.current.is_none() {
            self.current = self.asking.next();
        }
        self.current
    }
}

/// Documents in reverse order.
#[derive(Debug)]
struct Fixed(Vec<u32>);

impl Asking for Fixed {
    fn next(&mut self) -> Option<u32> {
        self.0.pop()
    }

    fn answer(&mut self, _: bool) {}
}
