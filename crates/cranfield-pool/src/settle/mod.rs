//! The documents whose judgement would settle a comparison of two runs.
//!
//! Unjudged documents count as not relevant, and one run is ahead of the other. The comparison is settled if the order of the two runs is
//! the same whatever the unjudged documents are. A list of documents settles it if that holds once they are judged and found to be not
//! relevant, as the scores assume now. If some of them are relevant, the scores change, and a new list is needed.
//!
//! The least lead is the smallest difference of the two runs over all that the unjudged documents of either may be: not relevant, or relevant
//! with the topic's highest grade. A document that both runs hold is the same in both. It never shrinks when a document is judged as not
//! relevant. It is exact for measures that are sums over documents, such as precision, recall and nDCG ([`joint`]), a bound below it for
//! AP, and for all other measures the difference of the leading run's lower bound and the other run's upper bound ([`separate`]).
//!
//! The mean over topics needs no topic's difference above 0, so documents are chosen over all topics: always those of the topic with the
//! largest rise of the lead per document, until the mean is above 0. Then each document without which it still is is taken off the list.

mod joint;
mod search;
mod separate;
mod topic;

use cranfield_core::error::Error as CoreError;
use cranfield_core::measure::{Aggregate, Computation, Direction};
use cranfield_core::qrels::QrelsTopic;
use cranfield_core::run::{Run, RunBuilder};
use cranfield_eval::{Inputs, Request, in_parallel};
use cranfield_io::Error;
use cranfield_render::{Cell, Column, Table};

use crate::bias::{grades, scores};
use crate::rankings::{Rankings, named_runs};
use crate::tables::{Tables, id};

use joint::{Form, Joint};
use search::{Shortest, shortest};
use separate::Separate;
use topic::Topic;

/// Largest error of sums that are equal.
const ROUNDING: f64 = 1e-9;

/// Why a comparison has no list.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleError {
    /// A file is not as it should be.
    #[error(transparent)]
    Input(#[from] Error),
    /// The settings do not allow it.
    #[error(transparent)]
    Setting(#[from] CoreError),
}

/// A document to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct ToJudge {
    /// The topic.
    pub topic: Box<[u8]>,
    /// The document.
    pub doc: Box<[u8]>,
    /// How much its judgement raises the least lead, after those before it. Documents that have an effect only together share it.
    pub effect: f64,
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
    /// How sure the least leads are.
    pub certainty: Certainty,
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
            .setting("certainty", self.certainty.name())
            .part("documents", title, table)
            .note(format!(
                "{}: {ahead} leads by {lead:.4}; with unjudged documents as they may be, by {:.4} or more; with the list judged, by {:.4} or more",
                self.measure, self.least_lead, self.settled_lead
            ))
            .note(format!(
                "{} of {} unjudged documents; {}",
                self.documents.len(),
                self.candidates,
                match self.certainty {
                    Certainty::Exact => "least leads are exact",
                    Certainty::Bound => "least leads are bounds, so a shorter list may exist",
                    Certainty::Estimate => "least leads are estimates: the list may not be enough",
                }
            ))
    }
}

/// How sure the least lead is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It is the least lead.
    Exact,
    /// The least lead is not below it.
    Bound,
    /// The readings of unjudged documents are too many to try for this measure.
    Estimate,
}

impl Certainty {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Bound => "bound",
            Self::Estimate => "estimate",
        }
    }
}

/// Finds the documents that would settle a comparison of the first two runs of the inputs by the first measure of the request. `None` if their
/// scores are equal.
///
/// # Errors
/// If the judgements are not grades, or the measure is not a mean over topics.
pub fn settle(inputs: &Inputs, request: &Request) -> Result<Option<Settled>, SettleError> {
    let qrels = grades(inputs)?;
    let now = scores(inputs, request)?;
    let (Some(measure), [first, second]) = (request.measures.first(), now.as_slice()) else {
        return Ok(None);
    };
    if first == second {
        return Ok(None);
    }
    let lower = measure.info.direction == Direction::LowerIsBetter;
    let ahead = usize::from((second > first) != lower);
    let policies = &request.policies;
    let rankings = Rankings::new(&named_runs(inputs.runs())?, policies.ties, policies.depth)?;
    let Computation::Ranked(computation) = &measure.computation else {
        return Err(not_a_mean(&measure.to_string()).into());
    };
    let judged: Vec<QrelsTopic<'_>> = qrels.topics().collect();
    let topics = in_parallel(&judged, |judged| {
        Topic::new(judged, rankings.get(judged.id()), ahead, policies.negative)
    });
    let whole = match measure.info.aggregate {
        Aggregate::Sum => 1.0,
        _ => judged.len() as f64,
    };
    let measured: f64 = {
        let of = |run: usize| {
            let values = topics
                .iter()
                .map(|topic| topic.value(computation.as_ref(), run, false));
            values.sum::<f64>() / whole
        };
        of(0) - of(1)
    };
    if (measured - (now[ahead] - now[1 - ahead])).abs() > ROUNDING {
        return Err(not_a_mean(&measure.to_string()).into());
    }
    let form = Form::of(measure.info.name);
    let joint = form.and_then(|form| {
        let joint = in_parallel(&topics, |topic| {
            Joint::new(topic, computation.as_ref(), form)
        });
        joint.into_iter().collect::<Option<Vec<Joint>>>()
    });
    let docs = Documents::new(&judged, &rankings, &topics);
    let (found, certainty) = match joint {
        Some(joint) if form == Some(Form::Sum) => (shortest(joint, whole), Certainty::Exact),
        Some(joint) => (shortest(joint, whole), Certainty::Bound),
        None => {
            let certainty = match computation.merit(cranfield_core::topic::Label::Unjudged) {
                // The number of relevant documents is the cutoff of R-precision, so that none and all do not bound it.
                Some(_) if !measure.info.name.starts_with("Rprec") => Certainty::Bound,
                _ => Certainty::Estimate,
            };
            let separate = topics.into_iter();
            let separate = separate.map(|topic| Separate::new(topic, computation.as_ref(), lower));
            (shortest(separate.collect(), whole), certainty)
        }
    };
    Ok(Some(Settled {
        measure: measure.to_string(),
        runs: [ahead, 1 - ahead].map(|at| inputs.runs()[at].name.clone()),
        scores: [now[ahead], now[1 - ahead]],
        least_lead: found.before,
        settled_lead: found.after,
        documents: docs.listed(&found),
        candidates: docs.count(),
        certainty,
    }))
}

fn not_a_mean(measure: &str) -> CoreError {
    CoreError::parameter(format!(
        "{measure} is not a mean over the judged topics; choose a measure such as nDCG@10, P@10 or AP"
    ))
}

/// Ids of the open documents of each topic.
struct Documents<'d> {
    ids: Vec<(&'d [u8], Vec<&'d [u8]>)>,
}

impl<'d> Documents<'d> {
    fn new(judged: &[QrelsTopic<'d>], rankings: &'d Rankings, topics: &[Topic]) -> Self {
        let ids = judged.iter().zip(topics).map(|(judged, topic)| {
            let id = judged.id();
            let open = rankings.get(id).into_iter().flat_map(|rankings| {
                let open = topic.open.iter();
                open.map(|doc| rankings.doc(*doc))
            });
            (id, open.collect())
        });
        Self { ids: ids.collect() }
    }

    fn count(&self) -> usize {
        self.ids.iter().map(|(_, docs)| docs.len()).sum()
    }

    fn listed(&self, found: &Shortest) -> Vec<ToJudge> {
        let listed = found.listed.iter().map(|listed| {
            let (topic, docs) = &self.ids[listed.topic];
            ToJudge {
                topic: (*topic).into(),
                doc: docs[listed.place].into(),
                effect: listed.effect,
            }
        });
        listed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::qrels::Qrels;
    use cranfield_eval::{Conventions, RunInput, parse_measures};
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
        /// However the documents that are not in the list turn out, the order of the runs stays; and the least lead is the least of all
        /// readings, or below it for AP.
        #[test]
        fn a_list_settles_the_comparison(
            orders in proptest::array::uniform4(Just((0..8).collect::<Vec<usize>>()).prop_shuffle()),
            grades in proptest::collection::vec(proptest::option::of(0..3u8), 16),
            measure in proptest::sample::select(vec![
                "P@3", "AP", "nDCG@5", "nDCG", "R@4", "DCG@4", "RR", "RBP(p=0.8)", "Success@2",
            ]),
        ) {
            let place = |at: usize| (["1", "2"][at / 8], DOCS[at % 8]);
            let known = |at: usize| Some((place(at).0, place(at).1, f64::from(grades[at]?)));
            let judged: Vec<_> = (0..16).filter_map(known).collect();
            let has_relevant = |topic| judged.iter().any(|one| one.0 == topic && one.2 > 0.0);
            prop_assume!(has_relevant("1") && has_relevant("2"));
            let run = |name: &str, topics: [&[usize]; 2]| {
                let lists = ["1", "2"].into_iter().zip(topics);
                let scored = lists.flat_map(|(topic, order)| {
                    order[..6].iter().enumerate().map(move |(at, doc)| (topic, DOCS[*doc], -(at as f64)))
                });
                RunInput::new(name, Run::from_scores(name, scored.collect::<Vec<_>>()))
            };
            let [a, b, c, d] = &orders;
            let runs = [run("A", [a, b]), run("B", [c, d])];
            let inputs = Inputs::in_memory(Qrels::from_judgements(judged.clone()), runs.clone());
            let request = request(measure);
            let Some(settled) = settle(&inputs, &request).unwrap() else { return Ok(()) };
            prop_assert!(settled.settled_lead > 0.0);
            let is_listed = |(topic, doc): (&str, &str)| {
                settled.documents.iter().any(|one| &*one.topic == topic.as_bytes() && &*one.doc == doc.as_bytes())
            };
            let grade = |topic: &str| {
                let own = judged.iter().filter(|one| one.0 == topic);
                own.map(|one| one.2).fold(0.0, f64::max)
            };
            let ahead = usize::from(settled.runs[0] == "B");
            let lead = |more: Vec<(&'static str, &'static str, f64)>| {
                let all = judged.iter().copied().chain(more);
                let inputs = Inputs::in_memory(Qrels::from_judgements(all.collect::<Vec<_>>()), runs.clone());
                let scores = scores(&inputs, &request).unwrap();
                scores[ahead] - scores[1 - ahead]
            };
            // Documents that no run holds cannot be relevant.
            let held = |at: usize| {
                let lists = if at < 8 { [a, c] } else { [b, d] };
                lists.iter().any(|list| list[..6].contains(&(at % 8)))
            };
            let all: Vec<usize> = (0..16).filter(|at| grades[*at].is_none() && held(*at)).collect();
            prop_assume!(all.len() <= 9);
            let mut least = f64::INFINITY;
            for reading in 0u32..1 << all.len() {
                let relevant = all.iter().enumerate().filter(|(at, _)| reading >> at & 1 == 1);
                let relevant = relevant.map(|(_, at)| (place(*at).0, place(*at).1, grade(place(*at).0)));
                let relevant: Vec<_> = relevant.collect();
                let lead = lead(relevant.clone());
                least = least.min(lead);
                if relevant.iter().all(|one| !is_listed((one.0, one.1))) {
                    prop_assert!(lead > 0.0, "{:?} {relevant:?}: {lead}", settled);
                }
            }
            match settled.certainty {
                Certainty::Exact => prop_assert!((settled.least_lead - least).abs() < 1e-9, "{settled:?} {least}"),
                _ => prop_assert!(settled.least_lead <= least + 1e-9, "{settled:?} {least}"),
            }
            let is_sum = !["AP", "RR", "Success@2"].contains(&measure);
            prop_assert_eq!(settled.certainty == Certainty::Exact, is_sum);
        }
    }

    #[test]
    fn documents_that_move_both_runs_alike_are_not_listed() {
        // A has the relevant a first. c and d are in both runs at the same ranks, e only in B, below the cutoff.
        let runs = [run("A", &[0, 2, 3]), run("B", &[5, 2, 3, 4])];
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("1", "f", 0.0)]);
        let inputs = Inputs::in_memory(qrels, runs);
        for measure in ["P@3", "DCG@3", "nDCG@3"] {
            let settled = settle(&inputs, &request(measure)).unwrap().unwrap();
            assert!(settled.documents.is_empty(), "{measure}");
            assert!(settled.least_lead > 0.0);
            assert_eq!(settled.certainty, Certainty::Exact);
        }
    }

    #[test]
    fn a_measure_that_is_not_a_mean_has_no_list() {
        let runs = [run("A", &[0, 2]), run("B", &[4, 2])];
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("1", "c", 0.0)]);
        let inputs = Inputs::in_memory(qrels, runs);
        let error = settle(&inputs, &request("GMAP")).unwrap_err().to_string();
        assert!(error.starts_with("GMAP is not a mean"), "{error}");
    }
}
