//! Boards that are kept, and the events that announce new ones.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

use super::{Story, run};

/// The stream of a listener.
struct Stream(Body);

impl Stream {
    async fn of(story: &Story, cookie: &str, known: &str) -> Self {
        let request = Request::get("/c/hw1/events")
            .header(header::COOKIE, cookie)
            .header("last-event-id", known)
            .body(Body::empty());
        let response = story.app.clone().oneshot(request.expect("a request")).await;
        let response = response.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            response.headers()[header::CONTENT_TYPE],
            "text/event-stream"
        );
        Self(response.into_body())
    }

    /// What arrives within three seconds of the clock on the wall.
    async fn next(&mut self) -> Option<String> {
        let mut body = std::pin::Pin::new(&mut self.0);
        let frame = std::future::poll_fn(|context| {
            axum::body::HttpBody::poll_frame(body.as_mut(), context)
        });
        let frame = tokio::time::timeout(std::time::Duration::from_secs(3), frame).await;
        let bytes = frame.ok()??.ok()?.into_data().ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

async fn version(story: &Story) -> String {
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    board["version"].as_str().expect("a version").to_owned()
}

#[tokio::test]
async fn listeners_get_the_version_of_each_new_board_and_nothing_during_a_freeze() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let mut stream = Stream::of(&story, "", "").await;
    let first = version(&story).await;
    let begin = stream.next().await.expect("the current version");
    assert_eq!(
        begin,
        format!("retry: 3000\n\nid: {first}\nevent: board\ndata: {{\"version\":\"{first}\"}}\n\n")
    );
    story.submit(&team, &run(2)).await;
    story.settle().await;
    let second = version(&story).await;
    assert_ne!(first, second);
    let event = stream.next().await.expect("an event");
    assert_eq!(
        event,
        format!("id: {second}\nevent: board\ndata: {{\"version\":\"{second}\"}}\n\n")
    );
    // Whoever knows the current version is told nothing.
    let mut knows = Stream::of(&story, "", &second).await;
    assert_eq!(knows.next().await.as_deref(), Some("retry: 3000\n\n"));
    assert_eq!(knows.next().await, None);
    // The board says that it is frozen, and then nothing more.
    story.site.server.advance(6 * 3_600_000);
    assert!(knows.next().await.is_some());
    assert!(stream.next().await.is_some());
    story.submit(&team, &run(4)).await;
    story.settle().await;
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn events_are_for_those_who_see_the_board_and_one_person_gets_eight() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("board", "members")]).await;
    let team = story.team(&prof, "ann", "A").await;
    assert_eq!(
        story.get("", "/c/hw1/events").await.status,
        StatusCode::NOT_FOUND
    );
    let mut streams = Vec::new();
    for _ in 0..8 {
        streams.push(Stream::of(&story, &team, "").await);
    }
    assert_eq!(story.site.server.listeners.count(), 8);
    let ninth = story.get(&team, "/c/hw1/events").await;
    assert_eq!(ninth.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(ninth.headers.contains("retry-after"));
    drop(streams);
    for _ in 0..200 {
        if story.site.server.listeners.count() == 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    Stream::of(&story, &team, "").await;
}

#[tokio::test]
async fn a_kept_board_is_compressed_has_the_name_of_its_reader_and_ends_with_a_change_of_rules() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    story.submit(&team, &run(2)).await;
    story.settle().await;
    let plain = story.get("", "/c/hw1/board").await;
    let again = story.get("", "/c/hw1/board").await;
    assert_eq!((&plain.text, &plain.headers), (&again.text, &again.headers));
    let signed_in = story.get(&team, "/c/hw1/board").await;
    assert!(signed_in.text.contains("ann") && !plain.text.contains("ann"));
    assert_ne!(signed_in.headers, plain.headers);
    let request = |name, value: &str| {
        let request = Request::get("/c/hw1/board").header(name, value);
        story.send(request.body(Body::empty()).expect("a request"))
    };
    let packed = request(header::ACCEPT_ENCODING, "br, gzip;q=0.5").await;
    assert!(packed.headers.contains("\"content-encoding\": \"gzip\""));
    let etag = plain
        .headers
        .split("\"etag\": \"\\\"")
        .nth(1)
        .expect("an ETag");
    let etag = format!("\"{}\"", &etag[..16]);
    let unchanged = request(header::IF_NONE_MATCH, &etag).await;
    assert_eq!(unchanged.status, StatusCode::NOT_MODIFIED);
    assert_eq!(unchanged.text, "");
    let hidden = story.site.server.store.write_here(|tx| {
        let query = "INSERT INTO settings SELECT campaign, 99, json_set(json, '$.board', 'organisers'), by, at
                     FROM settings ORDER BY version DESC LIMIT 1";
        tx.execute(query, [])?;
        tx.execute("UPDATE campaign SET settings = 99", [])?;
        Ok(())
    });
    hidden.expect("changed");
    assert_eq!(
        story.get("", "/c/hw1/board").await.status,
        StatusCode::NOT_FOUND
    );
}
