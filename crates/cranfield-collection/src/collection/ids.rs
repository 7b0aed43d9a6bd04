//! Rules that match the ids of topics with those of judgements.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Problem};

use crate::topic::Topic;
use crate::topics::Topics;

/// A rule that matches the ids of topics with those of judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdRule {
    /// The ids are the same.
    Exact,
    /// Without leading zeros: topic `051` is judged as `51`.
    Unpadded,
    /// Without letters in front, and without leading zeros: topic `MB001` is judged as `1`.
    Unprefixed,
    /// By order: the first topic is judged as `1`.
    Ordinal,
}

impl IdRule {
    /// All rules, the simplest first.
    pub const ALL: [Self; 4] = [Self::Exact, Self::Unpadded, Self::Unprefixed, Self::Ordinal];

    /// The name that is parsed and printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Unpadded => "unpadded",
            Self::Unprefixed => "unprefixed",
            Self::Ordinal => "ordinal",
        }
    }

    /// The part of an id that is compared.
    fn key(self, id: &str, ordinal: usize) -> String {
        match self {
            Self::Exact => id.to_owned(),
            Self::Unpadded => unpadded(id).to_owned(),
            Self::Unprefixed => unpadded(&id[prefix(id).len()..]).to_owned(),
            Self::Ordinal => ordinal.to_string(),
        }
    }

    fn explanation(self) -> &'static str {
        match self {
            Self::Exact => "as they are",
            Self::Unpadded => "without leading zeros",
            Self::Unprefixed => "without their prefix",
            Self::Ordinal => "by their order in the file, from 1",
        }
    }
}

/// The prefix of an id: letters, and everything up to the last hyphen, because the prefix of `WT04-1` has digits itself. An id that
/// is nothing else has none.
fn prefix(id: &str) -> &str {
    let number = id.trim_start_matches(char::is_alphabetic);
    let number = number.rsplit('-').next().unwrap_or(number);
    if number.is_empty() {
        ""
    } else {
        &id[..id.len() - number.len()]
    }
}

fn unpadded(id: &str) -> &str {
    let rest = id.trim_start_matches('0');
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        rest
    } else {
        // `0` itself, or a word.
        &id[id.len() - rest.len() - usize::from(id.len() > rest.len())..]
    }
}

impl fmt::Display for IdRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for IdRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name);
        let known = Self::ALL.into_iter().find(|rule| rule.name() == text);
        known.ok_or_else(|| {
            format!(
                "unknown rule for ids `{text}`; expected one of {}",
                names.join(", ")
            )
        })
    }
}

/// A rule applied to topics and judgements.
struct Matched {
    rule: IdRule,
    /// The id of the judgements for each topic that has one.
    ids: Vec<Option<String>>,
    count: usize,
}

/// Gives topics the ids of the judgements, by the rule or, if there is none, by the one that [`best`] finds.
pub(super) fn match_ids(topics: &mut Topics, qrels: &Qrels, rule: Option<IdRule>, label: &str) {
    match_known(topics, &ids_of(qrels), rule, label);
}

/// [`match_ids`] with the ids of judgements.
pub(super) fn match_known(
    topics: &mut Topics,
    judged: &[String],
    rule: Option<IdRule>,
    label: &str,
) {
    let matched = match rule {
        Some(rule) => apply(rule, topics, judged),
        None => best(topics, judged),
    };
    if rule.is_none() && matched.rule != IdRule::Exact {
        topics.notes.push(note(&matched, topics.len(), label));
    }
    for (topic, id) in topics.list.iter_mut().zip(matched.ids) {
        if let Some(id) = id {
            topic.id = id;
        }
    }
}

fn note(matched: &Matched, topics: usize, label: &str) -> Problem {
    let message = format!(
        "the ids of topics match those of the judgements {}: {} of {topics} topics",
        matched.rule.explanation(),
        matched.count
    );
    let help = format!("confirm it with ids = \"{}\" under [topics]", matched.rule);
    Problem::file(Code::TopicIdRule, label, message).with_help(help)
}

/// The rule that matches topics with judgements.
///
/// Of the rules that compare ids, each finds the matches of the simpler ones and perhaps more, so the one that matches most topics is
/// used, and of several the simplest. The order of topics contradicts their ids, which may match by accident: 152 of Cranfield's 225
/// topics have an id that is the number of another one. It is used if it leaves no judged topic without a topic, and the ids match
/// nothing, or it leaves no topic without judgements either, and the ids match fewer than three quarters of the topics.
fn best(topics: &Topics, judged: &[String]) -> Matched {
    let mut best = apply(IdRule::Exact, topics, judged);
    for rule in [IdRule::Unpadded, IdRule::Unprefixed] {
        let other = apply(rule, topics, judged);
        if other.count > best.count {
            best = other;
        }
    }
    let order = apply(IdRule::Ordinal, topics, judged);
    let is_complete = order.count == judged.len() && order.count == topics.len();
    let is_only = best.count == 0 && order.count == judged.len();
    if is_only || is_complete && 4 * best.count < 3 * topics.len() {
        order
    } else {
        best
    }
}

/// Matches ids. Two topics with the same key match nothing, because one of them would be wrong.
fn apply(rule: IdRule, topics: &Topics, judged: &[String]) -> Matched {
    let mut known: HashMap<String, Option<&String>> = HashMap::new();
    for id in judged {
        let key = match rule {
            IdRule::Ordinal => id.clone(),
            rule => rule.key(id, 0),
        };
        let entry = known.entry(key).or_insert(Some(id));
        if *entry != Some(id) {
            *entry = None;
        }
    }
    let keys: Vec<String> = topics
        .iter()
        .enumerate()
        .map(|(at, topic)| rule.key(&topic.id, at + 1))
        .collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for key in &keys {
        *counts.entry(key).or_default() += 1;
    }
    let id = |(key, topic): (&String, &Topic)| {
        let id = known.get(key).copied().flatten()?;
        let is_unique = counts.get(key.as_str()) == Some(&1);
        let is_same = rule != IdRule::Unprefixed || may_match(&topic.id, id);
        (is_unique && is_same).then(|| id.clone())
    };
    let ids: Vec<Option<String>> = keys.iter().zip(topics.iter()).map(id).collect();
    let count = ids.iter().flatten().collect::<HashSet<_>>().len();
    Matched { rule, ids, count }
}

/// Whether two ids have the same prefix, or one of them has none: `NP1` is not judged as `TD1`.
fn may_match(topic: &str, judged: &str) -> bool {
    let (topic, judged) = (prefix(topic), prefix(judged));
    topic == judged || topic.is_empty() || judged.is_empty()
}

/// The rule that [`best`] finds.
pub(super) fn best_rule(topics: &Topics, qrels: &Qrels) -> IdRule {
    best(topics, &ids_of(qrels)).rule
}

fn ids_of(qrels: &Qrels) -> Vec<String> {
    let ids = qrels
        .topics()
        .map(|topic| String::from_utf8_lossy(topic.id()).into_owned());
    ids.collect()
}

/// Shortens ids by a rule, without judgements to compare them with.
pub(super) fn simplify(topics: &mut Topics, rule: IdRule) {
    for (at, topic) in topics.list.iter_mut().enumerate() {
        topic.id = rule.key(&topic.id, at + 1);
    }
}
