//! Invitations, names, merges and extra entries of teams.

use axum::http::StatusCode;
use serde_json::Value;

use super::{PASSWORD, Story, run};

const OK: StatusCode = StatusCode::SEE_OTHER;
const CONFLICT: StatusCode = StatusCode::CONFLICT;

impl Story {
    async fn status(&self, cookie: &str, path: &str, form: &str) -> StatusCode {
        self.post(cookie, &format!("/c/hw1/{path}"), form)
            .await
            .status
    }

    async fn own_team(&self, cookie: &str) -> Value {
        self.get(cookie, "/api/v1/c/hw1/team").await.json()
    }
}

#[tokio::test]
async fn members_invite_others_until_the_team_is_full() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("team_size", "2")]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let path = "/api/v1/c/hw1/team/invitation";
    let codes = [
        story.post(&ann, path, "").await,
        story.post(&ann, path, "").await,
    ];
    let codes = codes.map(|answer| answer.json()["code"].as_str().expect("a code").to_owned());
    let join = async |code: &str, login: &str| {
        let form = format!("code={code}&login={login}&name={login}&password={PASSWORD}");
        story.post("", "/join", form).await
    };
    let bob = join(&codes[0], "bob").await;
    assert_eq!(bob.status, OK, "{}", bob.text);
    assert_eq!(story.own_team(&bob.cookie).await["name"], "A");
    assert_eq!(
        join(&codes[1], "cem").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(story.status(&ann, "team/invitation", "").await, CONFLICT);
    // Before the first entry members may leave, and found another team or come back.
    assert_eq!(story.status(&bob.cookie, "team/leave", "").await, OK);
    assert_eq!(
        story.status(&bob.cookie, "team", "name=A").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(story.status(&bob.cookie, "team", "name=B").await, OK);
    assert_eq!(story.status(&bob.cookie, "team", "name=C").await, CONFLICT);
    assert_eq!(story.status(&bob.cookie, "team/leave", "").await, OK);
    let page = story.get(&bob.cookie, "/c/hw1/team").await;
    assert!(page.text.contains("No team yet"));
    let back = story
        .post(&bob.cookie, "/join", format!("code={}", codes[1]))
        .await;
    assert_eq!(back.status, OK, "{}", back.text);
    assert_eq!(story.own_team(&bob.cookie).await["name"], "A");
    story.submit(&ann, &run(1)).await;
    assert_eq!(story.status(&bob.cookie, "team/leave", "").await, CONFLICT);
}

#[tokio::test]
async fn a_new_name_is_on_the_board_but_not_in_a_freeze() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    story.team(&prof, "bob", "B").await;
    story.submit(&ann, &run(1)).await;
    story.settle().await;
    let name =
        async || story.get("", "/api/v1/c/hw1/board").await.json()["rows"][0]["team"].clone();
    assert_eq!(name().await, "A");
    assert_eq!(
        story.status(&ann, "team/name", "name=b").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(story.status(&ann, "team/name", "name=Compost").await, OK);
    assert_eq!(name().await, "Compost");
    story.site.server.advance(6 * 3_600_000);
    assert_eq!(story.status(&ann, "team/name", "name=Z").await, CONFLICT);
    // Organisers can, because a name may have to go at once.
    assert_eq!(
        story.status(&ann, "admin/teams/1/name", "name=Z").await,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        story
            .status(&prof, "admin/teams/1/name", "name=Decent")
            .await,
        OK
    );
    assert_eq!(name().await, "Decent");
}

#[tokio::test]
async fn teams_merge_when_both_agree() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("entries_per_day", "3")]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let bob = story.team(&prof, "bob", "B").await;
    let cem = story.team(&prof, "cem", "C").await;
    story.submit(&ann, &run(1)).await;
    story.submit(&bob, &run(2)).await;
    story.submit(&bob, &run(3)).await;
    story.settle().await;
    assert_eq!(
        story.status(&ann, "team/merge", "with=1").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        story.status(&ann, "team/merge", "with=9").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(story.status(&ann, "team/merge", "with=2").await, OK);
    assert_eq!(
        story.status(&cem, "team/merge/decline", "with=1").await,
        StatusCode::NOT_FOUND
    );
    assert_eq!(story.own_team(&bob).await["proposals"][0]["is_own"], false);
    assert_eq!(story.own_team(&bob).await["number"], 2);
    let merged = story.post(&bob, "/api/v1/c/hw1/team/merge", "with=1").await;
    assert_eq!(merged.json()["merged"], true, "{}", merged.text);
    // Team 2 is part of team 1: members, entries in their order, and one row of the board.
    let team = story.own_team(&bob).await;
    assert_eq!(team["number"], 1);
    assert_eq!(team["members"].as_array().expect("members").len(), 2);
    let numbers: Vec<i64> = team["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["entry"].as_i64())
        .collect();
    assert_eq!(numbers, [3, 2, 1]);
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"].as_array().expect("rows").len(), 1);
    assert_eq!(board["rows"][0]["team"], "A");
    assert_eq!(board["rows"][0]["entries"], 3);
    assert_eq!(
        story.get(&bob, "/c/hw1/team/2").await.status,
        StatusCode::NOT_FOUND
    );
    // The limits are those of one team.
    assert_eq!(
        story.submit(&ann, &run(4)).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    assert_eq!(
        story.status(&cem, "team/merge", "with=2").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn a_merge_cannot_go_around_the_limits() {
    let story = Story::new();
    let prof = story.organiser().await;
    story
        .campaign(&prof, &[("entries_per_day", "1"), ("team_size", "1")])
        .await;
    let ann = story.team(&prof, "ann", "A").await;
    let bob = story.team(&prof, "bob", "B").await;
    assert_eq!(story.status(&ann, "team/merge", "with=2").await, CONFLICT);
    let mut settings = story
        .get(&prof, "/api/v1/c/hw1/admin/settings")
        .await
        .json()["settings"]
        .clone();
    settings["team_size"] = 2.into();
    settings["measures"] = "RR P@1".into();
    let fields = settings
        .as_object()
        .expect("settings")
        .iter()
        .map(|(name, value)| {
            (
                name.clone(),
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned),
            )
        });
    let form = serde_urlencoded::to_string(fields.collect::<Vec<_>>()).expect("a form");
    let changed = story
        .post(&prof, "/c/hw1/admin/settings?version=1", form)
        .await;
    assert_eq!(changed.status, OK, "{}", changed.text);
    assert_eq!(story.status(&ann, "team/merge", "with=2").await, OK);
    story.submit(&ann, &run(1)).await;
    story.submit(&bob, &run(2)).await;
    story.settle().await;
    assert_eq!(story.status(&bob, "team/merge", "with=1").await, CONFLICT);
    story.site.server.advance(6 * 3_600_000);
    assert_eq!(story.status(&bob, "team/merge", "with=1").await, CONFLICT);
}

#[tokio::test]
async fn extra_entries_need_a_reason_and_are_used_up() {
    let story = Story::new();
    let prof = story.organiser().await;
    story
        .campaign(&prof, &[("entries_per_day", "1"), ("entries_in_all", "1")])
        .await;
    let ann = story.team(&prof, "ann", "A").await;
    story.submit(&ann, &run(1)).await;
    story.settle().await;
    assert_eq!(
        story.submit(&ann, &run(2)).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    let path = "admin/teams/1/grant";
    assert_eq!(
        story.status(&prof, path, "entries=1&reason=").await,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        story.status(&ann, path, "entries=1&reason=please").await,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        story
            .status(&prof, path, "entries=1&reason=power+cut")
            .await,
        OK
    );
    assert_eq!(
        story.submit(&ann, &run(2)).await.status,
        StatusCode::ACCEPTED
    );
    story.settle().await;
    assert_eq!(
        story.submit(&ann, &run(3)).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    let log = story.get(&prof, "/c/hw1/admin/log").await.text;
    assert!(log.contains("power cut"));
    let teams = story.get(&prof, "/api/v1/c/hw1/admin/teams").await.json();
    assert_eq!(teams["teams"][0]["granted"], 1);
}
