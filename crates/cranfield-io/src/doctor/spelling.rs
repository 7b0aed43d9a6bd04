//! Finds ids that would match if they were written in the same way.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::escape::quoted;

use super::findings::counted;

/// Maximum number of topics whose documents are compared.
pub(super) const MAX_SAMPLES: usize = 5;
/// Maximum number of documents per topic that are compared.
const MAX_DOCUMENTS: usize = 1000;
/// Bytes that separate a document from its part, or a collection from its document.
const JOINTS: &[u8] = b"#_-:@|/.";

/// Retrieved and judged documents of one topic.
#[derive(Debug)]
pub(super) struct Sample<'a> {
    run: Vec<&'a [u8]>,
    judged: Vec<&'a [u8]>,
}

impl<'a> Sample<'a> {
    pub(super) fn new(
        run: impl Iterator<Item = &'a [u8]>,
        judged: impl Iterator<Item = &'a [u8]>,
    ) -> Self {
        Self {
            run: run.take(MAX_DOCUMENTS).collect(),
            judged: judged.take(MAX_DOCUMENTS).collect(),
        }
    }
}

/// Relates topics of a run without judgements to judged topics that the run lacks; returns their number and a message.
pub(super) fn relate_topics(unknown: &[&[u8]], missing: &[&[u8]]) -> Option<(u64, String)> {
    if unknown.is_empty() || missing.is_empty() {
        return None;
    }
    matched(unknown, missing, |id| Some(folded(id).into()))
        .or_else(|| matched(unknown, missing, number_in))
        .or_else(|| ordinals(unknown, missing))
}

/// Matches ids by a normal form; at least half of the unknown ones must match.
fn matched(
    unknown: &[&[u8]],
    missing: &[&[u8]],
    form: impl Fn(&[u8]) -> Option<Vec<u8>>,
) -> Option<(u64, String)> {
    let mut forms: HashMap<Vec<u8>, &[u8]> = HashMap::new();
    for id in missing {
        if forms.insert(form(id)?, id).is_some() {
            return None;
        }
    }
    let mut pairs = unknown
        .iter()
        .filter_map(|id| Some((*id, *forms.get(&form(id)?)?)));
    let (mine, theirs) = pairs.next()?;
    let count = 1 + pairs.count();
    let message = format!(
        "{} of the run have different ids in the qrels, such as {} in the run and {} in the qrels",
        counted(count as u64, "topic"),
        quoted(mine),
        quoted(theirs)
    );
    (count * 2 >= unknown.len()).then_some((count as u64, message))
}

/// Returns an id in lower case, without leading zeros in its numbers.
fn folded(id: &[u8]) -> Cow<'_, [u8]> {
    let is_plain = |byte: &u8| !byte.is_ascii_uppercase() && *byte != b'0';
    if id.iter().all(is_plain) {
        return Cow::Borrowed(id);
    }
    let mut form = Vec::with_capacity(id.len());
    for (at, byte) in id.iter().enumerate() {
        let is_inside = form.last().is_some_and(u8::is_ascii_digit);
        let is_followed = id.get(at + 1).is_some_and(u8::is_ascii_digit);
        if *byte != b'0' || is_inside || !is_followed {
            form.push(byte.to_ascii_lowercase());
        }
    }
    Cow::Owned(form)
}

/// Returns the only number in an id, ignoring the `.0` of a number that was once parsed as a float.
fn number_in(id: &[u8]) -> Option<Vec<u8>> {
    let id = id.strip_suffix(b".0").unwrap_or(id);
    let mut numbers = id
        .split(|byte| !byte.is_ascii_digit())
        .filter(|digits| !digits.is_empty());
    let number = numbers.next()?;
    numbers
        .next()
        .is_none()
        .then(|| folded(number).into_owned())
}

/// Detects a run that numbers its topics from 0 or 1 while the judged topics have other ids.
fn ordinals(unknown: &[&[u8]], missing: &[&[u8]]) -> Option<(u64, String)> {
    const FEWEST: usize = 3;
    let (first, last) = consecutive(unknown).filter(|_| unknown.len() >= FEWEST)?;
    if consecutive(missing).is_some() {
        return None;
    }
    let message = format!(
        "the run numbers its topics from {first} to {last}, the qrels have ids such as {}",
        quoted(missing[0])
    );
    Some((unknown.len() as u64, message))
}

/// Returns the first and last number if the ids are consecutive numbers from 0 or 1.
fn consecutive(ids: &[&[u8]]) -> Option<(u64, u64)> {
    let number = |id: &&[u8]| std::str::from_utf8(id).ok()?.parse::<u64>().ok();
    let mut numbers: Vec<u64> = ids.iter().map(number).collect::<Option<_>>()?;
    numbers.sort_unstable();
    let first = *numbers.first().filter(|first| **first <= 1)?;
    let is_counted = numbers.iter().zip(first..).all(|(number, n)| *number == n);
    is_counted.then(|| (first, first + ids.len() as u64 - 1))
}

/// A transformation of an id.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Cuts the last joint and what follows it.
    CutAfter(u8),
    /// Cuts the last joint and what precedes it.
    CutBefore(u8),
    /// Ignores case and leading zeros.
    Fold,
}

impl Change {
    fn all() -> impl Iterator<Item = Self> {
        let cuts = JOINTS
            .iter()
            .flat_map(|joint| [Self::CutAfter(*joint), Self::CutBefore(*joint)]);
        cuts.chain([Self::Fold])
    }

    fn apply(self, id: &[u8]) -> Option<Cow<'_, [u8]>> {
        let joint_at = |joint| id.iter().rposition(|byte| *byte == joint);
        let part = match self {
            Self::CutAfter(joint) => &id[..joint_at(joint)?],
            Self::CutBefore(joint) => &id[joint_at(joint)? + 1..],
            Self::Fold => return Some(folded(id)),
        };
        (!part.is_empty()).then_some(Cow::Borrowed(part))
    }
}

/// Explains by differences in spelling why hardly any retrieved document is judged.
pub(super) fn relate_documents(samples: &[Sample<'_>]) -> Option<String> {
    let relations = Change::all().flat_map(|change| {
        [
            relation(
                samples,
                change,
                |sample| (&sample.run, &sample.judged),
                "in the run",
            ),
            relation(
                samples,
                change,
                |sample| (&sample.judged, &sample.run),
                "in the qrels",
            ),
        ]
    });
    let best = relations.flatten().max_by_key(|(hits, _)| *hits);
    best.map(|(_, text)| text)
}

type Sides<'s, 'a> = (&'s Vec<&'a [u8]>, &'s Vec<&'a [u8]>);

/// Returns how many ids of one side match the other side after a change, and a message.
fn relation<'a>(
    samples: &[Sample<'a>],
    change: Change,
    sides: impl for<'s> Fn(&'s Sample<'a>) -> Sides<'s, 'a>,
    place: &str,
) -> Option<(usize, String)> {
    let mut hits = 0;
    let mut example = None;
    for sample in samples {
        let (changed, other) = sides(sample);
        let other: HashSet<Cow<'_, [u8]>> = match change {
            Change::Fold => other.iter().map(|id| folded(id)).collect(),
            _ => other.iter().map(|id| Cow::Borrowed(*id)).collect(),
        };
        for id in changed {
            if let Some(part) = change.apply(id).filter(|part| other.contains(part)) {
                hits += 1;
                example.get_or_insert_with(|| (quoted(id), quoted(&part)));
            }
        }
    }
    let (id, part) = example?;
    let text = match change {
        Change::Fold => format!("ids differ in case or leading zeros: {id} {place}"),
        _ => format!("ids differ by a prefix or suffix: {id} {place} corresponds to {part}"),
    };
    Some((hits, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(unknown: &[&str], missing: &[&str]) -> Option<(u64, String)> {
        let bytes = |ids: &[&'static str]| -> Vec<&'static [u8]> {
            ids.iter().map(|id| id.as_bytes()).collect()
        };
        let leak = |ids: &[&str]| -> Vec<&'static str> {
            ids.iter()
                .map(|id| &*Box::leak((*id).to_owned().into_boxed_str()))
                .collect()
        };
        relate_topics(&bytes(&leak(unknown)), &bytes(&leak(missing)))
    }

    #[test]
    fn padded_prefixed_and_numbered_topics_are_related() {
        assert_eq!(topics(&["1", "2"], &["001", "002"]).unwrap().0, 2);
        assert_eq!(topics(&["301", "302"], &["q301", "q302"]).unwrap().0, 2);
        assert_eq!(topics(&["301.0", "302.0"], &["301", "302"]).unwrap().0, 2);
        assert_eq!(
            topics(&["1", "2", "3"], &["301", "302"]).unwrap().1,
            "the run numbers its topics from 1 to 3, the qrels have ids such as `301`"
        );
        assert_eq!(topics(&["7", "9"], &["301", "302"]), None);
        assert_eq!(topics(&["4"], &[]), None);
        assert_eq!(topics(&["a"], &["7a", "7b"]), None);
    }

    #[test]
    fn ids_are_folded() {
        for (id, form) in [
            ("007", "7"),
            ("MB010-002", "mb10-2"),
            ("0", "0"),
            ("a0", "a0"),
            ("100", "100"),
            ("", ""),
        ] {
            assert_eq!(&*folded(id.as_bytes()), form.as_bytes());
        }
    }

    #[test]
    fn chunks_and_prefixes_of_documents_are_related() {
        let sample = |run: &[&'static str], judged: &[&'static str]| {
            vec![Sample::new(
                run.iter().map(|id| id.as_bytes()),
                judged.iter().map(|id| id.as_bytes()),
            )]
        };
        let chunks = sample(&["d1#0", "d1#1", "d2#0"], &["d1", "d2"]);
        assert_eq!(
            relate_documents(&chunks).unwrap(),
            "ids differ by a prefix or suffix: `d1#0` in the run corresponds to `d1`"
        );
        let prefixed = sample(&["7", "8"], &["msmarco_passage_7"]);
        assert!(
            relate_documents(&prefixed)
                .unwrap()
                .contains("`msmarco_passage_7` in the qrels")
        );
        let case = sample(&["ft911-1"], &["FT911-1"]);
        assert!(relate_documents(&case).unwrap().contains("case"));
        assert_eq!(relate_documents(&sample(&["a"], &["b"])), None);
    }
}
