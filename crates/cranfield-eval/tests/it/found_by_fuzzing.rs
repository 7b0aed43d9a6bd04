//! Inputs that once broke a property, found by the targets in `fuzz/`.

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::GroupedQrelsBuilder;
use cranfield_core::policy::{Policies, TieBreak};
use cranfield_core::qrels::Qrels;
use cranfield_eval::{evaluate_groups, evaluate_text};
use cranfield_io::trec::{Dialect, LineFault};
use cranfield_measures::spec::{Conventions, parse_measures};

fn plan(names: &str, ties: TieBreak) -> Plan {
    let measures = parse_measures(names, &Conventions::default()).expect("valid names");
    let policies = Policies {
        ties,
        ..Policies::default()
    };
    Plan {
        measures,
        policies,
        ..Plan::default()
    }
}

#[test]
fn a_topic_with_a_duplicate_has_no_notes_of_another_topic() {
    let qrels = Qrels::from_judgements([("1", "c", 1.0), ("2", "a", 1.0)]);
    let plan = plan("P@1", TieBreak::DocidDesc);
    let twice = "1 Q0 a 1 3 t\n1 Q0 a 2 1 t\n";
    let other = "2 Q0 a 1 1 t\n";
    let unjudged = |text: String| {
        let evaluated = evaluate_text(text.as_bytes(), Dialect::Strict, &qrels, &plan);
        evaluated.scores.unjudged
    };
    assert_eq!(unjudged(format!("{twice}{other}")), [1, 0]);
    assert_eq!(unjudged(format!("{other}{twice}")), [1, 0]);
}

#[test]
fn groups_can_be_ranked_by_the_rank_column() {
    let mut builder = GroupedQrelsBuilder::default();
    builder.push(b"1", b"A", b"a", 1.0);
    let qrels = builder.finish().expect("no repeated document");
    let mut plan = plan("Pavgjg@1", TieBreak::RankColumn);
    let text = b"1 Q0 b 2 9 t\n1 Q0 a 1 8 t\n";
    let evaluated = evaluate_groups((&text[..], Dialect::Strict), &qrels, &plan);
    assert_eq!(evaluated.scores.row(0), [1.0]);
    let evaluated = evaluate_groups((&b"1 Q0 b x 9 t\n"[..], Dialect::Strict), &qrels, &plan);
    assert_eq!(evaluated.faults[0].fault, LineFault::Rank);
    plan.missing_document = Some(b"a");
    let evaluated = evaluate_groups((&b"2 Q0 b 1 9 t\n"[..], Dialect::Strict), &qrels, &plan);
    assert_eq!(evaluated.scores.row(0), [1.0]);
}

#[test]
fn a_missing_topic_can_be_ranked_by_the_rank_column() {
    let qrels = Qrels::from_judgements([("1", "a", 1.0)]);
    let mut plan = plan("P@1", TieBreak::RankColumn);
    plan.missing_document = Some(b"a");
    let evaluated = evaluate_text(b"2 Q0 a 1 1 t\n", Dialect::Strict, &qrels, &plan);
    assert_eq!(evaluated.scores.row(0), [1.0]);
}

#[test]
fn faults_do_not_depend_on_threads() {
    // Ranks that are not numbers, in topics that are interleaved over several pieces.
    let topics = 0..40_000;
    let text: String = topics
        .map(|n| format!("{} Q0 d{n} x 1 tag\n", n % 90))
        .collect();
    let qrels = Qrels::from_judgements([("1", "a", 1.0)]);
    let plan = plan("P@1", TieBreak::RankColumn);
    let evaluated = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads can be started");
        pool.install(|| evaluate_text(text.as_bytes(), Dialect::Strict, &qrels, &plan))
    };
    let (one, four) = (evaluated(1), evaluated(4));
    assert_eq!((one.fault_count, four.fault_count), (40_000, 40_000));
    assert_eq!(one.faults, four.faults);
    assert_eq!(one.faults[0].at, 8);
}
