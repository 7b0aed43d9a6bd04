//! Fusion of one topic.

use std::iter::zip;

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::policy::TieBreak;
use cranfield_core::ranking::Ranking;
use cranfield_core::run::nine_digits;

use crate::candidates::Candidates;
use crate::error::Error;
use crate::method::Method;
use crate::settings::{Fusion, Missing, Profile};
use crate::{ranks, scores, trained, votes};

/// Fuses the lists of one topic, one for each run, in any order of documents. An empty list is that of a run without the topic.
///
/// Returns documents and scores, best first. Equal scores are ordered by descending document id.
///
/// ```
/// use cranfield_fusion::{Fusion, fuse_topic};
///
/// let a: [(&[u8], f64); 2] = [(b"d1", 9.5), (b"d2", 7.0)];
/// let b: [(&[u8], f64); 2] = [(b"d2", 0.8), (b"d3", 0.3)];
/// let fused = fuse_topic(&[&a, &b], &Fusion::default())?;
/// assert_eq!(fused[0], (&b"d2"[..], 0.0325224749)); // 1/62 + 1/61
/// assert_eq!(fused[1], (&b"d1"[..], 0.0163934426)); // 1/61
/// # Ok::<(), cranfield_fusion::Error>(())
/// ```
pub fn fuse_topic<'a>(
    lists: &[&[(&'a [u8], f64)]],
    fusion: &Fusion,
) -> Result<Vec<(&'a [u8], f64)>, Error> {
    fusion.check(lists.len())?;
    let names: Vec<String> = (1..=lists.len()).map(|number| number.to_string()).collect();
    let mut fuser = Fuser::new(fusion, &names);
    let lists = lists.iter().map(|list| list.iter().copied());
    fuser.fuse(b"", lists)?;
    Ok(fuser.docs().collect())
}

/// Scratch space of one thread for fusing topics.
#[derive(Debug)]
pub(crate) struct Fuser<'s, 'a> {
    fusion: &'s Fusion,
    /// Names of the runs, for errors.
    names: &'s [String],
    hasher: DocHasher,
    ranking: Ranking<'a>,
    pub(crate) candidates: Candidates<'a>,
    fused: Ranking<'a>,
    scores: Vec<f64>,
}

impl<'s, 'a> Fuser<'s, 'a> {
    pub(crate) fn new(fusion: &'s Fusion, names: &'s [String]) -> Self {
        Self {
            fusion,
            names,
            hasher: DocHasher::default(),
            ranking: Ranking::default(),
            candidates: Candidates::default(),
            fused: Ranking::default(),
            scores: Vec::new(),
        }
    }

    /// Fuses a topic.
    pub(crate) fn fuse<L>(
        &mut self,
        topic: &[u8],
        lists: impl ExactSizeIterator<Item = L> + Clone,
    ) -> Result<(), Error>
    where
        L: ExactSizeIterator<Item = (&'a [u8], f64)>,
    {
        self.read(topic, lists)?;
        if self.fusion.method.uses_scores() {
            self.normalise(topic)?;
        }
        let scores = score(self.fusion, &self.candidates);
        self.arrange(topic, &scores)
    }

    /// Ranks the documents of each run.
    pub(crate) fn read<L>(
        &mut self,
        topic: &[u8],
        lists: impl ExactSizeIterator<Item = L> + Clone,
    ) -> Result<(), Error>
    where
        L: ExactSizeIterator<Item = (&'a [u8], f64)>,
    {
        let entries = lists.clone().map(|list| list.len()).sum();
        self.candidates.numbers.reset(entries);
        let count = lists.len();
        self.candidates.lists.resize_with(count, Default::default);
        for (run, docs) in lists.enumerate() {
            self.rank(run, docs);
            let depth = self.kept();
            if let Some((_, again)) = self.ranking.duplicate(depth) {
                let doc = self.ranking.doc(again);
                return Err(Error::repeated(&self.names[run], topic, doc));
            }
            self.number(run);
        }
        Ok(())
    }

    /// Documents of the current run that are used.
    fn kept(&self) -> usize {
        let depth = self.fusion.input_depth.unwrap_or(usize::MAX);
        self.ranking.len().min(depth)
    }

    fn rank(&mut self, run: usize, docs: impl Iterator<Item = (&'a [u8], f64)>) {
        let sign = if self.fusion.norm(run).is_inverted() {
            -1.0
        } else {
            1.0
        };
        self.ranking.clear();
        for (doc, score) in docs {
            self.ranking.push(doc, self.hasher.hash(doc), sign * score);
        }
        self.ranking.arrange(self.fusion.ties, |_| 0.0);
    }

    /// Moves the ranked documents to the list of a run.
    fn number(&mut self, run: usize) {
        let kept = self.kept();
        let sign = if self.fusion.norm(run).is_inverted() {
            -1.0
        } else {
            1.0
        };
        let list = &mut self.candidates.lists[run];
        list.docs.clear();
        list.scores.clear();
        list.retrieved = kept;
        for at in &self.ranking.order()[..kept] {
            let at = *at as usize;
            let (doc, hash) = self.ranking.doc_and_hash(at);
            list.docs.push(self.candidates.numbers.number(doc, hash));
            list.scores.push(sign * self.ranking.score(at));
        }
    }

    fn normalise(&mut self, topic: &[u8]) -> Result<(), Error> {
        let all = self.candidates.len();
        for (run, list) in self.candidates.lists.iter_mut().enumerate() {
            let norm = self.fusion.norm(run);
            let applied = norm.apply(&mut list.scores, all, self.fusion.profile);
            applied.map_err(|max| Error::not_positive(&self.names[run], topic, max.0))?;
            let missing = match self.fusion.missing {
                Missing::Ignore => None,
                Missing::Min => list.scores.iter().copied().reduce(f64::min),
            };
            if let Some(score) = norm.of_missing(list.retrieved, all).or(missing) {
                list.complete(all, score);
            }
        }
        Ok(())
    }

    /// Orders the fused documents.
    fn arrange(&mut self, topic: &[u8], scores: &[f64]) -> Result<(), Error> {
        let is_rounded = self.fusion.profile == Profile::Cranfield;
        self.scores.clear();
        self.scores.extend(scores.iter().map(|score| {
            // Plus zero, since minus zero would be written as such.
            if is_rounded {
                nine_digits(*score) + 0.0
            } else {
                *score
            }
        }));
        let docs = self.candidates.numbers.docs();
        let unusable = self.scores.iter().position(|score| !score.is_finite());
        if let Some(at) = unusable.filter(|_| is_rounded) {
            return Err(Error::not_finite(topic, docs[at].0, scores[at]));
        }
        let least = self.least();
        self.fused.clear();
        for ((doc, hash), score) in zip(docs, &self.scores) {
            if least.is_none_or(|least| *score >= least) {
                self.fused.push(doc, *hash, *score);
            }
        }
        self.fused.arrange(TieBreak::DocidDesc, |_| 0.0);
        Ok(())
    }

    /// The lowest score that can be among those that are kept, if not all are.
    fn least(&self) -> Option<f64> {
        let last = self.fusion.depth?.checked_sub(1)?;
        if last >= self.scores.len() || self.scores.iter().any(|score| score.is_nan()) {
            return None;
        }
        let mut scores = self.scores.clone();
        let (_, least, _) = scores.select_nth_unstable_by(last, |a, b| b.total_cmp(a));
        Some(*least)
    }

    /// Number of documents that are kept.
    fn depth(&self) -> usize {
        let depth = self.fusion.depth.unwrap_or(usize::MAX);
        self.fused.len().min(depth)
    }

    /// The fused documents, best first.
    pub(crate) fn docs(&self) -> impl ExactSizeIterator<Item = (&'a [u8], f64)> + '_ {
        let order = &self.fused.order()[..self.depth()];
        order.iter().map(|at| {
            let at = *at as usize;
            (self.fused.doc(at), self.fused.score(at))
        })
    }

    /// Number of fused documents whose score another one has, too.
    pub(crate) fn tied(&self) -> usize {
        let depth = self.depth() as u32;
        let groups = self.fused.tie_groups().iter();
        let kept = groups.map(|group| group.end.min(depth).saturating_sub(group.start));
        kept.sum::<u32>() as usize
    }
}

/// The fused scores by document.
fn score(fusion: &Fusion, candidates: &Candidates<'_>) -> Vec<f64> {
    let weight = |run: usize| fusion.weight(run);
    let known = fusion
        .trained
        .as_ref()
        .map_or(&[][..], |known| known.by_run());
    match fusion.method {
        Method::Min => scores::min(candidates),
        Method::Max => scores::max(candidates),
        Method::Med => scores::median(candidates),
        Method::Sum => scores::sum(candidates, |_| 1.0),
        Method::Anz => scores::mean(candidates),
        Method::Mnz => scores::sum(candidates, |n| n),
        Method::Gmnz { gamma } => scores::sum(candidates, |n| n.powf(gamma)),
        Method::Wsum => scores::weighted_sum(candidates, weight, |_| 1.0),
        Method::Wmnz => scores::sum_times_weights(candidates, weight),
        Method::Mixed => scores::weighted_sum(candidates, weight, f64::sqrt),
        Method::Isr => ranks::inverse_squares(candidates, |n| n),
        Method::LogIsr => ranks::inverse_squares(candidates, f64::ln),
        Method::LognIsr { sigma } => ranks::inverse_squares(candidates, |n| (n + sigma).ln()),
        Method::Rrf { k } => ranks::reciprocal(candidates, weight, k),
        Method::Rbc { phi } => ranks::rank_biased(candidates, weight, phi),
        Method::Borda | Method::WeightedBorda => votes::borda(candidates, weight),
        Method::Condorcet | Method::WeightedCondorcet => votes::condorcet(candidates, weight),
        Method::Copeland => votes::copeland(candidates, weight),
        Method::Pos => trained::by_position(candidates, known),
        Method::Prob { .. } => trained::by_segment(candidates, known),
        Method::Seg => trained::by_growing_segment(candidates, known),
        Method::Slide { w } => trained::by_window(candidates, known, w),
        Method::Map => trained::by_mean_precision(candidates, known),
        Method::Bayes => trained::by_odds(candidates, known),
    }
}
