//! The documents whose judgement would settle a comparison of two runs.
//!
//! Unjudged documents count as not relevant, and one run is ahead of the other. The comparison is settled if the order of the two runs is
//! the same whatever the unjudged documents are. A list of documents settles it if that holds once they are judged and found to be not
//! relevant, as the scores assume now. If some of them are relevant, the scores change, and a new list is needed.
//!
//! The difference of the leading run's lower bound and the other run's upper bound, as [`Unjudged::Bounds`] computes them, is the
//! least lead that the judgements leave open. It never shrinks when a document is judged as not relevant. Documents are taken in the order of
//! how much each of them alone raises that lead, and the list is the shortest beginning of this order with a lead above 0.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cranfield_core::measure::Direction;
use cranfield_core::policy::Unjudged;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder, RunTopic};
use cranfield_eval::{Inputs, Request, RunInput, in_parallel};
use cranfield_io::Error;
use cranfield_render::{Cell, Column, Table};

use crate::bias::{grades, scores};
use crate::tables::{Tables, id};

/// A document to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct ToJudge {
    /// The topic.
    pub topic: Box<[u8]>,
    /// The document.
    pub doc: Box<[u8]>,
    /// How much its judgement alone raises the least lead.
    pub effect: f64,
    /// The better of its places in the two files, from 1.
    pub rank: usize,
}

/// The documents that would settle a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// Name of the measure.
    pub measure: String,
    /// Names of the run that is ahead and of the other.
    pub runs: [String; 2],
    /// Scores with unjudged documents as not relevant.
    pub scores: [f64; 2],
    /// The least lead that the judgements leave open.
    pub least_lead: f64,
    /// The least lead once all documents of the list are judged as not relevant.
    pub settled_lead: f64,
    /// The documents; empty if the comparison is settled already.
    pub documents: Vec<ToJudge>,
    /// Unjudged documents of either run.
    pub candidates: usize,
}

impl Settled {
    /// The list as a pool, in order of effects.
    pub fn to_run(&self) -> Run {
        let mut builder = RunBuilder::default();
        builder.set_tag("settle");
        let count = self.documents.len();
        for (place, document) in self.documents.iter().enumerate() {
            builder.push(&document.topic, &document.doc, (count - place) as f64, None);
        }
        builder.finish()
    }

    /// The result as tables.
    pub fn tables(&self) -> Tables {
        let columns = [Column::text("document"), Column::number("effect")];
        let mut table = Table::new([Column::text("topic")].into_iter().chain(columns));
        for document in &self.documents {
            table.push([
                id(&document.topic),
                id(&document.doc),
                Cell::Real(document.effect),
            ]);
        }
        let [ahead, behind] = &self.runs;
        let lead = self.scores[0] - self.scores[1];
        let title = if self.documents.is_empty() {
            format!("Settled: no judgement can put {behind} ahead of {ahead}")
        } else {
            format!("Documents to judge: if none is relevant, {ahead} stays ahead of {behind}")
        };
        Tables::new("pool settle")
            .setting("measure", self.measure.clone())
            .setting("ahead", ahead.clone())
            .setting("behind", behind.clone())
            .setting("lead", lead)
            .setting("least lead", self.least_lead)
            .setting("settled lead", self.settled_lead)
            .part("documents", title, table)
            .note(format!(
                "{}: {ahead} leads by {lead:.4}; with unjudged documents as they may be, by {:.4} or more; with the list judged, by {:.4} or more",
                self.measure, self.least_lead, self.settled_lead
            ))
            .note(format!(
                "{} of {} unjudged documents",
                self.documents.len(),
                self.candidates
            ))
    }
}

/// Finds the documents that would settle a comparison of the first two runs of the inputs by the first measure of the request. `None` if their
/// scores are equal.
///
/// # Errors
/// If the judgements are not grades, or the measure has no direction.
pub fn settle(inputs: &Inputs, request: &Request) -> Result<Option<Settled>, Error> {
    let qrels = grades(inputs)?;
    let now = scores(inputs, request)?;
    let direction = request
        .measures
        .first()
        .map(|measure| measure.info.direction);
    let lower = direction == Some(Direction::LowerIsBetter);
    let [first, second] = now.as_slice() else {
        return Ok(None);
    };
    if first == second {
        return Ok(None);
    }
    let ahead = usize::from((second > first) != lower);
    let comparison = Comparison {
        request: &Request {
            policies: cranfield_core::policy::Policies {
                unjudged: Unjudged::Bounds,
                ..request.policies.clone()
            },
            ..request.clone()
        },
        runs: [
            inputs.runs()[ahead].clone(),
            inputs.runs()[1 - ahead].clone(),
        ],
        lower,
    };
    let least_lead = comparison.least_lead(qrels, &[])?;
    let candidates = comparison.candidates(qrels)?;
    let mut ordered = comparison.with_effects(qrels, &candidates)?;
    // Documents without an effect alone may have one together.
    ordered.sort_by(|a, b| {
        let effects = b.effect.total_cmp(&a.effect);
        effects
            .then(a.rank.cmp(&b.rank))
            .then_with(|| (&a.topic, &a.doc).cmp(&(&b.topic, &b.doc)))
    });
    // The least lead grows with the list, so that the shortest list is found by bisection.
    let (mut short, mut long) = (0, ordered.len());
    while short < long && least_lead <= 0.0 {
        let middle = usize::midpoint(short, long);
        if comparison.least_lead(qrels, &ordered[..middle])? > 0.0 {
            long = middle;
        } else {
            short = middle + 1;
        }
    }
    let size = if least_lead > 0.0 { 0 } else { long };
    let count = ordered.len();
    ordered.truncate(size);
    Ok(Some(Settled {
        measure: request
            .measures
            .first()
            .map(ToString::to_string)
            .unwrap_or_default(),
        runs: comparison.runs.each_ref().map(|run| run.name.clone()),
        scores: [now[ahead], now[1 - ahead]],
        least_lead,
        settled_lead: comparison.least_lead(qrels, &ordered)?,
        documents: ordered,
        candidates: count,
    }))
}

struct Comparison<'r> {
    request: &'r Request,
    /// The run that is ahead, and the other.
    runs: [RunInput; 2],
    lower: bool,
}

impl Comparison<'_> {
    /// The least lead, over the values of unjudged documents, if some documents are judged as not relevant.
    fn least_lead(&self, qrels: &Qrels, judged: &[ToJudge]) -> Result<f64, Error> {
        let (ahead, behind) = (
            self.bounds(0, qrels, judged)?,
            self.bounds(1, qrels, judged)?,
        );
        Ok(if self.lower {
            behind.0 - ahead.1
        } else {
            ahead.0 - behind.1
        })
    }

    /// The least and the greatest score of a run. Relevant documents that only the other run has change the number of relevant documents,
    /// which most measures fall with: none of them and all of them are tried.
    fn bounds(&self, run: usize, qrels: &Qrels, judged: &[ToJudge]) -> Result<(f64, f64), Error> {
        let (own, other) = (self.runs[run].run()?, self.runs[1 - run].run()?);
        let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
        for with_others in [false, true] {
            let topics = qrels.topics().map(|topic| {
                let listed = judged
                    .iter()
                    .filter(|document| *document.topic == *topic.id());
                let listed: BTreeSet<&[u8]> = listed.map(|document| &*document.doc).collect();
                let mut all: Vec<(&[u8], f64)> = topic.judgements().collect();
                if with_others {
                    let relevant = topic.base(self.request.policies.negative).read_as();
                    let docs = |run: &'_ Arc<Run>| {
                        let entries = run.get(topic.id()).into_iter();
                        let docs = entries.flat_map(|topic| topic.entries());
                        docs.map(|entry| entry.doc.to_vec())
                            .collect::<BTreeSet<_>>()
                    };
                    let own = docs(&own);
                    for entry in other.get(topic.id()).iter().flat_map(RunTopic::entries) {
                        let is_open =
                            topic.grade(entry.doc).is_none() && !listed.contains(entry.doc);
                        if is_open && !own.contains(entry.doc) {
                            all.push((entry.doc, relevant));
                        }
                    }
                }
                all.extend(listed.into_iter().map(|doc| (doc, 0.0)));
                (topic.id(), all)
            });
            let qrels = Qrels::from_topics(topics.collect::<Vec<_>>());
            let inputs = Inputs::in_memory(qrels, [self.runs[run].clone()]);
            for run in inputs.evaluate(self.request)?.runs {
                let least = run.scores.aggregate(0).unwrap_or(0.0);
                let most = run.upper.as_ref().and_then(|upper| upper.aggregate(0));
                bounds.0 = bounds.0.min(least);
                bounds.1 = bounds.1.max(most.unwrap_or(least));
            }
        }
        Ok(bounds)
    }

    /// Unjudged documents of either run, by topic.
    fn candidates(&self, qrels: &Qrels) -> Result<Vec<ToJudge>, Error> {
        let mut found: BTreeMap<(Vec<u8>, Vec<u8>), usize> = BTreeMap::new();
        for run in &self.runs {
            let run = run.run()?;
            for topic in run.topics() {
                let Some(judged) = qrels.get(topic.id()) else {
                    continue;
                };
                for (place, entry) in topic.entries().enumerate() {
                    if judged.grade(entry.doc).is_none() {
                        let key = (topic.id().to_vec(), entry.doc.to_vec());
                        let rank = found.entry(key).or_insert(usize::MAX);
                        *rank = (*rank).min(place + 1);
                    }
                }
            }
        }
        let found = found.into_iter().map(|((topic, doc), rank)| ToJudge {
            topic: topic.into(),
            doc: doc.into(),
            effect: 0.0,
            rank,
        });
        Ok(found.collect())
    }

    /// The documents with their effects on the least lead, in which each topic counts by itself.
    fn with_effects(&self, qrels: &Qrels, documents: &[ToJudge]) -> Result<Vec<ToJudge>, Error> {
        let loaded = self.runs.each_ref().map(RunInput::run);
        let [first, second] = loaded;
        let runs = [first?, second?];
        let topics: Vec<&[ToJudge]> = documents.chunk_by(|a, b| a.topic == b.topic).collect();
        let found = in_parallel(&topics, |documents| {
            let Some(topic) = documents.first().and_then(|first| qrels.get(&first.topic)) else {
                return Ok(Vec::new());
            };
            let judged = topic
                .judgements()
                .map(|(doc, grade)| (topic.id(), doc, grade));
            let one = Qrels::from_judgements(judged.collect::<Vec<_>>());
            let alone = Comparison {
                runs: [0, 1]
                    .map(|at| RunInput::new(&self.runs[at].name, only(&runs[at], topic.id()))),
                ..*self
            };
            let before = alone.least_lead(&one, &[])?;
            let effects = documents.iter().map(|document| {
                let after = alone.least_lead(&one, std::slice::from_ref(document))?;
                Ok(ToJudge {
                    effect: after - before,
                    ..document.clone()
                })
            });
            effects.collect::<Result<Vec<_>, Error>>()
        });
        let found = found.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// One topic of a run.
fn only(run: &Arc<Run>, topic: &[u8]) -> Run {
    let mut builder = RunBuilder::default();
    builder.add_topic(topic);
    for entry in run.get(topic).iter().flat_map(RunTopic::entries) {
        builder.push(topic, entry.doc, entry.score, entry.rank);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_eval::{Conventions, parse_measures};
    use proptest::prelude::*;

    const DOCS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn run(name: &str, order: &[usize]) -> RunInput {
        let docs = order.iter().enumerate();
        let scored = docs.map(|(at, doc)| ("1", DOCS[*doc], -(at as f64)));
        RunInput::new(name, Run::from_scores(name, scored))
    }

    fn request(measure: &str) -> Request {
        Request::of_measures(parse_measures(measure, &Conventions::default()).unwrap())
    }

    #[test]
    fn one_document_settles_precision() {
        // a is relevant and only in A; e may be relevant and is only in B, c in both at the same rank.
        let runs = [run("A", &[0, 2]), run("B", &[4, 2])];
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("1", "c", 0.0)]);
        let inputs = Inputs::in_memory(qrels, runs);
        let settled = settle(&inputs, &request("P@2")).unwrap().unwrap();
        assert_eq!(settled.runs, ["A", "B"]);
        assert_eq!(settled.least_lead, 0.0);
        let docs: Vec<&[u8]> = settled
            .documents
            .iter()
            .map(|document| &*document.doc)
            .collect();
        assert_eq!(docs, [b"e"]);
        assert_eq!(settled.settled_lead, 0.5);
    }

    proptest! {
        /// However the documents that are not in the list turn out, the order of the runs stays.
        #[test]
        fn a_list_settles_the_comparison(
            first in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(),
            second in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(),
            grades in proptest::collection::vec(proptest::option::of(0..2u8), 8),
            measure in proptest::sample::select(vec!["P@3", "AP", "nDCG@5", "R@4", "RR", "RBP(p=0.8)"]),
        ) {
            let judged = grades.iter().enumerate().filter_map(|(doc, grade)| Some(("1", DOCS[doc], f64::from((*grade)?))));
            let judged: Vec<_> = judged.collect();
            prop_assume!(judged.iter().any(|judgement| judgement.2 > 0.0));
            let runs = [run("A", &first[..6]), run("B", &second[..6])];
            let inputs = Inputs::in_memory(Qrels::from_judgements(judged.clone()), runs.clone());
            let request = request(measure);
            let Some(settled) = settle(&inputs, &request).unwrap() else { return Ok(()) };
            prop_assert!(settled.settled_lead > 0.0);
            let listed: Vec<&[u8]> = settled.documents.iter().map(|document| &*document.doc).collect();
            let open: Vec<&str> = DOCS.into_iter().filter(|doc| {
                !listed.contains(&doc.as_bytes()) && judged.iter().all(|judgement| judgement.1 != *doc)
            }).collect();
            for reading in 0u32..1 << open.len() {
                let mut all = judged.clone();
                all.extend(settled.documents.iter().map(|document| {
                    ("1", *DOCS.iter().find(|doc| doc.as_bytes() == &*document.doc).unwrap(), 0.0)
                }));
                all.extend(open.iter().enumerate().map(|(at, doc)| ("1", *doc, f64::from(reading >> at & 1))));
                let inputs = Inputs::in_memory(Qrels::from_judgements(all), runs.clone());
                let scores = scores(&inputs, &request).unwrap();
                let ahead = usize::from(settled.runs[0] == "B");
                prop_assert!(scores[ahead] > scores[1 - ahead], "{:?} {:?}", settled, scores);
            }
        }
    }
}
