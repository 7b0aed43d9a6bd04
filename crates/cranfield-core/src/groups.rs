//! Judgement groups: the judgements of one topic by several assessors or for several interpretations.

use std::fmt;
use std::ops::Range;

use crate::policy::{NegativeGrades, Policies};
use crate::prefs::arena::{Arena, Span};
use crate::topic::{GradeCount, Label};

mod ideal;
mod intents;
mod judged;

pub use intents::{Intent, IntentError, IntentKind, Intents};
pub use judged::{Documents, JudgedGroups};

/// A measure over a topic's judgement groups: the same ranking, judged once by each group.
pub trait GroupMeasure: fmt::Debug + Send + Sync {
    /// The value for a topic.
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64>;

    /// The relevance level that it asks for.
    fn level(&self) -> Option<f64> {
        None
    }
}

/// A group judges a document twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateJudgement {
    /// The topic.
    pub topic: Vec<u8>,
    /// The judgement group.
    pub group: Vec<u8>,
    /// The document.
    pub doc: Vec<u8>,
}

impl DuplicateJudgement {
    /// The message of `trec_eval` 10 on standard error for this mistake, with the newline.
    pub fn trec_eval_text(&self) -> Vec<u8> {
        [
            b"trec_eval.get_qrels: duplicate docs ",
            self.doc.as_slice(),
            b"\n",
        ]
        .concat()
    }
}

impl fmt::Display for DuplicateJudgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [topic, group, doc] =
            [&self.topic, &self.group, &self.doc].map(|text| String::from_utf8_lossy(text));
        write!(
            f,
            "judgement group `{group}` of topic `{topic}` judges document `{doc}` twice"
        )
    }
}

impl std::error::Error for DuplicateJudgement {}

#[derive(Clone, Copy, Debug)]
struct Line {
    topic: Span,
    group: Span,
    doc: Span,
    grade: f64,
}

/// Collects the lines of qrels with judgement groups.
#[derive(Clone, Debug, Default)]
pub struct GroupedQrelsBuilder {
    arena: Arena,
    lines: Vec<Line>,
}

impl GroupedQrelsBuilder {
    /// Adds a line, in any order.
    pub fn push(&mut self, topic: &[u8], group: &[u8], doc: &[u8], grade: f64) {
        let last = self.lines.last().copied();
        let line = Line {
            topic: self.arena.add_after(last.map(|line| line.topic), topic),
            group: self.arena.add_after(last.map(|line| line.group), group),
            doc: self.arena.add(doc),
            grade: grade + 0.0,
        };
        self.lines.push(line);
    }

    /// All judgements, unless a group judges a document twice; the first such document in order of topics, groups and
    /// documents is reported.
    pub fn finish(self) -> Result<GroupedQrels, DuplicateJudgement> {
        let Self { arena, mut lines } = self;
        lines.sort_unstable_by(|a, b| {
            let place = arena
                .compare(a.topic, b.topic)
                .then_with(|| arena.compare(a.group, b.group));
            place.then_with(|| arena.compare(a.doc, b.doc))
        });
        let mut all = GroupedQrels {
            judgements: Vec::with_capacity(lines.len()),
            ..GroupedQrels::default()
        };
        for topic in lines.chunk_by(|a, b| arena.same(a.topic, b.topic)) {
            let first = all.groups.len();
            for group in topic.chunk_by(|a, b| arena.same(a.group, b.group)) {
                check_distinct(&arena, group)?;
                all.add_group(group);
            }
            let added = &mut all.groups[first..];
            // Without anything else known, all intents are equally likely.
            let probability = 1.0 / added.len() as f64;
            for group in added {
                group.intent.probability = probability;
            }
            all.topics.push(Topic {
                id: topic[0].topic,
                groups: first..all.groups.len(),
            });
        }
        Ok(GroupedQrels { arena, ..all })
    }
}

fn check_distinct(arena: &Arena, group: &[Line]) -> Result<(), DuplicateJudgement> {
    let mut neighbours = group.array_windows();
    match neighbours.find(|[a, b]| arena.same(a.doc, b.doc)) {
        None => Ok(()),
        Some([line, _]) => {
            let [topic, group, doc] =
                [line.topic, line.group, line.doc].map(|text| arena.get(text).to_vec());
            Err(DuplicateJudgement { topic, group, doc })
        }
    }
}

#[derive(Clone, Debug)]
struct Topic {
    id: Span,
    groups: Range<usize>,
}

#[derive(Clone, Debug)]
struct Group {
    id: Span,
    judgements: Range<usize>,
    intent: Intent,
}

/// Judgements of documents by topic and judgement group.
///
/// ```
/// use cranfield_core::groups::GroupedQrelsBuilder;
///
/// let mut builder = GroupedQrelsBuilder::default();
/// builder.push(b"q1", b"B", b"d1", 0.0);
/// builder.push(b"q1", b"A", b"d1", 2.0);
/// let qrels = builder.finish()?;
/// let topic = qrels.topic(b"q1").unwrap();
/// let grades: Vec<_> = topic.groups().map(|group| group.grade(b"d1")).collect();
/// assert_eq!(grades, [Some(2.0), Some(0.0)]);
/// # Ok::<(), cranfield_core::groups::DuplicateJudgement>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GroupedQrels {
    arena: Arena,
    /// Documents of each group in ascending order.
    judgements: Vec<(Span, f64)>,
    groups: Vec<Group>,
    topics: Vec<Topic>,
}

impl GroupedQrels {
    /// Topics in ascending byte order of their ids.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicGroups<'_>> {
        self.topics
            .iter()
            .map(|topic| TopicGroups { all: self, topic })
    }

    /// The topic of this id.
    pub fn topic(&self, id: &[u8]) -> Option<TopicGroups<'_>> {
        let found = self
            .topics
            .binary_search_by(|topic| self.arena.get(topic.id).cmp(id));
        found.ok().map(|at| TopicGroups {
            all: self,
            topic: &self.topics[at],
        })
    }

    /// Sets the probabilities of intents, which are equally likely otherwise. Every judged intent of every topic must be given;
    /// intents without judgements share in the sum of the topic's weights, other topics are ignored.
    pub fn with_intents(mut self, intents: &Intents) -> Result<Self, IntentError> {
        for topic in &self.topics {
            let groups = &mut self.groups[topic.groups.clone()];
            let ids = groups.iter().map(|group| self.arena.get(group.id));
            let found = intents.of(self.arena.get(topic.id), ids)?;
            for (group, intent) in groups.iter_mut().zip(found) {
                group.intent = intent;
            }
        }
        Ok(self)
    }

    fn add_group(&mut self, lines: &[Line]) {
        let first = self.judgements.len();
        self.judgements
            .extend(lines.iter().map(|line| (line.doc, line.grade)));
        self.groups.push(Group {
            id: lines[0].group,
            judgements: first..self.judgements.len(),
            intent: Intent {
                probability: 1.0,
                kind: IntentKind::default(),
            },
        });
    }
}

/// The judgement groups of a topic.
#[derive(Clone, Copy, Debug)]
pub struct TopicGroups<'a> {
    all: &'a GroupedQrels,
    topic: &'a Topic,
}

impl<'a> TopicGroups<'a> {
    /// The topic's id.
    pub fn id(&self) -> &'a [u8] {
        self.all.arena.get(self.topic.id)
    }

    /// Groups in ascending byte order of their ids.
    pub fn groups(self) -> impl ExactSizeIterator<Item = JudgementGroup<'a>> {
        let all = self.all;
        let groups = self.topic.groups.clone().map(|at| &all.groups[at]);
        groups.map(|group| JudgementGroup {
            arena: &all.arena,
            id: group.id,
            judgements: &all.judgements[group.judgements.clone()],
            intent: group.intent,
        })
    }

    /// Judges a ranking of distinct documents by the groups, best first, under the policies for unjudged documents and negative
    /// grades. The binary readings at `levels` are made once for all measures.
    pub fn judge(
        self,
        ranked: &'a [&'a [u8]],
        policies: &Policies,
        levels: &[f64],
    ) -> JudgedGroups<'a> {
        JudgedGroups::new(self, ranked, policies, levels)
    }
}

/// The judgements of one group for a topic.
#[derive(Clone, Copy, Debug)]
pub struct JudgementGroup<'a> {
    arena: &'a Arena,
    id: Span,
    judgements: &'a [(Span, f64)],
    intent: Intent,
}

impl<'a> JudgementGroup<'a> {
    /// The group's id.
    pub fn id(&self) -> &'a [u8] {
        self.arena.get(self.id)
    }

    /// The group as an intent of the topic's users: its probability and kind.
    pub fn intent(&self) -> Intent {
        self.intent
    }

    /// The grade of a document, if the group judged it.
    pub fn grade(&self, doc: &[u8]) -> Option<f64> {
        let found = self
            .judgements
            .binary_search_by(|(known, _)| self.arena.get(*known).cmp(doc));
        found.ok().map(|at| self.judgements[at].1)
    }

    /// The label of a document, if the group judged it.
    pub fn label(&self, doc: &[u8], negative: NegativeGrades) -> Option<Label> {
        self.grade(doc).map(|grade| Label::of(grade, negative))
    }

    /// Documents in ascending byte order, with their grades.
    pub fn judgements(self) -> impl ExactSizeIterator<Item = (&'a [u8], f64)> {
        let arena = self.arena;
        self.judgements
            .iter()
            .map(|(doc, grade)| (arena.get(*doc), *grade))
    }

    /// Numbers of documents by grade, highest first: the recall base. Documents that are only pooled are not in it.
    pub fn grade_counts(&self, negative: NegativeGrades) -> Vec<GradeCount> {
        let is_judged = |grade: &f64| *grade >= 0.0 || negative == NegativeGrades::Judged;
        let grades = self.judgements.iter().map(|(_, grade)| *grade);
        GradeCount::tally(grades.filter(is_judged).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builder(lines: &[(&str, &str, &str, f64)]) -> GroupedQrelsBuilder {
        let mut builder = GroupedQrelsBuilder::default();
        for (topic, group, doc, grade) in lines {
            builder.push(topic.as_bytes(), group.as_bytes(), doc.as_bytes(), *grade);
        }
        builder
    }

    #[test]
    fn topics_and_groups_ascend_by_bytes() {
        let lines = [
            ("9", "b", "x", 1.0),
            ("10", "a", "x", 1.0),
            ("9", "B", "x", 0.0),
            ("9", "b", "a", 2.0),
        ];
        let qrels = builder(&lines).finish().expect("nothing is judged twice");
        let topics: Vec<_> = qrels.topics().map(|topic| topic.id()).collect();
        assert_eq!(topics, [b"10".as_slice(), b"9"]);
        let topic = qrels.topic(b"9").expect("the topic is there");
        let groups: Vec<_> = topic.groups().map(|group| group.id()).collect();
        assert_eq!(groups, [b"B", b"b"]);
        let last = topic.groups().last().expect("there are groups");
        assert_eq!(
            last.judgements().collect::<Vec<_>>(),
            [(b"a".as_slice(), 2.0), (b"x", 1.0)]
        );
        assert_eq!(last.grade(b"c"), None);
        assert!(qrels.topic(b"1").is_none());
    }

    #[test]
    fn negative_grades_are_in_the_recall_base_only_if_judged() {
        let lines = [
            ("q", "A", "a", -1.0),
            ("q", "A", "b", 1.0),
            ("q", "A", "c", 0.0),
            ("q", "A", "d", 1.0),
        ];
        let qrels = builder(&lines).finish().expect("nothing is judged twice");
        let group = qrels
            .topics()
            .flat_map(TopicGroups::groups)
            .next()
            .expect("there is a group");
        let count = |grade, count| GradeCount { grade, count };
        assert_eq!(
            group.grade_counts(NegativeGrades::Pooled),
            [count(1.0, 2), count(0.0, 1)]
        );
        assert_eq!(
            group.grade_counts(NegativeGrades::Judged).last(),
            Some(&count(-1.0, 1))
        );
        assert_eq!(
            group.label(b"a", NegativeGrades::Pooled),
            Some(Label::Pooled)
        );
        assert_eq!(
            group.label(b"a", NegativeGrades::Judged),
            Some(Label::Judged(-1.0))
        );
        assert_eq!(group.label(b"x", NegativeGrades::Judged), None);
    }

    #[test]
    fn a_document_twice_in_a_group_is_an_error() {
        let fine = [
            ("q", "A", "d", 1.0),
            ("q", "B", "d", 1.0),
            ("r", "A", "d", 1.0),
        ];
        assert!(builder(&fine).finish().is_ok());
        let twice = [
            ("q", "B", "d", 1.0),
            ("q", "A", "d", 1.0),
            ("q", "A", "e", 0.0),
            ("q", "B", "d", 1.0),
        ];
        let error = builder(&twice).finish().expect_err("d is twice in B");
        assert_eq!(
            error.to_string(),
            "judgement group `B` of topic `q` judges document `d` twice"
        );
        assert_eq!(
            error.trec_eval_text(),
            b"trec_eval.get_qrels: duplicate docs d\n"
        );
    }
}
