//! Properties of whole-file evaluation: results do not depend on the order of lines, the number of threads or the way of reading.

use cranfield_core::evaluate::Plan;
use cranfield_core::policy::{Policies, TieBreak, TopicPolicy};
use cranfield_core::qrels::Qrels;
use cranfield_eval::{RunScores, evaluate_run, evaluate_text, read_qrels};
use cranfield_io::trec::Dialect;
use cranfield_io::{RunFormat, Source};
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_measures::vectors::parse_vectors;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

const VECTORS: &str = "nDCG@7 P@3 IPrec nCG(average='means')@4 PR@5";
const MEASURES: &str = "AP nDCG@10 P@5 Bpref IPrec@0.5 RBP(p=0.8) infAP NumRet NumRel";

fn plan(ties: TieBreak, topics: TopicPolicy) -> Plan {
    Plan {
        measures: parse_measures(MEASURES, &Conventions::default()).unwrap(),
        vectors: parse_vectors(VECTORS, &Conventions::default()).unwrap(),
        topic_vectors: true,
        policies: Policies {
            ties,
            topics,
            ..Policies::default()
        },
        ..Plan::default()
    }
}

/// A line of a run or of qrels, by numbers.
#[derive(Clone, Debug)]
struct Line {
    topic: u32,
    doc: u32,
    value: u32,
}

/// Distinct (topic, document) pairs with values; enough lines for several pieces of a file.
fn lines(topics: u32, docs: u32, values: u32, count: usize) -> impl Strategy<Value = Vec<Line>> {
    let line =
        (0..topics, 0..docs, 0..values).prop_map(|(topic, doc, value)| Line { topic, doc, value });
    prop::collection::vec(line, count).prop_map(|mut lines| {
        lines.sort_by_key(|line| (line.topic, line.doc));
        lines.dedup_by_key(|line| (line.topic, line.doc));
        lines
    })
}

fn run_text(lines: &[Line]) -> String {
    let line = |line: &Line| {
        format!(
            "topic{} Q0 document-{:05} 0 {} tag\n",
            line.topic,
            line.doc,
            f64::from(line.value) / 8.0
        )
    };
    lines.iter().map(line).collect()
}

fn qrels_text(lines: &[Line]) -> String {
    lines
        .iter()
        .map(|line| {
            format!(
                "topic{} 0 document-{:05} {}\n",
                line.topic, line.doc, line.value
            )
        })
        .collect()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

fn evaluate(qrels: &Qrels, run: &str, plan: &Plan) -> RunScores {
    let evaluated = evaluate_text(run.as_bytes(), Dialect::Strict, qrels, plan);
    assert_eq!((evaluated.fault_count, evaluated.duplicates.len()), (0, 0));
    evaluated.scores
}

/// Scores with their bits, so that equal means equal.
fn bits(scores: &RunScores) -> (Vec<u64>, Vec<u32>, Vec<Vec<u8>>, usize) {
    (
        scores
            .values
            .rows()
            .flatten()
            .copied()
            .chain(scores.totals.iter().filter_map(|total| total.value))
            .map(f64::to_bits)
            .collect(),
        scores.unjudged.clone(),
        scores
            .topics
            .iter()
            .map(|topic| topic.id.to_vec())
            .collect(),
        scores.extra_topics,
    )
}

fn check_all_ways(
    run: &[Line],
    shuffled: &[Line],
    judged: &[Line],
    plan: &Plan,
) -> Result<(), TestCaseError> {
    let qrels = read_qrels(&qrels_text(judged).into(), Dialect::Strict).qrels;
    let grouped = run_text(run);
    let expected = bits(&with_threads(1, || evaluate(&qrels, &grouped, plan)));
    for threads in [1, 2, 5] {
        let again = with_threads(threads, || evaluate(&qrels, &grouped, plan));
        prop_assert_eq!(&bits(&again), &expected, "{} threads", threads);
        let mixed = with_threads(threads, || evaluate(&qrels, &run_text(shuffled), plan));
        prop_assert_eq!(&bits(&mixed), &expected, "shuffled, {} threads", threads);
    }
    let source = Source::from_bytes("run", grouped.into_bytes()).unwrap();
    let in_memory = cranfield_io::read_run(&source, Some(RunFormat::Trec)).unwrap();
    prop_assert_eq!(
        &bits(&evaluate_run(&in_memory, &qrels, plan)),
        &expected,
        "in memory"
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn order_of_lines_and_number_of_threads_change_nothing(
        (run, shuffled) in lines(30, 2000, 40, 9000).prop_flat_map(|run| (Just(run.clone()), Just(run).prop_shuffle())),
        judged in lines(40, 2000, 3, 3000),
        ties in prop::sample::select(vec![TieBreak::DocidDesc, TieBreak::DocidAsc, TieBreak::Best, TieBreak::Worst]),
        topics in prop::sample::select(TopicPolicy::ALL.to_vec()),
    ) {
        check_all_ways(&run, &shuffled, &judged, &plan(ties, topics))?;
    }

    #[test]
    fn few_lines_out_of_place_change_nothing(
        run in lines(200, 300, 1000, 9000),
        moves in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..20),
        judged in lines(200, 300, 3, 2000),
    ) {
        let mut moved = run.clone();
        for (from, to) in moves {
            let line = moved.remove(from.index(moved.len()));
            moved.insert(to.index(moved.len()), line);
        }
        check_all_ways(&run, &moved, &judged, &plan(TieBreak::DocidDesc, TopicPolicy::Judged))?;
    }

    #[test]
    fn order_of_judgements_changes_nothing(
        (judged, shuffled) in lines(30, 2000, 4, 6000).prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle())),
        run in lines(30, 2000, 1000, 2000),
    ) {
        let plan = plan(TieBreak::DocidDesc, TopicPolicy::Judged);
        let run = run_text(&run);
        let score = |judged: &[Line], threads| with_threads(threads, || {
            let qrels = read_qrels(&qrels_text(judged).into(), Dialect::Strict).qrels;
            bits(&evaluate(&qrels, &run, &plan))
        });
        let expected = score(&judged, 1);
        prop_assert_eq!(&score(&judged, 3), &expected);
        prop_assert_eq!(&score(&shuffled, 1), &expected);
        prop_assert_eq!(&score(&shuffled, 3), &expected);
    }
}

#[test]
fn best_and_worst_order_of_ties_enclose_every_other() {
    let lines: Vec<Line> = (0..300)
        .map(|n| Line {
            topic: n % 3,
            doc: n,
            value: n / 30,
        })
        .collect();
    let judged: Vec<Line> = (0..300)
        .step_by(2)
        .map(|n| Line {
            topic: n % 3,
            doc: n,
            value: n % 4,
        })
        .collect();
    let qrels = read_qrels(&qrels_text(&judged).into(), Dialect::Strict).qrels;
    let value = |ties| {
        let plan = Plan {
            measures: parse_measures("AP nDCG@10 P@10 RR", &Conventions::default()).unwrap(),
            policies: Policies {
                ties,
                ..Policies::default()
            },
            ..Plan::default()
        };
        let scores = evaluate(&qrels, &run_text(&lines), &plan);
        (0..4)
            .map(|measure| scores.aggregate(measure).unwrap())
            .collect::<Vec<f64>>()
    };
    let (best, worst) = (value(TieBreak::Best), value(TieBreak::Worst));
    assert!(best[0] > worst[0]);
    for ties in [
        TieBreak::DocidDesc,
        TieBreak::DocidAsc,
        TieBreak::InputOrder,
        TieBreak::Expected,
    ] {
        for ((value, best), worst) in value(ties).iter().zip(&best).zip(&worst) {
            assert!(
                worst <= value && value <= best,
                "{ties}: {worst} <= {value} <= {best}"
            );
        }
    }
}
