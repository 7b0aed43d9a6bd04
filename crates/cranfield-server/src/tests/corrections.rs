//! New judgements: previewed, applied or cancelled, and never shown to anyone else before.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Story, run};

/// The judgements of the other tests, with topic 4 turned round: the run that finds `canary-4` loses it.
const CORRECTED: &str =
    "1 0 canary-1 1\n1 0 x 0\n2 0 canary-2 1\n3 0 canary-3 1\n4 0 canary-4 0\n4 0 z 1\n9 0 q 1\n";

impl Story {
    async fn send_qrels(&self, cookie: &str, qrels: &str) -> super::Answer {
        let fields = [
            ("qrels", Some("v2.txt"), qrels),
            ("reason", None, "Topic 4 was judged wrongly"),
        ];
        self.upload(cookie, "/api/v1/c/hw1/admin/qrels", &fields)
            .await
    }

    async fn final_board(&self, cookie: &str) -> Value {
        let board = self
            .get(cookie, "/api/v1/c/hw1/board?part=final")
            .await
            .json();
        let rows = board["rows"].as_array().expect("rows");
        rows.iter()
            .map(|row| json!([row["team"], row["rank"], row["value"]]))
            .collect()
    }
}

async fn class() -> (Story, String, [String; 2]) {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("final_on", "all")]).await;
    let first = story.team(&prof, "ann", "A").await;
    let second = story.team(&prof, "bob", "B").await;
    story.submit(&first, &run(4)).await;
    story.submit(&second, &run(3)).await;
    story.settle().await;
    (story, prof, [first, second])
}

#[tokio::test]
async fn a_correction_is_previewed_then_applied() {
    let (story, prof, [first, _]) = class().await;
    let before = story.final_board(&prof).await;
    assert_eq!(before, json!([["A", 1, 1.0], ["B", 2, 0.75]]));
    let public = async || {
        let page = story.get("", "/api/v1/c/hw1").await.text;
        let board = story.get("", "/api/v1/c/hw1/board").await.text;
        let entry = story.get(&first, "/api/v1/c/hw1/team/1/1").await.text;
        format!("{page}{board}{entry}")
    };
    let sent = story.send_qrels(&prof, CORRECTED).await;
    assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text);
    assert_eq!(sent.json()["scoring"], 2);
    // One decision at a time.
    let again = story.send_qrels(&prof, CORRECTED).await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    // An entry that arrives meanwhile is part of the preview.
    story.submit(&first, &run(1)).await;
    story.settle().await;
    let seen = public().await;
    assert!(!seen.contains("Topic 4"), "{seen}");
    let preview = story
        .get(&prof, "/api/v1/c/hw1/admin/scorings/2")
        .await
        .json();
    assert_eq!(preview["state"], "preview");
    assert_eq!(
        preview["progress"],
        json!({ "done": 3, "all": 3, "failed": [] })
    );
    assert_eq!(preview["foreign"], 1);
    let grades = &preview["grades"];
    let counts = ["raised", "lowered", "added", "removed"].map(|name| grades[name].clone());
    assert_eq!(counts, [json!(0), json!(1), json!(1), json!(1)]);
    let board = &preview["boards"][0];
    assert_eq!(board["part"], "final");
    let row = |team: &str| {
        let rows = board["rows"].as_array().expect("rows");
        rows.iter()
            .find(|row| row["team"] == team)
            .expect(team)
            .clone()
    };
    assert_eq!(row("A")["old"]["value"], 1.0);
    assert_eq!(row("A")["new"]["value"], 0.75);
    assert_eq!(row("B")["new"]["value"], 1.0);
    assert_eq!(row("B")["new"]["rank"], 1);
    assert_eq!(
        row("A")["topics"],
        json!([{ "topic": "4", "old": 1.0, "new": 0.0, "text": "1.0000 → 0.0000" }])
    );
    assert_eq!(board["places"], 2);
    assert_eq!(board["tau"], -1.0);
    // Nothing has moved, and nobody else sees the preview.
    assert_eq!(story.final_board(&prof).await, before);
    for cookie in ["", first.as_str()] {
        for path in ["qrels", "qrels/1", "qrels/2", "scorings/1", "scorings/2"] {
            let path = format!("/c/hw1/admin/{path}");
            let answer = story.get(cookie, &path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        }
        let path = "/c/hw1/admin/scorings/2/apply";
        let answer = story.post(cookie, path, "").await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }
    let html = story.get(&prof, "/c/hw1/admin/scorings/2").await.text;
    assert!(html.contains("1.0000 → 0.0000"), "{html}");
    let applied = story.post(&prof, "/c/hw1/admin/scorings/2/apply", "").await;
    assert_eq!(applied.status, StatusCode::SEE_OTHER, "{}", applied.text);
    assert_eq!(
        story.final_board(&prof).await,
        json!([["B", 1, 1.0], ["A", 2, 0.75]])
    );
    let page = story.get("", "/api/v1/c/hw1").await.json();
    let notice = page["notices"][0]["text"].as_str().expect("a notice");
    assert!(
        notice.ends_with("(version 2): Topic 4 was judged wrongly"),
        "{notice}"
    );
    let again = story
        .post(&prof, "/c/hw1/admin/scorings/2/cancel", "")
        .await;
    assert_eq!(again.status, StatusCode::CONFLICT);
    // The old scores are still there, and so is what was decided.
    let scorings = story.get(&prof, "/api/v1/c/hw1/admin/qrels").await.json();
    let states =
        ["/scorings/0/state", "/scorings/1/state"].map(|place| scorings.pointer(place).cloned());
    assert_eq!(states, [Some(json!("in-force")), Some(json!("past"))]);
    let kept = story
        .get(&prof, "/api/v1/c/hw1/admin/scorings/2")
        .await
        .json();
    assert_eq!(kept["boards"][0]["rows"][0]["team"], "B");
    let log = story.get(&prof, "/api/v1/c/hw1/admin/log").await.text;
    assert!(log.contains("scoring.preview") && log.contains("scoring.apply"));
}

#[tokio::test]
async fn a_cancelled_preview_is_kept_and_changes_nothing() {
    let (story, prof, _) = class().await;
    let before = story.final_board(&prof).await;
    story.send_qrels(&prof, CORRECTED).await;
    story.settle().await;
    let cancelled = story
        .post(&prof, "/c/hw1/admin/scorings/2/cancel", "")
        .await;
    assert_eq!(cancelled.status, StatusCode::SEE_OTHER);
    let applied = story.post(&prof, "/c/hw1/admin/scorings/2/apply", "").await;
    assert_eq!(applied.status, StatusCode::CONFLICT);
    assert_eq!(story.final_board(&prof).await, before);
    let kept = story
        .get(&prof, "/api/v1/c/hw1/admin/scorings/2")
        .await
        .json();
    assert_eq!(kept["state"], "cancelled");
    assert_eq!(kept["boards"][0]["places"], 2);
    let page = story.get("", "/api/v1/c/hw1").await.json();
    assert_eq!(page["notices"], json!([]));
    // Another version may follow.
    let sent = story.send_qrels(&prof, CORRECTED).await;
    assert_eq!(sent.json()["version"], 3);
}

#[tokio::test]
async fn judgements_that_do_not_fit_are_refused() {
    let (story, prof, _) = class().await;
    for (qrels, why) in [
        ("1 0 a one\n", "cannot be read"),
        ("7 0 a 1\n8 0 b 1\n", "fewer than two topics"),
    ] {
        let sent = story.send_qrels(&prof, qrels).await;
        assert_eq!(sent.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(sent.text.contains(why), "{}", sent.text);
    }
    let fields = [("qrels", Some("v2.txt"), CORRECTED)];
    let sent = story
        .upload(&prof, "/api/v1/c/hw1/admin/qrels", &fields)
        .await;
    assert_eq!(sent.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(sent.json()["fields"]["reason"].is_string());
}

#[tokio::test]
async fn a_preview_with_entries_in_the_queue_cannot_be_applied() {
    let (story, prof, _) = class().await;
    story.send_qrels(&prof, CORRECTED).await;
    story.settle().await;
    let change = |state: &'static str| {
        story.site.server.store.write_here(move |tx| {
            tx.execute(
                "UPDATE job SET state = ?1 WHERE id = (SELECT max(id) FROM job WHERE scoring IS NOT NULL)",
                [state],
            )?;
            Ok(())
        })
    };
    change("failed").expect("changed");
    let page = story
        .get(&prof, "/api/v1/c/hw1/admin/scorings/2")
        .await
        .json();
    assert_eq!(page["progress"]["failed"], json!(["team 2 entry 1"]));
    let apply = async || story.post(&prof, "/c/hw1/admin/scorings/2/apply", "").await;
    let answer = apply().await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.text.contains("team 2 entry 1"), "{}", answer.text);
    let retried = story.post(&prof, "/c/hw1/admin/scorings/2/retry", "").await;
    assert_eq!(retried.status, StatusCode::SEE_OTHER);
    story.settle().await;
    assert_eq!(apply().await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn first_judgements_draw_a_split_and_score_what_waited() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    // As if the campaign had begun without judgements.
    let cleared = story.site.server.store.write_here(|tx| {
        tx.execute_batch("UPDATE campaign SET scoring = NULL")?;
        Ok(())
    });
    cleared.expect("cleared");
    let team = story.team(&prof, "ann", "A").await;
    story.submit(&team, &run(4)).await;
    story.settle().await;
    let entry = async || story.get(&team, "/api/v1/c/hw1/team/1/1").await.json();
    assert_eq!(entry().await["state"], "valid");
    assert_eq!(
        story.send_qrels(&prof, super::QRELS).await.status,
        StatusCode::ACCEPTED
    );
    story.settle().await;
    assert_eq!(entry().await["state"], "valid");
    let page = story
        .get(&prof, "/api/v1/c/hw1/admin/scorings/2")
        .await
        .json();
    assert_eq!(page["previous_qrels"], Value::Null);
    assert_eq!(page["progress"]["done"], 1);
    let applied = story.post(&prof, "/c/hw1/admin/scorings/2/apply", "").await;
    assert_eq!(applied.status, StatusCode::SEE_OTHER, "{}", applied.text);
    assert_eq!(entry().await["state"], "scored");
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"][0]["value"], 1.0);
    assert_eq!(board["topics"], 2);
    let page = story.get("", "/api/v1/c/hw1").await.json();
    assert!(page["commitment"].is_string());
    assert_eq!(
        page["notices"][0]["text"],
        "The entries are scored: Topic 4 was judged wrongly"
    );
}
