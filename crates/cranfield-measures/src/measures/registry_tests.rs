//! Properties of every registered measure.

use cranfield_core::known::KnownTopic;
use cranfield_core::measure::{
    Aggregate, BoundMeasure, Computation, Direction, Input, Measure, MeasureInfo,
};
use cranfield_core::params::{CutoffRule, ParamInfo, ParamKind, Value};
use cranfield_core::sampled::{DrawnJudgement, Inclusion, PoolDocument, SampledRanking};
use cranfield_core::session::JudgedSession;
use cranfield_core::topic::{JudgedRanking, Label, Levels};
use proptest::prelude::*;
use proptest::sample::select;

use super::MEASURES;
use super::claims_tests::{CATALOGUE, grades, judged, ranked as claimed};
use super::tests::{TestTopic, measure};
use crate::spec::{Conventions, parse_measure};

/// Headings of a measure's page, in order.
const HEADINGS: [&str; 7] = [
    "What it measures",
    "User model",
    "Formula",
    "Worked example",
    "Undefined when",
    "Differences between tools",
    "References",
];

/// Rounding may move a value beyond its range by this much.
const TOLERANCE: f64 = 1e-12;

#[test]
fn names_are_unique_and_sorted() {
    let names: Vec<_> = MEASURES
        .iter()
        .map(|info| info.name.to_lowercase())
        .collect();
    assert!(names.is_sorted(), "{names:?}");
    let aliases = MEASURES
        .iter()
        .flat_map(|info| info.aliases.iter().map(|alias| alias.to_lowercase()));
    let mut all: Vec<_> = names.iter().cloned().chain(aliases).collect();
    all.sort();
    let twice: Vec<_> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn every_description_is_complete() {
    for info in MEASURES {
        let name = info.name;
        assert!(
            !info.summary.is_empty() && !info.summary.ends_with('.'),
            "summary of {name}"
        );
        assert!(!info.references.is_empty(), "references of {name}");
        assert!(
            info.params.iter().all(|param| !param.help.is_empty()),
            "help of {name}"
        );
        let page = info.page;
        let headings: Vec<_> = page
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .collect();
        assert_eq!(headings, HEADINGS, "page of {name}");
        let is_number = info.aggregate != Aggregate::None;
        assert_eq!(
            page.contains("# Formula\n```math\n"),
            is_number,
            "formula of {name} in TeX"
        );
        let sections = page.split("# ").skip(1);
        let bodies = sections.map(|section| section.split_once('\n').map_or("", |(_, body)| body));
        assert!(
            bodies.into_iter().all(|body| !body.trim().is_empty()),
            "page of {name}"
        );
    }
}

#[test]
fn every_default_parses_and_prints_as_declared() {
    for info in MEASURES {
        for param in info.params {
            let value = Value::parse(param, param.default);
            let printed = value.map(|value| value.to_string().trim_matches('\'').to_owned());
            assert_eq!(
                printed.as_deref(),
                Ok(param.default),
                "{}({})",
                info.name,
                param.name
            );
        }
    }
}

#[test]
fn the_ideal_ranking_attains_the_maximum() {
    let measures = [
        "AP",
        "AP@5",
        "GMAP",
        "Rprec",
        "RprecMult@1",
        "RR",
        "Bpref",
        "R@5",
        "P@5",
        "RelP@3",
        "Success@1",
        "SetP",
        "SetR",
        "SetAP",
        "SetF",
        "SetRelP",
        "IPrec@1",
        "IAP",
        "binG",
        "G",
        "nDCG",
        "nDCG@3",
        "nDCGrel",
        "RnDCG",
    ];
    for name in measures {
        let topic = TestTopic::new(&[3, 2, 2, 1, 1], &[1, 2, 1, 3, 2]);
        let value = ranked(&measure(name)).and_then(|measure| measure.evaluate(&topic.ranking()));
        assert_eq!(value, Some(1.0), "{name}");
    }
}

/// The measures with their default parameters.
fn plain() -> impl Iterator<Item = &'static BoundMeasure> {
    let has_parameters = |measure: &BoundMeasure| measure.to_string().contains('(');
    CATALOGUE
        .iter()
        .filter(move |measure| !has_parameters(measure))
}

/// Measures for which a ranking other than the ideal one can be best.
const WITHOUT_IDEAL: [&str; 4] = [
    // Relative to what was found, however little that is.
    "RHL",
    "RelativeRelevance",
    // A mean over the retrieved documents, for which a single document of the highest grade is best.
    "gP",
    // A longer ranking saves more work, unless the size of the collection is given.
    "WSS",
];

/// Measures that depend on judged non-relevant documents beyond the cutoff: the fraction of them ranked first.
const WITH_TAIL: [&str; 2] = ["Frustration", "SFT"];

/// Removes the names of some families.
fn without(mut names: Vec<String>, families: &[&str]) -> Vec<String> {
    names.retain(|name| {
        let family = name.split(['@', '(']).next().unwrap_or(name);
        !families.contains(&family)
    });
    names
}

/// Measures for which the ranking beats the ideal one: all relevant documents by grade, and no others.
fn better_than_ideal(ranking: &[i32], missed: &[i32]) -> Vec<String> {
    let judged = judged(ranking, missed);
    let mut ideal: Vec<i32> = judged.iter().copied().filter(|grade| *grade > 0).collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let (topic, ideal) = (
        TestTopic::new(ranking, &judged),
        TestTopic::new(&ideal, &judged),
    );
    let is_better = |measure: &&BoundMeasure| {
        let value = |topic: &TestTopic| claimed(measure).evaluate(&topic.ranking());
        let (Some(any), Some(best)) = (value(&topic), value(&ideal)) else {
            return false;
        };
        let slack = TOLERANCE * best.abs().max(1.0);
        match measure.info.direction {
            Direction::HigherIsBetter => any > best + slack,
            Direction::LowerIsBetter => any < best - slack,
            Direction::Neutral => false,
        }
    };
    let better = plain().filter(is_better);
    better.map(ToString::to_string).collect()
}

/// Measures with a cutoff whose value changes with a tail of non-relevant documents, judged or not.
fn changed_by_a_tail(ranking: &[i32], missed: &[i32], tail: &[i32]) -> Vec<String> {
    let mut judged = judged(ranking, missed);
    judged.extend(tail.iter().filter(|code| **code >= 0));
    let longer = [ranking, tail].concat();
    let (topic, longer) = (
        TestTopic::new(ranking, &judged),
        TestTopic::new(&longer, &judged),
    );
    let cuts = |measure: &&BoundMeasure| {
        let cutoff = measure.params.cutoff();
        cutoff.is_some_and(|cutoff| cutoff.get() <= ranking.len())
    };
    let changes = |measure: &&BoundMeasure| {
        let value = |topic: &TestTopic| claimed(measure).evaluate(&topic.ranking());
        value(&topic) != value(&longer)
    };
    let changed = CATALOGUE.iter().filter(cuts).filter(changes);
    changed.map(ToString::to_string).collect()
}

/// Measures whose value is outside the declared range.
fn out_of_range(ranking: &[i32], missed: &[i32]) -> Vec<String> {
    let topic = TestTopic::new(ranking, &judged(ranking, missed));
    let is_outside = |measure: &&BoundMeasure| {
        let value = claimed(measure).evaluate(&topic.ranking());
        let range = measure.info.range;
        value.is_some_and(|value| !(range.min..=range.max + TOLERANCE).contains(&value))
    };
    let outside = plain().filter(is_outside);
    outside.map(ToString::to_string).collect()
}

fn ranked(measure: &BoundMeasure) -> Option<&dyn Measure> {
    match &measure.computation {
        Computation::Ranked(measure) => Some(measure.as_ref()),
        _ => None,
    }
}

fn value(measure: &BoundMeasure, topic: &JudgedRanking<'_>) -> Option<u64> {
    ranked(measure)?.evaluate(topic).map(f64::to_bits)
}

/// Evaluates any measure except those of judgement groups and preferences, for grades in rank order (−1 is
/// unjudged) and the grades of judged documents that were not retrieved. Other inputs are derived from the
/// documents' positions.
fn value_of(measure: &BoundMeasure, ranking: &[i32], missed: &[i32]) -> Option<f64> {
    let label = |grade: &i32| match grade {
        -2..0 => Label::Unjudged,
        grade => Label::Judged(f64::from(*grade)),
    };
    let labels: Vec<Label> = ranking.iter().map(label).collect();
    let all: Vec<i32> = ranking.iter().chain(missed).copied().collect();
    let judged = |from: &[i32]| -> Vec<i32> {
        from.iter()
            .copied()
            .filter(|g| !(-2..0).contains(g))
            .collect()
    };
    match &measure.computation {
        Computation::Ranked(measure) => {
            measure.evaluate(&TestTopic::new(ranking, &judged(&all)).ranking())
        }
        Computation::Known(measure) => {
            let seen = labels
                .iter()
                .zip(0..)
                .map(|(label, n)| (*label, n % 3 == 0));
            let known = all.iter().enumerate().filter(|(n, _)| n % 3 == 0);
            measure.evaluate(&KnownTopic {
                ranking: &seen.collect::<Vec<_>>(),
                known: &known.map(|(_, grade)| label(grade)).collect::<Vec<_>>(),
            })
        }
        Computation::Session(measure) => measure.evaluate(&JudgedSession {
            rankings: &labels.chunks(4).map(<[_]>::to_vec).collect::<Vec<_>>(),
            judged: &judged(&all).into_iter().map(f64::from).collect::<Vec<_>>(),
        }),
        Computation::Stratified(measure) => {
            let pool = all.iter().zip(0..).map(|(grade, n)| PoolDocument {
                stratum: n % 3,
                grade: Some(f64::from(*grade)).filter(|grade| *grade >= 0.0),
            });
            sampled(&pool.collect::<Vec<_>>(), ranking.len(), |topic| {
                measure.evaluate(topic)
            })
        }
        Computation::Drawn(measure) => {
            let drawn = all.iter().zip(1..).map(|(grade, n)| DrawnJudgement {
                grade: f64::from(*grade),
                inclusion: Inclusion::new(1.0 / f64::from(n % 4 + 1)).expect("a probability"),
            });
            sampled(&drawn.collect::<Vec<_>>(), ranking.len(), |topic| {
                measure.evaluate(topic)
            })
        }
        Computation::Text(_)
        | Computation::Grouped(_)
        | Computation::Preference(_)
        | Computation::TopicCount
        | Computation::RunId => None,
    }
}

/// Evaluates a sample whose first documents were retrieved.
fn sampled<J: Copy>(
    judged: &[J],
    retrieved: usize,
    value: impl Fn(&SampledRanking<'_, J>) -> Option<f64>,
) -> Option<f64> {
    let ranking: Vec<_> = judged[..retrieved].iter().copied().map(Some).collect();
    value(&SampledRanking {
        judged,
        ranking: &ranking,
    })
}

#[test]
fn inputs_of_a_measure_are_reported() {
    let input = |name: &str| measure(name).info.input();
    assert_eq!(input("nDCG@10"), Input::Grades);
    assert_eq!(input("IPrec@0.5"), Input::Grades);
    assert_eq!(input("PrefSimp"), Input::Preferences);
    assert_eq!(input("ERR_IA@5"), Input::Groups);
    assert_eq!(input("iP@5"), Input::Strata);
    assert_eq!(input("statP@5"), Input::Prels);
    assert_eq!(input("Novelty"), Input::Known);
    assert_eq!(input("nsDCG"), Input::Sessions);
    for info in MEASURES {
        let required = match info.input() {
            Input::Strata => "`strata` format",
            Input::Prels => "`prels` format",
            Input::Known => "file of known documents",
            Input::Sessions => "sessions file",
            _ => continue,
        };
        let page = info.page.replace('\n', " ");
        assert!(page.contains(required), "page of {}", info.name);
    }
}

/// A ranking, and grades of all judged documents: those of the ranking and others. The grade −3 is a judged
/// grade below zero.
fn topic() -> impl Strategy<Value = (Vec<i32>, Vec<i32>)> {
    let ranking = prop::collection::vec(-3..5, 0..30);
    let missed = prop::collection::vec(0..5, 0..8);
    (ranking, missed).prop_map(|(ranking, mut judged)| {
        judged.extend(ranking.iter().filter(|grade| !(-2..0).contains(*grade)));
        (ranking, judged)
    })
}

/// A valid value for a parameter.
fn argument(info: &'static MeasureInfo, param: &'static ParamInfo) -> BoxedStrategy<String> {
    let number = (-40..400).prop_map(|quarters| f64::from(quarters) / 4.0);
    let text = match param.kind {
        ParamKind::Level => (-2..5).prop_map(|level: i32| level.to_string()).boxed(),
        ParamKind::Real { min, max } => (0.0..=1.0)
            .prop_map(move |at: f64| (min + at * (max.min(min + 100.0) - min)).to_string())
            .boxed(),
        ParamKind::Reals => {
            let count = Value::parse(param, param.default)
                .map_or(1, |value| value.to_string().split(',').count());
            prop::collection::vec(number, count)
                .prop_map(|values| {
                    values
                        .iter()
                        .map(f64::to_string)
                        .collect::<Vec<_>>()
                        .join(",")
                })
                .boxed()
        }
        ParamKind::Gains => select(vec![
            "grade",
            "exp",
            "binary",
            "0,0.5,1",
            "1=3,2=9.5,1=4",
            "-1=0.25,0=-2",
            "0,1,3,7",
        ])
        .prop_map(str::to_owned)
        .boxed(),
        ParamKind::Word(words) => select(words).prop_map(str::to_owned).boxed(),
    };
    let quoted = !matches!(param.kind, ParamKind::Level | ParamKind::Real { .. });
    let quote = if quoted { "'" } else { "" };
    let name = param.name;
    assert!(info.params.iter().any(|known| known.name == name));
    text.prop_map(move |text| format!("{name}={quote}{text}{quote}"))
        .boxed()
}

/// A valid cutoff or point.
fn cutoff(rule: CutoffRule, depth: u64) -> BoxedStrategy<String> {
    let at = (1..=depth).prop_map(|cutoff| format!("@{cutoff}"));
    match rule {
        CutoffRule::None => Just(String::new()).boxed(),
        CutoffRule::Optional => prop_oneof![Just(String::new()), at].boxed(),
        CutoffRule::Required => at.boxed(),
        CutoffRule::Point => (-4..12)
            .prop_map(|fifths| format!("@{}", f64::from(fifths) / 5.0))
            .boxed(),
    }
}

/// The name of any measure, with any parameters.
pub(crate) fn any_name() -> impl Strategy<Value = String> {
    select(MEASURES).prop_flat_map(|info| {
        let arguments: Vec<_> = info
            .params
            .iter()
            .map(|param| prop::option::of(argument(info, param)))
            .collect();
        (arguments, cutoff(info.cutoff, 2000)).prop_map(|(arguments, cutoff)| {
            let given: Vec<_> = arguments.into_iter().flatten().collect();
            format!("{}({}){cutoff}", info.name, given.join(", "))
        })
    })
}

/// The name of any measure with its default parameters.
fn plain_name(depth: u64) -> impl Strategy<Value = String> {
    select(MEASURES).prop_flat_map(move |info| {
        cutoff(info.cutoff, depth).prop_map(|cutoff| format!("{}{cutoff}", info.name))
    })
}

proptest! {
    #[test]
    fn canonical_names_parse_back(name in any_name()) {
        let first = parse_measure(&name, &Conventions::default()).unwrap();
        let printed = first.to_string();
        let second = parse_measure(&printed, &Conventions::default()).unwrap();
        prop_assert!(first.same_as(&second), "{} and {}", name, printed);
        prop_assert_eq!(second.to_string(), printed);
    }

    #[test]
    fn values_are_in_the_declared_range((ranking, missed) in grades(30)) {
        prop_assert_eq!(out_of_range(&ranking, &missed), [""; 0]);
    }

    #[test]
    fn no_ranking_is_better_than_the_ideal_one((ranking, missed) in grades(30)) {
        let better = better_than_ideal(&ranking, &missed);
        prop_assert_eq!(without(better, &WITHOUT_IDEAL), [""; 0]);
    }

    #[test]
    fn a_non_relevant_tail_does_not_change_values_at_a_cutoff(
        (ranking, missed) in grades(30),
        tail in prop::collection::vec(-2..1i32, 1..4),
    ) {
        let changed = changed_by_a_tail(&ranking, &missed, &tail);
        prop_assert_eq!(without(changed, &WITH_TAIL), [""; 0]);
    }

    #[test]
    fn any_value_is_in_the_declared_range(name in plain_name(40), (ranking, judged) in topic()) {
        let measure = parse_measure(&name, &Conventions::default()).unwrap();
        // The judged documents: first the missed ones, then the retrieved ones.
        let missed = judged.len() - ranking.iter().filter(|grade| !(-2..0).contains(*grade)).count();
        if let Some(value) = value_of(&measure, &ranking, &judged[..missed]) {
            let range = measure.info.range;
            prop_assert!(value >= range.min && value <= range.max + TOLERANCE, "{}: {}", name, value);
        }
    }

    #[test]
    fn values_do_not_depend_on_precomputed_sums(name in any_name(), (ranking, judged) in topic()) {
        let measure = parse_measure(&name, &Conventions::default()).unwrap();
        let topic = TestTopic::new(&ranking, &judged);
        let topic = topic.ranking();
        let levels = [ranked(&measure).and_then(Measure::level).unwrap_or(1.0), 2.0];
        let mut levels = Levels::new(levels).with_dcg(true);
        levels.fill(&topic);
        let alone = value(&measure, &topic);
        prop_assert_eq!(alone, value(&measure, &topic), "twice");
        prop_assert_eq!(alone, value(&measure, &topic.with_levels(&levels)), "with levels");
    }

    #[test]
    fn an_unjudged_tail_does_not_change_values_at_a_cutoff(
        info in select(MEASURES),
        (ranking, judged) in topic(),
        tail in 1usize..5,
        position in 0.0..1.0,
    ) {
        let cuts = matches!(info.cutoff, CutoffRule::Optional | CutoffRule::Required);
        prop_assume!(cuts && !ranking.is_empty());
        let cutoff = 1 + (position * ranking.len() as f64) as usize;
        let measure = measure(&format!("{}@{cutoff}", info.name));
        let mut longer = ranking.clone();
        longer.extend(std::iter::repeat_n(-1, tail));
        let (topic, longer) = (TestTopic::new(&ranking, &judged), TestTopic::new(&longer, &judged));
        prop_assert_eq!(value(&measure, &topic.ranking()), value(&measure, &longer.ranking()));
    }
}
