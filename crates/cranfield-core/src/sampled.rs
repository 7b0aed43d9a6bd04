//! Estimates from judgements of a random sample.
//!
//! Two designs are known. In a stratified pool ([`StratifiedPool`]) the pool is cut into strata, of each of which a
//! uniform sample is judged; the estimates are those of `sample_eval.pl`: `xinfAP`, `infNDCG`, precision and the
//! numbers of relevant documents. In a sample with unequal probabilities ([`InclusionSample`]) every judged document
//! carries the probability with which it was drawn; the estimates are `statAP` and precision.
//!
//! E. Yilmaz, E. Kanoulas and J. Aslam: A simple and efficient sampling method for estimating AP and NDCG. SIGIR 2008.
//!
//! J. Aslam and V. Pavlu: A practical sampling strategy for efficient retrieval evaluation. Northeastern University,
//! 2007.

use std::cmp::Ordering;

mod qrels;

pub use qrels::{
    DrawnJudgement, DrawnMeasure, RepeatedJudgement, SampledQrels, SampledQrelsBuilder,
    SampledRanking, SampledTopic, StratifiedMeasure,
};

use crate::gains::Gains;
use crate::small_sort::SmallSort;
use crate::topic::GradeCount;

/// Smoothing of a stratum's precision: (relevant + ε) / (sampled + 3ε).
const EPSILON: f64 = 0.00001;

/// A document of a stratified pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolDocument {
    /// The stratum that it belongs to.
    pub stratum: u32,
    /// Its grade, if it was drawn for judgement. A grade below zero means that it was not, as in the files.
    pub grade: Option<f64>,
}

impl PoolDocument {
    fn sampled(&self) -> Option<f64> {
        self.grade.filter(|grade| *grade >= 0.0)
    }
}

/// The judgements of a stratum.
#[derive(Clone, Debug)]
struct Stratum {
    id: u32,
    documents: u32,
    sampled: u32,
    relevant: u32,
    /// Sampled documents by grade, in ascending order.
    grades: Vec<GradeCount>,
}

impl Stratum {
    /// Number of documents of the pool that a sampled document represents.
    fn expansion(&self) -> f64 {
        if self.sampled > 0 {
            f64::from(self.documents) / f64::from(self.sampled)
        } else {
            0.0
        }
    }

    /// The stratum of documents in the order of [`by_stratum`].
    fn new(documents: &[PoolDocument], level: f64) -> Self {
        let grades = documents.iter().filter_map(PoolDocument::sampled);
        let mut stratum = Self {
            id: documents.first().map_or(0, |document| document.stratum),
            documents: documents.len() as u32,
            sampled: 0,
            relevant: 0,
            grades: Vec::new(),
        };
        for grade in grades {
            stratum.sampled += 1;
            stratum.relevant += u32::from(grade >= level);
            let last = stratum.grades.last_mut();
            match last.filter(|known| known.grade == grade) {
                Some(known) => known.count += 1,
                None => stratum.grades.push(GradeCount { grade, count: 1 }),
            }
        }
        stratum
    }
}

/// Counts of a stratum down to a rank.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    documents: u32,
    sampled: u32,
    relevant: u32,
    /// Σ of the estimated precisions at its relevant documents.
    precisions: f64,
    /// Σ of its documents' discounted gains.
    gain: f64,
}

/// The judgements of a topic whose pool was sampled stratum by stratum.
///
/// A ranking is given as its documents in rank order, with `None` for those that are not in the pool. The script
/// looks at the first 1000 documents; a caller who wants the same gives no more.
///
/// ```
/// use cranfield_core::sampled::{PoolDocument, StratifiedPool};
///
/// // One stratum of four documents, of which two were judged: one of them is relevant.
/// let document = |grade| PoolDocument { stratum: 1, grade };
/// let pool = [Some(1.0), Some(0.0), None, None].map(document);
/// let topic = StratifiedPool::new(pool, 1.0);
/// assert_eq!(topic.num_rel(), 2.0);
/// // The relevant document comes first: the other that is expected was not found.
/// assert_eq!(topic.xinf_ap(&[Some(pool[0])]), Some(1.0));
/// ```
#[derive(Clone, Debug)]
pub struct StratifiedPool {
    level: f64,
    /// By id.
    strata: Vec<Stratum>,
}

impl StratifiedPool {
    /// Counts the documents of the pool. Those graded `level` or higher are relevant.
    pub fn new(pool: impl IntoIterator<Item = PoolDocument>, level: f64) -> Self {
        let mut pool: Vec<PoolDocument> = pool.into_iter().collect();
        pool.small_sort_by(by_stratum);
        let strata = pool.chunk_by(|a, b| a.stratum == b.stratum);
        Self {
            level,
            strata: strata.map(|stratum| Stratum::new(stratum, level)).collect(),
        }
    }

    /// Estimated number of relevant documents (`inum_rel`): Σ over the strata of relevant · documents / sampled.
    pub fn num_rel(&self) -> f64 {
        let mut sum = 0.0;
        for stratum in &self.strata {
            sum += f64::from(stratum.relevant) * stratum.expansion();
        }
        sum
    }

    /// Estimated number of relevant documents in the ranking (`inum_rel_ret`).
    pub fn num_rel_ret(&self, ranking: &[Option<PoolDocument>]) -> f64 {
        estimated_relevant(&self.walk(ranking, &Gains::default()))
    }

    /// Estimated precision of the first `cutoff` documents (`iP`), with missing ones counted as not relevant. `None`
    /// for a cutoff of 0.
    pub fn precision(&self, ranking: &[Option<PoolDocument>], cutoff: usize) -> Option<f64> {
        let first = &ranking[..ranking.len().min(cutoff)];
        (cutoff > 0).then(|| self.num_rel_ret(first) / cutoff as f64)
    }

    /// Extended inferred average precision (`infAP` of the script), `None` if no sampled document is relevant.
    ///
    /// At a relevant document of rank k the precision is (1 + E) / k, where E is the estimated number of relevant
    /// documents above: Σ over the strata of documents above · (relevant above + ε) / (sampled above + 3ε). Each
    /// document counts for as many as its stratum's sampling rate says. The script's revision of 2012 multiplies the
    /// result by the estimated number of relevant documents over 1000 where that is more than 1; this is not done.
    pub fn xinf_ap(&self, ranking: &[Option<PoolDocument>]) -> Option<f64> {
        let seen = self.walk(ranking, &Gains::default());
        let mut sum = 0.0;
        for (stratum, seen) in self.strata.iter().zip(&seen) {
            sum += stratum.expansion() * seen.precisions;
        }
        let total = self.num_rel();
        (total > 0.0).then(|| sum / total)
    }

    /// Inferred `nDCG`, `None` if no sampled document has a positive gain.
    ///
    /// The discounted gain of each stratum is expanded by its documents over its sampled documents in the ranking.
    /// The ideal ranking has as many documents of each grade as are estimated, rounded to the nearest number, and is
    /// at most `depth` long. A copy of the script goes on from broken ranks instead of rounding; the two agree where
    /// the estimated numbers are whole.
    pub fn inf_ndcg(
        &self,
        ranking: &[Option<PoolDocument>],
        gains: &Gains,
        depth: usize,
    ) -> Option<f64> {
        let mut dcg = 0.0;
        for seen in self.walk(ranking, gains) {
            if seen.sampled > 0 {
                dcg += f64::from(seen.documents) * seen.gain / f64::from(seen.sampled);
            }
        }
        let ideal = self.ideal_dcg(gains, depth);
        (ideal > 0.0).then(|| dcg / ideal)
    }

    /// Goes down a ranking and counts by stratum.
    fn walk(&self, ranking: &[Option<PoolDocument>], gains: &Gains) -> Vec<Seen> {
        let mut seen = vec![Seen::default(); self.strata.len()];
        for (document, rank) in ranking.iter().zip(1u32..) {
            let Some(document) = document else { continue };
            let id = document.stratum;
            let Ok(at) = self.strata.binary_search_by_key(&id, |known| known.id) else {
                continue;
            };
            if let Some(grade) = document.sampled() {
                if grade >= self.level {
                    seen[at].precisions += (1.0 + estimated_relevant(&seen)) / f64::from(rank);
                    seen[at].relevant += 1;
                }
                seen[at].sampled += 1;
                seen[at].gain += gains.of_grade(grade).max(0.0) / discount(f64::from(rank));
            }
            seen[at].documents += 1;
        }
        seen
    }

    fn ideal_dcg(&self, gains: &Gains, depth: usize) -> f64 {
        let counts = self.strata.iter().flat_map(|stratum| {
            let counts = stratum.grades.iter();
            counts.map(|step| (step.grade, f64::from(step.count) * stratum.expansion()))
        });
        let mut counts: Vec<(f64, f64)> = counts.collect();
        counts.small_sort_by(|a, b| a.0.total_cmp(&b.0));
        let same = counts.chunk_by(|a, b| a.0 == b.0);
        let estimated = same.map(|same| {
            let mut sum = 0.0;
            for (_, count) in same {
                sum += count;
            }
            (gains.of_grade(same[0].0), sum.round())
        });
        let mut steps: Vec<(f64, f64)> = estimated.collect();
        steps.retain(|(gain, _)| *gain > 0.0);
        steps.small_sort_by(|a, b| b.0.total_cmp(&a.0));
        let documents = steps
            .iter()
            .flat_map(|(gain, count)| std::iter::repeat_n(*gain, *count as usize));
        let mut sum = 0.0;
        for (gain, rank) in documents.take(depth).zip(1u32..) {
            sum += gain / discount(f64::from(rank));
        }
        sum
    }
}

/// By stratum, and by grade in it.
fn by_stratum(a: &PoolDocument, b: &PoolDocument) -> Ordering {
    let grade = |document: &PoolDocument| document.sampled().unwrap_or(-1.0) + 0.0;
    let order = a.stratum.cmp(&b.stratum);
    order.then_with(|| grade(a).total_cmp(&grade(b)))
}

/// The estimated number of relevant documents among those seen.
fn estimated_relevant(seen: &[Seen]) -> f64 {
    let mut sum = 0.0;
    for stratum in seen {
        let precision =
            (f64::from(stratum.relevant) + EPSILON) / (f64::from(stratum.sampled) + 3.0 * EPSILON);
        sum += f64::from(stratum.documents) * precision;
    }
    sum
}

fn discount(rank: f64) -> f64 {
    (rank + 1.0).log2()
}

/// The probability with which a document was drawn: above 0 and at most 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Inclusion(f64);

impl Inclusion {
    /// A probability above 0 and at most 1; `None` for any other number.
    pub fn new(probability: f64) -> Option<Self> {
        (probability > 0.0 && probability <= 1.0).then_some(Self(probability))
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Number of documents that one drawn with this probability represents.
    fn weight(self) -> f64 {
        1.0 / self.0
    }
}

/// A judged document of a sample with unequal probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnDocument {
    /// Whether it was judged relevant.
    pub relevant: bool,
    /// The probability with which it was drawn.
    pub inclusion: Inclusion,
}

/// The judgements of a topic that were drawn with unequal probabilities, known as prels.
///
/// A ranking is given as its documents in rank order, with `None` for those that were not judged. A public port of
/// the first script rounds the estimated number of relevant documents and cuts running sums to whole numbers; this
/// is not done here.
///
/// ```
/// use cranfield_core::sampled::{DrawnDocument, Inclusion, InclusionSample};
///
/// let half = Inclusion::new(0.5).unwrap();
/// let drawn = DrawnDocument { relevant: true, inclusion: half };
/// let topic = InclusionSample::new([drawn]);
/// assert_eq!(topic.num_rel(), 2.0);
/// // At rank 2, where 1 relevant document is expected: (1/2) · 2 · (1/2) · 1.
/// assert_eq!(topic.stat_ap(&[None, Some(drawn)]), Some(0.5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InclusionSample {
    num_rel: f64,
}

impl InclusionSample {
    /// Sums over the judged documents of the topic.
    pub fn new(judged: impl IntoIterator<Item = DrawnDocument>) -> Self {
        let mut num_rel = 0.0;
        for document in judged.into_iter().filter(|document| document.relevant) {
            num_rel += document.inclusion.weight();
        }
        Self { num_rel }
    }

    /// Estimated number of relevant documents: Σ over those judged relevant of 1 / probability.
    pub fn num_rel(&self) -> f64 {
        self.num_rel
    }

    /// `statAP`: (1 / estimated number of relevant documents) · Σ over the relevant documents of the ranking of
    /// (1 / probability) · (1 + Σ of 1 / probability over the relevant documents above) / rank. `None` if no judged
    /// document is relevant.
    pub fn stat_ap(&self, ranking: &[Option<DrawnDocument>]) -> Option<f64> {
        let (mut sum, mut above) = (0.0, 0.0);
        for (weight, rank) in relevant_weights(ranking) {
            sum += weight * (1.0 + above) / rank;
            above += weight;
        }
        (self.num_rel > 0.0).then(|| sum / self.num_rel)
    }

    /// Estimated precision of the first `cutoff` documents; it may exceed 1. `None` for a cutoff of 0.
    pub fn stat_precision(&self, ranking: &[Option<DrawnDocument>], cutoff: usize) -> Option<f64> {
        let mut sum = 0.0;
        for (weight, _) in relevant_weights(&ranking[..ranking.len().min(cutoff)]) {
            sum += weight;
        }
        (cutoff > 0).then(|| sum / cutoff as f64)
    }
}

/// Weight and rank of the relevant documents of a ranking.
fn relevant_weights(ranking: &[Option<DrawnDocument>]) -> impl Iterator<Item = (f64, f64)> + '_ {
    let ranked = ranking.iter().zip(1u32..);
    ranked.filter_map(|(document, rank)| {
        let document = document.filter(|document| document.relevant)?;
        Some((document.inclusion.weight(), f64::from(rank)))
    })
}
