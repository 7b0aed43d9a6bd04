//! The board against the library calls behind `cranfield eval` and `cranfield compare`, for the same runs and topics.

use std::collections::BTreeMap;

use cranfield_compare::compare::{MeasureTable, Settings, Test, compare};
use cranfield_core::qrels::Qrels;
use cranfield_eval::{Conventions, Inputs, Request, RunInput, parse_measures};
use cranfield_io::Source;
use serde_json::Value;

use super::Story;
use crate::campaign::Campaign;

const TOPICS: usize = 20;
const MEASURES: &str = "AP RR P@5";

/// Judgements with 2 to 5 relevant documents of 12 for each topic; one topic has none.
fn qrels() -> String {
    let mut text = String::new();
    for topic in 1..=TOPICS {
        for document in 0..12 {
            let relevant = topic != 7 && (document * 7 + topic) % 12 < 2 + topic % 4;
            text.push_str(&format!(
                "{topic:02} 0 d{document} {}\n",
                u8::from(relevant)
            ));
        }
    }
    text
}

/// A run that orders the documents by a sequence that depends on the seed, better for greater skill.
fn run(seed: u64, skill: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = |most: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % most
    };
    let mut text = String::new();
    for topic in 1..=TOPICS {
        for document in 0..12 {
            let relevant = (document * 7 + topic) % 12 < 2 + topic % 4;
            let score = random(1000) + if relevant { 60 * skill } else { 0 };
            text.push_str(&format!("{topic:02} Q0 d{document} 1 {score} t\n"));
        }
    }
    text
}

/// Name, seed and skill. The first two send the same rankings, so that they share a place; `BM25` is a baseline.
const TEAMS: [(&str, u64, u64); 6] = [
    ("BM25", 3, 6),
    ("我們不要BM25了", 11, 9),
    ("__incognito__", 11, 9),
    ("C", 5, 3),
    ("D", 8, 14),
    ("E", 21, 0),
];

async fn story() -> (Story, String) {
    let story = Story::new();
    let prof = story.organiser().await;
    let fields = [("measures", MEASURES), ("seed", "4")];
    story.campaign_of(&prof, &qrels(), &fields).await;
    (story, prof)
}

async fn sent(story: &Story, prof: &str) -> Vec<String> {
    let mut cookies = Vec::new();
    for (at, (name, seed, skill)) in TEAMS.into_iter().enumerate() {
        // The tag differs, so that the files do.
        let text = run(seed, skill).replace(" t\n", &format!(" t{at}\n"));
        let files = [("run", Some("my.run"), text.as_str())];
        if name == "BM25" {
            let path = "/api/v1/c/hw1/admin/baselines?name=BM25";
            let answer = story.upload(prof, path, &files).await;
            assert_eq!(answer.status, 202, "{}", answer.text);
        } else {
            let cookie = story.team(prof, &format!("login{at}"), name).await;
            assert_eq!(story.submit(&cookie, &text).await.status, 202);
            cookies.push(cookie);
        }
    }
    story.settle().await;
    cookies
}

/// What the library computes from the judgements of these topics, by the name of the team.
fn expected(story: &Story, public: bool, measure: usize) -> (MeasureTable, Vec<&'static str>) {
    let server = &story.site.server;
    let split = server.store.read_here(|db| {
        let campaign = Campaign::by_slug(db, "hw1")?;
        Ok((campaign.topics(db)?, campaign.public_topics(db)?))
    });
    let (topics, is_public) = split.expect("a split");
    let source = Source::from_bytes("qrels", qrels().into_bytes()).expect("a source");
    let all = cranfield_io::read_qrels(&source, None).expect("judgements");
    let kept = topics.iter().zip(is_public);
    let kept = kept.filter(|(_, is)| *is == public);
    let kept = kept.filter_map(|(id, _)| all.get(id.as_bytes()));
    let part = Qrels::from_topics(kept.map(|topic| (topic.id(), topic.judgements())));
    let runs = TEAMS.iter().map(|(name, seed, skill)| {
        let source = Source::from_bytes("run", run(*seed, *skill).into_bytes()).expect("a source");
        RunInput::new(*name, cranfield_io::read_run(&source, None).expect("a run"))
    });
    let inputs = Inputs::in_memory(part, runs);
    let measures = parse_measures(MEASURES, &Conventions::default()).expect("measures");
    let evaluation = inputs
        .evaluate(&Request::of_measures(measures))
        .expect("an evaluation");
    let settings = Settings {
        test: Test::RandomisedTukey,
        ..Settings::default()
    };
    let mut comparison = compare(&evaluation, &settings).expect("a comparison");
    let table = comparison.measures.swap_remove(measure);
    let values = evaluation.runs.iter().zip(&table.systems);
    for (run, system) in values {
        assert_eq!(
            run.scores.aggregate(measure).map(f64::to_bits),
            Some(system.mean.to_bits())
        );
    }
    (table, TEAMS.map(|(name, ..)| name).to_vec())
}

fn check(board: &Value, table: &MeasureTable, names: &[&str]) {
    let rows = board["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), TEAMS.len());
    let of = |row: &Value| {
        let at = names.iter().position(|name| row["team"] == **name);
        &table.systems[at.expect("a known team")]
    };
    for row in rows {
        let system = of(row);
        let interval = system.interval.expect("an interval");
        let numbers = [
            ("value", system.mean),
            ("low", interval.low),
            ("high", interval.high),
            ("best", system.rank.best),
        ];
        for (name, wanted) in numbers {
            let found = row[name].as_f64().expect(name);
            assert_eq!(found.to_bits(), wanted.to_bits(), "{name} of {row}");
        }
        assert_eq!(row["best_rank"], system.rank.lowest);
        assert_eq!(row["worst_rank"], system.rank.highest);
        assert_eq!(row["letters"], system.letters.as_str());
        if row["baseline"] == true {
            assert_eq!(row["rank"], Value::Null);
        } else {
            let teams = rows.iter().filter(|other| other["baseline"] == false);
            let better = teams.filter(|other| of(other).mean > system.mean).count();
            assert_eq!(row["rank"], better + 1, "{row}");
        }
    }
    let order: Vec<f64> = rows
        .iter()
        .filter_map(|row| row["value"].as_f64())
        .collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
}

#[tokio::test]
async fn a_board_has_the_numbers_of_eval_and_compare() {
    let (story, prof) = story().await;
    sent(&story, &prof).await;
    let mut letters = BTreeMap::new();
    for (measure, name) in MEASURES.split(' ').enumerate() {
        for part in ["public", "final"] {
            let path = format!(
                "/api/v1/c/hw1/board?part={part}&measure={}",
                name.replace('@', "%40")
            );
            let board = story.get(&prof, &path).await.json();
            assert_eq!(board["topics"], TOPICS / 2);
            let (table, names) = expected(&story, part == "public", measure);
            check(&board, &table, &names);
            for row in board["rows"].as_array().expect("rows") {
                *letters.entry(row["letters"].to_string()).or_insert(0) += 1;
            }
        }
    }
    // The comparison is not an empty one: some teams differ significantly, and some do not.
    assert!(letters.len() > 1, "{letters:?}");
}

#[tokio::test]
async fn equal_values_share_a_place_and_the_order_of_receipt_does_not_matter() {
    let (story, prof) = story().await;
    sent(&story, &prof).await;
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    let rows = board["rows"].as_array().expect("rows");
    let shared: Vec<(String, u64)> = rows
        .iter()
        .filter(|row| row["shared"] == true)
        .map(|row| {
            (
                row["team"].as_str().expect("a name").to_owned(),
                row["rank"].as_u64().expect("a rank"),
            )
        })
        .collect();
    // Ordered by the bytes of the names, though the other was received first.
    assert_eq!(
        shared,
        [("__incognito__".into(), 2), ("我們不要BM25了".into(), 2)]
    );
    let html = story.get("", "/c/hw1/board").await.text;
    assert_eq!(html.matches(">2=<").count(), 2, "{html}");
    let ranks: Vec<Option<u64>> = rows.iter().map(|row| row["rank"].as_u64()).collect();
    let mut teams: Vec<u64> = ranks.into_iter().flatten().collect();
    teams.sort_unstable();
    assert_eq!(teams, [1, 2, 2, 4, 5]);
    let baseline = rows
        .iter()
        .find(|row| row["baseline"] == true)
        .expect("a baseline");
    assert_eq!(
        (&baseline["rank"], &baseline["team"]),
        (&Value::Null, &"BM25".into())
    );
}

#[tokio::test]
async fn teams_without_a_score_are_listed_below_the_table() {
    let story = Story::new();
    let prof = story.organiser().await;
    // Every value of a measure over private topics only is undefined where nothing is judged: here the entries of a campaign wait for their scores.
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let bob = story.team(&prof, "bob", "B").await;
    story.submit(&ann, &super::run(2)).await;
    story.submit(&bob, &super::run(1)).await;
    story.settle().await;
    let forget = story.site.server.store.write_here(|tx| {
        // As if the second entry had been checked before there were judgements.
        tx.execute_batch(
            "DROP TRIGGER score_d; DELETE FROM score WHERE submission = 2; UPDATE submission SET state = 'valid' WHERE id = 2",
        )?;
        Ok(())
    });
    forget.expect("a change");
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"].as_array().expect("rows").len(), 1);
    assert_eq!(board["unscored"], serde_json::json!(["B"]));
    let html = story.get("", "/c/hw1/board").await.text;
    let (table, below) = html.split_once("</table>").expect("a table");
    assert!(
        !table.contains("<bdi dir=\"auto\">B</bdi>") && below.contains("<bdi dir=\"auto\">B</bdi>")
    );
}

#[tokio::test]
async fn under_a_ladder_a_team_is_told_of_improvements_only() {
    let story = Story::new();
    let prof = story.organiser().await;
    let fields = [
        ("measures", "AP"),
        ("ladder", "t"),
        ("entries_per_day", "50"),
    ];
    story.campaign_of(&prof, &qrels(), &fields).await;
    let ann = story.team(&prof, "ann", "A").await;
    let value = async || {
        let board = story.get("", "/api/v1/c/hw1/board").await.json();
        board["rows"][0]["value"].as_f64().expect("a value")
    };
    let mut shown = Vec::new();
    // The second changes one topic only, the third all of them.
    let first = run(5, 3);
    let probe = first.replacen("01 Q0 d0 1 ", "01 Q0 d0 1 9", 1);
    for text in [first, probe, run(8, 14)] {
        assert_eq!(story.submit(&ann, &text).await.status, 202);
        story.settle().await;
        shown.push(value().await);
    }
    assert_eq!(shown[0].to_bits(), shown[1].to_bits());
    assert!(shown[2] > shown[1]);
    let team = story.get(&ann, "/api/v1/c/hw1/team").await;
    let entries = team.json()["entries"].as_array().expect("entries").clone();
    let improvements: Vec<&Value> = entries.iter().map(|entry| &entry["improvement"]).collect();
    assert_eq!(improvements, [true, false, true]);
    assert!(
        entries.iter().all(|entry| entry["value"].is_null()),
        "{entries:?}"
    );
    let html = story.get(&ann, "/c/hw1/team").await.text;
    assert_eq!(html.matches("no improvement shown").count(), 1);
    for (entry, improvement) in [(1, true), (2, false), (3, true)] {
        let page = story
            .get(&ann, &format!("/api/v1/c/hw1/team/1/{entry}"))
            .await
            .json();
        assert_eq!(page["improvement"], improvement);
        assert_eq!(page["values"], serde_json::json!([]));
    }
    // Withdrawing the first entry does not start the ladder again with the second one.
    story.post(&ann, "/c/hw1/team/1/3/withdraw", "").await;
    assert_eq!(value().await.to_bits(), shown[0].to_bits());
    story.post(&ann, "/c/hw1/team/1/1/withdraw", "").await;
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"], serde_json::json!([]));
    assert_eq!(board["unscored"], serde_json::json!(["A"]));
}

#[tokio::test]
async fn in_a_freeze_a_team_sees_its_results_up_to_the_freeze() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    story.submit(&ann, &super::run(1)).await;
    story.settle().await;
    story.site.server.advance(6 * 3_600_000);
    story.submit(&ann, &super::run(3)).await;
    story.settle().await;
    let values = async |cookie: &str| {
        let path = if cookie == ann {
            "/api/v1/c/hw1/team"
        } else {
            "/api/v1/c/hw1/team/1"
        };
        let team = story.get(cookie, path).await.json();
        let entries = team["entries"].as_array().expect("entries").clone();
        assert!(entries.iter().all(|entry| entry["state"] == "scored"));
        entries
            .iter()
            .map(|entry| entry["value"].is_number())
            .collect::<Vec<bool>>()
    };
    // The newest entry is first.
    assert_eq!(values(&ann).await, [false, true]);
    assert_eq!(values(&prof).await, [true, true]);
    story.site.server.advance(5 * 3_600_000);
    assert_eq!(values(&ann).await, [true, true]);
}
