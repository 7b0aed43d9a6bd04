//! Findings in judgements.

use insta::assert_snapshot;

use cranfield_core::setting::SettingStyle;
use cranfield_io::Code;
use cranfield_io::doctor::{self, Colour, Options};

use crate::Case;

use super::{codes, report, report_with, text};

pub(super) const FILES: &[Case<'_>] = &[
    ("healthy qrels", "q.txt", b"1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n"),
    (
        "conflicting judgements",
        "q.txt",
        b"1 0 d1 2\n1 0 d2 0\n1 0 d1 1\n",
    ),
    (
        "repeated judgements",
        "q.txt",
        b"1 0 d1 2\n1 0 d2 0\n1 0 d1 2\n",
    ),
    (
        "grade that is not a number",
        "q.txt",
        b"1 0 d1 high\n1 0 d2 1\n1 0 d3 nan\n",
    ),
    ("three columns", "q.txt", b"1 184 2\n1 29 2\n"),
    (
        "no relevant documents",
        "q.txt",
        b"1 0 d1 0\n1 0 d2 0\n2 0 d3 0\n",
    ),
    (
        "topic without relevant documents",
        "q.txt",
        b"1 0 d1 0\n1 0 d2 0\n2 0 d3 1\n",
    ),
    ("fractional grades", "q.txt", b"1 0 d1 0.5\n1 0 d2 1\n"),
];

#[test]
fn grades_out_of_scale() {
    let options = Options {
        scale: "0..3".parse().ok(),
        ..Options::default()
    };
    let report = report_with("q.txt", b"1 0 d1 2\n1 0 d2 33\n1 0 d3 0\n", &options, None);
    assert_snapshot!(doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral), @r#"
warning[IR040]: grade is 33, expected 0 to 3
 --> q.txt:2:8
  |
2 | 1 0 d2 33
  |        ^^
  = count: 1 line
  = cause: A grade is not on the scale; exponential gains make such a mistake enormous.
  = cure: Correct the grade, or pass the right scale.

1 warning in q.txt: qrels of 1 topic, 3 lines
"#);
}

#[test]
fn grades_with_one_as_the_best() {
    let counts = [(-1, 5), (1, 3), (2, 8), (3, 12), (4, 6)];
    let mut qrels = String::new();
    for (grade, count) in counts {
        for n in 0..count {
            qrels += &[
                "1 0 d",
                &grade.to_string(),
                "-",
                &n.to_string(),
                " ",
                &grade.to_string(),
                "\n",
            ]
            .concat();
        }
    }
    assert_snapshot!(text("cranqrel", qrels), @r#"
warning[IR041]: grades look as if 1 were the best: -1 (5), 1 (3), 2 (8), 3 (12), 4 (6)
--> cranqrel
  = note: this is a suspicion: no grade is 0, and the lowest grade above 0 is the rarest
  = cause: Grades look as if 1 were the best, as in the original Cranfield collection; measures treat larger grades as better.
  = cure: Reverse the scale before evaluating.

note[IR070]: grade is -1, below 0
 --> cranqrel:1:11
  |
1 | 1 0 d-1-0 -1
  |           ^^
  = count: 5 lines, 1 shown
  = cause: Grades below 0 count as judged and not relevant here; trec_eval treats them as not judged.
  = cure: Nothing to do if that is intended; the profile trec_eval treats them as trec_eval does.

1 warning, 1 note in cranqrel: qrels of 1 topic, 34 lines
"#);
}

#[test]
fn every_negative_grade_is_counted_and_the_first_shown() {
    let report = report("q.txt", b"1 0 d1 1\n1 0 d2 -1\n1 0 d3 -2\n");
    assert_eq!(codes(&report), [Code::NegativeGrade]);
    let finding = report.finding(Code::NegativeGrade).unwrap();
    assert_eq!(
        (finding.count, finding.places.len(), finding.places[0].line),
        (2, 1, 2)
    );
}
