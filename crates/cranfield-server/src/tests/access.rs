//! Tokens and sessions: everyone lists and ends their own, and no one else's.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::Value;

use super::{Answer, PASSWORD, Story};

impl Story {
    async fn with_token(&self, token: &str, method: &str, path: &str) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::empty());
        self.send(request.expect("a request")).await
    }

    async fn token(&self, cookie: &str, form: &str) -> String {
        let made = self.post(cookie, "/api/v1/me/tokens", form).await;
        assert_eq!(made.status, StatusCode::OK, "{}", made.text);
        made.json()["token"].as_str().expect("a token").to_owned()
    }

    async fn account(&self, cookie: &str) -> Value {
        self.get(cookie, "/api/v1/me").await.json()
    }
}

#[tokio::test]
async fn tokens_are_listed_used_and_revoked() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let day = story.token(&prof, "token_name=for a day&days=1").await;
    let long = story.token(&prof, "token_name=laptop").await;
    for days in ["0", "367"] {
        let form = format!("token_name=t&days={days}");
        let refused = story.post(&prof, "/me/tokens", form).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let me = "/api/v1/me";
    let asked = story.with_token(&day, "GET", me).await;
    assert_eq!(asked.status, StatusCode::OK);
    let tokens = story.account(&prof).await["tokens"].clone();
    assert_eq!(tokens[0]["name"], "laptop");
    assert_eq!(tokens[0]["used"], Value::Null);
    assert_eq!(tokens[1]["name"], "for a day");
    assert!(tokens[1]["used"].is_string());
    assert!(!tokens.to_string().contains(&day[4..]), "{tokens}");
    story.site.server.advance(25 * 3_600_000);
    let asked = story.with_token(&day, "GET", me).await;
    assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
    let prof = story.new_session("prof").await;
    let tokens = story.account(&prof).await["tokens"].clone();
    assert_eq!(
        (&tokens[0]["expired"], &tokens[1]["expired"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    // Nobody else revokes it, and neither does a token.
    let revoke = format!("/api/v1/me/tokens/{}/revoke", tokens[0]["id"]);
    let ann = story.sign_in_after(&ann, "ann").await;
    assert_eq!(story.post(&ann, &revoke, "").await.status, StatusCode::OK);
    let by_token = story.with_token(&long, "POST", &revoke).await;
    assert_eq!(by_token.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        story.with_token(&long, "GET", me).await.status,
        StatusCode::OK
    );
    for _ in 0..2 {
        assert_eq!(story.post(&prof, &revoke, "").await.status, StatusCode::OK);
    }
    let asked = story.with_token(&long, "GET", me).await;
    assert_eq!(asked.status, StatusCode::UNAUTHORIZED);
    let tokens = story.account(&prof).await["tokens"].clone();
    assert_eq!(tokens.as_array().expect("tokens").len(), 1);
    let revoked = story.site.server.store.read_here(|db| {
        let query = "SELECT count(*) FROM audit WHERE action = 'token.revoke'";
        Ok(db.query_row(query, [], |row| row.get::<_, i64>(0))?)
    });
    assert_eq!(revoked.expect("a count"), 1);
}

impl Story {
    async fn new_session(&self, login: &str) -> String {
        let form = format!("login={login}&password={PASSWORD}");
        let answer = self.post("", "/login", form).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.cookie
    }

    /// A session after an earlier one has ended by itself.
    async fn sign_in_after(&self, ended: &str, login: &str) -> String {
        let me = self.get(ended, "/me").await;
        assert_eq!(me.status, StatusCode::UNAUTHORIZED);
        self.new_session(login).await
    }
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let story = Story::new();
    let first = story.organiser().await;
    story.campaign(&first, &[]).await;
    let ann = story.team(&first, "ann", "A").await;
    let (second, third) = (
        story.new_session("prof").await,
        story.new_session("prof").await,
    );
    let sessions = story.account(&second).await["sessions"].clone();
    let sessions = sessions.as_array().expect("sessions");
    assert_eq!(sessions.len(), 3);
    let current: Vec<&Value> = sessions
        .iter()
        .filter(|session| session["current"] == true)
        .collect();
    assert_eq!(current.len(), 1);
    let id = current[0]["id"].as_str().expect("an id");
    let end = format!("/api/v1/me/sessions/{id}/end");
    let works = async |cookie: &str| story.get(cookie, "/me").await.status == StatusCode::OK;
    // Somebody else's end nothing.
    assert_eq!(story.post(&ann, &end, "").await.status, StatusCode::OK);
    assert!(works(&second).await);
    assert_eq!(story.post(&first, &end, "").await.status, StatusCode::OK);
    assert!(!works(&second).await && works(&first).await && works(&third).await);
    let others = "/api/v1/me/sessions/end";
    assert_eq!(story.post(&first, others, "").await.status, StatusCode::OK);
    assert!(!works(&third).await && works(&first).await && works(&ann).await);
    assert_eq!(
        story.post("", others, "").await.status,
        StatusCode::UNAUTHORIZED
    );
}
