//! Two sets of judgements side by side.

use std::collections::{BTreeMap, BTreeSet};

use cranfield_core::qrels::Qrels;
use cranfield_eval::agreement::{Agreement, AgreementPlan, Figure, Line, MAX_CLASSES, PercentOf};
use cranfield_io::{QrelsFormat, Source, read_qrels};

use super::Target;
use super::evaluation::SEPARATOR;
use crate::reference::close;

pub(super) const TARGETS: &[Target] = &[Target {
    name: "agree",
    property: "the table of two sets of judgements counts each document once and where its grades say; figures are in range",
    run: agree,
    seeds,
    dictionary: &[
        "1 0 a 1\n",
        "1 0 b 0\n",
        "2 0 a 2\n",
        "1 0 c -1\n",
        "\x1e",
        "0,1",
        "1e300",
        "-0",
        "0.5",
        "\n",
    ],
    max_len: 300,
    smoke: 20_000,
}];

fn seeds() -> Vec<Vec<u8>> {
    [
        "\x1e1 0 a 1\n1 0 b 0\n2 0 a 2\n\x1e1 0 a 2\n1 0 b 0\n3 0 a 1\n",
        "1\x1e1 0 a 1\n1 0 b 0\n1 0 c 3\n\x1e1 0 a 2\n1 0 b -0\n1 0 d 1\n",
        "0,2\x1e1 0 a -1\n\x1e1 0 a 0.5\n",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

/// The grades of a set by topic and document.
type Grades<'a> = BTreeMap<(&'a [u8], &'a [u8]), f64>;

fn grades(qrels: &Qrels) -> Grades<'_> {
    let mut grades = Grades::new();
    for topic in qrels.topics() {
        for (doc, grade) in topic.judgements() {
            grades.insert((topic.id(), doc), grade);
        }
    }
    grades
}

fn agree(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == SEPARATOR);
    let (Some(levels), Some(first), Some(second)) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    let levels = String::from_utf8_lossy(levels);
    let Ok(merging) = levels.parse() else {
        return;
    };
    let read = |text: &[u8]| {
        let source = Source::from_bytes("fuzz", text.to_vec()).ok()?;
        read_qrels(&source, Some(QrelsFormat::Trec)).ok()
    };
    let (Some(first), Some(second)) = (read(first), read(second)) else {
        return;
    };
    let plan = AgreementPlan {
        first: merging,
        ..AgreementPlan::default()
    };
    let plain = AgreementPlan::default();
    for plan in [&plain, &plan] {
        match Agreement::of(&first, &second, plan) {
            Ok(agreement) => check(&agreement, &grades(&first), &grades(&second)),
            Err(_) => assert!(first.judgements().max(second.judgements()) > MAX_CLASSES),
        }
    }
}

fn check(agreement: &Agreement, first: &Grades<'_>, second: &Grades<'_>) {
    let topics = |grades: &Grades<'_>| -> BTreeSet<Vec<u8>> {
        grades.keys().map(|(topic, _)| topic.to_vec()).collect()
    };
    let (one, other) = (topics(first), topics(second));
    let common: Vec<&Vec<u8>> = one.intersection(&other).collect();
    assert!(
        agreement
            .topics
            .iter()
            .map(|topic| &*topic.id)
            .eq(common.iter().map(|id| id.as_slice()))
    );
    assert_eq!(agreement.only_first, one.len() - common.len());
    assert_eq!(agreement.only_second, other.len() - common.len());
    let is_common = |topic: &[u8]| one.contains(topic) && other.contains(topic);
    let both = first.keys().filter(|key| second.contains_key(*key)).count();
    let alone = |own: &Grades<'_>, other: &Grades<'_>| {
        let alone = own.keys().filter(|key| !other.contains_key(*key));
        alone.filter(|(topic, _)| is_common(topic)).count() as u64
    };
    let table = &agreement.all;
    assert_eq!(table.count(Line::Total, Line::Total), both as u64);
    assert_eq!(
        table.count(Line::Unjudged, Line::Total),
        alone(first, second)
    );
    assert_eq!(
        table.count(Line::Total, Line::Unjudged),
        alone(second, first)
    );
    let cells: u64 = table.cells().map(|(_, _, count)| count).sum();
    assert_eq!(cells, both as u64);
    let percents = table.cells().filter_map(|(row, column, _)| {
        table.percent(PercentOf::All, Line::Class(row), Line::Class(column))
    });
    assert!(both == 0 || close(percents.sum(), 100.0));
    check_figures(agreement, first, second);
}

fn check_figures(agreement: &Agreement, first: &Grades<'_>, second: &Grades<'_>) {
    let table = &agreement.all;
    for figure in Figure::ALL {
        let values = agreement
            .topics
            .iter()
            .map(|topic| topic.table.figure(*figure));
        for value in values
            .chain([table.figure(*figure), agreement.mean(*figure)])
            .flatten()
        {
            let is_kappa = figure.name().starts_with("kappa");
            assert!(
                value <= 1.0 && (is_kappa || value >= 0.0) && value.is_finite(),
                "{figure} {value}"
            );
        }
    }
    if agreement.plan.first.is_none() {
        let pairs: Vec<(f64, f64)> = first
            .iter()
            .filter_map(|(key, grade)| Some((*grade, *second.get(key)?)))
            .collect();
        let same = pairs.iter().filter(|(a, b)| a == b).count() as f64;
        let share = (!pairs.is_empty()).then(|| same / pairs.len() as f64);
        assert_eq!(table.figure(Figure::Agreement), share);
    }
}
