//! Rules that match the ids of topics with those of judgements.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Problem};

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
            Self::Unprefixed => {
                let number = id.trim_start_matches(|c: char| c.is_alphabetic());
                // The prefix of WT04-1 has digits itself.
                let number = number.rsplit('-').next().unwrap_or(number);
                unpadded(if number.is_empty() { id } else { number }).to_owned()
            }
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

/// Gives topics the ids of the judgements, by the rule or, if there is none, by the one that matches most topics. Of rules that
/// match as many, the simplest is used.
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

fn best(topics: &Topics, judged: &[String]) -> Matched {
    let mut best = apply(IdRule::Exact, topics, judged);
    for rule in [IdRule::Unpadded, IdRule::Unprefixed, IdRule::Ordinal] {
        let other = apply(rule, topics, judged);
        if other.count > best.count {
            best = other;
        }
    }
    best
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
    let id = |key: &String| {
        let is_unique = counts.get(key.as_str()) == Some(&1);
        known
            .get(key)
            .copied()
            .flatten()
            .filter(|_| is_unique)
            .cloned()
    };
    let ids: Vec<Option<String>> = keys.iter().map(id).collect();
    let count = ids.iter().flatten().collect::<HashSet<_>>().len();
    Matched { rule, ids, count }
}

/// The rule that matches most topics.
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
