//! New campaigns like one that is there.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{QRELS, Story, run};

impl Story {
    async fn copy(&self, cookie: &str, fields: &[(&str, Option<&str>, &str)]) -> super::Answer {
        let path = "/api/v1/c/hw1/admin/copy";
        self.upload(cookie, path, fields).await
    }
}

const NEXT: [(&str, Option<&str>, &str); 5] = [
    ("slug", None, "hw2"),
    ("title", None, "HW2"),
    ("opens", None, "2030-01-01T00:00"),
    ("closes", None, "2030-01-15T00:00"),
    ("qrels", Some("q.txt"), "9 0 a 1\n8 0 b 1\n7 0 c 1\n"),
];

#[tokio::test]
async fn the_next_homework_has_settings_people_and_teams_of_the_last() {
    let story = Story::new();
    let prof = story.organiser().await;
    let more = [
        ("ladder", "t"),
        ("rules", "Be **fair**."),
        ("team_size", "2"),
    ];
    story.campaign(&prof, &more).await;
    let ann = story.team(&prof, "ann", "Grüne Daumen").await;
    let bob = story.team(&prof, "bob", "B").await;
    story.team(&prof, "cem", "Gone").await;
    // A team merges into another one, and somebody assists.
    let roster =
        "csv=login,name,role,team%0Adot,Dot,assistant,%0Aeve,Eve,participant,%0A&apply=true";
    let applied = story
        .post(&prof, "/api/v1/c/hw1/admin/roster", roster)
        .await;
    assert_eq!(applied.status, StatusCode::OK, "{}", applied.text);
    story.post(&ann, "/c/hw1/team/merge", "with=3").await;
    let people = "/api/v1/c/hw1/admin/people";
    story.submit(&bob, &run(2)).await;
    story.settle().await;

    // By default nothing is made.
    let dry = story.copy(&prof, &NEXT).await;
    assert_eq!(dry.status, StatusCode::OK, "{}", dry.text);
    let dry = dry.json();
    assert_eq!(dry["made"], false);
    let sent = json!({
        "slug": "hw2", "title": "HW2", "opens": "2030-01-01T00:00", "closes": "2030-01-15T00:00",
        "topics": 3, "public_topics": 2,
    });
    assert_eq!(dry["sent"], sent);
    assert_eq!(
        dry["teams"][0],
        json!({ "name": "Grüne Daumen", "members": 1 })
    );
    let people_taken = json!(["1 assistant", "1 organiser", "4 participants"]);
    assert_eq!(dry["people"], people_taken);
    let next = story.get(&prof, "/api/v1/c/hw2").await;
    assert_eq!(next.status, StatusCode::NOT_FOUND);

    let fields = [NEXT.as_slice(), &[("apply", None, "true")]].concat();
    let made = story.copy(&prof, &fields).await;
    assert_eq!(made.status, StatusCode::OK, "{}", made.text);
    assert_eq!(made.json()["made"], true);
    let settings = async |slug: &str| {
        let path = format!("/api/v1/c/{slug}/admin/settings");
        story.get(&prof, &path).await.json()["settings"].clone()
    };
    let mut wanted = settings("hw1").await;
    for (name, value) in [
        ("title", "HW2"),
        ("opens", "2030-01-01T00:00"),
        ("closes", "2030-01-15T00:00"),
        ("freezes", ""),
    ] {
        wanted[name] = value.into();
    }
    assert_eq!(settings("hw2").await, wanted);
    let members = async |slug: &str| -> Vec<Value> {
        let page = story.get(&prof, &people.replace("hw1", slug)).await.json();
        assert!(slug == "hw1" || page["codes"] == json!([]));
        page["people"].as_array().expect("people").clone()
    };
    assert_eq!(members("hw2").await, members("hw1").await);
    // A draft, which members do not see, without entries.
    assert_eq!(
        story.get(&ann, "/c/hw2").await.status,
        StatusCode::NOT_FOUND
    );
    let entries = story.get(&prof, "/api/v1/c/hw2/admin/entries").await.json();
    assert_eq!(entries["entries"], json!([]));
    story.post(&prof, "/c/hw2/admin/publish", "").await;
    let team = story.get(&ann, "/api/v1/c/hw2/team").await.json();
    assert_eq!(team["name"], "Grüne Daumen");
    // The address is taken now.
    let again = story.copy(&prof, &fields).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(again.json()["fields"]["slug"].is_string());
    let log = story.get(&prof, "/api/v1/c/hw2/admin/log").await.json();
    assert!(log["rows"].as_array().expect("rows").len() > 5);
}

#[tokio::test]
async fn a_copy_needs_judgements_dates_and_an_organiser() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign_of(&prof, QRELS, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let refused = story.copy(&ann, &NEXT).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    for missing in ["slug", "title", "opens", "closes", "qrels"] {
        let fields: Vec<_> = NEXT
            .into_iter()
            .filter(|(name, ..)| *name != missing)
            .collect();
        let refused = story.copy(&prof, &fields).await;
        assert_eq!(
            refused.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{missing}"
        );
        assert!(
            refused.json()["fields"][missing].is_string(),
            "{}",
            refused.text
        );
    }
    for (name, file, value) in [
        ("apply", None, "perhaps"),
        ("qrels", Some("q.txt"), "one line"),
        ("qrels", Some("q.txt"), "1 0 a 1\n"),
        ("closes", None, "2029-01-01T00:00"),
        ("measures", None, "AP"),
    ] {
        let kept = NEXT.into_iter().filter(|(known, ..)| *known != name);
        let fields: Vec<_> = kept.chain([(name, file, value)]).collect();
        let refused = story.copy(&prof, &fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
    }
}
