//! Evaluation of one topic: from its documents to the values of all measures.
//!
//! [`Plan`] holds the request; [`TopicEvaluator`] is the scratch space of one thread. Both inputs, a file that is being read and
//! a [`crate::run::Run`] in memory, go through a [`TopicEvaluator`]: order, judge, measure.

mod plan;

use std::borrow::Cow;

use crate::doc_hash::{DocHasher, Found};
use crate::known::{KnownDocuments, KnownTopic};
use crate::measure::{Computation, TextMeasure};
use crate::orders::Orders;
use crate::places::Places;
use crate::policy::{TieBreak, Unjudged};
use crate::qrels::QrelsTopic;
use crate::ranking::Ranking;
use crate::readings::Readings;
use crate::topic::{Hit, JudgedRanking, Label, Levels, RecallBase};

use plan::Computed;

pub use plan::Plan;

/// Notes on the evaluation of a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicNotes {
    /// Documents retrieved.
    pub retrieved: u32,
    /// Groups of documents with equal scores.
    pub tie_groups: u32,
    /// Documents in them.
    pub tied_docs: u32,
    /// Groups whose documents do not all have the same label, so that their order can change a value.
    pub mixed_groups: u32,
    /// The plan's cutoffs that a tie group straddles, by their places in [`Plan::cutoffs`].
    pub straddled: Places,
    /// The measures whose value is an estimate, because there were too many orders of ties or readings of unjudged
    /// documents, by their places in the plan.
    pub inexact: Places,
}

/// Scratch space of one thread for evaluating topics.
#[derive(Debug)]
pub struct TopicEvaluator<'a, 'p> {
    plan: &'p Plan,
    computed: Vec<Computed<'p>>,
    textual: Vec<&'p dyn TextMeasure>,
    cutoffs: Vec<usize>,
    /// The documents of the topic that is being read.
    pub ranking: Ranking<'a>,
    found: Found,
    /// Documents that are in the qrels: place in the file and label, in the order of the file.
    judged: Vec<(u32, Label)>,
    hits: Vec<Hit>,
    /// Documents retrieved, as measured last.
    retrieved: usize,
    /// Number of hits down to each rank, if they had to be sorted.
    by_rank: Vec<u32>,
    levels: Levels,
    inexact: Places,
    /// The grade that unjudged documents are read as, if they are relevant.
    read_as: Option<f64>,
}

/// A document that a ranking repeats, by its places in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateDoc {
    /// The earlier place.
    pub first: usize,
    /// The later place.
    pub second: usize,
}

impl<'a, 'p> TopicEvaluator<'a, 'p> {
    /// Creates scratch space for a plan.
    pub fn new(plan: &'p Plan) -> Self {
        let textual = plan.measures.iter();
        let textual = textual.filter_map(|measure| match &measure.computation {
            Computation::Text(measure) => Some(measure.as_ref()),
            _ => None,
        });
        Self {
            plan,
            computed: plan.computed(),
            textual: textual.collect(),
            cutoffs: plan.cutoffs(),
            ranking: Ranking::default(),
            found: Found::default(),
            judged: Vec::new(),
            hits: Vec::new(),
            retrieved: 0,
            by_rank: Vec::new(),
            levels: plan.levels(),
            inexact: Places::default(),
            read_as: None,
        }
    }

    /// Adds a document of the topic, in the order of the file.
    #[inline]
    pub fn push(&mut self, hasher: &DocHasher, doc: &'a [u8], score: f64) {
        let score = match self.plan.policies.ties {
            TieBreak::DocidDescF32 => f64::from(score as f32),
            _ => score,
        };
        self.ranking.push(doc, hasher.hash(doc), score);
    }

    /// Orders and judges the documents pushed since [`clear`](Self::clear). `topic` is `None` if the qrels do not have it.
    ///
    /// A document that is twice among those kept is reported; then nothing may be computed.
    pub fn arrange(&mut self, topic: Option<QrelsTopic<'_>>) -> Result<(), DuplicateDoc> {
        let policies = &self.plan.policies;
        self.judged.clear();
        self.hits.clear();
        self.by_rank.clear();
        self.inexact = Places::default();
        if let Some(topic) = topic {
            topic.label_all(
                &self.ranking,
                policies.negative,
                &mut self.found,
                &mut self.judged,
            );
        }
        let judged = &self.judged;
        self.ranking
            .arrange(policies.ties, |at| label_of(judged, at).gain());
        match self.ranking.duplicate(self.kept()) {
            Some((first, second)) => Err(DuplicateDoc { first, second }),
            None => Ok(()),
        }
    }

    /// Number of documents that the depth leaves.
    fn kept(&self) -> usize {
        let retrieved = self.ranking.len();
        self.plan
            .policies
            .depth
            .map_or(retrieved, |depth| depth.min(retrieved))
    }

    /// Computes all ranked measures of the topic arranged last into `values`, one per measure and one per column of a vector; NaN is undefined.
    pub fn measure(&mut self, topic: Option<QrelsTopic<'_>>, values: &mut [f64]) {
        let policies = &self.plan.policies;
        let base = topic.map_or(RecallBase::default(), |t| t.base(policies.negative));
        let retrieved = self.collect_hits();
        self.retrieved = retrieved;
        self.inexact = Places::default();
        let relevant = policies.unjudged == Unjudged::Relevant;
        self.read_as = relevant.then(|| base.read_as());
        let open = match policies.ties {
            TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds => {
                !self.ranking.tie_groups().is_empty()
            }
            _ => false,
        };
        match policies.unjudged {
            Unjudged::Relevant | Unjudged::Bounds => self.measure_readings(base, values),
            Unjudged::NonRelevant | Unjudged::Condensed if open => {
                self.measure_orders(base, values);
            }
            Unjudged::NonRelevant | Unjudged::Condensed => {
                let topic = JudgedRanking::new(retrieved, &self.hits, base);
                let levels = &mut self.levels;
                self.plan.values(&self.computed, &topic, levels, values);
            }
        }
        if let Some(known) = &self.plan.known {
            self.measure_known(known, topic, values);
        }
    }

    /// Computes the measures of known documents. Unjudged documents are dropped where the plan says so; no policy makes
    /// them relevant here, and ties are in one order.
    fn measure_known(
        &self,
        known: &KnownDocuments,
        topic: Option<QrelsTopic<'_>>,
        values: &mut [f64],
    ) {
        let (policies, id) = (
            &self.plan.policies,
            topic.map_or(&b""[..], |topic| topic.id()),
        );
        let condensed = policies.unjudged == Unjudged::Condensed;
        let order = &self.ranking.order()[..self.kept()];
        let seen = order.iter().map(|at| {
            let is_known = known.contains(id, self.ranking.doc(*at as usize));
            (label_of(&self.judged, *at as usize), is_known)
        });
        let is_judged = |label: &Label| matches!(label, Label::Judged(_));
        let ranking: Vec<(Label, bool)> = seen
            .filter(|(label, _)| !condensed || is_judged(label))
            .collect();
        let labels = topic.into_iter().flat_map(|topic| {
            let known = known.of(id);
            known.map(move |doc| topic.label(doc, policies.negative))
        });
        let topic = KnownTopic {
            ranking: &ranking,
            known: &labels.collect::<Vec<_>>(),
        };
        for (measure, value) in self.plan.measures.iter().zip(values) {
            if let Computation::Known(measure) = &measure.computation {
                let undefined = if self.plan.reference_values {
                    0.0
                } else {
                    f64::NAN
                };
                *value = measure.evaluate(&topic).unwrap_or(undefined);
            }
        }
    }

    /// The judged ranking of the topic measured last, if that was one ranking and not several orders of tied
    /// documents, or several readings of unjudged ones.
    pub(crate) fn single_ranking<'s>(
        &'s self,
        topic: Option<QrelsTopic<'s>>,
    ) -> Option<JudgedRanking<'s>> {
        let policies = &self.plan.policies;
        let ties = self.ranking.tie_groups();
        // Documents below the depth, and those that were dropped, have left no trace in the hits.
        let hidden = policies.depth.is_some() || policies.unjudged == Unjudged::Condensed;
        let open = match policies.ties {
            TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds => {
                !ties.is_empty() && (hidden || self.mixed_groups().any(|mixed| mixed))
            }
            _ => false,
        };
        let one = matches!(
            policies.unjudged,
            Unjudged::NonRelevant | Unjudged::Condensed
        );
        let base = topic.map_or(RecallBase::default(), |t| t.base(policies.negative));
        (one && !open).then(|| JudgedRanking::new(self.retrieved, &self.hits, base))
    }

    /// Computes what [`measure`](Self::measure) does, as if only the first `known` documents had been judged.
    pub(crate) fn measure_first(
        &mut self,
        topic: Option<QrelsTopic<'_>>,
        known: u32,
        values: &mut [f64],
    ) {
        let all = self.judged.clone();
        let ranking = &self.ranking;
        self.judged
            .retain(|(at, _)| ranking.rank(*at as usize) < known);
        self.measure(topic, values);
        self.judged = all;
    }

    /// The documents of the topic arranged last in rank order, as far as measures see them: place in the ranking
    /// from 1, id, and label.
    pub fn documents(&self) -> impl Iterator<Item = (u32, &'a [u8], Label)> + '_ {
        let condensed = self.plan.policies.unjudged == Unjudged::Condensed;
        let kept = self.ranking.order().iter().take(self.kept());
        let labelled = kept.zip(1..).map(|(at, rank)| {
            let at = *at as usize;
            (rank, self.ranking.doc(at), label_of(&self.judged, at))
        });
        labelled.filter(move |(_, _, label)| !condensed || matches!(label, Label::Judged(_)))
    }

    /// The labels of all documents by rank.
    fn labels(&self) -> Vec<Label> {
        let order = self.ranking.order().iter();
        order
            .map(|at| label_of(&self.judged, *at as usize))
            .collect()
    }

    /// Values over the orders of tied documents.
    fn measure_orders(&mut self, base: RecallBase<'_>, values: &mut [f64]) {
        let plan = self.plan;
        let condensed = plan.policies.unjudged == Unjudged::Condensed;
        let labels = self.labels();
        let ties = self.ranking.tie_groups();
        let orders = Orders::new(&labels, ties, self.kept(), condensed, base);
        if !orders.is_open() {
            let topic = JudgedRanking::new(self.retrieved, &self.hits, base);
            return plan.values(&self.computed, &topic, &mut self.levels, values);
        }
        let subjects = plan
            .measures
            .iter()
            .filter_map(|measure| plan.subject(measure));
        let asked: Vec<_> = subjects
            .map(|subject| (subject, plan.wanted(&subject)))
            .collect();
        let mut found = orders.find_all(&asked).into_iter();
        self.inexact = plan.fill(values, |_| found.next());
    }

    /// Values over the readings of unjudged documents, and over the orders of ties.
    fn measure_readings(&mut self, base: RecallBase<'_>, values: &mut [f64]) {
        let plan = self.plan;
        let kept = self.kept();
        let mut readings = Readings::new(self.labels(), self.ranking.tie_groups(), kept, base);
        self.inexact = plan.fill(values, |subject| {
            let wanted = plan.wanted(subject);
            Some(match plan.policies.unjudged {
                Unjudged::Bounds => readings.extreme(subject, wanted, plan.end),
                _ => readings.all_relevant(subject, wanted),
            })
        });
    }

    /// The values of textual measures for the topic measured last.
    pub fn strings(&self, values: &mut Vec<String>) {
        let hits = match self.read_as {
            Some(grade) => Cow::Owned(self.hits_read_as(grade)),
            None => Cow::Borrowed(&self.hits),
        };
        let judged = JudgedRanking::new(self.retrieved, &hits, RecallBase::default());
        values.extend(self.textual.iter().map(|measure| measure.describe(&judged)));
    }

    /// All documents, with this grade for unjudged ones.
    fn hits_read_as(&self, grade: f64) -> Vec<Hit> {
        let mut labels = vec![Label::Judged(grade); self.retrieved];
        for hit in &self.hits {
            if let (Label::Judged(_), Some(label)) =
                (hit.label, labels.get_mut(hit.rank as usize - 1))
            {
                *label = hit.label;
            }
        }
        let ranked = labels.into_iter().zip(1..);
        ranked.map(|(label, rank)| Hit { rank, label }).collect()
    }

    /// Clears the topic's documents.
    pub fn clear(&mut self) {
        self.ranking.clear();
    }

    /// Collects the hits by rank, and returns the number of documents retrieved.
    fn collect_hits(&mut self) -> usize {
        let kept = self.kept();
        self.hits.clear();
        self.by_rank.clear();
        let (judged, ranking) = (&self.judged, &self.ranking);
        if judged.is_sorted_by_key(|(at, _)| ranking.rank(*at as usize)) {
            let ranked = judged.iter().map(|(at, label)| Hit {
                rank: ranking.rank(*at as usize) + 1,
                label: *label,
            });
            self.hits.extend(ranked);
            self.hits.truncate(self.hits_down_to(kept));
        } else {
            self.sort_hits(kept);
        }
        if self.plan.policies.unjudged != Unjudged::Condensed {
            return kept;
        }
        self.by_rank.clear();
        condense(&mut self.hits)
    }

    /// Collects them where they are in another order. Each has its own rank, so that a table does it in linear time.
    fn sort_hits(&mut self, kept: usize) {
        self.by_rank.resize(kept, 0);
        let mut shown = 0;
        for ((at, _), place) in self.judged.iter().zip(1..) {
            if let Some(rank) = self
                .by_rank
                .get_mut(self.ranking.rank(*at as usize) as usize)
            {
                *rank = place;
                shown += 1;
            }
        }
        let (rank, label) = (0, Label::Unjudged);
        self.hits.resize(shown, Hit { rank, label });
        // Every rank writes, and only those that have a hit go on, so that there is no branch to guess.
        let mut count = 0;
        for (place, rank) in self.by_rank.iter_mut().zip(1..) {
            let (_, label) = self.judged[place.saturating_sub(1) as usize];
            if let Some(hit) = self.hits.get_mut(count) {
                *hit = Hit { rank, label };
            }
            count += usize::from(*place > 0);
            *place = count as u32;
        }
    }

    /// Number of hits down to a rank.
    fn hits_down_to(&self, rank: usize) -> usize {
        match self.by_rank.get(rank.wrapping_sub(1)) {
            Some(count) => *count as usize,
            None => self.hits.partition_point(|hit| hit.rank as usize <= rank),
        }
    }

    /// Ties of the topic arranged and measured last; the number of unjudged documents above each of the plan's cutoffs is
    /// appended to `unjudged`.
    pub fn notes(&self, unjudged: &mut Vec<u32>) -> TopicNotes {
        let mut notes = TopicNotes {
            retrieved: self.ranking.len() as u32,
            inexact: self.inexact.clone(),
            ..TopicNotes::default()
        };
        let mut cutoffs = self.cutoffs.iter().enumerate().peekable();
        for (group, mixed) in self.ranking.tie_groups().iter().zip(self.mixed_groups()) {
            notes.tie_groups += 1;
            notes.tied_docs += group.len() as u32;
            notes.mixed_groups += u32::from(mixed);
            // Both groups and cutoffs ascend.
            while let Some((place, cutoff)) =
                cutoffs.next_if(|(_, cutoff)| **cutoff < group.end as usize)
            {
                if (group.start as usize) < *cutoff {
                    notes.straddled.insert(place);
                }
            }
        }
        let kept = self.kept();
        unjudged.extend(self.cutoffs.iter().map(|&cutoff| {
            let judged = if cutoff < kept {
                self.hits_down_to(cutoff)
            } else {
                self.hits.len()
            };
            cutoff.min(kept).saturating_sub(judged) as u32
        }));
        notes
    }

    /// For each group of documents with equal scores, whether they have different labels. Always false for condensed rankings.
    fn mixed_groups(&self) -> impl Iterator<Item = bool> + '_ {
        let complete = self.plan.policies.unjudged != Unjudged::Condensed;
        let down_to = |rank: u32| self.hits_down_to(rank as usize);
        self.ranking.tie_groups().iter().map(move |group| {
            let hits = &self.hits[down_to(group.start)..down_to(group.end)];
            let same = hits.windows(2).all(|two| two[0].label == two[1].label);
            complete && !hits.is_empty() && (hits.len() < group.len() || !same)
        })
    }
}

/// The label of the document at a place in the file.
fn label_of(judged: &[(u32, Label)], at: usize) -> Label {
    let found = judged.binary_search_by_key(&(at as u32), |(place, _)| *place);
    found.map_or(Label::Unjudged, |found| judged[found].1)
}

/// Drops what was not judged and closes the ranks up; returns the number of documents left.
fn condense(hits: &mut Vec<Hit>) -> usize {
    hits.retain(|hit| matches!(hit.label, Label::Judged(_)));
    for (hit, rank) in hits.iter_mut().zip(1..) {
        hit.rank = rank;
    }
    hits.len()
}
