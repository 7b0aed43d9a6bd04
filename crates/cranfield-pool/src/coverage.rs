//! The depth to which runs are judged.
//!
//! Bias and growth need the depth of the pool that was judged: below it, an unjudged document says nothing about relevance. Judgements do
//! not name this depth, and runs that did not contribute have unjudged documents at every rank. It is inferred as the greatest depth to which
//! at least half of the runs are complete: at least 95 % of the documents down to this depth are judged, and at least 80 % of those at its
//! last rank. Without the second condition, a complete pool of depth 20 would pass for one of depth 21.

use std::sync::Arc;

use cranfield_core::error::Error;
use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_core::setting::{Message, Setting};

use crate::rankings::{RankedRuns, Rankings};

/// Share of a run's documents that are judged if the run is complete.
pub const COMPLETE: f64 = 0.95;

/// Share of a run's documents at the last rank that are judged if the run is complete.
const COMPLETE_AT_LAST: f64 = 0.8;

/// Depth where none can be inferred.
const USUAL_DEPTH: usize = 100;

/// Depth to which runs are read at least.
const LEAST_EXAMINED: usize = 20;

/// How much of the pool of some runs is judged. Only judged topics count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The depth of the pool.
    pub depth: usize,
    /// Whether the user gave the depth.
    pub is_given: bool,
    /// The greatest depth at which at least half of the runs are complete.
    pub inferred: Option<usize>,
    /// Documents of the pool.
    pub documents: usize,
    /// Documents of the pool that are judged.
    pub judged: usize,
    /// Runs of which at least 95 % of the documents are judged.
    pub complete: usize,
    /// Number of runs.
    pub runs: usize,
}

impl Coverage {
    /// Cuts runs at a depth, or at the one that the judgements show.
    ///
    /// # Errors
    /// If the rule for ties gives more than one order.
    pub fn cut(
        runs: &[(String, Arc<Run>)],
        ties: TieBreak,
        depth: Option<usize>,
        qrels: &Qrels,
    ) -> Result<(Rankings, Self), Error> {
        let ranked = RankedRuns::new(runs, ties)?;
        let (inferred, judged) = examined(&ranked, depth.unwrap_or(USUAL_DEPTH), qrels);
        let used = depth.or(inferred).unwrap_or(USUAL_DEPTH);
        let rankings = ranked.cut(used);
        let mut coverage = Self {
            depth: used,
            is_given: depth.is_some(),
            inferred,
            documents: 0,
            judged: 0,
            complete: judged.iter().filter(|run| run.is_complete(used)).count(),
            runs: runs.len(),
        };
        for topic in &rankings.topics {
            if let Some(known) = qrels.get(topic.topic()) {
                coverage.documents += topic.len();
                let judged = topic.docs().filter(|doc| known.grade(doc).is_some());
                coverage.judged += judged.count();
            }
        }
        Ok((rankings, coverage))
    }

    /// Share of the pool that is judged.
    pub fn share(&self) -> f64 {
        self.judged as f64 / self.documents.max(1) as f64
    }

    /// Whether at least half of the runs are complete.
    pub fn is_sufficient(&self) -> bool {
        2 * self.complete >= self.runs
    }

    /// The depth and the share judged, and whether this is a warning because the pool is deeper than the judgements.
    pub fn message(&self) -> (Message, bool) {
        let Self {
            depth,
            documents,
            judged,
            complete,
            runs,
            ..
        } = self;
        let share = 100.0 * self.share();
        let counts = format!(
            "{judged} of {documents} documents judged ({share:.1} %), {complete} of {runs} runs to 95 % or more"
        );
        if self.is_sufficient() {
            return (format!("pool of depth {depth}: {counts}").into(), false);
        }
        let why = match (self.is_given, self.inferred) {
            (true, Some(inferred)) => Message::from(format!(
                "half of the runs are judged to 95 % or more down to depth {inferred}"
            )),
            (true, None) => "the judgements do not show the depth of the pool".into(),
            (false, _) => Message::from("the judgements do not show the depth of the pool; set ")
                .then(Setting::Depth),
        };
        let unjudged = "; unjudged documents count as not relevant; ";
        let message = Message::from(format!("pool of depth {depth}: only {counts}{unjudged}"));
        (message.then(why), true)
    }
}

/// Documents and judged documents of a run down to each rank, over all judged topics.
struct JudgedRun {
    down_to: Vec<(usize, usize)>,
}

impl JudgedRun {
    fn new(ranked: &RankedRuns<'_>, run: usize, depth: usize, qrels: &Qrels) -> Self {
        let mut down_to: Vec<(usize, usize)> = Vec::new();
        for (topic, runs) in &ranked.topics {
            let Some(known) = qrels.get(topic) else {
                continue;
            };
            // A document that a run repeats counts each time here: looking for it takes longer than all else.
            for (place, (doc, _)) in runs[run].iter().take(depth).enumerate() {
                if place == down_to.len() {
                    down_to.push((0, 0));
                }
                down_to[place].0 += 1;
                down_to[place].1 += usize::from(known.grade(doc).is_some());
            }
        }
        let mut sums = (0, 0);
        for (documents, judged) in &mut down_to {
            sums.0 += *documents;
            sums.1 += *judged;
            (*documents, *judged) = sums;
        }
        Self { down_to }
    }

    /// Documents and judged documents down to a rank.
    fn down_to(&self, depth: usize) -> (usize, usize) {
        match depth.min(self.down_to.len()) {
            0 => (0, 0),
            last => self.down_to[last - 1],
        }
    }

    fn is_complete(&self, depth: usize) -> bool {
        let (documents, judged) = self.down_to(depth);
        documents > 0 && judged as f64 >= COMPLETE * documents as f64
    }

    /// Whether the documents at a rank are judged, too.
    fn ends_at(&self, depth: usize) -> bool {
        let (documents, judged) = self.down_to(depth);
        let (above, judged_above) = self.down_to(depth - 1);
        (judged - judged_above) as f64 >= COMPLETE_AT_LAST * (documents - above) as f64
    }
}

/// The greatest depth at which at least half of the runs are complete, and the runs down to `needed` or more. Deep rankings are not read
/// to their ends: no depth is looked for beyond twice the greatest one that was found.
fn examined(
    ranked: &RankedRuns<'_>,
    needed: usize,
    qrels: &Qrels,
) -> (Option<usize>, Vec<JudgedRun>) {
    let runs = ranked.topics.first().map_or(0, |(_, runs)| runs.len());
    let runs: Vec<usize> = (0..runs).collect();
    let all = ranked.topics.iter().flat_map(|(_, runs)| runs);
    let longest = all.map(Vec::len).max().unwrap_or(0);
    let mut depth = needed.max(LEAST_EXAMINED);
    loop {
        let judged =
            cranfield_eval::in_parallel(&runs, |run| JudgedRun::new(ranked, *run, depth, qrels));
        let found = inferred(&judged);
        if depth >= longest || 2 * found.unwrap_or(0) <= depth {
            return (found, judged);
        }
        depth = depth.saturating_mul(2);
    }
}

/// The greatest depth at which at least half of the runs are complete.
fn inferred(runs: &[JudgedRun]) -> Option<usize> {
    let longest = runs.iter().map(|run| run.down_to.len()).max()?;
    let is_complete = |depth: &usize| {
        let complete = runs.iter();
        let complete = complete.filter(|run| run.is_complete(*depth) && run.ends_at(*depth));
        2 * complete.count() >= runs.len()
    };
    (1..=longest).rev().find(is_complete)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of ten documents each: two have only judged documents down to rank 4, the third contributed nothing.
    fn runs() -> (Vec<(String, Arc<Run>)>, Qrels) {
        let run = |name: &str| {
            let docs = (0..10).map(|rank| format!("{name}{rank}"));
            let docs: Vec<String> = docs.collect();
            let scored = docs
                .iter()
                .zip(0..)
                .map(|(doc, at)| ("1", &**doc, -f64::from(at)));
            (name.to_owned(), Arc::new(Run::from_scores(name, scored)))
        };
        let judged = ["a", "b"]
            .into_iter()
            .flat_map(|name| (0..4).map(move |rank| format!("{name}{rank}")));
        let judged: Vec<String> = judged.collect();
        let qrels = Qrels::from_judgements(judged.iter().map(|doc| ("1", &**doc, 1.0)));
        (["a", "b", "c"].map(run).to_vec(), qrels)
    }

    #[test]
    fn runs_that_did_not_contribute_do_not_hide_the_depth() {
        let (runs, qrels) = runs();
        let (rankings, found) = Coverage::cut(&runs, TieBreak::DocidDesc, None, &qrels).unwrap();
        assert_eq!((found.depth, found.documents, found.judged), (4, 12, 8));
        assert_eq!(rankings.topics[0].depth(), 4);
        assert_eq!((found.complete, found.runs), (2, 3));
        let (note, is_warning) = found.message();
        assert_eq!(
            note.to_string(),
            "pool of depth 4: 8 of 12 documents judged (66.7 %), 2 of 3 runs to 95 % or more"
        );
        assert!(!is_warning);
    }

    #[test]
    fn a_pool_deeper_than_the_judgements_is_a_warning() {
        let (runs, qrels) = runs();
        let (_, found) = Coverage::cut(&runs, TieBreak::DocidDesc, Some(8), &qrels).unwrap();
        let (warning, is_warning) = found.message();
        assert!(is_warning);
        assert_eq!(
            warning.to_string(),
            "pool of depth 8: only 8 of 24 documents judged (33.3 %), 0 of 3 runs to 95 % or more; unjudged documents count as not \
             relevant; half of the runs are judged to 95 % or more down to depth 4"
        );
        let (_, found) = Coverage::cut(&runs[2..], TieBreak::DocidDesc, None, &qrels).unwrap();
        assert_eq!((found.depth, found.inferred), (100, None));
        assert!(found.message().1);
    }

    #[test]
    fn a_complete_pool_does_not_seem_deeper() {
        let docs: Vec<String> = (0..40).map(|rank| format!("d{rank}")).collect();
        let scored = docs.iter().zip(0..);
        let scored = scored.map(|(doc, at)| ("1", &**doc, -f64::from(at)));
        let runs = [("a".to_owned(), Arc::new(Run::from_scores("a", scored)))];
        // 30 of 31 documents are 97 %.
        let judged = docs[..30].iter().map(|doc| ("1", &**doc, 1.0));
        let qrels = Qrels::from_judgements(judged);
        let (_, found) = Coverage::cut(&runs, TieBreak::DocidDesc, None, &qrels).unwrap();
        assert_eq!((found.depth, found.judged), (30, 30));
    }
}
