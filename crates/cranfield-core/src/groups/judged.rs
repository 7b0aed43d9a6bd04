//! A ranking as judged by the groups of a topic.

use std::cell::{OnceCell, RefCell};

use super::ideal::Ideal;
use super::{Intent, JudgementGroup, TopicGroups};
use crate::policy::{NegativeGrades, Policies, Unjudged};
use crate::topic::{GradeCount, Hit, JudgedRanking, Label, Levels, RecallBase};

/// A ranking as judged by one group.
#[derive(Debug)]
struct View {
    retrieved: usize,
    hits: Vec<Hit>,
    grades: Vec<GradeCount>,
    levels: Levels,
}

impl View {
    fn new(
        group: JudgementGroup<'_>,
        ranked: &[&[u8]],
        policies: &Policies,
        levels: &[f64],
    ) -> Self {
        let labels = ranked
            .iter()
            .zip(1u32..)
            .filter_map(|(doc, rank)| Some((rank, group.label(doc, policies.negative)?)));
        let mut hits: Vec<Hit> = labels.map(|(rank, label)| Hit { rank, label }).collect();
        let mut retrieved = ranked.len();
        if policies.unjudged == Unjudged::Condensed {
            hits.retain(|hit| matches!(hit.label, Label::Judged(_)));
            hits.iter_mut()
                .zip(1..)
                .for_each(|(hit, rank)| hit.rank = rank);
            retrieved = hits.len();
        }
        let mut view = Self {
            retrieved,
            hits,
            grades: group.grade_counts(policies.negative),
            levels: Levels::default(),
        };
        let mut filled = Levels::new(levels.iter().copied());
        filled.fill(&view.ranking());
        view.levels = filled;
        view
    }

    fn ranking(&self) -> JudgedRanking<'_> {
        JudgedRanking::new(self.retrieved, &self.hits, RecallBase::new(&self.grades))
    }
}

/// A ranking, judged by the groups of a topic: the only thing that a [`super::GroupMeasure`] sees.
///
/// Each group has its own [`JudgedRanking`], in which documents that only others judged are unjudged. Measures that ask
/// what one document means to several groups take the [`Documents`].
#[derive(Debug)]
pub struct JudgedGroups<'a> {
    topic: TopicGroups<'a>,
    ranked: &'a [&'a [u8]],
    negative: NegativeGrades,
    condensed: bool,
    views: Vec<View>,
    documents: OnceCell<Documents>,
    /// One for each relevance level and α that was asked for.
    ideals: RefCell<Vec<Ideal>>,
}

impl<'a> JudgedGroups<'a> {
    pub(super) fn new(
        topic: TopicGroups<'a>,
        ranked: &'a [&'a [u8]],
        policies: &Policies,
        levels: &[f64],
    ) -> Self {
        let views = topic
            .groups()
            .map(|group| View::new(group, ranked, policies, levels));
        Self {
            topic,
            ranked,
            negative: policies.negative,
            condensed: policies.unjudged == Unjudged::Condensed,
            views: views.collect(),
            documents: OnceCell::new(),
            ideals: RefCell::default(),
        }
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// One judged ranking per group, in ascending order of group ids.
    pub fn rankings(&self) -> impl ExactSizeIterator<Item = JudgedRanking<'_>> {
        self.views
            .iter()
            .map(|view| view.ranking().with_levels(&view.levels))
    }

    /// The groups as intents, in the same order.
    pub fn intents(&self) -> impl ExactSizeIterator<Item = Intent> {
        self.topic.groups().map(|group| group.intent())
    }

    /// The documents that the groups judged. In a condensed ranking only those that no group judged are dropped.
    pub fn documents(&self) -> &Documents {
        let make = || Documents::new(self.topic, self.ranked, self.negative, self.condensed);
        self.documents.get_or_init(make)
    }

    /// Σ over the first `depth` ranks of the ideal ranking of novel gain times the weight of the rank, which must not grow with
    /// it. The ideal ranking is made once for all measures that ask for the same relevance level and α.
    pub fn ideal_sum(
        &self,
        level: f64,
        alpha: f64,
        depth: usize,
        weight: impl Fn(u32) -> f64,
    ) -> f64 {
        let mut ideals = self.ideals.borrow_mut();
        let known = ideals.iter().position(|ideal| ideal.is_for(level, alpha));
        let at = known.unwrap_or_else(|| {
            ideals.push(Ideal::new(self.documents(), self.len(), level, alpha));
            ideals.len() - 1
        });
        ideals[at].sum(depth, weight)
    }
}

/// The documents that a topic's groups judged, retrieved or not, in ascending order of their ids.
#[derive(Debug)]
pub struct Documents {
    /// Group and label, in ascending order of groups within a document, one document after the other.
    labels: Vec<(u32, Label)>,
    /// The end of the labels of each document.
    ends: Vec<usize>,
    /// Rank and place of those that were retrieved, by rank.
    retrieved: Vec<(u32, usize)>,
    /// Number of documents retrieved, judged or not.
    length: usize,
}

impl Documents {
    fn new(
        topic: TopicGroups<'_>,
        ranked: &[&[u8]],
        negative: NegativeGrades,
        condensed: bool,
    ) -> Self {
        let mut lines: Vec<(&[u8], u32, Label)> = Vec::new();
        for (group, at) in topic.groups().zip(0u32..) {
            let judgements = group.judgements();
            lines.extend(judgements.map(|(doc, grade)| (doc, at, Label::of(grade, negative))));
        }
        // Stable, so that the groups of a document ascend.
        lines.sort_by(|a, b| a.0.cmp(b.0));
        let mut ids: Vec<&[u8]> = Vec::new();
        let mut all = Self {
            labels: Vec::with_capacity(lines.len()),
            ends: Vec::new(),
            retrieved: Vec::new(),
            length: ranked.len(),
        };
        for same in lines.chunk_by(|a, b| a.0 == b.0) {
            ids.push(same[0].0);
            all.labels
                .extend(same.iter().map(|(_, group, label)| (*group, *label)));
            all.ends.push(all.labels.len());
        }
        let places = ranked
            .iter()
            .zip(1u32..)
            .filter_map(|(doc, rank)| Some((rank, ids.binary_search(doc).ok()?)));
        all.retrieved = places.collect();
        if condensed {
            all.condense();
        }
        all
    }

    /// Drops the documents that no group judged and closes the ranks up.
    fn condense(&mut self) {
        let mut retrieved = std::mem::take(&mut self.retrieved);
        retrieved.retain(|(_, place)| {
            let mut labels = self.labels_of(*place).iter();
            labels.any(|(_, label)| matches!(label, Label::Judged(_)))
        });
        retrieved
            .iter_mut()
            .zip(1..)
            .for_each(|((rank, _), closed)| *rank = closed);
        self.length = retrieved.len();
        self.retrieved = retrieved;
    }

    fn labels_of(&self, place: usize) -> &[(u32, Label)] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.labels[start..self.ends[place]]
    }

    /// The judgements of every document: number of the group, ascending, and label.
    pub fn all(&self) -> impl ExactSizeIterator<Item = &[(u32, Label)]> {
        (0..self.ends.len()).map(|place| self.labels_of(place))
    }

    /// Rank and judgements of the documents that were retrieved, by rank.
    pub fn retrieved(&self) -> impl ExactSizeIterator<Item = (u32, &[(u32, Label)])> {
        self.retrieved
            .iter()
            .map(|(rank, place)| (*rank, self.labels_of(*place)))
    }

    /// Number of documents retrieved, judged or not.
    pub fn length(&self) -> usize {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::{GroupedQrels, GroupedQrelsBuilder};

    fn qrels(lines: &[(&str, &str, f64)]) -> GroupedQrels {
        let mut builder = GroupedQrelsBuilder::default();
        for (group, doc, grade) in lines {
            builder.push(b"1", group.as_bytes(), doc.as_bytes(), *grade);
        }
        builder.finish().expect("nothing is judged twice")
    }

    const LINES: &[(&str, &str, f64)] = &[
        ("B", "b", 2.0),
        ("A", "b", 0.0),
        ("A", "a", 1.0),
        ("B", "c", -1.0),
    ];

    /// Rank, and groups with the codes of their labels.
    type Shown = Vec<(u32, Vec<(u32, f64)>)>;

    fn retrieved(policies: &Policies) -> (Shown, usize, usize) {
        let qrels = qrels(LINES);
        let ranked = [b"x".as_slice(), b"c", b"b", b"y", b"a"];
        let topic = qrels.topic(b"1").expect("the topic is there");
        let judged = topic.judge(&ranked, policies, &[]);
        let documents = judged.documents();
        let codes = |labels: &[(u32, Label)]| {
            let codes = labels.iter().map(|(group, label)| (*group, label.code()));
            codes.collect::<Vec<_>>()
        };
        let shown = documents.retrieved();
        let shown = shown.map(|(rank, labels)| (rank, codes(labels))).collect();
        (shown, documents.length(), documents.all().len())
    }

    #[test]
    fn documents_have_the_judgements_of_all_groups() {
        let (shown, length, all) = retrieved(&Policies::default());
        let b = vec![(0, 0.0), (1, 2.0)];
        assert_eq!(shown, [(2, vec![(1, -1.0)]), (3, b), (5, vec![(0, 1.0)])]);
        assert_eq!((length, all), (5, 3));
    }

    #[test]
    fn condensed_rankings_lose_what_no_group_judged() {
        let policies = Policies {
            unjudged: Unjudged::Condensed,
            negative: NegativeGrades::Pooled,
            ..Policies::default()
        };
        let (shown, length, all) = retrieved(&policies);
        let b = vec![(0, 0.0), (1, 2.0)];
        assert_eq!(shown, [(1, b), (2, vec![(0, 1.0)])]);
        assert_eq!((length, all), (2, 3));
    }

    #[test]
    fn an_ideal_ranking_does_not_depend_on_what_was_asked_before() {
        let lines: Vec<(String, String, f64)> = (0..60)
            .flat_map(|doc| {
                let groups = (0..5).filter(move |group| (doc * 7 + group * 3) % 5 < 2);
                groups.map(move |group| (group.to_string(), format!("d{doc:02}"), 1.0))
            })
            .collect();
        let lines: Vec<(&str, &str, f64)> = lines
            .iter()
            .map(|(group, doc, grade)| (group.as_str(), doc.as_str(), *grade))
            .collect();
        let qrels = qrels(&lines);
        let topic = qrels.topic(b"1").expect("the topic is there");
        let weight = |rank: u32| 1.0 / f64::from(rank);
        let alone = |alpha, depth| {
            let judged = topic.judge(&[], &Policies::default(), &[]);
            judged.ideal_sum(1.0, alpha, depth, weight)
        };
        let shared = topic.judge(&[], &Policies::default(), &[]);
        for (alpha, depth) in [(0.3, 7), (0.5, 3), (0.3, 2), (0.3, usize::MAX), (0.5, 60)] {
            let value = shared.ideal_sum(1.0, alpha, depth, weight);
            assert_eq!(value.to_bits(), alone(alpha, depth).to_bits());
        }
        assert_eq!(shared.ideals.borrow().len(), 2);
    }
}
