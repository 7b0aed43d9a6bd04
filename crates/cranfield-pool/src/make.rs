//! From runs to a pool.

use std::collections::BTreeSet;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder};
use cranfield_eval::{Inputs, Request};
use cranfield_io::Error;
use cranfield_render::plural;
use cranfield_stats::rank_correlation::kendall;

use crate::bias::{grades, scores};
use crate::ordered::within;
use crate::queue::Queue;
use crate::rankings::{Rankings, TopicRankings};
use crate::sampling;
use crate::strategy::Strategy;

/// How a pool is made.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolSettings {
    /// The strategy.
    pub strategy: Strategy,
    /// Most documents per topic.
    pub budget: Option<usize>,
    /// Lowest grade of a relevant document.
    pub level: f64,
    /// Seed of random numbers.
    pub seed: u64,
}

impl PoolSettings {
    /// Settings with level 1 and seed 42, without a budget.
    pub fn new(strategy: Strategy) -> Self {
        Self {
            strategy,
            budget: None,
            level: 1.0,
            seed: 42,
        }
    }
}

/// The pool of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledTopic {
    /// The topic's id.
    pub topic: Box<[u8]>,
    /// Documents in the order in which they should be judged.
    pub docs: Vec<Box<[u8]>>,
    /// Documents that the judgements call relevant, if judgements answered.
    pub relevant: usize,
    /// Documents that the judgements lack, if judgements answered.
    pub unjudged: usize,
}

/// A pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// How it was made.
    pub settings: PoolSettings,
    /// Number of runs.
    pub runs: usize,
    /// Whether judgements answered.
    pub is_judged: bool,
    /// Topics in ascending order of their ids.
    pub topics: Vec<PooledTopic>,
    /// For strategies that draw a sample, given judgements: the file that `eval` reads.
    pub sample: Option<String>,
}

impl Pool {
    /// Number of documents of all topics.
    pub fn len(&self) -> usize {
        self.topics.iter().map(|topic| topic.docs.len()).sum()
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Relevant documents of all topics.
    pub fn relevant(&self) -> usize {
        self.topics.iter().map(|topic| topic.relevant).sum()
    }

    /// Kendall's tau between the order of runs by the judgements of the pool's documents alone and by all judgements. `None` if all scores
    /// are tied. The first measure of the request counts.
    ///
    /// # Errors
    /// If the judgements are not grades, or do not allow the measure.
    pub fn tau(&self, inputs: &Inputs, request: &Request) -> Result<Option<f64>, Error> {
        let qrels = grades(inputs)?;
        let kept = qrels.topics().map(|topic| {
            let pooled = self
                .topics
                .iter()
                .find(|pooled| *pooled.topic == *topic.id());
            let pooled: BTreeSet<&[u8]> = pooled
                .iter()
                .flat_map(|pooled| pooled.docs.iter().map(AsRef::as_ref))
                .collect();
            let kept = topic.judgements().filter(|(doc, _)| pooled.contains(doc));
            (topic.id(), kept.collect::<Vec<_>>())
        });
        let kept = Qrels::from_topics(kept.collect::<Vec<_>>());
        let reduced = Inputs::in_memory(kept, inputs.runs().to_vec());
        let (few, all) = (scores(&reduced, request)?, scores(inputs, request)?);
        Ok(kendall(&all, &few).ok().and_then(|tau| tau.tau_b))
    }

    /// What was pooled, and what judgements say about it.
    pub fn notes(&self) -> Vec<String> {
        let (runs, topics) = (plural(self.runs, "run"), plural(self.topics.len(), "topic"));
        let mean = self.len() as f64 / self.topics.len().max(1) as f64;
        let mut notes = vec![format!(
            "{}: {} from {runs} for {topics}, {mean:.1} per topic",
            self.settings.strategy,
            plural(self.len(), "document")
        )];
        if self.is_judged {
            let unjudged = self
                .topics
                .iter()
                .map(|topic| topic.unjudged)
                .sum::<usize>();
            notes.push(format!(
                "{} relevant; {unjudged} not judged, which count as not relevant",
                self.relevant()
            ));
        }
        if self.settings.strategy.is_adaptive() && !self.is_judged {
            notes.push("without judgements, every answer is taken as not relevant".into());
        }
        notes
    }

    /// The pool as a run: documents in the order in which they should be judged, with scores from the number of documents down to 1.
    pub fn to_run(&self) -> Run {
        let mut builder = RunBuilder::default();
        builder.set_tag(&self.settings.strategy.to_string().replace(' ', ""));
        for topic in &self.topics {
            builder.add_topic(&topic.topic);
            let count = topic.docs.len();
            for (place, doc) in topic.docs.iter().enumerate() {
                let (score, rank) = ((count - place) as f64, (place + 1) as f64);
                builder.push(&topic.topic, doc, score, Some(rank));
            }
        }
        builder.finish()
    }
}

/// Makes a pool. Judgements, if given, answer for a person: unjudged documents are not relevant.
///
/// ```
/// use cranfield_pool::{PoolSettings, Rankings, TopicRankings, make};
///
/// let topic = TopicRankings::new("1", &[vec!["a", "b"], vec!["b", "c"]], 100);
/// let rankings = Rankings { names: vec!["A".into(), "B".into()], topics: vec![topic] };
/// let pool = make(&rankings, &PoolSettings::new("depth(1)".parse()?), None);
/// assert_eq!(pool.topics[0].docs, [b"a".as_slice().into(), b"b".as_slice().into()]);
/// # Ok::<(), cranfield_core::error::Error>(())
/// ```
pub fn make(rankings: &Rankings, settings: &PoolSettings, qrels: Option<&Qrels>) -> Pool {
    let topics =
        cranfield_eval::in_parallel(&rankings.topics, |topic| pooled(topic, settings, qrels));
    let sample = qrels.map(|qrels| sample(rankings, settings, qrels));
    Pool {
        settings: settings.clone(),
        runs: rankings.names.len(),
        is_judged: qrels.is_some(),
        topics,
        sample: sample.filter(|_| settings.strategy.is_sample()),
    }
}

fn pooled(topic: &TopicRankings, settings: &PoolSettings, qrels: Option<&Qrels>) -> PooledTopic {
    let judged = qrels.and_then(|qrels| qrels.get(topic.topic()));
    let budget = settings.budget.unwrap_or(usize::MAX);
    let mut found = PooledTopic {
        topic: topic.topic().into(),
        docs: Vec::new(),
        relevant: 0,
        unjudged: 0,
    };
    let mut count = |doc: &[u8]| {
        let grade = judged.and_then(|judged| judged.grade(doc));
        found.docs.push(doc.into());
        found.relevant += usize::from(grade.is_some_and(|grade| grade >= settings.level));
        found.unjudged += usize::from(qrels.is_some() && grade.is_none());
        grade.unwrap_or(f64::NEG_INFINITY)
    };
    if let Strategy::Depth(k) = settings.strategy {
        for doc in within(topic, k, budget) {
            count(topic.doc(doc));
        }
        return found;
    }
    let mut queue = Queue::new(&settings.strategy, topic, settings.level, settings.seed);
    for _ in 0..budget.min(topic.len()) {
        let Some(doc) = queue.next() else { break };
        let grade = count(doc);
        queue.answer(grade);
    }
    found
}

/// The lines of a strata or prels file. A drawn document without a judgement counts as not relevant.
fn sample(rankings: &Rankings, settings: &PoolSettings, qrels: &Qrels) -> String {
    let mut text = String::new();
    for topic in &rankings.topics {
        let judged = qrels.get(topic.topic());
        let id = String::from_utf8_lossy(topic.topic());
        let grade = |doc: u32| {
            let grade = judged.and_then(|judged| judged.grade(topic.doc(doc)));
            grade.unwrap_or(0.0).max(0.0)
        };
        let doc_id = |doc| String::from_utf8_lossy(topic.doc(doc)).into_owned();
        match &settings.strategy {
            Strategy::Strata(strata) => {
                let sample = sampling::stratified(topic, strata, settings.seed);
                for (doc, stratum, drawn) in sample.docs {
                    let grade = if drawn { grade(doc) } else { -1.0 };
                    text += &format!("{id} 0 {} {} {grade}\n", doc_id(doc), stratum + 1);
                }
            }
            Strategy::Pps(documents) => {
                for drawn in sampling::proportional(topic, *documents, settings.seed) {
                    let (doc, probability) = (doc_id(drawn.doc), drawn.probability);
                    text += &format!("{id} {doc} {} 1 {probability}\n", grade(drawn.doc));
                }
            }
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::{RELEVANT, example};

    /// Documents with the run that was asked and the answer: `A:a+ B:f-`.
    fn replay(name: &str) -> String {
        let topic = example();
        let strategy = name.parse().unwrap();
        let mut queue = Queue::new(&strategy, &topic, 1.0, 42);
        let mut steps = Vec::new();
        while let Some(doc) = queue.next().map(<[u8]>::to_vec) {
            let relevant = RELEVANT.contains(&&*doc);
            let run = queue.run().map_or("", |run| ["A:", "B:", "C:"][run]);
            let sign = if relevant { '+' } else { '-' };
            steps.push(format!("{run}{}{sign}", doc[0] as char));
            queue.answer(f64::from(u8::from(relevant)));
        }
        steps.join(" ")
    }

    #[test]
    fn sequences_of_the_worked_example() {
        let front = "A:a+ A:b+ A:c+ A:d- B:f- C:i- A:e- B:g- C:j+ C:k- B:h-";
        assert_eq!(replay("mtf"), front);
        assert_eq!(replay("mm(0)"), front);
        assert_eq!(
            replay("mm(1)"),
            "A:a+ A:b+ A:c+ A:d- A:e- B:f- C:i- B:g- C:j+ C:k- B:h-"
        );
        assert_eq!(replay("hedge(0.1)"), "b+ a+ f- c+ d- i- g- j+ e- h- k-");
    }

    #[test]
    fn every_strategy_asks_for_every_document_at_most_once() {
        for name in [
            "thompson(1)",
            "thompson(rho=0.5, update=all)",
            "ucb",
            "mtc",
            "mm(rho=1, update=all)",
        ] {
            let steps = replay(name);
            let mut docs: Vec<&str> = steps
                .split(' ')
                .map(|s| s.split(':').next_back().unwrap())
                .collect();
            docs.sort_unstable();
            let all = docs.len();
            docs.dedup();
            assert_eq!(docs.len(), all, "{name}");
            assert!(name == "mtc" || all == 11, "{name}: {steps}");
            assert_eq!(steps, replay(name));
        }
    }

    #[test]
    fn pools_are_runs_in_the_order_of_judging() {
        let rankings = Rankings {
            names: ["A", "B", "C"].map(String::from).to_vec(),
            topics: vec![example()],
        };
        let settings = PoolSettings {
            budget: Some(3),
            ..PoolSettings::new("take".parse().unwrap())
        };
        let qrels = Qrels::from_judgements([("1", "b", 1.0), ("1", "i", 0.0)]);
        let pool = make(&rankings, &settings, Some(&qrels));
        assert_eq!((pool.len(), pool.relevant()), (3, 1));
        assert_eq!(pool.topics[0].unjudged, 1);
        let run = pool.to_run();
        let entries: Vec<_> = run.get(b"1").unwrap().entries().collect();
        let docs: Vec<&[u8]> = entries.iter().map(|entry| entry.doc).collect();
        assert_eq!(docs, [b"b", b"a", b"i"]);
        assert_eq!(entries[0].score, 3.0);
        assert_eq!(run.tag(), "take");
    }
}
