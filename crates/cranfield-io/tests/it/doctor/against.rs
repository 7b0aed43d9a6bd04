//! Runs checked against judgements.

use insta::assert_snapshot;

use cranfield_core::qrels::Qrels;
use cranfield_io::Code;
use cranfield_io::doctor::Options;

use super::{codes, report_with, text_against};

#[test]
fn run_that_matches_its_qrels() {
    assert_snapshot!(text_against("1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n", &[("1", "d1", 1.0), ("2", "d2", 1.0)]), @r#"
no problems in a.run: run of 2 topics, 2 lines
"#);
}

#[test]
fn unknown_and_missing_topics() {
    let qrels = [("301", "d1", 1.0), ("302", "d1", 1.0), ("303", "d1", 1.0)];
    assert_snapshot!(text_against("301 Q0 d1 1 2 t\n400 Q0 d2 1 2 t\n", &qrels), @r#"
warning[IR036]: topic `400` is not in the qrels
 --> a.run:2:1
  |
2 | 400 Q0 d2 1 2 t
  | ^^^
  = count: 1 topic
  = cause: The run has a topic without judgements; it is not evaluated.
  = cure: Check that the qrels belong to this run and that ids are written alike (7 and 007 differ).

warning[IR037]: 2 of 3 judged topics are not in the run: `302`, `303`
--> a.run
  = count: 2 topics
  = cause: The run returned nothing for a judged topic, which scores 0.
  = cure: Check that the run is complete; the topic rule both leaves such topics out.

2 warnings in a.run: run of 2 topics, 2 lines
"#);
}

#[test]
fn topics_numbered_from_one() {
    let qrels = [("301", "d1", 1.0), ("315", "d2", 1.0), ("340", "d3", 1.0)];
    assert_snapshot!(text_against("1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n3 Q0 d3 1 2 t\n", &qrels), @r#"
warning[IR036]: topic `1` is not in the qrels
 --> a.run:1:1
  |
1 | 1 Q0 d1 1 2 t
  | ^
warning[IR036]: topic `2` is not in the qrels
 --> a.run:2:1
  |
2 | 2 Q0 d2 1 2 t
  | ^
warning[IR036]: topic `3` is not in the qrels
 --> a.run:3:1
  |
3 | 3 Q0 d3 1 2 t
  | ^
  = count: 3 topics
  = cause: The run has a topic without judgements; it is not evaluated.
  = cure: Check that the qrels belong to this run and that ids are written alike (7 and 007 differ).

warning[IR037]: 3 of 3 judged topics are not in the run: `301`, `315`, `340`
--> a.run
  = count: 3 topics
  = cause: The run returned nothing for a judged topic, which scores 0.
  = cure: Check that the run is complete; the topic rule both leaves such topics out.

warning[IR066]: the run numbers its topics from 1 to 3, the qrels have ids such as `301`
--> a.run
  = count: 3 topics
  = cause: Topics of the run without judgements would match judged topics if ids were written the same way; or the run numbers its topics 1, 2, 3 and the qrels have other ids.
  = cure: Use the ids of the qrels in the run.

3 warnings in a.run: run of 3 topics, 3 lines
"#);
}

#[test]
fn topics_with_leading_zeros() {
    let qrels = [("001", "d1", 1.0), ("002", "d2", 1.0)];
    assert_snapshot!(text_against("1 Q0 d1 1 2 t\n2 Q0 d2 1 2 t\n", &qrels), @r#"
warning[IR036]: topic `1` is not in the qrels
 --> a.run:1:1
  |
1 | 1 Q0 d1 1 2 t
  | ^
warning[IR036]: topic `2` is not in the qrels
 --> a.run:2:1
  |
2 | 2 Q0 d2 1 2 t
  | ^
  = count: 2 topics
  = cause: The run has a topic without judgements; it is not evaluated.
  = cure: Check that the qrels belong to this run and that ids are written alike (7 and 007 differ).

warning[IR037]: 2 of 2 judged topics are not in the run: `001`, `002`
--> a.run
  = count: 2 topics
  = cause: The run returned nothing for a judged topic, which scores 0.
  = cure: Check that the run is complete; the topic rule both leaves such topics out.

warning[IR066]: 2 topics of the run have different ids in the qrels, such as `1` in the run and `001` in the qrels
--> a.run
  = count: 2 topics
  = cause: Topics of the run without judgements would match judged topics if ids were written the same way; or the run numbers its topics 1, 2, 3 and the qrels have other ids.
  = cure: Use the ids of the qrels in the run.

3 warnings in a.run: run of 2 topics, 2 lines
"#);
}

#[test]
fn chunks_instead_of_documents() {
    let qrels = [("1", "d1", 1.0), ("1", "d2", 0.0)];
    assert_snapshot!(text_against("1 Q0 d1#0 1 3 t\n1 Q0 d1#1 2 2 t\n1 Q0 d2#0 3 1 t\n", &qrels), @r#"
warning[IR067]: 0 of 3 retrieved documents are judged; the qrels have 2 judgements for these topics
--> a.run
  = note: ids differ by a prefix or suffix: `d1#0` in the run corresponds to `d1`
  = cause: Documents of the run almost never match judged ones, so every measure is near 0; often the ids are those of chunks or of another version of the collection.
  = cure: Use the ids of the qrels in the run; map chunks to their documents and keep each document once.

1 warning in a.run: run of 1 topic, 3 lines
"#);
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
