//! Probabilities of the intents of a topic. An intent is a judgement group: the need of some of the users.

use std::collections::BTreeMap;
use std::fmt;

/// The number of documents that an intent asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntentKind {
    /// The more relevant documents the better.
    #[default]
    Informational,
    /// One document is enough.
    Navigational,
}

/// An intent, without its judgements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intent {
    /// The probability that a user of the topic has it.
    pub probability: f64,
    /// The number of documents that it asks for.
    pub kind: IntentKind,
}

/// The weights and kinds of a topic's intents.
type Weights = BTreeMap<Vec<u8>, (f64, IntentKind)>;

/// The intents of topics, with weights that need not add up to 1.
///
/// ```
/// use cranfield_core::groups::{GroupedQrelsBuilder, IntentKind, Intents};
///
/// let mut builder = GroupedQrelsBuilder::default();
/// builder.push(b"jaguar", b"animal", b"d1", 1.0);
/// builder.push(b"jaguar", b"car", b"d2", 1.0);
/// let mut intents = Intents::default();
/// intents.push(b"jaguar", b"animal", 1.0, IntentKind::Informational)?;
/// intents.push(b"jaguar", b"car", 3.0, IntentKind::Informational)?;
/// let qrels = builder.finish()?.with_intents(&intents)?;
/// let topic = qrels.topic(b"jaguar").unwrap();
/// let shares: Vec<f64> = topic.groups().map(|group| group.intent().probability).collect();
/// assert_eq!(shares, [0.25, 0.75]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Intents {
    topics: BTreeMap<Vec<u8>, Weights>,
}

impl Intents {
    /// Adds an intent of a topic. Its probability is its weight divided by the sum of the topic's weights.
    pub fn push(
        &mut self,
        topic: &[u8],
        intent: &[u8],
        weight: f64,
        kind: IntentKind,
    ) -> Result<(), IntentError> {
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(IntentError::Weight(weight));
        }
        let intents = self.topics.entry(topic.to_vec()).or_default();
        match intents.insert(intent.to_vec(), (weight, kind)) {
            None => Ok(()),
            Some(_) => Err(IntentError::Twice {
                topic: topic.to_vec(),
                intent: intent.to_vec(),
            }),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Ids of the topics, in ascending byte order.
    pub fn topics(&self) -> impl Iterator<Item = &[u8]> {
        self.topics.keys().map(Vec::as_slice)
    }

    /// The intents of the groups of a topic, in their order.
    pub(super) fn of<'a>(
        &self,
        topic: &[u8],
        groups: impl Iterator<Item = &'a [u8]>,
    ) -> Result<Vec<Intent>, IntentError> {
        let known = self.topics.get(topic).ok_or_else(|| IntentError::NoTopic {
            topic: topic.to_vec(),
        })?;
        let sum: f64 = known.values().map(|(weight, _)| weight).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(IntentError::Sum {
                topic: topic.to_vec(),
                sum,
            });
        }
        let intents = groups.map(|group| {
            let found = known.get(group).ok_or_else(|| IntentError::NoIntent {
                topic: topic.to_vec(),
                intent: group.to_vec(),
            })?;
            Ok(Intent {
                probability: found.0 / sum,
                kind: found.1,
            })
        });
        intents.collect()
    }
}

/// An error in intents.
#[derive(Clone, Debug, PartialEq)]
pub enum IntentError {
    /// The weight of an intent is negative or not a number.
    Weight(f64),
    /// An intent occurs twice.
    Twice {
        /// The topic.
        topic: Vec<u8>,
        /// The intent.
        intent: Vec<u8>,
    },
    /// A topic with judgements has no intents.
    NoTopic {
        /// The topic.
        topic: Vec<u8>,
    },
    /// An intent with judgements has no weight.
    NoIntent {
        /// The topic.
        topic: Vec<u8>,
        /// The intent.
        intent: Vec<u8>,
    },
    /// The weights of a topic add up to 0, or to infinity.
    Sum {
        /// The topic.
        topic: Vec<u8>,
        /// Their sum.
        sum: f64,
    },
}

impl fmt::Display for IntentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match self {
            Self::Weight(weight) => {
                write!(f, "the probability is {weight}, expected a number from 0")
            }
            Self::Twice { topic, intent } => {
                let (topic, intent) = (text(topic), text(intent));
                write!(f, "intent `{intent}` of topic `{topic}` occurs twice")
            }
            Self::NoTopic { topic } => {
                let topic = text(topic);
                write!(
                    f,
                    "topic `{topic}` of the judgements has no intents; give them, or leave the topic out"
                )
            }
            Self::NoIntent { topic, intent } => {
                let (topic, intent) = (text(topic), text(intent));
                write!(
                    f,
                    "intent `{intent}` of topic `{topic}` is judged but has no probability; give it one, which may be 0"
                )
            }
            Self::Sum { topic, sum } => {
                let topic = text(topic);
                write!(
                    f,
                    "the probabilities of topic `{topic}` add up to {sum}, expected a positive number"
                )
            }
        }
    }
}

impl std::error::Error for IntentError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn intents(lines: &[(&str, &str, f64)]) -> Intents {
        let mut intents = Intents::default();
        for (topic, intent, weight) in lines {
            intents
                .push(
                    topic.as_bytes(),
                    intent.as_bytes(),
                    *weight,
                    IntentKind::Informational,
                )
                .expect("the lines are right");
        }
        intents
    }

    fn error(intents: &Intents, groups: &[&str]) -> String {
        let groups = groups.iter().map(|group| group.as_bytes());
        let error = intents.of(b"1", groups).expect_err("something is wrong");
        error.to_string()
    }

    #[test]
    fn weights_become_shares_of_all_intents_of_the_topic() {
        let known = intents(&[("1", "a", 1.0), ("1", "b", 1.0), ("1", "c", 2.0)]);
        let shares = known.of(b"1", [b"a".as_slice(), b"c"].into_iter());
        let shares: Vec<f64> = shares
            .expect("both are there")
            .iter()
            .map(|intent| intent.probability)
            .collect();
        assert_eq!(shares, [0.25, 0.5]);
    }

    #[test]
    fn errors_name_what_is_missing() {
        let known = intents(&[("1", "a", 1.0), ("2", "a", 1.0)]);
        assert!(error(&known, &["a", "b"]).starts_with("intent `b` of topic `1` is judged"));
        assert!(
            error(&intents(&[]), &["a"]).starts_with("topic `1` of the judgements has no intents")
        );
        assert!(error(&intents(&[("1", "a", 0.0)]), &["a"]).contains("add up to 0, expected"));
        let huge = intents(&[("1", "a", f64::MAX), ("1", "b", f64::MAX)]);
        assert!(error(&huge, &["a"]).contains("add up to inf, expected"));
    }

    #[test]
    fn invalid_lines_are_errors() {
        let mut known = intents(&[("1", "a", 1.0)]);
        let kind = IntentKind::Navigational;
        for weight in [-0.5, f64::NAN, f64::INFINITY] {
            let pushed = known.push(b"1", b"b", weight, kind);
            assert!(matches!(pushed, Err(IntentError::Weight(_))));
        }
        let twice = known.push(b"1", b"a", 1.0, kind).expect_err("a is there");
        assert_eq!(twice.to_string(), "intent `a` of topic `1` occurs twice");
    }
}
