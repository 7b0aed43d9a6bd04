//! What trained methods learn from judgements: how often each place of a run holds a relevant document.
//!
//! Unjudged documents are not relevant, and a grade of 1 or more is. Training topics are those of the judgements that any run has; a run
//! that lacks one has an empty list for it.

use std::sync::Arc;

use cranfield_core::measure::{Computation, Measure};
use cranfield_core::policy::NegativeGrades;
use cranfield_core::qrels::QrelsTopic;
use cranfield_core::topic::{Hit, JudgedRanking};
use cranfield_measures::spec::{Conventions, parse_measure};

use crate::candidates::{Candidates, List};
use crate::method::Method;

/// Places (from 0) at which the segments of `SegFuse` end: segment `k` of 10 has `10·2^(k-1) - 5` documents more than those before it end at.
pub(crate) const GROWING_ENDS: [usize; 10] = [5, 15, 35, 75, 155, 315, 635, 1275, 2555, 5115];

/// Places at which the bins of `BayesFuse` end.
const ODDS_ENDS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// In place of a probability of 0 or 1, whose odds have no logarithm.
const LEAST: f64 = 0.001;

/// `ln(0.001/0.999)`: the log odds of documents that a run lacks, or has below the last bin.
pub(crate) const UNSEEN_ODDS: f64 = -6.906_754_778_648_554;

/// Relevant grades.
const LEVEL: f64 = 1.0;

/// Documents of each of `segments` segments of a list.
pub(crate) fn segment_length(retrieved: usize, segments: usize) -> usize {
    retrieved.div_ceil(segments.max(1)).max(1)
}

/// The result of training a method: numbers for each run, by place, segment or bin.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trained {
    by_run: Vec<Vec<f64>>,
    topics: usize,
}

impl Trained {
    /// Numbers that were learned before.
    pub fn from_numbers(by_run: Vec<Vec<f64>>) -> Self {
        Self { by_run, topics: 0 }
    }

    /// For each run: probabilities of places (`posfuse`, `slidefuse`) or segments (`probfuse`, `segfuse`), log odds of places (`bayesfuse`), or
    /// its mean average precision (`mapfuse`).
    pub fn by_run(&self) -> &[Vec<f64>] {
        &self.by_run
    }

    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.by_run.len()
    }

    /// Number of training topics.
    pub fn topics(&self) -> usize {
        self.topics
    }
}

/// Sums over training topics.
#[derive(Debug)]
pub(crate) struct Trainer {
    method: Method,
    precision: Option<Arc<dyn Measure>>,
    runs: Vec<Sums>,
    /// Topics that were added.
    topics: usize,
    /// Topics that will be added in all.
    expected: usize,
}

#[derive(Clone, Debug, Default)]
struct Sums {
    /// By place: lists with a relevant document there. By bin of fixed width: relevant documents, or their share. By segment of a list: sum of the
    /// shares of relevant documents. Of `mapfuse`: sum of AP.
    relevant: Vec<f64>,
    /// By place: lists that reach it.
    present: Vec<f64>,
}

impl Sums {
    fn add(&mut self, at: usize, share: f64) {
        if self.relevant.len() <= at {
            self.relevant.resize(at + 1, 0.0);
            self.present.resize(at + 1, 0.0);
        }
        self.relevant[at] += share;
        self.present[at] += 1.0;
    }
}

impl Trainer {
    /// A trainer for that many runs and topics.
    pub(crate) fn new(method: Method, runs: usize, expected: usize) -> Self {
        let precision = parse_measure("AP", &Conventions::default());
        let precision = precision
            .ok()
            .and_then(|measure| match measure.computation {
                Computation::Ranked(measure) => Some(measure),
                _ => None,
            });
        Self {
            method,
            precision,
            runs: vec![Sums::default(); runs],
            topics: 0,
            expected,
        }
    }

    /// Adds a topic.
    pub(crate) fn add(&mut self, candidates: &Candidates<'_>, topic: &QrelsTopic<'_>) {
        self.topics += 1;
        let docs = candidates.numbers.docs();
        let grades: Vec<Option<f64>> = docs.iter().map(|(doc, _)| topic.grade(doc)).collect();
        for (run, list) in candidates.lists.iter().enumerate() {
            let is_relevant = |doc: &u32| grades[*doc as usize].is_some_and(|grade| grade >= LEVEL);
            let relevant: Vec<bool> = list.ranked().iter().map(is_relevant).collect();
            match self.method {
                Method::Map => self.add_precision(run, list, &grades, topic),
                _ => self.add_list(run, &relevant),
            }
        }
    }

    fn add_list(&mut self, run: usize, relevant: &[bool]) {
        let sums = &mut self.runs[run];
        match self.method {
            Method::Prob { segments } => {
                let length = segment_length(relevant.len(), segments);
                for (segment, docs) in relevant.chunks(length).enumerate() {
                    sums.add(segment, share(docs, docs.len()));
                }
            }
            Method::Seg => add_bins(sums, relevant, &GROWING_ENDS, |count, _| count),
            Method::Bayes => add_shares(sums, relevant, &ODDS_ENDS, self.expected),
            _ => {
                for (place, is_relevant) in relevant.iter().enumerate() {
                    sums.add(place, f64::from(u8::from(*is_relevant)));
                }
            }
        }
    }

    fn add_precision(
        &mut self,
        run: usize,
        list: &List,
        grades: &[Option<f64>],
        topic: &QrelsTopic<'_>,
    ) {
        let negative = NegativeGrades::default();
        let judged = list.ranked().iter().zip(1u32..);
        let hits = judged.filter_map(|(doc, rank)| {
            let label = grades[*doc as usize]
                .map(|grade| cranfield_core::topic::Label::of(grade, negative))?;
            Some(Hit { rank, label })
        });
        let hits: Vec<Hit> = hits.collect();
        let ranking = JudgedRanking::new(list.retrieved, &hits, topic.base(negative));
        let precision = self.precision.as_ref();
        let value = precision.and_then(|measure| measure.evaluate(&ranking));
        self.runs[run].add(0, value.unwrap_or(0.0));
    }

    pub(crate) fn finish(self) -> Trained {
        let topics = self.topics.max(1) as f64;
        let (method, runs) = (self.method, self.runs);
        Trained {
            by_run: runs
                .into_iter()
                .map(|sums| learned(method, &sums, topics))
                .collect(),
            topics: self.topics,
        }
    }
}

/// The numbers of one run.
fn learned(method: Method, sums: &Sums, topics: f64) -> Vec<f64> {
    let mean = |count: usize| -> Vec<f64> {
        let sum = |at| sums.relevant.get(at).copied().unwrap_or(0.0);
        (0..count).map(|at| sum(at) / topics).collect()
    };
    match method {
        Method::Prob { segments } => mean(segments),
        Method::Seg => bin_shares(sums, &GROWING_ENDS, topics),
        Method::Map => mean(1),
        Method::Bayes => bin_odds(sums, &ODDS_ENDS),
        _ => {
            let pairs = sums.relevant.iter().zip(&sums.present);
            pairs
                .map(|(relevant, present)| relevant / present)
                .collect()
        }
    }
}

/// The logarithm of the odds of a probability, where 0 and 1 are replaced by 0.001 and its counterpart.
fn log_odds(share: f64) -> f64 {
    let share = if share == 0.0 { LEAST } else { share };
    let rest = if share == 1.0 { LEAST } else { 1.0 - share };
    (share / rest).ln()
}

fn bins(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends.iter().copied())
}

/// Adds to each bin what `of` makes of its relevant documents and its width.
fn add_bins(sums: &mut Sums, relevant: &[bool], ends: &[usize], of: impl Fn(f64, f64) -> f64) {
    for (bin, (start, end)) in bins(ends).enumerate() {
        let docs = relevant.get(start..end.min(relevant.len()));
        let count = share(docs.unwrap_or_default(), 1);
        sums.add(bin, of(count, end.saturating_sub(start).max(1) as f64));
    }
}

/// Adds the share of relevant documents in each bin of one of several lists, in the order of ranx's operations: equal sums of odds decide
/// over ties.
fn add_shares(sums: &mut Sums, relevant: &[bool], ends: &[usize], lists: usize) {
    let lists = lists.max(1) as f64;
    add_bins(sums, relevant, ends, |count, width| count / width / lists);
}

/// The share of relevant documents in each bin, over all topics.
fn bin_shares(sums: &Sums, ends: &[usize], topics: f64) -> Vec<f64> {
    let relevant = |bin: usize| sums.relevant.get(bin).copied().unwrap_or(0.0);
    let widths = bins(ends).map(|(start, end)| end.saturating_sub(start).max(1) as f64);
    widths
        .enumerate()
        .map(|(bin, width)| relevant(bin) / (width * topics))
        .collect()
}

/// The log odds of relevance by place, the same for all places of a bin.
fn bin_odds(sums: &Sums, ends: &[usize]) -> Vec<f64> {
    let share = |bin: usize| sums.relevant.get(bin).copied().unwrap_or(0.0);
    let widths = bins(ends).map(|(start, end)| end.saturating_sub(start));
    let odds = (0..ends.len()).map(|bin| log_odds(share(bin))).zip(widths);
    odds.flat_map(|(odds, width)| std::iter::repeat_n(odds, width))
        .collect()
}

/// The log odds of relevance by place, for bins of places that end at `ends`, from lists that say which places hold a relevant
/// document. This is what `bayesfuse` learns of one run.
///
/// ```
/// let lists = [vec![true, false], vec![true]];
/// let odds = cranfield_fusion::log_odds_by_place(&lists, &[2]);
/// assert_eq!(odds, [0.0, 0.0]); // 2 of 4 places
/// ```
pub fn log_odds_by_place(lists: &[Vec<bool>], ends: &[usize]) -> Vec<f64> {
    let mut sums = Sums::default();
    for list in lists {
        add_shares(&mut sums, list, ends, lists.len());
    }
    bin_odds(&sums, ends)
}

fn share(relevant: &[bool], of: usize) -> f64 {
    relevant.iter().filter(|is_relevant| **is_relevant).count() as f64 / of.max(1) as f64
}
