//! Regression outputs of trec_eval for preferences and judgement groups, if the data are available.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cranfield_core::groups::{GroupedQrels, GroupedQrelsBuilder};
use cranfield_core::measure::Computation;
use cranfield_core::prefs::{Preferences, PreferencesBuilder};

use crate::profiles::Profile;
use crate::spec::Conventions;
use crate::trec_names::{TREC_MEASURES, TrecKind};

#[test]
fn prefs() {
    for input in ["prefs.test", "prefs.comment.test"] {
        check_preferences(
            input,
            "prefs.results.test",
            "out.test.prefs",
            |builder, fields| {
                builder.push(
                    fields[0],
                    fields[1],
                    fields[2],
                    fields[3],
                    number(fields[4]),
                );
            },
        );
    }
}

#[test]
fn qrels_prefs() {
    check_preferences(
        "qrels.test",
        "results.test",
        "out.test.qrels_prefs",
        |builder, fields| {
            builder.push(fields[0], fields[1], b"0", fields[2], number(fields[3]));
        },
    );
}

#[test]
fn qrels_jg() {
    let Some(folder) = folder() else { return };
    let expected = expected(&folder, "out.test.qrels_jg");
    let run = run(&folder, "results.test", |a, b| b.cmp(a));
    for input in ["qrels.123", "qrels.comments.123"] {
        let mut builder = GroupedQrelsBuilder::default();
        let text = read(&folder, input);
        lines(&text)
            .for_each(|fields| builder.push(fields[0], fields[1], fields[2], number(fields[3])));
        let qrels = builder.finish().expect("the file has no duplicates");
        assert_eq!(grouped_values(&qrels, &run), expected);
    }
}

/// Topic, name and printed value, in output order.
type Printed = Vec<(String, String, String)>;

/// Documents of each topic, best first.
type Run = BTreeMap<Vec<u8>, Vec<Vec<u8>>>;

#[track_caller]
fn check_preferences(
    input: &str,
    results: &str,
    output: &str,
    push: fn(&mut PreferencesBuilder, &[&[u8]]),
) {
    let Some(folder) = folder() else { return };
    let mut builder = PreferencesBuilder::default();
    let text = read(&folder, input);
    lines(&text).for_each(|fields| push(&mut builder, &fields));
    let run = run(&folder, results, Ord::cmp);
    assert_eq!(
        preference_values(&builder.finish(), &run),
        expected(&folder, output)
    );
}

fn preference_values(preferences: &Preferences, run: &Run) -> Printed {
    let mut printed = Vec::new();
    for topic in preferences.topics() {
        let ranked: Vec<_> = run[topic.id()].iter().map(Vec::as_slice).collect();
        let judged = topic
            .judge(&ranked)
            .expect("the file has no contradictions");
        print_topic(
            topic.id(),
            'A',
            &mut printed,
            |computation| match computation {
                Computation::Preference(measure) => measure.evaluate(&judged),
                other => panic!("{other:?} is not a preference measure"),
            },
        );
    }
    printed
}

fn grouped_values(qrels: &GroupedQrels, run: &Run) -> Printed {
    let mut printed = Vec::new();
    for topic in qrels.topics() {
        let ranked = &run[topic.id()];
        let ranked: Vec<&[u8]> = ranked.iter().map(Vec::as_slice).collect();
        let policies = Profile::TrecEval.policies();
        let judged = topic.judge(&ranked, &policies, &[]);
        print_topic(
            topic.id(),
            'j',
            &mut printed,
            |computation| match computation {
                Computation::Grouped(measure) => measure.evaluate(&judged),
                other => panic!("{other:?} is not a measure of judgement groups"),
            },
        );
    }
    printed
}

/// Prints the measures of a `trec_eval` group for one topic.
fn print_topic(
    id: &[u8],
    letter: char,
    printed: &mut Printed,
    value: impl Fn(&Computation) -> Option<f64>,
) {
    let rows = TREC_MEASURES
        .iter()
        .filter(|row| row.per_topic && row.in_group(letter));
    for row in rows {
        for named in row
            .plain(&Conventions::default())
            .expect("the measure is registered")
        {
            let value = value(&named.measure.computation).unwrap_or(0.0);
            let text = if row.kind == TrecKind::Count {
                value.to_string()
            } else {
                format!("{value:.4}")
            };
            printed.push((String::from_utf8_lossy(id).into_owned(), named.name, text));
        }
    }
}

/// The folder of regression data, if it is there.
fn folder() -> Option<PathBuf> {
    cranfield_testkit::golden("trec_eval")
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).expect("the shared data are complete")
}

/// Fields of the lines that are not comments.
fn lines(text: &[u8]) -> impl Iterator<Item = Vec<&[u8]>> {
    let lines = text
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.starts_with(b"#"));
    lines
        .map(|line| {
            line.split(u8::is_ascii_whitespace)
                .filter(|field| !field.is_empty())
                .collect::<Vec<_>>()
        })
        .filter(|fields| !fields.is_empty())
}

/// The number in a field.
pub(super) fn number(field: &[u8]) -> f64 {
    let text = str::from_utf8(field).expect("numbers are ASCII");
    text.parse().expect("the field is a number")
}

fn run(folder: &Path, name: &str, ties: fn(&[u8], &[u8]) -> std::cmp::Ordering) -> Run {
    let text = read(folder, name);
    let mut scored: BTreeMap<Vec<u8>, Vec<(f64, Vec<u8>)>> = BTreeMap::new();
    for fields in lines(&text) {
        let topic = scored.entry(fields[0].to_vec()).or_default();
        topic.push((number(fields[4]), fields[2].to_vec()));
    }
    let rank = |(topic, mut docs): (_, Vec<(f64, Vec<u8>)>)| {
        docs.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| ties(&a.1, &b.1)));
        (topic, docs.into_iter().map(|(_, doc)| doc).collect())
    };
    scored.into_iter().map(rank).collect()
}

/// Topic lines of an output of trec_eval.
fn expected(folder: &Path, name: &str) -> Printed {
    let text = read(folder, name);
    let values = lines(&text).map(|fields| {
        let [name, topic, value] =
            [0, 1, 2].map(|at| String::from_utf8_lossy(fields[at]).into_owned());
        (topic, name, value)
    });
    values.filter(|(topic, _, _)| topic != "all").collect()
}
