//! Roles, codes, rosters and teams.

use axum::http::StatusCode;

use super::{PASSWORD, Story, run};

impl Story {
    /// Joins with a code of this role, and returns the session.
    async fn join_as(&self, organiser: &str, role: &str, login: &str) -> String {
        let path = "/api/v1/c/hw1/admin/codes";
        let code = self
            .post(organiser, path, format!("role={role}&uses=1"))
            .await;
        assert_eq!(code.status, StatusCode::OK, "{}", code.text);
        let code = code.json()["code"].as_str().expect("a code").to_owned();
        let form = format!("code={code}&login={login}&name={login}&password={PASSWORD}");
        let answer = self.post("", "/join", form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.cookie
    }

    /// The number of an account.
    async fn person(&self, organiser: &str, login: &str) -> i64 {
        let people = self
            .get(organiser, "/api/v1/c/hw1/admin/people")
            .await
            .json();
        let people = people["people"].as_array().expect("people").clone();
        let found = people.iter().find(|person| person["login"] == login);
        found.expect("a member")["id"].as_i64().expect("a number")
    }

    async fn sign_in(&self, login: &str, password: &str) -> super::Answer {
        self.post("", "/login", format!("login={login}&password={password}"))
            .await
    }
}

#[tokio::test]
async fn assistants_do_the_daily_work_and_see_no_private_score() {
    let story = Story::new();
    let prof = story.organiser().await;
    story
        .campaign(&prof, &[("board", "organisers"), ("own_score", "false")])
        .await;
    let team = story.team(&prof, "ann", "A").await;
    let helper = story.join_as(&prof, "assistant", "tom").await;
    story.submit(&team, &run(4)).await;
    story.settle().await;
    let entry = story.get(&helper, "/api/v1/c/hw1/team/1/1").await.json();
    assert_eq!(entry["values"][0]["public"], 1.0);
    assert_eq!(entry["values"][0]["private"], serde_json::Value::Null);
    let own = story.get(&prof, "/api/v1/c/hw1/team/1/1").await.json();
    assert_eq!(own["values"][0]["private"], 1.0);
    for (path, status) in [
        ("admin", StatusCode::OK),
        ("admin/people", StatusCode::OK),
        ("admin/entries", StatusCode::OK),
        ("admin/log", StatusCode::OK),
        ("board", StatusCode::OK),
        ("board?part=final", StatusCode::NOT_FOUND),
        ("admin/grades", StatusCode::NOT_FOUND),
        ("admin/settings", StatusCode::NOT_FOUND),
    ] {
        let answer = story.get(&helper, &format!("/c/hw1/{path}")).await;
        assert_eq!(answer.status, status, "{path}");
    }
    for path in ["admin/freeze", "admin/release", "admin/publish"] {
        let answer = story.post(&helper, &format!("/c/hw1/{path}"), "").await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    // Invitations and changes of assistants and organisers are for organisers.
    let path = "/c/hw1/admin/codes";
    let own = story.post(&helper, path, "role=assistant&uses=1").await;
    assert_eq!(own.status, StatusCode::FORBIDDEN);
    assert_eq!(
        story
            .post(&helper, path, "role=observer&uses=1")
            .await
            .status,
        StatusCode::OK
    );
    let (ann, tom, lecturer) = (
        story.person(&prof, "ann").await,
        story.person(&prof, "tom").await,
        story.person(&prof, "prof").await,
    );
    for (person, role) in [
        (tom, "organiser"),
        (ann, "assistant"),
        (lecturer, "observer"),
    ] {
        let path = format!("/c/hw1/admin/people/{person}");
        let answer = story.post(&helper, &path, format!("role={role}")).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{role}");
    }
    let path = format!("/c/hw1/admin/people/{lecturer}/password");
    assert_eq!(
        story.post(&helper, &path, "").await.status,
        StatusCode::FORBIDDEN
    );
    // Rejecting takes an entry out of the board, with a reason for the team.
    let path = "/c/hw1/admin/entries/1/1/reject";
    let none = story.post(&helper, path, "reason=").await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    let rejected = story.post(&helper, path, "reason=made+by+hand").await;
    assert_eq!(rejected.status, StatusCode::SEE_OTHER);
    let board = story.get(&prof, "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"].as_array().expect("rows").len(), 0);
    assert!(
        story
            .get(&team, "/c/hw1/team/1/1")
            .await
            .text
            .contains("made by hand")
    );
    assert_eq!(
        story.post(&team, path, "reason=no").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn an_entry_that_failed_on_the_server_is_queued_again() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let helper = story.join_as(&prof, "assistant", "tom").await;
    story.submit(&team, &run(4)).await;
    story.settle().await;
    let path = "/c/hw1/admin/entries/1/1/requeue";
    assert_eq!(
        story.post(&helper, path, "").await.status,
        StatusCode::CONFLICT
    );
    let failed = story.site.server.store.write_here(|tx| {
        tx.execute_batch("UPDATE submission SET state = 'failed'")?;
        Ok(())
    });
    failed.expect("failed");
    assert_eq!(
        story.post(&helper, path, "").await.status,
        StatusCode::SEE_OTHER
    );
    story.settle().await;
    let entries = story
        .get(&helper, "/api/v1/c/hw1/admin/entries")
        .await
        .json();
    assert_eq!(entries["entries"][0]["state"], "scored");
}

#[tokio::test]
async fn observers_read_what_members_read() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("board", "members")]).await;
    let team = story.team(&prof, "ann", "A").await;
    let observer = story.join_as(&prof, "observer", "eve").await;
    story.submit(&team, &run(4)).await;
    story.settle().await;
    for (path, status) in [
        ("board", StatusCode::OK),
        ("team/1/1", StatusCode::NOT_FOUND),
        ("submit", StatusCode::FORBIDDEN),
        ("admin", StatusCode::NOT_FOUND),
        ("admin/people", StatusCode::NOT_FOUND),
        ("admin/entries", StatusCode::NOT_FOUND),
    ] {
        let answer = story.get(&observer, &format!("/c/hw1/{path}")).await;
        assert_eq!(answer.status, status, "{path}");
    }
    assert_eq!(
        story.get("", "/c/hw1/board").await.status,
        StatusCode::NOT_FOUND
    );
    // Out of the campaign, out of the board.
    let eve = story.person(&prof, "eve").await;
    let path = format!("/c/hw1/admin/people/{eve}/remove");
    assert_eq!(
        story.post(&prof, &path, "").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.get(&observer, "/c/hw1/board").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_campaign_keeps_an_organiser() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    story.join_as(&prof, "assistant", "tom").await;
    let (tom, own) = (
        story.person(&prof, "tom").await,
        story.person(&prof, "prof").await,
    );
    let path = format!("/c/hw1/admin/people/{own}");
    assert_eq!(
        story.post(&prof, &path, "role=observer").await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(
        story
            .post(&prof, &format!("{path}/remove"), "")
            .await
            .status,
        StatusCode::CONFLICT
    );
    let other = format!("/c/hw1/admin/people/{tom}");
    assert_eq!(
        story.post(&prof, &other, "role=organiser").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.post(&prof, &path, "role=observer").await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.get(&prof, "/c/hw1/admin/settings").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_once() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let helper = story.join_as(&prof, "assistant", "tom").await;
    let ann = story.person(&prof, "ann").await;
    let path = format!("/api/v1/c/hw1/admin/people/{ann}/password");
    let answer = story.post(&helper, &path, "").await;
    let password = answer.json()["password"]
        .as_str()
        .expect("a password")
        .to_owned();
    // The old session and password are over; the new one leads to the page of the account and nowhere else.
    assert_eq!(
        story.get(&team, "/me").await.status,
        StatusCode::UNAUTHORIZED
    );
    assert_eq!(
        story.sign_in("ann", PASSWORD).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let session = story.sign_in("ann", &password).await;
    assert!(session.headers.contains("\"/me\""), "{}", session.headers);
    let session = session.cookie;
    assert_eq!(
        story.get(&session, "/c/hw1/team").await.status,
        StatusCode::FORBIDDEN
    );
    let form = format!("old={password}&password=another+password");
    assert_eq!(
        story.post(&session, "/me", form).await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.get(&session, "/c/hw1/team").await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn a_new_password_opens_no_other_campaign() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let more = [("measures", "RR P@1")];
    story.campaign_at("hw2", &prof, super::QRELS, &more).await;
    let helper = story.join_as(&prof, "assistant", "tom").await;
    story.join_as(&prof, "observer", "ann").await;
    let number = story.person(&prof, "ann").await;
    let path = format!("/c/hw1/admin/people/{number}/password");
    let reset = async || story.post(&helper, &path, "").await.status;
    assert_eq!(reset().await, StatusCode::OK);
    // With a role in another campaign, the same person is out of reach for the assistant of this one.
    let joined = story.site.server.store.write_here(move |tx| {
        let query = "INSERT INTO member (campaign, person, role) VALUES (2, ?1, 'observer')";
        Ok(tx.execute(query, [number])?)
    });
    joined.expect("joined");
    assert_eq!(reset().await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_revoked_code_cannot_be_used() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let path = "/api/v1/c/hw1/admin/codes";
    let code = story.post(&prof, path, "role=observer&uses=9").await.json();
    let code = code["code"].as_str().expect("a code").to_owned();
    let people = story.get(&prof, "/api/v1/c/hw1/admin/people").await.json();
    let id = people["codes"][0]["id"].as_i64().expect("a number");
    let revoke = format!("/c/hw1/admin/codes/{id}/revoke");
    assert_eq!(
        story.post(&prof, &revoke, "").await.status,
        StatusCode::SEE_OTHER
    );
    let form = format!("code={code}&login=eve&name=eve&password={PASSWORD}");
    assert_eq!(story.post("", "/join", form).await.status, StatusCode::GONE);
}

#[tokio::test]
async fn a_roster_is_shown_before_it_is_applied() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("team_size", "2")]).await;
    story.team(&prof, "ann", "A").await;
    let path = "/api/v1/c/hw1/admin/roster";
    let send = async |csv: &str, apply: &str| {
        let form = [("csv", csv), ("apply", apply)];
        let form = serde_urlencoded::to_string(form).expect("a form");
        story.post(&prof, path, form).await
    };
    let wrong = "login,name,role,team\nbob,Bob,,A\ncem,Cem,,A\nBOB,Bob,,\nx y,X,,\ndan,Dan,boss,\neve,Eve,observer,A\nann,Ann,observer,\n";
    let rows = send(wrong, "false").await.json()["rows"].clone();
    let told = |row: usize| rows[row]["error"].as_str().unwrap_or_default().to_owned();
    assert_eq!(rows[0]["action"], "new account, team A");
    assert!(told(1).contains("more than 2 members"), "{}", told(1));
    assert!(told(2).contains("line 2"), "{}", told(2));
    assert!(told(3).contains("login"), "{}", told(3));
    assert!(told(4).contains("roles"), "{}", told(4));
    assert!(told(5).contains("participants"), "{}", told(5));
    assert!(told(6).contains("participant already"), "{}", told(6));
    assert_eq!(
        send(wrong, "true").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let right =
        "\u{feff}login;name;team\r\nbob;盧克函;A\r\ncem;Cem;我們不要BM25了\r\nann;Ann;A\r\n";
    let planned = send(right, "false").await.json();
    assert_eq!(planned["errors"], 0);
    assert_eq!(
        planned["rows"][1]["action"],
        "new account, new team 我們不要BM25了"
    );
    assert_eq!(planned["rows"][2]["action"], "nothing changes");
    let people = story.get(&prof, "/api/v1/c/hw1/admin/people").await.json();
    assert_eq!(people["people"].as_array().expect("people").len(), 2);
    let applied = send(right, "true").await.json();
    let passwords = applied["passwords"].as_array().expect("passwords");
    assert_eq!(passwords.len(), 2);
    let password = passwords[1]["password"].as_str().expect("a password");
    let cem = story.sign_in("cem", password).await.cookie;
    assert_eq!(
        story.get(&cem, "/c/hw1/submit").await.status,
        StatusCode::FORBIDDEN
    );
    let form = format!("old={password}&password=another+password");
    assert_eq!(
        story.post(&cem, "/me", form).await.status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.get(&cem, "/c/hw1/submit").await.status,
        StatusCode::OK
    );
    // The same again changes nothing, and shows no password.
    let again = send(right, "true").await.json();
    assert_eq!(again["passwords"], serde_json::json!([]));
    let form = story.get(&prof, "/c/hw1/admin/roster").await;
    assert!(form.text.contains("login,name,role,team"));
}

#[tokio::test]
async fn a_roster_is_a_file_too_and_must_be_utf_8() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let path = "/api/v1/c/hw1/admin/roster";
    let csv = "login,name\nbob,Bob\n";
    let file = [("csv", Some("a.csv"), csv)];
    let file_path = format!("{path}/file");
    let planned = story.upload(&prof, &file_path, &file);
    assert_eq!(planned.await.json()["rows"][0]["action"], "new account");
    let helper = story.join_as(&prof, "assistant", "tom").await;
    let form = "csv=login,name,role%0Abob,Bob,assistant%0A";
    let told = story.post(&helper, path, form).await.json();
    assert_eq!(
        told["rows"][0]["error"],
        "Only organisers add organisers and assistants."
    );
    let big5 = story
        .post(&prof, path, "csv=login,name%0Abob,%B8%B9%0A")
        .await;
    assert_eq!(big5.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        story.post("", path, "csv=x").await.status,
        StatusCode::NOT_FOUND
    );
}
