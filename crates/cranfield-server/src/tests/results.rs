//! What is public after the release, and to whom.

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;

use super::{Story, run};

const PATHS: [&str; 8] = [
    "/c/hw1/results",
    "/c/hw1/results/report",
    "/c/hw1/results/commitment",
    "/c/hw1/results/split",
    "/c/hw1/results/qrels",
    "/c/hw1/results/runs/1",
    "/c/hw1/results/team/1",
    "/c/hw1/results/team/1/explain?topic=2",
];

/// Two teams with entries; the second finds more. Returns the organiser and both teams.
async fn story(fields: &[(&str, &str)]) -> (Story, String, [String; 2]) {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, fields).await;
    let ann = story.team(&prof, "ann", "我們不要BM25了").await;
    let bob = story.team(&prof, "bob", "B<b>ob").await;
    story.submit(&ann, &run(2)).await;
    story.submit(&bob, &run(4)).await;
    story.settle().await;
    (story, prof, [ann, bob])
}

async fn release(story: &Story, prof: &str) {
    story.site.server.advance(11 * 3_600_000);
    let answer = story.post(prof, "/c/hw1/admin/release", "").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
}

async fn bytes(story: &Story, path: &str) -> Vec<u8> {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let response = story.app.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    to_bytes(response.into_body(), usize::MAX)
        .await
        .expect("a body")
        .to_vec()
}

#[tokio::test]
async fn results_are_for_organisers_before_the_release_and_for_everyone_after_it() {
    let (story, prof, [ann, _]) = story(&[("release_runs", "everyone")]).await;
    for path in PATHS {
        for cookie in ["", ann.as_str()] {
            let answer = story.get(cookie, path).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(
            story.get(&prof, path).await.status,
            StatusCode::OK,
            "{path}"
        );
    }
    let before = story.get(&prof, "/api/v1/c/hw1/results").await.json();
    assert_eq!(before["private"], true);
    release(&story, &prof).await;
    for path in PATHS {
        assert_eq!(story.get("", path).await.status, StatusCode::OK, "{path}");
    }
    assert_eq!(
        story.get("", "/api/v1/c/hw1/results").await.json()["private"],
        false
    );
    assert_eq!(
        story.get("", "/c/hw1/results/team/9").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        story
            .get("", "/c/hw1/results/team/1?measure=AP")
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert!(
        story
            .get("", "/c/hw1")
            .await
            .text
            .contains("/c/hw1/results")
    );
}

#[tokio::test]
async fn the_commitment_is_the_hash_of_what_is_published() {
    let (story, prof, _) = story(&[]).await;
    let promised = story.get("", "/api/v1/c/hw1").await.json();
    release(&story, &prof).await;
    let results = story.get("", "/api/v1/c/hw1/results").await.json();
    assert_eq!(results["commitment"], promised["commitment"]);
    let hashed = bytes(&story, "/c/hw1/results/commitment").await;
    assert_eq!(
        blake3::hash(&hashed).to_hex().as_str(),
        results["commitment"]
    );
    // The parts are published too.
    let split = bytes(&story, "/c/hw1/results/split").await;
    let qrels = bytes(&story, "/c/hw1/results/qrels").await;
    assert_eq!(String::from_utf8_lossy(&qrels), super::QRELS);
    let hash = blake3::hash(&qrels).to_hex();
    assert_eq!(results["qrels"], hash.as_str());
    let parts = [&hashed[..32], &split, hash.as_bytes()].concat();
    assert_eq!(hashed, parts);
    let nonce: String = hashed[..32]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(results["nonce"], nonce.as_str());
    // One moved topic is another hash.
    let moved = String::from_utf8_lossy(&split).replacen("public", "private", 1);
    let moved = [&hashed[..32], moved.as_bytes(), hash.as_bytes()].concat();
    assert_ne!(
        blake3::hash(&moved).to_hex().as_str(),
        results["commitment"]
    );
    let html = story.get("", "/c/hw1/results").await.text;
    assert!(html.contains("b3sum hw1-commitment"), "{html}");
}

#[tokio::test]
async fn the_values_of_a_team_by_topic_have_the_mean_of_the_board() {
    let (story, prof, _) = story(&[]).await;
    release(&story, &prof).await;
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    let row = board["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["number"] == 1);
    let wanted = row.expect("a row")["value"].as_f64().expect("a value");
    let page = story.get("", "/api/v1/c/hw1/results/team/1").await.json();
    let topics = page["topics"].as_array().expect("topics");
    assert_eq!(topics.len(), 4);
    let private: Vec<f64> = topics
        .iter()
        .filter(|topic| topic["public"] == false)
        .filter_map(|topic| topic["value"].as_f64())
        .collect();
    assert_eq!(private.len(), 2);
    assert!((private.iter().sum::<f64>() / 2.0 - wanted).abs() < 1e-12);
    // The other team finds everything, so it is at or above the mean of both.
    for topic in topics {
        let (value, difference) = (
            topic["value"].as_f64().expect("a value"),
            topic["difference"].as_f64().expect("a difference"),
        );
        assert!(
            (difference - (value - f64::midpoint(value, 1.0))).abs() < 1e-12,
            "{topic}"
        );
    }
    let html = story.get("", "/c/hw1/results/team/2").await.text;
    assert!(
        html.contains("B&#60;b&#62;ob") && !html.contains("<b>ob"),
        "{html}"
    );
}

#[tokio::test]
async fn the_report_is_that_of_the_final_entries_and_runs_in_a_sandbox() {
    let (story, prof, _) = story(&[]).await;
    release(&story, &prof).await;
    let report = story.get("", "/c/hw1/results/report").await;
    assert!(
        report.headers.contains("sandbox allow-scripts")
            && !report.headers.contains("allow-same-origin"),
        "{}",
        report.headers
    );
    assert!(
        report.text.contains("我們不要BM25了")
            && report.text.contains("HW1: final entries on 2 of 4 topics")
    );
    assert!(!report.text.contains("<b>ob"));
    assert_eq!(
        story.get("", "/c/hw1/results/report").await.text,
        report.text
    );
    // Explanations name the documents behind a value, and the difference of two teams.
    let explained = story
        .get(
            "",
            "/api/v1/c/hw1/results/team/1/explain?topic=2&measure=RR",
        )
        .await
        .json();
    let text = explained["text"].as_str().expect("a text");
    assert!(text.contains("canary-2") && text.contains("RR"), "{text}");
    let difference = story
        .get("", "/api/v1/c/hw1/results/team/2/explain?against=1")
        .await
        .json();
    assert!(
        difference["text"]
            .as_str()
            .expect("a text")
            .contains("我們不要BM25了"),
        "{difference}"
    );
    assert_eq!(
        story
            .get("", "/c/hw1/results/team/1/explain?topic=9")
            .await
            .status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn what_the_settings_keep_stays_with_organisers_and_the_own_team() {
    let (story, prof, [ann, bob]) = story(&[("release_qrels", "organisers")]).await;
    release(&story, &prof).await;
    let (ok, none) = (StatusCode::OK, StatusCode::NOT_FOUND);
    // Reader, own team, other team, organiser.
    let matrix = [
        ("", [ok, ok, ok, ok]),
        ("/commitment", [ok, ok, ok, ok]),
        ("/split", [ok, ok, ok, ok]),
        ("/report", [none, none, none, ok]),
        ("/qrels", [none, none, none, ok]),
        ("/team/1", [none, ok, none, ok]),
        ("/team/1/explain?topic=2", [none, none, none, ok]),
        ("/runs/1", [none, ok, none, ok]),
    ];
    for (path, wanted) in matrix {
        for (cookie, wanted) in ["", &ann, &bob, &prof].into_iter().zip(wanted) {
            for prefix in ["", "/api/v1"] {
                let answer = story
                    .get(cookie, &format!("{prefix}/c/hw1/results{path}"))
                    .await;
                assert_eq!(answer.status, wanted, "{path}");
                let leaked = wanted == ok
                    && cookie != prof
                    && !path.starts_with("/runs")
                    && answer.text.contains("canary");
                assert!(!leaked, "{path}: {}", answer.text);
            }
        }
    }
    let page: Value = story.get("", "/api/v1/c/hw1/results").await.json();
    assert!(
        page["teams"]
            .as_array()
            .expect("teams")
            .iter()
            .all(|team| team["sees_run"] == false)
    );
    let request = Request::get("/c/hw1/results/runs/1")
        .header(header::COOKIE, ann.as_str())
        .body(Body::empty());
    let own = story.send(request.expect("a request")).await;
    assert_eq!(own.text, run(2));
}
