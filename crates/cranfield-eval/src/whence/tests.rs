use std::path::Path;

use cranfield_core::policy::{TieBreak, TopicPolicy, Unjudged};
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_measures::variants::{Variant, variants};

use super::search::NEAREST;
use super::steps::{PolicyStep, steps};
use super::*;

fn inputs(run: &str) -> Inputs {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let run = examples.join("runs").join(run);
    Inputs::read(&examples.join("qrels.txt"), None, &run, None).unwrap()
}

fn question(measure: &str, published: &str, changes: usize) -> Question {
    Question {
        measure: parse_measures(measure, &Conventions::default())
            .unwrap()
            .remove(0),
        profile: Profile::Cranfield,
        policies: Policies::OWN,
        published: published.parse().unwrap(),
        changes,
    }
}

/// A generator of numbers below a limit with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn random_settings_are_found() {
    let inputs = inputs("bm25.run");
    let mut numbers = Numbers(7);
    let measures = [
        "nDCG@10", "AP", "P@10", "RR", "ERR@20", "RBP", "R@10", "Bpref",
    ];
    let mut found = 0;
    for round in 0..24 {
        let name = measures[round % measures.len()];
        let start = question(name, "0", 3);
        let of_policies = numbers.below(3) > 0;
        let most = if of_policies { 1 } else { 3 };
        let all = variants(&start.measure, &inputs.grades(), most);
        let Variant {
            mut changes,
            measure,
        } = all[numbers.below(all.len())].clone();
        let mut policies = Policies::OWN;
        if of_policies {
            let steps: Vec<PolicyStep> = steps(&inputs, &Policies::OWN).concat();
            let step = &steps[numbers.below(steps.len())];
            policies = step.over(&policies);
            changes.push(step.change.clone());
        }
        let scores = inputs
            .scores(&[measure], Profile::Cranfield, &policies)
            .unwrap();
        let Some(value) = scores.aggregate(0).filter(|value| value.is_finite()) else {
            continue;
        };
        let answer = whence(&inputs, &question(name, &format!("{value:.7}"), 3)).unwrap();
        let explained = answer.found.iter().any(|setting| {
            let of_these = setting
                .changes
                .iter()
                .all(|change| changes.contains(change));
            of_these && (setting.value - value).abs() < 1e-6
        });
        assert!(
            explained,
            "{name} {changes:?}: {value} among {:?}",
            answer.found
        );
        found += 1;
    }
    assert!(found > 18, "{found}");
}

#[test]
fn fewest_changes_come_first_and_no_match_contains_another() {
    let inputs = inputs("bm25-rm3.run");
    let value = {
        let start = question("AP", "0", 0);
        let both = Policies {
            topics: TopicPolicy::Both,
            ..Policies::OWN
        };
        inputs
            .scores(&[start.measure], Profile::Cranfield, &both)
            .unwrap()
            .aggregate(0)
            .unwrap()
    };
    let answer = whence(&inputs, &question("AP", &format!("{value:.6}"), 3)).unwrap();
    assert_eq!(answer.found[0].changes.len(), 1);
    let first = [
        Change::new("topics", "both"),
        Change::new("topics", "run"),
        Change::new("topics", "relevant"),
    ];
    assert!(
        first.contains(&answer.found[0].changes[0]),
        "{:?}",
        answer.found[0].changes
    );
    assert!(
        answer
            .found
            .is_sorted_by_key(|setting| setting.changes.len())
    );
    for (at, setting) in answer.found.iter().enumerate() {
        let others = answer
            .found
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        for (_, other) in others {
            assert!(
                !other
                    .changes
                    .iter()
                    .all(|change| setting.changes.contains(change))
            );
        }
    }
    assert!(answer.nearest.is_empty());
}

#[test]
fn nearest_values_are_reported_if_none_matches() {
    let inputs = inputs("bm25.run");
    let answer = whence(&inputs, &question("AP", "0.123456789", 1)).unwrap();
    assert!(answer.found.is_empty() && !answer.cut_short);
    assert_eq!(answer.nearest.len(), NEAREST);
    let distance = |setting: &Candidate| (setting.value - 0.123_456_789).abs();
    assert!(
        answer
            .nearest
            .windows(2)
            .all(|pair| distance(&pair[0]) <= distance(&pair[1]))
    );
    assert!(answer.tried > 40, "{}", answer.tried);
    let none = whence(&inputs, &question("AP", "0.123456789", 0)).unwrap();
    assert_eq!((none.tried, none.nearest.len()), (1, 1));
}

#[test]
fn intervals_and_strings_are_errors() {
    let inputs = inputs("bm25.run");
    let rejects = |question: &Question, expected: &str| {
        let error = whence(&inputs, question).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let mut bounds = question("AP", "0.5", 1);
    bounds.policies.ties = TieBreak::Bounds;
    rejects(&bounds, "bounds gives an interval");
    bounds.policies.ties = TieBreak::DocidDesc;
    bounds.policies.unjudged = Unjudged::Bounds;
    rejects(&bounds, "bounds gives an interval");
    rejects(&question("RunId", "0.5", 1), "RunId is a string");
}

/// A budget of rankings bounds the search. Settings with fewer changes come first, and all reported values are of all topics.
#[test]
fn the_budget_cuts_the_search_short() {
    let inputs = inputs("bm25.run");
    let topics = inputs.judgements().size().0;
    let question = question("AP", "0.123456789", 2);
    let whole = search::run(&inputs, &question, usize::MAX).unwrap();
    assert!(!whole.cut_short);
    let least = search::run(&inputs, &question, 0).unwrap();
    let tried = least.tried + 20;
    let bounded = search::run(&inputs, &question, tried * topics).unwrap();
    assert!(least.cut_short && bounded.cut_short);
    assert_eq!(bounded.tried, tried);
    assert!(whole.tried > 10 * tried, "{}", whole.tried);
    for candidate in &bounded.nearest {
        assert!(candidate.changes.len() <= 1);
        let measure = [candidate.measure.clone()];
        let policies = &candidate.policies;
        let scores = inputs.scores(&measure, Profile::Cranfield, policies);
        assert_eq!(scores.unwrap().aggregate(0), Some(candidate.value));
    }
}

/// Each setting that published numbers are known to depend on is found from a value computed with it.
#[test]
fn each_kind_of_setting_is_searched() {
    let inputs = inputs("bm25.run");
    let published = |name: &str, policies: &Policies| {
        let measure = question(name, "0", 0).measure;
        let scores = inputs.scores(&[measure], Profile::Cranfield, policies);
        format!("{:.9}", scores.unwrap().aggregate(0).unwrap())
    };
    let found = |name: &str, published: &str, change: Change| {
        let answer = whence(&inputs, &question(name, published, 1)).unwrap();
        let mut found = answer.found.iter();
        assert!(
            found.any(|setting| setting.changes == [change.clone()]),
            "{change:?}: {published} among {:?}",
            answer.found
        );
    };
    let own = Policies::OWN;
    for (name, variant, what, to) in [
        ("nDCG@10", "nDCG(gains='exp')@10", "gains", "exp"),
        ("AP", "AP(rel=2)", "rel", "2"),
        ("P@10", "P@15", "cutoff", "15"),
        ("nDCG@10", "nDCG(ideal='uncut')@10", "ideal", "uncut"),
    ] {
        found(name, &published(variant, &own), Change::new(what, to));
    }
    for (what, to) in [
        ("topics", "both"),
        ("ties", "docid-asc"),
        ("ties", "docid-desc-f32"),
        ("unjudged", "condensed"),
    ] {
        let mut policies = own.clone();
        policies.set(what, to).unwrap();
        let value = published("AP", &policies);
        // A setting without effect is not reported, because the start gives the number.
        if value != published("AP", &own) {
            found("AP", &value, Change::new(what, to));
        }
    }
}

/// A program's own name is translated to the canonical name for other programs.
#[test]
fn names_of_programs_become_canonical() {
    assert_eq!(question("P_10", "0", 1).canonical().said(), "P@10");
    assert_eq!(
        question("RBP(p=0.8)", "0", 1).canonical().said(),
        "RBP(p=0.8)"
    );
    let rbp = "RBP(p=0.9, gains='grade', scale='topic')";
    assert_eq!(question("rbp", "0", 1).canonical().said(), rbp);
}
