//! Judgements of samples, known documents, sessions and intents.

use std::collections::{BTreeMap, BTreeSet};

use cranfield_core::evaluate::Plan;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_core::sampled::SampledQrels;
use cranfield_eval::{evaluate_prels, evaluate_sessions, evaluate_strata};
use cranfield_io::trec::{read_intents, read_known, read_prels, read_sessions, read_strata};
use cranfield_io::{Error, Source};
use cranfield_measures::spec::{Conventions, parse_measures};

use super::evaluation::{Input, SEPARATOR, pools, same_scores};
use super::formats::check_error;
use super::judgements::{check_engine, data};
use super::{Target, strings};
use crate::reference::{fields, number};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "strata",
        property: "pools sampled by strata hold what their lines say; scores are finite and do not depend on threads",
        run: strata,
        seeds: strata_seeds,
        dictionary: DICTIONARY,
        max_len: 300,
        smoke: 20_000,
    },
    Target {
        name: "prels",
        property: "prels hold what their lines say; scores are finite and do not depend on threads",
        run: prels,
        seeds: prels_seeds,
        dictionary: DICTIONARY,
        max_len: 300,
        smoke: 20_000,
    },
    Target {
        name: "lists",
        property: "known documents and sessions are what their lines say; scores of sessions do not depend on threads",
        run: lists,
        seeds: list_seeds,
        dictionary: DICTIONARY,
        max_len: 200,
        smoke: 20_000,
    },
    Target {
        name: "intents",
        property: "intents are read where each line is sound, and nowhere else",
        run: intents,
        seeds: intent_seeds,
        dictionary: &[
            "1 A 0.5 inf\n",
            "1 B 1 nav\n",
            "1 C 0\n",
            "nan",
            "-0",
            "1e400",
            "\n",
            "#",
            " ",
        ],
        max_len: 200,
        smoke: 20_000,
    },
];

const DICTIONARY: &[&str] = &[
    "1 0 a s 1\n",
    "1 0 b s -1\n",
    "1 a 1 1 0.5\n",
    "1 b 1 0 0\n",
    "NA",
    "-999",
    "1 Q0 a 1 2 t\n",
    "s 1\n",
    "\n",
    "# c\n",
    " ",
    "\t",
    "1e-320",
    "inf",
    "\x1e",
];

const RUN: &str = "1 Q0 b 1 3 t\n1 Q0 x 2 2 t\n1 Q0 a 3 1 t\n2 Q0 a 1 1 t\n2 Q0 c 2 1 t\n";

fn seeds(judgements: &[&str]) -> Vec<Vec<u8>> {
    let with_run =
        |judgements: &&str| [b"0000", judgements.as_bytes(), &[SEPARATOR], RUN.as_bytes()].concat();
    judgements.iter().map(with_run).collect()
}

fn strata_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "1 0 a s 1\n1 0 b s -1\n1 0 c t 0\n2 0 a t 2\n",
        "1 0 a 1 1\n1 0 a 1 1\n",
        "1 0 a deep 0.5\n# c\n1\t0\tb\tdeep\tinf\n",
    ])
}

fn prels_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "1 a 1 1 0.5\n1 b 2 0 0\n2 a 1 2 NA\n2 c -999 1 1\n",
        "1 a 1 1 0\n1 b 1 1 1.5\n",
        "1 a 1 1 1e-320\n1 b 1 1 1e-308\n",
    ])
}

fn list_seeds() -> Vec<Vec<u8>> {
    seeds(&["1 a\n1 b\n2 a\n1 a\n", "s 1\ns 2\nt 2\n", "s 1\ns 1\n"])
}

fn intent_seeds() -> Vec<Vec<u8>> {
    strings(&[
        "1 A 0.3 inf\n1 B 0.6 nav\n1 C 1\n",
        "1 A -1\n",
        "1 A 1\n1 A 2 nav\n",
    ])
}

fn plan(names: &str) -> Plan {
    let measures = parse_measures(names, &Conventions::default()).expect("known measures");
    Plan {
        measures,
        ..Plan::default()
    }
}

/// The data lines of a text as columns, if each has that many.
fn columns<const N: usize>(text: &[u8]) -> Option<Vec<[&[u8]; N]>> {
    let lines = data(text);
    let is_text = lines.iter().all(|line| !line.contains(&0));
    let rows = lines.into_iter().map(|line| fields(line).try_into().ok());
    let rows = rows.collect::<Option<Vec<_>>>()?;
    Some(rows).filter(|rows| is_text && !rows.is_empty())
}

/// The content, if the reader accepts it, which it must exactly if `is_sound`.
fn read<T>(text: &[u8], is_sound: bool, reader: impl Fn(&Source) -> Result<T, Error>) -> Option<T> {
    let source = Source::from_bytes("fuzz", text.to_vec()).ok()?;
    if source.bytes() != text {
        return None;
    }
    match reader(&source) {
        Ok(read) => {
            assert!(is_sound, "faults were not found");
            Some(read)
        }
        Err(error) => {
            check_error(&error, text);
            assert!(!is_sound, "{error}");
            None
        }
    }
}

fn finite(field: &[u8]) -> Option<f64> {
    number(field).filter(|value| value.is_finite())
}

/// Compares what was read with what the lines say, by topic and document.
fn same_judgements<J: Copy, V: PartialEq + std::fmt::Debug>(
    read: &SampledQrels<J>,
    expected: &BTreeMap<(&[u8], &[u8]), V>,
    value: impl Fn(J) -> V,
) {
    assert_eq!(read.judgements(), expected.len());
    let topics: BTreeSet<&[u8]> = expected.keys().map(|(topic, _)| *topic).collect();
    assert!(read.topics().map(|topic| topic.id()).eq(topics));
    for topic in read.topics() {
        for ((_, doc), expected) in expected.iter().filter(|((id, _), _)| *id == topic.id()) {
            assert_eq!(topic.get(doc).map(&value).as_ref(), Some(expected));
        }
    }
}

fn strata(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let rows = columns::<5>(input.judgements);
    let mut known = BTreeMap::new();
    let sound = rows.as_ref().is_some_and(|rows| {
        rows.iter().all(|[topic, _, doc, _, grade]| {
            let grade = finite(grade);
            let drawn = grade.filter(|grade| *grade >= 0.0);
            grade.is_some() && known.insert((*topic, *doc), drawn).is_none()
        })
    });
    let Some(qrels) = read(input.judgements, sound, read_strata) else {
        return;
    };
    same_judgements(&qrels, &known, |document| document.grade);
    let mut plan = plan("xinfAP infNDCG iP@10 iNumRel iNumRelRet");
    input.configure(&mut plan);
    let dialect = input.dialect;
    check_engine(&mut input, |run| {
        let evaluated = evaluate_strata((run, dialect), &qrels, &plan);
        let values = evaluated.scores.values.rows().flatten();
        assert!(values.into_iter().all(|value| !value.is_infinite()));
        evaluated
    });
}

fn prels(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let rows = columns::<5>(input.judgements);
    let mut known = BTreeMap::new();
    let sound = rows.as_ref().is_some_and(|rows| {
        rows.iter().all(|[topic, doc, grade, method, probability]| {
            let Some(grade) = finite(grade) else {
                return false;
            };
            if ![&b"0"[..], b"1", b"2"].contains(method) {
                return false;
            }
            if *probability == b"NA" || grade == -999.0 {
                return true;
            }
            let given = finite(probability).is_some_and(|p| p > 0.0 && p <= 1.0);
            let certain = [&b"0"[..], b"2"].contains(method);
            (given || certain) && known.insert((*topic, *doc), grade).is_none()
        })
    });
    let sound = sound && !known.is_empty();
    let Some(qrels) = read(input.judgements, sound, read_prels) else {
        return;
    };
    same_judgements(&qrels, &known, |judgement| judgement.grade);
    let mut plan = plan("statAP statP@10 statNumRel");
    input.configure(&mut plan);
    let dialect = input.dialect;
    check_engine(&mut input, |run| {
        let evaluated = evaluate_prels((run, dialect), &qrels, &plan);
        let values = evaluated.scores.values.rows().flatten();
        assert!(values.into_iter().all(|value| !value.is_infinite()));
        evaluated
    });
}

fn lists(bytes: &[u8]) {
    let Some(input) = Input::new(bytes) else {
        return;
    };
    let rows = columns::<2>(input.judgements);
    let pairs: Vec<[&[u8]; 2]> = rows.clone().unwrap_or_default();
    let distinct: BTreeSet<[&[u8]; 2]> = pairs.iter().copied().collect();
    if let Some(known) = read(input.judgements, rows.is_some(), read_known) {
        assert_eq!(known.len(), distinct.len());
        assert!(
            distinct
                .iter()
                .all(|[topic, doc]| known.contains(topic, doc))
        );
    }
    let sound = rows.is_some() && distinct.len() == pairs.len();
    let Some(sessions) = read(input.judgements, sound, read_sessions) else {
        return;
    };
    for session in sessions.iter() {
        let expected = pairs.iter().filter(|[id, _]| *id == session.id);
        assert!(session.topics().eq(expected.map(|[_, topic]| *topic)));
    }
    let mut plan = plan("nsDCG@10 SessionDCG");
    input.configure(&mut plan);
    let run = Run::from_scores("r", [("1", "b", 3.0), ("1", "a", 1.0), ("2", "a", 1.0)]);
    let qrels = Qrels::from_judgements([("1", "a", 2.0), ("s", "b", 1.0), ("2", "a", 1.0)]);
    let [one, two] = pools();
    let alone = one.install(|| evaluate_sessions(&run, &qrels, &sessions, &plan));
    let both = two.install(|| evaluate_sessions(&run, &qrels, &sessions, &plan));
    same_scores(&alone, &both, "threads");
}

fn intents(bytes: &[u8]) {
    let lines = data(bytes);
    let mut known = BTreeSet::new();
    let sound = lines.iter().all(|line| {
        let (topic, intent, weight, kind) = match *fields(line).as_slice() {
            [topic, intent, weight] => (topic, intent, weight, b"inf".as_slice()),
            [topic, intent, weight, kind] => (topic, intent, weight, kind),
            _ => return false,
        };
        let is_weight = finite(weight).is_some_and(|weight| weight >= 0.0);
        let is_kind = [&b"inf"[..], b"nav"].contains(&kind);
        is_weight && is_kind && known.insert((topic, intent))
    });
    let is_text = lines.iter().all(|line| !line.contains(&0));
    let sound = sound && is_text && !known.is_empty();
    if let Some(intents) = read(bytes, sound, read_intents) {
        assert!(!intents.is_empty());
    }
}
