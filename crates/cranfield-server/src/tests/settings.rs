//! Settings: versions, stale changes, the form and the file that are the same, and rules as Markdown.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};

use super::{Answer, Story};

const PATH: &str = "/api/v1/c/hw1/admin/settings";

impl Story {
    async fn settings(&self, cookie: &str) -> Value {
        self.get(cookie, PATH).await.json()["settings"].clone()
    }

    async fn set(&self, cookie: &str, settings: &Value, if_match: Option<&str>) -> Answer {
        let mut request = Request::post(PATH)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/json")
            .header("sec-fetch-site", "same-origin");
        if let Some(version) = if_match {
            request = request.header(header::IF_MATCH, version);
        }
        let request = request.body(Body::from(settings.to_string()));
        self.send(request.expect("a request")).await
    }
}

#[tokio::test]
async fn a_stale_change_is_refused_and_versions_are_kept() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let shown = story.get(&prof, PATH).await;
    assert!(
        shown.headers.contains("\"etag\": \"\\\"1\\\"\""),
        "{}",
        shown.headers
    );
    let mut settings = story.settings(&prof).await;
    settings["summary"] = "One".into();
    let missing = story.set(&prof, &settings, None).await;
    assert_eq!(missing.status, StatusCode::PRECONDITION_REQUIRED);
    let wrong = story.set(&prof, &settings, Some("one")).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        story.set(&prof, &settings, Some("\"1\"")).await.json()["version"],
        2
    );
    settings["summary"] = "Two".into();
    let stale = story.set(&prof, &settings, Some("\"1\"")).await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(
        story.set(&prof, &settings, Some("\"2\"")).await.json()["version"],
        3
    );
    // The same settings again are no new version.
    assert_eq!(
        story.set(&prof, &settings, Some("\"3\"")).await.json()["version"],
        3
    );
    let versions = story
        .get(&prof, &format!("{PATH}/versions?from=1&to=3"))
        .await
        .json();
    assert_eq!(
        versions["changes"],
        json!([{ "name": "summary", "old": "", "new": "Two" }])
    );
    assert_eq!(versions["versions"].as_array().expect("versions").len(), 3);
    let page = story.get(&prof, "/c/hw1/admin/settings/versions").await;
    assert!(page.text.contains("From version 2 to 3"));
    let none = story
        .get(&prof, &format!("{PATH}/versions?from=1&to=9"))
        .await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    settings["measures"] = json!(["AP"]);
    let fixed = story.set(&prof, &settings, Some("\"3\"")).await;
    assert!(
        fixed.json()["fields"]["measures"].is_string(),
        "{}",
        fixed.text
    );
}

#[tokio::test]
async fn the_toml_file_has_the_settings_of_the_form() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let path = format!("{PATH}/toml");
    let toml = story.get(&prof, &path).await.text;
    let changed = toml.replace("entries_per_day = 5", "entries_per_day = 7");
    assert_ne!(changed, toml);
    let shown = story
        .upload(&prof, &path, &[("toml", Some("a.toml"), &changed)])
        .await
        .json();
    assert_eq!(
        shown["changes"],
        json!([{ "name": "entries_per_day", "old": "5", "new": "7" }])
    );
    // Nothing is changed by looking.
    assert_eq!(story.settings(&prof).await["entries_per_day"], 5);
    assert_eq!(
        story
            .set(&prof, &shown["settings"], Some("\"1\""))
            .await
            .status,
        StatusCode::OK
    );
    assert_eq!(story.get(&prof, &path).await.text, changed);
    let wrong = story
        .upload(&prof, &path, &[("toml", Some("a.toml"), "colour = 'red'")])
        .await;
    assert!(
        wrong.json()["detail"]
            .as_str()
            .is_some_and(|text| text.contains("colour"))
    );
    for (method_path, cookie) in [(&path, ""), (&path, team.as_str())] {
        assert_eq!(
            story.get(cookie, method_path).await.status,
            StatusCode::NOT_FOUND
        );
    }
}

#[tokio::test]
async fn rules_are_markdown_without_html() {
    let story = Story::new();
    let prof = story.organiser().await;
    let rules = "# Rules\n\n*Any* method. <script>alert(1)</script> [site](https://example.org) [bad](javascript:alert(1))";
    story.campaign(&prof, &[("rules", rules)]).await;
    let page = story.get("", "/c/hw1").await.text;
    let main = page.split_once("<main").expect("a page").1;
    assert!(
        main.contains("<em>Any</em>") && main.contains("<h3>Rules</h3>"),
        "{main}"
    );
    assert!(
        main.contains("href=\"https://example.org\" rel=\"noopener nofollow\""),
        "{main}"
    );
    assert!(
        !main.contains("<script") && !main.contains("javascript:"),
        "{main}"
    );
    let form = story.settings(&prof).await;
    let fields = form
        .as_object()
        .expect("settings")
        .iter()
        .map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Array(names) => names
                    .iter()
                    .filter_map(Value::as_str)
                    .collect::<Vec<_>>()
                    .join(" "),
                other => other.to_string(),
            };
            let text = if name == "rules" {
                "**Bold**".to_owned()
            } else {
                text
            };
            (name.clone(), text)
        });
    let form = serde_urlencoded::to_string(fields.collect::<Vec<_>>()).expect("a form");
    let preview = story
        .post(&prof, "/c/hw1/admin/settings/preview", form)
        .await
        .text;
    assert!(preview.contains("<strong>Bold</strong>"), "{preview}");
    assert!(!story.get("", "/c/hw1").await.text.contains("<strong>Bold"));
}
