use cranfield_core::groups::GroupedQrelsBuilder;
use cranfield_core::policy::{Policies, Unjudged};
use cranfield_core::prefs::PreferencesBuilder;
use cranfield_core::sampled::SampledQrelsBuilder;
use cranfield_measures::spec::{Conventions, parse_measures};

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

/// Judgements by topic, group, document and grade.
fn grouped(judgements: &[(&str, &str, &str, f64)]) -> GroupedQrels {
    let mut builder = GroupedQrelsBuilder::default();
    for (topic, group, doc, grade) in judgements {
        builder.push(topic.as_bytes(), group.as_bytes(), doc.as_bytes(), *grade);
    }
    builder.finish().unwrap()
}

/// Topic 1 in two places, topic 2 with a document twice, topic 9 unknown.
const RUN: &[u8] = b"1 Q0 b 1 1 t\n2 Q0 a 1 2 t\n2 Q0 a 2 1 t\n1 Q0 a 1 2 t\n9 Q0 a 1 1 last\n";

#[test]
fn scattered_missing_and_unknown_topics() {
    let plan = plan("PrefSimp", TopicPolicy::Judged);
    let evaluated = evaluate_preferences((RUN, Dialect::Strict), &preferences(), &plan);
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
    let evaluated = evaluate_preferences((RUN, Dialect::Strict), &preferences(), &plan);
    assert_eq!(evaluated.scores.topics.len(), 2);
}

#[test]
fn topics_with_a_relevant_document() {
    let mut plan = plan("APavgjg", TopicPolicy::Relevant);
    let qrels = grouped(&[
        ("1", "A", "a", 1.0),
        ("2", "A", "a", 0.0),
        ("3", "A", "a", 1.0),
    ]);
    let text = b"1 Q0 a 1 1 r\n2 Q0 a 1 1 r\n";
    let counted = |plan: &Plan| {
        let scores = evaluate_groups((&text[..], Dialect::Strict), &qrels, plan).scores;
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
    let qrels = grouped(&[("1", "A", "a", 1.0), ("1", "B", "b", 1.0)]);
    let plan = plan("APavgjg Pavgjg@1", TopicPolicy::Judged);
    let evaluated = evaluate_groups((RUN, Dialect::Strict), &qrels, &plan);
    assert_eq!(evaluated.scores.row(0), [0.75, 0.5]);
}

#[test]
fn documents_that_only_another_group_judged_stay_in_a_condensed_ranking() {
    let qrels = grouped(&[("1", "A", "b", 1.0), ("1", "B", "a", 0.0)]);
    let run = b"1 Q0 x 1 9 t\n1 Q0 a 2 8 t\n1 Q0 b 3 7 t\n";
    let mut plan = plan("AP_IA nERR_IA D_nDCG(discount='zipf')", TopicPolicy::Judged);
    let row = |plan: &Plan| {
        let evaluated = evaluate_groups((&run[..], Dialect::Strict), &qrels, plan);
        evaluated.scores.row(0).to_vec()
    };
    assert_eq!(row(&plan), [1.0 / 3.0; 3]);
    plan.policies.unjudged = Unjudged::Condensed;
    assert_eq!(row(&plan), [1.0, 0.5, 0.5]);
}

/// The ids of topics with the values of the first measure.
fn found(scores: &RunScores) -> Vec<(String, Option<f64>)> {
    let topics = scores.topics.iter().zip(scores.values.rows());
    topics
        .map(|(topic, row)| {
            let value = Some(row[0]).filter(|value| !value.is_nan());
            (String::from_utf8_lossy(&topic.id).into_owned(), value)
        })
        .collect()
}

#[test]
fn topics_of_the_run_count_without_judgements() {
    let qrels = grouped(&[("1", "A", "a", 1.0), ("5", "A", "a", 1.0)]);
    let run = b"9 Q0 a 1 1 r\n1 Q0 a 1 1 r\n0 Q0 a 1 1 r\n";
    let plan_of = |policy| plan("APavgjg NumQ", policy);
    let scores =
        |policy| evaluate_groups((&run[..], Dialect::Strict), &qrels, &plan_of(policy)).scores;
    let of_run = scores(TopicPolicy::Run);
    let named = |id: &str, value| (id.to_owned(), value);
    let expected = [named("0", None), named("1", Some(1.0)), named("9", None)];
    assert_eq!(found(&of_run), expected);
    assert_eq!((of_run.extra_topics, of_run.aggregate(1)), (0, Some(3.0)));
    assert_eq!(of_run.notes(&plan_of(TopicPolicy::Run)).judged, 1);
    assert_eq!(scores(TopicPolicy::Both).extra_topics, 2);
    let preferences = evaluate_preferences(
        (&run[..], Dialect::Strict),
        &preferences(),
        &plan("PrefSimp", TopicPolicy::Run),
    );
    assert_eq!(preferences.scores.topics.len(), 3);
}

#[test]
fn samples_without_judgements_estimate_nothing() {
    let mut builder = SampledQrelsBuilder::default();
    let judgement = PoolDocument {
        stratum: 0,
        grade: Some(1.0),
    };
    builder.push(b"1", b"a", judgement);
    let qrels = builder.finish().unwrap();
    let run = b"1 Q0 a 1 1 r\n9 Q0 a 1 1 r\n";
    let plan = plan("iNumRelRet xinfAP", TopicPolicy::Run);
    let scores = evaluate_strata((&run[..], Dialect::Strict), &qrels, &plan).scores;
    assert_eq!(scores.topics.len(), 2);
    assert!(!scores.topics[1].in_qrels);
    assert_eq!(scores.row(1)[0], 0.0);
    assert!(scores.row(1)[1].is_nan());
}

#[test]
fn topics_without_a_relevant_document_are_not_missing_topics() {
    let qrels = grouped(&[
        ("1", "A", "a", 1.0),
        ("2", "A", "a", 0.0),
        ("3", "A", "a", 1.0),
    ]);
    let text = b"1 Q0 a 1 1 r\n2 Q0 a 1 1 r\n";
    let plan = plan("APavgjg", TopicPolicy::Relevant);
    let notes = evaluate_groups((&text[..], Dialect::Strict), &qrels, &plan)
        .scores
        .notes(&plan);
    assert_eq!((notes.topics, notes.judged, notes.left_out), (1, 1, 1));
}

#[test]
fn ties_and_unjudged_documents_are_noted() {
    let qrels = grouped(&[
        ("1", "A", "a", 1.0),
        ("1", "B", "b", 1.0),
        ("1", "A", "c", 1.0),
    ]);
    // a and b are relevant to different groups, a and c to the same one.
    let notes = |run: &[u8], depth| {
        let mut plan = plan("Pavgjg@1 Pavgjg@3", TopicPolicy::Judged);
        plan.policies.depth = depth;
        let scores = evaluate_groups((run, Dialect::Strict), &qrels, &plan).scores;
        scores.notes(&plan)
    };
    let mixed = notes(b"1 Q0 a 1 1 r\n1 Q0 b 2 1 r\n1 Q0 x 3 0 r\n", None);
    assert_eq!((mixed.mixed_topics, mixed.tie_groups), (1, 1));
    let cut: Vec<_> = mixed.cutoffs.iter().map(|at| at.straddled).collect();
    assert_eq!(cut, [1, 0]);
    let unjudged: Vec<_> = mixed
        .cutoffs
        .iter()
        .map(|at| (at.unjudged, at.shown))
        .collect();
    assert_eq!(unjudged, [(0, 1), (1, 3)]);
    let alike = notes(b"1 Q0 a 1 1 r\n1 Q0 c 2 1 r\n", None);
    assert_eq!((alike.mixed_topics, alike.tie_groups), (0, 1));
    let short = notes(b"1 Q0 x 1 2 r\n1 Q0 a 2 1 r\n", Some(1));
    assert_eq!((short.cutoffs[1].unjudged, short.cutoffs[1].shown), (1, 1));
}
