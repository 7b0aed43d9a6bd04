//! Whole evaluations: qrels and run as bytes, under every policy.

mod definitions;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use cranfield_core::evaluate::Plan;
use cranfield_core::policy::{
    NegativeGrades, Policies, TieBreak, TopicPolicy, Undefined, Unjudged,
};
use cranfield_core::qrels::Qrels;
use cranfield_eval::{
    EvaluatedText, ReadQrels, RunScores, evaluate_run, evaluate_text, read_qrels,
};
use cranfield_io::trec::{Dialect, RunLines};
use cranfield_io::{Bytes, Limits, QrelsFormat, RunFormat, Source};
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::{Conventions, parse_measures};
use rayon::ThreadPool;

use self::definitions::{CHECKED, slowly};
use super::{Target, trec};
use crate::random::Random;
use crate::reference::{self, same};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "evaluate",
        property: "scores do not depend on threads, on interleaving, or on an order of lines that does not matter; a slow evaluation agrees",
        run: evaluate,
        seeds,
        dictionary: trec::DICTIONARY,
        max_len: 500,
        smoke: 10_000,
    },
    Target {
        name: "memory_vs_stream",
        property: "a run read into memory has the scores, and the faults, of one that is evaluated while it is read",
        run: memory_vs_stream,
        seeds,
        dictionary: trec::DICTIONARY,
        max_len: 500,
        smoke: 40_000,
    },
];

/// Between judgements and run.
pub(super) const SEPARATOR: u8 = 0x1e;

fn seeds() -> Vec<Vec<u8>> {
    let qrels = "1 0 a 1\n1 0 b 0\n1 0 c 2\n1 0 d -1\n2 0 a 1\n2 0 e 0\n3 0 z 1\n";
    let run = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 x 3 2 t\n1 Q0 c 4 1 t\n2 Q0 y 1 3 t\n2 Q0 a 2 3 t\n4 Q0 a 1 1 t\n";
    let interleaved = "1 Q0 a 1 3 t\n2 Q0 y 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 2 3 t\n1 Q0 x 3 2 t\n1 Q0 c 4 1 t\n3 Q0 z 1 nan t\n2 Q0 e 9 4 t\n3 Q0 w x 4 t\n";
    let twice = "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 a 3 1 t\nbroken\n2 Q0 a 1 1 t\n";
    let mut seeds = Vec::new();
    for (place, run) in [run, interleaved, twice].into_iter().enumerate() {
        for ties in 0..TieBreak::ALL.len() as u8 {
            let head = [
                b'0' + ties,
                b'0' + ties * 5 + place as u8,
                b'0' + ties % 4,
                b'0' + ties,
            ];
            seeds.push([&head, qrels.as_bytes(), &[SEPARATOR], run.as_bytes()].concat());
        }
    }
    seeds
}

/// An input taken apart: four bytes of choices, judgements, run.
pub(super) struct Input<'a> {
    pub(super) policies: Policies,
    pub(super) dialect: Dialect,
    pub(super) random: Random,
    /// Whether undefined values are `trec_eval`'s.
    pub(super) reference_values: bool,
    /// The replacement for a topic that the run lacks.
    pub(super) missing_document: Option<&'static [u8]>,
    pub(super) judgements: &'a [u8],
    pub(super) run: &'a [u8],
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let ([ties, others, depth, seed], rest) = bytes.split_first_chunk()?;
        let at = rest.iter().position(|byte| *byte == SEPARATOR)?;
        let choose = |byte: u8, count: usize| usize::from(byte.wrapping_sub(b'0')) % count;
        let others = others.wrapping_sub(b'0');
        let choices = choose(*depth, 64);
        let (missing, reference, depth) = (choices / 32 == 1, choices / 16 % 2 == 1, choices % 16);
        let policies = Policies {
            ties: TieBreak::ALL[choose(*ties, TieBreak::ALL.len())],
            topics: TopicPolicy::ALL[usize::from(others % 3)],
            unjudged: Unjudged::ALL[usize::from(others / 3 % 3)],
            negative: NegativeGrades::ALL[usize::from(others / 9 % 2)],
            undefined: Undefined::ALL[usize::from(others / 18 % 2)],
            depth: (depth > 0).then_some(depth),
            ..Policies::OWN
        };
        let dialect =
            [Dialect::Strict, Dialect::TrecEval, Dialect::TrecEval9][usize::from(others / 36 % 3)];
        let random = Random::new(u64::from(*seed));
        Some(Self {
            policies,
            dialect,
            random,
            reference_values: reference,
            missing_document: missing.then_some(b"a"),
            judgements: &rest[..at],
            run: &rest[at + 1..],
        })
    }
}

impl Input<'_> {
    /// Gives a plan the choices.
    pub(super) fn configure(&self, plan: &mut Plan) {
        plan.policies = self.policies.clone();
        plan.reference_values = self.reference_values;
        plan.missing_document = self.missing_document;
    }
}

/// A pool of one thread and one of two.
pub(super) fn pools() -> &'static [ThreadPool; 2] {
    static POOLS: OnceLock<[ThreadPool; 2]> = OnceLock::new();
    POOLS.get_or_init(|| {
        [1, 2].map(|threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads can be started")
        })
    })
}

thread_local! {
    /// Plans are made once and only their policies are changed: names are fuzzed elsewhere.
    static PLAN: RefCell<Plan> = RefCell::new(plan());
}

fn plan() -> Plan {
    let own = "Bpref infAP Rprec Success@5 IPrec@0.5 IAP RBP RBP@3 RBPResidual Judged@5 Unjudged@3 NumRet NumRel NumRelRet Utility yaap NumQ RunId";
    let gains = "nDCG(gains='0,1,10')@5 AP(rel=2)@4 RelString G binG RnDCG nDCGrel DCG@2 IDCG SetF SetAP SetP SetR GMAP GMBpref RprecMult@0.4 RelP@5";
    let names = format!("{CHECKED} {own} {gains}");
    let measures =
        parse_measures(&names, &Conventions::of(Profile::Cranfield)).expect("the names are right");
    Plan {
        measures,
        ..Plan::default()
    }
}

fn with_plan(input: &mut Input<'_>, run: impl FnOnce(&mut Input<'_>, &mut Plan)) {
    PLAN.with_borrow_mut(|plan| {
        input.configure(plan);
        run(input, plan);
    });
}

fn evaluate(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let [one, two] = pools();
    let judgements = Bytes::copy_from_slice(input.judgements);
    let qrels = one.install(|| read_qrels(&judgements, input.dialect));
    same_qrels(
        &qrels,
        &two.install(|| read_qrels(&judgements, input.dialect)),
    );
    with_plan(&mut input, |input, plan| {
        let expected = one.install(|| evaluate_text(input.run, input.dialect, &qrels.qrels, plan));
        let dialect = input.dialect;
        let evaluated = |run: &[u8], plan: &Plan| {
            two.install(|| evaluate_text(run, dialect, &qrels.qrels, plan))
        };
        same_evaluation(&expected, &evaluated(input.run, plan));
        let woven = interleaved(&mut input.random, input.run);
        same_scores(
            &expected.scores,
            &evaluated(&woven, plan).scores,
            "topics interleaved",
        );
        // Scores that are no numbers leave the order of a document that is there twice open.
        if !matches!(
            input.policies.ties,
            TieBreak::InputOrder | TieBreak::RankColumn | TieBreak::FileOrder
        ) && !repeats(input.run, input.dialect)
        {
            let mut lines = reference::lines(input.run);
            input.random.shuffle(&mut lines);
            same_scores(
                &expected.scores,
                &evaluated(&lines.join(&b'\n'), plan).scores,
                "lines shuffled",
            );
        }
        if input.policies.ties == TieBreak::Expected
            && input.policies.unjudged != Unjudged::Relevant
        {
            between(input, &qrels.qrels, plan, &expected.scores);
        }
        for at in 0..plan.measures.len() {
            let _ = expected.scores.aggregate(at);
        }
        let notes = expected.scores.notes(plan);
        assert_eq!(notes.topics, expected.scores.topics.len());
        if expected.fault_count == 0 {
            slowly(input, &qrels.qrels, plan, &expected.scores);
        }
    });
}

fn same_qrels(a: &ReadQrels, b: &ReadQrels) {
    assert_eq!(a.fault_count, b.fault_count, "faults of qrels");
    assert_eq!(a.faults, b.faults, "faults of qrels");
    equal_qrels(&a.qrels, &b.qrels);
    let sorted = |qrels: &ReadQrels| {
        let mut duplicates: Vec<_> = qrels
            .qrels
            .duplicates()
            .map(|twice| format!("{twice:?}"))
            .collect();
        duplicates.sort_unstable();
        duplicates
    };
    assert_eq!(sorted(a), sorted(b));
}

/// Asserts equal topics with equal judgements in the same order.
pub(super) fn equal_qrels(a: &Qrels, b: &Qrels) {
    assert_eq!(a.len(), b.len(), "number of topics");
    for (a, b) in a.topics().zip(b.topics()) {
        assert_eq!(a.id(), b.id());
        assert_eq!(a.judgements().len(), b.judgements().len());
        for ((doc, grade), (other, other_grade)) in a.judgements().zip(b.judgements()) {
            assert!(
                doc == other && same(grade, other_grade),
                "{grade} and {other_grade}"
            );
            assert_eq!(b.grade(doc), Some(grade));
        }
        let negative = NegativeGrades::Judged;
        assert_eq!(a.base(negative).grades(), b.base(negative).grades());
    }
}

fn same_evaluation(a: &EvaluatedText, b: &EvaluatedText) {
    same_scores(&a.scores, &b.scores, "threads");
    assert_eq!(a.scores.tag, b.scores.tag);
    assert_eq!(a.fault_count, b.fault_count, "number of faults");
    assert_eq!(a.faults, b.faults);
    assert_eq!(a.duplicates, b.duplicates);
}

pub(super) fn same_scores(a: &RunScores, b: &RunScores, why: &str) {
    assert_eq!(a.topics, b.topics, "{why}");
    let [values, others] = [a, b].map(|scores| scores.values.rows().flatten().collect::<Vec<_>>());
    assert_eq!(values.len(), others.len(), "{why}");
    for (at, (value, other)) in values.into_iter().zip(others).enumerate() {
        assert!(
            same(*value, *other),
            "{why}: value {at} is {value:e} and {other:e}"
        );
    }
    assert_eq!(a.strings, b.strings, "{why}");
    assert_eq!(a.unjudged, b.unjudged, "{why}");
    assert_eq!(a.extra_topics, b.extra_topics, "{why}");
}

/// Whether a document is in a topic twice.
fn repeats(run: &[u8], dialect: Dialect) -> bool {
    let mut seen = HashSet::new();
    let mut lines = RunLines::new(run, dialect).flatten();
    lines.any(|line| !seen.insert((line.topic, line.doc)))
}

/// The lines with topics interleaved; the lines of a topic keep their order.
pub(super) fn interleaved(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let lines = reference::lines(text);
    let topic_of = |line: &[u8]| {
        reference::fields(line)
            .first()
            .map_or(Vec::new(), |topic| topic.to_vec())
    };
    let mut topics: Vec<Vec<u8>> = lines.iter().map(|line| topic_of(line)).collect();
    let mut by_topic: HashMap<Vec<u8>, Vec<&[u8]>> = HashMap::new();
    for line in lines.iter().rev() {
        by_topic.entry(topic_of(line)).or_default().push(line);
    }
    random.shuffle(&mut topics);
    let woven: Vec<&[u8]> = topics
        .iter()
        .filter_map(|topic| by_topic.get_mut(topic)?.pop())
        .collect();
    woven.join(&b'\n')
}

/// The expected value over ties lies between the worst and the best.
fn between(input: &Input<'_>, qrels: &Qrels, plan: &mut Plan, expected: &RunScores) {
    let mut with = |ties| {
        plan.policies.ties = ties;
        evaluate_text(input.run, input.dialect, qrels, plan).scores
    };
    let (worst, best) = (with(TieBreak::Worst), with(TieBreak::Best));
    plan.policies.ties = TieBreak::Expected;
    // The order of ties decides which documents a depth leaves, and whether one of them is repeated.
    let repeated = |topic: usize| {
        let all = [&worst, expected, &best];
        all.iter()
            .any(|scores| scores.topics[topic].duplicate.is_some())
    };
    for topic in (0..expected.topics.len()).filter(|topic| !repeated(*topic)) {
        for at in 0..CHECKED.split(' ').count() {
            let [low, value, high] = [&worst, expected, &best].map(|scores| scores.row(topic)[at]);
            let inside = low <= value + 1e-9 && value <= high + 1e-9;
            assert!(
                inside || value.is_nan(),
                "measure {at} of {CHECKED}: {value} is not from {low} to {high}"
            );
        }
    }
}

fn memory_vs_stream(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let limits = Limits {
        max_expanded: 1 << 20,
    };
    let open = |bytes: &[u8]| Source::from_bytes_with("fuzz", bytes.to_vec(), limits);
    let (Ok(qrels), Ok(run)) = (open(input.judgements), open(input.run)) else {
        return;
    };
    let streamed = read_qrels(&qrels.shared(), Dialect::Strict);
    match cranfield_io::read_qrels(&qrels, Some(QrelsFormat::Trec)) {
        Ok(kept) => {
            assert_eq!(streamed.fault_count, 0);
            equal_qrels(&kept, &streamed.qrels);
        }
        Err(error) => {
            let conflicts = streamed
                .qrels
                .duplicates()
                .any(cranfield_core::qrels::DuplicateJudgement::is_conflict);
            assert!(
                streamed.fault_count > 0 || streamed.qrels.is_empty() || conflicts,
                "{error}"
            );
        }
    }
    with_plan(&mut input, |input, plan| {
        let streamed_run = evaluate_text(run.bytes(), Dialect::Strict, &streamed.qrels, plan);
        match cranfield_io::read_run(&run, Some(RunFormat::Trec)) {
            Ok(kept) => {
                let unranked =
                    input.policies.ties == TieBreak::RankColumn && streamed_run.fault_count > 0;
                if !unranked {
                    assert_eq!(streamed_run.fault_count, 0);
                    let scores = evaluate_run(&kept, &streamed.qrels, plan);
                    same_scores(&scores, &streamed_run.scores, "in memory");
                }
                assert!(streamed_run.duplicates.is_empty());
            }
            Err(error) => {
                let repeats = repeats(run.bytes(), Dialect::Strict);
                let is_empty = RunLines::new(run.bytes(), Dialect::Strict).next().is_none();
                assert!(
                    streamed_run.fault_count > 0 || repeats || is_empty,
                    "{error}"
                );
            }
        }
    });
}
