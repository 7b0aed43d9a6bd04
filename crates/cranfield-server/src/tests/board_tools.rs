//! Tools of the board: changes of ranks, columns, orders, filters, formats, histories and frames.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Story, run};

/// Three teams with one, two and three of four topics found; the third one's run is manual.
async fn story(fields: &[(&str, &str)]) -> (Story, String, Vec<String>) {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, fields).await;
    let mut teams = Vec::new();
    for (place, name) in ["Ann", "Böb", "فريق البحث"].into_iter().enumerate() {
        let team = story.team(&prof, &format!("login{place}"), name).await;
        let found = run(place + 1);
        let kind = if place == 2 { "manual" } else { "automatic" };
        let fields = [
            ("runs", None, kind),
            ("run", Some("my.run"), found.as_str()),
        ];
        let answer = story.upload(&team, "/api/v1/c/hw1/submit", &fields).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
        teams.push(team);
    }
    story.settle().await;
    (story, prof, teams)
}

fn column<'v>(board: &'v Value, name: &str) -> Vec<&'v Value> {
    let rows = board["rows"].as_array().expect("rows");
    rows.iter().map(|row| &row[name]).collect()
}

/// Gives the teams different values, in the reverse order on private topics.
fn spread(story: &Story) {
    let changed = story.site.server.store.write_here(|tx| {
        tx.execute_batch(
            "DROP TRIGGER score_u;
             UPDATE score SET public = 0.25 * (SELECT team FROM submission WHERE id = score.submission);
             UPDATE score SET private = 1.0 - public",
        )?;
        Ok(())
    });
    changed.expect("other scores");
}

#[tokio::test]
async fn changes_of_ranks_are_counted_from_a_moment() {
    let (story, _, teams) = story(&[("entries_per_day", "9")]).await;
    spread(&story);
    let before = story.site.server.now();
    let board = async |query: &str| {
        story
            .get("", &format!("/api/v1/c/hw1/board{query}"))
            .await
            .json()
    };
    assert_eq!(
        column(&board("").await, "team"),
        ["فريق البحث", "Böb", "Ann"]
    );
    // The last team finds everything.
    assert_eq!(
        story.submit(&teams[0], &run(4)).await.status,
        StatusCode::ACCEPTED
    );
    story.settle().await;
    let since = board(&format!("?since={before}")).await;
    assert_eq!(column(&since, "team"), ["Ann", "فريق البحث", "Böb"]);
    assert_eq!(
        column(&since, "change"),
        [&json!(2), &json!(-1), &json!(-1)]
    );
    let html = story
        .get("", &format!("/c/hw1/board?since={before}"))
        .await
        .text;
    assert!(
        html.contains("▲2") && html.matches("▼1").count() == 2,
        "{html}"
    );
    // Before the first entry no team had a rank.
    let new = board("?since=0").await;
    assert_eq!(column(&new, "change"), [&Value::Null; 3]);
    for wrong in [
        "since=yesterday",
        "since=public",
        "sort=colour",
        "runs=both",
        "format=pdf",
        "part=live",
        "x=1",
    ] {
        let status = story.get("", &format!("/c/hw1/board?{wrong}")).await.status;
        assert!(status.is_client_error(), "{wrong}: {status}");
    }
}

#[tokio::test]
async fn the_final_board_shows_changes_from_the_public_one() {
    let (story, prof, _) = story(&[]).await;
    spread(&story);
    story.site.server.advance(11 * 3_600_000);
    story.post(&prof, "/c/hw1/admin/release", "").await;
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    // The private values are in the reverse order.
    assert_eq!(column(&board, "team"), ["Ann", "Böb", "فريق البحث"]);
    assert_eq!(column(&board, "change"), [&json!(2), &json!(0), &json!(-2)]);
    assert_eq!(board["since"], "the public board");
}

#[tokio::test]
async fn rows_are_sorted_and_filtered_and_ranks_stay() {
    let (story, ..) = story(&[]).await;
    spread(&story);
    let board = async |query: &str| {
        story
            .get("", &format!("/api/v1/c/hw1/board?{query}"))
            .await
            .json()
    };
    let by_team = board("sort=team").await;
    assert_eq!(column(&by_team, "team"), ["Ann", "Böb", "فريق البحث"]);
    assert_eq!(column(&by_team, "rank"), [3, 2, 1]);
    let html = story.get("", "/c/hw1/board?sort=-team").await.text;
    assert!(
        html.contains("aria-sort=\"descending\"><a href=\"?sort=team\">team"),
        "{html}"
    );
    assert_eq!(html.matches("aria-sort").count(), 1);
    let html = story.get("", "/c/hw1/board").await.text;
    assert!(
        html.contains("aria-sort=\"ascending\"><a href=\"?sort=-rank\">#"),
        "{html}"
    );
    let manual = board("runs=manual").await;
    assert_eq!(column(&manual, "team"), ["فريق البحث"]);
    assert_eq!(column(&manual, "rank"), [1]);
    assert_eq!(manual["hidden_rows"], 2);
    assert_eq!(column(&board("q=B%C3%96").await, "team"), ["Böb"]);
    assert_eq!(column(&board("q=nobody").await, "team"), [&Value::Null; 0]);
    let html = story.get("", "/c/hw1/board?q=nobody").await.text;
    assert!(html.contains("0 of 3 teams are shown"), "{html}");
}

#[tokio::test]
async fn one_page_has_all_measures() {
    let (story, ..) = story(&[]).await;
    let html = story.get("", "/c/hw1/board?measure=all").await.text;
    let head = html
        .split_once("<thead>")
        .and_then(|(_, rest)| rest.split_once("</thead>"))
        .expect("a head")
        .0;
    assert!(
        head.contains(">RR</a>") && head.contains(">P@1</a>"),
        "{head}"
    );
    let csv = story
        .get("", "/c/hw1/board?measure=all&format=csv")
        .await
        .text;
    assert!(
        csv.starts_with("rank,change,team,RR,P@1,entries,last,late,runs\n"),
        "{csv}"
    );
    let sorted = story
        .get("", "/api/v1/c/hw1/board?measure=all&sort=-m1")
        .await;
    assert_eq!(sorted.status, StatusCode::OK);
    let sorted = story
        .get("", "/api/v1/c/hw1/board?measure=all&sort=m2")
        .await;
    assert_eq!(sorted.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn every_format_has_every_team_in_the_same_order() {
    let (story, ..) = story(&[]).await;
    spread(&story);
    for (format, kind) in [
        ("csv", "text/csv"),
        ("tsv", "text/tab-separated-values"),
        ("json", "application/json"),
        ("md", "text/markdown"),
        ("latex", "application/x-latex"),
        ("html", "text/html"),
    ] {
        let answer = story
            .get("", &format!("/c/hw1/board?format={format}"))
            .await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(
            answer.headers.contains(kind) && answer.headers.contains("attachment"),
            "{}",
            answer.headers
        );
        let places = ["فريق البحث", "Böb", "Ann"].map(|name| answer.text.find(name));
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{format}: {}",
            answer.text
        );
        assert!(answer.text.contains("0.75"), "{format}: {}", answer.text);
    }
}

#[tokio::test]
async fn the_history_of_a_team_has_its_steps_up_to_the_freeze() {
    let (story, prof, teams) = story(&[("entries_per_day", "9")]).await;
    let history = async |cookie: &str| story.get(cookie, "/api/v1/c/hw1/board/1").await.json();
    let first = history("").await;
    assert_eq!(first["team"], "Ann");
    assert_eq!(first["steps"].as_array().expect("steps").len(), 1);
    story.submit(&teams[0], &run(4)).await;
    story.settle().await;
    // No improvement, so no step.
    story
        .submit(&teams[0], &format!("{}4 Q0 w 2 0.1 t\n", run(2)))
        .await;
    story.settle().await;
    let second = history("").await;
    let values: Vec<f64> = second["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .filter_map(|step| step["value"].as_f64())
        .collect();
    assert_eq!(values.len(), 2);
    assert_eq!(values[1], 1.0);
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"][0]["value"], values[1]);
    let html = story.get("", "/c/hw1/board/1").await.text;
    assert!(
        html.contains("<svg class=\"history\"") && html.contains("<td class=\"n\">1.0000</td>"),
        "{html}"
    );
    // In a freeze nothing moves, and who may not see the board sees no history.
    story.site.server.advance(6 * 3_600_000);
    let frozen = story.get("", "/c/hw1/board/2").await.text;
    story.submit(&teams[1], &run(4)).await;
    story.settle().await;
    assert_eq!(story.get("", "/c/hw1/board/2").await.text, frozen);
    assert_eq!(
        story.get("", "/c/hw1/board/9").await.status,
        StatusCode::NOT_FOUND
    );
    let live = story
        .get(&prof, "/api/v1/c/hw1/board?part=live")
        .await
        .json();
    let entries = |board: &Value| {
        let rows = board["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["number"] == 2);
        row.expect("a row")["entries"].clone()
    };
    assert_eq!((entries(&live), &live["private"]), (json!(2), &json!(true)));
    let same = story.get(&prof, "/api/v1/c/hw1/board").await.json();
    assert_eq!(
        (entries(&same), &same["private"]),
        (json!(1), &json!(false))
    );
    let hidden = Story::new();
    let prof = hidden.organiser().await;
    hidden.campaign(&prof, &[("board", "organisers")]).await;
    hidden.team(&prof, "ann", "A").await;
    assert_eq!(
        hidden.get("", "/c/hw1/board/1").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_ladder_shows_the_history_of_accepted_steps_only() {
    let (story, _, teams) = story(&[
        ("ladder", "t"),
        ("names", "numbers"),
        ("entries_per_day", "9"),
    ])
    .await;
    // One of two public topics: not significant.
    story
        .submit(&teams[0], &format!("{}4 Q0 w 2 0.1 t\n", run(2)))
        .await;
    story.settle().await;
    let history = story.get("", "/api/v1/c/hw1/board/1").await.json();
    assert_eq!(history["steps"].as_array().expect("steps").len(), 1);
    assert_eq!(history["team"], "Team 1");
}

#[tokio::test]
async fn only_the_board_for_frames_may_be_framed_and_by_named_sites_only() {
    let (story, prof, _) = story(&[]).await;
    assert_eq!(
        story.get("", "/c/hw1/board/embed").await.status,
        StatusCode::NOT_FOUND
    );
    let settings = story
        .get(&prof, "/api/v1/c/hw1/admin/settings")
        .await
        .json();
    let mut settings = settings["settings"].clone();
    settings["embed_origins"] = json!("https://example.org https://uni.example:8443");
    let body = serde_json::to_string(&settings).expect("JSON");
    let answer = story
        .send_json(&prof, "/api/v1/c/hw1/admin/settings?version=1", body)
        .await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let page = story.get(&prof, "/c/hw1/board/embed").await;
    assert!(
        page.headers
            .contains("frame-ancestors https://example.org https://uni.example:8443"),
        "{}",
        page.headers
    );
    assert!(
        !page.headers.contains("x-frame-options"),
        "{}",
        page.headers
    );
    // Without navigation, script or the name of who is signed in.
    assert!(
        !page.text.contains("<nav")
            && !page.text.contains("<script")
            && !page.text.contains("Prof")
    );
    assert!(page.text.contains("فريق البحث"));
    for path in ["/c/hw1/board", "/c/hw1", "/login", "/c/hw1/board/1"] {
        let other = story.get("", path).await;
        assert!(
            other.headers.contains("frame-ancestors 'none'") && other.headers.contains("DENY"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_frozen_board_says_so_in_words_and_in_its_head() {
    let (story, ..) = story(&[]).await;
    let live = story.get("", "/c/hw1/board").await.text;
    assert!(!live.contains("is-frozen") && !live.contains("Frozen at"));
    story.site.server.advance(6 * 3_600_000);
    let frozen = story.get("", "/c/hw1/board").await.text;
    assert!(frozen.contains("class=\"is-frozen\"") && frozen.contains("<strong>Frozen at "));
}
