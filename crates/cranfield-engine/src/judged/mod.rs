//! Evaluates a TREC run against judgements that are not one grade per document: preferences, groups of judgements, samples.
//!
//! The result has the shape of an evaluation against qrels. These files are small, so clarity comes before speed here.

use std::collections::HashSet;

use cranfield_core::doc_hash::DocHasher;
use cranfield_core::evaluate::{Plan, TopicNotes};
use cranfield_core::explain::{Explanation, explain_prefixes};
use cranfield_core::groups::{GroupedQrels, TopicGroups};
use cranfield_core::measure::Computation;
use cranfield_core::policy::{IdenticalIds, TieBreak, TopicPolicy};
use cranfield_core::prefs::{PreferenceError, Preferences, TopicPreferences};
use cranfield_core::ranking::Ranking;
use cranfield_core::run::RunTopic;
use cranfield_core::sampled::{
    DrawnJudgement, PoolDocument, SampledQrels, SampledRanking, SampledTopic,
};
use cranfield_io::trec::{Dialect, FaultyLine, RunLine, RunLines};

use crate::pieces::{FastMap, Part, Sink, walk};
use crate::scores::{RunScores, TopicScores, Values};
use crate::text::{last_tag, rank_column};

/// Scores of a run against judgements that are not grades, and what was wrong.
#[derive(Debug)]
pub struct EvaluatedJudgements {
    /// The scores: topics of the judgements in ascending order, those that the run lacks only where the plan counts them.
    pub scores: RunScores,
    /// Faulty lines of the run, the first ones.
    pub faults: Vec<FaultyLine>,
    /// Number of faulty lines.
    pub fault_count: u64,
    /// Topics, by place, whose judgements contradict themselves; they have no values.
    pub contradictions: Vec<(usize, PreferenceError)>,
}

/// Evaluates a TREC run given as text against preferences, for the plan's preference measures.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_preferences(
    bytes: &[u8],
    dialect: Dialect,
    preferences: &Preferences,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = preferences.topics().collect();
    evaluate(bytes, dialect, &topics, plan)
}

/// Evaluates a TREC run given as text against judgement groups, for the plan's group measures.
///
/// Policies are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_groups(
    bytes: &[u8],
    dialect: Dialect,
    qrels: &GroupedQrels,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(bytes, dialect, &topics, plan)
}

/// Why a topic cannot be taken apart.
#[derive(Debug)]
pub enum ExplainFault {
    /// A document that is in the ranking twice.
    Duplicate(Box<[u8]>),
    /// Preferences that contradict each other.
    Contradiction(PreferenceError),
}

/// Takes apart the values of a plan's group measures for one topic; `run` is `None` for one that the run lacks.
///
/// A share is what a document adds when judgements become known from the top down, see
/// [`cranfield_core::explain`].
pub fn explain_groups(
    plan: &Plan,
    topic: TopicGroups<'_>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let judged = |doc: &[u8]| topic.groups().any(|group| group.grade(doc).is_some());
    explain(plan, &topic, judged, run)
}

/// Takes apart the values of a plan's preference measures for one topic, as [`explain_groups`] does.
pub fn explain_preferences(
    plan: &Plan,
    topic: TopicPreferences<'_>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let known: HashSet<&[u8]> = topic.documents().collect();
    explain(plan, &topic, |doc| known.contains(doc), run)
}

/// Takes apart the values of a plan's measures of a pool that was sampled by strata, as [`explain_groups`] does.
pub fn explain_strata(
    plan: &Plan,
    topic: SampledTopic<'_, PoolDocument>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    explain(plan, &topic, |doc| topic.get(doc).is_some(), run)
}

/// Takes apart the values of a plan's measures of judgements that were drawn with unequal probabilities, as
/// [`explain_groups`] does.
pub fn explain_prels(
    plan: &Plan,
    topic: SampledTopic<'_, DrawnJudgement>,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    explain(plan, &topic, |doc| topic.get(doc).is_some(), run)
}

fn explain<J: Judgements>(
    plan: &Plan,
    judgements: &J,
    judged: impl Fn(&[u8]) -> bool,
    run: Option<RunTopic<'_>>,
) -> Result<Vec<Explanation>, ExplainFault> {
    let (places, hasher) = (FastMap::default(), DocHasher::default());
    let mut sink = JudgedSink {
        bytes: &[],
        topics: std::slice::from_ref(judgements),
        places: &places,
        plan,
        dialect: Dialect::Strict,
        hasher: &hasher,
        ranking: Ranking::default(),
        ended: Vec::new(),
    };
    match run {
        Some(run) => {
            for (place, entry) in run.entries().enumerate() {
                let rank = entry.rank.unwrap_or(place as f64 + 1.0);
                JudgedSink::push(&mut sink, entry.doc, entry.score, rank);
            }
        }
        None => sink.push_missing(),
    }
    let ranked = sink.ranked(0);
    let ranked = ranked.map_err(|doc| ExplainFault::Duplicate(doc.into()))?;
    let mut explained = Vec::new();
    for measure in &plan.measures {
        let alone = Plan {
            measures: vec![measure.clone()],
            ..plan.clone()
        };
        let value_of = |known: usize| {
            // No document has an empty id, so that nobody judged one.
            let mut shown = ranked.clone();
            shown[known..].fill(b"");
            let mut value = [f64::NAN];
            judgements.measure(&alone, &shown, &mut value)?;
            Ok(Some(value[0]).filter(|value| !value.is_nan()))
        };
        value_of(ranked.len()).map_err(ExplainFault::Contradiction)?;
        let topic = (judgements.id(), run.is_some());
        let value_of = |known| value_of(known).unwrap_or(None);
        explained.push(explain_prefixes(measure, topic, &ranked, &judged, value_of));
    }
    Ok(explained)
}

/// Evaluates a TREC run given as text against a pool that was sampled by strata.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_strata(
    bytes: &[u8],
    dialect: Dialect,
    qrels: &SampledQrels<PoolDocument>,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(bytes, dialect, &topics, plan)
}

/// Evaluates a TREC run given as text against judgements that were drawn with unequal probabilities.
///
/// Ties and depth are the plan's; with [`Dialect::TrecEval9`] scores are rounded to 32 bits.
pub fn evaluate_prels(
    bytes: &[u8],
    dialect: Dialect,
    qrels: &SampledQrels<DrawnJudgement>,
    plan: &Plan,
) -> EvaluatedJudgements {
    let topics: Vec<_> = qrels.topics().collect();
    evaluate(bytes, dialect, &topics, plan)
}

/// The judgements of one topic.
trait Judgements: Sync {
    fn id(&self) -> &[u8];

    /// Whether a document was judged relevant; preferences do not say it, and count.
    fn has_relevant(&self) -> bool {
        true
    }

    /// Computes the plan's measures for a ranking, best first, into `values`.
    fn measure(
        &self,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError>;
}

impl Judgements for TopicPreferences<'_> {
    fn id(&self) -> &[u8] {
        TopicPreferences::id(self)
    }

    fn measure(
        &self,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        let topic = self.judge(ranked)?;
        for (measure, value) in plan.measures.iter().zip(values) {
            *value = match &measure.computation {
                Computation::Preference(measure) => defined(plan, measure.evaluate(&topic)),
                other => constant(other),
            };
        }
        Ok(())
    }
}

impl Judgements for TopicGroups<'_> {
    fn id(&self) -> &[u8] {
        TopicGroups::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut groups = self.groups();
        groups.any(|group| group.judgements().any(|(_, grade)| grade > 0.0))
    }

    fn measure(
        &self,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        let wanted: Vec<f64> = plan
            .measures
            .iter()
            .filter_map(|measure| group_level(&measure.computation))
            .collect();
        let topic = self.judge(ranked, &plan.policies, &wanted);
        for (measure, value) in plan.measures.iter().zip(values) {
            *value = match &measure.computation {
                Computation::Grouped(measure) => defined(plan, measure.evaluate(&topic)),
                other => constant(other),
            };
        }
        Ok(())
    }
}

impl Judgements for SampledTopic<'_, PoolDocument> {
    fn id(&self) -> &[u8] {
        SampledTopic::id(self)
    }

    fn has_relevant(&self) -> bool {
        let mut grades = self.judgements().iter().filter_map(|pooled| pooled.grade);
        grades.any(|grade| grade > 0.0)
    }

    fn measure(
        &self,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        measure_sample(
            plan,
            self,
            ranked,
            values,
            |computation, topic| match computation {
                Computation::Stratified(measure) => defined(plan, measure.evaluate(topic)),
                other => constant(other),
            },
        );
        Ok(())
    }
}

impl Judgements for SampledTopic<'_, DrawnJudgement> {
    fn id(&self) -> &[u8] {
        SampledTopic::id(self)
    }

    fn has_relevant(&self) -> bool {
        self.judgements().iter().any(|drawn| drawn.grade > 0.0)
    }

    fn measure(
        &self,
        plan: &Plan,
        ranked: &[&[u8]],
        values: &mut [f64],
    ) -> Result<(), PreferenceError> {
        measure_sample(
            plan,
            self,
            ranked,
            values,
            |computation, topic| match computation {
                Computation::Drawn(measure) => defined(plan, measure.evaluate(topic)),
                other => constant(other),
            },
        );
        Ok(())
    }
}

fn measure_sample<J: Copy>(
    plan: &Plan,
    topic: &SampledTopic<'_, J>,
    ranked: &[&[u8]],
    values: &mut [f64],
    value_of: impl Fn(&Computation, &SampledRanking<'_, J>) -> f64,
) {
    let ranking: Vec<Option<J>> = ranked.iter().map(|doc| topic.get(doc)).collect();
    let topic = SampledRanking {
        judged: topic.judgements(),
        ranking: &ranking,
    };
    for (measure, value) in plan.measures.iter().zip(values) {
        *value = value_of(&measure.computation, &topic);
    }
}

fn group_level(computation: &Computation) -> Option<f64> {
    match computation {
        Computation::Grouped(measure) => measure.level(),
        _ => None,
    }
}

fn defined(plan: &Plan, value: Option<f64>) -> f64 {
    value.unwrap_or(if plan.reference_values { 0.0 } else { f64::NAN })
}

fn constant(computation: &Computation) -> f64 {
    match computation {
        Computation::TopicCount => 1.0,
        _ => f64::NAN,
    }
}

/// What became of a topic.
enum Outcome {
    Values(Vec<f64>),
    Duplicate(Box<[u8]>),
    Contradiction(PreferenceError),
}

/// One thread's ranking, and the topics that it has evaluated.
struct JudgedSink<'a, 'p, J> {
    bytes: &'a [u8],
    topics: &'p [J],
    places: &'p FastMap<&'p [u8], usize>,
    plan: &'p Plan,
    dialect: Dialect,
    hasher: &'p DocHasher,
    ranking: Ranking<'a>,
    /// Place of the topic, documents retrieved and outcome, by the order in which topics ended.
    ended: Vec<Option<(usize, u32, Outcome)>>,
}

impl<'a, J: Judgements> JudgedSink<'a, '_, J> {
    fn push(&mut self, doc: &'a [u8], score: f64, rank: f64) {
        let score = match self.dialect {
            Dialect::TrecEval9 => f64::from(score as f32),
            Dialect::Strict | Dialect::TrecEval => score,
        };
        self.ranking
            .push_ranked(doc, self.hasher.hash(doc), score, rank);
    }

    /// What the plan puts in the place of a topic that the run lacks.
    fn push_missing(&mut self) {
        if let Some(document) = self.plan.missing_document {
            self.push(document, 1.0, 1.0);
        }
    }

    /// The documents that the depth leaves, best first, or one that is among them twice.
    fn ranked(&mut self, place: usize) -> Result<Vec<&'a [u8]>, &'a [u8]> {
        let policies = &self.plan.policies;
        if policies.identical == IdenticalIds::Drop {
            self.ranking.remove(self.topics[place].id());
        }
        self.ranking.arrange(policies.ties, |_| 0.0);
        let retrieved = self.ranking.len();
        let kept = policies
            .depth
            .map_or(retrieved, |depth| depth.min(retrieved));
        if let Some((first, _)) = self.ranking.duplicate(kept) {
            return Err(self.ranking.doc(first));
        }
        let kept = self.ranking.order()[..kept].iter();
        Ok(kept.map(|at| self.ranking.doc(*at as usize)).collect())
    }

    fn outcome(&mut self, place: usize) -> Outcome {
        let ranked = match self.ranked(place) {
            Ok(ranked) => ranked,
            Err(duplicate) => return Outcome::Duplicate(duplicate.into()),
        };
        let mut values = vec![f64::NAN; self.plan.measures.len()];
        match self.topics[place].measure(self.plan, &ranked, &mut values) {
            Ok(()) => Outcome::Values(values),
            Err(error) => Outcome::Contradiction(error),
        }
    }
}

impl<'a, J: Judgements> Sink<'a> for JudgedSink<'a, '_, J> {
    type Line = RunLine<'a>;

    fn check(&self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        match self.plan.policies.ties {
            TieBreak::RankColumn => rank_column(self.bytes, line).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn push(&mut self, line: &RunLine<'a>) -> Result<(), FaultyLine> {
        let rank = match self.plan.policies.ties {
            TieBreak::RankColumn => rank_column(self.bytes, line)?,
            _ => 0.0,
        };
        JudgedSink::push(self, line.doc, line.score, rank);
        Ok(())
    }

    fn end_topic(&mut self, topic: &'a [u8]) {
        let place = self.places.get(topic).copied();
        let ended = place.map(|place| (place, self.ranking.len() as u32, self.outcome(place)));
        self.ended.push(ended);
        self.ranking.clear();
    }

    fn abandon_topic(&mut self) {
        self.ranking.clear();
    }
}

fn evaluate<J: Judgements>(
    bytes: &[u8],
    dialect: Dialect,
    topics: &[J],
    plan: &Plan,
) -> EvaluatedJudgements {
    let places = topics.iter().map(Judgements::id).zip(0..).collect();
    let hasher = DocHasher::default();
    let sink = || JudgedSink {
        bytes,
        topics,
        places: &places,
        plan,
        dialect,
        hasher: &hasher,
        ranking: Ranking::default(),
        ended: Vec::new(),
    };
    let mut walked = walk(bytes, || RunLines::new(bytes, dialect), |_| sink());
    let (found, extra_topics) = by_place(std::mem::take(&mut walked.parts), topics.len());
    let mut all = EvaluatedJudgements {
        scores: RunScores {
            values: Values::new(plan.measures.len(), Vec::new()),
            tag: last_tag(bytes, dialect),
            extra_topics,
            ..RunScores::default()
        },
        faults: walked.faults,
        fault_count: walked.fault_count,
        contradictions: Vec::new(),
    };
    for (place, found) in found.into_iter().enumerate() {
        let in_run = found.is_some();
        let counts = match plan.policies.topics {
            TopicPolicy::Judged => true,
            TopicPolicy::Relevant => in_run && topics[place].has_relevant(),
            TopicPolicy::Both | TopicPolicy::Run => in_run,
        };
        if counts {
            let (retrieved, outcome) = found.unwrap_or_else(|| (0, missing(sink(), place)));
            all.append(plan, topics[place].id(), in_run, retrieved, outcome);
        }
    }
    all.scores.add_up(plan);
    all.scores.unjudged = vec![0; all.scores.topics.len() * plan.cutoffs().len()];
    all
}

/// The number of documents and the outcome of each topic of the judgements that the run has, and the number of its other topics.
fn by_place<J>(
    parts: Vec<Part<JudgedSink<'_, '_, J>>>,
    topics: usize,
) -> (Vec<Option<(u32, Outcome)>>, usize) {
    let mut found: Vec<Option<(u32, Outcome)>> = (0..topics).map(|_| None).collect();
    let mut others = 0;
    for part in parts {
        let ended = part.sink.ended.into_iter().zip(part.void);
        for (ended, _) in ended.filter(|(_, void)| !void) {
            match ended {
                Some((place, retrieved, outcome)) => found[place] = Some((retrieved, outcome)),
                None => others += 1,
            }
        }
    }
    (found, others)
}

/// The outcome of a topic that the run lacks: an empty ranking, or what the plan puts in its place.
fn missing<J: Judgements>(mut sink: JudgedSink<'_, '_, J>, place: usize) -> Outcome {
    sink.push_missing();
    sink.outcome(place)
}

impl EvaluatedJudgements {
    fn append(&mut self, plan: &Plan, id: &[u8], in_run: bool, retrieved: u32, outcome: Outcome) {
        let mut topic = TopicScores {
            id: id.into(),
            in_run,
            in_qrels: true,
            notes: TopicNotes {
                retrieved,
                ..TopicNotes::default()
            },
            duplicate: None,
        };
        let mut row = vec![f64::NAN; plan.measures.len()];
        match outcome {
            Outcome::Values(values) => row = values,
            Outcome::Duplicate(doc) => topic.duplicate = Some(doc),
            Outcome::Contradiction(error) => {
                self.contradictions.push((self.scores.topics.len(), error));
            }
        }
        self.scores.values.push(row);
        self.scores.topics.push(topic);
    }
}

#[cfg(test)]
mod tests {
    use cranfield_core::groups::GroupedQrelsBuilder;
    use cranfield_core::policy::{Policies, Unjudged};
    use cranfield_core::prefs::PreferencesBuilder;
    use cranfield_core::spec::{Conventions, parse_measures};

    use super::*;

    fn plan(measures: &str, topics: TopicPolicy) -> Plan {
        let measures = parse_measures(measures, &Conventions::default()).unwrap();
        let policies = Policies {
            topics,
            ..Policies::default()
        };
        Plan {
            measures,
            policies,
            ..Plan::default()
        }
    }

    fn preferences() -> Preferences {
        let mut builder = PreferencesBuilder::default();
        for topic in [b"1", b"2", b"3"] {
            builder.push(topic, b"A", b"0", b"a", 2.0);
            builder.push(topic, b"A", b"0", b"b", 1.0);
        }
        builder.finish()
    }

    /// Topic 1 in two places, topic 2 with a document twice, topic 9 unknown.
    const RUN: &[u8] = b"1 Q0 b 1 1 t\n2 Q0 a 1 2 t\n2 Q0 a 2 1 t\n1 Q0 a 1 2 t\n9 Q0 a 1 1 last\n";

    #[test]
    fn scattered_missing_and_unknown_topics() {
        let plan = plan("PrefSimp", TopicPolicy::Judged);
        let evaluated = evaluate_preferences(RUN, Dialect::Strict, &preferences(), &plan);
        let scores = &evaluated.scores;
        let in_run: Vec<bool> = scores.topics.iter().map(|topic| topic.in_run).collect();
        assert_eq!(in_run, [true, true, false]);
        assert_eq!(scores.topics[1].duplicate.as_deref(), Some(b"a".as_slice()));
        assert_eq!(
            (scores.row(0), scores.row(2)),
            ([1.0].as_slice(), [0.0].as_slice())
        );
        assert!(scores.row(1)[0].is_nan());
        assert_eq!((scores.extra_topics, scores.tag.as_str()), (1, "last"));
    }

    #[test]
    fn topics_in_both() {
        let plan = plan("PrefSimp", TopicPolicy::Both);
        let evaluated = evaluate_preferences(RUN, Dialect::Strict, &preferences(), &plan);
        assert_eq!(evaluated.scores.topics.len(), 2);
    }

    #[test]
    fn topics_with_a_relevant_document() {
        let mut plan = plan("APavgjg", TopicPolicy::Relevant);
        let mut builder = GroupedQrelsBuilder::default();
        builder.push(b"1", b"A", b"a", 1.0);
        builder.push(b"2", b"A", b"a", 0.0);
        builder.push(b"3", b"A", b"a", 1.0);
        let qrels = builder.finish().unwrap();
        let text = b"1 Q0 a 1 1 r\n2 Q0 a 1 1 r\n";
        let counted = |plan: &Plan| {
            let scores = evaluate_groups(text, Dialect::Strict, &qrels, plan).scores;
            scores
                .topics
                .iter()
                .map(|topic| topic.id.to_vec())
                .collect::<Vec<_>>()
        };
        assert_eq!(counted(&plan), [b"1"]);
        plan.policies.topics = TopicPolicy::Both;
        assert_eq!(counted(&plan), [b"1", b"2"]);
    }

    #[test]
    fn groups_see_their_own_judgements() {
        let mut builder = GroupedQrelsBuilder::default();
        builder.push(b"1", b"A", b"a", 1.0);
        builder.push(b"1", b"B", b"b", 1.0);
        let qrels = builder.finish().unwrap();
        let plan = plan("APavgjg Pavgjg@1", TopicPolicy::Judged);
        let evaluated = evaluate_groups(RUN, Dialect::Strict, &qrels, &plan);
        assert_eq!(evaluated.scores.row(0), [0.75, 0.5]);
    }

    #[test]
    fn documents_that_only_another_group_judged_stay_in_a_condensed_ranking() {
        let mut builder = GroupedQrelsBuilder::default();
        builder.push(b"1", b"A", b"b", 1.0);
        builder.push(b"1", b"B", b"a", 0.0);
        let qrels = builder.finish().unwrap();
        let run = b"1 Q0 x 1 9 t\n1 Q0 a 2 8 t\n1 Q0 b 3 7 t\n";
        let mut plan = plan("AP_IA nERR_IA D_nDCG(discount='zipf')", TopicPolicy::Judged);
        let row = |plan: &Plan| {
            let evaluated = evaluate_groups(run, Dialect::Strict, &qrels, plan);
            evaluated.scores.row(0).to_vec()
        };
        assert_eq!(row(&plan), [1.0 / 3.0; 3]);
        plan.policies.unjudged = Unjudged::Condensed;
        assert_eq!(row(&plan), [1.0, 0.5, 0.5]);
    }
}
