//! Evaluation of a TREC run against judgements other than qrels: preferences, judgement groups and samples.
//!
//! The results have the same type as those against qrels. These files are small, so that clarity comes before speed here.

mod explain;
#[cfg(test)]
mod tests;
mod topics;

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::evaluate::Plan;
use cranfield_core::groups::GroupedQrels;
use cranfield_core::policy::{IdenticalIds, TieBreak, TopicPolicy, Unjudged};
use cranfield_core::prefs::{PreferenceError, Preferences};
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledQrels};
use cranfield_core::small_sort::SmallSort;
use cranfield_io::trec::{Dialect, FaultyLine, RunLine, RunLines};

use crate::engine::noted::{Mark, Noted};
use crate::engine::pieces::{FastMap, Sink, walk};
use crate::engine::scores::{RunScores, TopicScores, Values};
use crate::engine::text::{last_tag, rank_column};
use crate::engine::threads::{ALONE, shared_out, topics_per_piece};
use topics::{Judgements, Row};

pub use explain::{
    ExplainFault, explain_groups, explain_preferences, explain_prels, explain_strata,
};

/// Scores of a run against judgements other than qrels, and the faults of the input.
#[derive(Debug)]
pub struct EvaluatedJudgements {
    /// The scores, with the topics that the plan counts in ascending order.
    pub scores: RunScores,
    /// The first faulty lines of the run.
    pub faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub fault_count: u64,
    /// Places of topics with contradictory judgements, which have no values.
    pub contradictions: Vec<(usize, PreferenceError)>,
}

/// Evaluates a run against preferences, for the plan's preference measures.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_preferences<'a>(
    run: impl Into<RunSource<'a>>,
    preferences: &Preferences,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = preferences.topics().collect();
    evaluate(run.into(), &topics, plan)
}

/// Evaluates a run against judgement groups, for the plan's group measures.
///
/// Policies are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_groups<'a>(
    run: impl Into<RunSource<'a>>,
    qrels: &GroupedQrels,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(run.into(), &topics, plan)
}

/// Evaluates a run against a pool that was sampled by strata.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_strata<'a>(
    run: impl Into<RunSource<'a>>,
    qrels: &SampledQrels<PoolDocument>,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(run.into(), &topics, plan)
}

/// Evaluates a run against judgements that were drawn with unequal probabilities.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_prels<'a>(
    run: impl Into<RunSource<'a>>,
    qrels: &SampledQrels<DrawnJudgement>,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(run.into(), &topics, plan)
}

/// Source of the rankings of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunSource<'a> {
    /// The text of a TREC file.
    Text(&'a [u8], Dialect),
    /// A run in memory.
    Run(&'a Run),
}

impl<'a> From<&'a Run> for RunSource<'a> {
    fn from(run: &'a Run) -> Self {
        Self::Run(run)
    }
}

impl<'a> From<(&'a [u8], Dialect)> for RunSource<'a> {
    fn from((text, dialect): (&'a [u8], Dialect)) -> Self {
        Self::Text(text, dialect)
    }
}

/// The outcome of a topic.
enum Outcome {
    Values(Vec<f64>),
    Duplicate(Box<[u8]>),
    Contradiction(PreferenceError),
}

/// A topic that was evaluated.
struct Evaluated {
    noted: Noted,
    outcome: Outcome,
}

/// A topic of the run.
struct Ended<'a> {
    id: &'a [u8],
    /// Its place in the judgements.
    place: Option<usize>,
    /// `None` if the topic does not count.
    evaluated: Option<Evaluated>,
}

/// Data that all threads share.
struct Task<'a, 'p, J> {
    bytes: &'a [u8],
    topics: &'p [J],
    places: FastMap<&'p [u8], usize>,
    plan: &'p Plan,
    cutoffs: Vec<usize>,
    dialect: Dialect,
    hasher: DocHasher,
}

impl<'a, 'p, J: Judgements> Task<'a, 'p, J> {
    fn new(bytes: &'a [u8], dialect: Dialect, topics: &'p [J], plan: &'p Plan) -> Self {
        Self {
            bytes,
            topics,
            places: topics.iter().map(Judgements::id).zip(0..).collect(),
            plan,
            cutoffs: plan.cutoffs(),
            dialect,
            hasher: DocHasher::default(),
        }
    }

    fn sink(&self) -> JudgedSink<'a, '_, J> {
        JudgedSink {
            task: self,
            ranking: Ranking::default(),
            ended: Vec::new(),
        }
    }
}

/// One thread's ranking, and the topics that it has evaluated.
struct JudgedSink<'a, 't, J> {
    task: &'t Task<'a, 't, J>,
    ranking: Ranking<'a>,
    ended: Vec<Ended<'a>>,
}

impl<'a, J: Judgements> JudgedSink<'a, '_, J> {
    fn push(&mut self, doc: &'a [u8], score: f64, rank: f64) {
        let score = match self.task.dialect {
            Dialect::TrecEval9 => f64::from(score as f32),
            Dialect::Strict | Dialect::TrecEval => score,
        };
        let hash = self.task.hasher.hash(doc);
        self.ranking.push_ranked(doc, hash, score, rank);
    }

    /// Adds the substitute of the plan for a topic that is missing from the run.
    fn push_missing(&mut self) {
        if let Some(document) = self.task.plan.missing_document {
            self.push(document, 1.0, 1.0);
        }
    }

    /// Orders the documents of a topic. Returns the number of documents within the depth, or a document that is repeated among them.
    fn arrange(&mut self, id: &[u8]) -> Result<usize, &'a [u8]> {
        let policies = &self.task.plan.policies;
        if policies.identical == IdenticalIds::Drop {
            self.ranking.remove(id);
        }
        self.ranking.arrange(policies.ties, |_| 0.0);
        let retrieved = self.ranking.len();
        let kept = policies.depth.unwrap_or(usize::MAX).min(retrieved);
        match self.ranking.duplicate(kept) {
            Some((first, _)) => Err(self.ranking.doc(first)),
            None => Ok(kept),
        }
    }

    /// The documents in order, best first.
    fn ranked(&self) -> Vec<&'a [u8]> {
        let order = self.ranking.order().iter();
        order.map(|at| self.ranking.doc(*at as usize)).collect()
    }

    fn evaluate(&mut self, id: &[u8], place: Option<usize>) -> Evaluated {
        let task = self.task;
        let topic = place.map(|place| &task.topics[place]);
        let arranged = self.arrange(id);
        let ranked = self.ranked();
        let marks = topic.map_or_else(
            || vec![Mark::default(); ranked.len()],
            |topic| topic.marks(&ranked),
        );
        let mut noted = Noted::new(task.cutoffs.len());
        let condensed = task.plan.policies.unjudged == Unjudged::Condensed;
        let kept = arranged.unwrap_or(ranked.len());
        noted.add(&self.ranking, kept, &marks, condensed, &task.cutoffs);
        let mut values = vec![f64::NAN; task.plan.measures.len()];
        let row = Row {
            plan: task.plan,
            values: &mut values,
        };
        let outcome = match arranged {
            Err(duplicate) => Outcome::Duplicate(duplicate.into()),
            Ok(kept) => match J::measure(topic, &ranked[..kept], row) {
                Ok(()) => Outcome::Values(values),
                Err(error) => Outcome::Contradiction(error),
            },
        };
        Evaluated { noted, outcome }
    }
}

impl<'a, J: Judgements> Sink<'a> for JudgedSink<'a, '_, J> {
    type Line = RunLine<'a>;

    fn check(&self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        match self.task.plan.policies.ties {
            TieBreak::RankColumn => rank_column(self.task.bytes, line).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn push(&mut self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        let rank = match self.task.plan.policies.ties {
            TieBreak::RankColumn => rank_column(self.task.bytes, line)?,
            _ => 0.0,
        };
        JudgedSink::push(self, line.doc, line.score, rank);
        Ok(())
    }

    fn end_topic(&mut self, topic: &'a [u8]) {
        let place = self.task.places.get(topic).copied();
        let counts = place.is_some() || self.task.plan.policies.topics == TopicPolicy::Run;
        let evaluated = counts.then(|| self.evaluate(topic, place));
        self.ended.push(Ended {
            id: topic,
            place,
            evaluated,
        });
        self.ranking.clear();
    }

    fn abandon_topic(&mut self) {
        self.ranking.clear();
    }
}

fn evaluate<J: Judgements>(run: RunSource<'_>, topics: &[J], plan: &Plan) -> EvaluatedJudgements {
    match run {
        RunSource::Text(bytes, dialect) => evaluate_text(bytes, dialect, topics, plan),
        RunSource::Run(run) => evaluate_rankings(run, topics, plan),
    }
}

fn evaluate_text<J: Judgements>(
    bytes: &[u8],
    dialect: Dialect,
    topics: &[J],
    plan: &Plan,
) -> EvaluatedJudgements {
    let task = Task::new(bytes, dialect, topics, plan);
    let mut walked = walk(bytes, || RunLines::new(bytes, dialect), |_| task.sink());
    let mut ended = Vec::new();
    for part in std::mem::take(&mut walked.parts) {
        let all = part.sink.ended.into_iter().zip(part.void);
        ended.extend(all.filter(|(_, void)| !void).map(|(ended, _)| ended));
    }
    EvaluatedJudgements {
        faults: walked.faults,
        fault_count: walked.fault_count,
        ..gathered(&task, ended, last_tag(bytes, dialect))
    }
}

fn evaluate_rankings<J: Judgements>(run: &Run, topics: &[J], plan: &Plan) -> EvaluatedJudgements {
    let task = Task::new(&[], Dialect::Strict, topics, plan);
    let ranked: Vec<RunTopic<'_>> = run.topics().collect();
    let parts = shared_out(
        &ranked,
        topics_per_piece(ranked.len()),
        ALONE,
        || task.sink(),
        |sink, _, topics| {
            for topic in topics {
                for (place, entry) in topic.entries().enumerate() {
                    // Without a rank column, ranks are positions.
                    let rank = entry.rank.unwrap_or(place as f64 + 1.0);
                    sink.push(entry.doc, entry.score, rank);
                }
                Sink::end_topic(sink, topic.id());
            }
        },
    );
    let ended = parts.into_iter().flat_map(|sink| sink.ended).collect();
    gathered(&task, ended, run.tag().into())
}

/// The scores of all topics that the plan counts.
fn gathered<J: Judgements>(
    task: &Task<'_, '_, J>,
    ended: Vec<Ended<'_>>,
    tag: String,
) -> EvaluatedJudgements {
    let (topics, plan) = (task.topics, task.plan);
    let (found, others) = by_place(ended, topics.len());
    let mut all = EvaluatedJudgements {
        scores: RunScores {
            values: Values::new(plan.measures.len(), Vec::new()),
            tag,
            ..RunScores::default()
        },
        faults: Vec::new(),
        fault_count: 0,
        contradictions: Vec::new(),
    };
    if plan.policies.topics == TopicPolicy::Run {
        all.append_of_run(topics, found, others);
    } else {
        all.scores.extra_topics = others.len();
        all.append_judged(task, found);
    }
    all.scores.add_up(plan);
    all
}

/// The judged topics of the run, by place, and its other topics.
fn by_place(all: Vec<Ended<'_>>, topics: usize) -> (Vec<Option<Evaluated>>, Vec<Ended<'_>>) {
    let mut found: Vec<Option<Evaluated>> = (0..topics).map(|_| None).collect();
    let mut others = Vec::new();
    for ended in all {
        match ended.place {
            Some(place) => found[place] = ended.evaluated,
            None => others.push(ended),
        }
    }
    (found, others)
}

impl EvaluatedJudgements {
    /// Adds all topics of the run, judged or not.
    fn append_of_run<J: Judgements>(
        &mut self,
        topics: &[J],
        found: Vec<Option<Evaluated>>,
        others: Vec<Ended<'_>>,
    ) {
        let judged = topics.iter().zip(found);
        let judged = judged.filter_map(|(topic, found)| Some((topic.id(), true, found?)));
        let others = others.into_iter();
        let others = others.filter_map(|ended| Some((ended.id, false, ended.evaluated?)));
        let mut all: Vec<(&[u8], bool, Evaluated)> = judged.chain(others).collect();
        all.small_sort_by_key(|(id, ..)| *id);
        for (id, in_qrels, evaluated) in all {
            self.append(id, true, in_qrels, evaluated);
        }
    }

    /// Adds the judged topics that the plan counts.
    fn append_judged<J: Judgements>(
        &mut self,
        task: &Task<'_, '_, J>,
        found: Vec<Option<Evaluated>>,
    ) {
        let policy = task.plan.policies.topics;
        for (place, (topic, found)) in task.topics.iter().zip(found).enumerate() {
            match found {
                Some(_) if policy == TopicPolicy::Relevant && !topic.has_relevant() => {
                    self.scores.left_out += 1;
                }
                Some(evaluated) => self.append(topic.id(), true, true, evaluated),
                None if policy == TopicPolicy::Judged => {
                    let mut evaluated = missing(task, place);
                    evaluated.noted = Noted::new(task.cutoffs.len());
                    self.append(topic.id(), false, true, evaluated);
                }
                None => {}
            }
        }
    }

    fn append(&mut self, id: &[u8], in_run: bool, in_qrels: bool, evaluated: Evaluated) {
        let Evaluated { noted, outcome } = evaluated;
        let mut duplicate = None;
        let width = self.scores.values.width();
        let row = match outcome {
            Outcome::Values(values) => values,
            Outcome::Duplicate(doc) => {
                duplicate = Some(doc);
                vec![f64::NAN; width]
            }
            Outcome::Contradiction(error) => {
                self.contradictions.push((self.scores.topics.len(), error));
                vec![f64::NAN; width]
            }
        };
        self.scores.values.push(row);
        self.scores.unjudged.extend(noted.unjudged);
        self.scores.topics.push(TopicScores {
            id: id.into(),
            in_run,
            in_qrels,
            notes: noted.notes,
            duplicate,
        });
    }
}

/// Evaluates a topic that is missing from the run: an empty ranking, or the substitute of the plan.
fn missing<J: Judgements>(task: &Task<'_, '_, J>, place: usize) -> Evaluated {
    let mut sink = task.sink();
    sink.push_missing();
    sink.evaluate(task.topics[place].id(), Some(place))
}
