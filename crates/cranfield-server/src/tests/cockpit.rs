//! What the first page and the cockpit tell people to do next.

use serde_json::{Value, json};

use super::questions::RANKED;
use super::{QRELS, Story, run};

const PAGE: &str = "/api/v1/c/hw1/admin";

fn texts(hints: &Value) -> Vec<&str> {
    let hints = hints.as_array().expect("hints").iter();
    hints
        .map(|hint| hint["text"].as_str().expect("a text"))
        .collect()
}

fn set(story: &Story, change: &'static str) {
    let changed = story
        .site
        .server
        .store
        .write_here(|tx| Ok(tx.execute_batch(change)?));
    changed.expect("changed");
}

#[tokio::test]
async fn a_draft_lists_what_is_missing() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    set(&story, "UPDATE campaign SET published = NULL");
    let page = story.get(&prof, PAGE).await.json();
    let missing = |page: &Value| -> Vec<String> {
        let hints = page["checklist"].as_array().expect("hints").iter();
        let hints = hints.filter(|hint| hint["done"] == false);
        hints
            .map(|hint| hint["href"].as_str().expect("a link").to_owned())
            .collect()
    };
    let place = |page: &str| format!("/c/hw1/admin/{page}");
    assert_eq!(
        missing(&page),
        ["baselines", "settings", "people"].map(place)
    );
    assert_eq!(page["attention"], json!([]));
    story
        .post(&prof, "/c/hw1/admin/codes", "role=participant&uses=9")
        .await;
    let fields = [("name", None, "BM25"), ("run", Some("a.run"), &*run(1))];
    story.upload(&prof, "/c/hw1/admin/baselines", &fields).await;
    let page = story.get(&prof, PAGE).await.json();
    assert_eq!(missing(&page), ["settings"].map(place));
    story.site.server.advance(11 * 3_600_000);
    let page = story.get(&prof, PAGE).await.json();
    assert_eq!(missing(&page), ["settings", "settings"].map(place));
    set(&story, "UPDATE campaign SET published = 1");
    let page = story.get(&prof, PAGE).await.json();
    assert_eq!(page["checklist"], json!([]));
}

#[tokio::test]
async fn the_cockpit_names_what_needs_attention() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("names", "numbers")]).await;
    let page = story.get(&prof, PAGE).await.json();
    assert_eq!(
        texts(&page["attention"]),
        ["No one can take part yet: make a code, or add a roster."]
    );
    let dates: Vec<&str> = page["dates"]
        .as_array()
        .expect("dates")
        .iter()
        .map(|date| date["what"].as_str().expect("a text"))
        .collect();
    assert_eq!(dates, ["entries begin", "the board freezes", "entries end"]);
    assert!(page["switches"].to_string().contains("replaced by numbers"));
    let (ann, bob) = (
        story.team(&prof, "ann", "A").await,
        story.team(&prof, "bob", "B").await,
    );
    let page = story.get(&prof, PAGE).await.json();
    assert_eq!(page["attention"], json!([]));
    for team in [&ann, &bob] {
        story.submit(team, RANKED).await;
        story.settle().await;
    }
    story.questioned(&prof, 1).await;
    let corrected = [
        ("reason", None, "a mistake"),
        ("qrels", Some("q.txt"), &*QRELS.replace("canary-1", "new")),
    ];
    story.upload(&prof, "/c/hw1/admin/qrels", &corrected).await;
    story.settle().await;
    set(
        &story,
        "UPDATE submission SET state = 'failed' WHERE id = 1;
         INSERT INTO job (submission, state, created) VALUES (2, 'running', 0)",
    );
    let page = story.get(&prof, PAGE).await.json();
    let texts = texts(&page["attention"]);
    assert!(
        texts[0].starts_with("1 entry failed on the side of the server."),
        "{texts:?}"
    );
    assert!(
        texts[1].starts_with("The oldest entry in the queue has waited for"),
        "{texts:?}"
    );
    assert_eq!(
        texts[2],
        "1 entry: the same as another team's, or too good to be true?"
    );
    assert_eq!(
        texts[3],
        "A version of the judgements waits to be applied or cancelled."
    );
    assert_eq!(texts.len(), 4);
    // What was decided needs no attention.
    story
        .post(&prof, "/c/hw1/admin/entries/2/1/reject", "reason=a copy")
        .await;
    let page = story.get(&prof, PAGE).await;
    assert!(!page.text.contains("too good to be true"));
}

#[tokio::test]
async fn the_first_page_tells_what_to_do_next() {
    let story = Story::new();
    let page = story.get("", "/").await;
    assert!(page.text.contains("an address that makes your account"));
    let prof = story.organiser().await;
    assert!(
        story
            .get(&prof, "/")
            .await
            .text
            .contains("Make the first one")
    );
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    let next = async |cookie: &str| {
        let page = story.get(cookie, "/api/v1/").await.json();
        page["campaigns"][0]["next"].clone()
    };
    assert_eq!(next("").await, Value::Null);
    assert_eq!(
        next(&ann).await,
        json!({ "text": "Send a run", "href": "/c/hw1/submit" })
    );
    assert_eq!(
        next(&prof).await,
        json!({ "text": "Organise", "href": "/c/hw1/admin" })
    );
    story.site.server.advance(11 * 3_600_000);
    assert_eq!(
        next(&prof).await["text"],
        "Look at the final board, and release it"
    );
}
