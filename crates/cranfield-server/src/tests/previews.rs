//! Previews: an organiser sees exactly what somebody else sees, and changes nothing.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};

use super::Story;
use super::api::operations;
use super::canary::{addresses, read};
use super::world::{CALLERS, Caller, PHASES, Plan, World};
use crate::phase::Phase;

const BEGIN: &str = "/c/hw1/admin/preview";
const END: &str = "/c/hw1/admin/preview/end";

/// A page without the mark of a preview, and whether it had one.
fn unmarked(page: &str) -> (String, bool) {
    let Some((before, rest)) = page.split_once("\n<aside id=\"preview\"") else {
        return (page.to_owned(), false);
    };
    let (mark, after) = rest.split_once("</aside>").expect("the end of the mark");
    assert!(mark.contains("Leave the preview") && mark.contains(END));
    (format!("{before}{after}"), true)
}

async fn begin(story: &Story, cookie: &str, view: &str) -> StatusCode {
    let body = format!("view={view}");
    story.post(cookie, BEGIN, body).await.status
}

/// Compares everything below a campaign that someone can fetch with what an organiser fetches in a preview.
async fn compare(world: &World, phase: Phase, caller: Caller, view: &str, name: &str) {
    let story = world.at(phase);
    let organiser = world.cookie(Caller::Organiser);
    assert_eq!(begin(&story, organiser, view).await, StatusCode::SEE_OTHER);
    let (mut compared, mut marked) = (0, 0);
    for address in addresses(world, caller) {
        if !address.trim_start_matches("/api/v1").starts_with("/c/hw1") {
            continue;
        }
        let theirs = story.sent(read(world, caller, &address)).await;
        let preview = story.sent(read(world, Caller::Organiser, &address)).await;
        let what = format!("{address} as {view} in {phase:?}");
        assert_eq!(preview.status, theirs.status, "{what}");
        // Archives are not text.
        let [theirs, preview] = [theirs, preview].map(|sent| sent.body);
        let (Ok(theirs), Ok(preview)) = (String::from_utf8(theirs), String::from_utf8(preview))
        else {
            continue;
        };
        let own = format!("<a href=\"/me\"><bdi>{name}</bdi></a>");
        let theirs = theirs.replace(&own, "<a href=\"/me\"><bdi>eva</bdi></a>");
        let (preview, had_mark) = unmarked(&preview);
        assert_eq!(preview, theirs, "{what}");
        compared += 1;
        marked += i32::from(had_mark);
    }
    assert!(compared > 80 && marked > 30, "{compared} {marked}");
    // Pages elsewhere are as before, with the mark.
    let home = story.get(organiser, "/").await;
    assert!(unmarked(&home.text).1 && home.text.contains("<bdi>eva</bdi>"));
    let cockpit = "/c/hw1/admin";
    assert_ne!(story.get(organiser, cockpit).await.status, StatusCode::OK);
    assert_eq!(
        story.post(organiser, END, "").await.status,
        StatusCode::SEE_OTHER
    );
    let page = story.get(organiser, cockpit).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!unmarked(&page.text).1);
}

#[tokio::test]
async fn an_organiser_previews_the_bytes_that_others_get() {
    let world = World::new(&Plan::default()).await;
    for phase in [Phase::Open, Phase::Frozen, Phase::Closed, Phase::Released] {
        compare(&world, phase, Caller::Reader, "reader", "").await;
        compare(&world, phase, Caller::OwnTeam, "1", "ann").await;
    }
    compare(&world, Phase::Frozen, Caller::OtherTeam, "2", "bob").await;
}

#[tokio::test]
async fn a_preview_changes_nothing_and_is_logged_once() {
    let world = World::new(&Plan::default()).await;
    let story = world.at(Phase::Open);
    let organiser = world.cookie(Caller::Organiser);
    assert_eq!(begin(&story, organiser, "1").await, StatusCode::SEE_OTHER);
    let mut refused = 0;
    for (method, path, operation) in operations() {
        let is_covered = path.starts_with("/c/") && !path.starts_with("/c/{slug}/admin/preview");
        if method != "post" || !is_covered {
            continue;
        }
        let request = world.request(Caller::Organiser, &method, &path, operation, &world.samples);
        let sent = story.sent(request).await;
        let text = String::from_utf8_lossy(&sent.body);
        assert_eq!(sent.status, StatusCode::FORBIDDEN, "{path}: {text}");
        assert!(text.contains("Leave it first"), "{path}: {text}");
        refused += 1;
    }
    assert!(refused > 30, "{refused}");
    story.get(organiser, "/c/hw1/board").await;
    // Another campaign is not previewed, and neither is this one for others.
    for (caller, path) in [
        (Caller::OtherOrganiser, "/c/hw2/admin"),
        (Caller::Assistant, "/c/hw1/admin"),
    ] {
        let page = story.get(world.cookie(caller), path).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(!unmarked(&page.text).1);
    }
    story.post(organiser, END, "").await;
    let path = "/api/v1/c/hw1/admin/log?action=preview";
    let log = story.get(organiser, path).await.json();
    assert_eq!(log["rows"].as_array().expect("rows").len(), 1);
    assert_eq!(log["rows"][0]["details"], "{\"view\":\"1\"}");
}

#[tokio::test]
async fn only_organisers_of_the_campaign_preview_it() {
    let world = World::new(&Plan::default()).await;
    for phase in PHASES {
        let story = world.at(phase);
        for caller in CALLERS {
            let cookie = world.cookie(caller);
            let status = begin(&story, cookie, "reader").await;
            if caller == Caller::Organiser {
                assert_eq!(status, StatusCode::SEE_OTHER);
            } else {
                assert_eq!(status, StatusCode::NOT_FOUND, "{caller:?} in {phase:?}");
                let home = story.get(cookie, "/").await;
                assert!(!unmarked(&home.text).1);
            }
        }
    }
    let story = world.at(Phase::Open);
    let organiser = world.cookie(Caller::Organiser);
    for view in ["3", "0", "2x", "organiser"] {
        let status = begin(&story, organiser, view).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{view}");
    }
    // A token has no session that could be marked.
    let token = story
        .post(organiser, "/api/v1/me/tokens", "token_name=t")
        .await
        .json();
    let token = token["token"].as_str().expect("a token").to_owned();
    let request = Request::post(format!("/api/v1{BEGIN}"))
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("view=reader"));
    let answer = story.send(request.expect("a request")).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

/// A preview shows a draft as it will be; nothing that was rendered for it is sent to others.
#[tokio::test]
async fn a_draft_is_previewed_and_stays_hidden() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let hide = |tx: &rusqlite::Transaction<'_>| {
        Ok(tx.execute("UPDATE campaign SET published = NULL", [])?)
    };
    story.site.server.store.write_here(hide).expect("a write");
    for view in ["reader", "participant"] {
        assert_eq!(begin(&story, &prof, view).await, StatusCode::SEE_OTHER);
        for path in ["/c/hw1", "/c/hw1/board"] {
            let page = story.get(&prof, path).await;
            assert_eq!(page.status, StatusCode::OK, "{path} as {view}");
            assert!(page.text.contains(if view == "reader" {
                "a reader"
            } else {
                "without a team"
            }));
            assert_eq!(story.get("", path).await.status, StatusCode::NOT_FOUND);
        }
    }
    let team = story.get(&prof, "/c/hw1/team").await;
    assert!(team.text.contains("No team yet"), "{}", team.text);
}

/// Whoever is no organiser any more has no preview either.
#[tokio::test]
async fn a_preview_ends_with_the_role() {
    let world = World::new(&Plan::default()).await;
    let story = world.at(Phase::Open);
    let organiser = world.cookie(Caller::Organiser);
    assert_eq!(begin(&story, organiser, "1").await, StatusCode::SEE_OTHER);
    let demote = |tx: &rusqlite::Transaction<'_>| {
        let query =
            "UPDATE member SET role = 'assistant' WHERE campaign = 1 AND role = 'organiser'";
        Ok(tx.execute(query, [])?)
    };
    story.site.server.store.write_here(demote).expect("a write");
    let page = story.get(organiser, "/c/hw1/admin").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(!unmarked(&page.text).1);
    let file = story.get(organiser, "/c/hw1/submit").await;
    assert_eq!(file.status, StatusCode::FORBIDDEN);
}
