//! All topics of a preference file.

use std::cmp::Ordering;
use std::ops::Range;

use super::arena::{Arena, Span};
use super::error::PreferenceError;
use super::topic::{PreferenceGroup, PreferenceTopic};

/// A line as it was read.
#[derive(Clone, Copy, Debug)]
struct RawLine {
    topic: Span,
    group: Span,
    subgroup: Span,
    doc: Span,
    level: f64,
}

/// Collects the lines of a preference file.
#[derive(Clone, Debug, Default)]
pub struct PreferencesBuilder {
    arena: Arena,
    lines: Vec<RawLine>,
}

impl PreferencesBuilder {
    /// Adds a line, in any order. A file in `qrels_prefs` format has no sub-groups: give all its lines the same one.
    ///
    /// A level that is not a number is a level of its own above all others, and says 'not relevant'.
    pub fn push(&mut self, topic: &[u8], group: &[u8], subgroup: &[u8], doc: &[u8], level: f64) {
        let last = self.lines.last().copied();
        let line = RawLine {
            topic: self.arena.add_after(last.map(|line| line.topic), topic),
            group: self.arena.add_after(last.map(|line| line.group), group),
            subgroup: self
                .arena
                .add_after(last.map(|line| line.subgroup), subgroup),
            doc: self.arena.add_after(last.map(|line| line.doc), doc),
            // Minus zero is zero, and there is one NaN.
            level: if level.is_nan() {
                f64::NAN
            } else {
                level + 0.0
            },
        };
        self.lines.push(line);
    }

    /// All preferences, in an order that does not depend on the order of lines.
    pub fn finish(mut self) -> Preferences {
        let arena = self.arena;
        self.lines.sort_unstable_by(|a, b| compare(&arena, a, b));
        let mut all = Preferences {
            lines: Vec::with_capacity(self.lines.len()),
            ..Preferences::default()
        };
        for lines in self.lines.chunk_by(|a, b| arena.same(a.topic, b.topic)) {
            all.add_topic(&arena, lines);
        }
        Preferences { arena, ..all }
    }
}

/// By topic, group and sub-group; then the highest level first.
fn compare(arena: &Arena, a: &RawLine, b: &RawLine) -> Ordering {
    let place = arena.compare(a.topic, b.topic);
    let place = place.then_with(|| arena.compare(a.group, b.group));
    let place = place.then_with(|| arena.compare(a.subgroup, b.subgroup));
    place
        .then_with(|| b.level.total_cmp(&a.level))
        .then_with(|| arena.compare(a.doc, b.doc))
}

/// A line of a topic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The document, as its place among the topic's documents.
    pub(super) doc: u32,
    /// The sub-group, numbered from 0 in the group.
    pub(super) subgroup: u32,
    /// The level.
    pub(super) level: f64,
}

#[derive(Clone, Debug)]
struct Group {
    id: Span,
    lines: Range<usize>,
}

#[derive(Clone, Debug)]
struct Topic {
    id: Span,
    docs: Range<usize>,
    groups: Range<usize>,
}

/// All topics of a preference file.
#[derive(Clone, Debug, Default)]
pub struct Preferences {
    arena: Arena,
    /// Documents of each topic in ascending order.
    docs: Vec<Span>,
    /// Lines of each group by sub-group, highest level first.
    lines: Vec<Line>,
    groups: Vec<Group>,
    topics: Vec<Topic>,
}

impl Preferences {
    /// Topics in ascending byte order of their ids.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicPreferences<'_>> {
        self.topics
            .iter()
            .map(|topic| TopicPreferences { all: self, topic })
    }

    /// The topic of this id.
    pub fn topic(&self, id: &[u8]) -> Option<TopicPreferences<'_>> {
        let found = self
            .topics
            .binary_search_by(|topic| self.arena.get(topic.id).cmp(id));
        found.ok().map(|at| TopicPreferences {
            all: self,
            topic: &self.topics[at],
        })
    }

    /// Compares a topic's preferences with the documents that a run retrieved for it, best first.
    ///
    /// Ties and depth are the caller's: `trec_eval` breaks ties by ascending document id here. A repeated
    /// document counts at its first rank. A topic without preferences gives an empty [`PreferenceTopic`].
    pub fn judge(
        &self,
        topic: &[u8],
        ranked_docs: &[&[u8]],
    ) -> Result<PreferenceTopic, PreferenceError> {
        self.topic(topic).map_or_else(
            || Ok(PreferenceTopic::default()),
            |topic| topic.judge(ranked_docs),
        )
    }

    fn add_topic(&mut self, arena: &Arena, lines: &[RawLine]) {
        let (first_doc, first_group) = (self.docs.len(), self.groups.len());
        let mut docs: Vec<Span> = lines.iter().map(|line| line.doc).collect();
        docs.sort_unstable_by(|a, b| arena.compare(*a, *b));
        docs.dedup_by(|a, b| arena.same(*a, *b));
        for group in lines.chunk_by(|a, b| arena.same(a.group, b.group)) {
            self.add_group(arena, &docs, group);
        }
        self.docs.append(&mut docs);
        self.topics.push(Topic {
            id: lines[0].topic,
            docs: first_doc..self.docs.len(),
            groups: first_group..self.groups.len(),
        });
    }

    fn add_group(&mut self, arena: &Arena, docs: &[Span], lines: &[RawLine]) {
        let first = self.lines.len();
        let place = |doc| docs.partition_point(|known| arena.compare(*known, doc).is_lt());
        for (subgroup, lines) in
            (0u32..).zip(lines.chunk_by(|a, b| arena.same(a.subgroup, b.subgroup)))
        {
            self.lines.extend(lines.iter().map(|line| Line {
                doc: place(line.doc) as u32,
                subgroup,
                level: line.level,
            }));
        }
        self.groups.push(Group {
            id: lines[0].group,
            lines: first..self.lines.len(),
        });
    }
}

/// The preferences of one topic.
#[derive(Clone, Copy, Debug)]
pub struct TopicPreferences<'a> {
    all: &'a Preferences,
    topic: &'a Topic,
}

impl<'a> TopicPreferences<'a> {
    /// The topic's id.
    pub fn id(&self) -> &'a [u8] {
        self.all.arena.get(self.topic.id)
    }

    /// Judged documents in ascending byte order.
    pub fn documents(self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let all = self.all;
        self.docs().iter().map(|doc| all.arena.get(*doc))
    }

    /// Lines: a document, the places of its group and its sub-group, and its level there.
    pub fn lines(self) -> impl Iterator<Item = (&'a [u8], usize, u32, f64)> {
        let (all, docs) = (self.all, self.docs());
        let groups = all.groups[self.topic.groups.clone()].iter().enumerate();
        groups.flat_map(move |(group, found)| {
            let lines = all.lines[found.lines.clone()].iter();
            lines.map(move |line| {
                let doc = all.arena.get(docs[line.doc as usize]);
                (doc, group, line.subgroup, line.level)
            })
        })
    }

    /// Number of judgement groups.
    pub fn groups(&self) -> usize {
        self.topic.groups.len()
    }

    /// See [`Preferences::judge`].
    pub fn judge(&self, ranked_docs: &[&[u8]]) -> Result<PreferenceTopic, PreferenceError> {
        let judged = Numbering::new(self, ranked_docs);
        let mut groups = Vec::with_capacity(self.groups());
        for group in &self.all.groups[self.topic.groups.clone()] {
            let names = Names {
                topic: *self,
                group: group.id,
                numbering: &judged,
            };
            let lines = &self.all.lines[group.lines.clone()];
            groups.push(PreferenceGroup::new(lines, &judged, &names)?);
        }
        Ok(PreferenceTopic::new(
            judged.ids.len(),
            judged.retrieved,
            groups,
        ))
    }

    fn docs(&self) -> &'a [Span] {
        &self.all.docs[self.topic.docs.clone()]
    }
}

/// Numbers of a topic's judged documents: retrieved ones in rank order, then the others by document id.
#[derive(Debug)]
pub(super) struct Numbering {
    /// The number of each document.
    pub(super) ids: Vec<u32>,
    /// The number of retrieved ones.
    pub(super) retrieved: usize,
}

impl Numbering {
    fn new(topic: &TopicPreferences<'_>, ranked_docs: &[&[u8]]) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let (docs, arena) = (topic.docs(), &topic.all.arena);
        let mut ids = vec![UNKNOWN; docs.len()];
        let mut numbers = 0u32..;
        for doc in ranked_docs {
            let found = docs.binary_search_by(|known| arena.get(*known).cmp(doc));
            if let Some(id) = found
                .ok()
                .map(|at| &mut ids[at])
                .filter(|id| **id == UNKNOWN)
            {
                *id = numbers.start;
                numbers.start += 1;
            }
        }
        let retrieved = numbers.start as usize;
        ids.iter_mut()
            .filter(|id| **id == UNKNOWN)
            .zip(numbers)
            .for_each(|(id, number)| *id = number);
        Self { ids, retrieved }
    }

    /// The number of a line's document.
    pub(super) fn of(&self, line: &Line) -> u32 {
        self.ids[line.doc as usize]
    }
}

/// Names for error messages.
#[derive(Debug)]
pub(super) struct Names<'a> {
    topic: TopicPreferences<'a>,
    group: Span,
    numbering: &'a Numbering,
}

impl Names<'_> {
    /// The topic's id.
    pub(super) fn topic(&self) -> Vec<u8> {
        self.topic.id().to_vec()
    }

    /// The group's id.
    pub(super) fn group(&self) -> Vec<u8> {
        self.topic.all.arena.get(self.group).to_vec()
    }

    /// The document of this number.
    pub(super) fn doc(&self, number: u32) -> Vec<u8> {
        let at = self.numbering.ids.iter().position(|id| *id == number);
        at.map(|at| self.topic.all.arena.get(self.topic.docs()[at]).to_vec())
            .unwrap_or_default()
    }
}
