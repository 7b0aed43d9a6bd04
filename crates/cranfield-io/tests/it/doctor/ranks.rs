//! Findings in documents, ranks and scores of a topic.

use insta::assert_snapshot;

use cranfield_core::setting::SettingStyle;
use cranfield_io::Code;
use cranfield_io::doctor::{self, Colour, Options};

use super::{codes, report, report_with, text};

#[test]
fn duplicate_document() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d1 3 1 t\n1 Q0 d2 2 2 t\n"), @r#"
error[IR030]: document `d1` is in topic `1` twice; first on line 1
 --> a.run:3:6
  |
3 | 1 Q0 d1 3 1 t
  |      ^^
error[IR030]: document `d2` is in topic `1` twice; first on line 2
 --> a.run:4:6
  |
4 | 1 Q0 d2 2 2 t
  |      ^^
  = count: 2 lines
  = cause: The run lists a document twice for a topic, so one relevant document would count twice.
  = cure: Keep each document once per topic, usually with its best score.
  = fix: remove exact copies of lines (1 of 2)

1 error in a.run: run of 1 topic, 4 lines
"#);
}

#[test]
fn rank_that_is_not_a_number() {
    assert_snapshot!(text("a.run", "1 Q0 d1 first 3 t\n1 Q0 d2 2 2 t\n"), @r#"
warning[IR044]: rank is `first`, expected a number
 --> a.run:1:9
  |
1 | 1 Q0 d1 first 3 t
  |         ^^^^^
  = count: 1 line
  = cause: The rank column of TREC text contains something else. It is ignored, because scores determine the order, but the tie rule rank-column needs it.
  = cure: Write ranks as 1, 2, 3 and so on.

1 warning in a.run: run of 1 topic, 2 lines
"#);
}

#[test]
fn rank_that_contradicts_the_score() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 3 t\n1 Q0 d2 2 1 t\n1 Q0 d3 3 2 t\n2 Q0 d1 1 3 t\n"), @r#"
warning[IR033]: rank 3 of topic `1` has score 2, above the 1 of rank 2
 --> a.run:3:9
  |
3 | 1 Q0 d3 3 2 t
  |         ^
  = count: 1 topic
  = cause: A document with a better rank has a lower score, so tools that sort by score and tools that sort by rank disagree.
  = cure: Sort by the intended one; the tie rule rank-column follows ranks.
  = fix: recompute ranks from the scores

1 warning in a.run: run of 2 topics, 4 lines
"#);
}

#[test]
fn ranks_reversed() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 0.1 t\n1 Q0 d2 2 0.2 t\n1 Q0 d3 3 0.3 t\n"), @r#"
warning[IR034]: scores of topic `1` increase with the rank
 --> a.run:1:9
  |
1 | 1 Q0 d1 1 0.1 t
  |         ^
  = count: 1 topic
  = cause: Scores increase with the rank: either the ranking is upside down, or the scores are distances.
  = cure: Write scores so that larger is better; negate distances.

1 warning in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn ranks_from_zero() {
    assert_snapshot!(text("a.run", "1 Q0 d1 0 3 t\n1 Q0 d2 1 2 t\n2 Q0 d1 0 3 t\n"), @r#"
warning[IR035]: ranks of topic `1` start at 0
 --> a.run:1:9
  |
1 | 1 Q0 d1 0 3 t
  |         ^
warning[IR035]: ranks of topic `2` start at 0
 --> a.run:3:9
  |
3 | 2 Q0 d1 0 3 t
  |         ^
  = count: 2 topics
  = cause: The first rank of a topic is 0; ranks start at 1.
  = cure: Add one to each rank; the order depends on the scores only.
  = fix: recompute ranks from the scores

1 warning in a.run: run of 2 topics, 3 lines
"#);
}

#[test]
fn ranks_with_a_gap() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d3 5 1 t\n"), @r#"
note[IR061]: ranks of topic `1` are not consecutive: unexpected rank 5
 --> a.run:3:9
  |
3 | 1 Q0 d3 5 1 t
  |         ^
  = count: 1 topic
  = cause: The ranks of a topic are not 1, 2, 3 and so on: some are missing or not integers.
  = cure: Check whether documents were lost; the order depends on the scores only.
  = fix: recompute ranks from the scores

1 note in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn duplicate_rank() {
    assert_snapshot!(text("a.run", "1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d3 2 1 t\n"), @r#"
warning[IR060]: rank 2 is in topic `1` twice; first on line 2
 --> a.run:3:9
  |
3 | 1 Q0 d3 2 1 t
  |         ^
  = count: 1 topic
  = cause: Two documents of a topic have the same rank; tools that sort by rank must break the tie somehow.
  = cure: Number the documents of each topic 1, 2, 3 and so on; the order depends on the scores only.
  = fix: recompute ranks from the scores

1 warning in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn constant_scores() {
    assert_snapshot!(text("a.run", "1 Q0 d3 1 1 t\n1 Q0 d2 2 1 t\n1 Q0 d1 3 1 t\n"), @r#"
warning[IR038]: all 3 documents of topic `1` have the same score
 --> a.run:1:11
  |
1 | 1 Q0 d3 1 1 t
  |           ^
  = count: 1 topic
  = note: 100.0 % of all documents share their score with another document of their topic
  = cause: Many documents of a topic share one score, so the tie rule determines the ranking.
  = cure: Write scores with more digits; 32-bit or rounded scores collapse.

1 warning in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn mostly_tied_scores() {
    let lines: Vec<String> = (0..12)
        .map(|n| format!("1 Q0 d{} {} {} t\n", 99 - n, n + 1, 20 - n.min(6)))
        .collect();
    assert_snapshot!(text("a.run", lines.concat()), @r#"
warning[IR038]: 6 of 12 documents of topic `1` share their score with another
 --> a.run:7:12
  |
7 | 1 Q0 d93 7 14 t
  |            ^^
  = count: 1 topic
  = note: 50.0 % of all documents share their score with another document of their topic
  = cause: Many documents of a topic share one score, so the tie rule determines the ranking.
  = cure: Write scores with more digits; 32-bit or rounded scores collapse.

1 warning in a.run: run of 1 topic, 12 lines
"#);
    let fewer: Vec<String> = (0..12)
        .map(|n| format!("1 Q0 d{} {} {} t\n", 99 - n, n + 1, 20 - n.min(7)))
        .collect();
    assert_eq!(codes(&report("a.run", fewer.concat().as_bytes())), []);
}

#[test]
fn ties_that_the_rank_column_breaks_differently() {
    assert_snapshot!(text("a.run", "1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n"), @r#"
note[IR062]: `b` and `a` have equal scores: the id puts `b` first, the rank column `a`
 --> a.run:1:8
  |
1 | 1 Q0 a 1 2 t
  |        ^
  = count: 1 topic
  = cause: Documents with equal scores are sorted by descending document id, and the rank column has another order; tools that sort by rank give other values.
  = cure: Write distinct scores wherever ranks differ; the tie rules rank-column and input-order show how much it matters.

1 note in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn scores_equal_as_32_bit_floats() {
    assert_snapshot!(text("a.run", "1 Q0 a 1 0.1234567891 t\n1 Q0 b 2 0.1234567890 t\n1 Q0 c 3 0.1 t\n"), @r#"
note[IR063]: scores 0.1234567891 and 0.123456789 of topic `1` are equal as 32-bit floats
 --> a.run:2:10
  |
2 | 1 Q0 b 2 0.1234567890 t
  |          ^^^^^^^^^^^^
  = count: 1 topic
  = note: 1 pair of adjacent documents in total
  = cause: trec_eval 9, and therefore pytrec_eval, stores scores in 32 bits: there these scores are tied and the document id decides.
  = cure: Use the profile trec_eval-9 to reproduce its values, or spread the scores.

1 note in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn deeper_than_the_track() {
    let options = Options {
        depth: 2,
        ..Options::default()
    };
    let run = b"1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d3 3 1 t\n";
    let report = report_with("a.run", run, &options, None);
    assert_snapshot!(doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral), @r#"
warning[IR042]: topic `1` has 3 documents, the limit is 2
 --> a.run:3:6
  |
3 | 1 Q0 d3 3 1 t
  |      ^^
  = count: 1 topic
  = cause: A topic has more documents than the track allows, so recall-based measures are not comparable with other runs.
  = cure: Truncate the ranking, or evaluate with a depth limit.

1 warning in a.run: run of 1 topic, 3 lines
"#);
}

#[test]
fn the_default_depth_is_1000() {
    let lines = |n: u32| -> String {
        let lines: Vec<String> = (1..=n)
            .map(|r| format!("1 Q0 d{r} {r} {} t\n", 5000 - r))
            .collect();
        lines.concat()
    };
    assert_eq!(codes(&report("a.run", lines(1000).as_bytes())), []);
    assert_eq!(
        codes(&report("a.run", lines(1001).as_bytes())),
        [Code::TooDeep]
    );
}

#[test]
fn very_short_ranking() {
    let lines: Vec<String> = (1..=30)
        .map(|rank| {
            format!(
                "{} Q0 d{rank} {rank} {} t\n",
                1 + (rank - 1) / 15,
                100 - rank
            )
        })
        .collect();
    let run = lines.concat().replace("2 Q0 d16 16", "2 Q0 d16 1");
    let run = run + "3 Q0 d1 1 1 t\n";
    let report = report("a.run", run.as_bytes());
    let short = report.finding(Code::ShortRanking).unwrap();
    assert_eq!(
        short.message(),
        "topic `3` has 1 document, the median is 15"
    );
    assert_eq!((short.count, short.places[0].line), (1, 31));
}
