//! Findings in documents, ranks and scores of a topic.

use insta::assert_snapshot;

use cranfield_core::setting::SettingStyle;
use cranfield_io::Code;
use cranfield_io::doctor::{self, Colour, Options};

use crate::Case;

use super::{codes, report, report_with, text};

pub(super) const FILES: &[Case<'_>] = &[
    (
        "duplicate document",
        "a.run",
        b"1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d1 3 1 t\n1 Q0 d2 2 2 t\n",
    ),
    (
        "rank that is not a number",
        "a.run",
        b"1 Q0 d1 first 3 t\n1 Q0 d2 2 2 t\n",
    ),
    (
        "rank that contradicts the score",
        "a.run",
        b"1 Q0 d1 1 3 t\n1 Q0 d2 2 1 t\n1 Q0 d3 3 2 t\n2 Q0 d1 1 3 t\n",
    ),
    (
        "ranks reversed",
        "a.run",
        b"1 Q0 d1 1 0.1 t\n1 Q0 d2 2 0.2 t\n1 Q0 d3 3 0.3 t\n",
    ),
    (
        "ranks from zero",
        "a.run",
        b"1 Q0 d1 0 3 t\n1 Q0 d2 1 2 t\n2 Q0 d1 0 3 t\n",
    ),
    (
        "ranks with a gap",
        "a.run",
        b"1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d3 5 1 t\n",
    ),
    (
        "duplicate rank",
        "a.run",
        b"1 Q0 d1 1 3 t\n1 Q0 d2 2 2 t\n1 Q0 d3 2 1 t\n",
    ),
    (
        "constant scores",
        "a.run",
        b"1 Q0 d3 1 1 t\n1 Q0 d2 2 1 t\n1 Q0 d1 3 1 t\n",
    ),
    (
        "ties that the rank column breaks differently",
        "a.run",
        b"1 Q0 a 1 2 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n",
    ),
    (
        "scores equal as 32 bit floats",
        "a.run",
        b"1 Q0 a 1 0.1234567891 t\n1 Q0 b 2 0.1234567890 t\n1 Q0 c 3 0.1 t\n",
    ),
];

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
