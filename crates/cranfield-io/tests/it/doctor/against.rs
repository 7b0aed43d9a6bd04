//! Runs checked against judgements.

use insta::assert_snapshot;

use cranfield_core::qrels::Qrels;
use cranfield_io::Code;
use cranfield_io::doctor::Options;

use super::{codes, report_with, text_against};

/// A run and judgements by case.
type Judged<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str, f64)]);

const RUNS: &[Judged<'_>] = &[
    (
        "run that matches its qrels",
        "1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n",
        &[("1", "d1", 1.0), ("2", "d2", 1.0)],
    ),
    (
        "unknown and missing topics",
        "301 Q0 d1 1 2 t\n400 Q0 d2 1 2 t\n",
        &[("301", "d1", 1.0), ("302", "d1", 1.0), ("303", "d1", 1.0)],
    ),
    (
        "topics numbered from one",
        "1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n3 Q0 d3 1 2 t\n",
        &[("301", "d1", 1.0), ("315", "d2", 1.0), ("340", "d3", 1.0)],
    ),
    (
        "topics with leading zeros",
        "1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n",
        &[("001", "d1", 1.0), ("002", "d2", 1.0)],
    ),
    (
        "chunks instead of documents",
        "1 Q0 d1#0 1 3 t\n1 Q0 d1#1 2 2 t\n1 Q0 d2#0 3 1 t\n",
        &[("1", "d1", 1.0), ("1", "d2", 0.0)],
    ),
];

#[test]
fn reports() {
    let reports = RUNS.iter().map(|(case, run, judgements)| {
        let report = text_against(run, judgements);
        format!("## {case}\n{}\n", report.trim_end())
    });
    assert_snapshot!(reports.collect::<Vec<_>>().join("\n"));
}

/// Five topics with ten documents each, graded by rank.
fn graded(grade: impl Fn(u32) -> f64) -> (String, Qrels) {
    let mut run = Vec::new();
    let mut judgements = Vec::new();
    for topic in 1..=5 {
        for rank in 1..=10 {
            let (topic, doc) = (topic.to_string(), format!("d{rank}"));
            run.push(format!("{topic} Q0 {doc} {rank} {} t\n", 100 - rank));
            judgements.push((topic, doc, grade(rank)));
        }
    }
    (run.concat(), Qrels::from_judgements(judgements))
}

#[test]
fn low_grades_first_suggest_a_reversed_scale() {
    let check = |grade: fn(u32) -> f64| {
        let (run, qrels) = graded(grade);
        codes(&report_with(
            "a.run",
            run.as_bytes(),
            &Options::default(),
            Some(&qrels),
        ))
    };
    assert_eq!(
        check(|rank| f64::from(rank / 4 + 1)),
        [Code::GradeScaleReversed]
    );
    assert_eq!(check(|rank| f64::from(4 - rank / 4)), []);
    // A grade of 0 means that the scale is not reversed.
    assert_eq!(check(|rank| f64::from(rank / 4)), []);
}
