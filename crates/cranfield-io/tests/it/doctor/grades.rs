//! Findings in judgements.

use insta::assert_snapshot;

use cranfield_core::setting::SettingStyle;
use cranfield_io::Code;
use cranfield_io::doctor::{self, Colour, Options};

use super::{codes, report, report_with, text};

#[test]
fn healthy_qrels() {
    assert_snapshot!(text("q.txt", "1 0 d1 2\n1 0 d2 0\n2 0 d1 1\n"), @r#"
no problems in q.txt: qrels of 2 topics, 3 lines
"#);
}

#[test]
fn conflicting_judgements() {
    assert_snapshot!(text("q.txt", "1 0 d1 2\n1 0 d2 0\n1 0 d1 1\n"), @r#"
error[IR031]: document `d1` of topic `1` has grades 2 and 1; first on line 1
 --> q.txt:3:8
  |
3 | 1 0 d1 1
  |        ^
  = count: 1 line
  = cause: The qrels judge a document twice for a topic, with different grades.
  = cure: Choose one grade; if several assessors judged, aggregate their grades first.

1 error in q.txt: qrels of 1 topic, 3 lines
"#);
}

#[test]
fn repeated_judgements() {
    assert_snapshot!(text("q.txt", "1 0 d1 2\n1 0 d2 0\n1 0 d1 2\n"), @r#"
warning[IR032]: document `d1` of topic `1` is judged twice; first on line 1
 --> q.txt:3:5
  |
3 | 1 0 d1 2
  |     ^^
  = count: 1 line
  = cause: The qrels repeat a judgement with the same grade; the repetition is ignored.
  = cure: Remove the repeated lines.
  = fix: remove repeated judgements

1 warning in q.txt: qrels of 1 topic, 3 lines
"#);
}

#[test]
fn grade_that_is_not_a_number() {
    assert_snapshot!(text("q.txt", "1 0 d1 high\n1 0 d2 1\n1 0 d3 nan\n"), @r#"
error[IR013]: grade is `high`, expected a number
 --> q.txt:1:8
  |
1 | 1 0 d1 high
  |        ^^^^
error[IR013]: grade is `nan`, expected a finite number
 --> q.txt:3:8
  |
3 | 1 0 d3 nan
  |        ^^^
  = count: 2 lines
  = cause: The grade column contains something other than a finite number.
  = cure: Write grades as numbers, such as 0, 1, 2 or 0.5.

1 error in q.txt: qrels of 1 topic, 3 lines
"#);
}

#[test]
fn three_columns() {
    assert_snapshot!(text("q.txt", "1 184 2\n1 29 2\n"), @r#"
error[IR010]: found 3 columns, expected 4: topic iteration document grade
 --> q.txt:1:1
  |
1 | 1 184 2
  | ^^^^^^^
error[IR010]: found 3 columns, expected 4: topic iteration document grade
 --> q.txt:2:1
  |
2 | 1 29 2
  | ^^^^^^
  = count: 2 lines
  = cause: The line has more or fewer fields than the format; often an id contains a space, or the line is incomplete.
  = cure: A TREC run has 6 columns (topic Q0 document rank score tag), TREC qrels have 4 (topic iteration document grade).

1 error in q.txt: qrels of 0 topics, 2 lines
"#);
}

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
fn no_relevant_documents() {
    assert_snapshot!(text("q.txt", "1 0 d1 0\n1 0 d2 0\n2 0 d3 0\n"), @r#"
warning[IR071]: no grade is above 0 in 3 judgements: 0 (3)
--> q.txt
  = cause: No grade is above 0, so every measure is 0 or undefined.
  = cure: Check that the grade is the last column and that this is the right file.

1 warning in q.txt: qrels of 2 topics, 3 lines
"#);
}

#[test]
fn topic_without_relevant_documents() {
    assert_snapshot!(text("q.txt", "1 0 d1 0\n1 0 d2 0\n2 0 d3 1\n"), @r#"
warning[IR072]: no document of topic `1` has a grade above 0
 --> q.txt:1:1
  |
1 | 1 0 d1 0
  | ^
  = count: 1 topic
  = cause: No document of the topic has a grade above 0, so most measures are undefined for it and count as 0 in a mean.
  = cure: Remove the topic from the qrels, or skip undefined values.

1 warning in q.txt: qrels of 2 topics, 3 lines
"#);
}

#[test]
fn fractional_grades() {
    assert_snapshot!(text("q.txt", "1 0 d1 0.5\n1 0 d2 1\n"), @r#"
note[IR073]: grade is 0.5, not an integer
 --> q.txt:1:8
  |
1 | 1 0 d1 0.5
  |        ^^^
  = count: 1 line
  = cause: Grades are real numbers here; trec_eval truncates them to integers, so 0.5 becomes 0.
  = cure: Nothing to do if that is intended; scale the grades to integers for other tools.

1 note in q.txt: qrels of 1 topic, 2 lines
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
