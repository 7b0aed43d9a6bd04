//! Similarity of the rankings of two runs, topic by topic.

use std::fmt;
use std::str::FromStr;

use super::{RankingPair, Ties, recall};
use cranfield_core::doc_hash::DocHasher;
use cranfield_core::error::Error;
use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::small_sort::SmallSort;

/// A ranking as groups of documents with equal scores, best first.
pub type Groups<'a> = Vec<Vec<&'a [u8]>>;

impl Ties {
    /// All tie treatments, the default first.
    pub const ALL: &[Self] = &[Self::Corrected, Self::Expected, Self::SameRank];

    /// The letter of the variant.
    pub fn name(self) -> &'static str {
        match self {
            Self::SameRank => "w",
            Self::Expected => "a",
            Self::Corrected => "b",
        }
    }
}

impl fmt::Display for Ties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Ties {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let known = Self::ALL.iter().copied().find(|ties| ties.name() == text);
        known.ok_or_else(|| {
            Error::unknown(format!(
                "unknown tie treatment `{text}`; expected one of w, a, b"
            ))
        })
    }
}

/// Similarity measure of two rankings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListMeasure {
    /// Rank-biased overlap: the estimate, both bounds, and the residual.
    Overlap,
    /// Rank-biased alignment: both bounds and the residual.
    Alignment,
    /// Rank-biased recall: the fraction of the second ranking's weight that the documents of the first cover.
    Recall,
    /// Average overlap: the mean of the agreements at all depths.
    AverageOverlap,
}

impl ListMeasure {
    /// Whether two rankings have the same value in either order.
    pub fn is_symmetric(self) -> bool {
        self != Self::Recall
    }

    /// All measures, the default first.
    pub const ALL: &[Self] = &[
        Self::Overlap,
        Self::Alignment,
        Self::Recall,
        Self::AverageOverlap,
    ];

    /// The name used in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Overlap => "rbo",
            Self::Alignment => "rba",
            Self::Recall => "rbr",
            Self::AverageOverlap => "ao",
        }
    }

    /// The names of its values.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Self::Overlap => &["RBO", "RBO_min", "RBO_max", "RBO_res"],
            Self::Alignment => &["RBA_min", "RBA_max", "RBA_res"],
            Self::Recall => &["RBR_min", "RBR_max", "RBR_res"],
            Self::AverageOverlap => &["AO"],
        }
    }
}

impl fmt::Display for ListMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ListMeasure {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let known = Self::ALL.iter().copied().find(|known| known.name() == text);
        known.ok_or_else(|| {
            let names = "rbo, rba, rbr, ao";
            Error::unknown(format!(
                "unknown similarity measure `{text}`; expected one of {names}"
            ))
        })
    }
}

/// A similarity measure and its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    measure: ListMeasure,
    p: f64,
    ties: Ties,
    depth: Option<usize>,
}

impl Default for Comparison {
    /// Rank-biased overlap with p = 0.9, corrected ties and whole rankings.
    fn default() -> Self {
        Self {
            measure: ListMeasure::Overlap,
            p: 0.9,
            ties: Ties::Corrected,
            depth: None,
        }
    }
}

impl Comparison {
    /// Creates a comparison with persistence `p`, above 0 and below 1, of the first `depth` documents, at least
    /// 1.
    pub fn new(
        measure: ListMeasure,
        p: f64,
        ties: Ties,
        depth: Option<usize>,
    ) -> Result<Self, Error> {
        if !(p > 0.0 && p < 1.0) {
            let message = format!("the persistence p must be above 0 and below 1, not {p}");
            return Err(Error::parameter(message));
        }
        if depth == Some(0) {
            return Err(Error::parameter("the depth must be at least 1"));
        }
        Ok(Self {
            measure,
            p,
            ties,
            depth,
        })
    }

    /// The similarity measure.
    pub fn measure(&self) -> ListMeasure {
        self.measure
    }

    /// The persistence.
    pub fn p(&self) -> f64 {
        self.p
    }

    /// The treatment of equal scores.
    pub fn ties(&self) -> Ties {
        self.ties
    }

    /// Number of documents of each ranking to compare; `None` for all.
    pub fn depth(&self) -> Option<usize> {
        self.depth
    }

    /// Compares two rankings. Values are in the order of [`ListMeasure::values`]; `None` if a ranking is empty.
    fn values(&self, x: &[Vec<&[u8]>], y: &[Vec<&[u8]>]) -> Option<Vec<f64>> {
        let bounds = |bounds: super::Bounds| vec![bounds.min, bounds.max, bounds.max - bounds.min];
        if x.is_empty() || y.is_empty() {
            return None;
        }
        if self.measure == ListMeasure::Recall {
            return recall(&x.concat(), y, self.p).map(bounds);
        }
        let pair = RankingPair::new(x, y).ok()?;
        match self.measure {
            ListMeasure::Overlap => {
                let rbo = pair.rbo(self.p, self.ties)?;
                Some(vec![rbo.ext, rbo.min, rbo.max, rbo.res()])
            }
            ListMeasure::Alignment => pair.rba(self.p).map(bounds),
            ListMeasure::AverageOverlap => {
                let (_, longest) = pair.lengths();
                let depth = self.depth.map_or(longest, |depth| depth.min(longest));
                pair.average_overlap(depth, self.ties)
                    .map(|value| vec![value])
            }
            ListMeasure::Recall => None,
        }
    }

    /// Compares two runs, topic by topic.
    ///
    /// ```
    /// use cranfield_core::run::Run;
    /// use cranfield_eval::similarity::Comparison;
    ///
    /// let one = Run::from_scores("one", [("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "a", 1.0)]);
    /// let other = Run::from_scores("other", [("q1", "b", 7.0), ("q1", "a", 5.0)]);
    /// let similarity = Comparison::default().runs(&one, &other)?;
    /// assert_eq!((similarity.topics.len(), similarity.only_first), (1, 1));
    /// assert!((similarity.mean(0).unwrap() - 0.9).abs() < 1e-12);
    /// # Ok::<(), cranfield_eval::similarity::RepeatedDocument>(())
    /// ```
    pub fn runs(&self, first: &Run, second: &Run) -> Result<Similarity, RepeatedDocument> {
        let others = second.topics().map(|topic| topic.id());
        self.compare(first, others, |id| {
            second.get(id).map(|topic| self.ranked(topic)).transpose()
        })
    }

    /// Compares a run with the ideal ranking: the relevant documents by descending grade, equal grades tied.
    pub fn with_ideal(&self, run: &Run, qrels: &Qrels) -> Result<Similarity, RepeatedDocument> {
        let others = qrels.topics().map(|topic| topic.id());
        self.compare(run, others, |id| {
            Ok(qrels.get(id).map(|topic| cut(ideal(topic), self.depth)))
        })
    }

    fn compare<'a>(
        &self,
        first: &'a Run,
        others: impl Iterator<Item = &'a [u8]>,
        second: impl Fn(&[u8]) -> Result<Option<Groups<'a>>, RepeatedDocument>,
    ) -> Result<Similarity, RepeatedDocument> {
        let mut all = Similarity {
            comparison: *self,
            topics: Vec::new(),
            only_first: 0,
            only_second: others.filter(|id| first.get(id).is_none()).count(),
        };
        for topic in first.topics() {
            let ranked = self.ranked(topic)?;
            let Some(other) = second(topic.id())? else {
                all.only_first += 1;
                continue;
            };
            all.topics.push(TopicSimilarity {
                id: topic.id().into(),
                values: self.values(&ranked, &other),
            });
        }
        all.topics.small_sort_by(|a, b| a.id.cmp(&b.id));
        Ok(all)
    }

    /// Groups the documents of a topic by equal scores, down to the depth.
    fn ranked<'a>(&self, topic: RunTopic<'a>) -> Result<Groups<'a>, RepeatedDocument> {
        let hasher = DocHasher::default();
        let mut ranking = Ranking::default();
        for entry in topic.entries() {
            ranking.push(entry.doc, hasher.hash(entry.doc), entry.score);
        }
        ranking.arrange(TieBreak::DocidDesc, |_| 0.0);
        if let Some((first, _)) = ranking.duplicate(ranking.len()) {
            return Err(RepeatedDocument {
                topic: topic.id().into(),
                doc: ranking.doc(first).into(),
            });
        }
        let mut groups: Groups<'a> = Vec::new();
        let mut tied = ranking.tie_groups().iter().peekable();
        let mut rank = 0;
        while rank < ranking.len() as u32 {
            let group = tied.next_if(|group| group.start == rank);
            let end = group.map_or(rank + 1, |group| group.end);
            let places = &ranking.order()[rank as usize..end as usize];
            groups.push(places.iter().map(|at| ranking.doc(*at as usize)).collect());
            rank = end;
        }
        Ok(cut(groups, self.depth))
    }
}

/// Keeps the groups that start in the first `depth` documents.
fn cut(mut groups: Groups<'_>, depth: Option<usize>) -> Groups<'_> {
    let mut before = 0;
    groups.retain(|group| {
        let is_kept = depth.is_none_or(|depth| before < depth);
        before += group.len();
        is_kept
    });
    groups
}

/// The documents with positive grades, the highest grade first.
fn ideal(topic: QrelsTopic<'_>) -> Groups<'_> {
    let mut judged: Vec<(&[u8], f64)> = topic.judgements().collect();
    judged.retain(|(_, grade)| *grade > 0.0);
    judged.small_sort_by(|a, b| b.1.total_cmp(&a.1));
    let same = judged.chunk_by(|a, b| a.1 == b.1);
    same.map(|group| group.iter().map(|(doc, _)| *doc).collect())
        .collect()
}

/// A document that occurs twice in a topic of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedDocument {
    /// The topic.
    pub topic: Box<[u8]>,
    /// The document.
    pub doc: Box<[u8]>,
}

impl fmt::Display for RepeatedDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [topic, doc] = [&self.topic, &self.doc].map(|text| String::from_utf8_lossy(text));
        write!(f, "document `{doc}` occurs twice in topic `{topic}`")
    }
}

impl std::error::Error for RepeatedDocument {}

/// The values of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSimilarity {
    /// Topic id.
    pub id: Box<[u8]>,
    /// The values, in the order of [`ListMeasure::values`]; `None` if a ranking is empty.
    pub values: Option<Vec<f64>>,
}

/// The similarity of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// The comparison.
    pub comparison: Comparison,
    /// Topics of both runs, in ascending byte order of their ids.
    pub topics: Vec<TopicSimilarity>,
    /// Number of topics only in the first run.
    pub only_first: usize,
    /// Number of topics only in the second run.
    pub only_second: usize,
}

impl Similarity {
    /// The mean over topics of the value at this index of [`ListMeasure::values`]; `None` if no topic has a
    /// value.
    pub fn mean(&self, value: usize) -> Option<f64> {
        let rows = self.topics.iter().filter_map(|topic| topic.values.as_ref());
        let (mut sum, mut count) = (0.0, 0u64);
        for row in rows {
            sum += row.get(value)?;
            count += 1;
        }
        (count > 0).then(|| sum / count as f64)
    }

    /// Number of topics without a value.
    pub fn undefined(&self) -> usize {
        self.topics
            .iter()
            .filter(|topic| topic.values.is_none())
            .count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(lines: &[(&str, &str, f64)]) -> Run {
        Run::from_scores("r", lines.iter().copied())
    }

    fn comparison(measure: ListMeasure, depth: Option<usize>) -> Comparison {
        Comparison::new(measure, 0.5, Ties::Expected, depth).expect("sound parameters")
    }

    #[test]
    fn equal_scores_are_ties() {
        let tied = run(&[
            ("1", "a", 1.0),
            ("1", "b", 2.0),
            ("1", "c", 1.0),
            ("1", "d", 0.5),
        ]);
        let topic = tied.get(b"1").expect("the topic is there");
        let groups = Comparison::default()
            .ranked(topic)
            .expect("no document is repeated");
        assert_eq!(groups, [vec![b"b"], vec![b"c", b"a"], vec![b"d"]]);
        // A group that starts within the depth is kept whole.
        let cut = comparison(ListMeasure::Overlap, Some(2)).ranked(topic);
        assert_eq!(cut.expect("no document is repeated").len(), 2);
    }

    #[test]
    fn values_by_hand() {
        let (x, y) = (
            run(&[("1", "a", 2.0), ("1", "b", 1.0)]),
            run(&[("1", "b", 2.0), ("1", "a", 1.0)]),
        );
        let value = |measure, depth| {
            let similarity = comparison(measure, depth)
                .runs(&x, &y)
                .expect("no document is repeated");
            similarity.topics[0]
                .values
                .clone()
                .expect("both have documents")
        };
        // Agreements 0 and 1.
        assert_eq!(value(ListMeasure::AverageOverlap, None), [0.5]);
        assert_eq!(value(ListMeasure::AverageOverlap, Some(1)), [0.0]);
        let rbo = value(ListMeasure::Overlap, None);
        assert!((rbo[0] - 0.5).abs() < 1e-14 && (rbo[3] - (rbo[2] - rbo[1])).abs() < 1e-14);
        // Weights 1/2 and 1/4; all of y is in x.
        assert_eq!(value(ListMeasure::Recall, None), [0.75, 0.75, 0.0]);
        let rba = value(ListMeasure::Alignment, None);
        assert!((rba[0] - 2.0 * 0.125f64.sqrt()).abs() < 1e-14);
    }

    #[test]
    fn the_ideal_ranking_equals_itself() {
        let qrels = Qrels::from_judgements([
            ("1", "a", 2.0),
            ("1", "b", 1.0),
            ("1", "c", 1.0),
            ("1", "d", 0.0),
            ("2", "a", 0.0),
        ]);
        let x = run(&[
            ("1", "a", 3.0),
            ("1", "c", 2.0),
            ("1", "b", 2.0),
            ("2", "a", 1.0),
        ]);
        let similarity = Comparison::default()
            .with_ideal(&x, &qrels)
            .expect("no document is repeated");
        assert!((similarity.mean(0).expect("a topic has a value") - 1.0).abs() < 1e-12);
        assert_eq!((similarity.topics.len(), similarity.undefined()), (2, 1));
    }

    #[test]
    fn edges() {
        let (x, none) = (run(&[("1", "a", 2.0)]), run(&[]));
        let similarity = Comparison::default()
            .runs(&x, &none)
            .expect("no document is repeated");
        assert_eq!((similarity.mean(0), similarity.only_first), (None, 1));
        let similarity = Comparison::default()
            .runs(&none, &x)
            .expect("no document is repeated");
        assert_eq!(similarity.only_second, 1);
        let twice = run(&[("1", "a", 2.0), ("1", "a", 1.0)]);
        let error = Comparison::default()
            .runs(&x, &twice)
            .expect_err("a is repeated");
        assert_eq!(error.to_string(), "document `a` occurs twice in topic `1`");
        for p in [0.0, 1.0, f64::NAN] {
            assert!(Comparison::new(ListMeasure::Overlap, p, Ties::Expected, None).is_err());
        }
        assert!(Comparison::new(ListMeasure::Overlap, 0.5, Ties::Expected, Some(0)).is_err());
        for measure in ListMeasure::ALL {
            assert_eq!(measure.name().parse().as_ref(), Ok(measure));
        }
        for ties in Ties::ALL {
            assert_eq!(ties.name().parse().as_ref(), Ok(ties));
        }
    }
}
